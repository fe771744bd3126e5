#include "journal/catalog_private.h"

int catalog_marks(struct catalog *catalog, struct catalog_marks *marks, struct err *err)
{
    sqlite3_stmt *stmt = catalog_stmt(catalog, Q_MARKS);
    int rc = catalog_row(catalog, Q_MARKS, err);
    *marks = (struct catalog_marks){0, 0};
    if (rc == 1)
        *marks = (struct catalog_marks){sqlite3_column_int64(stmt, 0), sqlite3_column_int64(stmt, 1)};
    (void)sqlite3_reset(stmt);
    return rc < 0 ? -1 : 0;
}

int catalog_set_marks(struct catalog *catalog, const struct catalog_marks *marks, struct err *err)
{
    catalog_int(catalog_stmt(catalog, Q_SET_MARKS), 1, marks->seq);
    catalog_int(catalog_stmt(catalog, Q_SET_MARKS), 2, marks->from);
    return catalog_run(catalog, Q_SET_MARKS, err);
}

int catalog_mark(struct catalog *catalog, const unsigned char digest[32], int64_t time, struct err *err)
{
    catalog_digest(catalog_stmt(catalog, Q_MARK), digest);
    catalog_int(catalog_stmt(catalog, Q_MARK), 2, time);
    return catalog_run(catalog, Q_MARK, err);
}

int catalog_marked(struct catalog *catalog, const unsigned char digest[32], bool *marked, struct err *err)
{
    catalog_digest(catalog_stmt(catalog, Q_MARKED), digest);
    int rc = catalog_row(catalog, Q_MARKED, err);
    *marked = rc == 1;
    (void)sqlite3_reset(catalog_stmt(catalog, Q_MARKED));
    return rc < 0 ? -1 : 0;
}

int catalog_tidy_marks(struct catalog *catalog, int64_t from, struct err *err)
{
    struct catalog_marks marks;
    if (catalog_marks(catalog, &marks, err))
        return -1;
    if (from <= marks.from)
        return 0;
    marks.from = from; /* first: marks older than it that survive a crash are forgotten the next time */
    if (catalog_set_marks(catalog, &marks, err))
        return -1;
    catalog_int(catalog_stmt(catalog, Q_TIDY_MARKS), 1, from);
    return catalog_run(catalog, Q_TIDY_MARKS, err);
}
