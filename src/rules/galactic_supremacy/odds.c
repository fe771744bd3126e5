/* Odds of an attack: the same combat many times, with dice that follow from what everybody can see. */
#include "rules/galactic_supremacy/attack.h"

#include <string.h>

/* splitmix64: quick, and independent of the game's chance. */
static uint64_t next_number(uint64_t *seed)
{
    uint64_t z = *seed += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static void mix(uint64_t *seed, uint64_t value)
{
    *seed ^= value + UINT64_C(0x9E3779B97F4A7C15) + (*seed << 6) + (*seed >> 2);
    (void)next_number(seed);
}

/* From the public state: the round, and the units with their dice. */
static uint64_t seed_of(const struct gs_state *state, const struct gs_combat *combat)
{
    const struct gs_side *const sides[] = {&combat->attacker, &combat->defender};
    uint64_t seed = (uint64_t)state->round;
    for (int s = 0; s < 2; s++) {
        mix(&seed, (uint64_t)sides[s]->seat);
        for (int i = 0; i < sides[s]->count; i++)
            mix(&seed, (uint64_t)sides[s]->unit[i].number << 16 | (uint64_t)sides[s]->unit[i].dice << 1 |
                           (uint64_t)sides[s]->unit[i].leader);
    }
    return seed;
}

static void roll_quickly(struct gs_side *side, int sides, uint64_t *seed)
{
    for (int i = 0; i < side->count; i++) {
        struct gs_fighter *unit = &side->unit[i];
        if (unit->gone)
            continue;
        unit->roll = unit->dice;
        for (int d = 0; d < unit->dice; d++)
            unit->roll += (int)((next_number(seed) >> 32) * (uint64_t)sides >> 32);
    }
}

static bool attacker_wins(struct gs_combat *combat, int sides, uint64_t *seed)
{
    enum gs_result result = GS_GOES_ON;
    for (int i = 0; i < combat->attacker.count; i++)
        combat->attacker.unit[i].gone = false;
    for (int i = 0; i < combat->defender.count; i++)
        combat->defender.unit[i].gone = false;
    for (int round = 0; result == GS_GOES_ON && round <= 2 * GS_FLEETS + 1; round++) {
        roll_quickly(&combat->attacker, sides, seed);
        roll_quickly(&combat->defender, sides, seed);
        gs_fire(combat);
        result = gs_round_ends(combat);
    }
    return result == GS_ATTACKER_WINS;
}

/* Fleets of a side that a combat has destroyed. */
static int fleets_lost(const struct gs_side *side)
{
    int count = 0;
    for (int i = 0; i < side->count; i++)
        count += side->unit[i].gone && side->unit[i].number != 0;
    return count;
}

/* Of 100, rounded. */
static int of_hundred(int sum)
{
    return (sum * 100 + GS_TRIALS / 2) / GS_TRIALS;
}

static struct gs_outlook outlook(const struct gs_cards *cards, const struct gs_state *state,
                                 const struct gs_attack *attack)
{
    struct gs_combat combat;
    struct gs_outlook sum = {0};
    gs_sides(cards, state, attack, &combat);
    uint64_t seed = seed_of(state, &combat);
    for (int i = 0; i < GS_TRIALS; i++) {
        sum.odds += attacker_wins(&combat, cards->sides, &seed);
        sum.lost += fleets_lost(&combat.attacker);
        sum.destroyed += fleets_lost(&combat.defender);
    }
    return (struct gs_outlook){of_hundred(sum.odds), of_hundred(sum.lost), of_hundred(sum.destroyed)};
}

int gs_odds(const struct gs_cards *cards, const struct gs_state *state, const struct gs_attack *attack)
{
    return outlook(cards, state, attack).odds;
}

struct gs_outlook gs_plan_outlook(const struct gs_cards *cards, const struct gs_state *state,
                                  const struct gs_plan *plan)
{
    struct gs_attack attack;
    memset(&attack, 0, sizeof(attack));
    attack.plan = *plan;
    gs_no_retreat(&attack);
    attack.defence = GS_DEFEND_ALL;
    attack.surprise = plan->surprise;
    for (int i = 0; i < plan->tactical_count; i++)
        attack.tactical[0][plan->tactical[i]] += cards->dice.tactical;
    return outlook(cards, state, &attack);
}

int gs_plan_odds(const struct gs_cards *cards, const struct gs_state *state, const struct gs_plan *plan)
{
    return gs_plan_outlook(cards, state, plan).odds;
}

int gs_plan_defenders(const struct gs_state *state, const struct gs_plan *plan)
{
    const struct gs_player *enemy = gs_player_const(state, plan->target);
    const bool calls = enemy->tech[GS_JUMP] > gs_player_const(state, plan->by)->tech[GS_JUMP];
    int fleets = 0;
    for (int i = 0; i < enemy->fleet_count && i < GS_FLEETS; i++)
        fleets += enemy->fleet[i].at == plan->world || calls;
    return fleets;
}
