/* One mail a day instead of many, for players who want that (`#turnpost prefs`, "digest: yes", or an hour).
 *
 * What belongs to a record and is no answer to a mail of the player's own (reports, news, press, reminders)
 * goes to spool/digest/ instead of spool/new/, and waits until their hour. Then everything that waits for
 * them becomes one mail, which names the gathered ones in its envelope (mail/spool.h) and has an id made of
 * them: it is staged, synced and promoted, and only then are they removed, before anything is sent. A crash
 * leaves either all of them or the digest. A single one is sent as it is, and so are all when they no longer
 * want digests.
 *
 * Nothing waits that would come too late: a player whose orders are due by shortly after the next digest, or
 * who has to decide something by then, is told at once. So are the results of the player's own mail: the
 * report of a turn that waited only for them. */
#ifndef BATCH_DIGEST_H
#define BATCH_DIGEST_H

#include "batch/batch.h"

/* When the player's next digest comes, after `now`. */
int64_t digest_next(const struct player *player, const struct outside *outside, int64_t now);
/* May this post of the step wait for it? Then *due is that time. */
bool digest_waits(const struct step *step, const struct post *post, const struct player *player,
                  int64_t *due);
/* Makes the digests that are due, durably: the spool can be sent afterwards. */
int digest_send(struct batch *batch, struct err *err) __attribute__((warn_unused_result));
/* When the next one is due, 0 = nothing waits. */
int digest_due(const char *spool, int64_t *due, struct err *err) __attribute__((warn_unused_result));

#endif
