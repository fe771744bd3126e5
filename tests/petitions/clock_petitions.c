/* Votes on deadlines and vacations, by mail. */
#include "house/clock.h"

#include "base/clock.h"

/* ---- extend ---- */

static void extend(const char *name, const char *fields)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost extend\n%s#end\n", fields);
    (void)house_signed(&house, name, name, text.p);
    str_release(&text);
}

#define GAME_TURN "game: gc-1\nturn: 1\n"

START_TEST(a_majority_puts_the_deadline_off)
{
    (void)new_game(3);
    extend("anna", GAME_TURN "days: 2\n");
    told("anna", 1, "The deadline moves when one more player agrees");
    told("bob", 1, "anna asks to extend the deadline of turn 1 by 2 days");
    told("bob", 1, "#turnpost extend\ngame: gc-1\nturn: 1\nhead: ");
    told("bob", 1, "\nhours: 48\n#end");
    told_all(NULL, 3, NULL);
    ck_assert_int_eq(game_now()->clock.deadline, HOUSE_NOON + 3 * DAY);
    check_replay();
    house_restart(&house);
    extend("bob", GAME_TURN "hours: 24\n"); /* both want that at least */
    ck_assert_int_eq(game_now()->clock.deadline, HOUSE_NOON + 4 * DAY);
    told("bob", 1, "is extended by 1 day");
    told("carol", 1, "is extended by 1 day");
    told_all(NULL, 3, NULL);
    extend("carol", GAME_TURN "hours: 5\n");
    told_all("carol", 1, "possible once a turn");
    ck_assert_int_eq(row_due(), HOUSE_NOON + 3 * DAY);
    check_replay();
    house_clock(&house, HOUSE_NOON + 4 * DAY - 1);
    ck_assert_int_eq(game_now()->turn, 1);
}
END_TEST

START_TEST(the_next_turn_has_votes_of_its_own)
{
    (void)new_game(3);
    extend("anna", GAME_TURN "days: 2\n");
    orders("anna", 1);
    orders("bob", 1);
    orders("carol", 1);
    ck_assert_int_eq(game_now()->turn, 2);
    house_empty_spool(&house);
    extend("bob", "game: gc-1\nturn: 2\nhours: 3\n");
    told_all("bob", 1, "1 of 2");
    extend("carol", GAME_TURN "hours: 3\n");
    told_all("carol", 1, "for turn 1, but game gc-1 is in turn 2");
    check_replay();
}
END_TEST

START_TEST(a_vote_is_replaced_and_taken_back)
{
    (void)new_game(3);
    extend("anna", GAME_TURN "days: 2\n");
    extend("anna", GAME_TURN "hours: 6\n");
    ck_assert_int_eq(game_now()->seat[1].vote, 6 * HOUR);
    extend("anna", GAME_TURN "hours: 0\n");
    ck_assert_int_eq(game_now()->seat[1].vote, 0);
    told("anna", 3, "taken your vote back");
    told_all("bob", 1, NULL); /* asked once */
    extend("bob", GAME_TURN "hours: 5\n");
    ck_assert_int_eq(game_now()->clock.deadline, HOUSE_NOON + 3 * DAY);
    extend("bob", GAME_TURN "hours: 0\n");
    house_empty_spool(&house);
    extend("carol", GAME_TURN "hours: 0\n");
    told_all("carol", 1, "You have not voted");
    extend("anna", GAME_TURN "hours: 7\n"); /* the very same vote of two players */
    extend("carol", GAME_TURN "hours: 7\n");
    ck_assert_int_eq(game_now()->clock.deadline, HOUSE_NOON + 3 * DAY + 7 * HOUR);
    check_replay();
}
END_TEST

/* Robots and players who have resigned have no vote. */
START_TEST(a_player_among_robots_decides_alone)
{
    static const char *const names[] = {"anna", "robot"};
    house_game(&house, "gc-1", "galaxy-command", 0, 2, names);
    house_empty_spool(&house);
    extend("anna", GAME_TURN "days: 3\n");
    ck_assert_int_eq(game_now()->clock.deadline, HOUSE_NOON + 6 * DAY);
    told_all(NULL, 1, "extended by 3 days");
    check_replay();
}
END_TEST

