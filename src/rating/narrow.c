#include "rating/narrow.h"

#include <stdbool.h>

#include "rating/fixed.h"

/* high * 2^64 + low */
struct pair {
    uint64_t high, low;
};

static uint64_t size_of(int64_t a)
{
    return a < 0 ? -(uint64_t)a : (uint64_t)a;
}

static int64_t with_sign(uint64_t size, bool negative)
{
    return negative ? -(int64_t)size : (int64_t)size;
}

/* As by hand, with digits of 32 bits. */
static struct pair product(uint64_t a, uint64_t b)
{
    const uint64_t digit = UINT32_MAX;
    uint64_t low = (a & digit) * (b & digit);
    uint64_t left = (a >> 32) * (b & digit), right = (a & digit) * (b >> 32);
    uint64_t middle = (low >> 32) + (left & digit) + (right & digit);
    return (struct pair){(a >> 32) * (b >> 32) + (left >> 32) + (right >> 32) + (middle >> 32),
                         middle << 32 | (low & digit)};
}

static struct pair plus(struct pair a, uint64_t b)
{
    return (struct pair){a.high + (a.low + b < b), a.low + b};
}

/* floor(a / by), which must fit, by long division, a bit at a time. */
static uint64_t quotient(struct pair a, uint64_t by)
{
    uint64_t result = 0, rest = 0;
    for (int bit = 127; bit >= 0; bit--) {
        bool carry = rest >> 63;
        rest = rest << 1 | ((bit >= 64 ? a.high >> (bit - 64) : a.low >> bit) & 1);
        result <<= 1;
        if (carry || rest >= by) {
            rest -= by;
            result |= 1;
        }
    }
    return result;
}

/* Of negative numbers the size is rounded up where it is not a half: floor(-p + 1/2) = -ceil(p - 1/2). */
int64_t narrow_mul(int64_t a, int64_t b)
{
    const bool negative = (a < 0) != (b < 0);
    const uint64_t half = (uint64_t)1 << (FIXED_BITS - 1);
    struct pair sum = plus(product(size_of(a), size_of(b)), negative ? half - 1 : half);
    return with_sign(sum.high << (64 - FIXED_BITS) | sum.low >> FIXED_BITS, negative);
}

int64_t narrow_div(int64_t a, int64_t b)
{
    const bool negative = a < 0;
    const uint64_t by = (uint64_t)b;
    struct pair twice = product(size_of(a), (uint64_t)2 << FIXED_BITS);
    return with_sign(quotient(plus(twice, negative ? by - 1 : by), 2 * by), negative);
}

int64_t narrow_sqrt(int64_t a)
{
    const struct pair whole = product((uint64_t)a, (uint64_t)1 << FIXED_BITS);
    uint64_t root = 0;
    for (int bit = 51; bit >= 0; bit--) {
        uint64_t more = root | (uint64_t)1 << bit;
        struct pair square = product(more, more);
        if (square.high < whole.high || (square.high == whole.high && square.low <= whole.low))
            root = more;
    }
    return (int64_t)root;
}
