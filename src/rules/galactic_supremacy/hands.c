#include "rules/galactic_supremacy/hands.h"

#include <string.h>

#include "rules/galactic_supremacy/turn.h"

#define DECK_FACTOR 100 /* a card's number is seat * 100 + number in a seat's own deck */

/* ---- cards and decks ---- */

static int deck_count(const struct gs_state *state)
{
    return state->deck_count < 1 ? 1 : state->deck_count > GS_SEATS ? GS_SEATS : state->deck_count;
}

static int deck_index(const struct gs_state *state, int card)
{
    int index = state->own_decks ? card / DECK_FACTOR - 1 : 0;
    return index >= 0 && index < deck_count(state) ? index : 0;
}

struct gs_deck *gs_deck_of(struct gs_state *state, int card)
{
    return &state->deck[deck_index(state, card)];
}

int gs_own_deck(const struct gs_state *state, int seat)
{
    return state->own_decks && seat >= 1 && seat <= GS_SEATS ? seat - 1 : 0;
}

int gs_card_id(const struct gs_state *state, int deck, int number)
{
    return state->own_decks ? (deck + 1) * DECK_FACTOR + number : number;
}

const struct gs_card *gs_card(const struct gs_cards *cards, int card)
{
    int number = card % DECK_FACTOR;
    return &cards->card[number >= 1 && number <= GS_CARDS ? number : 0];
}

/* ---- hands ---- */

int gs_hand_count(const struct gs_cards *cards, const struct gs_player *player, enum gs_kind kind)
{
    int count = 0;
    for (int i = 0; i < player->hand_count && i < GS_HAND; i++)
        count += gs_card(cards, player->hand[i])->kind == kind;
    return count;
}

int gs_hand_find(const struct gs_cards *cards, const struct gs_player *player, enum gs_kind kind)
{
    for (int i = 0; i < player->hand_count && i < GS_HAND; i++) {
        if (gs_card(cards, player->hand[i])->kind == kind)
            return i;
    }
    return -1;
}

int gs_least_wanted(const struct gs_cards *cards, const struct gs_player *player)
{
    bool listed[GS_KINDS] = {false};
    int worst = -1;
    int most = 0;
    for (int i = 0; i < player->keep_count && i < GS_KINDS; i++)
        listed[player->keep[i] < GS_KINDS ? player->keep[i] : 0] = true;
    for (int kind = 0; kind < GS_KINDS; kind++) {
        int count = gs_hand_count(cards, player, (enum gs_kind)kind);
        if (!listed[kind] && count > most) {
            most = count;
            worst = kind;
        }
    }
    for (int i = player->keep_count; i > 0 && worst < 0; i--) {
        int kind = i <= GS_KINDS && player->keep[i - 1] < GS_KINDS ? player->keep[i - 1] : 0;
        if (gs_hand_count(cards, player, (enum gs_kind)kind))
            worst = kind;
    }
    return worst;
}

int gs_keep_limit(const struct gs_cards *cards, struct gs_player *kept, enum gs_kind gone[GS_HAND])
{
    const int limit = gs_hand_limit(cards, kept);
    int count = 0;
    while (kept->hand_count > limit) {
        const int kind = gs_least_wanted(cards, kept);
        const int at = kind < 0 ? -1 : gs_hand_find(cards, kept, (enum gs_kind)kind);
        if (at < 0)
            break;
        if (gone)
            gone[count] = (enum gs_kind)kind;
        count++;
        kept->hand[at] = kept->hand[--kept->hand_count];
    }
    return count;
}

void gs_hand_put(struct gs_state *state, int seat, int card, int known)
{
    struct gs_player *player = gs_player(state, seat);
    player->hand[player->hand_count] = (uint16_t)card;
    player->known[player->hand_count] = (uint8_t)(known & GS_EVERYBODY & ~(int)SEAT_BIT(seat));
    player->hand_count++;
}