START_TEST(put_off_to_an_hour_that_is_possible)
{
    struct err err = ERR_INIT;
    ck_ok(schedule_parse(slice_of("fri 20:00 Europe/Berlin"), "UTC", &clock_of, &err), err);
    clock_of.extension = 10 * DAY;
    (void)new_game(1);
    extend("anna", GAME_TURN "hours: 1\n");
    ck_assert_int_eq(game_now()->clock.deadline, HOUSE_NOON + 7 * HOUR + 14 * DAY);
}
END_TEST

/* The deadline has passed, and those who are missing have their grace: an hour more is an hour from now. */
START_TEST(a_vote_in_the_grace_counts_from_now)
{
    clock_of.grace = 12 * HOUR;
    (void)new_game(3);
    extend("anna", GAME_TURN "hours: 1\n");
    int64_t now = HOUSE_NOON + 3 * DAY + 8 * HOUR;
    house_clock(&house, now);
    ck_assert_int_eq(game_now()->turn, 1);
    house_empty_spool(&house);
    extend("bob", GAME_TURN "hours: 2\n");
    told_all("bob", 1, "is extended by 1 hour");
    ck_assert_int_eq(game_now()->clock.deadline, now + HOUR);
    check_replay();
    orders("anna", 1);
    orders("bob", 1);
    house_clock(&house, now + 13 * HOUR - 1);
    ck_assert_int_eq(game_now()->turn, 1);
    house_clock(&house, now + 13 * HOUR);
    ck_assert_int_eq(game_now()->turn, 2);
}
END_TEST

/* A clock that was ahead has dated a record after the deadline, and is right again: votes count from where time stands still. */
START_TEST(a_vote_in_a_journal_that_is_ahead)
{
    (void)new_game(3);
    const int64_t right = house.now, ahead = game_now()->clock.deadline + DAY;
    house.now = ahead;
    extend("anna", GAME_TURN "hours: 5\n");
    house.now = right + HOUR;
    extend("bob", GAME_TURN "hours: 5\n");
    ck_assert_int_eq(game_now()->clock.deadline, ahead + 5 * HOUR);
    check_replay();
}
END_TEST

START_TEST(votes_that_cannot_be_counted)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {GAME_TURN, "Say by how much"},
        {GAME_TURN "hours: 5\ndays: 1\n", "Say by how much"},
        {GAME_TURN "hours: many\n", "takes a whole number"},
        {GAME_TURN "hours: -5\n", "takes a whole number"},
        {GAME_TURN "days: 4\n", "extended by 3 days at most"},
        {GAME_TURN "days: 99999999999999999999\n", "takes a whole number"},
        {"turn: 1\nhours: 5\n", "does not name its game"},
        {"game: gc-1\nhours: 5\n", "in which turn it was written"},
        {"game: gc-9\nturn: 1\nhours: 5\n", "no game \"gc-9\""},
        {"game: gc-1\nturn: 2\nhours: 5\n", "for turn 2, but game gc-1 is in turn 1"},
        {GAME_TURN "hour: 5\n", "did you mean \"hours:\""},
    };
    (void)new_game(3);
    int64_t seq = game_now()->seq;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        extend("anna", cases[i].text);
        told("anna", 1, cases[i].words);
        told_all("bob", 0, NULL);
    }
    extend("mona", GAME_TURN "hours: 5\n");
    told_all("mona", 1, "no seat in game gc-1");
    (void)house_mail(&house, "anna", "more time", "#turnpost extend\n" GAME_TURN "hours: 5\n#end\n");
    told_all("anna", 1, "no signature");
    (void)house_person(&house, "mallory");
    (void)house_signed(&house, "anna", "mallory", "#turnpost extend\n" GAME_TURN "hours: 5\n#end\n");
    told_all("anna", 1, "key that the league does not know");
    ck_assert_int_eq(game_now()->seq, seq);
}
END_TEST

