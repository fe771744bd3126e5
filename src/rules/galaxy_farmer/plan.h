/* The robot's thinking: a plan is a copy of the game in which the robot's own turn is tried out, stop by
 * stop, and the order lines that lead there. plan.c does at each stop what a sensible farmer would do;
 * value.c says what the result is worth; robot.c tries routes. Nothing here looks at the order of the
 * decks. */
#ifndef GALAXY_FARMER_PLAN_H
#define GALAXY_FARMER_PLAN_H

#include "base/str.h"
#include "rules/galaxy_farmer/act.h"

/* What the rest of the event deck may do, in 1/1000 a turn. */
struct gf_outlook {
    int landing[GF_PLANETS + 1]; /* the enemy comes to this planet */
    int turning[GF_PLANETS + 1]; /* its top changes */
};

struct gf_plan {
    const struct gf_cards *cards;
    const struct gf_outlook *outlook;
    struct gf_state state;
    bool drifted, converted;
    int boldness;    /* how many workers it leaves on planets: 1..GF_BOLDNESS */
    struct str *out; /* NULL: only thinking */
};
#define GF_BOLDNESS 2

void gf_look_out(const struct gf_cards *cards, const struct gf_state *state, struct gf_outlook *outlook);

/* Cubes of a resource that open orders still want, in either state, with one of the state that the planet
 * does not show counted at its price in the converter, minus the free ones. */
int gf_wanted(const struct gf_plan *plan, int resource);

void gf_plan_home(struct gf_plan *plan);        /* farm, locking, converting, storing, a partner */
void gf_plan_leave(struct gf_plan *plan);       /* workers aboard; cubes for quests on the way */
bool gf_plan_fly(struct gf_plan *plan, int to); /* false: not possible */
void gf_plan_stop(struct gf_plan *plan);        /* at a planet */

/* The worth of the plan's state at the end of the turn; higher is better. */
int gf_value(const struct gf_plan *plan);

#endif
