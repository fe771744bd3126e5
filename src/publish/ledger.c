#include "publish/ledger.h"
#include "game/entry.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/json.h"
#include "base/mem.h"
#include "audit/audit.h"
#include "game/seat_keys.h"
#include "trust/signature.h"

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

/* ---- who sits where, with which keys ---- */

static void add_sitting(struct ledger *ledger, int64_t seq, int seat, const char *player)
{
    ledger->sitting =
        mem_grow(ledger->sitting, ledger->sitting_count, &ledger->sitting_cap, sizeof *ledger->sitting);
    struct ledger_sitting *one = &ledger->sitting[ledger->sitting_count++];
    *one = (struct ledger_sitting){.seq = seq, .seat = seat};
    memcpy(one->player, player, strlen(player) + 1);
}

const char *ledger_sits(const struct ledger *ledger, int64_t seq, int seat)
{
    const char *player = "";
    for (size_t i = 0; i < ledger->sitting_count && ledger->sitting[i].seq <= seq; i++)
        if (ledger->sitting[i].seat == seat)
            player = ledger->sitting[i].player;
    return player;
}

int *ledger_seats_of(const struct ledger *ledger, const char *player)
{
    int *seats = mem_array(ledger->count + 1, sizeof *seats);
    size_t next = 0;
    int seat = 0;
    for (size_t at = 0; at < ledger->count; at++) {
        for (; next < ledger->sitting_count && ledger->sitting[next].seq <= (int64_t)at + 1; next++) {
            const struct ledger_sitting *one = &ledger->sitting[next];
            if (strcmp(one->player, player) == 0)
                seat = one->seat;
            else if (one->seat == seat)
                seat = 0;
        }
        seats[at] = seat;
    }
    return seats;
}

/* The keys of the seat from now on; of a record without a name, those of who sat there before. */
static void take_keys(struct ledger *ledger, const struct record *record, int seat)
{
    struct ledger_key one = {.seq = record->seq, .seat = seat};
    size_t i;
    json_t *item, *keys = seat_keys_json(record->json);
    copy_word(one.player, sizeof one.player, record->json, "player");
    one.replaces = json_object_get(record->json, "asked");
    for (size_t at = 0; at < ledger->key_count && json_object_get(record->json, "waited"); at++)
        if (!ledger->key[at].seat && strcmp(ledger->key[at].player, one.player) == 0) {
            struct str line = STR_INIT;
            pubkey_format(&line, &ledger->key[at].key);
            json_array_append_new(keys, json_string(line.p));
            str_release(&line);
        }
    for (size_t at = ledger->key_count; at-- > 0 && !*one.player;)
        if (ledger->key[at].seat == seat)
            memcpy(one.player, ledger->key[at].player, sizeof one.player);
    json_array_foreach (keys, i, item) {
        struct err ignored = ERR_INIT;
        bool found = false;
        bool known = false;
        struct slice rest = slice_of(json_is_string(item) ? json_string_value(item) : "");
        if (pubkey_next(&rest, &one.key, &found, &ignored) || !found)
            continue;
        for (size_t at = 0; at < ledger->key_count && !known; at++)
            known = seat && ledger->key[at].seat == seat && pubkey_equal(&ledger->key[at].key, &one.key);
        if (known)
            continue;
        ledger->key = mem_grow(ledger->key, ledger->key_count, &ledger->key_cap, sizeof *ledger->key);
        ledger->key[ledger->key_count++] = one;
    }
    json_decref(keys);
}

/* The deal has drawn who gets which seat; keys that came earlier count for that one too. */
static void move_keys(struct ledger *ledger, int64_t seq, const json_t *drawn)
{
    size_t i, known = ledger->key_count;
    json_t *item;
    json_array_foreach (drawn, i, item) {
        char player[PLAYER_NAME] = "";
        int seat = (int)json_integer_value(json_object_get(item, "seat"));
        copy_word(player, sizeof player, item, "player");
        add_sitting(ledger, seq, seat, player);
        for (size_t at = 0; at < known; at++) {
            if (strcmp(ledger->key[at].player, player) != 0)
                continue;
            ledger->key = mem_grow(ledger->key, ledger->key_count, &ledger->key_cap, sizeof *ledger->key);
            ledger->key[ledger->key_count] = ledger->key[at];
            ledger->key[ledger->key_count++].seat = seat;
        }
    }
}

