#include "rules/galaxy_command/state.h"

#include <string.h>

/* ---- setup ---- */

static bool in_play(const struct gc_state *state, const struct gc_card *card)
{
    return card->name[0] && (!state->solo18 || card->solo18);
}

size_t gc_deck(const struct gc_cards *cards, const struct gc_state *state, enum gc_kind kind, uint8_t *out)
{
    size_t count = 0;
    for (int n = 1; n <= GC_CARDS; n++) {
        const struct gc_card *card = &cards->card[n];
        if (!in_play(state, card))
            continue;
        if (card->kind == kind || (kind == GC_EVENT && card->kind == GC_ALERT))
            out[count++] = (uint8_t)n;
    }
    return count;
}

void gc_lay_systems(struct gc_state *state, bool distant, const uint8_t *deck)
{
    int from = distant ? GC_NEAR_SLOTS : 0;
    int to = distant ? GC_SLOTS : GC_NEAR_SLOTS;
    for (int seat = 1; seat <= gc_seats(state); seat++) {
        for (int slot = from; slot < to; slot++)
            gc_player(state, seat)->slot[slot].card = *deck++;
    }
}

void gc_lay_events(const struct gc_cards *cards, struct gc_state *state, const uint8_t *deck, size_t count)
{
    state->pile_count = cards->rounds[state->year == 2];
    state->unused_count = (int)count - state->pile_count;
    state->used_count = 0;
    memset(state->pile, 0, sizeof(state->pile));
    memset(state->unused, 0, sizeof(state->unused));
    memset(state->used, 0, sizeof(state->used));
    for (size_t i = 0; i < count; i++) {
        if ((int)i < state->pile_count)
            state->pile[i] = deck[i];
        else
            state->unused[(int)i - state->pile_count] = deck[i];
    }
}

int gc_init(const void *data, int seats, const int options[GAME_OPTIONS], void *to, struct err *err)
{
    const struct gc_cards *cards = data;
    struct gc_state *state = to;
    uint8_t deck[GC_CARDS];
    if (seats < 1 || seats > GC_SEATS)
        return err_set(err, ERR_INPUT, "Galaxy Command is for 1 to %d players, not %d", GC_SEATS, seats);
    if (options[GC_OPTION_SOLO18] && seats != 1)
        return err_set(err, ERR_INPUT, "The option solo18 is for one player; this game has %d", seats);
    state->seats = seats;
    state->solo18 = options[GC_OPTION_SOLO18] != 0;
    state->coop = options[GC_OPTION_COOP];
    state->year = 1;
    state->round = 1;
    state->first = 1;
    for (int seat = 1; seat <= seats; seat++) {
        struct gc_player *player = gc_player(state, seat);
        player->metal = cards->start_metal;
        player->wealth = cards->start_wealth;
        player->military = cards->start_military;
    }
    gc_deck(cards, state, GC_NEAR, deck);
    gc_lay_systems(state, false, deck);
    gc_deck(cards, state, GC_DISTANT, deck);
    gc_lay_systems(state, true, deck);
    gc_lay_events(cards, state, deck, gc_deck(cards, state, GC_EVENT, deck));
    return 0;
}

/* ---- what follows from the state ---- */

int gc_seats(const struct gc_state *state)
{
    return state->seats < 1 ? 1 : state->seats > GC_SEATS ? GC_SEATS : state->seats;
}

struct gc_player *gc_player(struct gc_state *state, int seat)
{
    return &state->player[seat >= 1 && seat <= GC_SEATS ? seat - 1 : 0];
}

const struct gc_player *gc_player_const(const struct gc_state *state, int seat)
{
    return &state->player[seat >= 1 && seat <= GC_SEATS ? seat - 1 : 0];
}

int gc_seat_at(const struct gc_state *state, int place)
{
    int seats = gc_seats(state);
    int first = state->first >= 1 && state->first <= seats ? state->first : 1;
    return (first - 1 + place) % seats + 1;
}

int gc_turn_number(const struct gc_cards *cards, const struct gc_state *state)
{
    return state->year == 2 ? cards->rounds[0] + state->round : state->round;
}

const char *gc_slot_name(int slot)
{
    static const char *const names[GC_SLOTS] = {"N1", "N2", "N3", "N4", "N5", "N6", "F1", "F2", "F3"};
    return names[slot];
}

int gc_storage_limit(const struct gc_cards *cards, const struct gc_player *player)
{
    return player->tech[GC_BANKING] ? cards->storage_banking : cards->storage;
}

int gc_military_limit(const struct gc_cards *cards, const struct gc_player *player)
{
    return player->tech[GC_CAPITAL] ? cards->military_capital : cards->military;
}

struct gc_effect gc_production(const struct gc_cards *cards, const struct gc_player *player)
{
    struct gc_effect sum = {0, cards->start_prod_metal, cards->start_prod_wealth};
    for (int i = 0; i < GC_SLOTS; i++) {
        if (!player->slot[i].aligned)
            continue;
        sum.metal += gc_card(cards, player->slot[i].card)->metal;
        sum.wealth += gc_card(cards, player->slot[i].card)->wealth;
    }
    return sum;
}

