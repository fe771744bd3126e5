/* OpenSSH: keys on the wire (PROTOCOL.key) and SSHSIG (PROTOCOL.sshsig). */
#include "trust/format.h"

#include <sodium.h>
#include <string.h>

#include "base/encode.h"
#include "base/reason.h"

#define MAGIC      "SSHSIG"
#define MAGIC_LEN  6
#define ARMOR_LINE 70
#define HASH_MAX   crypto_hash_sha512_BYTES

/* ---- keys ---- */

static bool is_certificate(struct slice word)
{
    return slice_find(word, "-cert-v0") != (size_t)-1 &&
           (slice_starts(word, "ssh-") || slice_starts(word, "ecdsa-") || slice_starts(word, "sk-"));
}

static bool is_other_curve(struct slice word)
{
    enum key_kind kind;
    return (slice_starts(word, "ecdsa-sha2-") || slice_starts(word, "sk-ecdsa-sha2-")) &&
           !key_kind_of(word, &kind);
}

/* Every kind of SSH key that is not for us: by its name. */
bool ssh_refuse(struct slice word, struct err *err)
{
    if (slice_starts(word, "ssh-rsa") || slice_starts(word, "rsa-sha2-"))
        (void)reason_fail(err, "rsa_key", "this is an RSA key; " HOW_TO_MAKE);
    else if (slice_starts(word, "ssh-dss"))
        (void)reason_fail(err, "dsa_key", "this is a DSA key; " HOW_TO_MAKE);
    else if (is_certificate(word))
        (void)reason_fail(err, "certificate", "this is a certificate and not a key; " HOW_TO_MAKE);
    else if (is_other_curve(word))
        (void)reason_fail(err, "ecdsa_key", "this is an ECDSA key of another curve than P-256; " HOW_TO_MAKE);
    else if (slice_starts(word, "ssh-ed448"))
        (void)reason_fail(err, "ed448_key", "this is an Ed448 key; " HOW_TO_MAKE);
    else
        return false;
    return true;
}

void pubkey_blob(struct str *out, const struct pubkey *key)
{
    const struct key_format *format = key_format(key->kind);
    wire_put_text(out, format->word);
    format->ssh->curve->put_point(out, key);
    if (format->ssh->put_key)
        format->ssh->put_key(out, key);
}

static int read_blob(struct slice blob, struct pubkey *key, struct err *err)
{
    struct wire wire = wire_of(blob);
    struct slice name = wire_string(&wire);
    memset(key, 0, sizeof *key);
    if (ssh_refuse(name, err))
        return -1;
    if (!key_kind_of(name, &key->kind) || pubkey_is_numbered(key))
        return reason_fail(err, "bad_ssh_key", "this key is damaged or of an unknown kind; " HOW_TO_MAKE);
    const struct key_format *format = key_format(key->kind);
    bool good = format->ssh->curve->take_point(&wire, key);
    if (good && format->ssh->take_key)
        good = format->ssh->take_key(&wire, key);
    if (!good || !wire_end(&wire))
        return reason_fail(err, "damaged_ssh_key word=%s",
                           "this %s key is damaged; copy the whole line of the .pub file", format->word);
    return 0;
}

int ssh_parse_key(enum key_kind kind, struct slice base64, struct pubkey *key, struct err *err)
{
    struct str blob = STR_INIT;
    int rc = -1;
    if (!base64_decode(&blob, base64) || !blob.len)
        reason_fail(err, "ssh_key_cut word=%s",
                    "the key after \"%s\" is cut or damaged; copy the whole line of the .pub file",
                    key_format(kind)->word);
    else if (read_blob(slice_str(&blob), key, err) == 0)
        rc = strcmp(key_format(key->kind)->word, key_format(kind)->word) == 0
                 ? 0
                 : reason_fail(err, "two_ssh_kinds",
                               "the first word of this key and the kind inside it differ");
    key->kind = kind;
    str_release(&blob);
    return rc;
}

void ssh_fingerprint(struct str *out, const struct pubkey *key)
{
    struct str blob = STR_INIT;
    unsigned char hash[crypto_hash_sha256_BYTES];
    pubkey_blob(&blob, key);
    crypto_hash_sha256(hash, (const unsigned char *)blob.p, blob.len);
    str_adds(out, "SHA256:");
    base64_encode(out, hash, sizeof hash);
    while (out->p[out->len - 1] == '=')
        str_cut(out, out->len - 1);
    str_release(&blob);
}

/* ---- Ed25519 ---- */

static bool take_point(struct wire *wire, struct pubkey *key)
{
    struct slice point = wire_string(wire);
    if (point.len != sizeof key->point)
        return false;
    memcpy(key->point, point.p, sizeof key->point);
    return true;
}

