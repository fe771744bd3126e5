/* ECDSA over P-256 by GnuTLS, which is linked for mail domains as well. */
#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <string.h>

#include "trust/p256.h"

/* GnuTLS takes bytes that are not const. */
struct parts {
    unsigned char x[P256_NUMBER], y[P256_NUMBER], r[P256_NUMBER], s[P256_NUMBER], digest[32];
};

static bool holds(gnutls_pubkey_t pub, struct parts *parts)
{
    const gnutls_datum_t x = {parts->x, sizeof parts->x}, y = {parts->y, sizeof parts->y};
    const gnutls_datum_t r = {parts->r, sizeof parts->r}, s = {parts->s, sizeof parts->s};
    const gnutls_datum_t digest = {parts->digest, sizeof parts->digest};
    gnutls_datum_t der = {NULL, 0};
    if (gnutls_pubkey_import_ecc_raw(pub, GNUTLS_ECC_CURVE_SECP256R1, &x, &y) ||
        gnutls_encode_rs_value(&der, &r, &s))
        return false;
    bool good = gnutls_pubkey_verify_hash2(pub, GNUTLS_SIGN_ECDSA_SHA256, 0, &digest, &der) >= 0;
    gnutls_free(der.data);
    return good;
}

bool p256_verify(const unsigned char x[P256_NUMBER], const unsigned char y[P256_NUMBER],
                 const unsigned char sig[2 * P256_NUMBER], const unsigned char digest[32])
{
    gnutls_pubkey_t pub = NULL;
    struct parts parts;
    if (!p256_on_curve(x, y) || !p256_signature_in_range(sig) || gnutls_pubkey_init(&pub))
        return false;
    memcpy(parts.x, x, sizeof parts.x);
    memcpy(parts.y, y, sizeof parts.y);
    memcpy(parts.r, sig, sizeof parts.r);
    memcpy(parts.s, sig + P256_NUMBER, sizeof parts.s);
    memcpy(parts.digest, digest, sizeof parts.digest);
    bool good = holds(pub, &parts);
    gnutls_pubkey_deinit(pub);
    return good;
}
