#include "journal/catalog_private.h"

#include "base/str.h"

int catalog_hold(struct catalog *catalog, const struct catalog_held *held, struct err *err)
{
    sqlite3_stmt *stmt = catalog_stmt(catalog, Q_HOLD);
    catalog_text(stmt, 1, held->player);
    catalog_text(stmt, 2, held->game);
    catalog_int(stmt, 3, held->seq);
    catalog_text(stmt, 4, held->lines);
    catalog_int(stmt, 5, held->time);
    return catalog_run(catalog, Q_HOLD, err);
}

int catalog_get_held(struct catalog *catalog, const char *player, const char *game, int *seq,
                     struct str *lines, struct err *err)
{
    sqlite3_stmt *stmt = catalog_stmt(catalog, Q_HELD);
    catalog_text(stmt, 1, player);
    catalog_text(stmt, 2, game);
    *seq = 0;
    int rc = catalog_row(catalog, Q_HELD, err);
    if (rc == 1) {
        *seq = sqlite3_column_int(stmt, 0);
        str_adds(lines, (const char *)sqlite3_column_text(stmt, 1));
    }
    (void)sqlite3_reset(stmt);
    return rc < 0 ? -1 : 0;
}
