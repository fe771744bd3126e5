#include "suite.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "league/config_private.h"

#define BASIC "[league]\naddress = orders@example.org\n"

static struct err err;

static void setup(void)
{
    err = (struct err)ERR_INIT;
}

static void expect_error(const char *text, const char *words)
{
    struct config config;
    ck_assert_int_eq(config_parse(slice_of(text), "league.ini", &config, &err), -1);
    ck_assert_int_eq(err.code, ERR_CONFIG);
    ck_assert_msg(strstr(err.text, words) != NULL, "\"%s\" lacks \"%s\"", err.text, words);
    err_clear(&err);
}

static struct config parsed(const char *text)
{
    struct config config;
    ck_ok(config_parse(slice_of(text), "league.ini", &config, &err), err);
    return config;
}

START_TEST(defaults_are_all_there)
{
    struct config config = parsed(BASIC);
    ck_assert_str_eq(config.league.name, "Turnpost");
    ck_assert_str_eq(config.league.address, "orders@example.org");
    ck_assert_str_eq(config.league.timezone, "UTC");
    ck_assert_int_eq(config.league.deadline, 7 * 86400);
    ck_assert_int_eq(config.league.missed_robot, 3);
    ck_assert_int_eq((int)config.incoming.type, IN_MAILDIR);
    ck_assert_str_eq(config.incoming.maildir, "mail/in");
    ck_assert_str_eq(config.incoming.mailbox, "INBOX");
    ck_assert_str_eq(config.incoming.server.password_env, "");
    ck_assert_int_eq((int)config.outgoing.type, SINK_MAILDIR);
    ck_assert_int_eq(config.outgoing.connections, 4);
    ck_assert_int_eq(config.outgoing.expire, 3 * 86400);
    ck_assert_int_eq(config.limits.mail_size, 1 << 20);
    ck_assert_int_eq(config.limits.replies_per_day, 50);
    ck_assert_int_eq(config.limits.stranger_replies, 10);
    ck_assert_int_eq((int)config.league.registration, REGISTRATION_INVITE);
    ck_assert_int_eq(config.league.token_expire, 7 * 86400);
    ck_assert_int_eq(config.league.player_invites, 0);
    config_release(&config);
    config_release(&config);
}
END_TEST

START_TEST(a_full_file_is_understood)
{
    struct config config =
        parsed("\xef\xbb\xbf# all\r\n[league]\r\n"
               "  name = L\xc3\xa4nder; East ; a comment\r\n"
               "address: Orders@Example.ORG\r\n"
               "timezone = Europe/Berlin\r\n\r\ndeadline = 1d12h\r\nmissed_robot=0\r\n"
               "[incoming]\ntype = imap\nhost = imap.example.org\nport = 1993\n"
               "tls = starttls\nuser = orders\npassword_command = pass show \"a b\" | head -1\n"
               "mailbox = Games/In\ntimeout = 5\npoll = 15\nca_file = keys/ca.pem\n"
               "[outgoing]\ntype = smtp\nhost = smtp.example.org\nuser = u\n"
               "password_env = SECRET\nconnections = 16\nexpire = 30d\n"
               "bounce_address = bounces@example.org\n"
               "[limits]\nmail_size = 256K\nreplies_per_day = 0");
    ck_assert_str_eq(config.league.name, "L\xc3\xa4nder; East");
    ck_assert_str_eq(config.league.address, "Orders@example.org");
    ck_assert_str_eq(config.league.timezone, "Europe/Berlin");
    ck_assert_int_eq(config.league.deadline, 129600);
    ck_assert_int_eq(config.league.missed_robot, 0);
    ck_assert_int_eq((int)config.incoming.type, IN_IMAP);
    ck_assert_str_eq(config.incoming.server.host, "imap.example.org");
    ck_assert_int_eq(config.incoming.server.port, 1993);
    ck_assert_int_eq((int)config.incoming.server.tls, TLS_STARTTLS);
    ck_assert_str_eq(config.incoming.server.password_command, "pass show \"a b\" | head -1");
    ck_assert_str_eq(config.incoming.mailbox, "Games/In");
    ck_assert_int_eq(config.incoming.server.timeout, 5);
    ck_assert_int_eq(config.incoming.poll, 15);
    ck_assert_str_eq(config.incoming.server.ca_file, "keys/ca.pem");
    ck_assert_int_eq((int)config.outgoing.type, SINK_SMTP);
    ck_assert_int_eq((int)config.outgoing.server.tls, TLS_IMPLICIT);
    ck_assert_str_eq(config.outgoing.server.password_env, "SECRET");
    ck_assert_int_eq(config.outgoing.connections, 16);
    ck_assert_int_eq(config.outgoing.expire, 30 * 86400);
    ck_assert_str_eq(config.outgoing.bounce_address, "bounces@example.org");
    ck_assert_int_eq(config.limits.mail_size, 262144);
    ck_assert_int_eq(config.limits.replies_per_day, 0);
    config_release(&config);
}
END_TEST

