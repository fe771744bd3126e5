/* The database of the simulation's hosts. It runs the program's own statements, so that a condition that is missing in one of
 * them is missing here: SQLite does, after a few words of PostgreSQL were put into its own (`words`). Around it is what SQLite has not:
 * several transactions at once, as PostgreSQL's READ COMMITTED has them. Each statement sees what is committed and what its own
 * transaction has changed; whoever changes a row has it locked until the transaction ends, and who wants to change it too waits, and
 * begins the statement anew; two that wait for each other are told so. A transaction's changes are kept beside the tables (a changeset
 * of SQLite), put there for each of its statements and taken away after it. What only reads has the tables as they were when it began.
 * Tables are made at once. */
#define SQLITE_ENABLE_SESSION
#define SQLITE_ENABLE_PREUPDATE_HOOK
#include <sqlite3.h>

#include "sim/hosts.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/mem.h"

#define MUST_SQL(call, db)                                                                          \
    do {                                                                                            \
        int sql_rc = (call);                                                                        \
        MUST(sql_rc == SQLITE_OK || sql_rc == SQLITE_DONE || sql_rc == SQLITE_ROW, "%s: %s", #call, \
             sqlite3_errmsg(db));                                                                   \
    } while (0)

struct session sessions[SESSIONS_MOST];
struct decider decider = {.host = -1};
static sqlite3 *tables;
static const struct session *running; /* whose statement it is */
static int64_t transaction_ms, exported;

/* ---- functions of PostgreSQL ---- */

static void now_of(sqlite3_context *context, int count, sqlite3_value **args)
{
    (void)count;
    (void)args;
    sqlite3_result_int64(context, transaction_ms);
}

static void epoch_of(sqlite3_context *context, int count, sqlite3_value **args)
{
    (void)count;
    sqlite3_result_int64(context, (sqlite3_value_int64(args[0]) + 500) / 1000);
}

static void setting_of(sqlite3_context *context, int count, sqlite3_value **args)
{
    (void)count;
    const char *name = (const char *)sqlite3_value_text(args[0]);
    sqlite3_result_text(context, strcmp(name, "synchronous_commit") == 0 ? "on" : "other", -1, SQLITE_STATIC);
}

static void sha256_of(sqlite3_context *context, int count, sqlite3_value **args)
{
    unsigned char digest[crypto_hash_sha256_BYTES];
    (void)count;
    const unsigned char *bytes = sqlite3_value_blob(args[0]);
    crypto_hash_sha256(digest, bytes ? bytes : digest, (unsigned long long)sqlite3_value_bytes(args[0]));
    sqlite3_result_blob(context, digest, sizeof digest, SQLITE_TRANSIENT);
}

static void there_is(sqlite3_context *context, int count, sqlite3_value **args)
{
    (void)count;
    const char *name = (const char *)sqlite3_value_text(args[0]);
    sqlite3_stmt *query;
    sqlite3 *db = sqlite3_context_db_handle(context);
    MUST_SQL(sqlite3_prepare_v2(db, "SELECT 1 FROM sqlite_schema WHERE name = ?", -1, &query, NULL), db);
    sqlite3_bind_text(query, 1, name, -1, SQLITE_STATIC);
    if (sqlite3_step(query) == SQLITE_ROW)
        sqlite3_result_int(context, 1);
    sqlite3_finalize(query);
}

/* A session of somebody else's is ended: at the next look at it (hosts.c). */
static void terminate(sqlite3_context *context, int count, sqlite3_value **args)
{
    (void)count;
    int which = sqlite3_value_int(args[0]);
    tell("session %d, of host %d, is ended by host %d", which, sessions[which].host, running->host);
    database_end(&sessions[which]);
    sqlite3_result_int(context, 1);
}

/* parts(bytes, at): the bytes in the order of `at`. */
struct part {
    int64_t at;
    struct str bytes;
};
struct parts {
    struct part *list;
    size_t count, cap;
};

