/* Combat rounds: who destroys whom, given the rolls. The same code decides battles and reckons odds. */
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
/* Those hit are gone; is it decided? */
enum gs_result gs_round_ends(struct gs_combat *combat);
int gs_fleets_left(const struct gs_side *side);

#endif
