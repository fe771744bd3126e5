/* Keys in FIDO tokens (OpenSSH PROTOCOL.u2f): a key has an application, a signature flags and a counter, and the
 * token signs a digest of all that. The counter refuses nothing: synchronised passkeys send 0. */
#include <sodium.h>
#include <string.h>

#include "trust/format.h"
#include "base/reason.h"

bool fido_take_key(struct wire *wire, struct pubkey *key)
{
    struct slice app = wire_string(wire);
    if (!app.len || app.len >= sizeof key->application)
        return false;
    for (size_t i = 0; i < app.len; i++)
        if (app.p[i] <= ' ' || app.p[i] > '~')
            return false;
    memcpy(key->application, app.p, app.len);
    return true;
}

void fido_put_key(struct str *out, const struct pubkey *key)
{
    wire_put_text(out, key->application);
}

int fido_take_sig(struct wire *wire, struct signature *sig, struct err *err)
{
    (void)err; /* what is cut is seen at the end */
    struct slice flags = wire_bytes(wire, 1);
    if (flags.len)
        sig->flags = (unsigned char)flags.p[0];
    sig->counter = wire_u32(wire);
    return 0;
}

void fido_put_sig(struct str *out, const struct signature *sig)
{
    str_addc(out, (char)sig->flags);
    wire_put_u32(out, sig->counter);
}

static void add_sha256(struct str *out, const void *bytes, size_t len)
{
    unsigned char digest[crypto_hash_sha256_BYTES];
    crypto_hash_sha256(digest, bytes, len);
    str_add(out, digest, sizeof digest);
}

/* PROTOCOL.u2f, "SSH U2F signatures". */
void fido_wrap(struct str *out, const struct signature *sig, const struct pubkey *key, struct slice given)
{
    add_sha256(out, key->application, strlen(key->application));
    fido_put_sig(out, sig);
    add_sha256(out, given.p, given.len);
}

bool fido_wrap_data(struct str *out, const struct signature *sig, const struct pubkey *key,
                    const struct str *data)
{
    fido_wrap(out, sig, key, slice_str(data));
    return true;
}

int fido_fits(const struct signature *sig, const struct pubkey *key, const char *ns, struct err *err)
{
    if (sshsig_fits(sig, key, ns, err))
        return -1;
    if (sig->flags & FIDO_PRESENT)
        return 0;
    return reason_fail(
        err, "untouched_token",
        "the security token signed without being touched; make the key without no-touch-required");
}

void fido_put_json(json_t *json, const struct signature *sig)
{
    sshsig_put_json(json, sig);
    json_object_set_new(json, "flags", json_integer(sig->flags));
    json_object_set_new(json, "counter", json_integer(sig->counter));
}

static bool read_number(const json_t *json, const char *name, json_int_t most, json_int_t *number)
{
    const json_t *value = json_object_get(json, name);
    *number = json_integer_value(value);
    return json_is_integer(value) && *number >= 0 && *number <= most;
}

bool fido_read_json(const json_t *json, struct signature *sig)
{
    json_int_t flags, counter;
    if (!sshsig_read_json(json, sig) || !read_number(json, "flags", UINT8_MAX, &flags) ||
        !read_number(json, "counter", UINT32_MAX, &counter))
        return false;
    sig->flags = (unsigned char)flags;
    sig->counter = (uint32_t)counter;
    return true;
}
