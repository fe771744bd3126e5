#include "journal/catalog_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"

#define CATALOG_APPLICATION 0x54706361 /* "Tpca" in the file's header */

/* A column that is new in a table of catalog_kept.c needs a default; every change of a table is a new
 * version. */
static const char schema[] =
    "CREATE TABLE state(fed INTEGER NOT NULL DEFAULT 0, working INTEGER NOT NULL DEFAULT 0,"
    " done INTEGER NOT NULL DEFAULT 0, usual INTEGER NOT NULL DEFAULT 0,"
    " rhythm INTEGER NOT NULL DEFAULT 0, waits INTEGER NOT NULL DEFAULT 0, deaf INTEGER NOT NULL DEFAULT 0,"
    " tried INTEGER NOT NULL DEFAULT 0, why TEXT NOT NULL DEFAULT '',"
    " marks_seq INTEGER NOT NULL DEFAULT 0, marks_from INTEGER NOT NULL DEFAULT 0,"
    " games INTEGER NOT NULL DEFAULT 0, asked TEXT NOT NULL DEFAULT '');"
    "INSERT INTO state DEFAULT VALUES;"
    "CREATE TABLE pauses(began INTEGER PRIMARY KEY, ended INTEGER NOT NULL, outage INTEGER NOT NULL);"
    "CREATE TABLE games(id TEXT PRIMARY KEY, ruleset TEXT NOT NULL, turn INTEGER NOT NULL,"
    " over INTEGER NOT NULL, deadline INTEGER NOT NULL, seq INTEGER NOT NULL, seats INTEGER NOT NULL,"
    " awaited INTEGER NOT NULL, due INTEGER NOT NULL, ended INTEGER NOT NULL DEFAULT 0,"
    " withheld INTEGER NOT NULL DEFAULT 0, witnessed INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;"
    "CREATE INDEX due ON games(due, id) WHERE over=0 AND due>0;"
    "CREATE INDEX running ON games(id) WHERE over=0;"
    "CREATE INDEX witnessed ON games(id) WHERE witnessed=1;"
    "CREATE INDEX ended ON games(ended) WHERE over=1;"
    "CREATE TABLE seats(game TEXT NOT NULL, seat INTEGER NOT NULL, player TEXT NOT NULL,"
    " PRIMARY KEY(game, seat)) WITHOUT ROWID;"
    "CREATE INDEX by_player ON seats(player, game) WHERE player<>'';"
    "CREATE TABLE tallies(player TEXT NOT NULL, game TEXT NOT NULL, awaited INTEGER NOT NULL,"
    " missed INTEGER NOT NULL, resigned INTEGER NOT NULL, PRIMARY KEY(player, game)) WITHOUT ROWID;"
    "CREATE TABLE seen(digest BLOB PRIMARY KEY, time INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE INDEX seen_time ON seen(time);"
    "CREATE TABLE marks(digest BLOB PRIMARY KEY, time INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE INDEX marks_time ON marks(time);"
    "CREATE TABLE budget(address TEXT NOT NULL COLLATE NOCASE, day INTEGER NOT NULL, given INTEGER NOT NULL,"
    " PRIMARY KEY(address, day)) WITHOUT ROWID;"
    "CREATE TABLE bounces(player TEXT PRIMARY KEY, mail TEXT NOT NULL, status TEXT NOT NULL,"
    " words TEXT NOT NULL, time INTEGER NOT NULL, permanent INTEGER NOT NULL, temporary INTEGER NOT NULL)"
    " WITHOUT ROWID;"
    "CREATE TABLE deliveries(mail TEXT PRIMARY KEY, player TEXT NOT NULL, state INTEGER NOT NULL,"
    " time INTEGER NOT NULL, words TEXT NOT NULL);"
    "CREATE INDEX delivery_player ON deliveries(player, time) WHERE player<>'';"
    "CREATE INDEX delivery_time ON deliveries(time);"
    "CREATE TABLE paths(player TEXT NOT NULL, time INTEGER NOT NULL, digest BLOB NOT NULL,"
    " PRIMARY KEY(player, time, digest)) WITHOUT ROWID;"
    "CREATE INDEX path_time ON paths(time);"
    "CREATE TABLE mails(digest BLOB PRIMARY KEY, arrived INTEGER NOT NULL, time INTEGER NOT NULL,"
    " verdict INTEGER NOT NULL, of_player INTEGER NOT NULL, sender TEXT NOT NULL, player TEXT NOT NULL,"
    " subject TEXT NOT NULL, message_id TEXT NOT NULL, words TEXT NOT NULL, answer TEXT NOT NULL,"
    " bytes INTEGER NOT NULL, unanswered INTEGER NOT NULL DEFAULT 0);"
    "CREATE INDEX mail_time ON mails(time);"
    "CREATE INDEX mail_player ON mails(player) WHERE player<>'';"
    "CREATE INDEX mail_age ON mails(of_player, time, bytes);"
    "CREATE TABLE stuck(digest BLOB PRIMARY KEY, state INTEGER NOT NULL, first INTEGER NOT NULL,"
    " next INTEGER NOT NULL, tries INTEGER NOT NULL, program TEXT NOT NULL, player TEXT NOT NULL,"
    " game TEXT NOT NULL, turn INTEGER NOT NULL, words TEXT NOT NULL, told INTEGER NOT NULL DEFAULT 0) "
    "WITHOUT ROWID;"
    "CREATE TABLE held(player TEXT NOT NULL, game TEXT NOT NULL, seq INTEGER NOT NULL,"
    " lines TEXT NOT NULL, time INTEGER NOT NULL, PRIMARY KEY(player, game)) WITHOUT ROWID;"
    "CREATE TABLE unread(who TEXT NOT NULL COLLATE NOCASE, mail BLOB NOT NULL, text BLOB NOT NULL,"
    " words BLOB NOT NULL, time INTEGER NOT NULL, until INTEGER NOT NULL, past INTEGER NOT NULL DEFAULT 0,"
    " PRIMARY KEY(who, mail)) WITHOUT ROWID;"
    "CREATE INDEX unread_time ON unread(time);";

