#include <string.h>

#include "base/encode.h"
#include "trust/signature.h"

json_t *signature_json(const struct signature *sig, const struct pubkey *key)
{
    struct str line = STR_INIT, bytes = STR_INIT;
    pubkey_format(&line, key);
    base64_encode(&bytes, sig->sig, sizeof sig->sig);
    json_t *json = json_pack("{s:s,s:s}", "key", line.p, "sig", bytes.p);
    if (key_is_ssh(sig->kind)) {
        json_object_set_new(json, "hash", json_string(sig->hash == SIG_SHA256 ? "sha256" : "sha512"));
        json_object_set_new(json, "namespace", json_string(sig->ns));
    } else {
        json_object_set_new(json, "prehashed", json_boolean(sig->prehashed));
    }
    if (sig->kind == KEY_SSH_SK) {
        json_object_set_new(json, "flags", json_integer(sig->flags));
        json_object_set_new(json, "counter", json_integer(sig->counter));
    }
    str_release(&line);
    str_release(&bytes);
    return json;
}

static bool read_ssh(const json_t *json, struct signature *sig)
{
    const char *hash = json_string_value(json_object_get(json, "hash"));
    const char *ns = json_string_value(json_object_get(json, "namespace"));
    bool token = sig->kind == KEY_SSH_SK;
    if (!hash || !ns || !*ns || strlen(ns) >= sizeof sig->ns || json_object_size(json) != (token ? 6 : 4))
        return false;
    memcpy(sig->ns, ns, strlen(ns) + 1);
    sig->hash = strcmp(hash, "sha256") == 0 ? SIG_SHA256 : SIG_SHA512;
    if (token) {
        const json_t *flags = json_object_get(json, "flags");
        const json_t *counter = json_object_get(json, "counter");
        if (!json_is_integer(flags) || !json_is_integer(counter) || json_integer_value(flags) < 0 ||
            json_integer_value(flags) > UINT8_MAX || json_integer_value(counter) < 0 ||
            json_integer_value(counter) > UINT32_MAX)
            return false;
        sig->flags = (unsigned char)json_integer_value(flags);
        sig->counter = (uint32_t)json_integer_value(counter);
    }
    return strcmp(hash, "sha256") == 0 || strcmp(hash, "sha512") == 0;
}

int signature_read_json(const json_t *json, struct signature *sig, struct pubkey *key, struct err *err)
{
    struct err why = ERR_INIT;
    struct str bytes = STR_INIT, again = STR_INIT;
    const char *line = json_string_value(json_object_get(json, "key"));
    const char *text = json_string_value(json_object_get(json, "sig"));
    struct slice rest = slice_of(line ? line : "");
    bool found = false;
    memset(sig, 0, sizeof *sig);
    bool good = line && text && pubkey_next(&rest, key, &found, &why) == 0 && found &&
                base64_decode(&bytes, slice_of(text)) && bytes.len == sizeof sig->sig;
    if (good) {
        pubkey_format(&again, key);
        memcpy(sig->sig, bytes.p, sizeof sig->sig);
        sig->kind = key->kind;
        sig->key = *key;
    }
    good = good && strcmp(again.p, line) == 0;
    if (good && key_is_ssh(key->kind)) {
        good = read_ssh(json, sig);
    } else if (good) {
        const json_t *prehashed = json_object_get(json, "prehashed");
        sig->prehashed = json_is_true(prehashed);
        good = json_is_boolean(prehashed) && json_object_size(json) == 3;
    }
    str_release(&bytes);
    str_release(&again);
    return good ? 0 : err_set(err, ERR_BROKEN, "what it keeps of a signature cannot be read");
}
