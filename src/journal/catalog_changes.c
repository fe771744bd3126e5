/* What is in no journal, for other hosts: a copy, and the changes since, as SQLite's changesets. */
#define SQLITE_ENABLE_SESSION        1
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include "journal/catalog_changes.h"

#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/file.h"
#include "base/keep.h"
#include "base/log.h"
#include "base/mem.h"
#include "journal/catalog_private.h"

#define CHANGES_MOST ((int64_t)4 << 20) /* bytes, after which a new copy is made */
#define COUNT        4                  /* bytes in front of each changeset: how many it has, be32 */

/* ---- recording ---- */

static int begin(struct catalog *catalog, struct err *err)
{
    int rc = sqlite3session_create(catalog->db, "main", &catalog->session);
    for (size_t i = 0; i < catalog_kept_count && rc == SQLITE_OK; i++)
        rc = sqlite3session_attach(catalog->session, catalog_kept[i]);
    return rc == SQLITE_OK ? 0 : catalog_fail(catalog, err);
}

static void end(struct catalog *catalog)
{
    if (catalog->session)
        sqlite3session_delete(catalog->session);
    catalog->session = NULL;
}

void catalog_unshare(struct catalog *catalog)
{
    end(catalog);
    free(catalog->shared_copy);
    free(catalog->shared_changes);
    catalog->shared_copy = catalog->shared_changes = NULL;
}

static int append(const struct catalog *catalog, const void *bytes, int count, struct err *err)
{
    unsigned char front[COUNT];
    struct str frame = STR_INIT;
    put_be32(front, (uint32_t)count);
    str_add(&frame, front, COUNT);
    str_add(&frame, bytes, (size_t)count);
    int rc = file_append(catalog->shared_changes, slice_str(&frame), 0600, err);
    str_release(&frame);
    return rc;
}

int catalog_tell(struct catalog *catalog, struct err *err)
{
    int count = 0;
    void *bytes = NULL;
    if (!catalog->session)
        return 0;
    int rc = sqlite3session_changeset(catalog->session, &count, &bytes);
    int result = rc == SQLITE_OK ? 0 : catalog_fail(catalog, err);
    if (result == 0 && count)
        result = append(catalog, bytes, count, err);
    sqlite3_free(bytes);
    if (result == 0 && count) { /* a session cannot be emptied */
        end(catalog);
        result = begin(catalog, err);
    }
    return result;
}

/* ---- a copy ---- */

/* In place of any that is there, and of the changes since. */
static int make_copy(const char *path, const char *copy, const char *changes, struct err *err)
{
    struct str temp = STR_INIT;
    str_addf(&temp, "%s.tmp", copy);
    int rc = file_remove(temp.p, err) || catalog_copy(path, temp.p, err) || file_rename(temp.p, copy, err) ||
                     file_remove(changes, err)
                 ? -1
                 : 0;
    str_release(&temp);
    return rc;
}

int catalog_export(const char *path, const char *dir, struct err *err)
{
    char *copy = path_join(dir, CATALOG_COPY_FILE), *changes = path_join(dir, CATALOG_CHANGES_FILE);
    int rc = file_exists(path)                                     ? make_copy(path, copy, changes, err)
             : file_remove(copy, err) || file_remove(changes, err) ? -1
                                                                   : 0;
    free(copy);
    free(changes);
    return rc;
}

static int compact(struct catalog *catalog, bool always, struct err *err)
{
    if (!catalog->session || (!always && file_size(catalog->shared_changes) < CHANGES_MOST))
        return 0;
    return catalog_tell(catalog, err) ||
                   make_copy(catalog->path, catalog->shared_copy, catalog->shared_changes, err)
               ? -1
               : 0;
}

int catalog_compact(struct catalog *catalog, struct err *err)
{
    return compact(catalog, false, err);
}

int catalog_share(struct catalog *catalog, const char *dir, struct err *err)
{
    catalog->shared_copy = path_join(dir, CATALOG_COPY_FILE);
    catalog->shared_changes = path_join(dir, CATALOG_CHANGES_FILE);
    return begin(catalog, err) || compact(catalog, !file_exists(catalog->shared_copy), err) ? -1 : 0;
}

/* ---- made again ---- */

/* A row that is there already, or is another one by now, becomes that of the change. */
static int resolve(void *arg, int kind, sqlite3_changeset_iter *change)
{
    (void)arg;
    (void)change;
    return kind == SQLITE_CHANGESET_DATA || kind == SQLITE_CHANGESET_CONFLICT ? SQLITE_CHANGESET_REPLACE
                                                                              : SQLITE_CHANGESET_OMIT;
}

/* Half a changeset, at the end, is as good as none. */
static int apply(struct catalog *catalog, struct slice changes, struct err *err)
{
    int rc = SQLITE_OK;
    while (changes.len >= COUNT && rc == SQLITE_OK) {
        uint32_t count = get_be32((const unsigned char *)changes.p);
        if (count > changes.len - COUNT)
            break;
        void *bytes = mem_copy(changes.p + COUNT, count + 1);
        rc = sqlite3changeset_apply(catalog->db, (int)count, bytes, NULL, resolve, NULL);
        free(bytes);
        changes = slice_sub(changes, COUNT + count, changes.len);
    }
    return rc == SQLITE_OK ? 0 : catalog_fail(catalog, err);
}

static int remove_old(const char *path, struct err *err)
{
    static const char *const parts[] = {"", "-wal", "-shm", "-journal"};
    int rc = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && rc == 0; i++) {
        struct str name = STR_INIT;
        str_addf(&name, "%s%s", path, parts[i]);
        rc = file_remove(name.p, err);
        str_release(&name);
    }
    return rc;
}

static int read_if_there(const char *path, struct str *out, struct err *err)
{
    return file_exists(path) ? file_read(path, SIZE_MAX / 2, out, err) : 0;
}

int catalog_build(const char *path, const char *dir, struct err *err)
{
    struct str bytes = STR_INIT, changed = STR_INIT;
    struct catalog *catalog = NULL;
    bool fresh = false;
    char *copy = path_join(dir, CATALOG_COPY_FILE), *changes = path_join(dir, CATALOG_CHANGES_FILE);
    int rc =
        remove_old(path, err) || read_if_there(copy, &bytes, err) || read_if_there(changes, &changed, err)
            ? -1
            : 0;
    if (rc == 0 && bytes.len)
        rc = file_create(path, slice_str(&bytes), 0600, err);
    if (rc == 0)
        rc = catalog_open(path, &catalog, &fresh, err);
    if (rc == 0)
        rc = apply(catalog, slice_str(&changed), err);
    catalog_close(catalog);
    str_release(&bytes);
    str_release(&changed);
    free(copy);
    free(changes);
    return rc;
}
