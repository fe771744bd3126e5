/* Ed25519 and ristretto255 over numbers modulo 2^255 - 19 (shim/sodium.h). Only public values come here, so the time
 * it takes may depend on them. */
#include "sodium.h"

#include <stdbool.h>
#include <string.h>

/* ---- numbers modulo p: ten limbs of 26 and 25 bits by turns, signed ---- */

struct fe {
    int64_t v[10];
};

static const struct fe zero = {{0}}, one = {{1}};

static unsigned bits_of(int limb)
{
    return limb % 2 ? 25 : 26;
}

/* Each limb to at most half of its size. */
static void settle(struct fe *a)
{
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 10; i++) {
            int64_t carry = (a->v[i] + ((int64_t)1 << (bits_of(i) - 1))) >> bits_of(i);
            a->v[i] -= carry * ((int64_t)1 << bits_of(i));
            a->v[(i + 1) % 10] += i == 9 ? 19 * carry : carry;
        }
}

static struct fe plus(const struct fe *a, const struct fe *b)
{
    struct fe out;
    for (int i = 0; i < 10; i++)
        out.v[i] = a->v[i] + b->v[i];
    return out;
}

static struct fe minus(const struct fe *a, const struct fe *b)
{
    struct fe out;
    for (int i = 0; i < 10; i++)
        out.v[i] = a->v[i] - b->v[i];
    return out;
}

/* What comes in may be sums of up to four settled numbers: products stay below 2^62. */
static struct fe times(const struct fe *a, const struct fe *b)
{
    int64_t t[20] = {0}, twice[10];
    struct fe out;
    for (int i = 0; i < 10; i++)
        twice[i] = i % 2 ? 2 * b->v[i] : b->v[i];
    for (int i = 0; i < 10; i += 2)
        for (int j = 0; j < 10; j++) {
            t[i + j] += a->v[i] * b->v[j];
            t[i + j + 1] += a->v[i + 1] * twice[j];
        }
    for (int i = 0; i < 9; i++) { /* before they are added up nineteen times, they are made small */
        int64_t carry = t[10 + i] >> bits_of(i);
        t[10 + i] -= carry * ((int64_t)1 << bits_of(i));
        t[11 + i] += carry;
    }
    for (int i = 0; i < 10; i++)
        out.v[i] = t[i] + 19 * t[10 + i];
    settle(&out);
    return out;
}

static struct fe square(const struct fe *a)
{
    return times(a, a);
}

static struct fe squares(struct fe a, int count)
{
    while (count--)
        a = square(&a);
    return a;
}

static struct fe read_fe(const unsigned char in[32]) /* the highest bit does not count */
{
    struct fe out;
    unsigned at = 0;
    for (int i = 0; i < 10; i++) {
        uint64_t word = 0;
        for (unsigned j = 0; j < 5 && at / 8 + j < 32; j++)
            word |= (uint64_t)in[at / 8 + j] << (8 * j);
        out.v[i] = (int64_t)(word >> (at % 8) & ((1U << bits_of(i)) - 1));
        at += bits_of(i);
    }
    settle(&out);
    return out;
}

/* The number from 0 to p - 1. */
static void write_fe(unsigned char out[32], const struct fe *in)
{
    struct fe a = *in;
    settle(&a);
    int64_t q = (19 * a.v[9] + ((int64_t)1 << 24)) >> 25;
    for (int i = 0; i < 10; i++)
        q = (a.v[i] + q) >> bits_of(i);
    a.v[0] += 19 * q;
    for (int i = 0; i < 10; i++) {
        int64_t carry = a.v[i] >> bits_of(i);
        a.v[i] -= carry * ((int64_t)1 << bits_of(i));
        if (i < 9)
            a.v[i + 1] += carry;
    }
    memset(out, 0, 32);
    unsigned at = 0;
    for (int i = 0; i < 10; i++)
        for (unsigned j = 0; j < bits_of(i); j++, at++)
            out[at / 8] |= (unsigned char)((a.v[i] >> j & 1) << (at % 8));
}

static bool is_odd(const struct fe *a)
{
    unsigned char bytes[32];
    write_fe(bytes, a);
    return bytes[0] & 1;
}

static bool same(const struct fe *a, const struct fe *b)
{
    unsigned char x[32], y[32];
    write_fe(x, a);
    write_fe(y, b);
    return memcmp(x, y, 32) == 0;
}

static bool is_zero(const struct fe *a)
{
    return same(a, &zero);
}

static struct fe negative(const struct fe *a)
{
    return minus(&zero, a);
}

