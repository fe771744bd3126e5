#include "mail/sink.h"

#include <time.h>

#include "base/file.h"
#include "mail/sink_parts.h"
#include "mail/spool.h"
#include "servers/servers.h"

static char dir[SCRATCH_PATH];
static char *spool;
static char *out;
static struct sink_counts counts;

static void setup(void)
{
    struct err err = ERR_INIT;
    scratch_make(dir, "sink");
    spool = path_join(dir, "spool");
    out = path_join(dir, "out");
    ck_ok(spool_init(spool, &err), err);
}

static void teardown(void)
{
    scratch_remove(dir);
    free(spool);
    free(out);
}

static void queue(const char *id, const char *from, const char *to)
{
    struct err err = ERR_INIT;
    struct outgoing mail = {.id = mem_strdup(id),
                            .envelope_from = mem_strdup(from),
                            .envelope_to = mem_strdup(to),
                            .mail = STR_INIT};
    str_addf(&mail.mail, "Subject: %s\r\n\r\n.\r\nbare\rreturn\r\n", id);
    ck_ok(spool_stage(spool, &mail, &err), err);
    ck_ok(spool_promote(spool, id, &err), err);
    outgoing_release(&mail);
}

static char *content(const char *name)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    char *path = path_join(dir, name);
    ck_ok(file_read(path, 100000, &text, &err), err);
    free(path);
    return str_detach(&text);
}

static size_t count_files(const char *name)
{
    struct err err = ERR_INIT;
    struct file_names names;
    char *path = path_join(dir, name);
    ck_ok(file_list(path, &names, &err), err);
    size_t count = names.count;
    file_names_free(&names);
    free(path);
    return count;
}

START_TEST(maildirs_are_filled)
{
    struct err err = ERR_INIT;
    struct sink sink = {.kind = SINK_MAILDIR, .maildir = out, .expire = 1000};
    ck_ok(sink_check(&sink, &err), err);
    queue("g.1.1", "bounces+x@game.test", "alice@players.test");
    queue("g.1.2", "", "alice@players.test");
    queue("g.1.3", "", "../etc/x@players.test");
    queue("g.1.4", "", ".hidden@players.test");
    queue("g.1.5", "", "bob@players.test");
    ck_ok(sink_send(&sink, &(struct sink_round){.spool = spool, .now = 1000}, &counts, &err), err);
    ck_assert_uint_eq(counts.sent, 3);
    ck_assert_uint_eq(counts.refused, 2);
    ck_assert_uint_eq(count_files("spool/new"), 0);
    ck_assert_uint_eq(count_files("out"), 2);
    ck_assert_uint_eq(count_files("out/alice@players.test/new"), 2);
    ck_assert_uint_eq(count_files("out/alice@players.test/tmp"), 0);
    char *text = content("out/alice@players.test/new/g.1.1");
    ck_assert_str_eq(text, "Return-Path: <bounces+x@game.test>\nDelivered-To: alice@players.test\n"
                           "Subject: g.1.1\n\n.\nbare\rreturn\n");
    free(text);
    /* A crash before the file left the spool: the same mail again. */
    queue("g.1.1", "bounces+x@game.test", "alice@players.test");
    ck_ok(sink_send(&sink, &(struct sink_round){.spool = spool, .now = 1000}, &counts, &err), err);
    ck_assert_uint_eq(counts.sent, 1);
    ck_assert_uint_eq(count_files("out/alice@players.test/new"), 2);
}
END_TEST

/* A program that keeps its arguments and input, and ends as the recipient's name says: "exit67@...", or "exit69_550_5.4.5@..."
 * with that answer. */
static char *program(void)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    char *path = path_join(dir, "sendmail");
    str_addf(&text,
             "#!/bin/sh\nfor a; do echo \"[$a]\"; done > '%s/args'\ncat > '%s/input'\n"
             "eval to=\\$$#\ncase $to in exit*) n=${to%%%%@*}; n=${n#exit}; w=${n#*_}; n=${n%%%%_*}; [ $w = "
             "$n ] && w=sorry; echo $w | tr _ \" \" >&2; exit $n;; slow*) sleep "
             "20;; esac\n",
             dir, dir);
    ck_ok(file_create(path, slice_str(&text), 0755, &err), err);
    str_release(&text);
    return path;
}

