/* What a seat may know, as JSON. Only the order of the two decks is hidden; nothing else is. */
#include "rules/galaxy_farmer/turn.h"

#include <string.h>

#include "base/json.h"
#include "base/str.h"

static void put_int(json_t *object, const char *key, int64_t n)
{
    json_object_set_new_nocheck(object, key, json_integer(n));
}

static void put_text(json_t *object, const char *key, const char *text)
{
    json_object_set_new_nocheck(object, key, json_text(slice_of(text)));
}

static void put_flag(json_t *object, const char *key, bool flag)
{
    json_object_set_new_nocheck(object, key, json_boolean(flag));
}

/* False when 0, so that templates can ask for it and do not find one further out. */
static void put_amount(json_t *object, const char *key, int amount)
{
    json_object_set_new_nocheck(object, key, amount ? json_integer(amount) : json_false());
}

/* Marks the first element, and with "more" all but the last, for the commas between them. */
static void mark_more(json_t *list)
{
    size_t count = json_array_size(list);
    for (size_t i = 0; i < count; i++) {
        put_flag(json_array_get(list, i), "first", i == 0);
        put_flag(json_array_get(list, i), "more", i + 1 < count);
    }
}

static json_t *view_cubes(const char *resource, int count, bool dark)
{
    json_t *object = json_object();
    put_text(object, "resource", resource);
    put_text(object, "state", gf_state_word(dark));
    put_int(object, "count", count);
    return object;
}

/* A list of free cubes with the state of their planets. */
static json_t *view_heap(const struct gf_cards *cards, const struct gf_state *state,
                         const uint8_t heap[GF_PLANETS])
{
    json_t *list = json_array();
    for (int i = 0; i < GF_PLANETS; i++) {
        if (heap[i])
            json_array_append_new(list,
                                  view_cubes(cards->planet[i + 1].resource, heap[i], gf_dark(state, i)));
    }
    mark_more(list);
    return list;
}

/* ---- ship and HOME ---- */

static json_t *view_ship(const struct gf_cards *cards, const struct gf_state *state)
{
    json_t *object = json_object();
    put_int(object, "seat", GF_SEAT);
    put_text(object, "ship", cards->ship[state->ship].name);
    put_text(object, "place", cards->planet[state->place].name);
    put_flag(object, "at_home", state->place == GF_HOME);
    put_int(object, "fuel", state->fuel);
    put_int(object, "tank", gf_tank(cards, state));
    put_int(object, "aboard", state->aboard);
    put_int(object, "bunks", gf_bunks(cards, state));
    put_int(object, "strength", gf_strength(cards, state));
    put_int(object, "cargo_count", gf_sum(state->cargo));
    put_int(object, "cargo_limit", gf_cargo_limit(cards, state));
    json_object_set_new_nocheck(object, "cargo", view_heap(cards, state, state->cargo));
    return object;
}

static json_t *view_home(const struct gf_cards *cards, const struct gf_state *state)
{
    json_t *object = json_object();
    json_t *plots = json_array();
    put_int(object, "workers", state->home);
    put_int(object, "store_count", gf_sum(state->store));
    put_int(object, "store_limit", cards->home_store);
    json_object_set_new_nocheck(object, "store", view_heap(cards, state, state->store));
    for (int i = 0; i < gf_plots(cards, state); i++) {
        const struct gf_plot *plot = &state->plot[i];
        json_t *entry = json_object();
        put_int(entry, "plot", i + 1);
        put_flag(entry, "planted", plot->planted > 0);
        put_text(entry, "resource", plot->planted ? cards->planet[plot->planted].resource : "");
        put_text(entry, "state", plot->planted ? gf_state_word(gf_dark(state, plot->planted - 1)) : "");
        put_amount(entry, "crop", plot->crop);
        json_array_append_new(plots, entry);
    }
    mark_more(plots);
    json_object_set_new_nocheck(object, "plots", plots);
    return object;
}

/* ---- orders ---- */

