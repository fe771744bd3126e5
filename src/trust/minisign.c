#include "trust/formats.h"

#include <sodium.h>
#include <string.h>

#define RAW_LEN 74 /* algorithm 2, key number 8, signature 64 */

int minisign_parse(struct slice raw, bool trusted, struct signature *sig, struct err *err)
{
    memset(sig, 0, sizeof *sig);
    if (raw.len != RAW_LEN || raw.p[0] != 'E' || (raw.p[1] != 'D' && raw.p[1] != 'd'))
        return err_set(err, ERR_INPUT,
                       "the minisign or signify signature is cut or damaged; sign again, or attach the file");
    sig->prehashed = raw.p[1] == 'D';
    sig->kind = sig->prehashed || trusted ? KEY_MINISIGN : KEY_SIGNIFY;
    sig->key.kind = sig->kind;
    memcpy(sig->key.id, raw.p + 2, sizeof sig->key.id);
    memcpy(sig->sig, raw.p + 2 + sizeof sig->key.id, sizeof sig->sig);
    return 0;
}

/* A key serves one format: minisign keys the prehashed one, signify keys the other; the comment lines, which
 * mail may lose, decide nothing. */
int minisign_fits(const struct signature *sig, const struct pubkey *key, struct err *err)
{
    if ((key->kind != KEY_MINISIGN && key->kind != KEY_SIGNIFY) ||
        memcmp(sig->key.id, key->id, sizeof key->id) != 0)
        return err_set(err, ERR_INPUT, "the signature is of another key than the registered one");
    if (key->kind == KEY_MINISIGN && !sig->prehashed)
        return err_set(err, ERR_INPUT, "this signature is of minisign's old kind; sign again without -l");
    if (key->kind == KEY_SIGNIFY && sig->prehashed)
        return err_set(err, ERR_INPUT,
                       "this signature is minisign's and the key is registered for signify; register the key "
                       "as \"minisign RW...\" or sign with signify");
    return 0;
}

bool minisign_holds(const struct signature *sig, const struct pubkey *key, struct slice text)
{
    const unsigned char *bytes = (const unsigned char *)text.p;
    unsigned char digest[crypto_generichash_BYTES_MAX];
    if (!sig->prehashed)
        return crypto_sign_verify_detached(sig->sig, bytes, text.len, key->point) == 0;
    crypto_generichash(digest, sizeof digest, bytes, text.len, NULL, 0);
    return crypto_sign_verify_detached(sig->sig, digest, sizeof digest, key->point) == 0;
}