START_TEST(sendmail_gets_the_mail)
{
    struct err err = ERR_INIT;
    char *path = program();
    struct sink sink = {.kind = SINK_SENDMAIL, .command = path, .expire = 1000};
    ck_ok(sink_check(&sink, &err), err);
    queue("g.1.1", "", "a'$(touch${IFS}x)\"b@players.test");
    ck_ok(sink_send(&sink, &(struct sink_round){.spool = spool, .now = 1000}, &counts, &err), err);
    ck_assert_uint_eq(counts.sent, 1);
    char *args = content("args");
    char *input = content("input");
    ck_assert_str_eq(args, "[-i]\n[-f]\n[]\n[--]\n[a'$(touch${IFS}x)\"b@players.test]\n");
    ck_assert_str_eq(input, "Subject: g.1.1\n\n.\nbare\rreturn\n");
    ck_assert_uint_eq(count_files("spool/new"), 0);
    free(args);
    free(input);
    free(path);
}
END_TEST

static void expect_exit(const char *to, size_t sent, size_t later, size_t refused)
{
    struct err err = ERR_INIT;
    char *path = program();
    struct sink sink = {.kind = SINK_SENDMAIL, .command = path, .expire = 1000};
    queue("g.1.1", "x@game.test", to);
    ck_ok(sink_send(&sink, &(struct sink_round){.spool = spool, .now = 1000}, &counts, &err), err);
    ck_assert_uint_eq(counts.sent, sent);
    ck_assert_uint_eq(counts.later, later);
    ck_assert_uint_eq(counts.refused, refused);
    free(path);
}

START_TEST(exit_75_is_later)
{
    expect_exit("exit75@players.test", 0, 1, 0);
}
END_TEST

START_TEST(exit_1_is_later)
{
    expect_exit("exit1@players.test", 0, 1, 0);
}
END_TEST

START_TEST(exit_67_is_refused)
{
    expect_exit("exit67@players.test", 0, 0, 1);
    char *why = content("spool/failed/g.1.1.why");
    ck_assert_str_eq(why, "sorry (exit code 67)\n");
    free(why);
}
END_TEST

