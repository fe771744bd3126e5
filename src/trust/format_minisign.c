/* minisign (minisign(1)): signs BLAKE2b of the text. */
#include "trust/format.h"
#include "base/reason.h"

static void fingerprint(struct str *out, const struct pubkey *key)
{
    str_addf(out, "minisign:%llX", numbered_number(key)); /* as minisign prints it, without leading zeros */
}

static int fits(const struct signature *sig, const struct pubkey *key, const char *ns, struct err *err)
{
    (void)ns;
    if (numbered_fits(sig, key, err))
        return -1;
    if (sig->prehashed)
        return 0;
    return reason_fail(err, "old_minisign",
                       "this signature is of minisign's old kind; sign again without -l");
}

const struct key_format format_minisign = {
    .tool = "minisign",
    .word = "minisign",
    .commands = "minisign",
    .offered = true,
    .prehashed = true,
    .point_good = ed25519_point_good,
    .parse_key = numbered_parse_key,
    .put_key = numbered_put_key,
    .fingerprint = fingerprint,
    .fits = fits,
    .holds = numbered_holds,
    .put_json = numbered_put_json,
    .read_json = numbered_read_json,
};
