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
    refuse(why, "needs_planet");
    return false;
}

/* "[n|all]"; ARGS_ALL when it says all, `nothing` when there is no number. False: refused. */
static bool read_count(struct args *args, int nothing, int *count, struct refusal *why)
{
    *count = nothing;
    (void)args_number(args, count);
    if (*count > 0)
        return true;
    refuse(why, "how_many");
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
            gf_refuse_words(why, "unknown_place", args);
    }
    str_release(&candidates);
    if (good && !path->legs)
        refuse(why, "move_where");
    return good && path->legs > 0;
}

static void name_inner(const struct gf_turn *turn, struct refusal *why)
{
    struct str names = STR_INIT;
    for (int position = 1; position <= GF_PLANETS; position++) {
        int planet = gf_planet_at(turn->state, position);
        if (gf_is_inner(turn->cards, turn->state, planet))
            str_addf(&names, "%s%s", names.len ? ", " : "", place_name(turn, planet));
    }
    refuse_text(why, "inner", names.p);
    str_release(&names);
}

/* The whole path is possible, or none of it is flown. */
static bool check_path(const struct gf_turn *turn, struct path *path, struct refusal *why)
{
    int at = turn->state->place;
    path->fuel = turn->state->fuel;
    path->drifted = turn->drifted;
    for (int i = 0; i < path->legs; i++) {
        int to = path->leg[i];
        const char *reason = NULL;
        if (to == at)
            reason = "already_there";
        else if (!gf_route(turn->cards, turn->state, at, to))
            reason = "no_route";
        else if (to != GF_HOME && gf_planet(turn->state, to)->meteor)
            reason = "meteor_there";
        else if (path->fuel < 1 && path->drifted)
            reason = "no_fuel";
        if (reason) {
            refuse(why, reason);
            refuse_text(why, "from", place_name(turn, at));
            refuse_text(why, "place", place_name(turn, to));
            if (strcmp(reason, "no_route") == 0)
                name_inner(turn, why);
            return false;
        }
        if (path->fuel > 0)
            path->fuel--;
        else
            path->drifted = true;
        at = to;
    }
    return true;
}

static enum order_result run_move(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gf_turn *turn = arg;
    struct path path;
    (void)rolled;
    if (!read_path(turn, args, &path, why) || !check_path(turn, &path, why))
        return ORDER_REFUSED;
    struct str text = STR_INIT;
    for (int i = 0; i < path.legs; i++) {
        gf_fly(turn->state, path.leg[i]);
        str_addf(&text, "%s%s", i ? ", " : "", place_name(turn, path.leg[i]));
    }
    struct event *event = gf_event(turn->events, "moved", RULE_MOVE);
    event_text(event, "path", text.p);
    event_int(event, "fuel_now", turn->state->fuel);
    event_amount(event, "drift", path.drifted && !turn->drifted);
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
        refuse(why, "grows_other");
        refuse_text(why, "planet", place_name(turn, state->place));
        refuse_text(why, "resource", turn->cards->planet[state->place].resource);
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
    if (cubes < (count == ARGS_ALL ? 1 : count)) {
        refuse(why, cubes ? "too_few_cubes" : "no_cubes");
        refuse_text(why, "planet", place_name(turn, state->place));
        return refuse_int(why, "have", cubes);
    }
    if (room < (count == ARGS_ALL ? 1 : count)) {
        refuse(why, "no_cargo_room");
        return refuse_int(why, "room", room);
    }
    count = gf_min(count, gf_min(cubes, room));
    gf_collect(state, count);
    struct str what = STR_INIT;
    gf_kind_text(&what, turn->cards, state->place - 1, count, gf_planet(state, state->place)->dark);
    struct event *event = gf_event(turn->events, "collected", RULE_PLANET);
    gf_event_planet(event, "planet", turn->cards, state->place);
    event_text(event, "what", what.p);
    event_int(event, "cargo_now", gf_sum(state->cargo));
    event_int(event, "limit", gf_cargo_limit(turn->cards, state));
    event_amount(event, "left", cubes - count);
    str_release(&what);
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
        return gf_refuse_words(why, "which_cubes", args);
    if (!args_finished(args, why))
        return ORDER_REFUSED;
    for (int i = 0; i < GF_PLANETS; i++) {
        int wanted = all || amount[i] == ARGS_ALL ? state->cargo[i] : amount[i];
        if (wanted > state->cargo[i]) {
            refuse(why, "too_few_aboard");
            refuse_text(why, "resource", turn->cards->planet[i + 1].resource);
            return refuse_int(why, "have", state->cargo[i]);
        }
        thrown[i] = (uint8_t)wanted;
    }
    if (!gf_sum(thrown))
        return refuse(why, "nothing_aboard");
    struct event *event = gf_event(turn->events, "discarded", RULE_PLANET);
    gf_event_cubes(event, "what", turn->cards, state, thrown);
    for (int i = 0; i < GF_PLANETS; i++)
        gf_discard(state, i, thrown[i]);
    event_settled(turn->events);
    event_int(event, "cargo_now", gf_sum(state->cargo));
    return ORDER_DONE;
}

