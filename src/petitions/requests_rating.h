/* Plain requests about ratings (requests.h): RATING [game or player]. */
#ifndef PETITIONS_REQUESTS_RATING_H
#define PETITIONS_REQUESTS_RATING_H

#include "petitions/requests.h"

/* The lists, or a player's history. */
int request_rating(struct batch *batch, struct slice what, struct request *request, struct err *err)
    __attribute__((warn_unused_result));
/* Adds a player's results, ratings and opponents as "history", if they allow that and the league keeps ratings; else null. */
void request_history(struct batch *batch, const struct player *player, json_t *facts);

#endif