static struct fe magnitude(const struct fe *a)
{
    return is_odd(a) ? negative(a) : *a;
}

/* a^(2^250 - 1), and a^11 beside it */
static struct fe power(const struct fe *a, struct fe *eleven)
{
    struct fe t = squares(*a, 1), u = squares(t, 2);
    struct fe nine = times(a, &u);
    *eleven = times(&nine, &t);
    t = square(eleven);
    struct fe x5 = times(&t, &nine); /* 2^5 - 1 */
    t = squares(x5, 5);
    struct fe x10 = times(&t, &x5);
    t = squares(x10, 10);
    struct fe x20 = times(&t, &x10);
    t = squares(x20, 20);
    t = times(&t, &x20);
    t = squares(t, 10);
    struct fe x50 = times(&t, &x10);
    t = squares(x50, 50);
    struct fe x100 = times(&t, &x50);
    t = squares(x100, 100);
    t = times(&t, &x100);
    t = squares(t, 50);
    return times(&t, &x50);
}

static struct fe inverse(const struct fe *a)
{
    struct fe eleven, t = power(a, &eleven);
    t = squares(t, 5);
    return times(&t, &eleven);
}

/* a^((p - 5) / 8) */
static struct fe root_power(const struct fe *a)
{
    struct fe eleven, t = power(a, &eleven);
    t = squares(t, 2);
    return times(&t, a);
}

/* ---- constants, by their bytes ---- */

static const unsigned char d_bytes[32] = {0xa3, 0x78, 0x59, 0x13, 0xca, 0x4d, 0xeb, 0x75, 0xab, 0xd8, 0x41,
                                          0x41, 0x4d, 0x0a, 0x70, 0x00, 0x98, 0xe8, 0x79, 0x77, 0x79, 0x40,
                                          0xc7, 0x8c, 0x73, 0xfe, 0x6f, 0x2b, 0xee, 0x6c, 0x03, 0x52};
static const unsigned char minus_one_root_bytes[32] = {
    0xb0, 0xa0, 0x0e, 0x4a, 0x27, 0x1b, 0xee, 0xc4, 0x78, 0xe4, 0x2f, 0xad, 0x06, 0x18, 0x43, 0x2f,
    0xa7, 0xd7, 0xfb, 0x3d, 0x99, 0x00, 0x4d, 0x2b, 0x0b, 0xdf, 0xc1, 0x4f, 0x80, 0x24, 0x83, 0x2b};
static const unsigned char base_bytes[32] = {0x58, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66,
                                             0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66,
                                             0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66};
/* The order of the group, 2^252 + 27742317777372353535851937790883648493 */
static const unsigned char order_bytes[32] = {
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0x10};

/* u/v under a root; true: there is one, *root is it, without sign. False: of the other that RFC 9496 wants. */
static bool root_of_ratio(struct fe *root, const struct fe *u, const struct fe *v)
{
    const struct fe i = read_fe(minus_one_root_bytes);
    struct fe v3 = square(v), t, r, check, minus_u = negative(u);
    v3 = times(&v3, v);
    struct fe v7 = square(&v3);
    v7 = times(&v7, v);
    t = times(u, &v7);
    t = root_power(&t);
    t = times(&t, &v3);
    r = times(&t, u);
    check = square(&r);
    check = times(&check, v);
    struct fe minus_u_i = times(&minus_u, &i);
    bool right = same(&check, u), turned = same(&check, &minus_u);
    if (turned || same(&check, &minus_u_i))
        r = times(&r, &i);
    *root = magnitude(&r);
    return right || turned;
}

/* ---- points: x = X/Z, y = Y/Z, T = XY/Z ---- */

struct point {
    struct fe x, y, z, t;
};

static const struct point neutral = {{{0}}, {{1}}, {{1}}, {{0}}};

static struct fe twice_d(void)
{
    struct fe d = read_fe(d_bytes);
    d = plus(&d, &d);
    settle(&d);
    return d;
}

static struct point finish(const struct fe *e, const struct fe *f, const struct fe *g, const struct fe *h)
{
    return (struct point){times(e, f), times(g, h), times(f, g), times(e, h)};
}

/* `b_td`: T of b times 2d. */
static struct point add_prepared(const struct point *a, const struct point *b, const struct fe *b_td)
{
    struct fe s = minus(&a->y, &a->x), t = minus(&b->y, &b->x);
    struct fe u = plus(&a->y, &a->x), v = plus(&b->y, &b->x);
    struct fe m = times(&s, &t), p = times(&u, &v), c = times(&a->t, b_td), zz = times(&a->z, &b->z);
    struct fe d = plus(&zz, &zz);
    struct fe e = minus(&p, &m), f = minus(&d, &c), g = plus(&d, &c), h = plus(&p, &m);
    return finish(&e, &f, &g, &h);
}

