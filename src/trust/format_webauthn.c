/* Passkeys: P-256 keys that sign in a browser, for the one page that they were made for. Their signatures are OpenSSH's
 * "webauthn" ones (PROTOCOL.u2f): the token signs a digest of what the browser says about the page, and that has what SSHSIG
 * signs in it, as the challenge. Stock ssh-keygen accepts all that is accepted here. Not here: other origins (it takes the
 * one that the signature names), pages inside other pages, extensions, client data of another form. */
#include <string.h>

#include "base/encode.h"
#include "base/reason.h"
#include "trust/client_data.h"
#include "trust/format.h"

#define SCHEME "https://"

/* ---- keys ---- */

bool key_host_good(struct slice name)
{
    size_t good = 0;
    while (good < name.len && strchr("abcdefghijklmnopqrstuvwxyz0123456789.-", name.p[good]))
        good++;
    return name.len && good == name.len && !strchr(".-", name.p[0]) && !strchr(".-", name.p[name.len - 1]) &&
           slice_find(name, "..") == (size_t)-1;
}

static int parse_key(enum key_kind kind, struct slice base64, struct pubkey *key, struct err *err)
{
    if (ssh_parse_key(kind, base64, key, err))
        return -1;
    if (key_host_good(slice_of(key->application)))
        return 0;
    return reason_fail(
        err, "passkey_page",
        "this key of a security token is not for a page; leave out the word after it (webauthn), "
        "and sign with ssh-keygen");
}

/* ---- signatures ---- */

static struct slice origin_of(const struct pubkey *key, struct str *out)
{
    str_addf(out, SCHEME "%s", key->application);
    return slice_str(out);
}

static int refuse_form(struct err *err)
{
    return reason_fail(
        err, "client_data",
        "what the browser says about the passkey's signature is in no form that is known here; sign "
        "again, or with another browser");
}

static int refuse_data(struct err *err)
{
    return reason_fail(
        err, "passkey_data",
        "the passkey's signature carries data that belongs to none (of a new key, or of an extension)");
}

/* After flags and counter: S(origin) S(client data) S(extensions). */
static int take_sig(struct wire *wire, struct signature *sig, struct err *err)
{
    struct client_data data;
    if (fido_take_sig(wire, sig, err))
        return -1;
    struct slice origin = wire_string(wire);
    struct slice text = wire_string(wire);
    struct slice extensions = wire_string(wire);
    if (wire->bad)
        return 0;
    if (extensions.len)
        return refuse_data(err);
    if (!client_data_read(text, &data) || origin.len != data.origin.len ||
        (origin.len && memcmp(origin.p, data.origin.p, origin.len) != 0))
        return refuse_form(err);
    memcpy(sig->client_data, text.p, text.len);
    return 0;
}

static void put_sig(struct str *out, const struct signature *sig)
{
    struct str origin = STR_INIT;
    fido_put_sig(out, sig);
    (void)origin_of(&sig->key, &origin);
    wire_put_text(out, origin.p);
    wire_put_text(out, sig->client_data);
    wire_put_text(out, "");
    str_release(&origin);
}

/* What SSHSIG signs is the challenge, in whole. */
static bool wrap(struct str *out, const struct signature *sig, const struct pubkey *key,
                 const struct str *data)
{
    struct client_data is;
    struct str challenge = STR_INIT;
    base64url_encode(&challenge, data->p, data->len);
    bool good = client_data_read(slice_of(sig->client_data), &is) && slice_eq(is.challenge, challenge.p);
    if (good)
        fido_wrap(out, sig, key, slice_of(sig->client_data));
    str_release(&challenge);
    return good;
}

static int check_page(const struct client_data *is, const struct pubkey *key, struct err *err)
{
    struct str origin = STR_INIT;
    int rc = 0;
    (void)origin_of(key, &origin);
    if (!slice_eq(is->origin, origin.p))
        rc = reason_fail(err, "passkey_origin page=%s",
                         "the passkey signed for another page than its own, which is %s", origin.p);
    else if (is->crosses)
        rc = reason_fail(
            err, "passkey_frame",
            "the passkey signed while its page was inside that of another; open the page by itself");
    str_release(&origin);
    return rc;
}

static int fits(const struct signature *sig, const struct pubkey *key, const char *ns, struct err *err)
{
    struct client_data is;
    if (fido_fits(sig, key, ns, err))
        return -1;
    if (!client_data_read(slice_of(sig->client_data), &is) || !slice_eq(is.type, "webauthn.get"))
        return refuse_form(err);
    if (sig->flags & (FIDO_ATTESTED | FIDO_EXTENSIONS))
        return refuse_data(err);
    return check_page(&is, key, err);
}

static int fits_verified(const struct signature *sig, const struct pubkey *key, const char *ns,
                         struct err *err)
{
    if (fits(sig, key, ns, err))
        return -1;
    if (sig->flags & FIDO_VERIFIED)
        return 0;
    return reason_fail(
        err, "passkey_unverified",
        "the passkey signed without asking for PIN, finger or face, and it is registered so that each "
        "signature needs that");
}

static void put_json(json_t *json, const struct signature *sig)
{
    fido_put_json(json, sig);
    json_object_set_new(json, "client_data", json_string(sig->client_data));
}

static bool read_json(const json_t *json, struct signature *sig)
{
    struct client_data data;
    const char *text = json_string_value(json_object_get(json, "client_data"));
    if (!text || !fido_read_json(json, sig) || !client_data_read(slice_of(text), &data))
        return false;
    memcpy(sig->client_data, text, strlen(text) + 1);
    return true;
}

static const struct ssh_parts parts = {.curve = &ssh_p256,
                                       .word = "webauthn-sk-ecdsa-sha2-nistp256@openssh.com",
                                       .take_key = fido_take_key,
                                       .put_key = fido_put_key,
                                       .take_sig = take_sig,
                                       .put_sig = put_sig,
                                       .wrap = wrap};

const struct key_format format_webauthn = {
    .tool = "passkey",
    .word = "sk-ecdsa-sha2-nistp256@openssh.com",
    .form = "webauthn",
    .commands = "passkey",
    .ssh = &parts,
    .point_good = ecdsa_point_good,
    .parse_key = parse_key,
    .put_key = pubkey_blob,
    .fingerprint = ssh_fingerprint,
    .fits = fits,
    .holds = sshsig_holds,
    .put_json = put_json,
    .read_json = read_json,
};

const struct key_format format_webauthn_verified = {
    .tool = "passkey, verified",
    .word = "sk-ecdsa-sha2-nistp256@openssh.com",
    .form = "webauthn-verified",
    .commands = "passkey",
    .ssh = &parts,
    .point_good = ecdsa_point_good,
    .parse_key = parse_key,
    .put_key = pubkey_blob,
    .fingerprint = ssh_fingerprint,
    .fits = fits_verified,
    .holds = sshsig_holds,
    .put_json = put_json,
    .read_json = read_json,
};
