/* The draws of a game that is opened: it is played again from its records. */
#ifndef HISTORY_DRAWS_H
#define HISTORY_DRAWS_H

#include "fairness/fairness.h"
#include "history/casefile.h"

/* All plays of all turns count, also those that were taken back. ERR_BROKEN: the journal does not prove them. ERR_MISSING: what is
 * needed is in boxes that are not opened. */
int draws_gather(struct casefile *file, struct fairness *fairness, struct err *err)
    __attribute__((warn_unused_result));

#endif
