/* Step 4 and 5: the event after the players' turns, red alerts, the end of a year, the end of the game. */
#include "rules/galaxy_command/turn.h"

#include <string.h>

#define RULE_EVENT "Step 4: Drawing an Event Card"
#define RULE_ALERT "Game Card Types: Red Alert"
#define RULE_YEAR  "Step 5: End of Year"
#define RULE_SCORE "Player Scoring"
#define RULE_WIN   "Multiplayer: How to Win"

struct happening {
    const struct gc_cards *cards;
    struct gc_state *state;
    struct chance *chance;
    struct events *events;
    int number; /* of the card */
    const struct gc_card *card;
};

/* Cuts the top card off a pile; 0 when it is empty. */
static int take(uint8_t *pile, int *count)
{
    if (*count < 1)
        return 0;
    int top = pile[0];
    memmove(pile, pile + 1, (size_t)-- * count);
    pile[*count] = 0;
    return top;
}

static void put_used(struct gc_state *state, int number)
{
    if (state->used_count < GC_EVENTS)
        state->used[state->used_count++] = (uint8_t)number;
}

static struct event *card_event(const struct happening *now, const char *type, int seat, const char *rule)
{
    struct event *event = event_add(now->events, type, EVENT_PUBLIC, seat, rule);
    event_text(event, "card", now->card->name);
    return event;
}

static int roll(const struct happening *now, const char *what, int seat, char label[CHANCE_LABEL])
{
    chance_label(label, "%s/%d/s%d", what, now->number, seat);
    return chance_die(now->chance, 6, label);
}

/* ---- red alerts ---- */

static bool concerned(const struct gc_card *card, const struct gc_player *player)
{
    switch (card->concern) {
    case GC_IF_MILITARY: return player->military == card->concern_value;
    case GC_IF_WEALTH: return player->wealth >= card->concern_value;
    case GC_IF_TECH: return player->tech[card->concern_value];
    }
    return false;
}

static int lose(int have, int loss)
{
    return have > loss ? have - loss : 0;
}

static void alert_seat(const struct happening *now, int seat)
{
    struct gc_player *player = gc_player(now->state, seat);
    const struct gc_card *card = now->card;
    char label[CHANCE_LABEL];
    int die = roll(now, "alert", seat, label);
    bool hit = (card->roll & 1U << die) != 0;
    if (hit) {
        player->metal = lose(player->metal, card->lose.metal);
        player->wealth = lose(player->wealth, card->lose.wealth);
        player->military = lose(player->military, card->lose_military);
    }
    struct event *event = card_event(now, hit ? "alert_hit" : "alert_safe", seat, RULE_ALERT);
    event_die(event, label, die);
    event_int(event, "die", die);
    if (!hit)
        return;
    event_amount(event, "lose_metal", card->lose.metal);
    event_amount(event, "lose_wealth", card->lose.wealth);
    event_amount(event, "lose_military", card->lose_military);
    event_int(event, "metal_now", player->metal);
    event_int(event, "wealth_now", player->wealth);
    event_int(event, "military_now", player->military);
}

static void alert(const struct happening *now)
{
    int rolled = 0;
    card_event(now, "red_alert", 0, RULE_ALERT);
    for (int place = 0; place < gc_seats(now->state); place++) {
        int seat = gc_seat_at(now->state, place);
        const struct gc_player *player = gc_player(now->state, seat);
        if (player->lost || !concerned(now->card, player))
            continue;
        alert_seat(now, seat);
        rolled++;
    }
    if (!rolled)
        card_event(now, "alert_nobody", 0, RULE_ALERT);
}

/* ---- events ---- */

static void gain_kind(const struct happening *now, int seat, const char *kind, int *have, int amount)
{
    int limit = gc_storage_limit(now->cards, gc_player(now->state, seat));
    int room = limit > *have ? limit - *have : 0;
    int added = amount < room ? amount : room;
    if (!amount)
        return;
    *have += added;
    struct event *event = card_event(now, added ? "gained" : "gain_ignored", seat, RULE_EVENT);
    event_text(event, "kind", kind);
    event_int(event, "amount", added);
    event_amount(event, "lost", amount - added);
    event_int(event, "now", *have);
    event_int(event, "limit", limit);
}

