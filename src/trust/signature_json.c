#include <string.h>

#include "base/encode.h"
#include "trust/format.h"

json_t *signature_json(const struct signature *sig, const struct pubkey *key)
{
    struct str line = STR_INIT, bytes = STR_INIT;
    pubkey_format(&line, key);
    base64_encode(&bytes, sig->sig, sizeof sig->sig);
    json_t *json = json_pack("{s:s,s:s}", "key", line.p, "sig", bytes.p);
    key_format(sig->kind)->put_json(json, sig);
    str_release(&line);
    str_release(&bytes);
    return json;
}

/* Is it written as signature_json writes it? */
static bool is_exact(const json_t *json, const struct signature *sig, const struct pubkey *key)
{
    json_t *again = signature_json(sig, key);
    bool same = json_equal(json, again);
    json_decref(again);
    return same;
}

int signature_read_json(const json_t *json, struct signature *sig, struct pubkey *key, struct err *err)
{
    struct err why = ERR_INIT;
    struct str bytes = STR_INIT;
    const char *line = json_string_value(json_object_get(json, "key"));
    const char *text = json_string_value(json_object_get(json, "sig"));
    struct slice rest = slice_of(line ? line : "");
    bool found = false;
    memset(sig, 0, sizeof *sig);
    bool good = line && text && pubkey_next(&rest, key, &found, &why) == 0 && found &&
                base64_decode(&bytes, slice_of(text)) && bytes.len == sizeof sig->sig;
    if (good) {
        memcpy(sig->sig, bytes.p, sizeof sig->sig);
        sig->kind = key->kind;
        sig->key = *key;
        good = key_format(key->kind)->read_json(json, sig) && is_exact(json, sig, key);
    }
    str_release(&bytes);
    return good ? 0 : err_set(err, ERR_BROKEN, "what it keeps of a signature cannot be read");
}
