/* The verbs of Galaxy Farmer: those for flying, cubes and workers, and the table of all. Each says why it
 * cannot be carried out before anything is changed. */
#include "rules/galaxy_farmer/names.h"

#include <string.h>

#include "base/str.h"

#define LEGS 32

static const char *place_name(const struct gf_turn *turn, int place)
{
    return turn->cards->planet[place].name;
}

bool gf_on_planet(const struct gf_turn *turn, struct refusal *why)
{
    if (turn->state->place != GF_HOME)
        return true;
    no(why, "needs_planet");
    return false;
}

/* "[n|all]"; ARGS_ALL when it says all, `nothing` when there is no number. False: refused. */
static bool read_count(struct args *args, int nothing, int *count, struct refusal *why)
{
    *count = nothing;
    (void)args_number(args, count);
    if (*count > 0)
        return true;
    no(why, "how_many");
    return false;
}

/* "[n|all] [workers]", in either order; one worker without a number. False: refused. */
static bool read_workers(struct args *args, int nothing, int *count, struct refusal *why)
{
    if (!args_keyword(args, "workers", 4))
        return read_count(args, nothing, count, why) && (args_keyword(args, "workers", 4) || true);
    return read_count(args, nothing, count, why);
}

/* ---- flying ---- */

struct path {
    int leg[LEGS];
    int legs;
    int fuel;
    bool drifted;
};

static bool read_path(const struct gf_turn *turn, struct args *args, struct path *path, struct refusal *why)
{
    struct str candidates = STR_INIT;
    bool good = true;
    path->legs = 0;
    while (good && !args_end(args)) {
        enum name_found found = gf_read_place(turn, args, &path->leg[path->legs], &candidates);
        good = found == NAME_ONE && path->legs < LEGS - 1;
        if (good)
            path->legs++;
        else if (found == NAME_MANY)
            refuse_many(why, args, &candidates);
        else
            no(why, "unknown_place words+=%s", args_words(args).p);
    }
    str_release(&candidates);
    if (good && !path->legs)
        no(why, "move_where");
    return good && path->legs > 0;
}

static struct brief inner_names(const struct gf_turn *turn)
{
    struct str names = STR_INIT;
    for (int position = 1; position <= GF_PLANETS; position++) {
        int planet = gf_planet_at(turn->state, position);
        if (gf_is_inner(turn->cards, turn->state, planet))
            str_addf(&names, "%s%s", names.len ? ", " : "", place_name(turn, planet));
    }
    return brief_str(&names);
}

/* The whole path is possible, or none of it is flown. */
static enum order_result check_path(const struct gf_turn *turn, struct path *path, struct refusal *why)
{
    int at = turn->state->place;
    path->fuel = turn->state->fuel;
    path->drifted = turn->drifted;
    for (int i = 0; i < path->legs; i++) {
        const int to = path->leg[i];
        const char *from = place_name(turn, at), *place = place_name(turn, to);
        if (to == at)
            return no(why, "already_there from=%s place=%s", from, place);
        if (!gf_route(turn->cards, turn->state, at, to))
            return no(why, "no_route from=%s place=%s inner=%s", from, place, inner_names(turn).p);
        if (to != GF_HOME && gf_planet(turn->state, to)->meteor)
            return no(why, "meteor_there from=%s place=%s", from, place);
        if (path->fuel < 1 && path->drifted)
            return no(why, "no_fuel from=%s place=%s", from, place);
        if (path->fuel > 0)
            path->fuel--;
        else
            path->drifted = true;
        at = to;
    }
    return ORDER_DONE;
}

