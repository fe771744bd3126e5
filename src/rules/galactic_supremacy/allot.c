/* The allotment of combat rolls that destroys the most (003:92-103 leaves combining to the owner).
 *
 * A unit fires at one target; units may combine their rolls against one. If any k targets can fall, the k
 * that take least can fall too; so we ask of one set after another, each with one target more, whether it can
 * fall as a whole. */
#include "rules/galactic_supremacy/combat.h"

#include <string.h>

#define SETS (1 << GS_EXACT)

/* Targets, the hardest first. */
struct wanted {
    int count;
    int target[GS_UNITS]; /* places in the list given */
    int need[GS_UNITS];
};

static void want(struct wanted *wanted, const struct gs_order *targets, int from, int count)
{
    for (int t = from; t < from + count; t++) {
        int at = wanted->count++;
        for (; at > 0 && wanted->need[at - 1] < targets->roll[t]; at--) {
            wanted->need[at] = wanted->need[at - 1];
            wanted->target[at] = wanted->target[at - 1];
        }
        wanted->need[at] = targets->roll[t];
        wanted->target[at] = t;
    }
}

/* A unit that beats the hardest target alone may as well do so: the units that were to destroy it can take
 * its place at another, which takes no more. Returns how many such pairs there are. */
static int pair_off(const struct gs_order *shooters, const struct wanted *wanted, struct gs_shots *shots)
{
    int pairs = 0;
    while (pairs < wanted->count && pairs < shooters->count &&
           shooters->roll[shooters->count - 1 - pairs] >= wanted->need[pairs]) {
        shots->target[shooters->count - 1 - pairs] = wanted->target[pairs];
        pairs++;
    }
    return pairs;
}

/* Targets are filled one after the other. A set of shooters is best used when it has destroyed the most, and
 * among those with equally many the one that has the most towards the next: as one number, done << 16 |
 * towards. */
static int add(int before, int roll, const struct wanted *wanted)
{
    int done = before >> 16;
    int towards = (before & 0xFFFF) + roll;
    return towards >= wanted->need[done] ? (done + 1) << 16 : before + roll;
}

/* The best use of every set of shooters, and the last shooter in it. */
struct uses {
    int best[SETS];
    uint8_t last[SETS];
};

/* Can the first `units` shooters destroy the targets from `from` on? Returns the first set that does, or 0.
 */
static unsigned fill(const struct gs_order *shooters, int units, const struct wanted *wanted, int from,
                     struct uses *uses)
{
    int *best = uses->best;
    best[0] = from << 16;
    for (unsigned set = 1; set < 1U << units; set++) {
        best[set] = -1;
        for (int i = 0; i < units; i++) {
            if (!(set & 1U << i))
                continue;
            int now = add(best[set & ~(1U << i)], shooters->roll[i], wanted);
            if (now > best[set]) {
                best[set] = now;
                uses->last[set] = (uint8_t)i;
            }
        }
        if (best[set] >= 0 && best[set] >> 16 == wanted->count)
            return set;
    }
    return 0;
}

/* Of those that fire at a target, units that can be spared do not fire, the weakest first. */
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

static bool rolls_suffice(const struct gs_order *shooters, int units, const struct wanted *wanted, int from)
{
    int sum = 0;
    for (int i = 0; i < units; i++)
        sum += shooters->roll[i];
    for (int t = from; t < wanted->count; t++)
        sum -= wanted->need[t];
    /* The hardest one left takes two units, as no unit beats it alone. */
    return sum >= 0 && units > wanted->count - from;
}

/* Some of the targets: the first `leaders`, and the first `others` of those from `rest` on. */
struct portion {
    int leaders, rest, others;
};

/* Can all of these targets fall? */
static bool can_fall(const struct gs_order *shooters, const struct gs_order *targets, struct portion part,
                     struct gs_shots *shots)
{
    struct wanted wanted = {.count = 0};
    struct gs_shots found;
    struct uses uses;
    want(&wanted, targets, 0, part.leaders);
    want(&wanted, targets, part.rest, part.others);
    memset(&found, 0xFF, sizeof(found));
    int pairs = pair_off(shooters, &wanted, &found);
    int units = shooters->count - pairs;
    if (pairs < wanted.count) {
        if (!rolls_suffice(shooters, units, &wanted, pairs))
            return false;
        unsigned set = fill(shooters, units, &wanted, pairs, &uses);
        if (!set)
            return false;
        while (set) {
            int last = uses.last[set];
            set &= ~(1U << last);
            found.target[last] = wanted.target[uses.best[set] >> 16];
        }
    }
    spare(shooters, targets, &found);
    *shots = found;
    return true;
}

static int count_hit(const bool *hit, int count)
{
    int sum = 0;
    for (int t = 0; t < count; t++)
        sum += hit[t];
    return sum;
}

bool gs_allot_better(const struct gs_order *shooters, const struct gs_order *targets, int leaders,
                     const bool *hit, struct gs_shots *shots)
{
    int first = count_hit(hit, leaders);
    int others = count_hit(hit, targets->count) - first;
    bool better = false;
    if (shooters->count > GS_EXACT)
        return false;
    while (first < leaders && can_fall(shooters, targets, (struct portion){first + 1, leaders, 0}, shots)) {
        first++;
        others = 0;
        better = true;
    }
    while (others < targets->count - leaders &&
           can_fall(shooters, targets, (struct portion){first, leaders, others + 1}, shots)) {
        others++;
        better = true;
    }
    return better;
}
