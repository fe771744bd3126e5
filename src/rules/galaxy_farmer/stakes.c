/* What can lose the game next, and what its player is one step from. */
#include "rules/galaxy_farmer/turn.h"

#include "rules/put.h"

#define EVENTS_NEAR 3 /* so few cards are worth saying */
#define POINTS_NEAR 5 /* and so few points: an order brings them */

/* Does it fail at the end of this turn, if nothing more is done? What the partner holds does not. */
static bool fails_now(const struct gf_cards *cards, const struct gf_state *state, int slot)
{
    const struct gf_order *order = &state->open[slot];
    return order->card && gf_turns_left(cards, order) <= 1 && gf_missing(cards, order) &&
           gf_held_slot(cards, state) != slot;
}

/* The open order that lacks fewest cubes and would win the game, or -1. */
static int winning(const struct gf_cards *cards, const struct gf_state *state)
{
    int best = -1;
    for (int i = 0; i < GF_OPEN; i++) {
        const struct gf_order *order = &state->open[i];
        if (!order->card || state->tally.score + gf_order_card(cards, order)->points < gf_goal(cards, state))
            continue;
        if (best < 0 || gf_missing(cards, order) < gf_missing(cards, &state->open[best]))
            best = i;
    }
    return best;
}

static void put_order(struct value *object, const struct gf_cards *cards, const struct gf_order *order)
{
    const int missing = gf_missing(cards, order);
    put(object, "card=%s missing+=%d one?=%d", gf_order_card(cards, order)->name, missing, missing == 1);
}

/* All that fail: each costs as much as the others. */
static void put_failing(struct value *own, const struct gf_cards *cards, const struct gf_state *state)
{
    struct value *orders = value_put_list(own, "orders");
    for (int i = 0; i < GF_OPEN; i++)
        if (fails_now(cards, state, i))
            put_order(value_add_object(orders), cards, &state->open[i]);
    value_mark_more(orders);
    value_put_flag(own, "several", value_count(orders) > 1);
}

struct value *gf_stakes(const void *data, const void *from, int seat, struct arena *arena)
{
    const struct gf_cards *cards = data;
    struct gf_state tame = *(const struct gf_state *)from;
    const struct gf_state *state = &tame;
    struct value *stakes = value_object(arena), *own;
    gf_tame(cards, &tame);
    if (seat < 1 || state->end != GF_RUNNING)
        return stakes;
    const struct gf_tally *tally = &state->tally;
    const int wins = winning(cards, state), away = gf_goal(cards, state) - tally->score;
    int fails = 0;
    for (int i = 0; i < GF_OPEN; i++)
        fails += fails_now(cards, state, i);
    const bool loses = tally->failed + (fails ? fails : 1) >= gf_failed_limit(cards, state);
    if (fails && loses)
        put_failing(own = value_put_object(stakes, "failing"), cards, state);
    else if (tally->killed + 1 >= gf_killed_limit(cards, state))
        own = value_put_object(stakes, "last_worker");
    else if (gf_troops(state) + 1 >= cards->lose.troops)
        own = value_put_object(stakes, "last_planet");
    else if (state->event_count <= EVENTS_NEAR)
        own = value_put_object(stakes, "last_events");
    else if (fails)
        put_failing(own = value_put_object(stakes, "failing"), cards, state);
    else if (wins >= 0)
        put_order(own = value_put_object(stakes, "winning"), cards, &state->open[wins]);
    else
        own = value_put_object(stakes, "going");
    if (away <= POINTS_NEAR)
        put(value_put_object(own, "near"), "points=%d one?=%d", away, away == 1);
    put(own, "last_failure?=%d failed=%d failed_limit=%d score=%d goal=%d events=%d last_event?=%d", loses,
        tally->failed, gf_failed_limit(cards, state), tally->score, gf_goal(cards, state), state->event_count,
        state->event_count == 1);
    return stakes;
}
