/* What the clock does to games: reminders, grace, the shortest turn, vacations, votes, and the valves for
 * missing players, outages and clocks that jump. */
#include "base/clock.h"
#include "batch/rounds.h"
#include "house/clock.h"
#include "mail/order.h"

/* ---- the schedule ---- */

START_TEST(fixed_hours)
{
    struct err err = ERR_INIT;
    ck_ok(schedule_parse(slice_of("mon wed fri 20:00 Europe/Berlin"), "UTC", &clock_of, &err), err);
    int64_t friday = HOUSE_NOON + 7 * HOUR; /* 20:00 CET */
    house_clock(&house, HOUSE_NOON - DAY);
    const struct game *game = new_game(2);
    ck_assert_int_eq(game->clock.deadline, friday);
    house_clock(&house, friday - DAY / 2);
    told_all(NULL, 2, "are missing");
    house_clock(&house, friday - 1);
    ck_assert_int_eq(game_now()->turn, 1);
    orders("anna", 1);
    house_clock(&house, friday);
    ck_assert_int_eq(game_now()->turn, 2);
    ck_assert_int_eq(game_now()->clock.deadline, friday + 3 * DAY);
    check_replay();
}
END_TEST

/* Zone data that were updated in the middle of a game, and that are gone: it goes on by the hours that its players know, its
 * records stay right (the house is audited when it ends), and only a new game has the new hours. */
START_TEST(zone_data_that_change)
{
    struct err err = ERR_INIT;
    struct str path = STR_INIT;
    char folder[SCRATCH_PATH];
    static const char *const players_two[] = {"anna", "bob"};
    ck_ok(schedule_parse(slice_of("daily 20:00 Europe/Berlin"), "UTC", &clock_of, &err), err);
    const int64_t evening = HOUSE_NOON + DAY + 7 * HOUR; /* in Berlin */
    ck_assert_int_eq(new_game(2)->clock.deadline, evening);
    scratch_make(folder, "zones");
    str_addf(&path, "%s/Europe", folder);
    ck_assert_int_eq(mkdir(path.p, 0755), 0);
    str_adds(&path, "/Berlin");
    scratch_copy_file("tests/zones/Asia/Tokyo", path.p, 0644);
    setenv("TZDIR", folder, 1);
    house_restart(&house);
    orders("anna", 1);
    house_clock(&house, evening);
    ck_assert_int_eq(game_now()->turn, 2);
    ck_assert_int_eq(game_now()->clock.deadline, evening + DAY);
    check_replay();
    house_game(&house, "gc-2", "galaxy-command", 0, 2, players_two);
    ck_assert_int_eq(house_find(&house, "gc-2")->clock.deadline, evening + 16 * HOUR);
    scratch_remove(folder);
    house_restart(&house);
    orders("anna", 2);
    house_clock(&house, evening + DAY);
    ck_assert_int_eq(game_now()->turn, 3);
    ck_assert_int_eq(game_now()->clock.deadline, evening + 2 * DAY);
    check_replay();
    str_release(&path);
}
END_TEST

START_TEST(a_game_waits_for_its_start)
{
    clock_of.starts = HOUSE_NOON + 10 * DAY;
    const struct game *game = new_game(2);
    ck_assert_int_eq(game->clock.deadline, HOUSE_NOON + 13 * DAY);
    orders("anna", 1);
    orders("bob", 1);
    ck_assert_int_eq(game_now()->turn, 1);
    ck_assert_int_eq(row_due(), HOUSE_NOON + 10 * DAY);
    house_clock(&house, HOUSE_NOON + 10 * DAY - 1);
    ck_assert_int_eq(game_now()->turn, 1);
    house_clock(&house, HOUSE_NOON + 10 * DAY);
    ck_assert_int_eq(game_now()->turn, 2);
    check_replay();
}
END_TEST

START_TEST(the_shortest_turn)
{
    clock_of.minimum = DAY;
    (void)new_game(2);
    orders("anna", 1);
    orders("bob", 1);
    told_all("bob", 1, "not played before");
    ck_assert_int_eq(game_now()->turn, 1);
    ck_assert_int_eq(row_due(), HOUSE_NOON + DAY);
    house_restart(&house);
    house_clock(&house, HOUSE_NOON + DAY - 1);
    ck_assert_int_eq(game_now()->turn, 1);
    house_clock(&house, HOUSE_NOON + DAY);
    ck_assert_int_eq(game_now()->turn, 2);
    house.now += DAY + 1; /* old enough: the last orders resolve it */
    orders("anna", 2);
    orders("bob", 2);
    ck_assert_int_eq(game_now()->turn, 3);
    check_replay();
}
END_TEST

