/* A game from its files: the cache and the records after it, or the journal as a whole. */
#ifndef GAME_GAME_LOAD_H
#define GAME_GAME_LOAD_H

#include "game/game.h"
#include "game/past.h"

/* Loads a game: state.json if it fits the journal, then the records after it; else the whole journal is
 * replayed. ERR_BROKEN names the first bad record; ERR_MISSING: no such game. `master` proves that a cached
 * state is ours (NULL: the cache is not used, everything is replayed). */
int game_load(struct store *store, const char *id, const unsigned char master[32], struct game *game,
              struct err *err) __attribute__((warn_unused_result));
/* The same, and what a run has left that ended in the middle of its commit is cut: half a line of the journal, sealed lines
 * that no record covers. Only for the process that holds the lock. */
int game_mend(struct store *store, const char *id, const unsigned char master[32], struct game *game,
              struct err *err) __attribute__((warn_unused_result));
/* The game as it stood after its record `seq`, replayed from the first one. ERR_MISSING: there is none yet.
 */
int game_load_until(struct store *store, const char *id, int64_t seq, struct game *game, struct err *err)
    __attribute__((warn_unused_result));
/* Appends the entries that the league's log has of the records after `seq` (game/entry.h). */
int game_load_entries(struct store *store, const char *id, int64_t seq, struct str *entries, struct err *err)
    __attribute__((warn_unused_result));
/* Lines and payloads that are not in the store yet. */
struct game_tail {
    struct slice records, sealed;
};
/* Replays a game: the journal in the store and after it the tail. Keeps what `past` wants. */
int past_read(struct store *store, const char *id, const struct game_tail *tail, struct past *past,
              struct err *err) __attribute__((warn_unused_result));

#endif
