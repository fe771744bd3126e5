/* A game from its files: the cache and the records after it, or the journal as a whole. */
#ifndef GAME_GAME_LOAD_H
#define GAME_GAME_LOAD_H

#include "game/game.h"
#include "game/past.h"

/* All of these open the boxes of records by the store's secret (store_give_master), or the key that the journal publishes;
 * where there is neither, a game can be replayed only as far as nothing is sealed.
 *
 * Loads a game: state.json if it fits the journal, then the records after it; else the whole journal is
 * replayed. ERR_BROKEN names the first bad record; ERR_MISSING: no such game. `master` proves that a cached
 * state is ours (NULL: the cache is not used, everything is replayed). */
int game_load(struct store *store, const char *id, const unsigned char master[32], struct game *game,
              struct err *err) __attribute__((warn_unused_result));
/* The same, and what a run has left that ended in the middle of its commit is cut: half a line of the journal. Only for the process that holds the lock. */
int game_mend(struct store *store, const char *id, const unsigned char master[32], struct game *game,
              struct err *err) __attribute__((warn_unused_result));
/* The game as it stood after its record `seq`, replayed from the first one. ERR_MISSING: there is none yet.
 */
int game_load_until(struct store *store, const char *id, int64_t seq, struct game *game, struct err *err)
    __attribute__((warn_unused_result));
/* Appends the entries that the league's log has of the records after `seq` (game/entry.h). */
int game_load_entries(struct store *store, const char *id, int64_t seq, struct str *entries, struct err *err)
    __attribute__((warn_unused_result));
/* Replays a game: the journal in the store and after it the lines of `tail`, which are not in it yet. Keeps what `past`
 * wants. */
int past_read(struct store *store, const char *id, struct slice tail, struct past *past, struct err *err)
    __attribute__((warn_unused_result));

#endif
