/* That each game that has ended has its one result in competitions/results/journal.jsonl (compete/results.h), where
 * league.ini says [league] ratings. A result is written after the commit of its game's `end`, in a commit of its own;
 * what a crash between the two has left out is written at the next start, and nothing twice. */
#ifndef BATCH_RESULTS_H
#define BATCH_RESULTS_H

#include "batch/batch.h"
#include "compete/results.h"

/* Called for each game that is over when records of it were committed. */
void results_note(struct batch *batch, const char *game);
void results_forget(struct batch *batch);
/* Writes what is lacking, at most RESULTS_A_CALL; the rest with the next call. A journal that cannot be read is left alone
 * and told; only when the disk fails is that an error. */
#define RESULTS_A_CALL 500
int results_work(struct batch *batch, struct err *err) __attribute__((warn_unused_result));

/* The league's own journal, for readers. ERR_MISSING: there is none. */
int results_load(struct store *competitions, const struct results_reading *how, struct results *results,
                 struct err *err) __attribute__((warn_unused_result));

#endif
