/* Do the draws of games look like chance? Draws are gathered into series, each series is tested (fairness/statistic.h), and as
 * many tests find something odd by chance alone, all p-values are corrected for their number by Holm's method: a fair league
 * stands out once in FAIRNESS_ONE_IN.
 *
 * Series are, of each ruleset and of all together:
 *
 *     numbers of a kind        dice, picks, shuffles, hidden shuffles, and all of them in the order of drawing, as bits: is the number
 *                              in the upper half of what it could be? The middle one of an odd number of them is left out. A shuffle
 *                              of n things is n - 1 numbers, u(n) .. u(2) (chance/draw.h): frequency, runs, serial
 *     dice, picks of one size  sides, pairs
 *     shuffles of one label    (without the number at its end) and size: places
 *
 * A series with the same draws as another one is tested once. What is bent in a way that none of these tests sees is not found, and a seed
 * that somebody chose is not bent at all. */
#ifndef FAIRNESS_FAIRNESS_H
#define FAIRNESS_FAIRNESS_H

#include <stdbool.h>

#include "chance/draw.h"

#define FAIRNESS_ONE_IN 1000

enum fairness_what {
    FAIRNESS_ALL, /* numbers of all kinds */
    FAIRNESS_DICE,
    FAIRNESS_PICKS,
    FAIRNESS_SHUFFLES,
    FAIRNESS_HIDDEN, /* hidden shuffles */
    FAIRNESS_DIE,    /* of one size */
    FAIRNESS_PICK,
    FAIRNESS_DECK
};
enum fairness_test { TEST_FREQUENCY, TEST_RUNS, TEST_SERIAL, TEST_SIDES, TEST_PAIRS, TEST_PLACES };

struct fairness_series {
    const char *ruleset; /* NULL: of all */
    enum fairness_what what;
    uint32_t of;             /* sides, things to pick from, things shuffled; 0 of numbers */
    char deck[CHANCE_LABEL]; /* of a deck: its label */
    size_t count;            /* numbers, dice, picks, shuffles */
    uint32_t *values; /* of a die or pick 0..of-1; of a deck `of` places for each shuffle; of numbers NULL */
    uint8_t *bits;    /* of numbers */
    size_t used, cap;
};

struct fairness_result {
    const struct fairness_series *series; /* borrowed from the fairness */
    enum fairness_test test;
    size_t needed;       /* of what the series counts */
    bool done;           /* there were enough; else what follows is 0 */
    double p, corrected; /* Holm */
    bool stands_out;     /* corrected <= 1 / FAIRNESS_ONE_IN */
    size_t cell, parts;  /* what was most out of place, as statistic.h has it; parts of places */
    double seen, expected;
};

/* Start with zeros. */
struct fairness {
    struct fairness_series **list;
    size_t count, cap;
    uint64_t *known; /* draws by the key of their stream: games of one deal share draws, which count once */
    size_t known_count, known_size;
    size_t draws;
};
void fairness_release(struct fairness *fairness);
/* The draws of one play; the name of the ruleset is borrowed. */
void fairness_add(struct fairness *fairness, const char *ruleset, const struct chance_trace *trace);

struct fairness_results {
    struct fairness_result *list; /* in the order of rulesets, all together first */
    size_t count, cap, done;
    bool stands_out;
};
void fairness_judge(const struct fairness *fairness, struct fairness_results *results);
void fairness_results_release(struct fairness_results *results);

#endif