START_TEST(who_resigns_makes_no_turn_shorter)
{
    clock_of.minimum = DAY;
    (void)new_game(2);
    orders("anna", 1);
    (void)house_signed(&house, "bob", "bob", "#turnpost resign\ngame: gc-1\nturn: 1\n#end\n");
    ck_assert(game_now()->seat[2].robot);
    ck_assert_int_eq(game_now()->turn, 1);
    house_clock(&house, HOUSE_NOON + DAY - 1);
    ck_assert_int_eq(game_now()->turn, 1);
    house_clock(&house, HOUSE_NOON + DAY);
    ck_assert_int_eq(game_now()->turn, 2);
    check_replay();
}
END_TEST

START_TEST(only_at_the_deadline)
{
    clock_of.early = false;
    clock_of.grace = DAY;
    (void)new_game(2);
    orders("anna", 1);
    orders("bob", 1);
    house_clock(&house, HOUSE_NOON + 3 * DAY - 1);
    ck_assert_int_eq(game_now()->turn, 1);
    house_clock(&house, HOUSE_NOON + 3 * DAY); /* nobody is missing: no grace */
    ck_assert_int_eq(game_now()->turn, 2);
    check_replay();
}
END_TEST

START_TEST(grace_for_late_orders)
{
    clock_of.grace = 12 * HOUR;
    (void)new_game(2);
    orders("anna", 1);
    house_clock(&house, HOUSE_NOON + 3 * DAY + 12 * HOUR - 1);
    ck_assert_int_eq(game_now()->turn, 1);
    orders("bob", 1); /* late, and in time */
    ck_assert_int_eq(game_now()->turn, 2);
    ck_assert_int_eq(game_now()->seat[2].missed, 0);
    orders("anna", 2);
    house_clock(&house, game_now()->clock.deadline + 12 * HOUR);
    ck_assert_int_eq(game_now()->turn, 3);
    ck_assert_int_eq(game_now()->seat[2].missed, 1);
    check_replay();
}
END_TEST

/* ---- reminders ---- */

START_TEST(reminded_once_when_missing)
{
    (void)new_game(3);
    orders("anna", 1);
    house_empty_spool(&house);
    ck_assert_int_eq(row_due(), HOUSE_NOON + 2 * DAY);
    house_clock(&house, HOUSE_NOON + 2 * DAY - 1);
    told_all(NULL, 0, NULL);
    house_clock(&house, HOUSE_NOON + 2 * DAY);
    told("bob", 1, "[gc-1] Reminder");
    told("bob", 1, "Orion League");
    told("bob", 1, "#turnpost orders\ngame: gc-1\nturn: 1\nhead: ");
    told_all(NULL, 2, NULL); /* carol, not anna */
    ck_assert_int_eq(row_due(), HOUSE_NOON + 3 * DAY);
    house_restart(&house);
    house_clock(&house, HOUSE_NOON + 2 * DAY + 60);
    house_clock(&house, HOUSE_NOON + 2 * DAY - 60); /* put back a little */
    house_clock(&house, HOUSE_NOON + 2 * DAY + 120);
    told_all(NULL, 0, NULL);
    check_replay();
}
END_TEST

/* How many mails of the spool are not sent at `now`, because what they tell is past. */
static size_t dropped_at(int64_t now)
{
    struct err err = ERR_INIT;
    struct order order;
    size_t count = 0;
    ck_ok(order_read(house.batch.spool, now, &order, &err), err);
    for (size_t i = 0; i < order.list.count; i++)
        count += order_is_past(&order, i);
    order_free(&order);
    return count;
}

START_TEST(late_orders_are_still_worth_a_reminder)
{
    clock_of.grace = 12 * HOUR;
    (void)new_game(2);
    orders("anna", 1);
    house_empty_spool(&house);
    house_clock(&house, HOUSE_NOON + 2 * DAY);
    ck_assert_uint_eq(dropped_at(HOUSE_NOON + 3 * DAY + 12 * HOUR - 1), 0);
    ck_assert_uint_eq(dropped_at(HOUSE_NOON + 3 * DAY + 12 * HOUR), 1);
    told("bob", 1, "[gc-1] Reminder");
}
END_TEST

START_TEST(no_reminder_right_after_the_report)
{
    clock_of.length = DAY;
    (void)new_game(2);
    house_clock(&house, HOUSE_NOON + 12 * HOUR - 1);
    told_all(NULL, 0, NULL);
    house_clock(&house, HOUSE_NOON + 12 * HOUR);
    told_all(NULL, 2, "Reminder");
}
END_TEST

START_TEST(no_reminder_in_short_turns)
{
    clock_of.length = HOUR;
    (void)new_game(2);
    for (int minute = 1; minute < 60; minute++)
        house_clock(&house, HOUSE_NOON + minute * 60);
    told_all(NULL, 0, NULL);
}
END_TEST

