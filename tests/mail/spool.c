#include "mail/spool.h"

#include <string.h>

#include "base/file.h"
#include "servers/servers.h"

static char dir[SCRATCH_PATH];

static void setup(void)
{
    struct err err = ERR_INIT;
    scratch_make(dir, "spool");
    ck_ok(spool_init(dir, &err), err);
}

static void teardown(void)
{
    scratch_remove(dir);
}

static void stage(const char *id, const char *from, const char *to, const char *text)
{
    struct err err = ERR_INIT;
    struct outgoing mail = {.id = mem_strdup(id),
                            .envelope_from = mem_strdup(from),
                            .envelope_to = mem_strdup(to),
                            .mail = STR_INIT};
    str_adds(&mail.mail, text);
    ck_ok(spool_stage(dir, &mail, &err), err);
    outgoing_release(&mail);
}

static void queue(const char *id)
{
    struct err err = ERR_INIT;
    stage(id, "", "a@players.test", "Subject: x\r\n\r\ny\r\n");
    ck_ok(spool_promote(dir, id, &err), err);
}

static bool exists(const char *name)
{
    char *path = path_join(dir, name);
    bool yes = file_exists(path);
    free(path);
    return yes;
}

/* The due paths, spaces between. */
static char *due(int64_t now)
{
    struct err err = ERR_INIT;
    struct spool_list list;
    struct str text = STR_INIT;
    ck_ok(spool_due(dir, now, &list, &err), err);
    for (size_t i = 0; i < list.count; i++)
        str_addf(&text, "%s%s", i ? " " : "", list.path[i]);
    spool_list_free(&list);
    return str_detach(&text);
}

static void settle(const char *path, enum spool_fate fate, const char *words, int64_t now, int64_t expire)
{
    struct err err = ERR_INIT;
    bool gave_up;
    ck_ok(spool_settle(dir, path, &(struct spool_try){fate, words, now, expire}, &gave_up, &err), err);
}

#define ck_due(now, want)                \
    do {                                 \
        char *got_due = due(now);        \
        ck_assert_str_eq(got_due, want); \
        free(got_due);                   \
    } while (0)

START_TEST(a_mail_comes_back_as_it_was)
{
    struct err err = ERR_INIT;
    struct outgoing mail;
    const char *text = "Subject: \"x\"\r\n\r\n.\r\n{\"from\":\"no\"}\r\n";
    stage("gc-17.5.2", "bounces+\"q\"@game.test", "alice@players.test", text);
    ck_due(0, "");
    ck_assert(exists("tmp/gc-17.5.2.eml"));
    ck_ok(spool_promote(dir, "gc-17.5.2", &err), err);
    ck_ok(spool_promote(dir, "gc-17.5.2", &err), err); /* again: no error */
    ck_due(0, "new/gc-17.5.2.eml");
    ck_ok(spool_load(dir, "new/gc-17.5.2.eml", &mail, &err), err);
    ck_assert_str_eq(mail.id, "gc-17.5.2");
    ck_assert_str_eq(mail.envelope_from, "bounces+\"q\"@game.test");
    ck_assert_str_eq(mail.envelope_to, "alice@players.test");
    ck_assert_str_eq(mail.mail.p, text);
    ck_assert_int_eq(mail.tries, 0);
    outgoing_release(&mail);
}
END_TEST

START_TEST(staging_again_replaces)
{
    struct err err = ERR_INIT;
    struct outgoing mail;
    stage("g.1.1", "", "a@b", "a long first text\r\n");
    stage("g.1.1", "", "a@b", "second\r\n");
    ck_ok(spool_promote(dir, "g.1.1", &err), err);
    ck_ok(spool_load(dir, "new/g.1.1.eml", &mail, &err), err);
    ck_assert_str_eq(mail.mail.p, "second\r\n");
    outgoing_release(&mail);
}
END_TEST

