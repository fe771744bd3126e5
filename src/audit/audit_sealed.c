/* sealed.jsonl beside the journal: the lines of a record come when the record does. What this view may not
 * open is skipped unread. */
#include <sodium.h>
#include <string.h>

#include "base/encode.h"
#include "base/json.h"
#include "base/mem.h"
#include "audit/audit_parts.h"

bool audit_may_open(const struct auditing *a, int seat, int item)
{
    if (a->in->partial)
        return item < SEAL_HIDDEN && !seal_is_private(item);
    if (a->in->view == AUDIT_MODERATOR)
        return true;
    if (seal_is_private(item))
        return false;
    return a->key.there || (a->in->view == AUDIT_SEAT && seat == a->in->seat && item < SEAL_HIDDEN);
}

/* ---- the key ---- */

/* The key that opens all seals, when the journal holds it and it is the one that `create` promised. */
static void take_key(struct auditing *a, const struct record *open, const unsigned char commitment[32])
{
    unsigned char got[32];
    const char *hex = json_string_value(json_object_get(open->json, "seal_key"));
    if (!hex || !hex_decode(a->key.bytes, 32, slice_of(hex)))
        return;
    seal_key_commitment(got, a->key.bytes);
    a->key.there = memcmp(got, commitment, 32) == 0;
}

/* `open` is the last record of its game, but it opens everything before it: so it is looked for first.
 */
static int find_key(struct auditing *a, struct err *err)
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
        if (first)
            promised = hex && hex_decode(commitment, 32, slice_of(hex));
        else if (promised && strcmp(record.type, "open") == 0)
            take_key(a, &record, commitment);
        record_release(&record);
    }
    return lines_rewind(a->in->journal, err);
}

/* ---- lines ---- */

/* Is the line exactly what we would write? */
static bool is_canonical(const struct sealed *sealed, struct slice line)
{
    struct str again = STR_INIT;
    sealed_line(&again, sealed);
    bool same = again.len == line.len && memcmp(again.p, line.p, line.len) == 0;
    str_release(&again);
    return same;
}

/* ---- order ---- */

/* Does the line belong to an earlier record than one before it? Half a line does not count; with `exactly`
 * the others have to be parsed for it. */
static bool displaced(struct slice line, bool exactly, int64_t *most, int64_t *seq)
{
    struct sealed sealed;
    struct err ignored = ERR_INIT;
    *seq = sealed_line_seq(line);
    if (line.p[line.len - 1] != '\n')
        return false;
    if (exactly) {
        bool good = sealed_parse(line, &sealed, &ignored) == 0 && is_canonical(&sealed, line);
        *seq = sealed.seq;
        sealed_release(&sealed);
        if (!good)
            return false;
    }
    bool behind = *seq < *most;
    *most = behind ? *most : *seq;
    return behind;
}

/* The first record that has a line after one of a later record. Lines are read ahead of their record, and
 * one that claims a late record would hide those after it. */
static int look_for_displaced(struct auditing *a, bool exactly, int64_t *first, struct err *err)
{
    int64_t most = 0, seq = 0;
    struct slice line;
    *first = 0;
    for (;;) {
        if (lines_next(a->in->sealed, &line, err))
            return -1;
        if (!line.len)
            return lines_rewind(a->in->sealed, err);
        if (displaced(line, exactly, &most, &seq) && (*first == 0 || seq < *first))
            *first = seq;
    }
}

/* Readers other than moderators may not open every line, and do without this. */
static int find_displaced(struct auditing *a, struct err *err)
{
    if (a->in->view != AUDIT_MODERATOR)
        return 0;
    int rc = look_for_displaced(a, false, &a->lines.displaced, err);
    return rc == 0 && a->lines.displaced ? look_for_displaced(a, true, &a->lines.displaced, err) : rc;
}