static void gain(const struct happening *now, int seat)
{
    struct gc_player *player = gc_player(now->state, seat);
    const struct gc_effect *effect = &now->card->year[now->state->year == 2];
    gain_kind(now, seat, "metal", &player->metal, effect->metal);
    gain_kind(now, seat, "wealth", &player->wealth, effect->wealth);
}

/* The aligned slot of the lowest printed resistance; among equals one is drawn. -1 when there is none. */
static int revolt_target(const struct happening *now, int seat, int *tie)
{
    const struct gc_player *player = gc_player(now->state, seat);
    int candidate[GC_SLOTS];
    int lowest = 0;
    *tie = 0;
    for (int i = 0; i < GC_SLOTS; i++) {
        int resistance = gc_card(now->cards, player->slot[i].card)->resistance;
        if (!player->slot[i].aligned || (*tie && resistance > lowest))
            continue;
        if (*tie && resistance < lowest)
            *tie = 0;
        lowest = resistance;
        candidate[(*tie)++] = i;
    }
    if (*tie < 1)
        return -1;
    if (*tie == 1)
        return candidate[0];
    char label[CHANCE_LABEL];
    chance_label(label, "tie/%d/s%d", now->number, seat);
    return candidate[chance_pick(now->chance, (uint32_t)*tie, label)];
}

static void no_target(const struct happening *now, int seat)
{
    if (now->state->year == 1) {
        card_event(now, "no_target", seat, RULE_EVENT);
        return;
    }
    gc_player(now->state, seat)->lost = true;
    card_event(now, "home_lost", seat, RULE_EVENT);
}

/* Revolt and invasion differ only in the target and in the technology that helps. */
static void assail(const struct happening *now, int seat)
{
    bool revolt = now->card->happening == GC_REVOLT;
    struct gc_player *player = gc_player(now->state, seat);
    int tie = 0;
    int slot = revolt ? revolt_target(now, seat, &tie) : gc_latest_aligned(player);
    if (slot < 0) {
        no_target(now, seat);
        return;
    }
    char label[CHANCE_LABEL];
    char slot_name[GC_SLOT_NAME];
    const struct gc_card *system = gc_card(now->cards, player->slot[slot].card);
    int bonus = player->tech[revolt ? GC_TELEVISION : GC_DEFENSES] ? 1 : 0;
    int force = now->card->year[now->state->year == 2].force;
    int die = roll(now, "event", seat, label);
    bool fallen = die + force >= system->resistance + bonus;
    if (fallen)
        player->slot[slot].aligned = 0;
    const char *type =
        revolt ? (fallen ? "revolt_lost" : "revolt_held") : (fallen ? "invasion_lost" : "invasion_held");
    struct event *event = card_event(now, type, seat, RULE_EVENT);
    gc_slot_name(slot_name, slot);
    event_die(event, label, die);
    event_text(event, "slot", slot_name);
    event_text(event, "system", system->name);
    event_int(event, "die", die);
    event_int(event, "force", force);
    event_int(event, "total", die + force);
    event_int(event, "printed", system->resistance);
    event_int(event, "resistance", system->resistance + bonus);
    event_amount(event, "bonus", bonus);
    event_amount(event, "tie", tie > 1 ? tie : 0);
}

static void happen_to(const struct happening *now, int seat)
{
    switch (now->card->happening) {
    case GC_NOTHING: break;
    case GC_GAIN: gain(now, seat); break;
    case GC_STRIKE:
        gc_player(now->state, seat)->strike = true;
        event_settled(now->events);
        break;
    case GC_REVOLT:
    case GC_INVASION: assail(now, seat); break;
    }
}

