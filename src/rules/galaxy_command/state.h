/* The state of one game of Galaxy Command and what follows from it: limits, production, chances, scores.
 * A plain struct without pointers; state.c holds its field table. Seats are 1..n, slots 0..8 inside the
 * program (0..5 are N1..N6, 6..8 are F1..F3). */
#ifndef GALAXY_COMMAND_STATE_H
#define GALAXY_COMMAND_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "rules/decks.h"
#include "rules/galaxy_command/cards.h"
#include "rules/ruleset.h"

#define GC_SEATS      4
#define GC_NEAR_SLOTS 6
#define GC_FAR_SLOTS  3
#define GC_SLOTS      (GC_NEAR_SLOTS + GC_FAR_SLOTS)
#define GC_EVENTS     18 /* events and red alerts */
#define GC_SYSTEMS    36 /* no kind of system has more cards */

/* Positions in the options array, as in ruleset.c. */
enum gc_option { GC_OPTION_SOLO18, GC_OPTION_COOP };

struct gc_slot {
    int card;    /* number; known to nobody while it is not open */
    bool open;   /* explored: face up */
    int aligned; /* 0 = unaligned, else counts this seat's alignments: the highest is the latest */
};

struct gc_player {
    bool lost; /* the home world revolted */
    int metal, wealth, military;
    bool tech[GC_TECHS];
    bool strike;    /* no production in the next collect */
    bool diplomacy; /* the next action succeeds without a die */
    int alignments; /* made so far */
    struct gc_slot slot[GC_SLOTS];
};

struct gc_state {
    int seats;
    bool solo18;
    int coop;  /* distant systems a seat for the common victory */
    int year;  /* 1, 2 */
    int round; /* 1.. within the year */
    int first; /* seat that moves first in every round */
    bool over;
    int pile_count, unused_count, used_count;
    uint8_t pile[GC_EVENTS];   /* this year's events, the next one first; hidden */
    uint8_t unused[GC_EVENTS]; /* the next one first; hidden */
    uint8_t used[GC_EVENTS];   /* in the order of happening */
    struct gc_player player[GC_SEATS];
};

extern const struct field gc_fields[]; /* fields.c */

/* Everything in place, all cards in the order of their numbers; gc_deal shuffles. */
ruleset_init gc_init;
/* Appends the numbers of the cards of a kind that are in this game, ascending; GC_EVENT gives events and red
 * alerts. Returns how many. */
size_t gc_deck(const struct gc_cards *cards, const struct gc_state *state, enum gc_kind kind, uint8_t *out);
/* Lays systems into the slots of all seats, and events onto the two piles, in the order given. */
void gc_lay_systems(struct gc_state *state, bool distant, const uint8_t *deck);
void gc_lay_events(const struct gc_cards *cards, struct gc_state *state, const uint8_t *deck, size_t count);

/* The seat's player; a seat out of range gives the first (states from disk are not trusted). */
struct gc_player *gc_player(struct gc_state *state, int seat);
const struct gc_player *gc_player_const(const struct gc_state *state, int seat);
/* The seat that moves at place 0..n-1 of a round. */
int gc_seat_at(const struct gc_state *state, int place);
int gc_seats(const struct gc_state *state); /* 1..4 */
/* The turn as players count: 1..13; after the end the last one. */
int gc_turn_number(const struct gc_cards *cards, const struct gc_state *state);

static inline bool gc_slot_near(int slot)
{
    return slot < GC_NEAR_SLOTS;
}
const char *gc_slot_name(int slot); /* "N1".."N6", "F1".."F3" */

int gc_storage_limit(const struct gc_cards *cards, const struct gc_player *player);
int gc_military_limit(const struct gc_cards *cards, const struct gc_player *player);
/* Metal and wealth of one collect, without strike and limits. */
struct gc_effect gc_production(const struct gc_cards *cards, const struct gc_player *player);
/* What the next collect brings: production, or its half or nothing in a strike; before the storage limit. */
struct gc_effect gc_income(const struct gc_cards *cards, const struct gc_player *player);
/* Numbers of a die, 0..6, that align a system of this resistance. */
int gc_chance(const struct gc_player *player, int resistance);
/* The first face-down slot, or -1. */
int gc_face_down(const struct gc_player *player, bool distant);
/* The explored near system that is not aligned and so closes the distant ones, or -1. */
int gc_gate_closed_by(const struct gc_player *player);
/* Why distant systems are closed to this seat's EXPLORE: NULL when they are open, else a refusal's reason
 * ("far_needs_forward", "far_needs_aligned", "far_all_explored"). */
const char *gc_far_closed(const struct gc_player *player);
/* Where a free success does most: a distant system if they are open, else the explored unaligned one of the
 * highest resistance, else a near one face down; -1 when there is none of them. */
int gc_gift_slot(const struct gc_cards *cards, const struct gc_player *player);
/* The unaligned explored slot with the best chance (tie: more victory points, then the first), or -1. */
int gc_best_target(const struct gc_cards *cards, const struct gc_player *player);
/* The most recently aligned slot, or -1. */
int gc_latest_aligned(const struct gc_player *player);
bool gc_tech_locked(const struct gc_cards *cards, const struct gc_player *player, int tech);

struct gc_points {
    int systems, technologies, exploration, scientific, warlord, total;
};
struct gc_points gc_points(const struct gc_cards *cards, const struct gc_player *player);
const char *gc_rank(const struct gc_cards *cards, int points);
extern const struct rank_code gc_ranks[];
int gc_distant_aligned(const struct gc_state *state); /* of all seats */
int gc_distant_needed(const struct gc_state *state);

ruleset_awaits gc_awaits;
ruleset_scores gc_scores;
ruleset_ending gc_ending;
deck_lister gc_decks; /* by enum gc_kind */
ruleset_conceal gc_conceal;
ruleset_check gc_check; /* check.c */

#endif
