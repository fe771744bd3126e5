/* One mail a day instead of many, for players who want that (`#turnpost prefs`, "digest: yes", or an hour).
 *
 * What belongs to a record and is no answer to a mail of the player's own (reports, news, press, reminders)
 * goes to spool/digest/ instead of spool/new/, and waits until his hour. Then all that waits for him becomes
 * one mail, which names the gathered ones in its envelope (mail/spool.h) and has an id made of them: it is
 * staged, synced and promoted, and only then are they removed, before anything is sent. A crash leaves either
 * all of them or the digest. A single one leaves as it is, and so do all when he wants no digests any more.
 *
 * Nothing waits that would come too late: whose orders are awaited until shortly behind the next digest, or
 * who has to decide something until then, is told at once. So is what his own mail has led to: the report of
 * a turn that waited only for him. */
#ifndef BATCH_DIGEST_H
#define BATCH_DIGEST_H

#include "batch/batch.h"

/* When his next digest comes, after `now`. */
int64_t digest_next(const struct player *player, const struct outside *outside, int64_t now);
/* May this post of the step wait for it? Then *due is that time. */
bool digest_waits(const struct step *step, const struct post *post, const struct player *player,
                  int64_t *due);
/* Makes the digests that are due, durably: the spool can be sent afterwards. */
int digest_send(struct batch *batch, struct err *err) __attribute__((warn_unused_result));
/* When the next one is due, 0 = nothing waits. */
int digest_due(const char *spool, int64_t *due, struct err *err) __attribute__((warn_unused_result));

#endif
