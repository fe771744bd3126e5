/* The league's side of its witnesses (game/witness.h, src/journal/WITNESSING.md): who is asked about closed turns, and what became of the answers.
 *
 * They are asked about what is settled in the log, never within a commit: one mail to each witness, about all closes that they have not
 * answered; once, and again when a day has passed. `log/witnesses` remembers it, a line a witness:
 *
 *     NAME OLD ASKED TIME      entries that they have cosigned; that the log had when they were asked last, and when
 *
 * It can be lost: then they are asked once more, and say themselves what they have cosigned. */
#ifndef BATCH_WITNESSING_H
#define BATCH_WITNESSING_H

#include "batch/batch.h"

/* Asks those who are to be asked now, and commits that. Between two batches. */
int witnessing_ask(struct batch *batch, struct err *err) __attribute__((warn_unused_result));

/* An answer (tlog/witness.h) that came by mail. What it says of closes that are waited for is recorded; *what: what is to be said of it in the
 * log of mails, a constant. *known: a witness has signed it. */
int witnessing_take(struct batch *batch, struct slice text, const char **what, bool *known, struct err *err)
    __attribute__((warn_unused_result));

#endif
