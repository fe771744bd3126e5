#include "rules/galactic_contract/state.h"

#include <string.h>

/* ---- setup ---- */

int gk_ring_kinds(const struct gk_cards *cards, const struct gk_state *state)
{
    struct gk_goods all = {{0}};
    int kinds = 0;
    for (int i = 0; i < state->planets; i++)
        gk_add(&all, &gk_planet_card(cards, state->ring[i].card)->produces);
    for (int k = 0; k < GK_KINDS; k++)
        kinds += all.of[k] > 0;
    return kinds;
}

void gk_lay_ring(const struct gk_cards *cards, struct gk_state *state, const uint8_t planets[GK_PLANETS])
{
    state->planets = 0;
    while (state->planets < GK_PLANETS &&
           (state->planets < cards->ring || gk_ring_kinds(cards, state) <= cards->ring_kinds)) {
        struct gk_place *place = &state->ring[state->planets];
        *place = (struct gk_place){.card = planets[state->planets]};
        state->planets++;
    }
}

void gk_lay_trades(struct gk_state *state, const uint8_t trades[GK_TRADES])
{
    for (int i = 0; i < state->planets; i++)
        state->ring[i].trade = trades[i];
    state->deck_count = GK_TRADES - state->planets;
    memcpy(state->deck, trades + state->planets, (size_t)state->deck_count);
}

void gk_lay_shipments(struct gk_state *state, const uint8_t shipments[GK_SHIPMENTS])
{
    int size = state->short_game ? GK_SHORT_PILE : GK_PILE_SIZE;
    for (int p = 0; p < GK_PILES; p++) {
        state->pile[p].count = size;
        memcpy(state->pile[p].card, shipments + (ptrdiff_t)p * size, (size_t)size);
    }
}

void gk_lay_constructions(struct gk_state *state, const uint8_t constructions[GK_CONSTRUCTIONS])
{
    state->building_count = GK_CONSTRUCTIONS;
    memcpy(state->building, constructions, GK_CONSTRUCTIONS);
}

static int check_options(int seats, const int options[GAME_OPTIONS], struct err *err)
{
    if (seats < 1 || seats > GK_SEATS)
        return err_set(err, ERR_INPUT, "Galactic Contract is for 1 to %d players, not %d", GK_SEATS, seats);
    if (options[GK_OPTION_SHORT] && seats > 2)
        return err_set(err, ERR_INPUT, "The option short is for at most two players; this game has %d",
                       seats);
    for (int i = seats; i < GK_SEATS; i++) {
        if (options[GK_OPTION_SHIP + i])
            return err_set(err, ERR_INPUT, "The option ship%d is for seat %d; this game has %d seat%s", i + 1,
                           i + 1, seats, PLURAL(seats));
    }
    return 0;
}

int gk_init(const void *data, int seats, const int options[GAME_OPTIONS], void *to, struct err *err)
{
    const struct gk_cards *cards = data;
    struct gk_state *state = to;
    uint8_t number[GK_TRADES];
    if (check_options(seats, options, err) < 0)
        return -1;
    for (int i = 0; i < GK_TRADES; i++)
        number[i] = (uint8_t)(i + 1);
    state->seats = seats;
    state->short_game = options[GK_OPTION_SHORT] != 0;
    state->finish_round = options[GK_OPTION_FINISH_ROUND] != 0;
    state->round = 1;
    state->first = state->active = 1;
    state->bank = cards->bank;
    gk_lay_ring(cards, state, number);
    gk_lay_trades(state, number);
    gk_lay_shipments(state, number);
    gk_lay_constructions(state, number);
    for (int i = 0; i < seats; i++) {
        state->wish[i] = options[GK_OPTION_SHIP + i];
        state->player[i].ship = i + 1;
    }
    return 0;
}

/* ---- seats and places ---- */

int gk_seats(const struct gk_state *state)
{
    return state->seats < 1 ? 1 : state->seats > GK_SEATS ? GK_SEATS : state->seats;
}

struct gk_player *gk_player(struct gk_state *state, int seat)
{
    return &state->player[seat >= 1 && seat <= GK_SEATS ? seat - 1 : 0];
}

const struct gk_player *gk_player_const(const struct gk_state *state, int seat)
{
    return &state->player[seat >= 1 && seat <= GK_SEATS ? seat - 1 : 0];
}

int gk_active(const struct gk_state *state)
{
    return state->active >= 1 && state->active <= gk_seats(state) ? state->active : 1;
}

int gk_seat_at(const struct gk_state *state, int place)
{
    int seats = gk_seats(state);
    int first = state->first >= 1 && state->first <= seats ? state->first : 1;
    return (first - 1 + place) % seats + 1;
}

