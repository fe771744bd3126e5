/* One play: the active seat's turn through its phases, or as much of it as a mail with PAUSE carries out.
 *
 * struct gs_table is what all functions of a play share; struct gs_turn says whose order is being carried
 * out, and is passed to the handlers of the order language. Reactions (WHEN lines of any seat) run with a
 * gs_turn of their own. The checks of an order are in the orders_*.c; what they lead to is in phases.c (draw,
 * production, build, move, research), uses.c (command cards), attack.c and deals.c, which trust their caller.
 */
#ifndef GALACTIC_SUPREMACY_TURN_H
#define GALACTIC_SUPREMACY_TURN_H

#include <stdbool.h>
#include <stddef.h>

#include "rules/galactic_supremacy/hands.h"
#include "rules/galactic_supremacy/state.h"
#include "rules/line_events.h"
#include "rules/say.h"

struct gs_table {
    const struct gs_cards *cards;
    struct gs_state *state;
    const struct seat_orders *orders; /* of all seats; NULL outside a play */
    struct chance *chance;
    struct events *events;
    int number;               /* of the turn in the mails */
    int draws;                /* made so far: every label has a number of its own */
    int shuffles;             /* hidden draws made so far */
    struct line_events lines; /* of the script that is carried out */
};

/* What a WHEN line answers. */
enum gs_reaction {
    GS_OWN_TURN,
    GS_ON_ATTACKED,
    GS_ON_PLAYED,
    GS_ON_AMBUSHED,
    GS_ON_PEACE,
    GS_ON_COUNTERED,
    GS_ON_CONQUER,
    GS_ON_OFFERED,
    GS_REACTIONS
};

/* A use of a command card. */
struct gs_played {
    enum gs_use use;
    int by;
    int target; /* the seat it is aimed at, or 0 */
};

struct gs_attack; /* attack.h */

struct gs_turn {
    struct gs_table *table;
    const struct gs_cards *cards;
    struct gs_state *state;
    struct gs_player *player;
    int seat;
    /* in the own turn */
    const struct script *script;
    struct script_run *run;
    int running; /* phase of the order language that is running */
    bool pause;  /* PAUSE was read */
    /* in a reaction */
    enum gs_reaction reaction;
    const struct gs_played *played;
    struct gs_attack *attack;
    const struct gs_offer *offer;
    bool agreed; /* the reaction was COUNTER, PLAY AGAIN, TAKE or ACCEPT */
};

extern const struct language gs_language; /* its handlers get a struct gs_turn */
void gs_turn_init(struct gs_turn *turn, struct gs_table *table, int seat);

/* ---- phases.c ---- */
/* Moves on to a phase: what comes between (hand limit, production) happens once. */
void gs_advance(struct gs_turn *turn, int phase);
/* Draw phase. */
void gs_buy_card(struct gs_turn *turn);
/* At most `times` exchanges; returns how many cards were kept, -1 if none could be drawn. */
int gs_exchange(struct gs_turn *turn, enum gs_exchange exchange, int times);
void gs_discard_kind(struct gs_table *table, int seat, enum gs_kind kind, bool over_limit);
/* Build phase; the card of the kind is in the hand. */
void gs_build(struct gs_turn *turn, enum gs_kind kind, int at);
/* Research phase. `how` is 0 for a roll, else the cost of choosing; `tech` -1 leaves a free pick to PREFER.
 */
enum gs_research { GS_ROLL, GS_CATCHUP, GS_DIRECT };
void gs_research(struct gs_turn *turn, enum gs_research how, int tech);

/* ---- uses.c ---- */
/* The seat plays a command card (it has one) for this use. Opponents may counter it, it may answer with PLAY
 * AGAIN. True when the use takes effect in the end. *rolled is set when a die was rolled on the way. */
bool gs_use_card(struct gs_table *table, struct gs_played played, bool *rolled);
/* What a use of the command phase does; `unit` is the fleet or leader aimed at. */
enum order_result gs_use_effect(struct gs_turn *turn, struct gs_played played, int unit, bool *rolled);
/* Strategic Initiative, which stands: another attack in this turn. */
void gs_initiative(struct gs_table *table, int seat);
/* A d10 with a label of its own, for the next event. */
int gs_roll(struct gs_table *table, const char *what, int seat);

/* ---- reactions (react.c) ---- */
/* Tries the seat's WHEN lines for this reaction in the order written until one is carried out; true if one
 * was. `turn` says whose they are and what they answer. */
bool gs_react(struct gs_turn *turn);
/* Carries out the next matching line from *index on and moves *index past it. False when there is none.
 */
bool gs_react_next(struct gs_turn *turn, size_t *index, enum order_result *result);

/* ---- deals.c ---- */
/* Offers with higher numbers than `after` that a WHEN OFFERED line accepts; those that have run out. */
void gs_settle_offers(struct gs_table *table, int after);
void gs_expire_offers(struct gs_table *table);
/* A seat that is out of the game makes and gets no offers. */
void gs_drop_offers(struct gs_state *state, int seat);
/* Can the side that has made the offer still keep it, as far as the other side knows its hand? */
bool gs_offer_stands(const struct gs_cards *cards, const struct gs_state *state,
                     const struct gs_offer *offer);
/* Refuses an offer that cannot be carried out now; else ORDER_DONE. */
enum order_result gs_check_offer(const struct gs_turn *turn, const struct gs_offer *offer,
                                 struct refusal *why);
void gs_offer_accept(struct gs_table *table, const struct gs_offer *offer);
/* "2 fleet, 5 credits" */
struct brief gs_list_words(const uint8_t kinds[GS_KINDS], int credits);
/* The offer, which is open, comes to nothing. */
enum gs_offer_end { GS_WITHDRAWN, GS_DECLINED, GS_EXPIRED };
void gs_offer_end(struct gs_table *table, const struct gs_offer *offer, enum gs_offer_end how);

/* ---- phases.c, round.c ---- */
ruleset_deal gs_deal;
ruleset_play gs_play;
ruleset_instant gs_instant;
/* Opens the seat's turn: draws its card. */
void gs_open_turn(struct gs_table *table, int seat);
/* The seat is out of the game: its cards go to the discard piles. Ends the game when one is left. */
void gs_seat_out(struct gs_table *table, int seat);

/* ---- view.c, form.c, robot.c, reveal.c ---- */
ruleset_view gs_view;
ruleset_view gs_form;
ruleset_picture gs_picture; /* picture.c */
ruleset_stakes gs_stakes;   /* stakes.c */
ruleset_robot gs_robot;
ruleset_reveal gs_reveal;

#endif