static enum order_result run_move(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gf_turn *turn = arg;
    struct path path;
    (void)rolled;
    if (!read_path(turn, args, &path, why) || check_path(turn, &path, why) == ORDER_REFUSED)
        return ORDER_REFUSED;
    struct str text = STR_INIT;
    for (int i = 0; i < path.legs; i++) {
        gf_fly(turn->state, path.leg[i]);
        str_addf(&text, "%s%s", i ? ", " : "", place_name(turn, path.leg[i]));
    }
    say(turn->events, GF_SEAT, RULE_MOVE, "moved path=%s fuel_now=%d drift+=%d", text.p, turn->state->fuel,
        path.drifted && !turn->drifted);
    turn->drifted = path.drifted;
    str_release(&text);
    return ORDER_DONE;
}

static enum order_result run_stay(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    (void)arg;
    (void)rolled;
    return args_finished(args, why) ? ORDER_DONE : ORDER_REFUSED;
}

/* ---- cubes ---- */

/* "[light|dark] [resource]" may be written as reports write it, but only what grows here. False: refused. */
static bool read_grown(const struct gf_turn *turn, struct args *args, struct refusal *why)
{
    const struct gf_state *state = turn->state;
    bool dark = gf_planet(state, state->place)->dark;
    (void)args_keyword(args, gf_state_word(dark), 4);
    struct args named = *args;
    int resource = gf_read_resource(turn, &named);
    if (resource >= 0 && resource != state->place - 1) {
        no(why, "grows_other planet=%s resource=%s", place_name(turn, state->place),
           turn->cards->planet[state->place].resource);
        return false;
    }
    if (resource >= 0)
        *args = named;
    return true;
}

static enum order_result run_collect(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gf_turn *turn = arg;
    struct gf_state *state = turn->state;
    int count;
    (void)rolled;
    if (!gf_on_planet(turn, why) || !read_count(args, ARGS_ALL, &count, why))
        return ORDER_REFUSED;
    if (!read_grown(turn, args, why) || !args_finished(args, why))
        return ORDER_REFUSED;
    int cubes = gf_planet(state, state->place)->cubes;
    int room = gf_cargo_room(turn->cards, state);
    if (cubes < (count == ARGS_ALL ? 1 : count))
        return no(why, cubes ? "too_few_cubes planet=%s have=%d" : "no_cubes planet=%s have=%d",
                  place_name(turn, state->place), cubes);
    if (room < (count == ARGS_ALL ? 1 : count))
        return no(why, "no_cargo_room room=%d", room);
    count = gf_min(count, gf_min(cubes, room));
    gf_collect(state, count);
    say(turn->events, GF_SEAT, RULE_PLANET, "collected planet=%s what=%s cargo_now=%d limit=%d left+=%d",
        place_name(turn, state->place),
        gf_kind_words(turn->cards, state->place - 1, count, gf_planet(state, state->place)->dark).p,
        gf_sum(state->cargo), gf_cargo_limit(turn->cards, state), cubes - count);
    return ORDER_DONE;
}

static enum order_result run_discard(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gf_turn *turn = arg;
    struct gf_state *state = turn->state;
    int amount[GF_PLANETS];
    uint8_t thrown[GF_PLANETS] = {0};
    bool all = args->count == 1 && (args_keyword(args, "all", 3) || args_keyword(args, "everything", 5));
    (void)rolled;
    if (!all && !gf_read_cubes(turn, args, amount))
        return no(why, "which_cubes words+=%s", args_words(args).p);
    if (!args_finished(args, why))
        return ORDER_REFUSED;
    for (int i = 0; i < GF_PLANETS; i++) {
        int wanted = all || amount[i] == ARGS_ALL ? state->cargo[i] : amount[i];
        if (wanted > state->cargo[i])
            return no(why, "too_few_aboard resource=%s have=%d", turn->cards->planet[i + 1].resource,
                      state->cargo[i]);
        thrown[i] = (uint8_t)wanted;
    }
    if (!gf_sum(thrown))
        return no(why, "nothing_aboard");
    for (int i = 0; i < GF_PLANETS; i++)
        gf_discard(state, i, thrown[i]);
    say(turn->events, GF_SEAT, RULE_PLANET, "discarded what=%s cargo_now=%d",
        gf_cubes_words(turn->cards, state, thrown).p, gf_sum(state->cargo));
    return ORDER_DONE;
}