static struct point add(const struct point *a, const struct point *b)
{
    struct fe d2 = twice_d(), td = times(&b->t, &d2);
    return add_prepared(a, b, &td);
}

static struct point twice(const struct point *a)
{
    struct fe xx = square(&a->x), yy = square(&a->y), zz = square(&a->z), sum = plus(&a->x, &a->y);
    struct fe h = plus(&xx, &yy), s2 = square(&sum), e = minus(&h, &s2), g = minus(&xx, &yy);
    struct fe z2 = plus(&zz, &zz), f = plus(&z2, &g);
    settle(&f);
    return finish(&e, &f, &g, &h);
}

static struct point opposite(const struct point *a)
{
    return (struct point){negative(&a->x), a->y, a->z, negative(&a->t)};
}

static bool same_point(const struct point *a, const struct point *b)
{
    struct fe ax = times(&a->x, &b->z), bx = times(&b->x, &a->z), ay = times(&a->y, &b->z),
              by = times(&b->y, &a->z);
    return same(&ax, &bx) && same(&ay, &by);
}

static bool is_small(const struct point *a)
{
    struct point p = twice(a);
    p = twice(&p);
    p = twice(&p);
    return same_point(&p, &neutral);
}

/* The multiples 0 to 15, with T times 2d. */
struct row {
    struct point at[16];
    struct fe td[16];
};

static void make_row(struct row *row, const struct point *a)
{
    const struct fe d2 = twice_d();
    row->at[0] = neutral;
    for (int i = 1; i < 16; i++)
        row->at[i] = i == 1 ? *a : add_prepared(&row->at[i - 1], a, &row->td[1]),
        row->td[i] = times(&row->at[i].t, &d2);
    row->td[0] = zero;
}

static unsigned digit(const unsigned char scalar[32], int i)
{
    return scalar[i / 2] >> (i % 2 ? 4 : 0) & 15;
}

/* The sum of scalars times points, four bits at a time. */
static struct point multiply(const unsigned char *const scalars[], const struct row *const rows[], int count)
{
    struct point out = neutral;
    for (int i = 63; i >= 0; i--) {
        for (int j = 0; j < 4 && i < 63; j++)
            out = twice(&out);
        for (int k = 0; k < count; k++) {
            unsigned which = digit(scalars[k], i);
            if (which)
                out = add_prepared(&out, &rows[k]->at[which], &rows[k]->td[which]);
        }
    }
    return out;
}

static struct point multiply_one(const unsigned char scalar[32], const struct point *a)
{
    struct row row;
    make_row(&row, a);
    return multiply((const unsigned char *const[]){scalar}, (const struct row *const[]){&row}, 1);
}

/* ---- encodings of points ---- */

static bool is_canonical(const unsigned char in[32], bool with_sign)
{
    unsigned char bytes[32], again[32];
    memcpy(bytes, in, 32);
    if (with_sign)
        bytes[31] &= 127;
    struct fe a = read_fe(bytes);
    write_fe(again, &a);
    return memcmp(bytes, again, 32) == 0;
}

static bool read_point(struct point *out, const unsigned char in[32])
{
    const struct fe d = read_fe(d_bytes);
    struct fe y = read_fe(in), yy = square(&y), u = minus(&yy, &one), v = times(&yy, &d), x;
    v = plus(&v, &one);
    if (!is_canonical(in, true) || !root_of_ratio(&x, &u, &v))
        return false;
    if (is_zero(&x) && in[31] >> 7)
        return false;
    if (is_odd(&x) != (in[31] >> 7))
        x = negative(&x);
    *out = (struct point){x, y, one, times(&x, &y)};
    return true;
}

static void write_point(unsigned char out[32], const struct point *a)
{
    struct fe z = inverse(&a->z), x = times(&a->x, &z), y = times(&a->y, &z);
    write_fe(out, &y);
    out[31] ^= (unsigned char)(is_odd(&x) << 7);
}

/* ---- scalars ---- */

static bool below_order(const unsigned char s[32])
{
    for (int i = 31; i >= 0; i--)
        if (s[i] != order_bytes[i])
            return s[i] < order_bytes[i];
    return false;
}

