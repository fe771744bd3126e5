/* What the open turn would do with the orders received so far: for moderators, before they resolve a turn or
 * correct the table. Nothing is committed, and the dice are not those of the turn: anybody who knew those
 * could choose the moment, or the orders of a seat, accordingly. They are the same each time, so that asking
 * again gains nothing. */
#ifndef PLAY_PREVIEW_H
#define PLAY_PREVIEW_H

#include <jansson.h>

#include "game/game.h"

/* Facts for the template "preview". `seat` is that of the moderator, if they play in the game: then only what
 * a dry run of their own orders would tell them; 0 = they may see all. The turn must be open. New
 * reference. */
json_t *preview_facts(const struct game *game, int seat);

#endif
