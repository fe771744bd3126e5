/* The state of one game of Galactic Supremacy and what follows from it. A plain struct without pointers;
 * state.c holds its field table, hands.h what moves cards.
 *
 * A card is a number: 1..50 in the common deck, seat * 100 + 1..50 in a seat's own deck; 0 is none. Worlds
 * are numbered: 0 is the homeworld, n is sector Sn. Unit numbers are those of the reports (F3 is number 3); a
 * new unit gets the lowest that is free. Lists of units are in the order of their numbers. */
#ifndef GALACTIC_SUPREMACY_STATE_H
#define GALACTIC_SUPREMACY_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "rules/decks.h"
#include "rules/galactic_supremacy/cards.h"
#include "rules/ruleset.h"

#define GS_SEATS   6
#define GS_HAND    48 /* what a seat can hold at any time; the hand limit is far below */
#define GS_SECTORS 96 /* all that six decks can have: never reached */
#define GS_FLEETS  32
#define GS_LEADERS 12
#define GS_OFFERS  12
#define GS_HOME    0 /* a world */
#define GS_NOWHERE (-1)

/* Positions in the options array, as in ruleset.c. */
enum gs_option { GS_OPTION_DECKS, GS_OPTION_ADVANCED, GS_OPTION_ROUNDS };

enum gs_phase {
    GS_PHASE_DRAW,
    GS_PHASE_COMMAND, /* production comes before it */
    GS_PHASE_BUILD,
    GS_PHASE_ATTACK,
    GS_PHASE_MOVE,
    GS_PHASE_RESEARCH,
    GS_PHASE_END, /* of the order language: PASS and PAUSE */
    GS_PHASES
};

enum gs_ending { GS_RUNNING, GS_CONQUEST, GS_ROUND_LIMIT, GS_AGREED };

/* Where a leader is: the world's number, or this and the fleet's number. */
#define GS_ON_FLEET 100

struct gs_unit {
    uint16_t card;
    uint8_t number;
    uint8_t at; /* fleets: a world; leaders: a world or GS_ON_FLEET + a fleet; sectors: 0 */
};

struct gs_player {
    bool out;
    int32_t credits;
    uint16_t tech[GS_TECHS]; /* levels */
    uint8_t hand_count, sector_count, fleet_count, leader_count;
    uint16_t hand[GS_HAND]; /* hidden */
    uint8_t known[GS_HAND]; /* the seats (SEAT_BIT) that know this card of the hand */
    struct gs_unit sector[GS_SECTORS], fleet[GS_FLEETS], leader[GS_LEADERS];
    uint8_t keep_count, prefer_count;
    uint8_t keep[GS_KINDS];   /* kinds, the most wanted first */
    uint8_t prefer[GS_TECHS]; /* technologies for a free pick */
    bool draw;                /* agrees to a drawn game */
};

struct gs_deck {
    uint8_t draw_count, discard_count;
    uint8_t draw[GS_CARDS];    /* numbers 1..50, the next one first; hidden */
    uint8_t discard[GS_CARDS]; /* the latest last */
    uint8_t seen[GS_SEATS];    /* how many of the next cards a seat has looked at; element 0 is seat 1 */
};

struct gs_offer {
    uint16_t number;
    uint8_t from, to;
    uint8_t give[GS_KINDS], get[GS_KINDS]; /* as `from` sees it */
    int32_t give_credits, get_credits;
    uint16_t first, last; /* turns in which it can be accepted; 0 = any */
};

struct gs_state {
    int seats;
    bool own_decks;
    bool advanced;
    int round_limit; /* 0: none */
    int round;       /* 1.. */
    uint8_t order[GS_SEATS];
    int active;  /* the seat whose turn it is */
    int ending;  /* enum gs_ending */
    int phase;   /* of the active seat's turn, as far as it has come */
    bool extra;  /* it has bought its extra card */
    int attacks; /* attack phases it has left */
    int peace;   /* the seats (SEAT_BIT) it may not attack any more this turn */
    int pauses;  /* in this turn */
    bool paused; /* the last play was interrupted by PAUSE */
    int offered; /* offers made so far */
    int offer_count;
    struct gs_offer offer[GS_OFFERS];
    int deck_count; /* 1, or one a seat */
    struct gs_deck deck[GS_SEATS];
    struct gs_player player[GS_SEATS];
};

