#include "publish/publish_signed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "audit/audit.h"
#include "game/record_kinds.h"
#include "game/seat_keys.h"
#include "journal/record.h"

void journal_lines_release(struct journal_lines *journal)
{
    free(journal->line);
    json_decref(journal->create);
    *journal = (struct journal_lines){.open = 0};
}

void signed_list_release(struct signed_list *list)
{
    for (size_t i = 0; i < list->text_count; i++)
        str_release(&list->text[i].text);
    free(list->text);
    free(list->signer);
    str_release(&list->ruled);
    str_release(&list->vouched);
    *list = (struct signed_list){.redact = list->redact};
}

/* ---- who could sign ---- */

static struct signer *find_open(struct signed_list *list, int seat, const char *player,
                                const struct pubkey *key)
{
    for (size_t i = 0; i < list->signer_count; i++) {
        struct signer *one = &list->signer[i];
        if (one->seat == seat && !one->to && strcmp(one->player, player) == 0 && pubkey_equal(&one->key, key))
            return one;
    }
    return NULL;
}

static void name_signer(struct signer *signer, bool redact)
{
    char later[16] = "";
    if (signer->holder > 1)
        (void)snprintf(later, sizeof later, ".%d", signer->holder);
    if (redact && !signer->seat)
        (void)snprintf(signer->who, sizeof signer->who, "waiting-%d", signer->holder);
    else if (redact)
        (void)snprintf(signer->who, sizeof signer->who, "seat-%d%s", signer->seat, later);
    else
        (void)snprintf(signer->who, sizeof signer->who, "%s", signer->player);
}

static void add_signer(struct signed_list *list, int seat, const char *player, const struct pubkey *key,
                       int64_t time)
{
    struct signer signer = {
        .seat = seat, .holder = list->holder[seat].number, .key = *key, .from = time, .number = 1};
    for (size_t i = 0; i < list->signer_count; i++)
        signer.number += strcmp(list->signer[i].player, player) == 0;
    (void)snprintf(signer.player, sizeof signer.player, "%s", player);
    name_signer(&signer, list->redact);
    list->signer = mem_grow(list->signer, list->signer_count, &list->signer_cap, sizeof *list->signer);
    list->signer[list->signer_count++] = signer;
}

/* They have the seat from now on, or wait for one. */
static void set_holder(struct signed_list *list, int seat, const char *player)
{
    struct holder *now = &list->holder[seat];
    if (strcmp(now->player, player) == 0)
        return;
    (void)snprintf(now->player, sizeof now->player, "%s", player);
    now->number++;
}

/* Who gets or loses a seat, and when; with seat 0 they wait. */
struct change {
    int seat;
    const char *player;
    const json_t *keys;
    int64_t time;
};

/* Ends keys that no longer count: of a seat all but those that are kept, on the waiting list only this
 * player's. */
static void end_keys(struct signed_list *list, const struct change *change, const bool *keep, size_t count)
{
    for (size_t at = 0; at < count; at++) {
        struct signer *one = &list->signer[at];
        if (one->seat == change->seat && !one->to && !keep[at] &&
            (change->seat || strcmp(one->player, change->player) == 0))
            one->to = change->time;
    }
}

/* The deal has drawn who gets which seat: from then on they sign for that one. */
static void move_signers(struct signed_list *list, const json_t *drawn, int64_t time)
{
    size_t i, count = list->signer_count;
    json_t *item;
    json_array_foreach (drawn, i, item) {
        int seat = (int)json_integer_value(json_object_get(item, "seat"));
        const char *player = json_string_value(json_object_get(item, "player"));
        if (!player || seat < 1 || seat > SEATS_MAX)
            continue;
        set_holder(list, seat, player);
        for (size_t at = 0; at < count; at++) {
            struct signer one = list->signer[at];
            if (one.to || strcmp(one.player, player) != 0 || one.seat == seat)
                continue;
            list->signer[at].to = time;
            add_signer(list, seat, player, &one.key, time);
        }
    }
}

/* Keys that count for the seat from this record on; keep[] (NULL: not wanted) marks those that did before. */
static int add_keys(struct signed_list *list, const struct change *change, bool *keep, struct err *err)
{
    size_t i;
    json_t *item;
    json_array_foreach (change->keys, i, item) {
        struct pubkey key;
        bool found = false;
        struct slice rest = slice_of(json_is_string(item) ? json_string_value(item) : "");
        if (pubkey_next(&rest, &key, &found, err))
            return -1;
        const struct signer *known = found ? find_open(list, change->seat, change->player, &key) : NULL;
        if (known && keep)
            keep[known - list->signer] = true;
        else if (found && !known)
            add_signer(list, change->seat, change->player, &key, change->time);
    }
    return 0;
}

