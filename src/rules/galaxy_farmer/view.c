/* What a seat may know, as JSON. Only the order of the two decks is hidden; nothing else is. */
#include "rules/galaxy_farmer/turn.h"
#include "rules/put.h"

#include <string.h>

/* Marks the first element, and with "more" all but the last, for the commas between them. */
static void mark_more(struct value *list)
{
    for (struct value *part = value_first(list); part; part = part->next)
        value_put_flag(part, "first", part == value_first(list));
    value_mark_more(list);
}

static struct value *view_cubes(struct arena *arena, const char *resource, int count, bool dark)
{
    struct value *object = value_object(arena);
    value_put_text(object, "resource", resource);
    value_put_text(object, "state", gf_state_word(dark));
    value_put_int(object, "count", count);
    return object;
}

/* A list of free cubes with the state of their planets. */
static struct value *view_heap(struct arena *arena, const struct gf_cards *cards,
                               const struct gf_state *state, const uint8_t heap[GF_PLANETS])
{
    struct value *list = value_list(arena);
    for (int i = 0; i < GF_PLANETS; i++) {
        if (heap[i])
            value_add(list, view_cubes(arena, cards->planet[i + 1].resource, heap[i], gf_dark(state, i)));
    }
    mark_more(list);
    return list;
}

/* ---- ship and HOME ---- */

static struct value *view_ship(struct arena *arena, const struct gf_cards *cards,
                               const struct gf_state *state)
{
    struct value *object = value_object(arena);
    put(object, "seat=%d ship=%s place=%s at_home?=%d fuel=%d tank=%d", GF_SEAT,
        cards->ship[state->ship].name, cards->planet[state->place].name, state->place == GF_HOME, state->fuel,
        gf_tank(cards, state));
    put(object, "aboard=%d bunks=%d strength=%d cargo_count=%d cargo_limit=%d cargo_room=%d", state->aboard,
        gf_bunks(cards, state), gf_strength(cards, state), gf_sum(state->cargo), gf_cargo_limit(cards, state),
        gf_cargo_room(cards, state));
    value_put(object, "cargo", view_heap(arena, cards, state, state->cargo));
    return object;
}

static struct value *view_home(struct arena *arena, const struct gf_cards *cards,
                               const struct gf_state *state)
{
    struct value *object = value_object(arena);
    struct value *plots = value_list(arena);
    put(object, "workers=%d one_worker?=%d", state->home, state->home == 1);
    put(object, "store_count=%d store_limit=%d store_room=%d", gf_sum(state->store), cards->home_store,
        gf_store_room(cards, state));
    value_put(object, "store", view_heap(arena, cards, state, state->store));
    for (int i = 0; i < gf_plots(cards, state); i++) {
        const struct gf_plot *plot = &state->plot[i];
        struct value *entry = value_object(arena);
        put(entry, "plot=%d planted?=%d resource=%s state=%s crop+=%d", i + 1, plot->planted > 0,
            plot->planted ? cards->planet[plot->planted].resource : "",
            plot->planted ? gf_state_word(gf_dark(state, plot->planted - 1)) : "", plot->crop);
        value_add(plots, entry);
    }
    mark_more(plots);
    value_put(object, "plots", plots);
    return object;
}

/* ---- orders ---- */

static struct value *view_order(struct arena *arena, const struct gf_cards *cards,
                                const struct gf_state *state, int slot)
{
    const struct gf_order *order = &state->open[slot];
    const struct gf_order_card *card = gf_order_card(cards, order);
    char code[GF_CODE];
    struct value *object = value_object(arena);
    struct value *needs = value_list(arena);
    struct value *missing = value_list(arena);
    struct value *locked = value_list(arena);
    gf_code(code, 'O', order->card);
    for (int i = 0; i < card->needs; i++) {
        const char *resource = cards->planet[card->need[i].resource + 1].resource;
        bool dark = card->need[i].dark;
        value_add(needs, view_cubes(arena, resource, card->need[i].count, dark));
        if (gf_need_missing(cards, order, i) > 0)
            value_add(missing, view_cubes(arena, resource, gf_need_missing(cards, order, i), dark));
        if (order->locked[i])
            value_add(locked, view_cubes(arena, resource, order->locked[i], dark));
    }
    mark_more(needs);
    mark_more(missing);
    mark_more(locked);
    put(object, "code=%s name=%s points=%d timer=%d", code, card->name, card->points, order->timer);
    put(object, "track=%d left=%d last_turn?=%d", card->track, gf_turns_left(cards, order),
        gf_turns_left(cards, order) <= 1);
    put(object, "held?=%d complete?=%d some_locked?=%d", gf_held_slot(cards, state) == slot,
        gf_missing(cards, order) == 0, value_count(locked) > 0);
    value_put(object, "needs", needs);
    value_put(object, "missing", missing);
    value_put(object, "locked", locked);
    return object;
}