/* Somebody gets or loses a seat: joins, leaves, resigns, stands in, comes back, is replaced or banned. */
static void take_people(struct ledger *ledger, const struct record *record)
{
    int seat = (int)json_integer_value(json_object_get(record->json, "seat"));
    bool moderate = strcmp(record->type, "moderate") == 0;
    if (strcmp(record->type, "start") == 0)
        move_keys(ledger, record->seq, json_object_get(record->json, "drawn"));
    if (strcmp(record->type, "key") == 0)
        take_keys(ledger, record, seat);
    if (record_kind_of(record) == &record_kinds[RECORD_WAIT])
        take_keys(ledger, record, 0);
    if (strcmp(record->type, "seat") != 0 && !moderate)
        return;
    char player[PLAYER_NAME] = "";
    copy_word(player, sizeof player, record->json, "player");
    if (moderate && !*player && !json_object_get(record->json, "robot") &&
        !json_object_get(record->json, "free"))
        return; /* something else than a change of seats */
    if (!seat)
        return; /* off the waiting list */
    add_sitting(ledger, record->seq, seat, player);
    take_keys(ledger, record, seat);
}

/* ---- turns ---- */

static uint32_t read_seats(const json_t *list)
{
    uint32_t seats = 0;
    size_t i;
    json_t *item;
    json_array_foreach (list, i, item)
        if (json_integer_value(item) >= 1 && json_integer_value(item) <= SEATS_MAX)
            seats |= SEAT_BIT(json_integer_value(item));
    return seats;
}

static uint32_t read_told(const json_t *reports)
{
    uint32_t seats = 0;
    size_t i;
    json_t *item;
    json_array_foreach (reports, i, item)
        if (i < SEATS_MAX && json_string_length(item) > 0)
            seats |= SEAT_BIT(i + 1);
    return seats;
}

static void take_close(struct ledger *ledger, const struct record *record)
{
    struct ledger_close one = {.seq = record->seq};
    size_t i;
    json_t *item;
    one.missed = read_seats(json_object_get(record->json, "missed"));
    one.set = read_seats(json_object_get(record->json, "set"));
    json_array_foreach (json_object_get(record->json, "seals"), i, item) {
        const char *hex = json_string_value(item);
        if (i < SEATS_MAX && hex && *hex)
            one.in_force[i + 1] = json_integer_value(json_object_get(ledger->sealed[i + 1], hex));
    }
    ledger->close = mem_grow(ledger->close, ledger->close_count, &ledger->close_cap, sizeof *ledger->close);
    ledger->close[ledger->close_count++] = one;
}

/* Lets a `close` find the record of its seals. */
static void keep_seal(struct ledger *ledger, const struct record *record, int seat)
{
    const char *hex = json_string_value(json_object_get(record->json, "seal"));
    if (strcmp(record->type, "orders") != 0 || seat < 1 || seat > SEATS_MAX || !hex)
        return;
    if (!ledger->sealed[seat])
        ledger->sealed[seat] = json_object();
    json_object_set_new(ledger->sealed[seat], hex, json_integer(record->seq));
}

/* A turn that opens, or is opened again, has the deadline of its record or none; other records may move
 * it. */
static void take_deadline(struct ledger *ledger, const struct record *record, enum record_id id)
{
    const char *word = json_string_value(json_object_get(record->json, "deadline"));
    int64_t deadline = 0;
    bool opens = id == RECORD_START || id == RECORD_TURN || id == RECORD_DO_ROLLBACK;
    bool moves = id == RECORD_SHIFT || id == RECORD_VOTE || strcmp(record->type, "moderate") == 0;
    if (word && !clock_parse(slice_of(word), &deadline))
        deadline = 0;
    if (opens || (moves && deadline))
        ledger->deadline = deadline;
}

static void take_create(struct ledger *ledger, const struct record *record)
{
    const char *name = json_string_value(json_object_get(record->json, "ruleset"));
    ledger->ruleset =
        name ? ruleset_find(name, json_integer_value(json_object_get(record->json, "version"))) : NULL;
    ledger->grace = json_integer_value(json_object_get(json_object_get(record->json, "clock"), "grace"));
}

