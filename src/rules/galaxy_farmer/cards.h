/* The cards and numbers of Galaxy Farmer, read from cards.json: plain data, checked once when it is loaded.
 *
 * Planets, representatives, orders and events are numbered from 1 in the order of the file; their ids (P1,
 * R1, O1, E1) carry the number. Every planet grows one resource of its own, so a resource is named by its
 * planet (index 0..7). Every card and section of the file carries a "source" (rulebook, house). Operators may
 * replace the file. */
#ifndef GALAXY_FARMER_CARDS_H
#define GALAXY_FARMER_CARDS_H

#include <stdbool.h>
#include <stdint.h>

#include "orders/words.h"
#include "rules/ruleset.h"

#define GF_VERSION 2 /* of the rules, the newest */
#define GF_PLANETS 8 /* places on the ring, planets, resources, representatives */
#define GF_SHIPS   3
#define GF_OPEN    3 /* orders on the table */
#define GF_NEEDS   4 /* different requirements of an order */
#define GF_QUESTS  3
#define GF_ORDERS  60 /* cards of a deck at most */
#define GF_EVENTS  60
#define GF_PLOTS   8
#define GF_NAME    32
#define GF_TEXT    96
#define GF_ANY     (-1) /* colour or state of a quest: all will do */

enum gf_happening { GF_TURNS, GF_METEOR, GF_PATROL, GF_WARP, GF_HARVEST, GF_FUEL };
enum gf_ability {
    GF_YIELD_LIGHT, /* amount: more cubes a worker on planets whose top is light */
    GF_YIELD_DARK,  /* the same on dark */
    GF_TANK,        /* amount: more fuel in the tank */
    GF_FIGHTERS,    /* amount: what a worker aboard counts in fights and against the enemy ship */
    GF_MORE_PLOTS,  /* amount: more plots on the home farm */
    GF_BUNKER,      /* amount: more cargo */
    GF_CONVERTER,   /* amount: price of the first conversion of a turn */
    GF_TIMER,       /* the timer of one order does not advance each turn */
    GF_ABILITIES
};
enum gf_quest_kind { GF_VISIT, GF_GROWN, GF_GIVE };

struct gf_ship_card {
    char name[GF_NAME];
    int fuel, cargo, bunks;
};

struct gf_planet_card {
    char name[GF_NAME];
    char resource[GF_NAME];
    int colour; /* index into gf_cards.colour */
};

struct gf_need {
    int resource; /* 0..7 */
    bool dark;
    int count;
};

struct gf_order_card {
    char name[GF_NAME];
    struct gf_need need[GF_NEEDS];
    int needs;
    int points, track;
};

struct gf_event_card {
    char name[GF_NAME];
    enum gf_happening happening;
    int colour;     /* GF_TURNS: planets of this colour, or GF_ANY: those of the ring named by `inner` */
    bool inner;     /* GF_TURNS */
    int position;   /* GF_METEOR: 1..8 */
    int turns;      /* GF_METEOR */
    bool clockwise; /* GF_PATROL, GF_WARP */
    int steps;      /* GF_PATROL, GF_WARP: 1..8 */
    int amount;     /* GF_HARVEST: cubes a worker; GF_FUEL */
};

struct gf_quest {
    enum gf_quest_kind kind;
    int state;  /* 0 light, 1 dark, GF_ANY: GF_GROWN, GF_GIVE */
    int colour; /* or GF_ANY: GF_GIVE */
    int count;
};

struct gf_rep_card {
    char name[GF_NAME];
    enum gf_ability ability;
    int amount;
    char text[GF_TEXT];
    struct gf_quest quest[GF_QUESTS];
    int bonus; /* points for all three quests */
};

struct gf_defeat {           /* how many of these lose the game */
    int failed;              /* orders */
    int killed, killed_easy; /* workers */
    int troops;              /* planets of the enemy */
};

struct gf_cards {
    int version; /* of the rules that are played with them (README, "Versions") */
    struct gf_ship_card ship[GF_SHIPS];
    struct gf_planet_card planet[GF_PLANETS + 1]; /* by number, 1..8; 0 is HOME in names, else a dummy */
    struct gf_order_card order[GF_ORDERS + 1];    /* 0 is a blank */
    struct gf_event_card event[GF_EVENTS + 1];
    struct gf_rep_card rep[GF_PLANETS + 1];
    int orders, events;
    char colour[GF_PLANETS][GF_NAME];
    int colours;
    bool inner[GF_PLANETS + 1]; /* by position on the ring, 1..8 */
    int home_workers, ship_workers, fuel, enemy_position;
    int workers_total, cubes, planet_workers, uncollected, home_store, plots, crops;
    int growth;
    int convert_give;
    int force_ship, force_troop;
    int win_normal, win_hard;
    struct gf_defeat lose;
};

ruleset_cards_load gf_cards_load;

/* The short codes that players see and may write: "P7", "O12", "R3". */
#define GF_CODE CODE_SIZE
void gf_code(char out[GF_CODE], char letter, int number);

/* "light", "dark", "any": the words of states in cards, orders and reports. */
const char *gf_state_word(int state);

#endif
