/* What a state is worth at the end of the player's part of a turn, in 1/100 points. */
#include "rules/galaxy_farmer/plan.h"

#define POINT 100
#define AWAY  250 /* the ship is not at HOME: no refuelling */
#define KILL  140 /* a worker, more the nearer the limit is */
#define FAIL  180 /* a failed order, more the nearer the limit is */
#define TROOP 25
#define IDLE  20

/* Cubes that may be got for one requirement, in percent of one cube each. */
static int prospect(const struct gf_plan *plan, int resource, bool dark, int missing, int turns)
{
    const struct gf_state *state = &plan->state;
    const struct gf_planet *planet = gf_planet(state, resource + 1);
    bool same = planet->dark == dark;
    int stay = 1000 - plan->outlook->turning[resource + 1];
    int free = gf_free(state, resource);
    int per = same ? 100 : 100 / plan->cards->convert_give;
    int sum = 0;
    int ready = free * 85 * per / 100;                        /* locked at the next stop at HOME */
    int lying = planet->cubes * 60 * per / 100 * stay / 1000; /* may be fetched */
    int growing = planet->working * gf_yield(plan->cards, state, resource + 1) * per / 100;
    for (int t = 1; t < turns && t <= 3; t++)
        sum += growing * (50 - 10 * t);
    for (int i = 0; i < GF_PLOTS; i++)
        sum += state->plot[i].planted == resource + 1
                   ? (state->plot[i].crop * 85 + (turns > 2 ? 50 : 0)) * per / 100
                   : 0;
    sum += ready + lying;
    if (turns < 2)
        sum = 0;
    return sum > 90 * missing ? 90 * missing : sum;
}

static int value_order(const struct gf_plan *plan, const struct gf_order *order, int slot)
{
    const struct gf_cards *cards = plan->cards;
    const struct gf_order_card *card = gf_order_card(cards, order);
    int turns = gf_turns_left(cards, order) + (gf_held_slot(cards, &plan->state) == slot);
    int count = 0;
    int sum = 0;
    if (!gf_missing(cards, order))
        return card->points * POINT + 40;
    for (int i = 0; i < card->needs; i++) {
        int missing = gf_need_missing(cards, order, i);
        count += card->need[i].count;
        sum += 100 * order->locked[i];
        if (missing)
            sum += prospect(plan, card->need[i].resource, card->need[i].dark, missing, turns);
    }
    int percent = count ? sum / count : 0;
    int value = card->points * POINT * percent / 100 * (percent + 40) / 140;
    int danger = turns <= 1 ? 100 : turns == 2 ? 60 : turns == 3 ? 30 : 10;
    int fail = FAIL * (2 + plan->state.tally.failed) / 2;
    return value - fail * danger / 100 * (100 - percent) / 100;
}

static int value_reps(const struct gf_plan *plan)
{
    static const int worth[GF_QUESTS + 1] = {0, 25, 60, 60}; /* the bonus is in the score already */
    int sum = 0;
    for (int n = 1; n <= GF_PLANETS; n++) {
        const struct gf_rep *rep = &plan->state.rep[n - 1];
        sum += worth[rep->cubes] + 15 * gf_sum(rep->locked);
    }
    return sum + (plan->state.partner ? 200 : 0);
}

static int value_danger(const struct gf_plan *plan)
{
    const struct gf_state *state = &plan->state;
    int limit = gf_killed_limit(plan->cards, state);
    int kill = KILL * (4 + 4 * state->tally.killed / limit) / 4;
    int sum = 0;
    for (int n = 1; n <= GF_PLANETS; n++) {
        const struct gf_planet *planet = gf_planet(state, n);
        int workers = planet->working + planet->idle;
        int risk = plan->outlook->landing[n];
        int cost = workers * kill;
        int cubes = planet->cubes * 25;
        if (state->place == n &&
            gf_strength(plan->cards, state) <
                plan->cards->force_ship + (planet->troop ? plan->cards->force_troop : 0)) {
            workers += state->aboard > 0;
            cost = workers * kill + gf_sum(state->cargo) * 60;
        } else if (state->place == n) {
            workers = cost = cubes = 0;
        }
        if (workers + state->tally.killed >= limit)
            cost += 1500;
        sum += (cost + cubes) * risk / 1000;
        sum += planet->troop ? TROOP : 0;
        sum += planet->idle * IDLE;
    }
    return sum;
}

int gf_value(const struct gf_plan *plan)
{
    const struct gf_state *state = &plan->state;
    int value = state->tally.score * POINT;
    int points = state->tally.score;
    for (int i = 0; i < GF_OPEN; i++) {
        if (!state->open[i].card)
            continue;
        value += value_order(plan, &state->open[i], i);
        if (!gf_missing(plan->cards, &state->open[i]))
            points += gf_order_card(plan->cards, &state->open[i])->points;
    }
    if (points >= gf_goal(plan->cards, state))
        return 1000000;
    value += value_reps(plan) - value_danger(plan);
    value += state->place == GF_HOME ? 0 : -AWAY + 40 * state->fuel;
    for (int i = 0; i < GF_PLANETS; i++) /* what no order wants now may be wanted later */
        value += 6 * (gf_free(state, i) < 3 ? gf_free(state, i) : 3);
    for (int i = 0; i < GF_PLOTS; i++)
        value += state->plot[i].planted ? 25 : 0;
    return value;
}
