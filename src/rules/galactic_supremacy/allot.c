/* The allotment of combat rolls that destroys the most (003:92-103 leaves combining to the owner).
 *
 * A unit fires at one target, units together at one that takes as much as they have rolled. Of k targets that
 * fall, those k that take least could fall as well; so it is enough to fill targets in rising order. Filling
 * them one after the other, a set of shooters is best used when it has destroyed the most, and with equally
 * many has the most towards the next: this is what is kept of each of the 2^n sets. */
#include "rules/galactic_supremacy/combat.h"

#include <string.h>

#define SETS (1 << GS_EXACT)

struct filling {
    uint8_t done; /* targets destroyed, in the order given */
    uint8_t last; /* the shooter that came last */
    int towards;  /* the next one */
};

static struct filling add(const struct filling *before, int shooter, int roll, const struct gs_order *targets)
{
    struct filling after = {before->done, (uint8_t)shooter, before->towards + roll};
    if (after.done < targets->count && after.towards >= targets->roll[after.done]) {
        after.done++;
        after.towards = 0;
    }
    return after;
}

static bool better(const struct filling *a, const struct filling *b)
{
    return a->done != b->done ? a->done > b->done : a->towards > b->towards;
}

static void fill(const struct gs_order *shooters, const struct gs_order *targets, struct filling best[SETS])
{
    best[0] = (struct filling){0};
    for (unsigned set = 1; set < 1U << shooters->count; set++) {
        bool any = false;
        for (int i = 0; i < shooters->count; i++) {
            if (!(set & 1U << i))
                continue;
            struct filling now = add(&best[set & ~(1U << i)], i, shooters->roll[i], targets);
            if (!any || better(&now, &best[set]))
                best[set] = now;
            any = true;
        }
    }
}

/* Who can be spared of those that fire at a target does not fire, the weakest first. */
static void spare(const struct gs_order *shooters, const struct gs_order *targets, struct gs_shots *shots)
{
    int sum[GS_UNITS] = {0};
    for (int i = 0; i < shooters->count; i++) {
        if (shots->target[i] >= 0)
            sum[shots->target[i]] += shooters->roll[i];
    }
    for (int i = 0; i < shooters->count; i++) {
        int at = shots->target[i];
        if (at < 0 || sum[at] - shooters->roll[i] < targets->roll[at])
            continue;
        sum[at] -= shooters->roll[i];
        shots->target[i] = -1;
    }
}

/* As many of the targets as can be, in their order; returns how many. */
static int allot(const struct gs_order *shooters, const struct gs_order *targets, struct gs_shots *shots)
{
    struct filling best[SETS];
    unsigned set = (1U << shooters->count) - 1;
    fill(shooters, targets, best);
    int done = best[set].done;
    for (int i = 0; i < shooters->count; i++)
        shots->target[i] = -1;
    while (set) {
        const struct filling *now = &best[set];
        unsigned before = set & ~(1U << now->last);
        shots->target[now->last] = best[before].done < done ? best[before].done : -1;
        set = before;
    }
    spare(shooters, targets, shots);
    return done;
}

/* No more of the first `count` targets can fall than this: every unit fires once, and no roll counts twice.
 */
static int bound(const struct gs_order *shooters, const struct gs_order *targets, int from, int count)
{
    int sum = 0;
    int most = 0;
    for (int i = 0; i < shooters->count; i++)
        sum += shooters->roll[i];
    for (int t = from; t < count && most < shooters->count && sum >= targets->roll[t]; t++, most++)
        sum -= targets->roll[t];
    return most;
}

static int count_hit(const bool *hit, int from, int to)
{
    int count = 0;
    for (int t = from; t < to; t++)
        count += hit[t];
    return count;
}

/* The first `leaders` as they are, cut to those that can fall, then the others. */
static void join(const struct gs_order *targets, int leaders, int fall, struct gs_order *both, int *place)
{
    both->count = 0;
    for (int t = 0; t < targets->count; t++) {
        if (t >= fall && t < leaders)
            continue;
        place[both->count] = t;
        both->unit[both->count] = targets->unit[t];
        both->roll[both->count++] = targets->roll[t];
    }
}

bool gs_allot_better(const struct gs_order *shooters, const struct gs_order *targets, int leaders,
                     const bool *hit, struct gs_shots *shots)
{
    struct gs_order first = *targets;
    struct gs_order both;
    struct gs_shots found;
    int place[GS_UNITS];
    int now_leaders = count_hit(hit, 0, leaders);
    int now = count_hit(hit, 0, targets->count);
    int others = bound(shooters, targets, leaders, targets->count);
    if (shooters->count > GS_EXACT ||
        (now_leaders >= bound(shooters, targets, 0, leaders) && now - now_leaders >= others))
        return false;
    first.count = leaders;
    int fall = leaders ? allot(shooters, &first, &found) : 0;
    join(targets, leaders, fall, &both, place);
    int most = allot(shooters, &both, &found);
    if (fall == now_leaders && most <= now)
        return false;
    for (int i = 0; i < shooters->count; i++)
        shots->target[i] = found.target[i] < 0 ? -1 : place[found.target[i]];
    return true;
}