static void add_part(sqlite3_context *context, int count, sqlite3_value **args)
{
    (void)count;
    struct parts *parts = sqlite3_aggregate_context(context, sizeof *parts);
    if (sqlite3_value_type(args[0]) == SQLITE_NULL)
        return;
    parts->list = mem_grow(parts->list, parts->count, &parts->cap, sizeof *parts->list);
    struct part *part = &parts->list[parts->count++];
    *part = (struct part){sqlite3_value_int64(args[1]), STR_INIT};
    str_add(&part->bytes, sqlite3_value_blob(args[0]), (size_t)sqlite3_value_bytes(args[0]));
}

static int by_place(const void *a, const void *b)
{
    const struct part *one = a, *two = b;
    return (one->at > two->at) - (one->at < two->at);
}

static void join_parts(sqlite3_context *context)
{
    struct parts *parts = sqlite3_aggregate_context(context, 0);
    struct str all = STR_INIT;
    if (!parts || !parts->count)
        return;
    qsort(parts->list, parts->count, sizeof *parts->list, by_place);
    for (size_t i = 0; i < parts->count; i++) {
        str_addslice(&all, slice_str(&parts->list[i].bytes));
        str_release(&parts->list[i].bytes);
    }
    sqlite3_result_blob(context, all.p, (int)all.len, SQLITE_TRANSIENT);
    free(parts->list);
    str_release(&all);
}

static sqlite3 *open_tables(void)
{
    static const struct {
        const char *name;
        void (*function)(sqlite3_context *, int, sqlite3_value **);
    } functions[] = {{"now", now_of},
                     {"epoch", epoch_of},
                     {"current_setting", setting_of},
                     {"set_config", setting_of},
                     {"sha256", sha256_of},
                     {"to_regclass", there_is},
                     {"pg_terminate_backend", terminate}};
    sqlite3 *db;
    MUST_SQL(sqlite3_open_v2(":memory:", &db,
                             SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL),
             db);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        MUST_SQL(sqlite3_create_function(db, functions[i].name, -1, SQLITE_UTF8, NULL, functions[i].function,
                                         NULL, NULL),
                 db);
    MUST_SQL(sqlite3_create_function(db, "parts", 2, SQLITE_UTF8, NULL, NULL, add_part, join_parts), db);
    MUST_SQL(
        sqlite3_exec(
            db,
            "CREATE TEMP TABLE item(arg, n, value);"
            "CREATE TEMP TABLE pg_stat_activity(usename, application_name, pid, backend_xid, xact_start)",
            NULL, NULL, NULL),
        db);
    return db;
}

/* ---- words of PostgreSQL ---- */

static const char *const words[][2] = {
    {"\"sim\".file f SET", "file AS f SET"},
    {"\"sim\".", ""},
    {"to_regnamespace('\"sim\"')", "1"},
    {" COLLATE \"C\"", ""},
    {"string_agg(p.bytes, ''::bytea ORDER BY p.at)", "parts(p.bytes, p.at)"},
    {"::bytea", ""},
    {"greatest(", "max("},
    {"interval '1 second'", "1000"},
    {"interval '7 days'", "604800000"},
    {"extract(epoch FROM ", "epoch("},
    {"substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)", "'00000001'"},
    {"datname = current_database() AND usename = current_user", "1"},
    {"pg_backend_pid()", "-1"},
};

/* "unnest($1, $2) AS t(path, body)": the items of these arrays side by side. */
static const char *add_unnest(struct str *out, const char *sql)
{
    int args = 1;
    const char *name = strstr(sql, "AS t("), *end = strchr(name, ')');
    str_adds(out, "(SELECT ");
    for (const char *at = name + strlen("AS t("); at < end; args++) {
        size_t len = strcspn(at, ",)");
        str_addf(out, "%si%d.value AS %.*s", args > 1 ? ", " : "", args, (int)len, at);
        at += len + 1 + (at[len] == ',');
    }
    for (int i = 1; i < args; i++)
        str_addf(out, i == 1 ? " FROM item i%d" : " JOIN item i%d ON i%d.arg = %d AND i%d.n = i1.n", i, i, i,
                 i);
    str_adds(out, " WHERE i1.arg = 1 ORDER BY i1.n) AS t");
    return end + 1;
}

