/* Where the cards of a game lie, and who sees them there. A game says it once, in one function (deck_lister); which cards a
 * seat has not seen, what trial plays rearrange, and whether each card is in one place follow from it. */
#ifndef RULES_DECKS_H
#define RULES_DECKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "chance/draw.h"

#define DECKS_MOST  8 /* of a game */
#define DECK_CARDS  64
#define DECK_PLACES 128 /* more are too many for the cards there are, which shows in the first ones */

/* A number of a state that names the card which lies there. */
struct place {
    const void *at;
    size_t size;
    uint32_t seen; /* by whom, a bit each (SEAT_BIT); 0: it lies face down for all */
    int above;     /* what the number is above the card's */
};
#define PLACE(number, seen) ((struct place){&(number), sizeof(number), seen, 0})

/* Of a deck, the cards that lie in no place: there are none, they are face down in the box, or it is known which they are. */
enum deck_rest { REST_NONE, REST_BOXED, REST_KNOWN };
/* Cards that can lie in each other's places. */
struct deck {
    const char *what; /* "event card" */
    enum deck_rest rest;
    int cards, places;
    uint8_t card[DECK_CARDS]; /* those in this game, rising */
    struct place place[DECK_PLACES];
};
struct decks {
    int count;
    struct deck deck[DECKS_MOST];
};

/* Lists the decks of a state, always in the same order. */
typedef void deck_lister(const void *cards, const void *state, struct decks *to);
/* For it: another deck, of the cards 1 to `cards` (0: the game fills them in), and where they lie. */
struct deck *deck_add(struct decks *to, const char *what, enum deck_rest rest, int cards);
void deck_put(struct deck *deck, struct place place);
void deck_pile(struct deck *deck, const uint8_t *pile, int count, uint32_t seen);

/* The cards of a deck, by its number from 0, that the seat (0: the public) does not see anywhere, rising; how many. */
int decks_unseen(deck_lister *list, const void *cards, const void *state, int deck, int seat,
                 uint8_t unseen[DECK_CARDS]);
/* Lays what the seat does not see anew, each arrangement as likely as any other (ruleset.conceal). */
void decks_conceal(deck_lister *list, const void *cards, void *state, int seat, struct chance *chance);
/* Each card in one place, and in a place each what is a card of the deck (ruleset.check). -1, ERR_INPUT. */
int decks_check(deck_lister *list, const void *cards, const void *state, struct err *err)
    __attribute__((warn_unused_result));

#endif
