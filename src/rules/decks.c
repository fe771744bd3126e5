#include "rules/decks.h"

#include <assert.h>
#include <string.h>

#include "rules/event.h"

struct deck *deck_add(struct decks *to, const char *what, enum deck_rest rest, int cards)
{
    assert(to->count < DECKS_MOST && cards <= DECK_CARDS);
    struct deck *deck = &to->deck[to->count++];
    deck->what = what;
    deck->rest = rest;
    deck->cards = cards;
    deck->places = 0;
    for (int i = 0; i < cards; i++)
        deck->card[i] = (uint8_t)(i + 1);
    return deck;
}

void deck_put(struct deck *deck, struct place place)
{
    if (deck->places < DECK_PLACES)
        deck->place[deck->places++] = place;
}

void deck_pile(struct deck *deck, const uint8_t *pile, int count, uint32_t seen)
{
    for (int i = 0; i < count; i++)
        deck_put(deck, PLACE(pile[i], seen));
}

static int card_at(const struct place *place)
{
    int32_t wide;
    uint16_t half;
    switch (place->size) {
    case sizeof wide: memcpy(&wide, place->at, sizeof wide); return wide - place->above;
    case sizeof half: memcpy(&half, place->at, sizeof half); return half - place->above;
    default: return *(const uint8_t *)place->at - place->above;
    }
}

static bool sees(int seat, const struct place *place)
{
    return (place->seen & SEAT_BIT(seat)) != 0;
}

static int unseen_of(const struct deck *deck, int seat, uint8_t unseen[DECK_CARDS])
{
    bool seen[UINT8_MAX + 1];
    int count = 0;
    memset(seen, deck->rest == REST_KNOWN, sizeof seen);
    for (int i = 0; i < deck->places; i++) {
        const int card = card_at(&deck->place[i]);
        if (card > 0 && card <= UINT8_MAX)
            seen[card] = sees(seat, &deck->place[i]);
    }
    for (int i = 0; i < deck->cards; i++)
        if (!seen[deck->card[i]])
            unseen[count++] = deck->card[i];
    return count;
}

int decks_unseen(deck_lister *list, const void *cards, const void *state, int deck, int seat,
                 uint8_t unseen[DECK_CARDS])
{
    struct decks decks;
    decks.count = 0;
    list(cards, state, &decks);
    return deck < decks.count ? unseen_of(&decks.deck[deck], seat, unseen) : 0;
}

/* ---- concealing ---- */

static void lay(void *state, const struct place *place, int card)
{
    void *at = (char *)state + ((const char *)place->at - (const char *)state);
    const int32_t wide = card + place->above;
    const uint16_t half = (uint16_t)wide;
    const uint8_t byte = (uint8_t)wide;
    memcpy(at,
           place->size == sizeof wide   ? (const void *)&wide
           : place->size == sizeof half ? (const void *)&half
                                        : (const void *)&byte,
           place->size);
}

void decks_conceal(deck_lister *list, const void *cards, void *state, int seat, struct chance *chance)
{
    struct decks decks;
    uint8_t unseen[DECKS_MOST][DECK_CARDS];
    struct chance_pile piles[DECKS_MOST];
    decks.count = 0;
    list(cards, state, &decks);
    for (int d = 0; d < decks.count; d++) {
        size_t hidden = 0;
        for (int i = 0; i < decks.deck[d].places; i++)
            hidden += !sees(seat, &decks.deck[d].place[i]);
        const int count = unseen_of(&decks.deck[d], seat, unseen[d]);
        piles[d] = (struct chance_pile){unseen[d], (size_t)count, hidden};
    }
    chance_deal(chance, "conceal", piles, (size_t)decks.count);
    for (int d = 0; d < decks.count; d++) {
        const struct deck *deck = &decks.deck[d];
        size_t next = piles[d].count > piles[d].wanted ? piles[d].count - piles[d].wanted : 0;
        for (int i = 0; i < deck->places; i++)
            if (!sees(seat, &deck->place[i]))
                lay(state, &deck->place[i], next < piles[d].count ? piles[d].items[next++] : 0);
    }
}

/* ---- checking ---- */

static int check_deck(const struct deck *deck, struct err *err)
{
    bool there[UINT8_MAX + 1] = {false};
    for (int i = 0; i < deck->places; i++) {
        const int card = card_at(&deck->place[i]);
        if (card < 1 || card > UINT8_MAX || !memchr(deck->card, card, (size_t)deck->cards))
            return err_set(err, ERR_INPUT, "There is no %s %d in this game.", deck->what, card);
        if (there[card])
            return err_set(err, ERR_INPUT, "The %s %d would lie in two places.", deck->what, card);
        there[card] = true;
    }
    for (int i = 0; deck->rest == REST_NONE && i < deck->cards; i++)
        if (!there[deck->card[i]])
            return err_set(err, ERR_INPUT, "The %s %d would be nowhere.", deck->what, deck->card[i]);
    return 0;
}

int decks_check(deck_lister *list, const void *cards, const void *state, struct err *err)
{
    struct decks decks;
    decks.count = 0;
    list(cards, state, &decks);
    for (int d = 0; d < decks.count; d++)
        if (check_deck(&decks.deck[d], err))
            return -1;
    return 0;
}