static void translate(struct slice sql, struct str *out)
{
    char *text = slice_dup(sql);
    bool from_select = str_starts(text, "INSERT") && strstr(text, " SELECT ") && !strstr(text, " VALUES");
    for (const char *at = text; *at;) {
        size_t i = 0;
        while (i < sizeof words / sizeof *words && strncmp(at, words[i][0], strlen(words[i][0])) != 0)
            i++;
        if (i < sizeof words / sizeof *words) {
            str_adds(out, words[i][1]);
            at += strlen(words[i][0]);
        } else if (strncmp(at, "unnest(", 7) == 0) {
            at = add_unnest(out, at);
        } else if (strncmp(at, "= ANY($", 7) == 0) {
            str_addf(out, "IN (SELECT value FROM item WHERE arg = %c)", at[7]);
            at += strlen("= ANY($1)");
        } else if (from_select && strncmp(at, " ON CONFLICT", 12) == 0) {
            str_adds(out, " WHERE true ON CONFLICT"); /* else it reads ON as a join's */
            at += 12;
        } else {
            str_addc(out, *at++);
        }
    }
    free(text);
}

/* ---- values ---- */

enum { BYTEA = 17, INT8 = 20, TEXT = 25, BYTEAS = 1001, TEXTS = 1009, INT8S = 1016 };

static int64_t big_endian(const char *p, size_t len)
{
    uint64_t number = 0;
    for (size_t i = 0; i < len; i++)
        number = number << 8 | (unsigned char)p[i];
    return (int64_t)number;
}

static void bind(sqlite3_stmt *query, int at, int64_t type, struct slice value)
{
    int len = (int)value.len;
    if (type == INT8 || type == INT8S)
        sqlite3_bind_int64(query, at, big_endian(value.p, value.len));
    else if (type == TEXT || type == TEXTS)
        sqlite3_bind_text(query, at, value.p ? value.p : "", len, SQLITE_TRANSIENT);
    else
        sqlite3_bind_blob(query, at, value.p && len ? value.p : "", len, SQLITE_TRANSIENT);
}

/* An array's items go into a table. */
static void put_items(sqlite3 *db, int arg, int64_t type, struct slice array)
{
    sqlite3_stmt *put;
    int64_t count = big_endian(array.p + 12, 4);
    char clear[60];
    (void)snprintf(clear, sizeof clear, "DELETE FROM item WHERE arg = %d", arg);
    MUST_SQL(sqlite3_exec(db, clear, NULL, NULL, NULL), db);
    MUST_SQL(sqlite3_prepare_v2(db, "INSERT INTO item VALUES(?, ?, ?)", -1, &put, NULL), db);
    array = slice_sub(array, 20, array.len);
    sqlite3_bind_int(put, 1, arg);
    for (int64_t n = 0; n < count; n++) {
        size_t len = (size_t)big_endian(array.p, 4);
        sqlite3_bind_int64(put, 2, n);
        bind(put, 3, type, slice_sub(array, 4, len));
        MUST_SQL(sqlite3_step(put), db);
        sqlite3_reset(put);
        array = slice_sub(array, 4 + len, array.len);
    }
    sqlite3_finalize(put);
}

static void add_value(struct str *out, sqlite3_stmt *query, int column)
{
    char big[8];
    if (sqlite3_column_type(query, column) == SQLITE_INTEGER) {
        uint64_t number = (uint64_t)sqlite3_column_int64(query, column);
        for (int i = 0; i < 8; i++)
            big[i] = (char)(number >> (56 - 8 * i));
        pack_bytes(out, (struct slice){big, sizeof big});
    } else {
        const char *bytes = sqlite3_column_blob(query, column);
        pack_bytes(out, (struct slice){bytes, (size_t)sqlite3_column_bytes(query, column)});
    }
}