static struct value *view_orders(struct arena *arena, const struct gf_cards *cards,
                                 const struct gf_state *state)
{
    struct value *list = value_list(arena);
    for (int i = 0; i < GF_OPEN; i++) {
        if (state->open[i].card)
            value_add(list, view_order(arena, cards, state, i));
    }
    return list;
}

/* ---- the map ---- */

/* For templates alone, what is there: ["grown", "working", ...], objects with one member and "more". */
static void put_there(struct value *object, const struct gf_planet *planet, bool enemy, bool here)
{
    const struct {
        const char *name;
        int count; /* 0: not there */
        bool told; /* how many */
    } things[] = {{"grown", planet->cubes, true},   {"working", planet->working, true},
                  {"idle", planet->idle, true},     {"here", here, false},
                  {"enemy", enemy, false},          {"troop", planet->troop, false},
                  {"meteor", planet->meteor, false}};
    struct value *there = value_put_list(object, "there");
    for (size_t i = 0; i < sizeof things / sizeof *things; i++) {
        if (!things[i].count)
            continue;
        struct value *one = value_add_object(there);
        for (size_t j = 0; j < sizeof things / sizeof *things; j++)
            value_put_flag(one, things[j].name, false); /* those of the planet are not looked up */
        if (things[i].told)
            value_put_int(one, things[i].name, things[i].count);
        else
            value_put_flag(one, things[i].name, true);
    }
    value_mark_more(there);
}

static struct value *view_planet(struct arena *arena, const struct gf_cards *cards,
                                 const struct gf_state *state, int number)
{
    const struct gf_planet *planet = gf_planet(state, number);
    bool enemy = gf_planet_at(state, state->enemy) == number;
    bool here = state->place == number;
    struct value *object = value_object(arena);
    value_put_int(object, "position", gf_position(state, number));
    value_put_text(object, "name", cards->planet[number].name);
    value_put_text(object, "ring", gf_is_inner(cards, state, number) ? "inner" : "outer");
    value_put_flag(object, "inner", gf_is_inner(cards, state, number));
    value_put_text(object, "colour", cards->colour[cards->planet[number].colour]);
    value_put_text(object, "resource", cards->planet[number].resource);
    value_put_text(object, "top", gf_state_word(planet->dark));
    value_put_flag(object, "dark", planet->dark);
    value_put_int(object, "working", planet->working);
    value_put_amount(object, "idle", planet->idle);
    value_put_int(object, "grown", planet->cubes);
    value_put_flag(object, "one_cube", planet->cubes == 1);
    value_put_flag(object, "one_worker", planet->working == 1);
    value_put_int(object, "yield", gf_yield(cards, state, number));
    value_put_flag(object, "troop", planet->troop);
    value_put_amount(object, "meteor", planet->meteor);
    value_put_flag(object, "enemy", enemy);
    value_put_int(object, "enemy_steps", gf_enemy_steps(state, number));
    value_put_flag(object, "here", here);
    value_put_flag(object, "plain", !planet->troop && !planet->meteor && !enemy && !here);
    value_put_text(object, "representative", cards->rep[planet->rep].name);
    put_there(object, planet, enemy, here);
    return object;
}

