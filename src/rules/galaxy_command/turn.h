/* One seat's turn, and the steps of a round. phases.c carries out the player's three steps, happenings.c the
 * event step; orders.c holds the words that lead there. All functions trust their caller to have checked the
 * order; the checks are in orders.c. */
#ifndef GALAXY_COMMAND_TURN_H
#define GALAXY_COMMAND_TURN_H

#include <stdbool.h>
#include <stddef.h>

#include "rules/galaxy_command/state.h"
#include "rules/line_events.h"
#include "rules/say.h"

/* Phases of the order language. Collecting happens between the first two. */
enum gc_phase { GC_PHASE_ACTION, GC_PHASE_SWAP, GC_PHASE_BUILD, GC_PHASES };

struct gc_turn {
    const struct gc_cards *cards;
    struct gc_state *state;
    struct gc_player *player;
    struct chance *chance;
    struct events *events;
    int seat;
    bool acted, swapped, built, researched;
    struct line_events lines;
};

extern const struct language gc_language; /* its handlers get a struct gc_turn */

/* Step 1: turns the system up if it lies face down, and attacks it. `rolled` is set as for struct verb: an attack is always a
 * draw, also when diplomacy saves the die. */
enum order_result gc_attack(struct gc_turn *turn, int slot, bool *rolled);
void gc_bide(struct gc_turn *turn, bool by_default);
/* Step 2: `metal` true gives metal for wealth. */
void gc_swap(struct gc_turn *turn, bool metal);
/* Step 3. */
void gc_build(struct gc_turn *turn);
void gc_research(struct gc_turn *turn, int tech);

ruleset_deal gc_deal;
ruleset_play gc_play;
ruleset_view gc_view;
ruleset_robot gc_robot;
ruleset_reveal gc_reveal;

/* Lines for the view's "form": a list of {"line","note"}; empty when the seat is not awaited. */
ruleset_view gc_form;
ruleset_picture gc_picture; /* picture.c */
ruleset_stakes gc_stakes;   /* stakes.c */
/* Average chance in percent to align an unseen near or distant system: all that can be known of a face-down
 * card. */
int gc_unknown_chance(const struct gc_cards *cards, const struct gc_state *state, int seat, bool distant);

/* Step 4 and 5, after all seats. */
void gc_event_step(const struct gc_cards *cards, struct gc_state *state, struct chance *chance,
                   struct events *events);

#endif
