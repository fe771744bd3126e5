/* Duplicate deals in a batch: who plays outside of the ranking, and the robots' field (compete/field.h). */
#ifndef BATCH_COMPETING_DEALS_H
#define BATCH_COMPETING_DEALS_H

#include "batch/competing.h"

/* Those who are in the next round and do not count there, as `round` lists them: the operator's own players, the
 * director and the league's moderators, and players without a key where the league rates signed games alone. NULL =
 * nobody. New reference. */
json_t *competing_outside(const struct batch *batch, const struct competition *c);

/* The robots play the deal of the last round, as it was dealt in one of its games; makes the record. Some milliseconds a
 * robot. */
int competing_field(struct batch *batch, struct batch_competition *entry, struct err *err)
    __attribute__((warn_unused_result));

#endif
