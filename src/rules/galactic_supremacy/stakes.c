/* What can end the game for a seat, and what it is one step from. */
#include "rules/galactic_supremacy/turn.h"

#define ROUNDS_NEAR 3 /* so near is the end worth saying */

static int fleets_at_home(const struct gs_player *player)
{
    int fleets = 0;
    for (int i = 0; i < player->fleet_count && i < GS_FLEETS; i++)
        fleets += player->fleet[i].at == GS_HOME;
    return fleets;
}

/* The first offer that waits for this seat's answer, or NULL. */
static const struct gs_offer *offer_to(const struct gs_state *state, int seat)
{
    for (int i = 0; i < state->offer_count && i < GS_OFFERS; i++)
        if (state->offer[i].to == seat)
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

struct value *gs_stakes(const void *data, const void *from, int seat, struct arena *arena)
{
    const struct gs_state *state = from;
    struct value *stakes = value_object(arena), *own;
    (void)data;
    if (seat < 1 || seat > gs_seats(state) || state->ending)
        return stakes;
    const struct gs_player *player = gs_player_const(state, seat);
    const struct gs_offer *offer = offer_to(state, seat);
    const int fleets = fleets_at_home(player), rival = open_rival(state, seat);
    const bool near = state->round_limit && state->round_limit - state->round < ROUNDS_NEAR;
    if (player->out) {
        own = value_put_object(stakes, "out");
    } else if (near) {
        own = value_put_object(stakes, "last_rounds");
        value_put_int(own, "round", state->round);
        value_put_int(own, "limit", state->round_limit);
        value_put_flag(own, "last", state->round == state->round_limit);
    } else if (fleets == 0) {
        own = value_put_object(stakes, "home_open");
    } else if (player->sector_count == 0) {
        own = value_put_object(stakes, "home_only");
    } else if (offer) {
        own = value_put_object(stakes, "offer");
        value_put_int(own, "seat", offer->from);
        value_put_int(own, "number", offer->number);
    } else if (rival) {
        own = value_put_object(stakes, "rival_open");
        value_put_int(own, "seat", rival);
        value_put_flag(own, "last", gs_only_other(state, seat) == rival);
    } else {
        own = value_put_object(stakes, "home_held");
    }
    value_put_int(own, "fleets", fleets);
    value_put_flag(own, "one", fleets == 1);
    return stakes;
}
