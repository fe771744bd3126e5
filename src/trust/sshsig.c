#include "trust/formats.h"

#include <sodium.h>
#include <string.h>

#include "base/encode.h"
#include "trust/wire.h"

#define MAGIC      "SSHSIG"
#define MAGIC_LEN  6
#define ARMOR_LINE 70
#define PRESENT    0x01
#define HASH_MAX   crypto_hash_sha512_BYTES

static const char *hash_name(enum sig_hash hash)
{
    return hash == SIG_SHA512 ? "sha512" : "sha256";
}

static int take_namespace(struct slice ns, struct signature *sig, struct err *err)
{
    if (!ns.len || ns.len >= sizeof sig->ns)
        return err_set(err, ERR_INPUT,
                       "the SSH signature has no namespace that fits; sign with -n " NS_ORDERS);
    for (size_t i = 0; i < ns.len; i++)
        if (ns.p[i] <= ' ' || ns.p[i] > '~')
            return err_set(err, ERR_INPUT, "the SSH signature has an odd namespace; sign with -n " NS_ORDERS);
    memcpy(sig->ns, ns.p, ns.len);
    return 0;
}

/* The innermost string: S(algorithm) S(sig64), and for a FIDO key flags and counter. */
static bool take_inner(struct slice bytes, struct signature *sig)
{
    struct wire wire = wire_of(bytes);
    struct slice name = wire_string(&wire);
    struct slice sig64 = wire_string(&wire);
    if (sig64.len != sizeof sig->sig ||
        !slice_eq(name, sig->kind == KEY_SSH ? "ssh-ed25519" : "sk-ssh-ed25519@openssh.com"))
        return false;
    memcpy(sig->sig, sig64.p, sizeof sig->sig);
    if (sig->kind == KEY_SSH_SK) {
        struct slice flags = wire_bytes(&wire, 1);
        if (flags.len)
            sig->flags = (unsigned char)flags.p[0];
        sig->counter = wire_u32(&wire);
    }
    return wire_end(&wire);
}

int sshsig_parse(struct slice blob, struct signature *sig, struct err *err)
{
    struct wire wire = wire_of(blob);
    memset(sig, 0, sizeof *sig);
    struct slice magic = wire_bytes(&wire, MAGIC_LEN);
    uint32_t version = wire_u32(&wire);
    struct slice key = wire_string(&wire);
    if (wire.bad || !slice_eq(magic, MAGIC))
        return err_set(err, ERR_INPUT,
                       "the SSH signature is cut or damaged; sign again, or attach the .sig file");
    if (version != 1)
        return err_set(err, ERR_INPUT, "the SSH signature is of version %u, only version 1 is known",
                       version);
    if (pubkey_from_blob(key, &sig->key, err))
        return err_prefix(err, "in the signature");
    sig->kind = sig->key.kind;
    struct slice ns = wire_string(&wire);
    struct slice reserved = wire_string(&wire);
    struct slice hash = wire_string(&wire);
    struct slice inner = wire_string(&wire);
    if (!wire_end(&wire) || reserved.len || !take_inner(inner, sig))
        return err_set(err, ERR_INPUT,
                       "the SSH signature is cut or damaged; sign again, or attach the .sig file");
    if (slice_eq(hash, "sha512"))
        sig->hash = SIG_SHA512;
    else if (slice_eq(hash, "sha256"))
        sig->hash = SIG_SHA256;
    else
        return err_set(err, ERR_INPUT, "the SSH signature uses an unknown hash; sha512 and sha256 are known");
    return take_namespace(ns, sig, err);
}

int sshsig_fits(const struct signature *sig, const struct pubkey *key, const char *ns, struct err *err)
{
    if (!pubkey_equal(&sig->key, key))
        return err_set(err, ERR_INPUT, "the signature is of another key than the registered one");
    if (strcmp(sig->ns, ns) != 0)
        return err_set(err, ERR_INPUT,
                       "the signature was made for \"%s\" and not for \"%s\"; sign with -n %s", sig->ns, ns,
                       ns);
    if (sig->kind == KEY_SSH_SK && !(sig->flags & PRESENT))
        return err_set(
            err, ERR_INPUT,
            "the security token signed without being touched; make the key without no-touch-required");
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

static void add_sha256(struct str *out, const void *bytes, size_t len)
{
    unsigned char digest[crypto_hash_sha256_BYTES];
    crypto_hash_sha256(digest, bytes, len);
    str_add(out, digest, sizeof digest);
}

bool sshsig_holds(const struct signature *sig, const struct pubkey *key, struct slice text)
{
    struct str data = STR_INIT;
    struct str token = STR_INIT; /* what a FIDO token signs: PROTOCOL.u2f, "SSH U2F signatures" */
    signed_data(&data, sig->ns, sig->hash, text);
    const struct str *under = &data;
    if (key->kind == KEY_SSH_SK) {
        add_sha256(&token, key->application, strlen(key->application));
        str_addc(&token, (char)sig->flags);
        wire_put_u32(&token, sig->counter);
        add_sha256(&token, data.p, data.len);
        under = &token;
    }
    bool good =
        crypto_sign_verify_detached(sig->sig, (const unsigned char *)under->p, under->len, key->point) == 0;
    str_release(&token);
    str_release(&data);
    return good;
}

static void put_blob(struct str *out, const struct signature *sig)
{
    struct str part = STR_INIT;
    bool token = sig->kind == KEY_SSH_SK;
    str_add(out, MAGIC, MAGIC_LEN);
    wire_put_u32(out, 1);
    pubkey_blob(&part, &sig->key);
    wire_put_string(out, part.p, part.len);
    wire_put_text(out, sig->ns);
    wire_put_text(out, "");
    wire_put_text(out, hash_name(sig->hash));
    str_clear(&part);
    wire_put_text(&part, token ? "sk-ssh-ed25519@openssh.com" : "ssh-ed25519");
    wire_put_string(&part, sig->sig, sizeof sig->sig);
    if (token) {
        str_addc(&part, (char)sig->flags);
        wire_put_u32(&part, sig->counter);
    }
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
