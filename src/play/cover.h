/* A table as it can look, for people who have not seen a game yet: robots have played some turns by fixed dice. The same ruleset
 * and seats give the same table on every machine. */
#ifndef PLAY_COVER_H
#define PLAY_COVER_H

#include "game/game.h"

/* `game` is released by game_release, also after an error. */
int cover_play(struct game *game, const struct ruleset *ruleset, int seats, struct err *err)
    __attribute__((warn_unused_result));

#endif