/* ---- workers ---- */

static void tell_workers(const struct gf_turn *turn, bool dropped, int count)
{
#define WORKERS " place=%s count=%d aboard_now=%d"
    const struct gf_state *state = turn->state;
    const char *name = place_name(turn, state->place);
    if (state->place == GF_HOME) {
        say(turn->events, GF_SEAT, RULE_HOME,
            dropped ? "dropped" WORKERS " home_now+=%d" : "picked" WORKERS " home_now+=%d", name, count,
            state->aboard, state->home);
        return;
    }
    const struct gf_planet *planet = gf_planet(state, state->place);
    say(turn->events, GF_SEAT, RULE_PLANET,
        dropped ? "dropped" WORKERS " working_now=%d idle_now+=%d"
                : "picked" WORKERS " working_now=%d idle_now+=%d",
        name, count, state->aboard, planet->working, planet->idle);
}

static enum order_result run_drop(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gf_turn *turn = arg;
    struct gf_state *state = turn->state;
    int count;
    (void)rolled;
    if (!read_workers(args, 1, &count, why) || !args_finished(args, why))
        return ORDER_REFUSED;
    if (state->aboard < (count == ARGS_ALL ? 1 : count))
        return no(why, "too_few_workers_aboard have=%d", state->aboard);
    if (state->place == GF_HOME) {
        count = gf_min(count, state->aboard);
        state->aboard -= count;
        state->home += count;
        tell_workers(turn, true, count);
        return ORDER_DONE;
    }
    int room = gf_drop_room(turn->cards, state);
    if (room < (count == ARGS_ALL ? 1 : count))
        return no(why, "planet_full planet=%s limit=%d have=%d", place_name(turn, state->place),
                  turn->cards->planet_workers, turn->cards->planet_workers - room);
    count = gf_min(count, gf_min(room, state->aboard));
    gf_drop(state, count);
    tell_workers(turn, true, count);
    return ORDER_DONE;
}

/* Those of the bottom half first: they do nothing there. */
static enum order_result run_pick(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gf_turn *turn = arg;
    struct gf_state *state = turn->state;
    int count;
    (void)rolled;
    (void)args_keyword(args, "up", 2);
    if (!read_workers(args, 1, &count, why))
        return ORDER_REFUSED;
    bool bottom = args_keyword(args, "bottom", 3);
    bool top = !bottom && args_keyword(args, "top", 3);
    if (!args_finished(args, why))
        return ORDER_REFUSED;
    bool home = state->place == GF_HOME;
    int idle = home || top ? 0 : gf_planet(state, state->place)->idle;
    int working = bottom ? 0 : home ? state->home : gf_planet(state, state->place)->working;
    int bunks = gf_bunks(turn->cards, state) - state->aboard;
    if (idle + working < (count == ARGS_ALL ? 1 : count))
        return no(why,
                  idle + working ? "too_few_workers_here half+=%s place=%s have=%d"
                                 : "no_workers_here half+=%s place=%s have=%d",
                  home     ? NULL
                  : bottom ? "bottom"
                  : top    ? "top"
                           : NULL,
                  place_name(turn, state->place), idle + working);
    if (bunks < (count == ARGS_ALL ? 1 : count))
        return no(why, "no_bunks bunks=%d aboard=%d", gf_bunks(turn->cards, state), state->aboard);
    count = gf_min(count, gf_min(idle + working, bunks));
    if (home) {
        state->home -= count;
        state->aboard += count;
        tell_workers(turn, false, count);
        return ORDER_DONE;
    }
    gf_pick(state, gf_min(idle, count), count - gf_min(idle, count));
    tell_workers(turn, false, count);
    return ORDER_DONE;
}

