/* One mail a day for many: what waits and what does not, what the digest holds, and what a crash leaves. */
#include "batch/digest.h"

#include "house/clock.h"

#define SEVEN (HOUSE_NOON + 19 * HOUR) /* 07:00 UTC on the next day */

static void start(void)
{
    begin();
    (void)house_signed(&house, "anna", "anna", "#turnpost prefs\ndigest: yes\n#end\n");
    told_all("anna", 1, "one mail a day for many");
}

static void game_of(const char *id, int seats)
{
    house_game(&house, id, "galaxy-command", 0, seats, players);
}

static void play(const char *name, const char *id, int turn)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost orders\ngame: %s\nturn: %d\nbide\n#end\n", id, turn);
    ck_assert_int_eq(house_signed(&house, name, name, text.p), INTAKE_PROCESSED);
    str_release(&text);
}

static void send_at(int64_t now)
{
    struct err err = ERR_INIT;
    house.now = house.batch.now = now;
    ck_ok(digest_send(&house.batch, &err), err);
}

static size_t waiting(void)
{
    struct err err = ERR_INIT;
    struct spool_counts counts;
    ck_ok(spool_count(house.batch.spool, &counts, &err), err);
    return counts.digest;
}

/* The only mail that may be sent, as it is in the spool. */
static void only_mail(struct outgoing *mail)
{
    struct err err = ERR_INIT;
    struct spool_list list;
    ck_ok(spool_due(house.batch.spool, house.now, &list, &err), err);
    ck_assert_uint_eq(list.count, 1);
    ck_ok(spool_load(house.batch.spool, list.path[0], mail, &err), err);
    league_log_complete(house.batch.tlog, &mail->mail);
    spool_list_free(&list);
}

/* How many proofs are in the attachment of the only mail that may be sent. */
static int proofs(void)
{
    struct err err = ERR_INIT;
    struct outgoing mail;
    struct message msg;
    int count = 0;
    only_mail(&mail);
    ck_ok(message_parse(slice_str(&mail.mail), &message_limits_default, &(struct message_identity){0}, &msg,
                        &err),
          err);
    const struct message_part *last = &msg.parts[msg.part_count - 1];
    ck_assert_str_eq(last->name, "proof.txt");
    for (const char *at = last->shown.p; (at = strstr(at, "-----BEGIN TURNPOST PROOF")) != NULL; at++)
        count++;
    message_release(&msg);
    outgoing_release(&mail);
    return count;
}

/* ---- what waits ---- */

START_TEST(reports_wait_until_the_hour)
{
    struct str text;
    start();
    game_of("gc-1", 2);
    game_of("gc-2", 2);
    ck_assert_uint_eq(waiting(), 2); /* the welcomes */
    told("anna", 0, NULL);
    told_all("bob", 2, "has begun");
    play("anna", "gc-1", 1);
    told_all("anna", 1, "We have your"); /* a receipt comes at once */
    play("bob", "gc-1", 1);
    told_all("bob", 1, "WHAT HAPPENED IN TURN 1"); /* the receipt as well */
    ck_assert_uint_eq(waiting(), 3);
    house_restart(&house);
    send_at(SEVEN - 1);
    told("anna", 0, NULL);
    ck_assert_uint_eq(waiting(), 3);
    send_at(SEVEN);
    ck_assert_uint_eq(waiting(), 0);
    ck_assert_int_eq(house_mails(&house, "anna", &text), 1);
    ck_assert(strncmp(text.p, "Subject: Orion League: 3 mails in one\n", 38) == 0);
    ck_assert_int_eq(proofs(), 4); /* two deals; the close and the turn of a report */
    ck_assert_ptr_null(strstr(text.p, PROOF_PLACE));
    const char *first = strstr(text.p, "1 of 3: [gc-1] The game has begun");
    const char *second = strstr(text.p, "2 of 3: [gc-1] ");
    const char *third = strstr(text.p, "3 of 3: [gc-2] The game has begun");
    ck_assert(first && second && third && first < second && second < third);
    str_release(&text);
    house_empty_spool(&house);
    send_at(SEVEN);
    told(NULL, 0, NULL);
}
END_TEST

