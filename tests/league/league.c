#include "scratch.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "league/league.h"
#include "trust/keyring.h"

static char base[SCRATCH_PATH];
static char *dir;
static struct err err;

static void setup(void)
{
    err = (struct err)ERR_INIT;
    umask(022);
    scratch_make(base, "league");
    dir = path_join(base, "sub/orion");
}

static void teardown(void)
{
    scratch_remove(base);
    free(dir);
}

static void make(void)
{
    ck_ok(league_init(dir, "Orion League", "orders@example.org", &err), err);
}

static char *in_league(const char *name)
{
    return path_join(dir, name);
}

static void expect_mode(const char *name, mode_t mode)
{
    struct stat st;
    char *path = in_league(name);
    ck_assert_msg(stat(path, &st) == 0, "%s is missing", path);
    ck_assert_msg((st.st_mode & 0777) == mode, "%s has mode %o", path, st.st_mode & 0777);
    free(path);
}

static void set_mode(const char *name, mode_t mode)
{
    char *path = in_league(name);
    ck_assert_int_eq(chmod(path, mode), 0);
    free(path);
}

static void write_file(const char *name, const char *text, mode_t mode)
{
    char *path = in_league(name);
    ck_ok(file_write(path, slice_of(text), mode, &err), err);
    free(path);
}

static void expect_closed(bool work, enum err_code code, const char *words)
{
    struct league league;
    ck_assert_int_eq(league_open(dir, work, &league, &err), -1);
    ck_assert_msg(err.code == code && strstr(err.text, words), "code %d: %s", err.code, err.text);
    err_clear(&err);
}

START_TEST(init_makes_everything_private)
{
    make();
    static const char *const folders[] = {"",        "keys",        "keys/secret", "players",     "games",
                                          "mail/in", "mail/in/new", "mail/in/cur", "mail/in/tmp", "mail/out"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        expect_mode(folders[i], 0700);
    expect_mode("league.ini", 0600);
    expect_mode("keys/secret/league", 0600);
    expect_mode("keys/secret/vrf", 0600);
    expect_mode("keys/secret/master", 0600);
    char *spool = in_league("spool/new");
    ck_assert(file_exists(spool));
    free(spool);
    struct keyring ring;
    char *keys = in_league("keys");
    ck_ok(keyring_load(keys, NULL, &ring, &err), err);
    ck_assert_uint_eq(ring.count, 0);
    keyring_release(&ring);
    free(keys);
}
END_TEST

START_TEST(init_refuses_what_is_in_the_way)
{
    make();
    ck_assert_int_eq(league_init(dir, "Other", "orders@example.org", &err), -1);
    ck_assert_int_eq(err.code, ERR_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "holds a league"));
    err_clear(&err);
    char *ini = in_league("league.ini");
    ck_ok(file_remove(ini, &err), err);
    free(ini);
    ck_assert_int_eq(league_init(dir, "Other", "orders@example.org", &err), -1);
    ck_assert_int_eq(err.code, ERR_INPUT);
    err_clear(&err);
}
END_TEST

START_TEST(init_refuses_what_league_ini_cannot_carry)
{
    static const char *const names[] = {"", "a ; b", "two\nlines", " blank in front", "\xff"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ck_assert_msg(league_init(dir, names[i], "orders@example.org", &err) == -1, "\"%s\" was taken",
                      names[i]);
        ck_assert_int_eq(err.code, ERR_INPUT);
        err_clear(&err);
    }
    ck_assert_int_eq(league_init(dir, "Orion", "nowhere", &err), -1);
    ck_assert_int_eq(err.code, ERR_INPUT);
    ck_assert(!file_exists(dir));
}
END_TEST

