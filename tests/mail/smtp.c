#include "mail/sink.h"

#include <string.h>
#include <time.h>

#include "base/file.h"
#include "mail/spool.h"
#include "servers/servers.h"

/* Real Postfix and Dovecot, which need root; fake.py where a server has to misbehave. */

static struct servers servers;
static struct fake fake;
static char dir[SCRATCH_PATH];
static struct sink_counts counts;

static void start(void)
{
    servers_start(&servers, "u1 u2");
    if (!servers.submission)
        (void)fprintf(stderr, "not run: most of it, as Postfix needs root\n");
}

static void stop(void)
{
    servers_stop(&servers);
}

static void setup(void)
{
    struct err err = ERR_INIT;
    scratch_make(dir, "smtp");
    ck_ok(spool_init(dir, &err), err);
}

static void teardown(void)
{
    scratch_remove(dir);
}

static struct sink to_port(int port, enum tls_mode tls)
{
    return (struct sink){.kind = SINK_SMTP,
                         .smtp = servers_login(&servers, port, tls, "orders"),
                         .connections = 4,
                         .expire = 86400};
}

static void queue_text(const char *id, const char *from, const char *to, const char *text)
{
    struct err err = ERR_INIT;
    struct outgoing mail = {.id = mem_strdup(id),
                            .envelope_from = mem_strdup(from),
                            .envelope_to = mem_strdup(to),
                            .mail = STR_INIT};
    str_adds(&mail.mail, text);
    ck_ok(spool_stage(dir, &mail, &err), err);
    ck_ok(spool_promote(dir, id, &err), err);
    outgoing_release(&mail);
}

static void queue(const char *id, const char *from, const char *to)
{
    struct str text = STR_INIT;
    str_addf(&text,
             "From: orders@game.test\r\nTo: %s\r\nMessage-ID: <%s@game.test>\r\nSubject: %s\r\n\r\nhello\r\n",
             to, id, id);
    queue_text(id, from, to, text.p);
    str_release(&text);
}

static void send_all(const struct sink *sink, size_t sent, size_t later, size_t refused)
{
    struct err err = ERR_INIT;
    ck_ok(sink_send(sink, &(struct sink_round){.spool = dir, .now = 1700000000}, &counts, &err), err);
    ck_assert_msg(counts.sent == sent && counts.later == later && counts.refused == refused,
                  "%zu sent, %zu later, %zu refused", counts.sent, counts.later, counts.refused);
}

/* The run must end with this error and leave all mails where they are. */
static void ck_send_fails(const struct sink *sink, enum err_code code, const char *words)
{
    struct err err = ERR_INIT;
    struct spool_counts before;
    struct spool_counts after;
    ck_ok(spool_count(dir, &before, &err), err);
    ck_assert_int_eq(sink_send(sink, &(struct sink_round){.spool = dir, .now = 1700000000}, &counts, &err),
                     -1);
    ck_assert_msg(err.code == code && strstr(err.text, words), "code %d: %s", (int)err.code, err.text);
    err_clear(&err);
    ck_ok(spool_count(dir, &after, &err), err);
    ck_assert_uint_eq(before.waiting, after.waiting);
    ck_assert_uint_eq(after.retrying + after.failed, 0);
}

static char *why(const char *id)
{
    struct err err = ERR_INIT;
    struct str path = STR_INIT;
    struct str text = STR_INIT;
    str_addf(&path, "%s/failed/%s.why", dir, id);
    ck_ok(file_read(path.p, 10000, &text, &err), err);
    str_release(&path);
    return str_detach(&text);
}

/* Waits until a user has `count` mails and fetches them. */
static void receive(const char *user, struct incoming *mails, size_t count)
{
    struct err err = ERR_INIT;
    struct source *source = NULL;
    struct server server = servers_login(&servers, servers.imaps, TLS_IMPLICIT, user);
    size_t total = 0;
    size_t n;
    ck_ok(source_open_imap(&server, &(struct folders){"INBOX", {"Processed", "Rejected", "Failed"}}, 1000000,
                           &source, &err),
          err);
    for (int i = 0; i < 20 && total < count; i++) {
        ck_ok(source_fetch(source, mails + total, count - total, &n, &err), err);
        total += n;
        if (n == 0)
            ck_ok(source_wait(source, 1, NULL, &err), err);
    }
    ck_assert_uint_eq(total, count);
    source_close(source);
}