/* VERDICT_WAITS and VERDICT_GIVEN_UP, which somebody may put back. */
#define UNDECIDED "4, 5"
#define MAIL_COLUMNS                                                                                  \
    "digest, arrived, time, verdict, of_player, sender, player, subject, message_id, words, answer, " \
    "unanswered"
#define GAME_COLUMNS                                                                                       \
    "g.id, g.ruleset, g.turn, g.over, g.deadline, g.seq, g.seats, g.awaited, g.due, g.ended, g.withheld, " \
    "g.witnessed"

static const char *const queries[QUERIES] = {
    [Q_BEGIN] = "BEGIN IMMEDIATE",
    [Q_COMMIT] = "COMMIT",
    [Q_ROLLBACK] = "ROLLBACK",
    [Q_STATE] = "SELECT fed, working FROM state",
    [Q_FED] = "UPDATE state SET fed=1",
    [Q_WORKING] = "UPDATE state SET working=?1",
    [Q_STAMP] = "SELECT games FROM state",
    [Q_SET_STAMP] = "UPDATE state SET games=?1",
    [Q_ASKED] = "SELECT asked FROM state",
    [Q_SET_ASKED] = "UPDATE state SET asked=?1",
    [Q_PUT_GAME] =
        "INSERT INTO games VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12) ON CONFLICT(id) DO UPDATE "
        "SET ruleset=?2,"
        " turn=?3, over=?4, deadline=?5, seq=?6, seats=?7, awaited=?8, due=?9, ended=?10, withheld=?11,"
        " witnessed=?12",
    [Q_PUT_SEAT] =
        "INSERT INTO seats VALUES(?1,?2,?3) ON CONFLICT(game, seat) DO UPDATE SET player=?3 WHERE player<>?3",
    [Q_DROP_SEATS] = "DELETE FROM seats WHERE game=?1 AND seat>?2",
    [Q_GET_GAME] = "SELECT " GAME_COLUMNS " FROM games g WHERE g.id=?1",
    [Q_ENDED] = "SELECT " GAME_COLUMNS " FROM games g WHERE g.over=1 ORDER BY g.ended DESC LIMIT ?1",
    [Q_GET_SEATS] = "SELECT seat, player FROM seats WHERE game=?1",
    [Q_ALL] = "SELECT " GAME_COLUMNS " FROM games g WHERE g.id>?1 ORDER BY g.id LIMIT ?2",
    [Q_RUNNING] = "SELECT " GAME_COLUMNS " FROM games g WHERE g.id>?1 AND g.over=0 ORDER BY g.id LIMIT ?2",
    [Q_OF_PLAYER] =
        "SELECT DISTINCT " GAME_COLUMNS " FROM seats s JOIN games g ON g.id=s.game WHERE s.player=?3 AND"
        " s.player<>'' AND s.game>?1 AND g.over<=?4 ORDER BY s.game LIMIT ?2",
    [Q_DUE] = "SELECT id FROM games WHERE over=0 AND due>0 AND due<=?1 AND id NOT IN (SELECT id FROM passed)"
              " ORDER BY due, id LIMIT ?2",
    [Q_WITNESSED] = "SELECT id, seq FROM games WHERE witnessed=1 ORDER BY id",
    [Q_NEXT] = "SELECT coalesce(min(due), 0) FROM games WHERE over=0 AND due>0",
    [Q_WAKE] = "UPDATE games SET due=1 WHERE over=0 AND due<>1 AND id IN"
               " (SELECT game FROM seats WHERE player=?1 AND player<>'')",
    [Q_WAKE_ALL] = "UPDATE games SET due=1 WHERE over=0 AND due<>1",
    [Q_CLOCK] = "SELECT done, usual, rhythm, waits, deaf, tried, why FROM state",
    [Q_SET_CLOCK] = "UPDATE state SET done=?1, usual=?2, rhythm=?3, waits=?4, deaf=?5, tried=?6, why=?7",
    [Q_PUT_PAUSE] =
        "INSERT INTO pauses VALUES(?1,?2,?3) ON CONFLICT(began) DO UPDATE SET ended=?2, outage=?3",
    [Q_PAUSES] = "SELECT began, ended, outage FROM pauses ORDER BY began",
    [Q_KEEP_PAUSES] = "DELETE FROM pauses WHERE ended<?1 AND (outage=0 OR ended<?2)",
    [Q_END_PAUSES] = "UPDATE pauses SET ended=?1 WHERE began<?1 AND ended>?1",
    [Q_COUNT] = "SELECT (SELECT count(*) FROM games WHERE over=0), (SELECT count(*) FROM games)",
    [Q_PUT_TALLY] = "INSERT INTO tallies VALUES(?1,?2,?3,?4,?5) ON CONFLICT(player, game) DO UPDATE SET"
                    " awaited=?3, missed=?4, resigned=?5 WHERE awaited<>?3 OR missed<>?4 OR resigned<>?5",
    [Q_RELIABILITY] = "SELECT coalesce(sum(awaited), 0), coalesce(sum(missed), 0), coalesce(sum(resigned), 0)"
                      " FROM tallies WHERE player=?1",
    [Q_SEEN] = "SELECT 1 FROM seen WHERE digest=?1",
    [Q_SEE] = "INSERT INTO seen VALUES(?1,?2) ON CONFLICT DO NOTHING",
    [Q_BUDGET] = "INSERT INTO budget VALUES(?1,?2,1) ON CONFLICT(address, day) DO UPDATE SET given=given+1 "
                 "WHERE given<?3",
    [Q_GIVEN] = "SELECT given FROM budget WHERE address=?1 AND day=?2",
    [Q_MARK] = "INSERT INTO marks VALUES(?1,?2) ON CONFLICT(digest) DO UPDATE SET time=max(time, ?2)",
    [Q_MARKED] = "SELECT 1 FROM marks WHERE digest=?1",
    [Q_MARKS] = "SELECT marks_seq, marks_from FROM state",
    [Q_SET_MARKS] = "UPDATE state SET marks_seq=?1, marks_from=?2",
    [Q_TIDY_MARKS] = "DELETE FROM marks WHERE time<?1",
    [Q_BOUNCE_ADD] =
        "INSERT INTO bounces VALUES(?1,?2,?3,?4,?5,?6,?7) ON CONFLICT(player) DO UPDATE SET mail=?2,"
        " status=?3, words=?4, time=?5, permanent=permanent+?6, temporary=temporary+?7",
    [Q_BOUNCE_CLEAR] = "DELETE FROM bounces WHERE player=?1",
    [Q_BOUNCE] =
        "SELECT player, mail, status, words, time, permanent, temporary FROM bounces WHERE player=?1",
    [Q_BOUNCES] = "SELECT player, mail, status, words, time, permanent, temporary FROM bounces"
                  " WHERE player>?1 ORDER BY player LIMIT 1",
    [Q_DELIVER] =
        "INSERT INTO deliveries VALUES(?1,?2,?3,?4,?5) ON CONFLICT(mail) DO UPDATE SET state=?3, time=?4,"
        " words=?5",
    [Q_DELIVERY] = "SELECT mail, player, state, time, words FROM deliveries WHERE mail=?1",
    [Q_DELIVERIES] = "SELECT mail, player, state, time, words FROM deliveries WHERE player=?1 AND player<>''"
                     " ORDER BY time DESC, rowid DESC LIMIT ?2",
    [Q_PATH] = "INSERT INTO paths VALUES(?1,?2,?3) ON CONFLICT DO NOTHING",
    [Q_PATHS] = "SELECT time, digest FROM paths WHERE player=?1 ORDER BY time",
    [Q_PATH_USERS] = "SELECT count(DISTINCT player) FROM paths WHERE digest=?1",
    [Q_PUT_STUCK] =
        "INSERT INTO stuck VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11) ON CONFLICT(digest) DO UPDATE"
        " SET state=?2, first=?3, next=?4, tries=?5, program=?6, player=?7, game=?8, turn=?9,"
        " words=?10, told=?11",
    [Q_GET_STUCK] = "SELECT * FROM stuck WHERE digest=?1",
    [Q_DROP_GAME] = "DELETE FROM games WHERE id=?1",
    [Q_DROP_STUCK] = "DELETE FROM stuck WHERE digest=?1",
    [Q_STUCKS] = "SELECT * FROM stuck WHERE digest>?1 ORDER BY digest LIMIT 1",
    [Q_NEXT_PLAYER] = "SELECT min(player) FROM seats WHERE player>?1 AND player<>''",
    [Q_DEFER] = "UPDATE games SET due=?2 WHERE id=?1 AND due<?2",
    [Q_PASS] = "INSERT OR IGNORE INTO passed VALUES(?1)",
    [Q_PASS_NONE] = "DELETE FROM passed",
    [Q_TIDY_STUCK] = "DELETE FROM stuck WHERE first<?1",
    [Q_TIDY_PATHS] = "DELETE FROM paths WHERE time<?1",
    [Q_TIDY_DELIVERIES] = "DELETE FROM deliveries WHERE time<?1",
    [Q_LAST_SENT] = "SELECT time FROM deliveries WHERE state IN (0, 3) ORDER BY time DESC LIMIT 1",
    [Q_SENT_MAILS] = "SELECT mail, player, state, time, words FROM deliveries WHERE time>=?1"
                     " AND (?2='' OR player=?2) AND (?3='' OR mail=?3) ORDER BY time, rowid",
    /* What is done with stays as it was said first: a mail that comes again, after a crash too, is known. */
    [Q_LOG_MAIL] =
        "INSERT INTO mails(" MAIL_COLUMNS ", bytes) VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?14,?12)"
        " ON CONFLICT(digest) DO UPDATE SET time=?3, verdict=?4, of_player=?5, sender=?6, player=?7,"
        " subject=?8, message_id=?9, words=?10, answer=?11, bytes=?12, unanswered=?14 WHERE verdict IN "
        "(" UNDECIDED ") AND ?13=0 AND (verdict<>?4 OR words<>?10)",
    [Q_MAILS] = "SELECT " MAIL_COLUMNS " FROM mails WHERE time>=?1 AND (?2='' OR player=?2) AND (?3='' OR"
                " message_id=?3 OR answer=?3 OR lower(hex(substr(digest, 1, 8)))=?3) ORDER BY time, rowid",
    [Q_MAIL_BYTES] = "SELECT coalesce(sum(bytes), 0) FROM mails INDEXED BY mail_age",
    [Q_DROP_MAILS] = "DELETE FROM mails WHERE rowid IN"
                     " (SELECT rowid FROM mails ORDER BY of_player, time LIMIT ?1)",
    [Q_TIDY_MAILS] = "DELETE FROM mails WHERE time<?1",
    [Q_MAIL_PLAYER] = "SELECT min(player) FROM mails WHERE player>?1 AND player<>''",
    [Q_ERASE_MAILS] = "DELETE FROM mails WHERE player=?1 OR (sender<>'' AND (sender=?2 COLLATE NOCASE OR"
                      " sender=?3 COLLATE NOCASE))",
    [Q_ERASE_DELIVERIES] =
        "DELETE FROM deliveries WHERE player=?1 OR (player='' AND"
        " ((?2<>'' AND instr(lower(words), lower(?2))) OR (?3<>'' AND instr(lower(words), lower(?3)))))",
    [Q_ERASE_PATHS] = "DELETE FROM paths WHERE player=?1",
    [Q_ERASE_STUCK] = "DELETE FROM stuck WHERE player=?1",
    [Q_ERASE_BUDGET] = "DELETE FROM budget WHERE (?1<>'' AND instr(lower(address), lower(?1))) OR"
                       " (?2<>'' AND instr(lower(address), lower(?2)))",
    [Q_ERASE_HELD] = "DELETE FROM held WHERE player=?1",
    [Q_HOLD] = "INSERT OR REPLACE INTO held VALUES(?1,?2,?3,?4,?5)",
    [Q_HELD] = "SELECT seq, lines FROM held WHERE player=?1 AND game=?2",
    [Q_TIDY_HELD] = "DELETE FROM held WHERE time<?1",
    /* What a clock that was ahead has left behind counts when its time has come. */
    [Q_FIND_UNREAD] = "SELECT time, text=?3, words, past, until FROM unread"
                      " WHERE who=?2 AND mail<>?1 AND time<=?4",
    [Q_PUT_UNREAD] = "INSERT OR REPLACE INTO unread VALUES(?2,?1,?3,?5,?4,?6,0)",
    [Q_PAST_UNREAD] = "UPDATE unread SET past=1 WHERE who=?1 AND NOT past",
    [Q_TIDY_UNREAD] = "DELETE FROM unread WHERE time<?1",
    [Q_ERASE_UNREAD] = "DELETE FROM unread WHERE who=?1 OR (?2<>'' AND who=?2) OR (?3<>'' AND who=?3)",
    [Q_TIDY_SEEN] = "DELETE FROM seen WHERE time<?1",
    [Q_TIDY_BUDGET] = "DELETE FROM budget WHERE day<?1",
};

