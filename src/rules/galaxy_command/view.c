/* What a seat may know, as JSON. Face-down systems and the order of the unseen events are hidden from
 * everybody; nothing else is. */
#include "rules/galaxy_command/turn.h"

#include <string.h>

#include "base/json.h"

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

/* Left out when 0, so that templates can ask for it. */
static void put_amount(json_t *object, const char *key, int amount)
{
    if (amount)
        put_int(object, key, amount);
}

/* Marks all elements but the last with "more", for the commas between them. */
static void mark_more(json_t *list)
{
    size_t count = json_array_size(list);
    for (size_t i = 0; i < count; i++)
        put_flag(json_array_get(list, i), "more", i + 1 < count);
}

static void put_name(json_t *list, const char *name)
{
    json_t *object = json_object();
    put_text(object, "name", name);
    json_array_append_new(list, object);
}

/* ---- one player ---- */

static json_t *view_slot(const struct gc_cards *cards, const struct gc_player *player, int slot)
{
    const struct gc_slot *place = &player->slot[slot];
    char name[GC_SLOT_NAME];
    json_t *object = json_object();
    gc_slot_name(name, slot);
    put_text(object, "slot", name);
    put_flag(object, "distant", !gc_slot_near(slot));
    put_flag(object, "explored", place->open);
    if (!place->open)
        return object;
    const struct gc_card *card = gc_card(cards, place->card);
    put_text(object, "name", card->name);
    put_int(object, "resistance", card->resistance);
    put_int(object, "metal", card->metal);
    put_int(object, "wealth", card->wealth);
    put_int(object, "vp", card->vp);
    put_flag(object, "aligned", place->aligned > 0);
    if (place->aligned) {
        put_int(object, "alignment", place->aligned);
        put_flag(object, "latest", slot == gc_latest_aligned(player));
    } else {
        put_int(object, "chance", gc_chance(player, card->resistance));
    }
    return object;
}

static json_t *view_tech(const struct gc_cards *cards, const struct gc_player *player, int number)
{
    const struct gc_technology *tech = &cards->tech[number];
    bool owned = player->tech[number];
    bool locked = !owned && gc_tech_locked(cards, player, number);
    json_t *object = json_object();
    put_text(object, "id", tech->id);
    put_text(object, "name", tech->name);
    put_int(object, "row", tech->row);
    put_int(object, "cost", tech->cost);
    put_flag(object, "owned", owned);
    put_flag(object, "locked", locked);
    put_flag(object, "available", !owned && !locked);
    put_flag(object, "over_storage", !owned && tech->cost > gc_storage_limit(cards, player));
    if (locked)
        put_text(object, "needs", cards->tech[tech->requires].name);
    return object;
}

static json_t *view_points(struct gc_points points)
{
    json_t *object = json_object();
    put_int(object, "systems", points.systems);
    put_int(object, "technologies", points.technologies);
    put_int(object, "exploration", points.exploration);
    put_int(object, "scientific", points.scientific);
    put_int(object, "warlord", points.warlord);
    put_int(object, "bonus", points.exploration + points.scientific + points.warlord);
    put_int(object, "total", points.total);
    return object;
}

static void view_sector(json_t *object, const struct gc_cards *cards, const struct gc_player *player)
{
    json_t *sector = json_array();
    json_t *face_up = json_array();
    int explored = 0;
    int aligned = 0;
    int distant = 0;
    for (int i = 0; i < GC_SLOTS; i++) {
        json_array_append_new(sector, view_slot(cards, player, i));
        if (player->slot[i].open)
            json_array_append_new(face_up, view_slot(cards, player, i));
        explored += player->slot[i].open;
        aligned += player->slot[i].aligned > 0;
        distant += player->slot[i].aligned > 0 && !gc_slot_near(i);
    }
    mark_more(face_up);
    json_object_set_new_nocheck(object, "sector", sector);
    json_object_set_new_nocheck(object, "face_up", face_up);
    put_int(object, "explored", explored);
    put_int(object, "aligned", aligned);
    put_int(object, "distant_aligned", distant);
}

