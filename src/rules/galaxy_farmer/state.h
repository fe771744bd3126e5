/* The state of one game of Galaxy Farmer and what follows from it. A plain struct without pointers; state.c
 * holds its field table.
 *
 * Places: 0 is HOME, 1..8 are the planets by card number. The ring holds a planet at each of its
 * positions 1..8, clockwise from the top left. Resources are indices 0..7; resource i grows on planet i + 1.
 * A free cube (ship, store, farm, planet) has no state of its own: it is light or dark as the top of its
 * planet is now. Locked cubes have the state of the requirement that they fill.
 *
 * Invariants: a resource's cubes in pool, planet, cargo, store, plots, crops, orders and quests are as many
 * as gf_cards.cubes; workers aboard, at HOME, on planets and killed as many as gf_cards.workers_total. */
#ifndef GALAXY_FARMER_STATE_H
#define GALAXY_FARMER_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "rules/decks.h"
#include "rules/galaxy_farmer/cards.h"
#include "rules/ruleset.h"

#define GF_HOME 0

/* Positions in the options array, as in ruleset.c. */
enum gf_option { GF_OPTION_DIFFICULTY, GF_OPTION_SHIP, GF_OPTION_LENIENT };
enum gf_difficulty { GF_EASY, GF_NORMAL, GF_HARD };
/* Why the game is over; gf_ending gives the word. */
enum gf_end {
    GF_RUNNING,
    GF_WON,
    GF_ORDERS_FAILED,
    GF_WORKERS_KILLED,
    GF_TROOPS_EVERYWHERE,
    GF_EVENTS_OVER,
    GF_ENDS
};

struct gf_planet {
    bool dark;   /* its top half */
    int working; /* workers on the top half */
    int idle;    /* workers on the bottom half */
    int cubes;   /* grown, not yet collected */
    bool troop;
    int meteor; /* events that it still lies, 0 = none */
    int rep;    /* the representative here, 1..8 */
};

struct gf_order {
    int card; /* 0: the slot is empty */
    int timer;
    uint8_t locked[GF_NEEDS]; /* by requirement of the card */
};

struct gf_plot {
    int planted; /* resource + 1, 0 = empty */
    int crop;    /* grown cubes that wait */
};

struct gf_rep {
    int cubes;                  /* quests done, 0..3 */
    uint8_t locked[GF_PLANETS]; /* by resource: given for the quest that is not complete */
};

struct gf_tally {
    int score;
    int failed, completed; /* orders */
    int killed;            /* workers */
};

struct gf_state {
    int turn; /* being played, from 1 */
    int difficulty, ship;
    bool lenient;
    struct gf_tally tally;
    int fuel;
    int place;
    int aboard, home; /* workers */
    int landed;       /* workers that were aboard when the ship landed where it is */
    uint8_t cargo[GF_PLANETS], store[GF_PLANETS], pool[GF_PLANETS];
    struct gf_plot plot[GF_PLOTS];
    uint8_t ring[GF_PLANETS]; /* planet at position i + 1 */
    struct gf_planet planet[GF_PLANETS];
    int enemy; /* position on the ring, 1..8 */
    struct gf_order open[GF_OPEN];
    int order_count, gone_count, event_count, used_count;
    uint8_t orders[GF_ORDERS]; /* the deck, the next one first; hidden */
    uint8_t gone[GF_ORDERS];   /* completed and failed */
    uint8_t events[GF_EVENTS]; /* the deck, the next one first; hidden */
    uint8_t used[GF_EVENTS];   /* in the order of happening */
    struct gf_rep rep[GF_PLANETS];
    int partner; /* representative, 0 = none chosen */
    int hold;    /* card of the order whose timer the partner holds, 0 = the most urgent one */
    int end;     /* enum gf_end */
};

extern const struct field gf_fields[]; /* fields.c */

/* Everything in place, all cards in the order of their numbers, all tops light; gf_deal shuffles. */
ruleset_init gf_init;
/* Brings every number of a state that was read from a file into its range, so that no other function need
 * check it. A state made by the rules is left as it is. */
void gf_tame(const struct gf_cards *cards, struct gf_state *state);

static inline int gf_min(int a, int b)
{
    return a < b ? a : b;
}

/* ---- the map ---- */

