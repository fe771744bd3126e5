/* What a text "key" makes of the keys of a seat. */
#include "game/seat_keys.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/date.h"
#include "suite.h"
#include "trust/secret.h"

#define TODAY 20788 /* 2026-12-01 */

static struct pubkey own[KEYS_PER_PLAYER + 1];
static char shown[KEYS_PER_PLAYER + 1][KEY_FINGERPRINT];
static struct game_seat seat;
static struct seat_keys keys;
static bool own_text = true, takes_mail = true;

/* A seat with so many keys, since the first of December. */
static void sits_with(size_t count)
{
    for (size_t i = 0; i <= KEYS_PER_PLAYER; i++) {
        struct secret secret;
        secret_new(&secret);
        secret_public(&secret, &own[i]);
        pubkey_fingerprint(shown[i], &own[i]);
    }
    str_release(&seat.keys_gone);
    memset(&seat, 0, sizeof seat);
    str_init(&seat.keys_gone);
    own_text = takes_mail = true;
    seat.keys_day = TODAY;
    seat.key_count = count;
    memcpy(seat.keys, own, count * sizeof *own);
}

static int says(const char *lines, const struct pubkey *added, struct err *err)
{
    *err = (struct err)ERR_INIT;
    return seat_keys_change(&(struct seat_keys_text){slice_of(lines), added, own_text, takes_mail}, &seat,
                            &keys, err);
}

static void ck_keys(size_t count, ...)
{
    va_list args;
    va_start(args, count);
    ck_assert_uint_eq(keys.count, count);
    for (size_t i = 0; i < count; i++)
        ck_assert(pubkey_equal(&keys.list[i], &own[va_arg(args, int)]));
    va_end(args);
}

static void ck_nothing(const char *lines, const struct pubkey *added, const char *why)
{
    struct err err;
    ck_assert_int_ne(says(lines, added, &err), 0);
    ck_assert_int_eq(err.code, ERR_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, why));
}

START_TEST(one_more_one_less)
{
    struct err err;
    char lines[300];
    struct str line = STR_INIT;
    sits_with(2);
    (void)snprintf(lines, sizeof lines, "date: 2026-12-01\nadd: %s\n", shown[2]);
    ck_ok(says(lines, &own[2], &err), err);
    ck_keys(3, 0, 1, 2);
    (void)snprintf(lines, sizeof lines, "date: 2026-12-01\nrevoke: %s\n", shown[0]);
    ck_ok(says(lines, NULL, &err), err);
    ck_keys(1, 1);
    (void)snprintf(lines, sizeof lines, "date: 2026-12-01\nadd: %s\nrevoke: %s\n", shown[2], shown[0]);
    ck_ok(says(lines, &own[2], &err), err);
    ck_keys(2, 1, 2);
    pubkey_format(&line, &own[2]); /* as its file has it, with a comment */
    (void)snprintf(lines, sizeof lines, "date: 2026-12-01\nadd: %s anna@phone\n", line.p);
    ck_ok(says(lines, &own[2], &err), err);
    ck_keys(3, 0, 1, 2);
    str_release(&line);
}
END_TEST

START_TEST(what_changes_nothing)
{
    char lines[300];
    sits_with(2);
    (void)snprintf(lines, sizeof lines, "date: 2026-12-01\nadd: %s\n", shown[1]);
    ck_nothing(lines, &own[1], "these already");
    (void)snprintf(lines, sizeof lines, "date: 2026-12-01\nrevoke: %s\n", shown[2]);
    ck_nothing(lines, NULL, "these already");
    (void)snprintf(lines, sizeof lines, "date: 2026-12-01\nadd: %s\n", shown[2]);
    ck_nothing(lines, &own[3], "not the one");
    ck_nothing(lines, NULL, "not the one");
    sits_with(KEYS_PER_PLAYER);
    (void)snprintf(lines, sizeof lines, "date: 2026-12-01\nadd: %s\n", shown[KEYS_PER_PLAYER]);
    ck_nothing(lines, &own[KEYS_PER_PLAYER], "at most 4 keys");
}
END_TEST

/* A text that was meant for before, when the key in it had not been stolen. */
START_TEST(an_old_text_is_of_no_use)
{
    struct err err;
    char lines[300];
    sits_with(1);
    (void)snprintf(lines, sizeof lines, "date: 2026-11-29\nadd: %s\n", shown[1]);
    ck_nothing(lines, &own[1], "before the keys of the seat were these");
    (void)snprintf(lines, sizeof lines, "add: %s\n", shown[1]);
    ck_nothing(lines, &own[1], "before the keys of the seat were these");
    (void)snprintf(lines, sizeof lines, "date: 2026-11-30\nadd: %s\n", shown[1]); /* west of Greenwich */
    ck_ok(says(lines, &own[1], &err), err);
}
END_TEST