START_TEST(mails_wait_to_be_gathered)
{
    struct err err = ERR_INIT;
    struct spool_list list;
    struct outgoing mail, loaded;
    static const char *const ids[] = {"g.10.1", "g.9.1", "a.1.1"};
    static const char *const people[] = {"anna", "anna", "bob"};
    for (int i = 0; i < 3; i++) {
        mail = (struct outgoing){.id = mem_strdup(ids[i]),
                                 .envelope_from = mem_strdup(""),
                                 .envelope_to = mem_strdup("a@b"),
                                 .player = mem_strdup(people[i]),
                                 .due = 1795240800 - i,
                                 .mail = STR_INIT};
        ck_ok(spool_stage(dir, &mail, &err), err);
        ck_ok(spool_promote_mail(dir, &mail, &err), err);
        outgoing_release(&mail);
    }
    ck_due(INT32_MAX, "");
    ck_ok(spool_gathered(dir, &list, &err), err);
    ck_assert_uint_eq(list.count, 3);
    ck_assert_str_eq(list.path[0], "digest/1795240799,anna,g.9.1.eml");
    ck_assert_str_eq(list.path[1], "digest/1795240800,anna,g.10.1.eml");
    ck_assert_str_eq(list.path[2], "digest/1795240798,bob,a.1.1.eml");
    ck_ok(spool_load(dir, list.path[0], &loaded, &err), err);
    ck_assert_str_eq(loaded.player, "anna");
    ck_assert_str_eq(loaded.id, "g.9.1");
    outgoing_release(&loaded);
    /* One mail takes the place of the first and names a file that is none of these. */
    char other[] = "new/a.1.1.eml", path[] = "digest/1,../../x,a.1.1.eml", id[] = "digest.anna.m0123456789";
    char from[] = "", to[] = "a@b";
    char *gathers[] = {list.path[0], other, path};
    mail = (struct outgoing){.id = id,
                             .envelope_from = from,
                             .envelope_to = to,
                             .gathers = gathers,
                             .gather_count = 3,
                             .mail = STR_INIT};
    ck_ok(spool_let_go(dir, list.path[2], &err), err);
    ck_ok(spool_stage(dir, &mail, &err), err);
    ck_ok(spool_promote_mail(dir, &mail, &err), err);
    ck_ok(spool_recover_gathered(dir, &err), err);
    spool_list_free(&list);
    ck_due(0, "new/a.1.1.eml new/digest.anna.m0123456789.eml");
    ck_ok(spool_gathered(dir, &list, &err), err);
    ck_assert_uint_eq(list.count, 1);
    ck_assert_str_eq(list.path[0], "digest/1795240800,anna,g.10.1.eml");
    spool_list_free(&list);
}
END_TEST

START_TEST(the_order_is_that_of_the_records)
{
    queue("gc-17.10.1");
    queue("gc-17.9.2");
    queue("gc-17.9.10");
    queue("gc-17.9.1");
    ck_due(0, "new/gc-17.9.1.eml new/gc-17.9.2.eml new/gc-17.9.10.eml new/gc-17.10.1.eml");
}
END_TEST

START_TEST(sent_is_gone)
{
    queue("g.1.1");
    settle("new/g.1.1.eml", SPOOL_SENT, NULL, 1000, 1000);
    ck_due(1000000, "");
    settle("new/g.1.1.eml", SPOOL_SENT, NULL, 1000, 1000); /* again: no error */
    ck_assert(!exists("failed/g.1.1.eml"));
}
END_TEST

START_TEST(later_waits_longer_each_time)
{
    struct err err = ERR_INIT;
    struct outgoing mail;
    int64_t now = 1700000000;
    static const int64_t delays[] = {300, 600, 1200, 2400, 4800, 9600, 19200, 21600, 21600};
    queue("g.1.1");
    char *path = mem_strdup("new/g.1.1.eml");
    for (int i = 0; i < 9; i++) {
        struct str want = STR_INIT;
        settle(path, SPOOL_LATER, "451 later", now, 10000000);
        str_addf(&want, "wait/%010lld,%d,g.1.1.eml", (long long)(now + delays[i]), i + 1);
        ck_assert(exists(want.p));
        ck_due(now + delays[i] - 1, "");
        ck_due(now + delays[i], want.p);
        now += delays[i];
        free(path);
        path = str_detach(&want);
    }
    ck_ok(spool_load(dir, path, &mail, &err), err);
    ck_assert_int_eq(mail.tries, 9);
    ck_assert_str_eq(mail.id, "g.1.1");
    outgoing_release(&mail);
    free(path);
}
END_TEST

START_TEST(what_expires_is_kept_with_the_reason)
{
    struct err err = ERR_INIT;
    struct str why = STR_INIT;
    queue("g.1.1");
    settle("new/g.1.1.eml", SPOOL_LATER, "451 4.2.0 greylisted", 5000, 800);
    settle("wait/0000005300,1,g.1.1.eml", SPOOL_LATER, "451 4.2.0 greylisted", 5300, 800);
    ck_assert(exists("wait/0000005900,2,g.1.1.eml"));
    settle("wait/0000005900,2,g.1.1.eml", SPOOL_LATER, "451 4.2.0 still\x1b[1m greylisted", 5900, 800);
    ck_assert(exists("failed/g.1.1.eml"));
    ck_due(100000, "");
    char *path = path_join(dir, "failed/g.1.1.why");
    ck_ok(file_read(path, 1000, &why, &err), err);
    ck_assert(str_starts(why.p, "given up after 3 tries: 451 4.2.0 still"));
    ck_assert_ptr_null(strchr(why.p, '\x1b'));
    free(path);
    str_release(&why);
}
END_TEST

