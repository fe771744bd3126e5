/* The verbs of HOME: store and farm. */
#include "rules/galaxy_farmer/names.h"

#include <string.h>

#include "base/str.h"

bool gf_at_home(const struct gf_turn *turn, struct refusal *why)
{
    if (turn->state->place == GF_HOME)
        return true;
    no(why, "needs_home place=%s", turn->cards->planet[turn->state->place].name);
    return false;
}

static const char *resource_name(const struct gf_turn *turn, int resource)
{
    return turn->cards->planet[resource + 1].resource;
}

/* "<cubes>" or "all" into amounts; `all` alone means ARGS_ALL of each. False: refused. */
static bool read_list(const struct gf_turn *turn, struct args *args, int amount[GF_PLANETS], bool *all,
                      struct refusal *why)
{
    *all = args->count == 1 && (args_keyword(args, "all", 3) || args_keyword(args, "everything", 5));
    for (int i = 0; i < GF_PLANETS; i++)
        amount[i] = ARGS_ALL;
    if (!*all && !gf_read_cubes(turn, args, amount)) {
        no(why, "which_cubes words+=%s", args_words(args).p);
        return false;
    }
    return args_finished(args, why);
}

/* ---- store and ship ---- */

struct transfer {
    bool loads; /* from the store aboard */
    uint8_t *from, *to;
    int room;
};

/* Numbers are exact; ALL takes as much as there is and as fits. */
static enum order_result transfer(struct gf_turn *turn, struct args *args, const struct transfer *way,
                                  struct refusal *why)
{
    int amount[GF_PLANETS];
    uint8_t moved[GF_PLANETS] = {0};
    int exact = 0;
    bool all;
    if (!read_list(turn, args, amount, &all, why))
        return ORDER_REFUSED;
    for (int i = 0; i < GF_PLANETS; i++) {
        if (amount[i] == ARGS_ALL)
            continue;
        if (amount[i] > way->from[i])
            return no(
                why, way->loads ? "too_few_stored resource=%s have=%d" : "too_few_aboard resource=%s have=%d",
                resource_name(turn, i), way->from[i]);
        moved[i] = (uint8_t)amount[i];
        exact += amount[i];
    }
    int room = way->room - exact;
    for (int i = 0; i < GF_PLANETS && room > 0; i++) {
        if (amount[i] != ARGS_ALL)
            continue;
        moved[i] = (uint8_t)gf_min(way->from[i], room);
        room -= moved[i];
    }
    bool nothing = gf_sum(moved) == 0;
    if (exact > way->room || (nothing && way->room < 1))
        return no(why, way->loads ? "no_cargo_room room=%d" : "no_store_room room=%d", way->room);
    if (nothing)
        return no(why, "nothing_to_move");
    for (int i = 0; i < GF_PLANETS; i++) {
        way->from[i] = (uint8_t)(way->from[i] - moved[i]);
        way->to[i] = (uint8_t)(way->to[i] + moved[i]);
    }
#define MOVED " what=%s cargo_now=%d cargo_limit=%d store_now=%d store_limit=%d"
    say(turn->events, GF_SEAT, RULE_HOME, way->loads ? "loaded" MOVED : "stored" MOVED,
        gf_cubes_words(turn->cards, turn->state, moved).p, gf_sum(turn->state->cargo),
        gf_cargo_limit(turn->cards, turn->state), gf_sum(turn->state->store), turn->cards->home_store);
    return ORDER_DONE;
}

enum order_result gf_run_load(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gf_turn *turn = arg;
    struct gf_state *state = turn->state;
    const struct transfer way = {true, state->store, state->cargo, gf_cargo_room(turn->cards, state)};
    (void)rolled;
    return gf_at_home(turn, why) ? transfer(turn, args, &way, why) : ORDER_REFUSED;
}

enum order_result gf_run_store(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gf_turn *turn = arg;
    struct gf_state *state = turn->state;
    const struct transfer way = {false, state->cargo, state->store, gf_store_room(turn->cards, state)};
    (void)rolled;
    return gf_at_home(turn, why) ? transfer(turn, args, &way, why) : ORDER_REFUSED;
}

/* ---- the farm ---- */

/* "<cubes>" or "<resource> n". False: refused. */
static bool read_plants(const struct gf_turn *turn, struct args *args, int amount[GF_PLANETS],
                        struct refusal *why)
{
    int times = 1;
    int sum = 0;
    if (!gf_read_cubes(turn, args, amount)) {
        no(why, "which_cubes words+=%s", args_words(args).p);
        return false;
    }
    for (int i = 0; i < GF_PLANETS; i++)
        sum += amount[i];
    if (sum == 1)
        (void)args_number(args, &times);
    for (int i = 0; i < GF_PLANETS && sum == 1; i++)
        amount[i] *= times;
    if (sum < 1 || times < 1) {
        no(why, "how_many");
        return false;
    }
    return args_finished(args, why);
}

