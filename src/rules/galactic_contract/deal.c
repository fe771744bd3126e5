/* Setup: four shuffles, the first player, ships by wish. */
#include "rules/galactic_contract/turn.h"

#include <string.h>

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
    say(events, seat, GK_RULE_SETUP, "ship_given ship=%s speed=%d capacity=%d upgrades=%d wished+=%d",
        ship->name, ship->speed, ship->capacity, ship->max_upgrades, wished);
}

/* Which ships have gone, and who has one by their wish, or at all. */
struct hangar {
    bool taken[GK_SHIPS + 1];
    bool wished[GK_SEATS + 1], served[GK_SEATS + 1];
};

/* Gives the seat the first ship of the list that is left, unless it has one. */
static void serve(struct hangar *hangar, struct gk_state *state, int seat, const uint8_t *ships, int count)
{
    for (int i = 0; i < count && !hangar->served[seat]; i++) {
        if (ships[i] < 1 || ships[i] > GK_SHIPS || hangar->taken[ships[i]])
            continue;
        gk_player(state, seat)->ship = ships[i];
        hangar->taken[ships[i]] = hangar->served[seat] = true;
    }
}

/* By wish, the last player of a round first: what the options say, then what the players have asked for. */
static void serve_wishes(struct hangar *hangar, struct gk_state *state, const struct wish_list *wishes)
{
    int seats = gk_seats(state);
    for (int i = seats - 1; i >= 0; i--) {
        int seat = gk_seat_at(state, i);
        uint8_t option = (uint8_t)state->wish[seat - 1];
        serve(hangar, state, seat, &option, 1);
    }
    for (int i = seats - 1; i >= 0 && wishes; i--) {
        int seat = gk_seat_at(state, i);
        serve(hangar, state, seat, wishes[seat].of, WISHES_MOST);
    }
    memcpy(hangar->wished, hangar->served, sizeof hangar->wished);
}

/* Ships by wish; then the others, in the same order, from a shuffled row. */
static void deal_ships(const struct gk_cards *cards, struct gk_state *state, const struct wish_list *wishes,
                       struct chance *chance, struct events *events)
{
    int seats = gk_seats(state);
    struct hangar hangar = {.taken = {false}};
    uint8_t row[GK_SHIPS];
    fill(row, GK_SHIPS);
    chance_shuffle(chance, false, "deal/ships", row, GK_SHIPS);
    serve_wishes(&hangar, state, wishes);
    for (int i = seats - 1; i >= 0; i--)
        serve(&hangar, state, gk_seat_at(state, i), row, GK_SHIPS);
    event_rest(events);
    for (int i = 0; i < seats; i++) {
        int seat = gk_seat_at(state, i);
        tell_ship(cards, state, seat, hangar.wished[seat], events);
    }
}

void gk_deal(const void *data, void *to, const struct wish_list *wishes, struct chance *chance,
             struct events *events)
{
    const struct gk_cards *cards = data;
    struct gk_state *state = to;
    deal_cards(cards, state, chance);
    if (state->seats > 1)
        state->first = state->active = 1 + (int)chance_pick(chance, (uint32_t)state->seats, "deal/first");

    say(events, 0, GK_RULE_SETUP, "dealt planets=%d pile=%d trades=%d constructions=%d", state->planets,
        state->pile[0].count, state->deck_count, state->building_count);
    if (state->planets > cards->ring) {
        say(events, 0, GK_RULE_SETUP, "planet_joined planet=%s planets=%d",
            gk_place_name(cards, state, state->planets), cards->ring);
    }
    deal_ships(cards, state, wishes, chance, events);
    if (state->seats > 1)
        say(events, state->first, GK_RULE_SETUP, "first_player");
}