START_TEST(the_last_one_goes_for_the_word_of_a_domain)
{
    struct err err;
    char lines[300];
    sits_with(1);
    (void)snprintf(lines, sizeof lines, "date: 2026-12-01\nrevoke: %s\n", shown[0]);
    ck_nothing(lines, NULL, "no key");
    (void)snprintf(lines, sizeof lines, "date: 2026-12-01\nrevoke: %s\ntrust: mail\n", shown[0]);
    ck_ok(says(lines, NULL, &err), err);
    ck_assert_uint_eq(keys.count, 0);
    own_text = false; /* a moderator's, and whoever wrote one would play by mail for the seat */
    ck_nothing(lines, NULL, "no key");
    own_text = true;
    takes_mail = false;
    ck_nothing(lines, NULL, "no key");
}
END_TEST

/* Texts of one day: what one has taken away none of them brings back, and none of a day before counts any more. */
START_TEST(what_was_taken_away_stays_away)
{
    struct err err;
    char add[300], revoke[300];
    json_t *record;
    sits_with(2);
    (void)snprintf(revoke, sizeof revoke, "#turnpost key\ndate: 2026-12-03\nrevoke: %s\n#end\n", shown[1]);
    ck_ok(says(revoke, NULL, &err), err);
    record = json_pack("{s:{s:s}}", "signed", "text", revoke);
    seat_keys_become(&seat, &keys, record, (int64_t)(TODAY + 2) * 86400);
    (void)snprintf(add, sizeof add, "date: 2026-12-02\nadd: %s\n", shown[1]);
    ck_nothing(add, &own[1], "before the keys of the seat were these");
    (void)snprintf(add, sizeof add, "date: 2026-12-03\nadd: %s\n", shown[1]);
    ck_nothing(add, &own[1], "taken this key away");
    (void)snprintf(add, sizeof add, "date: 2026-12-03\nadd: %s\n", shown[2]);
    ck_ok(says(add, &own[2], &err), err);
    (void)snprintf(add, sizeof add, "date: 2026-12-04\nadd: %s\n", shown[1]);
    ck_ok(says(add, &own[1], &err), err);
    json_decref(record);
    seat_keys_since(&seat, (int64_t)(TODAY + 9) * 86400);
    ck_nothing(add, &own[1], "before the keys of the seat were these");
    str_release(&seat.keys_gone);
}
END_TEST

/* Whoever makes a key of minisign chooses its number. */
START_TEST(no_key_is_added_by_its_number)
{
    struct err err;
    char lines[300];
    struct str line = STR_INIT;
    sits_with(1);
    struct pubkey numbered = {.kind = KEY_MINISIGN, .id = {1, 2, 3, 4, 5, 6, 7, 8}};
    memcpy(numbered.point, own[1].point, sizeof numbered.point);
    (void)snprintf(lines, sizeof lines, "date: 2026-12-01\nadd: minisign:807060504030201\n");
    ck_nothing(lines, &numbered, "not the one");
    pubkey_format(&line, &numbered);
    (void)snprintf(lines, sizeof lines, "date: 2026-12-01\nadd: %s\n", line.p);
    ck_ok(says(lines, &numbered, &err), err);
    seat.keys[seat.key_count++] = numbered;
    (void)snprintf(lines, sizeof lines, "date: 2026-12-01\nrevoke: minisign:807060504030201\n");
    ck_ok(says(lines, NULL, &err), err);
    ck_keys(1, 0);
    str_release(&line);
}
END_TEST

/* As the frame is read (src/journal/README.md): a blank before the colon, and nothing behind a line of another form. */
START_TEST(lines_are_those_of_the_head)
{
    struct err err;
    char lines[300];
    sits_with(1);
    (void)snprintf(lines, sizeof lines, "date : 2026-12-01\nadd : %s\n", shown[1]);
    ck_ok(says(lines, &own[1], &err), err);
    (void)snprintf(lines, sizeof lines, "date: 2026-12-01\nlook here\nadd: %s\n", shown[1]);
    ck_nothing(lines, &own[1], "these already");
    (void)snprintf(lines, sizeof lines, "date: 2026-12-01\nleague:\nSHA256:abc\n# said\nadd: %s\n", shown[1]);
    ck_ok(says(lines, &own[1], &err), err);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, one_more_one_less);
    tcase_add_test(tc, what_changes_nothing);
    tcase_add_test(tc, an_old_text_is_of_no_use);
    tcase_add_test(tc, the_last_one_goes_for_the_word_of_a_domain);
    tcase_add_test(tc, what_was_taken_away_stays_away);
    tcase_add_test(tc, no_key_is_added_by_its_number);
    tcase_add_test(tc, lines_are_those_of_the_head);
}
TEST_MAIN("game/seat_keys", cases)
