#include "rules/galaxy_farmer/state.h"

#include <string.h>

/* ---- setup ---- */

int gf_init(const void *data, int seats, const int options[GAME_OPTIONS], void *to, struct err *err)
{
    const struct gf_cards *cards = data;
    struct gf_state *state = to;
    if (seats != 1)
        return err_set(err, ERR_INPUT, "Galaxy Farmer is for 1 player, not %d", seats);
    state->turn = 1;
    state->difficulty = options[GF_OPTION_DIFFICULTY];
    state->ship = options[GF_OPTION_SHIP];
    state->lenient = options[GF_OPTION_LENIENT] != 0;
    state->aboard = cards->ship_workers;
    state->home = cards->home_workers;
    state->fuel = cards->fuel;
    state->enemy = cards->enemy_position;
    for (int i = 0; i < GF_PLANETS; i++) {
        state->pool[i] = (uint8_t)cards->cubes;
        state->ring[i] = (uint8_t)(i + 1);
        state->planet[i].rep = i + 1;
    }
    for (int n = 1; n <= cards->orders; n++) {
        if (n <= GF_OPEN)
            state->open[n - 1] = (struct gf_order){.card = n, .timer = 1};
        else
            state->orders[state->order_count++] = (uint8_t)n;
    }
    for (int n = 1; n <= cards->events; n++)
        state->events[state->event_count++] = (uint8_t)n;
    gf_tame(cards, state);
    return 0;
}

/* ---- the map ---- */

int gf_planet_at(const struct gf_state *state, int position)
{
    return state->ring[((position - 1) % GF_PLANETS + GF_PLANETS) % GF_PLANETS];
}

int gf_position(const struct gf_state *state, int planet)
{
    for (int position = 1; position < GF_PLANETS; position++) {
        if (state->ring[position - 1] == planet)
            return position;
    }
    return GF_PLANETS;
}

bool gf_is_inner(const struct gf_cards *cards, const struct gf_state *state, int planet)
{
    return cards->inner[gf_position(state, planet)];
}

bool gf_route(const struct gf_cards *cards, const struct gf_state *state, int from, int to)
{
    if (from == to)
        return false;
    if (from != GF_HOME && to != GF_HOME)
        return true;
    return gf_is_inner(cards, state, from == GF_HOME ? to : from);
}

int gf_enemy_steps(const struct gf_state *state, int planet)
{
    int steps = (gf_position(state, planet) - state->enemy + GF_PLANETS) % GF_PLANETS;
    return steps > GF_PLANETS / 2 ? GF_PLANETS - steps : steps;
}

int gf_troops(const struct gf_state *state)
{
    int troops = 0;
    for (int i = 0; i < GF_PLANETS; i++)
        troops += state->planet[i].troop;
    return troops;
}

/* ---- the ship and HOME ---- */

int gf_ability(const struct gf_cards *cards, const struct gf_state *state, enum gf_ability ability)
{
    const struct gf_rep_card *rep = &cards->rep[state->partner];
    return state->partner && rep->ability == ability ? rep->amount : 0;
}

int gf_tank(const struct gf_cards *cards, const struct gf_state *state)
{
    return cards->ship[state->ship].fuel + gf_ability(cards, state, GF_TANK);
}

int gf_cargo_limit(const struct gf_cards *cards, const struct gf_state *state)
{
    return cards->ship[state->ship].cargo + gf_ability(cards, state, GF_BUNKER);
}

int gf_bunks(const struct gf_cards *cards, const struct gf_state *state)
{
    return cards->ship[state->ship].bunks;
}

int gf_plots(const struct gf_cards *cards, const struct gf_state *state)
{
    return cards->plots + gf_ability(cards, state, GF_MORE_PLOTS);
}

static int strength_of(const struct gf_cards *cards, const struct gf_state *state, int workers)
{
    int each = gf_ability(cards, state, GF_FIGHTERS);
    return workers * (each ? each : 1);
}

int gf_strength(const struct gf_cards *cards, const struct gf_state *state)
{
    return strength_of(cards, state, state->aboard);
}

int gf_fighters(const struct gf_cards *cards, const struct gf_state *state)
{
    return strength_of(cards, state, state->place != GF_HOME ? state->landed : state->aboard);
}

int gf_force(const struct gf_cards *cards, const struct gf_state *state, int planet)
{
    int force = gf_planet(state, planet)->troop ? cards->force_troop : 0;
    return force + (gf_planet_at(state, state->enemy) == planet ? cards->force_ship : 0);
}

int gf_sum(const uint8_t cubes[GF_PLANETS])
{
    int sum = 0;
    for (int i = 0; i < GF_PLANETS; i++)
        sum += cubes[i];
    return sum;
}

int gf_cargo_room(const struct gf_cards *cards, const struct gf_state *state)
{
    int room = gf_cargo_limit(cards, state) - gf_sum(state->cargo);
    return room > 0 ? room : 0;
}

int gf_store_room(const struct gf_cards *cards, const struct gf_state *state)
{
    int room = cards->home_store - gf_sum(state->store);
    return room > 0 ? room : 0;
}

