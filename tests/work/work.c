/* A round of work, when one commit cannot take all its mails. */
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "work/work.h"
#include "house/house.h"
#include "batch/missing.h"
#include "batch/groups.h"
#include "batch/stuck.h"
#include "servers/servers.h"

#define DAY ((int64_t)86400)

static ino_t full; /* the file for which there is no room */

/* In place of the C library's. */
ssize_t write(int fd, const void *bytes, size_t count)
{
    struct stat st;
    if (!full || fstat(fd, &st) != 0 || st.st_ino != full)
        return syscall(SYS_write, fd, bytes, count);
    errno = ENOSPC;
    return -1;
}

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

/* ---- what cannot be written ---- */

/* Somebody else writes into the journal of a game that is loaded: the next append to it fails. */
static void disturb(const char *game)
{
    struct err err = ERR_INIT;
    struct str path = STR_INIT;
    (void)house_find(&house, game);
    str_addf(&path, "%s/games/%s/journal.jsonl", house.dir, game);
    ck_ok(file_append(path.p, slice_of("x"), 0600, &err), err);
    str_release(&path);
}

static void read_mails(struct work_sum *sum)
{
    struct err err = ERR_INIT;
    struct source *source;
    ck_ok(league_source(&house.league, &source, &err), err);
    ck_ok(work_mail(&house.batch, source, NULL, sum, &err), err);
    source_close(source);
    batch_reset(&house.batch, false);
    house.batch.broken = 0;
}

/* And the next one has begun: the games are read again. */
static void round_of_mail(struct work_sum *sum)
{
    read_mails(sum);
    groups_wake(&house.batch);
}

static void orders(const char *game, struct str *out)
{
    char text[100];
    (void)snprintf(text, sizeof text, "#turnpost orders\ngame: %s\nturn: 1\nbide\n#end\n", game);
    house_sign(&house, "anna", text, out);
}

static size_t mails_in(const char *folder)
{
    struct err err = ERR_INIT;
    struct file_names names;
    char *path = house_path(&house, folder);
    ck_ok(file_list(path, &names, &err), err);
    size_t count = names.count;
    file_names_free(&names);
    free(path);
    return count;
}

/* What the log of mails says was decided, of any mail. */
static int note_verdict(void *arg, const struct catalog_mail *line, struct err *err)
{
    (void)err;
    *(int *)arg = (int)line->verdict;
    return 0;
}

static int verdict_now(void)
{
    struct err err = ERR_INIT;
    const struct catalog_wanted all = {0};
    int verdict = 0;
    ck_ok(catalog_each_mail(house.batch.catalog, &all, note_verdict, &verdict, &err), err);
    return verdict;
}

/* Nobody's orders come too late because of another game. */
START_TEST(a_mail_of_two_games_waits_for_one)
{
    const char *lost = _i ? "gc-1" : "gc-2", *other = _i ? "gc-2" : "gc-1";
    struct work_sum sum = {0};
    struct str both = STR_INIT;
    orders("gc-1", &both);
    orders("gc-2", &both);
    put_raw(1, "orders", slice_str(&both));
    put(2, "#turnpost orders\ngame: gc-3\nturn: 1\nbide\n#end\n");
    disturb(lost);
    round_of_mail(&sum);
    ck_assert_int_eq(house_find(&house, lost)->turn, 1);
    ck_assert_int_eq(house_find(&house, other)->turn, 2);
    ck_assert_int_eq(house_find(&house, "gc-3")->turn, 2);
    ck_assert_uint_eq(sum.orders, 2);
    ck_assert_uint_eq(mails_in("spool/tmp"), 0);
    ck_assert_uint_eq(mails_in("mail/in/new"), 1);
    house_told(&house, "anna", 2, NULL);
    round_of_mail(&sum);
    for (int i = 1; i <= 3; i++)
        ck_assert_int_eq(house_find(&house, (const char *const[]){"gc-1", "gc-2", "gc-3"}[i - 1])->turn, 2);
    house_told(&house, "anna", 1, NULL); /* the report of each, once */
    str_release(&both);
}
END_TEST

/* Games that mails have in common, however long the chain is: only the one that cannot be written waits. */
START_TEST(a_chain_of_mails)
{
    struct work_sum sum = {0};
    static const char *const pairs[][2] = {{"gc-1", "gc-2"}, {"gc-3", "gc-4"}, {"gc-2", "gc-3"}};
    for (int i = 0; i < 3; i++) {
        struct str both = STR_INIT;
        orders(pairs[i][0], &both);
        orders(pairs[i][1], &both);
        put_raw(i + 1, "orders", slice_str(&both));
        str_release(&both);
    }
    disturb("gc-4");
    round_of_mail(&sum);
    for (int round = 1; round <= 2; round++) {
        for (int i = 1; i <= 4; i++) {
            char id[8];
            (void)snprintf(id, sizeof id, "gc-%d", i);
            ck_assert_int_eq(house_find(&house, id)->turn, i == 4 ? round : 2);
        }
        round_of_mail(&sum);
    }
    ck_assert_uint_eq(mails_in("mail/in/new"), 0);
}
END_TEST

/* Its orders are in the mailbox. */
START_TEST(no_turn_is_closed_of_a_game_that_rests)
{
    struct err err = ERR_INIT;
    struct work_sum sum = {0};
    struct stat st;
    char *journal = house_path(&house, "games/gc-1/journal.jsonl");
    put(1, "#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n");
    ck_assert_int_eq(stat(journal, &st), 0);
    full = st.st_ino;
    read_mails(&sum);
    full = 0;
    house.now = house.batch.now = HOUSE_NOON + 2 * DAY;
    ck_ok(work_clock(&house.batch, &sum, &err), err);
    ck_assert_int_eq(house_find(&house, "gc-2")->turn, 2);
    ck_assert_uint_eq(sum.orders, 0);
    round_of_mail(&sum);
    ck_assert_uint_eq(sum.orders, 1);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 2);
    ck_assert_uint_eq(mails_in("mail/in/new"), 0);
    free(journal);
}
END_TEST

