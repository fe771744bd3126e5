/* From the order to attack to its end: cards of both sides, who defends, rounds of combat, what falls. */
#include "rules/galactic_supremacy/attack.h"

#include <string.h>

#include "base/str.h"

#define RULE_ATTACK "Attack Phase"
#define WORLD       " world=%s name+=%s target_seat=%d"
#define ROUNDS      1000 /* every round destroys a unit, so there are at most 65 */

/* ---- names for events ---- */

static struct brief fleet_names(const uint8_t *fleets, int count)
{
    struct str out = STR_INIT;
    for (int i = 0; i < count; i++)
        str_addf(&out, "%sF%d", i ? " " : "", fleets[i]);
    return brief_str(&out);
}

/* The name of the world's card; "" of a homeworld. */
static const char *world_name(const struct gs_table *table, const struct gs_plan *plan)
{
    return gs_world_card(table->cards, gs_player_const(table->state, plan->target), plan->world);
}

/* ---- plans ---- */

void gs_plan_all(const struct gs_state *state, struct gs_plan *plan)
{
    const struct gs_player *player = gs_player_const(state, plan->by);
    for (int i = 0; i < player->fleet_count && i < GS_FLEETS; i++)
        if (player->fleet[i].number <= GS_FLEETS)
            plan->fleet[plan->fleet_count++] = player->fleet[i].number;
}

enum order_result gs_check_plan(const struct gs_cards *cards, const struct gs_state *state,
                                const struct gs_plan *plan, struct refusal *why)
{
    const struct gs_player *player = gs_player_const(state, plan->by);
    const struct code target = code_of('P', plan->target);
    int needed = plan->surprise + plan->initiative + plan->tactical_count;
    if (state->attacks < 1 && !plan->initiative)
        return no(why, "one_attack player=%s", target.p);
    if (!gs_alive(state, plan->target) || plan->target == plan->by)
        return no(why, "player_out player=%s", target.p);
    if (state->peace & (int)SEAT_BIT(plan->target))
        return no(why, "peace_made player=%s", target.p);
    if (!gs_has_world(gs_player_const(state, plan->target), plan->world))
        return no(why, "no_such_world player=%s", target.p);
    if (plan->fleet_count < 1)
        return no(why, "no_fleets player=%s", target.p);
    if (gs_hand_count(cards, player, GS_COMMAND) < needed)
        return no(why, "no_command player=%s", target.p);
    return ORDER_DONE;
}

bool gs_may_call(const struct gs_state *state, const struct gs_attack *attack)
{
    const struct gs_player *attacker = gs_player_const(state, attack->plan.by);
    const struct gs_player *defender = gs_player_const(state, attack->plan.target);
    if (attack->ambush != attack->surprise)
        return attack->ambush;
    return defender->tech[GS_JUMP] > attacker->tech[GS_JUMP];
}

/* ---- sides ---- */

/* `dice` that it rolls without a leader. Number 0 is a world. */
static void add_fighter(struct gs_side *side, const struct gs_cards *cards, int number, int dice, bool leader)
{
    struct gs_fighter *unit = &side->unit[side->count++];
    *unit = (struct gs_fighter){.number = (uint8_t)number, .leader = leader};
    unit->dice = (uint8_t)(dice + (leader ? cards->dice.leader : 0));
}

static bool led(const struct gs_player *player, int at)
{
    return gs_leader_at(player, at) != NULL;
}

void gs_no_retreat(struct gs_attack *attack)
{
    attack->retreat = GS_NOWHERE;
    memset(attack->sent, GS_NOWHERE, sizeof(attack->sent));
}

/* Does this fleet of the defender fight, according to the orders so far? */
static bool defends(const struct gs_state *state, const struct gs_attack *attack, const struct gs_unit *fleet)
{
    bool here = fleet->at == attack->plan.world;
    if (!here && !gs_may_call(state, attack))
        return false;
    switch (attack->defence) {
    case GS_DEFEND_ALL: return true;
    case GS_DEFEND_HERE: return here;
    case GS_DEFEND_NONE: return false;
    case GS_DEFEND_LIST: return fleet->number <= GS_FLEETS && attack->list[fleet->number];
    case GS_DEFEND_DEFAULT: break;
    }
    return here || attack->plan.world == GS_HOME;
}

static bool can_go(const struct gs_player *player, const struct gs_attack *attack, int world)
{
    return world != attack->plan.world && world != GS_NOWHERE && gs_has_world(player, world);
}

