/* The best and the worst that happened to each seat, kept from turn to turn for the report of the end. What
 * counts, and how much, the ruleset says (rules/ruleset.h, struct moment). */
#ifndef GAME_MOMENTS_H
#define GAME_MOMENTS_H

#include <jansson.h>

#include "game/game.h"

#define MOMENTS_KEPT 2 /* of a seat, good ones and bad ones each */

/* Takes in what happened in the turn that was resolved: events with "visible" (rules/event.h). */
void moments_note(struct game *game, const json_t *events);
/* A seat's moments, good or bad, the greatest first: [{"turn","seat","weight","event"}]. Seat 0: those of all
 * seats that everybody may know. New reference. */
json_t *moments_of(const struct game *game, int seat, bool good);

#endif
