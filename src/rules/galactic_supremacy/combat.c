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
static uint64_t place_key(const struct gs_fighter *unit, int index, bool leaders_first)
{
    uint64_t key = (uint64_t)unit->roll << 32 | (uint64_t)!unit->leader << 16 | (uint64_t)unit->number << 8 |
                   (uint64_t)index;
    return leaders_first && !unit->leader ? key | (uint64_t)1 << 63 : key;
}

/* Each unit's place is the number of those that go before it. Odds do this thousands of times with few units:
 * what matters is that no branch depends on the dice. */
static void line_up(struct order *order, const struct gs_side *side, bool with_world, bool leaders_first)
{
    uint64_t key[UNITS];
    order->count = 0;
    for (int i = 0; i < side->count; i++) {
        const struct gs_fighter *unit = &side->unit[i];
        if (!unit->gone && (with_world || !is_world(unit)))
            key[order->count++] = place_key(unit, i, leaders_first);
    }
    for (int i = 0; i < order->count; i++) {
        int place = 0;
        for (int k = 0; k < order->count; k++)
            place += key[k] < key[i];
        order->unit[place] = (int)(key[i] & UINT8_MAX);
        order->roll[place] = side->unit[key[i] & UINT8_MAX].roll;
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

static void shoot(const struct gs_side *side, struct gs_side *enemy, bool world_open)
{
    struct order shooters, targets;
    bool used[UNITS] = {false};
    line_up(&shooters, side, true, false);
    line_up(&targets, enemy, world_open, side->aim_leaders);
    for (int i = 0; i < enemy->count; i++)
        enemy->unit[i].hit = false;
    for (int t = 0; t < targets.count; t++) {
        struct gs_fighter *target = &enemy->unit[targets.unit[t]];
        int group[UNITS];
        /* A sector wins ties: it takes more than its roll to destroy it. */
        int count = find_shooters(&shooters, used, targets.roll[t] + is_world(target), group);
        target->hit = count > 0;
        for (int i = 0; i < count; i++)
            used[group[i]] = true;
        name_shooters(target, &shooters, group, count);
    }
}

void gs_fire(struct gs_combat *combat)
{
    /* The world falls only in a round that began without defending fleets. */
    bool world_open = gs_fleets_left(&combat->defender) == 0;
    shoot(&combat->attacker, &combat->defender, world_open);
    shoot(&combat->defender, &combat->attacker, false);
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
