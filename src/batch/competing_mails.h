/* What the players of a competition are told: each round's pairing with the table so far, and the end. The mails
 * belong to the competition's last record; they may wait for a digest. */
#ifndef BATCH_COMPETING_MAILS_H
#define BATCH_COMPETING_MAILS_H

#include "batch/competing.h"
#include "compete/ranking.h"

int competing_tell_round(struct batch *batch, const struct batch_competition *entry, struct err *err)
    __attribute__((warn_unused_result));
int competing_tell_end(struct batch *batch, const struct batch_competition *entry, struct err *err)
    __attribute__((warn_unused_result));

/* For templates, also of other mails. New references. */

/* {"competition","ruleset","round","rounds",...}: what it is and how far it has come. */
json_t *competing_facts(const struct batch *batch, const struct competition *c);
/* The table: its first rows, and those around that player ("" = nobody); {"rows":[{"place","name","points",
 * "played","gap","own","gone"}]}, by division where there are any. */
json_t *competing_table(const struct ranking *ranking, const char *player, size_t most);
/* Halves as a text: "3", "3.5". */
void competing_points(char out[16], int64_t halves);

#endif
