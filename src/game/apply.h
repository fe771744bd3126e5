/* Records -> game. The only place where a game changes, for live play and for replay alike. */
#ifndef GAME_APPLY_H
#define GAME_APPLY_H

#include "game/game.h"

struct turn_result;
struct past;
struct turn_trace;

/* A record and what it is applied with. */
struct apply_input {
    const struct record *record;
    int64_t length;                  /* of the journal, with it */
    const struct sealed_set *sealed; /* its payloads, as far as its boxes can be opened */
    struct turn_result *result;      /* of `start` and `turn`: what live play just computed; or NULL */
    const struct past *past;         /* holds the game that a rollback goes back to; or NULL */
    bool proved; /* it is known that the journal is what this league wrote: proofs of draws are not checked */
};

/* Applies a record that has been checked (journal/record.h) to follow the game's head. For `start` and `turn`
 * the rules are played: takes ownership of `result`, or the turn is computed again from the record's proof
 * and the sealed payloads, and must give the digests that the record names. ERR_BROKEN when the record
 * contradicts the game. */
int game_apply(struct game *game, const struct apply_input *input, struct err *err)
    __attribute__((warn_unused_result));

/* Makes a record the game's last one without what it does: for the audit, where that is sealed. */
int game_pass(struct game *game, const struct apply_input *input, struct err *err)
    __attribute__((warn_unused_result));

/* Plays the turn of a `start` or `turn` record again, from its proof and payloads, and applies nothing: for
 * callers that look closer at the result before they pass it to game_apply. Keeps a trace (NULL: none). Uses
 * only the record and payloads of the input. ERR_BROKEN when the draws are not proved. */
int game_recompute(struct game *game, const struct apply_input *input, struct turn_trace *trace,
                   struct turn_result *result, struct err *err) __attribute__((warn_unused_result));

#endif
