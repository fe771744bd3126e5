#include "trust/format.h"

#include <string.h>

/* The numbers are in caches of games and in words that prove addresses: a new row is the last. */
static const struct key_format *const key_formats[] = {
    [KEY_SSH] = &format_openssh,       [KEY_SSH_SK] = &format_fido,
    [KEY_MINISIGN] = &format_minisign, [KEY_SIGNIFY] = &format_signify,
    [KEY_ECDSA] = &format_ecdsa,       [KEY_FIDO_ECDSA] = &format_fido_ecdsa,
    [KEY_WEBAUTHN] = &format_webauthn, [KEY_WEBAUTHN_VERIFIED] = &format_webauthn_verified};

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
        if (!slice_eq(word, key_formats[i]->word) || key_formats[i]->form)
            continue;
        *kind = (enum key_kind)i;
        return true;
    }
    return false;
}

enum key_kind key_kind_formed(enum key_kind kind, struct slice form)
{
    for (int i = 0; key_kind_known(i); i++)
        if (strcmp(key_formats[i]->word, key_formats[kind]->word) == 0 && key_formats[i]->form &&
            slice_eq(form, key_formats[i]->form))
            return (enum key_kind)i;
    return kind;
}

bool key_kind_signing(enum key_kind kind, struct slice word, enum key_kind *signing)
{
    for (int i = 0; key_kind_known(i); i++) {
        const struct key_format *format = key_formats[i];
        if (!format->ssh || strcmp(format->word, key_formats[kind]->word) != 0 ||
            !slice_eq(word, format->ssh->word ? format->ssh->word : format->word))
            continue;
        *signing = (enum key_kind)i;
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

bool key_offered(enum key_kind kind)
{
    return key_format(kind)->offered;
}

bool key_tool_named(struct slice word, enum key_kind *kind)
{
    for (int i = 0; key_kind_known(i); i++) {
        const struct key_format *format = key_formats[i];
        if (!format->offered || (!slice_caseeq(word, format->tool) && !slice_caseeq(word, format->commands)))
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
