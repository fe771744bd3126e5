#include <string.h>

#include "base/encode.h"
#include "base/json.h"
#include "trust/signature.h"

json_t *signature_json(const struct signature *sig, const struct pubkey *key)
{
    struct str line = STR_INIT, bytes = STR_INIT;
    pubkey_format(&line, key);
    base64_encode(&bytes, sig->sig, sizeof sig->sig);
    json_t *json = json_pack("{s:s,s:s}", "key", line.p, "sig", bytes.p);
    if (sig->kind == KEY_SSH || sig->kind == KEY_SSH_SK) {
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

static int read_key(const json_t *json, struct pubkey *key, struct err *err)
{
    const char *line;
    bool found = false;
    if (json_need_string(json, "key", &line, "signature", err))
        return -1;
    struct slice rest = slice_of(line);
    if (pubkey_next(&rest, key, &found, err))
        return err_prefix(err, "signature");
    return found ? 0 : err_set(err, ERR_BROKEN, "signature: its \"key\" is empty");
}

static int read_ssh(const json_t *json, struct signature *sig, struct err *err)
{
    const char *hash, *ns;
    int64_t flags = 0, counter = 0;
    if (json_need_string(json, "hash", &hash, "signature", err) ||
        json_need_string(json, "namespace", &ns, "signature", err))
        return -1;
    if (strlen(ns) >= sizeof sig->ns || (strcmp(hash, "sha512") != 0 && strcmp(hash, "sha256") != 0))
        return err_set(err, ERR_BROKEN, "signature: bad \"hash\" or \"namespace\"");
    if (sig->kind == KEY_SSH_SK &&
        (json_need_int(json, "flags", 0, 255, &flags, "signature", err) ||
         json_need_int(json, "counter", 0, UINT32_MAX, &counter, "signature", err)))
        return -1;
    sig->hash = strcmp(hash, "sha256") == 0 ? SIG_SHA256 : SIG_SHA512;
    memcpy(sig->ns, ns, strlen(ns) + 1);
    sig->flags = (unsigned char)flags;
    sig->counter = (uint32_t)counter;
    return 0;
}

int signature_json_read(const json_t *json, struct signature *sig, struct pubkey *key, struct err *err)
{
    const char *base64;
    struct str bytes = STR_INIT;
    memset(sig, 0, sizeof *sig);
    if (read_key(json, key, err) || json_need_string(json, "sig", &base64, "signature", err))
        return -1;
    bool good = base64_decode(&bytes, slice_of(base64)) && bytes.len == sizeof sig->sig;
    if (good)
        memcpy(sig->sig, bytes.p, sizeof sig->sig);
    str_release(&bytes);
    if (!good)
        return err_set(err, ERR_BROKEN, "signature: \"sig\" is not the base64 of 64 bytes");
    sig->kind = key->kind;
    sig->key = *key;
    sig->prehashed = json_is_true(json_object_get(json, "prehashed"));
    return key->kind == KEY_SSH || key->kind == KEY_SSH_SK ? read_ssh(json, sig, err) : 0;
}
