/* Combat rounds: who destroys whom, given the rolls. The same code decides battles and computes odds.
 *
 * Rolls are allotted to targets in a simple way: lowest roll first, the weakest unit that is enough, else the
 * smallest group of the strongest. When a side has at most GS_EXACT units and
 * that would not destroy as many as possible, the best allotment is used (allot.c). */
#ifndef GALACTIC_SUPREMACY_COMBAT_H
#define GALACTIC_SUPREMACY_COMBAT_H

#include <stdbool.h>
#include <stdint.h>

#include "rules/galactic_supremacy/state.h"

struct gs_fighter {
    uint8_t number; /* of the fleet; 0 is the attacked world */
    bool leader;
    uint8_t dice;
    int roll;                 /* of this round */
    bool gone;                /* destroyed in an earlier round */
    bool hit;                 /* destroyed in this round ... */
    int8_t by[GS_FLEETS + 2]; /* ... by these units of the other side (indices, -1 ends) */
};
struct gs_side {
    int seat;
    bool aim_leaders;
    int count;
    struct gs_fighter unit[GS_FLEETS + 1]; /* the defender's world is the first */
};
struct gs_combat {
    struct gs_side attacker, defender;
};

enum gs_result { GS_GOES_ON, GS_ATTACKER_WINS, GS_DEFENDER_WINS };

/* Given all rolls: sets hit and by of both sides. */
void gs_fire(struct gs_combat *combat);
/* Removes those hit; is it decided? */
enum gs_result gs_round_ends(struct gs_combat *combat);
int gs_fleets_left(const struct gs_side *side);

/* ---- allot.c ---- */
#define GS_UNITS (GS_FLEETS + 1)
#define GS_EXACT 8 /* shooters of a side for which the best allotment is looked for */

/* Units of a side with their rolls: shooters weakest first, targets the most wanted first. */
struct gs_order {
    int count;
    int unit[GS_UNITS]; /* indices into gs_side.unit */
    int roll[GS_UNITS]; /* of targets: what it takes to destroy them */
};
/* target[i]: the place among the targets that the shooter at place i fires at; -1 none. */
struct gs_shots {
    int target[GS_UNITS];
};

/* The most targets that the shooters (at most GS_EXACT) can destroy together, the first `leaders` of which
 * are wanted before the others; within both parts targets rise by what they take. True, with the shots, when
 * that is more (leaders, then all) than the targets marked in `hit`; otherwise `shots` is unchanged. */
bool gs_allot_better(const struct gs_order *shooters, const struct gs_order *targets, int leaders,
                     const bool *hit, struct gs_shots *shots);

#endif
