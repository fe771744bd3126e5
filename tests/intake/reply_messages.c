/* Messages, wishes and requests that players without keys type into answers. */
#include "house/reported.h"

/* What one asks for in a mail of its own is typed into answers, too. */
START_TEST(requests_are_heard_in_answers)
{
    static const struct {
        const char *typed, *words;
    } requests[] = {{"Games!", "What can be played"},
                    {"observe gc-1, please", "Do you want to watch gc-1"},
                    {"join gc-99", "no game \"gc-99\""}};
    (void)answer(&honest, requests[_i].typed);
    told(0, 1, requests[_i].words);
    ck_assert(!is_in());
}
END_TEST

static const struct player *anna(void)
{
    return registry_find(&house.batch.registry, "anna");
}

/* What cannot be done is said in the form in which it is typed. */
static void not_done(const char *typed, const char *words)
{
    struct str mails;
    (void)answer(&honest, typed);
    ck_assert_int_eq(house_mails(&house, NULL, &mails), 1);
    ck_assert_msg(house_says(mails.p, words), "not told \"%s\" but:\n%s", words, mails.p);
    ck_assert_ptr_null(strstr(mails.p, "#turnpost"));
    ck_assert_ptr_null(strstr(mails.p, "othing has been changed"));
    str_release(&mails);
    house_empty_spool(&house);
}

/* Of an answer to such an answer, too, the subject says it once. */
START_TEST(not_done_is_said_once)
{
    (void)answer(&(struct form){.subject = "Re: Not done: Re: Not done: [gc-1] Turn is played"},
                 "join gc-99");
    told(0, 1, "Subject: Not done: [gc-1] Turn is played");
}
END_TEST

START_TEST(messages_are_sent)
{
    (void)answer(&honest, "press bob: Shall we?");
    told(1, 2, "Shall we?");
    (void)answer(&honest, "press bob: Shall we?");
    told(1, 2, "Shall we?");
    ck_assert(!is_in());
    (void)answer(&honest, "explore near\r\nPress bob: Now, and\r\npress all: to you all");
    ck_assert(is_in());
    told(2, 5, "to you all");
}
END_TEST

/* A message is answered when the turn is over: nothing about it depends on the turn. */
START_TEST(messages_outlive_their_turn)
{
    char late[REPLY_TOKEN_TEXT];
    struct reply_place place = place_of(house_find(&house, "gc-1"));
    reply_token(late, house.league.master, REPLY_WORD_TOKEN, &place);
    house_clock(&house, house.now + 2 * 86400);
    house_empty_spool(&house);
    domain.signs_to = true; /* else anybody could send in what she has written to others */
    (void)answer(&(struct form){.token = late}, "press bob: good idea\r\n\r\nAnna");
    told(1, 2, "good idea");
    (void)answer(&(struct form){.token = late}, "that is a good idea\r\n\r\nAnna");
    told(0, 1, "\"press bob: Shall we?\"");
    (void)answer(&(struct form){.token = late}, "explore near\r\npress bob: and another one");
    told(1, 3, "and another one"); /* and that the order was late: the report came before */
    ck_assert(!is_in());
    (void)audited(house.batch.store, "gc-1", true);
}
END_TEST

/* The orders of the mail end the turn: all else is of the turn that the mail names, and the audit says so. */
START_TEST(other_lines_with_orders_that_end_the_turn)
{
    static const char *const typed[] = {"explore near\r\npress bob: Shall we?", "extend 24\r\nexplore near"};
    struct err err = ERR_INIT;
    struct str journal = STR_INIT;
    struct audit_result result;
    (void)house_signed(&house, "bob", "bob", "#turnpost orders\ngame: gc-1\nturn: 1\nexplore near\n#end\n");
    (void)answer(&honest, typed[_i]);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 2);
    ck_ok(store_read(house.batch.store, "gc-1", STORE_BEGIN, &journal, &err), err);
    ck_assert_ptr_nonnull(strstr(journal.p, _i ? "\"vote\"" : "\"press\""));
    audited_bytes(slice_str(&journal), house.league.master, &result);
    ck_assert_msg(result.verdict != AUDIT_REFUTED, "%s", result.first.text);
    str_release(&journal);
}
END_TEST

/* What is refused is told beside what is done, and nothing is said to be unchanged that is not. */
START_TEST(a_message_is_refused_beside_others)
{
    (void)answer(&honest, "press bob: Hello\r\npress carl: Hello\r\nexplore near");
    ck_assert(is_in());
    told(1, 4, "Your message was not sent");
}
END_TEST

/* "ok" counts beside a message to nobody, and no mail says that nothing has been changed. */
START_TEST(a_message_is_refused_beside_ok)
{
    struct str mails;
    (void)answer(&honest, "ok\r\npress carl: Hello");
    ck_assert(is_in());
    ck_assert_int_eq(house_mails(&house, NULL, &mails), 2);
    ck_assert(house_says(mails.p, "Your message was not sent"));
    ck_assert_msg(!house_says(mails.p, "othing has been changed"), "%s", mails.p);
    str_release(&mails);
}
END_TEST

