/* Moderators pause, resume, extend, hold and resolve, by mail. */
#include "house/ruling.h"

START_TEST(a_pause_moves_the_deadline)
{
    (void)new_game(2);
    house.now += DAY;
    rule("mona", "do: pause\n" WHY);
    ck_assert(game_now()->clock.paused);
    show_mails(NULL);
    told("anna", 1, "mona, a moderator of the league, has paused the game.");
    told("bob", 1, "Reason: The dog ate it.");
    told("carol", 1, "its deadline stands still");
    told_all("mona", 1, "Paused by a moderator");
    house_same(&house, "gc-1");
    house_clock(&house, HOUSE_NOON + 30 * DAY);
    ck_assert_int_eq(game_now()->turn, 1);
    told_all(NULL, 0, NULL);
    rule("carol", "do: resume\n" WHY);
    show_mails("anna");
    told_all("anna", 1, "has resumed the game. The deadline of turn 1 was");
    ck_assert_int_eq(game_now()->clock.deadline, HOUSE_NOON + 32 * DAY);
    house_same(&house, "gc-1");
    house_restart(&house);
    house_clock(&house, HOUSE_NOON + 32 * DAY);
    ck_assert_int_eq(game_now()->turn, 2);
    house_same(&house, "gc-1");
}
END_TEST

START_TEST(orders_come_in_a_pause_and_wait)
{
    (void)new_game(2);
    rule("mona", "do: pause\n" WHY);
    orders("anna", "bide\n");
    orders("bob", "bide\n");
    ck_assert_int_eq(game_now()->turn, 1);
    house_restart(&house);
    house.now += HOUR;
    rule("mona", "do: resume\nreason: It is over.\n");
    ck_assert_int_eq(game_now()->turn, 2);
    house_same(&house, "gc-1");
}
END_TEST

START_TEST(a_hold_keeps_the_turn_open_until_somebody_says_so)
{
    (void)new_game(2);
    rule("mona", "do: hold\n" WHY);
    show_mails("anna");
    told_all("anna", 1, "whatever comes in, nothing is played until a moderator says so");
    orders("anna", "bide\n");
    orders("bob", "bide\n");
    house_clock(&house, HOUSE_NOON + 9 * DAY);
    ck_assert_int_eq(game_now()->turn, 1);
    house_same(&house, "gc-1");
    house_empty_spool(&house);
    rule("mona", "do: resolve\n" WHY);
    ck_assert_int_eq(game_now()->turn, 2);
    ck_assert(!game_now()->clock.held);
    told_all("anna", 2, "has decided that turn 1 is played now");
    house_same(&house, "gc-1");
}
END_TEST

/* Nobody is surprised by a deadline that passed while the turn was held. */
START_TEST(behind_a_hold_there_is_a_day)
{
    (void)new_game(2);
    rule("mona", "do: hold\n" WHY);
    house_clock(&house, HOUSE_NOON + 9 * DAY);
    rule("mona", "do: resume\n" WHY);
    ck_assert_int_eq(game_now()->clock.deadline, HOUSE_NOON + 10 * DAY);
    house_same(&house, "gc-1");
}
END_TEST

START_TEST(a_deadline_is_put_off_by_a_time_and_to_a_time)
{
    (void)new_game(2);
    rule("mona", "do: extend 1d12h\n" WHY);
    ck_assert_int_eq(game_now()->clock.deadline, HOUSE_NOON + 3 * DAY + 36 * HOUR);
    show_mails("anna");
    told_all("anna", 1, "It was ");
    rule("mona", "do: extend 2026-12-01 18:30\n" WHY);
    ck_assert_int_eq(game_now()->clock.deadline, HOUSE_NOON + 11 * DAY + 6 * HOUR + 1800);
    told_all("bob", 1, "is due Tue 1 Dec, 18:30");
    house_same(&house, "gc-1");
    house_clock(&house, HOUSE_NOON + 11 * DAY);
    ck_assert_int_eq(game_now()->turn, 1);
}
END_TEST

START_TEST(the_valve_s_hold_ends_by_a_moderator_s_word)
{
    house.league.config.clock.valve = 50;
    (void)new_game(2);
    house_clock(&house, HOUSE_NOON + 3 * DAY);
    ck_assert(game_now()->clock.held && game_now()->clock.hold_until);
    house_empty_spool(&house);
    house.now += HOUR;
    rule("mona", "do: extend 24h\n" WHY);
    ck_assert(!game_now()->clock.held);
    ck_assert_int_eq(game_now()->clock.deadline, HOUSE_NOON + 3 * DAY + 25 * HOUR);
    house_same(&house, "gc-1");
    house_clock(&house, HOUSE_NOON + 3 * DAY + 25 * HOUR);
    ck_assert_int_eq(game_now()->turn, 2);
    house_same(&house, "gc-1");
}
END_TEST