START_TEST(no_reminders_when_the_operator_wants_none)
{
    house_option(&house, "[clock]", "reminder = 0");
    house_restart(&house);
    (void)new_game(2);
    house_clock(&house, HOUSE_NOON + 3 * DAY - 1);
    told_all(NULL, 0, NULL);
}
END_TEST

/* ---- too many are missing ---- */

START_TEST(a_deserted_turn_is_held)
{
    (void)new_game(4);
    orders("anna", 1);
    house_clock(&house, HOUSE_NOON + 2 * DAY);
    house_empty_spool(&house);
    house_clock(&house, HOUSE_NOON + 3 * DAY); /* two of three: 66 per cent */
    ck_assert_int_eq(game_now()->turn, 1);
    ck_assert(game_now()->clock.held);
    ck_assert_int_eq(row_due(), HOUSE_NOON + 10 * DAY);
    told("mona", 1, "You are asked as a moderator");
    told("mona", 1, "Missing are: bob carol.");
    told("anna", 1, "moderators of the league have been asked");
    told_all(NULL, 4, NULL);
    house_clock(&house, HOUSE_NOON + 4 * DAY);
    told_all(NULL, 0, NULL);
    check_replay();
    orders("bob", 1); /* one of three is missing now: a usual missed turn, so it is resolved */
    ck_assert_int_eq(game_now()->turn, 1);
    house_clock(&house, HOUSE_NOON + 4 * DAY + 60);
    ck_assert_int_eq(game_now()->turn, 2);
    ck_assert(!game_now()->clock.held);
    ck_assert_int_eq(game_now()->seat[3].missed, 1);
    check_replay();
}
END_TEST

START_TEST(a_hold_that_nobody_ends)
{
    (void)new_game(2);
    house_clock(&house, HOUSE_NOON + 3 * DAY);
    ck_assert(game_now()->clock.held);
    house_restart(&house);
    house_clock(&house, HOUSE_NOON + 10 * DAY - 1);
    ck_assert_int_eq(game_now()->turn, 1);
    house_clock(&house, HOUSE_NOON + 10 * DAY);
    ck_assert_int_eq(game_now()->turn, 2);
    check_replay();
}
END_TEST

START_TEST(players_who_gave_up_do_not_hold_a_game)
{
    (void)new_game(3);
    for (int turn = 1; turn <= 3; turn++) { /* bob and carol are gone; the valve holds each turn */
        orders("anna", turn);
        house_clock(&house, game_now()->clock.deadline);
        ck_assert(game_now()->clock.held);
        house_clock(&house, game_now()->clock.hold_until);
        ck_assert_int_eq(game_now()->turn, turn + 1);
    }
    orders("anna", 4); /* robots play their seats by now */
    house_clock(&house, game_now()->clock.deadline);
    ck_assert(!game_now()->clock.held);
    ck_assert_int_eq(game_now()->turn, 5);
    check_replay();
}
END_TEST

START_TEST(without_moderators_nothing_is_held)
{
    house.league.config.league.moderators[0] = '\0';
    (void)new_game(2);
    house_clock(&house, HOUSE_NOON + 3 * DAY);
    ck_assert_int_eq(game_now()->turn, 2);
}
END_TEST

START_TEST(one_silent_player_holds_nothing)
{
    const struct game *game = new_game(1);
    ck_assert_int_eq(game->turn, 1);
    house_clock(&house, HOUSE_NOON + 3 * DAY);
    ck_assert_int_eq(game_now()->turn, 2);
}
END_TEST

/* ---- outages and clocks that jump ---- */

START_TEST(an_outage_moves_the_deadlines_in_it)
{
    (void)new_game(2);
    orders("anna", 1);
    run_at(HOUSE_NOON + 2 * DAY + 12 * HOUR, false);
    house_empty_spool(&house);
    house_restart(&house);
    run_at(HOUSE_NOON + 4 * DAY + 12 * HOUR, false); /* two days later; it was due after twelve hours */
    ck_assert_int_eq(game_now()->turn, 1);
    ck_assert_int_eq(game_now()->clock.deadline, HOUSE_NOON + 5 * DAY);
    told_all("bob", 1, "The league stood still");
    run_at(HOUSE_NOON + 4 * DAY + 13 * HOUR, false);
    ck_assert_int_eq(game_now()->turn, 1);
    ck_assert_int_eq(row_due(),
                     HOUSE_NOON + 4 * DAY + 18 * HOUR); /* reminded in half of the time that is left */
    check_replay();
}
END_TEST