/* ---- workers ---- */

static struct event *worker_event(const struct gf_turn *turn, const char *type, int count)
{
    const struct gf_state *state = turn->state;
    struct event *event = gf_event(turn->events, type, state->place == GF_HOME ? RULE_HOME : RULE_PLANET);
    event_text(event, "place", place_name(turn, state->place));
    event_int(event, "count", count);
    event_int(event, "aboard_now", state->aboard);
    if (state->place != GF_HOME) {
        event_int(event, "working_now", gf_planet(state, state->place)->working);
        event_amount(event, "idle_now", gf_planet(state, state->place)->idle);
    }
    return event;
}

static enum order_result run_drop(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gf_turn *turn = arg;
    struct gf_state *state = turn->state;
    int count;
    (void)rolled;
    if (!read_workers(args, 1, &count, why) || !args_finished(args, why))
        return ORDER_REFUSED;
    if (state->aboard < (count == ARGS_ALL ? 1 : count)) {
        refuse(why, "too_few_workers_aboard");
        return refuse_int(why, "have", state->aboard);
    }
    if (state->place == GF_HOME) {
        count = gf_min(count, state->aboard);
        state->aboard -= count;
        state->home += count;
        event_amount(worker_event(turn, "dropped", count), "home_now", state->home);
        return ORDER_DONE;
    }
    int room = gf_drop_room(turn->cards, state);
    if (room < (count == ARGS_ALL ? 1 : count)) {
        refuse(why, "planet_full");
        refuse_text(why, "planet", place_name(turn, state->place));
        refuse_int(why, "limit", turn->cards->planet_workers);
        return refuse_int(why, "have", turn->cards->planet_workers - room);
    }
    count = gf_min(count, gf_min(room, state->aboard));
    gf_drop(state, count);
    worker_event(turn, "dropped", count);
    return ORDER_DONE;
}

/* `half`: "bottom", "top", or NULL when the order names none. */
static enum order_result refuse_workers_here(const struct gf_turn *turn, const char *half, int have,
                                             struct refusal *why)
{
    refuse(why, have ? "too_few_workers_here" : "no_workers_here");
    if (half && turn->state->place != GF_HOME)
        refuse_text(why, "half", half);
    refuse_text(why, "place", place_name(turn, turn->state->place));
    return refuse_int(why, "have", have);
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
        return refuse_workers_here(turn, bottom ? "bottom" : top ? "top" : NULL, idle + working, why);
    if (bunks < (count == ARGS_ALL ? 1 : count)) {
        refuse(why, "no_bunks");
        refuse_int(why, "bunks", gf_bunks(turn->cards, state));
        return refuse_int(why, "aboard", state->aboard);
    }
    count = gf_min(count, gf_min(idle + working, bunks));
    if (home) {
        state->home -= count;
        state->aboard += count;
        event_amount(worker_event(turn, "picked", count), "home_now", state->home);
        return ORDER_DONE;
    }
    gf_pick(state, gf_min(idle, count), count - gf_min(idle, count));
    worker_event(turn, "picked", count);
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
    if (idle < (count == ARGS_ALL ? 1 : count)) {
        refuse(why, idle ? "too_few_idle" : "no_idle");
        refuse_text(why, "planet", place_name(turn, state->place));
        return refuse_int(why, "have", idle);
    }
    count = gf_min(count, idle);
    gf_lift(state, count);
    worker_event(turn, "lifted", count);
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