/* What fake.py printed so far; ends it. */
static size_t fake_mails(void)
{
    char line[64];
    size_t count = 0;
    (void)kill(fake.pid, SIGKILL);
    while (fgets(line, sizeof line, fake.out))
        count += strncmp(line, "mail ", 5) == 0;
    fake_stop(&fake);
    return count;
}

START_TEST(many_mails_over_several_connections)
{
    struct incoming mails[40];
    struct sink sink = to_port(servers.submission, TLS_STARTTLS);
    struct err err = ERR_INIT;
    if (!servers.submission)
        return;
    ck_ok(sink_check(&sink, &err), err);
    for (int i = 0; i < 40; i++) {
        char id[32];
        (void)snprintf(id, sizeof id, "gc-17.5.%d", i);
        queue(id, i % 2 ? "" : "bounces+x@game.test", "u1+tag@players.test");
    }
    send_all(&sink, 40, 0, 0);
    receive("u1", mails, 40);
    size_t null_senders = 0;
    for (size_t i = 0; i < 40; i++) {
        null_senders += str_starts(mails[i].raw.p, "Return-Path: <>");
        for (size_t j = 0; j < i; j++)
            ck_assert_str_ne(strstr(mails[i].raw.p, "\r\nMessage-ID:"),
                             strstr(mails[j].raw.p, "\r\nMessage-ID:"));
    }
    ck_assert_uint_eq(null_senders, 20);
    for (size_t i = 0; i < 40; i++)
        incoming_release(&mails[i]);
}
END_TEST

START_TEST(texts_arrive_unchanged)
{
    struct incoming mail;
    struct sink sink = to_port(servers.smtps, TLS_IMPLICIT);
    const char *body = "\r\n.\r\n..\r\n.x\r\nFrom here\r\n\r\n.\r\nthe end\r\n.\r\n";
    struct str text = STR_INIT;
    if (!servers.submission)
        return;
    str_addf(&text, "Subject: dots\r\n%s", body);
    queue_text("g.1.1", "", "u2@players.test", text.p);
    send_all(&sink, 1, 0, 0);
    receive("u2", &mail, 1);
    ck_assert(str_ends(mail.raw.p, body));
    incoming_release(&mail);
    str_release(&text);
}
END_TEST

START_TEST(answers_decide)
{
    struct err err = ERR_INIT;
    struct spool_list list;
    struct sink sink = to_port(servers.submission, TLS_STARTTLS);
    if (!servers.submission)
        return;
    queue("g.1.1", "", "alice@players.test");
    queue("g.1.2", "", "greylist@players.test");
    queue("g.1.3", "", "full@players.test");
    queue("g.1.4", "", "gone@players.test");
    queue("g.1.5", "", "nobody@players.test");
    queue("g.1.6", "", "a@b>\r\nDATA@players.test");
    queue("g.1.7", "", "bob@players.test");
    send_all(&sink, 2, 2, 3);
    char *text = why("g.1.4");
    ck_assert_msg(strstr(text, "550 5.1.6") && strstr(text, "moved"), "%s", text);
    free(text);
    text = why("g.1.5");
    ck_assert_msg(strstr(text, "550 5.1.1"), "%s", text);
    free(text);
    text = why("g.1.6");
    ck_assert_msg(strstr(text, "no mail address"), "%s", text);
    free(text);
    ck_ok(spool_due(dir, 1700000300, &list, &err), err);
    ck_assert_uint_eq(list.count, 2);
    ck_assert_str_eq(list.path[0], "wait/1700000300,1,g.1.2.eml");
    spool_list_free(&list);
    send_all(&sink, 0, 0, 0); /* not due yet */
}
END_TEST

