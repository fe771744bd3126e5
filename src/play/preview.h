/* What the open turn would give with the orders that are in: for moderators, who ask before they resolve a
 * turn or correct the table. Nothing is committed, and the dice are others than those of the turn: whoever
 * knew these could choose the moment, or the orders of a seat, by them. They are the same each time, so that
 * asking again brings nothing. */
#ifndef PLAY_PREVIEW_H
#define PLAY_PREVIEW_H

#include <jansson.h>

#include "game/game.h"

/* Facts for the template "preview". `seat` is that of the moderator, if he plays in the game: then only what
 * a dry run of his own orders would tell him; 0 = he may see all. The turn must be open. New reference. */
json_t *preview_facts(const struct game *game, int seat);

#endif