/* A mail that was tried while the clock was a year ahead must not wait for that year, and one that waited
 * while it jumped must not be given up for it. */
START_TEST(clocks_that_jump_cost_no_mail)
{
    const int64_t year = 365 * 86400;
    queue("g.1.1");
    settle("new/g.1.1.eml", SPOOL_LATER, "451 later", 1700000000 + year, 86400);
    ck_assert(exists("wait/1731536300,1,g.1.1.eml"));
    ck_due(1700000000, "wait/1731536300,1,g.1.1.eml");
    settle("wait/1731536300,1,g.1.1.eml", SPOOL_LATER, "451 later", 1700000000, 86400);
    ck_due(1700000599, "");
    settle("wait/1700000600,2,g.1.1.eml", SPOOL_LATER, "451 later", 1700000600 + year, 86400);
    ck_assert(!exists("failed/g.1.1.eml"));
    ck_due(1700001800 + year, "wait/1731537800,3,g.1.1.eml");
}
END_TEST

START_TEST(refused_is_kept_with_the_reason)
{
    struct err err = ERR_INIT;
    struct str why = STR_INIT;
    struct spool_counts counts;
    queue("g.1.1");
    queue("g.1.2");
    queue("g.1.3");
    settle("new/g.1.1.eml", SPOOL_REFUSED, "550 5.1.1 who?", 5000, 900);
    settle("new/g.1.2.eml", SPOOL_LATER, "450 no", 5000, 900);
    ck_ok(spool_count(dir, &counts, &err), err);
    ck_assert_uint_eq(counts.waiting, 1);
    ck_assert_uint_eq(counts.retrying, 1);
    ck_assert_uint_eq(counts.failed, 1);
    char *path = path_join(dir, "failed/g.1.1.why");
    ck_ok(file_read(path, 1000, &why, &err), err);
    ck_assert_str_eq(why.p, "550 5.1.1 who?\n");
    free(path);
    str_release(&why);
}
END_TEST

struct again {
    int64_t now;
    size_t seen;
};

static void try_again(void *arg, const struct spool_entry *entry)
{
    struct again *again = arg;
    struct err err = ERR_INIT;
    again->seen++;
    ck_ok(spool_retry(dir, entry, again->now, &err), err);
}

/* By hand: what was given up begins anew, what waits is due and stays as old as it is, the rest is not touched. */
START_TEST(tried_again_by_hand)
{
    struct err err = ERR_INIT;
    struct again again = {.now = 2000};
    queue("g.1.1");
    queue("g.1.2");
    queue("g.1.3");
    queue("g.1.4");
    settle("new/g.1.1.eml", SPOOL_REFUSED, "550 no", 1000, 1000);
    settle("new/g.1.2.eml", SPOOL_LATER, "451 later", 1000, 1000);
    settle("new/g.1.3.eml", SPOOL_LATER_ALONE, "451 that text", 1000, 1000);
    ck_ok(spool_each(dir, try_again, &again, &err), err);
    ck_assert_uint_eq(again.seen, 4);
    ck_due(2000, "new/g.1.1.eml new/g.1.4.eml wait/0000002000,01,g.1.3.eml wait/0000002000,1,g.1.2.eml");
    ck_assert(!exists("failed/g.1.1.why"));
    settle("wait/0000002000,1,g.1.2.eml", SPOOL_LATER, "451 later", 2000, 1000);
    ck_assert(exists("failed/g.1.2.eml"));
}
END_TEST