static enum order_result run_lift(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gf_turn *turn = arg;
    struct gf_state *state = turn->state;
    int count;
    (void)rolled;
    if (!gf_on_planet(turn, why) || !read_workers(args, ARGS_ALL, &count, why) || !args_finished(args, why))
        return ORDER_REFUSED;
    int idle = gf_planet(state, state->place)->idle;
    if (idle < (count == ARGS_ALL ? 1 : count))
        return no(why, idle ? "too_few_idle planet=%s have=%d" : "no_idle planet=%s have=%d",
                  place_name(turn, state->place), idle);
    count = gf_min(count, idle);
    gf_lift(state, count);
    const struct gf_planet *planet = gf_planet(state, state->place);
    say(turn->events, GF_SEAT, RULE_PLANET, "lifted" WORKERS " working_now=%d idle_now+=%d",
        place_name(turn, state->place), count, state->aboard, planet->working, planet->idle);
    return ORDER_DONE;
}

/* ---- the language ---- */

static const struct verb verbs[] = {
    {"move", "<place> [<place> ...]", "fly, 1 fuel a place; the last one may be drifted to without fuel", "",
     0, 0, run_move},
    {"fly", "<place> [<place> ...]", "the same as move", "", 0, 0, run_move},
    {"go", "<place> [<place> ...]", "the same as move", "", 0, 0, run_move},
    {"collect", "[n|all]", "take grown cubes of this planet aboard", "", 0, 0, run_collect},
    {"drop", "[n|all] [workers]", "workers from the ship to the top half here, or to HOME", "", 0, 0,
     run_drop},
    {"pick", "[n|all] [workers] [top|bottom]", "workers aboard, those of the bottom half first", "", 0, 0,
     run_pick},
    {"lift", "[n|all]", "workers from the bottom half to the top half", "", 0, 0, run_lift},
    {"quest", "[<cubes>]", "the next quest of the representative here, one a line", "", 0, 0, gf_run_quest},
    {"fight", "[push clockwise|anticlockwise]", "beat troop and enemy ship here, and push the ship on", "", 0,
     0, gf_run_fight},
    {"load", "<cubes>|all", "at HOME: from the store to the ship", "", 0, 0, gf_run_load},
    {"store", "<cubes>|all", "at HOME: from the ship to the store", "", 0, 0, gf_run_store},
    {"unload", "<cubes>|all", "the same as store", "", 0, 0, gf_run_store},
    {"plant", "<resource> [n]", "at HOME: cubes into empty plots of the farm", "", 0, 0, gf_run_plant},
    {"uproot", "<resource> [n]", "at HOME: planted cubes and their crops out of the farm", "", 0, 0,
     gf_run_uproot},
    {"harvest", "[all] [ship]", "at HOME: crops to the store, else the ship; \"ship\": the other way", "", 0,
     0, gf_run_harvest},
    {"lock", "[<cubes>|all] <order> | all", "at HOME: cubes for an order; \"all\": all that fits", "", 0, 0,
     gf_run_lock},
    {"convert", "<resource> <order>", "at HOME: 2 cubes to lock 1 of the other state", "", 0, 0,
     gf_run_convert},
    {"partner", "<representative>", "once a game: take one aboard whose 3 quests are done", "", 0, 0,
     gf_run_partner},
    {"hold", "<order>|urgent", "whose timer a partner who can do so holds from now on", "", 0, 0,
     gf_run_hold},
    {"discard", "<cubes>|all", "throw cargo away", "", 0, 0, run_discard},
    {"stay", "", "nothing more to do", "", 0, 0, run_stay},
    {"pass", "", "the same as stay", "", 0, 0, run_stay},
    {NULL, NULL, NULL, NULL, 0, 0, NULL},
};

static const struct trigger triggers[] = {{NULL, NULL, NULL, NULL}};

const struct language gf_language = {
    .verbs = verbs,
    .counters = gf_counters,
    .triggers = triggers,
    .have = gf_have,
    .phases = 1,
};
