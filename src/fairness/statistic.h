/* Tests of numbers that should have come by chance. Each gives a p-value: how often numbers that did come by chance would look at
 * least as odd as these. Of numbers by chance the p-values are spread evenly over 0..1.
 *
 * From Knuth, The Art of Computer Programming 2 (3.3.1 chi-square, 3.3.2 A equidistribution and B serial), and NIST SP 800-22 rev. 1a
 * (2.1 frequency, 2.3 runs, 2.11 serial). Doubles: the last digits may differ between machines, and nobody should read these. */
#ifndef FAIRNESS_STATISTIC_H
#define FAIRNESS_STATISTIC_H

#include <stddef.h>
#include <stdint.h>

/* Q(x | degrees): how often chi-square is at least x. x >= 0, degrees >= 1; by the finite sums of Abramowitz and Stegun, 26.4.4-5. */
double chi_square_above(double x, size_t degrees);
/* The same for both tails, as what is too even is no chance either: twice the smaller one, at most 1. `step` is the least by which x could be
 * another, for counts are whole. */
double chi_square_both(double x, size_t degrees, double step);

/* What a test gave, and what it saw most out of place. */
struct tested {
    double p;
    size_t cell; /* which cell, or 0 */
    double seen, expected;
};

/* The fewest in a cell that one may expect for chi-square (3.3.1), and the fewest bits: NIST asks for 100, but of fewer than 300 the serial
 * test finds too many very odd. */
#define CELL_LEAST 5
#define BITS_LEAST 300

/* Is each of 0..of-1 there as often? count >= CELL_LEAST * of. The cell is the value. */
struct tested test_sides(const uint32_t *values, size_t count, uint32_t of);
/* Of pairs that do not overlap, is each as frequent? count / 2 >= CELL_LEAST * of * of. The cell is first * of + second. */
struct tested test_pairs(const uint32_t *values, size_t count, uint32_t of);
/* Where the things of `count` shuffles came to lie: for each shuffle `of` numbers, the place where the thing at that place lies then.
 * Does each thing come to lie everywhere? Places are put together to as many parts as there are shuffles for: places_parts, which is 0
 * when these are too few. The sum of all cells times (of - 1)/of is chi-square with (of - 1)(parts - 1) degrees, since the
 * places of one shuffle exclude each other: they are a table with fixed margins. The cell is thing * parts + part. */
size_t places_parts(size_t count, uint32_t of);
size_t places_least(uint32_t of); /* shuffles for two parts */
struct tested test_places(const uint32_t *places, size_t count, uint32_t of);

/* Of bits, a byte each; count >= BITS_LEAST. */
struct tested test_frequency(const uint8_t *bits, size_t count); /* as many ones as zeros */
/* Does the series change as often as its share of ones allows? NIST returns 0 when the ones are out of balance; here test_frequency says that. */
struct tested test_runs(const uint8_t *bits, size_t count);
/* Each three bits in a row as often, beyond what pairs say (the first of NIST's two p-values, m = 3). The cell is the three bits as a number. */
struct tested test_serial(const uint8_t *bits, size_t count);

#endif
