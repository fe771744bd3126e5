/* Two thousand games that everybody can make again: 40 players, four robots, ties, seats that are left out, long pauses.
 * tests/verifier/rating.py has the same; tests/golden/rating/random.txt is what comes of them. */
#ifndef TESTS_RATING_RANDOM_H
#define TESTS_RATING_RANDOM_H

#include <inttypes.h>
#include <stdio.h>

#include "rating/ladder.h"

#define RANDOM_GAMES  2000
#define RANDOM_PEOPLE 40
#define RANDOM_ROBOTS 4 /* the last one has no rating */
#define RANDOM_POOL   (RANDOM_PEOPLE + RANDOM_ROBOTS)
#define RANDOM_SEATS  9

struct random_games {
    uint64_t seed; /* 21 at first */
    int64_t time;  /* 1600000000 at first */
    char names[RANDOM_PEOPLE][8];
    struct rating robots[RANDOM_ROBOTS - 1];
    struct ladder_seat seats[RANDOM_SEATS];
};

/* splitmix64 */
static inline uint64_t random_next(struct random_games *games)
{
    uint64_t z = games->seed += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static inline int random_below(struct random_games *games, int n)
{
    return (int)(random_next(games) % (uint64_t)n);
}

static inline void random_begin(struct random_games *games)
{
    games->seed = 21;
    games->time = 1600000000;
    for (int i = 0; i < RANDOM_PEOPLE; i++)
        (void)snprintf(games->names[i], sizeof games->names[i], "p%02d", i);
    for (int i = 0; i < RANDOM_ROBOTS - 1; i++)
        games->robots[i] = (struct rating){(15 + 5 * i) * FIXED_ONE, (i + 1) * FIXED_ONE};
}

/* The time moves on by up to five days, once in 200 games by 300 more; 2 to 9 seats are drawn from the pool, each with a
 * rank within the number of seats, or left out (one in 16). */
static inline struct ladder_game random_game(struct random_games *games)
{
    int pool[RANDOM_POOL];
    for (int i = 0; i < RANDOM_POOL; i++)
        pool[i] = i;
    games->time += random_below(games, 432000);
    if (random_below(games, 200) == 0)
        games->time += INT64_C(300) * 86400;
    const int count = 2 + random_below(games, RANDOM_SEATS - 1);
    for (int i = 0; i < count; i++) {
        const int j = i + random_below(games, RANDOM_POOL - i), who = pool[j];
        pool[j] = pool[i];
        const int rank = 1 + random_below(games, count);
        games->seats[i] = (struct ladder_seat){
            .player = who < RANDOM_PEOPLE ? games->names[who] : NULL,
            .anchor =
                who >= RANDOM_PEOPLE && who < RANDOM_POOL - 1 ? &games->robots[who - RANDOM_PEOPLE] : NULL,
            .rank = random_below(games, 16) == 0 ? 0 : rank,
        };
    }
    return (struct ladder_game){games->time, games->seats, (size_t)count};
}

/* A line a player: name, mu and sigma in steps of 2^-40, the same and mu - 3 sigma in millionths a year after the last
 * game, games, time of the last. Returns its length. */
#define RANDOM_LINE 200
static inline size_t random_line(char out[RANDOM_LINE], const struct ladder *ladder,
                                 const struct ladder_row *row)
{
    const struct ladder_player *player = ladder_find(ladder, row->name);
    int length = snprintf(out, RANDOM_LINE,
                          "%s %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %d %" PRId64 "\n",
                          row->name, player->rating.mu, player->rating.sigma, row->figures.mu,
                          row->figures.sigma, row->figures.shown, row->games, row->last);
    return (size_t)length;
}

#endif
