/* Ratings, version 1: what one game does to the ratings of those who played it. Plackett-Luce after Weng and Lin (A
 * Bayesian Approximation Method for Online Ranking, JMLR 12, 2011, algorithm 4), in integers; the page has every
 * formula (rating/README.md). Nothing here depends on the order of the seats. */
#ifndef RATING_RATING_H
#define RATING_RATING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rating/fixed.h"

/* Published lists name it. What a version gives never changes: another formula, another constant is another version. */
#define RATING_VERSION 1

/* How good somebody is, and how sure that is, in steps of 2^-40 (rating/fixed.h). mu within +-RATING_MU_MOST; sigma
 * above 0, at most RATING_SIGMA_MOST. */
struct rating {
    int64_t mu, sigma;
};

#define RATING_MU         (25 * FIXED_ONE)
#define RATING_SIGMA      INT64_C(9162596898133) /* 25/3 */
#define RATING_MU_MOST    (1000000 * FIXED_ONE)
#define RATING_SIGMA_MOST (100 * FIXED_ONE)
struct rating rating_new(void); /* of whoever has not played yet */
/* A rating that is written down in millionths: a robot's. False outside of the ranges above. */
bool rating_read(struct rating *rating, int64_t mu, int64_t sigma) __attribute__((warn_unused_result));

#define RATING_SEATS_MOST 32
struct rating_seat {
    struct rating rating;
    int rank;    /* 1.. is best; who has the same has tied; only their order counts */
    bool anchor; /* a robot: the others' ratings move by it, its own stays */
};
/* Two to RATING_SEATS_MOST seats; their ratings become those after the game. */
void rating_game(struct rating_seat *seats, size_t count);

/* Nobody's skill is known for ever: after RATING_IDLE seconds without a rated game sigma grows with each whole
 * RATING_IDLE_STEP more, up to RATING_SIGMA. `seconds`: since the last rated game; negative counts as 0. */
#define RATING_IDLE      INT64_C(15552000) /* 180 days */
#define RATING_IDLE_STEP INT64_C(2592000)  /* 30 days */
void rating_idle(struct rating *rating, int64_t seconds);

/* The ranks of a game for its rating: `ranks` as the rules have them (1.. is best, 0: nobody who counts), `resigned`
 * by seat. Those who resigned tie for the last rank; the others keep their order and are numbered anew from 1, and as
 * many ranks are skipped as people tie. A 0 stays. At most RATING_SEATS_MOST seats. */
void rating_ranks(int *ranks, const bool *resigned, size_t count);

/* A rating as it is published, in millionths: `shown` = mu - 3 sigma, of the rounded figures, so that readers get the
 * same. */
struct rating_figures {
    int64_t mu, sigma, shown;
};
struct rating_figures rating_published(struct rating rating);

#endif
