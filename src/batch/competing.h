/* Competitions in a batch: loaded, changed by steps (compete/step.h), committed with everything else; and the
 * work that is due in them: rounds are drawn, games made from what was drawn, results taken from games that have
 * ended.
 *
 * A `round` record is the intent. Games are made from it, as many as are lacking, whenever somebody looks: they
 * are found by their names, and their first records name the round. Only when they are committed does `made` name
 * their heads; only when an end is committed does `result` name it. So a crash between any two of these loses
 * nothing and makes nothing twice. */
#ifndef BATCH_COMPETING_H
#define BATCH_COMPETING_H

#include "batch/batch.h"
#include "compete/step.h"

struct batch_competition {
    struct competition c;
    struct store_pos end;        /* of the journal before this batch */
    int64_t proved;              /* how much of it the mark covers, in bytes (competing_proved.h) */
    struct str records, entries; /* lines of the batch: the journal's, and the log's */
    bool compared;               /* with its games */
    bool broken;                 /* could not be loaded or committed: left alone */
};

/* In the league's folder `dir`, which gets the folder of competitions if it has none. */
int competing_open(struct batch *batch, const char *dir, struct err *err) __attribute__((warn_unused_result));
void competing_close(struct batch *batch);
/* ERR_MISSING: there is none of that name; ERR_BROKEN, also marked. */
int competing_find(struct batch *batch, const char *name, struct batch_competition **out, struct err *err)
    __attribute__((warn_unused_result));
bool competing_has(const struct batch *batch, const char *name);
/* One that vanished (batch/missing.h) is kept as one that cannot be read. False: it was already. */
bool competing_miss(struct batch *batch, const char *name);
void competing_forget(struct batch *batch, const char *name);
/* The name of the competition that is nearest to the one that was typed; false = none is near. */
bool competing_meant(const struct batch *batch, const char *typed, char meant[COMPETE_NAME]);
/* All that can be read, by name. Borrowed, until the next reset. */
int competing_all(struct batch *batch, struct err *err) __attribute__((warn_unused_result));

/* A step of a competition of the batch: begin it, make records by compete/step.h, take it. */
void competing_step(const struct batch *batch, struct compete_step *step);
/* A new one, whose step has made `create`; takes ownership of `c`. */
struct batch_competition *competing_add(struct batch *batch, struct competition *c);
void competing_take(struct batch_competition *entry, const struct compete_step *step);

/* The word of a mail domain for an entry: adds "vouched" and "mark", and seals the mail (game/vouched.h). */
void competing_vouch(struct batch *batch, struct batch_competition *entry, json_t *evidence,
                     const struct mail_proof *proof);

/* ---- for the commit (batch_commit.c) ---- */

/* Roughly the bytes of those that are loaded. They have no cache on the disk, as games have: each is read again, if not
 * proved again (competing_proved.h), so they are kept beyond a round of work while they are small. */
#define COMPETITIONS_KEPT ((size_t)16 << 20)
size_t competing_weight(const struct batch *batch);
bool competing_records(const struct batch *batch);
/* After an error none of them is longer than before, unless `torn` is set, as after competing_unappend. */
int competing_append(struct batch *batch, struct err *err) __attribute__((warn_unused_result));
void competing_unappend(struct batch *batch);
/* Adds their entries to the league's log. */
void competing_entries(struct batch *batch);
void competing_settle(struct batch *batch);
void competing_reset(struct batch *batch, bool keep);
/* Is that record of a competition in its journal? For mails that a crash has left in spool/tmp. */
enum spool_record competing_committed(struct batch *batch, const char *name, int64_t seq);

/* ---- it and its games (competing_games.c) ---- */

struct competing_files {
    struct store *games;
    struct catalog *catalog; /* or NULL */
};
/* Is each game that it has made there, is each over that it has a result of, and is none there that it does not know yet?
 * ERR_BROKEN: one of the two was restored from another backup than the other. */
int competing_compare(const struct competing_files *files, const struct competition *c, struct err *err)
    __attribute__((warn_unused_result));

/* ---- work (competing_work.c) ---- */

/* Does what is due in all competitions, each action a commit of its own. One that fails is left alone until the next
 * start; the others go on. */
int competing_work(struct batch *batch, struct err *err) __attribute__((warn_unused_result));

#endif
