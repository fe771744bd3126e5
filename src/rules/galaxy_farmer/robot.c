/* A sensible farmer: does what there is to do at HOME, tries all routes that the fuel and one drift allow,
 * does at each stop what is useful there, and takes the route whose end looks best. It knows what the seat's
 * report says, no more. */
#include "rules/galaxy_farmer/plan.h"

#include <string.h>

#include "rules/galaxy_farmer/turn.h"

#define LEGS 5

struct search {
    struct gf_plan at[LEGS + 1]; /* after this many legs */
    int leg[LEGS];
    int best_leg[LEGS];
    int best_legs, best_boldness, best;
};

static void consider(struct search *search, int legs)
{
    struct gf_plan done = search->at[legs];
    if (done.state.place == GF_HOME && legs > 0)
        gf_plan_home(&done);
    int value = gf_value(&done) - legs; /* among equals the shorter */
    if (search->best_legs >= 0 && value <= search->best)
        return;
    search->best = value;
    search->best_legs = legs;
    search->best_boldness = done.boldness;
    memcpy(search->best_leg, search->leg, sizeof(search->leg));
}

/* The last leg leads HOME, the one before to a planet from which that is possible. */
static bool worth_trying(const struct gf_plan *from, int to)
{
    const struct gf_state *state = &from->state;
    int left = state->fuel + !from->drifted; /* legs, this one included */
    if (to == GF_HOME)
        return true;
    return left > 2 || (left == 2 && gf_is_inner(from->cards, state, to));
}

/* All routes in order of their places, without recursion: `leg` counts like an odometer. */
static void try_routes(struct search *search)
{
    int depth = 0;
    search->leg[0] = GF_HOME - 1;
    while (depth >= 0) {
        struct gf_plan *next = &search->at[depth + 1];
        int to = ++search->leg[depth];
        if (to > GF_PLANETS) {
            depth--;
            continue;
        }
        if (!worth_trying(&search->at[depth], to))
            continue;
        *next = search->at[depth];
        if (!gf_plan_fly(next, to))
            continue;
        if (to != GF_HOME)
            gf_plan_stop(next);
        consider(search, depth + 1);
        if (to != GF_HOME && depth + 1 < LEGS)
            search->leg[++depth] = GF_HOME - 1;
    }
}

void gf_robot(const void *data, const void *from, int seat, struct str *orders)
{
    const struct gf_cards *cards = data;
    struct gf_outlook outlook;
    struct search search = {.best_legs = -1};
    struct gf_plan start = {.cards = cards, .outlook = &outlook, .state = *(const struct gf_state *)from};
    (void)seat;
    gf_tame(cards, &start.state);
    gf_look_out(cards, &start.state, &outlook);
    start.out = orders;
    if (start.state.place == GF_HOME)
        gf_plan_home(&start);
    else
        gf_plan_stop(&start);
    start.out = NULL;
    search.at[0] = start;
    consider(&search, 0);
    if (start.state.place == GF_HOME) {
        gf_plan_leave(&search.at[0]);
    }
    for (int boldness = 1; boldness <= GF_BOLDNESS; boldness++) {
        search.at[0].boldness = boldness;
        try_routes(&search);
    }
    start.out = orders;
    start.boldness = search.best_boldness;
    if (search.best_legs > 0 && start.state.place == GF_HOME)
        gf_plan_leave(&start);
    for (int i = 0; i < search.best_legs; i++) {
        if (!gf_plan_fly(&start, search.best_leg[i]))
            break;
        if (start.state.place != GF_HOME)
            gf_plan_stop(&start);
        else
            gf_plan_home(&start);
    }
    if (!orders->len)
        str_adds(orders, "stay\n");
}