/* The other text of the mail waits for a game that cannot be read. */
START_TEST(a_text_is_not_done_before_its_game_is_written)
{
    struct err err = ERR_INIT;
    struct work_sum sum = {0};
    struct str both = STR_INIT, journal = STR_INIT;
    orders("gc-1", &both);
    orders("gc-2", &both);
    put_raw(1, "orders", slice_str(&both));
    batch_reset(&house.batch, false);
    char *path = house_path(&house, "games/gc-2/journal.jsonl");
    ck_ok(file_read(path, 1 << 20, &journal, &err), err);
    ck_ok(file_write_soft(path, slice_of("nonsense\n"), 0644, &err), err);
    disturb("gc-1");
    round_of_mail(&sum);
    ck_ok(file_write_soft(path, slice_str(&journal), 0644, &err), err);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 1);
    round_of_mail(&sum);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 2);
    ck_assert_int_eq(house_find(&house, "gc-2")->turn, 2);
    ck_assert_uint_eq(mails_in("mail/in/new"), 0);
    free(path);
    str_release(&both);
    str_release(&journal);
}
END_TEST

/* A server has delivered a mail twice: that the second was no news holds only if the first counts. */
START_TEST(a_mail_that_came_twice)
{
    struct err err = ERR_INIT;
    struct work_sum sum = {0};
    put(1, "#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n");
    char *one = house_path(&house, "mail/in/new/1001.M1.test");
    char *two = house_path(&house, "mail/in/new/1002.M2.test");
    struct str raw = STR_INIT;
    ck_ok(file_read(one, 1 << 20, &raw, &err), err);
    ck_ok(file_write_soft(two, slice_str(&raw), 0600, &err), err);
    disturb("gc-1");
    round_of_mail(&sum);
    ck_assert_uint_eq(mails_in("mail/in/new"), 2);
    round_of_mail(&sum);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 2);
    ck_assert_uint_eq(mails_in("mail/in/new"), 0);
    free(one);
    free(two);
    str_release(&raw);
}
END_TEST

/* A petition that changes a player, and orders, which cannot be written: neither counts. The other mails do. */
START_TEST(a_mail_of_a_game_and_the_registry)
{
    struct work_sum sum = {0};
    struct str both = STR_INIT;
    struct stat st;
    struct err err = ERR_INIT;
    bool html = registry_find(&house.batch.registry, "anna")->html;
    ck_ok(missing_work(&house.batch, &err), err); /* enters the games */
    int64_t seq = house.batch.log.seq;
    char *journal = house_path(&house, "games/gc-1/journal.jsonl");
    house_sign(&house, "anna",
               html ? "#turnpost prefs\nhtml: no\n#end\n" : "#turnpost prefs\nhtml: yes\n#end\n", &both);
    orders("gc-1", &both);
    put(1, "#turnpost orders\ngame: gc-2\nturn: 1\nbide\n#end\n");
    put_raw(2, "orders", slice_str(&both));
    put(3, "#turnpost orders\ngame: gc-3\nturn: 1\nbide\n#end\n");
    ck_assert_int_eq(stat(journal, &st), 0);
    full = st.st_ino;
    round_of_mail(&sum);
    full = 0;
    ck_assert_uint_eq(sum.stuck, 1);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 1);
    ck_assert_int_eq(house_find(&house, "gc-2")->turn, 2);
    ck_assert_int_eq(house_find(&house, "gc-3")->turn, 2);
    ck_assert_int_eq(house.batch.log.seq, seq);
    ck_assert(registry_find(&house.batch.registry, "anna")->html == html);
    house_told(&house, "anna", 2, NULL);
    round_of_mail(&sum);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 2);
    ck_assert(registry_find(&house.batch.registry, "anna")->html != html);
    ck_assert_uint_eq(mails_in("mail/in/new"), 0);
    free(journal);
    str_release(&both);
}
END_TEST

START_TEST(the_log_says_that_a_mail_waits)
{
    struct work_sum sum = {0};
    struct str both = STR_INIT;
    orders("gc-1", &both);
    orders("gc-2", &both);
    put_raw(1, "orders", slice_str(&both));
    disturb(_i ? "gc-1" : "gc-2");
    round_of_mail(&sum);
    ck_assert_int_eq(verdict_now(), VERDICT_WAITS);
    round_of_mail(&sum);
    ck_assert_int_eq(verdict_now(), VERDICT_TAKEN);
    str_release(&both);
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
    tcase_add_loop_test(tc, a_mail_of_two_games_waits_for_one, 0, 2);
    tcase_add_test(tc, a_chain_of_mails);
    tcase_add_test(tc, no_turn_is_closed_of_a_game_that_rests);
    tcase_add_test(tc, a_text_is_not_done_before_its_game_is_written);
    tcase_add_test(tc, a_mail_that_came_twice);
    tcase_add_test(tc, a_mail_of_a_game_and_the_registry);
    tcase_add_loop_test(tc, the_log_says_that_a_mail_waits, 0, 2);
    tcase_add_test(tc, turns_in_many_commits);
    tcase_add_test(tc, waiting_mails_stay_on_the_server);
}
TEST_MAIN("work/work", cases)
