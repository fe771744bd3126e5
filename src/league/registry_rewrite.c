#include "league/registry_rewrite.h"

#include <stdlib.h>
#include <string.h>

#include "league/registry_applied.h"
#include "league/registry_compact.h"

#define BLOTTED   "erased" /* in place of what is sealed */
#define ONLY_OURS 0600

/* ---- one record ---- */

static bool names(const json_t *document, const char *player)
{
    const char *name = json_string_value(json_object_get(document, "name"));
    const char *owner = json_string_value(json_object_get(document, "player"));
    return (name && strcmp(name, player) == 0) || (owner && strcmp(owner, player) == 0);
}

/* Their document, and what was kept of one in tokens/. */
static bool blot_files(json_t *files, const char *player)
{
    struct str own = STR_INIT;
    const char *path;
    json_t *value;
    void *next;
    bool found = false;
    str_addf(&own, "players/%s.json", player);
    json_object_foreach_safe (files, next, path, value) {
        if (!json_is_object(value) || !(strcmp(path, own.p) == 0 || names(value, player)))
            continue;
        if (str_starts(path, "tokens/"))
            json_object_set_new(files, path, json_null());
        else
            json_object_del(files, path);
        found = true;
    }
    str_release(&own);
    return found;
}

/* Takes what is in the clear about the player out of a record's members. */
static bool blot(json_t *fields, const char *player)
{
    static const char *const texts[] = {"signed", "said", "typed", "evidence"};
    const char *whose = json_string_value(json_object_get(fields, "player"));
    bool found = blot_files(json_object_get(fields, "files"), player);
    if (whose && strcmp(whose, player) == 0)
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            found |= json_object_del(fields, texts[i]) == 0;
    if (found && whose && !json_object_get(fields, "sealed"))
        json_object_set_new(fields, "sealed", json_string(BLOTTED));
    return found;
}

/* ---- the chain ---- */

struct rewriting {
    const struct registry_log *log;
    const char *player;
    struct str out;
    unsigned char head[HEAD_BYTES]; /* of the last record of `out` */
    bool changed;                   /* the chain is another one from here on */
    int64_t first, last;            /* records */
};

static int rewrite_record(struct rewriting *r, struct slice line, struct err *err)
{
    static const char *const common[] = {"v", "game", "seq", "prev", "type", "time", "sig"};
    struct record old, made;
    if (record_parse(line, &old, err))
        return -1;
    json_t *fields = json_copy(old.json);
    json_t *files = json_copy(json_object_get(fields, "files"));
    int rc = 0;
    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        json_object_del(fields, common[i]);
    if (files)
        json_object_set_new(fields, "files", files);
    r->changed |= blot(fields, r->player);
    r->first = r->first ? r->first : old.seq;
    r->last = old.seq;
    if (r->changed) {
        rc = record_make(&r->out,
                         &(struct record_text){{REGISTRY_GAME, old.seq, r->out.len ? r->head : old.prev},
                                               old.type,
                                               old.time,
                                               json_incref(fields)},
                         r->log->secret, &made, err);
        if (rc == 0) {
            memcpy(r->head, made.head, HEAD_BYTES);
            record_release(&made);
        }
    } else {
        str_addslice(&r->out, line);
        memcpy(r->head, old.head, HEAD_BYTES);
    }
    json_decref(fields);
    record_release(&old);
    return rc;
}

static int rewrite_lines(struct rewriting *r, struct slice lines, struct err *err)
{
    struct slice line;
    while (lines.len) {
        const char *from = lines.p;
        if (!slice_line(&lines, &line))
            break;
        if (rewrite_record(r, (struct slice){from, (size_t)(lines.p - from)}, err))
            return -1;
    }
    return 0;
}

/* ---- archives ---- */

/* Reads the archives from the oldest on: each begins after the last record of the one before. */
static int rewrite_archives(struct rewriting *r, struct err *err)
{
    struct registry_log at = *r->log; /* its `seq` is how far they have been read */
    struct str lines = STR_INIT;
    int rc = 0;
    at.seq = 0;
    while (rc == 0 && at.seq < r->log->base) {
        str_clear(&lines);
        rc = registry_archive_find(&at, 0, &lines, err);
        if (rc == 0)
            rc = rewrite_lines(r, slice_str(&lines), err);
        if (rc == 0 && r->last <= at.seq)
            rc = err_set(err, ERR_BROKEN, "an archive in registry/ holds no record after %lld",
                         (long long)at.seq);
        at.seq = r->last;
    }
    str_release(&lines);
    return rc;
}

int registry_rewrite_tidy(const struct registry_log *log, struct err *err)
{
    struct file_names all = {NULL, 0};
    char *dir = path_join(log->dir, REGISTRY_GAME);
    int rc = file_exists(dir) ? file_list(dir, &all, err) : 0;
    for (size_t i = 0; rc == 0 && i < all.count; i++) {
        char *path = path_join(dir, all.name[i]);
        int64_t seq = registry_archive_seq(all.name[i]);
        if (seq > log->base && seq <= log->seq)
            rc = file_remove(path, err);
        free(path);
    }
    file_names_free(&all);
    free(dir);
    return rc;
}

/* ---- all of it ---- */

static int put_in_place(struct registry_log *log, const struct rewriting *r, struct err *err)
{
    char *journal = path_join(log->dir, REGISTRY_GAME "/journal.jsonl");
    int rc = file_write(journal, slice_str(&r->out), ONLY_OURS, err);
    free(journal);
    if (rc)
        return -1;
    log->base = r->first - 1;
    log->length = (int64_t)r->out.len;
    memcpy(log->head, r->head, HEAD_BYTES);
    return registry_applied_write(log, err) || registry_rewrite_tidy(log, err) ? -1 : 0;
}

int registry_rewrite(struct registry_log *log, const char *player, struct err *err)
{
    struct rewriting r = {.log = log, .player = player, .out = STR_INIT};
    struct str lines = STR_INIT;
    int rc = rewrite_archives(&r, err);
    if (rc == 0)
        rc = store_read(log->store, REGISTRY_GAME, STORE_BEGIN, &lines, err);
    if (rc == 0)
        rc = rewrite_lines(&r, slice_str(&lines), err);
    if (rc == 0 && r.changed && r.last != log->seq)
        rc = err_set(err, ERR_STALE, "the registry's journal has changed while it was worked on");
    if (rc == 0 && r.changed)
        rc = put_in_place(log, &r, err);
    str_release(&lines);
    str_release(&r.out);
    return rc;
}