/* ---- one statement ---- */

sqlite3_stmt *catalog_stmt(struct catalog *catalog, enum query query)
{
    sqlite3_stmt **stmt = &catalog->prepared[query];
    if (!*stmt && sqlite3_prepare_v3(catalog->db, queries[query], -1, SQLITE_PREPARE_PERSISTENT, stmt,
                                     NULL) == SQLITE_ERROR)
        catalog->damaged = true; /* a table is missing */
    return *stmt;
}

int catalog_fail(struct catalog *catalog, struct err *err)
{
    int code = catalog->damaged ? SQLITE_CORRUPT : sqlite3_errcode(catalog->db) & 0xff;
    switch (code) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        catalog->damaged = true;
        return err_set(err, ERR_TEMP,
                       "%s is damaged; it is set aside and the next run rebuilds it from the journals",
                       catalog->path);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_NOMEM:
        return err_set(err, ERR_TEMP, "%s is in use: %s", catalog->path, sqlite3_errmsg(catalog->db));
    default: return err_set(err, ERR_IO, "%s: %s", catalog->path, sqlite3_errmsg(catalog->db));
    }
}

void catalog_column(char *out, size_t size, sqlite3_stmt *stmt, int column)
{
    const unsigned char *text = sqlite3_column_text(stmt, column);
    (void)snprintf(out, size, "%s", text ? (const char *)text : "");
}

