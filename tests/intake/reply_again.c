/* Answers by players without keys that a crash or a fault brings again. */
#include "house/reported.h"

/* A run ended after its turn was played and before its mail was moved: they are not told that they were late. */
START_TEST(what_counted_is_not_late)
{
    static const char *const typed[] = {"explore near", "press bob: Shall we?",
                                        "explore near\r\npress bob: Shall we?"};
    char late[REPLY_TOKEN_TEXT];
    struct reply_place place = place_of(house_find(&house, "gc-1"));
    reply_token(late, house.league.master, REPLY_WORD_TOKEN, &place);
    ck_assert_int_eq(answer(&honest, typed[_i % 3]), INTAKE_PROCESSED);
    house_clock(&house, house.now + 2 * 86400);
    ck_assert_int_gt(house_find(&house, "gc-1")->turn, 1);
    house_empty_spool(&house);
    struct str again = STR_INIT; /* the same, or a copy that came by another way */
    str_addf(&again, "%s%s", _i < 3 ? "" : "Received: by mx2.example.org\r\n", mail.p);
    ck_assert_int_eq(house_raw(&house, slice_str(&again)), INTAKE_PROCESSED);
    nobody_is_told();
    str_release(&again);
    (void)answer(&(struct form){.token = late}, typed[_i % 3]);
    told(0, 1, "Nothing was done");
}
END_TEST

/* The same when the name servers do not answer by then, whether its turn is over or not: nobody is told that nothing has been changed. Another
 * answer to that turn waits: it may have counted by other bytes. */
START_TEST(what_counted_needs_no_key)
{
    struct err err = ERR_INIT;
    char late[REPLY_TOKEN_TEXT];
    struct reply_place place = place_of(house_find(&house, "gc-1"));
    reply_token(late, house.league.master, REPLY_WORD_TOKEN, &place);
    ck_assert_int_eq(answer(&honest, "explore near"), INTAKE_PROCESSED);
    if (_i)
        house_clock(&house, house.now + 2 * 86400);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn > 1, _i);
    house_empty_spool(&house);
    resolver_close(house.league.resolver);
    ck_ok(resolver_open(&(struct dns_way){"127.0.0.1@1", "", 1}, &house.league.resolver, &err), err);
    ck_assert_int_eq(house_raw(&house, slice_str(&mail)), INTAKE_PROCESSED);
    nobody_is_told();
    ck_assert_int_eq(answer(&(struct form){.token = late}, "explore far"), INTAKE_KEPT);
    told(0, 1, "Your answer has come");
}
END_TEST

/* The same when they have another address by then. */
START_TEST(what_counted_counts_when_they_have_moved)
{
    struct err err = ERR_INIT;
    ck_assert_int_eq(answer(&honest, "explore near"), INTAKE_PROCESSED);
    struct player moved = *registry_find(&house.batch.registry, "anna");
    (void)snprintf(moved.address, sizeof moved.address, "anna@new.test");
    ck_ok(batch_change(&house.batch, &(struct registry_change){.what = "prefs", .player = &moved}, &err),
          err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    house_empty_spool(&house);
    ck_assert_int_eq(house_raw(&house, slice_str(&mail)), INTAKE_PROCESSED);
    nobody_is_told();
}
END_TEST

/* The same when they have a key by then. Another answer is told that it needs that. */
START_TEST(what_counted_counts_when_they_have_a_key)
{
    char token[REPLY_TOKEN_TEXT];
    struct reply_place place = place_of(house_find(&house, "gc-1"));
    reply_token(token, house.league.master, REPLY_WORD_TOKEN, &place);
    ck_assert_int_eq(answer(&honest, "explore near"), INTAKE_PROCESSED);
    anna_has_a_key();
    house_empty_spool(&house);
    struct str again = STR_INIT; /* the same, or a copy that came by another way */
    str_addf(&again, "%s%s", _i ? "Received: by mx2.example.org\r\n" : "", mail.p);
    ck_assert_int_eq(house_raw(&house, slice_str(&again)), INTAKE_PROCESSED);
    nobody_is_told();
    str_release(&again);
    (void)answer(&(struct form){.token = token}, "explore far");
    told(0, 1, "Nothing has been changed by your mail");
}
END_TEST

/* The same when other orders came after it, from which it would now say something else. */
START_TEST(an_undo_comes_again)
{
    struct str again = STR_INIT;
    (void)answer(&honest, "explore near");
    (void)answer(&honest, "undo");
    str_addslice(&again, slice_str(&mail));
    (void)answer(&honest, "build");
    house_empty_spool(&house);
    ck_assert_int_eq(house_raw(&house, slice_str(&again)), INTAKE_PROCESSED);
    nobody_is_told();
    ck_assert_str_eq(orders_now(), "build\n");
    str_release(&again);
}
END_TEST

START_TEST(an_answer_waits_for_its_game)
{
    write_answer(&honest, "explore near");
    lose_game("gc-1");
    ck_assert_int_eq(house_raw(&house, slice_str(&mail)), INTAKE_KEPT);
    nobody_is_told();
    ck_assert_int_eq(house_raw(&house, slice_str(&mail)), INTAKE_PROCESSED);
    ck_assert_str_eq(orders_now(), "explore near\n");
}
END_TEST

/* Two questions in a day: each is asked, so that "ok" is never about something that nobody has seen. */
START_TEST(each_question_is_asked)
{
    struct str mails;
    (void)answer(&honest, "explor near");
    (void)answer(&honest, "buidl");
    ck_assert_int_eq(house_mails(&house, "anna", &mails), 0);
    str_release(&mails);
    ck_assert_int_eq(house_mails(&house, NULL, &mails), 2);
    str_release(&mails);
    (void)answer(&(struct form){.held = "build\n"}, "ok");
    ck_assert_str_eq(orders_now(), "build\n");
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_loop_test(tc, what_counted_is_not_late, 0, 6);
    tcase_add_loop_test(tc, what_counted_needs_no_key, 0, 2);
    tcase_add_test(tc, what_counted_counts_when_they_have_moved);
    tcase_add_loop_test(tc, what_counted_counts_when_they_have_a_key, 0, 2);
    tcase_add_test(tc, an_undo_comes_again);
    tcase_add_test(tc, an_answer_waits_for_its_game);
    tcase_add_test(tc, each_question_is_asked);
}
TEST_MAIN("intake/reply_again", cases)