START_TEST(the_same_vote_twice)
{
    (void)new_game(3);
    extend("anna", GAME_TURN "hours: 5\n");
    int64_t seq = game_now()->seq;
    house_empty_spool(&house);
    (void)house_raw(&house, slice_str(&house.last_raw));
    told_all(NULL, 0, NULL);
    extend("anna", GAME_TURN "hours: 5\n");
    told_all("anna", 1, "The very same text was obeyed");
    ck_assert_int_eq(game_now()->seq, seq);
}
END_TEST

START_TEST(no_votes_where_there_are_none)
{
    clock_of.extension = 0;
    (void)new_game(3);
    extend("anna", GAME_TURN "hours: 5\n");
    told_all("anna", 1, "There are no votes on deadlines");
    clock_of.length = 0;
    clock_of.extension = DAY;
    house_game(&house, "gc-2", "galaxy-command", 0, 2, players);
    house_empty_spool(&house);
    extend("anna", "game: gc-2\nturn: 1\nhours: 5\n");
    told_all("anna", 1, "There are no votes on deadlines");
}
END_TEST

START_TEST(no_votes_while_a_moderator_is_asked)
{
    (void)new_game(2);
    house_clock(&house, HOUSE_NOON + 3 * DAY);
    ck_assert(game_now()->clock.held);
    house_empty_spool(&house);
    extend("anna", GAME_TURN "hours: 5\n");
    told_all("anna", 1, "waits for a moderator");
}
END_TEST

/* ---- vacation ---- */

static void vacation(const char *name, const char *fields)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost vacation\n%s#end\n", fields);
    (void)house_signed(&house, name, name, text.p);
    str_release(&text);
}

/* Noon of a day in UTC, the league's zone. */
static int64_t noon(const char *date)
{
    int64_t day;
    ck_assert(date_parse(slice_of(date), &day));
    return day * DAY + 12 * HOUR;
}

static int vacations_of(const char *name)
{
    return registry_find(&house.batch.registry, name)->vacation_count;
}

/* The deadline is 23 November, noon. */
START_TEST(a_deadline_moves_out_of_a_vacation)
{
    (void)new_game(2);
    vacation("anna", "from: 2026-11-22\nto: 2026-11-29\n");
    told_all("anna", 1, "Days left: 20 in 2026, 28 in 2027");
    ck_assert_int_eq(row_due(), 1);
    house_clock(&house, HOUSE_NOON);
    /* the day after the last one is for coming home */
    ck_assert_int_eq(game_now()->clock.deadline, noon("2026-12-01") - 12 * HOUR);
    told("bob", 1, "anna is away from Sun 22 Nov to Sun 29 Nov");
    told_all("anna", 1, "deadline of turn 1 has moved");
    check_replay();
    house_restart(&house);
    house_clock(&house, HOUSE_NOON + 1);
    told_all(NULL, 0, NULL);
    ck_assert_int_eq(row_due(), noon("2026-11-30") - 12 * HOUR); /* a day before it the reminder */
    orders("bob", 1);
    house_clock(&house, game_now()->clock.deadline);
    ck_assert_int_eq(game_now()->turn, 2);
    check_replay();
}
END_TEST

/* The process died before the round that was to move it, and the clock was put back: it does move. */
START_TEST(a_vacation_known_by_a_clock_that_was_ahead)
{
    (void)new_game(2);
    house.now = HOUSE_NOON + 2 * HOUR;
    vacation("anna", "from: 2026-11-22\nto: 2026-11-29\n");
    house_restart(&house);
    house_clock(&house, HOUSE_NOON + HOUR);
    ck_assert_int_eq(game_now()->clock.deadline, noon("2026-12-01") - 12 * HOUR);
    check_replay();
}
END_TEST