START_TEST(unknown_names_are_errors_with_the_nearest)
{
    expect_error(BASIC "\n[incoming]\nprot = 993\n", "league.ini:5: [incoming] prot: ");
    expect_error(BASIC "[incoming]\nprot = 993\n", "did you mean port?");
    expect_error(BASIC "[incoming]\npassword_cmd = x\n", "there is no such option");
    expect_error(BASIC "host = imap.example.org\n", "league.ini:3: [league] host: ");
    expect_error(BASIC "host = imap.example.org\n", "it belongs below [incoming]");
    expect_error(BASIC "[incomming]\n", "league.ini:3: [incomming]: ");
    expect_error(BASIC "[incomming]\n", "did you mean [incoming]");
    expect_error("address = a@example.org\n", "league.ini:1: address comes before the first section");
    expect_error("address = a@example.org\n", "it belongs below [league]");
    expect_error(BASIC "zzzzzzzzzz = 1\n", "man league.ini");
    expect_error(BASIC "Name = x\n", "[league] Name: ");
}
END_TEST

START_TEST(bad_lines_are_named)
{
    expect_error(BASIC "name\n", "league.ini:3: cannot be understood");
    expect_error(BASIC "[limits\n", "league.ini:3: cannot be understood");
    expect_error(BASIC "name = a\n\nname = b\n", "league.ini:5: [league] name was given in line 3 already");
    struct str text = STR_INIT;
    str_adds(&text, BASIC "name = ");
    while (text.len < strlen(BASIC) + 180)
        str_addc(&text, 'x');
    struct config config = parsed(text.p);
    ck_assert_uint_eq(strlen(config.league.name), 173);
    config_release(&config);
    str_addc(&text, 'x');
    expect_error(text.p, "league.ini:3: the line is longer than 180 bytes");
    str_clear(&text);
    str_add(&text, BASIC "name = a\0b\n", strlen(BASIC) + 11);
    ck_assert_int_eq(config_parse(slice_str(&text), "league.ini", &config, &err), -1);
    ck_assert_ptr_nonnull(strstr(err.text, "NUL"));
    err_clear(&err);
    str_release(&text);
    expect_error(BASIC "name = a\xff\n", "UTF-8");
    expect_error(BASIC "name = a\x1b[1m\n", "control character");
}
END_TEST

START_TEST(values_out_of_range_say_the_range)
{
    expect_error(BASIC "deadline = 0s\n",
                 "league.ini:3: [league] deadline: \"0s\" is not possible here; it must be");
    expect_error(BASIC "deadline = 59s\n", "in 1m .. 366d");
    expect_error(BASIC "deadline = soon\n", "1m .. 366d");
    expect_error(BASIC "missed_robot = -1\n", "0 .. 99");
    expect_error(BASIC "missed_robot = 1x\n", "0 .. 99");
    expect_error(BASIC "missed_robot =\n", "0 .. 99");
    expect_error(BASIC "missed_robot = 99999999999999999999999\n", "0 .. 99");
    expect_error(BASIC "[limits]\nmail_size = 1G\n", "16K .. 64M");
    expect_error(BASIC "[limits]\nmail_size = 16383\n", "16K .. 64M");
    expect_error(BASIC "[incoming]\ntls = ssl\n", "one of implicit, starttls");
    expect_error(BASIC "[incoming]\ntls = impl\n", "one of implicit, starttls");
    expect_error(BASIC "[outgoing]\ntype = SMTP\n", "one of maildir, sendmail, smtp");
    expect_error(BASIC "[outgoing]\nbounce_address = nowhere\n", "no mail address");
}
END_TEST

