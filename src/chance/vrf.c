#include "chance/vrf.h"

#include <sodium.h>
#include <stdint.h>
#include <string.h>

/* suite_string of c2sp.org/vrf-r255: 0xFF and the name. */
static const unsigned char suite[] = "\xFF"
                                     "c2sp.org/vrf-r255";
#define SUITE_LEN (sizeof suite - 1)
#define POINTS    5 /* that a challenge is over */

enum vrf_tag { TAG_CHALLENGE = 0x02, TAG_OUTPUT = 0x03, TAG_NONCE = 0x81, TAG_ENCODE = 0x82 };

static void hash_begin(crypto_hash_sha512_state *st, enum vrf_tag tag)
{
    unsigned char byte = (unsigned char)tag;
    crypto_hash_sha512_init(st);
    crypto_hash_sha512_update(st, suite, SUITE_LEN);
    crypto_hash_sha512_update(st, &byte, 1);
}

/* encode: the input as a group element. */
static void encode(unsigned char h[32], const unsigned char pk[32], struct slice alpha)
{
    unsigned char digest[64];
    crypto_hash_sha512_state st;
    hash_begin(&st, TAG_ENCODE);
    crypto_hash_sha512_update(&st, pk, 32);
    crypto_hash_sha512_update(&st, (const unsigned char *)alpha.p, alpha.len);
    crypto_hash_sha512_final(&st, digest);
    crypto_core_ristretto255_from_hash(h, digest);
}

/* The 16-byte challenge over the points (the key, H, Gamma, U, V), little endian, in a 32-byte scalar. */
static void challenge(unsigned char c[32], const unsigned char *const points[POINTS])
{
    unsigned char digest[64];
    crypto_hash_sha512_state st;
    hash_begin(&st, TAG_CHALLENGE);
    for (size_t i = 0; i < POINTS; i++)
        crypto_hash_sha512_update(&st, points[i], 32);
    crypto_hash_sha512_update(&st, (const unsigned char *)"\0", 1);
    crypto_hash_sha512_final(&st, digest);
    memset(c, 0, 32);
    memcpy(c, digest, 16);
}

static void output_of(unsigned char output[VRF_OUTPUT], const unsigned char gamma[32])
{
    crypto_hash_sha512_state st;
    hash_begin(&st, TAG_OUTPUT);
    crypto_hash_sha512_update(&st, gamma, 32);
    crypto_hash_sha512_update(&st, (const unsigned char *)"\0", 1);
    crypto_hash_sha512_final(&st, output);
}

/* A scalar is canonical when reducing it changes nothing. */
static bool scalar_canonical(const unsigned char s[32])
{
    unsigned char wide[64] = {0};
    unsigned char reduced[32];
    memcpy(wide, s, 32);
    crypto_core_ristretto255_scalar_reduce(reduced, wide);
    return sodium_memcmp(reduced, s, 32) == 0;
}

void vrf_keygen(unsigned char secret[VRF_SECRET], unsigned char public[VRF_PUBLIC])
{
    do
        crypto_core_ristretto255_scalar_random(secret);
    while (crypto_scalarmult_ristretto255_base(public, secret) != 0);
}

bool vrf_public(unsigned char public[VRF_PUBLIC], const unsigned char secret[VRF_SECRET])
{
    return scalar_canonical(secret) && crypto_scalarmult_ristretto255_base(public, secret) == 0;
}

bool vrf_prove(unsigned char proof[VRF_PROOF], unsigned char output[VRF_OUTPUT],
               const unsigned char secret[VRF_SECRET], const unsigned char public[VRF_PUBLIC],
               struct slice alpha)
{
    unsigned char h[32], gamma[32], k[32], u[32], v[32], c[32], s[32], digest[64];
    crypto_hash_sha512_state st;
    if (!scalar_canonical(secret))
        return false;
    encode(h, public, alpha);
    if (crypto_scalarmult_ristretto255(gamma, secret, h) != 0)
        return false;

    hash_begin(&st, TAG_NONCE);
    crypto_hash_sha512_update(&st, secret, 32);
    crypto_hash_sha512_update(&st, h, 32);
    crypto_hash_sha512_final(&st, digest);
    crypto_core_ristretto255_scalar_reduce(k, digest);

    bool ok = crypto_scalarmult_ristretto255_base(u, k) == 0 && crypto_scalarmult_ristretto255(v, k, h) == 0;
    if (ok) {
        challenge(c, (const unsigned char *const[POINTS]){public, h, gamma, u, v});
        crypto_core_ristretto255_scalar_mul(s, c, secret);
        crypto_core_ristretto255_scalar_add(s, s, k);
        memcpy(proof, gamma, 32);
        memcpy(proof + 32, c, 16);
        memcpy(proof + 48, s, 32);
        output_of(output, gamma);
    }
    sodium_memzero(k, sizeof k);
    sodium_memzero(digest, sizeof digest);
    sodium_memzero(&st, sizeof st);
    return ok;
}

/* out = a*A - b*B; false when it or a part of it is the identity, which no honest proof meets. */
static bool combine(unsigned char out[32], const unsigned char aA[32], const unsigned char b[32],
                    const unsigned char B[32])
{
    unsigned char bB[32];
    return crypto_scalarmult_ristretto255(bB, b, B) == 0 && crypto_core_ristretto255_sub(out, aA, bB) == 0 &&
           !sodium_is_zero(out, 32);
}

/* libsodium before 1.0.19 passes over the highest bit of an encoding. With it, whoever has the secret could make two
 * proofs with two outputs for one input: the output follows from the bytes of gamma. */
static bool element_good(const unsigned char element[32])
{
    return !(element[31] & 0x80) && crypto_core_ristretto255_is_valid_point(element) &&
           !sodium_is_zero(element, 32);
}

bool vrf_key_good(const unsigned char public[VRF_PUBLIC])
{
    return element_good(public);
}

bool vrf_verify(unsigned char output[VRF_OUTPUT], const unsigned char public[VRF_PUBLIC],
                const unsigned char proof[VRF_PROOF], struct slice alpha)
{
    const unsigned char *gamma = proof;
    const unsigned char *s = proof + 48;
    unsigned char c[32] = {0}, again[32], h[32], sB[32], sh[32], u[32], v[32];
    memcpy(c, proof + 32, 16);
    if (!element_good(gamma) || !vrf_key_good(public) || !scalar_canonical(s))
        return false;
    encode(h, public, alpha);
    if (crypto_scalarmult_ristretto255_base(sB, s) != 0 || crypto_scalarmult_ristretto255(sh, s, h) != 0 ||
        !combine(u, sB, c, public) || !combine(v, sh, c, gamma))
        return false;
    challenge(again, (const unsigned char *const[POINTS]){public, h, gamma, u, v});
    if (sodium_memcmp(c, again, 32) != 0)
        return false;
    output_of(output, gamma);
    return true;
}

void vrf_output(unsigned char output[VRF_OUTPUT], const unsigned char proof[VRF_PROOF])
{
    output_of(output, proof);
}
