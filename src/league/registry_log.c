#include "league/registry_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "league/registry_applied.h"
#include "league/registry_compact.h"
#include "league/registry_documents.h"
#include "league/registry_known.h"
#include "league/registry_leaving.h"
#include "league/registry_marks.h"
#include "league/registry_sealing.h"
#include "league/roster.h"

#define FILES_MODE 0600
#define KEYS_MODE  0644

/* ---- files ---- */

/* What the file is to hold; false: it is to be removed. */
static bool content(const json_t *value, struct str *text)
{
    if (json_is_null(value))
        return false;
    if (json_is_string(value)) {
        str_adds(text, json_string_value(value));
        return true;
    }
    json_write_pretty(text, value);
    str_trim(text);
    str_addc(text, '\n');
    return true;
}

static int write_one(const char *dir, const char *name, const json_t *value, bool doubt, struct err *err)
{
    struct str text = STR_INIT;
    if (json_is_false(value)) /* mark_erased */
        return err_set(
            err, ERR_BROKEN,
            "%s cannot be written again: the key that its records are sealed under is not in " SEALING_DIR
            "; put that back from a backup",
            name);
    char *path = path_join(dir, name);
    bool stays = content(value, &text);
    int rc = doubt ? registry_applied_keep(dir, name, stays ? &text : NULL, err) : 0;
    if (rc == 0)
        rc = stays ? file_write(path, slice_str(&text), json_is_string(value) ? KEYS_MODE : FILES_MODE, err)
                   : file_remove(path, err);
    free(path);
    str_release(&text);
    return rc;
}

static int write_files(const char *dir, json_t *files, bool doubt, struct err *err)
{
    const char *name;
    json_t *value;
    json_object_foreach (files, name, value)
        if (write_one(dir, name, value, doubt, err))
            return -1;
    return 0;
}

/* ---- opening ---- */

static void take_files(struct registry_log *log, json_t *files)
{
    const char *name;
    json_t *value;
    json_object_foreach (files, name, value)
        json_object_set(log->files, name, value);
}

/* The document of a player whose key is gone; a later record says that they left, or it cannot be written. */
static void mark_erased(struct registry_log *log, const json_t *fields)
{
    struct str path = STR_INIT;
    str_addf(&path, "players/%s.json", json_string_value(json_object_get(fields, "player")));
    json_object_set_new(log->files, path.p, json_false());
    str_release(&path);
}

static int take_record(struct registry_log *log, const struct record *record, struct err *err)
{
    bool erased;
    if (registry_known(record, err) || registry_unseal(log->dir, record->json, &erased, err))
        return -1;
    if (erased)
        mark_erased(log, record->json);
    take_files(log, json_object_get(record->json, "files"));
    return 0;
}

/* Reads the records after `length`. */
static int catch_up(struct registry_log *log, struct slice lines, struct err *err)
{
    struct slice rest = lines;
    struct slice line;
    while (slice_whole_line(&rest, &line)) {
        struct record record;
        int rc = record_parse(line, &record, err);
        if (rc == 0) {
            rc = record_follows(&record, &(struct record_place){REGISTRY_GAME, log->seq + 1, log->head}, err);
            if (rc == 0)
                rc = take_record(log, &record, err);
            log->seq++;
            log->time = record.time;
            memcpy(log->head, record.head, HEAD_BYTES);
            record_release(&record);
        }
        if (rc)
            return err_prefix(err, "registry, record %lld", (long long)log->seq);
    }
    log->length += (int64_t)lines.len;
    return 0;
}

/* Documents older than the checkpoint: a backup copied them before the journal was compacted, once or more.
 * An archive is what the journal was, so offsets in the first one are those of the journal then; later ones
 * are read whole. */
static int catch_up_archives(struct registry_log *log, struct err *err)
{
    int64_t place = log->length;
    int rc = 0;
    while (rc == 0 && log->seq < log->base) {
        struct str lines = STR_INIT;
        int64_t before = log->seq;
        rc = registry_archive_find(log, place, &lines, err);
        if (rc == 0)
            rc = catch_up(log, slice_str(&lines), err);
        str_release(&lines);
        if (rc == 0 && log->seq == before)
            rc = err_set(err, ERR_BROKEN, "the archive that holds record %lld ends before it",
                         (long long)before + 1);
        place = 0;
    }
    return rc;
}

