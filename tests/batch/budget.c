/* Storms: what a sender can cost in answers. */
#include "house/house.h"

static struct house house;

static void begin(void)
{
    house_open(&house);
    house_player(&house, "anna");
    house_player(&house, "bob");
}

static void end(void)
{
    house_close(&house);
}

static int mails_to(const char *name)
{
    struct str text;
    int count = house_mails(&house, name, &text);
    str_release(&text);
    return count;
}

START_TEST(a_storm_from_one_player_ends_and_others_are_served)
{
    for (int i = 0; i < 1000; i++)
        (void)house_mail(&house, "anna", "help", "");
    (void)house_mail(&house, "bob", "help", "");
    ck_assert_int_eq(mails_to("anna"), 50);
    ck_assert_int_eq(mails_to("bob"), 1);
}
END_TEST

START_TEST(the_next_day_begins_anew)
{
    for (int i = 0; i < 60; i++)
        (void)house_mail(&house, "anna", "help", "");
    house.now += 86400;
    (void)house_mail(&house, "anna", "help", "");
    ck_assert_int_eq(mails_to("anna"), 51);
}
END_TEST

START_TEST(forged_mails_leave_the_answers_to_signed_ones)
{
    for (int i = 0; i < 100; i++)
        (void)house_mail(&house, "anna", "help", "");
    house_empty_spool(&house);
    (void)house_signed(&house, "anna", "anna", "#turnpost prefs\njson: yes\n#end\n");
    house_told(&house, "anna", 1, "Your settings");
}
END_TEST

START_TEST(strangers_have_little_each_and_a_limit_together)
{
    char name[16];
    for (int i = 0; i < 300; i++) {
        (void)snprintf(name, sizeof name, "stranger%d", i);
        (void)house_mail(&house, name, "help", "");
        (void)house_mail(&house, name, "help", "");
    }
    ck_assert_int_eq(mails_to("stranger0"), 2);
    ck_assert_int_eq(mails_to(NULL), 200);
    (void)house_mail(&house, "anna", "help", "");
    ck_assert_int_eq(mails_to("anna"), 1);
}
END_TEST

/* A program on the other side that answers every mail without saying that it is one. */
START_TEST(two_robots_stop_by_themselves)
{
    int answered = 0;
    (void)house_mail(&house, "anna", "help", "");
    for (int i = 0; i < 200 && mails_to("anna"); i++, answered++) {
        house_empty_spool(&house);
        (void)house_mail(&house, "anna", "Re: help", "Thank you for your mail, I am away.\r\n");
    }
    ck_assert_int_eq(answered, 50);
}
END_TEST

/* How many of five new signed texts of Anna's are answered, of which she has five. */
static int own_answers(void)
{
    int count = 0;
    char text[64];
    for (int i = 0; i < 5; i++) {
        house_empty_spool(&house);
        (void)snprintf(text, sizeof text, "#turnpost prefs\nseq: %d\njson: %s\n#end\n", 100 + i,
                       i % 2 ? "no" : "yes");
        (void)house_signed(&house, "anna", "anna", text);
        count += mails_to("anna");
    }
    return count;
}

static void few_replies(void)
{
    house_option(&house, "[limits]", "replies_per_day = 5");
    house_restart(&house);
}

/* Somebody who has seen it sends it in, in her name and in their own. */
static void replayed(const char *text, int times)
{
    for (int i = 0; i < times; i++)
        (void)house_signed(&house, i % 2 ? "anna" : "mallory", "anna", text);
}

START_TEST(texts_that_come_again_are_charged_elsewhere)
{
    few_replies();
    (void)house_signed(&house, "anna", "anna",
                       "#turnpost vacation\ndate: 2026-11-20\nfrom: 2026-12-20\nto: 2026-12-27\n#end\n");
    house_empty_spool(&house);
    replayed("#turnpost vacation\ndate: 2026-11-20\nfrom: 2026-12-20\nto: 2026-12-27\n#end\n", 1000);
    ck_assert_int_eq(mails_to("anna"), house.league.config.limits.replies_per_day);
    house.now += 86400;
    house_empty_spool(&house);
    replayed("#turnpost vacation\ndate: 2026-11-20\nfrom: 2026-12-20\nto: 2026-12-27\n#end\n", 100);
    ck_assert_int_eq(mails_to("anna"), house.league.config.limits.replies_per_day);
    ck_assert_int_eq(own_answers(), 5);
}
END_TEST

