/* What conditions may ask about: numbers and yes/no facts of the game as it is when the line is reached.
 */
#include "rules/galaxy_farmer/names.h"

#include <string.h>

#define NOT_OPEN 99 /* what LEFT and MISSING say of an order that is not on the table */

#define PLAIN(name, expression)                                    \
    static bool name(void *arg, struct args *args, int64_t *value) \
    {                                                              \
        const struct gf_turn *turn = arg;                          \
        *value = (expression);                                     \
        return args_end(args);                                     \
    }

PLAIN(count_fuel, turn->state->fuel)
PLAIN(count_room, gf_cargo_room(turn->cards, turn->state))
PLAIN(count_bunks, gf_bunks(turn->cards, turn->state) - turn->state->aboard)
PLAIN(count_strength, gf_fighters(turn->cards, turn->state))
PLAIN(count_score, turn->state->tally.score)
PLAIN(count_failed, turn->state->tally.failed)
PLAIN(count_killed, turn->state->tally.killed)
PLAIN(count_troops, gf_troops(turn->state))
PLAIN(count_events, turn->state->event_count)

/* ---- cubes ---- */

/* The cubes of one resource, or all of a heap. */
static bool count_heap(const struct gf_turn *turn, const uint8_t heap[GF_PLANETS], struct args *args,
                       int64_t *value)
{
    if (args_end(args)) {
        *value = gf_sum(heap);
        return true;
    }
    int resource = gf_read_resource(turn, args);
    *value = resource < 0 ? 0 : heap[resource];
    return resource >= 0 && args_end(args);
}

static bool count_cargo(void *arg, struct args *args, int64_t *value)
{
    const struct gf_turn *turn = arg;
    return count_heap(turn, turn->state->cargo, args, value);
}

static bool count_stored(void *arg, struct args *args, int64_t *value)
{
    const struct gf_turn *turn = arg;
    return count_heap(turn, turn->state->store, args, value);
}

static bool count_crops(void *arg, struct args *args, int64_t *value)
{
    const struct gf_turn *turn = arg;
    uint8_t crops[GF_PLANETS] = {0};
    for (int i = 0; i < GF_PLOTS; i++) {
        const struct gf_plot *plot = &turn->state->plot[i];
        if (plot->planted)
            crops[plot->planted - 1] = (uint8_t)(crops[plot->planted - 1] + plot->crop);
    }
    return count_heap(turn, crops, args, value);
}

static bool count_plots(void *arg, struct args *args, int64_t *value)
{
    const struct gf_turn *turn = arg;
    *value = gf_plots(turn->cards, turn->state);
    for (int i = 0; i < gf_plots(turn->cards, turn->state); i++)
        *value -= turn->state->plot[i].planted > 0;
    return args_end(args);
}

bool gf_have(void *arg, struct args *args, bool *known)
{
    const struct gf_turn *turn = arg;
    int amount[GF_PLANETS];
    bool all = true;
    *known = gf_read_cubes(turn, args, amount) && args_end(args);
    for (int i = 0; *known && i < GF_PLANETS; i++)
        all = all && gf_free(turn->state, i) >= amount[i];
    return *known && all;
}

/* ---- planets ---- */

/* A planet, or the one where the ship is; NULL when neither. */
static const struct gf_planet *read_planet(const struct gf_turn *turn, struct args *args)
{
    int place = turn->state->place;
    if (!args_end(args) && gf_read_place(turn, args, &place, NULL) != NAME_ONE)
        return NULL;
    return place == GF_HOME ? NULL : gf_planet(turn->state, place);
}

static bool count_grown(void *arg, struct args *args, int64_t *value)
{
    const struct gf_planet *planet = read_planet(arg, args);
    *value = planet ? planet->cubes : 0;
    return planet && args_end(args);
}

static bool count_idle(void *arg, struct args *args, int64_t *value)
{
    const struct gf_planet *planet = read_planet(arg, args);
    *value = planet ? planet->idle : 0;
    return planet && args_end(args);
}

/* Aboard, at HOME, or on both halves of a planet. */
static bool count_workers(void *arg, struct args *args, int64_t *value)
{
    const struct gf_turn *turn = arg;
    int place;
    *value = turn->state->aboard;
    if (args_end(args) || args_keyword(args, "aboard", 3) || args_keyword(args, "ship", 4))
        return args_end(args);
    if (gf_read_place(turn, args, &place, NULL) != NAME_ONE)
        return false;
    *value = turn->state->home;
    if (place != GF_HOME)
        *value = gf_planet(turn->state, place)->working + gf_planet(turn->state, place)->idle;
    return args_end(args);
}

/* "enemy <= 2 steps from solis" */
static bool count_enemy(void *arg, struct args *args, int64_t *value)
{
    const struct gf_turn *turn = arg;
    int place;
    args_keyword(args, "steps", 4);
    if (gf_read_place(turn, args, &place, NULL) != NAME_ONE || place == GF_HOME)
        return false;
    *value = gf_enemy_steps(turn->state, place);
    return args_end(args);
}

/* "top rubra = dark" */
static bool test_top(void *arg, struct args *args, int64_t *value)
{
    const struct gf_turn *turn = arg;
    int place;
    if (gf_read_place(turn, args, &place, NULL) != NAME_ONE || place == GF_HOME)
        return false;
    if (!args_end(args) && args->word->kind == WORD_OP && strcmp(args->word->text, "=") == 0) {
        args->word++;
        args->count--;
    }
    bool dark = args_keyword(args, "dark", 1);
    if (!dark && !args_keyword(args, "light", 1))
        return false;
    *value = gf_planet(turn->state, place)->dark == dark;
    return args_end(args);
}