void catalog_text(sqlite3_stmt *stmt, int at, const char *text)
{
    (void)sqlite3_bind_text(stmt, at, text, -1, SQLITE_STATIC);
}

void catalog_digest(sqlite3_stmt *stmt, const unsigned char digest[32])
{
    (void)sqlite3_bind_blob(stmt, 1, digest, 32, SQLITE_STATIC);
}

void catalog_int(sqlite3_stmt *stmt, int at, int64_t number)
{
    (void)sqlite3_bind_int64(stmt, at, number);
}

int catalog_row(struct catalog *catalog, enum query query, struct err *err)
{
    int rc = sqlite3_step(catalog_stmt(catalog, query));
    if (rc == SQLITE_ROW)
        return 1;
    int result = rc == SQLITE_DONE ? 0 : catalog_fail(catalog, err);
    (void)sqlite3_reset(catalog_stmt(catalog, query));
    return result;
}

int catalog_run(struct catalog *catalog, enum query query, struct err *err)
{
    int rc = catalog_row(catalog, query, err);
    (void)sqlite3_reset(catalog_stmt(catalog, query));
    return rc < 0 ? -1 : 0;
}

/* ---- open and close ---- */

static void close_db(struct catalog *catalog)
{
    for (int i = 0; i < QUERIES; i++) {
        (void)sqlite3_finalize(catalog->prepared[i]);
        catalog->prepared[i] = NULL;
    }
    (void)sqlite3_close(catalog->db);
    catalog->db = NULL;
}

