/* Duplicate deals: everybody plays the same deal alone, and results are compared (README.md, "Matchpoints", has the
 * formulas; matchpoints.h computes them). */
#ifndef COMPETE_DUPLICATE_H
#define COMPETE_DUPLICATE_H

#include "compete/competition.h"
#include "compete/matchpoints.h"
#include "compete/ranking.h"

#define DUPLICATE_HALF 500 /* thousandths of a matchpoint in half a point, as moderators give and take them */

/* What a deal brought a player. */
struct duplicate_result {
    const struct compete_table *table; /* whose only player it is; borrowed */
    bool played;               /* they have a score: their game has ended, and they stayed to the end */
    bool ranked;               /* it counts in the ranking: `played`, and not outside */
    struct matchpoints points; /* with `played` */
    int64_t factored;          /* thousandths, in the total; 0 where not `ranked` */
    struct share field;        /* with `played`, where robots have played: their percentile */
};
/* Of a round that is done: a result for each of its tables, in their order; nothing of any other. `rounds`: those that
 * count for the most ranked results of a deal, 1 .. c->round. */
size_t duplicate_results(const struct competition *c, int round, int rounds,
                         struct duplicate_result *results);
/* E: the most ranked results of a deal among the first rounds. */
int64_t duplicate_most(const struct competition *c, int rounds);

/* The table by the first rounds that are done: everybody whose results were ever ranked, or could have been; totals in
 * thousandths (ranking.h). */
void duplicate_rank(struct ranking *ranking, const struct competition *c, int rounds);

#endif
