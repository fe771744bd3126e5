/* One turn: the player's part as ordered, then the event, the orders, the end, the growth. turn.c carries
 * that out with happenings.c for the event; orders*.c hold the words that lead to the actions of act.h. */
#ifndef GALAXY_FARMER_TURN_H
#define GALAXY_FARMER_TURN_H

#include <stdbool.h>
#include <stddef.h>

#include "rules/galaxy_farmer/act.h"
#include "rules/line_events.h"
#include "rules/say.h"

#define GF_SEAT 1

/* Headings of the rulebook, for the events. */
#define RULE_SETUP   "Setup"
#define RULE_MOVE    "Actions: Movement"
#define RULE_PLANET  "Planet Actions"
#define RULE_HOME    "HOME Planet Actions"
#define RULE_STORE   "Storing Resources and Locking In"
#define RULE_QUEST   "Relationship Rules"
#define RULE_FARM    "Home Farm Rules"
#define RULE_CONVERT "Converter Rules"
#define RULE_FIGHT   "Fighting the Enemy Ship"
#define RULE_EVENT   "Event Card Anatomy"
#define RULE_ENEMY   "Enemy Ship Movement"
#define RULE_LANDING "Enemy Ship Rules"
#define RULE_METEOR  "Meteor Storm"
#define RULE_TURNED  "Workers on Turned Planets"
#define RULE_ORDER   "Order Card Anatomy"
#define RULE_TURN    "Turn Order"
#define RULE_END     "Win/Lose Conditions"

struct gf_turn {
    const struct gf_cards *cards;
    struct gf_state *state;
    struct events *events;
    bool drifted;   /* the one move without fuel has been made */
    bool converted; /* the converter has been used */
    struct line_events lines;
};

extern const struct language gf_language; /* its handlers get a struct gf_turn */

ruleset_deal gf_deal;
ruleset_play gf_play;
ruleset_view gf_view;
ruleset_robot gf_robot;
ruleset_reveal gf_reveal;

/* Lines for the view's "form": a list of {"line","note"}; empty when the seat is not awaited. */
ruleset_view gf_form;
ruleset_picture gf_picture; /* picture.c */
ruleset_stakes gf_stakes;   /* stakes.c */

/* The event of the turn. */
void gf_event_step(const struct gf_cards *cards, struct gf_state *state, struct events *events);
/* Grown cubes of one planet: `each` a worker on its top half, as far as there is room and the pool lasts. */
int gf_grow(const struct gf_cards *cards, struct gf_state *state, int planet, int each);

/* Cubes as text, for events, refusals and views: "2 dark sunpod", and free cubes with the states of their planets, "2
 * light sunpod, 1 dark emberwort". */
struct brief gf_kind_words(const struct gf_cards *cards, int resource, int count, bool dark);
struct brief gf_cubes_words(const struct gf_cards *cards, const struct gf_state *state,
                            const uint8_t cubes[GF_PLANETS]);

#endif
