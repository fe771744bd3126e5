#include "rules/galaxy_farmer/turn.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"

/* ---- words ---- */

struct brief gf_kind_words(const struct gf_cards *cards, int resource, int count, bool dark)
{
    return brief("%d %s %s", count, gf_state_word(dark), cards->planet[resource + 1].resource);
}

struct brief gf_cubes_words(const struct gf_cards *cards, const struct gf_state *state,
                            const uint8_t cubes[GF_PLANETS])
{
    struct str text = STR_INIT;
    for (int i = 0; i < GF_PLANETS; i++)
        if (cubes[i])
            str_addf(&text, "%s%s", text.len ? ", " : "",
                     gf_kind_words(cards, i, cubes[i], gf_dark(state, i)).p);
    return brief_str(&text);
}

/* ---- setup ---- */

static void deal_map(struct gf_state *state, struct chance *chance)
{
    uint8_t reps[GF_PLANETS];
    for (int i = 0; i < GF_PLANETS; i++) {
        char label[CHANCE_LABEL];
        chance_label(label, "deal/top/%d", i + 1);
        state->planet[i].dark = chance_pick(chance, 2, label) == 1;
        reps[i] = (uint8_t)(i + 1);
    }
    chance_shuffle(chance, false, "deal/planets", state->ring, GF_PLANETS);
    chance_shuffle(chance, false, "deal/representatives", reps, GF_PLANETS);
    for (int i = 0; i < GF_PLANETS; i++)
        state->planet[i].rep = reps[i];
}

void gf_deal(const void *data, void *to, const struct wish_list *wishes, struct chance *chance,
             struct events *events)
{
    const struct gf_cards *cards = data;
    struct gf_state *state = to;
    uint8_t deck[GF_ORDERS];
    if (wishes && wishes[GF_SEAT].of[0] && !state->ship)
        state->ship = wishes[GF_SEAT].of[0] - 1;
    gf_tame(cards, state);
    deal_map(state, chance);
    for (int i = 0; i < cards->orders; i++)
        deck[i] = (uint8_t)(i + 1);
    chance_shuffle(chance, true, "deal/orders", deck, (size_t)cards->orders);
    for (int i = 0; i < GF_OPEN; i++)
        state->open[i] = (struct gf_order){.card = deck[i], .timer = 1};
    state->order_count = cards->orders - GF_OPEN;
    memcpy(state->orders, deck + GF_OPEN, (size_t)state->order_count);
    chance_shuffle(chance, true, "deal/events", state->events, (size_t)state->event_count);

    say(events, 0, RULE_SETUP, "dealt ship=%s goal=%d orders=%d events=%d enemy=%s",
        cards->ship[state->ship].name, gf_goal(cards, state), state->order_count, state->event_count,
        cards->planet[gf_planet_at(state, state->enemy)].name);
}

/* ---- step 4: orders ---- */

/* Takes an order off the table: its cubes go to the pool, the next card of the deck comes with its timer
 * on 1. */
static void replace(const struct gf_cards *cards, struct gf_state *state, int slot, struct events *events)
{
    struct gf_order *order = &state->open[slot];
    const struct gf_order_card *card = gf_order_card(cards, order);
    for (int i = 0; i < card->needs; i++)
        state->pool[card->need[i].resource] =
            (uint8_t)(state->pool[card->need[i].resource] + order->locked[i]);
    if (state->gone_count < GF_ORDERS)
        state->gone[state->gone_count++] = (uint8_t)order->card;
    if (state->hold == order->card)
        state->hold = 0;
    *order = (struct gf_order){0};
    event_settled(events);
    if (state->order_count < 1) {
        say(events, GF_SEAT, RULE_TURN, "no_order");
        return;
    }
    *order = (struct gf_order){.card = state->orders[0], .timer = 1};
    memmove(state->orders, state->orders + 1, (size_t)--state->order_count);
    state->orders[state->order_count] = 0;
    card = gf_order_card(cards, order);
    struct str needs = STR_INIT;
    for (int i = 0; i < card->needs; i++)
        str_addf(&needs, "%s%s", i ? ", " : "",
                 gf_kind_words(cards, card->need[i].resource, card->need[i].count, card->need[i].dark).p);
    say(events, GF_SEAT, RULE_ORDER, "order_new card=%s needs=%s points=%d track=%d", card->name, needs.p,
        card->points, card->track);
    str_release(&needs);
}

