/* The boxes of records: by which keys they open, and for whom. */
#include <sodium.h>
#include <string.h>

#include "base/encode.h"
#include "base/json.h"
#include "base/mem.h"
#include "audit/audit_parts.h"

bool audit_may_open(const struct auditing *a, int seat, int item)
{
    if (!a->live && !seal_keys_open(&a->keys, a->record->seq, item))
        return false;
    if (a->in->view == AUDIT_MODERATOR)
        return true;
    if (seal_is_private(item))
        return false;
    return a->published || (a->in->view == AUDIT_SEAT && seat == a->in->seat && item < SEAL_HIDDEN);
}

/* ---- the keys ---- */

/* By the league's secret, if the caller has it. */
static void derive_keys(struct auditing *a, const struct record *create)
{
    struct seal_promise promise;
    if (a->in->master && seal_promise_read(&promise, create->game, create->json))
        seal_keys_of(&a->keys, a->in->master, &promise);
}

/* The key that opens all seals, when the journal holds it and it is the one that `create` promised. */
static void take_key(struct auditing *a, const struct record *open, const unsigned char commitment[32])
{
    unsigned char key[32], got[32];
    const char *hex = json_string_value(json_object_get(open->json, "seal_key"));
    if (!hex || !hex_decode(key, sizeof key, slice_of(hex)))
        return;
    seal_key_commitment(got, key);
    if (memcmp(got, commitment, sizeof got) != 0)
        return;
    memcpy(a->keys.seal, key, sizeof key);
    a->keys.seals = a->published = true;
}

/* `open` is the last record of its game, but it opens everything before it: so it is looked for first.
 */
static int find_keys(struct auditing *a, struct err *err)
{
    unsigned char commitment[32];
    bool promised = false;
    struct slice line;
    for (bool first = true;; first = false) {
        struct record record;
        struct err ignored = ERR_INIT;
        if (lines_next(a->in->journal, &line, err))
            return -1;
        if (!line.len)
            break;
        (void)past_want(&a->past, line);
        if (!first && slice_find(slice_sub(line, 0, 250), "\"type\":\"open\"") == (size_t)-1)
            continue;
        if (record_parse(line, &record, &ignored))
            continue;
        const char *hex = json_string_value(json_object_get(record.json, "seal_key"));
        if (first) {
            promised = hex && hex_decode(commitment, 32, slice_of(hex));
            derive_keys(a, &record);
        } else if (promised && strcmp(record.type, "open") == 0)
            take_key(a, &record, commitment);
        record_release(&record);
    }
    return lines_rewind(a->in->journal, err);
}

int audit_boxes_begin(struct auditing *a, struct err *err)
{
    if (lines_rewind(a->in->journal, err) || find_keys(a, err))
        return -1;
    a->keys.only = a->in->only;
    if (a->in->shut) {
        sodium_memzero(&a->keys, sizeof a->keys);
        a->published = false;
    }
    a->full = a->keys.seals && (a->in->view == AUDIT_MODERATOR || a->published);
    return 0;
}

/* ---- payloads ---- */

/* What this view may not open is as if it had not been opened. */
static void forget_others(struct auditing *a)
{
    struct sealed_set *set = &a->payloads;
    size_t kept = 0;
    for (size_t i = 0; i < set->count; i++)
        if (audit_may_open(a, set->list[i].seat, set->list[i].item))
            set->list[kept++] = set->list[i];
        else
            sealed_release(&set->list[i]);
    set->count = kept;
}

void audit_boxes_record(struct auditing *a)
{
    sealed_set_clear(&a->payloads);
    memset(a->used, 0, sizeof a->used);
    sealed_open(&a->payloads, &a->keys, a->record->json);
    forget_others(a);
}

/* The box of the mail that vouches for press is among its words. New reference. */
static json_t *words_of(const struct sealed_set *set)
{
    struct err ignored = ERR_INIT;
    for (size_t i = 0; i < set->count; i++)
        if (set->list[i].item == SEAL_PRESS)
            return set->list[i].document ? json_incref(set->list[i].document)
                                         : json_read(slice_str(&set->list[i].payload), "press", &ignored);
    return NULL;
}

int audit_boxes_given(struct auditing *a, const struct sealed_set *set)
{
    struct sealed_set *own = &a->payloads;
    size_t from = set->count;
    while (from && set->list[from - 1].seq == a->record->seq)
        from--;
    own->count = 0; /* of the last record, and not ours to release */
    memset(a->used, 0, sizeof a->used);
    for (; from < set->count; from++) {
        own->list = mem_grow(own->list, own->count, &own->cap, sizeof *own->list);
        own->list[own->count++] = set->list[from];
    }
    json_t *words = words_of(own);
    size_t good = 0;
    while (good < own->count && sealed_is_boxed(&own->list[good], a->record->json, words))
        good++;
    json_decref(words);
    return good == own->count ? 0 : audit_box_wrong(a, own->list[good].seat, own->list[good].item);
}

static void use(struct auditing *a, const struct sealed *found)
{
    size_t at = (size_t)(found - a->payloads.list);
    if (at < sizeof a->used)
        a->used[at] = true;
    a->out->counts.boxes += !a->live;
}

const struct sealed *audit_payload(struct auditing *a, int seat, int item, const char *hex)
{
    unsigned char seal[SEAL_BYTES];
    if (!hex_decode(seal, SEAL_BYTES, slice_of(hex)))
        return NULL;
    const struct sealed *found = sealed_set_find(&a->payloads, a->record->seq, seat, item, seal);
    if (found)
        use(a, found);
    return found;
}

const struct sealed *audit_signed_payload(struct auditing *a, int seat, int signer, const char *hex,
                                          json_t **says)
{
    unsigned char seal[SEAL_BYTES];
    *says = NULL;
    if (!hex_decode(seal, SEAL_BYTES, slice_of(hex)))
        return NULL;
    const struct sealed *found = sealed_set_find_signed(
        &a->payloads, &(struct sealed_text){a->game.journal.create_head, a->record->seq, seat, signer, seal},
        says);
    if (found)
        use(a, found);
    return found;
}

int audit_boxes_unused(struct auditing *a)
{
    for (size_t i = 0; i < a->payloads.count; i++)
        if (!a->used[i])
            return audit_broken(a, AUDIT_SEAL, a->payloads.list[i].seat,
                                "it holds a box (seat %d, item %d) that none of its seals covers",
                                a->payloads.list[i].seat, a->payloads.list[i].item);
    return 0;
}

int audit_box_wrong(struct auditing *a, int seat, int item)
{
    return audit_broken(a, AUDIT_SEAL, seat, "its box (seat %d, item %d) does not hold what its seal says",
                        seat, item);
}