START_TEST(so_are_orders_of_turns_that_are_played)
{
    static const char *const table[] = {"anna", "bob"};
    char text[80];
    few_replies();
    house_game(&house, "gc-1", "galaxy-command", 86400, 2, table);
    for (int turn = 1; turn <= 3; turn++) {
        (void)snprintf(text, sizeof text, "#turnpost orders\ngame: gc-1\nturn: %d\npass\n#end\n", turn);
        (void)house_signed(&house, "anna", "anna", text);
        (void)house_signed(&house, "bob", "bob", text);
    }
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 4);
    house_empty_spool(&house);
    for (int turn = 1; turn <= 3; turn++) {
        (void)snprintf(text, sizeof text, "#turnpost orders\ngame: gc-1\nturn: %d\npass\n#end\n", turn);
        replayed(text, 30);
    }
    replayed("#turnpost orders\ngame: gc-2\nturn: 1\npass\n#end\n", 30);
    replayed("#turnpost orders\ngame: gc-1\nturn: 4\ntry\npass\n#end\n", 30);
    ck_assert_int_le(mails_to("anna"), house.league.config.limits.replies_per_day + 1);
    house_empty_spool(&house);
    ck_assert_int_ge(own_answers(), 4); /* the dry run was new when it came first */
}
END_TEST

START_TEST(so_are_mails_from_elsewhere)
{
    char text[64];
    few_replies();
    for (int i = 0; i < 100; i++) {
        (void)snprintf(text, sizeof text, "#turnpost prefs\nseq: %d\nnonsense: %d\n#end\n", i + 1, i);
        (void)house_signed(&house, "mallory", "anna", text);
    }
    ck_assert_int_eq(mails_to("anna"), house.league.config.limits.replies_per_day);
    ck_assert_int_eq(own_answers(), 5);
}
END_TEST

/* Somebody names her key under nonsense. */
START_TEST(so_are_signatures_that_are_none)
{
    struct str body = STR_INIT;
    few_replies();
    house_sign(&house, "anna", "#turnpost prefs\njson: yes\n#end\n", &body);
    *strstr(body.p, "yes") = 'Y';
    for (int i = 0; i < 100; i++)
        (void)house_mail(&house, "mallory", "orders", body.p);
    ck_assert_int_eq(mails_to("anna"), house.league.config.limits.replies_per_day);
    ck_assert_int_eq(mails_to("mallory"), house.league.config.limits.stranger_replies);
    house_empty_spool(&house);
    (void)house_mail(&house, "anna", "help", "");
    ck_assert_int_eq(mails_to("anna"), 1);
    str_release(&body);
}
END_TEST

/* ---- how much ---- */

/* A mail of a few bytes, the answer's bytes on their way out, and whether the words are in it. */
static size_t answer_size(const char *from, const char *top, const char *subject, const char *words,
                          bool *there)
{
    struct err err = ERR_INIT;
    struct spool_list list;
    struct str raw = STR_INIT;
    size_t size = 0;
    house_empty_spool(&house);
    str_addf(&raw,
             "%sFrom: %s@example.net\r\nSubject: %s\r\nMessage-ID: <%d@example.net>\r\nReferences: "
             "<0-free-words@x.y> "
             "<1-free-words@x.y>\r\n\r\n.",
             top, from, subject, ++house.mails);
    (void)house_raw(&house, slice_str(&raw));
    ck_ok(spool_due(house.batch.spool, house.now, &list, &err), err);
    *there = false;
    for (size_t i = 0; i < list.count; i++) {
        struct outgoing mail;
        ck_ok(spool_load(house.batch.spool, list.path[i], &mail, &err), err);
        size += mail.mail.len;
        *there |= strstr(mail.mail.p, words) != NULL;
        outgoing_release(&mail);
    }
    spool_list_free(&list);
    str_release(&raw);
    ck_assert_uint_gt(size, 0);
    return size;
}

#define VOUCHED "Authentication-Results: mx.example.org; dmarc=pass header.from=example.net\r\n"

