#include "rules/galactic_supremacy/combat.h"

static bool is_world(const struct gs_fighter *unit)
{
    return unit->number == 0;
}

/* As a number: lower rolls go first; among equals those with a leader, then the lower number. */
static uint64_t place_key(const struct gs_fighter *unit, int index)
{
    return (uint64_t)unit->roll << 32 | (uint64_t)!unit->leader << 16 | (uint64_t)unit->number << 8 |
           (uint64_t)index;
}

/* Each unit's place is the number of those that go before it. The odds do this thousands of times with few
 * units: what matters is that no branch depends on the dice. */
static void line_up(struct gs_order *order, const struct gs_side *side)
{
    uint64_t key[GS_UNITS];
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

/* The units that may be shot at, with what it takes to destroy them, in the same order; if leaders are aimed
 * at, units with leaders come first. Returns how many those are. */
static int pick_targets(struct gs_order *targets, const struct gs_side *side, const struct gs_order *units,
                        bool world_open, bool leaders_first)
{
    int leaders = 0;
    targets->count = 0;
    for (int pass = leaders_first ? 0 : 1; pass < 2; pass++) {
        for (int i = 0; i < units->count; i++) {
            const struct gs_fighter *unit = &side->unit[units->unit[i]];
            if ((!world_open && is_world(unit)) || (leaders_first && unit->leader != (pass == 0)))
                continue;
            targets->unit[targets->count] = units->unit[i];
            /* A sector wins ties: it takes more than its roll to destroy it. */
            targets->roll[targets->count++] = units->roll[i] + is_world(unit);
            leaders += pass == 0;
        }
    }
    return leaders;
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
static int find_group(const struct gs_order *shooters, const bool *used, int need, int group[GS_UNITS])
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
static int find_shooters(const struct gs_order *shooters, const bool *used, int need, int group[GS_UNITS])
{
    for (int i = 0; i < shooters->count; i++) {
        if (!used[i] && shooters->roll[i] >= need) {
            group[0] = i;
            return 1;
        }
    }
    return find_group(shooters, used, need, group);
}

/* Target by target, what is left each time; hit[t]: it falls. */
static void allot_simply(const struct gs_order *shooters, const struct gs_order *targets, bool *hit,
                         struct gs_shots *shots)
{
    bool used[GS_UNITS] = {false};
    for (int i = 0; i < shooters->count; i++)
        shots->target[i] = -1;
    for (int t = 0; t < targets->count; t++) {
        int group[GS_UNITS];
        int count = find_shooters(shooters, used, targets->roll[t], group);
        hit[t] = count > 0;
        for (int i = 0; i < count; i++) {
            used[group[i]] = true;
            shots->target[group[i]] = t;
        }
    }
}

/* In the order of the units, for the report. */
static void name_shooter(struct gs_fighter *target, int unit)
{
    int place = 0;
    while (target->by[place] >= 0)
        place++;
    target->by[place + 1] = -1;
    for (; place > 0 && target->by[place - 1] > unit; place--)
        target->by[place] = target->by[place - 1];
    target->by[place] = (int8_t)unit;
}

static void shoot(const struct gs_order *shooters, struct gs_side *enemy, const struct gs_order *targets,
                  int leaders)
{
    bool hit[GS_UNITS];
    struct gs_shots shots;
    allot_simply(shooters, targets, hit, &shots);
    (void)gs_allot_better(shooters, targets, leaders, hit, &shots);
    for (int i = 0; i < enemy->count; i++) {
        enemy->unit[i].hit = false;
        enemy->unit[i].by[0] = -1;
    }
    for (int i = 0; i < shooters->count; i++) {
        if (shots.target[i] < 0)
            continue;
        struct gs_fighter *target = &enemy->unit[targets->unit[shots.target[i]]];
        target->hit = true;
        name_shooter(target, shooters->unit[i]);
    }
}

void gs_fire(struct gs_combat *combat)
{
    struct gs_side *attacker = &combat->attacker, *defender = &combat->defender;
    struct gs_order attackers, defenders, targets;
    /* The world falls only in a round that began without defending fleets. */
    bool world_open = gs_fleets_left(defender) == 0;
    line_up(&attackers, attacker);
    line_up(&defenders, defender);
    int leaders = pick_targets(&targets, defender, &defenders, world_open, attacker->aim_leaders);
    shoot(&attackers, defender, &targets, leaders);
    leaders = pick_targets(&targets, attacker, &attackers, false, defender->aim_leaders);
    shoot(&defenders, attacker, &targets, leaders);
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
