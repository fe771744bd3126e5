/* A game with a clock in a house, for the suites of what the clock does. */
#ifndef TESTS_HOUSE_CLOCK_H
#define TESTS_HOUSE_CLOCK_H

#include "house/scene.h"
#include "game/game_load.h"

static inline void begin(void)
{
    scene("mona");
}

static inline void orders(const char *name, int turn)
{
    struct str text = STR_INIT;
    static int number;
    str_addf(&text, "#turnpost orders\ngame: gc-1\nturn: %d\nseq: %d\nbide\n#end\n", turn, ++number);
    (void)house_signed(&house, name, name, text.p);
    str_release(&text);
}

/* A round of work without mail; `deaf`: the mailbox could not be read. */
static inline void run_at(int64_t now, bool deaf)
{
    struct err err = ERR_INIT;
    ck_ok(batch_round(&house.batch, now, &err), err);
    house.batch.outside.deaf = deaf;
    house_clock(&house, now);
    if (!deaf)
        ck_ok(batch_round_done(&house.batch, &err), err);
}

static inline int64_t row_due(void)
{
    struct err err = ERR_INIT;
    struct catalog_game row;
    bool found;
    ck_ok(catalog_get_game(house.batch.catalog, "gc-1", &row, &found, &err), err);
    ck_assert(found);
    return row.due;
}

static inline void check_same(const struct game *one, const struct game *two)
{
    ck_assert_mem_eq(one->head, two->head, 32);
    ck_assert_int_eq(one->turn, two->turn);
    ck_assert_int_eq(one->clock.deadline, two->clock.deadline);
    ck_assert_int_eq(one->clock.dated, two->clock.dated);
    ck_assert_uint_eq(one->clock.reminded, two->clock.reminded);
    ck_assert_int_eq(one->clock.extended, two->clock.extended);
    ck_assert_int_eq(one->clock.spared, two->clock.spared);
    ck_assert_int_eq(one->clock.held, two->clock.held);
    ck_assert_int_eq(one->clock.hold_turn, two->clock.hold_turn);
    ck_assert_int_eq(one->clock.hold_until, two->clock.hold_until);
    ck_assert_uint_eq(one->clock.away_count, two->clock.away_count);
    for (size_t i = 0; i < one->clock.away_count; i++) {
        ck_assert_str_eq(one->clock.away[i].player, two->clock.away[i].player);
        ck_assert_int_eq(one->clock.away[i].year, two->clock.away[i].year);
        ck_assert_int_eq(one->clock.away[i].days, two->clock.away[i].days);
        ck_assert_int_eq(one->clock.away[i].until, two->clock.away[i].until);
        ck_assert_int_eq(one->clock.away[i].before, two->clock.away[i].before);
        ck_assert_int_eq(one->clock.away[i].open_days, two->clock.away[i].open_days);
    }
    for (int seat = 1; seat <= one->seats; seat++)
        ck_assert_int_eq(one->seat[seat].vote, two->seat[seat].vote);
    json_t *clock_one = schedule_json(&one->clock.schedule);
    json_t *clock_two = schedule_json(&two->clock.schedule);
    ck_assert(json_equal(clock_one, clock_two));
    json_decref(clock_one);
    json_decref(clock_two);
}

/* The journal alone, and the cache, give the game that is in memory. */
static inline void check_replay(void)
{
    struct err err = ERR_INIT;
    for (int cached = 0; cached <= 1; cached++) {
        struct game again;
        if (cached)
            ck_ok(game_save(house.batch.store, game_now(), house.league.master, &err), err);
        ck_ok(game_load(house.batch.store, "gc-1", cached ? house.league.master : NULL, &again, &err), err);
        check_same(game_now(), &again);
        game_release(&again);
    }
}

#endif
