#include "game/seat_keys.h"

#include <string.h>

#include "base/date.h"
#include "base/encode.h"
#include "base/json.h"
#include "orders/frame.h"
#include "trust/canon.h"

bool keys_hold(const struct pubkey *keys, size_t count, const struct pubkey *key)
{
    bool hold = false;
    for (size_t i = 0; i < count && !hold; i++)
        hold = pubkey_equal(&keys[i], key);
    return hold;
}

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

bool seat_has_key(const struct game_seat *seat, const struct pubkey *key)
{
    return keys_hold(seat->keys, seat->key_count, key);
}

/* ---- another key ---- */

bool seat_key_named(const struct pubkey *key, struct slice value)
{
    char shown[KEY_SHOWN], print[KEY_FINGERPRINT];
    struct pubkey whole;
    struct slice rest = value;
    struct err ignored = ERR_INIT;
    bool found = false;
    if (pubkey_next(&rest, &whole, &found, &ignored) == 0 && found)
        return pubkey_equal(&whole, key);
    pubkey_show(shown, key);
    pubkey_fingerprint(print, key);
    return slice_eq(value, shown) || slice_eq(value, print);
}

static int64_t day_of(struct slice body)
{
    struct slice value;
    int64_t day;
    return frame_line(body, "date", &value) && date_parse(value, &day) ? day : -1;
}

/* Of a `key` record: that of its text, or its own. */
static int64_t key_day(const json_t *record, int64_t time)
{
    struct str text = STR_INIT;
    struct frame frame;
    struct err ignored = ERR_INIT;
    const char *exact = json_string_value(json_object_get(json_object_get(record, "signed"), "text"));
    int64_t day = -1;
    canon_text(&text, slice_of(exact ? exact : ""));
    if (exact && frame_parse(slice_str(&text), &frame, &ignored) == 0)
        day = day_of(frame.body);
    str_release(&text);
    return day >= 0 ? day : time / DAY_SECONDS;
}

void seat_keys_since(struct game_seat *seat, int64_t time)
{
    seat->keys_day = time / DAY_SECONDS;
    seat->key_text_day = 0;
    str_clear(&seat->keys_gone);
    seat->rekey = (struct seat_rekey){.record = 0};
}

static bool is_gone(const struct game_seat *seat, const struct pubkey *key)
{
    struct slice rest = slice_str(&seat->keys_gone), line;
    struct str own = STR_INIT;
    bool gone = false;
    pubkey_format(&own, key);
    while (!gone && slice_line(&rest, &line))
        gone = slice_eq(line, own.p);
    str_release(&own);
    return gone;
}

void seat_keys_become(struct game_seat *seat, const struct seat_keys *keys, const json_t *record,
                      int64_t time)
{
    const int64_t day = key_day(record, time);
    if (day != seat->key_text_day)
        str_clear(&seat->keys_gone);
    seat->key_text_day = day;
    for (size_t i = 0; i < seat->key_count; i++)
        if (!keys_hold(keys->list, keys->count, &seat->keys[i])) {
            pubkey_format(&seat->keys_gone, &seat->keys[i]);
            str_addc(&seat->keys_gone, '\n');
        }
    memcpy(seat->keys, keys->list, sizeof seat->keys);
    seat->key_count = keys->count;
}

/* A line "add:" means a key by what nobody else's has: a number is for its maker to choose. */
static bool is_added(const struct pubkey *key, struct slice value)
{
    char print[KEY_FINGERPRINT];
    pubkey_fingerprint(print, key);
    return seat_key_named(key, value) && !(pubkey_is_numbered(key) && slice_eq(value, print));
}

bool seat_keys_gone(const struct seat_keys_text *text, const struct game_seat *seat)
{
    return text->added && day_of(text->body) == seat->key_text_day && is_gone(seat, text->added);
}

int seat_keys_change(const struct seat_keys_text *text, const struct game_seat *seat, struct seat_keys *keys,
                     struct err *err)
{
    struct slice add, revoke, trust;
    const bool adds = frame_line(text->body, "add", &add), drops = frame_line(text->body, "revoke", &revoke);
    const bool lowers = frame_line(text->body, "trust", &trust) && slice_caseeq(trust, "mail");
    const int64_t day = day_of(text->body);
    bool changed = false, there = false;
    keys->count = 0;
    /* A day's difference is that of a clock on the other side of the earth. */
    if (day < seat->keys_day - 1 || day < seat->key_text_day)
        return err_set(err, ERR_INPUT, "it was written before the keys of the seat were these");
    for (size_t i = 0; i < seat->key_count; i++) {
        const bool goes = drops && seat_key_named(&seat->keys[i], revoke);
        there |= !goes && adds && is_added(&seat->keys[i], add);
        changed |= goes;
        if (!goes)
            keys->list[keys->count++] = seat->keys[i];
    }
    if (adds && !there) {
        if (!text->added || !is_added(text->added, add))
            return err_set(err, ERR_INPUT, "the key is not the one that it names");
        if (seat_keys_gone(text, seat))
            return err_set(err, ERR_INPUT, "another text of that day has taken this key away");
        if (keys->count == KEYS_PER_PLAYER)
            return err_set(err, ERR_INPUT, "a seat has at most %d keys", KEYS_PER_PLAYER);
        keys->list[keys->count++] = *text->added;
        changed = true;
    }
    if (!changed)
        return err_set(err, ERR_INPUT, "the keys of the seat are these already");
    return keys->count || (lowers && text->own && text->by_mail)
               ? 0
               : err_set(err, ERR_INPUT, "the seat would have no key");
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
