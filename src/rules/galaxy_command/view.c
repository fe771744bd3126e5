/* What a seat may know, as JSON. Face-down systems and the order of the unseen events are hidden from
 * everybody; nothing else is. */
#include "rules/galaxy_command/turn.h"
#include "rules/put.h"

#include <string.h>

/* Left out when 0, so that templates can ask for it. */
static void put_amount(struct value *object, const char *key, int amount)
{
    if (amount)
        value_put_int(object, key, amount);
}

static void put_name(struct value *list, const char *name)
{
    value_put_text(value_add_object(list), "name", name);
}

/* ---- one player ---- */

static struct value *view_slot(struct arena *arena, const struct gc_cards *cards,
                               const struct gc_player *player, int slot)
{
    const struct gc_slot *place = &player->slot[slot];
    struct value *object = value_object(arena);
    value_put_text(object, "slot", gc_slot_name(slot));
    value_put_flag(object, "distant", !gc_slot_near(slot));
    value_put_flag(object, "explored", place->open);
    if (!place->open)
        return object;
    const struct gc_card *card = gc_card(cards, place->card);
    value_put_text(object, "name", card->name);
    value_put_int(object, "resistance", card->resistance);
    value_put_int(object, "metal", card->metal);
    value_put_int(object, "wealth", card->wealth);
    value_put_int(object, "vp", card->vp);
    struct value *words = value_put_object(object, "words");
    put_amount(words, "metal", card->metal);
    put_amount(words, "wealth", card->wealth);
    value_put_flag(words, "one", card->vp == 1);
    value_put_flag(object, "aligned", place->aligned > 0);
    if (place->aligned) {
        value_put_int(object, "alignment", place->aligned);
        value_put_flag(object, "latest", slot == gc_latest_aligned(player));
    } else {
        value_put_int(object, "chance", gc_chance(player, card->resistance));
    }
    return object;
}

static struct value *view_tech(struct arena *arena, const struct gc_cards *cards,
                               const struct gc_player *player, int number)
{
    const struct gc_technology *tech = &cards->tech[number];
    bool owned = player->tech[number];
    bool locked = !owned && gc_tech_locked(cards, player, number);
    struct value *object = value_object(arena);
    value_put_text(object, "id", tech->id);
    value_put_text(object, "name", tech->name);
    value_put_int(object, "row", tech->row);
    value_put_int(object, "cost", tech->cost);
    value_put_flag(object, "owned", owned);
    value_put_flag(object, "locked", locked);
    value_put_flag(object, "available", !owned && !locked);
    value_put_flag(object, "over_storage", !owned && tech->cost > gc_storage_limit(cards, player));
    if (locked)
        value_put_text(object, "needs", cards->tech[tech->requires].name);
    return object;
}

static struct value *view_points(struct arena *arena, struct gc_points points)
{
    const int bonus = points.exploration + points.scientific + points.warlord;
    struct value *object = value_object(arena);
    put(object, "systems=%d technologies=%d exploration=%d scientific=%d", points.systems,
        points.technologies, points.exploration, points.scientific);
    put(object, "warlord=%d bonus=%d some_bonus+=%d", points.warlord, bonus, bonus);
    value_put_int(object, "total", points.total);
    return object;
}

/* "N3 to N6, F1"; empty when nothing is face down. */
static void put_face_down(struct value *object, const struct gc_player *player)
{
    struct str names = STR_INIT;
    for (int i = 0, end; i < GC_SLOTS; i = end + 1) {
        end = i;
        if (player->slot[i].open)
            continue;
        while (end + 1 < GC_SLOTS && !player->slot[end + 1].open && gc_slot_near(end + 1) == gc_slot_near(i))
            end++;
        str_addf(&names, "%s%s%s%s", names.len ? ", " : "", gc_slot_name(i), end > i ? " to " : "",
                 end > i ? gc_slot_name(end) : "");
    }
    value_put_slice(object, "face_down", slice_str(&names));
    str_release(&names);
}

static void view_sector(struct value *object, const struct gc_cards *cards, const struct gc_player *player)
{
    struct arena *arena = value_arena(object);
    struct value *sector = value_list(arena);
    struct value *face_up = value_list(arena);
    int explored = 0;
    int aligned = 0;
    int distant = 0;
    for (int i = 0; i < GC_SLOTS; i++) {
        value_add(sector, view_slot(arena, cards, player, i));
        if (player->slot[i].open)
            value_add(face_up, view_slot(arena, cards, player, i));
        explored += player->slot[i].open;
        aligned += player->slot[i].aligned > 0;
        distant += player->slot[i].aligned > 0 && !gc_slot_near(i);
    }
    value_mark_more(face_up);
    value_put(object, "sector", sector);
    value_put(object, "face_up", face_up);
    put_face_down(object, player);
    put(object, "explored=%d shows?=%d", explored, explored > 0);
    put(object, "aligned=%d distant_aligned=%d", aligned, distant);
}

