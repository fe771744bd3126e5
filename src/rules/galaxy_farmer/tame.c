/* States that come from files, and where their cards lie. */
#include "rules/galaxy_farmer/state.h"

#include <string.h>

static void clamp(int *n, int min, int max)
{
    *n = *n < min ? min : *n > max ? max : *n;
}

/* A pile of card numbers 1..most: only the first `count`, and only numbers of cards. */
static void tame_pile(uint8_t *pile, int *count, int most, int cards)
{
    clamp(count, 0, most);
    for (int i = 0; i < most; i++)
        pile[i] = i >= *count ? 0 : pile[i] < 1 || pile[i] > cards ? 1 : pile[i];
}

/* The ring holds each planet once, the planets each representative once. */
static void tame_map(struct gf_state *state)
{
    unsigned planets = 0;
    unsigned reps = 0;
    for (int i = 0; i < GF_PLANETS; i++) {
        int planet = state->ring[i];
        int rep = state->planet[i].rep;
        planets |= planet >= 1 && planet <= GF_PLANETS ? 1U << planet : 0;
        reps |= rep >= 1 && rep <= GF_PLANETS ? 1U << rep : 0;
    }
    for (int i = 0; i < GF_PLANETS; i++) {
        if (planets != 0x1FEU)
            state->ring[i] = (uint8_t)(i + 1);
        if (reps != 0x1FEU)
            state->planet[i].rep = i + 1;
    }
}

static void tame_orders(const struct gf_cards *cards, struct gf_state *state)
{
    for (int i = 0; i < GF_OPEN; i++) {
        struct gf_order *order = &state->open[i];
        const struct gf_order_card *card;
        clamp(&order->card, 0, cards->orders);
        clamp(&order->timer, 0, 99);
        card = gf_order_card(cards, order);
        for (int need = 0; need < GF_NEEDS; need++) {
            int most = need < card->needs ? card->need[need].count : 0;
            if (order->locked[need] > most)
                order->locked[need] = (uint8_t)most;
        }
    }
}

static void tame_cubes(const struct gf_cards *cards, struct gf_state *state)
{
    uint8_t *const heaps[] = {state->cargo, state->store, state->pool};
    for (int i = 0; i < GF_PLANETS; i++) {
        for (size_t h = 0; h < sizeof(heaps) / sizeof(heaps[0]); h++) {
            if (heaps[h][i] > cards->cubes)
                heaps[h][i] = (uint8_t)cards->cubes;
        }
        clamp(&state->rep[i].cubes, 0, GF_QUESTS);
        for (int r = 0; r < GF_PLANETS; r++) {
            if (state->rep[i].locked[r] > cards->cubes)
                state->rep[i].locked[r] = (uint8_t)cards->cubes;
        }
    }
    for (int i = 0; i < GF_PLOTS; i++) {
        clamp(&state->plot[i].planted, 0, GF_PLANETS);
        clamp(&state->plot[i].crop, 0, state->plot[i].planted ? cards->crops : 0);
    }
}

void gf_tame(const struct gf_cards *cards, struct gf_state *state)
{
    clamp(&state->turn, 1, 9999);
    clamp(&state->difficulty, GF_EASY, GF_HARD);
    clamp(&state->ship, 0, GF_SHIPS - 1);
    clamp(&state->tally.score, 0, 9999);
    clamp(&state->tally.failed, 0, 9999);
    clamp(&state->tally.completed, 0, 9999);
    clamp(&state->tally.killed, 0, 9999);
    clamp(&state->fuel, 0, 99);
    clamp(&state->place, GF_HOME, GF_PLANETS);
    clamp(&state->aboard, 0, cards->workers_total);
    clamp(&state->landed, 0, cards->workers_total);
    clamp(&state->home, 0, cards->workers_total);
    clamp(&state->enemy, 1, GF_PLANETS);
    clamp(&state->partner, 0, GF_PLANETS);
    clamp(&state->hold, 0, cards->orders);
    clamp(&state->end, GF_RUNNING, GF_ENDS - 1);
    for (int i = 0; i < GF_PLANETS; i++) {
        struct gf_planet *planet = &state->planet[i];
        clamp(&planet->working, 0, cards->workers_total);
        clamp(&planet->idle, 0, cards->workers_total);
        clamp(&planet->cubes, 0, cards->uncollected);
        clamp(&planet->meteor, 0, 99);
    }
    tame_map(state);
    tame_orders(cards, state);
    tame_cubes(cards, state);
    tame_pile(state->orders, &state->order_count, GF_ORDERS, cards->orders);
    tame_pile(state->gone, &state->gone_count, GF_ORDERS, cards->orders);
    tame_pile(state->events, &state->event_count, GF_EVENTS, cards->events);
    tame_pile(state->used, &state->used_count, GF_EVENTS, cards->events);
}

/* ---- where cards lie ---- */

void gf_decks(const void *data, const void *from, struct decks *to)
{
    const struct gf_cards *cards = data;
    const struct gf_state *state = from;
    struct deck *orders = deck_add(to, "order card", REST_NONE, cards->orders);
    deck_pile(orders, state->orders, state->order_count, 0);
    deck_pile(orders, state->gone, state->gone_count, EVENT_PUBLIC);
    for (int i = 0; i < GF_OPEN; i++)
        if (state->open[i].card)
            deck_put(orders, PLACE(state->open[i].card, EVENT_PUBLIC));
    struct deck *events = deck_add(to, "event card", REST_NONE, cards->events);
    deck_pile(events, state->events, state->event_count, 0);
    deck_pile(events, state->used, state->used_count, EVENT_PUBLIC);
}

void gf_conceal(const void *cards, void *state, int seat, struct chance *chance)
{
    gf_tame(cards, state);
    decks_conceal(gf_decks, cards, state, seat, chance);
}
