#include "trust/signature.h"
#include "base/reason.h"

#include "trust/armor.h"
#include "trust/format.h"

int signature_parse(struct slice text, struct signature *sig, struct err *err)
{
    struct work work = WORK_INIT;
    size_t used;
    bool comment = false;
    for (; text.len; text = slice_sub(text, used, text.len)) {
        switch (armor_at(text, &work, &used, sig, err)) {
        case ARMOR_GOOD: return 0;
        case ARMOR_BROKEN: return -1;
        case ARMOR_COMMENT: comment = true; break;
        case ARMOR_NONE: break;
        }
    }
    if (work_over(&work))
        return work_refuse(err);
    if (comment)
        return reason_fail(err, "numbered_lost",
                           "after the \"untrusted comment:\" line the signature is missing or damaged");
    return reason_fail(err, "no_signature",
                       "there is no signature; sign with ssh-keygen -Y sign, minisign or signify");
}

int signature_fits(const struct signature *sig, const struct pubkey *key, const char *ns, struct err *err)
{
    return key_format(key->kind)->fits(sig, key, ns, err);
}

int signature_verify(const struct signature *sig, const struct pubkey *key, const char *ns, struct slice text,
                     struct err *err)
{
    if (signature_fits(sig, key, ns, err))
        return -1;
    if (key_format(key->kind)->holds(sig, key, text))
        return 0;
    return reason_fail(
        err, "changed_text",
        "the signature does not belong to this text; one of them was changed after the signing");
}

bool signature_key(const struct signature *sig, struct pubkey *key)
{
    struct str line = STR_INIT;
    struct err why = ERR_INIT;
    bool found = false;
    if (signature_is_numbered(sig))
        return false;
    pubkey_format(&line, &sig->key); /* and read again, with every check of a key */
    struct slice rest = slice_str(&line);
    bool good = pubkey_next(&rest, key, &found, &why) == 0 && found;
    str_release(&line);
    return good;
}
