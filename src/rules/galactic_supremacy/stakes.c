/* What can end the game for a seat, and what it is one step from. */
#include "rules/galactic_supremacy/attack.h"

#include "rules/put.h"

#define ROUNDS_NEAR 3 /* so near is the end worth saying */
#define ODDS_NEAR   5 /* and an attack so likely, in 100 */

static int fleets_at_home(const struct gs_player *player)
{
    int fleets = 0;
    for (int i = 0; i < player->fleet_count && i < GS_FLEETS; i++)
        fleets += player->fleet[i].at == GS_HOME;
    return fleets;
}

/* The first offer that waits for this seat's answer, and can be kept; or NULL. */
static const struct gs_offer *offer_to(const struct gs_cards *cards, const struct gs_state *state, int seat)
{
    for (int i = 0; i < state->offer_count && i < GS_OFFERS; i++)
        if (state->offer[i].to == seat && gs_offer_stands(cards, state, &state->offer[i]))
            return &state->offer[i];
    return NULL;
}

/* The next rival in turn order whose homeworld no fleet guards, or 0. */
static int open_rival(const struct gs_state *state, int seat)
{
    for (int step = 1; step < gs_seats(state); step++) {
        int other = gs_seat_after(state, seat, step);
        if (gs_alive(state, other) && fleets_at_home(gs_player_const(state, other)) == 0)
            return other;
    }
    return 0;
}

/* The rival with most fleets, or 0. */
static int strongest(const struct gs_state *state, int seat)
{
    int best = 0;
    for (int step = 1; step < gs_seats(state); step++) {
        const int other = gs_seat_after(state, seat, step);
        if (gs_alive(state, other) && gs_player_const(state, other)->fleet_count &&
            (!best || gs_player_const(state, other)->fleet_count > gs_player_const(state, best)->fleet_count))
            best = other;
    }
    return best;
}

/* How often in 100 all fleets of a seat would take a homeworld; 0 without fleets. */
static int home_odds(const struct gs_cards *cards, const struct gs_state *state, int by, int target)
{
    struct gs_plan plan = {.by = by, .target = target, .world = GS_HOME};
    if (!by || !target)
        return 0;
    gs_plan_all(state, &plan);
    return plan.fleet_count ? gs_plan_odds(cards, state, &plan) : 0;
}

/* Who would win if the last round ended now, the reader before others that are level: "seat", "most", "least" (the reader's, or
 * the next one's) and of what; "shared": nothing decides between the reader and another one. */
static void put_leader(struct value *own, const struct gs_state *state, int seat)
{
    const struct gs_player *player = gs_player_const(state, seat);
    struct gs_margin margin, best = {GS_BY_WORLDS, 0, 0};
    int leader = seat, next = 0;
    for (int other = 1; other <= gs_seats(state); other++)
        if (gs_alive(state, other) &&
            gs_compare(gs_player_const(state, other), gs_player_const(state, leader), &margin) > 0)
            leader = other;
    for (int other = 1; other <= gs_seats(state) && leader == seat; other++)
        if (other != seat && gs_alive(state, other) &&
            (!next || gs_compare(gs_player_const(state, other), gs_player_const(state, next), &margin) > 0))
            next = other;
    const int against = leader == seat ? next : seat;
    const int order = against
                          ? gs_compare(gs_player_const(state, leader), gs_player_const(state, against), &best)
                          : gs_compare(player, player, &best);
    put(own, "seat=%d shared?=%d most=%d least=%d", leader, order == 0, best.one, best.other);
    put(own, "by_worlds?=%d by_fleets?=%d by_levels?=%d by_credits?=%d one_most?=%d", best.by == GS_BY_WORLDS,
        best.by == GS_BY_FLEETS, best.by == GS_BY_LEVELS, best.by == GS_BY_CREDITS, best.one == 1);
}

struct value *gs_stakes(const void *data, const void *from, int seat, struct arena *arena)
{
    const struct gs_cards *cards = data;
    const struct gs_state *state = from;
    struct value *stakes = value_object(arena), *own;
    if (seat < 1 || seat > gs_seats(state) || state->ending)
        return stakes;
    const struct gs_player *player = gs_player_const(state, seat);
    const struct gs_offer *offer = offer_to(cards, state, seat);
    const int fleets = fleets_at_home(player), rival = open_rival(state, seat),
              enemy = strongest(state, seat);
    const bool near = state->round_limit && state->round_limit - state->round < ROUNDS_NEAR;
    const bool quiet = player->out || near;
    const int danger = quiet || fleets ? 0 : home_odds(cards, state, enemy, seat);
    const int chance = quiet || danger >= ODDS_NEAR ? 0 : home_odds(cards, state, seat, rival);
    if (player->out) {
        own = value_put_object(stakes, "out");
    } else if (near) {
        own = value_put_object(stakes, "last_rounds");
        put(own, "round=%d limit=%d last?=%d", state->round, state->round_limit,
            state->round == state->round_limit);
        put_leader(own, state, seat);
    } else if (danger >= ODDS_NEAR) {
        own = value_put_object(stakes, "home_open");
        put(own, "seat=%d odds=%d", enemy, danger);
    } else if (fleets && enemy && player->sector_count == 0) {
        own = value_put_object(stakes, "home_only");
    } else if (offer) {
        own = value_put_object(stakes, "offer");
        put(own, "seat=%d number=%d", offer->from, offer->number);
    } else if (chance >= ODDS_NEAR) {
        own = value_put_object(stakes, "rival_open");
        put(own, "seat=%d odds=%d last?=%d", rival, chance, gs_only_other(state, seat) == rival);
    } else if (fleets && enemy) {
        own = value_put_object(stakes, "home_held");
    } else {
        return stakes; /* nobody can harm anybody */
    }
    put(own, "fleets=%d one?=%d", fleets, fleets == 1);
    return stakes;
}