static inline const struct gf_planet *gf_planet(const struct gf_state *state, int planet)
{
    return &state->planet[planet - 1];
}
int gf_planet_at(const struct gf_state *state, int position); /* any position, counted around the ring */
int gf_position(const struct gf_state *state, int planet);
bool gf_is_inner(const struct gf_cards *cards, const struct gf_state *state, int planet);
/* May a ship fly from one place to the other (fuel and meteors aside)? */
bool gf_route(const struct gf_cards *cards, const struct gf_state *state, int from, int to);
/* Steps of the enemy ship to a planet, the shorter way. */
int gf_enemy_steps(const struct gf_state *state, int planet);
int gf_troops(const struct gf_state *state);

/* ---- the ship and HOME ---- */

/* The partner's amount if they have this ability, else 0. */
int gf_ability(const struct gf_cards *cards, const struct gf_state *state, enum gf_ability ability);
int gf_tank(const struct gf_cards *cards, const struct gf_state *state);
int gf_cargo_limit(const struct gf_cards *cards, const struct gf_state *state);
int gf_bunks(const struct gf_cards *cards, const struct gf_state *state);
int gf_plots(const struct gf_cards *cards, const struct gf_state *state);
/* What the workers aboard are worth against an enemy who comes. */
int gf_strength(const struct gf_cards *cards, const struct gf_state *state);
/* The strength that FIGHT can muster: at a planet only those count who were aboard when the ship landed,
 * whatever they have done since (002:281). */
int gf_fighters(const struct gf_cards *cards, const struct gf_state *state);
/* What must be beaten at a planet: troop and enemy ship, 0 if neither is there. */
int gf_force(const struct gf_cards *cards, const struct gf_state *state, int planet);
int gf_sum(const uint8_t cubes[GF_PLANETS]);
int gf_cargo_room(const struct gf_cards *cards, const struct gf_state *state);
int gf_store_room(const struct gf_cards *cards, const struct gf_state *state);
static inline bool gf_dark(const struct gf_state *state, int resource)
{
    return state->planet[resource].dark;
}
/* Cubes that a worker on the top half of a planet grows a turn. */
int gf_yield(const struct gf_cards *cards, const struct gf_state *state, int planet);

/* ---- orders and quests ---- */

static inline const struct gf_order_card *gf_order_card(const struct gf_cards *cards,
                                                        const struct gf_order *order)
{
    return &cards->order[order->card];
}
/* Cubes that an order (or one requirement of it) still misses. */
int gf_missing(const struct gf_cards *cards, const struct gf_order *order);
int gf_need_missing(const struct gf_cards *cards, const struct gf_order *order, int need);
/* The requirement of an order that takes such cubes and misses some; -1 if none. */
int gf_need_for(const struct gf_cards *cards, const struct gf_order *order, int resource, bool dark);
/* Turns that an order stays, this one included: 1 = it fails at the end of this turn. */
int gf_turns_left(const struct gf_cards *cards, const struct gf_order *order);
/* The slot whose timer does not advance at the end of this turn; -1 if none. */
int gf_held_slot(const struct gf_cards *cards, const struct gf_state *state);
/* The slot of an open order by its card; -1 if it is not open. */
int gf_slot_of(const struct gf_state *state, int card);
/* The quest that a representative waits for; NULL when all are done. */
const struct gf_quest *gf_next_quest(const struct gf_cards *cards, const struct gf_state *state, int rep);
/* Cubes that a GF_GIVE quest still misses. */
int gf_quest_missing(const struct gf_state *state, int rep, const struct gf_quest *quest);
/* Does the quest take cubes of this resource as they are now? */
bool gf_quest_takes(const struct gf_cards *cards, const struct gf_state *state, const struct gf_quest *quest,
                    int resource);
/* The planet at which a representative sits. */
int gf_rep_planet(const struct gf_state *state, int rep);

/* ---- the end ---- */

int gf_goal(const struct gf_cards *cards, const struct gf_state *state);
int gf_failed_limit(const struct gf_cards *cards, const struct gf_state *state);
int gf_killed_limit(const struct gf_cards *cards, const struct gf_state *state);
enum gf_end gf_judge(const struct gf_cards *cards, const struct gf_state *state);
ruleset_awaits gf_awaits;
ruleset_scores gf_scores;
ruleset_ending gf_ending;
enum gf_deck { GF_ORDER_DECK, GF_EVENT_DECK };
deck_lister gf_decks; /* by enum gf_deck */
ruleset_conceal gf_conceal;
ruleset_check gf_check; /* check.c */

#endif
