/* One seat's turn. play.c carries out moves and what may be done at any time, deliver.c shipments, trades and
 * constructions, collect.c the last phase; the words that lead there are in orders*.c. All functions trust
 * their caller to have checked the order. */
#ifndef GALACTIC_CONTRACT_TURN_H
#define GALACTIC_CONTRACT_TURN_H

#include <stdbool.h>
#include <stddef.h>

#include "rules/galactic_contract/state.h"
#include "rules/line_events.h"
#include "rules/say.h"

#define GK_RULE_SETUP        "Game Setup"
#define GK_RULE_MOVE         "1. Move"
#define GK_RULE_SHIPMENT     "2. Interact: To Fulfill a Shipment"
#define GK_RULE_CONSTRUCTION "2. Interact: Construction cards"
#define GK_RULE_TRADE        "2. Interact: To Fulfill a Trade"
#define GK_RULE_STORAGE      "2. Interact: Storage Upgrade Cards"
#define GK_RULE_ANYTIME      "At any time during the Move and Interact phases"
#define GK_RULE_COLLECT      "3. Collect"
#define GK_RULE_WIN          "How to Win"

/* Phases of the order language: standing lists are read first; then everything in written order, and COLLECT
 * lines last. */
enum gk_phase { GK_PHASE_BEGIN, GK_PHASE_ACT, GK_PHASE_COLLECT, GK_PHASES };

/* What a COLLECT line wants of one planet for one hold: everything by KEEP (also when nothing was said), or
 * the kinds asked for, in order, and how many at most. */
enum gk_mode { GK_UNSAID, GK_ALL, GK_LIST };
struct gk_wish {
    enum gk_mode mode;
    int count;
    struct {
        int kind, amount;
    } item[GK_KINDS];
};

enum gk_answer { GK_NO_ANSWER, GK_TAKEN, GK_REFUSED };

/* A gift that the seat may take: what WHEN GIFT decides. */
struct gk_gift {
    struct gk_goods fits; /* of the gift: what the bank has and the ship has room for */
    enum gk_answer answer;
};

struct gk_turn {
    const struct gk_cards *cards;
    struct gk_state *state;
    struct gk_player *player;
    struct chance
        *chance; /* only counts: nothing is drawn after the deal, all orders of cards are fixed there */
    struct events *events;
    const struct seat_orders *orders; /* of all seats, for reactions */
    int seat, number;
    bool missed;
    bool revealed; /* a card has been turned up since this play began */
    bool shown;    /* ... before the line that is carried out */
    bool paused;
    struct gk_goods lost; /* for which there was no room after trades */
    struct gk_gift *gift; /* in a reaction: the only thing that counts */
    struct gk_wish ship, here;
    struct gk_wish stored[GK_UPGRADES]; /* by owned upgrade, for storages elsewhere */
    struct line_events lines;
};

extern const struct language gk_language; /* its handlers get a struct gk_turn */

/* ---- play.c ---- */
/* `fuel` is discarded, `steps` are used. */
void gk_move(struct gk_turn *turn, int place, int steps, int fuel);
void gk_stay(struct gk_turn *turn);
void gk_buy(struct gk_turn *turn, int upgrade);
void gk_swap(struct gk_turn *turn, int give, int get);
void gk_discard(struct gk_turn *turn, const struct gk_goods *goods);
/* Between the ship and its player's storage here. */
void gk_load(struct gk_turn *turn, struct gk_owned *storage, const struct gk_goods *goods);
void gk_store(struct gk_turn *turn, struct gk_owned *storage, const struct gk_goods *goods);
/* The end is reached: now, or when the round is finished. */
void gk_end(struct gk_turn *turn, enum gk_ending ending);

/* ---- deliver.c ---- */
/* Delivers the open shipment of a pile. A construction that is drawn is attached at `put`, 0 = by PLACE. */
void gk_ship(struct gk_turn *turn, int pile, int put);
/* Fulfills the trade where the ship is. */
void gk_trade(struct gk_turn *turn);
/* Attaches constructions that wait: where PLACE says, or in the end (`by_default`) where the house rules
 * say. */
void gk_attach_pending(struct gk_turn *turn, bool by_default);

/* What would be over the capacity leaves the ship, what is wanted least first: into a storage that has room for so much, the rest
 * is lost. */
void gk_unload(const struct gk_cards *cards, struct gk_player *player, int room, struct gk_goods *stored,
               struct gk_goods *lost);

/* ---- collect.c ---- */
/* What a hold of `room` takes of what is there, by what is wanted; it comes aboard. */
struct gk_goods gk_take_wanted(struct gk_player *aboard, struct gk_goods *left, int room);
void gk_collect(struct gk_turn *turn);

ruleset_deal gk_deal;
ruleset_play gk_play;
ruleset_view gk_view;
ruleset_robot gk_robot;
ruleset_reveal gk_reveal;

/* Lines for the view's "form": a list of {"line","note"}; empty when the seat's orders are not awaited. */
ruleset_view gk_form;
ruleset_picture gk_picture; /* picture.c */
ruleset_stakes gk_stakes;   /* stakes.c */

#endif
