#include "game/whole.h"

#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/mem.h"
#include "game/record_kinds.h"
#include "journal/record.h"
#include "journal/seal.h"

/* The lines of a journal that was read. */
struct whole {
    const char *id;
    struct slice *lines; /* with their LF; record N is [N - 1] */
    int *seals;          /* how many lines it has sealed that were not found yet, as far as can be told */
    size_t count, cap;
    unsigned char create[HEAD_BYTES];
};

/* Its text or what else it has a seal of, its hidden draws, its reports. */
static int count_seals(const struct record *record)
{
    int count = record_seals(record) && json_object_get(record->json, "seal");
    size_t i;
    count += (int)json_array_size(json_object_get(record->json, "hidden"));
    json_t *report;
    json_array_foreach (json_object_get(record->json, "reports"), i, report)
        count += json_string_length(report) > 0;
    return count;
}

static int read_records(struct whole *whole, struct slice text, struct err *err)
{
    unsigned char head[HEAD_BYTES] = {0};
    struct slice rest = text, line;
    size_t cap = 0;
    while (slice_whole_line(&rest, &line)) {
        struct record record;
        const struct record_place place = {whole->id, (int64_t)whole->count + 1, head};
        if (record_parse(line, &record, err))
            return err_prefix(err, "games/%s/journal.jsonl, line %zu", whole->id, whole->count + 1);
        int rc = record_follows(&record, &place, err);
        memcpy(head, record.head, HEAD_BYTES);
        if (whole->count == 0)
            memcpy(whole->create, head, HEAD_BYTES);
        whole->lines = mem_grow(whole->lines, whole->count, &whole->cap, sizeof *whole->lines);
        whole->seals = mem_grow(whole->seals, whole->count, &cap, sizeof *whole->seals);
        whole->lines[whole->count] = line;
        whole->seals[whole->count++] = count_seals(&record);
        record_release(&record);
        if (rc)
            return err_prefix(err, "games/%s/journal.jsonl, line %zu", whole->id, whole->count);
    }
    return whole->count ? 0 : err_set(err, ERR_BROKEN, "games/%s/journal.jsonl holds no record", whole->id);
}

/* What goes on after the last record is what a crash has left; the next run cuts it. The seal of the mail that vouches for
 * press or an appeal is among their sealed words, which are the line before it. */
static int read_sealed(struct whole *whole, struct slice text, struct err *err)
{
    struct slice rest = text, line;
    struct str words = STR_INIT;
    int64_t of = 0;
    for (size_t number = 1; slice_whole_line(&rest, &line); number++) {
        struct sealed sealed = {.seq = 0};
        int rc = sealed_parse(line, &sealed, err);
        size_t place = rc == 0 && sealed.seq > 0 ? (size_t)sealed.seq - 1 : 0;
        if (rc == 0 && place < whole->count &&
            !sealed_is_covered(&sealed, whole->lines[place], whole->create) &&
            (sealed.seq != of || !sealed_is_covered(&sealed, slice_str(&words), whole->create)))
            rc = err_set(err, ERR_BROKEN, "it is not what record %lld has sealed", (long long)sealed.seq);
        if (rc == 0 && place < whole->count && sealed.item != SEAL_EVIDENCE)
            whole->seals[place]--;
        of = sealed.seq;
        str_clear(&words);
        str_addslice(&words, slice_str(&sealed.payload));
        sealed_release(&sealed);
        if (rc) {
            str_release(&words);
            return err_prefix(err, "games/%s/sealed.jsonl, line %zu", whole->id, number);
        }
    }
    str_release(&words);
    for (size_t i = 0; i < whole->count; i++)
        if (whole->seals[i] > 0)
            return err_set(err, ERR_BROKEN, "games/%s/sealed.jsonl does not hold what record %zu has sealed",
                           whole->id, i + 1);
    return 0;
}

int game_whole(struct store *store, const char *id, struct err *err)
{
    struct str journal = STR_INIT, sealed = STR_INIT;
    struct whole whole = {.id = id};
    int rc = store_read(store, id, STORE_BEGIN, &journal, err);
    if (rc == 0)
        rc = store_read_sealed(store, id, &sealed, err);
    if (rc == 0)
        rc = read_records(&whole, slice_str(&journal), err);
    if (rc == 0)
        rc = read_sealed(&whole, slice_str(&sealed), err);
    free(whole.lines);
    free(whole.seals);
    str_release(&journal);
    str_release(&sealed);
    return rc;
}
