/* Keys on P-256 in the test's own hands, and SSH signatures of them put together byte by byte, right or wrong: what a
 * security token or a browser with a passkey would send, which no test machine has. */
#ifndef TESTS_TRUST_SOFTKEY_H
#define TESTS_TRUST_SOFTKEY_H

#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <sodium.h>
#include <string.h>

#include "suite.h"

#include "base/encode.h"
#include "trust/signature.h"
#include "trust/wire.h"

#define SOFT_ECDSA    "ecdsa-sha2-nistp256"
#define SOFT_TOKEN    "sk-ecdsa-sha2-nistp256@openssh.com"
#define SOFT_WEBAUTHN "webauthn-" SOFT_TOKEN

struct softkey {
    gnutls_privkey_t secret;
    unsigned char x[32], y[32];
};

/* What is signed, and in which words. NULL: as it should be. */
struct soft {
    const char *word;        /* SOFT_... */
    const char *application; /* of a token's key */
    const char *ns, *text;
    unsigned char flags;
    uint32_t counter;
    const char *origin;      /* beside the client data */
    const char *client_data; /* with "%s" for the challenge */
    const char *extensions;
    bool high, low; /* this of the two forms; none: as it came */
};

__attribute__((unused)) static void soft_pad(unsigned char out[32], gnutls_datum_t *number)
{
    size_t skip = number->size > 32 ? number->size - 32 : 0;
    memset(out, 0, 32);
    memcpy(out + 32 - (number->size - skip), number->data + skip, number->size - skip);
    gnutls_free(number->data);
}

__attribute__((unused)) static struct softkey softkey_new(void)
{
    struct softkey key;
    gnutls_datum_t x, y, k;
    gnutls_ecc_curve_t curve;
    ck_assert_int_eq(gnutls_privkey_init(&key.secret), 0);
    ck_assert_int_eq(gnutls_privkey_generate(key.secret, GNUTLS_PK_ECDSA,
                                             GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1), 0),
                     0);
    ck_assert_int_eq(gnutls_privkey_export_ecc_raw(key.secret, &curve, &x, &y, &k), 0);
    soft_pad(key.x, &x);
    soft_pad(key.y, &y);
    gnutls_free(k.data);
    return key;
}

__attribute__((unused)) static void softkey_free(struct softkey *key)
{
    gnutls_privkey_deinit(key->secret);
}

/* n - s, of the order n. */
__attribute__((unused)) static void soft_flip(unsigned char s[32])
{
    unsigned char left[32], right[32], out[32];
    ck_assert(
        hex_decode(left, 32, slice_of("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")));
    for (size_t i = 0; i < 32; i++)
        right[i] = s[31 - i];
    for (size_t i = 0; i < 32; i++)
        out[i] = left[31 - i];
    sodium_sub(out, right, 32);
    for (size_t i = 0; i < 32; i++)
        s[i] = out[31 - i];
}

__attribute__((unused)) static bool soft_is_high(const unsigned char s[32])
{
    unsigned char half[32];
    ck_assert(
        hex_decode(half, 32, slice_of("7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8")));
    return memcmp(s, half, 32) > 0;
}

__attribute__((unused)) static void softkey_sign(const struct softkey *key, const struct str *data,
                                                 unsigned char rs[64])
{
    unsigned char digest[32];
    gnutls_datum_t sig, r, s;
    crypto_hash_sha256(digest, (const unsigned char *)data->p, data->len);
    const gnutls_datum_t hash = {digest, sizeof digest};
    ck_assert_int_eq(gnutls_privkey_sign_hash(key->secret, GNUTLS_DIG_SHA256, 0, &hash, &sig), 0);
    ck_assert_int_eq(gnutls_decode_rs_value(&sig, &r, &s), 0);
    gnutls_free(sig.data);
    soft_pad(rs, &r);
    soft_pad(rs + 32, &s);
}

/* The key's blob. */
__attribute__((unused)) static void soft_blob(struct str *out, const struct softkey *key,
                                              const char *application)
{
    unsigned char point[65] = {4};
    memcpy(point + 1, key->x, 32);
    memcpy(point + 33, key->y, 32);
    wire_put_text(out, application ? SOFT_TOKEN : SOFT_ECDSA);
    wire_put_text(out, "nistp256");
    wire_put_string(out, point, sizeof point);
    if (application)
        wire_put_text(out, application);
}

/* Its line in a key file. */
__attribute__((unused)) static void soft_line(struct str *out, const struct softkey *key,
                                              const char *application, const char *after)
{
    struct str blob = STR_INIT;
    soft_blob(&blob, key, application);
    str_addf(out, "%s ", application ? SOFT_TOKEN : SOFT_ECDSA);
    base64_encode(out, blob.p, blob.len);
    str_addf(out, "%s%s\n", *after ? " " : "", after);
    str_release(&blob);
}

