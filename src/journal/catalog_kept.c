/* What is in no journal, carried from one catalog to another: of an older version, or into a backup. */
#include "journal/catalog_private.h"

#include <string.h>

#include "base/file.h"
#include "base/str.h"

/* The games are fed again by the process that opens it, the marks from the registry's journal. */
#define UNFED "UPDATE state SET fed=0, working=0, marks_seq=0, marks_from=0, games=0"

/* catalog.h says what these hold. */
const char *const catalog_kept[] = {"state", "pauses", "seen",  "budget", "bounces", "deliveries",
                                    "paths", "stuck",  "mails", "held",   "unread"};
const size_t catalog_kept_count = sizeof catalog_kept / sizeof *catalog_kept;

static bool is_kept(const char *table)
{
    for (size_t i = 0; i < catalog_kept_count; i++)
        if (strcmp(catalog_kept[i], table) == 0)
            return true;
    return false;
}

/* One text that a query gives, appended; nothing when it gives none. */
static int ask(sqlite3 *db, const char *sql, struct str *out)
{
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);
    if (rc == SQLITE_OK) {
        rc = sqlite3_step(stmt);
        const unsigned char *text = rc == SQLITE_ROW ? sqlite3_column_text(stmt, 0) : NULL;
        str_adds(out, text ? (const char *)text : "");
        rc = rc == SQLITE_ROW || rc == SQLITE_DONE ? SQLITE_OK : rc;
    }
    (void)sqlite3_finalize(stmt);
    return rc;
}

/* Indexes go, for the new tables' have the same names; tables are dropped, or renamed when they are kept. */
static int clear_one(sqlite3 *db, const char *type, const char *name)
{
    struct str sql = STR_INIT;
    if (strcmp(type, "table") == 0 && is_kept(name))
        str_addf(&sql, "ALTER TABLE \"%s\" RENAME TO \"old_%s\"", name, name);
    else
        str_addf(&sql, "DROP %s \"%s\"", type, name);
    int rc = catalog_execute(db, sql.p);
    str_release(&sql);
    return rc;
}

static int clear_all(sqlite3 *db, const char *type)
{
    struct str find = STR_INIT, name = STR_INIT;
    int rc = SQLITE_OK;
    str_addf(&find,
             "SELECT name FROM sqlite_master WHERE type='%s' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB "
             "'old_*' LIMIT 1",
             type);
    while (rc == SQLITE_OK) {
        str_clear(&name);
        rc = ask(db, find.p, &name);
        if (rc != SQLITE_OK || !name.len)
            break;
        rc = clear_one(db, type, name.p);
    }
    str_release(&find);
    str_release(&name);
    return rc;
}

/* The rows of a kept table, by the columns that both versions have; a new one has its default. */
static int take_over(sqlite3 *db, const char *table)
{
    struct str columns = STR_INIT, sql = STR_INIT;
    str_addf(&sql,
             "SELECT group_concat(name) FROM (SELECT name FROM pragma_table_info('old_%s') INTERSECT"
             " SELECT name FROM pragma_table_info('%s'))",
             table, table);
    int rc = ask(db, sql.p, &columns);
    if (rc == SQLITE_OK && columns.len) { /* none: that version had no such table */
        str_clear(&sql);
        str_addf(&sql, "DELETE FROM %s; INSERT INTO %s(%s) SELECT %s FROM old_%s; DROP TABLE old_%s", table,
                 table, columns.p, columns.p, table, table);
        rc = catalog_execute(db, sql.p);
    }
    str_release(&columns);
    str_release(&sql);
    return rc;
}

int catalog_migrate(sqlite3 *db, const char *schema)
{
    int rc = clear_all(db, "index");
    if (rc == SQLITE_OK)
        rc = clear_all(db, "table");
    if (rc == SQLITE_OK)
        rc = catalog_execute(db, schema);
    for (size_t i = 0; i < catalog_kept_count && rc == SQLITE_OK; i++)
        rc = take_over(db, catalog_kept[i]);
    return rc == SQLITE_OK ? catalog_execute(db, UNFED) : rc;
}

/* ---- a copy ---- */

static int failed(sqlite3 *db, const char *path, struct err *err)
{
    return err_set(err, ERR_TEMP, "cannot copy %s: %s", path, sqlite3_errmsg(db));
}

static int copy_all(const char *from, const char *to, struct err *err)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_open_v2(from, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_busy_timeout(db, CATALOG_BUSY_MS);
    if (rc == SQLITE_OK)
        rc = sqlite3_prepare_v2(db, "VACUUM INTO ?1", -1, &stmt, NULL);
    if (rc == SQLITE_OK) {
        catalog_text(stmt, 1, to);
        rc = sqlite3_step(stmt);
    }
    int result = rc == SQLITE_DONE ? 0 : failed(db, from, err);
    (void)sqlite3_finalize(stmt);
    (void)sqlite3_close(db);
    return result;
}

static int drop_cache(const char *path, struct err *err)
{
    sqlite3 *db = NULL;
    int rc = sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    if (rc == SQLITE_OK)
        rc = catalog_execute(
            db, "DELETE FROM games; DELETE FROM seats; DELETE FROM tallies; DELETE FROM marks; " UNFED
                "; VACUUM");
    int result = rc == SQLITE_OK ? 0 : failed(db, path, err);
    (void)sqlite3_close(db);
    return result;
}

int catalog_copy(const char *from, const char *to, struct err *err)
{
    int version = 0;
    if (catalog_version(from, &version, err))
        return -1;
    if (file_create(to, slice_of(""), 0600, err) == 0 && copy_all(from, to, err) == 0 &&
        (version != CATALOG_VERSION || drop_cache(to, err) == 0))
        return 0;
    struct err ignored = ERR_INIT; /* the first error says why */
    if (file_remove(to, &ignored))
        err_clear(&ignored);
    return -1;
}
