/* The pairing engine, version 1 (README.md, "Pairing"): who plays whom in a round, from what has been played. Pure: the
 * same input gives the same tables, here and in any other program.
 *
 * Players are numbers from 0, in the order that was drawn for the round (the VRF order). */
#ifndef COMPETE_PAIRING_H
#define COMPETE_PAIRING_H

#include <stddef.h>
#include <stdint.h>

#include "compete/seats.h"

#define PAIRING_SCORE 1000000 /* the highest score, and the lowest with its sign */

struct pairing_player {
    int32_t score;                 /* in halves */
    uint16_t byes;                 /* so far */
    uint16_t seats[COMPETE_SEATS]; /* how often in each seat so far */
};

/* Two who have met, `times` > 0; each two at most once in a list, in any order. */
struct pairing_met {
    uint32_t a, b, times;
};

struct pairing_input {
    const struct pairing_player *players;
    size_t count;
    const struct pairing_met *met;
    size_t met_count;
    unsigned seats; /* of a table: 2..COMPETE_SEATS */
    unsigned least; /* the fewest a table may have: `seats`, or one less where that leaves two */
};

struct pairing_table {
    unsigned size;
    uint32_t players[COMPETE_SEATS]; /* in the order of the seats */
};

struct pairing {
    struct pairing_table *tables; /* by the smallest number at each */
    size_t count;
    uint32_t *byes; /* ascending */
    size_t bye_count;
};

/* Fills `out`, which owns its lists until pairing_release. */
void pairing_make(const struct pairing_input *in, struct pairing *out);
void pairing_release(struct pairing *pairing);

#endif