static void put_point(struct str *out, const struct pubkey *key)
{
    wire_put_string(out, key->point, sizeof key->point);
}

static bool take_bytes(struct slice bytes, struct signature *sig)
{
    if (bytes.len != sizeof sig->sig)
        return false;
    memcpy(sig->sig, bytes.p, sizeof sig->sig);
    return true;
}

static void put_bytes(struct str *out, const struct signature *sig)
{
    wire_put_string(out, sig->sig, sizeof sig->sig);
}

static bool holds(const struct signature *sig, const struct pubkey *key, const struct str *data)
{
    return crypto_sign_verify_detached(sig->sig, (const unsigned char *)data->p, data->len, key->point) == 0;
}

const struct ssh_curve ssh_ed25519 = {.take_point = take_point,
                                      .put_point = put_point,
                                      .take_bytes = take_bytes,
                                      .put_bytes = put_bytes,
                                      .holds = holds};

/* ---- signatures ---- */

static const char *hash_name(enum sig_hash hash)
{
    return hash == SIG_SHA512 ? "sha512" : "sha256";
}

static int take_namespace(struct slice ns, struct signature *sig, struct err *err)
{
    if (!ns.len || ns.len >= sizeof sig->ns)
        return reason_fail(err, "no_namespace",
                           "the SSH signature has no namespace that fits; sign with -n " NS_ORDERS);
    for (size_t i = 0; i < ns.len; i++)
        if (ns.p[i] <= ' ' || ns.p[i] > '~')
            return reason_fail(err, "odd_namespace",
                               "the SSH signature has an odd namespace; sign with -n " NS_ORDERS);
    memcpy(sig->ns, ns.p, ns.len);
    return 0;
}

static int refuse_cut(struct err *err)
{
    return reason_fail(err, "ssh_cut",
                       "the SSH signature is cut or damaged; sign again, or attach the .sig file");
}

/* The innermost string: S(algorithm) S(signature), and what else the format has. The algorithm says in which way
 * the key signed. */
static int take_inner(struct slice bytes, struct signature *sig, struct err *err)
{
    struct wire wire = wire_of(bytes);
    struct slice name = wire_string(&wire);
    struct slice inner = wire_string(&wire);
    if (!key_kind_signing(sig->key.kind, name, &sig->kind))
        return refuse_cut(err);
    const struct ssh_parts *parts = key_format(sig->kind)->ssh;
    sig->key.kind = sig->kind;
    if (!parts->curve->take_bytes(inner, sig))
        return refuse_cut(err);
    if (parts->take_sig && parts->take_sig(&wire, sig, err))
        return -1;
    return wire_end(&wire) ? 0 : refuse_cut(err);
}

int sshsig_parse(struct slice blob, struct signature *sig, struct err *err)
{
    struct wire wire = wire_of(blob);
    memset(sig, 0, sizeof *sig);
    struct slice magic = wire_bytes(&wire, MAGIC_LEN);
    uint32_t version = wire_u32(&wire);
    struct slice key = wire_string(&wire);
    if (wire.bad || !slice_eq(magic, MAGIC))
        return refuse_cut(err);
    if (version != 1)
        return reason_fail(err, "ssh_version version=%d",
                           "the SSH signature is of version %d, only version 1 is known", (int)version);
    if (read_blob(key, &sig->key, err))
        return err_prefix(err, "in the signature");
    struct slice ns = wire_string(&wire);
    struct slice reserved = wire_string(&wire);
    struct slice hash = wire_string(&wire);
    struct slice inner = wire_string(&wire);
    if (!wire_end(&wire) || reserved.len)
        return refuse_cut(err);
    if (take_inner(inner, sig, err))
        return -1;
    if (slice_eq(hash, "sha512"))
        sig->hash = SIG_SHA512;
    else if (slice_eq(hash, "sha256"))
        sig->hash = SIG_SHA256;
    else
        return reason_fail(err, "ssh_hash",
                           "the SSH signature uses an unknown hash; sha512 and sha256 are known");
    return take_namespace(ns, sig, err);
}

int sshsig_fits(const struct signature *sig, const struct pubkey *key, const char *ns, struct err *err)
{
    if (!pubkey_names(&sig->key, key))
        return reason_fail(err, "other_key", "the signature is of another key than the registered one");
    if (key_format(sig->kind)->ssh != key_format(key->kind)->ssh)
        return reason_fail(
            err, "key_form",
            "this key is registered for another way of signing: as a passkey it signs in the browser, as "
            "a security token with ssh-keygen, and not both");
    if (strcmp(sig->ns, ns) != 0)
        return reason_fail(err, "namespace was=%s wanted=%s option=%s",
                           "the signature was made for \"%s\" and not for \"%s\"; sign with -n %s", sig->ns,
                           ns, ns);
    return 0;
}

