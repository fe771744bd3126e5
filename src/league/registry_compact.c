#include "league/registry_compact.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "league/registry_applied.h"
#include "league/registry_known.h"
#include "league/own_secrets.h"
#include "league/roster.h"

#define LABEL       "turnpost/documents"
#define DOCUMENT    ((size_t)4 << 20)
#define ARCHIVE_MAX ((size_t)1 << 31)
#define ONLY_OURS   0600

/* ---- all documents, as one digest ---- */

static int add_document(const struct registry_log *log, const char *path, crypto_generichash_state *all,
                        struct err *err)
{
    struct str bytes = STR_INIT;
    unsigned char digest[32];
    char *full = path_join(log->dir, path);
    int rc = file_read(full, DOCUMENT, &bytes, err);
    if (rc == 0) {
        crypto_generichash(digest, sizeof digest, (const unsigned char *)bytes.p, bytes.len, NULL, 0);
        crypto_generichash_update(all, (const unsigned char *)path, strlen(path) + 1);
        crypto_generichash_update(all, digest, sizeof digest);
    }
    free(full);
    str_release(&bytes);
    return rc;
}

/* Only what a record may write. */
static int add_path(const struct registry_log *log, const char *path, crypto_generichash_state *all,
                    int *count, struct err *err)
{
    char *full = path_join(log->dir, path);
    int rc = 0;
    if (registry_keeps(path) && file_is_plain(full)) {
        rc = add_document(log, path, all, err);
        (*count)++;
    }
    free(full);
    return rc;
}

/* In the order of their paths. */
static int add_folder(const struct registry_log *log, const char *folder, crypto_generichash_state *all,
                      int *count, struct err *err)
{
    struct file_names names;
    char *dir = path_join(log->dir, folder);
    int rc = file_list(dir, &names, err);
    free(dir);
    if (rc)
        return -1;
    for (size_t i = 0; rc == 0 && i < names.count; i++) {
        char *path = path_join(folder, names.name[i]);
        rc = add_path(log, path, all, count, err);
        free(path);
    }
    file_names_free(&names);
    return rc;
}

static json_t *checkpoint(const struct registry_log *log, struct err *err)
{
    static const char *const places[] = {
        "keys", "players", ROSTER_COMPETITIONS, ROSTER_GAMES, PAGE_DOCUMENT, OWN_SECRETS, "tokens"};
    crypto_generichash_state all;
    unsigned char digest[32];
    char hex[65];
    int count = 0;
    crypto_generichash_init(&all, NULL, 0, sizeof digest);
    crypto_generichash_update(&all, (const unsigned char *)LABEL, sizeof LABEL);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if ((registry_keeps(places[i]) ? add_path : add_folder)(log, places[i], &all, &count, err))
            return NULL;
    crypto_generichash_final(&all, digest, sizeof digest);
    (void)sodium_bin2hex(hex, sizeof hex, digest, sizeof digest);
    return json_pack("{s:s,s:s,s:i,s:{}}", "what", REGISTRY_CHECKPOINT, "documents", hex, "count", count,
                     "files");
}

/* ---- archives ---- */

static char *archive_path(const struct registry_log *log, int64_t seq)
{
    struct str path = STR_INIT;
    str_addf(&path, "%s/" REGISTRY_GAME "/" REGISTRY_FRONT "%lld.jsonl", log->dir, (long long)seq);
    return str_detach(&path);
}

int registry_archive_read(const struct registry_log *log, int64_t seq, int64_t from, struct str *lines,
                          struct err *err)
{
    struct str all = STR_INIT;
    char *path = archive_path(log, seq);
    int rc = file_read(path, ARCHIVE_MAX, &all, err);
    if (rc == 0 && from > (int64_t)all.len)
        rc = err_set(err, ERR_BROKEN, "%s is shorter than the journal was", path);
    if (rc == 0)
        str_addslice(lines, slice_sub(slice_str(&all), (size_t)from, all.len));
    free(path);
    str_release(&all);
    return rc;
}

int64_t registry_archive_seq(const char *name)
{
    char *end = NULL;
    if (!str_starts(name, REGISTRY_FRONT))
        return 0;
    long long seq = strtoll(name + sizeof REGISTRY_FRONT - 1, &end, 10);
    return seq > 0 && strcmp(end, ".jsonl") == 0 ? seq : 0;
}

int registry_archive_find(const struct registry_log *log, int64_t from, struct str *lines, struct err *err)
{
    struct file_names names;
    int64_t found = 0;
    char *dir = path_join(log->dir, REGISTRY_GAME);
    int rc = file_list(dir, &names, err);
    for (size_t i = 0; rc == 0 && i < names.count; i++) {
        int64_t seq = registry_archive_seq(names.name[i]);
        if (seq > log->seq && (!found || seq < found))
            found = seq;
    }
    file_names_free(&names);
    free(dir);
    if (rc == 0 && !found)
        rc = err_set(err, ERR_BROKEN, "the archive that holds record %lld is missing",
                     (long long)log->seq + 1);
    return rc ? rc : registry_archive_read(log, found, from, lines, err);
}

/* ---- the checkpoint ---- */

/* The committed journal. */
static int read_old(struct registry_log *log, struct str *old, struct err *err)
{
    if (store_read(log->store, REGISTRY_GAME, STORE_BEGIN, old, err))
        return -1;
    if ((int64_t)old->len != log->length)
        return err_set(err, ERR_STALE, "the registry's journal has changed while it was worked on");
    return 0;
}

/* The line that will be in its place. */
static int make_line(struct registry_log *log, int64_t now, struct str *line, struct record *record,
                     struct err *err)
{
    json_t *fields = checkpoint(log, err);
    if (!fields)
        return -1;
    return record_make(
        line,
        &(struct record_text){
            {REGISTRY_GAME, log->seq + 1, log->head}, "player", now > log->time ? now : log->time, fields},
        record, err);
}

static int put_in_place(struct registry_log *log, struct slice old, struct slice line, struct err *err)
{
    char *archive = archive_path(log, log->seq);
    char *journal = path_join(log->dir, REGISTRY_GAME "/journal.jsonl");
    int rc = file_write(archive, old, ONLY_OURS, err);
    if (rc == 0)
        rc = file_write(journal, line, ONLY_OURS, err);
    free(archive);
    free(journal);
    return rc;
}

int registry_compact(struct registry_log *log, int64_t now, struct err *err)
{
    struct str old = STR_INIT, line = STR_INIT;
    struct record record;
    if (!log->length || log->records.len || json_object_size(log->files))
        return 0;
    if (registry_applied_write(log, err))
        return -1;
    int rc = read_old(log, &old, err);
    if (rc == 0)
        rc = make_line(log, now, &line, &record, err);
    if (rc == 0) {
        rc = put_in_place(log, slice_str(&old), slice_str(&line), err);
        if (rc == 0) {
            log->base = log->seq++;
            log->time = record.time;
            log->length = (int64_t)line.len;
            memcpy(log->head, record.head, HEAD_BYTES);
            rc = registry_applied_write(log, err);
        }
        record_release(&record);
    }
    str_release(&old);
    str_release(&line);
    return rc;
}

int registry_compact_due(struct registry_log *log, int64_t now, struct err *err)
{
    if (log->length < REGISTRY_LONG && log->seq - log->base < REGISTRY_MANY)
        return 0;
    return registry_compact(log, now, err);
}
