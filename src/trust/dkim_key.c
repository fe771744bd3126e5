/* The key that a domain publishes (RFC 6376 section 3.6.1, RFC 8463), and whether it made a signature; the hashes
 * that signatures are of. */
#include "trust/dkim.h"

#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/reason.h"
#include "trust/dkim_parts.h"

#define RSA_LEAST    1024 /* bits; RFC 8301 */
#define RSA_MOST     4096
#define RSA_EXPONENT 8 /* bytes, at most: what larger ones cost nobody needs */

void dkim_sha256(unsigned char out[32], const void *bytes, size_t len)
{
    int rc = gnutls_hash_fast(GNUTLS_DIG_SHA256, bytes, len, out);
    if (rc) { /* as without memory (base/mem.h): there is no digest to go on with */
        (void)fprintf(stderr, "turnpost: SHA-256: %s; nothing was half written, run again\n",
                      gnutls_strerror(rc));
        _exit(EXIT_NO_MEMORY);
    }
}

static enum outcome refuse_key(json_t **refusal, const char *tag)
{
    reason_set(refusal, "dkim_key tag=%s", tag);
    return OUTCOME_REFUSED;
}

/* ---- RSA ---- */

/* NULL when the bytes are no RSA key as X.509 has them. */
static gnutls_pubkey_t rsa_open(const struct dkim_key *key)
{
    gnutls_pubkey_t pub = NULL;
    unsigned char bytes[DKIM_KEY_BYTES];
    memcpy(bytes, key->bytes, key->len);
    const gnutls_datum_t der = {bytes, (unsigned)key->len};
    if (gnutls_pubkey_init(&pub))
        return NULL;
    if (gnutls_pubkey_import(pub, &der, GNUTLS_X509_FMT_DER) ||
        gnutls_pubkey_get_pk_algorithm(pub, NULL) != GNUTLS_PK_RSA) {
        gnutls_pubkey_deinit(pub);
        return NULL;
    }
    return pub;
}

/* Bits of the modulus; 0 when modulus or exponent are those of no sound key. */
static size_t rsa_bits(gnutls_pubkey_t pub)
{
    gnutls_datum_t m = {NULL, 0}, e = {NULL, 0};
    unsigned bits = 0;
    if (gnutls_pubkey_get_pk_algorithm(pub, &bits) != GNUTLS_PK_RSA ||
        gnutls_pubkey_export_rsa_raw2(pub, &m, &e, GNUTLS_EXPORT_FLAG_NO_LZ))
        return 0;
    bool odd = m.size && e.size && (m.data[m.size - 1] & 1) && (e.data[e.size - 1] & 1);
    bool sound = odd && e.size <= RSA_EXPONENT && (e.size > 1 || e.data[0] > 1);
    gnutls_free(m.data);
    gnutls_free(e.data);
    return sound ? bits : 0;
}

static enum outcome rsa_check(const struct dkim_key *key, json_t **refusal)
{
    gnutls_pubkey_t pub = rsa_open(key);
    size_t bits = pub ? rsa_bits(pub) : 0;
    if (pub)
        gnutls_pubkey_deinit(pub);
    if (!bits)
        return refuse_key(refusal, "p");
    if (bits >= RSA_LEAST && bits <= RSA_MOST)
        return OUTCOME_DONE;
    reason_set(refusal, "dkim_bits bits=%zu least=%d most=%d", bits, RSA_LEAST, RSA_MOST);
    return OUTCOME_REFUSED;
}

static bool rsa_holds(const struct dkim_claim *claim, const struct dkim_key *key)
{
    struct dkim_claim copy = *claim; /* GnuTLS takes bytes that are not const */
    const gnutls_datum_t hash = {copy.hash, sizeof copy.hash}, sig = {copy.sig, (unsigned)copy.sig_len};
    gnutls_pubkey_t pub = rsa_open(key);
    bool good = pub && (rsa_bits(pub) + 7) / 8 == copy.sig_len &&
                gnutls_pubkey_verify_hash2(pub, GNUTLS_SIGN_RSA_SHA256, 0, &hash, &sig) >= 0;
    if (pub)
        gnutls_pubkey_deinit(pub);
    return good;
}