/* The turn that opens while the vacation is known already has the right deadline at once. */
START_TEST(a_turn_that_opens_spares_vacations)
{
    clock_of.extension = 10 * DAY;
    vacation("bob", "from: 2026-11-20\nto: 2026-11-25\n");
    (void)new_game(2);
    ck_assert_int_eq(game_now()->clock.deadline, noon("2026-11-27") - 12 * HOUR);
    house.now = noon("2026-11-24"); /* nobody could have written until now: the vacation is used up */
    orders("anna", 1);
    orders("bob", 1);
    ck_assert_int_eq(game_now()->turn, 2);
    ck_assert_int_eq(game_now()->clock.deadline, noon("2026-11-27"));
    house.now = noon("2026-11-24") + 1;
    vacation("anna", "from: 2026-11-26\nto: 2026-11-28\n");
    orders("bob", 2);
    house_empty_spool(&house);
    orders("anna", 2);
    ck_assert_int_eq(game_now()->clock.deadline, noon("2026-11-30") - 12 * HOUR);
    told_all("bob", 1, "anna is away from Thu 26 Nov to Sat 28 Nov");
    check_replay();
}
END_TEST

/* A player who writes before leaving still has the vacation ahead; once a turn has waited, it is used. */
START_TEST(a_vacation_that_nobody_waited_for_is_unused)
{
    int64_t spared = noon("2026-11-27") - 12 * HOUR;
    vacation("bob", "from: 2026-11-22\nto: 2026-11-25\n");
    (void)new_game(2);
    for (int turn = 1; turn <= 3; turn++) {
        ck_assert_int_eq(game_now()->clock.deadline, spared);
        orders("anna", turn);
        check_replay();
        orders("bob", turn);
        ck_assert_int_eq(game_now()->turn, turn + 1);
        check_replay();
        house.now += 6 * HOUR;
    }
    orders("anna", 4);
    house.now = noon("2026-11-24"); /* later than the deadline would have been */
    orders("bob", 4);
    house.now = noon("2026-11-22");
    ck_assert_int_eq(game_now()->turn, 5);
    ck_assert_int_eq(game_now()->clock.deadline, noon("2026-11-27"));
    ck_assert_int_eq(game_now()->clock.away[0].days, 4);
    check_replay();
    orders("anna", 5);
    orders("bob", 5);
    ck_assert_int_eq(game_now()->clock.away[0].days, 4);
    check_replay();
}
END_TEST

START_TEST(vacations_of_two_add_up)
{
    vacation("anna", "from: 2026-11-22\nto: 2026-11-24\n");
    vacation("bob", "from: 2026-11-25\nto: 2026-11-28\n");
    (void)new_game(2);
    ck_assert_int_eq(game_now()->clock.deadline, noon("2026-11-30") - 12 * HOUR);
    ck_assert_uint_eq(game_now()->clock.away_count, 2);
    check_replay();
}
END_TEST

START_TEST(whoever_has_sent_orders_moves_nothing)
{
    (void)new_game(2);
    orders("anna", 1);
    vacation("anna", "from: 2026-11-22\nto: 2026-11-29\n");
    house_clock(&house, HOUSE_NOON);
    ck_assert_int_eq(game_now()->clock.deadline, HOUSE_NOON + 3 * DAY);
    ck_assert_int_eq(row_due(), HOUSE_NOON + 2 * DAY);
}
END_TEST

static void seat_to(const char *field, const char *name)
{
    struct err err = ERR_INIT;
    struct batch_game *entry;
    struct step step;
    struct step_keys keys = batch_keys(&house.batch);
    ck_ok(batch_game(&house.batch, "gc-1", &entry, &err), err);
    step_init(&step, &keys, house.now);
    ck_ok(
        step_record(&step, &entry->game, "seat", json_pack("{s:i,s:s}", "seat", 1, field, name), NULL, &err),
        err);
    ck_ok(step_finish(&step, &entry->game, &err), err);
    ck_ok(batch_take(&house.batch, entry, &step, NULL, &err), err);
    step_release(&step);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
}