static void happen(const struct happening *now)
{
    struct event *event = card_event(now, "event_drawn", 0, RULE_EVENT);
    event_int(event, "number", now->number);
    event_int(event, "year", now->state->year);
    if (now->card->happening == GC_NOTHING)
        card_event(now, "quiet", 0, RULE_EVENT);
    if (now->card->happening == GC_STRIKE)
        card_event(now, "strike", 0, RULE_EVENT);
    for (int place = 0; place < gc_seats(now->state); place++) {
        int seat = gc_seat_at(now->state, place);
        if (!gc_player(now->state, seat)->lost)
            happen_to(now, seat);
    }
}

/* ---- years and the end ---- */

static void final_scores(const struct gc_cards *cards, struct gc_state *state, struct events *events)
{
    struct score score[GC_SEATS + 1];
    gc_scores(cards, state, score);
    for (int seat = 1; seat <= gc_seats(state); seat++) {
        struct gc_points points = gc_points(cards, gc_player(state, seat));
        bool lost = score[seat].fate == SEAT_LOST;
        struct event *event =
            event_add(events, lost ? "final_lost" : "final_score", EVENT_PUBLIC, seat, RULE_SCORE);
        event_text(event, "rank", score[seat].rank);
        if (lost)
            continue;
        event_int(event, "points", score[seat].points);
        event_int(event, "place", score[seat].place);
        event_int(event, "systems", points.systems);
        event_int(event, "technologies", points.technologies);
        event_amount(event, "exploration", points.exploration);
        event_amount(event, "scientific", points.scientific);
        event_amount(event, "warlord", points.warlord);
    }
    if (state->seats < 2)
        return;
    int aligned = gc_distant_aligned(state);
    int needed = gc_distant_needed(state);
    struct event *event =
        event_add(events, aligned >= needed ? "common_victory" : "common_defeat", EVENT_PUBLIC, 0, RULE_WIN);
    event_int(event, "distant", aligned);
    event_int(event, "needed", needed);
}

static void end_game(const struct gc_cards *cards, struct gc_state *state, struct events *events,
                     const char *type)
{
    state->over = true;
    event_add(events, type, EVENT_PUBLIC, 0, RULE_YEAR);
    final_scores(cards, state, events);
}

static void second_year(const struct gc_cards *cards, struct gc_state *state, struct chance *chance,
                        struct events *events)
{
    uint8_t deck[GC_CARDS];
    size_t count = gc_deck(cards, state, GC_EVENT, deck);
    state->year = 2;
    state->round = 1;
    chance_shuffle(chance, true, "year2/events", deck, count);
    gc_lay_events(cards, state, deck, count);
    struct event *event = event_add(events, "year_begins", EVENT_PUBLIC, 0, RULE_YEAR);
    event_int(event, "year", state->year);
    event_int(event, "events", state->pile_count);
    event_int(event, "unused", state->unused_count);
}

static void round_ends(const struct gc_cards *cards, struct gc_state *state, struct chance *chance,
                       struct events *events)
{
    bool anyone = false;
    for (int seat = 1; seat <= gc_seats(state); seat++)
        anyone = anyone || !gc_player(state, seat)->lost;
    if (!anyone)
        end_game(cards, state, events, "all_lost");
    else if (state->pile_count > 0)
        state->round++;
    else if (state->year == 1)
        second_year(cards, state, chance, events);
    else
        end_game(cards, state, events, "years_over");
}

void gc_event_step(const struct gc_cards *cards, struct gc_state *state, struct chance *chance,
                   struct events *events)
{
    struct happening now = {.cards = cards, .state = state, .chance = chance, .events = events};
    now.number = take(state->pile, &state->pile_count);
    now.card = gc_card(cards, now.number);
    /* A red alert does not count as the event of the round: the unused pile gives another card, which may be
     * one again. */
    while (now.number && now.card->kind == GC_ALERT) {
        alert(&now);
        put_used(state, now.number);
        event_rest(events);
        now.number = take(state->unused, &state->unused_count);
        now.card = gc_card(cards, now.number);
    }
    if (now.number) {
        happen(&now);
        put_used(state, now.number);
        event_rest(events);
    } else {
        event_add(events, "no_event", EVENT_PUBLIC, 0, RULE_EVENT);
    }
    round_ends(cards, state, chance, events);
}