/* A process that may not rename it (base/sandbox.h) empties it; the next one to open it removes it. */
static int empty(const char *path, struct err *err)
{
    struct str wal = STR_INIT;
    str_addf(&wal, "%s-wal", path);
    int rc = file_truncate(path, 0, err);
    if (rc == 0 && file_exists(wal.p))
        rc = file_truncate(wal.p, 0, err);
    str_release(&wal);
    return rc;
}

static int set_aside(const char *path, struct err *err)
{
    static const char *const others[] = {"-wal", "-shm", "-journal"};
    struct str name = STR_INIT;
    struct err why = ERR_INIT;
    int rc = 0;
    str_addf(&name, "%s.damaged", path);
    bool moved = !file_exists(path) || file_rename(path, name.p, &why) == 0;
    if (!moved)
        rc = empty(path, err);
    for (size_t i = 0; i < sizeof others / sizeof *others && moved && rc == 0; i++) {
        str_clear(&name);
        str_addf(&name, "%s%s", path, others[i]);
        rc = file_remove(name.p, err);
    }
    str_release(&name);
    return rc;
}

static int pragma_int(sqlite3 *db, const char *sql, int *value)
{
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);
    if (rc == SQLITE_OK) {
        rc = sqlite3_step(stmt);
        if (rc == SQLITE_ROW) {
            *value = sqlite3_column_int(stmt, 0);
            rc = SQLITE_OK;
        }
    }
    (void)sqlite3_finalize(stmt);
    return rc;
}