START_TEST(a_bounce_comes_back)
{
    struct incoming mail;
    struct sink sink = to_port(servers.submission, TLS_STARTTLS);
    if (!servers.submission)
        return;
    queue("gc-17.6.1", "bounces+token@game.test", "bounce@players.test");
    send_all(&sink, 1, 0, 0);
    receive("orders", &mail, 1);
    ck_assert_ptr_nonnull(strstr(mail.raw.p, "message/delivery-status"));
    ck_assert_ptr_nonnull(strstr(mail.raw.p, "<gc-17.6.1@game.test>"));
    ck_assert_ptr_nonnull(strstr(mail.raw.p, "bounces+token@game.test"));
    incoming_release(&mail);
}
END_TEST

START_TEST(wrong_settings_stop_the_run)
{
    struct sink sink = to_port(servers.submission, TLS_STARTTLS);
    struct err err = ERR_INIT;
    if (!servers.submission)
        return;
    for (int i = 0; i < 5; i++) {
        char id[32];
        (void)snprintf(id, sizeof id, "g.1.%d", i);
        queue(id, "", "alice@players.test");
    }
    sink.smtp.password = "wrong";
    ck_send_fails(&sink, ERR_CONFIG, "refused the user \"orders\"");
    ck_assert_int_eq(sink_check(&sink, &err), -1);
    ck_assert_int_eq(err.code, ERR_CONFIG);
    sink.smtp.password = "secret";
    sink.smtp.ca_file = NULL;
    ck_send_fails(&sink, ERR_CONFIG, "set ca_file");
    sink.smtp.ca_file = servers.ca;
    sink.smtp.tls = TLS_IMPLICIT;
    ck_send_fails(&sink, ERR_CONFIG, "starttls");
    sink.smtp.port = 1;
    ck_send_fails(&sink, ERR_TEMP, "cannot reach localhost:1");
    /* Without a login the submission port relays nothing: that is each mail's own refusal. */
    sink = to_port(servers.smtp, TLS_STARTTLS);
    sink.smtp.user = NULL;
    send_all(&sink, 5, 0, 0);
}
END_TEST

static struct sink to_fake(const char *scenario)
{
    fake_start(&fake, &servers, scenario);
    struct sink sink = to_port(fake.port, TLS_IMPLICIT);
    sink.smtp.timeout = 2;
    sink.connections = 1;
    for (int i = 0; i < 5; i++) {
        char id[32];
        (void)snprintf(id, sizeof id, "g.1.%d", i);
        queue(id, "", "alice@players.test");
    }
    return sink;
}

START_TEST(servers_may_hang_up_between_mails)
{
    struct sink sink = to_fake("smtp_two_each");
    send_all(&sink, 5, 0, 0);
    ck_assert_uint_eq(fake_mails(), 5);
    sink = to_fake("smtp_two_each_421");
    send_all(&sink, 5, 0, 0);
    ck_assert_uint_eq(fake_mails(), 5);
}
END_TEST

/* Three mails to alice and two to bob, which leave one after the other for each. */
static struct sink in_rows(const char *scenario)
{
    static const char *const ids[] = {"g.8.1", "g.9.1", "g.10.1", "g.9.2", "g.10.2"};
    struct err err = ERR_INIT;
    fake_start(&fake, &servers, scenario);
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        struct outgoing mail = OUTGOING_INIT;
        mail.id = mem_strdup(ids[i]);
        mail.envelope_from = mem_strdup("");
        mail.envelope_to = mem_strdup(ids[i][strlen(ids[i]) - 1] == '1' ? "alice@x.test" : "bob@x.test");
        mail.ordered = true;
        str_addf(&mail.mail, "Message-ID: <%s@game.test>\r\n\r\nhello\r\n", ids[i]);
        ck_ok(spool_stage(dir, &mail, &err), err);
        ck_ok(spool_promote_mail(dir, &mail, &err), err);
        outgoing_release(&mail);
    }
    return to_port(fake.port, TLS_IMPLICIT);
}