static void orders_step(const struct gf_cards *cards, struct gf_state *state, struct events *events)
{
    bool fresh[GF_OPEN] = {false};
    int held = gf_held_slot(cards, state);
    for (int i = 0; i < GF_OPEN; i++) {
        const struct gf_order_card *card = gf_order_card(cards, &state->open[i]);
        fresh[i] = !state->open[i].card;
        if (fresh[i] || gf_missing(cards, &state->open[i]))
            continue;
        state->tally.score += card->points;
        state->tally.completed++;
        say(events, GF_SEAT, RULE_TURN, "order_done card=%s points=%d score_now=%d", card->name, card->points,
            state->tally.score);
        replace(cards, state, i, events);
        fresh[i] = true;
    }
    for (int i = 0; i < GF_OPEN; i++) {
        const struct gf_order_card *card = gf_order_card(cards, &state->open[i]);
        if (fresh[i])
            continue;
        if (i == held) {
            say(events, GF_SEAT, RULE_QUEST, "order_held card=%s", card->name);
            continue;
        }
        if (++state->open[i].timer <= card->track) {
            event_rest(events);
            continue;
        }
        state->tally.failed++;
        say(events, GF_SEAT, RULE_TURN, "order_failed card=%s failed_now=%d limit=%d", card->name,
            state->tally.failed, gf_failed_limit(cards, state));
        replace(cards, state, i, events);
    }
}

/* ---- the end of a turn ---- */

static void judge(const struct gf_cards *cards, struct gf_state *state, struct events *events)
{
    state->end = (int)gf_judge(cards, state);
    if (state->end == GF_RUNNING)
        return;
#define ENDED " score=%d goal=%d failed=%d killed=%d completed=%d turns=%d"
    say(events, GF_SEAT, RULE_END,
        state->end == GF_WON                 ? "won" ENDED
        : state->end == GF_ORDERS_FAILED     ? "orders_failed" ENDED
        : state->end == GF_WORKERS_KILLED    ? "workers_killed" ENDED
        : state->end == GF_TROOPS_EVERYWHERE ? "troops_everywhere" ENDED
                                             : "events_over" ENDED,
        state->tally.score, gf_goal(cards, state), state->tally.failed, state->tally.killed,
        state->tally.completed, state->turn);
}

static void planet_grows(const struct gf_cards *cards, struct gf_state *state, int number,
                         struct events *events)
{
    const struct gf_planet *planet = gf_planet(state, number);
    int each = gf_yield(cards, state, number);
    int wanted = planet->working * each;
    bool full = planet->cubes >= cards->uncollected;
    bool empty = state->pool[number - 1] < 1;
    if (!wanted)
        return;
    int grown = planet->meteor ? 0 : gf_grow(cards, state, number, each);
#define GROWN " planet=%s resource=%s what+=%s now=%d fewer+=%d meteor+=%d full+=%d pool_empty+=%d"
    say(events, GF_SEAT, RULE_PLANET, grown ? "grown" GROWN : "grown_nothing" GROWN,
        cards->planet[number].name, cards->planet[number].resource,
        grown ? gf_kind_words(cards, number - 1, grown, planet->dark).p : NULL, planet->cubes,
        grown ? wanted - grown : 0, planet->meteor > 0, !planet->meteor && full,
        !planet->meteor && !full && empty);
}

static void farm_grows(const struct gf_cards *cards, struct gf_state *state, struct events *events)
{
    uint8_t grown[GF_PLANETS] = {0};
    uint8_t missed[GF_PLANETS] = {0};
    for (int i = 0; i < GF_PLOTS; i++) {
        struct gf_plot *plot = &state->plot[i];
        int resource = plot->planted - 1;
        if (!plot->planted || plot->crop >= cards->crops)
            continue;
        if (state->pool[resource] < 1) {
            missed[resource]++;
            continue;
        }
        state->pool[resource]--;
        plot->crop++;
        grown[resource]++;
    }
    if (gf_sum(grown))
        say(events, GF_SEAT, RULE_FARM, "farm_grown what=%s", gf_cubes_words(cards, state, grown).p);
    if (gf_sum(missed))
        say(events, GF_SEAT, RULE_FARM, "farm_nothing what=%s", gf_cubes_words(cards, state, missed).p);
}

