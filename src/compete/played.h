/* What the journal of a game that is over says for the league's results: who was dealt in, who stayed, how they
 * ranked. From its public records alone, so that anybody can compare; no rules are played. */
#ifndef COMPETE_PLAYED_H
#define COMPETE_PLAYED_H

#include "compete/results.h"

struct played {
    struct results_game game;    /* `unrated`: as far as the journal shows */
    bool vouched;                /* the word of a mail domain counted */
    char competition[GAME_NAME]; /* "" = of none */
};
/* Reads it up to its `end`, and checks its chain, and that its `league_key` is `key`. ERR_MISSING:
 * it has no `end`. */
int played_read(struct played *played, const char *name, struct slice journal, const unsigned char key[32],
                struct err *err) __attribute__((warn_unused_result));
/* Why it is not rated by these terms, given whether its competition (if it has one) is. */
void played_rate(struct played *played, const struct results_terms *terms, bool competition_rated);

#endif
