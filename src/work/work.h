/* The work of `run` and `daemon`: mail in, turns, mail out. */
#ifndef WORK_WORK_H
#define WORK_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "batch/batch.h"
#include "mail/sink.h"
#include "mail/source.h"

struct work_sum {
    size_t mails, orders, turns, sent, later, held, paused, refused;
    size_t left;    /* mails that were not sent: from a newer Turnpost, or unreadable */
    size_t damaged; /* players whose files cannot be read */
    size_t stuck;   /* mails that failed and stay where they are */
    size_t broken;  /* games that could not be read or committed */
};

/* Everything that is in the mailbox: fetch a batch, take it in, commit, move the mails; then the due games.
 * `stop` (may be NULL) ends it after the current batch. ERR_TEMP when the server fails; what was committed
 * stays. */
int work_mail(struct batch *batch, struct source *source, const volatile bool *stop, struct work_sum *sum,
              struct err *err) __attribute__((warn_unused_result));
/* The clock: all games whose deadline has passed. */
int work_clock(struct batch *batch, struct work_sum *sum, struct err *err)
    __attribute__((warn_unused_result));
/* What else is to be done between two batches (league->between): the two above do it after each of theirs. In a league
 * that was restored it has all games say so first (batch/restored.h), so it comes before the mail is read. */
int work_between(struct batch *batch, struct err *err) __attribute__((warn_unused_result));
/* Sends what is in the spool, and notes the outcomes in the catalog. Waits for pictures (work/showing.h), unless
 * `stop` (may be NULL) ends that. */
int work_send(struct batch *batch, const volatile bool *stop, struct work_sum *sum, struct err *err)
    __attribute__((warn_unused_result));
/* "12 mails, 9 orders, 3 turns, 15 sent" */
void work_say(const struct work_sum *sum);

#endif