/* A game whose clock failed in the first round after an outage is given it in the first one in which it does not: once. */
START_TEST(an_outage_is_given_when_the_game_can_be_stepped)
{
    struct err err = ERR_INIT;
    (void)new_game(2);
    orders("anna", 1);
    run_at(HOUSE_NOON + 2 * DAY + 12 * HOUR, false);
    house_empty_spool(&house);
    for (int round = 0; round < 3; round++) {
        ck_ok(batch_round(&house.batch, HOUSE_NOON + 4 * DAY + round * HOUR, &err), err);
        ck_ok(batch_round_done(&house.batch, &err), err);
    }
    house_restart(&house);
    run_at(HOUSE_NOON + 4 * DAY + 3 * HOUR, false);
    ck_assert_int_eq(game_now()->turn, 1);
    ck_assert_int_eq(game_now()->clock.deadline, HOUSE_NOON + 4 * DAY + 15 * HOUR);
    told_all("bob", 1, "The league stood still from Mon 23 Nov, 00:00 UTC until Tue 24 Nov, 12:00 UTC");
    run_at(HOUSE_NOON + 4 * DAY + 9 * HOUR, false);
    run_at(HOUSE_NOON + 4 * DAY + 15 * HOUR, false);
    ck_assert_int_eq(game_now()->turn, 2);
    check_replay();
}
END_TEST

/* An operator who runs one round a day: the first ones look like outages, and then the games go on. */
START_TEST(rounds_that_are_far_apart)
{
    clock_of.length = DAY;
    (void)new_game(1);
    for (int day = 1; day <= 30; day++)
        run_at(HOUSE_NOON + day * DAY, false);
    ck_assert(game_now()->over || game_now()->turn >= 25);
    check_replay();
}
END_TEST

/* The next outage after a long one is seen as well; all together give a turn its length again, and no more.
 */
START_TEST(one_outage_after_another)
{
    (void)new_game(1);
    for (int i = 0; i < 3; i++)
        run_at(HOUSE_NOON + 60 * HOUR - (2 - i) * 300, false);
    for (int outage = 0; outage < 5;
         outage++) { /* each leaves what was left: twelve hours, and then five minutes less */
        int64_t late = game_now()->clock.deadline + (1 + outage) * DAY;
        run_at(late, false);
        ck_assert_int_eq(game_now()->turn, 1);
        ck_assert_int_eq(game_now()->clock.deadline, late + 12 * HOUR - outage * 300);
        run_at(late + 300, false);
        check_replay();
    }
    int64_t late = game_now()->clock.deadline + 9 * DAY;
    run_at(late, false);
    ck_assert_int_eq(game_now()->clock.deadline, late + 12 * HOUR - 5 * 300);
    run_at(late + 300, false);
    run_at(game_now()->clock.deadline + 20 * DAY, false);
    ck_assert_int_eq(game_now()->turn, 2);
    ck_assert_int_eq(game_now()->clock.spared, 0);
}
END_TEST

/* Longer and longer, and one round between each two: all of them are outages. */
START_TEST(single_rounds_between_outages)
{
    int64_t now = HOUSE_NOON;
    (void)new_game(1);
    run_at(now, false);
    for (int hours = 10; hours < 200; hours += hours * 4 / 5) {
        run_at(now += hours * HOUR, false);
        const struct outside *outside = &house.batch.outside;
        ck_assert_msg(outside->pauses[outside->pause_count - 1].outage, "%d hours are usual", hours);
    }
}
END_TEST

START_TEST(what_is_due_after_an_outage_stays)
{
    (void)new_game(2);
    run_at(HOUSE_NOON, false);
    run_at(HOUSE_NOON + 2 * DAY + 23 * HOUR, false);
    ck_assert_int_eq(game_now()->clock.deadline, HOUSE_NOON + 3 * DAY);
    ck_assert_int_eq(game_now()->turn, 1);
}
END_TEST

START_TEST(a_short_pause_is_no_outage)
{
    (void)new_game(2);
    orders("anna", 1);
    run_at(HOUSE_NOON + 3 * DAY - 6 * HOUR, false);
    run_at(HOUSE_NOON + 3 * DAY, false);
    ck_assert_int_eq(game_now()->turn, 2);
}
END_TEST

/* What is lost together with the catalog: nothing else; the memory of rounds, too; that is damaged; the
 * league is restored from a backup. */
static const char *const losses[] = {
    NULL,
    "",
    "turnpost rounds 3\nend\n",
    "turnpost rounds 3\nround 1795179600 0",
    "turnpost rounds 3\nround -5 0 0 0\nend\n",
    "turnpost rounds 3\nround 1795179600 0 0\nend\n",
    "turnpost rounds 3\nround 1795179600 0 0 0\npause 5 4 usual\nend\n",
    "turnpost rounds 3\nround 1795179600 0 0 0\ndeaf 5\nend\n",
    "turnpost rounds 3\nround 1795179600 0 0 0\n",
    "turnpost rounds 3\nround 1795179600 0 0 0\nend\nend\n",
    "gone",
};

