/* The cards and numbers of Galactic Contract, read from cards.json: plain data, checked once when it is
 * loaded.
 *
 * Every card and number of the file carries a "source" (rulebook, public:..., house). Operators may replace
 * the values; the counts of cards are the rulebook's and fixed. Cards are numbered from 1 in the order of the
 * file
 * ("T14" is trade 14); 0 is a dummy for "no card". */
#ifndef GALACTIC_CONTRACT_CARDS_H
#define GALACTIC_CONTRACT_CARDS_H

#include <stdbool.h>
#include <stdint.h>

#include "orders/words.h"
#include "rules/galactic_contract/goods.h"
#include "rules/ruleset.h"

#define GK_VERSION       2 /* of the rules, the newest */
#define GK_PLANETS       8
#define GK_SHIPS         4
#define GK_UPGRADES      16
#define GK_TRADES        36
#define GK_SHIPMENTS     12
#define GK_CONSTRUCTIONS 10
#define GK_PILES         3
#define GK_PILE_SIZE     4
#define GK_NAME          32

struct gk_planet_card {
    char name[GK_NAME];
    struct gk_goods produces;
};

struct gk_ship_card {
    char name[GK_NAME];
    int speed, capacity, max_upgrades;
};

struct gk_upgrade_card {
    char name[GK_NAME];
    int planet;          /* a storage's planet card, 0 for upgrades of the ship */
    int speed, capacity; /* of the ship; of a storage its own capacity */
    struct gk_goods cost;
    int points;
};

struct gk_trade_card {
    struct gk_goods cost, gain;
    int bonus; /* the kind of which a Freight Depot gives one more */
    int points;
};

struct gk_shipment_card {
    struct gk_goods cost;
    int points;
};

enum gk_construction_kind { GK_DEPOT, GK_PRODUCTION, GK_GIFT };
struct gk_construction_card {
    char name[GK_NAME];
    enum gk_construction_kind kind;
    struct gk_goods goods; /* produced every time, or given once */
};

struct gk_cards {
    struct gk_planet_card planet[GK_PLANETS + 1];
    struct gk_ship_card ship[GK_SHIPS + 1];
    struct gk_upgrade_card upgrade[GK_UPGRADES + 1];
    struct gk_trade_card trade[GK_TRADES + 1];
    struct gk_shipment_card shipment[GK_SHIPMENTS + 1];
    struct gk_construction_card construction[GK_CONSTRUCTIONS + 1];
    struct gk_goods bank;
    int ring;       /* planets in the circle */
    int ring_kinds; /* with at most this many kinds another planet is added */
    int end_empty;  /* piles that are empty when the game ends */
    int swap_give;
};

ruleset_cards_load gk_cards_load;

/* Cards by number; the dummy for any invalid number. */
const struct gk_planet_card *gk_planet_card(const struct gk_cards *cards, int number);
const struct gk_ship_card *gk_ship_card(const struct gk_cards *cards, int number);
const struct gk_upgrade_card *gk_upgrade_card(const struct gk_cards *cards, int number);
const struct gk_trade_card *gk_trade_card(const struct gk_cards *cards, int number);
const struct gk_shipment_card *gk_shipment_card(const struct gk_cards *cards, int number);
const struct gk_construction_card *gk_construction_card(const struct gk_cards *cards, int number);

/* "T14": the letter of the kind of card and its number. */

#endif