/* Handed over and taken back, cancelled and taken again: the same days move a game once. */
START_TEST(the_same_days_stretch_a_game_once)
{
    (void)new_game(2);
    vacation("anna", "from: 2026-11-22\nto: 2026-11-24\n");
    house_clock(&house, HOUSE_NOON);
    int64_t moved = noon("2026-11-26") - 12 * HOUR;
    ck_assert_int_eq(game_now()->clock.deadline, moved);
    house.unproved = true; /* nobody has signed these */
    seat_to("robot", "hal");
    seat_to("player", "anna");
    house_clock(&house, HOUSE_NOON + 1);
    ck_assert_int_eq(game_now()->clock.deadline, moved);
    vacation("anna", "cancel: yes\n");
    ck_assert_int_eq(vacations_of("anna"), 0);
    vacation("anna", "from: 2026-11-24\nto: 2026-11-27\n"); /* the 24th has served already */
    house_clock(&house, HOUSE_NOON + 2);
    ck_assert_int_eq(game_now()->clock.deadline, moved);
    vacation("anna", "cancel: yes\nseq: 2\n");
    vacation("anna", "from: 2026-11-25\nto: 2026-11-27\n"); /* other days */
    house_clock(&house, HOUSE_NOON + 3);
    ck_assert_int_eq(game_now()->clock.deadline, noon("2026-11-29") - 12 * HOUR);
    check_replay();
}
END_TEST

/* Cancelled and taken again with other days, over and over: a year's days are all that a game gives. */
START_TEST(a_game_gives_a_player_his_yearly_days_at_most)
{
    house_option(&house, "[clock]", "vacation = 10");
    house_restart(&house);
    (void)new_game(2);
    vacation("anna", "from: 2026-11-22\nto: 2026-11-29\n");
    house_clock(&house, HOUSE_NOON);
    vacation("anna", "cancel: yes\n");
    vacation("anna", "from: 2026-12-01\nto: 2026-12-08\n");
    int64_t deadline = game_now()->clock.deadline;
    ck_assert_int_eq(deadline, noon("2026-12-01") - 12 * HOUR);
    house_clock(&house, HOUSE_NOON + 1);
    ck_assert_int_eq(game_now()->clock.deadline, deadline);
    check_replay();
}
END_TEST

START_TEST(days_are_counted_by_calendar_year)
{
    vacation("anna", "from: 2026-12-10\nto: 2027-01-09\n");
    told_all("anna", 1, "Days left: 6 in 2026, 19 in 2027");
    vacation("anna", "from: 2026-11-21\nto: 2026-11-27\n");
    told_all("anna", 1, "29 days of time off in 2026; this league allows 28");
    ck_assert_int_eq(vacations_of("anna"), 1);
    vacation("anna", "from: 2026-11-21\nto: 2026-11-26\n");
    told_all("anna", 1, "Days left: 0 in 2026, 19 in 2027");
    house_restart(&house);
    ck_assert_int_eq(vacations_of("anna"), 2);
    ck_assert_int_eq(registry_find(&house.batch.registry, "anna")->vacations[0].from,
                     noon("2026-11-21") / DAY);
}
END_TEST

START_TEST(a_vacation_is_cancelled)
{
    vacation("anna", "from: 2026-11-20\nto: 2026-11-25\n");
    vacation("anna", "from: 2026-12-01\nto: 2026-12-02\n");
    house_empty_spool(&house);
    house.now += 2 * DAY;
    vacation("anna", "cancel: yes\nfrom: 2026-11-20\n"); /* two days of it are over */
    told_all("anna", 1, "Days left: 24 in 2026");
    ck_assert_int_eq(vacations_of("anna"), 2);
    vacation("anna", "cancel: yes\n");
    told_all("anna", 1, "Days left: 26 in 2026");
    ck_assert_int_eq(vacations_of("anna"), 1);
    vacation("anna", "cancel: yes\nseq: 2\n");
    told_all("anna", 1, "no time off to come");
}
END_TEST

