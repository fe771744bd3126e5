/* A game with moderators in a house: mona, who does not play, and carol, who may have a seat. */
#ifndef TESTS_ENGINE_RULING_H
#define TESTS_ENGINE_RULING_H

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
    house_option(&house, "[league]", "moderators = mona carol");
    house_option(&house, "[clock]", "valve = 100\nreminder = 0");
    house_restart(&house);
    house_player(&house, "anna");
    house_player(&house, "bob");
    house_player(&house, "carol");
    house_player(&house, "mona");
    house_player(&house, "dora");
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

/* anna, bob, carol, and a robot. */
static inline struct game *new_game(int seats)
{
    house_game(&house, "gc-1", "galaxy-command", 0, seats, players);
    house_empty_spool(&house);
    return game_now();
}

static inline void orders(const char *name, const char *lines)
{
    struct str text = STR_INIT;
    static int number;
    str_addf(&text, "#turnpost orders\ngame: gc-1\nturn: %d\nseq: %d\n%s#end\n", game_now()->turn, ++number,
             lines);
    (void)house_signed(&house, name, name, text.p);
    str_release(&text);
}

/* All who are awaited send orders: the turn is played. */
static inline void play(void)
{
    int turn = game_now()->turn;
    for (int seat = 1; seat <= game_now()->seats; seat++)
        if (game_now()->turn == turn && (game_missing(game_now()) & SEAT_BIT(seat))) {
            char name[PLAYER_NAME];
            memcpy(name, game_now()->seat[seat].player, sizeof name);
            orders(name, "bide\n");
        }
    ck_assert_int_eq(game_now()->turn, turn + 1);
    house_empty_spool(&house);
}

/* A moderator's text about gc-1 in its open turn. `fields` are the lines behind "turn:". */
static inline void rule(const char *name, const char *fields)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost moderate\ngame: gc-1\nturn: %d\n%s#end\n", game_now()->turn, fields);
    (void)house_signed(&house, name, name, text.p);
    str_release(&text);
}

#define WHY "reason: The dog ate it.\n"

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

/* So many mails to that person (NULL = to anybody), one of them with these words, and none with lines that
 * are too long. */
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

/* What must be refused: an answer to whoever wrote, and nothing else happens. */
static inline void refused(const char *name, const char *fields, const char *words)
{
    int64_t seq = game_now()->seq;
    house_empty_spool(&house);
    rule(name, fields);
    ck_assert_int_eq(game_now()->seq, seq);
    told(NULL, 1, NULL);
    told_all(name, 1, words);
}

static inline void show_mails(const char *name)
{
    struct str text;
    if (!getenv("SHOW"))
        return;
    (void)house_mails(&house, name, &text);
    fprintf(stderr, "%s\n", text.p);
    str_release(&text);
}

#endif