START_TEST(open_for_reading_needs_no_secrets)
{
    struct league league;
    make();
    set_mode("keys/secret/league", 0644);
    ck_ok(league_open(dir, false, &league, &err), err);
    ck_assert_str_eq(league.config.league.name, "Orion League");
    ck_assert_int_eq(league.lock, -1);
    ck_assert(sodium_is_zero(league.key.key, sizeof league.key.key));
    ck_assert(sodium_is_zero(league.master, sizeof league.master));
    struct str want = STR_INIT;
    str_addf(&want, "%s/mail/in", dir);
    ck_assert_str_eq(league.config.incoming.maildir, want.p);
    ck_assert_str_eq(league.config.incoming.server.ca_file, "");
    char *path = league_path(&league, "/abs");
    ck_assert_str_eq(path, "/abs");
    free(path);
    str_release(&want);
    league_close(&league);
}
END_TEST

START_TEST(open_for_work_reads_the_keys)
{
    struct league league;
    unsigned char public[VRF_PUBLIC];
    make();
    ck_ok(league_open(dir, true, &league, &err), err);
    ck_assert_int_ge(league.lock, 0);
    ck_assert(vrf_public(public, league.vrf_secret));
    ck_assert_mem_eq(public, league.vrf_public, VRF_PUBLIC);
    ck_assert(!sodium_is_zero(league.master, sizeof league.master));
    struct str line = STR_INIT;
    struct str file = STR_INIT;
    struct pubkey key;
    secret_public(&league.key, &key);
    pubkey_format(&line, &key);
    char *path = in_league("keys/league.pub");
    ck_ok(file_read(path, 1000, &file, &err), err);
    ck_assert(str_starts(file.p, line.p));
    free(path);
    str_release(&line);
    str_release(&file);
    league_close(&league);
}
END_TEST

START_TEST(only_one_works_at_a_time)
{
    struct league league;
    struct league reader;
    make();
    ck_ok(league_open(dir, true, &league, &err), err);
    ck_ok(league_open(dir, false, &reader, &err), err);
    league_close(&reader);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        struct league other;
        _exit(league_open(dir, true, &other, &err) == -1 && err.code == ERR_TEMP ? 0 : 1);
    }
    int status = -1;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    league_close(&league);
    ck_ok(league_open(dir, true, &league, &err), err);
    league_close(&league);
}
END_TEST

START_TEST(open_secrets_are_refused)
{
    static const char *const files[] = {"keys/secret/league", "keys/secret/vrf", "keys/secret/master"};
    make();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct str words = STR_INIT;
        str_addf(&words, "chmod 600 %s/%s", dir, files[i]);
        set_mode(files[i], 0640);
        expect_closed(true, ERR_CONFIG, words.p);
        set_mode(files[i], 0604);
        expect_closed(true, ERR_CONFIG, words.p);
        set_mode(files[i], 0400);
        str_release(&words);
    }
    struct str words = STR_INIT;
    str_addf(&words, "chmod 700 %s/keys/secret", dir);
    set_mode("keys/secret", 0750);
    expect_closed(true, ERR_CONFIG, words.p);
    set_mode("keys/secret", 0700);
    struct league league;
    ck_ok(league_open(dir, true, &league, &err), err);
    league_close(&league);
    str_release(&words);
}
END_TEST

START_TEST(damaged_and_missing_keys_are_refused)
{
    make();
    write_file("keys/secret/vrf", "0123\n", 0600);
    expect_closed(true, ERR_CONFIG, "64 hex digits");
    write_file("keys/secret/vrf", "0000000000000000000000000000000000000000000000000000000000000000\n", 0600);
    expect_closed(true, ERR_CONFIG, "is no key");
    char *path = in_league("keys/secret/master");
    ck_ok(file_remove(path, &err), err);
    free(path);
    write_file("keys/secret/vrf", "0100000000000000000000000000000000000000000000000000000000000000\n", 0600);
    expect_closed(true, ERR_CONFIG, "the key of the seals");
    write_file("keys/secret/master", "0100000000000000000000000000000000000000000000000000000000000000\n",
               0600);
    write_file("keys/league.pub",
               "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIC5vZVlqlzxzhq7kXFPcEdYHKnwpWQWiu1JCeDwH0pWM\n", 0644);
    expect_closed(true, ERR_CONFIG, "keys/league.pub");
    path = in_league("keys/secret/league");
    ck_ok(file_remove(path, &err), err);
    free(path);
    expect_closed(true, ERR_CONFIG, "keys/secret/league");
}
END_TEST