START_TEST(what_belongs_together_is_checked)
{
    expect_error("[league]\nname = x\n", "address is missing");
    expect_error(BASIC "[incoming]\ntype = imap\nuser = u\npassword_env = X\n", "needs host");
    expect_error(BASIC "[incoming]\ntype = imap\nhost = h\n", "needs user");
    expect_error(BASIC "[incoming]\ntype = imap\nhost = h\nuser = u\n", "[incoming] user = u needs one of");
    expect_error(BASIC "[incoming]\ntype = imap\nhost = h\nuser = u\npassword_env = X\ntoken_command = y\n",
                 "set only one of");
    expect_error(BASIC "[incoming]\ntype = imap\nhost = h\nuser = u\npassword_env = X\nprocessed = INBOX\n",
                 "must differ");
    expect_error(BASIC "[outgoing]\ntype = smtp\n", "needs host");
    expect_error(BASIC "[outgoing]\ntype = smtp\nhost = h\nuser = u\n", "[outgoing] user = u needs one of");
    expect_error(BASIC "[outgoing]\ntype = smtp\nhost = h\npassword_env = u\n", "user is missing");
    expect_error(BASIC "[clock]\nschedule = sat sun 12:00\nweekends_off = yes\n", "is on a weekend");
    expect_error(BASIC "[clock]\nschedule = never\nearly = no\n", "would never be played");
    struct config config = parsed(BASIC "[outgoing]\ntype = smtp\nhost = h\n");
    config_release(&config);
}
END_TEST

START_TEST(the_sample_gives_the_defaults)
{
    struct str text = STR_INIT;
    config_sample(&text, "Orion League", "orders@example.org");
    struct config config = parsed(text.p);
    ck_assert_str_eq(config.league.name, "Orion League");
    ck_assert_int_eq(config.league.deadline, 7 * 86400);
    ck_assert_str_eq(config.outgoing.bounce_address, "orders@example.org");
    config_release(&config);
    /* Also when everything in it is switched on, but for the options that exclude each other. */
    struct str all = STR_INIT;
    struct slice rest = slice_str(&text);
    struct slice line;
    while (slice_line(&rest, &line)) {
        ck_assert_uint_le(line.len, 110);
        if (slice_starts(line, "#") && !slice_starts(line, "# "))
            line = slice_sub(line, 1, line.len);
        str_addslice(&all, line);
        str_addc(&all, '\n');
    }
    config = parsed(all.p);
    ck_assert_str_eq(config.outgoing.sendmail, "/usr/sbin/sendmail");
    config_release(&config);
    size_t count = 0;
    for (const struct option *option = option_table; option->name; option++, count++) {
        struct str entry = STR_INIT;
        bool set =
            count < 2 || strcmp(option->name, "bounce_address") == 0 || strcmp(option->name, "trust") == 0;
        str_addf(&entry, "\n%s%s =", set ? "" : "#", option->name);
        ck_assert_msg(strstr(text.p, entry.p) != NULL, "%s is missing", option->name);
        ck_assert(*option->help);
        str_release(&entry);
    }
    ck_assert_uint_lt(count, 160);
    str_release(&all);
    str_release(&text);
}
END_TEST

START_TEST(the_manual_page_has_every_option)
{
    struct str page = STR_INIT;
    ck_ok(file_read("src/commands/man/league.ini.5", 1 << 20, &page, &err), err);
    for (const struct option *option = option_table; option->name; option++) {
        struct str entry = STR_INIT;
        str_addf(&entry, ".SS [%s]\n", option->section);
        const char *section = strstr(page.p, entry.p);
        ck_assert_msg(section != NULL, "the page lacks section [%s]", option->section);
        str_clear(&entry);
        str_addf(&entry, ".B %s\n", option->name);
        const char *at = strstr(section, entry.p);
        const char *next = strstr(section + 4, "\n.SS ");
        ck_assert_msg(at && (!next || at < next), "the page lacks [%s] %s", option->section, option->name);
        str_clear(&entry);
        option_range(&entry, option);
        const char *end = strstr(at, "\n.TP");
        const char *range = strstr(at, entry.p);
        if (option->kind != OPTION_ADDRESS)
            ck_assert_msg(range && (!end || range < end), "the page lacks the range %s of %s", entry.p,
                          option->name);
        str_clear(&entry);
        str_addf(&entry, "default: %s", *option->value ? option->value : "none");
        const char *value = strstr(at, entry.p);
        ck_assert_msg(value && (!end || value < end), "the page lacks \"%s\" of %s", entry.p, option->name);
        str_release(&entry);
    }
    str_release(&page);
}
END_TEST

START_TEST(a_missing_file_is_missing)
{
    struct config config;
    ck_assert_int_eq(config_load("/nonexistent/league.ini", &config, &err), -1);
    ck_assert_int_eq(err.code, ERR_MISSING);
    config_release(&config);
}
END_TEST

static void expect_secret(const char *command, const char *file, const char *env, const char *want)
{
    char *secret = NULL;
    ck_ok(config_secret(&(struct config_secret){"[x] y", command, file, env}, &secret, &err), err);
    if (want)
        ck_assert_str_eq(secret, want);
    else
        ck_assert_ptr_null(secret);
    free(secret);
}

