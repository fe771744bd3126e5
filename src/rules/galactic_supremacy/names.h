/* Reading names in orders and conditions. Refusing functions return ORDER_REFUSED and may be returned as they
 * are.
 *
 * Players are P1 to P6 (or PLAYER 2, SEAT 2); the engine has turned names into these. Worlds are HOME (or H),
 * S1, S2 ...; fleets F1 ..., leaders L1
 * ...; each also by the beginning of the name on its card. */
#ifndef GALACTIC_SUPREMACY_NAMES_H
#define GALACTIC_SUPREMACY_NAMES_H

#include "rules/galactic_supremacy/attack.h"
#include "rules/galactic_supremacy/turn.h"
#include "rules/refuse.h"

/* Reads a player's number. False (nothing consumed) when there is none. */
bool gs_read_seat(const struct gs_turn *turn, struct args *args, int *seat);
/* Reads an opponent who is still in the game; with one opponent left it may be left out. Refuses otherwise.
 */
bool gs_read_opponent(const struct gs_turn *turn, struct args *args, int *seat, struct refusal *why);

/* A unit of a seat: a world 'w', a fleet 'f' or a leader 'l'. */
struct gs_ref {
    char type;
    int number;
};
/* Reads a unit of the seat that is in play. False when there is none, or it does not exist. */
bool gs_read_unit(const struct gs_turn *turn, int seat, struct args *args, struct gs_ref *ref);
/* The same of one type; the rest is left alone. */
bool gs_read_world(const struct gs_turn *turn, int seat, struct args *args, int *world);
bool gs_read_fleet(const struct gs_turn *turn, int seat, struct args *args, int *fleet);

enum name_found gs_read_tech(const struct gs_cards *cards, struct args *args, int *tech,
                             struct str *candidates);
enum name_found gs_read_use(const struct gs_cards *cards, struct args *args, int *use,
                            struct str *candidates);
bool gs_read_kind(struct args *args, int *kind);

/* ruleset.words.own: names of cards, technologies and uses, codes, and what deals are written with. */
ruleset_own_word gs_own_word;

/* What changes hands in a deal: "1 fleet 5 credits", "2 research cards", "nothing". RESEARCH may be written
 * SCIENCE, because conditions and WHEN lines take RESEARCH for an order; a card's name means its kind.
 * False when nothing could be read. */
struct gs_list {
    int kind[GS_KINDS];
    int credits;
};
bool gs_read_list(const struct gs_cards *cards, struct args *args, struct gs_list *list);
/* A card of the seat's hand by the beginning of its name, of this kind or (-1) of any; its place there. */
bool gs_read_hand(const struct gs_turn *turn, struct args *args, int kind, int *index);

/* What is quoted of arguments that begin with something unknown: its first word, or "s 9". */
struct brief gs_first_words(const struct args *args);
/* The order belongs to this phase of the seat's own turn: false and a refusal after WHEN, or when PAUSE has
 * ended the phase; otherwise moves on to the phase. */
bool gs_enter(struct gs_turn *turn, int phase, struct refusal *why);

/* ---- attack plans, orders_attack.c ---- */
/* Reads and checks "P2 S1 WITH F1 F2 USING SURPRISE, TACTICAL F1 AIM LEADERS". */
bool gs_read_plan(const struct gs_turn *turn, struct args *args, struct gs_plan *plan, struct refusal *why);
/* The plan of the next ATTACK that the script orders, for ODDS. */
bool gs_next_plan(const struct gs_turn *turn, struct gs_plan *plan);

/* PLAY after WHEN. */
enum order_result gs_play_answer(struct gs_turn *turn, struct args *args, struct refusal *why);

/* struct language.counters and .have */
extern const struct counter gs_counters[];
bool gs_have(void *turn, struct args *args, bool *known);

/* ---- handlers, by file: orders_cards.c, orders_units.c, orders_attack.c, orders_deals.c ---- */
#define GS_HANDLER(name) \
    enum order_result name(void *turn, struct args *args, struct refusal *why, bool *rolled)
GS_HANDLER(gs_run_draw);
GS_HANDLER(gs_run_explore);
GS_HANDLER(gs_run_draft);
GS_HANDLER(gs_run_intel);
GS_HANDLER(gs_run_rnd);
GS_HANDLER(gs_run_discard);
GS_HANDLER(gs_run_keep);
GS_HANDLER(gs_run_prefer);
GS_HANDLER(gs_run_play);
GS_HANDLER(gs_run_build);
GS_HANDLER(gs_run_attack);
GS_HANDLER(gs_run_move);
GS_HANDLER(gs_run_research);
GS_HANDLER(gs_run_pass);
GS_HANDLER(gs_run_pause);
GS_HANDLER(gs_run_defend);
GS_HANDLER(gs_run_counter);
GS_HANDLER(gs_run_take);
GS_HANDLER(gs_run_leave);
GS_HANDLER(gs_run_offer);
GS_HANDLER(gs_run_accept);
GS_HANDLER(gs_run_decline);
GS_HANDLER(gs_run_withdraw);
GS_HANDLER(gs_run_vote);

/* Matches "[use] [by player] [on me]" against what was played; `rest` may follow. */
bool gs_match_played(const struct gs_turn *turn, struct args *args);

#endif