/* ---- one statement ---- */

static void fault(struct str *out, const char *state, const char *text)
{
    tell("refused: %s %s", state, text);
    pack_number(out, ANSWER_FAULT);
    pack_bytes(out, slice_of(state));
    pack_bytes(out, slice_of(text));
}

/* Ready to be bound. Those of `tables` are kept. */
static sqlite3_stmt *prepare(sqlite3 *db, struct slice sql)
{
    static struct {
        char *sql;
        sqlite3_stmt *query;
    } kept[100];
    struct str text = STR_INIT;
    sqlite3_stmt *query;
    size_t i = 0;
    while (db == tables && i < 100 && kept[i].sql && !slice_eq(sql, kept[i].sql))
        i++;
    if (db == tables && i < 100 && kept[i].sql)
        return kept[i].query;
    translate(sql, &text);
    MUST(sqlite3_prepare_v2(db, text.p, (int)text.len, &query, NULL) == SQLITE_OK,
         "the simulation's database does not understand \"%s\": %s", text.p, sqlite3_errmsg(db));
    str_release(&text);
    if (db == tables && i < 100) {
        kept[i].sql = slice_dup(sql);
        kept[i].query = query;
    }
    return query;
}

/* False: a rule of the tables refuses it. */
static bool run(sqlite3 *db, struct slice sql, struct slice args, struct str *out)
{
    struct str values = STR_INIT;
    sqlite3_stmt *query = prepare(db, sql);
    int64_t rows = 0, count = unpack_number(&args);
    int rc;
    for (int i = 1; i <= count; i++) {
        char name[20];
        (void)snprintf(name, sizeof name, "$%d", i);
        int64_t type = unpack_number(&args);
        struct slice value = unpack_bytes(&args);
        int at = sqlite3_bind_parameter_index(query, name);
        if (type == BYTEAS || type == TEXTS || type == INT8S)
            put_items(db, i, type, value);
        else if (at)
            bind(query, at, type, value);
    }
    const int columns = sqlite3_column_count(query);
    for (; (rc = sqlite3_step(query)) == SQLITE_ROW; rows++)
        for (int i = 0; i < columns; i++)
            add_value(&values, query, i);
    MUST(rc == SQLITE_DONE || rc == SQLITE_CONSTRAINT, "\"%s\": %s", sqlite3_sql(query), sqlite3_errmsg(db));
    if (rc == SQLITE_CONSTRAINT) {
        fault(out, "23502", sqlite3_errmsg(db));
    } else {
        pack_number(out, columns ? ANSWER_ROWS : ANSWER_DONE);
        if (columns) {
            pack_number(out, rows);
            pack_number(out, columns);
            pack_bytes(out, slice_str(&values));
        }
    }
    (void)sqlite3_reset(query);
    if (db != tables)
        sqlite3_finalize(query);
    str_release(&values);
    return rc == SQLITE_DONE;
}

/* ---- transactions ---- */

/* Changes of others never meet these: rows are locked. */
static int conflict(void *arg, int kind, sqlite3_changeset_iter *changes)
{
    (void)arg;
    (void)changes;
    RED("the simulation's database has changed a row that was locked (%d)", kind);
}

static void put_changes(const struct session *session)
{
    if (session->changes)
        MUST_SQL(sqlite3changeset_apply(tables, session->changes_len, session->changes, NULL, conflict, NULL),
                 tables);
}

