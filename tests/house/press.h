/* A game of three players, gc-1, who write to each other, and a moderator without a seat. */
#ifndef TESTS_HOUSE_PRESS_H
#define TESTS_HOUSE_PRESS_H

#include "house/house.h"

static struct house house;
static const char *const table[] = {"anna", "bob", "carol"};

static inline void begin(void)
{
    house_open(&house);
    for (int i = 0; i < 3; i++)
        house_player(&house, table[i]);
    house_player(&house, "mod");
    house_option(&house, "[league]", "moderators = mod carol");
    house_option(&house, "[clock]", "valve = 100\nreminder = 0");
    house_option(&house, "[limits]", "press_per_turn = 3\npress_size = 300");
    house_restart(&house);
}

static inline void end(void)
{
    house_close(&house);
}

static inline void game_of(enum press_kind press, bool report)
{
    house_game_of(&house,
                  (struct new_game){.id = "gc-1",
                                    .ruleset = ruleset_newest("galaxy-command"),
                                    .seats = 3,
                                    .turn_length = 86400,
                                    .press = press,
                                    .press_report = report},
                  table);
    house_empty_spool(&house);
}

/* A message of NAME in the open turn; `fields` are its own lines. */
static inline enum intake_fate say(const char *name, const char *fields)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost press\ngame: gc-1\nturn: %d\n%s#end\n", house_find(&house, "gc-1")->turn,
             fields);
    enum intake_fate fate = house_signed(&house, name, name, text.p);
    str_release(&text);
    return fate;
}

static inline void play(const char *name, int turn)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost orders\ngame: gc-1\nturn: %d\npass\n#end\n", turn);
    ck_assert_int_eq(house_signed(&house, name, name, text.p), INTAKE_PROCESSED);
    str_release(&text);
}

#endif
