#include "batch/stopped.h"

#include <sodium.h>

#include "base/encode.h"

void stopped_name(const struct league *league, const char *address, char name[TOKEN_NAME])
{
    unsigned char key[32], digest[32];
    char small[PLAYER_ADDRESS], hex[65];
    size_t len = strnlen(address, sizeof small);
    for (size_t i = 0; i < len; i++)
        small[i] = ascii_lower(address[i]);
    crypto_kdf_derive_from_key(key, sizeof key, 1, "tp-stops", league->master);
    crypto_generichash(digest, sizeof digest, (const unsigned char *)small, len, key, sizeof key);
    hex_to(hex, digest, sizeof digest);
    token_name_of(name, TOKEN_STOP, slice_of(hex));
    sodium_memzero(key, sizeof key);
}

int stopped_is(const struct batch *batch, const char *address, bool *is, struct err *err)
{
    char name[TOKEN_NAME];
    json_t *document = NULL;
    stopped_name(batch->league, address, name);
    int rc = registry_log_token(&batch->log, name, &document, err);
    *is = document != NULL;
    json_decref(document);
    return rc;
}