/* An older journal was put back: players and keys would become what they were, including revoked keys.
 */
static int refuse_older(const struct registry_log *log, struct err *err)
{
    struct str lines = STR_INIT;
    struct record record;
    int64_t end = log->base;
    int rc = store_read(log->store, REGISTRY_GAME, STORE_BEGIN, &lines, err);
    const char *last = lines.len > 1 ? memrchr(lines.p, '\n', lines.len - 1) : NULL;
    size_t from = last ? (size_t)(last + 1 - lines.p) : 0;
    if (rc == 0 && lines.len) {
        rc = record_parse(slice_sub(slice_str(&lines), from, lines.len), &record, err);
        if (rc == 0) {
            end = record.seq;
            record_release(&record);
        } else {
            err_prefix(err, "the last line of " REGISTRY_GAME "/journal.jsonl");
        }
    }
    str_release(&lines);
    if (rc == 0 && end < log->seq)
        rc = err_set(
            err, ERR_BROKEN,
            REGISTRY_GAME
            "/journal.jsonl ends with record %lld, and the files of players and keys are "
            "as record %lld left them (" REGISTRY_GAME "/applied): an older journal was put back, or "
            "its end is lost; put the newer one back; or, if it is lost for good, make this league again "
            "from a copy of itself (turnpost backup, then turnpost restore): players and keys become what "
            "they were then",
            (long long)end, (long long)log->seq);
    return rc;
}

/* Where the files are, against the journal as it is. A journal that was compacted begins after its archive;
 * where registry/applied is older than that, or gone, all of it is still to be read. */
static int place_in(struct registry_log *log, const struct record *first, struct err *err)
{
    bool holds = true;
    if (log->seq > log->base && registry_applied_holds(log, &holds, err))
        return -1;
    if (!holds && refuse_older(log, err))
        return -1;
    if (!holds) {
        log_warn("registry/applied says record %lld, but the journal has another there, or ends before it; "
                 "all records since record %lld are applied again",
                 (long long)log->seq, (long long)log->base + 1);
        log->doubt = true;
        log->seq = 0;
    }
    if (log->seq > log->base)
        return 0;
    if (log->seq && log->seq < log->base && catch_up_archives(log, err))
        return err_prefix(
            err,
            "registry/applied says record %lld, and the journal begins with record %lld: "
            "put the archives back, or remove registry/applied to go on with players and keys as they are",
            (long long)log->seq, (long long)first->seq);
    if (log->seq && memcmp(log->head, first->prev, HEAD_BYTES) != 0)
        return err_set(err, ERR_BROKEN, "registry: its journal does not follow its archive");
    log->seq = log->base;
    log->length = 0;
    memcpy(log->head, first->prev, HEAD_BYTES);
    return 0;
}

static int find_start(struct registry_log *log, struct err *err)
{
    struct str line = STR_INIT;
    struct record first = {.json = NULL};
    int rc = store_line(log->store, REGISTRY_GAME, STORE_BEGIN, &line, err);
    if (rc == 0 && line.len &&
        (record_parse(slice_str(&line), &first, err) ||
         record_follows(&first, &(struct record_place){REGISTRY_GAME, first.seq, first.prev}, err)))
        rc = registry_line_damaged(1, err);
    if (rc == 0 && line.len) {
        const char *what = json_string_value(json_object_get(first.json, "what"));
        log->base = first.seq - 1;
        if (log->base && (!what || strcmp(what, REGISTRY_CHECKPOINT) != 0))
            rc = err_set(err, ERR_BROKEN,
                         "registry: its journal begins with record %lld, which is no checkpoint",
                         (long long)first.seq);
        else
            rc = place_in(log, &first, err);
    } else if (rc == 0 && log->seq > 0) {
        rc = refuse_older(log, err);
    }
    record_release(&first);
    str_release(&line);
    return rc;
}

