#include "league/registry_documents.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "league/registry_compact.h"
#include "league/registry_sealing.h"

#define FILE_MOST ((size_t)1 << 31)

/* One document, searched for along the chain of records. */
struct search {
    const char *league_dir, *path;
    json_t *found; /* json_null() = it was removed */
    int64_t time;
    struct err doubt; /* an untrustworthy record after the one found */
    /* the file being read, in registry/ */
    const char *file;
    int64_t line, seq;
    bool linked; /* the previous line was a record of the league, and this is its head */
    unsigned char head[HEAD_BYTES];
    int64_t first; /* the record it begins with, 0 = unreadable; and the one that that follows */
    unsigned char prev[HEAD_BYTES];
};

/* It may be about the document too. Of several the first is named. */
static void doubt_line(struct search *search, const char *why)
{
    err_set(&search->doubt, ERR_BROKEN,
            "line %lld of " REGISTRY_GAME
            "/%s cannot be believed (%s), so nobody knows whether that is %s as "
            "it was last; take the file from a backup",
            (long long)search->line, search->file, why, search->path);
}

static void doubt_archive(struct search *search, int64_t last)
{
    err_set(&search->doubt, ERR_BROKEN,
            "no archive in " REGISTRY_GAME " ends with the record %lld that %s follows, so nobody knows "
            "whether that is %s as it was last; put it back, or take the file from a backup",
            (long long)last, search->file, search->path);
}

static void take_document(struct search *search, const struct record *record)
{
    json_t *value = json_object_get(json_object_get(record->json, "files"), search->path);
    if (!value)
        return;
    json_decref(search->found);
    search->found = json_incref(value);
    search->time = record->time;
    err_clear(&search->doubt);
}

/* It follows the line before, or its own file begins with it. */
static void place(struct search *search, const struct record *record)
{
    int64_t before = search->seq;
    bool first = search->line == 1;
    if (!first && record->seq <= before) {
        doubt_line(search, "it is an older record");
        return;
    }
    if (!first && (record->seq != before + 1 ||
                   (search->linked && memcmp(record->prev, search->head, HEAD_BYTES) != 0)))
        doubt_line(search, "it does not follow the line before");
    search->seq = record->seq;
    search->linked = true;
    memcpy(search->head, record->head, HEAD_BYTES);
    if (first) {
        search->first = record->seq;
        memcpy(search->prev, record->prev, HEAD_BYTES);
    }
    take_document(search, record);
}

/* Its owner may have left since. */
static bool is_lost(const struct search *search, const struct record *record)
{
    const char *player = json_string_value(json_object_get(record->json, "player"));
    struct str path = STR_INIT;
    str_addf(&path, "players/%s.json", player ? player : "");
    bool lost = strcmp(path.p, search->path) == 0;
    str_release(&path);
    return lost;
}

static int look_at(struct search *search, const struct record *record, struct err *err)
{
    bool erased;
    if (registry_unseal(search->league_dir, record->json, &erased, err))
        return -1;
    place(search, record);
    if (erased && is_lost(search, record))
        doubt_line(search, "it is sealed, and the key is not in " SEALING_DIR);
    return 0;
}

static void look_at_line(struct search *search, struct slice line)
{
    struct record record;
    struct err why = ERR_INIT;
    search->line++;
    int rc = record_parse(line, &record, &why);
    if (rc == 0) {
        rc = record_follows(&record, &(struct record_place){REGISTRY_GAME, record.seq, record.prev}, &why);
        if (rc == 0)
            rc = look_at(search, &record, &why);
        record_release(&record);
    }
    if (rc) {
        doubt_line(search, why.text);
        search->seq++;
        search->linked = false;
    }
}

/* The last line of the file that brings it. An archive has to end where the newer file begins. */
static void look_into(struct search *search, struct slice lines)
{
    struct slice rest = lines, line;
    struct search newer = *search;
    err_clear(&search->doubt);
    search->line = search->seq = search->first = 0;
    search->linked = false;
    while (slice_whole_line(&rest, &line))
        look_at_line(search, line);
    if (newer.first && (!search->linked || search->seq != newer.first - 1 ||
                        memcmp(search->head, newer.prev, HEAD_BYTES) != 0))
        doubt_archive(&newer, newer.first - 1);
    if (newer.doubt.code)
        search->doubt = newer.doubt;
}

static int look_into_file(struct search *search, const char *dir, const char *name, struct err *err)
{
    struct str lines = STR_INIT;
    char *path = path_join(dir, name);
    search->file = name;
    int rc = file_exists(path) ? file_read(path, FILE_MOST, &lines, err) : 0;
    if (rc == 0 && lines.len)
        look_into(search, slice_str(&lines));
    free(path);
    str_release(&lines);
    return rc;
}

/* ---- who is in it ---- */

/* bob, of players/bob.json or keys/bob.pub; NULL of other files. The caller frees. */
static char *player_of(const char *path)
{
    const char *name = strchr(path, '/'), *end = strrchr(path, '.');
    if (!(str_starts(path, "players/") || str_starts(path, "keys/")) || !end || end < name)
        return NULL;
    return slice_dup((struct slice){name + 1, (size_t)(end - name - 1)});
}

