/* A mailbox on an IMAP server: connecting, what is sent and refused, and servers that are hostile or broken. */
#include "servers/mailbox.h"

/* ---- connecting ---- */

START_TEST(both_kinds_of_tls)
{
    struct err err = ERR_INIT;
    struct server server = servers_login(&servers, servers.imap, TLS_STARTTLS, "u1");
    struct incoming mails[2];
    drop("u1", 1, "Subject: one\n\nx\n", 1600000000);
    ck_ok(try_open(&server, &err), err);
    ck_assert_uint_eq(fetch(mails, 2), 1);
    ck_assert_str_eq(mails[0].raw.p, "Subject: one\r\n\r\nx\r\n");
    incoming_release(&mails[0]);
    struct str want = STR_INIT;
    str_addf(&want, "IMAP localhost:%d INBOX (1 mail)", servers.imap);
    ck_assert_str_eq(source_describe(source), want.p);
    str_release(&want);
    source_close(source);
    open_as("u1");
    ck_assert_uint_eq(fetch(mails, 2), 1);
    incoming_release(&mails[0]);
    source_close(source);
}
END_TEST

START_TEST(certificates_are_verified)
{
    struct server server = servers_login(&servers, servers.imaps, TLS_IMPLICIT, "u1");
    server.ca_file = NULL;
    ck_open_fails(&server, ERR_CONFIG, "set ca_file");
    server.port = servers.imap;
    server.tls = TLS_STARTTLS;
    ck_open_fails(&server, ERR_CONFIG, "set ca_file");
    server.ca_file = servers.ca;
    server.host = "127.0.0.1"; /* not in the certificate */
    ck_open_fails(&server, ERR_CONFIG, "correct the host name");
    server.ca_file = "/nowhere/ca.pem";
    ck_open_fails(&server, ERR_CONFIG, "/nowhere/ca.pem");
}
END_TEST

START_TEST(wrong_settings_are_said)
{
    struct server server = servers_login(&servers, servers.imaps, TLS_IMPLICIT, "u1");
    server.password = "wrong";
    ck_open_fails(&server, ERR_CONFIG, "refused the user \"u1\"");
    server.password = "secret";
    server.tls = TLS_STARTTLS; /* on the port for TLS */
    server.timeout = 1;
    ck_open_fails(&server, ERR_TEMP, "");
    server.port = servers.imap;
    server.tls = TLS_IMPLICIT;
    ck_open_fails(&server, ERR_CONFIG, "starttls");
    server.port = 1;
    ck_open_fails(&server, ERR_TEMP, "cannot reach localhost:1");
    server.host = "no-such-host.invalid";
    ck_open_fails(&server, ERR_TEMP, "cannot reach");
    server.host = "a b/../c";
    ck_open_fails(&server, ERR_CONFIG, "not a mail server's address");
    server.host = "localhost";
    server.port = 0;
    ck_open_fails(&server, ERR_CONFIG, "not a mail server's address");
    server = servers_login(&servers, servers.imaps, TLS_IMPLICIT, "u1");
    struct err err = ERR_INIT;
    ck_assert_int_eq(source_open_imap(&server,
                                      &(struct folders){"Nowhere", {"Processed", "Rejected", "Failed"}}, 1000,
                                      &source, &err),
                     -1);
    ck_assert_int_eq(err.code, ERR_CONFIG);
    ck_assert_ptr_nonnull(strstr(err.text, "cannot open the mailbox \"Nowhere\""));
}
END_TEST

START_TEST(starttls_takes_nothing_slipped_in)
{
    struct server server =
        servers_login(&servers, fake_port(&fakes, "imap_injection"), TLS_STARTTLS, "orders");
    server.timeout = 3;
    ck_open_fails(&server, ERR_TEMP, "");
}
END_TEST

START_TEST(no_password_in_plain_text)
{
    char line[64];
    struct fake fake;
    fake_start(&fake, &servers, "imap_plain");
    struct server server = servers_login(&servers, fake.port, TLS_STARTTLS, "orders");
    ck_open_fails(&server, ERR_CONFIG, "does not offer STARTTLS");
    (void)kill(fake.pid, SIGKILL);
    ck_assert_ptr_null(fgets(line, sizeof line, fake.out));
    fake_stop(&fake);
    server.port = fake_port(&fakes, "imap_preauth");
    ck_open_fails(&server, ERR_CONFIG, "does not offer STARTTLS");
}
END_TEST