static void growth(const struct gf_cards *cards, struct gf_state *state, struct events *events)
{
    for (int position = 1; position <= GF_PLANETS; position++)
        planet_grows(cards, state, gf_planet_at(state, position), events);
    farm_grows(cards, state, events);
}

/* "End turn and Refuel": only here, never in passing. Fuel above the tank's size, from a Fuel Pocket, is
 * kept. */
static void refuel(const struct gf_cards *cards, struct gf_state *state, struct events *events)
{
    int tank = gf_tank(cards, state);
    if (state->place != GF_HOME || state->fuel >= tank)
        return;
    state->fuel = tank;
    say(events, GF_SEAT, RULE_HOME, "refuelled fuel_now=%d", tank);
}

/* ---- the turn ---- */

static bool has_orders(const struct script *script)
{
    for (size_t i = 0; script && i < script_line_count(script); i++) {
        enum script_line_kind kind = script_line(script, i)->kind;
        if (kind == LINE_ORDERS || kind == LINE_BAD)
            return true;
    }
    return false;
}

/* The safe default: the ship stays; at HOME the farm is harvested into the store. */
static void default_turn(struct gf_turn *turn)
{
    struct gf_state *state = turn->state;
    uint8_t reaped[GF_PLANETS] = {0};
    if (state->place != GF_HOME)
        return;
    for (int i = 0; i < GF_PLOTS; i++) {
        for (; state->plot[i].crop > 0 && gf_store_room(turn->cards, state) > 0;
             reaped[state->plot[i].planted - 1]++)
            gf_reap(state, i, 1, 0);
    }
    if (!gf_sum(reaped))
        return;
    say(turn->events, GF_SEAT, RULE_FARM, "harvested what=%s to_store=%d",
        gf_cubes_words(turn->cards, state, reaped).p, gf_sum(reaped));
}

/* Harvesting and lifting cost nothing, and a plot with a crop and an empty top half grow nothing. */
static void tell_unused(struct gf_turn *turn)
{
    const struct gf_state *state = turn->state;
    int crops = 0;
    if (state->place != GF_HOME) {
        const struct gf_planet *planet = gf_planet(state, state->place);
        if (planet->idle && !planet->working && !planet->meteor && planet->cubes < turn->cards->uncollected)
            event_unused(turn->events, "lift planet=%s workers=%d one?=%d",
                         turn->cards->planet[state->place].name, planet->idle, planet->idle == 1);
        return;
    }
    for (int i = 0; i < GF_PLOTS; i++)
        crops += state->plot[i].crop;
    if (crops && gf_store_room(turn->cards, state) > 0)
        event_unused(turn->events, "harvest crops=%d one?=%d", crops, crops == 1);
}

/* Draws nothing: all that is random was drawn in the deal. */
void gf_play(const void *data, void *to, const struct resolution *in)
{
    const struct gf_cards *cards = data;
    struct gf_state *state = to;
    struct events *events = in->events;
    struct gf_turn turn = {
        .cards = cards, .state = state, .events = events, .lines = line_events_begin(events, GF_SEAT)};
    const struct script_listener listener = {line_events_done, &turn.lines};
    const struct script *script = in->orders[GF_SEAT].script;
    gf_tame(cards, state);
    event_rest(events);
    if (state->end != GF_RUNNING)
        return;
    if (!has_orders(script))
        default_turn(&turn);
    if (script) {
        struct script_run *run = script_run_new(script, &gf_language, &turn, in->turn, &listener);
        script_run_phase(run, 0);
        script_run_free(run);
    }
    tell_unused(&turn);
    if (events->fates_only)
        return;
    refuel(cards, state, events);
    gf_event_step(cards, state, events);
    orders_step(cards, state, events);
    judge(cards, state, events);
    if (state->end != GF_RUNNING)
        return;
    growth(cards, state, events);
    state->turn++;
}
