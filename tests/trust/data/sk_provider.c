/* A security token made of software, for the tests: the middleware interface that ssh-keygen loads with -w or
 * SSH_SK_PROVIDER (OpenSSH sk-api.h, PROTOCOL.u2f), Ed25519 only. The key handle is the secret key itself.
 * Compiled by tests/trust/fido.c when it runs; TOKEN_FLAGS says whether the token claims to have been
 * touched. */
#include <sodium.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define API_VERSION 0x000a0000
#define ALG_ED25519 0x01
#define UNSUPPORTED (-2)
#define FAILED      (-1)

#ifndef TOKEN_FLAGS
#define TOKEN_FLAGS 0x01
#endif

struct sk_enroll_response {
    uint8_t flags;
    uint8_t *public_key;
    size_t public_key_len;
    uint8_t *key_handle;
    size_t key_handle_len;
    uint8_t *signature;
    size_t signature_len;
    uint8_t *attestation_cert;
    size_t attestation_cert_len;
    uint8_t *authdata;
    size_t authdata_len;
};
struct sk_sign_response {
    uint8_t flags;
    uint32_t counter;
    uint8_t *sig_r;
    size_t sig_r_len;
    uint8_t *sig_s;
    size_t sig_s_len;
};
struct sk_resident_key;
struct sk_option;

uint32_t sk_api_version(void);
int sk_enroll(uint32_t alg, const uint8_t *challenge, size_t challenge_len, const char *application,
              uint8_t flags, const char *pin, struct sk_option **options,
              struct sk_enroll_response **response);
int sk_sign(uint32_t alg, const uint8_t *data, size_t data_len, const char *application,
            const uint8_t *key_handle, size_t key_handle_len, uint8_t flags, const char *pin,
            struct sk_option **options, struct sk_sign_response **response);
int sk_load_resident_keys(const char *pin, struct sk_option **options, struct sk_resident_key ***keys,
                          size_t *count);

uint32_t sk_api_version(void)
{
    return API_VERSION;
}

static uint8_t *copy(const uint8_t *bytes, size_t len)
{
    uint8_t *p = malloc(len ? len : 1);
    if (!p)
        abort();
    memcpy(p, bytes, len);
    return p;
}

int sk_enroll(uint32_t alg, const uint8_t *challenge, size_t challenge_len, const char *application,
              uint8_t flags, const char *pin, struct sk_option **options,
              struct sk_enroll_response **response)
{
    uint8_t public_key[crypto_sign_PUBLICKEYBYTES];
    uint8_t secret[crypto_sign_SECRETKEYBYTES];
    (void)challenge, (void)challenge_len, (void)application, (void)pin, (void)options;
    if (alg != ALG_ED25519)
        return UNSUPPORTED;
    if (sodium_init() < 0)
        return FAILED;
    crypto_sign_keypair(public_key, secret);
    struct sk_enroll_response *r = calloc(1, sizeof *r);
    if (!r)
        return FAILED;
    r->flags = flags;
    r->public_key = copy(public_key, sizeof public_key);
    r->public_key_len = sizeof public_key;
    r->key_handle = copy(secret, sizeof secret);
    r->key_handle_len = sizeof secret;
    r->signature = copy(secret, 0);
    r->attestation_cert = copy(secret, 0);
    r->authdata = copy(secret, 0);
    *response = r;
    return 0;
}

/* Signs SHA256(application) || flags || counter || SHA256(data). */
int sk_sign(uint32_t alg, const uint8_t *data, size_t data_len, const char *application,
            const uint8_t *key_handle, size_t key_handle_len, uint8_t flags, const char *pin,
            struct sk_option **options, struct sk_sign_response **response)
{
    static const uint32_t counter = 0x01020304;
    uint8_t under[32 + 1 + 4 + 32];
    uint8_t sig[crypto_sign_BYTES];
    (void)flags, (void)pin, (void)options;
    if (alg != ALG_ED25519 || key_handle_len != crypto_sign_SECRETKEYBYTES)
        return UNSUPPORTED;
    crypto_hash_sha256(under, (const uint8_t *)application, strlen(application));
    under[32] = TOKEN_FLAGS;
    for (int i = 0; i < 4; i++)
        under[33 + i] = (uint8_t)(counter >> (24 - 8 * i));
    crypto_hash_sha256(under + 37, data, data_len);
    crypto_sign_detached(sig, NULL, under, sizeof under, key_handle);
    struct sk_sign_response *r = calloc(1, sizeof *r);
    if (!r)
        return FAILED;
    r->flags = TOKEN_FLAGS;
    r->counter = counter;
    r->sig_r = copy(sig, sizeof sig); /* Ed25519: all of it in r */
    r->sig_r_len = sizeof sig;
    *response = r;
    return 0;
}

int sk_load_resident_keys(const char *pin, struct sk_option **options, struct sk_resident_key ***keys,
                          size_t *count)
{
    (void)pin, (void)options, (void)keys, (void)count;
    return UNSUPPORTED;
}
