/* What is kept of a game: one table per part (game/keep.h). A new member of struct game gets a row here and
 * nowhere else. */
#ifndef GAME_GAME_ROWS_H
#define GAME_GAME_ROWS_H

#include "game/keep.h"

extern const struct keep game_rows[]; /* of struct game */

#endif