extern const struct field gs_fields[]; /* fields.c */

/* Decks in the order of the cards' numbers, empty hands, seat 1 in its draw phase. */
ruleset_init gs_init;

/* ---- seats ---- */
/* The seat's player; a seat out of range gives the first (states from disk are not trusted). */
struct gs_player *gs_player(struct gs_state *state, int seat);
const struct gs_player *gs_player_const(const struct gs_state *state, int seat);
int gs_seats(const struct gs_state *state);            /* 1..6 */
bool gs_alive(const struct gs_state *state, int seat); /* still in the game */
int gs_alive_count(const struct gs_state *state);
int gs_only_other(const struct gs_state *state, int seat); /* the only opponent left, or 0 */
/* The `step`-th seat after this one in turn order, going round; includes seats that are out. */
int gs_seat_after(const struct gs_state *state, int seat, int step);

/* ---- cards ---- */
struct gs_deck *gs_deck_of(struct gs_state *state, int card); /* that the card belongs to */
int gs_own_deck(const struct gs_state *state, int seat);      /* index of the deck this seat draws from */
int gs_card_id(const struct gs_state *state, int deck, int number);
const struct gs_card *gs_card(const struct gs_cards *cards, int card);
int gs_hand_count(const struct gs_cards *cards, const struct gs_player *player, enum gs_kind kind);
/* The kind to discard first when there are too many cards, or -1 with an empty hand: one that KEEP does
 * not name, the most numerous first; then from the end of KEEP's list. */
int gs_least_wanted(const struct gs_cards *cards, const struct gs_player *player);

/* ---- units ---- */
/* The unit of this number, or NULL. */
const struct gs_unit *gs_sector(const struct gs_player *player, int number);
const struct gs_unit *gs_fleet(const struct gs_player *player, int number);
const struct gs_unit *gs_leader(const struct gs_player *player, int number);
/* The leader on a world or (GS_ON_FLEET + number) a fleet, or NULL. */
const struct gs_unit *gs_leader_at(const struct gs_player *player, int at);
bool gs_has_world(const struct gs_player *player, int world);
/* Adds a unit in the order of numbers, with the lowest free one; the caller has checked that there is
 * room. */
struct gs_unit *gs_unit_add(struct gs_unit *list, uint8_t *count, int card, int at);
void gs_unit_remove(struct gs_unit *list, uint8_t *count, int number);
struct code gs_at_code(int at); /* "HOME", "S2", "F3" */
/* The name on the world's card; "" for a homeworld. */
const char *gs_world_card(const struct gs_cards *cards, const struct gs_player *player, int world);

/* ---- what follows ---- */
int gs_bonus(
    const struct gs_player *player); /* levels above the first in all of the three world technologies */
int gs_hand_limit(const struct gs_cards *cards, const struct gs_player *player);
struct gs_income {
    int home, sectors, leaders, bonus, total;
};
struct gs_income gs_income(const struct gs_cards *cards, const struct gs_player *player);
/* Combat technologies in which the first is ahead of the second. */
int gs_advantages(const struct gs_player *player, const struct gs_player *enemy);
int gs_tech_sum(const struct gs_player *player);
/* The highest level that an opponent still in the game has. */
int gs_tech_best(const struct gs_state *state, int seat, int tech);
/* The technology for a free pick: of those that PREFER names the lowest, else the lowest of combat. */
int gs_tech_preferred(const struct gs_player *player);

ruleset_awaits gs_awaits;
ruleset_scores gs_scores;
/* What decides between two players in a game that ends by the round limit, in this order, and what each has of it. */
enum gs_measure { GS_BY_WORLDS, GS_BY_FLEETS, GS_BY_LEVELS, GS_BY_CREDITS };
struct gs_margin {
    enum gs_measure by;
    int one, other;
};
/* 1, -1 or 0: who would be placed before the other; 0 with `by` the last measure. */
int gs_compare(const struct gs_player *one, const struct gs_player *other, struct gs_margin *margin);
ruleset_ending gs_ending;
ruleset_interrupted gs_interrupted;
deck_lister gs_decks; /* hands.c; in their order */
ruleset_conceal gs_conceal;
ruleset_check gs_check; /* check.c */

#endif
