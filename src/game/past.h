/* A game as it was behind an earlier record, for rollbacks (petitions/moderate.h): replay gives it. While a
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
    int64_t *wanted; /* records behind which the game is kept */
    size_t wanted_count, wanted_cap;
    int turn; /* also: behind the last record that opened this turn by playing the one before; 0 = none */
    int64_t opened; /* that record, 0 = not met */
    struct past_game *list;
    size_t count, cap;
};
void past_release(struct past *past);
/* Wants what the rollbacks among these lines of a journal go back to; false: there are none. */
bool past_want(struct past *past, struct slice lines);
/* Does record `seq` of this journal count no more, because a rollback went back to before it, and no later
 * one to when it stood? */
bool past_undone(struct slice journal, int64_t seq);
/* Keeps the game if it is wanted; called behind each record that was replayed. */
int past_keep(struct past *past, const struct game *game, struct err *err)
    __attribute__((warn_unused_result));
/* NULL when it was not kept. */
const struct game *past_find(const struct past *past, int64_t seq);

#endif