START_TEST(a_mute_server_is_left)
{
    struct server server = servers_login(&servers, fake_port(&fakes, "imap_mute"), TLS_IMPLICIT, "orders");
    server.timeout = 1;
    double from = seconds();
    ck_open_fails(&server, ERR_TEMP, "cannot reach");
    ck_assert(seconds() - from < 3);
}
END_TEST

START_TEST(ways_of_authentication)
{
    struct err err = ERR_INIT;
    struct server server =
        servers_login(&servers, fake_port(&fakes, "imap_login_only"), TLS_IMPLICIT, "orders");
    ck_ok(try_open(&server, &err), err);
    source_close(source);
    server.port = fake_port(&fakes, "imap_xoauth2");
    server.password = NULL;
    server.token = "t0ken";
    ck_ok(try_open(&server, &err), err);
    source_close(source);
    server.token = "old";
    ck_open_fails(&server, ERR_CONFIG, "check the name and the token");
    server = servers_login(&servers, fake_port(&fakes, "imap_busy"), TLS_IMPLICIT, "orders");
    ck_open_fails(&server, ERR_TEMP, "come back later");
    open_fake("imap_no_list", 5);
    source_close(source);
}
END_TEST

/* ---- what is sent, and what is refused ---- */

/* Every command that we have, to a server that takes what RFC 3501 has and nothing else: `scenario` of
 * fake.py, with a folder for its mailboxes. */
static void ck_spoken(const char *scenario, const char *token)
{
    struct err err = ERR_INIT;
    struct incoming mails[4];
    struct fake fake;
    struct str text = STR_INIT;
    str_addf(&text, "mkdir -p %s/%s/INBOX && cd %s/%s/INBOX && echo one >1 && echo two >2 && echo 3 >3",
             servers.dir, scenario, servers.dir, scenario);
    run_shell(text.p);
    fake_start(&fake, &servers, scenario);
    struct server server = servers_login(&servers, fake.port, TLS_IMPLICIT, "orders");
    server.password = token ? NULL : "secret";
    server.token = token;
    ck_ok(source_open_imap(
              &server, &(struct folders){"INBOX", {"Spielz\xc3\xbcge & \"mehr\"", "Not used", "Failed ones"}},
              5, &source, &err),
          err);
    ck_ok(source_wait(source, 1, NULL, &err), err);
    ck_assert_uint_eq(fetch(mails, 4), 3);
    dispose(mails, 1, MAIL_PROCESSED);
    dispose(mails + 1, 1, MAIL_FAILED); /* a folder that is not there yet */
    dispose(mails + 2, 1, MAIL_REJECTED);
    ck_assert_uint_eq(fetch(mails, 4), 0);
    source_close(source);
    str_clear(&text);
    str_addf(
        &text,
        "cd %s/%s && test $(cat Spiel*/*) = one && test $(cat Failed*/*) = two && test -z \"$(ls INBOX)\"",
        servers.dir, scenario);
    run_shell(text.p);
    str_release(&text);
    fake_stop(&fake);
}

START_TEST(commands_are_what_the_rfc_has)
{
    ck_spoken("strict_new", NULL);
    ck_spoken("strict_old", NULL);
    ck_spoken("strict_login", NULL);
    ck_spoken("strict_token", "t0ken");
}
END_TEST

/* A server that answers one command with NO or BAD: its words, and whether it is worth another try. */
static void ck_refuses(const char *answer, const char *verb, const char *suffix, enum err_code code,
                       const char *words)
{
    struct err err = ERR_INIT;
    struct str scenario = STR_INIT;
    struct incoming mails[3];
    size_t count = 0;
    str_addf(&scenario, "imap_%s_%s%s", answer, verb, suffix);
    struct server server = servers_login(&servers, fake_port(&fakes, scenario.p), TLS_IMPLICIT, "orders");
    int rc = try_open(&server, &err);
    if (rc == 0) {
        rc = source_fetch(source, mails, 3, &count, &err);
        if (rc == 0)
            rc = source_dispose(source, mails, (enum disposition[3]){MAIL_PROCESSED}, count, &err);
        for (size_t i = 0; i < count; i++)
            incoming_release(&mails[i]);
        source_close(source);
    }
    ck_assert_msg(rc == -1 && err.code == code && strstr(err.text, words), "%s: %d: %s", scenario.p,
                  (int)err.code, err.text);
    str_release(&scenario);
}