/* Bit by bit: it is done once for each signature. */
static void reduce(unsigned char out[32], const unsigned char *in, int len)
{
    unsigned char r[32] = {0};
    for (int bit = 8 * len - 1; bit >= 0; bit--) {
        unsigned carry = in[bit / 8] >> (bit % 8) & 1;
        for (int i = 0; i < 32; i++) {
            unsigned next = (unsigned)r[i] << 1 | carry;
            r[i] = (unsigned char)next;
            carry = next >> 8;
        }
        if (below_order(r))
            continue;
        int borrow = 0;
        for (int i = 0; i < 32; i++) {
            int left = r[i] - order_bytes[i] - borrow;
            r[i] = (unsigned char)left;
            borrow = left < 0;
        }
    }
    memcpy(out, r, 32);
}

void crypto_core_ristretto255_scalar_reduce(unsigned char *out, const unsigned char *wide)
{
    reduce(out, wide, 64);
}

void crypto_core_ristretto255_scalar_mul(unsigned char *out, const unsigned char *a, const unsigned char *b)
{
    unsigned char wide[64] = {0};
    for (int i = 0; i < 32; i++) {
        unsigned carry = 0;
        for (int j = 0; j < 32; j++) {
            carry += wide[i + j] + (unsigned)a[i] * b[j];
            wide[i + j] = (unsigned char)carry;
            carry >>= 8;
        }
        wide[i + 32] = (unsigned char)carry;
    }
    reduce(out, wide, 64);
}

void crypto_core_ristretto255_scalar_add(unsigned char *out, const unsigned char *a, const unsigned char *b)
{
    unsigned char sum[33];
    unsigned carry = 0;
    for (int i = 0; i < 32; i++) {
        carry += (unsigned)a[i] + b[i];
        sum[i] = (unsigned char)carry;
        carry >>= 8;
    }
    sum[32] = (unsigned char)carry;
    reduce(out, sum, 33);
}

/* ---- Ed25519 ---- */

int crypto_sign_verify_detached(const unsigned char *sig, const unsigned char *in, unsigned long long len,
                                const unsigned char *key)
{
    unsigned char hash[64], k[32], r[32];
    crypto_hash_sha512_state st;
    struct point a, base;
    struct row of_a, of_base;
    if (!below_order(sig + 32) || !read_point(&a, key) || is_small(&a) || !read_point(&base, base_bytes))
        return -1;
    (void)crypto_hash_sha512_init(&st);
    (void)crypto_hash_sha512_update(&st, sig, 32);
    (void)crypto_hash_sha512_update(&st, key, 32);
    (void)crypto_hash_sha512_update(&st, in, len);
    (void)crypto_hash_sha512_final(&st, hash);
    reduce(k, hash, 64);
    a = opposite(&a);
    make_row(&of_a, &a);
    make_row(&of_base, &base);
    struct point sum = multiply((const unsigned char *const[]){sig + 32, k},
                                (const struct row *const[]){&of_base, &of_a}, 2);
    write_point(r, &sum);
    return !is_small(&sum) && memcmp(r, sig, 32) == 0 ? 0 : -1;
}

/* Of the group of prime order, and not its neutral element. */
int crypto_core_ed25519_is_valid_point(const unsigned char *in)
{
    struct point a;
    if (!read_point(&a, in) || is_small(&a))
        return 0;
    a = multiply_one(order_bytes, &a);
    return same_point(&a, &neutral);
}

/* ---- ristretto255 ---- */

/* RFC 9496, 4.3.1 */
static bool read_element(struct point *out, const unsigned char in[32])
{
    const struct fe d = read_fe(d_bytes);
    struct fe s = read_fe(in), ss = square(&s), u1 = minus(&one, &ss), u2 = plus(&one, &ss);
    struct fe u1u1 = square(&u1), u2u2 = square(&u2), t = times(&d, &u1u1), v = plus(&t, &u2u2), root, w;
    v = negative(&v);
    settle(&v);
    w = times(&v, &u2u2);
    if (!is_canonical(in, false) || in[0] & 1)
        return false;
    bool square_there = root_of_ratio(&root, &one, &w);
    struct fe dx = times(&root, &u2), dy = times(&root, &dx), two_s = plus(&s, &s), x, y;
    dy = times(&dy, &v);
    x = times(&two_s, &dx);
    x = magnitude(&x);
    y = times(&u1, &dy);
    *out = (struct point){x, y, one, times(&x, &y)};
    return square_there && !is_odd(&out->t) && !is_zero(&y);
}

