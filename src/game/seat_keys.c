#include "game/seat_keys.h"

#include <string.h>

#include "base/encode.h"
#include "base/json.h"
#include "orders/frame.h"
#include "trust/canon.h"

static int add(const char *line, struct pubkey keys[KEYS_PER_PLAYER], size_t *count, struct err *err)
{
    struct slice rest = slice_of(line);
    struct pubkey key;
    bool found = false;
    if (pubkey_next(&rest, &key, &found, err))
        return -1;
    if (!found)
        return err_set(err, ERR_INPUT, "a key cannot be read");
    for (size_t i = 0; i < *count; i++)
        if (pubkey_equal(&keys[i], &key))
            return 0;
    if (*count == KEYS_PER_PLAYER)
        return err_set(err, ERR_INPUT, "a seat has at most %d keys", KEYS_PER_PLAYER);
    keys[(*count)++] = key;
    return 0;
}

int seat_keys_named(struct slice body, struct pubkey keys[KEYS_PER_PLAYER], size_t *count, struct err *err)
{
    struct slice value;
    int rc = 0;
    while (rc == 0 && frame_next_line(&body, "key", &value)) {
        char *line = slice_dup(value);
        rc = add(line, keys, count, err);
        free(line);
    }
    return rc;
}

int seat_keys(const json_t *with, struct pubkey keys[KEYS_PER_PLAYER], size_t *count, struct err *err)
{
    struct str text = STR_INIT;
    struct frame frame;
    const json_t *signature = json_object_get(with, "signature");
    const char *key = json_string_value(json_object_get(signature, "key"));
    const char *exact = json_string_value(json_object_get(with, "text"));
    *count = 0;
    if (!with)
        return 0;
    canon_text(&text, slice_of(exact ? exact : ""));
    int rc = add(key ? key : "", keys, count, err) || frame_parse(slice_str(&text), &frame, err) ||
                     seat_keys_named(frame.body, keys, count, err)
                 ? -1
                 : 0;
    str_release(&text);
    return rc;
}

bool seat_mark(const json_t *record, const unsigned char create_head[HEAD_BYTES],
               unsigned char mark[SEAL_BYTES])
{
    unsigned char named[SEAL_BYTES];
    const char *hex = json_string_value(json_object_get(record, "mark"));
    json_t *with = json_object_get(record, "signed");
    json_t *payload = with ? json_incref(with)
                           : json_pack("{s:O,s:O}", "text", json_object_get(record, "said"), "signature",
                                       json_object_get(record, "signature"));
    const bool good = seal_mark(mark, create_head, 0, payload) && hex &&
                      hex_decode(named, sizeof named, slice_of(hex)) &&
                      memcmp(mark, named, sizeof named) == 0;
    json_decref(payload);
    return good;
}

json_t *seat_keys_json(const json_t *record)
{
    struct pubkey keys[KEYS_PER_PLAYER];
    size_t count = 0;
    struct err ignored = ERR_INIT;
    const bool sits = json_object_get(record, "mark") || json_object_get(record, "why");
    json_t *list = json_deep_copy(json_object_get(record, "keys"));
    if (list || !sits || json_object_get(record, "waited") || json_object_get(record, "robot") ||
        seat_keys(json_object_get(record, "signed"), keys, &count, &ignored))
        count = 0;
    list = list ? list : json_array();
    for (size_t i = 0; i < count; i++) {
        struct str line = STR_INIT;
        pubkey_format(&line, &keys[i]);
        json_array_append_new(list, json_string(line.p));
        str_release(&line);
    }
    return list;
}
