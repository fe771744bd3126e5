#include "league/registry_marks.h"

#include <stdlib.h>
#include <string.h>

#include "base/date.h"
#include "base/encode.h"
#include "base/mem.h"
#include "league/registry_compact.h"
#include "league/registry_known.h"

/* A dated text is valid from BOUND_AHEAD days before its day to BOUND_DAYS after it; the rest is for clocks.
 */
#define KEEP ((BOUND_DAYS + BOUND_AHEAD + 8) * DAY_SECONDS)

static void add(struct registry_log *log, const char *hex, int64_t time)
{
    struct registry_mark mark = {.time = time};
    if (!hex || !hex_decode(mark.digest, sizeof mark.digest, slice_of(hex)))
        return;
    log->marks = mem_grow(log->marks, log->mark_count, &log->mark_cap, sizeof *log->marks);
    log->marks[log->mark_count++] = mark;
}

void registry_marks_add(struct registry_log *log, const json_t *fields, int64_t time)
{
    add(log, json_string_value(json_object_get(fields, "mail")), time);
    add(log, json_string_value(json_object_get(fields, "text")), time);
    add(log, json_string_value(json_object_get(fields, "request")), time);
    add(log, json_string_value(json_object_get(json_object_get(fields, "asked"), "text")), time);
}

/* ---- the index ---- */

/* Moves what is in memory into the index, which is then complete for records from `from` on. */
static int put_all(struct registry_log *log, const struct catalog_marks *complete, struct err *err)
{
    for (size_t i = 0; i < log->mark_count; i++)
        if (catalog_mark(log->catalog, log->marks[i].digest, log->marks[i].time, err))
            return -1;
    log->mark_count = 0;
    log->marked = *complete;
    return catalog_set_marks(log->catalog, complete, err);
}

static int read_marks(struct registry_log *log, struct slice lines, int64_t from, int64_t *seq,
                      struct err *err)
{
    struct slice rest = lines, line;
    while (rest.len) {
        struct record record;
        const char *begin = rest.p;
        if (!slice_line(&rest, &line))
            break;
        if (record_parse((struct slice){begin, (size_t)(rest.p - begin)}, &record, err))
            return err_prefix(err, "registry, record %lld", (long long)*seq + 1);
        if (registry_known(&record, err)) {
            record_release(&record);
            return -1;
        }
        *seq = record.seq;
        if (record.time >= from)
            registry_marks_add(log, record.json, record.time);
        record_release(&record);
    }
    return 0;
}

/* The journal before it was compacted, and the one before that, as far back as the marks are wanted. */
static int read_archives(const struct registry_log *log, struct registry_log *index, int64_t from,
                         struct err *err)
{
    struct str lines = STR_INIT;
    int64_t last = log->base, ignored = 0;
    int rc = 0;
    while (rc == 0 && last) {
        struct record first = {.json = NULL};
        struct slice rest, line;
        str_clear(&lines);
        rc = registry_archive_read(log, last, 0, &lines, err);
        rest = slice_str(&lines);
        if (rc || !slice_line(&rest, &line))
            break;
        rc = record_parse((struct slice){lines.p, (size_t)(rest.p - lines.p)}, &first, err);
        if (rc == 0)
            rc = read_marks(index, slice_str(&lines), from, &ignored, err);
        last = rc == 0 && first.time >= from ? first.seq - 1 : 0;
        record_release(&first);
    }
    str_release(&lines);
    return rc;
}

/* From the committed journal; what is not committed yet stays in memory. */
static int make_anew(struct registry_log *log, int64_t from, struct err *err)
{
    struct str lines = STR_INIT;
    struct catalog_marks complete = {0, from};
    struct registry_log index = {.catalog = log->catalog};
    int rc = 0;
    if (store_has(log->store, REGISTRY_GAME))
        rc = store_read(log->store, REGISTRY_GAME, STORE_BEGIN, &lines, err);
    if (rc == 0)
        rc = read_marks(&index, slice_str(&lines), from, &complete.seq, err);
    str_release(&lines);
    if (rc == 0)
        rc = read_archives(log, &index, from, err);
    if (rc == 0)
        rc = catalog_begin(log->catalog, err);
    if (rc == 0)
        rc = put_all(&index, &complete, err);
    if (rc == 0)
        rc = catalog_commit(log->catalog, err);
    if (rc == 0)
        log->marked = complete;
    free(index.marks);
    return rc;
}

int registry_marks_open(struct registry_log *log, struct catalog *catalog, int64_t now, struct err *err)
{
    log->catalog = catalog;
    if (catalog_marks(catalog, &log->marked, err))
        return -1;
    if (log->marked.seq != log->seq)
        return make_anew(log, now - KEEP, err);
    return registry_marks_check(log, now, err);
}

int registry_marks_check(struct registry_log *log, int64_t now, struct err *err)
{
    return now - KEEP < log->marked.from ? make_anew(log, now - KEEP, err) : 0;
}

int registry_marks_commit(struct registry_log *log, struct err *err)
{
    struct catalog_marks complete = {log->seq, log->marked.from};
    if (!log->catalog) /* the catalog is being filled and will come to that */
        return 0;
    return log->marked.seq == log->seq ? 0 : put_all(log, &complete, err);
}

int registry_marks_tidy(struct registry_log *log, int64_t now, struct err *err)
{
    if (now - KEEP <= log->marked.from)
        return 0;
    log->marked.from = now - KEEP;
    return catalog_tidy_marks(log->catalog, log->marked.from, err);
}

/* ---- asking ---- */

static int holds(const struct registry_log *log, const unsigned char digest[32], bool *has, struct err *err)
{
    *has = false;
    for (size_t i = 0; i < log->mark_count && !*has; i++)
        *has = memcmp(log->marks[i].digest, digest, 32) == 0;
    return *has ? 0 : catalog_marked(log->catalog, digest, has, err);
}

int registry_log_seen(const struct registry_log *log, const unsigned char text[32],
                      const unsigned char mail[32], enum registry_seen *seen, struct err *err)
{
    bool has;
    *seen = REGISTRY_NEW;
    if (holds(log, mail, &has, err))
        return -1;
    if (has)
        *seen = REGISTRY_SEEN_MAIL;
    else if (holds(log, text, &has, err))
        return -1;
    else if (has)
        *seen = REGISTRY_SEEN_TEXT;
    return 0;
}
