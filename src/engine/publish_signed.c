#include "engine/publish_signed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "engine/audit.h"
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
    *list = (struct signed_list){.redact = list->redact};
}

/* ---- who could sign ---- */

/* The last signer of the seat that still counts, or NULL. */
static struct signer *sitting(struct signed_list *list, int seat)
{
    struct signer *found = NULL;
    for (size_t i = 0; i < list->signer_count; i++)
        if (list->signer[i].seat == seat)
            found = &list->signer[i];
    return found;
}

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
    if (redact)
        (void)snprintf(signer->who, sizeof signer->who, "seat-%d%s", signer->seat, later);
    else
        (void)snprintf(signer->who, sizeof signer->who, "%s", signer->player);
}

static void add_signer(struct signed_list *list, int seat, const char *player, const struct pubkey *key,
                       int64_t time)
{
    const struct signer *last = sitting(list, seat);
    bool same = last && strcmp(last->player, player) == 0;
    struct signer signer = {.seat = seat, .key = *key, .from = time, .number = 1};
    signer.holder = !last ? 1 : same ? last->holder : last->holder + 1;
    for (size_t i = 0; i < list->signer_count; i++)
        signer.number += strcmp(list->signer[i].player, player) == 0;
    memcpy(signer.player, player, strlen(player) + 1);
    name_signer(&signer, list->redact);
    list->signer = mem_grow(list->signer, list->signer_count, &list->signer_cap, sizeof *list->signer);
    list->signer[list->signer_count++] = signer;
}

/* The keys of the seat from this record on; those that are not among them end. */
static int set_keys(struct signed_list *list, int seat, const char *player, const json_t *keys, int64_t time,
                    struct err *err)
{
    size_t before = list->signer_count;
    size_t i;
    json_t *item;
    bool *keep = mem_array(before + 1, sizeof *keep);
    int rc = 0;
    json_array_foreach (keys, i, item) {
        struct pubkey key;
        bool found = false;
        struct slice rest = slice_of(json_is_string(item) ? json_string_value(item) : "");
        rc = pubkey_next(&rest, &key, &found, err);
        if (rc || !found)
            break;
        const struct signer *known = find_open(list, seat, player, &key);
        if (known)
            keep[known - list->signer] = true;
        else
            add_signer(list, seat, player, &key, time);
    }
    for (size_t at = 0; at < before; at++)
        if (list->signer[at].seat == seat && !list->signer[at].to && !keep[at])
            list->signer[at].to = time;
    free(keep);
    return rc;
}

static int take_record(struct signed_list *list, const struct record *record, struct err *err)
{
    const json_t *json = record->json;
    bool sits = strcmp(record->type, "seat") == 0;
    int seat = (int)json_integer_value(json_object_get(json, "seat"));
    const char *player = json_string_value(json_object_get(json, "player"));
    if (!sits && strcmp(record->type, "key") != 0)
        return 0;
    if (!sits) {
        const struct signer *now = sitting(list, seat);
        player = now ? now->player : NULL;
    }
    char name[PLAYER_NAME] = "";
    if (player && strlen(player) < sizeof name)
        memcpy(name, player, strlen(player) + 1);
    return set_keys(list, seat, name, *name ? json_object_get(json, "keys") : NULL, record->time, err);
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

int signed_list_take(struct signed_list *list, const struct journal_lines *journal,
                     const struct sealed *sealed, struct err *err)
{
    struct signed_text one = {.seq = sealed->seq, .text = STR_INIT};
    struct pubkey key;
    struct record record;
    json_t *payload = json_read(slice_str(&sealed->payload), "payload", err);
    int rc = payload ? record_parse(journal->line[sealed->seq - 1], &record, err) : -1;
    if (rc) {
        json_decref(payload);
        return -1;
    }
    const char *text = json_string_value(json_object_get(payload, "text"));
    rc = text ? audit_signature_read(json_object_get(payload, "signature"), &one.sig, &key, err)
              : err_set(err, ERR_BROKEN, "no text");
    one.time = record.time;
    one.turn = (int)json_integer_value(json_object_get(record.json, "turn"));
    bool known = rc == 0 && text && find_signer(list, sealed->seat, &key, one.time, &one.signer);
    if (rc)
        (void)err_prefix(err, "what the seal of record %lld stands for", (long long)sealed->seq);
    if (known) {
        str_adds(&one.text, text);
        list->text = mem_grow(list->text, list->text_count, &list->text_cap, sizeof *list->text);
        list->text[list->text_count++] = one;
        *(key_is_ssh(key.kind) ? &list->ssh : &list->raw) += 1;
    }
    record_release(&record);
    json_decref(payload);
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
    if (key_is_ssh(signer->key.kind))
        return false;
    str_addf(out, "keys/%s.%d.pem", signer->who, signer->number);
    return true;
}

void signed_list_signers(const struct signed_list *list, struct str *out)
{
    for (size_t i = 0; i < list->signer_count; i++) {
        const struct signer *one = &list->signer[i];
        if (!key_is_ssh(one->key.kind))
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
    if (key_is_ssh(signer->key.kind)) {
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
        bool ssh = key_is_ssh(list->signer[one->signer].key.kind);
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