START_TEST(a_bad_configuration_is_refused)
{
    expect_closed(false, ERR_MISSING, "holds no league");
    make();
    write_file("league.ini", "[league]\naddress = a@b.c\ntimezone = Mars/Olympus\n", 0600);
    expect_closed(false, ERR_CONFIG, "league.ini: [league] timezone: unknown time zone");
    write_file("league.ini", "[league]\nadress = a@b.c\n", 0600);
    expect_closed(true, ERR_CONFIG, "did you mean address?");
}
END_TEST

START_TEST(mail_settings_open_what_they_say)
{
    struct league league;
    struct source *source = NULL;
    struct sink sink;
    char *secret = NULL;
    make();
    ck_ok(league_open(dir, false, &league, &err), err);
    ck_ok(league_source(&league, &source, &err), err);
    ck_assert_ptr_nonnull(strstr(source_describe(source), "mail/in"));
    source_close(source);
    ck_ok(league_sink(&league, &sink, &secret, &err), err);
    ck_assert_ptr_null(secret);
    ck_assert_int_eq((int)sink.kind, SINK_MAILDIR);
    ck_assert_str_eq(sink.maildir, league.config.outgoing.maildir);
    league_close(&league);
    write_file("password", "hush\n", 0600);
    write_file("league.ini",
               "[league]\naddress = a@b.c\n[outgoing]\ntype = smtp\nhost = smtp.example.org\ntls = starttls\n"
               "user = u\npassword_file = password\nca_file = ca.pem\nconnections = 2\nexpire = 1d\n",
               0600);
    ck_ok(league_open(dir, false, &league, &err), err);
    ck_ok(league_sink(&league, &sink, &secret, &err), err);
    ck_assert_str_eq(secret, "hush");
    ck_assert_str_eq(sink.smtp.host, "smtp.example.org");
    ck_assert_int_eq(sink.smtp.port, 587);
    ck_assert_str_eq(sink.smtp.password, "hush");
    ck_assert_ptr_null(sink.smtp.token);
    ck_assert_str_eq(sink.smtp.user, "u");
    ck_assert(str_ends(sink.smtp.ca_file, "sub/orion/ca.pem"));
    ck_assert_int_eq(sink.connections, 2);
    ck_assert_int_eq(sink.expire, 86400);
    free(secret);
    set_mode("password", 0644);
    ck_assert_int_eq(league_sink(&league, &sink, &secret, &err), -1);
    ck_assert_int_eq(err.code, ERR_CONFIG);
    ck_assert_ptr_nonnull(strstr(err.text, "league.ini: [outgoing] password_file"));
    err_clear(&err);
    league_close(&league);
    write_file("league.ini",
               "[league]\naddress = a@b.c\n[outgoing]\ntype = smtp\nhost = smtp.example.org\nuser = u\n"
               "token_command = echo abc\n",
               0600);
    ck_ok(league_open(dir, false, &league, &err), err);
    ck_ok(league_sink(&league, &sink, &secret, &err), err);
    ck_assert_str_eq(sink.smtp.token, "abc");
    ck_assert_ptr_null(sink.smtp.password);
    ck_assert_ptr_null(sink.smtp.ca_file);
    ck_assert_int_eq(sink.smtp.port, 465);
    free(secret);
    league_close(&league);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, init_makes_everything_private);
    tcase_add_test(tc, init_refuses_what_is_in_the_way);
    tcase_add_test(tc, init_refuses_what_league_ini_cannot_carry);
    tcase_add_test(tc, open_for_reading_needs_no_secrets);
    tcase_add_test(tc, open_for_work_reads_the_keys);
    tcase_add_test(tc, only_one_works_at_a_time);
    tcase_add_test(tc, open_secrets_are_refused);
    tcase_add_test(tc, damaged_and_missing_keys_are_refused);
    tcase_add_test(tc, a_bad_configuration_is_refused);
    tcase_add_test(tc, mail_settings_open_what_they_say);
}
TEST_MAIN("league/league", cases)
