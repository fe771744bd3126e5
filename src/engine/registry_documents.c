#include "engine/registry_documents.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "engine/registry_compact.h"

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

static int compare_versions(const void *a, const void *b)
{
    return strverscmp(*(char *const *)b, *(char *const *)a);
}

int registry_document(const char *league_dir, const char *path, const unsigned char league[32],
                      json_t **document, int64_t *time, struct err *err)
{
    struct search search = {.path = path, .league = league};
    struct file_names names;
    char *dir = path_join(league_dir, REGISTRY_GAME);
    *document = NULL;
    int rc = file_list(dir, &names, err);
    if (rc == 0 && names.count)
        qsort(names.name, names.count, sizeof *names.name, compare_versions);
    if (rc == 0)
        rc = look_into_file(&search, dir, "journal.jsonl", err);
    for (size_t i = 0; rc == 0 && !search.found && i < names.count; i++)
        if (str_starts(names.name[i], REGISTRY_FRONT) && str_ends(names.name[i], ".jsonl"))
            rc = look_into_file(&search, dir, names.name[i], err);
    file_names_free(&names);
    free(dir);
    if (!json_is_null(search.found))
        *document = search.found;
    *time = search.time;
    return rc;
}
