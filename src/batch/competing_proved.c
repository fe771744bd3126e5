#include "batch/competing_proved.h"

#include <sodium.h>
#include <string.h>

#include "base/encode.h"
#include "base/json.h"

#define GROWN   8192 /* bytes that may be verified at each start: some milliseconds */
#define MARK    32
#define CONTEXT "tp-compt"

/* BLAKE2b-256(key; name || NUL || the bytes), the key being derived from the league's secret. */
static void mark_of(unsigned char mark[MARK], const struct batch *batch, const char *name,
                    struct slice proved)
{
    unsigned char key[crypto_kdf_KEYBYTES];
    crypto_generichash_state state;
    crypto_kdf_derive_from_key(key, sizeof key, 1, CONTEXT, batch->league->master);
    crypto_generichash_init(&state, key, sizeof key, MARK);
    crypto_generichash_update(&state, (const unsigned char *)name, strlen(name) + 1);
    crypto_generichash_update(&state, (const unsigned char *)proved.p, proved.len);
    crypto_generichash_final(&state, mark, MARK);
    sodium_memzero(key, sizeof key);
}

/* What is there; NULL = nothing that can be read. New reference. */
static json_t *read_state(const struct batch *batch, const char *name)
{
    struct str text = STR_INIT;
    struct err why = ERR_INIT; /* then all of the journal is verified */
    json_t *json = NULL;
    if (store_read_state(batch->competitions.store, name, &text, &why) == 0)
        json = json_read(slice_str(&text), "state.json", &why);
    str_release(&text);
    return json;
}

size_t competing_proved(const struct batch *batch, const char *name, struct slice journal)
{
    unsigned char want[MARK], mark[MARK];
    json_t *json = read_state(batch, name);
    const char *hex = json_string_value(json_object_get(json, "mark"));
    json_int_t proved = json_integer_value(json_object_get(json, "proved"));
    bool fits =
        hex && proved > 0 && (uint64_t)proved <= journal.len && hex_decode(mark, sizeof mark, slice_of(hex));
    if (fits) {
        mark_of(want, batch, name, slice_sub(journal, 0, (size_t)proved));
        fits = sodium_memcmp(mark, want, MARK) == 0;
    }
    json_decref(json);
    return fits ? (size_t)proved : 0;
}

int competing_keep_proved(struct batch *batch, struct batch_competition *entry, struct err *err)
{
    struct store *store = batch->competitions.store;
    const char *name = entry->c.name;
    const int64_t bytes = entry->end.hint;
    unsigned char mark[MARK];
    struct str journal = STR_INIT, text = STR_INIT;
    if (bytes < entry->proved + GROWN && !entry->c.closed)
        return 0;
    int rc = store_read(store, name, STORE_BEGIN, &journal, err);
    if (rc == 0 && (int64_t)journal.len == bytes) {
        mark_of(mark, batch, name, slice_str(&journal));
        json_t *json = json_pack("{s:I,s:o}", "proved", (json_int_t)bytes, "mark", json_hex(mark, MARK));
        if (entry->c.closed)
            json_object_set_new(json, "closed", json_integer(entry->end.seq));
        json_write(&text, json);
        str_addc(&text, '\n');
        json_decref(json);
        rc = store_write_state(store, name, slice_str(&text), err);
        entry->proved = bytes;
    }
    str_release(&journal);
    str_release(&text);
    return rc;
}

bool competing_is_closed(struct batch *batch, const char *name)
{
    json_t *json = read_state(batch, name);
    const struct store_pos end = {json_integer_value(json_object_get(json, "closed")),
                                  json_integer_value(json_object_get(json, "proved"))};
    bool closed = end.seq > 0 && store_ends(batch->competitions.store, name, end);
    json_decref(json);
    return closed;
}