/* With the catalog goes the memory of rounds: it becomes `rounds`, is "gone", or stays (NULL). */
static void lose_catalog(const char *rounds)
{
    struct err err = ERR_INIT;
    char *path = house_path(&house, "registry/rounds");
    house_end(&house);
    house_remove_catalog(&house);
    if (rounds && strcmp(rounds, "gone") == 0)
        ck_ok(file_remove(path, &err), err);
    else if (rounds)
        ck_ok(file_write_soft(path, slice_of(rounds), 0600, &err), err);
    free(path);
    house_begin(&house);
}

START_TEST(an_outage_before_a_new_catalog_is_one)
{
    (void)new_game(2);
    orders("anna", 1);
    run_at(HOUSE_NOON + HOUR, false);
    house.now = HOUSE_NOON + 4 * DAY;
    lose_catalog(losses[_i]);
    run_at(house.now, false);
    ck_assert_int_eq(game_now()->turn, 1);
    ck_assert_int_gt(game_now()->clock.deadline, house.now + DAY);
    told("bob", 1, NULL);
    check_replay();
    run_at(house.now + HOUR, false);
    ck_assert_int_eq(game_now()->turn, 1);
}
END_TEST

/* The service worked all the time: what is due is done. */
START_TEST(a_new_catalog_makes_no_outage)
{
    (void)new_game(2);
    orders("anna", 1);
    for (int hours = 4; hours < 72; hours += 4)
        run_at(HOUSE_NOON + hours * HOUR, false);
    lose_catalog(NULL);
    run_at(HOUSE_NOON + 3 * DAY, false);
    ck_assert_int_eq(game_now()->turn, 2);
}
END_TEST

/* What the catalog remembers for 60 days is not forgotten by a clock that jumps, nor after a long outage. */
START_TEST(a_memory_is_as_old_as_the_service_has_worked)
{
    (void)new_game(2);
    for (int hours = 0; hours <= 240; hours += 4)
        run_at(HOUSE_NOON + hours * HOUR, false);
    ck_assert_int_eq(batch_since(&house.batch, 60 * DAY), HOUSE_NOON - 50 * DAY);
    for (int hours = 0; hours < 48; hours += 4)
        run_at(HOUSE_NOON + 375 * DAY + hours * HOUR, false);
    ck_assert_int_eq(batch_since(&house.batch, 60 * DAY), HOUSE_NOON - 48 * DAY + 20 * HOUR);
}
END_TEST

/* A catalog of yesterday put back: by registry/rounds it is seen that it is old, or by a game that it lacks.
 */
START_TEST(an_older_catalog)
{
    static const char *const pair[] = {"anna", "bob"};
    struct catalog_game row;
    struct err err = ERR_INIT;
    bool found = false;
    (void)new_game(2);
    run_at(HOUSE_NOON + HOUR, false);
    house_end(&house);
    house_begin(&house); /* from now on it knows that it has all games */
    house_end(&house);
    house_copy(&house, "catalog.sqlite", "catalog.old");
    house_begin(&house);
    if (_i == 0)
        run_at(HOUSE_NOON + 2 * HOUR, false);
    else
        house_game(&house, "gc-2", "galaxy-command", DAY, 2, pair);
    house_end(&house);
    house_remove_catalog(&house);
    house_copy(&house, "catalog.old", "catalog.sqlite");
    house_begin(&house);
    struct catalog_clock clock;
    ck_ok(catalog_clock(house.batch.catalog, &clock, &err), err);
    ck_assert_int_eq(clock.done, house.now);
    ck_ok(catalog_get_game(house.batch.catalog, _i ? "gc-2" : "gc-1", &row, &found, &err), err);
    ck_assert(found);
}
END_TEST

/* It says another end of a journal: then what it says of other games may be old, too. */
START_TEST(an_older_end_of_a_game)
{
    static const char *const pair[] = {"anna", "bob"};
    const int64_t later = HOUSE_NOON + 90 * DAY;
    struct catalog_game row;
    struct err err = ERR_INIT;
    bool found = false;
    (void)new_game(2);
    house_game(&house, "gc-2", "galaxy-command", DAY, 2, pair);
    ck_ok(catalog_get_game(house.batch.catalog, "gc-2", &row, &found, &err), err);
    row.due = later;
    ck_ok(catalog_put_game(house.batch.catalog, &row, NULL, &err), err);
    ck_ok(catalog_get_game(house.batch.catalog, "gc-1", &row, &found, &err), err);
    row.seq -= _i;
    ck_ok(catalog_put_game(house.batch.catalog, &row, NULL, &err), err);
    batch_reset(&house.batch, false); /* it is looked at when a game is loaded */
    house_clock(&house, HOUSE_NOON + 5 * DAY);
    ck_ok(catalog_get_game(house.batch.catalog, "gc-2", &row, &found, &err), err);
    if (_i)
        ck_assert_int_ne(row.due, later);
    else
        ck_assert_int_eq(row.due, later);
}
END_TEST

