/* Who may enter a competition, beside when: what its `create` asks for (compete/conditions.h) is looked up in the league's
 * results and in the catalog, and goes into the `enter` record. */
#ifndef BATCH_ENTERING_H
#define BATCH_ENTERING_H

#include "batch/competing.h"

/* A competition, a player, and whether anything else than a mail domain's word says that it is they who enter. */
struct entering {
    const struct competition *c;
    const char *player;
    bool keyed;
};
/* *found is the member of `enter`, a new reference, or NULL where nothing is asked. ERR_INPUT, with words for players:
 * they do not meet the conditions; *found is NULL then. */
int entering_look(struct batch *batch, const struct entering *who, json_t **found, struct err *err)
    __attribute__((warn_unused_result));
/* Has the player a key of their own? For entries that nobody signed. */
bool entering_keyed(const struct batch *batch, const char *player);

#endif
