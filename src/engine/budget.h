/* How many automatic answers an address gets on a day (UTC), so that a stranger costs a bounded amount of
 * mail, and two programs that answer each other stop by themselves. Reports and receipts of records are not
 * counted.
 *
 *   a player, by a good signature       [limits] replies_per_day
 *   a player who is banned              one, signed or not
 *   a player, by the From line alone    the same again, counted apart: whoever forges it uses up only these
 *   a stranger                          stranger_replies, and strangers_per_day for all of them together */
#ifndef ENGINE_BUDGET_H
#define ENGINE_BUDGET_H

#include "engine/batch.h"

/* Counts one answer to `address`, if it may be sent. `verified`: a signature of the address's player was
 * good. */
int budget_take(struct batch *batch, const char *address, bool verified, bool *allowed, struct err *err)
    __attribute__((warn_unused_result));

#endif
