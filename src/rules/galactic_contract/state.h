/* The state of one game of Galactic Contract and what follows from it: speed, capacity, distances,
 * production, scores. A plain struct without pointers; state.c holds its field table. Seats are 1..n. A place
 * is 0 for the GCC in the middle, else 1..planets round the circle. */
#ifndef GALACTIC_CONTRACT_STATE_H
#define GALACTIC_CONTRACT_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "rules/decks.h"
#include "rules/galactic_contract/cards.h"
#include "rules/ruleset.h"

#define GK_SEATS      4
#define GK_GCC        0
#define GK_SHORT_PILE 3 /* cards a pile with the option short */

/* Positions in the options array, as in ruleset.c. */
enum gk_option { GK_OPTION_SHORT, GK_OPTION_FINISH_ROUND, GK_OPTION_SHIP };

enum gk_ending { GK_GOES_ON, GK_BY_SHIPMENTS, GK_BY_TRADES };

/* A planet of the circle. */
struct gk_place {
    int card;
    int trade; /* open beside it, 0 = none is left */
    int built_count;
    uint8_t built[GK_CONSTRUCTIONS]; /* constructions attached */
};

struct gk_pile {
    int count;
    uint8_t card[GK_PILE_SIZE]; /* the first one is open, the others are hidden */
};

struct gk_owned {
    int card;             /* an upgrade */
    struct gk_goods held; /* in a storage; else nothing */
};

struct gk_player {
    int ship;
    int place;
    int visited; /* the planet where the ship was last, 0 = none */
    struct gk_goods cargo;
    int owned_count, trade_count, shipment_count;
    struct gk_owned owned[GK_UPGRADES];
    uint8_t trade[GK_TRADES];
    uint8_t shipment[GK_SHIPMENTS];
    int keep_count;
    uint8_t keep[GK_KINDS];            /* KEEP: kinds, the most wanted first */
    uint8_t put[GK_CONSTRUCTIONS + 1]; /* PLACE: planet of the circle by construction; 0: for any other */
};

struct gk_state {
    int seats;
    bool short_game, finish_round;
    int wish[GK_SEATS]; /* ship card by seat, 0 = any */
    int round;          /* 1.. */
    int first, active;  /* seats */
    bool over;
    int ending; /* enum gk_ending: the reason, known before `over` while a round is finished */

    /* the active seat's turn */
    bool landed; /* the Move phase is over */
    int steps, boost;
    bool swapped;
    bool interrupted; /* PAUSE: the same seat goes on */
    int pending_count;
    uint8_t pending[GK_CONSTRUCTIONS]; /* drawn, but not attached yet */

    int planets;
    struct gk_place ring[GK_PLANETS];
    int deck_count, building_count;
    uint8_t deck[GK_TRADES];            /* trades, the next one first; hidden */
    uint8_t building[GK_CONSTRUCTIONS]; /* constructions, the next one first; hidden */
    struct gk_pile pile[GK_PILES];
    struct gk_goods bank;
    struct gk_player player[GK_SEATS];
};

extern const struct field gk_fields[]; /* fields.c */

/* Everything in place, all cards in the order of their numbers; gk_deal shuffles. */
ruleset_init gk_init;
/* Lay all cards of a kind out in the order given: the circle with its further planets, one trade beside each
 * planet (the circle must lie), the piles, the constructions. */
void gk_lay_ring(const struct gk_cards *cards, struct gk_state *state, const uint8_t planets[GK_PLANETS]);
void gk_lay_trades(struct gk_state *state, const uint8_t trades[GK_TRADES]);
void gk_lay_shipments(struct gk_state *state, const uint8_t shipments[GK_SHIPMENTS]);
void gk_lay_constructions(struct gk_state *state, const uint8_t constructions[GK_CONSTRUCTIONS]);
/* Kinds that the circle produces, constructions not counted. */
int gk_ring_kinds(const struct gk_cards *cards, const struct gk_state *state);