__attribute__((unused)) static void soft_number(struct str *out, const unsigned char number[32])
{
    unsigned char bytes[33] = {0};
    size_t at = 1;
    memcpy(bytes + 1, number, 32);
    while (at < 32 && !bytes[at])
        at++;
    at -= bytes[at] >> 7;
    wire_put_string(out, bytes + at, sizeof bytes - at);
}

/* What SSHSIG signs. */
__attribute__((unused)) static void soft_data(struct str *out, const char *ns, const char *text)
{
    unsigned char digest[crypto_hash_sha512_BYTES];
    crypto_hash_sha512(digest, (const unsigned char *)text, strlen(text));
    str_adds(out, "SSHSIG");
    wire_put_text(out, ns);
    wire_put_text(out, "");
    wire_put_text(out, "sha512");
    wire_put_string(out, digest, sizeof digest);
}

__attribute__((unused)) static void soft_sha256(struct str *out, const char *bytes, size_t len)
{
    unsigned char digest[32];
    crypto_hash_sha256(digest, (const unsigned char *)bytes, len);
    str_add(out, digest, sizeof digest);
}

#define SOFT_CLIENT_DATA                                                    \
    "{\"type\":\"webauthn.get\",\"challenge\":\"%s\",\"origin\":\"https://" \
    "orders.example.org\",\"crossOrigin\":false}"

__attribute__((unused)) static void soft_client_data(struct str *out, const struct soft *soft,
                                                     const struct str *data)
{
    const char *form = soft->client_data ? soft->client_data : SOFT_CLIENT_DATA;
    const char *at = strstr(form, "%s");
    if (!at) {
        str_adds(out, form);
        return;
    }
    str_add(out, form, (size_t)(at - form));
    base64url_encode(out, data->p, data->len);
    str_adds(out, at + 2);
}

/* What the key really signs. */
__attribute__((unused)) static void soft_signed(struct str *out, const struct soft *soft,
                                                const struct str *data, const struct str *client_data)
{
    if (!soft->application) {
        str_add(out, data->p, data->len);
        return;
    }
    const struct str *given = client_data->len ? client_data : data;
    soft_sha256(out, soft->application, strlen(soft->application));
    str_addc(out, (char)soft->flags);
    wire_put_u32(out, soft->counter);
    if (soft->extensions)
        str_adds(out, soft->extensions);
    soft_sha256(out, given->p, given->len);
}

/* The innermost string, with these r and s as they are on the wire. */
__attribute__((unused)) static void soft_inner(struct str *out, const struct soft *soft, const struct str *rs,
                                               const struct str *client_data)
{
    wire_put_text(out, soft->word);
    wire_put_string(out, rs->p, rs->len);
    if (!soft->application)
        return;
    str_addc(out, (char)soft->flags);
    wire_put_u32(out, soft->counter);
    if (strcmp(soft->word, SOFT_WEBAUTHN) != 0)
        return;
    wire_put_text(out, soft->origin ? soft->origin : "https://orders.example.org");
    wire_put_string(out, client_data->p, client_data->len);
    wire_put_text(out, soft->extensions ? soft->extensions : "");
}

__attribute__((unused)) static void soft_armor(struct str *out, const struct softkey *key,
                                               const struct soft *soft, const struct str *inner)
{
    struct str blob = STR_INIT, part = STR_INIT;
    str_adds(&blob, "SSHSIG");
    wire_put_u32(&blob, 1);
    soft_blob(&part, key, soft->application);
    wire_put_string(&blob, part.p, part.len);
    wire_put_text(&blob, soft->ns ? soft->ns : NS_ORDERS);
    wire_put_text(&blob, "");
    wire_put_text(&blob, "sha512");
    wire_put_string(&blob, inner->p, inner->len);
    str_clear(out);
    str_adds(out, "-----BEGIN SSH SIGNATURE-----\n");
    base64_encode(out, blob.p, blob.len);
    str_adds(out, "\n-----END SSH SIGNATURE-----\n");
    str_release(&blob);
    str_release(&part);
}

/* The armored signature. */
__attribute__((unused)) static void soft_sign(struct str *out, const struct softkey *key,
                                              const struct soft *soft)
{
    struct str data = STR_INIT, client = STR_INIT, under = STR_INIT, rs = STR_INIT, inner = STR_INIT;
    unsigned char sig[64];
    soft_data(&data, soft->ns ? soft->ns : NS_ORDERS, soft->text);
    if (strcmp(soft->word, SOFT_WEBAUTHN) == 0)
        soft_client_data(&client, soft, &data);
    soft_signed(&under, soft, &data, &client);
    softkey_sign(key, &under, sig);
    if (soft->high != soft->low && soft_is_high(sig + 32) != soft->high)
        soft_flip(sig + 32);
    soft_number(&rs, sig);
    soft_number(&rs, sig + 32);
    soft_inner(&inner, soft, &rs, &client);
    soft_armor(out, key, soft, &inner);
    str_release(&data);
    str_release(&client);
    str_release(&under);
    str_release(&rs);
    str_release(&inner);
}

#endif