static void cut(struct gs_player *player, int index)
{
    size_t behind = (size_t)(player->hand_count - index - 1);
    memmove(&player->hand[index], &player->hand[index + 1], behind * sizeof(player->hand[0]));
    memmove(&player->known[index], &player->known[index + 1], behind * sizeof(player->known[0]));
    player->hand_count--;
    player->hand[player->hand_count] = 0;
    player->known[player->hand_count] = 0;
}

/* A seat that knew of a card of this kind cannot tell whether it was this one. */
static void forget_one(const struct gs_cards *cards, struct gs_player *player, enum gs_kind kind, int bit)
{
    for (int i = 0; i < player->hand_count; i++) {
        if ((player->known[i] & bit) && gs_card(cards, player->hand[i])->kind == kind) {
            player->known[i] = (uint8_t)(player->known[i] & ~bit);
            return;
        }
    }
}

void gs_hand_forget(struct gs_state *state, int seat, int witnesses)
{
    struct gs_player *player = gs_player(state, seat);
    for (int i = 0; i < player->hand_count; i++)
        player->known[i] = (uint8_t)(player->known[i] & witnesses);
}

int gs_hand_take(const struct gs_cards *cards, struct gs_state *state, int seat, int index, int witnesses)
{
    struct gs_player *player = gs_player(state, seat);
    int card = player->hand[index];
    int knew = player->known[index];
    cut(player, index);
    gs_hand_forget(state, seat, witnesses);
    for (int other = 1; other <= GS_SEATS; other++) {
        int bit = (int)SEAT_BIT(other);
        if ((witnesses & bit) && !(knew & bit))
            forget_one(cards, player, gs_card(cards, card)->kind, bit);
    }
    return card;
}

void gs_hand_first(const struct gs_cards *cards, struct gs_player *player, int index)
{
    int first = gs_hand_find(cards, player, gs_card(cards, player->hand[index])->kind);
    uint16_t card = player->hand[index];
    uint8_t known = player->known[index];
    player->hand[index] = player->hand[first];
    player->known[index] = player->known[first];
    player->hand[first] = card;
    player->known[first] = known;
}

int gs_hand_spend(const struct gs_cards *cards, struct gs_state *state, int seat, enum gs_kind kind)
{
    int index = gs_hand_find(cards, gs_player(state, seat), kind);
    return index < 0 ? 0 : gs_hand_take(cards, state, seat, index, GS_EVERYBODY);
}

void gs_discard(struct gs_state *state, int card)
{
    struct gs_deck *deck = gs_deck_of(state, card);
    if (card && deck->discard_count < GS_CARDS)
        deck->discard[deck->discard_count++] = (uint8_t)(card % DECK_FACTOR);
}

/* ---- drawing ---- */

static void reshuffle(struct gs_table *table, int index)
{
    struct gs_deck *deck = &table->state->deck[index];
    size_t count = deck->discard_count;
    event_rest(table->events);
    memcpy(deck->draw, deck->discard, count);
    for (size_t i = 1; i < count; i++) { /* from a known order: that of the numbers */
        for (size_t j = i; j > 0 && deck->draw[j] < deck->draw[j - 1]; j--) {
            uint8_t other = deck->draw[j];
            deck->draw[j] = deck->draw[j - 1];
            deck->draw[j - 1] = other;
        }
    }
    if (count > 1) {
        char label[CHANCE_LABEL];
        chance_label(label, "reshuffle/%d", ++table->shuffles);
        chance_shuffle(table->chance, true, label, deck->draw, count);
    }
    deck->draw_count = deck->discard_count;
    deck->discard_count = 0;
    memset(deck->discard, 0, sizeof(deck->discard));
    memset(deck->seen, count == 1, sizeof(deck->seen)); /* the only card is no secret */
    say(table->events, table->state->own_decks ? index + 1 : 0, "Draw Phase", "reshuffled cards=%d",
        deck->draw_count);
}

int gs_drawable(const struct gs_table *table, int seat)
{
    const struct gs_deck *deck = &table->state->deck[gs_own_deck(table->state, seat)];
    return deck->draw_count + (table->shuffles < GS_SHUFFLES ? deck->discard_count : 0);
}

