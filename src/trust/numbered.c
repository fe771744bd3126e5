/* What minisign and signify share: keys and signatures of 2 + 8 bytes (an algorithm and the key's number,
 * which its maker chooses) before the bytes of Ed25519. */
#include <sodium.h>
#include <string.h>

#include "base/encode.h"
#include "base/reason.h"
#include "trust/format.h"

#define RAW_LEN 74 /* algorithm 2, key number 8, signature 64 */

int numbered_parse(struct slice raw, bool trusted, struct signature *sig, struct err *err)
{
    memset(sig, 0, sizeof *sig);
    if (raw.len != RAW_LEN || raw.p[0] != 'E' || (raw.p[1] != 'D' && raw.p[1] != 'd'))
        return reason_fail(
            err, "numbered_cut",
            "the minisign or signify signature is cut or damaged; sign again, or attach the file");
    sig->prehashed = raw.p[1] == 'D';
    sig->kind = sig->prehashed || trusted ? KEY_MINISIGN : KEY_SIGNIFY;
    sig->key.kind = sig->kind;
    memcpy(sig->key.id, raw.p + 2, sizeof sig->key.id);
    memcpy(sig->sig, raw.p + 2 + sizeof sig->key.id, sizeof sig->sig);
    return 0;
}

enum key_kind signature_kind(const struct signature *sig)
{
    if (!signature_is_numbered(sig))
        return sig->kind;
    return sig->prehashed ? KEY_MINISIGN : KEY_SIGNIFY;
}

/* base64("Ed" || number8 || point32), 56 characters. */
int numbered_parse_key(enum key_kind kind, struct slice base64, struct pubkey *key, struct err *err)
{
    struct str raw = STR_INIT;
    int rc = 0;
    memset(key, 0, sizeof *key);
    key->kind = kind;
    if (!base64_decode(&raw, base64) || raw.len < 2 || raw.p[0] != 'E')
        rc = reason_fail(
            err, "numbered_key_cut",
            "this is not a whole minisign or signify public key; the line begins with RW and has 56 "
            "characters");
    else if (raw.len == RAW_LEN)
        rc = reason_fail(err, "signature_for_key", "this is a signature and not a public key");
    else if (raw.len != 2 + sizeof key->id + sizeof key->point)
        rc = reason_fail(err, "not_public_key",
                         "this is not a public key; never send the file of a secret key");
    else if (raw.p[1] != 'd')
        rc = reason_fail(err, "unknown_key_kind",
                         "this public key is of an unknown kind; minisign's and signify's begin with RW");
    if (rc == 0) {
        memcpy(key->id, raw.p + 2, sizeof key->id);
        memcpy(key->point, raw.p + 2 + sizeof key->id, sizeof key->point);
    }
    str_release(&raw);
    return rc;
}

void numbered_put_key(struct str *out, const struct pubkey *key)
{
    str_adds(out, "Ed");
    str_add(out, key->id, sizeof key->id);
    str_add(out, key->point, sizeof key->point);
}

unsigned long long numbered_number(const struct pubkey *key)
{
    unsigned long long number = 0;
    for (size_t i = sizeof key->id; i > 0; i--)
        number = number << 8 | key->id[i - 1];
    return number;
}

/* A key serves one format; the comment lines, which may be lost in the mail, decide nothing. */
int numbered_fits(const struct signature *sig, const struct pubkey *key, struct err *err)
{
    if (signature_is_numbered(sig) && memcmp(sig->key.id, key->id, sizeof key->id) == 0)
        return 0;
    return reason_fail(err, "other_key", "the signature is of another key than the registered one");
}

bool numbered_holds(const struct signature *sig, const struct pubkey *key, struct slice text)
{
    const unsigned char *bytes = (const unsigned char *)text.p;
    unsigned char digest[crypto_generichash_BYTES_MAX];
    if (!key_format(key->kind)->prehashed)
        return crypto_sign_verify_detached(sig->sig, bytes, text.len, key->point) == 0;
    crypto_generichash(digest, sizeof digest, bytes, text.len, NULL, 0);
    return crypto_sign_verify_detached(sig->sig, digest, sizeof digest, key->point) == 0;
}

void numbered_put_json(json_t *json, const struct signature *sig)
{
    json_object_set_new(json, "prehashed", json_boolean(sig->prehashed));
}

bool numbered_read_json(const json_t *json, struct signature *sig)
{
    const json_t *prehashed = json_object_get(json, "prehashed");
    sig->prehashed = json_is_true(prehashed);
    return json_is_boolean(prehashed);
}
