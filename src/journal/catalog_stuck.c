/* Mails and games that failed on their own, until they are tried again. */
#include <sqlite3.h>
#include <string.h>

#include "journal/catalog_private.h"

#define DIGEST 32

int catalog_put_stuck(struct catalog *catalog, const struct catalog_stuck *stuck, struct err *err)
{
    sqlite3_stmt *stmt = catalog_stmt(catalog, Q_PUT_STUCK);
    catalog_digest(stmt, stuck->digest);
    catalog_int(stmt, 2, (int64_t)stuck->state);
    catalog_int(stmt, 3, stuck->first);
    catalog_int(stmt, 4, stuck->next);
    catalog_int(stmt, 5, stuck->tries);
    catalog_text(stmt, 6, stuck->program);
    catalog_text(stmt, 7, stuck->player);
    catalog_text(stmt, 8, stuck->game);
    catalog_int(stmt, 9, stuck->turn);
    catalog_text(stmt, 10, stuck->words);
    catalog_int(stmt, 11, stuck->told);
    return catalog_run(catalog, Q_PUT_STUCK, err);
}

static void read_stuck(sqlite3_stmt *stmt, struct catalog_stuck *stuck)
{
    int state = sqlite3_column_int(stmt, 1);
    *stuck = (struct catalog_stuck){.state = STUCK_WAITS};
    if (sqlite3_column_bytes(stmt, 0) == DIGEST)
        memcpy(stuck->digest, sqlite3_column_blob(stmt, 0), DIGEST);
    if (state >= STUCK_WAITS && state <= STUCK_PLAYER)
        stuck->state = (enum catalog_stuck_state)state;
    stuck->first = sqlite3_column_int64(stmt, 2);
    stuck->next = sqlite3_column_int64(stmt, 3);
    stuck->tries = sqlite3_column_int(stmt, 4);
    catalog_column(stuck->program, sizeof stuck->program, stmt, 5);
    catalog_column(stuck->player, sizeof stuck->player, stmt, 6);
    catalog_column(stuck->game, sizeof stuck->game, stmt, 7);
    stuck->turn = sqlite3_column_int(stmt, 8);
    catalog_column(stuck->words, sizeof stuck->words, stmt, 9);
    stuck->told = sqlite3_column_int(stmt, 10) != 0;
}

int catalog_get_stuck(struct catalog *catalog, const unsigned char digest[DIGEST],
                      struct catalog_stuck *stuck, bool *found, struct err *err)
{
    sqlite3_stmt *stmt = catalog_stmt(catalog, Q_GET_STUCK);
    catalog_digest(stmt, digest);
    int rc = catalog_row(catalog, Q_GET_STUCK, err);
    *found = rc == 1;
    if (rc == 1)
        read_stuck(stmt, stuck);
    (void)sqlite3_reset(stmt);
    return rc < 0 ? -1 : 0;
}

int catalog_drop_stuck(struct catalog *catalog, const unsigned char digest[DIGEST], struct err *err)
{
    catalog_digest(catalog_stmt(catalog, Q_DROP_STUCK), digest);
    return catalog_run(catalog, Q_DROP_STUCK, err);
}

int catalog_each_stuck(struct catalog *catalog,
                       int (*each)(void *arg, const struct catalog_stuck *stuck, struct err *err), void *arg,
                       struct err *err)
{
    sqlite3_stmt *stmt = catalog_stmt(catalog, Q_STUCKS);
    struct catalog_stuck stuck = {.state = STUCK_WAITS};
    int length = 0; /* before the first digest comes the empty one */
    for (;;) {
        unsigned char after[DIGEST];
        memcpy(after, stuck.digest, DIGEST);
        (void)sqlite3_bind_blob(stmt, 1, after, length, SQLITE_STATIC);
        int rc = catalog_row(catalog, Q_STUCKS, err);
        if (rc == 1)
            read_stuck(stmt, &stuck);
        (void)sqlite3_reset(stmt);
        if (rc != 1)
            return rc;
        length = DIGEST;
        if (each(arg, &stuck, err) != 0)
            return -1;
    }
}

int catalog_next_player(struct catalog *catalog, char name[CATALOG_NAME], bool *found, struct err *err)
{
    sqlite3_stmt *stmt = catalog_stmt(catalog, Q_NEXT_PLAYER);
    catalog_text(stmt, 1, name);
    int rc = catalog_row(catalog, Q_NEXT_PLAYER, err);
    *found = rc == 1 && sqlite3_column_type(stmt, 0) != SQLITE_NULL;
    if (*found)
        catalog_column(name, CATALOG_NAME, stmt, 0);
    (void)sqlite3_reset(stmt);
    return rc < 0 ? -1 : 0;
}

int catalog_defer(struct catalog *catalog, const char *game, int64_t due, struct err *err)
{
    catalog_text(catalog_stmt(catalog, Q_DEFER), 1, game);
    catalog_int(catalog_stmt(catalog, Q_DEFER), 2, due);
    return catalog_run(catalog, Q_DEFER, err);
}

int catalog_drop_game(struct catalog *catalog, const char *id, struct err *err)
{
    catalog_text(catalog_stmt(catalog, Q_DROP_GAME), 1, id);
    catalog_text(catalog_stmt(catalog, Q_DROP_SEATS), 1, id);
    catalog_int(catalog_stmt(catalog, Q_DROP_SEATS), 2, 0);
    return catalog_run(catalog, Q_DROP_GAME, err) || catalog_run(catalog, Q_DROP_SEATS, err) ? -1 : 0;
}
