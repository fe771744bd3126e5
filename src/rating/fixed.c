#include "rating/fixed.h"

#include "rating/narrow.h"

/* 128 bits where the compiler has them, pairs of 64 elsewhere: both give the same (tests/rating/fixed.c). */
#if defined(__SIZEOF_INT128__) && !defined(RATING_NARROW)

__extension__ typedef __int128 wide;

/* Shifts of negative numbers round down: gcc and clang say so. */
int64_t fixed_mul(int64_t a, int64_t b)
{
    return (int64_t)(((wide)a * b + FIXED_ONE / 2) >> FIXED_BITS);
}

int64_t fixed_div(int64_t a, int64_t b)
{
    wide twice = (wide)a * FIXED_ONE * 2 + b;
    wide by = (wide)b * 2;
    return (int64_t)(twice / by - (twice % by < 0));
}

int64_t fixed_sqrt(int64_t a)
{
    wide whole = (wide)a * FIXED_ONE;
    int64_t root = 0;
    for (int bit = 51; bit >= 0; bit--) {
        int64_t more = root | INT64_C(1) << bit;
        if ((wide)more * more <= whole)
            root = more;
    }
    return root;
}

#else

int64_t fixed_mul(int64_t a, int64_t b)
{
    return narrow_mul(a, b);
}

int64_t fixed_div(int64_t a, int64_t b)
{
    return narrow_div(a, b);
}

int64_t fixed_sqrt(int64_t a)
{
    return narrow_sqrt(a);
}

#endif

#define LN2   INT64_C(762123384786)
#define TERMS 15

int64_t fixed_exp(int64_t x)
{
    const int64_t k = -x / LN2;
    if (k >= 62)
        return 0;
    const int64_t r = x + k * LN2; /* -LN2 < r <= 0 */
    int64_t term = FIXED_ONE, sum = FIXED_ONE;
    for (int64_t i = 1; i <= TERMS; i++) {
        term = fixed_floor(2 * fixed_mul(term, r) + i, 2 * i);
        sum += term;
    }
    return sum >> k;
}

#define MILLION 1000000

int64_t fixed_micro(int64_t x)
{
    const int64_t whole = fixed_floor(x, FIXED_ONE);
    const int64_t rest = x - whole * FIXED_ONE; /* times a million it fits: below 2^60 */
    return whole * MILLION + (rest * MILLION + FIXED_ONE / 2) / FIXED_ONE;
}
