#include "journal/catalog_private.h"

#include "base/date.h"

#define HOUR 3600

/* ?1 to ?4 */
static void bind(sqlite3_stmt *stmt, const struct catalog_unread *unread)
{
    catalog_digest(stmt, unread->mail);
    catalog_text(stmt, 2, unread->who);
    (void)sqlite3_bind_blob(stmt, 3, unread->text, (int)sizeof unread->text, SQLITE_STATIC);
    catalog_int(stmt, 4, unread->time);
}

int catalog_find_unread(struct catalog *catalog, const struct catalog_unread *unread,
                        struct catalog_unreads *found, struct err *err)
{
    sqlite3_stmt *stmt = catalog_stmt(catalog, Q_FIND_UNREAD);
    *found = (struct catalog_unreads){.same = false};
    bind(stmt, unread);
    catalog_int(stmt, 5, unread->time / DAY_SECONDS * DAY_SECONDS);
    catalog_int(stmt, 6, unread->time - HOUR);
    int rc = catalog_row(catalog, Q_FIND_UNREAD, err);
    if (rc == 1)
        *found = (struct catalog_unreads){sqlite3_column_int(stmt, 0) != 0, sqlite3_column_int(stmt, 1),
                                          sqlite3_column_int(stmt, 2), sqlite3_column_int64(stmt, 3)};
    (void)sqlite3_reset(stmt);
    return rc < 0 ? -1 : 0;
}

int catalog_put_unread(struct catalog *catalog, const struct catalog_unread *unread, int64_t until,
                       struct err *err)
{
    sqlite3_stmt *stmt = catalog_stmt(catalog, Q_PUT_UNREAD);
    bind(stmt, unread);
    catalog_int(stmt, 5, until);
    return catalog_run(catalog, Q_PUT_UNREAD, err);
}

int catalog_past_unread(struct catalog *catalog, const char *who, struct err *err)
{
    catalog_text(catalog_stmt(catalog, Q_PAST_UNREAD), 1, who);
    return catalog_run(catalog, Q_PAST_UNREAD, err);
}
