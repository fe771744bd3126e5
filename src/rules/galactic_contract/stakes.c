/* What can end the game, and what a seat is one step from. */
#include "rules/galactic_contract/view.h"

#include "rules/put.h"

#define NEAR 4 /* so few trades or shipments until the end are worth saying */

/* How many shipments, at least, are to be fulfilled until so many piles are empty that the game ends. */
static int shipments_left(const struct gk_cards *cards, const struct gk_state *state)
{
    bool counted[GK_PILES] = {false};
    int sum = 0;
    for (int more = cards->end_empty - gk_empty_piles(state); more > 0; more--) {
        int least = -1;
        for (int pile = 0; pile < GK_PILES; pile++)
            if (state->pile[pile].count && !counted[pile] &&
                (least < 0 || state->pile[pile].count < state->pile[least].count))
                least = pile;
        if (least < 0)
            return sum;
        counted[least] = true;
        sum += state->pile[least].count;
    }
    return sum;
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

/* All that would end the game; what is ready is told with what would come of it. */
static void put_last(struct value *own, const struct gk_cards *cards, const struct gk_state *state, int seat)
{
    const struct gk_goods *cargo = &gk_player_const(state, seat)->cargo;
    struct value *list = value_put_list(own, "shipments");
    int dearest = 0;
    for (int pile = 0; pile < GK_PILES; pile++) {
        const int number = gk_open_shipment(state, pile);
        if (!number || !gk_pile_ends(cards, state, pile))
            continue;
        const struct gk_shipment_card *card = gk_shipment_card(cards, number);
        put_shipment(value_add_object(list), cards, number, cargo);
        if (gk_covers(cargo, &card->cost) &&
            (!dearest || card->points > gk_shipment_card(cards, dearest)->points))
            dearest = number;
    }
    value_mark_more(list);
    value_put_flag(own, "several", value_count(list) > 1);
    if (!dearest)
        return;
    struct value *ready = value_put_object(own, "ready");
    put_shipment(ready, cards, dearest, cargo);
    const struct gk_end end = gk_end_with(cards, state, seat, gk_shipment_card(cards, dearest)->points);
    put(ready, "played_out?=%d alone?=%d ahead?=%d level?=%d own=%d best=%d", end.played_out, end.alone,
        end.ahead, end.level, end.own, end.best);
}

struct value *gk_stakes(const void *data, const void *from, int seat, struct arena *arena)
{
    const struct gk_cards *cards = data;
    const struct gk_state *state = from;
    struct value *stakes = value_object(arena), *own;
    if (seat < 1 || seat > gk_seats(state) || state->over)
        return stakes;
    const struct gk_goods *cargo = &gk_player_const(state, seat)->cargo;
    const int near = nearest_pile(cards, state, cargo), left = shipments_left(cards, state);
    if (state->ending != GK_GOES_ON) {
        own = value_put_object(stakes, "last_round");
    } else if (state->deck_count == 0) {
        own = value_put_object(stakes, "last_trade");
    } else if (left == 1) {
        put_last(own = value_put_object(stakes, "last_shipment"), cards, state, seat);
    } else if (near >= 0) {
        own = value_put_object(stakes, "shipment");
        put_shipment(own, cards, gk_open_shipment(state, near), cargo);
    } else {
        own = value_put_object(stakes, "no_shipment");
    }
    put(own, "trades+=%d shipments_left+=%d",
        state->deck_count < left && state->deck_count <= NEAR ? state->deck_count : 0,
        left > 1 && left <= state->deck_count && left <= NEAR ? left : 0);
    return stakes;
}