START_TEST(resolved_now_the_missing_miss_it)
{
    (void)new_game(3);
    orders("anna", "bide\n");
    house_empty_spool(&house);
    rule("carol", "do: resolve\n" WHY);
    ck_assert_int_eq(game_now()->turn, 2);
    ck_assert_int_eq(game_now()->seat[2].missed, 1);
    show_mails("bob");
    told("bob", 2, "Orders were missing from bob carol; for them it is a missed turn.");
    told("mona", 1, NULL);
    told_all("carol", 2, "WHAT HAPPENED IN TURN 1");
    house_same(&house, "gc-1");
}
END_TEST

/* A crash may come between the moderator's word and the turn: the log has neither, then. */
START_TEST(a_crash_behind_resolve_loses_nothing)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT, logged = STR_INIT;
    (void)new_game(2);
    int64_t seq = game_now()->seq + 1;
    char *log = house_path(&house, "log/entries");
    ck_ok(file_read(log, 1 << 20, &logged, &err), err);
    rule("mona", "do: resolve\n" WHY);
    ck_assert_int_eq(game_now()->turn, 2);
    char *path = path_join(house.dir, "games/gc-1/journal.jsonl");
    ck_ok(file_read(path, 1 << 20, &lines, &err), err);
    size_t at = 0;
    for (int64_t i = 0; i < seq; i++)
        at += slice_find(slice_sub(slice_str(&lines), at, lines.len), "\n") + 1;
    house_end(&house);
    ck_ok(file_write_soft(path, slice_sub(slice_str(&lines), 0, at), 0600, &err), err);
    ck_ok(file_write_soft(log, slice_str(&logged), 0644, &err), err);
    house_remove(&house, "log/checkpoint");
    house_remove_catalog(&house);
    house_begin(&house);
    ck_assert_int_eq(game_now()->turn, 2);
    ck_assert_int_gt(game_now()->seq, seq);
    ck_assert_int_eq(game_now()->draws.rollbacks, 0);
    free(path);
    free(log);
    str_release(&lines);
    str_release(&logged);
}
END_TEST

START_TEST(what_cannot_be_done)
{
    static const struct {
        const char *fields, *words;
    } cases[] = {
        {"", "does not say what to do"},
        {WHY, "one of these words: pause, resume"},
        {"do: pause\n", "does not say why"},
        {"do: pause\nreason:\n", "does not say why"},
        {"do: paus\n" WHY, "did you mean \"do: pause\""},
        {"do: dance\n" WHY, "A moderator cannot \"dance\""},
        {"do: pause now\n" WHY, "takes no arguments"},
        {"do: pause\n" WHY "bide\n", "takes no further lines"},
        {"do: resume\n" WHY, "neither paused nor held"},
        {"do: extend\n" WHY, "takes a time by which the deadline moves"},
        {"do: extend soon\n" WHY, "takes a time by which the deadline moves"},
        {"do: extend 2026-12-01\n" WHY, "takes a time by which the deadline moves"},
        {"do: extend 2026-12-01 25:00\n" WHY, "takes a time by which the deadline moves"},
        {"do: extend 2026-11-21 10:00\n" WHY, "no later than the present one"},
        {"do: extend 2036-11-21 10:00\n" WHY, "more than a year ahead"},
        {"do: pause\ndo: hold\n" WHY, "appears twice"},
    };
    (void)new_game(3);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refused("mona", cases[i].fields, cases[i].words);
    refused("anna", "do: pause\n" WHY, "Only the moderators of this league may do that");
    rule("anna", "do: pause\nreason: Without their form.\n");
    struct str text;
    ck_assert_int_eq(house_mails(&house, "anna", &text), 1);
    ck_assert(!house_says(text.p, "do: resume") && !house_says(text.p, "The text looks like this"));
    str_release(&text);
}
END_TEST

