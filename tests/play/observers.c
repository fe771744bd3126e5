/* Observers of a game: what they get, and who may not be one. */
#include "house/press.h"

START_TEST(an_observer_gets_the_public_report)
{
    house_player(&house, "dora");
    game_of(PRESS_WHITE, false);
    ck_assert_int_eq(house_signed(&house, "dora", "dora", "#turnpost observe\ngame: gc-1\n#end\n"),
                     INTAKE_PROCESSED);
    house_told(&house, "dora", 1, "public report of every turn");
    (void)say("anna", "to: all\nThis is between us\n");
    struct str told;
    ck_assert_int_eq(house_mails(&house, "dora", &told), 0);
    str_release(&told);
    house_restart(&house);
    house_same(&house, "gc-1");
    house_empty_spool(&house);
    play("anna", 1);
    house_clock(&house, house.now + 86401);
    ck_assert_int_eq(house_mails(&house, "dora", &told), 1);
    ck_assert_ptr_nonnull(strstr(told.p, "(turn 2, public)"));
    ck_assert_ptr_null(strstr(told.p, "YOUR ORDERS"));
    ck_assert_ptr_null(strstr(told.p, "Stores: "));
    ck_assert_ptr_null(strstr(told.p, "#turnpost orders"));
    str_release(&told);
    house_empty_spool(&house);
    (void)house_signed(&house, "dora", "dora", "#turnpost unobserve\ngame: gc-1\n#end\n");
    house_told(&house, "dora", 1, "no more reports");
    house_clock(&house, house.now + 86401);
    ck_assert_int_eq(house_mails(&house, "dora", &told), 0);
    str_release(&told);
    house_same(&house, "gc-1");
}
END_TEST

START_TEST(who_may_not_observe)
{
    static const char observe[] = "#turnpost observe\ngame: gc-1\n#end\n";
    game_of(PRESS_WHITE, false);
    (void)house_signed(&house, "anna", "anna", observe);
    house_told(&house, NULL, 1, "You have a seat");
    (void)house_signed(&house, "mod", "mod", "#turnpost unobserve\ngame: gc-1\n#end\n");
    house_told(&house, NULL, 1, "not an observer");
    (void)house_signed(&house, "mod", "mod", observe);
    house_empty_spool(&house);
    (void)house_signed(&house, "mod", "mod", "#turnpost observe\ngame: gc-1\nseq: 2\n#end\n");
    house_told(&house, NULL, 1, "already");
    struct game *game = house_find(&house, "gc-1");
    for (int i = 0; i < GAME_OBSERVERS - 1; i++)
        str_addf(&game->observers.names, " x%d", i);
    house_player(&house, "dora");
    (void)house_signed(&house, "dora", "dora", observe);
    house_told(&house, NULL, 1, "50 observers");
    house_game_of(&house,
                  (struct new_game){.id = "gc-2",
                                    .ruleset = ruleset_newest("galaxy-command"),
                                    .seats = 3,
                                    .turn_length = 86400,
                                    .private = true},
                  table);
    house_empty_spool(&house);
    (void)house_signed(&house, "dora", "dora", "#turnpost observe\ngame: gc-2\n#end\n");
    house_told(&house, NULL, 1, "no observers");
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, an_observer_gets_the_public_report);
    tcase_add_test(tc, who_may_not_observe);
}
TEST_MAIN("play/observers", cases)
