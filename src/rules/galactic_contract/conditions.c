/* What conditions may ask about. */
#include "rules/galactic_contract/names.h"

static int64_t cargo(const void *turn, enum gk_kind kind)
{
    return ((const struct gk_turn *)turn)->player->cargo.of[kind];
}

static bool count_metal(void *turn, struct args *args, int64_t *value)
{
    *value = cargo(turn, GK_METAL);
    return args_end(args);
}

static bool count_food(void *turn, struct args *args, int64_t *value)
{
    *value = cargo(turn, GK_FOOD);
    return args_end(args);
}

static bool count_crystal(void *turn, struct args *args, int64_t *value)
{
    *value = cargo(turn, GK_CRYSTAL);
    return args_end(args);
}

static bool count_fuel(void *turn, struct args *args, int64_t *value)
{
    *value = cargo(turn, GK_FUEL);
    return args_end(args);
}

static bool count_room(void *arg, struct args *args, int64_t *value)
{
    const struct gk_turn *turn = arg;
    *value = gk_room(turn->cards, turn->player);
    return args_end(args);
}

static bool count_speed(void *arg, struct args *args, int64_t *value)
{
    const struct gk_turn *turn = arg;
    bool moving = turn->player == gk_player_const(turn->state, gk_active(turn->state));
    *value = moving ? gk_speed_left(turn->cards, turn->state) : gk_speed(turn->cards, turn->player);
    return args_end(args);
}

static bool count_points(void *arg, struct args *args, int64_t *value)
{
    const struct gk_turn *turn = arg;
    *value = gk_points(turn->cards, turn->player).total;
    return args_end(args);
}

static bool count_round(void *arg, struct args *args, int64_t *value)
{
    *value = ((const struct gk_turn *)arg)->state->round;
    return args_end(args);
}

static bool count_left(void *arg, struct args *args, int64_t *value)
{
    const struct gk_state *state = ((const struct gk_turn *)arg)->state;
    int pile;
    *value = 0;
    if (args_keyword(args, "trades", 1)) {
        *value = state->deck_count;
    } else if (args_keyword(args, "constructions", 1)) {
        *value = state->building_count;
    } else if (args_keyword(args, "shipments", 1)) {
        for (pile = 0; pile < GK_PILES; pile++)
            *value += state->pile[pile].count;
    } else {
        args_keyword(args, "pile", 2);
        if (!args_number(args, &pile) || pile < 1 || pile > GK_PILES)
            return false;
        *value = state->pile[pile - 1].count;
    }
    return args_end(args);
}

static bool count_depots(void *arg, struct args *args, int64_t *value)
{
    const struct gk_turn *turn = arg;
    int place;
    if (gk_read_place(turn, args, false, &place, NULL) != NAME_ONE)
        return false;
    *value = gk_depots(turn->cards, gk_planet_const(turn->state, place));
    return args_end(args);
}

static bool test_here(void *arg, struct args *args, int64_t *value)
{
    const struct gk_turn *turn = arg;
    int place;
    if (gk_read_place(turn, args, true, &place, NULL) != NAME_ONE)
        return false;
    *value = gk_where(turn->state, turn->player) == place;
    return args_end(args);
}

/* ---- affordable ---- */

static bool can_trade(const struct gk_turn *turn, int place)
{
    const struct gk_place *planet = gk_planet_const(turn->state, place);
    struct gk_goods purse = gk_purse(turn->cards, turn->state, turn->player, place);
    return place != GK_GCC && planet->trade &&
           gk_covers(&purse, &gk_trade_card(turn->cards, planet->trade)->cost);
}

static bool can_buy(const struct gk_turn *turn, int upgrade)
{
    return gk_owner(turn->cards, turn->state, upgrade) == 0 &&
           turn->player->owned_count < gk_ship_card(turn->cards, turn->player->ship)->max_upgrades &&
           gk_covers(&turn->player->cargo, &gk_upgrade_card(turn->cards, upgrade)->cost);
}

static bool open_trade_affordable(const struct gk_turn *turn, int trade)
{
    for (int place = 1; place <= turn->state->planets; place++) {
        if (gk_planet_const(turn->state, place)->trade == trade)
            return can_trade(turn, place);
    }
    return false;
}

static bool open_shipment_affordable(const struct gk_turn *turn, int shipment)
{
    for (int pile = 0; pile < GK_PILES; pile++) {
        if (gk_open_shipment(turn->state, pile) == shipment)
            return gk_covers(&turn->player->cargo, &gk_shipment_card(turn->cards, shipment)->cost);
    }
    return false;
}