/* A folder in its place: the round is done all the same. */
START_TEST(rounds_that_cannot_be_written)
{
    struct err err = ERR_INIT;
    char *path = house_path(&house, "registry/rounds/x");
    (void)new_game(2);
    house_remove(&house, "registry/rounds");
    ck_ok(file_mkdirs(path, 0700, &err), err);
    free(path);
    run_at(HOUSE_NOON + HOUR, false);
    struct catalog_clock clock;
    ck_ok(catalog_clock(house.batch.catalog, &clock, &err), err);
    ck_assert_int_eq(clock.done, HOUSE_NOON + HOUR);
}
END_TEST

/* Cut anywhere, between two of its lines, too, it is damaged, and says nothing of a last round. */
START_TEST(rounds_that_are_cut)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    char *path = house_path(&house, "registry/rounds");
    (void)new_game(2);
    run_at(HOUSE_NOON + HOUR, false);
    run_at(HOUSE_NOON + 2 * DAY, false);
    ck_ok(batch_round_deaf(&house.batch, &(struct err){.text = "no\nroute"}, &err), err);
    ck_ok(file_read(path, 1 << 16, &text, &err), err);
    ck_assert_ptr_nonnull(strstr(text.p, "\npause "));
    ck_assert_ptr_nonnull(strstr(text.p, "\ndeaf "));
    ck_ok(catalog_begin(house.batch.catalog, &err), err);
    for (size_t length = 0; length <= text.len; length++) {
        bool known, whole = length == text.len;
        int64_t done;
        ck_ok(file_write_soft(path, slice_sub(slice_str(&text), 0, length), 0600, &err), err);
        ck_ok(rounds_last(house.dir, &done, &err), err);
        ck_assert_msg((done != 0) == whole, "%.*s", (int)length, text.p);
        ck_ok(rounds_restore(house.batch.catalog, house.dir, &known, &err), err);
        ck_assert_msg(known == whole, "%.*s", (int)length, text.p);
    }
    ck_ok(catalog_commit(house.batch.catalog, &err), err);
    str_release(&text);
    free(path);
}
END_TEST

/* What is known of the rounds, and is the same in the file, in the catalog, and in one that is made of the file. */
static struct catalog_clock clock_now(void)
{
    struct err err = ERR_INIT;
    struct rounds_known rounds;
    struct catalog_clock clock;
    bool known;
    ck_ok(catalog_clock(house.batch.catalog, &clock, &err), err);
    ck_ok(rounds_read(house.dir, &rounds, &known, &err), err);
    ck_assert(known);
    ck_assert_int_eq(rounds.clock.done, clock.done);
    ck_assert_int_eq(rounds.clock.rhythm, clock.rhythm);
    ck_assert_int_eq(rounds.clock.waits, clock.waits);
    ck_assert_int_eq(rounds.clock.deaf, clock.deaf);
    ck_assert_int_eq(rounds.clock.tried, clock.tried);
    ck_assert_str_eq(rounds.clock.why, clock.why);
    rounds_release(&rounds);
    return clock;
}

/* Rounds whose mailbox cannot be read are no rounds, and it is remembered since when and why, until one can. */
START_TEST(a_mailbox_out_of_reach_is_remembered)
{
    struct err err = ERR_INIT;
    (void)new_game(2);
    run_at(HOUSE_NOON + HOUR, false);
    for (int hours = 2; hours < 5; hours++) {
        ck_ok(batch_round(&house.batch, HOUSE_NOON + hours * HOUR, &err), err);
        ck_ok(batch_round_deaf(&house.batch, &(struct err){.text = "imap.example.org:\nno route to host"},
                               &err),
              err);
    }
    lose_catalog(NULL);
    struct catalog_clock clock = clock_now();
    ck_assert_int_eq(clock.done, HOUSE_NOON + HOUR);
    ck_assert_int_eq(clock.deaf, HOUSE_NOON + 2 * HOUR);
    ck_assert_int_eq(clock.tried, HOUSE_NOON + 4 * HOUR);
    ck_assert_str_eq(clock.why, "imap.example.org: no route to host");
    run_at(HOUSE_NOON + 5 * HOUR, false);
    clock = clock_now();
    ck_assert_int_eq(clock.done, HOUSE_NOON + 5 * HOUR);
    ck_assert_int_eq(clock.deaf + clock.tried, 0);
    ck_assert_str_eq(clock.why, "");
}
END_TEST

/* How far rounds are apart at most: a day at first; some by hand change little; what comes more often is known within
 * two weeks; what comes seldom at once; an outage is none of it. */