/* Where a fleet goes that does not defend its sector, or GS_NOWHERE. */
static int retreat_to(const struct gs_player *player, const struct gs_attack *attack, int fleet)
{
    if (fleet <= GS_FLEETS && can_go(player, attack, attack->sent[fleet]))
        return attack->sent[fleet];
    if (can_go(player, attack, attack->retreat))
        return attack->retreat;
    if (attack->plan.world != GS_HOME)
        return GS_HOME;
    return player->sector_count ? player->sector[0].number : GS_NOWHERE;
}

void gs_sides(const struct gs_cards *cards, const struct gs_state *state, const struct gs_attack *attack,
              struct gs_combat *combat)
{
    const struct gs_plan *plan = &attack->plan;
    const struct gs_player *attacker = gs_player_const(state, plan->by);
    const struct gs_player *defender = gs_player_const(state, plan->target);
    int fleet_dice = cards->dice.fleet + gs_advantages(attacker, defender) * cards->dice.advantage;
    combat->attacker = (struct gs_side){.seat = plan->by, .aim_leaders = plan->aim_leaders};
    combat->defender = (struct gs_side){.seat = plan->target, .aim_leaders = attack->aim_leaders};
    for (int i = 0; i < plan->fleet_count; i++) {
        int number = plan->fleet[i];
        add_fighter(&combat->attacker, cards, number, fleet_dice + attack->tactical[0][number],
                    led(attacker, GS_ON_FLEET + number));
    }
    int ahead = gs_advantages(defender, attacker) * cards->dice.advantage;
    int world_dice = (plan->world == GS_HOME ? cards->dice.home : cards->dice.sector) + ahead;
    fleet_dice = cards->dice.fleet + ahead;
    add_fighter(&combat->defender, cards, 0, world_dice + attack->tactical[1][0], led(defender, plan->world));
    for (int i = 0; i < defender->fleet_count && i < GS_FLEETS; i++) {
        const struct gs_unit *fleet = &defender->fleet[i];
        bool stuck = retreat_to(defender, attack, fleet->number) == GS_NOWHERE;
        if (fleet->number <= GS_FLEETS &&
            (defends(state, attack, fleet) || (stuck && fleet->at == plan->world)))
            add_fighter(&combat->defender, cards, fleet->number,
                        fleet_dice + attack->tactical[1][fleet->number],
                        led(defender, GS_ON_FLEET + fleet->number));
    }
}

/* ---- cards of both sides ---- */

/* Plays the cards that a reaction asked for. */
static void play_asked(struct gs_table *table, struct gs_attack *attack, int seat)
{
    int enemy = seat == attack->plan.by ? attack->plan.target : attack->plan.by;
    bool rolled = false;
    for (int i = 0; i < attack->play_count && !attack->peace; i++) {
        enum gs_use use = attack->play[i].use;
        if (gs_hand_find(table->cards, gs_player(table->state, seat), GS_COMMAND) < 0 ||
            !gs_use_card(table, (struct gs_played){use, seat, enemy}, &rolled))
            continue;
        attack->peace |= use == GS_PEACE;
        attack->ambush |= use == GS_AMBUSH;
        attack->surprise |= use == GS_SURPRISE;
        if (use == GS_TACTICAL)
            attack->tactical[seat == attack->plan.target][attack->play[i].unit] +=
                table->cards->dice.tactical;
    }
    attack->play_count = 0;
}

static void attackers_cards(struct gs_table *table, struct gs_attack *attack)
{
    const struct gs_plan *plan = &attack->plan;
    bool rolled = false;
    if (plan->initiative && gs_use_card(table, (struct gs_played){GS_INITIATIVE, plan->by, 0}, &rolled))
        gs_initiative(table, plan->by);
    if (table->state->attacks < 1)
        return;
    if (plan->surprise)
        attack->play[attack->play_count++].use = GS_SURPRISE;
    for (int i = 0; i < plan->tactical_count && attack->play_count < GS_TACTICALS; i++) {
        attack->play[attack->play_count].use = GS_TACTICAL;
        attack->play[attack->play_count++].unit = plan->tactical[i];
    }
    play_asked(table, attack, plan->by);
}

/* All matching lines of the defender: cards in the order written, and the first DEFEND. */
static void defenders_answers(struct gs_table *table, struct gs_attack *attack)
{
    struct gs_turn turn;
    size_t index = 0;
    enum order_result result;
    gs_turn_init(&turn, table, attack->plan.target);
    turn.reaction = GS_ON_ATTACKED;
    turn.attack = attack;
    while (!attack->peace && gs_react_next(&turn, &index, &result))
        play_asked(table, attack, attack->plan.target);
}