/* AFFORD TRADE (here) | SHIPMENT (any) | T14 | S4 | <planet> (its trade) | <upgrade> */
static bool test_afford(void *arg, struct args *args, int64_t *value)
{
    const struct gk_turn *turn = arg;
    struct args planet = *args; /* "suadi", but not "suadi storage" */
    int number;
    if (args_keyword(args, "trade", 5))
        *value = can_trade(turn, gk_where(turn->state, turn->player));
    else if (args_keyword(args, "shipment", 4) || args_keyword(args, "best", 4))
        *value = gk_best_pile(turn->cards, turn->state, &turn->player->cargo) >= 0;
    else if (gk_read_code(args, 'T', GK_TRADES, &number))
        *value = open_trade_affordable(turn, number);
    else if (gk_read_code(args, 'S', GK_SHIPMENTS, &number))
        *value = open_shipment_affordable(turn, number);
    else if (gk_read_place(turn, &planet, false, &number, NULL) == NAME_ONE && args_end(&planet)) {
        *value = can_trade(turn, number);
        *args = planet;
    } else if (gk_read_upgrade(turn, args, &number, NULL) == NAME_ONE)
        *value = can_buy(turn, number);
    else
        return false;
    return args_end(args);
}

/* ---- which card is open ---- */

static void skip_equals(struct args *args)
{
    if (!args_end(args) && args->word->kind == WORD_OP && args->word->text[0] == '=') {
        args->word++;
        args->count--;
    }
}

static bool test_trade(void *arg, struct args *args, int64_t *value)
{
    const struct gk_turn *turn = arg;
    int place, trade;
    if (gk_read_place(turn, args, false, &place, NULL) != NAME_ONE)
        return false;
    skip_equals(args);
    if (!gk_read_code(args, 'T', GK_TRADES, &trade))
        return false;
    *value = gk_planet_const(turn->state, place)->trade == trade;
    return args_end(args);
}

/* SHIPMENT 1 = S4, or SHIPMENT S4: is it open at all? */
static bool test_shipment(void *arg, struct args *args, int64_t *value)
{
    const struct gk_turn *turn = arg;
    int pile = 0;
    int shipment;
    args_keyword(args, "pile", 2);
    if (args_number(args, &pile) && (pile < 1 || pile > GK_PILES))
        return false;
    skip_equals(args);
    if (!gk_read_code(args, 'S', GK_SHIPMENTS, &shipment))
        return false;
    for (int p = 0; p < GK_PILES; p++)
        *value |= (!pile || pile == p + 1) && gk_open_shipment(turn->state, p) == shipment;
    return args_end(args);
}

static bool test_available(void *arg, struct args *args, int64_t *value)
{
    const struct gk_turn *turn = arg;
    int upgrade;
    if (gk_read_upgrade(turn, args, &upgrade, NULL) != NAME_ONE)
        return false;
    *value = gk_owner(turn->cards, turn->state, upgrade) == 0;
    return args_end(args);
}

bool gk_have(void *arg, struct args *args, bool *known)
{
    const struct gk_turn *turn = arg;
    struct gk_goods amount;
    int upgrade;
    bool all = true;
    *known = !args_end(args);
    while (*known && !args_end(args)) {
        struct args name = *args;
        if (args_resources(args, gk_kinds, GK_KINDS, amount.of)) {
            all = all && gk_covers(&turn->player->cargo, &amount);
        } else if (gk_read_upgrade(turn, &name, &upgrade, NULL) == NAME_ONE) {
            all = all && gk_owner(turn->cards, turn->state, upgrade) == turn->seat;
            *args = name;
        } else {
            *known = false;
        }
    }
    return *known && all;
}

const struct counter gk_counters[] = {
    {"metal", "", "metal in your ship", false, count_metal},
    {"food", "", "food in your ship", false, count_food},
    {"crystal", "", "crystal in your ship", false, count_crystal},
    {"fuel", "", "fuel in your ship", false, count_fuel},
    {"room", "", "resource cards that still fit into your ship", false, count_room},
    {"speed", "", "speed you have left this turn", false, count_speed},
    {"points", "", "your points now", false, count_points},
    {"round", "", "number of the round, from 1", false, count_round},
    {"left", "<what>", "cards left: trades or constructions in the deck, shipments in all piles, pile 1",
     false, count_left},
    {"depots", "<planet>", "Freight Depots there", false, count_depots},
    {"here", "<place>", "is your ship there?", true, test_here},
    {"afford", "<card>|<planet>",
     "could you pay for it: an open card, a planet's trade, trade (here), shipment (any)", true, test_afford},
    {"trade", "<planet> = <card>", "is this trade open there?", true, test_trade},
    {"shipment", "<pile> = <card>|<card>", "is this shipment open?", true, test_shipment},
    {"available", "<upgrade>", "is it still for sale?", true, test_available},
    {NULL, NULL, NULL, false, NULL},
};