static void view_technologies(json_t *object, const struct gc_cards *cards, const struct gc_player *player)
{
    json_t *technologies = json_array();
    json_t *owned = json_array();
    for (int i = 0; i < GC_TECHS; i++) {
        json_array_append_new(technologies, view_tech(cards, player, i));
        if (player->tech[i])
            put_name(owned, cards->tech[i].name);
    }
    mark_more(owned);
    put_int(object, "technologies_owned", (int64_t)json_array_size(owned));
    json_object_set_new_nocheck(object, "technologies", technologies);
    json_object_set_new_nocheck(object, "owned", owned);
}

static json_t *view_player(const struct gc_cards *cards, const struct gc_state *state, int seat,
                           const struct score *score)
{
    const struct gc_player *player = gc_player_const(state, seat);
    struct gc_effect production = gc_production(cards, player);
    json_t *object = json_object();
    static const char *const closings[] = {"far_needs_forward", "far_needs_aligned", "far_all_explored"};
    const char *closed = gc_far_closed(player);
    put_int(object, "seat", seat);
    put_flag(object, "lost", player->lost);
    put_int(object, "metal", player->metal);
    put_int(object, "wealth", player->wealth);
    put_int(object, "storage_limit", gc_storage_limit(cards, player));
    put_int(object, "military", player->military);
    put_int(object, "military_limit", gc_military_limit(cards, player));
    put_int(object, "metal_production", production.metal);
    put_int(object, "wealth_production", production.wealth);
    put_flag(object, "strike", player->strike);
    put_flag(object, "diplomacy", player->diplomacy);
    put_flag(object, "strike_half", player->strike && player->tech[GC_ROBOTS]);
    put_flag(object, "distant_open", !closed);
    put_text(object, "distant_closed", closed ? closed : "");
    for (size_t i = 0; i < sizeof(closings) / sizeof(closings[0]); i++)
        put_flag(object, closings[i], closed && strcmp(closed, closings[i]) == 0);
    view_sector(object, cards, player);
    view_technologies(object, cards, player);
    json_object_set_new_nocheck(object, "points", view_points(gc_points(cards, player)));
    put_int(object, "score", score->points);
    put_text(object, "rank", score->rank);
    put_int(object, "place", score->place);
    put_flag(object, "won", score->won);
    return object;
}

/* ---- events and systems still unseen ---- */

static json_t *view_roll(const struct gc_card *card)
{
    json_t *list = json_array();
    for (int die = 1; die <= 6; die++) {
        if (!(card->roll & 1U << die))
            continue;
        json_t *object = json_object();
        put_int(object, "die", die);
        json_array_append_new(list, object);
    }
    mark_more(list);
    return list;
}

static json_t *view_effect(const struct gc_cards *cards, const struct gc_card *card, int year)
{
    static const char *const words[] = {"none", "gain", "strike", "revolt", "invasion"};
    const struct gc_effect *effect = &card->year[year - 1];
    json_t *object = json_object();
    put_text(object, "name", card->name);
    if (card->kind == GC_ALERT) {
        json_t *alert = json_object();
        if (card->concern == GC_IF_TECH)
            put_text(alert, "technology", cards->tech[card->concern_value].name);
        else
            put_int(alert, card->concern == GC_IF_WEALTH ? "wealth" : "military", card->concern_value);
        put_amount(alert, "lose_metal", card->lose.metal);
        put_amount(alert, "lose_wealth", card->lose.wealth);
        put_amount(alert, "lose_military", card->lose_military);
        json_object_set_new_nocheck(alert, "roll", view_roll(card));
        json_object_set_new_nocheck(object, "red_alert", alert);
        return object;
    }
    if (card->happening == GC_NOTHING || card->happening == GC_STRIKE) {
        put_flag(object, words[card->happening], true);
        return object;
    }
    json_t *event = json_object();
    put_amount(event, "force", effect->force);
    put_amount(event, "metal", effect->metal);
    put_amount(event, "wealth", effect->wealth);
    json_object_set_new(object, words[card->happening], event);
    return object;
}