static void attacker_answers(struct gs_table *table, struct gs_attack *attack, enum gs_reaction reaction)
{
    struct gs_turn turn;
    gs_turn_init(&turn, table, attack->plan.by);
    turn.reaction = reaction;
    turn.attack = attack;
    (void)gs_react(&turn);
    if (reaction == GS_ON_AMBUSHED)
        play_asked(table, attack, attack->plan.by);
}

/* ---- who defends ---- */

static void withdraw_fleets(struct gs_table *table, const struct gs_attack *attack,
                            const struct gs_combat *combat)
{
    struct gs_player *player = gs_player(table->state, attack->plan.target);
    for (int i = 0; i < player->fleet_count; i++) {
        struct gs_unit *fleet = &player->fleet[i];
        int to = retreat_to(player, attack, fleet->number);
        bool fights = false;
        for (int k = 1; k < combat->defender.count; k++)
            fights |= combat->defender.unit[k].number == fleet->number;
        if (to == GS_NOWHERE || fleet->at != attack->plan.world || fights)
            continue;
        fleet->at = (uint8_t)to;
        say(table->events, attack->plan.target, RULE_ATTACK, "declined unit=%s place=%s",
            code_of('F', fleet->number).p, gs_at_code(to).p);
    }
}

static void tell_defence(struct gs_table *table, const struct gs_attack *attack,
                         const struct gs_combat *combat)
{
    uint8_t fleets[GS_FLEETS];
    int count = 0;
    for (int i = 1; i < combat->defender.count && count < GS_FLEETS; i++)
        fleets[count++] = combat->defender.unit[i].number;
    const bool cancelled = attack->surprise && attack->ambush;
    say(table->events, attack->plan.target, RULE_ATTACK,
        "defends" WORLD " cancelled+=%d may_call+=%d fleets+=%s", gs_at_code(attack->plan.world).p,
        world_name(table, &attack->plan), attack->plan.by, cancelled,
        !cancelled && gs_may_call(table->state, attack), fleet_names(fleets, count).p);
}

/* ---- rounds ---- */

static struct code unit_code(const struct gs_fighter *unit, int world)
{
    return unit->number ? code_of('F', unit->number) : gs_at_code(world);
}

static void tell_rolls(struct gs_table *table, int seat, int round, struct str *rolls)
{
    if (rolls->len)
        say(table->events, seat, RULE_ATTACK, "combat_rolls round=%d rolls=%s", round, rolls->p);
    str_clear(rolls);
}

/* Rolls for a side; the events hold the sums as text, and the labelled dice, EVENT_DICE an event at most. */
static void roll_side(struct gs_table *table, struct gs_side *side, int world, int fight, int round)
{
    struct str rolls = STR_INIT;
    for (int i = 0; i < side->count; i++) {
        struct gs_fighter *unit = &side->unit[i];
        if (unit->gone)
            continue;
        if (table->events->rolled + unit->dice > EVENT_DICE)
            tell_rolls(table, side->seat, round, &rolls);
        const struct code code = unit_code(unit, world);
        str_addf(&rolls, "%s%s ", rolls.len ? ", " : "", code.p);
        unit->roll = 0;
        for (int d = 1; d <= unit->dice; d++) {
            const int die = event_roll(table->events, table->chance, table->cards->sides,
                                       "fight%d/%d/s%d/%s/%d", fight, round, side->seat, code.p, d);
            unit->roll += die;
            str_addf(&rolls, "%s%d", d > 1 ? "+" : "", die);
        }
        if (unit->dice > 1)
            str_addf(&rolls, "=%d", unit->roll);
    }
    tell_rolls(table, side->seat, round, &rolls);
    str_release(&rolls);
}

/* Takes a destroyed unit and its leader from the table. The attacker takes care of a conquered world's card.
 */
static void lose_unit(struct gs_table *table, int seat, int number, int world)
{
    struct gs_player *player = gs_player(table->state, seat);
    int at = number ? GS_ON_FLEET + number : world;
    const struct gs_unit *leader = gs_leader_at(player, at);
    if (leader) {
        gs_discard(table->state, leader->card);
        gs_unit_remove(player->leader, &player->leader_count, leader->number);
    }
    const struct gs_unit *fleet = number ? gs_fleet(player, number) : NULL;
    if (fleet) {
        gs_discard(table->state, fleet->card);
        gs_unit_remove(player->fleet, &player->fleet_count, number);
    }
}