struct gs_drawn gs_draw(struct gs_table *table, int seat)
{
    struct gs_state *state = table->state;
    int index = gs_own_deck(state, seat);
    struct gs_deck *deck = &state->deck[index];
    struct gs_drawn drawn = {0, 0};
    if (!deck->draw_count && gs_drawable(table, seat))
        reshuffle(table, index);
    if (!deck->draw_count)
        return drawn;
    chance_luck(table->chance);
    drawn.card = gs_card_id(state, index, deck->draw[0]);
    deck->draw_count--;
    memmove(deck->draw, deck->draw + 1, deck->draw_count);
    deck->draw[deck->draw_count] = 0;
    for (int i = 0; i < GS_SEATS; i++) {
        if (deck->seen[i]) {
            deck->seen[i]--;
            drawn.known |= (int)SEAT_BIT(i + 1);
        }
    }
    return drawn;
}

/* ---- where cards lie ---- */

static void put_card(const struct gs_state *state, const uint16_t *card, uint32_t seen, struct decks *to)
{
    const int index = deck_index(state, *card);
    deck_put(&to->deck[index], (struct place){card, sizeof *card, seen, gs_card_id(state, index, 0)});
}

static void put_units(const struct gs_state *state, const struct gs_unit *units, int count, struct decks *to)
{
    for (int i = 0; i < count; i++)
        put_card(state, &units[i].card, EVENT_PUBLIC, to);
}

static void list_deck(const struct gs_state *state, int index, struct decks *to)
{
    static const char *const own[GS_SEATS] = {"deck[0] card", "deck[1] card", "deck[2] card",
                                              "deck[3] card", "deck[4] card", "deck[5] card"};
    const struct gs_deck *from = &state->deck[index];
    struct deck *deck = deck_add(to, state->own_decks ? own[index] : "card", REST_NONE, GS_CARDS);
    for (int i = 0; i < from->draw_count; i++) {
        uint32_t seen = 0;
        for (int seat = 1; seat <= GS_SEATS; seat++)
            seen |= i < from->seen[seat - 1] ? SEAT_BIT(seat) : 0;
        deck_put(deck, PLACE(from->draw[i], seen));
    }
    deck_pile(deck, from->discard, from->discard_count, EVENT_PUBLIC);
}

void gs_decks(const void *cards, const void *from, struct decks *to)
{
    const struct gs_state *state = from;
    (void)cards;
    for (int i = 0; i < deck_count(state); i++)
        list_deck(state, i, to);
    for (int seat = 1; seat <= gs_seats(state); seat++) {
        const struct gs_player *player = gs_player_const(state, seat);
        for (int i = 0; i < player->hand_count; i++)
            put_card(state, &player->hand[i], player->known[i] | SEAT_BIT(seat), to);
        put_units(state, player->sector, player->sector_count, to);
        put_units(state, player->fleet, player->fleet_count, to);
        put_units(state, player->leader, player->leader_count, to);
    }
}

void gs_conceal(const void *cards, void *to, int seat, struct chance *chance)
{
    struct gs_state *state = to;
    int kept = 0;
    decks_conceal(gs_decks, cards, state, seat, chance);
    for (int other = 1; other <= gs_seats(state); other++) {
        struct gs_player *player = gs_player(state, other);
        if (other == seat)
            continue;
        player->keep_count = player->prefer_count = 0;
        memset(player->keep, 0, sizeof(player->keep));
        memset(player->prefer, 0, sizeof(player->prefer));
    }
    for (int i = 0; i < state->offer_count && i < GS_OFFERS; i++) {
        if (state->offer[i].from == seat || state->offer[i].to == seat)
            state->offer[kept++] = state->offer[i];
    }
    for (int i = kept; i < GS_OFFERS; i++)
        state->offer[i] = (struct gs_offer){.number = 0};
    state->offer_count = kept;
}