static int look(struct registry_log *log, struct err *err)
{
    if (registry_applied_alone(log->dir, err))
        return -1;
    if (!store_has(log->store, REGISTRY_GAME))
        return 0;
    registry_applied_read(log);
    log->settled = log->seq;
    return registry_known_all(log, err) || find_start(log, err) ? -1 : 0;
}

int registry_log_look(const char *league_dir, struct err *err)
{
    struct registry_log log = {.records = STR_INIT};
    log.dir = mem_strdup(league_dir);
    log.store = store_open_private(league_dir);
    int rc = look(&log, err);
    registry_log_close(&log);
    return rc;
}

int registry_log_open(struct registry_log *log, const char *league_dir, struct err *err)
{
    struct str lines = STR_INIT;
    memset(log, 0, sizeof *log);
    str_init(&log->records);
    log->dir = mem_strdup(league_dir);
    log->files = json_object();
    static const char *const folders[] = {"tokens", ROSTER_GAMES, ROSTER_COMPETITIONS};
    int rc = 0;
    for (size_t i = 0; i < sizeof folders / sizeof *folders && rc == 0; i++) {
        char *path = path_join(league_dir, folders[i]);
        rc = file_mkdirs(path, 0700, err);
        free(path);
    }
    log->store = store_open_private(league_dir);
    if (rc == 0)
        rc = look(log, err);
    if (rc == 0 && store_has(log->store, REGISTRY_GAME)) {
        rc = store_read_mending(log->store, REGISTRY_GAME, (struct store_pos){log->seq, log->length}, &lines,
                                err);
    }
    if (rc == 0)
        rc = catch_up(log, slice_str(&lines), err);
    if (rc == 0)
        rc = registry_log_settle(log, err);
    log->doubt = false;
    str_release(&lines);
    if (rc)
        registry_log_close(log);
    return rc;
}

void registry_log_close(struct registry_log *log)
{
    if (!log->dir)
        return;
    str_release(&log->records);
    json_decref(log->files);
    json_decref(log->names);
    free(log->marks);
    store_close(log->store);
    free(log->dir);
    memset(log, 0, sizeof *log);
}

/* ---- changes ---- */

static void add_path(json_t *files, const char *front, const char *name, const char *end, json_t *value)
{
    struct str path = STR_INIT;
    str_addf(&path, "%s%s%s", front, name, end);
    json_object_set_new(files, path.p, value);
    str_release(&path);
}

static json_t *keys_text(const struct registry_change *change)
{
    struct str text = STR_INIT;
    for (size_t i = 0; i < change->key_count; i++) {
        pubkey_format(&text, &change->keys[i]);
        str_addc(&text, '\n');
    }
    json_t *value = json_stringn(text.p, text.len);
    str_release(&text);
    return value;
}

static json_t *change_files(const struct registry_change *change, struct err *err)
{
    json_t *files = json_object();
    const char *name;
    json_t *value;
    if (change->player) {
        json_t *player = player_document(change->player, err);
        if (!player) {
            json_decref(files);
            return NULL;
        }
        add_path(files, "players/", change->player->name, ".json", player);
    }
    if (change->key_owner)
        add_path(files, "keys/", change->key_owner, ".pub",
                 change->key_count ? keys_text(change) : json_null());
    if (change->removed) {
        add_path(files, "players/", change->removed, ".json", json_null());
        add_path(files, "keys/", change->removed, ".pub", json_null());
    }
    if (change->page)
        json_object_set_new(files, PAGE_DOCUMENT, page_written_document(change->page));
    json_object_foreach ((json_t *)(uintptr_t)change->own, name, value)
        json_object_set(files, name, value);
    json_object_foreach ((json_t *)(uintptr_t)change->tokens, name, value)
        add_path(files, "tokens/", name, ".json", json_incref(value));
    return files;
}

