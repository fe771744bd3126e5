/* SHIP, TRADE, and what may follow WHEN GIFT. */
#include "rules/galactic_contract/verbs.h"

#include "rules/galactic_contract/names.h"

/* ---- shipments ---- */

/* The pile on which this shipment is open, or -1. */
static int pile_of(const struct gk_state *state, int shipment)
{
    for (int p = 0; p < GK_PILES; p++) {
        if (gk_open_shipment(state, p) == shipment)
            return p;
    }
    return -1;
}

static bool read_pile(const struct gk_turn *turn, struct args *args, int *pile, struct refusal *why)
{
    int number;
    bool numbered = args_keyword(args, "pile", 2);
    if (args_number(args, &number)) {
        *pile = number - 1;
        if (number < 1 || number > GK_PILES) {
            no(why, "no_such_pile");
            return false;
        }
    } else if (numbered) {
        no(why, "no_such_pile");
        return false;
    } else if (gk_read_code(args, 'S', GK_SHIPMENTS, &number)) {
        *pile = pile_of(turn->state, number);
        if (*pile < 0) {
            no(why, "shipment_not_open shipment=%s", code_of('S', number).p);
            return false;
        }
    } else {
        args_keyword(args, "best", 2);
        *pile = -1;
    }
    return true;
}

enum order_result gk_run_ship(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gk_turn *turn = arg;
    const struct gk_goods *cargo = &turn->player->cargo;
    int pile;
    int put = 0;
    if (!gk_ready(turn, why) || !read_pile(turn, args, &pile, why))
        return ORDER_REFUSED;
    if (args_keyword(args, "place", 2) && !gk_need_place(turn, args, false, &put, why))
        return ORDER_REFUSED;
    if (!args_finished(args, why))
        return ORDER_REFUSED;
    if (gk_where(turn->state, turn->player) != GK_GCC)
        return no(why, "not_at_gcc place=%s",
                  gk_place_words(turn->cards, turn->state, gk_where(turn->state, turn->player)));
    if (pile < 0) {
        pile = gk_best_pile(turn->cards, turn->state, cargo);
        if (pile < 0)
            return no(why, "no_shipment_affordable");
    }
    int number = gk_open_shipment(turn->state, pile);
    const struct gk_shipment_card *card = gk_shipment_card(turn->cards, number);
    if (!number)
        return no(why, "pile_empty pile=%d", pile + 1);
    if (!gk_covers(cargo, &card->cost)) {
        const struct gk_goods lacking = gk_missing(cargo, &card->cost);
        return no(why, "shipment_poor name=%s cost=%s lacking=%s", code_of('S', number).p,
                  gk_goods_or_nothing(&card->cost).p, gk_goods_or_nothing(&lacking).p);
    }
    *rolled = true;
    gk_ship(turn, pile, put);
    return ORDER_DONE;
}

/* ---- trades ---- */

struct trade_order {
    int times;
    int card; /* 0: whatever is open */
};

static bool read_trade(const struct gk_turn *turn, struct args *args, struct trade_order *order,
                       struct refusal *why)
{
    int place;
    int here = gk_where(turn->state, turn->player);
    *order = (struct trade_order){1, 0};
    if (args_number(args, &order->times)) {
        if (order->times < 1) {
            no(why, "trade_times");
            return false;
        }
        args_keyword(args, "times", 4);
    } else if (!gk_read_code(args, 'T', GK_TRADES, &order->card) &&
               gk_read_place(turn, args, false, &place, NULL) == NAME_ONE && place != here) {
        no(why, "trade_elsewhere planet=%s place=%s", gk_place_name(turn->cards, turn->state, place),
           gk_place_words(turn->cards, turn->state, here));
        return false;
    }
    return args_finished(args, why);
}

/* Why the trade here cannot be fulfilled; NULL reason when it can. */
static bool trade_possible(const struct gk_turn *turn, const struct trade_order *order, struct refusal *why)
{
    int here = gk_where(turn->state, turn->player);
    const struct gk_place *planet = gk_planet_const(turn->state, here);
    const struct gk_trade_card *card = gk_trade_card(turn->cards, planet->trade);
    const struct code code = code_of('T', planet->trade);
    if (here == GK_GCC) {
        no(why, "not_at_planet");
        return false;
    }
    if (!planet->trade) {
        no(why, "no_trade_here planet=%s", gk_place_name(turn->cards, turn->state, here));
        return false;
    }
    if (order->card && order->card != planet->trade) {
        no(why, "another_trade wanted=%s open=%s planet=%s", code_of('T', order->card).p, code.p,
           gk_place_name(turn->cards, turn->state, here));
        return false;
    }
    struct gk_goods purse = gk_purse(turn->cards, turn->state, turn->player, here);
    if (!gk_covers(&purse, &card->cost)) {
        const struct gk_goods lacking = gk_missing(&purse, &card->cost);
        no(why, "trade_poor name=%s cost=%s lacking=%s", code.p, gk_goods_or_nothing(&card->cost).p,
           gk_goods_or_nothing(&lacking).p);
        return false;
    }
    return true;
}

enum order_result gk_run_trade(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gk_turn *turn = arg;
    struct trade_order order;
    struct refusal later; /* a second trade that is not possible is no fault */
    if (!gk_ready(turn, why) || !read_trade(turn, args, &order, why) || !trade_possible(turn, &order, why))
        return ORDER_REFUSED;
    *rolled = true;
    gk_trade(turn);
    for (int i = 1; i < order.times && !turn->state->over; i++) {
        if (!trade_possible(turn, &order, &later))
            break;
        gk_trade(turn);
    }
    return ORDER_DONE;
}

/* ---- gifts ---- */

static enum order_result answer(struct gk_turn *turn, struct args *args, struct refusal *why,
                                enum gk_answer given)
{
    if (!turn->gift)
        return no(why, "not_in_a_reaction");
    if (!args_finished(args, why))
        return ORDER_REFUSED;
    turn->gift->answer = given;
    return ORDER_DONE;
}

enum order_result gk_run_take(void *turn, struct args *args, struct refusal *why, bool *rolled)
{
    (void)rolled;
    return answer(turn, args, why, GK_TAKEN);
}

enum order_result gk_run_refuse(void *turn, struct args *args, struct refusal *why, bool *rolled)
{
    (void)rolled;
    return answer(turn, args, why, GK_REFUSED);
}