START_TEST(who_may_not_and_what_comes_twice)
{
    (void)new_game(3);
    int64_t seq = game_now()->seq;
    (void)house_mail(&house, "mona", "pause",
                     "#turnpost moderate\ngame: gc-1\nturn: 1\ndo: pause\n" WHY "#end\n");
    told_all("mona", 1, "no signature");
    (void)house_person(&house, "mallory");
    (void)house_signed(&house, "mona", "mallory",
                       "#turnpost moderate\ngame: gc-1\nturn: 1\ndo: pause\n" WHY "#end\n");
    told_all("mona", 1, "key that the league does not know");
    (void)house_signed(&house, "mona", "mona",
                       "#turnpost moderate\ngame: gc-9\nturn: 1\ndo: pause\n" WHY "#end\n");
    told_all("mona", 1, "no game \"gc-9\"");
    (void)house_signed(&house, "mona", "mona", "#turnpost moderate\nturn: 1\ndo: pause\n" WHY "#end\n");
    told_all("mona", 1, "does not name its game");
    (void)house_signed(&house, "mona", "mona", "#turnpost moderate\ngame: gc-1\ndo: pause\n" WHY "#end\n");
    told_all("mona", 1, "in which turn it was written: put in the line \"turn: 1\"");
    (void)house_signed(&house, "mona", "mona",
                       "#turnpost moderate\ngame: gc-1\nturn: 3\ndo: pause\n" WHY "#end\n");
    told_all("mona", 1, "is for turn 3, but game gc-1 is in turn 1");
    ck_assert_int_eq(game_now()->seq, seq);
    rule("mona", "do: extend 24h\n" WHY);
    house_empty_spool(&house);
    seq = game_now()->seq;
    (void)house_raw(&house, slice_str(&house.last_raw));
    told_all(NULL, 0, NULL);
    rule("mona", "do: extend 24h\n" WHY);
    told_all("mona", 1, "The very same text was obeyed before");
    ck_assert_int_eq(game_now()->seq, seq);
    rule("mona", "do: extend 24h\nseq: 2\n" WHY);
    ck_assert_int_eq(game_now()->clock.deadline, HOUSE_NOON + 5 * DAY);
    play();
    (void)house_signed(&house, "mona", "mona",
                       "#turnpost moderate\ngame: gc-1\nturn: 1\ndo: resolve\n" WHY "#end\n");
    told_all("mona", 1, "is for turn 1, but game gc-1 is in turn 2");
    ck_assert_int_eq(game_now()->turn, 2);
    rule("mona", "do: pause\n" WHY);
    refused("mona", "do: pause\nreason: Again.\n", "paused already");
    refused("mona", "do: hold\n" WHY, "is paused");
    refused("mona", "do: resolve\n" WHY, "is paused; resume it first");
    rule("mona", "do: resume\n" WHY);
    rule("mona", "do: hold\n" WHY);
    refused("mona", "do: hold\nreason: Again.\n", "held already");
    house_same(&house, "gc-1");
}
END_TEST

START_TEST(without_deadlines_there_is_nothing_to_put_off)
{
    clock_of.length = 0;
    (void)new_game(2);
    refused("mona", "do: extend 24h\n" WHY, "has no deadline that could be extended");
    rule("mona", "do: extend 2026-11-25 12:00\n" WHY);
    ck_assert_int_eq(game_now()->clock.deadline, HOUSE_NOON + 5 * DAY);
    rule("mona", "do: pause\n" WHY);
    house.now += DAY;
    rule("mona", "do: resume\n" WHY);
    house_clock(&house, HOUSE_NOON + 6 * DAY);
    ck_assert_int_eq(game_now()->turn, 2);
    ck_assert_int_eq(game_now()->clock.deadline, 0);
    house_same(&house, "gc-1");
}
END_TEST

/* A held or paused game does not begin, however full it is. */
START_TEST(before_the_start_a_game_can_wait)
{
    static const char *const open[] = {"anna", NULL};
    house_game_of(&house,
                  (struct new_game){.id = "gc-1",
                                    .ruleset = ruleset_newest("galaxy-command"),
                                    .seats = 2,
                                    .clock = &clock_of,
                                    .missed_robot = 3},
                  open);
    house_empty_spool(&house);
    refused("mona", "do: extend 24h\n" WHY, "has not begun");
    rule("mona", "do: hold\n" WHY);
    show_mails("anna");
    told_all("anna", 1, "holds the start of the game");
    (void)house_signed(&house, "bob", "bob", "#turnpost join\ngame: gc-1\n#end\n");
    ck_assert_int_eq(game_now()->turn, 0);
    ck_assert_int_eq(game_free_seats(game_now()), 0);
    house_same(&house, "gc-1");
    rule("mona", "do: resume\n" WHY);
    ck_assert_int_eq(game_now()->turn, 1);
    house_same(&house, "gc-1");
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, a_pause_moves_the_deadline);
    tcase_add_test(tc, orders_come_in_a_pause_and_wait);
    tcase_add_test(tc, a_hold_keeps_the_turn_open_until_somebody_says_so);
    tcase_add_test(tc, behind_a_hold_there_is_a_day);
    tcase_add_test(tc, a_deadline_is_put_off_by_a_time_and_to_a_time);
    tcase_add_test(tc, the_valve_s_hold_ends_by_a_moderator_s_word);
    tcase_add_test(tc, resolved_now_the_missing_miss_it);
    tcase_add_test(tc, a_crash_behind_resolve_loses_nothing);
    tcase_add_test(tc, what_cannot_be_done);
    tcase_add_test(tc, who_may_not_and_what_comes_twice);
    tcase_add_test(tc, without_deadlines_there_is_nothing_to_put_off);
    tcase_add_test(tc, before_the_start_a_game_can_wait);
}
TEST_MAIN("petitions/moderate_time", cases)