struct gc_effect gc_income(const struct gc_cards *cards, const struct gc_player *player)
{
    struct gc_effect income = gc_production(cards, player);
    if (player->strike && player->tech[GC_ROBOTS])
        return (struct gc_effect){0, (income.metal + 1) / 2, (income.wealth + 1) / 2};
    return player->strike ? (struct gc_effect){0, 0, 0} : income;
}

int gc_chance(const struct gc_player *player, int resistance)
{
    if (player->diplomacy)
        return 6;
    int good = 7 - (resistance - player->military);
    return good < 0 ? 0 : good > 6 ? 6 : good;
}

int gc_face_down(const struct gc_player *player, bool distant)
{
    for (int i = distant ? GC_NEAR_SLOTS : 0; i < (distant ? GC_SLOTS : GC_NEAR_SLOTS); i++) {
        if (!player->slot[i].open)
            return i;
    }
    return -1;
}

int gc_gate_closed_by(const struct gc_player *player)
{
    for (int i = 0; i < GC_NEAR_SLOTS; i++) {
        if (player->slot[i].open && !player->slot[i].aligned)
            return i;
    }
    return -1;
}

int gc_best_target(const struct gc_cards *cards, const struct gc_player *player)
{
    int best = -1;
    int best_value = -1;
    for (int i = 0; i < GC_SLOTS; i++) {
        if (!player->slot[i].open || player->slot[i].aligned)
            continue;
        const struct gc_card *card = gc_card(cards, player->slot[i].card);
        int value = gc_chance(player, card->resistance) * 16 + card->vp;
        if (value > best_value) {
            best = i;
            best_value = value;
        }
    }
    return best;
}

const char *gc_far_closed(const struct gc_player *player)
{
    if (!player->tech[GC_FORWARD])
        return "far_needs_forward";
    if (gc_gate_closed_by(player) >= 0)
        return "far_needs_aligned";
    return gc_face_down(player, true) < 0 ? "far_all_explored" : NULL;
}

int gc_gift_slot(const struct gc_cards *cards, const struct gc_player *player)
{
    int hardest = -1;
    if (!gc_far_closed(player))
        return gc_face_down(player, true);
    for (int i = 0; i < GC_SLOTS; i++) {
        if (!player->slot[i].open || player->slot[i].aligned)
            continue;
        if (hardest < 0 || gc_card(cards, player->slot[i].card)->resistance >
                               gc_card(cards, player->slot[hardest].card)->resistance)
            hardest = i;
    }
    return hardest >= 0 ? hardest : gc_face_down(player, false);
}

int gc_latest_aligned(const struct gc_player *player)
{
    int latest = -1;
    for (int i = 0; i < GC_SLOTS; i++) {
        if (player->slot[i].aligned && (latest < 0 || player->slot[i].aligned > player->slot[latest].aligned))
            latest = i;
    }
    return latest;
}

bool gc_tech_locked(const struct gc_cards *cards, const struct gc_player *player, int tech)
{
    enum gc_tech left = cards->tech[tech].requires;
    return left < GC_TECHS && !player->tech[left];
}

/* ---- where cards lie ---- */

/* Nobody may look at face-down cards. Any order of the unseen events over both piles is as likely as any other: the
 * piles are cut from one shuffled deck, and a red alert takes its substitute from the top of the unused ones. */
void gc_decks(const void *cards, const void *from, struct decks *to)
{
    static const char *const names[] = {"near system card", "distant system card", "event card"};
    const struct gc_state *state = from;
    for (int kind = GC_NEAR; kind <= GC_EVENT; kind++) {
        struct deck *deck = deck_add(to, names[kind], kind == GC_EVENT ? REST_NONE : REST_BOXED, 0);
        deck->cards = (int)gc_deck(cards, state, (enum gc_kind)kind, deck->card);
    }
    for (int seat = 1; seat <= gc_seats(state); seat++)
        for (int i = 0; i < GC_SLOTS; i++) {
            const struct gc_slot *slot = &gc_player_const(state, seat)->slot[i];
            deck_put(&to->deck[gc_slot_near(i) ? GC_NEAR : GC_DISTANT],
                     PLACE(slot->card, slot->open ? EVENT_PUBLIC : 0));
        }
    deck_pile(&to->deck[GC_EVENT], state->pile, state->pile_count, 0);
    deck_pile(&to->deck[GC_EVENT], state->unused, state->unused_count, 0);
    deck_pile(&to->deck[GC_EVENT], state->used, state->used_count, EVENT_PUBLIC);
}

void gc_conceal(const void *cards, void *state, int seat, struct chance *chance)
{
    decks_conceal(gc_decks, cards, state, seat, chance);
}