/* The keys of the seat from this record on; those that are not among them end. */
static int set_keys(struct signed_list *list, const struct change *change, struct err *err)
{
    size_t before = list->signer_count;
    bool *keep = mem_array(before + KEYS_PER_PLAYER + 1, sizeof *keep);
    int rc = add_keys(list, change, keep, err);
    end_keys(list, change, keep, before);
    free(keep);
    return rc;
}

/* Is it a record by which somebody gets or loses a seat, or joins or leaves the waiting list? */
static bool moves_people(const struct record *record)
{
    static const enum record_id moving[] = {RECORD_SEAT, RECORD_WAIT, RECORD_DO_REPLACE, RECORD_DO_BAN};
    const struct record_kind *kind = record_kind_of(record);
    for (size_t i = 0; i < sizeof moving / sizeof *moving; i++)
        if (kind == &record_kinds[moving[i]])
            return true;
    return false;
}

/* The keys that the record gives, and of who waited those of the note. New reference. */
static json_t *keys_of(const struct signed_list *list, const struct record *record)
{
    json_t *keys = seat_keys_json(record->json);
    const char *player = json_string_value(json_object_get(record->json, "player"));
    for (size_t at = 0; at < list->signer_count && player && json_object_get(record->json, "waited"); at++) {
        const struct signer *one = &list->signer[at];
        struct str line = STR_INIT;
        if (!one->seat && !one->to && strcmp(one->player, player) == 0) {
            pubkey_format(&line, &one->key);
            json_array_append_new(keys, json_string(line.p));
        }
        str_release(&line);
    }
    return keys;
}

/* A player who gets a seat no longer waits for one. */
static int sit(struct signed_list *list, const struct record *record, const json_t *keys, struct err *err)
{
    const json_t *json = record->json;
    int seat = (int)json_integer_value(json_object_get(json, "seat"));
    const char *player = json_string_value(json_object_get(json, "player"));
    if (seat < 0 || seat > SEATS_MAX)
        return 0;
    if (strcmp(record->type, "key") == 0)
        return set_keys(list, &(struct change){seat, list->holder[seat].player, keys, record->time}, err);
    if (strcmp(record->type, "start") == 0)
        move_signers(list, json_object_get(json, "drawn"), record->time);
    if (!moves_people(record))
        return 0;
    if (!player) /* a robot sits there, or nobody */
        return set_keys(list, &(struct change){seat, "", NULL, record->time}, err);
    if (seat && set_keys(list, &(struct change){0, player, NULL, record->time}, err))
        return -1;
    if (seat || json_array_size(keys))
        set_holder(list, seat, player);
    const struct change change = {seat, player, keys, record->time};
    if (json_object_get(json, "mark") && !json_object_get(json, "left")) /* the one who held it now has
                                                                          * another */
        return add_keys(list, &change, NULL, err);
    return set_keys(list, &change, err);
}

static int take_record(struct signed_list *list, const struct record *record, struct err *err)
{
    json_t *keys = keys_of(list, record);
    int rc = sit(list, record, keys, err);
    json_decref(keys);
    return rc;
}

