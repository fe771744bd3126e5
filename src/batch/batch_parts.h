/* What the files of a batch share (batch.c, batch_clock.c); for no others. */
#ifndef BATCH_BATCH_PARTS_H
#define BATCH_BATCH_PARTS_H

#include "base/date.h"
#include "batch/batch.h"

/* What the catalog holds of a game, with when it is due. */
void batch_row(struct batch *batch, const struct game *game, struct catalog_game *row);
/* The game cannot be read: the log says so, and the next commit notes it (stuck_unread). */
void batch_unread(struct batch *batch, const char *id, const struct err *why);
/* The place of an id in the sorted list of games; *found says whether it is there. */
size_t batch_place(const struct batch *batch, const char *id, bool *found);
/* Stores what the catalog holds of a game. `known` is what was stored of it last, id "" = nothing yet; or
 * NULL. */
int batch_put_game(struct batch *batch, const struct game *game, struct catalog_game *known, struct err *err)
    __attribute__((warn_unused_result));
/* A new version of a player: if it changes what the clock does, the commit wakes their games. Call it before
 * the registry has it. */
void batch_player_changes(struct batch *batch, const struct player *player);
/* The games of this player are woken by the commit. */
void batch_player_wakes(struct batch *batch, const char *name);
/* Reads the registry's journal, the players and their keys, as they are on disk. */
int batch_people(struct batch *batch, struct err *err) __attribute__((warn_unused_result));
/* Within the catalog's transaction: wakes the games of the players that changed. */
int batch_wake(struct batch *batch, struct err *err) __attribute__((warn_unused_result));
/* A mail to each of the moderators, outside of any record; `facts` is borrowed. Its id is made from
 * `what`. */
int batch_tell_moderators(struct batch *batch, const char *kind, const char *what, json_t *facts,
                          struct err *err) __attribute__((warn_unused_result));
/* The time is `now`: determines the pause before it, and whether the clock is trusted. */
int batch_look(struct batch *batch, int64_t now, struct catalog_clock *clock, struct err *err)
    __attribute__((warn_unused_result));
/* Appends the journals of games. Of a group that cannot be appended whole nothing stays: its games are broken,
 * its mails and news dropped, its pieces left out. When it cannot be left out alone, or holds other games (`again`), that
 * is an error, and no game's journal is longer than before, unless `torn` is set. */
int batch_append(struct batch *batch, struct err *err) __attribute__((warn_unused_result));
/* Undoes that for all games, as the rest of the commit has failed; if that fails as well, `torn` is set. */
void batch_unappend(struct batch *batch);
/* A game's part of the commit. */
struct store_append batch_append_of(const struct batch_game *game);
/* Ends the catalog's transaction. From now on, and until this run has ended well, a start takes nothing on trust: it makes the catalog
 * from the journals, and compares them with the log. Before the first record of a run is written. */
int batch_mark(struct batch *batch, struct err *err) __attribute__((warn_unused_result));
/* Makes durable what was written so far, in any room: each file system is synced once. */
int batch_durable(struct batch *batch, struct err *err) __attribute__((warn_unused_result));
/* Decides about the staged mails of a game or competition that has just been loaded and ends with record `seq`, if it could
 * not be read when the process began: later records would have the numbers of those that these mails tell of. */
int batch_decide_mails(struct batch *batch, const char *name, int64_t seq, struct err *err)
    __attribute__((warn_unused_result));

#endif