/* The keys of all rows that were changed, one after the other. */
static void list_keys(const void *changes, int len, struct str *out)
{
    sqlite3_changeset_iter *at;
    MUST_SQL(sqlite3changeset_start(&at, len, (void *)(uintptr_t)changes), tables);
    while (sqlite3changeset_next(at) == SQLITE_ROW) {
        const char *table;
        unsigned char *is_key;
        int columns, how, indirect;
        struct str key = STR_INIT;
        sqlite3changeset_op(at, &table, &columns, &how, &indirect);
        sqlite3changeset_pk(at, &is_key, NULL);
        str_adds(&key, table);
        for (int i = 0; i < columns; i++) {
            sqlite3_value *value = NULL;
            if (is_key[i] && (how == SQLITE_INSERT ? sqlite3changeset_new
                                                   : sqlite3changeset_old)(at, i, &value) == SQLITE_OK)
                pack_bytes(&key,
                           (struct slice){sqlite3_value_blob(value), (size_t)sqlite3_value_bytes(value)});
        }
        pack_bytes(out, slice_str(&key));
        str_release(&key);
    }
    sqlite3changeset_finalize(at);
}

static bool shares_key(const struct str *keys, const struct session *other)
{
    struct str theirs = STR_INIT;
    bool shares = false;
    list_keys(other->changes, other->changes_len, &theirs);
    for (struct slice mine = slice_str(keys); mine.len && !shares;) {
        struct slice key = unpack_bytes(&mine);
        for (struct slice rest = slice_str(&theirs); rest.len && !shares;) {
            struct slice one = unpack_bytes(&rest);
            shares = one.len == key.len && memcmp(one.p, key.p, key.len) == 0;
        }
    }
    str_release(&theirs);
    return shares;
}

/* The transaction that has locked what these changes touch; -1: none. */
static int locked_by(const struct session *session, const void *changes, int len)
{
    struct str keys = STR_INIT;
    int who = -1;
    for (int i = 0; i < SESSIONS_MOST && who < 0; i++) {
        const struct session *other = &sessions[i];
        if (!other->used || other == session || !other->changes_len)
            continue;
        if (!keys.len)
            list_keys(changes, len, &keys);
        if (shares_key(&keys, other))
            who = i;
    }
    str_release(&keys);
    return who;
}

static bool would_wait_for_itself(const struct session *session, int who)
{
    for (int steps = 0; who >= 0 && steps < SESSIONS_MOST; steps++) {
        if (&sessions[who] == session)
            return true;
        who = sessions[who].waits ? sessions[who].waits_for : -1;
    }
    return false;
}

static void end_transaction(struct session *session)
{
    sqlite3_free(session->changes);
    if (session->snapshot)
        sqlite3_close(session->snapshot);
    session->changes = session->snapshot = NULL;
    session->changes_len = 0;
    session->reads = false;
    session->tx = TX_NONE;
    for (int i = 0; i < SESSIONS_MOST; i++)
        sessions[i].waits = false;
}

/* Whoever reads has the tables as they were. */
static void keep_snapshots(void)
{
    for (int i = 0; i < SESSIONS_MOST; i++)
        if (sessions[i].used && sessions[i].reads && !sessions[i].snapshot) {
            sqlite3 *copy = open_tables();
            sqlite3_backup *backup = sqlite3_backup_init(copy, "main", tables, "main");
            MUST(backup, "%s", sqlite3_errmsg(copy));
            MUST_SQL(sqlite3_backup_step(backup, -1), copy);
            MUST_SQL(sqlite3_backup_finish(backup), copy);
            sessions[i].snapshot = copy;
        }
}

/* The numbers of one row; false: there is none. */
static bool numbers(const char *sql, int64_t *out, int count)
{
    sqlite3_stmt *query = prepare(tables, slice_of(sql));
    bool is = sqlite3_step(query) == SQLITE_ROW;
    for (int i = 0; is && i < count; i++)
        out[i] = sqlite3_column_int64(query, i);
    (void)sqlite3_reset(query);
    return is;
}

static void obey(const char *sql)
{
    sqlite3_stmt *query = prepare(tables, slice_of(sql));
    MUST_SQL(sqlite3_step(query), tables);
    (void)sqlite3_reset(query);
}

/* ---- what must hold in the database ---- */

struct row {
    int64_t ready, fence, seq, until;
};

