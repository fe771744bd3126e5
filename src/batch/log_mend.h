/* The league's log after a crash, or beside an older journal: it is made to say what the journals hold.
 *
 * What the last commit left half done is taken back and done again: entries after the last checkpoint that no journal has are cut,
 * records without an entry get one. Nobody was told of any of it. Records that the log has under a checkpoint and their journal has
 * not are lost, and the log says so ("lost"): an older copy was put back. */
#ifndef BATCH_LOG_MEND_H
#define BATCH_LOG_MEND_H

#include "batch/batch.h"

/* Reads all journals: for a start that rebuilds the catalog. Durable. */
int log_mend(struct batch *batch, struct err *err) __attribute__((warn_unused_result));

#endif
