/* What can end the game, and what a seat is one step from. */
#include "rules/galactic_contract/view.h"

/* The pile whose last shipment would be the second pile that is fulfilled, or -1. */
static int last_pile(const struct gk_state *state)
{
    int found = -1;
    for (int pile = 0; pile < GK_PILES; pile++)
        if (state->pile[pile].count == 1 && gk_empty_piles(state) == 1)
            found = pile;
    return found;
}

/* The open shipment that the cargo lacks least for (then brings most), or -1 when all piles are empty. */
static int nearest_pile(const struct gk_cards *cards, const struct gk_state *state,
                        const struct gk_goods *cargo)
{
    int best = -1, least = 0, most = 0;
    for (int pile = 0; pile < GK_PILES; pile++) {
        int number = gk_open_shipment(state, pile);
        if (!number)
            continue;
        const struct gk_shipment_card *card = gk_shipment_card(cards, number);
        const struct gk_goods lacking = gk_missing(cargo, &card->cost);
        int cards_lacking = gk_sum(&lacking);
        if (best >= 0 && (cards_lacking > least || (cards_lacking == least && card->points <= most)))
            continue;
        best = pile;
        least = cards_lacking;
        most = card->points;
    }
    return best;
}

static void put_shipment(struct value *object, const struct gk_cards *cards, int number,
                         const struct gk_goods *cargo)
{
    const struct gk_shipment_card *card = gk_shipment_card(cards, number);
    const struct gk_goods lacking = gk_missing(cargo, &card->cost);
    gk_put_code(object, "shipment", 'S', number);
    value_put_int(object, "points", card->points);
    gk_put_goods(object, "cost", &card->cost);
    gk_put_goods(object, "lacking", &lacking);
}

struct value *gk_stakes(const void *data, const void *from, int seat, struct arena *arena)
{
    const struct gk_cards *cards = data;
    const struct gk_state *state = from;
    struct value *stakes = value_object(arena), *own;
    if (seat < 1 || seat > gk_seats(state) || state->over)
        return stakes;
    const struct gk_goods *cargo = &gk_player_const(state, seat)->cargo;
    const int last = last_pile(state), near = nearest_pile(cards, state, cargo);
    if (state->ending != GK_GOES_ON) {
        own = value_put_object(stakes, "last_round");
    } else if (state->deck_count == 0) {
        own = value_put_object(stakes, "last_trade");
    } else if (last >= 0) {
        own = value_put_object(stakes, "last_shipment");
        put_shipment(own, cards, gk_open_shipment(state, last), cargo);
    } else if (near >= 0) {
        own = value_put_object(stakes, "shipment");
        put_shipment(own, cards, gk_open_shipment(state, near), cargo);
    } else {
        own = value_put_object(stakes, "no_shipment");
    }
    value_put_int(own, "trades", state->deck_count);
    return stakes;
}