/* Nothing of it is sent when the rest is asked back, or when it could be read as more than words. */
START_TEST(messages_that_are_not_sent)
{
    static const char *const typed[] = {
        "Build trust with bob\r\npress bob: Hello", "press bob: from: nobody",   "press bob: #end",
        "press bob: hello\r\nwhat else?",           "press bob: > from: nobody", "press bob: > #end"};
    (void)answer(&honest, typed[_i]);
    told(0, 1, "othing has");
    ck_assert(!is_in());
}
END_TEST

/* Nor is it said of it that nothing was done, where something was. */
START_TEST(a_message_that_cannot_be_written)
{
    (void)answer(&honest, "press bob: Re: your offer\r\npress bob: Yes!\r\nexplore near");
    ck_assert_str_eq(orders_now(), "explore near\n");
    struct str mails;
    ck_assert_int_eq(house_mails(&house, "bob", &mails), 1);
    ck_assert(house_says(mails.p, "Yes!") && !house_says(mails.p, "offer"));
    str_release(&mails);
    ck_assert_int_eq(house_mails(&house, NULL, &mails), 3); /* her press is confirmed, too */
    ck_assert(house_says(mails.p, "Not read in your mail: \"press bob: Re: your offer\""));
    ck_assert(!house_says(mails.p, "othing has"));
    str_release(&mails);
    house_empty_spool(&house);
    (void)answer(&honest, "press bob: Re: your offer");
    told(0, 1, "A message cannot begin like that");
}
END_TEST

/* What is about the open turn comes before the orders that end it. */
START_TEST(a_turn_is_extended_before_it_is_played)
{
    struct err err = ERR_INIT;
    struct str journal = STR_INIT;
    (void)house_signed(&house, "bob", "bob", "#turnpost orders\ngame: gc-1\nturn: 1\nexplore near\n#end\n");
    (void)answer(&honest, "explore near\r\nextend 24");
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 2);
    ck_ok(store_read(house.batch.store, "gc-1", STORE_BEGIN, &journal, &err), err);
    const char *vote = strstr(journal.p, "\"kind\":\"vote\"");
    ck_assert_msg(vote && vote < strstr(journal.p, "\"type\":\"turn\""), "no vote before the turn");
    str_release(&journal);
}
END_TEST

/* What telephones make of quotes and dashes, and what looks quoted, stands in the text in its canonical form: its
 * audit finds nothing wrong. */
START_TEST(messages_are_canonical)
{
    static const char *const typed[] = {"press bob: Let\xE2\x80\x99s go \xE2\x80\x93 now",
                                        "press bob: > hello", "press bob: \xE2\x80\x9CNear\xE2\x80\x9D"};
    struct err err = ERR_INIT;
    struct str journal = STR_INIT;
    struct audit_result result;
    (void)answer(&honest, typed[_i]);
    ck_ok(store_read(house.batch.store, "gc-1", STORE_BEGIN, &journal, &err), err);
    ck_assert_msg(strstr(journal.p, "\"press\"") != NULL, "%s", journal.p);
    audited_bytes(slice_str(&journal), house.league.master, &result);
    ck_assert_msg(result.verdict != AUDIT_REFUTED, "%s", result.first.text);
    str_release(&journal);
}
END_TEST

START_TEST(orders_are_canonical)
{
    (void)answer(&honest, "explore near\r\nsay Let\xE2\x80\x99s go");
    ck_assert_str_eq(orders_now(), "explore near\nsay Let's go\n");
}
END_TEST

START_TEST(wishes_are_heard)
{
    (void)answer(&honest, "vacation 2026-12-24 to 2027-01-02");
    told(0, 1, "Your time off is noted");
    ck_assert_int_eq(anna()->vacation_count, 1);
    (void)answer(&honest, "Vacation cancel 2026-12-24");
    ck_assert_int_eq(anna()->vacation_count, 0);
    house_empty_spool(&house);
    not_done("vacation 2026-13-45", "vacation 2026-12-24 to 2027-01-02");
    not_done("digest 99", "digest 18");
    not_done("press carl: Hello", "press bob: Shall we");
    ck_assert_int_eq(anna()->vacation_count, 0);
    (void)answer(&honest, "digest 18");
    ck_assert(anna()->digest && anna()->digest_hour == 18);
    (void)answer(&honest, "digest off");
    ck_assert(!anna()->digest);
    (void)answer(&honest, "stop");
    ck_assert(anna()->quiet);
    house_empty_spool(&house);
    (void)answer(&honest, "show");
    told(0, 1, "gc-1");
    ck_assert(!is_in());
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_loop_test(tc, requests_are_heard_in_answers, 0, 3);
    tcase_add_test(tc, not_done_is_said_once);
    tcase_add_test(tc, messages_are_sent);
    tcase_add_test(tc, messages_outlive_their_turn);
    tcase_add_loop_test(tc, other_lines_with_orders_that_end_the_turn, 0, 2);
    tcase_add_test(tc, a_message_is_refused_beside_others);
    tcase_add_test(tc, a_message_is_refused_beside_ok);
    tcase_add_loop_test(tc, messages_that_are_not_sent, 0, 6);
    tcase_add_test(tc, a_message_that_cannot_be_written);
    tcase_add_test(tc, a_turn_is_extended_before_it_is_played);
    tcase_add_loop_test(tc, messages_are_canonical, 0, 3);
    tcase_add_test(tc, orders_are_canonical);
    tcase_add_test(tc, wishes_are_heard);
}
TEST_MAIN("intake/reply_messages", cases)
