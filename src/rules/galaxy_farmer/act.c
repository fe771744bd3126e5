#include "rules/galaxy_farmer/act.h"

static void move_cubes(uint8_t *from, uint8_t *to, int count)
{
    *from = (uint8_t)(*from - count);
    *to = (uint8_t)(*to + count);
}

static struct gf_planet *here(struct gf_state *state)
{
    return &state->planet[state->place - 1];
}

void gf_fly(struct gf_state *state, int to)
{
    if (state->fuel > 0)
        state->fuel--;
    state->place = to;
    state->landed = state->aboard;
}

/* ---- at a planet ---- */

void gf_collect(struct gf_state *state, int count)
{
    int resource = state->place - 1;
    here(state)->cubes -= count;
    state->cargo[resource] = (uint8_t)(state->cargo[resource] + count);
}

void gf_drop(struct gf_state *state, int count)
{
    state->aboard -= count;
    here(state)->working += count;
}

void gf_pick(struct gf_state *state, int from_idle, int from_working)
{
    here(state)->idle -= from_idle;
    here(state)->working -= from_working;
    state->aboard += from_idle + from_working;
}

void gf_lift(struct gf_state *state, int count)
{
    here(state)->idle -= count;
    here(state)->working += count;
}

void gf_fight(struct gf_state *state, int push)
{
    here(state)->troop = false;
    if (push)
        state->enemy = (state->enemy - 1 + push + GF_PLANETS) % GF_PLANETS + 1;
}

void gf_give(struct gf_state *state, int rep, int resource, int count)
{
    move_cubes(&state->cargo[resource], &state->rep[rep - 1].locked[resource], count);
}

int gf_complete_quest(const struct gf_cards *cards, struct gf_state *state, int number)
{
    struct gf_rep *rep = &state->rep[number - 1];
    for (int i = 0; i < GF_PLANETS; i++)
        move_cubes(&rep->locked[i], &state->pool[i], rep->locked[i]);
    rep->cubes++;
    int points = rep->cubes == GF_QUESTS ? cards->rep[number].bonus : 0;
    state->tally.score += points;
    return points;
}

/* ---- at HOME ---- */

void gf_take_free(struct gf_state *state, int resource, int count)
{
    int from_ship = gf_min(state->cargo[resource], count);
    state->cargo[resource] = (uint8_t)(state->cargo[resource] - from_ship);
    state->store[resource] = (uint8_t)(state->store[resource] - (count - from_ship));
}

void gf_lock(const struct gf_cards *cards, struct gf_state *state, int slot, int need, int count)
{
    struct gf_order *order = &state->open[slot];
    gf_take_free(state, gf_order_card(cards, order)->need[need].resource, count);
    order->locked[need] = (uint8_t)(order->locked[need] + count);
}

void gf_convert(const struct gf_cards *cards, struct gf_state *state, int slot, int need, int price)
{
    struct gf_order *order = &state->open[slot];
    int resource = gf_order_card(cards, order)->need[need].resource;
    gf_take_free(state, resource, price);
    state->pool[resource] = (uint8_t)(state->pool[resource] + price - 1);
    order->locked[need]++;
}

void gf_plant(struct gf_state *state, int plot, int resource)
{
    gf_take_free(state, resource, 1);
    state->plot[plot].planted = resource + 1;
}

void gf_reap(struct gf_state *state, int plot, int to_store, int to_ship)
{
    int resource = state->plot[plot].planted - 1;
    state->plot[plot].crop -= to_store + to_ship;
    state->store[resource] = (uint8_t)(state->store[resource] + to_store);
    state->cargo[resource] = (uint8_t)(state->cargo[resource] + to_ship);
}

void gf_uproot(struct gf_state *state, int plot, bool to_store)
{
    int resource = state->plot[plot].planted - 1;
    uint8_t *to = to_store ? &state->store[resource] : &state->cargo[resource];
    state->plot[plot].planted = 0;
    ++*to;
}

void gf_discard(struct gf_state *state, int resource, int count)
{
    move_cubes(&state->cargo[resource], &state->pool[resource], count);
}

/* ---- what can be done ---- */

int gf_drop_room(const struct gf_cards *cards, const struct gf_state *state)
{
    const struct gf_planet *planet = gf_planet(state, state->place);
    int room = cards->planet_workers - planet->working - planet->idle;
    return room > 0 ? room : 0;
}

int gf_price(const struct gf_cards *cards, const struct gf_state *state, bool converted_already)
{
    int cheaper = gf_ability(cards, state, GF_CONVERTER);
    return cheaper && !converted_already ? cheaper : cards->convert_give;
}

/* The one nearer to completion; among equals the more urgent; then the lower slot. */
static bool goes_before(const struct gf_cards *cards, const struct gf_order *a, const struct gf_order *b)
{
    int missing = gf_missing(cards, a) - gf_missing(cards, b);
    return missing ? missing < 0 : gf_turns_left(cards, a) < gf_turns_left(cards, b);
}

int gf_by_completion(const struct gf_cards *cards, const struct gf_state *state, int slots[GF_OPEN])
{
    int count = 0;
    for (int i = 0; i < GF_OPEN; i++) {
        if (!state->open[i].card)
            continue;
        int at = count++;
        for (; at > 0 && goes_before(cards, &state->open[i], &state->open[slots[at - 1]]); at--)
            slots[at] = slots[at - 1];
        slots[at] = i;
    }
    return count;
}

int gf_empty_plot(const struct gf_cards *cards, const struct gf_state *state)
{
    for (int i = 0; i < gf_plots(cards, state) && i < GF_PLOTS; i++) {
        if (!state->plot[i].planted)
            return i;
    }
    return -1;
}
