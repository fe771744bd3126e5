/* The ratings of a league's players in one ruleset: games go in, in their order, and a list comes out. What is in the
 * list follows from the games alone; whoever takes a game back begins again and leaves it out. */
#ifndef RATING_LADDER_H
#define RATING_LADDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rating/rating.h"

/* A seat of a game that has ended. */
struct ladder_seat {
    const char *player;          /* NULL: a robot */
    const struct rating *anchor; /* a robot's fixed rating; NULL: the robot is left out */
    int rank;                    /* as rating_ranks gives it; 0: the seat is left out */
};
struct ladder_game {
    int64_t time; /* when it ended: UTC seconds, not before 1970 */
    const struct ladder_seat *seats;
    size_t count;
};

struct ladder_player {
    char *name; /* owned */
    struct rating rating;
    int games;    /* that were rated */
    int64_t last; /* when the latest of them ended */
};
/* Zero-initialise; end with ladder_release. */
struct ladder {
    struct ladder_player **players; /* owned; everybody with a rated game, in byte order of names */
    size_t count, cap;
};
void ladder_release(struct ladder *ladder);

/* False, and nothing has changed, when the game is not rated: fewer than two players are left in it, one of them has two
 * seats, or more than RATING_SEATS_MOST seats are left. */
bool ladder_add(struct ladder *ladder, const struct ladder_game *game);
/* Borrowed until the next ladder_add; NULL: no rated game. The rating is that after the last game. */
const struct ladder_player *ladder_find(const struct ladder *ladder, const char *name);

/* Theirs as it is published at `now`. */
struct rating_figures ladder_figures(const struct ladder_player *player, int64_t now);

#define LADDER_PROVISIONAL 5 /* how many games a rating needs, unless a league says otherwise */
struct ladder_row {
    const char *name; /* borrowed from the ladder */
    struct rating_figures figures;
    int games;
    bool provisional; /* fewer games than needed */
    int64_t last;
};
/* The list as it is published at `now`, with what rating_idle says then: by `shown`, the highest first, then by name in
 * byte order. `rows` has room for ladder->count. */
void ladder_list(const struct ladder *ladder, int64_t now, int provisional, struct ladder_row *rows);

#endif
