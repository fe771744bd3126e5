/* What the league has made, and the disk lacks (league/roster.h). A game or a competition that vanished stands still as one
 * that cannot be read does: its mails stay in the mailbox, and the operator is told how it comes back. What was made is
 * entered after the commit that made it, in one of its own: a crash between the two is made good at the next start. */
#ifndef BATCH_MISSING_H
#define BATCH_MISSING_H

#include "batch/batch.h"
#include "league/roster.h"

/* When the catalog and people are there: compares, reports and counts what is gone, and enters what is new. Games that run are
 * looked for at each start, all others when something has come or gone in the folder of games. */
int missing_open(struct batch *batch, struct err *err) __attribute__((warn_unused_result));
/* Enters what was made since. Between two batches. */
int missing_work(struct batch *batch, struct err *err) __attribute__((warn_unused_result));
/* The operator has said that it is to be gone. Within the batch. */
int missing_forget(struct batch *batch, enum roster_kind kind, const char *name, struct err *err)
    __attribute__((warn_unused_result));

#endif