int journal_lines_read(struct journal_lines *journal, struct slice text, struct signed_list *list,
                       struct err *err)
{
    const char *at = text.p;
    const char *end = text.p + text.len;
    const char *stop;
    while (at < end && (stop = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        struct slice line = {at, (size_t)(stop - at) + 1};
        struct record record;
        if (record_parse(line, &record, err))
            return -1;
        journal->line = mem_grow(journal->line, journal->count, &journal->cap, sizeof *journal->line);
        journal->line[journal->count++] = line;
        if (strcmp(record.type, "open") == 0)
            journal->open = record.seq;
        if (!journal->create)
            journal->create = json_incref(record.json);
        int rc = take_record(list, &record, err);
        record_release(&record);
        if (rc)
            return -1;
        at = stop + 1;
    }
    return 0;
}

/* ---- what was signed ---- */

/* The signer whose key it is and counted when the record was made. */
static bool find_signer(const struct signed_list *list, int seat, const struct pubkey *key, int64_t time,
                        size_t *at)
{
    for (size_t i = list->signer_count; i-- > 0;) {
        const struct signer *one = &list->signer[i];
        if (one->seat == seat && one->from <= time && (!one->to || one->to >= time) &&
            pubkey_equal(&one->key, key)) {
            *at = i;
            return true;
        }
    }
    return false;
}

/* Reads what a player has signed, without checking whose key it is. */
static int read_text(const struct sealed *sealed, struct signed_text *one, struct pubkey *key,
                     struct err *err)
{
    json_t *payload = json_read(slice_str(&sealed->payload), "payload", err);
    const char *text = json_string_value(json_object_get(payload, "text"));
    int rc = payload ? 0 : -1;
    if (payload && !text)
        rc = err_set(err, ERR_BROKEN, "no text");
    if (rc == 0 && text)
        rc = signature_read_json(json_object_get(payload, "signature"), &one->sig, key, err);
    if (rc == 0 && text)
        str_adds(&one->text, text);
    else
        (void)err_prefix(err, "what the box of record %lld holds", (long long)sealed->seq);
    json_decref(payload);
    return rc;
}

static int take_text(struct signed_list *list, const struct record *record, const struct sealed *sealed,
                     struct err *err)
{
    struct signed_text one = {.seq = sealed->seq, .time = record->time, .text = STR_INIT};
    struct pubkey key;
    int rc = read_text(sealed, &one, &key, err);
    one.turn = (int)json_integer_value(json_object_get(record->json, "turn"));
    if (rc || !find_signer(list, sealed->seat, &key, one.time, &one.signer)) {
        str_release(&one.text);
        return rc;
    }
    list->text = mem_grow(list->text, list->text_count, &list->text_cap, sizeof *list->text);
    list->text[list->text_count++] = one;
    *(pubkey_is_numbered(&key) ? &list->raw : &list->ssh) += 1;
    return 0;
}

static void add_number(struct str *list, int64_t seq)
{
    str_addf(list, "%s%lld", list->len ? ", " : "", (long long)seq);
}

int signed_list_take(struct signed_list *list, const struct journal_lines *journal,
                     const struct sealed *sealed, struct err *err)
{
    struct record record;
    int rc = 0;
    if (record_parse(journal->line[sealed->seq - 1], &record, err))
        return -1;
    if (strcmp(record.type, "moderate") == 0)
        add_number(&list->ruled, sealed->seq);
    else if (json_object_get(record.json, "vouched"))
        add_number(&list->vouched, sealed->seq);
    else
        rc = take_text(list, &record, sealed, err);
    record_release(&record);
    return rc;
}

/* ---- files ---- */

/* 20261120080000Z, as allowed_signers and verify-time want it. */
static void add_time(struct str *out, int64_t time)
{
    char text[CLOCK_TEXT];
    clock_utc(text, time);
    for (const char *p = text; *p; p++)
        if ((*p >= '0' && *p <= '9') || *p == 'Z')
            str_addc(out, *p);
}

bool signer_file(const struct signer *signer, struct str *out)
{
    if (!pubkey_is_numbered(&signer->key))
        return false;
    str_addf(out, "keys/%s.%d.pem", signer->who, signer->number);
    return true;
}

void signed_list_signers(const struct signed_list *list, struct str *out)
{
    for (size_t i = 0; i < list->signer_count; i++) {
        const struct signer *one = &list->signer[i];
        if (pubkey_is_numbered(&one->key))
            continue;
        str_addf(out, "%s namespaces=\"" NS_ORDERS "\",valid-after=\"", one->who);
        add_time(out, one->from);
        if (one->to) {
            str_adds(out, "\",valid-before=\"");
            add_time(out, one->to);
        }
        str_adds(out, "\" ");
        pubkey_format(out, &one->key);
        str_addc(out, '\n');
    }
}

static void add_index(const struct signed_list *list, const struct signed_text *text, struct str *out)
{
    const struct signer *signer = &list->signer[text->signer];
    str_addf(out, "%lld %d %d %s ", (long long)text->seq, text->turn, signer->seat, signer->who);
    add_time(out, text->time);
    if (!pubkey_is_numbered(&signer->key)) {
        str_adds(out, " ssh -\n");
        return;
    }
    str_adds(out, text->sig.prehashed ? " prehashed " : " plain ");
    (void)signer_file(signer, out);
    str_addc(out, '\n');
}

void signed_list_files(const struct signed_list *list, struct bundle *bundle)
{
    struct str index = STR_INIT;
    struct str name = STR_INIT;
    for (size_t i = 0; i < list->text_count; i++) {
        const struct signed_text *one = &list->text[i];
        bool ssh = !pubkey_is_numbered(&list->signer[one->signer].key);
        str_clear(&name);
        str_addf(&name, "signed/%lld.txt", (long long)one->seq);
        str_addslice(bundle_add(bundle, name.p), slice_str(&one->text));
        str_clear(&name);
        str_addf(&name, "signed/%lld.%s", (long long)one->seq, ssh ? "sig" : "raw");
        struct str *out = bundle_add(bundle, name.p);
        if (ssh)
            sshsig_armor(out, &one->sig);
        else
            str_add(out, one->sig.sig, sizeof one->sig.sig);
        add_index(list, one, &index);
    }
    str_addslice(bundle_add(bundle, "signed/index"), slice_str(&index));
    str_release(&index);
    str_release(&name);
}