/* The ids that the server took of mails to the seat with that ending, in its order. */
static void taken(const char *ending, struct str *ids)
{
    char line[200];
    (void)kill(fake.pid, SIGKILL);
    while (fgets(line, sizeof line, fake.out)) {
        if (!str_starts(line, "taken "))
            continue;
        char *id = line + strlen("taken "); /* and to whom, and a digest */
        id[strcspn(id, " \n")] = '\0';
        if (str_ends(id, ending))
            str_addf(ids, "%s%s", ids->len ? " " : "", id);
    }
}

START_TEST(a_server_that_greylists_gets_them_in_order)
{
    struct err err = ERR_INIT;
    struct str ids = STR_INIT;
    struct sink sink = in_rows("smtp_greylists");
    send_all(&sink, 0, 2, 0);
    ck_assert_uint_eq(counts.held, 3);
    send_all(&sink, 0, 0, 0);
    ck_assert_uint_eq(counts.held, 3);
    ck_ok(sink_send(&sink, &(struct sink_round){.spool = dir, .now = 1700000300}, &counts, &err), err);
    ck_assert_uint_eq(counts.sent, 5);
    ck_assert_uint_eq(counts.held, 0);
    taken(".1", &ids);
    ck_assert_str_eq(ids.p, "g.8.1 g.9.1 g.10.1");
    str_release(&ids);
    fake_stop(&fake);
}
END_TEST

START_TEST(a_text_that_is_put_off_holds_nobody)
{
    struct sink sink = in_rows("smtp_dislikes");
    send_all(&sink, 4, 1, 0);
    ck_assert_uint_eq(counts.held, 0);
    fake_stop(&fake);
}
END_TEST

START_TEST(a_lost_end_is_tried_later)
{
    struct sink sink = to_fake("smtp_lost");
    send_all(&sink, 0, 5, 0);
    fake_stop(&fake);
}
END_TEST

START_TEST(a_refused_text_is_refused)
{
    struct sink sink = to_fake("smtp_rejects_data");
    send_all(&sink, 0, 0, 5);
    char *text = why("g.1.3");
    ck_assert_str_eq(text, "554 5.6.0 not that text\n");
    free(text);
    fake_stop(&fake);
}
END_TEST

static size_t files(const char *folder)
{
    struct err err = ERR_INIT;
    struct file_names names;
    char *path = path_join(dir, folder);
    ck_ok(file_list(path, &names, &err), err);
    size_t count = names.count;
    file_names_free(&names);
    free(path);
    return count;
}

/* One sending at that time, which ends as the words say ("" = well). */
static void send_at(const struct sink *sink, int64_t now, const char *words)
{
    struct err err = ERR_INIT;
    int rc = sink_send(sink, &(struct sink_round){.spool = dir, .now = now}, &counts, &err);
    ck_assert_msg(rc == (*words ? -1 : 0) && strstr(err.text, words), "%d: %s", rc, err.text);
    ck_assert(!rc || err.code == ERR_TEMP);
    err_clear(&err);
}

/* No mail is given up, and the server is not asked before its time. */
START_TEST(a_limit_for_the_day_holds_all_mails)
{
    struct spool_pause pause;
    struct sink sink = to_fake("smtp_limited");
    send_at(&sink, 1700000000,
            "localhost takes none of our mails now (550 5.4.5 Daily user sending limit exceeded. For "
            "more information on limits go to https://limits.test/help - fake)");
    ck_assert_uint_eq(counts.sent, 2);
    ck_assert_uint_eq(files("new"), 3);
    ck_assert_uint_eq(files("wait") + files("failed"), 0);
    ck_assert(spool_paused(dir, &pause));
    ck_assert(pause.since == 1700000000 && pause.until == 1700000300);
    send_at(&sink, 1700000299, "");
    ck_assert(counts.paused == 3 && counts.sent == 0);
    send_at(&sink, 1700000300, "the next try is at 2023-11-14T22:28:20Z");
    ck_assert(spool_paused(dir, &pause));
    ck_assert(pause.since == 1700000000 && pause.until == 1700000900 && pause.tries == 2);
    send_at(&sink, 1700000899, "");
    send_at(&sink, 1700000900, "");
    ck_assert_uint_eq(counts.sent, 3);
    ck_assert(!spool_paused(dir, &pause));
    ck_assert_uint_eq(files("new") + files("wait") + files("failed"), 0);
    fake_stop(&fake);
}
END_TEST

