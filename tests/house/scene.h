/* One game, gc-1, in a house: what the suites of the clock and of moderators share. */
#ifndef TESTS_HOUSE_SCENE_H
#define TESTS_HOUSE_SCENE_H

#include "base/date.h"
#include "house/house.h"

#define HOUR ((int64_t)3600)
#define DAY  DAY_SECONDS

static struct house house;
static struct schedule clock_of;
static const char *const players[] = {"anna", "bob", "carol", "robot"};

/* A house with these moderators, and anna, bob, carol and mona; turns of three days. */
static inline void scene(const char *moderators)
{
    struct str line = STR_INIT;
    house_open(&house);
    str_addf(&line, "moderators = %s", moderators);
    house_option(&house, "[league]", line.p);
    house_restart(&house);
    str_release(&line);
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

static inline struct game *game_now(void)
{
    return house_find(&house, "gc-1");
}

/* The game with this many of the players. */
static inline struct game *new_game(int seats)
{
    house_game(&house, "gc-1", "galaxy-command", 0, seats, players);
    house_empty_spool(&house);
    return game_now();
}

/* The lines of a vacation of this many days from that day on, counted from 1970. */
static inline void vacation_lines(struct str *text, int64_t day, int64_t days)
{
    char from[DATE_TEXT], to[DATE_TEXT];
    date_text(from, day);
    date_text(to, day + days - 1);
    str_addf(text, "from: %s\nto: %s\n", from, to);
}

/* This many mails to that person (NULL = to anybody), one of them with these words; told_all empties the
 * spool after it. */
static inline void told(const char *name, int count, const char *words)
{
    struct str text;
    int got = house_mails(&house, name, &text);
    if (got != count || (words && !house_says(text.p, words)))
        ck_abort_msg("%d mails, not %d with \"%s\":\n%s", got, count, words ? words : "", text.p);
    str_release(&text);
}

#define told_all(name, count, words) \
    do {                             \
        told(name, count, words);    \
        house_empty_spool(&house);   \
    } while (0)

#endif
