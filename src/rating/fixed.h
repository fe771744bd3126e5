/* Numbers in steps of 2^-40, as integers: the same result on every machine and with every compiler. They are what
 * ratings are computed with, so what these functions give is part of the format (rating/README.md) and never changes.
 * Values lie within +-2^23 (about 8.3 million), results too: whoever calls sees to it. */
#ifndef RATING_FIXED_H
#define RATING_FIXED_H

#include <stdint.h>

#define FIXED_BITS 40
#define FIXED_ONE  (INT64_C(1) << FIXED_BITS)

/* a/b rounded down; b > 0. Of any integers, not of steps alone. */
static inline int64_t fixed_floor(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

int64_t fixed_mul(int64_t a, int64_t b); /* a*b, to the nearest step, halves up */
int64_t fixed_div(int64_t a, int64_t b); /* a/b, likewise; b > 0 */
int64_t fixed_sqrt(int64_t a);           /* the root of a, rounded down; a >= 0 */
int64_t fixed_exp(int64_t x);            /* e^x; x <= 0 */
int64_t fixed_micro(int64_t x); /* x in millionths, to the nearest, halves up: how ratings are published */

#endif