/* What lies under the signature: PROTOCOL.sshsig, "Signed Data, of which the signature goes into the blob
 * above". */
static void signed_data(struct str *out, const char *ns, enum sig_hash hash, struct slice text)
{
    unsigned char digest[HASH_MAX];
    size_t len = hash == SIG_SHA512 ? crypto_hash_sha512_BYTES : crypto_hash_sha256_BYTES;
    if (hash == SIG_SHA512)
        crypto_hash_sha512(digest, (const unsigned char *)text.p, text.len);
    else
        crypto_hash_sha256(digest, (const unsigned char *)text.p, text.len);
    str_add(out, MAGIC, MAGIC_LEN);
    wire_put_text(out, ns);
    wire_put_text(out, "");
    wire_put_text(out, hash_name(hash));
    wire_put_string(out, digest, len);
}

bool sshsig_holds(const struct signature *sig, const struct pubkey *key, struct slice text)
{
    const struct ssh_parts *parts = key_format(key->kind)->ssh;
    struct str data = STR_INIT, wrapped = STR_INIT;
    signed_data(&data, sig->ns, sig->hash, text);
    bool good = !parts->wrap || parts->wrap(&wrapped, sig, key, &data);
    if (good)
        good = parts->curve->holds(sig, key, parts->wrap ? &wrapped : &data);
    str_release(&wrapped);
    str_release(&data);
    return good;
}

void sshsig_put_json(json_t *json, const struct signature *sig)
{
    json_object_set_new(json, "hash", json_string(hash_name(sig->hash)));
    json_object_set_new(json, "namespace", json_string(sig->ns));
}

bool sshsig_read_json(const json_t *json, struct signature *sig)
{
    const char *hash = json_string_value(json_object_get(json, "hash"));
    const char *ns = json_string_value(json_object_get(json, "namespace"));
    const struct ssh_curve *curve = key_format(sig->kind)->ssh->curve;
    if (!hash || !ns || !*ns || strlen(ns) >= sizeof sig->ns || (curve->is_normal && !curve->is_normal(sig)))
        return false;
    memcpy(sig->ns, ns, strlen(ns) + 1);
    sig->hash = strcmp(hash, hash_name(SIG_SHA256)) == 0 ? SIG_SHA256 : SIG_SHA512;
    return strcmp(hash, hash_name(sig->hash)) == 0;
}

static void put_blob(struct str *out, const struct signature *sig)
{
    struct str part = STR_INIT;
    const struct key_format *format = key_format(sig->kind);
    str_add(out, MAGIC, MAGIC_LEN);
    wire_put_u32(out, 1);
    pubkey_blob(&part, &sig->key);
    wire_put_string(out, part.p, part.len);
    wire_put_text(out, sig->ns);
    wire_put_text(out, "");
    wire_put_text(out, hash_name(sig->hash));
    str_clear(&part);
    wire_put_text(&part, format->ssh->word ? format->ssh->word : format->word);
    format->ssh->curve->put_bytes(&part, sig);
    if (format->ssh->put_sig)
        format->ssh->put_sig(&part, sig);
    wire_put_string(out, part.p, part.len);
    str_release(&part);
}

void sshsig_armor(struct str *out, const struct signature *sig)
{
    struct str blob = STR_INIT;
    struct str base64 = STR_INIT;
    put_blob(&blob, sig);
    base64_encode(&base64, blob.p, blob.len);
    str_adds(out, "-----BEGIN SSH SIGNATURE-----\n");
    for (size_t at = 0; at < base64.len; at += ARMOR_LINE) {
        str_addslice(out, slice_sub(slice_str(&base64), at, ARMOR_LINE));
        str_addc(out, '\n');
    }
    str_adds(out, "-----END SSH SIGNATURE-----\n");
    str_release(&base64);
    str_release(&blob);
}

void sshsig_sign(struct str *out, const unsigned char secret[64], const char *ns, struct slice text)
{
    struct str data = STR_INIT;
    struct signature sig = {.kind = KEY_SSH, .key = {.kind = KEY_SSH}, .hash = SIG_SHA512};
    memcpy(sig.key.point, secret + 32, sizeof sig.key.point);
    memcpy(sig.ns, ns, strlen(ns) + 1);
    signed_data(&data, ns, SIG_SHA512, text);
    crypto_sign_detached(sig.sig, NULL, (const unsigned char *)data.p, data.len, secret);
    sshsig_armor(out, &sig);
    str_release(&data);
}