/* The answer of a server that it shows says more than its exit code. */
START_TEST(answers_that_are_printed)
{
    static const struct {
        const char *to;
        size_t later, refused;
    } rows[] = {{"exit69_550_5.1.1@x.test", 0, 1}, {"exit1_552_5.3.4@x.test", 0, 1},
                {"exit65_554_5.7.1@x.test", 1, 0}, {"exit67_451_4.7.1@x.test", 1, 0},
                {"exit75_550_5.1.1@x.test", 1, 0}, {"exit65_550@x.test", 0, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        scratch_remove(dir);
        free(spool);
        free(out);
        setup();
        expect_exit(rows[i].to, 0, rows[i].later, rows[i].refused);
    }
}
END_TEST

START_TEST(a_limit_for_the_day_that_is_printed)
{
    static const char *const ends[] = {"exit65_550_5.4.5@x.test", "exit75_452_4.4.5@x.test",
                                       "exit69_550_5.7.26@x.test"};
    struct err err = ERR_INIT;
    char *path = program();
    struct sink sink = {.kind = SINK_SENDMAIL, .command = path, .expire = 1000};
    queue("g.1.1", "", ends[_i]);
    queue("g.1.2", "", "bob@players.test");
    ck_assert_int_eq(sink_send(&sink, &(struct sink_round){.spool = spool, .now = 1000}, &counts, &err), -1);
    ck_assert_int_eq(err.code, ERR_TEMP);
    ck_assert_uint_eq(count_files("spool/new"), 2);
    ck_ok(sink_send(&sink, &(struct sink_round){.spool = spool, .now = 1299}, &counts, &err), err);
    ck_assert_uint_eq(counts.paused, 2);
    free(path);
}
END_TEST

START_TEST(a_useless_command_stops_all)
{
    struct err err = ERR_INIT;
    char *path = program();
    struct sink sink = {.kind = SINK_SENDMAIL, .command = "/nowhere/sendmail", .expire = 1000};
    ck_assert_int_eq(sink_check(&sink, &err), -1);
    ck_assert_int_eq(err.code, ERR_CONFIG);
    err_clear(&err);
    queue("g.1.1", "", "exit78@players.test");
    queue("g.1.2", "", "b@players.test");
    ck_assert_int_eq(sink_send(&sink, &(struct sink_round){.spool = spool, .now = 1000}, &counts, &err), -1);
    ck_assert_int_eq(err.code, ERR_CONFIG);
    err_clear(&err);
    sink.command = path;
    ck_assert_int_eq(sink_send(&sink, &(struct sink_round){.spool = spool, .now = 1000}, &counts, &err), -1);
    ck_assert_int_eq(err.code, ERR_CONFIG);
    ck_assert_uint_eq(count_files("spool/new"), 2);
    free(path);
}
END_TEST

START_TEST(a_slow_command_is_ended)
{
    struct err err = ERR_INIT;
    char *path = program();
    time_t start = time(NULL);
    struct sink sink = {.kind = SINK_SENDMAIL, .command = path, .expire = 1000, .smtp = {.timeout = 1}};
    queue("g.1.1", "", "slow@players.test");
    ck_ok(sink_send(&sink, &(struct sink_round){.spool = spool, .now = 1000}, &counts, &err), err);
    ck_assert_uint_eq(counts.later, 1);
    ck_assert_int_lt(time(NULL) - start, 4);
    free(path);
}
END_TEST

START_TEST(a_command_that_does_not_read_is_no_crash)
{
    struct err err = ERR_INIT;
    struct sink sink = {.kind = SINK_SENDMAIL, .command = "exit 75;", .expire = 1000};
    struct outgoing mail = {.id = mem_strdup("g.1.1"),
                            .envelope_from = mem_strdup(""),
                            .envelope_to = mem_strdup("a@players.test"),
                            .mail = STR_INIT};
    for (int i = 0; i < 200000; i++)
        str_adds(&mail.mail, "0123456789\r\n");
    ck_ok(spool_stage(spool, &mail, &err), err);
    ck_ok(spool_promote(spool, "g.1.1", &err), err);
    outgoing_release(&mail);
    ck_ok(sink_send(&sink, &(struct sink_round){.spool = spool, .now = 1000}, &counts, &err), err);
    ck_assert_uint_eq(counts.later, 1);
}
END_TEST

START_TEST(addresses_cannot_carry_commands)
{
    ck_assert(address_valid("a@b"));
    ck_assert(address_valid("bounces+x=y@game.test"));
    ck_assert(!address_valid(""));
    ck_assert(!address_valid("a"));
    ck_assert(!address_valid("@b"));
    ck_assert(!address_valid("a@"));
    ck_assert(!address_valid("a@b>\r\nRCPT TO:<c@d"));
    ck_assert(!address_valid("a@b\nc@d"));
    ck_assert(!address_valid("a b@c"));
    ck_assert(!address_valid("<a@b>"));
    ck_assert(!address_valid("a\x7f@b"));
}
END_TEST

START_TEST(a_damaged_file_does_not_stop_the_others)
{
    struct err err = ERR_INIT;
    struct sink sink = {.kind = SINK_MAILDIR, .maildir = out, .expire = 1000};
    char *path = path_join(spool, "new/g.1.1.eml");
    ck_ok(file_create(path, slice_of("rubbish\n"), 0600, &err), err);
    queue("g.1.2", "", "bob@players.test");
    ck_ok(sink_send(&sink, &(struct sink_round){.spool = spool, .now = 1000}, &counts, &err), err);
    ck_assert_uint_eq(counts.refused, 1);
    ck_assert_uint_eq(counts.sent, 1);
    ck_assert_uint_eq(count_files("spool/failed"), 2);
    free(path);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, maildirs_are_filled);
    tcase_add_test(tc, sendmail_gets_the_mail);
    tcase_add_test(tc, exit_75_is_later);
    tcase_add_test(tc, exit_1_is_later);
    tcase_add_test(tc, exit_67_is_refused);
    tcase_add_test(tc, answers_that_are_printed);
    tcase_add_loop_test(tc, a_limit_for_the_day_that_is_printed, 0, 3);
    tcase_add_test(tc, a_useless_command_stops_all);
    tcase_add_test(tc, a_slow_command_is_ended);
    tcase_add_test(tc, a_command_that_does_not_read_is_no_crash);
    tcase_add_test(tc, addresses_cannot_carry_commands);
    tcase_add_test(tc, a_damaged_file_does_not_stop_the_others);
}
TEST_MAIN("mail/sink", cases)