/* What kind of file is open. */
struct catalog_kind {
    bool empty;
    int version; /* of a catalog; 0 = it is none */
};

/* SQLITE_OK or the fault. */
static int examine(sqlite3 *db, struct catalog_kind *kind)
{
    int application = 0;
    int version = 0;
    int things = 0;
    int rc = pragma_int(db, "PRAGMA application_id", &application);
    if (rc == SQLITE_OK)
        rc = pragma_int(db, "PRAGMA user_version", &version);
    if (rc == SQLITE_OK)
        rc = pragma_int(db, "SELECT count(*) FROM sqlite_master", &things);
    bool named = application == CATALOG_APPLICATION;
    *kind = (struct catalog_kind){.empty = application == 0 && version == 0 && things == 0,
                                  .version = named ? version : 0};
    return rc;
}

int catalog_execute(sqlite3 *db, const char *sql)
{
    return sqlite3_exec(db, sql, NULL, NULL, NULL);
}

/* Makes the tables of an empty file, unless another process was first. */
static int make_tables(sqlite3 *db)
{
    struct catalog_kind kind = {.empty = false};
    char mark[80];
    (void)snprintf(mark, sizeof mark, "PRAGMA application_id=%d; PRAGMA user_version=%d", CATALOG_APPLICATION,
                   CATALOG_VERSION);
    int rc = catalog_execute(db, "BEGIN IMMEDIATE");
    if (rc == SQLITE_OK)
        rc = examine(db, &kind);
    if (rc == SQLITE_OK && kind.empty)
        rc = catalog_execute(db, schema);
    if (rc == SQLITE_OK && kind.empty)
        rc = catalog_execute(db, mark);
    return rc == SQLITE_OK ? catalog_execute(db, "COMMIT") : rc;
}

/* A new one made from the journals would not know which mails were answered, given up or came back. */
static int refuse_newer(const char *path, int version, struct err *err)
{
    return err_set(
        err, ERR_NEWER,
        "%s was made by a newer Turnpost (its version %d; this one, " TURNPOST_VERSION
        ", has %d): install that one again, or a later one; or, to go back for good, remove the file: "
        "the next run rebuilds it from the journals, and has forgotten which mails were answered, "
        "failed or came back",
        path, version, CATALOG_VERSION);
}