START_TEST(what_his_own_mail_leads_to_comes_at_once)
{
    start();
    game_of("gc-1", 2);
    play("bob", "gc-1", 1);
    house_empty_spool(&house);
    play("anna", "gc-1", 1); /* the last one awaited */
    told("anna", 1, "WHAT HAPPENED IN TURN 1");
    told_all("bob", 1, "WHAT HAPPENED IN TURN 1");
    ck_assert_uint_eq(waiting(), 1); /* the welcome */
}
END_TEST

START_TEST(nothing_waits_that_would_be_late)
{
    start();
    clock_of.length = 30 * HOUR; /* 11 hours after the next digest */
    game_of("gc-1", 2);
    told_all("anna", 1, "has begun");
    clock_of.length = 32 * HOUR;
    game_of("gc-2", 2);
    told_all("anna", 0, NULL);
    ck_assert_uint_eq(waiting(), 1);
    house_clock(&house, HOUSE_NOON + 15 * HOUR); /* the middle: reminders of both, by the league's 24 hours */
    told_all("anna", 1, "[gc-1] Reminder");
    house_clock(&house, HOUSE_NOON + 16 * HOUR);
    told_all("anna", 0, NULL); /* 32 hours is 13 after the digest: with it */
    ck_assert_uint_eq(waiting(), 2);
    send_at(SEVEN);
    told_all("anna", 1, "2 of 2: [gc-2] Reminder");
}
END_TEST

START_TEST(messages_wait_and_game_over)
{
    start();
    game_of("gc-1", 2);
    (void)house_signed(&house, "bob", "bob",
                       "#turnpost press\ngame: gc-1\nturn: 1\nto: anna\nPeace?\n#end\n");
    (void)house_signed(&house, "bob", "bob", "#turnpost resign\ngame: gc-1\n#end\n");
    ck_assert_uint_ge(waiting(), 2);
    house_empty_spool(&house);
    send_at(SEVEN);
    told_all("anna", 1, "A message from bob");
}
END_TEST

/* ---- preferences ---- */

START_TEST(the_hour_is_his_own)
{
    start();
    (void)house_signed(&house, "anna", "anna", "#turnpost prefs\ndigest: 18:00\nzone: Asia/Kolkata\n#end\n");
    told_all("anna", 1, "18:00  ");
    game_of("gc-1", 2);
    game_of("gc-2", 2);
    house_empty_spool(&house);
    send_at(HOUSE_NOON + 30 * 60 - 1); /* 12:30 UTC */
    told("anna", 0, NULL);
    send_at(HOUSE_NOON + 30 * 60);
    told_all("anna", 1, "2 mails in one");
    static const struct {
        const char *line, *words;
    } bad[] = {{"digest: 24", "from 0:00 to 23:00"},
               {"digest: 15:39", "full hours only: put in \"digest: 15:00\" or \"digest: 16:00\""},
               {"digest: 7.30", "\"digest: 7:00\" or \"digest: 8:00\""},
               {"digest: 23:59", "\"digest: 23:00\" or \"digest: 0:00\""},
               {"digest: 07:00:00", "the full hour at which"},
               {"digest: 7:60", "the full hour at which"},
               {"digest: -1", "the full hour at which"},
               {"digest: often", "takes yes, no, or the full hour"},
               {"digest:", "takes yes, no, or the full hour"},
               {"reminder: 15:39", "takes no, or a number from 0 to 336: full hours before the deadline"},
               {"reminder: 24h", "as in \"reminder: 24\""}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct str text = STR_INIT, mails;
        str_addf(&text, "#turnpost prefs\n%s\n#end\n", bad[i].line);
        (void)house_signed(&house, "anna", "anna", text.p);
        ck_assert_int_eq(house_mails(&house, "anna", &mails), 1);
        ck_assert_msg(house_says(mails.p, bad[i].words), "%s: told\n%s", bad[i].line, mails.p);
        str_release(&mails);
        house_empty_spool(&house);
        str_release(&text);
    }
    house_restart(&house);
    ck_assert_int_eq(registry_find(&house.batch.registry, "anna")->digest_hour, 18);
}
END_TEST