START_TEST(pauses_grow_and_end)
{
    static const int64_t delays[] = {300, 600, 1200, 2400, 4800, 9600, 19200, 21600, 21600};
    struct err err = ERR_INIT;
    struct spool_pause pause;
    int64_t now = 1700000000;
    ck_assert(!spool_paused(dir, &pause));
    for (size_t i = 0; i < sizeof delays / sizeof *delays; i++) {
        ck_ok(spool_pause_on(dir, &pause, "550 5.4.5 \x1b[1m no", now, &err), err);
        ck_assert(spool_paused(dir, &pause));
        ck_assert_int_eq(pause.since, 1700000000);
        ck_assert_int_eq(pause.until, now + delays[i]);
        ck_assert(spool_pause_lasts(&pause, now) && spool_pause_lasts(&pause, pause.until - 1));
        ck_assert(!spool_pause_lasts(&pause, pause.until) && !spool_pause_lasts(&pause, now - 86400));
        now = pause.until;
    }
    ck_assert_str_eq(pause.words, "550 5.4.5 \xEF\xBF\xBD[1m no");
    ck_ok(spool_pause_off(dir, &err), err);
    ck_ok(spool_pause_off(dir, &err), err);
    ck_assert(!spool_paused(dir, &pause));
    /* One that is damaged holds no mail. */
    char *path = path_join(dir, "pause.json");
    ck_ok(file_create(path, slice_of("{\"until\":5"), 0600, &err), err);
    ck_assert(!spool_paused(dir, &pause) && !spool_pause_lasts(&pause, 1));
    free(path);
}
END_TEST

static enum spool_record even(const char *id, void *arg)
{
    (void)arg;
    return str_ends(id, "2") ? SPOOL_COMMITTED : str_ends(id, "4") ? SPOOL_UNKNOWN : SPOOL_MISSING;
}

START_TEST(recovery_keeps_what_was_committed)
{
    struct err err = ERR_INIT;
    stage("g.1.1", "", "a@b", "x\r\n");
    stage("g.1.2", "", "a@b", "x\r\n");
    stage("g.1.4", "", "a@b", "x\r\n");
    char *path = path_join(dir, "tmp/g.1.3.eml.tmp");
    ck_ok(file_create(path, slice_of("torn"), 0600, &err), err);
    free(path);
    ck_ok(spool_recover(dir, even, NULL, &err), err);
    ck_due(0, "new/g.1.2.eml");
    ck_assert(!exists("tmp/g.1.1.eml"));
    ck_assert(!exists("tmp/g.1.3.eml.tmp"));
    ck_assert(exists("tmp/g.1.4.eml"));
    ck_ok(spool_recover(dir, even, NULL, &err), err);
    ck_due(0, "new/g.1.2.eml");
}
END_TEST

START_TEST(damaged_files_are_said)
{
    struct err err = ERR_INIT;
    struct outgoing mail;
    static const char *const texts[] = {"", "no json\nx", "{\"from\":\"\"}\nx",
                                        "{\"from\":1,\"to\":\"a@b\"}\nx"};
    char *path = path_join(dir, "new/g.1.1.eml");
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        err_clear(&err);
        ck_ok(file_write_soft(path, slice_of(texts[i]), 0600, &err), err);
        ck_assert_int_eq(spool_load(dir, "new/g.1.1.eml", &mail, &err), -1);
        ck_assert_int_eq(err.code, ERR_BROKEN);
        outgoing_release(&mail);
    }
    free(path);
    err_clear(&err);
    ck_assert_int_eq(spool_load(dir, "new/g.9.9.eml", &mail, &err), -1);
    ck_assert_int_eq(err.code, ERR_MISSING);
    outgoing_release(&mail);
    err_clear(&err);
    bool gave_up;
    ck_assert_int_eq(
        spool_settle(dir, "wait/x,y,z.eml", &(struct spool_try){SPOOL_SENT, NULL, 0, 0}, &gave_up, &err), -1);
    ck_assert_int_eq(err.code, ERR_BROKEN);
}
END_TEST

START_TEST(strange_names_are_left_alone)
{
    struct err err = ERR_INIT;
    static const char *const names[] = {"new/readme", "wait/abc.eml", "wait/1,x.eml", "wait/,1,g.eml",
                                        "new/.eml"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *path = path_join(dir, names[i]);
        ck_ok(file_create(path, slice_of("x"), 0600, &err), err);
        free(path);
    }
    ck_due(1000000, "");
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_mail_comes_back_as_it_was);
    tcase_add_test(tc, staging_again_replaces);
    tcase_add_test(tc, mails_wait_to_be_gathered);
    tcase_add_test(tc, the_order_is_that_of_the_records);
    tcase_add_test(tc, tried_again_by_hand);
    tcase_add_test(tc, pauses_grow_and_end);
    tcase_add_test(tc, sent_is_gone);
    tcase_add_test(tc, later_waits_longer_each_time);
    tcase_add_test(tc, what_expires_is_kept_with_the_reason);
    tcase_add_test(tc, clocks_that_jump_cost_no_mail);
    tcase_add_test(tc, refused_is_kept_with_the_reason);
    tcase_add_test(tc, recovery_keeps_what_was_committed);
    tcase_add_test(tc, damaged_files_are_said);
    tcase_add_test(tc, strange_names_are_left_alone);
}
TEST_MAIN("mail/spool", cases)
