/* Between the files of the catalog: its statements and how one is run. */
#ifndef JOURNAL_CATALOG_PRIVATE_H
#define JOURNAL_CATALOG_PRIVATE_H

#include <sqlite3.h>

#include "journal/catalog.h"

enum query {
    Q_BEGIN,
    Q_COMMIT,
    Q_ROLLBACK,
    Q_STATE,
    Q_FED,
    Q_WORKING,
    Q_STAMP,
    Q_SET_STAMP,
    Q_ASKED,
    Q_SET_ASKED,
    Q_PUT_GAME,
    Q_PUT_SEAT,
    Q_DROP_SEATS,
    Q_GET_GAME,
    Q_ENDED,
    Q_GET_SEATS,
    Q_ALL,
    Q_RUNNING,
    Q_OF_PLAYER,
    Q_DUE,
    Q_WITNESSED,
    Q_NEXT,
    Q_WAKE,
    Q_WAKE_ALL,
    Q_CLOCK,
    Q_SET_CLOCK,
    Q_PUT_PAUSE,
    Q_PAUSES,
    Q_KEEP_PAUSES,
    Q_END_PAUSES,
    Q_COUNT,
    Q_PUT_TALLY,
    Q_RELIABILITY,
    Q_SEEN,
    Q_SEE,
    Q_BUDGET,
    Q_GIVEN,
    Q_BOUNCE_ADD,
    Q_BOUNCE_CLEAR,
    Q_BOUNCE,
    Q_BOUNCES,
    Q_DELIVER,
    Q_DELIVERY,
    Q_DELIVERIES,
    Q_PATH,
    Q_PATHS,
    Q_PATH_USERS,
    Q_PUT_STUCK,
    Q_GET_STUCK,
    Q_DROP_GAME,
    Q_DROP_STUCK,
    Q_STUCKS,
    Q_NEXT_PLAYER,
    Q_DEFER,
    Q_PASS,
    Q_PASS_NONE,
    Q_TIDY_STUCK,
    Q_TIDY_PATHS,
    Q_TIDY_SEEN,
    Q_MARK,
    Q_MARKED,
    Q_MARKS,
    Q_SET_MARKS,
    Q_TIDY_MARKS,
    Q_TIDY_BUDGET,
    Q_TIDY_DELIVERIES,
    Q_SENT_MAILS,
    Q_LAST_SENT,
    Q_LOG_MAIL,
    Q_MAILS,
    Q_MAIL_BYTES,
    Q_DROP_MAILS,
    Q_TIDY_MAILS,
    Q_MAIL_PLAYER,
    Q_ERASE_MAILS,
    Q_ERASE_DELIVERIES,
    Q_ERASE_PATHS,
    Q_ERASE_STUCK,
    Q_ERASE_BUDGET,
    Q_ERASE_HELD,
    Q_HOLD,
    Q_HELD,
    Q_TIDY_HELD,
    Q_FIND_UNREAD,
    Q_PUT_UNREAD,
    Q_PAST_UNREAD,
    Q_TIDY_UNREAD,
    Q_ERASE_UNREAD,
    QUERIES
};

struct catalog {
    char *path;
    sqlite3 *db;
    sqlite3_stmt *prepared[QUERIES]; /* NULL: not needed yet (catalog_stmt) */
    bool fresh;                      /* must still be fed */
    bool erased;                     /* something has to be gone from the file, too, after the next commit */
    bool damaged;                    /* seen while working: moved aside on close */
    int64_t logged;                  /* bytes of the log of mails, at most; -1 = not counted */
    struct sqlite3_session *session; /* journal/catalog_changes.h; NULL = it is not shared */
    char *shared_copy, *shared_changes;
};

/* Borrowed; prepared when it is first needed, as a run needs few of them. NULL: catalog_row says why. */
sqlite3_stmt *catalog_stmt(struct catalog *catalog, enum query query);
/* Sets `err` from the database's last fault; notes damage. Returns -1. */
int catalog_fail(struct catalog *catalog, struct err *err);
/* A column as text, cut when it is too long. */
void catalog_column(char *out, size_t size, sqlite3_stmt *stmt, int column);
/* Bindings are borrowed until the statement has run; all are given again each time. */
void catalog_text(sqlite3_stmt *stmt, int at, const char *text);
void catalog_int(sqlite3_stmt *stmt, int at, int64_t number);
void catalog_digest(sqlite3_stmt *stmt, const unsigned char digest[32]); /* as the first parameter */
/* 1 a row, 0 the end, -1 an error; the statement is ready for the next use except after a row. */
int catalog_row(struct catalog *catalog, enum query query, struct err *err);
/* Binds what is wanted to ?1, ?2 and ?3. */
void catalog_ask_for(sqlite3_stmt *stmt, const struct catalog_wanted *wanted);
/* Runs a statement whose rows do not matter. */
int catalog_run(struct catalog *catalog, enum query query, struct err *err);

/* ---- journal/catalog_changes.c ---- */

/* After a commit. */
int catalog_tell(struct catalog *catalog, struct err *err) __attribute__((warn_unused_result));
void catalog_unshare(struct catalog *catalog);

/* ---- journal/catalog_kept.c ---- */

/* The tables that hold what is in no journal. */
extern const char *const catalog_kept[];
extern const size_t catalog_kept_count;

/* Counts the forms of the tables. Of another version a catalog is refused: whoever changes them after 1.0 has the
 * tables of catalog_kept taken over when it is opened. */
#define CATALOG_VERSION 3
#define CATALOG_BUSY_MS 10000

/* Is there a catalog of this version in the file? ERR_MISSING, ERR_TEMP, and as catalog_open. */
int catalog_check(const char *path, struct err *err) __attribute__((warn_unused_result));
int catalog_execute(sqlite3 *db, const char *sql); /* SQLITE_OK or the fault */

#endif