/* ---- the record ---- */

static enum outcome read_bytes(const struct dkim_tags *tags, struct dkim_key *key, json_t **refusal)
{
    struct str bytes = STR_INIT;
    const struct dkim_tag *tag = dkim_tag_find(tags, "p");
    enum outcome rc = OUTCOME_DONE;
    if (tag && !tag->value.len) {
        reason_set(refusal, "dkim_revoked");
        rc = OUTCOME_REFUSED;
    } else if (!tag || !dkim_base64(&bytes, tag->value) || bytes.len > sizeof key->bytes ||
               (key->kind == DKIM_ED25519 && bytes.len != crypto_sign_PUBLICKEYBYTES)) {
        rc = refuse_key(refusal, "p");
    } else {
        memcpy(key->bytes, bytes.p, key->len = bytes.len);
        dkim_sha256(key->digest, key->bytes, key->len);
    }
    str_release(&bytes);
    return rc;
}

/* What the key may be used for. */
static enum outcome check_use(const struct dkim_tags *tags, json_t **refusal)
{
    struct slice service = dkim_tag_value(tags, "s");
    if (dkim_tag_find(tags, "v") &&
        (!slice_eq(tags->list[0].name, "v") || !slice_eq(tags->list[0].value, "DKIM1")))
        return refuse_key(refusal, "v");
    if (dkim_tag_find(tags, "h") && !dkim_list_has(dkim_tag_value(tags, "h"), "sha256"))
        return refuse_key(refusal, "h");
    if (dkim_tag_find(tags, "s") && !dkim_list_has(service, "*") && !dkim_list_has(service, "email"))
        return refuse_key(refusal, "s");
    if (!dkim_list_has(dkim_tag_value(tags, "t"), "y"))
        return OUTCOME_DONE;
    reason_set(refusal, "dkim_testing");
    return OUTCOME_REFUSED;
}

enum outcome dkim_key_read(struct slice record, struct dkim_key *key, json_t **refusal)
{
    struct dkim_tags tags;
    *key = (struct dkim_key){.kind = DKIM_RSA};
    if (!dkim_tags_parse(record, &tags))
        return refuse_key(refusal, "v");
    const struct dkim_tag *kind = dkim_tag_find(&tags, "k");
    if (kind && slice_caseeq(kind->value, "ed25519"))
        key->kind = DKIM_ED25519;
    else if (kind && !slice_caseeq(kind->value, "rsa"))
        return refuse_key(refusal, "k");
    key->exact = dkim_list_has(dkim_tag_value(&tags, "t"), "s");
    enum outcome rc = check_use(&tags, refusal);
    if (rc == OUTCOME_DONE)
        rc = read_bytes(&tags, key, refusal);
    if (rc == OUTCOME_DONE && key->kind == DKIM_RSA)
        rc = rsa_check(key, refusal);
    return rc;
}

enum outcome dkim_holds(const struct dkim_claim *claim, const struct dkim_key *key, json_t **refusal)
{
    bool good = false;
    if (claim->below && key->exact) {
        reason_set(refusal, "dkim_identity");
        return OUTCOME_REFUSED;
    }
    if (claim->kind != key->kind)
        return refuse_key(refusal, "k");
    if (key->kind == DKIM_ED25519)
        good = claim->sig_len == crypto_sign_BYTES &&
               crypto_sign_verify_detached(claim->sig, claim->hash, sizeof claim->hash, key->bytes) == 0;
    else
        good = rsa_holds(claim, key);
    if (good)
        return OUTCOME_DONE;
    reason_set(refusal, "dkim_wrong");
    return OUTCOME_REFUSED;
}
