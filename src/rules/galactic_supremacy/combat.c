#include "rules/galactic_supremacy/combat.h"

#define UNITS (GS_FLEETS + 1)

/* Units of a side, weakest roll first. */
struct order {
    int count;
    int unit[UNITS];
};

static bool is_world(const struct gs_fighter *unit)
{
    return unit->number == 0;
}

/* Before whom? Lower rolls first; of equals those with a leader, then the lower number. */
static bool before(const struct gs_side *side, int a, int b, bool leaders_first)
{
    const struct gs_fighter *one = &side->unit[a];
    const struct gs_fighter *other = &side->unit[b];
    if (leaders_first && one->leader != other->leader)
        return one->leader;
    if (one->roll != other->roll)
        return one->roll < other->roll;
    if (one->leader != other->leader)
        return one->leader;
    return one->number < other->number;
}

static void sort_in(struct order *order, const struct gs_side *side, int unit, bool leaders_first)
{
    int place = order->count++;
    for (; place > 0 && before(side, unit, order->unit[place - 1], leaders_first); place--)
        order->unit[place] = order->unit[place - 1];
    order->unit[place] = unit;
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
static int find_group(const struct gs_side *side, const struct order *shooters, const bool *used, int need,
                      int group[UNITS])
{
    int count = 0;
    int sum = 0;
    for (int i = shooters->count - 1; i >= 0 && sum < need; i--) {
        if (used[i])
            continue;
        group[count++] = i;
        sum += side->unit[shooters->unit[i]].roll;
    }
    return sum < need ? 0 : count;
}

/* The weakest unused shooter that is enough alone, else a group. */
static int find_shooters(const struct gs_side *side, const struct order *shooters, const bool *used, int need,
                         int group[UNITS])
{
    for (int i = 0; i < shooters->count; i++) {
        if (!used[i] && side->unit[shooters->unit[i]].roll >= need) {
            group[0] = i;
            return 1;
        }
    }
    return find_group(side, shooters, used, need, group);
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
    struct order shooters = {0, {0}};
    struct order targets = {0, {0}};
    bool used[UNITS] = {false};
    for (int i = 0; i < side->count; i++) {
        if (!side->unit[i].gone)
            sort_in(&shooters, side, i, false);
    }
    for (int i = 0; i < enemy->count; i++) {
        enemy->unit[i].hit = false;
        if (!enemy->unit[i].gone && (world_open || !is_world(&enemy->unit[i])))
            sort_in(&targets, enemy, i, side->aim_leaders);
    }
    for (int t = 0; t < targets.count; t++) {
        struct gs_fighter *target = &enemy->unit[targets.unit[t]];
        int group[UNITS];
        /* A sector wins ties: it takes more than its roll to destroy it. */
        int count = find_shooters(side, &shooters, used, target->roll + is_world(target), group);
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