static bool look(struct row *row)
{
    int64_t there = 0, values[4];
    (void)numbers("SELECT count(*) FROM sqlite_schema WHERE name = 'league'", &there, 1);
    if (!there || !numbers("SELECT ready, fence, seq, until FROM league", values, 4))
        return false;
    *row = (struct row){values[0], values[1], values[2], values[3]};
    return true;
}

static bool touches_files(const struct session *session)
{
    struct str keys = STR_INIT;
    bool touches = false;
    list_keys(session->changes, session->changes_len, &keys);
    for (struct slice rest = slice_str(&keys); rest.len;) {
        struct slice key = unpack_bytes(&rest);
        touches |= slice_starts(key, "part") || slice_starts(key, "file");
    }
    str_release(&keys);
    return touches;
}

/* One writer at a time; each commit has the next number, and is in `done` under it; the lease is nobody else's before it is over. */
static void judge_commit(const struct session *session, struct row before)
{
    struct row after;
    int64_t noted = 0;
    bool decides = session->host == decider.host && session->life == decider.life;
    if (!before.ready || !look(&after))
        return; /* the league is being brought here */
    MUST(after.seq == before.seq || after.seq == before.seq + 1, "commit %lld comes after %lld",
         (long long)after.seq, (long long)before.seq);
    if (after.fence != before.fence) {
        MUST(after.fence == before.fence + 1, "the fence leaps");
        MUST(session->host == decider.host || before.until <= transaction_ms,
             "host %d takes the lease, which host %d has for %lld ms more", session->host, decider.host,
             (long long)(before.until - transaction_ms));
        decider.host = session->host;
        decider.life = session->life;
    } else if (after.seq != before.seq) {
        MUST(decides, "host %d (life %d) commits number %lld, and host %d (life %d) decides", session->host,
             session->life, (long long)after.seq, decider.host, decider.life);
        (void)numbers("SELECT count(*) FROM done WHERE seq = (SELECT seq FROM league)", &noted, 1);
        MUST(noted == 1, "commit %lld is not noted once", (long long)after.seq);
    } else {
        MUST(!touches_files(session), "files are changed by host %d without a commit", session->host);
        MUST(after.until == before.until || decides, "host %d renews the lease, which host %d has",
             session->host, decider.host);
    }
    decider.until = after.until;
    decider.seq = after.seq;
}

static void commit(struct session *session)
{
    if (session->changes_len) {
        struct row before = {.ready = 0};
        (void)look(&before);
        keep_snapshots();
        put_changes(session);
        judge_commit(session, before);
    }
    end_transaction(session);
}

/* ---- a session ---- */

/* Within its transaction, beside the others. */
static bool change(struct session *session, struct slice sql, struct slice args)
{
    sqlite3_session *recorder;
    void *changes = NULL;
    int len = 0;
    struct str out = STR_INIT;
    obey("SAVEPOINT one");
    MUST_SQL(sqlite3session_create(tables, "main", &recorder), tables);
    MUST_SQL(sqlite3session_attach(recorder, NULL), tables);
    put_changes(session);
    bool done = run(tables, sql, args, &out);
    MUST_SQL(sqlite3session_changeset(recorder, &len, &changes), tables);
    sqlite3session_delete(recorder);
    int who = done && len ? locked_by(session, changes, len) : -1;
    obey("ROLLBACK TO one");
    obey("RELEASE one");
    bool met = who >= 0 && would_wait_for_itself(session, who);
    if (who >= 0 && !met) {
        sqlite3_free(changes);
        str_release(&out);
        session->waits = true;
        session->waits_for = who;
        return false;
    }
    if (met) {
        str_clear(&out);
        fault(&out, "40P01", "deadlock detected");
    }
    if (done && !met) {
        sqlite3_free(session->changes);
        session->changes = changes;
        session->changes_len = len;
    } else {
        sqlite3_free(changes);
        session->skips = true;
    }
    str_addslice(&session->answers, slice_str(&out));
    str_release(&out);
    return true;
}

