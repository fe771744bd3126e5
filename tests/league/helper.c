/* Commands that are run for a process that may run none: only those of league.ini, whatever is asked. */
#include "scratch.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "league/helper.h"

static char base[SCRATCH_PATH];
static char *dir;
static struct league league; /* the helper's */
static int asking;           /* its other end */
static pid_t helper;
static struct err err;

static void put(const char *name, const char *text, mode_t mode)
{
    char *path = path_join(dir, name);
    ck_ok(file_write(path, slice_of(text), mode, &err), err);
    ck_assert_int_eq(chmod(path, mode), 0); /* whatever the umask */
    free(path);
}

static void options(const char *text)
{
    struct str all = STR_INIT;
    str_addf(&all, "[league]\naddress = a@b.c\n%s", text);
    put("league.ini", all.p, 0600);
    str_release(&all);
}

/* Begins a helper with league.ini as it is. */
static void begin(void)
{
    int pair[2];
    ck_ok(league_open(dir, false, &league, &err), err);
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    helper = fork();
    ck_assert_int_ge(helper, 0);
    if (helper == 0) {
        struct err why = ERR_INIT;
        int rc;
        close(pair[1]);
        while ((rc = helper_serve(pair[0], &league, &why)) == 0)
            continue;
        _exit(rc > 0 ? 0 : 1);
    }
    close(pair[0]);
    asking = pair[1];
}

