/* The desk: in a thread of its own, while the next mail is worked on, receipts are tried and rendered, mails
 * without files get their signature and their MIME form and are staged in the spool: most of what a receipt
 * costs. A staged mail does not leave before its record is committed, so that it makes no difference when it
 * is staged; and what is committed leaves after a crash too, so that it makes none when it is promoted. */
#ifndef BATCH_DESK_H
#define BATCH_DESK_H

#include "letters/letters.h"

struct desk; /* opaque */

/* The league, its key and the spool's path are borrowed until desk_close. NULL where there can be no thread.
 * One thread opens, puts, waits and closes. */
struct desk *desk_open(const struct league *league, const char *spool);
/* Waits for what is on it. NULL is left alone. */
void desk_close(struct desk *desk);
/* The words are taken over; of the mail, which lacks its bytes, a copy is made. Waits while there is much on
 * it. */
void desk_put(struct desk *desk, const struct spool_mail *mail, struct wording *words);
/* It was staged, and its record is committed: it may leave. */
void desk_promote(struct desk *desk, const struct spool_mail *mail);
/* Waits until all is done. The error of the first that could not be, once. */
int desk_wait(struct desk *desk, struct err *err) __attribute__((warn_unused_result));

#endif
