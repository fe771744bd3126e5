/* ECDSA over P-256 on OpenSSH's wire (RFC 5656): "nistp256" and the point; r and s as numbers of the least possible
 * length. A signature is in its normal form from here on (trust/p256.h). */
#include <sodium.h>
#include <string.h>

#include "trust/format.h"
#include "trust/p256.h"

#define CURVE "nistp256"

static bool take_point(struct wire *wire, struct pubkey *key)
{
    struct slice curve = wire_string(wire);
    struct slice point = wire_string(wire);
    return slice_eq(curve, CURVE) && p256_point_read(point, key->point, key->y);
}

static void put_point(struct str *out, const struct pubkey *key)
{
    struct str point = STR_INIT;
    wire_put_text(out, CURVE);
    p256_point_put(&point, key->point, key->y);
    wire_put_string(out, point.p, point.len);
    str_release(&point);
}

/* A positive number: RFC 4251, "mpint". */
static bool take_number(struct wire *wire, unsigned char number[P256_NUMBER])
{
    struct slice bytes = wire_string(wire);
    bool padded = bytes.len && bytes.p[0] == '\0';
    if (!bytes.len || (bytes.p[0] & 0x80) || (padded && (bytes.len == 1 || !(bytes.p[1] & 0x80))))
        return false;
    bytes = slice_sub(bytes, padded, bytes.len);
    if (bytes.len > P256_NUMBER)
        return false;
    memset(number, 0, P256_NUMBER);
    memcpy(number + P256_NUMBER - bytes.len, bytes.p, bytes.len);
    return true;
}

static void put_number(struct str *out, const unsigned char number[P256_NUMBER])
{
    unsigned char bytes[1 + P256_NUMBER] = {0};
    size_t from = 1;
    memcpy(bytes + 1, number, P256_NUMBER);
    while (from < P256_NUMBER && !bytes[from])
        from++;
    from -= bytes[from] >> 7;
    wire_put_string(out, bytes + from, sizeof bytes - from);
}

static bool take_bytes(struct slice bytes, struct signature *sig)
{
    struct wire wire = wire_of(bytes);
    if (!take_number(&wire, sig->sig) || !take_number(&wire, sig->sig + P256_NUMBER) || !wire_end(&wire) ||
        !p256_signature_in_range(sig->sig))
        return false;
    p256_signature_normalise(sig->sig);
    return true;
}

static void put_bytes(struct str *out, const struct signature *sig)
{
    struct str bytes = STR_INIT;
    put_number(&bytes, sig->sig);
    put_number(&bytes, sig->sig + P256_NUMBER);
    wire_put_string(out, bytes.p, bytes.len);
    str_release(&bytes);
}

static bool is_normal(const struct signature *sig)
{
    return p256_signature_is_normal(sig->sig);
}

static bool holds(const struct signature *sig, const struct pubkey *key, const struct str *data)
{
    unsigned char digest[crypto_hash_sha256_BYTES];
    crypto_hash_sha256(digest, (const unsigned char *)data->p, data->len);
    return p256_verify(key->point, key->y, sig->sig, digest);
}

bool ecdsa_point_good(const struct pubkey *key)
{
    return p256_on_curve(key->point, key->y);
}

const struct ssh_curve ssh_p256 = {.take_point = take_point,
                                   .put_point = put_point,
                                   .take_bytes = take_bytes,
                                   .put_bytes = put_bytes,
                                   .is_normal = is_normal,
                                   .holds = holds};
