/* The arithmetic of rating/fixed.h by 64-bit integers alone, for compilers without a 128-bit one (32-bit machines). */
#ifndef RATING_NARROW_H
#define RATING_NARROW_H

#include <stdint.h>

int64_t narrow_mul(int64_t a, int64_t b);
int64_t narrow_div(int64_t a, int64_t b);
int64_t narrow_sqrt(int64_t a);

#endif
