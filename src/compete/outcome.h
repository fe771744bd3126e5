/* What the end of a game means for its table: the one rule by which the league makes results and the audit checks
 * them (src/journal/COMPETITIONS.md, "Competitions"). */
#ifndef COMPETE_OUTCOME_H
#define COMPETE_OUTCOME_H

#include "compete/competition.h"
#include "game/game.h"

/* How a game ended, or what counts in its place. */
struct compete_outcome {
    int round, table;
    int64_t seq;               /* of the game's `end`; 0 = adjudged, or a walk-over */
    const unsigned char *head; /* of that record */
    int rank[SEATS_MAX + 1], points[SEATS_MAX + 1];
    uint32_t left;
    bool voided;
};
/* By the game's record `end`: places and points are those of its `scores`, a void game has none. A seat is left
 * when a robot, or somebody else than the table's player, has it in `game` then. Those who stayed come before those
 * who left, who are all equal; among who stayed decides the place, and who has none comes after all that have one. `head` is
 * that of the record and borrowed from it. ERR_BROKEN: the record is none. */
int compete_outcome(struct compete_outcome *outcome, const struct record *end, const struct game *game,
                    const struct compete_table *table, struct err *err) __attribute__((warn_unused_result));
/* Of a table whose game has outlasted its round: a tie of all but those who had left when it was drawn. */
void compete_tie(struct compete_outcome *outcome, const struct compete_table *table);

#endif