static json_t *view_order(const struct gf_cards *cards, const struct gf_state *state, int slot)
{
    const struct gf_order *order = &state->open[slot];
    const struct gf_order_card *card = gf_order_card(cards, order);
    char code[GF_CODE];
    json_t *object = json_object();
    json_t *needs = json_array();
    json_t *missing = json_array();
    json_t *locked = json_array();
    gf_code(code, 'O', order->card);
    for (int i = 0; i < card->needs; i++) {
        const char *resource = cards->planet[card->need[i].resource + 1].resource;
        bool dark = card->need[i].dark;
        json_array_append_new(needs, view_cubes(resource, card->need[i].count, dark));
        if (gf_need_missing(cards, order, i) > 0)
            json_array_append_new(missing, view_cubes(resource, gf_need_missing(cards, order, i), dark));
        if (order->locked[i])
            json_array_append_new(locked, view_cubes(resource, order->locked[i], dark));
    }
    mark_more(needs);
    mark_more(missing);
    mark_more(locked);
    put_text(object, "code", code);
    put_text(object, "name", card->name);
    put_int(object, "points", card->points);
    put_int(object, "timer", order->timer);
    put_int(object, "track", card->track);
    put_int(object, "left", gf_turns_left(cards, order));
    put_flag(object, "held", gf_held_slot(cards, state) == slot);
    put_flag(object, "complete", gf_missing(cards, order) == 0);
    put_flag(object, "some_locked", json_array_size(locked) > 0);
    json_object_set_new_nocheck(object, "needs", needs);
    json_object_set_new_nocheck(object, "missing", missing);
    json_object_set_new_nocheck(object, "locked", locked);
    return object;
}

static json_t *view_orders(const struct gf_cards *cards, const struct gf_state *state)
{
    json_t *list = json_array();
    for (int i = 0; i < GF_OPEN; i++) {
        if (state->open[i].card)
            json_array_append_new(list, view_order(cards, state, i));
    }
    return list;
}

/* ---- the map ---- */

static json_t *view_planet(const struct gf_cards *cards, const struct gf_state *state, int number)
{
    const struct gf_planet *planet = gf_planet(state, number);
    bool enemy = gf_planet_at(state, state->enemy) == number;
    bool here = state->place == number;
    json_t *object = json_object();
    put_int(object, "position", gf_position(state, number));
    put_text(object, "name", cards->planet[number].name);
    put_text(object, "ring", gf_is_inner(cards, state, number) ? "inner" : "outer");
    put_flag(object, "inner", gf_is_inner(cards, state, number));
    put_text(object, "colour", cards->colour[cards->planet[number].colour]);
    put_text(object, "resource", cards->planet[number].resource);
    put_text(object, "top", gf_state_word(planet->dark));
    put_flag(object, "dark", planet->dark);
    put_int(object, "working", planet->working);
    put_amount(object, "idle", planet->idle);
    put_int(object, "grown", planet->cubes);
    put_int(object, "yield", gf_yield(cards, state, number));
    put_flag(object, "troop", planet->troop);
    put_amount(object, "meteor", planet->meteor);
    put_flag(object, "enemy", enemy);
    put_int(object, "enemy_steps", gf_enemy_steps(state, number));
    put_flag(object, "here", here);
    put_flag(object, "plain", !planet->troop && !planet->meteor && !enemy && !here);
    put_text(object, "representative", cards->rep[planet->rep].name);
    return object;
}

