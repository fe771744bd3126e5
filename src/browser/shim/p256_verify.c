/* In place of trust/p256_verify.c: ECDSA over P-256 (FIPS 186-4) without GnuTLS. Only public values come here, so the time
 * it takes may depend on them. */
#include <stdint.h>
#include <string.h>

#include "base/encode.h"
#include "trust/p256.h"

#define LIMBS 8 /* of 32 bits, the least significant first */

struct num {
    uint32_t v[LIMBS];
};

/* A modulus m with what Montgomery's product needs: -1/m mod 2^32, and R² mod m, R being 2^256. */
struct modulus {
    struct num m;
    uint32_t inverse;
    struct num square;
};

static const struct modulus field = {
    {{0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0x00000000, 0x00000000, 0x00000000, 0x00000001, 0xFFFFFFFF}},
    0x00000001,
    {{0x00000003, 0x00000000, 0xFFFFFFFF, 0xFFFFFFFB, 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD, 0x00000004}}};
static const struct modulus order = {
    {{0xFC632551, 0xF3B9CAC2, 0xA7179E84, 0xBCE6FAAD, 0xFFFFFFFF, 0xFFFFFFFF, 0x00000000, 0xFFFFFFFF}},
    0xEE00BC4F,
    {{0xBE79EEA2, 0x83244C95, 0x49BD6FA6, 0x4699799C, 0x2B6BEC59, 0x2845B239, 0xF3D95620, 0x66E12D94}}};
static const unsigned char base_x[P256_NUMBER] = {
    0x6B, 0x17, 0xD1, 0xF2, 0xE1, 0x2C, 0x42, 0x47, 0xF8, 0xBC, 0xE6, 0xE5, 0x63, 0xA4, 0x40, 0xF2,
    0x77, 0x03, 0x7D, 0x81, 0x2D, 0xEB, 0x33, 0xA0, 0xF4, 0xA1, 0x39, 0x45, 0xD8, 0x98, 0xC2, 0x96};
static const unsigned char base_y[P256_NUMBER] = {
    0x4F, 0xE3, 0x42, 0xE2, 0xFE, 0x1A, 0x7F, 0x9B, 0x8E, 0xE7, 0xEB, 0x4A, 0x7C, 0x0F, 0x9E, 0x16,
    0x2B, 0xCE, 0x33, 0x57, 0x6B, 0x31, 0x5E, 0xCE, 0xCB, 0xB6, 0x40, 0x68, 0x37, 0xBF, 0x51, 0xF5};

/* ---- numbers ---- */

static struct num read_num(const unsigned char bytes[P256_NUMBER])
{
    struct num out;
    for (int i = 0; i < LIMBS; i++)
        out.v[i] = get_be32(bytes + 4 * (LIMBS - 1 - i));
    return out;
}

static bool is_zero(const struct num *a)
{
    uint32_t any = 0;
    for (int i = 0; i < LIMBS; i++)
        any |= a->v[i];
    return !any;
}

/* a - b mod 2^256; true: a was less */
static bool subtract(struct num *out, const struct num *a, const struct num *b)
{
    uint64_t borrow = 0;
    for (int i = 0; i < LIMBS; i++) {
        uint64_t less = (uint64_t)a->v[i] - b->v[i] - borrow;
        out->v[i] = (uint32_t)less;
        borrow = less >> 63;
    }
    return borrow;
}

