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
