/* What the descriptions of records share. */
#include "history/chronicle_parts.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/moment.h"
#include "base/encode.h"

const char *telling_text(const json_t *json, const char *key)
{
    const char *text = json_string_value(json_object_get(json, key));
    return text ? text : "";
}

int telling_number(const json_t *json, const char *key)
{
    return (int)json_integer_value(json_object_get(json, key));
}

void telling_put(json_t *facts, const char *key, const char *text)
{
    if (*text)
        json_object_set_new(facts, key, json_text(slice_of(text)));
}

void telling_time(json_t *facts, const char *key, const char *utc)
{
    int64_t time;
    if (clock_parse(slice_of(utc), &time))
        json_object_set_new(facts, key, moment_dated_json(time));
}

const char *telling_name(const struct chronicle *chronicle, int seat)
{
    return seat >= 1 && seat <= chronicle->seats ? chronicle->name[seat] : "";
}

/* "seat" and "who" */
void telling_seat(struct telling *t)
{
    int seat = telling_number(t->json, "seat");
    json_object_set_new(t->facts, "seat", json_integer(seat));
    telling_put(t->facts, "who", telling_name(t->chronicle, seat));
}

/* Lists for "a, b, c": [{"name","more"}]. */
void telling_add(json_t *list, const char *name)
{
    size_t size = json_array_size(list);
    if (size)
        json_object_set_new(json_array_get(list, size - 1), "more", json_true());
    json_t *item = json_pack("{s:o,s:b}", "name", json_text(slice_of(name)), "more", 0);
    json_array_append_new(list, item);
}

void telling_names(struct telling *t, const char *key, const json_t *seats)
{
    json_t *list = json_array();
    size_t i;
    json_t *item;
    json_array_foreach (seats, i, item) {
        int seat = (int)json_integer_value(item);
        const char *name = seat ? telling_name(t->chronicle, seat) : "the moderators";
        char number[16]; /* of one that is kept for somebody who has not joined yet */
        (void)snprintf(number, sizeof number, "seat %d", seat);
        telling_add(list, *name ? name : number);
    }
    if (json_array_size(list))
        json_object_set_new(t->facts, key, json_pack("{s:O}", "names", list));
    json_decref(list);
}

static bool read_key(const char *line, struct pubkey *key)
{
    struct err err = ERR_INIT;
    struct slice rest = slice_of(line);
    bool found = false;
    return pubkey_next(&rest, key, &found, &err) == 0 && found;
}

void chronicle_fingerprint(char out[KEY_FINGERPRINT], const char *key)
{
    struct pubkey pubkey;
    out[0] = '\0';
    if (read_key(key, &pubkey))
        pubkey_fingerprint(out, &pubkey);
}

void chronicle_page(json_t *facts, const char *key)
{
    struct pubkey pubkey;
    const char *page = read_key(key, &pubkey) ? pubkey_page(&pubkey) : NULL;
    if (page)
        json_object_set_new(facts, "made_in", json_string(page));
}

json_t *chronicle_payload(const struct chronicle *chronicle, const struct record *record, int seat, int item,
                          const char *seal)
{
    struct err err = ERR_INIT;
    unsigned char bytes[SEAL_BYTES];
    if ((item != SEAL_PRESS && !casefile_open_to(chronicle->file, &chronicle->reader, seat)) ||
        !hex_decode(bytes, sizeof bytes, slice_of(seal)))
        return NULL;
    const struct casefile *file = chronicle->file;
    bool signs = item == SEAL_ORDERS && strcmp(record->type, "moderate") != 0;
    if (signs) {
        json_t *payload;
        int signer = strcmp(record->type, "orders") == 0 ? seat : 0;
        (void)sealed_set_find_signed(
            &file->sealed, &(struct sealed_text){file->create, record->seq, seat, signer, bytes}, &payload);
        return payload;
    }
    const struct sealed *sealed = sealed_set_find(&file->sealed, record->seq, seat, item, bytes);
    return sealed ? json_read(slice_str(&sealed->payload), "payload", &err) : NULL;
}
