/* The event of a turn: planets that turn, meteor storms, the enemy ship, harvests and fuel. */
#include "rules/galaxy_farmer/turn.h"

#include <string.h>

#include "base/str.h"

struct happening {
    const struct gf_cards *cards;
    struct gf_state *state;
    struct events *events;
    const struct gf_event_card *card;
};

static struct gf_planet *planet_of(const struct happening *now, int planet)
{
    return &now->state->planet[planet - 1];
}

/* Uncollected cubes go back to the pool; returns how many. */
static int destroy_cubes(const struct happening *now, int planet)
{
    int cubes = planet_of(now, planet)->cubes;
    now->state->pool[planet - 1] = (uint8_t)(now->state->pool[planet - 1] + cubes);
    planet_of(now, planet)->cubes = 0;
    return cubes;
}

/* ---- planets turn ---- */

/* Workers keep their side of the tile: those on top are at the bottom now, and the other way round. */
static void turn_planet(const struct happening *now, int number)
{
    struct gf_planet *planet = planet_of(now, number);
    int working = planet->working;
    int cubes = destroy_cubes(now, number);
    planet->dark = !planet->dark;
    planet->working = planet->idle;
    planet->idle = working;
    say(now->events, GF_SEAT, RULE_TURNED,
        "turned planet=%s top=%s destroyed+=%d resource=%s idle+=%d working+=%d",
        now->cards->planet[number].name, gf_state_word(planet->dark), cubes,
        now->cards->planet[number].resource, planet->idle, planet->working);
}

static void turn_planets(const struct happening *now)
{
    for (int position = 1; position <= GF_PLANETS; position++) {
        int planet = gf_planet_at(now->state, position);
        bool turns = now->card->colour == GF_ANY ? now->cards->inner[position] == now->card->inner
                                                 : now->cards->planet[planet].colour == now->card->colour;
        if (turns)
            turn_planet(now, planet);
    }
}

/* ---- the enemy ship ---- */

/* The ship and its crew are too weak for the enemy who lands where they are. */
static void strike_ship(const struct happening *now, int planet)
{
    struct gf_state *state = now->state;
    const struct brief cargo = gf_cubes_words(now->cards, state, state->cargo);
    const bool killed = state->aboard > 0;
    if (killed) {
        state->aboard--;
        state->tally.killed++;
    }
    state->landed = gf_min(state->landed, state->aboard); /* the dead do not fight */
    for (int i = 0; i < GF_PLANETS; i++)
        gf_discard(state, i, state->cargo[i]);
    say(now->events, GF_SEAT, RULE_LANDING, "ship_struck planet=%s cargo+=%s killed+=%d killed_now=%d",
        now->cards->planet[planet].name, cargo.p, killed, state->tally.killed);
}

/* The enemy ship comes to a planet. False: it was repelled, and stays where it was. */
static bool land(const struct happening *now, int position)
{
    struct gf_state *state = now->state;
    int number = gf_planet_at(state, position);
    struct gf_planet *planet = planet_of(now, number);
    bool meets = state->place == number;
    int force = now->cards->force_ship + (planet->troop ? now->cards->force_troop : 0);
    int strength = gf_strength(now->cards, state);
    if (meets && strength >= force) {
        say(now->events, GF_SEAT, RULE_LANDING, "repelled planet=%s force=%d strength=%d",
            now->cards->planet[number].name, force, strength);
        return false;
    }
    int killed = planet->working + planet->idle;
    int cubes = destroy_cubes(now, number);
    bool first = !planet->troop;
    planet->working = planet->idle = 0;
    planet->troop = true;
    state->tally.killed += killed;
    state->enemy = gf_position(state, number);
    say(now->events, GF_SEAT, RULE_LANDING,
        "landed planet=%s troop+=%d destroyed+=%d resource=%s killed+=%d killed_now=%d",
        now->cards->planet[number].name, first, cubes, now->cards->planet[number].resource, killed,
        state->tally.killed);
    if (meets)
        strike_ship(now, number);
    return true;
}