START_TEST(all_connections_end_with_it)
{
    struct sink sink = to_fake("smtp_over");
    sink.connections = 8;
    for (int i = 0; i < 35; i++) {
        char id[32];
        (void)snprintf(id, sizeof id, "g.2.%d", i);
        queue(id, "", "bob@players.test");
    }
    send_at(&sink, 1700000000, "Daily user sending limit exceeded");
    ck_assert_uint_eq(counts.sent, 2);
    ck_assert_uint_eq(files("new"), 38);
    ck_assert_uint_eq(files("wait") + files("failed"), 0);
    fake_stop(&fake);
}
END_TEST

START_TEST(a_pause_by_a_wrong_clock_is_none)
{
    struct spool_pause pause = {0};
    struct err err = ERR_INIT;
    struct sink sink = to_fake("smtp_polite");
    ck_ok(spool_pause_on(dir, &pause, "550 5.4.5 no", 1800000000, &err), err);
    send_all(&sink, 5, 0, 0);
    ck_assert(!spool_paused(dir, &pause));
    fake_stop(&fake);
}
END_TEST

START_TEST(a_sender_that_is_refused_gives_up_no_mail)
{
    struct sink sink = to_fake("smtp_no_sender");
    ck_send_fails(&sink, ERR_TEMP, "553 not from there");
    fake_stop(&fake);
}
END_TEST

static struct sink to_picky(void)
{
    fake_start(&fake, &servers, "smtp_picky");
    struct sink sink = to_port(fake.port, TLS_IMPLICIT);
    sink.connections = 1;
    return sink;
}

START_TEST(each_mail_is_judged_by_what_the_refusal_is_about)
{
    struct sink sink = to_picky();
    queue("g.1.1", "", "p550_5.1.1@x.test");
    queue("g.1.2", "", "p552_5.2.2@x.test");
    queue("g.1.3", "", "t552_5.3.4@x.test");
    queue("g.1.4", "", "p550@x.test");
    queue("g.1.5", "", "t451_4.7.1@x.test");
    queue("g.1.6", "", "alice@x.test");
    send_all(&sink, 1, 2, 3);
    fake_stop(&fake);
}
END_TEST

/* Policy: put off, while others leave; when it was so often enough, it is this mail. */
START_TEST(an_unsure_refusal_of_one_mail)
{
    static const int64_t after[] = {0, 300, 900, 2100}; /* the tries */
    struct sink sink = to_picky();
    queue("g.1.1", "", "t554_5.7.1@x.test");
    for (size_t i = 0; i < 4; i++) {
        char id[32];
        (void)snprintf(id, sizeof id, "g.2.%zu", i);
        queue(id, "", "alice@x.test");
        send_at(&sink, 1700000000 + after[i], "");
        ck_assert_uint_eq(counts.sent, 1);
        ck_assert_uint_eq(counts.later, i < 3);
        ck_assert_uint_eq(counts.refused, i == 3);
    }
    char *text = why("g.1.1");
    ck_assert_msg(strstr(text, "554 5.7.1 no"), "%s", text);
    free(text);
    fake_stop(&fake);
}
END_TEST

/* Where nobody else's mail is taken there is nothing to tell by: it is tried for days. */
START_TEST(an_unsure_refusal_with_nothing_to_compare)
{
    struct sink sink = to_picky();
    sink.expire = 3 * 86400;
    queue("g.1.1", "", "p554_5.7.1@x.test");
    for (int64_t hour = 0; hour < 72; hour += 6) {
        send_at(&sink, 1700000000 + hour * 3600, "");
        ck_assert_uint_eq(files("failed"), 0);
    }
    send_at(&sink, 1700000000 + 73 * 3600, "");
    ck_assert_uint_eq(files("failed"), 2);
    fake_stop(&fake);
}
END_TEST