static bool test_troop(void *arg, struct args *args, int64_t *value)
{
    const struct gf_planet *planet = read_planet(arg, args);
    *value = planet && planet->troop;
    return planet && args_end(args);
}

static bool test_meteor(void *arg, struct args *args, int64_t *value)
{
    const struct gf_planet *planet = read_planet(arg, args);
    *value = planet && planet->meteor > 0;
    return planet && args_end(args);
}

static bool test_here(void *arg, struct args *args, int64_t *value)
{
    const struct gf_turn *turn = arg;
    int place;
    if (gf_read_place(turn, args, &place, NULL) != NAME_ONE)
        return false;
    *value = turn->state->place == place;
    return args_end(args);
}

/* ---- orders and representatives ---- */

/* An order of the game; NULL if it is not on the table. False: there is no such order. */
static bool read_order(const struct gf_turn *turn, struct args *args, const struct gf_order **order)
{
    int card;
    if (gf_read_order(turn, args, &card) != NAME_ONE || !args_end(args))
        return false;
    int slot = gf_slot_of(turn->state, card);
    *order = slot < 0 ? NULL : &turn->state->open[slot];
    return true;
}

static bool count_timer(void *arg, struct args *args, int64_t *value)
{
    const struct gf_order *order = NULL;
    bool known = read_order(arg, args, &order);
    *value = order ? order->timer : 0;
    return known;
}

static bool count_left(void *arg, struct args *args, int64_t *value)
{
    const struct gf_turn *turn = arg;
    const struct gf_order *order = NULL;
    bool known = read_order(arg, args, &order);
    *value = order ? gf_turns_left(turn->cards, order) : NOT_OPEN;
    return known;
}

static bool count_missing(void *arg, struct args *args, int64_t *value)
{
    const struct gf_turn *turn = arg;
    const struct gf_order *order = NULL;
    bool known = read_order(arg, args, &order);
    *value = order ? gf_missing(turn->cards, order) : NOT_OPEN;
    return known;
}

static bool test_open(void *arg, struct args *args, int64_t *value)
{
    const struct gf_order *order = NULL;
    bool known = read_order(arg, args, &order);
    *value = order != NULL;
    return known;
}

static bool count_quest(void *arg, struct args *args, int64_t *value)
{
    const struct gf_turn *turn = arg;
    int rep;
    if (gf_read_rep(turn, args, &rep, NULL) != NAME_ONE)
        return false;
    *value = turn->state->rep[rep - 1].cubes;
    return args_end(args);
}

static bool test_partner(void *arg, struct args *args, int64_t *value)
{
    const struct gf_turn *turn = arg;
    int rep;
    *value = turn->state->partner > 0;
    if (args_end(args))
        return true;
    if (gf_read_rep(turn, args, &rep, NULL) != NAME_ONE)
        return false;
    *value = turn->state->partner == rep;
    return args_end(args);
}

const struct counter gf_counters[] = {
    {"fuel", "", "fuel in the tank", false, count_fuel},
    {"cargo", "[resource]", "cubes aboard, in all or of one kind", false, count_cargo},
    {"room", "", "free places for cargo", false, count_room},
    {"stored", "[resource]", "cubes in the store at HOME", false, count_stored},
    {"crops", "[resource]", "crops waiting on the farm", false, count_crops},
    {"plots", "", "empty plots of the farm", false, count_plots},
    {"workers", "[place]", "workers aboard, at HOME, or on a planet", false, count_workers},
    {"idle", "[planet]", "workers on the bottom half of a planet (without name: this one)", false,
     count_idle},
    {"bunks", "", "free bunks", false, count_bunks},
    {"grown", "[planet]", "cubes that lie on a planet (without name: this one)", false, count_grown},
    {"strength", "", "what your workers aboard are worth in a fight", false, count_strength},
    {"enemy", "<planet>", "steps of the enemy ship from a planet: enemy <= 2 steps from solis", false,
     count_enemy},
    {"troops", "", "planets with an enemy troop", false, count_troops},
    {"timer", "<order>", "position of its timer; 0 if it is not on the table", false, count_timer},
    {"left", "<order>", "turns it stays, this one included; 99 if it is not on the table", false, count_left},
    {"missing", "<order>", "cubes it misses; 99 if it is not on the table", false, count_missing},
    {"quest", "<representative>", "quests done, 0 to 3", false, count_quest},
    {"score", "", "your points", false, count_score},
    {"failed", "", "failed orders", false, count_failed},
    {"killed", "", "killed workers", false, count_killed},
    {"events", "", "event cards left", false, count_events},
    {"top", "<planet> = light|dark", "which half is up?", true, test_top},
    {"troop", "[planet]", "is an enemy troop there?", true, test_troop},
    {"meteor", "[planet]", "does a meteor lie there?", true, test_meteor},
    {"here", "<place>", "is your ship there?", true, test_here},
    {"open", "<order>", "is the order on the table?", true, test_open},
    {"partner", "[representative]", "your partner? (without name: have you one?)", true, test_partner},
    {NULL, NULL, NULL, false, NULL},
};
