/* A game with a clock in a house, for the suites of what the clock does. */
#ifndef TESTS_ENGINE_CLOCK_H
#define TESTS_ENGINE_CLOCK_H

#include "base/date.h"
#include "engine/house.h"

#define HOUR ((int64_t)3600)
#define DAY  DAY_SECONDS

static struct house house;
static struct schedule clock_of;
static const char *const players[] = {"anna", "bob", "carol", "robot"};

static inline void begin(void)
{
    house_open(&house);
    house_option(&house, "[league]", "moderators = mona");
    house_restart(&house);
    house_player(&house, "anna");
    house_player(&house, "bob");
    house_player(&house, "carol");
    house_player(&house, "mona");
    schedule_init(&clock_of);
    clock_of.length = 3 * DAY;
    house.clock = &clock_of;
}

static inline void end(void)
{
    house_close(&house);
}

/* A game of two players, or more, with the clock as it is set. */
static inline struct game *new_game(int seats)
{
    house_game(&house, "gc-1", "galaxy-command", 0, seats, players);
    house_empty_spool(&house);
    return house_find(&house, "gc-1");
}

static inline struct game *game_now(void)
{
    return house_find(&house, "gc-1");
}

static inline void orders(const char *name, int turn)
{
    struct str text = STR_INIT;
    static int number;
    str_addf(&text, "#turnpost orders\ngame: gc-1\nturn: %d\nseq: %d\nbide\n#end\n", turn, ++number);
    (void)house_signed(&house, name, name, text.p);
    str_release(&text);
}

/* Are the words in it, however its lines are broken? */
static inline bool says(const char *text, const char *words)
{
    for (; *text; text++) {
        const char *t = text, *w = words;
        for (; *w && (*t == *w || (*t == '\n' && *w == ' ')); t++)
            w++;
        if (!*w)
            return true;
    }
    return false;
}

/* So many mails to that person (NULL = to anybody), one of them with these words; then the spool is empty. */
static inline void told(const char *name, int count, const char *words)
{
    struct str text;
    int got = house_mails(&house, name, &text);
    if (got != count || (words && !says(text.p, words)))
        ck_abort_msg("%d mails, not %d with \"%s\":\n%s", got, count, words ? words : "", text.p);
    str_release(&text);
}

#define told_all(name, count, words) \
    do {                             \
        told(name, count, words);    \
        house_empty_spool(&house);   \
    } while (0)

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
    ck_assert_int_eq(one->deadline, two->deadline);
    ck_assert_int_eq(one->dated, two->dated);
    ck_assert_uint_eq(one->reminded, two->reminded);
    ck_assert_int_eq(one->extended, two->extended);
    ck_assert_int_eq(one->held, two->held);
    ck_assert_int_eq(one->hold_turn, two->hold_turn);
    ck_assert_int_eq(one->hold_until, two->hold_until);
    ck_assert_uint_eq(one->away_count, two->away_count);
    for (size_t i = 0; i < one->away_count; i++) {
        ck_assert_str_eq(one->away[i].player, two->away[i].player);
        ck_assert_int_eq(one->away[i].year, two->away[i].year);
        ck_assert_int_eq(one->away[i].days, two->away[i].days);
        ck_assert_int_eq(one->away[i].until, two->away[i].until);
        ck_assert_int_eq(one->away[i].before, two->away[i].before);
        ck_assert_int_eq(one->away[i].open_days, two->away[i].open_days);
    }
    for (int seat = 1; seat <= one->seats; seat++)
        ck_assert_int_eq(one->seat[seat].vote, two->seat[seat].vote);
    json_t *clock_one = schedule_json(&one->clock);
    json_t *clock_two = schedule_json(&two->clock);
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
        ck_ok(game_load(house.batch.store, "gc-1", cached ? house.league.master : NULL, false, &again, &err),
              err);
        check_same(game_now(), &again);
        game_release(&again);
    }
}

#endif