/* The map as three rows of three cells; HOME in the middle. */
static struct value *view_map(struct arena *arena, const struct gf_cards *cards, const struct gf_state *state)
{
    static const int grid[9] = {1, 2, 3, 8, 0, 4, 7, 6, 5};
    struct value *rows = value_list(arena);
    for (int row = 0; row < 3; row++) {
        struct value *cells = value_list(arena);
        for (int column = 0; column < 3; column++) {
            int position = grid[3 * row + column];
            int planet = position ? gf_planet_at(state, position) : GF_HOME;
            struct value *cell = value_object(arena);
            put(cell, "column?=%d position+=%d name=%s dark?=%d", column > 0, position,
                cards->planet[planet].name, planet && gf_planet(state, planet)->dark);
            put(cell, "enemy?=%d troop?=%d here?=%d", planet && state->enemy == position,
                planet && gf_planet(state, planet)->troop, state->place == planet);
            value_add(cells, cell);
        }
        struct value *object = value_object(arena);
        value_put(object, "cells", cells);
        value_add(rows, object);
    }
    return rows;
}

static struct value *view_planets(struct arena *arena, const struct gf_cards *cards,
                                  const struct gf_state *state)
{
    struct value *list = value_list(arena);
    for (int position = 1; position <= GF_PLANETS; position++)
        value_add(list, view_planet(arena, cards, state, gf_planet_at(state, position)));
    return list;
}

/* ---- representatives ---- */

static struct value *view_quest(struct arena *arena, const struct gf_cards *cards,
                                const struct gf_state *state, int rep, const struct gf_quest *quest)
{
    struct value *object = value_object(arena);
    put(object, "visit?=%d show?=%d give?=%d state=%s", quest->kind == GF_VISIT, quest->kind == GF_GROWN,
        quest->kind == GF_GIVE, gf_state_word(quest->state));
    put(object, "resource=%s of_colour=%s count=%d still=%d",
        cards->planet[gf_rep_planet(state, rep)].resource,
        quest->kind == GF_GIVE && quest->colour != GF_ANY ? cards->colour[quest->colour] : "any",
        quest->count, quest->kind == GF_GIVE ? gf_quest_missing(state, rep, quest) : quest->count);
    return object;
}

static struct value *view_reps(struct arena *arena, const struct gf_cards *cards,
                               const struct gf_state *state)
{
    struct value *list = value_list(arena);
    for (int n = 1; n <= GF_PLANETS; n++) {
        const struct gf_quest *quest = gf_next_quest(cards, state, n);
        struct value *object = value_object(arena);
        put(object, "name=%s planet=%s done=%d ability=%s", cards->rep[n].name,
            cards->planet[gf_rep_planet(state, n)].name, state->rep[n - 1].cubes, cards->rep[n].text);
        put(object, "is_partner?=%d may_join?=%d finished?=%d", state->partner == n,
            !state->partner && !quest, state->partner && state->partner != n && !quest);
        value_put(object, "next", quest ? view_quest(arena, cards, state, n, quest) : &value_false);
        value_add(list, object);
    }
    return list;
}

/* For templates alone: who waits for no more than a visit. */
static struct value *view_visits(struct arena *arena, const struct gf_cards *cards,
                                 const struct gf_state *state)
{
    struct value *list = value_list(arena);
    for (int n = 1; n <= GF_PLANETS; n++) {
        const struct gf_quest *quest = gf_next_quest(cards, state, n);
        if (!quest || quest->kind != GF_VISIT)
            continue;
        struct value *object = value_add_object(list);
        put(object, "first?=%d name=%s planet=%s", value_count(list) == 1, cards->rep[n].name,
            cards->planet[gf_rep_planet(state, n)].name);
    }
    value_mark_more(list);
    return list;
}

/* ---- decks ---- */

static void add_name(struct value *list, const char *name)
{
    value_put_text(value_add_object(list), "name", name);
}

/* The cards still in the order deck, by number, which says nothing about their order. */
static struct value *view_unseen_orders(struct arena *arena, const struct gf_cards *cards,
                                        const struct gf_state *state)
{
    uint8_t unseen[DECK_CARDS];
    const int count = decks_unseen(gf_decks, cards, state, GF_ORDER_DECK, 0, unseen);
    struct value *list = value_list(arena);
    for (int i = 0; i < count; i++)
        add_name(list, cards->order[unseen[i]].name);
    mark_more(list);
    return list;
}

static bool same_event(const struct gf_event_card *a, const struct gf_event_card *b)
{
    return strcmp(a->name, b->name) == 0 && a->happening == b->happening && a->colour == b->colour &&
           a->inner == b->inner && a->position == b->position && a->clockwise == b->clockwise &&
           a->steps == b->steps && a->amount == b->amount;
}