/* sqrt(a - d) and the like follow from d: a is -1. */
static struct fe inverse_root_of_a_minus_d(void)
{
    const struct fe d = read_fe(d_bytes);
    struct fe v = plus(&one, &d), root; /* -1 - d, turned */
    v = negative(&v);
    settle(&v);
    (void)root_of_ratio(&root, &one, &v);
    return root;
}

/* RFC 9496, 4.3.2 */
static void write_element(unsigned char out[32], const struct point *a)
{
    const struct fe i = read_fe(minus_one_root_bytes);
    struct fe sum = plus(&a->z, &a->y), difference = minus(&a->z, &a->y), u1 = times(&sum, &difference);
    struct fe u2 = times(&a->x, &a->y), t = square(&u2), root, x = a->x, y = a->y;
    t = times(&t, &u1);
    (void)root_of_ratio(&root, &one, &t);
    struct fe d1 = times(&root, &u1), d2 = times(&root, &u2), z = times(&d1, &d2), den = d2;
    z = times(&z, &a->t);
    t = times(&a->t, &z);
    if (is_odd(&t)) {
        const struct fe magic = inverse_root_of_a_minus_d();
        x = times(&a->y, &i);
        y = times(&a->x, &i);
        den = times(&d1, &magic);
    }
    t = times(&x, &z);
    if (is_odd(&t))
        y = negative(&y);
    t = minus(&a->z, &y);
    t = times(&den, &t);
    t = magnitude(&t);
    write_fe(out, &t);
}

/* RFC 9496, 4.3.4: MAP */
static struct point map(const unsigned char in[32])
{
    const struct fe d = read_fe(d_bytes), i = read_fe(minus_one_root_bytes);
    struct fe t = read_fe(in), r = square(&t), r1, s, c = negative(&one), n;
    r = times(&r, &i);
    r1 = plus(&r, &one);
    struct fe dd = square(&d), one_dd = minus(&one, &dd), u = times(&r1, &one_dd);
    struct fe rd = times(&r, &d), v = plus(&one, &rd), r_d = plus(&r, &d);
    v = negative(&v);
    v = times(&v, &r_d);
    if (!root_of_ratio(&s, &u, &v)) {
        s = times(&s, &t);
        s = magnitude(&s);
        s = negative(&s);
        c = r;
    }
    struct fe r_1 = minus(&r, &one), d_1 = minus(&d, &one), d_1s = square(&d_1);
    n = times(&c, &r_1);
    n = times(&n, &d_1s);
    n = minus(&n, &v);
    settle(&n);
    /* sqrt(a d - 1): the odd one */
    struct fe minus_d = negative(&d), ad_1 = minus(&minus_d, &one), sqrt_ad_1;
    settle(&ad_1);
    (void)root_of_ratio(&sqrt_ad_1, &ad_1, &one);
    sqrt_ad_1 = negative(&sqrt_ad_1);
    struct fe w0 = times(&s, &v), ss = square(&s), w2 = minus(&one, &ss), w3 = plus(&one, &ss);
    w0 = plus(&w0, &w0);
    struct fe w1 = times(&n, &sqrt_ad_1);
    return (struct point){times(&w0, &w3), times(&w2, &w1), times(&w1, &w3), times(&w0, &w2)};
}

int crypto_core_ristretto255_is_valid_point(const unsigned char *element)
{
    struct point a;
    return read_element(&a, element);
}

int crypto_core_ristretto255_from_hash(unsigned char *out, const unsigned char *hash)
{
    struct point a = map(hash), b = map(hash + 32);
    a = add(&a, &b);
    write_element(out, &a);
    return 0;
}

int crypto_core_ristretto255_sub(unsigned char *out, const unsigned char *a, const unsigned char *b)
{
    struct point x, y;
    if (!read_element(&x, a) || !read_element(&y, b))
        return -1;
    y = opposite(&y);
    x = add(&x, &y);
    write_element(out, &x);
    return 0;
}

static int scaled(unsigned char *out, const unsigned char *scalar, const struct point *a)
{
    unsigned char low[32];
    memcpy(low, scalar, 32);
    low[31] &= 127;
    struct point product = multiply_one(low, a);
    write_element(out, &product);
    return sodium_is_zero(out, 32) ? -1 : 0;
}

int crypto_scalarmult_ristretto255(unsigned char *out, const unsigned char *scalar,
                                   const unsigned char *element)
{
    struct point a;
    return read_element(&a, element) ? scaled(out, scalar, &a) : -1;
}

int crypto_scalarmult_ristretto255_base(unsigned char *out, const unsigned char *scalar)
{
    struct point base;
    return read_point(&base, base_bytes) ? scaled(out, scalar, &base) : -1;
}