/* What is read when a league starts is read before it is recorded: by the same functions, or no start would come to an end. */
static int judge_documents(const struct registry_change *change, const json_t *files, struct err *err)
{
    struct str path = STR_INIT, text = STR_INIT;
    struct player again;
    const char *token;
    json_t *document;
    int rc = 0;
    if (change->player) {
        str_addf(&path, "players/%s.json", change->player->name);
        (void)content(json_object_get(files, path.p), &text);
        rc = player_read(slice_str(&text), change->player->name, path.p, &again, err);
    }
    json_object_foreach ((json_t *)(uintptr_t)change->tokens, token, document)
        if (rc == 0)
            rc = registry_known_token(token, document, err);
    if (rc)
        err->code = ERR_UNSOUND;
    str_release(&path);
    str_release(&text);
    return rc;
}

/* Whoever left in this commit still has a key, which is destroyed after it: nothing may be sealed under it. */
static int leaves_now(const struct registry_log *log, const struct registry_change *change, struct err *err)
{
    struct str path = STR_INIT;
    if (change->player)
        str_addf(&path, "players/%s.json", change->player->name);
    bool leaves = path.len && json_is_null(json_object_get(log->files, path.p));
    str_release(&path);
    return leaves ? err_set(err, ERR_INPUT, "%s has left a moment ago; try again in a few minutes",
                            change->player->name)
                  : 0;
}

int registry_log_add(struct registry_log *log, struct registry *registry, struct keyring *keyring,
                     const struct registry_change *change, int64_t now, struct err *err)
{
    struct record record;
    const char *owner = change->key_owner ? change->key_owner : change->removed;
    if (leaves_now(log, change, err))
        return -1;
    json_t *files = change_files(change, err);
    if (!files)
        return -1;
    if (judge_documents(change, files, err)) {
        json_decref(files);
        return -1;
    }
    if (owner && keyring_set(keyring, owner, change->keys, change->key_count, err)) {
        json_decref(files);
        return -1;
    }
    json_t *fields = change->evidence ? json_copy((json_t *)(uintptr_t)change->evidence) : json_object();
    const char *name = change->player      ? change->player->name
                       : change->key_owner ? change->key_owner
                                           : change->removed;
    json_object_set_new(fields, "what", json_string(change->what));
    if (name)
        json_object_set_new(fields, "player", json_string(name));
    json_object_set(fields, "files", files);
    int64_t time = now > log->time ? now : log->time;
    if (registry_seal(log->dir, fields, err)) {
        json_decref(fields);
        json_decref(files);
        return -1;
    }
    const size_t before = log->records.len;
    int rc =
        record_make(&log->records,
                    &(struct record_text){{REGISTRY_GAME, log->seq + 1, log->head}, "player", time, fields},
                    &record, err);
    if (rc == 0 && registry_known(&record, err)) {
        err->code = ERR_UNSOUND;
        str_cut(&log->records, before);
        record_release(&record);
        rc = -1;
    }
    if (rc == 0) {
        take_files(log, files);
        if (log->names)
            registry_document_note(log->names, files);
        if (change->player)
            registry_put(registry, change->player);
        if (change->removed)
            registry_remove(registry, change->removed);
        if (change->page)
            registry->page = *change->page;
        log->seq++;
        log->time = time;
        memcpy(log->head, record.head, HEAD_BYTES);
        registry_marks_add(log, record.json, time);
        record_release(&record);
    }
    json_decref(files);
    return rc;
}

/* "tokens/i4f9a....json" -> "i4f9a..." in its own memory; NULL when it is no such name. */
static char *token_of(const char *path, char kind)
{
    static const char folder[] = "tokens/", end[] = ".json";
    size_t front = sizeof folder - 1, len = strlen(path);
    if (!str_starts(path, folder) || path[front] != kind || !str_ends(path, end))
        return NULL;
    return slice_dup((struct slice){path + front, len - front - (sizeof end - 1)});
}

static void names_add(struct file_names *names, size_t *cap, char *name)
{
    names->name = mem_grow(names->name, names->count, cap, sizeof *names->name);
    names->name[names->count++] = name;
}

