/* Mail that comes back, that a server refuses, or that could not be delivered in time: its player is flagged,
 * for `status` and `doctor`, and told at his second address, once. The flag goes when a signed mail of his
 * comes, unless it comes from that second address, and when he changes his address. The catalog holds it,
 * which changes with the batch's commit. */
#ifndef BATCH_BOUNCED_H
#define BATCH_BOUNCED_H

#include "batch/batch.h"

/* bounce->player is set. `address` is where the mail had gone to, "" = unknown. `own`: our own server said
 * it, and its words may be told; a notification is anybody's, and of it only the code goes into mails. */
int bounced_note(struct batch *batch, const struct catalog_bounce *bounce, const char *address, bool own,
                 struct err *err) __attribute__((warn_unused_result));
/* A notification came in (MAIL_BOUNCE). Nothing, when it is about nobody of ours. */
int bounced_take(struct batch *batch, const struct message *msg, int64_t arrived, struct err *err)
    __attribute__((warn_unused_result));
/* A good signature of his came in a mail from this address. */
int bounced_heard(struct batch *batch, const char *player, const char *from, struct err *err)
    __attribute__((warn_unused_result));
/* A new version of a player, which the registry does not have yet. */
int bounced_address(struct batch *batch, const struct player *player, struct err *err)
    __attribute__((warn_unused_result));
/* Writes it into the catalog, within its transaction. */
int bounced_commit(struct batch *batch, struct err *err) __attribute__((warn_unused_result));

#endif
