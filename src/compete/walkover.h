/* Walk-overs: byes of a division's round that come about because the opponent does not play any more. */
#ifndef COMPETE_WALKOVER_H
#define COMPETE_WALKOVER_H

#include "compete/competition.h"

/* Whom the player of this division would have met in a round in which they have a bye; NULL: nobody, as the division has an odd
 * number of players, or has played all its rounds. Borrowed. */
const char *walkover_in(const struct compete_division *division, int round, const char *player);
/* The same of a competition: NULL also where it has no divisions. */
const char *walkover_of(const struct competition *c, int round, const char *player);
/* Halves of points for a bye of this player in this round. */
int walkover_points(const struct competition *c, int round, const char *player);

#endif
