/* What stands for libraries in a browser (src/browser/shim) against the libraries, on random input: shim ROUNDS. */
#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trust/p256.h"

#define MOST 600

#define SHIM(name) extern __typeof__(name) shim_##name
SHIM(crypto_generichash);
SHIM(crypto_kdf_derive_from_key);
SHIM(crypto_hash_sha256);
SHIM(crypto_hash_sha512);
SHIM(crypto_shorthash);
SHIM(crypto_stream_chacha20_ietf_xor_ic);
SHIM(crypto_sign_verify_detached);
SHIM(crypto_core_ed25519_is_valid_point);
SHIM(crypto_core_ristretto255_is_valid_point);
SHIM(crypto_core_ristretto255_from_hash);
SHIM(crypto_core_ristretto255_sub);
SHIM(crypto_core_ristretto255_scalar_reduce);
SHIM(crypto_core_ristretto255_scalar_mul);
SHIM(crypto_core_ristretto255_scalar_add);
SHIM(crypto_scalarmult_ristretto255);
SHIM(crypto_scalarmult_ristretto255_base);
SHIM(sodium_bin2hex);
SHIM(sodium_hex2bin);
SHIM(sodium_bin2base64);
SHIM(sodium_base64_encoded_len);
SHIM(sodium_base642bin);
SHIM(p256_verify);

static int checks, faults;

static void same(bool good, const char *what, int round)
{
    checks++;
    if (good)
        return;
    faults++;
    printf("WRONG %s, round %d\n", what, round);
}

static void hashes(const unsigned char *in, const unsigned char *key, int n)
{
    unsigned char a[MOST], b[MOST];
    const size_t len = (size_t)n % MOST, size = 16 + (size_t)n % 49, key_len = n % 3 ? 32 : 0;
    shim_crypto_generichash(a, size, in, len, key_len ? key : NULL, key_len);
    crypto_generichash(b, size, in, len, key_len ? key : NULL, key_len);
    same(memcmp(a, b, size) == 0, "BLAKE2b", n);
    shim_crypto_kdf_derive_from_key(a, 32, (uint64_t)n << 33 | 5, (const char *)in, key);
    crypto_kdf_derive_from_key(b, 32, (uint64_t)n << 33 | 5, (const char *)in, key);
    same(memcmp(a, b, 32) == 0, "a key derived", n);
    shim_crypto_hash_sha512(a, in, len);
    crypto_hash_sha512(b, in, len);
    same(memcmp(a, b, 64) == 0, "SHA-512", n);
    shim_crypto_hash_sha256(a, in, len);
    crypto_hash_sha256(b, in, len);
    same(memcmp(a, b, 32) == 0, "SHA-256", n);
    shim_crypto_shorthash(a, in, len, key);
    crypto_shorthash(b, in, len, key);
    same(memcmp(a, b, 8) == 0, "SipHash", n);
    shim_crypto_stream_chacha20_ietf_xor_ic(a, in, len, key, (uint32_t)n, key + 16);
    crypto_stream_chacha20_ietf_xor_ic(b, in, len, key, (uint32_t)n, key + 16);
    same(memcmp(a, b, len) == 0, "ChaCha20", n);
}

static void signatures(const unsigned char *in, int n)
{
    unsigned char public[32], secret[64], sig[64];
    const size_t len = (size_t)n % MOST;
    crypto_sign_keypair(public, secret);
    crypto_sign_detached(sig, NULL, in, len, secret);
    same(shim_crypto_sign_verify_detached(sig, in, len, public) == 0, "Ed25519", n);
    sig[n % 64] ^= (unsigned char)(1 << (n / 64 % 8));
    same(shim_crypto_sign_verify_detached(sig, in, len, public) != 0, "Ed25519, changed", n);
    same(shim_crypto_core_ed25519_is_valid_point(public) == 1, "a key", n);
    same(shim_crypto_core_ed25519_is_valid_point(in) == crypto_core_ed25519_is_valid_point(in), "a point", n);
}

static void elements(const unsigned char *in, int n)
{
    unsigned char a[32], b[32], element[32], other[32], scalar[32], second[32];
    memcpy(a, in, 32);
    a[31] &= 127; /* libsodium 1.0.18 passes over the highest bit */
    same(shim_crypto_core_ristretto255_is_valid_point(a) == crypto_core_ristretto255_is_valid_point(a),
         "an encoding", n);
    a[0] &= 254;
    same(shim_crypto_core_ristretto255_is_valid_point(a) == crypto_core_ristretto255_is_valid_point(a),
         "an even encoding", n);
    shim_crypto_core_ristretto255_from_hash(element, in);
    crypto_core_ristretto255_from_hash(b, in);
    same(memcmp(element, b, 32) == 0, "an element of a hash", n);
    memcpy(a, element, 32);
    a[31] |= 0x80;
    same(shim_crypto_core_ristretto255_is_valid_point(element) &&
             !shim_crypto_core_ristretto255_is_valid_point(a),
         "256 bits", n);
    crypto_core_ristretto255_from_hash(other, in + 64);
    shim_crypto_core_ristretto255_sub(a, element, other);
    crypto_core_ristretto255_sub(b, element, other);
    same(memcmp(a, b, 32) == 0, "a difference", n);
    crypto_core_ristretto255_scalar_reduce(scalar, in + 128);
    shim_crypto_core_ristretto255_scalar_reduce(a, in + 128);
    same(memcmp(a, scalar, 32) == 0, "a scalar", n);
    same(shim_crypto_scalarmult_ristretto255(a, scalar, element) ==
                 crypto_scalarmult_ristretto255(b, scalar, element) &&
             memcmp(a, b, 32) == 0,
         "a product", n);
    same(shim_crypto_scalarmult_ristretto255_base(a, scalar) ==
                 crypto_scalarmult_ristretto255_base(b, scalar) &&
             memcmp(a, b, 32) == 0,
         "a product of the base", n);
    crypto_core_ristretto255_scalar_reduce(second, in + 192);
    shim_crypto_core_ristretto255_scalar_mul(a, scalar, second);
    crypto_core_ristretto255_scalar_mul(b, scalar, second);
    same(memcmp(a, b, 32) == 0, "scalars, multiplied", n);
    shim_crypto_core_ristretto255_scalar_add(a, scalar, second);
    crypto_core_ristretto255_scalar_add(b, scalar, second);
    same(memcmp(a, b, 32) == 0, "scalars, added", n);
}