START_TEST(vacations_that_cannot_be)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", "The line \"from:\" takes a day"},
        {"from: 2026-11-22\n", "The line \"to:\" takes a day"},
        {"from: tomorrow\nto: 2026-11-29\n", "The line \"from:\" takes a day"},
        {"from: 2026-11-22\nto: 2026-02-30\n", "The line \"to:\" takes a day"},
        {"from: 2026-11-22\nto: 2026-11-21\n", "ends before it begins"},
        {"from: 2026-11-19\nto: 2026-11-25\n", "cannot begin in the past"},
        {"from: 2028-11-19\nto: 2028-11-25\n", "too far ahead"},
        {"from: 2026-11-20\nto: 2026-12-18\n", "29 days of time off in 2026"},
        {"cancel: maybe\n", "takes yes or no"},
        {"cancel: yes\n", "no time off to come"},
        {"cancel: yes\nfrom: 2026-11-22\nto: 2026-11-29\n", "the line \"from:\" is enough"},
        {"form: 2026-11-22\n", "did you mean \"from:\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        vacation("anna", cases[i].text);
        told_all("anna", 1, cases[i].words);
        ck_assert_int_eq(vacations_of("anna"), 0);
    }
    vacation("anna", "from: 2026-11-22\nto: 2026-11-29\n");
    house_empty_spool(&house);
    vacation("anna", "from: 2026-11-29\nto: 2026-11-30\n");
    told_all("anna", 1, "on some of these days already");
    (void)house_mail(&house, "bob", "away", "#turnpost vacation\nfrom: 2026-11-22\nto: 2026-11-29\n#end\n");
    told_all("bob", 1, "no signature");
    (void)house_signed(&house, "bob", "anna", "#turnpost vacation\nfrom: 2026-12-22\nto: 2026-12-23\n#end\n");
    ck_assert_int_eq(vacations_of("bob"), 0); /* it is anna's, whoever mails it */
    ck_assert_int_eq(vacations_of("anna"), 2);
}
END_TEST

START_TEST(the_same_vacation_twice)
{
    vacation("anna", "from: 2026-11-22\nto: 2026-11-29\n");
    house_empty_spool(&house);
    (void)house_raw(&house, slice_str(&house.last_raw));
    told_all(NULL, 0, NULL);
    vacation("anna", "cancel: yes\n");
    house_empty_spool(&house);
    vacation("anna", "from: 2026-11-22\nto: 2026-11-29\n");
    told_all("anna", 1, "The very same text was obeyed");
    ck_assert_int_eq(vacations_of("anna"), 0);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, a_majority_puts_the_deadline_off);
    tcase_add_test(tc, the_next_turn_has_votes_of_its_own);
    tcase_add_test(tc, a_vote_is_replaced_and_taken_back);
    tcase_add_test(tc, a_player_among_robots_decides_alone);
    tcase_add_test(tc, a_vote_in_the_grace_counts_from_now);
    tcase_add_test(tc, put_off_to_an_hour_that_is_possible);
    tcase_add_test(tc, a_vote_in_a_journal_that_is_ahead);
    tcase_add_test(tc, votes_that_cannot_be_counted);
    tcase_add_test(tc, the_same_vote_twice);
    tcase_add_test(tc, no_votes_where_there_are_none);
    tcase_add_test(tc, no_votes_while_a_moderator_is_asked);
    tcase_add_test(tc, a_deadline_moves_out_of_a_vacation);
    tcase_add_test(tc, a_vacation_known_by_a_clock_that_was_ahead);
    tcase_add_test(tc, a_turn_that_opens_spares_vacations);
    tcase_add_test(tc, a_vacation_that_nobody_waited_for_is_unused);
    tcase_add_test(tc, vacations_of_two_add_up);
    tcase_add_test(tc, whoever_has_sent_orders_moves_nothing);
    tcase_add_test(tc, the_same_days_stretch_a_game_once);
    tcase_add_test(tc, a_game_gives_a_player_his_yearly_days_at_most);
    tcase_add_test(tc, days_are_counted_by_calendar_year);
    tcase_add_test(tc, a_vacation_is_cancelled);
    tcase_add_test(tc, vacations_that_cannot_be);
    tcase_add_test(tc, the_same_vacation_twice);
}
TEST_MAIN("petitions/clock_petitions", cases)