static void show_activity(void)
{
    MUST_SQL(sqlite3_exec(tables, "DELETE FROM pg_stat_activity", NULL, NULL, NULL), tables);
    for (int i = 0; i < SESSIONS_MOST; i++)
        if (sessions[i].used && sessions[i].changes_len) {
            char sql[200];
            (void)snprintf(sql, sizeof sql,
                           "INSERT INTO pg_stat_activity VALUES('', 'turnpost sim', %d, 1, %lld)", i,
                           (long long)sessions[i].began);
            MUST_SQL(sqlite3_exec(tables, sql, NULL, NULL, NULL), tables);
        }
}

static struct slice peek(const struct session *session)
{
    struct slice rest = slice_sub(slice_str(&session->sent), session->at, session->sent.len);
    return session->left ? unpack_bytes(&rest) : (struct slice){"", 0};
}

const char *database_next(const struct session *session)
{
    static char said[100];
    struct slice sql = peek(session);
    (void)snprintf(said, sizeof said, "%.*s", (int)sql.len, sql.p);
    return session->left ? said : NULL;
}

static bool control(struct session *session, struct slice sql)
{
    bool commits = slice_eq(sql, "COMMIT") && session->tx != TX_FAILED;
    if (slice_starts(sql, "BEGIN")) {
        session->tx = TX_BEGUN;
        session->reads = slice_find(sql, "READ ONLY") != SIZE_MAX;
    } else if (commits) {
        commit(session);
    } else if (slice_eq(sql, "COMMIT") || slice_eq(sql, "ROLLBACK")) {
        end_transaction(session);
    } else if (!slice_starts(sql, "SET ") && !slice_starts(sql, "CREATE SCHEMA")) {
        return false;
    }
    pack_number(&session->answers, commits ? ANSWER_COMMITTED : ANSWER_DONE);
    return true;
}

static bool makes_tables(struct slice sql)
{
    return slice_starts(sql, "CREATE") || slice_starts(sql, "DROP");
}

static void end_of_batch(struct session *session)
{
    if (session->tx == TX_IMPLICIT && !session->skips)
        commit(session);
    else if (session->tx == TX_IMPLICIT)
        end_transaction(session);
    if (session->skips && session->tx == TX_BEGUN)
        session->tx = TX_FAILED;
    pack_number(&session->answers, ANSWER_SYNC);
    pack_number(&session->answers, session->tx == TX_FAILED);
    pack_number(&session->answers, session->warned);
    session->answered = true;
    session->skips = session->warned = false;
}

/* Its words; its values; what comes after it. */
static struct slice unpack_statement(struct slice *rest, struct slice *args)
{
    struct slice sql = unpack_bytes(rest);
    *args = *rest;
    for (int64_t count = unpack_number(rest); count > 0; count--) {
        (void)unpack_number(rest);
        (void)unpack_bytes(rest);
    }
    return sql;
}

/* False: it waits. */
static bool do_statement(struct session *session, struct slice sql, struct slice args)
{
    if (control(session, sql))
        return true;
    if (slice_find(sql, "pg_stat_activity") != SIZE_MAX)
        show_activity();
    if (makes_tables(sql))
        return run(tables, sql, args, &session->answers);
    if (session->reads || (slice_starts(sql, "SELECT") && !session->changes_len))
        return run(session->snapshot ? session->snapshot : tables, sql, args, &session->answers);
    return change(session, sql, args);
}

bool database_step(struct session *session, const char *state, bool warned)
{
    struct slice all = slice_sub(slice_str(&session->sent), session->at, session->sent.len), rest = all, args;
    struct slice sql = unpack_statement(&rest, &args);
    if (sql.len && session->tx == TX_NONE) {
        session->tx = TX_IMPLICIT;
        session->began = world.ms;
    }
    running = session;
    transaction_ms = session->began;
    session->warned |= warned && slice_eq(sql, "COMMIT") && !session->skips && session->changes_len;
    if (!sql.len) {
        end_of_batch(session);
    } else if (session->skips) {
        pack_number(&session->answers, ANSWER_SKIPPED);
    } else if (state) {
        fault(&session->answers, state, "a fault by luck");
        session->skips = true;
    } else if (!do_statement(session, sql, args)) {
        return false;
    }
    session->at += all.len - rest.len;
    session->left--;
    return true;
}