static void view_technologies(struct value *object, const struct gc_cards *cards,
                              const struct gc_player *player)
{
    struct arena *arena = value_arena(object);
    struct value *technologies = value_list(arena);
    struct value *owned = value_list(arena);
    struct value *available = value_list(arena);
    for (int i = 0; i < GC_TECHS; i++) {
        const struct value *tech = view_tech(arena, cards, player, i);
        value_add(technologies, tech);
        if (value_is_true(value_get(tech, "available")))
            value_add(available, value_copy(arena, tech));
        if (player->tech[i])
            put_name(owned, cards->tech[i].name);
    }
    value_mark_more(owned);
    value_put_flag(object, "has_owned", value_count(owned) > 0);
    value_put_int(object, "technologies_owned", (int64_t)value_count(owned));
    value_put(object, "technologies", technologies);
    value_mark_more(available);
    value_put(object, "owned", owned);
    value_put(object, "researchable", available);
}

static struct value *view_player(struct arena *arena, const struct gc_cards *cards,
                                 const struct gc_state *state, int seat, const struct score *score)
{
    const struct gc_player *player = gc_player_const(state, seat);
    struct gc_effect production = gc_production(cards, player);
    struct value *object = value_object(arena);
    static const char *const closings[] = {"far_needs_forward", "far_needs_aligned", "far_all_explored"};
    const char *closed = gc_far_closed(player);
    put(object, "seat=%d lost?=%d metal=%d wealth=%d storage_limit=%d", seat, player->lost, player->metal,
        player->wealth, gc_storage_limit(cards, player));
    put(object, "military=%d military_limit=%d metal_production=%d wealth_production=%d strike?=%d",
        player->military, gc_military_limit(cards, player), production.metal, production.wealth,
        player->strike);
    put(object, "diplomacy?=%d strike_half?=%d distant_open?=%d distant_closed=%s", player->diplomacy,
        player->strike && player->tech[GC_ROBOTS], !closed, closed ? closed : "");
    for (size_t i = 0; i < sizeof(closings) / sizeof(closings[0]); i++)
        value_put_flag(object, closings[i], closed && strcmp(closed, closings[i]) == 0);
    view_sector(object, cards, player);
    view_technologies(object, cards, player);
    value_put(object, "points", view_points(arena, gc_points(cards, player)));
    put(object, "score=%d rank=%s", score->points, score->rank);
    rank_words(value_put_object(object, "rank_words"), gc_ranks, slice_of(score->rank));
    put(object, "place=%d won?=%d", score->place, score->won);
    return object;
}

/* ---- events and systems still unseen ---- */

static struct value *view_roll(struct arena *arena, const struct gc_card *card)
{
    struct value *list = value_list(arena);
    for (int die = 1; die <= 6; die++) {
        if (!(card->roll & 1U << die))
            continue;
        struct value *object = value_object(arena);
        value_put_int(object, "die", die);
        value_add(list, object);
    }
    value_mark_more(list);
    return list;
}

/* By enum gc_happening, and that of alerts. */
static const char *const effects[] = {"none", "gain", "strike", "revolt", "invasion", "red_alert"};

static struct value *view_effect(struct arena *arena, const struct gc_cards *cards,
                                 const struct gc_card *card, int year)
{
    const struct gc_effect *effect = &card->year[year - 1];
    struct value *object = value_object(arena);
    value_put_text(object, "name", card->name);
    if (card->kind == GC_ALERT) {
        struct value *alert = value_object(arena);
        if (card->concern == GC_IF_TECH)
            value_put_text(alert, "technology", cards->tech[card->concern_value].name);
        else
            value_put_int(alert, card->concern == GC_IF_WEALTH ? "wealth" : "military", card->concern_value);
        put_amount(alert, "lose_metal", card->lose.metal);
        put_amount(alert, "lose_wealth", card->lose.wealth);
        put_amount(alert, "lose_military", card->lose_military);
        value_put(alert, "roll", view_roll(arena, card));
        value_put(object, "red_alert", alert);
        return object;
    }
    if (card->happening == GC_NOTHING || card->happening == GC_STRIKE) {
        value_put_flag(object, effects[card->happening], true);
        return object;
    }
    struct value *event = value_object(arena);
    put_amount(event, "force", effect->force);
    put_amount(event, "metal", effect->metal);
    put_amount(event, "wealth", effect->wealth);
    value_put(object, effects[card->happening], event);
    return object;
}

