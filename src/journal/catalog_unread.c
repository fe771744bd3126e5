#include "journal/catalog_private.h"

#include "base/date.h"

#define HOUR 3600

/* At least half of the words of either, and two of them, unless they are the same. */
static bool are_alike(const unsigned char *one, const unsigned char *other)
{
    int ones = 0, others = 0, both = 0;
    for (int bit = 0; bit < 8 * CATALOG_WORDS; bit++) {
        int a = one[bit / 8] >> bit % 8 & 1, b = other[bit / 8] >> bit % 8 & 1;
        ones += a;
        others += b;
        both += a & b;
    }
    return (both == ones && both == others) || (both >= 2 && 2 * both >= (ones > others ? ones : others));
}

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
    *found = (struct catalog_unreads){.same = 0};
    bind(stmt, unread);
    int rc;
    while ((rc = catalog_row(catalog, Q_FIND_UNREAD, err)) == 1) {
        const int64_t time = sqlite3_column_int64(stmt, 0), until = sqlite3_column_int64(stmt, 4);
        const bool lately = time > unread->time - HOUR, past = sqlite3_column_int(stmt, 3) != 0;
        found->day += time >= unread->time / DAY_SECONDS * DAY_SECONDS;
        found->same += lately && sqlite3_column_int(stmt, 1);
        if (past || sqlite3_column_bytes(stmt, 2) != CATALOG_WORDS ||
            !are_alike(unread->words, sqlite3_column_blob(stmt, 2)))
            continue;
        found->hour += lately;
        found->until = until > found->until ? until : found->until;
    }
    (void)sqlite3_reset(stmt);
    return rc < 0 ? -1 : 0;
}

int catalog_put_unread(struct catalog *catalog, const struct catalog_unread *unread, int64_t until,
                       struct err *err)
{
    sqlite3_stmt *stmt = catalog_stmt(catalog, Q_PUT_UNREAD);
    bind(stmt, unread);
    (void)sqlite3_bind_blob(stmt, 5, unread->words, (int)sizeof unread->words, SQLITE_STATIC);
    catalog_int(stmt, 6, until);
    return catalog_run(catalog, Q_PUT_UNREAD, err);
}

int catalog_past_unread(struct catalog *catalog, const char *who, struct err *err)
{
    catalog_text(catalog_stmt(catalog, Q_PAST_UNREAD), 1, who);
    return catalog_run(catalog, Q_PAST_UNREAD, err);
}
