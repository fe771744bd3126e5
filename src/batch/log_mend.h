/* The league's log after a crash, or beside an older journal: it is made to say what the journals hold.
 *
 * What the last commit left half done is taken back and done again: entries after the last checkpoint that no journal has are cut,
 * records without an entry get one. Nobody was told of any of it. Records that the log has under a checkpoint and their journal has
 * not are lost, and the log says so ("lost"): an older copy was put back. So it does as well of what a restore may have lost
 * (league/log_copy.h). A game whose journal ends right before such a loss says so itself, in a record and by mail, before it goes on.
 *
 * Of a journal that cannot be read, or that is gone (league/roster.h), the log stays as it is. It is held against the log when it can
 * be read (log_mend_late), before anything is added to it. */
#ifndef BATCH_LOG_MEND_H
#define BATCH_LOG_MEND_H

#include "batch/batch.h"

/* A start that rebuilds the catalog holds every journal against the log: begin, each game, end. */
struct log_mend {
    json_t *ends; /* the last number of each name that the log has, of journals that were not looked at yet */
    bool nameless; /* a game cannot be read at all: the log may have it by any hidden name */
    bool gone;     /* a journal is not there: the next start looks again */
};

int log_mend_begin(struct batch *batch, struct log_mend *mend, struct err *err)
    __attribute__((warn_unused_result));
/* -1: the game stands still, for this reason; the others go on. */
int log_mend_game(struct batch *batch, struct log_mend *mend, const struct game *game, struct err *why)
    __attribute__((warn_unused_result));
/* It cannot be read, or must not be for now. */
void log_mend_unread(struct batch *batch, struct log_mend *mend, const char *id);
/* Competitions, the registry, and what has no journal any more. Durable. Releases `mend`, also after an error. */
int log_mend_end(struct batch *batch, struct log_mend *mend, int rc, struct err *err)
    __attribute__((warn_unused_result));

/* What the log says is lost, for log_mend_say. */
int log_mend_losses(struct batch *batch, struct err *err) __attribute__((warn_unused_result));
/* Has its journal, as it was opened, an end before what is lost? Then it says so before any turn is drawn. */
bool log_mend_waits(const struct batch *batch, const struct batch_game *entry);
/* A game has been loaded: makes its record, if it has to say so first. */
int log_mend_say(struct batch *batch, struct batch_game *entry, struct err *err)
    __attribute__((warn_unused_result));

/* Has the log the last record of this game, as it is in memory (league_log_agrees)? */
int log_mend_agrees(struct batch *batch, const struct game *game, struct err *err)
    __attribute__((warn_unused_result));
/* A journal that could not be read then (batch->unlogged), or ends otherwise than the catalog says. `game`: it is this game's; NULL =
 * a competition's. Reads the whole log; durable. */
int log_mend_late(struct batch *batch, const char *name, const struct game *game, struct err *err)
    __attribute__((warn_unused_result));

#endif
