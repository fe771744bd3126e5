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

static int roll(const struct happening *now, const char *what, int seat)
{
    return event_roll(now->events, now->chance, 6, "%s/%d/s%d", what, now->number, seat);
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
    const int die = roll(now, "alert", seat);
    if (!(card->roll & 1U << die)) {
        say(now->events, seat, RULE_ALERT, "alert_safe card=%s die=%d", card->name, die);
        return;
    }
    player->metal = lose(player->metal, card->lose.metal);
    player->wealth = lose(player->wealth, card->lose.wealth);
    player->military = lose(player->military, card->lose_military);
    say(now->events, seat, RULE_ALERT,
        "alert_hit card=%s die=%d lose_metal+=%d lose_wealth+=%d lose_military+=%d metal_now=%d "
        "wealth_now=%d "
        "military_now=%d",
        card->name, die, card->lose.metal, card->lose.wealth, card->lose_military, player->metal,
        player->wealth, player->military);
}

static void alert(const struct happening *now)
{
    int rolled = 0;
    say(now->events, 0, RULE_ALERT, "red_alert card=%s", now->card->name);
    for (int place = 0; place < gc_seats(now->state); place++) {
        int seat = gc_seat_at(now->state, place);
        const struct gc_player *player = gc_player(now->state, seat);
        if (player->lost || !concerned(now->card, player))
            continue;
        alert_seat(now, seat);
        rolled++;
    }
    if (!rolled)
        say(now->events, 0, RULE_ALERT, "alert_nobody card=%s", now->card->name);
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
    say(now->events, seat, RULE_EVENT,
        added ? "gained card=%s kind=%s amount=%d lost+=%d now=%d limit=%d"
              : "gain_ignored card=%s kind=%s amount=%d lost+=%d now=%d limit=%d",
        now->card->name, kind, added, amount - added, *have, limit);
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
        say(now->events, seat, RULE_EVENT, "no_target card=%s", now->card->name);
        return;
    }
    gc_player(now->state, seat)->lost = true;
    say(now->events, seat, RULE_EVENT, "home_lost card=%s", now->card->name);
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
    const struct gc_card *system = gc_card(now->cards, player->slot[slot].card);
    int bonus = player->tech[revolt ? GC_TELEVISION : GC_DEFENSES] ? 1 : 0;
    int force = now->card->year[now->state->year == 2].force;
    int die = roll(now, "event", seat);
    bool fallen = die + force >= system->resistance + bonus;
    if (fallen)
        player->slot[slot].aligned = 0;
#define ASSAILED \
    " card=%s slot=%s system=%s die=%d force=%d total=%d printed=%d resistance=%d bonus+=%d tie+=%d"
    say(now->events, seat, RULE_EVENT,
        revolt ? (fallen ? "revolt_lost" ASSAILED : "revolt_held" ASSAILED)
               : (fallen ? "invasion_lost" ASSAILED : "invasion_held" ASSAILED),
        now->card->name, gc_slot_name(slot), system->name, die, force, die + force, system->resistance,
        system->resistance + bonus, bonus, tie > 1 ? tie : 0);
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
    say(now->events, 0, RULE_EVENT, "event_drawn card=%s number=%d year=%d", now->card->name, now->number,
        now->state->year);
    if (now->card->happening == GC_NOTHING)
        say(now->events, 0, RULE_EVENT, "quiet card=%s", now->card->name);
    if (now->card->happening == GC_STRIKE)
        say(now->events, 0, RULE_EVENT, "strike card=%s", now->card->name);
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
        if (score[seat].fate == SEAT_LOST)
            say(events, seat, RULE_SCORE, "final_lost rank=%s", score[seat].rank);
        else
            say(events, seat, RULE_SCORE,
                "final_score rank=%s points=%d place=%d systems=%d technologies=%d exploration+=%d "
                "scientific+=%d "
                "warlord+=%d",
                score[seat].rank, score[seat].points, score[seat].place, points.systems, points.technologies,
                points.exploration, points.scientific, points.warlord);
    }
    if (state->seats < 2)
        return;
    int aligned = gc_distant_aligned(state);
    int needed = gc_distant_needed(state);
    say(events, 0, RULE_WIN,
        aligned >= needed ? "common_victory distant=%d needed=%d" : "common_defeat distant=%d needed=%d",
        aligned, needed);
}

static void end_game(const struct gc_cards *cards, struct gc_state *state, struct events *events, bool lost)
{
    state->over = true;
    say(events, 0, RULE_YEAR, lost ? "all_lost" : "years_over");
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
    say(events, 0, RULE_YEAR, "year_begins year=%d events=%d unused=%d", state->year, state->pile_count,
        state->unused_count);
}

static void round_ends(const struct gc_cards *cards, struct gc_state *state, struct chance *chance,
                       struct events *events)
{
    bool anyone = false;
    for (int seat = 1; seat <= gc_seats(state); seat++)
        anyone = anyone || !gc_player(state, seat)->lost;
    if (!anyone)
        end_game(cards, state, events, true);
    else if (state->pile_count > 0)
        state->round++;
    else if (state->year == 1)
        second_year(cards, state, chance, events);
    else
        end_game(cards, state, events, false);
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
        say(events, 0, RULE_EVENT, "no_event");
    }
    round_ends(cards, state, chance, events);
}
