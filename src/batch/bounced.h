/* Mail that comes back, that a server refuses, or that could not be delivered in time: its player is flagged,
 * for `status` and `doctor`, and told at their second address, once. The flag is cleared when a signed mail
 * of theirs comes, unless it comes from that second address, and when they change their address. The catalog
 * holds it, which changes with the batch's commit. */
#ifndef BATCH_BOUNCED_H
#define BATCH_BOUNCED_H

#include "batch/batch.h"

/* bounce->player is set. `address` is where the mail was sent, "" = unknown. `own`: our own server said it,
 * and its words may be passed on; anybody can write a notification, so only its code goes into mails. */
int bounced_note(struct batch *batch, const struct catalog_bounce *bounce, const char *address, bool own,
                 struct err *err) __attribute__((warn_unused_result));
/* A notification came in (MAIL_BOUNCE). Does nothing if it is about none of our players, or says that a mail is
 * under way or has arrived. */
int bounced_take(struct batch *batch, const struct message *msg, int64_t arrived, struct err *err)
    __attribute__((warn_unused_result));
/* A valid signature of the player's came in a mail from this address. */
int bounced_heard(struct batch *batch, const char *player, const char *from, struct err *err)
    __attribute__((warn_unused_result));
/* A new version of a player, which the registry does not have yet. */
int bounced_address(struct batch *batch, const struct player *player, struct err *err)
    __attribute__((warn_unused_result));
/* Writes it into the catalog, within its transaction. */
int bounced_commit(struct batch *batch, struct err *err) __attribute__((warn_unused_result));

#endif