static void codes(const unsigned char *in, int n, int variant)
{
    static const char odd[] = "A=-_/+ ";
    char one[2 * MOST], other[2 * MOST];
    unsigned char a[MOST], b[MOST];
    size_t len = (size_t)n % 100, got = 0, wanted = 0;
    const char *end = NULL, *should = NULL;
    same(shim_sodium_base64_encoded_len(len, variant) == sodium_base64_encoded_len(len, variant), "a length",
         n);
    shim_sodium_bin2base64(one, sizeof one, in, len, variant);
    sodium_bin2base64(other, sizeof other, in, len, variant);
    same(strcmp(one, other) == 0, "base64", n);
    if (n % 2 && len)
        one[(size_t)n % strlen(one)] = odd[n % 7];
    int rc = shim_sodium_base642bin(a, sizeof a, one, strlen(one), NULL, &got, &end, variant);
    int right = sodium_base642bin(b, sizeof b, one, strlen(one), NULL, &wanted, &should, variant);
    same(rc == right && (rc || (got == wanted && end == should && memcmp(a, b, got) == 0)), "base64, read",
         n);
    shim_sodium_bin2hex(one, sizeof one, in, len);
    sodium_bin2hex(other, sizeof other, in, len);
    same(strcmp(one, other) == 0, "hex", n);
    if (n % 3 == 0 && len)
        one[(size_t)n % (2 * len)] = odd[n % 7];
    rc = shim_sodium_hex2bin(a, sizeof a, one, 2 * len, NULL, &got, NULL);
    right = sodium_hex2bin(b, sizeof b, one, 2 * len, NULL, &wanted, NULL);
    same((rc == 0 && got == len) == (right == 0 && wanted == len), "hex, read", n);
}

/* By a key of GnuTLS's. */
static bool p256_sign(gnutls_privkey_t key, unsigned char digest[32], unsigned char sig[64])
{
    gnutls_datum_t hash = {digest, 32}, der = {NULL, 0}, r, s;
    if (gnutls_privkey_sign_hash2(key, GNUTLS_SIGN_ECDSA_SHA256, 0, &hash, &der) ||
        gnutls_decode_rs_value(&der, &r, &s))
        return false;
    const gnutls_datum_t *const both[] = {&r, &s};
    memset(sig, 0, 64);
    for (int i = 0; i < 2; i++) {
        size_t skip = both[i]->size > 32 ? both[i]->size - 32 : 0;
        memcpy(sig + 32 * i + 32 - (both[i]->size - skip), both[i]->data + skip, both[i]->size - skip);
    }
    gnutls_free(der.data), gnutls_free(r.data), gnutls_free(s.data);
    return true;
}

static void p256(const unsigned char *in, int n)
{
    gnutls_privkey_t key;
    gnutls_datum_t x, y;
    unsigned char digest[32], sig[64], px[32], py[32];
    memcpy(digest, in, 32);
    gnutls_privkey_init(&key);
    if (gnutls_privkey_generate(key, GNUTLS_PK_ECDSA, GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1), 0) ||
        gnutls_privkey_export_ecc_raw2(key, NULL, &x, &y, NULL, GNUTLS_EXPORT_FLAG_NO_LZ) || x.size > 32 ||
        y.size > 32 || !p256_sign(key, digest, sig)) {
        same(false, "GnuTLS signs", n);
        return;
    }
    memset(px, 0, 32), memset(py, 0, 32);
    memcpy(px + 32 - x.size, x.data, x.size);
    memcpy(py + 32 - y.size, y.data, y.size);
    same(shim_p256_verify(px, py, sig, digest) && p256_verify(px, py, sig, digest), "P-256", n);
    p256_signature_normalise(sig);
    same(shim_p256_verify(px, py, sig, digest), "P-256, the lower s", n);
    sig[n % 64] ^= (unsigned char)(1 << (n / 64 % 8));
    same(!shim_p256_verify(px, py, sig, digest), "P-256, changed", n);
    py[31] ^= 1;
    same(!shim_p256_verify(px, py, sig, digest), "P-256, no point", n);
    gnutls_free(x.data), gnutls_free(y.data);
    gnutls_privkey_deinit(key);
}

int main(int argc, char **argv)
{
    unsigned char in[MOST], key[64];
    int rounds = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 200;
    if (sodium_init() < 0)
        return EXIT_FAILURE;
    for (int n = 0; n < rounds; n++) {
        randombytes_buf(in, sizeof in);
        randombytes_buf(key, sizeof key);
        hashes(in, key, n);
        signatures(in, n);
        elements(in, n);
        codes(in, n, sodium_base64_VARIANT_ORIGINAL);
        codes(in, n, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
        p256(in, n);
    }
    printf("%d checks of what stands for libraries, %d faults\n", checks, faults);
    return faults ? EXIT_FAILURE : EXIT_SUCCESS;
}