/* 0 when it ended because there are no more requests, 1 because of nonsense. */
static int end(void)
{
    int status = 0;
    close(asking);
    ck_assert_int_eq(waitpid(helper, &status, 0), helper);
    league_close(&league);
    ck_assert(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void setup(void)
{
    err = (struct err)ERR_INIT;
    scratch_make(base, "helper");
    dir = path_join(base, "orion");
    ck_ok(league_init(dir, "Orion", "orders@example.org", &err), err);
}

static void teardown(void)
{
    scratch_remove(base);
    free(dir);
}

static void expect_secret(enum league_side side, const char *want)
{
    char *secret = NULL;
    ck_ok(helper_secret(asking, side, &secret, &err), err);
    if (want)
        ck_assert_str_eq(secret, want);
    else
        ck_assert_ptr_null(secret);
    free(secret);
}

START_TEST(secrets_of_both_sides)
{
    options("[incoming]\ntype = imap\nhost = h\nuser = u\npassword_command = echo come in\n"
            "[outgoing]\ntype = smtp\nhost = h\nuser = u\ntoken_command = echo go out\n");
    begin();
    expect_secret(LEAGUE_INCOMING, "come in");
    expect_secret(LEAGUE_OUTGOING, "go out");
    /* Commands put into league.ini later are not run: the asking process might have written them. */
    options("[incoming]\ntype = imap\nhost = h\nuser = u\npassword_command = echo other\n");
    expect_secret(LEAGUE_INCOMING, "come in");
    ck_assert_int_eq(end(), 0);
}
END_TEST

START_TEST(files_none_and_errors)
{
    char *secret = NULL;
    put("password", "hush\n", 0600);
    options("[incoming]\ntype = imap\nhost = h\nuser = u\npassword_file = password\n"
            "[outgoing]\ntype = smtp\nhost = h\n");
    begin();
    expect_secret(LEAGUE_INCOMING, "hush");
    put("password", "new\n", 0600);
    expect_secret(LEAGUE_INCOMING, "new");
    expect_secret(LEAGUE_OUTGOING, NULL);
    put("password", "open\n", 0644);
    ck_assert_int_eq(helper_secret(asking, LEAGUE_INCOMING, &secret, &err), -1);
    ck_assert_int_eq(err.code, ERR_CONFIG);
    ck_assert_ptr_nonnull(strstr(err.text, "[incoming] password_file"));
    ck_assert_ptr_null(secret);
    err_clear(&err);
    ck_assert_int_eq(end(), 0);
}
END_TEST

/* The league of the one that asks has a helper, and asks it, wherever a secret or sendmail is wanted. */
START_TEST(a_league_asks_its_helper)
{
    struct league asks;
    struct sink sink;
    char *secret = NULL;
    options("[outgoing]\ntype = smtp\nhost = h\nuser = u\npassword_command = echo $PPID\n");
    begin();
    ck_ok(league_open(dir, false, &asks, &err), err);
    asks.helper = asking;
    ck_ok(league_sink(&asks, &sink, &secret, &err), err);
    ck_assert_int_eq(atoi(secret), helper);
    ck_assert(sink.run != NULL);
    free(secret);
    league_close(&asks);
    ck_assert_int_eq(end(), 0);
}
END_TEST

static void sendmail_script(const char *last)
{
    struct str script = STR_INIT;
    str_addf(&script, "#!/bin/sh\nprintf '%%s|' \"$@\" > %s/args\ncat > %s/body\n%s\n", dir, dir, last);
    put("sendmail", script.p, 0700);
    str_clear(&script);
    str_addf(&script, "[outgoing]\ntype = sendmail\nsendmail = %s/sendmail -x\n", dir);
    options(script.p);
    str_release(&script);
}

static void expect_file(const char *name, const char *want)
{
    struct str got = STR_INIT;
    char *path = path_join(dir, name);
    ck_ok(file_read(path, 1 << 22, &got, &err), err);
    ck_assert_msg(strcmp(got.p, want) == 0, "%s: %.100s", name, got.p);
    str_release(&got);
    free(path);
}

START_TEST(sendmail_is_run)
{
    struct sink sink = {.command = "false"}; /* the helper's own counts */
    struct sendmail_end how = {0, STR_INIT};
    struct str big = STR_INIT;
    sendmail_script("echo some words; exit 67");
    for (int i = 0; i < 200000; i++)
        str_adds(&big, "0123456789\n");
    begin();
    sink.run_arg = asking;
    ck_ok(helper_sendmail(&sink, &(struct sendmail_mail){"", "-oQ/tmp;id@b.c", slice_str(&big)}, &how, &err),
          err);
    ck_assert_int_eq(how.code, 67);
    ck_assert_str_eq(how.words.p, "some words");
    expect_file("args", "-x|-i|-f||--|-oQ/tmp;id@b.c|");
    expect_file("body", big.p);
    /* Not an address: nothing is run. */
    static const char *const bad[] = {"", "-oQ/tmp", "a b@c.d", "a@b.c\n"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert_int_eq(
            helper_sendmail(&sink, &(struct sendmail_mail){"", bad[i], slice_of("x")}, &how, &err), -1);
        ck_assert_int_eq(err.code, ERR_INPUT);
        err_clear(&err);
    }
    expect_file("body", big.p);
    str_release(&big);
    str_release(&how.words);
    ck_assert_int_eq(end(), 0);
}
END_TEST

/* As in helper.c: what a compromised process could send. */
struct raw {
    uint32_t task, from, to;
    uint64_t mail;
};

static void expect_nonsense(struct raw raw, const char *why)
{
    begin();
    ck_assert_int_eq(send(asking, &raw, sizeof raw, MSG_NOSIGNAL), sizeof raw);
    char byte;
    ck_assert_msg(recv(asking, &byte, 1, 0) <= 0, "%s was answered", why);
    ck_assert_int_eq(end(), 1);
}

START_TEST(nonsense_ends_it)
{
    options("");
    expect_nonsense((struct raw){3, 0, 0, 0}, "an unknown task");
    expect_nonsense((struct raw){2, 3, 3, 0}, "sendmail that is not set");
    sendmail_script("exit 0");
    expect_nonsense((struct raw){2, 255, 3, 0}, "a long sender");
    expect_nonsense((struct raw){2, 3, 0xffffffffU, 0}, "a long recipient");
    expect_nonsense((struct raw){2, 3, 3, UINT64_MAX}, "an endless mail");
    begin();
    ck_assert_int_eq(send(asking, "abc", 3, MSG_NOSIGNAL), 3);
    ck_assert_int_eq(end(), 1);
}
END_TEST

START_TEST(a_helper_that_is_gone)
{
    char *secret = NULL;
    options("[incoming]\ntype = imap\nhost = h\nuser = u\npassword_command = kill -9 $PPID\n");
    begin();
    ck_assert_int_eq(helper_secret(asking, LEAGUE_INCOMING, &secret, &err), -1);
    ck_assert_int_eq(err.code, ERR_TEMP);
    ck_assert_int_eq(waitpid(helper, NULL, 0), helper);
    err_clear(&err);
    ck_assert_int_eq(helper_secret(asking, LEAGUE_INCOMING, &secret, &err), -1);
    ck_assert_int_eq(err.code, ERR_TEMP);
    close(asking);
    league_close(&league);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, secrets_of_both_sides);
    tcase_add_test(tc, files_none_and_errors);
    tcase_add_test(tc, a_league_asks_its_helper);
    tcase_add_test(tc, sendmail_is_run);
    tcase_add_test(tc, nonsense_ends_it);
    tcase_add_test(tc, a_helper_that_is_gone);
}
TEST_MAIN("league/helper", cases)