static void enemy_moves(const struct happening *now)
{
    int way = now->card->clockwise ? 1 : -1;
    if (now->card->happening == GF_WARP) {
        (void)land(now, now->state->enemy + way * now->card->steps);
        return;
    }
    for (int step = 0; step < now->card->steps; step++) {
        if (!land(now, now->state->enemy + way))
            return;
    }
}

/* ---- gifts ---- */

int gf_grow(const struct gf_cards *cards, struct gf_state *state, int number, int each)
{
    struct gf_planet *planet = &state->planet[number - 1];
    int grown = planet->working * each;
    int room = cards->uncollected - planet->cubes;
    int pool = state->pool[number - 1];
    grown = grown > room ? room : grown;
    grown = grown > pool ? pool : grown;
    grown = grown > 0 ? grown : 0;
    planet->cubes += grown;
    state->pool[number - 1] = (uint8_t)(pool - grown);
    return grown;
}

static void rich_harvest(const struct happening *now)
{
    int sum = 0;
    for (int position = 1; position <= GF_PLANETS; position++) {
        int planet = gf_planet_at(now->state, position);
        if (planet_of(now, planet)->meteor)
            continue;
        int grown = gf_grow(now->cards, now->state, planet, now->card->amount);
        sum += grown;
        if (!grown)
            continue;
        say(now->events, GF_SEAT, RULE_EVENT, "rich_grown planet=%s what=%s now=%d",
            now->cards->planet[planet].name,
            gf_kind_words(now->cards, planet - 1, grown, planet_of(now, planet)->dark).p,
            planet_of(now, planet)->cubes);
    }
    if (!sum)
        say(now->events, GF_SEAT, RULE_EVENT, "rich_nothing");
}

static void fuel_pocket(const struct happening *now)
{
    int most = gf_tank(now->cards, now->state) + 1;
    int before = now->state->fuel;
    int after = before + now->card->amount;
    now->state->fuel = after > most ? (before > most ? before : most) : after;
    say(now->events, GF_SEAT, RULE_EVENT, "fuel_found found+=%d fuel_now=%d", now->state->fuel - before,
        now->state->fuel);
}

/* ---- meteors, the whole ---- */

static void meteors_pass(const struct happening *now)
{
    for (int n = 1; n <= GF_PLANETS; n++) {
        struct gf_planet *planet = planet_of(now, n);
        if (planet->meteor < 1)
            continue;
        if (--planet->meteor > 0) {
            event_rest(now->events);
            continue;
        }
        say(now->events, GF_SEAT, RULE_METEOR, "meteor_gone planet=%s", now->cards->planet[n].name);
    }
}

static void meteor_storm(const struct happening *now)
{
    int planet = gf_planet_at(now->state, now->card->position);
    if (planet_of(now, planet)->meteor < now->card->turns)
        planet_of(now, planet)->meteor = now->card->turns;
    say(now->events, GF_SEAT, RULE_METEOR, "meteor planet=%s turns=%d", now->cards->planet[planet].name,
        now->card->turns);
}

void gf_event_step(const struct gf_cards *cards, struct gf_state *state, struct events *events)
{
    struct happening now = {.cards = cards, .state = state, .events = events};
    meteors_pass(&now);
    if (state->event_count < 1)
        return;
    int number = state->events[0];
    memmove(state->events, state->events + 1, (size_t)--state->event_count);
    state->events[state->event_count] = 0;
    if (state->used_count < GF_EVENTS)
        state->used[state->used_count++] = (uint8_t)number;
    now.card = &cards->event[number];
    if (now.card->happening == GF_PATROL || now.card->happening == GF_WARP)
        say(events, GF_SEAT, RULE_EVENT, "event_drawn card=%s left=%d direction=%s steps=%d", now.card->name,
            state->event_count, now.card->clockwise ? "clockwise" : "anticlockwise", now.card->steps);
    else
        say(events, GF_SEAT, RULE_EVENT, "event_drawn card=%s left=%d", now.card->name, state->event_count);
    switch (now.card->happening) {
    case GF_TURNS: turn_planets(&now); break;
    case GF_METEOR: meteor_storm(&now); break;
    case GF_PATROL:
    case GF_WARP: enemy_moves(&now); break;
    case GF_HARVEST: rich_harvest(&now); break;
    case GF_FUEL: fuel_pocket(&now); break;
    }
}
