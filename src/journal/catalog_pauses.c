#include "journal/catalog_private.h"

int catalog_put_pause(struct catalog *catalog, const struct catalog_pause *pause, struct err *err)
{
    catalog_int(catalog_stmt(catalog, Q_PUT_PAUSE), 1, pause->from);
    catalog_int(catalog_stmt(catalog, Q_PUT_PAUSE), 2, pause->to);
    catalog_int(catalog_stmt(catalog, Q_PUT_PAUSE), 3, pause->outage);
    return catalog_run(catalog, Q_PUT_PAUSE, err);
}

int catalog_each_pause(struct catalog *catalog, void (*each)(void *arg, const struct catalog_pause *pause),
                       void *arg, struct err *err)
{
    sqlite3_stmt *stmt = catalog_stmt(catalog, Q_PAUSES);
    int rc;
    while ((rc = catalog_row(catalog, Q_PAUSES, err)) == 1) {
        const struct catalog_pause pause = {sqlite3_column_int64(stmt, 0), sqlite3_column_int64(stmt, 1),
                                            sqlite3_column_int(stmt, 2) != 0};
        each(arg, &pause);
    }
    return rc;
}

int catalog_keep_pauses(struct catalog *catalog, int64_t from, int64_t outages_from, struct err *err)
{
    catalog_int(catalog_stmt(catalog, Q_KEEP_PAUSES), 1, from);
    catalog_int(catalog_stmt(catalog, Q_KEEP_PAUSES), 2, outages_from);
    return catalog_run(catalog, Q_KEEP_PAUSES, err);
}

int catalog_end_pauses(struct catalog *catalog, int64_t now, struct err *err)
{
    catalog_int(catalog_stmt(catalog, Q_END_PAUSES), 1, now);
    return catalog_run(catalog, Q_END_PAUSES, err);
}
