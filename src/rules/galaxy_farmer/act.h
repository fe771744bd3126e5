/* The actions of the player's part of a turn, as changes of the state and nothing else. All trust their
 * caller to have checked that the action is possible: orders*.c for players, robot.c for the robot. */
#ifndef GALAXY_FARMER_ACT_H
#define GALAXY_FARMER_ACT_H

#include "rules/galaxy_farmer/state.h"

/* One leg. Without fuel it is the drift. */
void gf_fly(struct gf_state *state, int to);

/* At a planet. */
void gf_collect(struct gf_state *state, int count);
void gf_drop(struct gf_state *state, int count);
void gf_pick(struct gf_state *state, int from_idle, int from_working);
void gf_lift(struct gf_state *state, int count);
/* Takes the troop away and, if `push` is not 0, moves the enemy ship one step: 1 clockwise, -1 anticlockwise.
 */
void gf_fight(struct gf_state *state, int push);
/* Cubes from the ship for the quest that the representative waits for. */
void gf_give(struct gf_state *state, int rep, int resource, int count);
/* The quest is done: the cubes given return to the pool. Returns the points scored. */
int gf_complete_quest(const struct gf_cards *cards, struct gf_state *state, int rep);

/* At HOME. Free cubes are taken from the ship first, then from the store. */
void gf_take_free(struct gf_state *state, int resource, int count);
void gf_lock(const struct gf_cards *cards, struct gf_state *state, int slot, int need, int count);
/* `price` free cubes of the requirement's resource in the other state for one locked cube. */
void gf_convert(const struct gf_cards *cards, struct gf_state *state, int slot, int need, int price);
void gf_plant(struct gf_state *state, int plot, int resource);
/* The crops of a plot, or its planted cube: to the store, the ship. */
void gf_reap(struct gf_state *state, int plot, int to_store, int to_ship);
void gf_uproot(struct gf_state *state, int plot, bool to_store);

/* Anywhere. */
void gf_discard(struct gf_state *state, int resource, int count);

/* What can be done now: numbers for ALL, and for checks. */
static inline int gf_free(const struct gf_state *state, int resource)
{
    return state->cargo[resource] + state->store[resource];
}
int gf_drop_room(const struct gf_cards *cards, const struct gf_state *state); /* at the planet of the ship */
int gf_price(const struct gf_cards *cards, const struct gf_state *state, bool converted_already);
/* The open slots, those nearest to completion first; returns how many. */
int gf_by_completion(const struct gf_cards *cards, const struct gf_state *state, int slots[GF_OPEN]);
int gf_empty_plot(const struct gf_cards *cards, const struct gf_state *state); /* -1: none */

#endif
