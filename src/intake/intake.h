/* One received mail: what it means, and the answer it gets.
 *
 * Authority comes from signatures alone; From: only says whose budget a stranger's mail is charged to.
 * Whatever is wrong gets one clear answer to the person who can fix it, and changes nothing. */
#ifndef INTAKE_INTAKE_H
#define INTAKE_INTAKE_H

#include "batch/batch.h"
#include "letters/reading.h"

enum intake_fate {
    INTAKE_PROCESSED, /* move to Processed once the batch is committed */
    INTAKE_REJECTED,  /* move to Rejected once the batch is committed */
    INTAKE_KEPT,      /* leave where it is: its game cannot be read now, or it takes too long for this run */
    INTAKE_WAITS,     /* the same: it is not to be tried yet (stuck_rests) */
    INTAKE_FAILED     /* move to the failed mails once the batch is committed (batch/stuck.h) */
};

/* `reading` is made if that has not been done; the caller releases it. When the piece that the mail is worked on
 * in is left out of the commit (batch/groups.h), the mail stays where it is, whatever `fate` says. Errors are never something that its sender could fix: the caller finds out whose they are
 * (batch/pieces.h). */
int intake_mail(struct batch *batch, const struct incoming *incoming, struct reading *reading,
                enum intake_fate *fate, struct err *err) __attribute__((warn_unused_result));

#endif
