/* The entry of the league's log that a record of a game has: one a record (tlog/entry.h). */
#ifndef GAME_ENTRY_H
#define GAME_ENTRY_H

#include "game/game.h"

/* Appends the line, with its LF, of the record that was just applied to the game. */
void game_entry(struct str *out, const struct game *game, const struct record *record);

#endif
