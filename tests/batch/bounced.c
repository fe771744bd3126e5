/* Mail that comes back: the flag, who is told of it and how often, and when it is cleared. */
#include "batch/bounced.h"

#include "house/clock.h"

#define SECOND "anna@second.test"

static void second(const char *address)
{
    struct err err = ERR_INIT;
    struct player anna = *registry_find(&house.batch.registry, "anna");
    (void)snprintf(anna.address2, sizeof anna.address2, "%s", address);
    struct registry_change change = {.what = "address", .player = &anna};
    ck_ok(batch_change(&house.batch, &change, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
}

static void start(void)
{
    begin();
    (void)new_game(2);
    second(SECOND);
}

/* A notification about this mail of ours. */
static enum intake_fate bounce(const char *id, const char *recipient, const char *action, const char *status)
{
    static int number;
    str_clear(&house.last_raw);
    str_addf(
        &house.last_raw,
        "Return-Path: <>\r\nFrom: MAILER-DAEMON@mx.test\r\nTo: bounces@example.org\r\nDelivered-To: "
        "league@example.org\r\nSubject: Undelivered\r\nMessage-ID: <%d@mx.test>\r\nMIME-Version: 1.0\r\n"
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\n\r\nsorry\r\n"
        "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.test\r\n\r\n"
        "Final-Recipient: rfc822; %s\r\nAction: %s\r\nStatus: %s\r\nDiagnostic-Code: smtp; 550 no such "
        "user\r\n\r\n--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: <%s@example.org>\r\n\r\n"
        "--b--\r\n",
        ++number, recipient, action, status, id);
    return house_raw(&house, slice_str(&house.last_raw));
}

static void failed(const char *id)
{
    ck_assert_int_eq(bounce(id, "anna@example.net", "failed", "5.1.1"), INTAKE_PROCESSED);
}

/* Mails to the second address, and the spool is emptied. */
static int told_second(const char *words)
{
    struct err err = ERR_INIT;
    struct spool_list list;
    int count = 0;
    ck_ok(spool_due(house.batch.spool, house.now, &list, &err), err);
    for (size_t i = 0; i < list.count; i++) {
        struct outgoing mail;
        ck_ok(spool_load(house.batch.spool, list.path[i], &mail, &err), err);
        bool hit = strcmp(mail.envelope_to, SECOND) == 0;
        if (hit)
            ck_assert_msg(strstr(mail.mail.p, words) != NULL, "%s", mail.mail.p);
        count += hit;
        outgoing_release(&mail);
    }
    spool_list_free(&list);
    house_empty_spool(&house);
    return count;
}

static int permanent(const char *player)
{
    struct err err = ERR_INIT;
    struct catalog_bounce row;
    bool found;
    ck_ok(catalog_get_bounce(house.batch.catalog, player, &row, &found, &err), err);
    return found ? row.permanent : -1;
}

static enum catalog_delivery_state state_of(const char *mail)
{
    struct err err = ERR_INIT;
    struct catalog_delivery row;
    bool found;
    ck_ok(catalog_get_delivery(house.batch.catalog, mail, &row, &found, &err), err);
    ck_assert(found);
    ck_assert_str_eq(row.player, "anna");
    return row.state;
}

/* As the league sends and hears of it: by default the bounce address is the league's own. What server writes which
 * address into the notification, and what it leaves out of it. */
static const struct {
    const char *bounce;
    enum config_detail detail;
    const char *to;
} paths[] = {
    {"league@example.org", DETAIL_PLUS,
     "To: league+gc-1.4.1@example.org\r\nDelivered-To: league+gc-1.4.1@example.org"},
    {"league@example.org", DETAIL_PLUS,
     "To: league+gc-1.4.1@example.org\r\nDelivered-To: league@example.org"},
    {"league@example.org", DETAIL_PLUS, "To: <League+gc-1.4.1@Example.org>"},
    {"league@example.org", DETAIL_DASH, "To: league-gc-1.4.1@example.org"},
    {"league@example.org", DETAIL_EQUALS,
     "To: postmaster@mx.test\r\nDelivered-To: league=gc-1.4.1@example.org"},
    {"bounces@example.org", DETAIL_PLUS,
     "To: bounces+gc-1.4.1@example.org\r\nDelivered-To: league@example.org"},
    {"back-here@example.org", DETAIL_DASH,
     "To: back-here-gc-1.4.1@example.org\r\nDelivered-To: league@example.org"},
};

START_TEST(its_envelope_names_the_mail)
{
    struct spool_list list;
    struct err err = ERR_INIT;
    begin();
    struct config *config = &house.league.config;
    ck_assert_str_eq(config->outgoing.bounce_address, HOUSE_ADDRESS); /* as `init` has set it */
    free(config->outgoing.bounce_address);
    config->outgoing.bounce_address = mem_strdup(paths[_i].bounce);
    config->incoming.detail = paths[_i].detail;
    (void)new_game(2);
    /* what we send has that envelope, and answers to mails have none */
    house_empty_spool(&house);
    orders("bob", 1);
    orders("anna", 1);
    ck_ok(spool_due(house.batch.spool, house.now, &list, &err), err);
    size_t named = 0;
    for (size_t i = 0; i < list.count; i++) {
        struct outgoing mail;
        const char *at = strchr(paths[_i].bounce, '@');
        struct str wanted = STR_INIT;
        ck_ok(spool_load(house.batch.spool, list.path[i], &mail, &err), err);
        str_addf(&wanted, "%.*s%c%s%s", (int)(at - paths[_i].bounce), paths[_i].bounce, config_detail(config),
                 mail.id, at);
        ck_assert_str_eq(mail.envelope_from, strstr(mail.mail.p, "\nIn-Reply-To:") ? "" : wanted.p);
        named += *mail.envelope_from != '\0';
        str_release(&wanted);
        outgoing_release(&mail);
    }
    spool_list_free(&list);
    ck_assert_uint_gt(named, 0);
    str_clear(&house.last_raw);
    str_addf(
        &house.last_raw,
        "Return-Path: <>\r\nFrom: MAILER-DAEMON@mx.test\r\n%s\r\nMessage-ID: <1@mx.test>\r\nMIME-Version: "
        "1.0\r\n"
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\nContent-Type: "
        "message/delivery-status\r\n\r\nReporting-MTA: dns; mx.test\r\n\r\nFinal-Recipient: rfc822; "
        "elsewhere@mx.test\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n--b--\r\n",
        paths[_i].to);
    ck_assert_int_eq(house_raw(&house, slice_str(&house.last_raw)), INTAKE_PROCESSED);
    ck_assert_int_eq(permanent("anna"), 1);
    ck_assert_int_eq(state_of("gc-1.4.1"), DELIVERY_BOUNCED);
}
END_TEST

START_TEST(told_once)
{
    start();
    failed("gc-1.4.1");
    ck_assert_int_eq(permanent("anna"), 1);
    ck_assert_int_eq(state_of("gc-1.4.1"), DELIVERY_BOUNCED);
    ck_assert_int_eq(told_second("given is 5.1.1."), 1);
    ck_assert_int_eq(house_raw(&house, slice_str(&house.last_raw)), INTAKE_REJECTED); /* the same again */
    ck_assert_int_eq(permanent("anna"), 1);
    failed("gc-1.5.1");
    ck_assert_int_eq(permanent("anna"), 2);
    house_restart(&house);
    failed("gc-1.6.1");
    ck_assert_int_eq(told_second(""), 0);
}
END_TEST

/* Anybody can write a notification, and into it what they want to say. */
START_TEST(a_stranger_puts_no_words_into_mails)
{
    struct err err = ERR_INIT;
    struct catalog_bounce row;
    bool found = false;
    start();
    failed("gc-1.99.1"); /* no mail of ours, and it does not become one */
    failed("gc-1.99.1");
    struct str mails;
    ck_assert_int_eq(told_second("comes back"), 1);
    ck_ok(catalog_get_bounce(house.batch.catalog, "anna", &row, &found, &err), err);
    ck_assert(found);
    ck_assert_str_eq(row.words, "");
    ck_assert_str_eq(row.mail, "");
    failed("gc-1.2.1"); /* one of ours: the operator reads the server's words */
    ck_ok(catalog_get_bounce(house.batch.catalog, "anna", &row, &found, &err), err);
    ck_assert_str_eq(row.words, "550 no such user");
    house_restart(&house);
    second("carol@example.net");
    orders("anna", 1);
    house_empty_spool(&house);
    failed("gc-1.2.1");
    ck_assert_int_eq(house_mails(&house, "carol", &mails), 1);
    ck_assert_ptr_null(strstr(mails.p, "no such"));
    str_release(&mails);
}
END_TEST

START_TEST(a_mail_of_his_ends_it)
{
    start();
    failed("gc-1.4.1");
    house_empty_spool(&house);
    (void)house_mail(&house, "anna", "status gc-1", ""); /* anybody could have written that */
    ck_assert_int_eq(permanent("anna"), 1);
    orders("anna", 1);
    ck_assert_int_eq(permanent("anna"), -1);
    house_empty_spool(&house);
    failed("gc-1.5.1");
    ck_assert_int_eq(told_second("#turnpost resend"), 1);
}
END_TEST

START_TEST(but_not_from_the_second_address)
{
    start();
    second("carol@example.net"); /* house_signed mails from there */
    failed("gc-1.4.1");
    told("carol", 1, "Mail to anna@example.net comes back");
    house_empty_spool(&house);
    (void)house_signed(&house, "carol", "anna", "#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n");
    ck_assert_int_eq(permanent("anna"), 1);
}
END_TEST

START_TEST(a_new_address_ends_it)
{
    struct err err = ERR_INIT;
    start();
    failed("gc-1.4.1");
    struct player anna = *registry_find(&house.batch.registry, "anna");
    (void)snprintf(anna.address, sizeof anna.address, "anna@new.test");
    struct registry_change change = {.what = "address", .player = &anna};
    ck_ok(batch_change(&house.batch, &change, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    ck_assert_int_eq(permanent("anna"), -1);
}
END_TEST

START_TEST(what_is_late_or_has_arrived_has_not_come_back)
{
    static const char *const actions[] = {"delayed", "Relayed", "delivered", "EXPANDED"};
    start();
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        ck_assert_int_eq(bounce("gc-1.4.1", "anna@example.net", actions[i], i ? "2.0.0" : "4.4.1"),
                         INTAKE_PROCESSED);
        ck_assert_int_eq(permanent("anna"), -1);
    }
    ck_assert_int_eq(bounce("gc-1.4.1", "anna@example.net", "failed", "4.4.7"), INTAKE_PROCESSED);
    ck_assert_int_eq(permanent("anna"), 0);
    ck_assert_int_eq(told_second(""), 0);
    failed("gc-1.4.1");
    ck_assert_int_eq(told_second(""), 1);
}
END_TEST

START_TEST(two_at_once)
{
    struct err err = ERR_INIT;
    struct catalog_bounce one = {.player = "anna", .mail = "gc-1.4.1", .permanent = 1, .words = "no"};
    start();
    ck_ok(bounced_note(&house.batch, &one, "anna@example.net", false, &err), err);
    (void)snprintf(one.mail, sizeof one.mail, "gc-1.5.1");
    ck_ok(bounced_note(&house.batch, &one, "anna@example.net", false, &err), err);
    ck_ok(bounced_heard(&house.batch, "anna", "anna@example.net", &err), err);
    (void)snprintf(one.mail, sizeof one.mail, "gc-1.6.1");
    ck_ok(bounced_note(&house.batch, &one, "anna@example.net", false, &err), err);
    ck_assert_int_eq(permanent("anna"), -1); /* nothing before the commit */
    ck_ok(batch_commit(&house.batch, &err), err);
    ck_assert_int_eq(permanent("anna"), 1);
    ck_assert_int_eq(told_second(""), 2);
}
END_TEST

START_TEST(digests_and_others)
{
    struct err err = ERR_INIT;
    struct catalog_delivery sent = {
        .mail = "digest.anna.m0123456789", .player = "anna", .state = DELIVERY_SENT, .when = house.now};
    start();
    ck_ok(catalog_deliver(house.batch.catalog, &sent, &err), err);
    failed("digest.anna.m0123456789");
    ck_assert_int_eq(state_of("digest.anna.m0123456789"), DELIVERY_BOUNCED);
    ck_assert_int_eq(told_second(""), 1);
    /* The id is unknown, but the address is not. Somebody else's address counts for nobody. */
    ck_assert_int_eq(bounce("mail.0123456789abcdef.0", "bob@example.net", "failed", "5.1.1"),
                     INTAKE_PROCESSED);
    ck_assert_int_eq(permanent("bob"), 1);
    ck_assert_int_eq(bounce("mail.0123456789abcdef.1", "eve@else.test", "failed", "5.1.1"), INTAKE_PROCESSED);
    told_all(NULL, 0, NULL); /* bob has no second address */
}
END_TEST

START_TEST(the_second_fails_too)
{
    start();
    ck_assert_int_eq(bounce("mail.0123456789abcdef.0", SECOND, "failed", "5.1.1"), INTAKE_PROCESSED);
    ck_assert_int_eq(permanent("anna"), 1);
    ck_assert_int_eq(told_second(""), 0);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, NULL, end);
    tcase_add_loop_test(tc, its_envelope_names_the_mail, 0, (int)(sizeof paths / sizeof *paths));
    tcase_add_test(tc, told_once);
    tcase_add_test(tc, a_stranger_puts_no_words_into_mails);
    tcase_add_test(tc, a_mail_of_his_ends_it);
    tcase_add_test(tc, but_not_from_the_second_address);
    tcase_add_test(tc, a_new_address_ends_it);
    tcase_add_test(tc, what_is_late_or_has_arrived_has_not_come_back);
    tcase_add_test(tc, two_at_once);
    tcase_add_test(tc, digests_and_others);
    tcase_add_test(tc, the_second_fails_too);
}

TEST_MAIN("batch/bounced", cases)
