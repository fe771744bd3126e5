/* Duplicate deals in a batch: who plays outside of the ranking, and the robots' field (compete/field.h). */
#ifndef BATCH_COMPETING_DEALS_H
#define BATCH_COMPETING_DEALS_H

#include "batch/competing.h"
#include "compete/matchpoints.h"

/* Those who are in the next round and do not count there, as `round` lists them: the operator's own players, the
 * director and the league's moderators, and players without a key where the league rates signed games alone. NULL =
 * nobody. New reference. */
json_t *competing_outside(const struct batch *batch, const struct competition *c);

/* The robots play the deal of the last round, as it was dealt in one of its games; makes the record. Some milliseconds a
 * robot. */
int competing_play_field(struct batch *batch, struct batch_competition *entry, struct err *err)
    __attribute__((warn_unused_result));

/* For templates; new references. */

/* What a round's deal brought a player: {"score","counted","left","matchpoints","most","percent","field","outside"}: field is
 * the percentile among the robots as text, or false; outside says why they do not count, or is false. NULL = they were
 * not in it, or it is not over. */
json_t *competing_deal_json(const struct competition *c, int round, const char *player);
/* All that is known of that deal: the best results, at most so many, and the player's own and those around it:
 * {"rows":[{"name","score","matchpoints","percent","field","own","outside","gap"}]}. */
json_t *competing_deal_rows(const struct competition *c, int round, const char *player, size_t most);
/* Why a player is outside, {"operator":true}; false = they are not. */
json_t *competing_outside_json(enum compete_outside outside);
/* Thousandths of matchpoints as a text: "12", "9.5", "1.667". */
void competing_thousandths(char out[24], int64_t thousandths);
/* Hundredths of a percent as a text: "66.67". */
void competing_percent(char out[16], struct share share);

#endif