int audit_sealed_begin(struct auditing *a, struct err *err)
{
    if (lines_rewind(a->in->journal, err) || find_key(a, err) ||
        (a->in->sealed && (lines_rewind(a->in->sealed, err) || find_displaced(a, err))))
        return -1;
    a->lines.ended = !a->in->sealed;
    a->full = a->in->sealed && !a->in->partial && (a->in->view == AUDIT_MODERATOR || a->key.there);
    return 0;
}

/* ---- reading ---- */

/* A line that is not ours. Only a moderator is told: for others it may be one that they may not open.
 */
static void take_bad(struct auditing *a, struct slice line)
{
    if (a->in->view != AUDIT_MODERATOR)
        return;
    a->lines.bad_ahead = line.p[line.len - 1] == '\n';
    a->lines.torn = !a->lines.bad_ahead;
    a->lines.bad_seq = sealed_line_seq(line);
    a->lines.ended = a->lines.bad_ahead;
}

static void take_good(struct auditing *a, struct sealed *sealed, struct slice line)
{
    if (!audit_may_open(a, sealed->seat, sealed->item)) {
        sealed_release(sealed);
    } else if (is_canonical(sealed, line)) {
        a->lines.has_ahead = true;
        a->lines.ahead = *sealed;
    } else {
        a->lines.bad_ahead = a->lines.ended = true;
        a->lines.bad_seq = sealed->seq;
        sealed_release(sealed);
    }
}

/* Advances to the next line that this view may open. */
static int read_ahead(struct auditing *a, struct err *err)
{
    while (!a->lines.ended && !a->lines.has_ahead) {
        struct slice line;
        struct sealed sealed;
        struct err why = ERR_INIT;
        if (lines_next(a->in->sealed, &line, err))
            return -1;
        if (!line.len) {
            a->lines.ended = true;
        } else if (line.p[line.len - 1] != '\n') {
            take_bad(a, line);
        } else if (sealed_parse(line, &sealed, &why) == 0) {
            take_good(a, &sealed, line);
        } else {
            sealed_release(&sealed);
            take_bad(a, line);
        }
    }
    return 0;
}

/* The lines are in the order of records; of a record by item, then by seat. */
static int check_order(struct auditing *a)
{
    const int64_t now[3] = {a->lines.ahead.seq, a->lines.ahead.item, a->lines.ahead.seat};
    int differs = 0;
    while (differs < 3 && now[differs] == a->lines.last[differs])
        differs++;
    if (differs == 3)
        return audit_broken(a, AUDIT_SEAL, a->lines.ahead.seat,
                            "a line of sealed.jsonl (record %lld, seat %d, item %d) is there twice",
                            (long long)now[0], a->lines.ahead.seat, a->lines.ahead.item);
    if (now[differs] >= a->lines.last[differs]) {
        memcpy(a->lines.last, now, sizeof now);
        if (now[0] == a->record->seq)
            return 0;
    }
    a->at = now[0]; /* it is missing there */
    return audit_broken(a, AUDIT_SEAL, a->lines.ahead.seat,
                        "a line of sealed.jsonl (record %lld, seat %d, item %d) is not where it must be",
                        (long long)now[0], a->lines.ahead.seat, a->lines.ahead.item);
}

/* The salt follows from the game's key, so that nobody could choose it. */
static int check_salt(struct auditing *a)
{
    unsigned char salt[32];
    if (!a->key.there || seal_is_private(a->lines.ahead.item) || !a->lines.ahead.salted)
        return 0;
    seal_salt(salt, a->key.bytes, a->lines.ahead.seq, a->lines.ahead.seat, a->lines.ahead.item);
    if (memcmp(salt, a->lines.ahead.salt, sizeof salt) != 0)
        return audit_broken(a, AUDIT_SALT, a->lines.ahead.seat,
                            "the salt of a seal (seat %d, item %d) is not the one that the game's key gives",
                            a->lines.ahead.seat, a->lines.ahead.item);
    a->out->counts.salts++;
    return 0;
}