/* The map as three rows of three cells; HOME in the middle. */
static json_t *view_map(const struct gf_cards *cards, const struct gf_state *state)
{
    static const int grid[9] = {1, 2, 3, 8, 0, 4, 7, 6, 5};
    json_t *rows = json_array();
    for (int row = 0; row < 3; row++) {
        json_t *cells = json_array();
        for (int column = 0; column < 3; column++) {
            int position = grid[3 * row + column];
            int planet = position ? gf_planet_at(state, position) : GF_HOME;
            json_t *cell = json_object();
            put_flag(cell, "column", column > 0);
            put_amount(cell, "position", position);
            put_text(cell, "name", cards->planet[planet].name);
            put_flag(cell, "dark", planet && gf_planet(state, planet)->dark);
            put_flag(cell, "enemy", planet && state->enemy == position);
            put_flag(cell, "troop", planet && gf_planet(state, planet)->troop);
            put_flag(cell, "here", state->place == planet);
            json_array_append_new(cells, cell);
        }
        json_t *object = json_object();
        json_object_set_new_nocheck(object, "cells", cells);
        json_array_append_new(rows, object);
    }
    return rows;
}

static json_t *view_planets(const struct gf_cards *cards, const struct gf_state *state)
{
    json_t *list = json_array();
    for (int position = 1; position <= GF_PLANETS; position++)
        json_array_append_new(list, view_planet(cards, state, gf_planet_at(state, position)));
    return list;
}

/* ---- representatives ---- */

static json_t *view_quest(const struct gf_cards *cards, const struct gf_state *state, int rep,
                          const struct gf_quest *quest)
{
    json_t *object = json_object();
    put_flag(object, "visit", quest->kind == GF_VISIT);
    put_flag(object, "show", quest->kind == GF_GROWN);
    put_flag(object, "give", quest->kind == GF_GIVE);
    put_text(object, "state", gf_state_word(quest->state));
    put_text(object, "resource", cards->planet[gf_rep_planet(state, rep)].resource);
    put_text(object, "of_colour",
             quest->kind == GF_GIVE && quest->colour != GF_ANY ? cards->colour[quest->colour] : "any");
    put_int(object, "count", quest->count);
    put_int(object, "still", quest->kind == GF_GIVE ? gf_quest_missing(state, rep, quest) : quest->count);
    return object;
}

static json_t *view_reps(const struct gf_cards *cards, const struct gf_state *state)
{
    json_t *list = json_array();
    for (int n = 1; n <= GF_PLANETS; n++) {
        const struct gf_quest *quest = gf_next_quest(cards, state, n);
        json_t *object = json_object();
        put_text(object, "name", cards->rep[n].name);
        put_text(object, "planet", cards->planet[gf_rep_planet(state, n)].name);
        put_int(object, "done", state->rep[n - 1].cubes);
        put_text(object, "ability", cards->rep[n].text);
        put_flag(object, "is_partner", state->partner == n);
        put_flag(object, "may_join", !state->partner && !quest);
        put_flag(object, "finished", state->partner && state->partner != n && !quest);
        json_object_set_new_nocheck(object, "next",
                                    quest ? view_quest(cards, state, n, quest) : json_false());
        json_array_append_new(list, object);
    }
    return list;
}

/* ---- decks ---- */

static void add_name(json_t *list, const char *name)
{
    json_t *object = json_object();
    put_text(object, "name", name);
    json_array_append_new(list, object);
}

/* The cards still in the order deck, by number, which says nothing about their order. */
static json_t *view_unseen_orders(const struct gf_cards *cards, const struct gf_state *state)
{
    json_t *list = json_array();
    for (int n = 1; n <= cards->orders; n++) {
        if (memchr(state->orders, n, (size_t)state->order_count))
            add_name(list, cards->order[n].name);
    }
    mark_more(list);
    return list;
}

static bool same_event(const struct gf_event_card *a, const struct gf_event_card *b)
{
    return strcmp(a->name, b->name) == 0 && a->happening == b->happening && a->colour == b->colour &&
           a->inner == b->inner && a->position == b->position && a->clockwise == b->clockwise &&
           a->steps == b->steps && a->amount == b->amount;
}

