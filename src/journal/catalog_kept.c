/* What is in no journal, carried from one catalog into a copy. */
#include "journal/catalog_private.h"

#include <string.h>

#include "base/file.h"
#include "base/str.h"

/* catalog.h says what these hold. */
const char *const catalog_kept[] = {"state", "pauses", "seen",  "budget", "bounces", "deliveries",
                                    "paths", "stuck",  "mails", "held",   "unread"};
const size_t catalog_kept_count = sizeof catalog_kept / sizeof *catalog_kept;

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

/* The games are fed again by the process that opens it, the marks from the registry's journal. */
static int drop_cache(const char *path, struct err *err)
{
    sqlite3 *db = NULL;
    int rc = sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    if (rc == SQLITE_OK)
        rc = catalog_execute(db,
                             "DELETE FROM games; DELETE FROM seats; DELETE FROM tallies; DELETE FROM marks; "
                             "UPDATE state SET fed=0, working=0, marks_seq=0, marks_from=0, games=0; VACUUM");
    int result = rc == SQLITE_OK ? 0 : failed(db, path, err);
    (void)sqlite3_close(db);
    return result;
}

int catalog_copy(const char *from, const char *to, struct err *err)
{
    if (catalog_check(from, err))
        return -1;
    if (file_create(to, slice_of(""), 0600, err) == 0 && copy_all(from, to, err) == 0 &&
        drop_cache(to, err) == 0)
        return 0;
    struct err ignored = ERR_INIT; /* the first error says why */
    if (file_remove(to, &ignored))
        err_clear(&ignored);
    return -1;
}