int gk_where(const struct gk_state *state, const struct gk_player *player)
{
    return player->place >= 1 && player->place <= state->planets ? player->place : GK_GCC;
}

struct gk_place *gk_planet(struct gk_state *state, int place)
{
    return &state->ring[place >= 1 && place <= GK_PLANETS ? place - 1 : 0];
}

const struct gk_place *gk_planet_const(const struct gk_state *state, int place)
{
    return &state->ring[place >= 1 && place <= GK_PLANETS ? place - 1 : 0];
}

const char *gk_place_name(const struct gk_cards *cards, const struct gk_state *state, int place)
{
    return place == GK_GCC ? "GCC" : gk_planet_card(cards, gk_planet_const(state, place)->card)->name;
}

const char *gk_place_words(const struct gk_cards *cards, const struct gk_state *state, int place)
{
    return place == GK_GCC ? "the GCC" : gk_place_name(cards, state, place);
}

int gk_place_of_card(const struct gk_state *state, int planet_card)
{
    for (int i = 0; i < state->planets; i++) {
        if (planet_card && state->ring[i].card == planet_card)
            return i + 1;
    }
    return GK_GCC;
}

/* ---- where cards lie ---- */

static void list_player(const struct gk_player *player, struct decks *to)
{
    deck_put(&to->deck[GK_SHIP_DECK], PLACE(player->ship, EVENT_PUBLIC));
    deck_pile(&to->deck[GK_TRADE_DECK], player->trade, player->trade_count, EVENT_PUBLIC);
    deck_pile(&to->deck[GK_SHIPMENT_DECK], player->shipment, player->shipment_count, EVENT_PUBLIC);
    for (int i = 0; i < player->owned_count; i++)
        deck_put(&to->deck[GK_UPGRADE_DECK], PLACE(player->owned[i].card, EVENT_PUBLIC));
}

static void list_place(const struct gk_place *place, struct decks *to)
{
    deck_put(&to->deck[GK_PLANET_DECK], PLACE(place->card, EVENT_PUBLIC));
    if (place->trade)
        deck_put(&to->deck[GK_TRADE_DECK], PLACE(place->trade, EVENT_PUBLIC));
    deck_pile(&to->deck[GK_CONSTRUCTION_DECK], place->built, place->built_count, EVENT_PUBLIC);
}

/* Covered cards are covered for all. */
void gk_decks(const void *cards, const void *from, struct decks *to)
{
    const struct gk_state *state = from;
    (void)cards;
    struct deck *trades = deck_add(to, "trade card", REST_NONE, GK_TRADES);
    deck_pile(trades, state->deck, state->deck_count, 0);
    /* Gifts are gone once they are made. */
    struct deck *constructions = deck_add(to, "construction card", REST_KNOWN, GK_CONSTRUCTIONS);
    deck_pile(constructions, state->building, state->building_count, 0);
    deck_pile(constructions, state->pending, state->pending_count, EVENT_PUBLIC);
    struct deck *shipments = deck_add(to, "shipment card", REST_BOXED, GK_SHIPMENTS);
    for (int p = 0; p < GK_PILES; p++)
        for (int i = 0; i < state->pile[p].count; i++)
            deck_put(shipments, PLACE(state->pile[p].card[i], i ? 0 : EVENT_PUBLIC));
    (void)deck_add(to, "planet card", REST_KNOWN, GK_PLANETS);
    (void)deck_add(to, "ship", REST_KNOWN, GK_SHIPS);
    (void)deck_add(to, "upgrade", REST_KNOWN, GK_UPGRADES);
    for (int i = 0; i < state->planets; i++)
        list_place(&state->ring[i], to);
    for (int seat = 1; seat <= gk_seats(state); seat++)
        list_player(gk_player_const(state, seat), to);
}

void gk_conceal(const void *cards, void *state, int seat, struct chance *chance)
{
    decks_conceal(gk_decks, cards, state, seat, chance);
}

bool gk_pile_ends(const struct gk_cards *cards, const struct gk_state *state, int pile)
{
    return state->pile[pile].count == 1 && gk_empty_piles(state) + 1 >= cards->end_empty;
}

struct gk_end gk_end_with(const struct gk_cards *cards, const struct gk_state *state, int seat, int points)
{
    struct gk_end end = {.played_out = state->finish_round,
                         .own = gk_points(cards, gk_player_const(state, seat)).total + points,
                         .best = -1};
    for (int other = 1; other <= gk_seats(state); other++) {
        const int total = gk_points(cards, gk_player_const(state, other)).total;
        end.best = other != seat && total > end.best ? total : end.best;
    }
    end.alone = end.best < 0;
    end.ahead = end.own > end.best;
    end.level = end.own == end.best;
    return end;
}
