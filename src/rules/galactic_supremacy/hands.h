/* Cards on their way between decks, hands and discard piles, and who knows where they are.
 *
 * Hidden are the hands and the order of the decks. `known` of a card in a hand are the seats that have seen
 * it there: by Spy, because it came there openly, or because it was given or taken. What can no longer be
 * known (after a theft by a third seat) is forgotten, so a seat never knows more than it could. Known cards
 * of a kind are interchangeable. */
#ifndef GALACTIC_SUPREMACY_HANDS_H
#define GALACTIC_SUPREMACY_HANDS_H

#include "rules/galactic_supremacy/state.h"

#define GS_EVERYBODY 0x7F /* `known` by all seats */

struct gs_table;

static inline bool gs_hand_full(const struct gs_player *player)
{
    return player->hand_count >= GS_HAND;
}
/* Into the hand, which has room. */
void gs_hand_put(struct gs_state *state, int seat, int card, int known);
/* Index of the first card of the kind, or -1. */
int gs_hand_find(const struct gs_cards *cards, const struct gs_player *player, enum gs_kind kind);
/* What the hand's limit leaves of a hand, and the kinds that go, one after the other (or NULL); returns how many. */
int gs_keep_limit(const struct gs_cards *cards, struct gs_player *kept, enum gs_kind gone[GS_HAND]);
/* Takes the card at an index out of the hand and returns it. `witnesses` are the seats that see its kind. */
int gs_hand_take(const struct gs_cards *cards, struct gs_state *state, int seat, int index, int witnesses);
/* Makes a card of the hand the first of its kind, so that it is the one that gs_hand_spend() takes. */
void gs_hand_first(const struct gs_cards *cards, struct gs_player *player, int index);
/* Takes a card of the kind, which the hand holds, openly. */
int gs_hand_spend(const struct gs_cards *cards, struct gs_state *state, int seat, enum gs_kind kind);
/* Seats other than the witnesses no longer know what the hand holds. */
void gs_hand_forget(struct gs_state *state, int seat, int witnesses);
/* Onto the discard pile of its deck. */
void gs_discard(struct gs_state *state, int card);

struct gs_drawn {
    int card;  /* 0: none is left */
    int known; /* seats that had looked at it */
};
/* The next card of the seat's deck, which is reshuffled when it has run out (GS_SHUFFLES times a play at
 * most, so that the proofs of hidden draws fit into a record). */
#define GS_SHUFFLES 8
struct gs_drawn gs_draw(struct gs_table *table, int seat);
/* Cards that the seat can still draw, now or after a shuffle. */
int gs_drawable(const struct gs_table *table, int seat);

#endif