int gf_yield(const struct gf_cards *cards, const struct gf_state *state, int planet)
{
    bool dark = gf_planet(state, planet)->dark;
    return cards->growth + gf_ability(cards, state, dark ? GF_YIELD_DARK : GF_YIELD_LIGHT);
}

/* ---- orders and quests ---- */

int gf_need_missing(const struct gf_cards *cards, const struct gf_order *order, int need)
{
    return gf_order_card(cards, order)->need[need].count - order->locked[need];
}

int gf_missing(const struct gf_cards *cards, const struct gf_order *order)
{
    int missing = 0;
    for (int i = 0; i < gf_order_card(cards, order)->needs; i++)
        missing += gf_need_missing(cards, order, i);
    return missing;
}

int gf_need_for(const struct gf_cards *cards, const struct gf_order *order, int resource, bool dark)
{
    const struct gf_order_card *card = gf_order_card(cards, order);
    for (int i = 0; i < card->needs; i++) {
        if (card->need[i].resource == resource && card->need[i].dark == dark &&
            gf_need_missing(cards, order, i) > 0)
            return i;
    }
    return -1;
}

int gf_turns_left(const struct gf_cards *cards, const struct gf_order *order)
{
    return gf_order_card(cards, order)->track - order->timer + 1;
}

int gf_held_slot(const struct gf_cards *cards, const struct gf_state *state)
{
    int held = -1;
    if (!gf_ability(cards, state, GF_TIMER))
        return -1;
    for (int i = 0; i < GF_OPEN; i++) {
        const struct gf_order *order = &state->open[i];
        if (!order->card || !gf_missing(cards, order))
            continue;
        if (order->card == state->hold)
            return i;
        if (held < 0 || gf_turns_left(cards, order) < gf_turns_left(cards, &state->open[held]))
            held = i;
    }
    return held;
}

int gf_slot_of(const struct gf_state *state, int card)
{
    for (int i = 0; i < GF_OPEN; i++) {
        if (card && state->open[i].card == card)
            return i;
    }
    return -1;
}

const struct gf_quest *gf_next_quest(const struct gf_cards *cards, const struct gf_state *state, int rep)
{
    int done = state->rep[rep - 1].cubes;
    return done < GF_QUESTS ? &cards->rep[rep].quest[done] : NULL;
}

int gf_quest_missing(const struct gf_state *state, int rep, const struct gf_quest *quest)
{
    return quest->count - gf_sum(state->rep[rep - 1].locked);
}

bool gf_quest_takes(const struct gf_cards *cards, const struct gf_state *state, const struct gf_quest *quest,
                    int resource)
{
    if (quest->colour != GF_ANY && cards->planet[resource + 1].colour != quest->colour)
        return false;
    return quest->state == GF_ANY || gf_dark(state, resource) == (quest->state == 1);
}

int gf_rep_planet(const struct gf_state *state, int rep)
{
    for (int planet = 1; planet < GF_PLANETS; planet++) {
        if (gf_planet(state, planet)->rep == rep)
            return planet;
    }
    return GF_PLANETS;
}

/* ---- the end ---- */

int gf_goal(const struct gf_cards *cards, const struct gf_state *state)
{
    return state->difficulty == GF_HARD ? cards->win_hard : cards->win_normal;
}

int gf_failed_limit(const struct gf_cards *cards, const struct gf_state *state)
{
    return cards->lose.failed + (state->lenient ? 1 : 0);
}

int gf_killed_limit(const struct gf_cards *cards, const struct gf_state *state)
{
    return state->difficulty == GF_EASY ? cards->lose.killed_easy : cards->lose.killed;
}

enum gf_end gf_judge(const struct gf_cards *cards, const struct gf_state *state)
{
    if (state->tally.score >= gf_goal(cards, state))
        return GF_WON;
    if (state->tally.failed >= gf_failed_limit(cards, state))
        return GF_ORDERS_FAILED;
    if (state->tally.killed >= gf_killed_limit(cards, state))
        return GF_WORKERS_KILLED;
    if (gf_troops(state) >= cards->lose.troops)
        return GF_TROOPS_EVERYWHERE;
    return state->event_count < 1 ? GF_EVENTS_OVER : GF_RUNNING;
}

uint32_t gf_awaits(const void *from)
{
    const struct gf_state *state = from;
    return state->end == GF_RUNNING ? SEAT_BIT(1) : 0;
}

void gf_scores(const void *cards, const void *from, struct score *scores)
{
    const struct gf_state *state = from;
    bool won = state->end == GF_WON;
    (void)cards;
    scores[1] = (struct score){.points = state->tally.score, .won = won, .place = won ? 1 : 0, .rank = ""};
    scores[1].fate = won ? SEAT_FINISHED : state->end == GF_RUNNING ? SEAT_PLAYING : SEAT_LOST;
}

const char *gf_ending(const void *from)
{
    static const char *const words[GF_ENDS] = {
        "", "won", "orders_failed", "workers_killed", "troops_everywhere", "events_over"};
    const struct gf_state *state = from;
    return state->end > GF_RUNNING && state->end < GF_ENDS ? words[state->end] : "";
}