/* The unseen events in the order of their numbers, which says nothing about the order in the piles. */
static json_t *view_unseen(const struct gc_cards *cards, const struct gc_state *state)
{
    uint8_t deck[GC_CARDS];
    size_t count = gc_deck(cards, state, GC_EVENT, deck);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        if (!memchr(state->used, deck[i], (size_t)state->used_count))
            json_array_append_new(list,
                                  view_effect(cards, gc_card(cards, deck[i]), state->year == 2 ? 2 : 1));
    }
    return list;
}

static json_t *view_events(const struct gc_cards *cards, const struct gc_state *state)
{
    json_t *object = json_object();
    json_t *used = json_array();
    put_int(object, "left", state->pile_count);
    put_int(object, "unused", state->unused_count);
    for (int i = 0; i < state->used_count; i++)
        put_name(used, gc_card(cards, state->used[i])->name);
    mark_more(used);
    json_object_set_new_nocheck(object, "used", used);
    put_flag(object, "nothing_used", state->used_count == 0);
    json_object_set_new_nocheck(object, "unseen", view_unseen(cards, state));
    return object;
}

/* ---- the whole ---- */

static json_t *view_common(const struct gc_state *state)
{
    json_t *object = json_object();
    int aligned = gc_distant_aligned(state);
    int needed = gc_distant_needed(state);
    put_int(object, "distant_aligned", aligned);
    put_int(object, "distant_needed", needed);
    put_int(object, "average", state->coop);
    put_flag(object, "reached", aligned >= needed);
    return object;
}

static void view_game(json_t *object, const struct gc_cards *cards, const struct gc_state *state)
{
    const char *ending = gc_ending(state);
    json_t *order = json_array();
    put_text(object, "game", "galaxy-command");
    put_int(object, "year", state->year);
    put_int(object, "round", state->round);
    put_int(object, "rounds", cards->rounds[state->year == 2]);
    put_int(object, "turn", gc_turn_number(cards, state));
    put_int(object, "turns", cards->rounds[0] + cards->rounds[1]);
    put_flag(object, "solo", state->seats == 1);
    put_flag(object, "solo18", state->solo18);
    put_flag(object, "over", state->over);
    put_text(object, "ending", ending);
    put_flag(object, "years_over", strcmp(ending, "years_over") == 0);
    put_flag(object, "all_lost", strcmp(ending, "all_lost") == 0);
    put_flag(object, "has_others", state->seats > 1);
    for (int place = 0; place < gc_seats(state); place++)
        json_array_append_new(order, json_integer(gc_seat_at(state, place)));
    json_object_set_new_nocheck(object, "order", order);
    if (state->seats > 1)
        json_object_set_new_nocheck(object, "common", view_common(state));
    json_object_set_new_nocheck(object, "events", view_events(cards, state));
}

json_t *gc_view(const void *data, const void *from, int seat)
{
    const struct gc_cards *cards = data;
    const struct gc_state *state = from;
    struct score score[GC_SEATS + 1];
    json_t *object = json_object();
    json_t *players = json_array();
    json_t *others = json_array();
    gc_scores(cards, state, score);
    put_int(object, "seat", seat);
    view_game(object, cards, state);
    for (int n = 1; n <= gc_seats(state); n++) {
        json_t *player = view_player(cards, state, n, &score[n]);
        json_array_append_new(players, player);
        if (n == seat)
            json_object_set(object, "own", player);
        else
            json_array_append(others, player);
    }
    json_object_set_new_nocheck(object, "players", players);
    json_object_set_new_nocheck(object, "others", others);
    json_object_set_new_nocheck(object, "form", gc_form(cards, state, seat));
    return object;
}
