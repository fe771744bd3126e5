#include "engine/ledger.h"

#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/json.h"
#include "base/mem.h"

static void copy_word(char *to, size_t size, const json_t *json, const char *name)
{
    const char *word = json_string_value(json_object_get(json, name));
    size_t len = word ? strlen(word) : 0;
    if (len < size)
        memcpy(to, word ? word : "", len + 1);
}

static bool read_hex(const json_t *json, const char *name, unsigned char out[32])
{
    const char *hex = json_string_value(json_object_get(json, name));
    return hex && hex_decode(out, 32, slice_of(hex));
}

/* Who sits on the seat from now on, or, of a record without a name, who sat there before. */
static void take_keys(struct ledger *ledger, const struct record *record, int seat)
{
    struct ledger_key one = {.seat = seat};
    size_t i;
    json_t *item;
    copy_word(one.player, sizeof one.player, record->json, "player");
    for (size_t at = ledger->key_count; at-- > 0 && !*one.player;)
        if (ledger->key[at].seat == seat)
            memcpy(one.player, ledger->key[at].player, sizeof one.player);
    json_array_foreach (json_object_get(record->json, "keys"), i, item) {
        struct err ignored = ERR_INIT;
        bool found = false;
        bool known = false;
        struct slice rest = slice_of(json_is_string(item) ? json_string_value(item) : "");
        if (pubkey_next(&rest, &one.key, &found, &ignored) || !found)
            continue;
        for (size_t at = 0; at < ledger->key_count && !known; at++)
            known = ledger->key[at].seat == seat && pubkey_equal(&ledger->key[at].key, &one.key);
        if (known)
            continue;
        ledger->key = mem_grow(ledger->key, ledger->key_count, &ledger->key_cap, sizeof *ledger->key);
        ledger->key[ledger->key_count++] = one;
    }
}

/* The deal has drawn who gets which seat; whose keys came before counts for that one, too. */
static void move_keys(struct ledger *ledger, const json_t *drawn)
{
    size_t i, known = ledger->key_count;
    json_t *item;
    json_array_foreach (drawn, i, item) {
        char player[PLAYER_NAME] = "";
        copy_word(player, sizeof player, item, "player");
        for (size_t at = 0; at < known; at++) {
            if (strcmp(ledger->key[at].player, player) != 0)
                continue;
            ledger->key = mem_grow(ledger->key, ledger->key_count, &ledger->key_cap, sizeof *ledger->key);
            ledger->key[ledger->key_count] = ledger->key[at];
            ledger->key[ledger->key_count++].seat = (int)json_integer_value(json_object_get(item, "seat"));
        }
    }
}

static void take_record(struct ledger *ledger, const struct record *record)
{
    struct ledger_record one = {.time = record->time};
    size_t i;
    json_t *item;
    memcpy(one.head, record->head, sizeof one.head);
    memcpy(one.type, record->type, sizeof one.type);
    copy_word(one.kind, sizeof one.kind, record->json, "kind");
    one.turn = (int)json_integer_value(json_object_get(record->json, "turn"));
    one.seat = (int)json_integer_value(json_object_get(record->json, "seat"));
    (void)read_hex(record->json, "seal", one.seal);
    (void)read_hex(record->json, "mail", one.mail);
    json_array_foreach (json_object_get(record->json, "missed"), i, item)
        if (json_integer_value(item) >= 1 && json_integer_value(item) <= SEATS_MAX)
            one.missed |= SEAT_BIT(json_integer_value(item));
    if (strcmp(one.type, "seat") == 0 || strcmp(one.type, "key") == 0)
        take_keys(ledger, record, one.seat);
    if (strcmp(one.type, "start") == 0)
        move_keys(ledger, json_object_get(record->json, "drawn"));
    if (strcmp(one.type, "open") == 0)
        ledger->opened = read_hex(record->json, "seal_key", ledger->seal_key);
    if (!ledger->count) {
        const char *name = json_string_value(json_object_get(record->json, "ruleset"));
        ledger->ruleset = name ? ruleset_find(name) : NULL;
        ledger->format = (int)json_integer_value(json_object_get(record->json, "format"));
    }
    ledger->record = mem_grow(ledger->record, ledger->count, &ledger->cap, sizeof *ledger->record);
    ledger->record[ledger->count++] = one;
}

int ledger_open(const char *path, struct ledger *ledger, struct err *err)
{
    struct record record;
    memset(ledger, 0, sizeof *ledger);
    if (casefile_open(path, &ledger->file, err))
        return -1;
    while (casefile_next(&ledger->file, &record, NULL, &ledger->broken) > 0) {
        take_record(ledger, &record);
        record_release(&record);
    }
    return 0;
}

void ledger_close(struct ledger *ledger)
{
    casefile_close(&ledger->file);
    free(ledger->record);
    free(ledger->key);
    memset(ledger, 0, sizeof *ledger);
}

/* The salt of the payload that a sealed file has for this seal, where one was given. */
static bool find_salt(const struct ledger *ledger, int64_t seq, const struct ledger_record *record,
                      unsigned char salt[32])
{
    const struct sealed *one =
        sealed_set_find(&ledger->file.sealed, seq, record->seat, SEAL_ORDERS, record->seal);
    if (one)
        memcpy(salt, one->salt, 32);
    return one != NULL;
}

bool ledger_holds(const struct ledger *ledger, size_t at, struct slice payload, bool *known)
{
    const struct ledger_record *record = &ledger->record[at];
    unsigned char salt[32], seal[SEAL_BYTES];
    int64_t seq = (int64_t)at + 1;
    if (ledger->format >= 2) {
        struct err ignored = ERR_INIT;
        json_t *json = json_read(payload, "payload", &ignored);
        *known = true;
        bool same = seal_mark(seal, ledger->record[0].head, record->seat, json) &&
                    memcmp(seal, record->seal, SEAL_BYTES) == 0;
        json_decref(json);
        return same;
    }
    *known = ledger->opened;
    if (ledger->opened)
        seal_salt(salt, ledger->seal_key, seq, record->seat, SEAL_ORDERS);
    else
        *known = find_salt(ledger, seq, record, salt);
    if (!*known)
        return false;
    seal_of(seal, salt, payload);
    return memcmp(seal, record->seal, SEAL_BYTES) == 0;
}
