/* The cards and numbers of Galaxy Command, read from cards.json: plain data, checked once when it is loaded.
 *
 * Every card and number of the file carries a "source" (rulebook, public:..., house). Operators may replace
 * the file; the counts of cards of a kind must still serve four seats (24 near, 12 distant). */
#ifndef GALAXY_COMMAND_CARDS_H
#define GALAXY_COMMAND_CARDS_H

#include <stdbool.h>
#include <stdint.h>

#include "rules/ruleset.h"

#define GC_VERSION   2  /* of the rules, the newest */
#define GC_CARDS     54 /* numbered 1..54 */
#define GC_NAME      32
#define GC_RANKS     8
#define GC_STORE_MAX 9 /* no limit of the mats may be higher */

enum gc_tech {
    GC_CAPITAL,
    GC_FORWARD,
    GC_ROBOTS,
    GC_DEFENSES,
    GC_TELEVISION,
    GC_DIPLOMACY,
    GC_COMMERCE,
    GC_BANKING,
    GC_TECHS,
    GC_NO_TECH = GC_TECHS
};

enum gc_kind { GC_NEAR, GC_DISTANT, GC_EVENT, GC_ALERT };
enum gc_happening { GC_NOTHING, GC_GAIN, GC_STRIKE, GC_REVOLT, GC_INVASION };
/* Whom a red alert concerns: military exactly this, wealth at least this, owners of a technology. */
enum gc_concern { GC_IF_MILITARY, GC_IF_WEALTH, GC_IF_TECH };

struct gc_effect {
    int force, metal, wealth;
};

struct gc_card {
    char name[GC_NAME];
    enum gc_kind kind;
    bool solo18;
    /* systems */
    int resistance; /* 1..15 */
    int metal, wealth, vp;
    /* events */
    enum gc_happening happening;
    struct gc_effect year[2];
    /* red alerts */
    enum gc_concern concern;
    int concern_value; /* a number, or an enum gc_tech */
    unsigned roll;     /* bit n: a die of n hits */
    struct gc_effect lose;
    int lose_military;
};

struct gc_technology {
    char id[GC_NAME];
    char name[GC_NAME];
    int row;               /* 1..4 */
    int cost;              /* wealth, 1..9 */
    enum gc_tech requires; /* GC_NO_TECH: none */
};

struct gc_rank {
    int min;
    char name[GC_NAME];
};

struct gc_cards {
    struct gc_card card[GC_CARDS + 1]; /* by number; 0 is a dummy for "no card" */
    struct gc_technology tech[GC_TECHS];
    struct gc_rank rank[GC_RANKS];
    int ranks;
    char lost_rank[GC_NAME];
    int start_metal, start_wealth, start_military, start_prod_metal, start_prod_wealth;
    int storage, storage_banking, military, military_capital;
    int rounds[2]; /* events dealt for year 1 and 2 */
    int swap_give, swap_get;
    int build_metal, build_wealth;
    int bonus_exploration, bonus_scientific, bonus_warlord;
};

ruleset_cards_load gc_cards_load;

/* A card by its number; the dummy for any invalid number. */
const struct gc_card *gc_card(const struct gc_cards *cards, int number);

#endif
