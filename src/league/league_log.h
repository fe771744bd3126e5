/* The league's log: a public, append-only list of what its journals hold, an entry a record (src/journal/README.md, "The
 * log"). Journals decide, the log witnesses.
 *
 *     keys/league.policy      the log's key, and who has to cosign it (tlog/policy.h)
 *     log/entries             the entries, a line each (tlog/entry.h): all of the log
 *     log/checkpoint, tile    made of them (tlog/tiles.h), for proofs and for the site
 *     log/place               "SIZE BYTES PROGRAM LOST": how long entries was with the checkpoint, and up to which entry its last
 *                             `program` and `lost`, 0 = none, so that a start need not count
 *
 * A commit appends to journals and to entries, and one sync makes both durable (src/batch/README.md). Before that, nothing that
 * depends on them is told; so what a crash leaves of entries that no journal has is cut, and what it has taken of them is added
 * again from the journals (batch/log_mend.h). */
#ifndef LEAGUE_LEAGUE_LOG_H
#define LEAGUE_LEAGUE_LOG_H

#include <jansson.h>

#include "league/league.h"
#include "league/proof_place.h"
#include "league/policy_file.h"
#include "tlog/entry.h"

struct league_log;

/* For the one process that works. A league without a policy gets one: its log is named by the domain of its address and 16 random
 * hex digits. ERR_BROKEN: the policy names another key, or entries cannot be read. The caller frees with league_log_close. */
int league_log_open(struct league_log **log, const struct league *league, struct err *err)
    __attribute__((warn_unused_result));
/* As league_log_open, for who only reads, beside the process that works: what its last checkpoint has. Needs the league's keys to prove
 * anything. ERR_MISSING: there is no policy yet, so no log. */
int league_log_look(struct league_log **log, const struct league *league, struct err *err)
    __attribute__((warn_unused_result));
/* Are the entries those that the checkpoint was signed for? Reads all of them. ERR_BROKEN. */
int league_log_compare(struct league_log *log, struct err *err) __attribute__((warn_unused_result));
/* Is the last entry an hour or more later than `now`? A clock was ahead, and time stands still until then: appends a sentence about it. */
bool league_log_ahead(const struct league *league, int64_t now, struct str *words);
void league_log_close(struct league_log *log);         /* NULL is fine */
int64_t league_log_size(const struct league_log *log); /* entries, without those to be committed */
const struct policy *league_log_policy(const struct league_log *log);

/* ---- a commit ---- */

/* Entries to be committed, lines with LF. One that is earlier than what stands before it gets that time: the log never runs back. If the last
 * `program` entry names another program than this one, what is added first in a commit comes after one that does; nothing is written for
 * its sake alone. */
void league_log_add(struct league_log *log, struct slice entries);
/* One of them. */
void league_log_add_entry(struct league_log *log, const struct log_entry *entry);
/* The `head` of one record. */
void league_log_add_one(struct league_log *log, const char *name, int64_t seq, int64_t time,
                        const unsigned char head[32]);
/* The same of each of these lines of a journal. */
int league_log_add_heads(struct league_log *log, struct slice records, struct err *err)
    __attribute__((warn_unused_result));
/* Forgets what was added. */
void league_log_drop(struct league_log *log);
/* Without sync. After an error nothing of it is there. */
int league_log_append(struct league_log *log, struct err *err) __attribute__((warn_unused_result));
int league_log_unappend(struct league_log *log, struct err *err) __attribute__((warn_unused_result));
/* What was appended is durable: it can be proved, and is shown with a new checkpoint, as all is that an earlier one failed to show. */
int league_log_settle(struct league_log *log, struct err *err) __attribute__((warn_unused_result));

/* ---- a start ---- */

/* The last number of each name, and the head there, which is missing after `lost`: {"gc-17": [12, "<hex>"]}; new reference. */
int league_log_ends(struct league_log *log, json_t **ends, struct err *err)
    __attribute__((warn_unused_result));
