#include "compete/matchpoints.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"

struct share share_of(int64_t num, int64_t den)
{
    int64_t a = den, b = num;
    assert(den > 0 && num >= 0 && num <= den);
    while (b) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return (struct share){num / a, den / a};
}

int share_order(struct share a, struct share b)
{
    const int64_t one = a.num * b.den, other = b.num * a.den;
    return (one > other) - (one < other);
}

int64_t share_hundredths(struct share share)
{
    return (20000 * share.num + share.den) / (2 * share.den);
}

static int by_score(const void *a, const void *b)
{
    const int64_t *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

/* How many of a rising list are below a score. */
static size_t below(const int64_t *list, size_t count, int64_t score)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (list[middle] < score)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* How many are not above it. */
static size_t up_to(const int64_t *list, size_t count, int64_t score)
{
    return score == INT64_MAX ? count : below(list, count, score + 1);
}

void matchpoints_deal(const struct matchpoints_result *results, size_t count, struct matchpoints *out)
{
    int64_t *ranked = mem_array(count + 1, sizeof *ranked);
    size_t many = 0;
    for (size_t i = 0; i < count; i++)
        if (results[i].ranked)
            ranked[many++] = results[i].score;
    qsort(ranked, many, sizeof *ranked, by_score);
    for (size_t i = 0; i < count; i++) {
        const size_t less = below(ranked, many, results[i].score);
        const size_t not_more = up_to(ranked, many, results[i].score);
        /* 2 for each below, 1 for each equal; a ranked result is not its own equal */
        out[i].points = (int64_t)(less + not_more) - results[i].ranked;
        out[i].results = (int64_t)many + !results[i].ranked;
    }
    free(ranked);
}

struct share matchpoints_share(struct matchpoints points)
{
    return points.results > 1 ? share_of(points.points, 2 * (points.results - 1)) : (struct share){1, 2};
}

int64_t matchpoints_factored(struct matchpoints points, int64_t most)
{
    assert(most >= points.results && most < 1 << 20);
    return (2000 * ((points.points + 1) * most - points.results) + points.results) / (2 * points.results);
}

struct share matchpoints_percentile(int64_t score, const int64_t *field, size_t count)
{
    int64_t twice = 0;
    assert(count > 0);
    for (size_t i = 0; i < count; i++)
        twice += 2 * (field[i] < score) + (field[i] == score);
    return share_of(twice, 2 * (int64_t)count);
}
