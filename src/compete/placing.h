/* How a game that is over ranks its seats: the one rule of competitions (compete/outcome.h) and ratings
 * (compete/played.h). */
#ifndef COMPETE_PLACING_H
#define COMPETE_PLACING_H

#include "game/game.h"

struct placing {
    bool voided;                                    /* all have rank 1, which means nothing */
    int rank[SEATS_MAX + 1], points[SEATS_MAX + 1]; /* 1 and the number of better ones: equal ranks tie */
};
/* By the record `end` of a game with that many seats. Those who stayed come before those who `left` (a bit a seat),
 * who are all equal; among those who stayed decides the place in its `scores`, and who has none comes after all that
 * have one. ERR_BROKEN: its `scores` are none. */
int placing_read(struct placing *placing, const struct record *end, int seats, uint32_t left, struct err *err)
    __attribute__((warn_unused_result));

#endif
