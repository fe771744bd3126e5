/* An attack: what was ordered (gs_plan), and how it went with the cards of both sides (gs_attack).
 * combat.h rolls the dice. */
#ifndef GALACTIC_SUPREMACY_ATTACK_H
#define GALACTIC_SUPREMACY_ATTACK_H

#include "rules/galactic_supremacy/combat.h"
#include "rules/galactic_supremacy/turn.h"

#define GS_TACTICALS 8 /* the most that a side can order for one attack */

struct gs_plan {
    int by, target; /* seats */
    int world;
    int fleet_count;
    uint8_t fleet[GS_FLEETS]; /* numbers */
    bool surprise, initiative, aim_leaders;
    int tactical_count;
    uint8_t tactical[GS_TACTICALS]; /* fleets */
};

enum gs_defence { GS_DEFEND_DEFAULT, GS_DEFEND_ALL, GS_DEFEND_HERE, GS_DEFEND_NONE, GS_DEFEND_LIST };

struct gs_attack {
    struct gs_plan plan;
    bool surprise, ambush, peace; /* that stand */
    int tactical[2][GS_FLEETS +
                    1]; /* extra dice in force: [0] attacker, [1] defender; by fleet, 0 is the world */
    /* what the defender wants */
    enum gs_defence defence;
    bool list[GS_FLEETS + 1]; /* fleets, GS_DEFEND_LIST */
    int retreat;              /* a world, or GS_NOWHERE */
    /* The world that this fleet was sent to, else GS_NOWHERE: it goes with the others. */
    int8_t sent[GS_FLEETS + 1];
    bool aim_leaders;
    /* cards that the reaction just carried out plays */
    struct {
        enum gs_use use;
        int unit; /* GS_TACTICAL: a fleet, or 0 for the world */
    } play[GS_TACTICALS];
    int play_count;
    bool leave;          /* a conquered sector is not taken */
    struct gs_plan next; /* WHEN PEACE ATTACK */
    bool has_next;
};

/* Carries out a plan that gs_check_plan found good. ORDER_DONE: the world was conquered; else ORDER_FAILED.
 */
enum order_result gs_attack(struct gs_turn *turn, const struct gs_plan *plan);
/* Refuses a plan that cannot be carried out now; else ORDER_DONE. */
enum order_result gs_check_plan(const struct gs_cards *cards, const struct gs_state *state,
                                const struct gs_plan *plan, struct refusal *why);
/* With all fleets of the attacker. */
void gs_plan_all(const struct gs_state *state, struct gs_plan *plan);
/* The defender sends no fleet anywhere. */
void gs_no_retreat(struct gs_attack *attack);
/* May the defender call fleets from other worlds? */
bool gs_may_call(const struct gs_state *state, const struct gs_attack *attack);
/* The sides as they would fight now; the defender does what was ordered so far, or the default. */
void gs_sides(const struct gs_cards *cards, const struct gs_state *state, const struct gs_attack *attack,
              struct gs_combat *combat);

/* ---- odds.c ---- */
#define GS_TRIALS 200
/* How often in 100 the attacker wins, from GS_TRIALS combats with dice that follow from the state, not from
 * the turn's chance. Cards that are not played yet do not count. */
int gs_odds(const struct gs_cards *cards, const struct gs_state *state, const struct gs_attack *attack);
/* Of a plan: the defender uses all fleets that may defend. */
struct gs_outlook {
    int odds;
    int lost, destroyed; /* fleets of the attacker and of the defender, in 100 such combats */
};
struct gs_outlook gs_plan_outlook(const struct gs_cards *cards, const struct gs_state *state,
                                  const struct gs_plan *plan);
int gs_plan_odds(const struct gs_cards *cards, const struct gs_state *state, const struct gs_plan *plan);
/* The fleets that may defend against it. */
int gs_plan_defenders(const struct gs_state *state, const struct gs_plan *plan);

#endif