int registry_log_tokens(const struct registry_log *log, char kind, struct file_names *names, struct err *err)
{
    struct file_names all;
    struct str path = STR_INIT;
    size_t cap = 0;
    const char *name;
    json_t *value;
    *names = (struct file_names){NULL, 0};
    char *dir = path_join(log->dir, "tokens");
    int rc = file_list(dir, &all, err);
    free(dir);
    if (rc)
        return -1;
    for (size_t i = 0; i < all.count; i++) {
        str_clear(&path);
        str_addf(&path, "tokens/%s", all.name[i]);
        char *token = json_object_get(log->files, path.p) ? NULL : token_of(path.p, kind);
        if (token)
            names_add(names, &cap, token);
    }
    json_object_foreach (log->files, name, value) {
        char *token = json_is_null(value) ? NULL : token_of(name, kind);
        if (token)
            names_add(names, &cap, token);
    }
    file_names_free(&all);
    str_release(&path);
    return 0;
}

/* What it was for is unknown, so nobody is told that it is no longer valid. */
static int damaged_token(const char *path, const char *why, struct err *err)
{
    return err_set(err, ERR_IO,
                   "%s cannot be read (%s); mails that need it wait: repair it, or take it from a backup, or "
                   "remove it, and they are told that it has expired",
                   path, why);
}

static int judge_token(const char *path, const char *name, const json_t *document, struct err *err)
{
    const char *expires = json_string_value(json_object_get(document, "expires"));
    int64_t time;
    if (registry_known_token(name, document, err))
        return -1;
    if (!expires || !clock_parse(slice_of(expires), &time))
        return damaged_token(path, "it does not say when it expires", err);
    return 0;
}

int registry_token_read(const char *league_dir, const char *name, json_t **document, struct err *err)
{
    struct err why = ERR_INIT;
    struct str path = STR_INIT;
    int rc = 0;
    str_addf(&path, "%s/tokens/%s.json", league_dir, name);
    *document = json_read_file(path.p, &why);
    if (*document)
        rc = judge_token(path.p, name, *document, err);
    else if (why.code != ERR_MISSING)
        rc = damaged_token(path.p, why.text, err);
    if (rc) {
        json_decref(*document);
        *document = NULL;
    }
    str_release(&path);
    return rc;
}

int registry_log_token(const struct registry_log *log, const char *name, json_t **document, struct err *err)
{
    struct str path = STR_INIT;
    int rc = 0;
    *document = NULL;
    if (!name_valid(slice_of(name)))
        return 0;
    str_addf(&path, "tokens/%s.json", name);
    *document = json_incref(json_object_get(log->files, path.p));
    if (!*document)
        rc = registry_token_read(log->dir, name, document, err);
    if (json_is_null(*document))
        *document = NULL; /* json_null() is not counted */
    str_release(&path);
    return rc;
}

int registry_log_names(struct registry_log *log, const json_t **names, struct err *err)
{
    int rc = 0;
    if (!log->names) {
        rc = registry_document_names(log->dir, &log->names, err);
        if (rc == 0)
            registry_document_note(log->names, log->files);
    }
    *names = log->names;
    return rc;
}

/* ---- the commit ---- */

int registry_log_append(struct registry_log *log, struct err *err)
{
    int64_t lines = 0;
    for (size_t i = 0; i < log->records.len; i++)
        lines += log->records.p[i] == '\n';
    struct store_append part = {REGISTRY_GAME, {log->seq - lines, log->length}, slice_str(&log->records)};
    if (!log->records.len)
        return 0;
    if (store_append(log->store, &part, err))
        return -1;
    log->length += (int64_t)log->records.len;
    str_clear(&log->records);
    return 0;
}

int registry_log_settle(struct registry_log *log, struct err *err)
{
    if (!json_object_size(log->files))
        return 0;
    if (registry_leaving_mails(log, err) || write_files(log->dir, log->files, log->doubt, err) ||
        registry_leaving_keys(log, err) || registry_applied_write(log, err))
        return -1;
    log->settled = log->seq;
    json_object_clear(log->files);
    return 0;
}