/* The unseen events in the order of their numbers, which says nothing about the order in the piles. */
static struct value *view_unseen(struct arena *arena, const struct gc_cards *cards,
                                 const struct gc_state *state)
{
    uint8_t unseen[DECK_CARDS];
    const int count = decks_unseen(gc_decks, cards, state, GC_EVENT, 0, unseen);
    struct value *list = value_list(arena);
    for (int i = 0; i < count; i++)
        value_add(list, view_effect(arena, cards, gc_card(cards, unseen[i]), state->year == 2 ? 2 : 1));
    return list;
}

/* The same by what they do: {"revolt": {"list": [...]}, ...}. */
static void put_by_effect(struct value *kinds, const struct value *unseen)
{
    for (size_t i = 0; i < sizeof effects / sizeof *effects; i++) {
        struct value *list = value_list(value_arena(kinds));
        for (const struct value *event = value_first(unseen); event; event = event->next)
            if (value_get(event, effects[i]))
                value_add(list, value_copy(value_arena(kinds), event));
        value_mark_more(list);
        if (value_count(list))
            value_put(value_put_object(kinds, effects[i]), "list", list);
    }
}

static struct value *view_events(struct arena *arena, const struct gc_cards *cards,
                                 const struct gc_state *state)
{
    struct value *object = value_object(arena);
    struct value *used = value_list(arena);
    put(object, "left=%d unused=%d", state->pile_count, state->unused_count);
    for (int i = 0; i < state->used_count; i++)
        put_name(used, gc_card(cards, state->used[i])->name);
    value_mark_more(used);
    value_put(object, "used", used);
    value_put_flag(object, "nothing_used", state->used_count == 0);
    struct value *unseen = view_unseen(arena, cards, state);
    value_put(object, "unseen", unseen);
    put_by_effect(value_put_object(object, "by_effect"), unseen);
    return object;
}

/* ---- the whole ---- */

static struct value *view_common(struct arena *arena, const struct gc_state *state)
{
    struct value *object = value_object(arena);
    int aligned = gc_distant_aligned(state);
    int needed = gc_distant_needed(state);
    put(object, "distant_aligned=%d distant_needed=%d average=%d reached?=%d", aligned, needed, state->coop,
        aligned >= needed);
    return object;
}

static void view_game(struct value *object, const struct gc_cards *cards, const struct gc_state *state)
{
    struct arena *arena = value_arena(object);
    const char *ending = gc_ending(state);
    struct value *order = value_list(arena);
    put(object, "game=%s year=%d round=%d rounds=%d turn=%d", "galaxy-command", state->year, state->round,
        cards->rounds[state->year == 2], gc_turn_number(cards, state));
    put(object, "turns=%d solo?=%d solo18?=%d over?=%d ending=%s", cards->rounds[0] + cards->rounds[1],
        state->seats == 1, state->solo18, state->over, ending);
    put(object, "years_over?=%d all_lost?=%d has_others?=%d", strcmp(ending, "years_over") == 0,
        strcmp(ending, "all_lost") == 0, state->seats > 1);
    for (int place = 0; place < gc_seats(state); place++)
        value_add_int(order, gc_seat_at(state, place));
    value_put(object, "order", order);
    if (state->seats > 1)
        value_put(object, "common", view_common(arena, state));
    value_put(object, "events", view_events(arena, cards, state));
}

struct value *gc_view(const void *data, const void *from, int seat, struct arena *arena)
{
    const struct gc_cards *cards = data;
    const struct gc_state *state = from;
    struct score score[GC_SEATS + 1];
    struct value *object = value_object(arena);
    struct value *players = value_list(arena);
    struct value *others = value_list(arena);
    gc_scores(cards, state, score);
    value_put_int(object, "seat", seat);
    view_game(object, cards, state);
    for (int n = 1; n <= gc_seats(state); n++) {
        struct value *player = view_player(arena, cards, state, n, &score[n]);
        value_add(players, player);
        if (n == seat)
            value_put(object, "own", player);
        else
            value_add(others, player);
    }
    value_put(object, "players", players);
    value_put(object, "others", others);
    value_put(object, "form", gc_form(cards, state, seat, arena));
    return object;
}