static bool add_carry(struct num *out, const struct num *a, const struct num *b)
{
    uint64_t carry = 0;
    for (int i = 0; i < LIMBS; i++) {
        carry += (uint64_t)a->v[i] + b->v[i];
        out->v[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return carry;
}

/* Below m, of a number below 2m, whose bit 256 is `high`. */
static struct num once_less(const struct num *a, bool high, const struct modulus *mod)
{
    struct num less;
    return subtract(&less, a, &mod->m) && !high ? *a : less;
}

static struct num plus(const struct num *a, const struct num *b)
{
    struct num sum;
    bool high = add_carry(&sum, a, b);
    return once_less(&sum, high, &field);
}

static struct num minus(const struct num *a, const struct num *b)
{
    struct num out;
    if (subtract(&out, a, b))
        (void)add_carry(&out, &out, &field.m);
    return out;
}

/* sum += a·factor; what is carried out of its eight limbs goes on in the ninth and tenth. */
static void add_product(uint32_t sum[LIMBS + 2], const struct num *a, uint32_t factor)
{
    uint64_t carry = 0;
    for (int i = 0; i < LIMBS; i++) {
        carry += sum[i] + (uint64_t)a->v[i] * factor;
        sum[i] = (uint32_t)carry;
        carry >>= 32;
    }
    carry += sum[LIMBS];
    sum[LIMBS] = (uint32_t)carry;
    sum[LIMBS + 1] += (uint32_t)(carry >> 32);
}

/* Montgomery's product a·b/R */
static struct num product(const struct num *a, const struct num *b, const struct modulus *mod)
{
    uint32_t sum[LIMBS + 2] = {0};
    struct num out;
    for (int i = 0; i < LIMBS; i++) {
        add_product(sum, a, b->v[i]);
        add_product(sum, &mod->m, sum[0] * mod->inverse);
        memmove(sum, sum + 1, (LIMBS + 1) * sizeof *sum);
        sum[LIMBS + 1] = 0;
    }
    memcpy(out.v, sum, sizeof out.v);
    return once_less(&out, sum[LIMBS], mod);
}

static struct num times(const struct num *a, const struct num *b)
{
    return product(a, b, &field);
}

static struct num enter(const struct num *a, const struct modulus *mod) /* a·R */
{
    return product(a, &mod->square, mod);
}

static struct num leave(const struct num *a, const struct modulus *mod)
{
    const struct num one = {{1}};
    return product(a, &one, mod);
}

/* 1/a by Fermat, both as products with R. */
static struct num inverse(const struct num *a, const struct modulus *mod)
{
    const struct num two = {{2}}, one = {{1}};
    struct num exponent, out = enter(&one, mod);
    (void)subtract(&exponent, &mod->m, &two);
    for (int bit = 255; bit >= 0; bit--) {
        out = product(&out, &out, mod);
        if (exponent.v[bit / 32] >> (bit % 32) & 1)
            out = product(&out, a, mod);
    }
    return out;
}

/* ---- points: x = X/Z², y = Y/Z³; Z = 0 is the point at infinity; all as products with R ---- */

struct jacobian {
    struct num x, y, z;
};

static struct jacobian twice(const struct jacobian *a)
{
    struct num zz = times(&a->z, &a->z), yy = times(&a->y, &a->y), xyy = times(&a->x, &yy);
    struct num s = plus(&xyy, &xyy), below = minus(&a->x, &zz), above = plus(&a->x, &zz);
    struct num product3 = times(&below, &above), m = plus(&product3, &product3), yyyy = times(&yy, &yy);
    struct jacobian out;
    s = plus(&s, &s);
    m = plus(&m, &product3);
    out.x = times(&m, &m);
    out.x = minus(&out.x, &s);
    out.x = minus(&out.x, &s);
    struct num rest = minus(&s, &out.x);
    out.y = times(&m, &rest);
    for (int i = 0; i < 3; i++)
        yyyy = plus(&yyyy, &yyyy);
    out.y = minus(&out.y, &yyyy);
    out.z = times(&a->y, &a->z);
    out.z = plus(&out.z, &out.z);
    return out;
}

static struct jacobian add(const struct jacobian *a, const struct jacobian *b)
{
    if (is_zero(&a->z) || is_zero(&b->z))
        return is_zero(&a->z) ? *b : *a;
    struct num za = times(&a->z, &a->z), zb = times(&b->z, &b->z), u = times(&a->x, &zb),
               v = times(&b->x, &za);
    struct num s = times(&a->y, &zb), t = times(&b->y, &za), zz = times(&a->z, &b->z);
    s = times(&s, &b->z);
    t = times(&t, &a->z);
    struct num h = minus(&v, &u), r = minus(&t, &s);
    if (is_zero(&h))
        return is_zero(&r) ? twice(a) : (struct jacobian){{{1}}, {{1}}, {{0}}};
    struct num hh = times(&h, &h), hhh = times(&h, &hh), w = times(&u, &hh), shhh = times(&s, &hhh);
    struct jacobian out;
    out.x = times(&r, &r);
    out.x = minus(&out.x, &hhh);
    out.x = minus(&out.x, &w);
    out.x = minus(&out.x, &w);
    struct num rest = minus(&w, &out.x);
    out.y = times(&r, &rest);
    out.y = minus(&out.y, &shhh);
    out.z = times(&zz, &h);
    return out;
}

static struct jacobian point_of(const unsigned char x[P256_NUMBER], const unsigned char y[P256_NUMBER])
{
    const struct num one = {{1}}, px = read_num(x), py = read_num(y);
    return (struct jacobian){enter(&px, &field), enter(&py, &field), enter(&one, &field)};
}

/* u·B + v·Q */
static struct jacobian sum_of(const struct num *u, const struct num *v, const struct jacobian *q)
{
    const struct jacobian base = point_of(base_x, base_y), both = add(&base, q);
    struct jacobian out = {{{1}}, {{1}}, {{0}}};
    for (int bit = 255; bit >= 0; bit--) {
        bool first = u->v[bit / 32] >> (bit % 32) & 1, second = v->v[bit / 32] >> (bit % 32) & 1;
        out = twice(&out);
        if (first || second)
            out = add(&out, first && second ? &both : first ? &base : q);
    }
    return out;
}

bool p256_verify(const unsigned char x[P256_NUMBER], const unsigned char y[P256_NUMBER],
                 const unsigned char sig[2 * P256_NUMBER], const unsigned char digest[32])
{
    if (!p256_on_curve(x, y) || !p256_signature_in_range(sig))
        return false;
    const struct num r = read_num(sig), s = read_num(sig + P256_NUMBER), whole = read_num(digest);
    struct num e = once_less(&whole, false, &order), w = enter(&s, &order);
    w = inverse(&w, &order);
    const struct num u = product(&e, &w, &order), v = product(&r, &w, &order); /* the R of w goes with it */
    const struct jacobian q = point_of(x, y), sum = sum_of(&u, &v, &q);
    if (is_zero(&sum.z))
        return false;
    struct num z = inverse(&sum.z, &field);
    z = times(&z, &z);
    z = times(&sum.x, &z);
    z = leave(&z, &field);
    z = once_less(&z, false, &order);
    return memcmp(z.v, r.v, sizeof z.v) == 0;
}