static int take_line(struct auditing *a)
{
    struct sealed_set *set = &a->payloads;
    if (check_order(a) || check_salt(a))
        return -1;
    if (set->count >= sizeof a->used)
        return audit_broken(a, AUDIT_SEAL, 0, "sealed.jsonl holds more lines for it than a record has seals");
    set->list = mem_grow(set->list, set->count, &set->cap, sizeof *set->list);
    a->used[set->count] = false;
    set->list[set->count++] = a->lines.ahead;
    a->lines.has_ahead = false;
    return 0;
}

int audit_sealed_given(struct auditing *a, const struct sealed_set *set)
{
    size_t from = set->count;
    while (from && set->list[from - 1].seq == a->record->seq)
        from--;
    a->payloads.count = 0; /* of the last record, and not ours to release */
    for (; from < set->count; from++) {
        a->lines.ahead = set->list[from];
        if (take_line(a))
            return -1;
    }
    return 0;
}

int audit_sealed_record(struct auditing *a, struct err *err)
{
    for (size_t i = 0; i < a->payloads.count; i++)
        sealed_release(&a->payloads.list[i]);
    a->payloads.count = 0;
    if (a->lines.displaced == a->record->seq)
        return audit_broken(a, AUDIT_SEAL, 0,
                            "a line of sealed.jsonl for it comes after one of a later record");
    for (;;) {
        if (read_ahead(a, err))
            return -2;
        if (!a->lines.has_ahead || a->lines.ahead.seq > a->record->seq)
            return 0;
        if (take_line(a)) {
            sealed_release(&a->lines.ahead);
            a->lines.has_ahead = false;
            return -1;
        }
    }
}

const struct sealed *audit_payload(struct auditing *a, int seat, int item, const char *hex)
{
    unsigned char seal[SEAL_BYTES];
    if (!hex_decode(seal, SEAL_BYTES, slice_of(hex)))
        return NULL;
    const struct sealed *found = sealed_set_find(&a->payloads, a->record->seq, seat, item, seal);
    if (found)
        a->used[found - a->payloads.list] = true;
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
        a->used[found - a->payloads.list] = true;
    return found;
}

int audit_sealed_unused(struct auditing *a)
{
    for (size_t i = 0; i < a->payloads.count; i++)
        if (!a->used[i])
            return audit_broken(
                a, AUDIT_SEAL, a->payloads.list[i].seat,
                "sealed.jsonl holds a line for it (seat %d, item %d) that none of its seals covers",
                a->payloads.list[i].seat, a->payloads.list[i].item);
    return 0;
}

bool audit_sealed_bad(const struct auditing *a)
{
    return a->lines.bad_ahead && (a->lines.bad_seq == 0 || a->lines.bad_seq == a->record->seq);
}

int audit_sealed_missing(struct auditing *a, int seat, int item)
{
    const char *why = a->lines.bad_ahead ? "a line of sealed.jsonl there is not one, or was edited" : NULL;
    for (size_t i = 0; i < a->payloads.count && !why; i++)
        if (a->payloads.list[i].seat == seat && a->payloads.list[i].item == item)
            why = "what sealed.jsonl holds for it is something else";
    if (a->in->partial && !why)
        return 0; /* it was left out */
    return audit_broken(a, AUDIT_SEAL, seat, "what its seal covers (seat %d, item %d) is missing: %s", seat,
                        item, why ? why : "sealed.jsonl does not hold it there");
}

int audit_sealed_end(struct auditing *a, struct err *err)
{
    if (read_ahead(a, err))
        return -2;
    if (a->lines.has_ahead || a->lines.bad_ahead)
        return audit_broken(
            a, AUDIT_SEAL, 0,
            "sealed.jsonl goes on after the journal's last record: the journal was cut off, or a run "
            "was, which the next one mends");
    if (a->lines.torn)
        audit_note(a, AUDIT_NOTE, AUDIT_SEAL, 0,
                   "sealed.jsonl ends with half a line: a run was cut short while it wrote; the next one "
                   "mends that");
    return 0;
}
