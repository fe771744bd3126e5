/* Who destroys whom in a round of combat: against all allotments there are. */
#include <string.h>

#include "rules/galactic_supremacy/combat.h"
#include "suite.h"

#define ROUNDS (FEW ? 1000 : 4000)

static uint64_t seed;

static int pick(int most)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((seed >> 33) % (uint64_t)most);
}

static void make_side(struct gs_side *side, bool world, int fleets)
{
    memset(side, 0, sizeof(*side));
    side->aim_leaders = pick(3) == 0;
    if (world)
        side->unit[side->count++] = (struct gs_fighter){.dice = 1, .roll = 1 + pick(10)};
    for (int i = 1; i <= fleets; i++) {
        struct gs_fighter *unit = &side->unit[side->count++];
        *unit = (struct gs_fighter){.number = (uint8_t)i, .leader = pick(4) == 0};
        unit->dice = unit->leader ? 2 : 1;
        for (int d = 0; d < unit->dice; d++)
            unit->roll += 1 + pick(10);
    }
}

/* Destroyed: those with leaders if they are aimed at, then all. */
static int worth(const struct gs_side *targets, bool aim, const bool *hit)
{
    int sum = 0;
    for (int i = 0; i < targets->count; i++)
        sum += !hit[i] ? 0 : aim && targets->unit[i].leader ? 101 : 1;
    return sum;
}

static int need(const struct gs_fighter *unit)
{
    return unit->roll + (unit->number == 0);
}

/* The best of all allotments: every shooter at every target or at none. */
static int best_worth(const struct gs_side *shooters, const struct gs_side *targets, bool world_open)
{
    int choices = targets->count + 1;
    int best = 0;
    long all = 1;
    for (int i = 0; i < shooters->count; i++)
        all *= choices;
    for (long n = 0; n < all; n++) {
        int sum[GS_UNITS] = {0};
        bool hit[GS_UNITS];
        long rest = n;
        for (int i = 0; i < shooters->count; i++, rest /= choices) {
            if (rest % choices)
                sum[rest % choices - 1] += shooters->unit[i].roll;
        }
        for (int t = 0; t < targets->count; t++)
            hit[t] = (targets->unit[t].number || world_open) && sum[t] >= need(&targets->unit[t]);
        int now = worth(targets, shooters->aim_leaders, hit);
        best = now > best ? now : best;
    }
    return best;
}

/* What was destroyed; every unit fires once, at what falls, and none of a group could be spared. */
static int told_worth(const struct gs_side *shooters, const struct gs_side *targets)
{
    bool fired[GS_UNITS] = {false};
    bool hit[GS_UNITS];
    for (int t = 0; t < targets->count; t++) {
        const struct gs_fighter *unit = &targets->unit[t];
        int sum = 0;
        int least = 1000;
        hit[t] = unit->hit;
        ck_assert_int_eq(unit->hit, unit->by[0] >= 0);
        for (int k = 0; unit->by[k] >= 0; k++) {
            ck_assert(!fired[unit->by[k]] && (k == 0 || unit->by[k] > unit->by[k - 1]));
            fired[unit->by[k]] = true;
            sum += shooters->unit[unit->by[k]].roll;
            if (shooters->unit[unit->by[k]].roll < least)
                least = shooters->unit[unit->by[k]].roll;
        }
        ck_assert_msg(!unit->hit || (sum >= need(unit) && sum - least < need(unit)),
                      "%d for %d, least %d, unit %d", sum, need(unit), least, unit->number);
    }
    return worth(targets, shooters->aim_leaders, hit);
}

static int fire(struct gs_combat *combat)
{
    gs_fire(combat);
    return told_worth(&combat->attacker, &combat->defender);
}

START_TEST(as_many_fall_as_can)
{
    seed = 1;
    for (int round = 0; round < ROUNDS; round++) {
        struct gs_combat combat;
        memset(&combat, 0, sizeof(combat));
        make_side(&combat.attacker, false, 1 + pick(5));
        make_side(&combat.defender, true, pick(5));
        bool open = combat.defender.count == 1;
        int best = best_worth(&combat.attacker, &combat.defender, open);
        int back = best_worth(&combat.defender, &combat.attacker, false);
        ck_assert_int_eq(fire(&combat), best);
        ck_assert_int_eq(told_worth(&combat.defender, &combat.attacker), back);
    }
}
END_TEST

/* The most units that are allotted exactly. */
START_TEST(the_most_units_are_allotted_exactly)
{
    struct gs_combat combat;
    memset(&combat, 0, sizeof(combat));
    combat.attacker.count = GS_EXACT;
    for (int i = 0; i < GS_EXACT; i++)
        combat.attacker.unit[i] = (struct gs_fighter){.number = (uint8_t)(i + 1), .dice = 1, .roll = 3};
    combat.attacker.unit[0].roll = 9;
    combat.defender.count = 5;
    for (int i = 1; i < 5; i++)
        combat.defender.unit[i] =
            (struct gs_fighter){.number = (uint8_t)i, .dice = 1, .roll = i < 4 ? 6 : 10};
    combat.defender.unit[0] = (struct gs_fighter){.dice = 1, .roll = 1};
    ck_assert_int_eq(fire(&combat), 4); /* target by target it would be 3 */
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, as_many_fall_as_can);
    tcase_add_test(tc, the_most_units_are_allotted_exactly);
}
TEST_MAIN("rules/galactic_supremacy_allot", cases)