START_TEST(without_digest_they_come_one_by_one)
{
    start();
    game_of("gc-1", 2);
    game_of("gc-2", 2);
    (void)house_signed(&house, "anna", "anna", "#turnpost prefs\ndigest: no\n#end\n");
    house_empty_spool(&house);
    send_at(HOUSE_NOON + 1);
    told_all("anna", 2, "[gc-2] The game has begun");
    ck_assert_uint_eq(waiting(), 0);
    game_of("gc-3", 2);
    told_all("anna", 1, "[gc-3] The game has begun");
}
END_TEST

START_TEST(one_alone_leaves_as_it_is)
{
    struct outgoing mail;
    start();
    game_of("gc-1", 2);
    house_empty_spool(&house);
    send_at(SEVEN);
    only_mail(&mail);
    ck_assert(strncmp(mail.id, "gc-1.", 5) == 0);
    outgoing_release(&mail);
    told_all("anna", 1, "[gc-1] The game has begun");
}
END_TEST

START_TEST(it_goes_to_his_present_address)
{
    struct err err = ERR_INIT;
    struct outgoing mail;
    start();
    game_of("gc-1", 2);
    house_empty_spool(&house);
    struct player anna = *registry_find(&house.batch.registry, "anna");
    (void)snprintf(anna.address, sizeof anna.address, "anna@elsewhere.test");
    struct registry_change change = {.what = "address", .player = &anna};
    ck_ok(batch_change(&house.batch, &change, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    send_at(SEVEN);
    only_mail(&mail);
    ck_assert_str_eq(mail.envelope_to, "anna@elsewhere.test");
    ck_assert(strncmp(mail.id, "digest.anna.m", 13) == 0);
    ck_assert_ptr_nonnull(strstr(mail.mail.p, "To: anna <anna@elsewhere.test>"));
    outgoing_release(&mail);
    ck_assert_uint_eq(waiting(), 0);
}
END_TEST

START_TEST(pages_and_tables_are_in_it)
{
    struct outgoing mail;
    start();
    (void)house_signed(&house, "anna", "anna", "#turnpost prefs\nhtml: yes\njson: yes\n#end\n");
    game_of("gc-1", 2);
    game_of("gc-2", 2);
    (void)house_signed(&house, "bob", "bob",
                       "#turnpost press\ngame: gc-1\nturn: 1\nto: anna\nA < B & C\n#end\n");
    house_empty_spool(&house);
    send_at(SEVEN);
    only_mail(&mail);
    struct message msg;
    struct err err = ERR_INIT;
    ck_ok(message_parse(slice_str(&mail.mail), &message_limits_default, &(struct message_identity){0}, &msg,
                        &err),
          err);
    ck_assert_uint_eq(msg.part_count, 5);
    ck_assert_str_eq(msg.parts[1].type, "text/html");
    const char *page = msg.parts[1].exact.p;
    ck_assert_ptr_nonnull(strstr(page, "A &lt; B &amp; C"));
    ck_assert_ptr_null(strstr(strstr(page, "<body") + 1, "<body"));
    ck_assert_ptr_null(strstr(page, "BEGIN SSH"));
    ck_assert_int_eq(strncmp(msg.parts[2].name, "view-gc-1.", 10), 0);
    ck_assert_int_eq(strncmp(msg.parts[3].name, "view-gc-2.", 10), 0);
    ck_assert_str_eq(msg.parts[4].name, "proof.txt");
    message_release(&msg);
    outgoing_release(&mail);
}
END_TEST

/* ---- crashes and damage ---- */

/* The digest is in new/, what it gathers was not removed any more. */
START_TEST(a_crash_behind_the_promotion)
{
    struct outgoing first, second;
    start();
    game_of("gc-1", 2);
    game_of("gc-2", 2);
    house_empty_spool(&house);
    house_shell(&house, "cd spool && cp -a digest ../saved");
    send_at(SEVEN);
    only_mail(&first);
    house_shell(&house, "cd spool && rm -rf digest && cp -a ../saved digest");
    ck_assert_uint_eq(waiting(), 2);
    house_restart(&house);
    ck_assert_uint_eq(waiting(), 0);
    house_shell(&house,
                "cd spool && rm -rf digest && cp -a ../saved digest"); /* the same within one process */
    send_at(SEVEN);
    ck_assert_uint_eq(waiting(), 0);
    only_mail(&second);
    ck_assert_str_eq(first.id, second.id);
    /* Before the promotion: it is made again under the same id. */
    house_shell(
        &house,
        "cd spool && rm -rf digest new/* && cp -a ../saved digest && touch tmp/digest.anna.m0123456789.eml");
    outgoing_release(&second);
    house_restart(&house);
    house_shell(&house, "cd spool && test -z \"$(ls tmp)\"");
    send_at(SEVEN + 60);
    only_mail(&second);
    ck_assert_str_eq(first.id, second.id);
    outgoing_release(&first);
    outgoing_release(&second);
}
END_TEST

START_TEST(staged_mails_find_their_way)
{
    start();
    game_of("gc-1", 2);
    house_empty_spool(&house);
    house_shell(&house, "cd spool && mv digest/*.eml tmp/ && sed 's/gc-1/gc-1/' tmp/*.eml > "
                        "tmp/1795240800,anna,gc-1.99.1.eml");
    house_restart(&house); /* one of a record that is there, one of a record that is not */
    ck_assert_uint_eq(waiting(), 1);
    house_shell(&house, "cd spool && test -z \"$(ls tmp)\"");
}
END_TEST

START_TEST(a_damaged_mail_does_not_keep_the_others)
{
    start();
    game_of("gc-1", 2);
    game_of("gc-2", 2);
    game_of("gc-3", 2);
    house_empty_spool(&house);
    house_shell(&house, "cd spool && for f in digest/*gc-2*; do echo nonsense > $f; done");
    send_at(SEVEN);
    ck_assert_uint_eq(waiting(), 0);
    house_shell(&house,
                "cd spool && ls new/gc-2.* new/digest.anna.m* > /dev/null && test $(ls new | wc -l) = 2");
}
END_TEST

START_TEST(many_make_several)
{
    start();
    for (int i = 0; i < 4; i++) {
        char id[8];
        (void)snprintf(id, sizeof id, "gc-%d", i);
        game_of(id, 2);
    }
    house_empty_spool(&house);
    house_shell(&house, "cd spool && f=$(echo digest/*gc-0*); for i in $(seq 100 156); do cp $f "
                        "${f%%gc-0*}gc-0.$i.1.eml; done");
    ck_assert_uint_eq(waiting(), 61);
    send_at(SEVEN);
    told_all("anna", 2, "21 mails in one");
}
END_TEST

START_TEST(somebody_who_is_gone)
{
    struct err err = ERR_INIT;
    start();
    game_of("gc-1", 2);
    house_empty_spool(&house);
    struct registry_change change = {.what = "remove", .removed = "anna"};
    ck_ok(batch_change(&house.batch, &change, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    send_at(HOUSE_NOON + 1);
    ck_assert_uint_eq(waiting(), 0);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, NULL, end);
    tcase_add_test(tc, reports_wait_until_the_hour);
    tcase_add_test(tc, what_his_own_mail_leads_to_comes_at_once);
    tcase_add_test(tc, nothing_waits_that_would_be_late);
    tcase_add_test(tc, messages_wait_and_game_over);
    tcase_add_test(tc, the_hour_is_his_own);
    tcase_add_test(tc, without_digest_they_come_one_by_one);
    tcase_add_test(tc, one_alone_leaves_as_it_is);
    tcase_add_test(tc, it_goes_to_his_present_address);
    tcase_add_test(tc, pages_and_tables_are_in_it);
    tcase_add_test(tc, a_crash_behind_the_promotion);
    tcase_add_test(tc, staged_mails_find_their_way);
    tcase_add_test(tc, a_damaged_mail_does_not_keep_the_others);
    tcase_add_test(tc, many_make_several);
    tcase_add_test(tc, somebody_who_is_gone);
}

TEST_MAIN("batch/digest", cases)