/* From which record on the last `lost` says of each name that it has them no more: {"gc-17": 12}; new reference. */
int league_log_losses(struct league_log *log, json_t **losses, struct err *err)
    __attribute__((warn_unused_result));
/* How often a game of that name was rolled back, by the highest that any entry says, also of what is lost. */
int league_log_rollbacks(struct league_log *log, const char *name, int *most, struct err *err)
    __attribute__((warn_unused_result));
/* Entries after the last checkpoint, of which some may be of no journal: cuts from the first that `has` does not know and no later
 * `lost` speaks of. (The checkpoint itself may not have lasted, so these may have been told.) */
typedef bool league_log_has(void *arg, const char *name, int64_t seq);
int league_log_cut(struct league_log *log, league_log_has *has, void *arg, struct err *err)
    __attribute__((warn_unused_result));

/* Has the log this head of that record? ERR_MISSING: it has none. ERR_BROKEN: another one, so the journal (or the log) was changed. */
int league_log_holds(struct league_log *log, const struct proof_place *place, const unsigned char head[32],
                     struct err *err) __attribute__((warn_unused_result));
/* The same of the last record of a journal, which is asked when it is read: nothing else shows that the league has written it. One
 * that the log has no entry of is none of those that were there at the start, and passes. */
int league_log_agrees(struct league_log *log, const struct proof_place *place, const unsigned char head[32],
                      struct err *err) __attribute__((warn_unused_result));

/* ---- proofs: any thread, while nothing is committed ---- */

/* The entry of a record, with its LF, and its proof (tlog/proof.h), in the tree of which it is the last leaf, so that it is always the
 * same and its path is short. Appends both. ERR_MISSING. */
int league_log_proof(struct league_log *log, const struct proof_place *place, struct str *entry,
                     struct str *proof, struct err *err) __attribute__((warn_unused_result));
/* Appends the armor of both. ERR_MISSING. */
int league_log_prove(struct league_log *log, const struct proof_place *place, struct str *out,
                     struct err *err) __attribute__((warn_unused_result));
/* ---- witnesses: what is settled ---- */

/* Where the entry of a record is; -1: it is not in the log. */
int64_t league_log_index(struct league_log *log, const struct proof_place *place);
/* The question to a witness who has cosigned `old` entries last, about the log as it is and the closes at these places (tlog/witness.h).
 * ERR_STALE: they have cosigned more than there is. */
int league_log_request(struct league_log *log, int64_t old, const int64_t *closes, size_t count,
                       struct str *out, struct err *err) __attribute__((warn_unused_result));
/* The checkpoint of the first `size` entries with these signature lines beside the league's own; whether they are good is not looked at.
 * ERR_MISSING: there are not so many. */
int league_log_cosigned(struct league_log *log, int64_t size, struct slice signatures, struct str *note,
                        struct err *err) __attribute__((warn_unused_result));
/* The entry there, its LF, and its proof in such a checkpoint, whose size is more than `index`. */
int league_log_cosigned_proof(struct league_log *log, int64_t index, int64_t size, struct slice signatures,
                              struct str *out, struct err *err) __attribute__((warn_unused_result));

/* The entries from index `first` on, before index `end` (or the last), a line each. */
int league_log_lines(struct league_log *log, int64_t first, int64_t end, struct str *out, struct err *err)
    __attribute__((warn_unused_result));
/* Does a witness vouch, by one of these signature lines, for the log as it was with so many entries? Appends the lines with that key's name. */
bool league_log_vouched(struct league_log *log, const struct vkey *key, int64_t size, struct slice lines,
                        struct str *own);
/* Such lines, of witnesses who do. If the log has no more entries by now, its checkpoint is shown with them; what cannot be written is logged. */
void league_log_show_cosigned(struct league_log *log, int64_t size, struct slice lines);

/* A mail that is about to leave: puts proofs where it has a place for them. What cannot be proved is said there and logged. */
void league_log_complete(struct league_log *log, struct str *mail);

#endif
