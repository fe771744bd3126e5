/* Records -> game. The only place where a game changes, for live play and for replay alike. */
#ifndef GAME_APPLY_H
#define GAME_APPLY_H

#include "game/game.h"

struct turn_result;
struct past;
struct turn_trace;

/* Applies a record that has been checked (journal/record.h) to follow the game's head. For `start` and `turn`
 * the rules are played: `result` is what live play just computed (taken over), or NULL, and then the turn is
 * computed again from the record's proof and the sealed payloads, and must give the digests that the record
 * names. `past` (may be NULL) holds the game that a rollback goes back to. `length` is the journal's length
 * with it. ERR_BROKEN when the record contradicts the game. */
int game_apply(struct game *game, const struct record *record, int64_t length,
               const struct sealed_set *sealed, struct turn_result *result, const struct past *past,
               struct err *err) __attribute__((warn_unused_result));

/* Plays the turn of a `start` or `turn` record again, from its proof and payloads, and applies nothing: for
 * those who look closer at the result before they hand it to game_apply. Keeps a trace (NULL: none).
 * ERR_BROKEN when the draws are not proved. */
int game_recompute(struct game *game, const struct record *record, const struct sealed_set *sealed,
                   struct turn_trace *trace, struct turn_result *result, struct err *err)
    __attribute__((warn_unused_result));

#endif