START_TEST(the_rhythm_of_rounds)
{
    (void)new_game(2);
    run_at(HOUSE_NOON, false);
    int64_t minutes = 0;
    for (int i = 0; i < 6; i++)
        run_at(HOUSE_NOON + (minutes += 10) * 60, false);
    ck_assert_int_gt(clock_now().rhythm, DAY - HOUR);
    for (int i = 0; i < 14 * 24 * 6; i++)
        run_at(HOUSE_NOON + (minutes += 10) * 60, false);
    ck_assert_int_lt(clock_now().rhythm, HOUR);
    ck_assert_int_ge(clock_now().rhythm, 10 * 60);
    run_at(HOUSE_NOON + (minutes += 180) * 60, false);
    ck_assert_int_eq(clock_now().rhythm, 3 * HOUR);
    run_at(HOUSE_NOON + (minutes += 3000) * 60, false);
    ck_assert_int_eq(clock_now().rhythm, 3 * HOUR);
}
END_TEST

/* Neither read nor written over; also when the catalog is there. */
START_TEST(rounds_of_a_newer_program)
{
    struct err err = ERR_INIT;
    (void)new_game(2);
    run_at(HOUSE_NOON, false);
    house_end(&house);
    if (_i)
        house_remove_catalog(&house);
    char *path = house_path(&house, "registry/rounds");
    ck_ok(file_write_soft(path, slice_of("turnpost rounds 4\n"), 0600, &err), err);
    ck_ok(league_open(house.dir, true, &house.league, &err), err);
    ck_assert_int_ne(batch_open(&house.batch, &house.league, house.now, &err), 0);
    ck_assert_int_eq(err.code, ERR_NEWER);
    ck_assert_ptr_nonnull(strstr(err.text, "registry/rounds was made by a newer Turnpost"));
    league_close(&house.league);
    err_clear(&err);
    ck_ok(file_remove(path, &err), err);
    free(path);
    house_begin(&house);
}
END_TEST

/* While the mailbox cannot be read, there may be orders in it. */
START_TEST(nothing_is_resolved_unheard)
{
    (void)new_game(2);
    orders("anna", 1);
    run_at(HOUSE_NOON + 3 * DAY - 60, false);
    run_at(HOUSE_NOON + 3 * DAY, true);
    run_at(HOUSE_NOON + 3 * DAY + HOUR, true);
    ck_assert_int_eq(game_now()->turn, 1);
    run_at(HOUSE_NOON + 3 * DAY + 2 * HOUR, false); /* not long enough to move anything */
    ck_assert_int_eq(game_now()->turn, 2);
    int64_t deadline = game_now()->clock.deadline;
    orders("anna", 2);
    run_at(deadline - 90, false);
    run_at(deadline - 60, false);
    run_at(deadline + 8 * HOUR, true);
    ck_assert_int_eq(game_now()->clock.deadline, deadline);
    run_at(deadline + 9 * HOUR, false);
    ck_assert_int_eq(game_now()->turn, 2);
    ck_assert_int_eq(game_now()->clock.deadline, deadline + 9 * HOUR + 6 * HOUR);
    check_replay();
}
END_TEST

static void rounds_until(int64_t time)
{
    for (int64_t now = house.now + 5 * HOUR; now < time; now += 5 * HOUR)
        run_at(now, false);
    run_at(time, false);
}

/* Two days ahead, and right again: what was recorded meanwhile stands, time stands still in the journal until it comes, and
 * nobody misses a turn by it. */
START_TEST(a_clock_that_was_ahead)
{
    const int64_t ahead = HOUSE_NOON + 2 * DAY + 5 * HOUR, due = ahead + 3 * DAY;
    (void)new_game(2);
    run_at(HOUSE_NOON + 5 * HOUR, false);
    house.now = ahead;
    orders("anna", 1);
    orders("bob", 1);
    ck_assert_int_eq(game_now()->turn, 2);
    ck_assert_int_eq(game_now()->clock.deadline, due);
    house_restart(&house);
    house_empty_spool(&house);
    run_at(HOUSE_NOON + 6 * HOUR, false); /* put right */
    told_all(NULL, 0, NULL);
    orders("anna", 2);
    ck_assert_int_eq(game_now()->time, ahead);
    check_replay();
    rounds_until(due - 60);
    ck_assert_int_eq(game_now()->turn, 2);
    rounds_until(due);
    ck_assert_int_eq(game_now()->turn, 3); /* bob has had five days */
    check_replay();
}
END_TEST

/* A record is dated after the deadline: that has not come. */
START_TEST(nobody_misses_a_turn_by_a_time_that_was_wrong)
{
    int64_t deadline;
    (void)new_game(2);
    deadline = game_now()->clock.deadline;
    run_at(HOUSE_NOON + 5 * HOUR, false);
    house.now = deadline + 2 * DAY;
    orders("anna", 1);
    ck_assert_int_eq(game_now()->time, deadline + 2 * DAY);
    house_restart(&house);
    rounds_until(deadline - 60);
    ck_assert_int_eq(game_now()->turn, 1);
    if (_i) {
        orders("bob", 1); /* all are in: nothing is waited for */
        ck_assert_int_eq(game_now()->turn, 2);
        ck_assert_int_eq(game_now()->clock.deadline, deadline + 5 * DAY);
    } else {
        rounds_until(deadline);
        ck_assert_int_eq(game_now()->turn, 2);
    }
    check_replay();
}
END_TEST

