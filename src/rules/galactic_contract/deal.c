/* Setup: four shuffles, the first player, ships by wish. */
#include "rules/galactic_contract/turn.h"

static void fill(uint8_t *cards, size_t count)
{
    for (size_t i = 0; i < count; i++)
        cards[i] = (uint8_t)(i + 1);
}

static void deal_cards(const struct gk_cards *cards, struct gk_state *state, struct chance *chance)
{
    uint8_t deck[GK_TRADES];
    fill(deck, GK_SHIPMENTS);
    chance_shuffle(chance, true, "deal/shipments", deck, GK_SHIPMENTS);
    gk_lay_shipments(state, deck);
    fill(deck, GK_PLANETS);
    chance_shuffle(chance, false, "deal/planets", deck, GK_PLANETS);
    gk_lay_ring(cards, state, deck);
    fill(deck, GK_TRADES);
    chance_shuffle(chance, true, "deal/trades", deck, GK_TRADES);
    gk_lay_trades(state, deck);
    fill(deck, GK_CONSTRUCTIONS);
    chance_shuffle(chance, true, "deal/constructions", deck, GK_CONSTRUCTIONS);
    gk_lay_constructions(state, deck);
}

static void tell_ship(const struct gk_cards *cards, const struct gk_state *state, int seat, bool wished,
                      struct events *events)
{
    const struct gk_ship_card *ship = gk_ship_card(cards, gk_player_const(state, seat)->ship);
    struct event *event = event_add(events, "ship_given", EVENT_PUBLIC, seat, GK_RULE_SETUP);
    event_text(event, "ship", ship->name);
    event_int(event, "speed", ship->speed);
    event_int(event, "capacity", ship->capacity);
    event_int(event, "upgrades", ship->max_upgrades);
    event_amount(event, "wished", wished);
}

/* Ships by wish, the last player of a round first; then the others, in the same order, from a shuffled row.
 */
static void deal_ships(const struct gk_cards *cards, struct gk_state *state, struct chance *chance,
                       struct events *events)
{
    int seats = gk_seats(state);
    bool taken[GK_SHIPS + 1] = {true};
    bool served[GK_SEATS + 1] = {false};
    uint8_t row[GK_SHIPS];
    fill(row, GK_SHIPS);
    chance_shuffle(chance, false, "deal/ships", row, GK_SHIPS);
    for (int i = seats - 1; i >= 0; i--) {
        int seat = gk_seat_at(state, i);
        int wish = state->wish[seat - 1];
        if (wish < 1 || wish > GK_SHIPS || taken[wish])
            continue;
        gk_player(state, seat)->ship = wish;
        taken[wish] = served[seat] = true;
    }
    for (int i = seats - 1; i >= 0; i--) {
        int seat = gk_seat_at(state, i);
        for (int s = 0; s < GK_SHIPS && !served[seat]; s++) {
            if (taken[row[s]])
                continue;
            gk_player(state, seat)->ship = row[s];
            taken[row[s]] = served[seat] = true;
        }
    }
    event_rest(events);
    for (int i = 0; i < seats; i++) {
        int seat = gk_seat_at(state, i);
        tell_ship(cards, state, seat, gk_player(state, seat)->ship == state->wish[seat - 1], events);
    }
}

void gk_deal(const void *data, void *to, struct chance *chance, struct events *events)
{
    const struct gk_cards *cards = data;
    struct gk_state *state = to;
    deal_cards(cards, state, chance);
    if (state->seats > 1)
        state->first = state->active = 1 + (int)chance_pick(chance, (uint32_t)state->seats, "deal/first");

    struct event *event = event_add(events, "dealt", EVENT_PUBLIC, 0, GK_RULE_SETUP);
    event_int(event, "planets", state->planets);
    event_int(event, "pile", state->pile[0].count);
    event_int(event, "trades", state->deck_count);
    event_int(event, "constructions", state->building_count);
    if (state->planets > cards->ring) {
        event = event_add(events, "planet_joined", EVENT_PUBLIC, 0, GK_RULE_SETUP);
        event_text(event, "planet", gk_place_name(cards, state, state->planets));
        event_int(event, "planets", cards->ring);
    }
    deal_ships(cards, state, chance, events);
    if (state->seats > 1)
        event_add(events, "first_player", EVENT_PUBLIC, state->first, GK_RULE_SETUP);
}
