/* The cards and numbers of Galactic Supremacy, read from cards.json: plain data, checked once when it is
 * loaded.
 *
 * A deck has 50 cards, which differ only in their kind; sectors, fleets and leaders have names for the
 * reports. Every number of the file carries a "source" (rulebook or house). Operators may replace the file:
 * the numbers may change within their ranges, the kinds of cards too, as long as there is at least one of
 * each kind and no more than the table can hold. */
#ifndef GALACTIC_SUPREMACY_CARDS_H
#define GALACTIC_SUPREMACY_CARDS_H

#include <stdbool.h>
#include <stdint.h>

#include "rules/ruleset.h"

#define GS_VERSION      4  /* of the rules, the newest */
#define GS_CARDS        50 /* of a deck, numbered 1..50 */
#define GS_DECK_SECTORS 16 /* the most a deck may have */
#define GS_NAME         32

/* In the order in which equal claims are settled when too many cards are held (state.h, gs_least_wanted). */
enum gs_kind { GS_RESEARCH, GS_COMMAND, GS_SECTOR, GS_FLEET, GS_LEADER, GS_KINDS };

/* In the order of the technology table: a roll of 1 is GS_JUMP. */
enum gs_tech {
    GS_JUMP,
    GS_FIREPOWER,
    GS_RANGE,
    GS_DEFENSES,
    GS_INFORMATION,
    GS_SUBLIGHT,
    GS_TERRAFORMING,
    GS_INDUSTRY,
    GS_ENERGY,
    GS_TECHS
};

enum gs_use {
    GS_MISINFORMATION,
    GS_SPY,
    GS_PLANNING,
    GS_TACTICAL,
    GS_SURPRISE,
    GS_AMBUSH,
    GS_PEACE,
    GS_QUOTAS,
    GS_STEAL,
    GS_COUNTER,
    GS_MILSAB,
    GS_INDSAB,
    GS_ASSASSINATION,
    GS_INITIATIVE,
    GS_USES
};

enum gs_exchange { GS_EXPLORE, GS_DRAFT, GS_INTEL, GS_RND, GS_EXCHANGES };

struct gs_card {
    char name[GS_NAME]; /* "" for research and command */
    enum gs_kind kind;
};
struct gs_word { /* what players call a technology, a use or an exchange */
    char id[GS_NAME];
    char name[GS_NAME];
};

struct gs_dice { /* how many a unit rolls, and what adds to them */
    int home, sector, fleet, leader, advantage, tactical;
};

struct gs_cards {
    struct gs_card card[GS_CARDS + 1]; /* by number; 0 is a dummy for "no card" */
    struct gs_word tech[GS_TECHS];
    struct gs_word use[GS_USES];
    int success[GS_USES]; /* the highest roll that succeeds; 0: no roll */
    int minus[GS_USES];   /* taken off the roll of GS_QUOTAS and GS_INDSAB */
    struct gs_word exchange[GS_EXCHANGES];
    enum gs_kind exchange_give[GS_EXCHANGES], exchange_keep[GS_EXCHANGES];
    int start_cards, start_credits, start_level, hand;
    int cost_extra, cost_sector, cost_fleet, cost_leader, cost_research, cost_catchup, cost_directed;
    int income_home, income_sector, income_leader, income_level;
    struct gs_dice dice;
    int sides;    /* of every die */
    int pick;     /* the roll of the technology table that lets the player choose */
    int advances; /* of the advanced setup */
};

extern const char *const gs_kind_names[GS_KINDS + 1]; /* "research", ...; NULL ends them */

ruleset_cards_load gs_cards_load;

#endif
