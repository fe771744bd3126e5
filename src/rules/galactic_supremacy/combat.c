#include "rules/galactic_supremacy/combat.h"

#define UNITS (GS_FLEETS + 1)

/* Units of a side with their rolls, weakest first. */
struct order {
    int count;
    int unit[UNITS];
    int roll[UNITS];
};

static bool is_world(const struct gs_fighter *unit)
{
    return unit->number == 0;
}

/* As a number: lower rolls go first, of equals those with a leader, then the lower number. */
static uint64_t place_key(const struct gs_fighter *unit, int index)
{
    return (uint64_t)unit->roll << 32 | (uint64_t)!unit->leader << 16 | (uint64_t)unit->number << 8 |
           (uint64_t)index;
}

/* Each unit's place is the number of those that go before it. Odds do this thousands of times with few units:
 * what matters is that no branch depends on the dice. */
static void line_up(struct order *order, const struct gs_side *side)
{
    uint64_t key[UNITS];
    order->count = 0;
    for (int i = 0; i < side->count; i++) {
        if (!side->unit[i].gone)
            key[order->count++] = place_key(&side->unit[i], i);
    }
    for (int i = 0; i < order->count; i++) {
        int place = 0;
        for (int k = 0; k < order->count; k++)
            place += key[k] < key[i];
        order->unit[place] = (int)(key[i] & UINT8_MAX);
        order->roll[place] = side->unit[key[i] & UINT8_MAX].roll;
    }
}

/* Those that may be shot at, in the same order; those with leaders before the others, if they are aimed at.
 */
static void pick_targets(struct order *targets, const struct gs_side *side, const struct order *units,
                         bool world_open, bool leaders_first)
{
    targets->count = 0;
    for (int pass = leaders_first ? 0 : 1; pass < 2; pass++) {
        for (int i = 0; i < units->count; i++) {
            const struct gs_fighter *unit = &side->unit[units->unit[i]];
            if ((!world_open && is_world(unit)) || (leaders_first && unit->leader != (pass == 0)))
                continue;
            targets->unit[targets->count] = units->unit[i];
            targets->roll[targets->count++] = units->roll[i];
        }
    }
}

int gs_fleets_left(const struct gs_side *side)
{
    int count = 0;
    for (int i = 0; i < side->count; i++)
        count += !side->unit[i].gone && !is_world(&side->unit[i]);
    return count;
}

/* Takes unused shooters from the strongest down until they reach `need`; none of them could then be spared,
 * for each is at least as strong as the last one, without which it was not enough. Returns how many; `group`
 * holds their places. */
static int find_group(const struct order *shooters, const bool *used, int need, int group[UNITS])
{
    int count = 0;
    int sum = 0;
    for (int i = shooters->count - 1; i >= 0 && sum < need; i--) {
        if (used[i])
            continue;
        group[count++] = i;
        sum += shooters->roll[i];
    }
    return sum < need ? 0 : count;
}

/* The weakest unused shooter that is enough alone, else a group. */
static int find_shooters(const struct order *shooters, const bool *used, int need, int group[UNITS])
{
    for (int i = 0; i < shooters->count; i++) {
        if (!used[i] && shooters->roll[i] >= need) {
            group[0] = i;
            return 1;
        }
    }
    return find_group(shooters, used, need, group);
}

/* In the order of the units, for the report. */
static void name_shooters(struct gs_fighter *target, const struct order *shooters, const int *group,
                          int count)
{
    for (int i = 0; i < count; i++) {
        int unit = shooters->unit[group[i]];
        int place = i;
        for (; place > 0 && target->by[place - 1] > unit; place--)
            target->by[place] = target->by[place - 1];
        target->by[place] = (int8_t)unit;
    }
    target->by[count] = -1;
}

static void shoot(const struct order *shooters, struct gs_side *enemy, const struct order *targets)
{
    bool used[UNITS] = {false};
    for (int i = 0; i < enemy->count; i++)
        enemy->unit[i].hit = false;
    for (int t = 0; t < targets->count; t++) {
        struct gs_fighter *target = &enemy->unit[targets->unit[t]];
        int group[UNITS];
        /* A sector wins ties: it takes more than its roll to destroy it. */
        int count = find_shooters(shooters, used, targets->roll[t] + is_world(target), group);
        target->hit = count > 0;
        for (int i = 0; i < count; i++)
            used[group[i]] = true;
        name_shooters(target, shooters, group, count);
    }
}

void gs_fire(struct gs_combat *combat)
{
    struct gs_side *attacker = &combat->attacker, *defender = &combat->defender;
    struct order attackers, defenders, targets;
    /* The world falls only in a round that began without defending fleets. */
    bool world_open = gs_fleets_left(defender) == 0;
    line_up(&attackers, attacker);
    line_up(&defenders, defender);
    pick_targets(&targets, defender, &defenders, world_open, attacker->aim_leaders);
    shoot(&attackers, defender, &targets);
    pick_targets(&targets, attacker, &attackers, false, defender->aim_leaders);
    shoot(&defenders, attacker, &targets);
}

enum gs_result gs_round_ends(struct gs_combat *combat)
{
    struct gs_side *sides[] = {&combat->attacker, &combat->defender};
    for (int s = 0; s < 2; s++) {
        for (int i = 0; i < sides[s]->count; i++) {
            sides[s]->unit[i].gone |= sides[s]->unit[i].hit;
            sides[s]->unit[i].hit = false;
        }
    }
    if (combat->defender.unit[0].gone)
        return GS_ATTACKER_WINS;
    return gs_fleets_left(&combat->attacker) ? GS_GOES_ON : GS_DEFENDER_WINS;
}