enum order_result gf_run_plant(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gf_turn *turn = arg;
    struct gf_state *state = turn->state;
    int amount[GF_PLANETS];
    uint8_t planted[GF_PLANETS] = {0};
    int empty = 0;
    (void)rolled;
    if (!gf_at_home(turn, why) || !read_plants(turn, args, amount, why))
        return ORDER_REFUSED;
    for (int i = 0; i < gf_plots(turn->cards, state); i++)
        empty += !state->plot[i].planted;
    for (int i = 0; i < GF_PLANETS; i++) {
        int wanted = amount[i] == ARGS_ALL ? gf_min(gf_free(state, i), empty - gf_sum(planted)) : amount[i];
        if (wanted > gf_free(state, i))
            return no(why, "too_few_home resource=%s have=%d", resource_name(turn, i), gf_free(state, i));
        planted[i] = (uint8_t)(wanted > 0 ? wanted : 0);
    }
    if (gf_sum(planted) > empty || !empty)
        return no(why, "no_plot empty=%d plots=%d", empty, gf_plots(turn->cards, state));
    if (!gf_sum(planted))
        return no(why, "nothing_to_move");
    for (int i = 0; i < GF_PLANETS; i++) {
        for (int n = 0; n < planted[i]; n++)
            gf_plant(state, gf_empty_plot(turn->cards, state), i);
    }
    say(turn->events, GF_SEAT, RULE_FARM, "planted what=%s", gf_cubes_words(turn->cards, state, planted).p);
    return ORDER_DONE;
}

/* Where cubes of the farm go: to the store, then to the ship. */
static bool has_room(const struct gf_turn *turn)
{
    return gf_store_room(turn->cards, turn->state) + gf_cargo_room(turn->cards, turn->state) > 0;
}

static void reap_one(struct gf_turn *turn, int plot, bool ship_first)
{
    bool store = gf_store_room(turn->cards, turn->state) > 0;
    bool ship = gf_cargo_room(turn->cards, turn->state) > 0;
    bool to_ship = ship && (ship_first || !store);
    gf_reap(turn->state, plot, !to_ship, to_ship);
}

enum order_result gf_run_harvest(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gf_turn *turn = arg;
    struct gf_state *state = turn->state;
    uint8_t reaped[GF_PLANETS] = {0};
    int left = 0;
    (void)rolled;
    args_keyword(args, "all", 3);
    bool ship = args_keyword(args, "ship", 2);
    if (!gf_at_home(turn, why) || !args_finished(args, why))
        return ORDER_REFUSED;
    int stored = gf_sum(state->store);
    for (int i = 0; i < GF_PLOTS; i++) {
        for (; state->plot[i].crop > 0 && has_room(turn); reaped[state->plot[i].planted - 1]++)
            reap_one(turn, i, ship);
        left += state->plot[i].crop;
    }
    if (!gf_sum(reaped))
        return no(why, left ? "no_room" : "no_crop");
    say(turn->events, GF_SEAT, RULE_FARM, "harvested what=%s to_store+=%d to_ship+=%d left+=%d",
        gf_cubes_words(turn->cards, state, reaped).p, gf_sum(state->store) - stored,
        gf_sum(reaped) - (gf_sum(state->store) - stored), left);
    return ORDER_DONE;
}

/* Plots with the resource, at most `wanted`; those without a crop first. */
static int choose_plots(const struct gf_state *state, int resource, int wanted, int plots[GF_PLOTS])
{
    int count = 0;
    for (int crop = 0; crop < 2; crop++) {
        for (int i = 0; i < GF_PLOTS && count < wanted; i++) {
            if (state->plot[i].planted == resource + 1 && (state->plot[i].crop > 0) == (crop > 0))
                plots[count++] = i;
        }
    }
    return count;
}

enum order_result gf_run_uproot(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gf_turn *turn = arg;
    struct gf_state *state = turn->state;
    int amount[GF_PLANETS];
    int plots[GF_PLANETS * GF_PLOTS];
    uint8_t taken[GF_PLANETS] = {0};
    int count = 0;
    (void)rolled;
    if (!gf_at_home(turn, why) || !read_plants(turn, args, amount, why))
        return ORDER_REFUSED;
    for (int i = 0; i < GF_PLANETS; i++) {
        int wanted = gf_min(amount[i], GF_PLOTS + 1);
        int found = choose_plots(state, i, wanted, plots + count);
        if (amount[i] && (found < (amount[i] == ARGS_ALL ? 1 : amount[i])))
            return no(why, "not_planted resource=%s have=%d", resource_name(turn, i), found);
        for (int n = count; n < count + found; n++)
            taken[i] = (uint8_t)(taken[i] + 1 + state->plot[plots[n]].crop);
        count += found;
    }
    if (gf_sum(taken) > gf_store_room(turn->cards, state) + gf_cargo_room(turn->cards, state))
        return no(why, "no_room");
    for (int n = 0; n < count; n++) {
        while (state->plot[plots[n]].crop > 0)
            reap_one(turn, plots[n], false);
        gf_uproot(state, plots[n], gf_store_room(turn->cards, state) > 0);
    }
    say(turn->events, GF_SEAT, RULE_FARM, "uprooted what=%s", gf_cubes_words(turn->cards, state, taken).p);
    return ORDER_DONE;
}
