/* The calls of libsodium that turns make, counted while `counting` is set: each function stands here in the
 * place of the library's and calls it. bare_sodium() makes the same calls alone. Not counted: comparing,
 * wiping, base64. Included by one program only. */
#ifndef BENCH_BARE_H
#define BENCH_BARE_H

#include <dlfcn.h>

#include "bench.h"

enum call {
    SIGN,
    VERIFY,
    HASH,
    HASH_PARTS,
    SHA512,
    STREAM,
    POINT,
    BASE_POINT,
    FROM_HASH,
    VALID_POINT,
    SUB,
    CALLS
};
static struct {
    size_t calls, bytes;
} used[CALLS];
static bool counting;

static void *real(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        exit(EXIT_FAILURE);
    return found;
}

static void count(enum call call, size_t calls, unsigned long long bytes)
{
    if (!counting)
        return;
    used[call].calls += calls;
    used[call].bytes += (size_t)bytes;
}

#define REAL(name)                              \
    static __typeof__(name) *name##_;           \
    if (!name##_) {                             \
        void *found = real(#name);              \
        memcpy(&name##_, &found, sizeof found); \
    }

int crypto_sign_detached(unsigned char *sig, unsigned long long *siglen, const unsigned char *m,
                         unsigned long long len, const unsigned char *key)
{
    REAL(crypto_sign_detached)
    count(SIGN, 1, len);
    return crypto_sign_detached_(sig, siglen, m, len, key);
}

int crypto_sign_verify_detached(const unsigned char *sig, const unsigned char *m, unsigned long long len,
                                const unsigned char *key)
{
    REAL(crypto_sign_verify_detached)
    count(VERIFY, 1, len);
    return crypto_sign_verify_detached_(sig, m, len, key);
}

int crypto_generichash(unsigned char *out, size_t outlen, const unsigned char *in, unsigned long long len,
                       const unsigned char *key, size_t keylen)
{
    REAL(crypto_generichash)
    count(HASH, 1, len);
    return crypto_generichash_(out, outlen, in, len, key, keylen);
}

int crypto_generichash_update(crypto_generichash_state *state, const unsigned char *in,
                              unsigned long long len)
{
    REAL(crypto_generichash_update)
    count(HASH_PARTS, 0, len);
    return crypto_generichash_update_(state, in, len);
}

int crypto_generichash_final(crypto_generichash_state *state, unsigned char *out, size_t len)
{
    REAL(crypto_generichash_final)
    count(HASH_PARTS, 1, 0);
    return crypto_generichash_final_(state, out, len);
}

int crypto_hash_sha512(unsigned char *out, const unsigned char *in, unsigned long long len)
{
    REAL(crypto_hash_sha512)
    count(SHA512, 1, len);
    return crypto_hash_sha512_(out, in, len);
}

int crypto_hash_sha512_update(crypto_hash_sha512_state *state, const unsigned char *in,
                              unsigned long long len)
{
    REAL(crypto_hash_sha512_update)
    count(SHA512, 0, len);
    return crypto_hash_sha512_update_(state, in, len);
}

int crypto_hash_sha512_final(crypto_hash_sha512_state *state, unsigned char *out)
{
    REAL(crypto_hash_sha512_final)
    count(SHA512, 1, 0);
    return crypto_hash_sha512_final_(state, out);
}

int crypto_stream_chacha20_ietf_xor_ic(unsigned char *c, const unsigned char *m, unsigned long long len,
                                       const unsigned char *n, uint32_t ic, const unsigned char *k)
{
    REAL(crypto_stream_chacha20_ietf_xor_ic)
    count(STREAM, 1, len);
    return crypto_stream_chacha20_ietf_xor_ic_(c, m, len, n, ic, k);
}

int crypto_scalarmult_ristretto255(unsigned char *q, const unsigned char *n, const unsigned char *p)
{
    REAL(crypto_scalarmult_ristretto255)
    count(POINT, 1, 0);
    return crypto_scalarmult_ristretto255_(q, n, p);
}

int crypto_scalarmult_ristretto255_base(unsigned char *q, const unsigned char *n)
{
    REAL(crypto_scalarmult_ristretto255_base)
    count(BASE_POINT, 1, 0);
    return crypto_scalarmult_ristretto255_base_(q, n);
}

int crypto_core_ristretto255_from_hash(unsigned char *p, const unsigned char *r)
{
    REAL(crypto_core_ristretto255_from_hash)
    count(FROM_HASH, 1, 0);
    return crypto_core_ristretto255_from_hash_(p, r);
}

int crypto_core_ristretto255_is_valid_point(const unsigned char *p)
{
    REAL(crypto_core_ristretto255_is_valid_point)
    count(VALID_POINT, 1, 0);
    return crypto_core_ristretto255_is_valid_point_(p);
}

int crypto_core_ristretto255_sub(unsigned char *r, const unsigned char *p, const unsigned char *q)
{
    REAL(crypto_core_ristretto255_sub)
    count(SUB, 1, 0);
    return crypto_core_ristretto255_sub_(r, p, q);
}

static void call_bare(enum call call, size_t len, const struct secret *key)
{
    static unsigned char in[65536], out[65536], sig[64], point[32];
    static const unsigned char nonce[12] = "bench", scalar[32] = "a scalar of the benchmark";
    static size_t signed_len = SIZE_MAX;
    crypto_generichash_state state;
    int bad = 0;
    if (call == VERIFY && signed_len != len) {
        (void)crypto_sign_detached(sig, NULL, in, len, key->key);
        signed_len = len;
    }
    if (!point[0])
        bad = crypto_scalarmult_ristretto255_base(point, scalar);
    switch (call) {
    case SIGN: (void)crypto_sign_detached(out, NULL, in, len, key->key); break;
    case VERIFY: bad = crypto_sign_verify_detached(sig, in, len, key->point); break;
    case HASH: (void)crypto_generichash(out, 32, in, len, NULL, 0); break;
    case HASH_PARTS:
        (void)crypto_generichash_init(&state, in, 32, 32);
        (void)crypto_generichash_update(&state, in, len);
        (void)crypto_generichash_final(&state, out, 32);
        break;
    case SHA512: (void)crypto_hash_sha512(out, in, len); break;
    case STREAM: (void)crypto_stream_chacha20_ietf_xor_ic(out, in, len, nonce, 0, in); break;
    case POINT: bad = crypto_scalarmult_ristretto255(out, scalar, point); break;
    case BASE_POINT: bad = crypto_scalarmult_ristretto255_base(out, scalar); break;
    case FROM_HASH: (void)crypto_core_ristretto255_from_hash(out, in); break;
    case VALID_POINT: bad = !crypto_core_ristretto255_is_valid_point(point); break;
    case SUB: bad = crypto_core_ristretto255_sub(out, point, point); break;
    case CALLS: break;
    }
    if (bad)
        exit(EXIT_FAILURE);
}

/* What `turns` of the `counted` turns need of libsodium: as many calls, with their mean lengths. Seconds. */
static double bare_sodium(size_t counted, size_t turns, const struct secret *key)
{
    double began = seconds();
    for (enum call call = 0; call < CALLS; call++)
        for (size_t n = used[call].calls * turns / counted; n; n--)
            call_bare(call, used[call].bytes / used[call].calls, key);
    return seconds() - began;
}

#endif