/* The cards still in the event deck, with a count for equal ones. */
static struct value *view_unseen_events(struct arena *arena, const struct gf_cards *cards,
                                        const struct gf_state *state)
{
    struct value *list = value_list(arena);
    uint8_t unseen[DECK_CARDS];
    const int left = decks_unseen(gf_decks, cards, state, GF_EVENT_DECK, 0, unseen);
    for (int i = 0; i < left; i++) {
        const struct gf_event_card *card = &cards->event[unseen[i]];
        int before = 0, count = 0;
        for (int k = 0; k < left; k++) {
            const bool same = same_event(card, &cards->event[unseen[k]]);
            before += same && k < i;
            count += same;
        }
        if (before)
            continue;
        bool enemy = card->happening == GF_PATROL || card->happening == GF_WARP;
        struct value *object = value_object(arena);
        put(object, "name=%s times+=%d steps+=%d clockwise?=%d", card->name, count > 1 ? count : 0,
            enemy ? card->steps : 0, enemy && card->clockwise);
        if (card->happening == GF_METEOR)
            value_put_text(object, "strikes", cards->planet[gf_planet_at(state, card->position)].name);
        else
            value_put_flag(object, "strikes", false);
        value_add(list, object);
    }
    mark_more(list);
    return list;
}

static struct value *view_used(struct arena *arena, const struct gf_cards *cards,
                               const struct gf_state *state)
{
    struct value *list = value_list(arena);
    for (int i = 0; i < state->used_count; i++)
        add_name(list, cards->event[state->used[i]].name);
    mark_more(list);
    return list;
}

/* ---- the whole ---- */

static void view_game(struct value *object, const struct gf_cards *cards, const struct gf_state *state)
{
    static const char *const levels[] = {"easy", "normal", "hard"};
    static const char *const ends[] = {"won", "orders_failed", "workers_killed", "troops_everywhere",
                                       "events_over"};
    const char *ending = gf_ending(state);
    put(object, "game=%s turn=%d difficulty=%s lenient?=%d score=%d goal=%d", "galaxy-farmer", state->turn,
        levels[state->difficulty], state->lenient, state->tally.score, gf_goal(cards, state));
    put(object, "failed=%d failed_limit=%d killed=%d killed_limit=%d completed=%d troops=%d",
        state->tally.failed, gf_failed_limit(cards, state), state->tally.killed,
        gf_killed_limit(cards, state), state->tally.completed, gf_troops(state));
    put(object, "troops_limit=%d events_left=%d orders_left=%d over?=%d ending=%s", cards->lose.troops,
        state->event_count, state->order_count, state->end != GF_RUNNING, ending);
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
        value_put_flag(object, ends[i], strcmp(ending, ends[i]) == 0);
}

struct value *gf_view(const void *data, const void *from, int seat, struct arena *arena)
{
    const struct gf_cards *cards = data;
    struct gf_state tame = *(const struct gf_state *)from;
    const struct gf_state *state = &tame;
    struct value *object = value_object(arena);
    gf_tame(cards, &tame);
    value_put_int(object, "seat", seat);
    view_game(object, cards, state);
    value_put(object, "own", view_ship(arena, cards, state));
    value_put(object, "home", view_home(arena, cards, state));
    value_put(object, "orders", view_orders(arena, cards, state));
    value_put(object, "map", view_map(arena, cards, state));
    value_put(object, "planets", view_planets(arena, cards, state));
    struct value *reps = view_reps(arena, cards, state), *visits = view_visits(arena, cards, state);
    struct value *words = value_put_object(object, "words");
    value_put(object, "representatives", reps);
    value_put(words, "visits", visits);
    value_put_flag(words, "quests", value_count(visits) < value_count(reps));
    value_put_text(object, "enemy_at", cards->planet[gf_planet_at(state, state->enemy)].name);
    value_put(object, "unseen_orders", view_unseen_orders(arena, cards, state));
    value_put(object, "unseen_events", view_unseen_events(arena, cards, state));
    value_put(object, "used_events", view_used(arena, cards, state));
    value_put_flag(object, "nothing_used", state->used_count == 0);
    value_put(object, "form", gf_form(cards, state, seat, arena));
    return object;
}
