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

int gs_odds(const struct gs_cards *cards, const struct gs_state *state, const struct gs_attack *attack)
{
    struct gs_combat combat;
    int won = 0;
    gs_sides(cards, state, attack, &combat);
    uint64_t seed = seed_of(state, &combat);
    for (int i = 0; i < GS_TRIALS; i++)
        won += attacker_wins(&combat, cards->sides, &seed);
    return (won * 100 + GS_TRIALS / 2) / GS_TRIALS;
}

int gs_plan_odds(const struct gs_cards *cards, const struct gs_state *state, const struct gs_plan *plan)
{
    struct gs_attack attack;
    memset(&attack, 0, sizeof(attack));
    attack.plan = *plan;
    gs_no_retreat(&attack);
    attack.defence = GS_DEFEND_ALL;
    attack.surprise = plan->surprise;
    for (int i = 0; i < plan->tactical_count; i++)
        attack.tactical[0][plan->tactical[i]] += cards->dice.tactical;
    return gs_odds(cards, state, &attack);
}