/* What stands still for longer than anybody wants a moderator can have played. */
START_TEST(a_year_ahead_waits_for_a_word)
{
    const int64_t year = 366 * DAY;
    (void)new_game(2);
    run_at(HOUSE_NOON + HOUR, false);
    house.now = HOUSE_NOON + year;
    orders("anna", 1);
    orders("bob", 1);
    house_restart(&house);
    run_at(HOUSE_NOON + 2 * HOUR, false);
    orders("anna", 2);
    rounds_until(HOUSE_NOON + 10 * DAY);
    ck_assert_int_eq(game_now()->turn, 2);
    (void)house_signed(
        &house, "mona", "mona",
        "#turnpost moderate\ngame: gc-1\nturn: 2\ndo: resolve\nreason: The clock was wrong.\n#end\n");
    ck_assert_int_eq(game_now()->turn, 3);
    ck_assert_int_eq(game_now()->time, HOUSE_NOON + year);
    check_replay();
}
END_TEST

START_TEST(a_clock_put_back_repeats_nothing)
{
    (void)new_game(2);
    orders("anna", 1);
    house_clock(&house, HOUSE_NOON + 2 * DAY);
    house_clock(&house, HOUSE_NOON + 3 * DAY);
    ck_assert_int_eq(game_now()->turn, 2);
    int64_t seq = game_now()->seq, deadline = game_now()->clock.deadline;
    house_empty_spool(&house);
    house_clock(&house, HOUSE_NOON + 2 * DAY + HOUR);
    house_clock(&house, HOUSE_NOON + 3 * DAY);
    ck_assert_int_eq(game_now()->seq, seq);
    ck_assert_int_eq(game_now()->clock.deadline, deadline);
    told_all(NULL, 0, NULL);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, fixed_hours);
    tcase_add_test(tc, zone_data_that_change);
    tcase_add_test(tc, a_game_waits_for_its_start);
    tcase_add_test(tc, the_shortest_turn);
    tcase_add_test(tc, who_resigns_makes_no_turn_shorter);
    tcase_add_test(tc, only_at_the_deadline);
    tcase_add_test(tc, grace_for_late_orders);
    tcase_add_test(tc, reminded_once_when_missing);
    tcase_add_test(tc, late_orders_are_still_worth_a_reminder);
    tcase_add_test(tc, no_reminder_right_after_the_report);
    tcase_add_test(tc, no_reminder_in_short_turns);
    tcase_add_test(tc, no_reminders_when_the_operator_wants_none);
    tcase_add_test(tc, a_deserted_turn_is_held);
    tcase_add_test(tc, a_hold_that_nobody_ends);
    tcase_add_test(tc, players_who_gave_up_do_not_hold_a_game);
    tcase_add_test(tc, without_moderators_nothing_is_held);
    tcase_add_test(tc, one_silent_player_holds_nothing);
    tcase_add_test(tc, an_outage_moves_the_deadlines_in_it);
    tcase_add_test(tc, an_outage_is_given_when_the_game_can_be_stepped);
    tcase_add_test(tc, rounds_that_are_far_apart);
    tcase_add_test(tc, one_outage_after_another);
    tcase_add_test(tc, single_rounds_between_outages);
    tcase_add_test(tc, what_is_due_after_an_outage_stays);
    tcase_add_test(tc, a_short_pause_is_no_outage);
    tcase_add_loop_test(tc, an_outage_before_a_new_catalog_is_one, 0, sizeof losses / sizeof *losses);
    tcase_add_test(tc, a_new_catalog_makes_no_outage);
    tcase_add_test(tc, a_memory_is_as_old_as_the_service_has_worked);
    tcase_add_loop_test(tc, an_older_catalog, 0, 2);
    tcase_add_loop_test(tc, an_older_end_of_a_game, 0, 2);
    tcase_add_test(tc, rounds_that_cannot_be_written);
    tcase_add_test(tc, rounds_that_are_cut);
    tcase_add_test(tc, a_mailbox_out_of_reach_is_remembered);
    tcase_add_test(tc, the_rhythm_of_rounds);
    tcase_add_loop_test(tc, rounds_of_a_newer_program, 0, 2);
    tcase_add_test(tc, nothing_is_resolved_unheard);
    tcase_add_test(tc, a_clock_that_was_ahead);
    tcase_add_loop_test(tc, nobody_misses_a_turn_by_a_time_that_was_wrong, 0, 2);
    tcase_add_test(tc, a_year_ahead_waits_for_a_word);
    tcase_add_test(tc, a_clock_put_back_repeats_nothing);
}
TEST_MAIN("play/clock", cases)
