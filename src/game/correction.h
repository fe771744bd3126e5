/* Corrections of a state by a moderator: a list of {"path","before","after"} (rules/field_path.h). */
#ifndef GAME_CORRECTION_H
#define GAME_CORRECTION_H

#include <jansson.h>

#include "game/game.h"

#define CORRECTION_PUBLIC ((uint32_t)1) /* where the bit of a seat 0 would be */
#define CORRECTION_MOST   40

/* "player[1].metal = 3" -> {"path","before","after"}; the value is JSON, or one word. NULL with ERR_INPUT.
 * New reference. */
json_t *correction_read(const struct game *game, struct slice line, struct err *err);
/* The state with the changes, into ruleset->state_size bytes: every "before" must match, and the
 * rules must accept the result (struct ruleset, check), with the game still going on. ERR_INPUT; also where the rules
 * have no check. */
int correction_state(const struct game *game, const json_t *changes, void *state, struct err *err)
    __attribute__((warn_unused_result));
/* Who sees the value: a bit a seat, CORRECTION_PUBLIC for all. This is only known of a plain value whose
 * change alone changes what the seat is shown; everything else counts as hidden. */
uint32_t correction_visible(const struct game *game, const json_t *change);

#endif