/* All of these take any state: a seat or place out of range gives the first. */
int gk_seats(const struct gk_state *state);
struct gk_player *gk_player(struct gk_state *state, int seat);
const struct gk_player *gk_player_const(const struct gk_state *state, int seat);
int gk_active(const struct gk_state *state);
int gk_seat_at(const struct gk_state *state, int place); /* 0..seats-1 from the first of a round */
int gk_where(const struct gk_state *state, const struct gk_player *player); /* its place */
struct gk_place *gk_planet(struct gk_state *state, int place);              /* 1..planets */
const struct gk_place *gk_planet_const(const struct gk_state *state, int place);
/* "GCC" or the planet's name. */
const char *gk_place_name(const struct gk_cards *cards, const struct gk_state *state, int place);
/* The same for sentences: "the GCC". */
const char *gk_place_words(const struct gk_cards *cards, const struct gk_state *state, int place);
/* The place of a planet card, 0 when it is not in the circle. */
int gk_place_of_card(const struct gk_state *state, int planet_card);

int gk_speed(const struct gk_cards *cards, const struct gk_player *player);
int gk_capacity(const struct gk_cards *cards, const struct gk_player *player);
int gk_room(const struct gk_cards *cards, const struct gk_player *player);
/* Units of speed between two places. */
int gk_distance(const struct gk_state *state, int from, int to);
/* Speed left in the active seat's turn, boost included. */
int gk_speed_left(const struct gk_cards *cards, const struct gk_state *state);
int gk_depots(const struct gk_cards *cards, const struct gk_place *planet);
/* What one collect brings there: the planet's card and its constructions. */
struct gk_goods gk_production(const struct gk_cards *cards, const struct gk_place *planet);
/* The player's storage on the planet at this place, or NULL. */
struct gk_owned *gk_storage_at(const struct gk_cards *cards, const struct gk_state *state,
                               struct gk_player *player, int place);
const struct gk_owned *gk_storage_at_const(const struct gk_cards *cards, const struct gk_state *state,
                                           const struct gk_player *player, int place);
int gk_storage_room(const struct gk_cards *cards, const struct gk_owned *storage);
/* What can be paid with at a place: the cargo, and at an own storage's planet what it holds. */
struct gk_goods gk_purse(const struct gk_cards *cards, const struct gk_state *state,
                         const struct gk_player *player, int place);
/* The seat that owns an upgrade, 0 = none; -1: a storage whose planet is not in the circle. */
int gk_owner(const struct gk_cards *cards, const struct gk_state *state, int upgrade);
int gk_open_shipment(const struct gk_state *state, int pile); /* pile 0..2; 0 = empty */
int gk_empty_piles(const struct gk_state *state);
/* The pile whose open shipment is affordable and brings most points (then costs least), or -1. */
int gk_best_pile(const struct gk_cards *cards, const struct gk_state *state, const struct gk_goods *purse);
/* By KEEP: the kinds named there first; then kinds with the least aboard. -1 when there is none in
 * `choice`. */
int gk_most_wanted(const struct gk_player *player, const struct gk_goods *choice);
int gk_least_wanted(const struct gk_player *player, const struct gk_goods *choice);

struct gk_points {
    int shipments, trades, upgrades, total;
};
struct gk_points gk_points(const struct gk_cards *cards, const struct gk_player *player);

/* Would the open shipment of the pile, the last one there, end the game? */
bool gk_pile_ends(const struct gk_cards *cards, const struct gk_state *state, int pile);
/* How the game would end if a seat got so many points more. */
struct gk_end {
    bool played_out;          /* the round would be finished first */
    bool alone, ahead, level; /* ahead of the others, or level with the best of them */
    int own, best;            /* points */
};
struct gk_end gk_end_with(const struct gk_cards *cards, const struct gk_state *state, int seat, int points);

ruleset_awaits gk_awaits;
ruleset_interrupted gk_interrupted;
ruleset_scores gk_scores;
ruleset_ending gk_ending;
enum gk_deck {
    GK_TRADE_DECK,
    GK_CONSTRUCTION_DECK,
    GK_SHIPMENT_DECK, /* of a short game some are in the box */
    GK_PLANET_DECK,
    GK_SHIP_DECK,
    GK_UPGRADE_DECK
};
deck_lister gk_decks; /* by enum gk_deck */
ruleset_conceal gk_conceal;
ruleset_check gk_check; /* check.c */

#endif
