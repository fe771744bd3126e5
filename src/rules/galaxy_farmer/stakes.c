/* What can lose the game next, and what its player is one step from. */
#include "rules/galaxy_farmer/turn.h"

#define EVENTS_NEAR 3 /* so few cards are worth saying */

/* The open order that fails first, if it does at the end of this turn; -1: none. What the partner holds does not. */
static int failing(const struct gf_cards *cards, const struct gf_state *state)
{
    for (int i = 0; i < GF_OPEN; i++) {
        const struct gf_order *order = &state->open[i];
        if (order->card && gf_turns_left(cards, order) <= 1 && gf_missing(cards, order) &&
            gf_held_slot(cards, state) != i)
            return i;
    }
    return -1;
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

static struct value *put_order(struct value *stakes, const char *kind, const struct gf_cards *cards,
                               const struct gf_order *order)
{
    struct value *own = value_put_object(stakes, kind);
    const struct gf_order_card *card = gf_order_card(cards, order);
    value_put_text(own, "card", card->name);
    value_put_int(own, "points", card->points);
    value_put_amount(own, "missing", gf_missing(cards, order));
    value_put_flag(own, "one", gf_missing(cards, order) == 1);
    return own;
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
    const int fails = failing(cards, state), wins = winning(cards, state);
    const bool last_failure = tally->failed + 1 >= gf_failed_limit(cards, state);
    if (fails >= 0 && last_failure)
        own = put_order(stakes, "failing", cards, &state->open[fails]);
    else if (tally->killed + 1 >= gf_killed_limit(cards, state))
        own = value_put_object(stakes, "last_worker");
    else if (gf_troops(state) + 1 >= cards->lose.troops)
        own = value_put_object(stakes, "last_planet");
    else if (state->event_count <= EVENTS_NEAR)
        own = value_put_object(stakes, "last_events");
    else if (wins >= 0)
        own = put_order(stakes, "winning", cards, &state->open[wins]);
    else if (fails >= 0)
        own = put_order(stakes, "failing", cards, &state->open[fails]);
    else
        own = value_put_object(stakes, "going");
    value_put_flag(own, "last_failure", last_failure);
    value_put_int(own, "failed", tally->failed);
    value_put_int(own, "failed_limit", gf_failed_limit(cards, state));
    value_put_int(own, "score", tally->score);
    value_put_int(own, "goal", gf_goal(cards, state));
    value_put_int(own, "events", state->event_count);
    value_put_flag(own, "last_event", state->event_count == 1);
    return stakes;
}
