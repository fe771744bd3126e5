/* What the files of a batch share (batch.c, batch_clock.c); for nobody else. */
#ifndef ENGINE_BATCH_PARTS_H
#define ENGINE_BATCH_PARTS_H

#include "engine/batch.h"

/* What the catalog holds of a game, with when it is due. */
void batch_row(struct batch *batch, const struct game *game, struct catalog_game *row);
/* A new version of a player: when it changes what the clock does, his games are woken by the commit. To be
 * called before the registry has it. */
void batch_player_changes(struct batch *batch, const struct player *player);
/* Within the catalog's transaction: wakes the games of the players that changed. */
int batch_wake(struct batch *batch, struct err *err) __attribute__((warn_unused_result));
/* Tells the operator when the zone of a game's schedule cannot be read; UTC is used then. */
void batch_check_zone(struct batch *batch, const struct game *game);

#endif
