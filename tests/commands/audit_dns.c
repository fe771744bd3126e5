/* What the audit tells of the keys of mail domains. What name servers say is the resolver's (dns/resolver.c). */
#include <string.h>

#include "base/encode.h"
#include "base/json.h"
#include "commands/audit_dns.h"
#include "suite.h"

static struct domain_keys keys;
static struct audit_result result;

/* A record that the domain vouches for; of its kinds only orders count as such. */
static void note_of(const char *type, int seat, const char *selector, char digit, int64_t time)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    char hex[65];
    memset(hex, digit, 64);
    hex[64] = '\0';
    str_addf(&text,
             "{\"seat\":%d,\"vouched\":{\"arrived\":\"2026-11-20T08:00:02Z\",\"cutter\":2,\"domain\":"
             "\"example.org\",\"evidence\":\"%s\",\"key\":"
             "\"%s\","
             "\"learned\":\"league\",\"selector\":\"%s\",\"sent\":\"2026-11-20T08:00:00Z\"}}",
             seat, hex, hex, selector);
    struct record record = {.time = time, .json = json_read(slice_str(&text), "record", &err)};
    ck_assert_msg(record.json != NULL, "%s", err.text);
    (void)snprintf(record.type, sizeof record.type, "%s", type);
    domain_keys_note(&keys, &record);
    json_decref(record.json);
    str_release(&text);
}

static void note(int seat, const char *selector, char digit, int64_t time)
{
    note_of("orders", seat, selector, digit, time);
    result.orders[seat].mails++;
}

static void begin(void)
{
    keys = (struct domain_keys){NULL, 0, 0};
    memset(&result, 0, sizeof result);
    result.seats = 2;
    result.orders[2].keys = 4;
    note(1, "s1", 'a', 1795176000);
    note(1, "s1", 'a', 1795262400);
    note(1, "s2", 'b', 1795348800);
    note(2, "s1", 'c', 1795435200);
}

static void end(void)
{
    domain_keys_release(&keys);
}

static void expect(const char *words)
{
    struct str text = STR_INIT;
    domain_keys_text(&text, &keys, &result);
    ck_assert_msg(strstr(text.p, words) != NULL, "not \"%s\" in:\n%s", words, text.p);
    str_release(&text);
}

START_TEST(each_key_is_told_once)
{
    ck_assert_uint_eq(keys.count, 3);
    ck_assert_int_eq(keys.list[0].orders[1], 2);
    expect("- seat 1: 0 by key; by mail: 3, of which the key rests on the league's word alone: 3\n");
    expect("- seat 2: 4 by key; by mail: 1, of which");
    expect("- example.org under s1, key aaaaaaaaaaaaaaaa..., last used on 2026-11-21: not compared");
}
END_TEST

/* A join and a message by mail: their key is asked for, too, but they are no orders. */
START_TEST(other_texts_are_no_orders)
{
    note_of("seat", 2, "s9", 'd', 1795435200);
    note_of("note", 1, "s1", 'a', 1795435300);
    for (size_t i = 0; i < keys.count; i++)
        keys.list[i].now = KEY_SAME;
    ck_assert_uint_eq(keys.count, 4);
    expect("- seat 1: 0 by key; by mail: 3, of which the domain publishes the key now, without DNSSEC: 3\n");
    expect("- seat 2: 4 by key; by mail: 1, of which the domain publishes the key now, without DNSSEC: 1\n");
}
END_TEST

START_TEST(levels_follow_from_what_is_published)
{
    keys.list[0].now = KEY_SAME;
    keys.list[0].secure = true;
    keys.list[1].now = KEY_SAME;
    keys.list[2].now = KEY_OTHER;
    keys.list[2].secure = true;
    expect("- seat 1: 0 by key; by mail: 3, of which DNSSEC proves the key now: 2, of which the domain "
           "publishes "
           "the key now, without DNSSEC: 1\n");
    expect("- seat 2: 4 by key; by mail: 1, of which the key rests on the league's word alone: 1\n");
    expect("2026-11-23: another key is published in its place now");
    json_t *json = domain_keys_json(&keys, &result);
    const json_t *seat = json_array_get(json_object_get(json, "levels"), 0);
    ck_assert_int_eq(json_integer_value(json_object_get(seat, "dnssec")), 2);
    ck_assert_int_eq(json_integer_value(json_object_get(seat, "seen")), 1);
    ck_assert_int_eq(json_integer_value(json_object_get(seat, "league")), 0);
    const json_t *third = json_array_get(json_object_get(json, "domains"), 2);
    ck_assert_str_eq(json_string_value(json_object_get(third, "now")), "other");
    ck_assert(!json_is_true(json_object_get(third, "dnssec")));
    json_decref(json);
}
END_TEST

/* For so long it was the league's word when they came, and so which of two counts. */
START_TEST(mails_that_came_before_their_date_are_counted)
{
    result.orders[1].ahead = 2;
    result.orders[1].ahead_most = 7320;
    expect("word alone: 3, of which came before the time in their Date: 2, by up to 2h2m\n");
    json_t *json = domain_keys_json(&keys, &result);
    const json_t *seat = json_array_get(json_object_get(json, "levels"), 0);
    ck_assert_int_eq(json_integer_value(json_object_get(seat, "ahead")), 2);
    ck_assert_int_eq(json_integer_value(json_object_get(seat, "ahead_most")), 7320);
    json_decref(json);
}
END_TEST

START_TEST(a_server_that_is_silent_proves_nothing)
{
    struct err err = ERR_INIT;
    ck_ok(domain_keys_ask(&keys, &(struct dns_way){"127.0.0.1@1", "", 1}, &err), err);
    expect("the name servers do not answer: ask again");
    expect("rests on the league's word alone: 3");
}
END_TEST

START_TEST(games_of_keys_say_nothing_of_it)
{
    struct str text = STR_INIT;
    domain_keys_release(&keys);
    domain_keys_text(&text, &keys, &result);
    ck_assert_uint_eq(text.len, 0);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, each_key_is_told_once);
    tcase_add_test(tc, other_texts_are_no_orders);
    tcase_add_test(tc, levels_follow_from_what_is_published);
    tcase_add_test(tc, mails_that_came_before_their_date_are_counted);
    tcase_add_test(tc, a_server_that_is_silent_proves_nothing);
    tcase_add_test(tc, games_of_keys_say_nothing_of_it);
}
TEST_MAIN("commands/audit_dns", cases)