START_TEST(answers_to_forged_mails_are_small_and_repeat_little)
{
    static const char *const asks[] = {"rules galaxy-farmer",
                                       "rules galactic-supremacy",
                                       "help galactic-supremacy",
                                       "help",
                                       "register",
                                       "games",
                                       "press",
                                       "nonsense"};
    bool there;
    house_option(&house, "[incoming]", "authserv = mx.example.org");
    house_restart(&house);
    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
        char from[32];
        (void)snprintf(from, sizeof from, "someone%zu", i);
        ck_assert_uint_lt(answer_size(from, "", asks[i], "free-words", &there), 3500);
        ck_assert(!there);
        ck_assert_uint_lt(answer_size("anna", "", asks[i], "free-words", &there), 3500);
        ck_assert(!there);
    }
    ck_assert_uint_gt(answer_size("anna", VOUCHED, "rules galaxy-farmer", "free-words", &there), 10000);
    ck_assert(there);
    (void)answer_size("victim", "", "Buy at once!", "Buy at once", &there);
    ck_assert(!there);
    (void)answer_size("anna", "", "a subject of more than sixty bytes, which are too many for us all to bear",
                      "Re: a subject", &there);
    ck_assert(there);
    (void)answer_size("anna", "", "a subject of more than sixty bytes, which are too many for us all to bear",
                      "bear", &there);
    ck_assert(!there);
}
END_TEST

/* A text is a record, of which all at the table are told: a player may send only so many of them a day. */
START_TEST(texts_about_a_game_have_an_end)
{
    static const char *const table[] = {"bob", NULL, NULL};
    char text[80];
    house_game(&house, "gc-1", "galaxy-command", 86400, 3, table);
    house_empty_spool(&house);
    for (int i = 0; i < 60; i++) {
        (void)snprintf(text, sizeof text, "#turnpost %s\ngame: gc-1\nseq: %d\n#end\n",
                       i % 2 ? "leave" : "join", i + 1);
        (void)house_signed(&house, "anna", "anna", text);
    }
    ck_assert_int_eq(mails_to("bob"), 20);
    ck_assert_int_le(house_find(&house, "gc-1")->seq, 22);
    house.now += 86400;
    house_empty_spool(&house);
    (void)house_signed(&house, "anna", "anna", "#turnpost join\ngame: gc-1\nseq: 99\n#end\n");
    ck_assert_int_eq(mails_to("bob"), 1);
}
END_TEST

static int answers_to(const char *name, const char *field)
{
    struct str raw = STR_INIT;
    house_empty_spool(&house);
    str_addf(&raw,
             "From: %s@example.net\r\nTo: " HOUSE_ADDRESS
             "\r\nSubject: help\r\nMessage-ID: <%d@example.net>\r\n%s\r\n",
             name, ++house.mails, field);
    (void)house_raw(&house, slice_str(&raw));
    str_release(&raw);
    return mails_to(name);
}

/* What a player's address is called makes no machine of them; what the mail says of itself does. */
START_TEST(players_who_are_called_like_machines)
{
    static const char *const names[] = {"owner-anna", "dog-owner", "song-request", "noreply-carol",
                                        "bounce-dora"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        house_player(&house, names[i]);
        ck_assert_msg(answers_to(names[i], "") == 1, "%s is not answered", names[i]);
        ck_assert_int_eq(answers_to(names[i], "Auto-Submitted: auto-replied\r\n"), 0);
        ck_assert_int_eq(answers_to(names[i], "Return-Path: <>\r\n"), 0);
        ck_assert_int_eq(answers_to(names[i], "Precedence: bulk\r\n"), 0);
        (void)house_signed(&house, names[i], names[i], "#turnpost prefs\njson: yes\n#end\n");
        house_told(&house, names[i], 1, "Your settings");
    }
    ck_assert_int_eq(answers_to("news-noreply-de", ""), 0);
    ck_assert_int_eq(answers_to("cat-owner", ""), 1);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, a_storm_from_one_player_ends_and_others_are_served);
    tcase_add_test(tc, the_next_day_begins_anew);
    tcase_add_test(tc, texts_about_a_game_have_an_end);
    tcase_add_test(tc, forged_mails_leave_the_answers_to_signed_ones);
    tcase_add_test(tc, strangers_have_little_each_and_a_limit_together);
    tcase_add_test(tc, two_robots_stop_by_themselves);
    tcase_add_test(tc, texts_that_come_again_are_charged_elsewhere);
    tcase_add_test(tc, so_are_orders_of_turns_that_are_played);
    tcase_add_test(tc, so_are_mails_from_elsewhere);
    tcase_add_test(tc, so_are_signatures_that_are_none);
    tcase_add_test(tc, players_who_are_called_like_machines);
    tcase_add_test(tc, answers_to_forged_mails_are_small_and_repeat_little);
}
TEST_MAIN("batch/budget", cases)
