/* Ratings by mail: the lists for everybody, a player's history only with their leave. */
#include "batch/results.h"
#include "house/house.h"

static struct house house;

static void begin(void)
{
    house_open(&house);
    house_option(&house, "[league]", "ratings = signed");
    house_restart(&house);
    house_player(&house, "anna");
    house_player(&house, "bob");
}

static void end(void)
{
    house_close(&house);
}

/* Anna wins, as Bob resigns. */
static void one_game(void)
{
    static const char *const names[] = {"anna", "bob"};
    struct err err = ERR_INIT;
    house_game(&house, "gc-1", "galaxy-command", 86400, 2, names);
    (void)house_signed(&house, "bob", "bob", "#turnpost resign\ngame: gc-1\n#end\n");
    for (int i = 0; i < 400 && !house_find(&house, "gc-1")->over; i++)
        house_clock(&house, house.now + 86401);
    ck_ok(results_work(&house.batch, &err), err);
    house_empty_spool(&house);
}

static void asks(const char *subject, const char *words)
{
    (void)house_mail(&house, "bob", subject, "");
    struct str told;
    ck_assert_int_eq(house_mails(&house, "bob", &told), 1);
    if (getenv("PRINT"))
        (void)fprintf(stderr, "%s\n", told.p);
    ck_assert_msg(house_says(told.p, words), "not told \"%s\" but:\n%s", words, told.p);
    for (struct slice rest = slice_str(&told), line; slice_line(&rest, &line);)
        ck_assert_msg(line.len <= 72, "%.*s", (int)line.len, line.p);
    str_release(&told);
    house_empty_spool(&house);
}

START_TEST(the_lists_name_their_head)
{
    one_game();
    asks("rating", "1.  anna  3.44*  1");
    asks("rating", "head: ");
    asks("rating galaxy-command", "2.  bob   0.00*  1");
    asks("Rating Galaxy Farmer", "No game has been rated yet.");
}
END_TEST

START_TEST(a_history_is_told_only_with_leave)
{
    one_game();
    asks("rating anna", "anna does not tell their history.");
    (void)house_mail(&house, "bob", "status anna", "");
    struct str told;
    (void)house_mails(&house, "bob", &told);
    ck_assert(!house_says(told.p, "3.44"));
    str_release(&told);
    house_empty_spool(&house);
    (void)house_signed(&house, "anna", "anna", "#turnpost prefs\npublic: yes\n#end\n");
    house_told(&house, "anna", 1, "public    yes");
    asks("rating anna", "Galaxy Command: rating 3.44 (provisional), place 1 of 2; rated games: 1");
    asks("status anna", "gc-1  1 of 2  3.44");
    asks("rating ann", "Did you mean \"rating anna\"?");
    house_restart(&house);
    asks("rating anna", "bob  better 1, worse 0, equal 0");
}
END_TEST

START_TEST(who_means_it_is_asked_and_who_errs_is_told)
{
    asks("rating", "This league keeps no ratings.");
    one_game();
    asks("rating nobody-there", "There is no game and no player of that name here.");
    asks("ratng", "Did you mean \"rating\"");
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, the_lists_name_their_head);
    tcase_add_test(tc, a_history_is_told_only_with_leave);
    tcase_add_test(tc, who_means_it_is_asked_and_who_errs_is_told);
}

TEST_MAIN("petitions/ratings", cases)
