/* The verbs of Galactic Contract: moving, pausing, and the table of all. */
#include "rules/galactic_contract/verbs.h"

#include "rules/galactic_contract/names.h"

/* ---- move ---- */

struct route {
    int to;
    int steps;
    bool via;
    bool automatic; /* \"fuel auto\": as little as needed */
    int fuel;
};

/* The GCC ends all movement, so it can only be the last place. */
static bool read_via(const struct gk_turn *turn, struct args *args, struct route *route, struct refusal *why)
{
    int at = gk_where(turn->state, turn->player);
    while (!args_end(args)) {
        int place;
        struct args before = *args;
        if (args_keyword(args, "via", 3))
            continue;
        if (gk_read_place(turn, args, true, &place, NULL) != NAME_ONE) {
            *args = before;
            break;
        }
        if (place == GK_GCC) {
            no(why, "via_gcc");
            return false;
        }
        route->steps += gk_distance(turn->state, at, place);
        at = place;
    }
    route->steps += gk_distance(turn->state, at, route->to);
    return true;
}

static bool read_route(const struct gk_turn *turn, struct args *args, struct route *route,
                       struct refusal *why)
{
    *route = (struct route){0, 0, false, false, 0};
    if (!gk_need_place(turn, args, true, &route->to, why))
        return false;
    route->via = args_keyword(args, "via", 3);
    if (route->via) {
        if (!read_via(turn, args, route, why))
            return false;
    } else {
        route->steps = gk_distance(turn->state, gk_where(turn->state, turn->player), route->to);
    }
    if (args_keyword(args, "fuel", 2)) {
        route->automatic = args_keyword(args, "auto", 2);
        if (!route->automatic && !args_number(args, &route->fuel)) {
            no(why, "fuel_what");
            return false;
        }
    }
    return args_finished(args, why);
}

enum order_result gk_run_move(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gk_turn *turn = arg;
    struct route route;
    (void)rolled;
    if (!gk_ready(turn, why))
        return ORDER_REFUSED;
    if (!read_route(turn, args, &route, why))
        return ORDER_REFUSED;
    int here = gk_where(turn->state, turn->player);
    if (route.to == here && !route.via)
        return route.fuel ? no(why, "already_there")
                          : ORDER_DONE; /* the ship is where it was ordered to be */
    if (turn->state->landed)
        return no(why, here == GK_GCC ? "movement_over_gcc place=%s" : "movement_over place=%s",
                  gk_place_words(turn->cards, turn->state, here));
    int have = turn->player->cargo.of[GK_FUEL];
    int lacking = route.steps - gk_speed_left(turn->cards, turn->state);
    if (route.automatic)
        route.fuel = lacking > 0 ? lacking : 0;
    else if (route.fuel == ARGS_ALL)
        route.fuel = have;
    if (lacking > route.fuel || (route.automatic && route.fuel > have))
        return no(why, "too_far to=%s steps=%d speed=%d fuel=%d",
                  gk_place_words(turn->cards, turn->state, route.to), route.steps,
                  gk_speed_left(turn->cards, turn->state), have);
    if (route.fuel > have)
        return no(why, "no_fuel fuel=%d have=%d", route.fuel, have);
    gk_move(turn, route.to, route.steps, route.fuel);
    return ORDER_DONE;
}

enum order_result gk_run_stay(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gk_turn *turn = arg;
    (void)rolled;
    if (!gk_ready(turn, why) || !args_finished(args, why))
        return ORDER_REFUSED;
    if (!turn->state->landed)
        gk_stay(turn);
    return ORDER_DONE;
}

/* Only where something was turned up that the player could not know when writing, so that a turn cannot be
 * kept open for ever. */
enum order_result gk_run_pause(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gk_turn *turn = arg;
    (void)rolled;
    if (!gk_ready(turn, why) || !args_finished(args, why))
        return ORDER_REFUSED;
    if (turn->missed)
        return no(why, "pause_missed");
    if (!turn->revealed)
        return no(why, "pause_for_nothing");
    turn->paused = true;
    return ORDER_DONE;
}

static const struct verb verbs[] = {
    {"move", "<place> [via <place>] [fuel <n>]",
     "go to a planet or the GCC; each fuel discarded is 1 speed more, \"fuel auto\": as little as needed", "",
     GK_PHASE_ACT, 0, gk_run_move},
    {"stay", "", "do not move; the Move phase is over", "", GK_PHASE_ACT, 0, gk_run_stay},
    {"pass", "", "the same as stay", "", GK_PHASE_ACT, 0, gk_run_stay},
    {"ship", "[<card>|<pile>] [place <planet>]",
     "at the GCC: fulfill a shipment, the best you can pay if you name none; the construction goes to the "
     "planet",
     "", GK_PHASE_ACT, 0, gk_run_ship},
    {"trade", "[<number>|<card>]", "at a planet: fulfill its trade, at most this many in a row", "",
     GK_PHASE_ACT, 0, gk_run_trade},
    {"buy", "<upgrade>", "pay for an upgrade from your cargo", "", GK_PHASE_ACT, 0, gk_run_buy},
    {"swap", "3 <kind> <kind>", "once a turn: 3 equal cards of your cargo for 1 of another kind", "",
     GK_PHASE_ACT, 0, gk_run_swap},
    {"load", "<list>|all", "from your storage on this planet into the ship", "", GK_PHASE_ACT, 0,
     gk_run_load},
    {"store", "<list>|all", "from the ship into your storage on this planet", "", GK_PHASE_ACT, 0,
     gk_run_store},
    {"discard", "<list>|all", "give cargo back to the bank", "", GK_PHASE_ACT, 0, gk_run_discard},
    {"pause", "", "as the last line: keep the turn open, look at the cards turned up, send the rest", "",
     GK_PHASE_ACT, 0, gk_run_pause},
    {"collect", "[<list>|none] [storage <list>]",
     "what to collect at the end, in the order of wishing, else all that fits; \"collect suadi metal\": by "
     "your "
     "storage there",
     "", GK_PHASE_COLLECT, 0, gk_run_collect},
    {"keep", "<kind> ...", "stays in force: which kinds you want most when there is no room for all", "",
     GK_PHASE_BEGIN, VERB_KEEP, gk_run_keep},
    {"place", "<construction>|any <planet>",
     "stays in force: where constructions that you draw are attached; PLACE NONE ends it", "", GK_PHASE_BEGIN,
     VERB_KEEP, gk_run_place},
    {"take", "", "after WHEN GIFT: take it if there is room", "", GK_PHASE_ACT, VERB_STANDING, gk_run_take},
    {"refuse", "", "after WHEN GIFT: leave it", "", GK_PHASE_ACT, VERB_STANDING, gk_run_refuse},
    {NULL, NULL, NULL, NULL, 0, 0, NULL},
};

static const struct trigger triggers[] = {
    {"gift", "[<kind>]", "a captain's construction gives everybody something", ""},
    {NULL, NULL, NULL, NULL},
};

const struct language gk_language = {
    .verbs = verbs,
    .counters = gk_counters,
    .triggers = triggers,
    .have = gk_have,
    .phases = GK_PHASES,
};