/* Three receivers in a row: it is not the mails. Those behind them are tried first when it goes on. */
START_TEST(unsure_refusals_of_many_mails)
{
    struct sink sink = to_picky();
    queue("g.1.1", "", "t554_5.7.1@x.test");
    queue("g.1.2", "", "t554_5.7.1@x.test"); /* the same receiver again says nothing new */
    queue("g.1.3", "", "t554_5.7.1@y.test");
    queue("g.1.4", "", "t550_5.7.0@x.test");
    queue("g.1.5", "", "alice@x.test");
    send_at(&sink, 1700000000, "takes none of our mails now (550 5.7.0 no)");
    ck_assert(counts.later == 4 && counts.sent == 0 && counts.refused == 0);
    ck_assert_uint_eq(files("new"), 1);
    send_at(&sink, 1700000300, "takes none of our mails now");
    ck_assert_uint_eq(counts.sent, 1);
    ck_assert_uint_eq(files("failed"), 0);
    fake_stop(&fake);
}
END_TEST

START_TEST(unwelcome_is_not_refused)
{
    struct sink sink = to_fake("smtp_unwelcome");
    ck_send_fails(&sink, ERR_TEMP, "your network is blocked");
    fake_stop(&fake);
}
END_TEST

START_TEST(authentication_answers)
{
    struct sink sink = to_fake("smtp_auth_busy");
    ck_send_fails(&sink, ERR_TEMP, "no login now");
    fake_stop(&fake);
    sink = to_fake("smtp_needs_auth");
    ck_send_fails(&sink, ERR_CONFIG, "530 5.7.0");
    fake_stop(&fake);
}
END_TEST

START_TEST(a_goodbye_is_not_waited_for)
{
    char line[64];
    struct sink sink = to_fake("smtp_no_goodbye");
    time_t from = time(NULL);
    send_all(&sink, 5, 0, 0);
    ck_assert_int_lt(time(NULL) - from, 3);
    for (int i = 0; i < 6; i++)
        ck_assert_ptr_nonnull(fgets(line, sizeof line, fake.out));
    ck_assert_str_eq(line, "quit seen\n");
    fake_stop(&fake);
}
END_TEST

START_TEST(no_password_in_plain_text)
{
    char line[64];
    struct sink sink = to_fake("smtp_plain");
    sink.smtp.tls = TLS_STARTTLS;
    ck_send_fails(&sink, ERR_CONFIG, "does not offer STARTTLS");
    (void)kill(fake.pid, SIGKILL);
    ck_assert_ptr_null(fgets(line, sizeof line, fake.out));
    fake_stop(&fake);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_unchecked_fixture(tc, start, stop);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, many_mails_over_several_connections);
    tcase_add_test(tc, texts_arrive_unchanged);
    tcase_add_test(tc, answers_decide);
    tcase_add_test(tc, a_bounce_comes_back);
    tcase_add_test(tc, wrong_settings_stop_the_run);
    tcase_add_test(tc, servers_may_hang_up_between_mails);
    tcase_add_test(tc, a_server_that_greylists_gets_them_in_order);
    tcase_add_test(tc, a_text_that_is_put_off_holds_nobody);
    tcase_add_test(tc, a_lost_end_is_tried_later);
    tcase_add_test(tc, a_refused_text_is_refused);
    tcase_add_test(tc, a_limit_for_the_day_holds_all_mails);
    tcase_add_test(tc, all_connections_end_with_it);
    tcase_add_test(tc, a_pause_by_a_wrong_clock_is_none);
    tcase_add_test(tc, a_sender_that_is_refused_gives_up_no_mail);
    tcase_add_test(tc, each_mail_is_judged_by_what_the_refusal_is_about);
    tcase_add_test(tc, an_unsure_refusal_of_one_mail);
    tcase_add_test(tc, an_unsure_refusal_with_nothing_to_compare);
    tcase_add_test(tc, unsure_refusals_of_many_mails);
    tcase_add_test(tc, unwelcome_is_not_refused);
    tcase_add_test(tc, authentication_answers);
    tcase_add_test(tc, a_goodbye_is_not_waited_for);
    tcase_add_test(tc, no_password_in_plain_text);
}
TEST_MAIN("mail/smtp", cases)
