#include "trust/p256.h"

#include <stdint.h>
#include <string.h>

#include "base/encode.h"

#define LIMBS 8 /* of 32 bits, the least significant first */

struct number {
    uint32_t limb[LIMBS];
};

static const struct number prime = {
    {0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0x00000000, 0x00000000, 0x00000000, 0x00000001, 0xFFFFFFFF}};
static const struct number order = {
    {0xFC632551, 0xF3B9CAC2, 0xA7179E84, 0xBCE6FAAD, 0xFFFFFFFF, 0xFFFFFFFF, 0x00000000, 0xFFFFFFFF}};
static const struct number half_order = {
    {0x7E3192A8, 0x79DCE561, 0xD38BCF42, 0xDE737D56, 0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 0x7FFFFFFF}};
/* With R = 2^256: R² mod p, and b·R mod p, b being the curve's. */
static const struct number to_montgomery = {
    {0x00000003, 0x00000000, 0xFFFFFFFF, 0xFFFFFFFB, 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD, 0x00000004}};
static const struct number curve_b = {
    {0x29C4BDDF, 0xD89CDF62, 0x78843090, 0xACF005CD, 0xF7212ED6, 0xE5A220AB, 0x04874834, 0xDC30061D}};

/* ---- numbers ---- */

static struct number number_of(const unsigned char bytes[P256_NUMBER])
{
    struct number out = {{0}};
    for (size_t i = 0; i < LIMBS; i++)
        out.limb[i] = get_be32(bytes + 4 * (LIMBS - 1 - i));
    return out;
}

static void number_put(unsigned char bytes[P256_NUMBER], const struct number *a)
{
    for (size_t i = 0; i < LIMBS; i++)
        put_be32(bytes + 4 * (LIMBS - 1 - i), a->limb[i]);
}

static int compare(const struct number *a, const struct number *b)
{
    for (size_t i = LIMBS; i-- > 0;)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

static bool is_zero(const struct number *a)
{
    static const struct number zero;
    return compare(a, &zero) == 0;
}

/* a + b mod 2^256, and what was carried. */
static uint32_t add(struct number *out, const struct number *a, const struct number *b)
{
    uint64_t carry = 0;
    for (size_t i = 0; i < LIMBS; i++) {
        carry += (uint64_t)a->limb[i] + b->limb[i];
        out->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return (uint32_t)carry;
}

/* a - b mod 2^256 */
static void subtract(struct number *out, const struct number *a, const struct number *b)
{
    uint64_t borrow = 0;
    for (size_t i = 0; i < LIMBS; i++) {
        uint64_t less = (uint64_t)a->limb[i] - b->limb[i] - borrow;
        out->limb[i] = (uint32_t)less;
        borrow = less >> 63;
    }
}

/* ---- numbers below p, each as its product with R ---- */

static struct number field_add(const struct number *a, const struct number *b)
{
    struct number sum;
    uint32_t carry = add(&sum, a, b);
    if (carry || compare(&sum, &prime) >= 0)
        subtract(&sum, &sum, &prime);
    return sum;
}

static struct number field_subtract(const struct number *a, const struct number *b)
{
    struct number rest;
    subtract(&rest, a, b);
    if (compare(a, b) < 0)
        (void)add(&rest, &rest, &prime);
    return rest;
}

/* Adds factor·a to the low limbs; gives what is carried out of them. */
static uint64_t add_multiple(uint32_t sum[LIMBS], const struct number *a, uint32_t factor)
{
    uint64_t carry = 0;
    for (size_t i = 0; i < LIMBS; i++) {
        carry += sum[i] + (uint64_t)a->limb[i] * factor;
        sum[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return carry;
}

/* Montgomery's product a·b/R mod p. The multiple of p that makes the lowest limb zero is that limb itself, since
 * p = -1 mod 2^32. */
static struct number field_multiply(const struct number *a, const struct number *b)
{
    uint32_t sum[LIMBS + 2] = {0};
    struct number out;
    for (size_t i = 0; i < LIMBS; i++) {
        uint64_t high = add_multiple(sum, a, b->limb[i]) + sum[LIMBS];
        uint64_t top = high >> 32;
        high = (high & UINT32_MAX) + add_multiple(sum, &prime, sum[0]);
        memmove(sum, sum + 1, (LIMBS - 1) * sizeof *sum);
        sum[LIMBS - 1] = (uint32_t)high;
        sum[LIMBS] = (uint32_t)(top + (high >> 32));
    }
    memcpy(out.limb, sum, sizeof out.limb);
    if (sum[LIMBS] || compare(&out, &prime) >= 0)
        subtract(&out, &out, &prime);
    return out;
}

/* ---- points ---- */

bool p256_on_curve(const unsigned char x[P256_NUMBER], const unsigned char y[P256_NUMBER])
{
    struct number a = number_of(x), b = number_of(y);
    if (compare(&a, &prime) >= 0 || compare(&b, &prime) >= 0)
        return false;
    a = field_multiply(&a, &to_montgomery);
    b = field_multiply(&b, &to_montgomery);
    struct number left = field_multiply(&b, &b);
    struct number right = field_multiply(&a, &a);
    right = field_multiply(&right, &a);
    for (int i = 0; i < 3; i++)
        right = field_subtract(&right, &a);
    right = field_add(&right, &curve_b); /* y² = x³ - 3x + b */
    return compare(&left, &right) == 0;
}

bool p256_point_read(struct slice sec1, unsigned char x[P256_NUMBER], unsigned char y[P256_NUMBER])
{
    if (sec1.len != P256_SEC1 || sec1.p[0] != 4)
        return false;
    memcpy(x, sec1.p + 1, P256_NUMBER);
    memcpy(y, sec1.p + 1 + P256_NUMBER, P256_NUMBER);
    return p256_on_curve(x, y);
}

void p256_point_put(struct str *out, const unsigned char x[P256_NUMBER], const unsigned char y[P256_NUMBER])
{
    str_addc(out, 4);
    str_add(out, x, P256_NUMBER);
    str_add(out, y, P256_NUMBER);
}

/* ---- signatures ---- */

bool p256_signature_in_range(const unsigned char sig[2 * P256_NUMBER])
{
    const struct number r = number_of(sig), s = number_of(sig + P256_NUMBER);
    return !is_zero(&r) && !is_zero(&s) && compare(&r, &order) < 0 && compare(&s, &order) < 0;
}

bool p256_signature_is_normal(const unsigned char sig[2 * P256_NUMBER])
{
    const struct number s = number_of(sig + P256_NUMBER);
    return p256_signature_in_range(sig) && compare(&s, &half_order) <= 0;
}

void p256_signature_normalise(unsigned char sig[2 * P256_NUMBER])
{
    struct number s = number_of(sig + P256_NUMBER);
    if (compare(&s, &half_order) <= 0)
        return;
    subtract(&s, &order, &s);
    number_put(sig + P256_NUMBER, &s);
}