/* The cards still in the event deck, equal ones counted. */
static json_t *view_unseen_events(const struct gf_cards *cards, const struct gf_state *state)
{
    json_t *list = json_array();
    bool told[GF_EVENTS + 1] = {false};
    for (int n = 1; n <= cards->events; n++) {
        const struct gf_event_card *card = &cards->event[n];
        int count = 0;
        for (int i = 0; i < state->event_count && !told[n]; i++)
            count += same_event(card, &cards->event[state->events[i]]);
        for (int other = n; other <= cards->events; other++)
            told[other] = told[other] || same_event(card, &cards->event[other]);
        if (!count)
            continue;
        bool enemy = card->happening == GF_PATROL || card->happening == GF_WARP;
        json_t *object = json_object();
        put_text(object, "name", card->name);
        put_amount(object, "times", count > 1 ? count : 0);
        put_amount(object, "steps", enemy ? card->steps : 0);
        put_flag(object, "clockwise", enemy && card->clockwise);
        json_object_set_new_nocheck(object, "strikes",
                                    card->happening == GF_METEOR
                                        ? json_string(cards->planet[gf_planet_at(state, card->position)].name)
                                        : json_false());
        json_array_append_new(list, object);
    }
    mark_more(list);
    return list;
}

static json_t *view_used(const struct gf_cards *cards, const struct gf_state *state)
{
    json_t *list = json_array();
    for (int i = 0; i < state->used_count; i++)
        add_name(list, cards->event[state->used[i]].name);
    mark_more(list);
    return list;
}

/* ---- the whole ---- */

static void view_game(json_t *object, const struct gf_cards *cards, const struct gf_state *state)
{
    static const char *const levels[] = {"easy", "normal", "hard"};
    static const char *const ends[] = {"won", "orders_failed", "workers_killed", "troops_everywhere",
                                       "events_over"};
    const char *ending = gf_ending(state);
    put_text(object, "game", "galaxy-farmer");
    put_int(object, "turn", state->turn);
    put_text(object, "difficulty", levels[state->difficulty]);
    put_flag(object, "lenient", state->lenient);
    put_int(object, "score", state->score);
    put_int(object, "goal", gf_goal(cards, state));
    put_int(object, "failed", state->failed);
    put_int(object, "failed_limit", gf_failed_limit(cards, state));
    put_int(object, "killed", state->killed);
    put_int(object, "killed_limit", gf_killed_limit(cards, state));
    put_int(object, "completed", state->completed);
    put_int(object, "troops", gf_troops(state));
    put_int(object, "troops_limit", cards->lose_troops);
    put_int(object, "events_left", state->event_count);
    put_int(object, "orders_left", state->order_count);
    put_flag(object, "over", state->end != GF_RUNNING);
    put_text(object, "ending", ending);
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
        put_flag(object, ends[i], strcmp(ending, ends[i]) == 0);
}

json_t *gf_view(const void *data, const void *from, int seat)
{
    const struct gf_cards *cards = data;
    struct gf_state tame = *(const struct gf_state *)from;
    const struct gf_state *state = &tame;
    json_t *object = json_object();
    gf_tame(cards, &tame);
    put_int(object, "seat", seat);
    view_game(object, cards, state);
    json_object_set_new_nocheck(object, "own", view_ship(cards, state));
    json_object_set_new_nocheck(object, "home", view_home(cards, state));
    json_object_set_new_nocheck(object, "orders", view_orders(cards, state));
    json_object_set_new_nocheck(object, "map", view_map(cards, state));
    json_object_set_new_nocheck(object, "planets", view_planets(cards, state));
    json_object_set_new_nocheck(object, "representatives", view_reps(cards, state));
    json_object_set_new_nocheck(object, "enemy_at",
                                json_string(cards->planet[gf_planet_at(state, state->enemy)].name));
    json_object_set_new_nocheck(object, "unseen_orders", view_unseen_orders(cards, state));
    json_object_set_new_nocheck(object, "unseen_events", view_unseen_events(cards, state));
    json_object_set_new_nocheck(object, "used_events", view_used(cards, state));
    put_flag(object, "nothing_used", state->used_count == 0);
    json_object_set_new_nocheck(object, "form", seat == GF_SEAT ? gf_form(cards, state) : json_array());
    return object;
}
