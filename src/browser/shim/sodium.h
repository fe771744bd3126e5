/* What the audit uses of libsodium's interface, for programs in which that library is not: the same results. All of it
 * works on what is public, so nothing need take the same time for all values; what only somebody with a secret calls
 * is not there. shim/hash.c, shim/curve.c, shim/sodium.c. */
#ifndef SHIM_SODIUM_H
#define SHIM_SODIUM_H

#include <stddef.h>
#include <stdint.h>

/* ---- BLAKE2b (RFC 7693), SHA-2 (FIPS 180-4), SipHash-2-4 ---- */

#define crypto_generichash_BYTES     32U
#define crypto_generichash_BYTES_MAX 64U
#define crypto_generichash_KEYBYTES  32U
typedef struct crypto_generichash_state {
    uint64_t h[8], count;
    unsigned char block[128];
    size_t used, size;
} crypto_generichash_state;
int crypto_generichash_init(crypto_generichash_state *state, const unsigned char *key, size_t key_len,
                            size_t size);
int crypto_generichash_update(crypto_generichash_state *state, const unsigned char *in,
                              unsigned long long len);
int crypto_generichash_final(crypto_generichash_state *state, unsigned char *out, size_t size);
int crypto_generichash(unsigned char *out, size_t size, const unsigned char *in, unsigned long long len,
                       const unsigned char *key, size_t key_len);

#define crypto_hash_sha512_BYTES 64U
typedef struct crypto_hash_sha512_state {
    uint64_t h[8], count;
    unsigned char block[128];
} crypto_hash_sha512_state;
int crypto_hash_sha512_init(crypto_hash_sha512_state *state);
int crypto_hash_sha512_update(crypto_hash_sha512_state *state, const unsigned char *in,
                              unsigned long long len);
int crypto_hash_sha512_final(crypto_hash_sha512_state *state, unsigned char *out);
int crypto_hash_sha512(unsigned char *out, const unsigned char *in, unsigned long long len);

#define crypto_hash_sha256_BYTES 32U
typedef struct crypto_hash_sha256_state {
    uint32_t h[8];
    uint64_t count;
    unsigned char block[64];
} crypto_hash_sha256_state;
int crypto_hash_sha256_init(crypto_hash_sha256_state *state);
int crypto_hash_sha256_update(crypto_hash_sha256_state *state, const unsigned char *in,
                              unsigned long long len);
int crypto_hash_sha256_final(crypto_hash_sha256_state *state, unsigned char *out);
int crypto_hash_sha256(unsigned char *out, const unsigned char *in, unsigned long long len);

#define crypto_shorthash_BYTES    8U
#define crypto_shorthash_KEYBYTES 16U
int crypto_shorthash(unsigned char *out, const unsigned char *in, unsigned long long len,
                     const unsigned char *key);
void crypto_shorthash_keygen(unsigned char key[crypto_shorthash_KEYBYTES]);

#define crypto_kdf_KEYBYTES     32U
#define crypto_kdf_CONTEXTBYTES 8U
int crypto_kdf_derive_from_key(unsigned char *out, size_t len, uint64_t id, const char *context,
                               const unsigned char *key);

/* ---- ChaCha20 (RFC 8439) ---- */

#define crypto_stream_chacha20_ietf_KEYBYTES   32U
#define crypto_stream_chacha20_ietf_NONCEBYTES 12U
int crypto_stream_chacha20_ietf_xor_ic(unsigned char *out, const unsigned char *in, unsigned long long len,
                                       const unsigned char *nonce, uint32_t block, const unsigned char *key);

/* ---- Ed25519 (RFC 8032, strict as src/journal/README.md has it), ristretto255 (RFC 9496) ---- */

#define crypto_sign_BYTES          64U
#define crypto_sign_PUBLICKEYBYTES 32U
#define crypto_sign_SECRETKEYBYTES 64U
#define crypto_sign_SEEDBYTES      32U
int crypto_sign_verify_detached(const unsigned char *sig, const unsigned char *in, unsigned long long len,
                                const unsigned char *key);
int crypto_core_ed25519_is_valid_point(const unsigned char *point);

int crypto_core_ristretto255_is_valid_point(const unsigned char *element);
int crypto_core_ristretto255_from_hash(unsigned char *out, const unsigned char *hash);
int crypto_core_ristretto255_sub(unsigned char *out, const unsigned char *one, const unsigned char *other);
int crypto_scalarmult_ristretto255(unsigned char *out, const unsigned char *scalar,
                                   const unsigned char *element);
int crypto_scalarmult_ristretto255_base(unsigned char *out, const unsigned char *scalar);
void crypto_core_ristretto255_scalar_reduce(unsigned char *out, const unsigned char *wide);
void crypto_core_ristretto255_scalar_mul(unsigned char *out, const unsigned char *one,
                                         const unsigned char *other);
void crypto_core_ristretto255_scalar_add(unsigned char *out, const unsigned char *one,
                                         const unsigned char *other);
/* Secrets are made, and texts signed, in no browser: for code that nothing here calls. */
void crypto_core_ristretto255_scalar_random(unsigned char *scalar);
int crypto_sign_detached(unsigned char *sig, unsigned long long *sig_len, const unsigned char *in,
                         unsigned long long len, const unsigned char *secret);

/* ---- bytes ---- */

#define sodium_base64_VARIANT_ORIGINAL           1
#define sodium_base64_VARIANT_URLSAFE_NO_PADDING 7
int sodium_memcmp(const void *one, const void *other, size_t len);
int sodium_is_zero(const unsigned char *bytes, size_t len);
void sodium_memzero(void *bytes, size_t len);
char *sodium_bin2hex(char *out, size_t most, const unsigned char *in, size_t len);
int sodium_hex2bin(unsigned char *out, size_t most, const char *in, size_t len, const char *ignore,
                   size_t *got, const char **end);
size_t sodium_base64_encoded_len(size_t len, int variant);
char *sodium_bin2base64(char *out, size_t most, const unsigned char *in, size_t len, int variant);
int sodium_base642bin(unsigned char *out, size_t most, const char *in, size_t len, const char *ignore,
                      size_t *got, const char **end, int variant);

#endif
