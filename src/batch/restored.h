/* A league that was made again from an older copy (`turnpost restore`): what its games did after the copy was made is
 * lost, and nobody can tell from the copy how much that was. So each of its games says so, in a record of its own
 * before any other and in a mail to its players, and `receipt-check` knows by that record what became of the heads
 * that they have been shown.
 *
 * registry/restored, which `restore` writes, names the games that have not said so yet, with the last record of each
 * in the copy. Those that have are taken out of it; it is removed when all have. */
#ifndef BATCH_RESTORED_H
#define BATCH_RESTORED_H

#include "batch/batch.h"

#define RESTORED_FILE "registry/restored"

/* What came after a copy is lost, and its mails are not ours any more: writes the file, and a new registry/life. `made`: when
 * the copy was made, 0 = unknown. `games` (borrowed) has the last record's number by name. */
int restored_begin(const char *league_dir, int64_t made, json_t *games, struct err *err)
    __attribute__((warn_unused_result));
/* The latter alone. */
int restored_life(const char *league_dir, struct err *err) __attribute__((warn_unused_result));
/* The former alone. */
int restored_write(const char *league_dir, int64_t made, json_t *games, struct err *err)
    __attribute__((warn_unused_result));
/* One game more, or one less, whose journal was put back in a league at work; with a new registry/life for the first. */
int restored_add(const char *league_dir, int64_t made, const char *game, int64_t seq, struct err *err)
    __attribute__((warn_unused_result));
int restored_drop(const char *league_dir, const char *game, struct err *err)
    __attribute__((warn_unused_result));
/* Reads it into the batch, if there is one. */
int restored_open(struct batch *batch, struct err *err) __attribute__((warn_unused_result));
void restored_close(struct batch *batch);
/* A game has been loaded: makes its record, if it has to say so first. */
int restored_game(struct batch *batch, struct batch_game *entry, struct err *err)
    __attribute__((warn_unused_result));
/* Makes the records of all games that have none yet, before mail is read. A game that cannot be read has to wait. */
int restored_work(struct batch *batch, struct err *err) __attribute__((warn_unused_result));

#endif