START_TEST(refusals_are_told_in_the_servers_words)
{
    static const char *const verbs[] = {"capability", "list",      "select",
                                        "uid_search", "uid_fetch", "uid_move"};
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        ck_refuses("bad", verbs[i], "", ERR_CONFIG, ": BAD what is that");
        if (strcmp(verbs[i], "list") == 0)
            continue; /* CREATE decides */
        ck_refuses("no", verbs[i], "", ERR_CONFIG, ": not for you");
        ck_refuses("no", verbs[i], "_later", ERR_TEMP, ": come back later");
    }
}
END_TEST

/* ---- hostile and broken servers ---- */

static void ck_fetch_fails(const char *words)
{
    struct err err = ERR_INIT;
    struct incoming mails[10];
    size_t count = 0;
    ck_assert_int_eq(source_fetch(source, mails, 10, &count, &err), -1);
    ck_assert_msg(err.code == ERR_TEMP && strstr(err.text, words), "code %d: %s", (int)err.code, err.text);
    /* Nothing works after that, and nothing hangs. */
    err_clear(&err);
    ck_assert_int_eq(source_fetch(source, mails, 10, &count, &err), -1);
    ck_assert_int_eq(err.code, ERR_TEMP);
    err_clear(&err);
    ck_assert_int_eq(source_wait(source, 5, NULL, &err), -1);
    ck_assert_int_eq(err.code, ERR_TEMP);
}

static void ck_breaks(const char *scenario, const char *words)
{
    open_fake(scenario, 1);
    double from = seconds();
    ck_fetch_fails(words);
    source_close(source);
    ck_assert(seconds() - from < 5);
}

START_TEST(literals_have_a_budget)
{
    ck_breaks("imap_literal", "longer than it may be");
    ck_breaks("imap_flood", "longer than it may be");
}
END_TEST

START_TEST(brackets_have_a_depth)
{
    ck_breaks("imap_brackets", "not IMAP");
    ck_breaks("imap_garbage", "not IMAP");
}
END_TEST

START_TEST(numbers_are_numbers)
{
    ck_breaks("imap_numberless", "not IMAP");
    ck_breaks("imap_numberless", "not IMAP");
}
END_TEST

START_TEST(ends_are_noticed)
{
    ck_breaks("imap_cut", "lost the connection");
    ck_breaks("imap_silent", "did not answer in time");
}
END_TEST

START_TEST(a_refusal_is_said)
{
    struct err err = ERR_INIT;
    struct incoming mails[1];
    size_t count;
    open_fake("imap_refusing", 5);
    ck_assert_int_eq(source_fetch(source, mails, 1, &count, &err), -1);
    ck_assert_msg(err.code == ERR_TEMP && strstr(err.text, "not today"), "%s", err.text);
    source_close(source);
}
END_TEST

START_TEST(closing_never_waits_long)
{
    struct err err = ERR_INIT;
    struct fake fake;
    open_fake("imap_closing", 30);
    double from = seconds();
    source_close(source);
    ck_assert(seconds() - from < 1.5);
    fake_start(&fake, &servers, "imap_polite");
    struct server server = servers_login(&servers, fake.port, TLS_IMPLICIT, "orders");
    ck_ok(try_open(&server, &err), err);
    fake_stop(&fake);
    from = seconds();
    source_close(source);
    ck_assert(seconds() - from < 1.5);
    source_close(NULL);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_unchecked_fixture(tc, start, stop);
    tcase_add_test(tc, both_kinds_of_tls);
    tcase_add_test(tc, certificates_are_verified);
    tcase_add_test(tc, wrong_settings_are_said);
    tcase_add_test(tc, starttls_takes_nothing_slipped_in);
    tcase_add_test(tc, no_password_in_plain_text);
    tcase_add_test(tc, a_mute_server_is_left);
    tcase_add_test(tc, ways_of_authentication);
    tcase_add_test(tc, commands_are_what_the_rfc_has);
    tcase_add_test(tc, refusals_are_told_in_the_servers_words);
    tcase_add_test(tc, literals_have_a_budget);
    tcase_add_test(tc, brackets_have_a_depth);
    tcase_add_test(tc, numbers_are_numbers);
    tcase_add_test(tc, ends_are_noticed);
    tcase_add_test(tc, a_refusal_is_said);
    tcase_add_test(tc, closing_never_waits_long);
}
TEST_MAIN("mail/imap", cases)
