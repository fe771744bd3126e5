#include "league/registry_documents.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "league/registry_compact.h"

#define FILE_MOST ((size_t)1 << 31)

struct search {
    const char *path;
    const unsigned char *league;
    json_t *found; /* json_null() = it was removed */
    int64_t time;
};

/* The last line of the file that brings it. */
static void look_into(struct search *search, struct slice lines)
{
    struct str quoted = STR_INIT;
    struct slice rest = lines, line;
    str_addf(&quoted, "\"%s\":", search->path);
    while (rest.len) {
        const char *from = rest.p;
        struct record record;
        struct err why = ERR_INIT;
        if (!slice_line(&rest, &line))
            break;
        line = (struct slice){from, (size_t)(rest.p - from)};
        if (slice_find(line, quoted.p) == (size_t)-1 || record_parse(line, &record, &why))
            continue;
        json_t *value = json_object_get(json_object_get(record.json, "files"), search->path);
        if (value &&
            record_check(&record, line, REGISTRY_GAME, record.seq, record.prev, search->league, &why) == 0) {
            json_decref(search->found);
            search->found = json_incref(value);
            search->time = record.time;
        }
        record_release(&record);
    }
    str_release(&quoted);
}

static int look_into_file(struct search *search, const char *dir, const char *name, struct err *err)
{
    struct str lines = STR_INIT;
    char *path = path_join(dir, name);
    int rc = file_exists(path) ? file_read(path, FILE_MOST, &lines, err) : 0;
    if (rc == 0)
        look_into(search, slice_str(&lines));
    free(path);
    str_release(&lines);
    return rc;
}

/* ---- who is in it ---- */

void registry_document_note(json_t *names, const json_t *files)
{
    const char *path;
    json_t *value;
    json_object_foreach ((json_t *)(uintptr_t)files, path, value) {
        const char *name = strchr(path, '/'), *end = strrchr(path, '.');
        if (!(str_starts(path, "players/") || str_starts(path, "keys/")) || !end || end < name)
            continue;
        char *player = slice_dup((struct slice){name + 1, (size_t)(end - name - 1)});
        if (json_is_null(value))
            json_object_del(names, player);
        else
            json_object_set_new(names, player, json_true());
        free(player);
    }
}

static int note_lines(json_t *names, struct slice lines, const char *file, struct err *err)
{
    struct slice rest = lines, line;
    while (rest.len) {
        const char *from = rest.p;
        struct record record;
        if (!slice_line(&rest, &line))
            break;
        if (record_parse((struct slice){from, (size_t)(rest.p - from)}, &record, err))
            return err_prefix(err, "%s/%s", REGISTRY_GAME, file);
        registry_document_note(names, json_object_get(record.json, "files"));
        record_release(&record);
    }
    return 0;
}

static int note_file(json_t *names, const char *dir, const char *file, struct err *err)
{
    struct str lines = STR_INIT;
    char *path = path_join(dir, file);
    int rc = file_exists(path) ? file_read(path, FILE_MOST, &lines, err) : 0;
    if (rc == 0)
        rc = note_lines(names, slice_str(&lines), file, err);
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

int registry_document(const char *league_dir, const char *path, const unsigned char league[32],
                      json_t **document, int64_t *time, struct err *err)
{
    struct search search = {.path = path, .league = league};
    struct file_names names;
    char *dir = path_join(league_dir, REGISTRY_GAME);
    *document = NULL;
    int rc = list_archives(dir, &names, err);
    if (rc == 0)
        rc = look_into_file(&search, dir, "journal.jsonl", err);
    for (size_t i = 0; rc == 0 && !search.found && i < names.count; i++)
        if (is_archive(names.name[i]))
            rc = look_into_file(&search, dir, names.name[i], err);
    file_names_free(&names);
    free(dir);
    if (!json_is_null(search.found))
        *document = search.found;
    *time = search.time;
    return rc;
}

int registry_document_names(const char *league_dir, json_t **out, struct err *err)
{
    struct file_names archives = {NULL, 0};
    json_t *names = json_object();
    char *dir = path_join(league_dir, REGISTRY_GAME);
    int rc = list_archives(dir, &archives, err);
    for (size_t i = archives.count; rc == 0 && i > 0; i--)
        if (is_archive(archives.name[i - 1]))
            rc = note_file(names, dir, archives.name[i - 1], err);
    if (rc == 0)
        rc = note_file(names, dir, "journal.jsonl", err);
    file_names_free(&archives);
    free(dir);
    *out = names;
    if (rc) {
        json_decref(names);
        *out = NULL;
    }
    return rc;
}
