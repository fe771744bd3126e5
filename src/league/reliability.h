/* How reliable a player is, as all may see it: counted from the `close` and `seat` records of all games. */
#ifndef LEAGUE_RELIABILITY_H
#define LEAGUE_RELIABILITY_H

#include <jansson.h>

#include "journal/catalog.h"

/* {"percent":97,"turns":212,"missed":6,"resigned":0,"gave_up":false,"new":false}; "new" when no turn has
 * awaited them yet, "gave_up" when they resigned a seat. New reference. */
json_t *reliability_json(const struct catalog_tally *tally);
/* The same for a player of the catalog. */
int reliability_of(struct catalog *catalog, const char *player, json_t **out, struct err *err)
    __attribute__((warn_unused_result));

#endif