static void take_record(struct ledger *ledger, const struct record *record)
{
    const struct record_kind *kind = record_kind_of(record);
    struct ledger_record one = {.time = record->time, .deadline = ledger->deadline};
    memcpy(one.head, record->head, sizeof one.head);
    memcpy(one.type, record->type, sizeof one.type);
    one.id = kind ? record_id_of(kind) : RECORD_IDS;
    one.turn = (int)json_integer_value(json_object_get(record->json, "turn"));
    one.seat = (int)json_integer_value(json_object_get(record->json, "seat"));
    one.told = read_told(json_object_get(record->json, "reports"));
    if (json_object_get(record->json, "told"))
        one.told &= read_seats(json_object_get(record->json, "told"));
    (void)read_hex(record->json, "seal", one.seal);
    one.waits = json_is_true(json_object_get(record->json, "waits"));
    (void)read_hex(record->json, "mail", one.mail);
    if (!ledger->count)
        take_create(ledger, record);
    take_people(ledger, record);
    keep_seal(ledger, record, one.seat);
    take_deadline(ledger, record, one.id);
    if (strcmp(one.type, "close") == 0)
        take_close(ledger, record);
    if (strcmp(one.type, "open") == 0)
        ledger->opened = true;
    ledger->record = mem_grow(ledger->record, ledger->count, &ledger->cap, sizeof *ledger->record);
    ledger->record[ledger->count++] = one;
}

int ledger_open(const char *path, struct ledger *ledger, struct err *err)
{
    struct record record;
    memset(ledger, 0, sizeof *ledger);
    if (casefile_open(path, NULL, &ledger->file, err))
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
    free(ledger->sitting);
    free(ledger->close);
    for (int seat = 0; seat <= SEATS_MAX; seat++)
        json_decref(ledger->sealed[seat]);
    memset(ledger, 0, sizeof *ledger);
}

void ledger_bare(struct ledger *ledger, const char *name)
{
    *ledger = (struct ledger){.count = 0};
    (void)snprintf(ledger->file.id, sizeof ledger->file.id, "%s", name);
}

bool ledger_is_bare(const struct ledger *ledger)
{
    return !ledger->count && !ledger->broken.code;
}

bool ledger_is_called(const struct ledger *ledger, const char *name)
{
    char hidden[GAME_NAME] = "";
    if (ledger->count)
        game_log_hidden_name(hidden, ledger->record[0].head);
    return strcmp(ledger->file.id, name) == 0 || strcmp(hidden, name) == 0;
}

bool ledger_mark(const struct ledger *ledger, int seat, struct slice payload, unsigned char mark[SEAL_BYTES])
{
    struct err ignored = ERR_INIT;
    json_t *json = json_read(payload, "payload", &ignored);
    bool made = ledger->count && seal_mark(mark, ledger->record[0].head, seat, json);
    json_decref(json);
    return made;
}

bool ledger_holds(const struct ledger *ledger, size_t at, struct slice payload)
{
    const struct ledger_record *record = &ledger->record[at];
    unsigned char seal[SEAL_BYTES];
    return ledger_mark(ledger, record->seat, payload, seal) && memcmp(seal, record->seal, SEAL_BYTES) == 0;
}

bool ledger_signer(const struct ledger *ledger, int64_t seq, struct pubkey *key)
{
    const struct ledger_record *record = &ledger->record[seq - 1];
    const unsigned char *create = ledger->record[0].head;
    struct err ignored = ERR_INIT;
    struct signature sig;
    json_t *payload = NULL;
    (void)sealed_set_find_signed(&ledger->file.sealed,
                                 &(struct sealed_text){create, seq, record->seat, record->seat, record->seal},
                                 &payload);
    const json_t *text = json_object_get(payload, "text");
    bool signs =
        json_is_string(text) &&
        signature_read_json(json_object_get(payload, "signature"), &sig, key, &ignored) == 0 &&
        signature_verify(&sig, key, NS_ORDERS,
                         (struct slice){json_string_value(text), json_string_length(text)}, &ignored) == 0;
    json_decref(payload);
    return signs;
}