int catalog_check(const char *path, struct err *err)
{
    sqlite3 *db = NULL;
    struct catalog_kind kind = {.empty = false};
    if (!file_exists(path))
        return err_set(err, ERR_MISSING, "%s is not there", path);
    int rc = sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_busy_timeout(db, CATALOG_BUSY_MS);
    if (rc == SQLITE_OK)
        rc = examine(db, &kind);
    int result =
        rc == SQLITE_OK ? 0 : err_set(err, ERR_TEMP, "%s cannot be read: %s", path, sqlite3_errmsg(db));
    (void)sqlite3_close(db);
    if (result == 0 && kind.version != CATALOG_VERSION)
        return refuse_newer(path, kind.version, err);
    return result;
}

/* Opens the file, and makes the tables if it is empty. *usable is false when the file is
 * damaged or foreign; errors are those that a new file would not fix. */
static int open_db(struct catalog *catalog, bool *usable, struct err *err)
{
    struct catalog_kind kind = {.empty = false};
    *usable = false;
    int rc = sqlite3_open_v2(catalog->path, &catalog->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_busy_timeout(catalog->db, CATALOG_BUSY_MS);
    if (rc == SQLITE_OK)
        rc = examine(catalog->db, &kind);
    if (rc == SQLITE_OK && kind.version && kind.version != CATALOG_VERSION)
        return refuse_newer(catalog->path, kind.version, err);
    if (rc == SQLITE_OK && !kind.version && !kind.empty)
        return 0;
    if (rc == SQLITE_OK)
        rc = catalog_execute(catalog->db,
                             "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; "
                             "PRAGMA secure_delete=ON"); /* who has left is gone from the file, too */
    if (rc == SQLITE_OK && kind.empty)
        rc = make_tables(catalog->db);
    if (rc == SQLITE_OK) /* in memory, of this connection alone */
        rc = catalog_execute(catalog->db,
                             "PRAGMA temp_store=MEMORY; CREATE TEMP TABLE passed(id TEXT PRIMARY KEY)");
    if (rc == SQLITE_CORRUPT || rc == SQLITE_NOTADB)
        return 0;
    if (rc != SQLITE_OK)
        return catalog_fail(catalog, err);
    *usable = true;
    return 0;
}

/* Reads the state row; a catalog without it counts as unusable. */
static int read_state(struct catalog *catalog, bool *usable, struct err *err)
{
    int rc = catalog_row(catalog, Q_STATE, err);
    if (rc == 1) {
        catalog->fresh = sqlite3_column_int(catalog_stmt(catalog, Q_STATE), 0) == 0;
        (void)sqlite3_reset(catalog_stmt(catalog, Q_STATE));
        return 0;
    }
    if (rc == 0 || catalog->damaged) {
        *usable = false;
        err_clear(err);
        return 0;
    }
    return -1;
}

int catalog_open(const char *path, struct catalog **out, bool *fresh, struct err *err)
{
    struct catalog *catalog = mem_alloc(sizeof *catalog);
    catalog->path = mem_strdup(path);
    catalog->logged = -1;
    int rc = 0;
    bool usable = false;
    for (int attempt = 0; attempt < 2 && rc == 0 && !usable; attempt++) {
        if (attempt > 0) {
            close_db(catalog);
            catalog->damaged = false;
            rc = set_aside(path, err);
        }
        if (rc == 0 && !file_exists(path)) {
            rc = set_aside(path, err); /* only side files can be left */
            if (rc == 0)
                rc = file_create(path, slice_of(""), 0600, err);
        }
        if (rc == 0)
            rc = open_db(catalog, &usable, err);
        if (rc == 0 && usable)
            rc = read_state(catalog, &usable, err);
    }
    if (rc == 0 && !usable)
        rc = err_set(err, ERR_IO, "%s cannot be used even when rebuilt", path);
    if (rc) {
        catalog->damaged = false;
        catalog_close(catalog);
        return -1;
    }
    *fresh = catalog->fresh;
    *out = catalog;
    return 0;
}

void catalog_close(struct catalog *catalog)
{
    if (!catalog)
        return;
    catalog_unshare(catalog);
    close_db(catalog);
    if (catalog->damaged) {
        struct err unheard = ERR_INIT;
        if (set_aside(catalog->path, &unheard) != 0)
            err_clear(&unheard); /* the next open tries again */
    }
    free(catalog->path);
    free(catalog);
}

int catalog_rollback(struct catalog *catalog, struct err *err)
{
    if (sqlite3_get_autocommit(catalog->db))
        return 0;
    catalog->logged = -1;
    return catalog_run(catalog, Q_ROLLBACK, err);
}

int catalog_begin(struct catalog *catalog, struct err *err)
{
    return catalog_rollback(catalog, err) ? -1 : catalog_run(catalog, Q_BEGIN, err);
}

int catalog_commit(struct catalog *catalog, struct err *err)
{
    if (catalog->fresh && catalog_run(catalog, Q_FED, err) != 0)
        return -1;
    if (catalog_run(catalog, Q_COMMIT, err) != 0)
        return -1;
    catalog->fresh = false;
    if (catalog->erased) /* a reader may keep the old pages alive a little longer */
        catalog->erased = catalog_execute(catalog->db, "PRAGMA wal_checkpoint(TRUNCATE)") != SQLITE_OK;
    return catalog_tell(catalog, err);
}

int catalog_keep(struct catalog *catalog, struct err *err)
{
    if (sqlite3_get_autocommit(catalog->db))
        return 0;
    return catalog_run(catalog, Q_COMMIT, err) || catalog_tell(catalog, err) ? -1 : 0;
}

int catalog_sound(struct catalog *catalog, struct err *err)
{
    bool working = false;
    if (catalog->damaged)
        return err_set(err, ERR_TEMP, "%s is damaged; it is rebuilt when it is opened next", catalog->path);
    if (catalog_begin(catalog, err) || catalog_was_working(catalog, &working, err))
        return -1;
    catalog_int(catalog_stmt(catalog, Q_WORKING), 1, working);
    return catalog_run(catalog, Q_WORKING, err) || catalog_keep(catalog, err) ? -1 : 0;
}

int catalog_was_working(struct catalog *catalog, bool *was, struct err *err)
{
    int rc = catalog_row(catalog, Q_STATE, err);
    if (rc < 0)
        return -1;
    *was = rc == 1 && sqlite3_column_int(catalog_stmt(catalog, Q_STATE), 1) != 0;
    (void)sqlite3_reset(catalog_stmt(catalog, Q_STATE));
    return 0;
}

int catalog_stamp(struct catalog *catalog, int64_t *stamp, struct err *err)
{
    int rc = catalog_row(catalog, Q_STAMP, err);
    *stamp = rc == 1 ? sqlite3_column_int64(catalog_stmt(catalog, Q_STAMP), 0) : 0;
    (void)sqlite3_reset(catalog_stmt(catalog, Q_STAMP));
    return rc < 0 ? -1 : 0;
}

int catalog_set_stamp(struct catalog *catalog, int64_t stamp, struct err *err)
{
    catalog_int(catalog_stmt(catalog, Q_SET_STAMP), 1, stamp);
    return catalog_run(catalog, Q_SET_STAMP, err);
}

int catalog_asked(struct catalog *catalog, struct str *asked, struct err *err)
{
    int rc = catalog_row(catalog, Q_ASKED, err);
    if (rc == 1)
        str_adds(asked, (const char *)sqlite3_column_text(catalog_stmt(catalog, Q_ASKED), 0));
    (void)sqlite3_reset(catalog_stmt(catalog, Q_ASKED));
    return rc < 0 ? -1 : 0;
}

int catalog_set_asked(struct catalog *catalog, const char *asked, struct err *err)
{
    catalog_text(catalog_stmt(catalog, Q_SET_ASKED), 1, asked);
    return catalog_run(catalog, Q_SET_ASKED, err);
}

int catalog_working(struct catalog *catalog, bool working, struct err *err)
{
    /* Setting it must survive any power cut that the journals survive; losing its removal only costs time. */
    if (working && catalog_execute(catalog->db, "PRAGMA synchronous=FULL") != SQLITE_OK)
        return catalog_fail(catalog, err);
    catalog_int(catalog_stmt(catalog, Q_WORKING), 1, working);
    int rc = catalog_run(catalog, Q_WORKING, err);
    if (working && catalog_execute(catalog->db, "PRAGMA synchronous=NORMAL") != SQLITE_OK)
        return catalog_fail(catalog, err);
    return rc;
}