struct session *database_connect(int host, int life)
{
    static long number;
    int i = 0;
    while (i < SESSIONS_MOST && sessions[i].used)
        i++;
    if (i == SESSIONS_MOST)
        return NULL;
    sessions[i] = (struct session){
        .used = true, .number = number++, .host = host, .life = life, .sent = STR_INIT, .answers = STR_INIT};
    return &sessions[i];
}

struct session *session_of(long number)
{
    int i = 0;
    while (i < SESSIONS_MOST && (!sessions[i].used || sessions[i].number != number))
        i++;
    return i < SESSIONS_MOST ? &sessions[i] : NULL;
}

void database_send(struct session *session, struct slice bytes)
{
    if (!session->left) {
        str_clear(&session->sent);
        session->at = 0;
    }
    str_addslice(&session->sent, bytes);
    while (bytes.len) {
        (void)unpack_statement(&bytes, &(struct slice){NULL, 0});
        session->left++;
    }
}

void database_end(struct session *session)
{
    end_transaction(session);
    str_release(&session->sent);
    str_release(&session->answers);
    session->used = false;
}

/* ---- files, for the judge ---- */

static sqlite3_stmt *files_after(int64_t seq)
{
    sqlite3_stmt *query;
    MUST_SQL(sqlite3_prepare_v2(tables,
                                "SELECT f.path, f.size, f.changed, (SELECT parts(p.bytes, p.at) FROM part p "
                                "WHERE p.body = f.body) FROM file f"
                                " WHERE f.seq > ?",
                                -1, &query, NULL),
             tables);
    sqlite3_bind_int64(query, 1, seq);
    return query;
}

void database_export(const char *dir)
{
    sqlite3_stmt *query = files_after(exported);
    while (sqlite3_step(query) == SQLITE_ROW) {
        struct err err = ERR_INIT;
        char *path = path_join(dir, (const char *)sqlite3_column_text(query, 0));
        char *folder = mem_strndup(path, (size_t)(strrchr(path, '/') - path));
        (void)remove(path);
        if (sqlite3_column_int64(query, 1) >= 0) {
            MUST_DO(file_mkdirs(folder, 0700, &err), err);
            raw_file(path,
                     (struct slice){sqlite3_column_blob(query, 3), (size_t)sqlite3_column_bytes(query, 3)},
                     sqlite3_column_int64(query, 2));
        }
        free(folder);
        free(path);
    }
    sqlite3_finalize(query);
    (void)numbers("SELECT seq FROM league", &exported, 1);
}

void database_compare(const char *dir)
{
    sqlite3_stmt *query = files_after(-1);
    while (sqlite3_step(query) == SQLITE_ROW) {
        struct str bytes = STR_INIT;
        struct err err = ERR_INIT;
        const char *name = (const char *)sqlite3_column_text(query, 0);
        int64_t size = sqlite3_column_int64(query, 1);
        char *path = path_join(dir, name);
        MUST(file_size(path) == size, "%s has %lld bytes in %s, and %lld in the database", name,
             (long long)file_size(path), dir, (long long)size);
        if (size > 0) {
            MUST_DO(file_read(path, (size_t)1 << 30, &bytes, &err), err);
            MUST(sqlite3_column_bytes(query, 3) == size &&
                     memcmp(bytes.p, sqlite3_column_blob(query, 3), bytes.len) == 0,
                 "%s in %s is not as in the database", name, dir);
        }
        str_release(&bytes);
        free(path);
    }
    sqlite3_finalize(query);
}

void database_open(void)
{
    tables = open_tables();
}