static void expect_no_secret(const char *command, const char *file, const char *env, const char *words)
{
    char *secret = NULL;
    ck_assert_int_eq(config_secret(&(struct config_secret){"[x] y", command, file, env}, &secret, &err), -1);
    ck_assert_int_eq(err.code, ERR_CONFIG);
    ck_assert_msg(strstr(err.text, words) && str_starts(err.text, "[x] y: "), "\"%s\" lacks \"%s\"", err.text,
                  words);
    ck_assert_ptr_null(secret);
    err_clear(&err);
}

START_TEST(secrets_come_from_commands)
{
    expect_secret("", "", "", NULL);
    expect_secret(NULL, NULL, NULL, NULL);
    expect_secret("printf 'se cret\\r\\nsecond line\\n'", "", "", "se cret");
    expect_secret("printf secret", NULL, NULL, "secret");
    expect_secret("cat; echo fine", "", "", "fine"); /* standard input is empty, never the terminal */
    expect_no_secret("exit 3", "", "", "exit code 3");
    expect_no_secret("echo half; exit 1", "", "", "exit code 1");
    expect_no_secret("kill -9 $$", "", "", "killed");
    expect_no_secret("true", "", "", "empty");
    expect_no_secret("echo; echo late", "", "", "empty");
    expect_no_secret("printf 'a\\tb'", "", "", "control character");
    expect_no_secret("yes", "", "", "more than");
    expect_no_secret("/nonexistent/helper 2>/dev/null", "", "", "exit code 127");
}
END_TEST

START_TEST(secrets_come_from_private_files)
{
    char path[] = "/tmp/turnpost-secret-XXXXXX";
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq((int)write(fd, "hush\nmore\n", 10), 10);
    close(fd);
    expect_secret("", path, "", "hush");
    ck_assert_int_eq(chmod(path, 0640), 0);
    struct str words = STR_INIT;
    str_addf(&words, "run: chmod 600 %s", path);
    expect_no_secret("", path, "", words.p);
    str_release(&words);
    ck_assert_int_eq(unlink(path), 0);
    expect_no_secret("", path, "", "No such file");
    expect_no_secret("", "/tmp", "", "not a plain file");
}
END_TEST

START_TEST(secrets_come_from_the_environment)
{
    ck_assert_int_eq(setenv("TURNPOST_TEST_SECRET", "quiet", 1), 0);
    expect_secret("", "", "TURNPOST_TEST_SECRET", "quiet");
    ck_assert_int_eq(unsetenv("TURNPOST_TEST_SECRET"), 0);
    expect_no_secret("", "", "TURNPOST_TEST_SECRET", "TURNPOST_TEST_SECRET is not set");
}
END_TEST

START_TEST(a_contact_is_an_address_or_a_link)
{
    static const char *const good[] = {"help@example.org", "https://example.org/help", "http://x.test"};
    static const char *const bad[][2] = {{"orders@example.org", "no person reads"},
                                         {"Anna", "[league] contact"},
                                         {"https://", "is no link"},
                                         {"https://a b", "is no link"},
                                         {"ftp://example.org", "[league] contact"}};
    struct str text = STR_INIT;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        str_clear(&text);
        str_addf(&text, BASIC "contact = %s\n", good[i]);
        struct config config = parsed(text.p);
        ck_assert_str_eq(config.league.contact, good[i]);
        config_release(&config);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        str_clear(&text);
        str_addf(&text, BASIC "contact = %s\n", bad[i][0]);
        expect_error(text.p, bad[i][1]);
    }
    str_clear(&text);
    str_addf(&text, BASIC "contact = https://x/%0120d\n", 0);
    expect_error(text.p, "longer than 100 bytes");
    str_release(&text);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, setup, NULL);
    tcase_add_test(tc, defaults_are_all_there);
    tcase_add_test(tc, a_full_file_is_understood);
    tcase_add_test(tc, a_contact_is_an_address_or_a_link);
    tcase_add_test(tc, unknown_names_are_errors_with_the_nearest);
    tcase_add_test(tc, bad_lines_are_named);
    tcase_add_test(tc, values_out_of_range_say_the_range);
    tcase_add_test(tc, what_belongs_together_is_checked);
    tcase_add_test(tc, the_sample_gives_the_defaults);
    tcase_add_test(tc, the_manual_page_has_every_option);
    tcase_add_test(tc, a_missing_file_is_missing);
    tcase_add_test(tc, secrets_come_from_commands);
    tcase_add_test(tc, secrets_come_from_private_files);
    tcase_add_test(tc, secrets_come_from_the_environment);
}
TEST_MAIN("league/config", cases)