void registry_document_note(json_t *names, const json_t *files)
{
    const char *path;
    json_t *value;
    json_object_foreach ((json_t *)(uintptr_t)files, path, value) {
        char *player = player_of(path);
        if (player && !(json_is_null(value) && str_starts(path, "keys/")))
            json_object_set_new(names, player, json_boolean(!json_is_null(value)));
        free(player);
    }
}

static void note_keys(json_t *keys, const json_t *files)
{
    const char *path;
    json_t *value;
    json_object_foreach ((json_t *)(uintptr_t)files, path, value) {
        char *player = str_starts(path, "keys/") ? player_of(path) : NULL;
        if (player)
            json_object_set(keys, player, value);
        free(player);
    }
}

/* What is gathered, from the `files` of each record. */
struct gathering {
    const char *league_dir;
    void (*note)(json_t *out, const json_t *files);
    json_t *out;
};

static int note_lines(const struct gathering *gathering, struct slice lines, const char *file,
                      struct err *err)
{
    struct slice rest = lines, line;
    while (slice_whole_line(&rest, &line)) {
        struct record record;
        if (record_parse(line, &record, err))
            return err_prefix(err, "%s/%s", REGISTRY_GAME, file);
        bool erased;
        int rc = registry_unseal(gathering->league_dir, record.json, &erased, err);
        if (rc == 0)
            gathering->note(gathering->out, json_object_get(record.json, "files"));
        record_release(&record);
        if (rc)
            return err_prefix(err, "%s/%s", REGISTRY_GAME, file);
    }
    return 0;
}

static int note_file(const struct gathering *gathering, const char *dir, const char *file, struct err *err)
{
    struct str lines = STR_INIT;
    char *path = path_join(dir, file);
    int rc = file_exists(path) ? file_read(path, FILE_MOST, &lines, err) : 0;
    if (rc == 0)
        rc = note_lines(gathering, slice_str(&lines), file, err);
    free(path);
    str_release(&lines);
    return rc;
}

/* ---- journal and archives ---- */

static bool is_archive(const char *name)
{
    return str_starts(name, REGISTRY_FRONT) && str_ends(name, ".jsonl");
}

static int compare_versions(const void *a, const void *b)
{
    return strverscmp(*(char *const *)b, *(char *const *)a);
}

/* The archives, newest first. */
static int list_archives(const char *dir, struct file_names *names, struct err *err)
{
    if (file_list(dir, names, err))
        return -1;
    if (names->count)
        qsort(names->name, names->count, sizeof *names->name, compare_versions);
    return 0;
}

/* A crash may have left a copy of what is in a newer file already (league/registry_compact.h). */
static bool is_wanted(const struct search *search, const char *name)
{
    return is_archive(name) &&
           (!search->first || strtoll(name + sizeof REGISTRY_FRONT - 1, NULL, 10) < search->first);
}

static int look_everywhere(struct search *search, const char *dir, struct err *err)
{
    struct file_names names;
    int rc = list_archives(dir, &names, err);
    if (rc == 0)
        rc = look_into_file(search, dir, "journal.jsonl", err);
    for (size_t i = 0; rc == 0 && !search->found && i < names.count; i++)
        if (is_wanted(search, names.name[i]))
            rc = look_into_file(search, dir, names.name[i], err);
    if (rc == 0 && !search->found && search->first > 1)
        doubt_archive(search, search->first - 1);
    if (rc == 0 && search->doubt.code)
        rc = err_pass(err, &search->doubt);
    file_names_free(&names);
    return rc;
}

int registry_document(const char *league_dir, const char *path, struct registry_found *found, struct err *err)
{
    struct search search = {.league_dir = league_dir, .path = path};
    char *dir = path_join(league_dir, REGISTRY_GAME);
    int rc = look_everywhere(&search, dir, err);
    found->document = rc == 0 && !json_is_null(search.found) ? search.found : NULL;
    if (rc)
        json_decref(search.found);
    found->time = search.time;
    free(dir);
    return rc;
}

/* From the oldest archive on. */
static int gather(const char *league_dir, void (*note)(json_t *out, const json_t *files), json_t **out,
                  struct err *err)
{
    struct file_names archives = {NULL, 0};
    const struct gathering gathering = {league_dir, note, json_object()};
    char *dir = path_join(league_dir, REGISTRY_GAME);
    int rc = list_archives(dir, &archives, err);
    for (size_t i = archives.count; rc == 0 && i > 0; i--)
        if (is_archive(archives.name[i - 1]))
            rc = note_file(&gathering, dir, archives.name[i - 1], err);
    if (rc == 0)
        rc = note_file(&gathering, dir, "journal.jsonl", err);
    file_names_free(&archives);
    free(dir);
    *out = gathering.out;
    if (rc) {
        json_decref(gathering.out);
        *out = NULL;
    }
    return rc;
}

int registry_document_names(const char *league_dir, json_t **names, struct err *err)
{
    return gather(league_dir, registry_document_note, names, err);
}

int registry_document_keys(const char *league_dir, json_t **keys, struct err *err)
{
    return gather(league_dir, note_keys, keys, err);
}