static void tell_losses(struct gs_table *table, const struct gs_side *side, const struct gs_side *enemy,
                        int world)
{
    for (int i = 0; i < side->count; i++) {
        const struct gs_fighter *unit = &side->unit[i];
        struct str by = STR_INIT;
        if (!unit->hit)
            continue;
        for (int k = 0; unit->by[k] >= 0; k++)
            str_addf(&by, "%s%s", k ? " + " : "", unit_code(&enemy->unit[unit->by[k]], world).p);
        say(table->events, side->seat, RULE_ATTACK, "destroyed unit=%s by=%s leader+=%d",
            unit_code(unit, world).p, brief_str(&by).p, unit->leader);
        lose_unit(table, side->seat, unit->number, world);
        event_settled(table->events);
    }
}

static enum gs_result fight(struct gs_table *table, struct gs_combat *combat, int world)
{
    enum gs_result result = GS_GOES_ON;
    int number = ++table->draws;
    for (int round = 1; result == GS_GOES_ON && round < ROUNDS; round++) {
        roll_side(table, &combat->attacker, world, number, round);
        roll_side(table, &combat->defender, world, number, round);
        gs_fire(combat);
        tell_losses(table, &combat->attacker, &combat->defender, world);
        tell_losses(table, &combat->defender, &combat->attacker, world);
        result = gs_round_ends(combat);
    }
    return result;
}

/* ---- what falls ---- */

static void conquer(struct gs_table *table, struct gs_attack *attack)
{
    const struct gs_plan *plan = &attack->plan;
    struct gs_player *loser = gs_player(table->state, plan->target);
    if (plan->world == GS_HOME) {
        say(table->events, plan->by, RULE_ATTACK, "home_destroyed world=%s target_seat=%d",
            gs_at_code(plan->world).p, plan->target);
        gs_seat_out(table, plan->target);
        return;
    }
    int card = gs_sector(loser, plan->world)->card;
    attacker_answers(table, attack, GS_ON_CONQUER);
    bool take = !attack->leave && !gs_hand_full(gs_player(table->state, plan->by));
    say(table->events, plan->by, RULE_ATTACK, take ? "conquered" WORLD : "conquered_left" WORLD,
        gs_at_code(plan->world).p, world_name(table, plan), plan->target);
    gs_unit_remove(loser->sector, &loser->sector_count, plan->world);
    if (take)
        gs_hand_put(table->state, plan->by, card, GS_EVERYBODY);
    else
        gs_discard(table->state, card);
    event_settled(table->events);
}

static enum order_result battle(struct gs_table *table, struct gs_attack *attack)
{
    struct gs_combat combat;
    table->state->attacks--;
    event_rest(table->events);
    if (attack->ambush && !attack->surprise)
        attacker_answers(table, attack, GS_ON_AMBUSHED);
    gs_sides(table->cards, table->state, attack, &combat);
    withdraw_fleets(table, attack, &combat);
    tell_defence(table, attack, &combat);
    if (fight(table, &combat, attack->plan.world) == GS_ATTACKER_WINS) {
        conquer(table, attack);
        return ORDER_DONE;
    }
    say(table->events, attack->plan.target, RULE_ATTACK, "held" WORLD, gs_at_code(attack->plan.world).p,
        world_name(table, &attack->plan), attack->plan.by);
    return ORDER_FAILED;
}

/* One attack up to Peace Talks or its end. */
static enum order_result attack_once(struct gs_table *table, struct gs_attack *attack)
{
    const struct gs_plan *plan = &attack->plan;
    say(table->events, plan->by, RULE_ATTACK, "attacks" WORLD " fleets=%s", gs_at_code(plan->world).p,
        world_name(table, plan), plan->target, fleet_names(plan->fleet, plan->fleet_count).p);
    attackers_cards(table, attack);
    if (table->state->attacks < 1) /* the Strategic Initiative was countered */
        return ORDER_FAILED;
    defenders_answers(table, attack);
    if (!attack->peace)
        return battle(table, attack);
    table->state->peace |= (int)SEAT_BIT(plan->target);
    say(table->events, plan->target, RULE_ATTACK, "peace" WORLD, gs_at_code(plan->world).p,
        world_name(table, plan), plan->by);
    attacker_answers(table, attack, GS_ON_PEACE);
    return ORDER_FAILED;
}

enum order_result gs_attack(struct gs_turn *turn, const struct gs_plan *plan)
{
    struct gs_attack attack;
    enum order_result result;
    struct gs_plan next = *plan;
    do {
        memset(&attack, 0, sizeof(attack));
        attack.plan = next;
        gs_no_retreat(&attack);
        result = attack_once(turn->table, &attack);
        next = attack.next;
    } while (attack.has_next);
    return result;
}
