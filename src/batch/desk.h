/* The desk: in a thread of its own, while the next mail is worked on, receipts are tried and rendered, mails
 * without files get their signature and their MIME form and are staged in the spool: most of what a receipt
 * costs. A staged mail does not leave before its record is committed, so that it does not matter when it is
 * staged; and what is committed is sent after a crash too, so that it does not matter when it is promoted. */
#ifndef BATCH_DESK_H
#define BATCH_DESK_H

#include "letters/letters.h"

struct desk; /* opaque */

/* The league, its key and the spool's path are borrowed until desk_close. NULL if no thread can be created.
 * One thread opens, puts, waits and closes. */
struct desk *desk_open(const struct league *league, const char *spool);
/* Finishes what is on it first. NULL is left alone. */
void desk_close(struct desk *desk);
/* A mail that is ASKED or WORDED is borrowed until desk_wait, and STAGED then; nobody else looks at it
 * meanwhile. Waits while there is much on the desk. */
void desk_put(struct desk *desk, struct outgoing *mail);
/* One that is STAGED, whose record is committed, may leave; it is taken over. */
void desk_promote(struct desk *desk, struct outgoing *mail);
/* Waits until all is done. Returns the error of the first that failed, once. */
int desk_wait(struct desk *desk, struct err *err) __attribute__((warn_unused_result));

#endif
