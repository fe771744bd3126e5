/* A round of work, when one commit cannot take all its mails. */
#include "work/work.h"
#include "house/house.h"
#include "batch/stuck.h"
#include "servers/servers.h"

#define DAY ((int64_t)86400)

static struct house house;
static const char *const table[] = {"anna", "robot"};

static void begin(void)
{
    house_open(&house);
    house_player(&house, "anna");
    for (int i = 1; i <= 4; i++) {
        char id[8];
        (void)snprintf(id, sizeof id, "gc-%d", i);
        house_game(&house, id, "galaxy-command", DAY, 2, table);
    }
    house_empty_spool(&house);
}

static void end(void)
{
    house_close(&house);
}

static void put_raw(int number, const char *subject, struct slice text)
{
    struct err err = ERR_INIT;
    struct str raw = STR_INIT, path = STR_INIT;
    str_addf(&path, "%s/mail/in/new/%d.M%d.test", house.dir, 1000 + number, number);
    str_addf(&raw,
             "From: anna@example.net\nTo: " HOUSE_ADDRESS "\nSubject: %s\nMessage-ID: <%d@example.net>\n\n",
             subject, number);
    str_addslice(&raw, text);
    ck_ok(file_write_soft(path.p, slice_str(&raw), 0600, &err), err);
    str_release(&raw);
    str_release(&path);
}

static void put(int number, const char *text)
{
    struct str body = STR_INIT;
    if (*text == '#')
        house_sign(&house, "anna", text, &body);
    put_raw(number, *text == '#' ? "orders" : text, slice_str(&body));
    str_release(&body);
}

START_TEST(mails_in_many_commits)
{
    struct err err = ERR_INIT;
    struct source *source;
    struct work_sum sum = {0};
    for (int i = 1; i <= 4; i++) {
        char text[100];
        (void)snprintf(text, sizeof text, "#turnpost orders\ngame: gc-%d\nturn: 1\nbide\n#end\n", i);
        put(i, text);
    }
    put(5, "help");
    house.batch.mails.most = 1;
    ck_ok(league_source(&house.league, &source, &err), err);
    ck_ok(work_mail(&house.batch, source, NULL, &sum, &err), err);
    source_close(source);
    ck_assert_uint_eq(sum.mails, 5);
    ck_assert_uint_eq(sum.orders, 4);
    ck_assert_uint_eq(sum.turns, 4);
    house_told(&house, "anna", 5, NULL); /* the report of each, with the receipt, and the help */
    for (int i = 1; i <= 4; i++) {
        char id[8];
        (void)snprintf(id, sizeof id, "gc-%d", i);
        ck_assert_int_eq(house_find(&house, id)->turn, 2);
        house_same(&house, id);
    }
    ck_ok(league_source(&house.league, &source, &err), err);
    ck_ok(work_mail(&house.batch, source, NULL, &sum, &err), err);
    source_close(source);
    ck_assert_uint_eq(sum.mails, 5); /* nothing is left */
}
END_TEST

/* Somebody else writes into the journal of one of two games that a mail is about. */
START_TEST(a_mail_waits_for_each_of_its_games)
{
    struct err err = ERR_INIT;
    struct source *source;
    struct work_sum sum = {0};
    struct str both = STR_INIT, path = STR_INIT;
    const char *lost = _i ? "gc-1" : "gc-2", *other = _i ? "gc-2" : "gc-1";
    house_sign(&house, "anna", "#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n", &both);
    house_sign(&house, "anna", "#turnpost orders\ngame: gc-2\nturn: 1\nbide\n#end\n", &both);
    put_raw(1, "orders", slice_str(&both));
    (void)house_find(&house, lost);
    str_addf(&path, "%s/games/%s/journal.jsonl", house.dir, lost);
    ck_ok(file_append(path.p, slice_of("x"), 0600, &err), err);
    for (int round = 0; round < 2; round++) {
        ck_ok(league_source(&house.league, &source, &err), err);
        ck_ok(work_mail(&house.batch, source, NULL, &sum, &err), err);
        source_close(source);
        ck_assert_int_eq(house_find(&house, other)->turn, 2);
        ck_assert_int_eq(house_find(&house, lost)->turn, 1 + round);
        batch_reset(&house.batch, false);
        house.batch.broken = 0;
    }
    house_told(&house, "anna", 2, NULL); /* the report of each */
    str_release(&both);
    str_release(&path);
}
END_TEST

START_TEST(turns_in_many_commits)
{
    struct err err = ERR_INIT;
    struct work_sum sum = {0};
    bool more;
    house.now = house.batch.now = HOUSE_NOON + 2 * DAY;
    house.batch.mails.most = 1;
    ck_ok(batch_clock(&house.batch, 2, &more, &err), err);
    ck_assert(more);
    ck_assert_uint_eq(house.batch.done.turns, 2);
    ck_ok(work_clock(&house.batch, &sum, &err), err);
    ck_assert_uint_eq(sum.turns, 4);
    house_told(&house, "anna", 4, NULL);
}
END_TEST

/* A mail that is not to be tried yet is not fetched again from a server. */
START_TEST(waiting_mails_stay_on_the_server)
{
    struct err err = ERR_INIT, why = ERR_INIT;
    struct servers servers;
    struct fake fake;
    struct source *source;
    struct reading reading = {0};
    struct incoming mail = {.arrived = house.batch.now, .raw = STR_INIT};
    servers_start(&servers, "");
    fake_start(&fake, &servers, "imap_polite"); /* its three mails stay, whatever is moved */
    struct server server = servers_login(&servers, fake.port, TLS_IMPLICIT, "orders");
    const struct folders folders = {"INBOX", {"Processed", "Rejected", "Failed"}};
    str_adds(&mail.raw, "Subject: 2\r\n\r\nx\r\n");
    mail.size = mail.raw.len;
    err_set(&why, ERR_INPUT, "a fault");
    ck_ok(stuck_mail(&house.batch, &mail, &reading, &why, &err), err);
    reading_release(&reading);
    str_release(&mail.raw);
    ck_ok(source_open_imap(&server, &folders, 1000, &source, &err), err);
    for (int round = 0; round < 3; round++) {
        struct work_sum sum = {0};
        if (round == 2)
            ck_ok(stuck_retry(house.batch.catalog, &err), err);
        ck_ok(work_mail(&house.batch, source, NULL, &sum, &err), err);
        ck_assert_uint_eq(sum.mails, round == 1 ? 2 : 3);
    }
    source_close(source);
    fake_stop(&fake);
    servers_stop(&servers);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, mails_in_many_commits);
    tcase_add_loop_test(tc, a_mail_waits_for_each_of_its_games, 0, 2);
    tcase_add_test(tc, turns_in_many_commits);
    tcase_add_test(tc, waiting_mails_stay_on_the_server);
}
TEST_MAIN("work/work", cases)
