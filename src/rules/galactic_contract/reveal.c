/* What lay covered, when the game is over: the shipments pile by pile, and what would have been drawn next. */
#include "rules/galactic_contract/turn.h"
#include "rules/galactic_contract/view.h"

#define NEXT 3 /* cards of a deck that are told */

static void put_shipments(struct value *piles, const struct gk_cards *cards, const struct gk_pile *pile,
                          int number)
{
    struct value *list = value_list(value_arena(piles));
    for (int i = 1; i < pile->count && i < GK_PILE_SIZE; i++) { /* the first lies open */
        const struct gk_shipment_card *card = gk_shipment_card(cards, pile->card[i]);
        struct value *object = value_add_object(list);
        gk_put_code(object, "id", 'S', pile->card[i]);
        gk_put_goods(object, "cost", &card->cost);
        value_put_int(object, "points", card->points);
    }
    if (!value_count(list))
        return;
    value_mark_more(list);
    struct value *one = value_add_object(piles);
    value_put_int(one, "pile", number);
    value_put(one, "shipments", list);
}

static void put_trades(struct value *list, const struct gk_cards *cards, const struct gk_state *state)
{
    for (int i = 0; i < state->deck_count && i < NEXT; i++) {
        const struct gk_trade_card *card = gk_trade_card(cards, state->deck[i]);
        struct value *object = value_add_object(list);
        gk_put_code(object, "id", 'T', state->deck[i]);
        gk_put_goods(object, "cost", &card->cost);
        value_put_int(object, "points", card->points);
    }
    value_mark_more(list);
}

static void put_constructions(struct value *list, const struct gk_cards *cards, const struct gk_state *state)
{
    for (int i = 0; i < state->building_count && i < NEXT; i++)
        value_put_text(value_add_object(list), "name", gk_construction_card(cards, state->building[i])->name);
    value_mark_more(list);
}

struct value *gk_reveal(const void *cards, const void *from, struct arena *arena)
{
    const struct gk_state *state = from;
    struct value *object = value_object(arena);
    struct value *piles = value_put_list(object, "piles");
    struct value *trades = value_put_list(object, "trades");
    struct value *constructions = value_put_list(object, "constructions");
    for (int p = 0; p < GK_PILES; p++)
        put_shipments(piles, cards, &state->pile[p], p + 1);
    put_trades(trades, cards, state);
    put_constructions(constructions, cards, state);
    value_put_flag(object, "has_trades", value_count(trades) > 0);
    value_put_flag(object, "has_constructions", value_count(constructions) > 0);
    return value_count(piles) + value_count(trades) + value_count(constructions) ? object : NULL;
}
