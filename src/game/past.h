/* A game as it was after an earlier record, for rollbacks (petitions/moderate.h): replay gives it. While a
 * journal is replayed, the games that a later rollback goes back to are kept, so that one pass is enough,
 * however often a game was rolled back. */
#ifndef GAME_PAST_H
#define GAME_PAST_H

#include "game/game.h"

struct past_game {
    int64_t seq;
    struct game game;
};
/* Start with zeros. */
struct past {
    int64_t *wanted; /* records after which the game is kept */
    size_t wanted_count, wanted_cap;
    int turn; /* also: after the last record that opened this turn by playing the one before; 0 = none */
    int64_t opened; /* that record, 0 = not met */
    struct past_game *list;
    size_t count, cap;
};
void past_release(struct past *past);
/* Notes what the rollbacks among these lines of a journal go back to; false: there are none. */
bool past_want(struct past *past, struct slice lines);
/* Does record `seq` of this journal no longer count, because a rollback went back to before it, and no later
 * one restored it? */
bool past_undone(struct slice journal, int64_t seq);
/* Keeps the game if it is wanted; called after each record that was replayed. */
int past_keep(struct past *past, const struct game *game, struct err *err)
    __attribute__((warn_unused_result));
/* NULL when it was not kept. */
const struct game *past_find(const struct past *past, int64_t seq);

#endif
