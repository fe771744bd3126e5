/* signify (signify(1)): signs the text itself. */
#include "trust/format.h"
#include "base/reason.h"

static void fingerprint(struct str *out, const struct pubkey *key)
{
    str_addf(out, "signify:%016llX", numbered_number(key));
}

static int fits(const struct signature *sig, const struct pubkey *key, const char *ns, struct err *err)
{
    (void)ns;
    if (numbered_fits(sig, key, err))
        return -1;
    if (!sig->prehashed)
        return 0;
    return reason_fail(err, "minisign_for_signify",
                       "this signature is minisign's and the key is registered for signify; register the key "
                       "as \"minisign RW...\" or sign with signify");
}

const struct key_format format_signify = {
    .tool = "signify",
    .word = "signify",
    .commands = "signify",
    .offered = true,
    .point_good = ed25519_point_good,
    .parse_key = numbered_parse_key,
    .put_key = numbered_put_key,
    .fingerprint = fingerprint,
    .fits = fits,
    .holds = numbered_holds,
    .put_json = numbered_put_json,
    .read_json = numbered_read_json,
};
