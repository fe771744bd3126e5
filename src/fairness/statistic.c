#include "fairness/statistic.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

/* Logarithms, as the terms in the middle are large where those at the ends are nothing. */
double chi_square_above(double x, size_t degrees)
{
    const double y = x / 2, root_pi = sqrt(acos(-1.0));
    double k = degrees % 2 ? 0.5 : 0, sum = degrees % 2 ? erfc(sqrt(y)) : 0;
    if (y <= 0)
        return 1;
    double term = degrees % 2 ? log(sqrt(y) / (root_pi / 2)) - y : -y; /* y^k e^-y / Gamma(k + 1) */
    for (; k <= (double)degrees / 2 - 1; k++) {
        sum += exp(term);
        term += log(y / (k + 1));
    }
    return sum < 1 ? sum : 1;
}

double chi_square_both(double x, size_t degrees, double step)
{
    const double above = chi_square_above(x, degrees);
    const double below = 1 - chi_square_above(x + step / 2, degrees);
    const double least = above < below ? above : below;
    return least < 0.5 ? 2 * least : 1;
}

/* Adds a cell to the sum of chi-square, and remembers it if none was further out. */
static double add_cell(struct tested *tested, double *furthest, size_t cell, double seen, double expected)
{
    const double part = (seen - expected) * (seen - expected) / expected;
    if (part > *furthest) {
        *furthest = part;
        tested->cell = cell;
        tested->seen = seen;
        tested->expected = expected;
    }
    return part;
}

/* Cells that are equally likely. Frees the counts. */
static struct tested test_even(size_t *counts, size_t cells, size_t total)
{
    const double expected = (double)total / (double)cells;
    struct tested tested = {.expected = expected, .seen = (double)counts[0]};
    double x = 0, furthest = 0;
    for (size_t i = 0; i < cells; i++)
        x += add_cell(&tested, &furthest, i, (double)counts[i], expected);
    free(counts);
    tested.p = chi_square_both(x, cells - 1, 2 / expected);
    return tested;
}

struct tested test_sides(const uint32_t *values, size_t count, uint32_t of)
{
    size_t *counts = mem_array(of, sizeof *counts);
    for (size_t i = 0; i < count; i++)
        counts[values[i]]++;
    return test_even(counts, of, count);
}

struct tested test_pairs(const uint32_t *values, size_t count, uint32_t of)
{
    const size_t cells = (size_t)of * of;
    size_t *counts = mem_array(cells, sizeof *counts);
    for (size_t i = 0; i + 1 < count; i += 2)
        counts[(size_t)values[i] * of + values[i + 1]]++;
    return test_even(counts, cells, count / 2);
}

size_t places_parts(size_t count, uint32_t of)
{
    size_t parts = of;
    while (parts >= 2 && count * (of / parts) < (size_t)CELL_LEAST * of)
        parts--;
    return parts >= 2 ? parts : 0;
}

size_t places_least(uint32_t of)
{
    const size_t half = of / 2;
    return ((size_t)CELL_LEAST * of + half - 1) / half;
}

struct tested test_places(const uint32_t *places, size_t count, uint32_t of)
{
    const size_t parts = places_parts(count, of);
    size_t *counts = mem_array(of * parts, sizeof *counts), *size = mem_array(parts, sizeof *size);
    struct tested tested = {0};
    double x = 0, furthest = 0;
    for (size_t place = 0; place < of; place++)
        size[place * parts / of]++;
    for (size_t i = 0; i < count * of; i++)
        counts[i % of * parts + places[i] * parts / of]++;
    for (size_t cell = 0; cell < of * parts; cell++)
        x += add_cell(&tested, &furthest, cell, (double)counts[cell],
                      (double)(count * size[cell % parts]) / of);
    free(counts);
    free(size);
    const double factor = (double)(of - 1) / of;
    tested.p =
        chi_square_both(x * factor, (of - 1) * (parts - 1), 4 * factor * (double)parts / (double)count);
    return tested;
}

static size_t ones_of(const uint8_t *bits, size_t count)
{
    size_t ones = 0;
    for (size_t i = 0; i < count; i++)
        ones += bits[i];
    return ones;
}

struct tested test_frequency(const uint8_t *bits, size_t count)
{
    const double n = (double)count, ones = (double)ones_of(bits, count);
    return (struct tested){erfc(fabs(2 * ones - n) / sqrt(2 * n)), 1, ones, n / 2};
}

struct tested test_runs(const uint8_t *bits, size_t count)
{
    const double n = (double)count, part = (double)ones_of(bits, count) / n, both = part * (1 - part);
    size_t runs = 1;
    for (size_t i = 1; i < count; i++)
        runs += bits[i] != bits[i - 1];
    struct tested tested = {1, 0, (double)runs, 2 * n * both};
    if (both > 0)
        tested.p = erfc(fabs(tested.seen - tested.expected) / (2 * sqrt(2 * n) * both));
    return tested;
}

struct tested test_serial(const uint8_t *bits, size_t count)
{
    const double n = (double)count;
    size_t three[8] = {0};
    struct tested tested = {0};
    double threes = 0, pairs = 0, furthest = 0;
    for (size_t i = 0; i < count; i++) /* the end goes on with the beginning */
        three[bits[i] * 4 + bits[(i + 1) % count] * 2 + bits[(i + 2) % count]]++;
    for (size_t i = 0; i < 8; i++)
        threes += add_cell(&tested, &furthest, i, (double)three[i], n / 8);
    for (size_t i = 0; i < 4; i++) {
        const double seen = (double)(three[2 * i] + three[2 * i + 1]);
        pairs += (seen - n / 4) * (seen - n / 4) / (n / 4);
    }
    const double x = threes - pairs;
    tested.p = chi_square_above(x > 0 ? x : 0, 4);
    return tested;
}
