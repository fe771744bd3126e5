#include "rules/galaxy_farmer/plan.h"

#include <stdarg.h>
#include <string.h>

#define RISK_HIGH 90 /* 1/1000 a turn: no more than one worker stays where the enemy comes so often */

static void order(const struct gf_plan *plan, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void order(const struct gf_plan *plan, const char *fmt, ...)
{
    va_list args;
    if (!plan->out)
        return;
    va_start(args, fmt);
    str_vaddf(plan->out, fmt, args);
    va_end(args);
    str_addc(plan->out, '\n');
}

/* ---- what may come ---- */

static void add_landings(const struct gf_state *state, const struct gf_event_card *card, int *landing)
{
    int way = card->clockwise ? 1 : -1;
    if (card->happening == GF_WARP)
        landing[gf_planet_at(state, state->enemy + way * card->steps)]++;
    for (int step = 1; card->happening == GF_PATROL && step <= card->steps; step++)
        landing[gf_planet_at(state, state->enemy + way * step)]++;
}

void gf_look_out(const struct gf_cards *cards, const struct gf_state *state, struct gf_outlook *outlook)
{
    memset(outlook, 0, sizeof(*outlook));
    for (int i = 0; i < state->event_count; i++) {
        const struct gf_event_card *card = &cards->event[state->events[i]];
        add_landings(state, card, outlook->landing);
        for (int planet = 1; planet <= GF_PLANETS && card->happening == GF_TURNS; planet++) {
            bool turns = card->colour == GF_ANY ? gf_is_inner(cards, state, planet) == card->inner
                                                : cards->planet[planet].colour == card->colour;
            outlook->turning[planet] += turns;
        }
    }
    for (int planet = 1; planet <= GF_PLANETS && state->event_count > 0; planet++) {
        outlook->landing[planet] = 1000 * outlook->landing[planet] / state->event_count;
        outlook->turning[planet] = 1000 * outlook->turning[planet] / state->event_count;
    }
}

int gf_wanted(const struct gf_plan *plan, int resource)
{
    const struct gf_state *state = &plan->state;
    bool dark = gf_dark(state, resource);
    int wanted = -gf_free(state, resource);
    for (int slot = 0; slot < GF_OPEN; slot++) {
        const struct gf_order *order = &state->open[slot];
        int same = gf_need_for(plan->cards, order, resource, dark);
        int other = gf_need_for(plan->cards, order, resource, !dark);
        if (same >= 0)
            wanted += gf_need_missing(plan->cards, order, same);
        if (other >= 0)
            wanted += plan->cards->convert_give * gf_need_missing(plan->cards, order, other);
    }
    return wanted;
}

/* ---- HOME ---- */

static void lock_all(struct gf_plan *plan)
{
    struct gf_state *state = &plan->state;
    int slots[GF_OPEN];
    bool any = false;
    for (int count = gf_by_completion(plan->cards, state, slots), k = 0; k < count; k++) {
        const struct gf_order *order = &state->open[slots[k]];
        for (int i = 0; i < GF_PLANETS; i++) {
            int need = gf_need_for(plan->cards, order, i, gf_dark(state, i));
            int fit = need < 0 ? 0 : gf_min(gf_need_missing(plan->cards, order, need), gf_free(state, i));
            if (fit)
                gf_lock(plan->cards, state, slots[k], need, fit);
            any = any || fit;
        }
    }
    if (any)
        order(plan, "lock all");
}

/* What is left after locking fits no order as it is, so the converter is the only use for it now. */
static void convert_all(struct gf_plan *plan)
{
    struct gf_state *state = &plan->state;
    int slots[GF_OPEN];
    for (int count = gf_by_completion(plan->cards, state, slots), k = 0; k < count; k++) {
        for (int i = 0; i < GF_PLANETS; i++) {
            int need;
            while ((need = gf_need_for(plan->cards, &state->open[slots[k]], i, !gf_dark(state, i))) >= 0 &&
                   gf_free(state, i) >= gf_price(plan->cards, state, plan->converted)) {
                gf_convert(plan->cards, state, slots[k], need, gf_price(plan->cards, state, plan->converted));
                plan->converted = true;
                order(plan, "convert %s o%d", plan->cards->planet[i + 1].resource,
                      state->open[slots[k]].card);
            }
        }
    }
}

static void harvest(struct gf_plan *plan)
{
    struct gf_state *state = &plan->state;
    bool any = false;
    for (int i = 0; i < GF_PLOTS; i++) {
        while (state->plot[i].crop > 0) {
            bool store = gf_store_room(plan->cards, state) > 0;
            if (!store && !gf_cargo_room(plan->cards, state))
                break;
            gf_reap(state, i, store, !store);
            any = true;
        }
    }
    if (any)
        order(plan, "harvest");
}

static void plant(struct gf_plan *plan)
{
    struct gf_state *state = &plan->state;
    for (int i = 0; i < GF_PLANETS; i++) {
        int plot = gf_empty_plot(plan->cards, state);
        bool grows = false;
        for (int p = 0; p < GF_PLOTS; p++)
            grows = grows || state->plot[p].planted == i + 1;
        if (plot < 0 || grows || !gf_free(state, i))
            continue;
        gf_plant(state, plot, i);
        order(plan, "plant %s", plan->cards->planet[i + 1].resource);
    }
}

static void store_all(struct gf_plan *plan)
{
    struct gf_state *state = &plan->state;
    int room = gf_store_room(plan->cards, state);
    bool any = false;
    for (int i = 0; i < GF_PLANETS; i++) {
        int moved = gf_min(state->cargo[i], room);
        state->cargo[i] = (uint8_t)(state->cargo[i] - moved);
        state->store[i] = (uint8_t)(state->store[i] + moved);
        room -= moved;
        any = any || moved;
    }
    if (any)
        order(plan, "store all");
}

static void choose_partner(struct gf_plan *plan)
{
    static const int taste[GF_ABILITIES] = {
        [GF_YIELD_LIGHT] = 8, [GF_TANK] = 7,       [GF_TIMER] = 6,  [GF_YIELD_DARK] = 5,
        [GF_CONVERTER] = 4,   [GF_MORE_PLOTS] = 3, [GF_BUNKER] = 2, [GF_FIGHTERS] = 1};
    struct gf_state *state = &plan->state;
    int best = 0;
    for (int n = 1; n <= GF_PLANETS && !state->partner; n++) {
        if (state->rep[n - 1].cubes == GF_QUESTS &&
            (!best || taste[plan->cards->rep[n].ability] > taste[plan->cards->rep[best].ability]))
            best = n;
    }
    if (!best)
        return;
    state->partner = best;
    order(plan, "partner %s", plan->cards->rep[best].name);
}

void gf_plan_home(struct gf_plan *plan)
{
    harvest(plan);
    choose_partner(plan);
    lock_all(plan);
    convert_all(plan);
    plant(plan);
    store_all(plan);
}

/* Cubes of the store that a quest takes and no order wants. */
static void load_gifts(struct gf_plan *plan)
{
    struct gf_state *state = &plan->state;
    for (int n = 1; n <= GF_PLANETS; n++) {
        const struct gf_quest *quest = &plan->cards->rep[n].quest[GF_QUESTS - 1];
        if (state->rep[n - 1].cubes < 1 || state->rep[n - 1].cubes >= GF_QUESTS || quest->kind != GF_GIVE)
            continue;
        int missing = gf_quest_missing(state, n, quest);
        for (int i = 0; i < GF_PLANETS; i++) {
            int spare = gf_quest_takes(plan->cards, state, quest, i) ? -gf_wanted(plan, i) : 0;
            int moved =
                gf_min(gf_min(state->store[i], spare), gf_min(missing, gf_cargo_room(plan->cards, state)));
            if (moved < 1)
                continue;
            state->store[i] = (uint8_t)(state->store[i] - moved);
            state->cargo[i] = (uint8_t)(state->cargo[i] + moved);
            missing -= moved;
            order(plan, "load %d %s", moved, plan->cards->planet[i + 1].resource);
        }
    }
}

void gf_plan_leave(struct gf_plan *plan)
{
    struct gf_state *state = &plan->state;
    int count = gf_min(state->home, gf_bunks(plan->cards, state) - state->aboard);
    load_gifts(plan);
    if (count < 1)
        return;
    state->home -= count;
    state->aboard += count;
    order(plan, "pick %d", count);
}

/* ---- flying ---- */

bool gf_plan_fly(struct gf_plan *plan, int to)
{
    struct gf_state *state = &plan->state;
    if (!gf_route(plan->cards, state, state->place, to) || (to && gf_planet(state, to)->meteor))
        return false;
    if (state->fuel < 1) {
        if (plan->drifted)
            return false;
        plan->drifted = true;
    }
    gf_fly(state, to);
    order(plan, "move %s", plan->cards->planet[to].name);
    return true;
}

/* ---- a planet ---- */

/* Pushes the enemy to the side where fewer workers are in its way. */
static void fight(struct gf_plan *plan)
{
    struct gf_state *state = &plan->state;
    int force = gf_force(plan->cards, state, state->place);
    bool ship = gf_planet_at(state, state->enemy) == state->place;
    int workers[2] = {0, 0};
    if (!force || gf_fighters(plan->cards, state) < force)
        return;
    for (int step = 2; step <= 3; step++) {
        workers[0] += gf_planet(state, gf_planet_at(state, state->enemy + step))->working;
        workers[1] += gf_planet(state, gf_planet_at(state, state->enemy - step))->working;
    }
    bool clockwise = workers[0] <= workers[1];
    gf_fight(state, !ship ? 0 : clockwise ? 1 : -1);
    order(plan, "fight%s", !ship ? "" : clockwise ? " push clockwise" : " push anticlockwise");
}

/* One quest; false when the next one is not possible. */
static bool quest(struct gf_plan *plan)
{
    struct gf_state *state = &plan->state;
    const struct gf_planet *planet = gf_planet(state, state->place);
    int rep = planet->rep;
    const struct gf_quest *next = gf_next_quest(plan->cards, state, rep);
    if (!next)
        return false;
    if (next->kind == GF_GROWN &&
        (planet->cubes < next->count || (next->state != GF_ANY && planet->dark != (next->state == 1))))
        return false;
    if (next->kind == GF_GIVE) {
        int missing = gf_quest_missing(state, rep, next);
        int given = 0;
        for (int i = 0; i < GF_PLANETS; i++) {
            int fit =
                gf_quest_takes(plan->cards, state, next, i) ? gf_min(state->cargo[i], missing - given) : 0;
            gf_give(state, rep, i, fit);
            given += fit;
        }
        if (!given)
            return false;
        order(plan, "quest");
        if (given < missing)
            return false;
    } else {
        order(plan, "quest");
    }
    (void)gf_complete_quest(plan->cards, state, rep);
    return true;
}

static void collect(struct gf_plan *plan)
{
    struct gf_state *state = &plan->state;
    int resource = state->place - 1;
    int wanted = gf_wanted(plan, resource) + 1; /* one for the farm */
    int count =
        gf_min(gf_min(wanted, gf_planet(state, state->place)->cubes), gf_cargo_room(plan->cards, state));
    if (count < 1)
        return;
    gf_collect(state, count);
    order(plan, "collect %d", count);
}

/* Workers that should be on the top half when the ship leaves. */
static int workers_for(const struct gf_plan *plan)
{
    const struct gf_state *state = &plan->state;
    int planet = state->place;
    int wanted = gf_wanted(plan, planet - 1) - gf_planet(state, planet)->cubes;
    int each = gf_yield(plan->cards, state, planet);
    int target = wanted <= 0 ? 0 : (wanted + 2 * each - 1) / (2 * each);
    if (target > plan->boldness)
        target = plan->boldness;
    if (plan->outlook->landing[planet] > RISK_HIGH && target > 1)
        target = 1;
    return gf_min(target, plan->cards->planet_workers);
}

static void place_workers(struct gf_plan *plan)
{
    struct gf_state *state = &plan->state;
    int target = workers_for(plan);
    const struct gf_planet *planet = gf_planet(state, state->place);
    int lift = gf_min(planet->idle, target - planet->working);
    if (lift > 0) {
        gf_lift(state, lift);
        order(plan, "lift %d", lift);
    }
    int bunks = gf_bunks(plan->cards, state) - state->aboard;
    int extra = gf_min(planet->working + planet->idle - target, bunks);
    if (extra > 0) {
        gf_pick(state, gf_min(planet->idle, extra), extra - gf_min(planet->idle, extra));
        order(plan, "pick %d", extra);
    }
    int drop = gf_min(gf_min(target - planet->working, state->aboard), gf_drop_room(plan->cards, state));
    if (drop > 0) {
        gf_drop(state, drop);
        order(plan, "drop %d", drop);
    }
}

void gf_plan_stop(struct gf_plan *plan)
{
    fight(plan);
    while (quest(plan)) {
    }
    collect(plan);
    while (quest(plan)) {
    }
    choose_partner(plan);
    place_workers(plan);
}
