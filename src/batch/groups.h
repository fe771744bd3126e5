/* Groups: what of a batch counts together or not at all.
 *
 * A piece of work (batch/pieces.h) uses games and makes records, mails and news. Two pieces that use one game,
 * of which the batch has records, belong to one group: what the second one says may follow from what the first
 * one did. So a group is a connected component of pieces and games. When a journal cannot be appended to, its
 * whole group is left out of the commit and all others are committed.
 *
 * Such a game rests until the mailbox is read again: its mails wait, as for a game that cannot be read, and no turn
 * of it is closed, because the orders for it are in the mailbox. If other games were in its group, everything is done
 * again without it at once: one mail can name any games, and nobody's orders may come too late for another game's
 * sake.
 *
 * Players, keys and competitions are used by pieces without a word here. When a group that is left out has
 * changed one of them, nothing of the batch is committed: its pieces are done again in smaller batches, until
 * the one that fails is alone (batch/pieces.h).
 *
 * Piece 0 is what is done outside of any. */
#ifndef BATCH_GROUPS_H
#define BATCH_GROUPS_H

#include "batch/batch.h"

/* Forgets all pieces; 0 begins. */
void groups_clear(struct batch *batch);
/* The next piece of work begins: 1, 2, ... */
void groups_piece(struct batch *batch);
/* The current piece uses this game. */
void groups_touch(struct batch *batch, struct batch_game *game);
/* The mailbox is read now: no game rests any more. */
void groups_wake(struct batch *batch);
/* Does this game rest? */
bool groups_rests(const struct batch *batch, const char *game);
/* Was this piece left out of the commit? */
bool groups_left_out(const struct batch *batch, size_t piece);

/* Where the batch is now: what a piece that begins has before it. */
struct batch_piece groups_here(const struct batch *batch);

#endif
