#include "trust/format.h"

/* The numbers are in caches of games and in words that prove addresses: a new row is the last. */
static const struct key_format *const key_formats[] = {[KEY_SSH] = &format_openssh,
                                                       [KEY_SSH_SK] = &format_fido,
                                                       [KEY_MINISIGN] = &format_minisign,
                                                       [KEY_SIGNIFY] = &format_signify};

const struct key_format *key_format(enum key_kind kind)
{
    return key_formats[kind];
}

bool key_kind_known(int kind)
{
    return kind >= 0 && kind < (int)(sizeof key_formats / sizeof *key_formats);
}

bool key_kind_of(struct slice word, enum key_kind *kind)
{
    for (int i = 0; key_kind_known(i); i++) {
        if (!slice_eq(word, key_formats[i]->word))
            continue;
        *kind = (enum key_kind)i;
        return true;
    }
    return false;
}

const char *pubkey_tool(const struct pubkey *key)
{
    return key_format(key->kind)->tool;
}

const char *key_commands(enum key_kind kind)
{
    return key_format(kind)->commands;
}

bool key_tool_named(struct slice word, enum key_kind *kind)
{
    for (int i = 0; key_kind_known(i); i++) {
        if (!slice_caseeq(word, key_formats[i]->tool) && !slice_caseeq(word, key_formats[i]->commands))
            continue;
        *kind = (enum key_kind)i;
        return true;
    }
    return false;
}

bool pubkey_is_numbered(const struct pubkey *key)
{
    return !key_format(key->kind)->ssh;
}

bool signature_is_numbered(const struct signature *sig)
{
    return !key_format(sig->kind)->ssh;
}
