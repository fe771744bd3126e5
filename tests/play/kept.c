/* Seats that are kept for players until they sign that they join. */
#include "house/scene.h"

#include "game/seating.h"

#define ANSWER (10 * DAY)

/* gc-1 with seats kept for anna and bob, and a robot; `open` makes bob's free for anybody. */
static void make(bool open)
{
    struct err err = ERR_INIT;
    struct step step;
    struct game game;
    struct step_keys keys = batch_keys(&house.batch);
    struct new_game how = {.id = "gc-1",
                           .ruleset = ruleset_newest("galaxy-command"),
                           .seats = 3,
                           .clock = &clock_of,
                           .answer_by = house.now + ANSWER};
    for (int i = 0; i < GAME_OPTIONS && how.ruleset->options[i].name; i++)
        how.options[i] = how.ruleset->options[i].initial;
    how.seat[1] = (struct new_seat){.player = "anna", .kept = true};
    if (!open)
        how.seat[2] = (struct new_seat){.player = "bob", .kept = true};
    how.seat[3] = (struct new_seat){.player = "robot", .robot = true};
    step_init(&step, &keys, house.now);
    ck_ok(step_create(&step, &game, &how, &err), err);
    struct batch_game *entry = batch_add(&house.batch, &game);
    ck_ok(batch_take(&house.batch, entry, &step, NULL, &err), err);
    step_release(&step);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
}

static void join(const char *name, const char *lines)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost join\ngame: gc-1\n%s#end\n", lines);
    house_signed(&house, name, name, text.p);
    str_release(&text);
}

START_TEST(players_are_asked_and_the_game_begins_when_all_have_signed)
{
    scene("mona");
    make(false);
    told("anna", 1, "Seat 1 in a new game is kept for you, anna.");
    told("bob", 1, "Seats: anna (asked); bob (asked); robot (robot).");
    house_empty_spool(&house);
    join("bob", "");
    told("bob", 1, "You have seat 2, bob.");
    told_all("bob", 1, "Seats: anna (asked); bob; robot (robot).");
    ck_assert_int_eq(game_now()->turn, 0);
    join("anna", "");
    ck_assert_int_eq(game_now()->turn, 1);
    ck_assert_str_eq(game_now()->seat[1].player, "anna");
    ck_assert_str_eq(game_now()->seat[2].player, "bob");
    house_same(&house, "gc-1");
    end();
}
END_TEST

/* The operator cannot put anybody into a seat: no reader takes such a game. */
START_TEST(nobody_sits_down_without_a_word)
{
    struct err err = ERR_INIT;
    struct step step;
    struct game game;
    struct step_keys keys;
    struct new_game how = {.id = "gc-1", .ruleset = ruleset_newest("galaxy-command"), .seats = 2};
    scene("mona");
    keys = batch_keys(&house.batch);
    for (int i = 0; i < GAME_OPTIONS && how.ruleset->options[i].name; i++)
        how.options[i] = how.ruleset->options[i].initial;
    how.seat[1].player = "anna";
    how.seat[2] = (struct new_seat){.player = "robot", .robot = true};
    step_init(&step, &keys, house.now);
    ck_assert_int_eq(step_create(&step, &game, &how, &err), -1);
    ck_assert_ptr_nonnull(strstr(err.text, "seats a player who has not joined"));
    step_release(&step);
    game_release(&game);
    end();
}
END_TEST

START_TEST(nobody_else_gets_the_seat)
{
    scene("mona");
    make(true);
    house_empty_spool(&house);
    join("carol", "seat: 1\n");
    told_all("carol", 1, "Seat 1 is taken");
    join("carol", "seat: 3\n");
    told_all("carol", 1, "Seat 3 is taken");
    join("carol", "");
    ck_assert_str_eq(game_now()->seat[2].player, "carol");
    house_empty_spool(&house);
    join("mona", "");
    told_all("mona", 1, "You are on the waiting list");
    join("anna", "seat: 2\n");
    told_all("anna", 1, "Seat 1 is kept for you");
    join("anna", "");
    ck_assert_int_eq(game_now()->turn, 1);
    ck_assert_str_eq(game_now()->seat[1].player, "anna");
    end();
}
END_TEST

