/* A game with moderators in a house: mona, who does not play, and carol, who may have a seat. */
#ifndef TESTS_HOUSE_RULING_H
#define TESTS_HOUSE_RULING_H

#include "house/scene.h"

static inline void begin(void)
{
    scene("mona carol");
    house_option(&house, "[clock]", "valve = 100\nreminder = 0");
    house_restart(&house);
    house_player(&house, "dora");
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

/* All awaited players send orders: the turn is played. */
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

/* A moderator's text about gc-1 in its open turn. `fields` are the lines after "turn:". */
static inline void rule(const char *name, const char *fields)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost moderate\ngame: gc-1\nturn: %d\n%s#end\n", game_now()->turn, fields);
    (void)house_signed(&house, name, name, text.p);
    str_release(&text);
}

#define WHY "reason: The dog ate it.\n"

/* What must be refused: an answer to the sender, and nothing else happens. */
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