START_TEST(the_silent_are_reminded_once_and_then_it_ends)
{
    scene("mona");
    make(false);
    house_empty_spool(&house);
    int64_t made = house.now;
    join("bob", "");
    house_empty_spool(&house);
    house_clock(&house, made + ANSWER / 2 - HOUR);
    told_all(NULL, 0, NULL);
    house_clock(&house, made + ANSWER / 2);
    told_all(NULL, 1, "Seat 1 is yours if you take it, anna.");
    house_clock(&house, made + ANSWER);
    told_all(NULL, 0, NULL);
    ck_assert(!game_now()->over);
    house_clock(&house, made + ANSWER + 1);
    ck_assert(game_now()->over);
    told("anna", 1, "This game ends without having begun: anna had until");
    told("bob", 1, "This game ends without having begun: anna had until");
    told_all("mona", 1, "This game ends without having begun");
    ck_assert_int_eq(game_due(game_now(), NULL), 0);
    join("anna", "");
    told_all("anna", 1, "Game gc-1 is over.");
    house_same(&house, "gc-1");
    end();
}
END_TEST

/* A player who cannot be heard is not silent: the answer may be in the mailbox. */
START_TEST(nobody_unheard_is_given_up)
{
    struct str command = STR_INIT;
    struct stuck_orders stuck = {.player = "anna"};
    scene("mona");
    make(false);
    join("bob", "");
    int64_t made = house.now;
    if (_i == 0) {
        house_end(&house);
        str_addf(&command, "cd %s && cp keys/anna.pub . && : >keys/anna.pub", house.dir);
        ck_assert_int_eq(system(command.p), 0);
        house_begin(&house);
    } else {
        house.batch.outside.stuck = &stuck;
        house.batch.outside.stuck_count = 1;
    }
    house_clock(&house, made + ANSWER + DAY);
    ck_assert(!game_now()->over);
    if (_i == 0) {
        house_end(&house);
        str_clear(&command);
        str_addf(&command, "mv %s/anna.pub %s/keys/", house.dir, house.dir);
        ck_assert_int_eq(system(command.p), 0);
        house_begin(&house);
    }
    house.batch.outside.stuck_count = 0;
    join("anna", "");
    ck_assert_int_eq(game_now()->turn, 1);
    str_release(&command);
    end();
}
END_TEST

/* A player who leaves may come back; their seat goes to nobody on the waiting list. */
START_TEST(a_kept_seat_that_is_given_up_stays_kept)
{
    scene("mona");
    make(false);
    join("bob", "");
    join("carol", "");
    ck_assert(game_waits(game_now(), "carol"));
    house_signed(&house, "bob", "bob", "#turnpost leave\ngame: gc-1\n#end\n");
    ck_assert_str_eq(game_now()->seat[2].player, "");
    ck_assert(seating_unanswered(game_now()) == (SEAT_BIT(1) | SEAT_BIT(2)));
    join("bob", "nonce: again\n");
    join("anna", "");
    ck_assert_int_eq(game_now()->turn, 1);
    ck_assert(game_waits(game_now(), "carol"));
    end();
}
END_TEST

/* Who was asked, and has not answered, would wait for the game. */
START_TEST(all_who_were_asked_hear_that_it_is_void)
{
    scene("mona");
    make(false);
    join("anna", "");
    house_empty_spool(&house);
    house_signed(
        &house, "mona", "mona",
        "#turnpost moderate\ngame: gc-1\nturn: 0\ndo: void\nreason: a mistake in the options\n#end\n");
    ck_assert(house_find(&house, "gc-1")->over);
    told("anna", 1, "has declared this game void");
    told("bob", 1, "has declared this game void");
    end();
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, players_are_asked_and_the_game_begins_when_all_have_signed);
    tcase_add_test(tc, nobody_sits_down_without_a_word);
    tcase_add_test(tc, nobody_else_gets_the_seat);
    tcase_add_test(tc, the_silent_are_reminded_once_and_then_it_ends);
    tcase_add_loop_test(tc, nobody_unheard_is_given_up, 0, 2);
    tcase_add_test(tc, a_kept_seat_that_is_given_up_stays_kept);
    tcase_add_test(tc, all_who_were_asked_hear_that_it_is_void);
}

TEST_MAIN("play/kept", cases)
