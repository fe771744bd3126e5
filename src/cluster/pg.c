#include "cluster/pg.h"

#include <ctype.h>
#include <endian.h>
#include <errno.h>
#include <libpq-fe.h>
#include <poll.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"

/* Numbers of types, which are the same in every database (pg_type.dat). */
enum { BYTEA = 17, INT8 = 20, INT4 = 23, TEXT = 25, BYTEAS = 1001, TEXTS = 1009, INT8S = 1016 };

#define CERTIFICATES "/etc/ssl/certs/ca-certificates.crt"
#define ANSWERS_MS   5000 /* a server that is there answers within that time */

struct pg {
    PGconn *conn;
    PGresult *rows; /* of the last query that gave some, or NULL */
    struct str sql; /* with the schema's name */
    char schema[PG_SCHEMA];
    size_t trips;
    bool warned, committed, lost;
};

/* ---- where to ---- */

bool pg_schema_valid(struct slice name)
{
    bool valid = name.len > 0 && name.len < PG_SCHEMA && !isdigit((unsigned char)name.p[0]);
    for (size_t i = 0; i < name.len && valid; i++)
        valid =
            name.p[i] == '_' || (name.p[i] >= 'a' && name.p[i] <= 'z') || isdigit((unsigned char)name.p[i]);
    return valid;
}

/* What a connection string says of an option; NULL when it does not. Borrowed. */
static const char *option(const PQconninfoOption *options, const char *name)
{
    for (; options && options->keyword; options++)
        if (strcmp(options->keyword, name) == 0)
            return options->val && *options->val ? options->val : NULL;
    return NULL;
}

/* Names of this host, and folders of sockets, divided by commas. */
static bool all_local(const char *hosts)
{
    static const char *const local[] = {"localhost", "127.0.0.1", "::1"};
    bool all = true;
    while (hosts && *hosts && all) {
        size_t len = strcspn(hosts, ",");
        struct slice host = {hosts, len};
        all = len == 0 || *hosts == '/' || *hosts == '@';
        for (size_t i = 0; i < sizeof local / sizeof *local && !all; i++)
            all = slice_eq(host, local[i]);
        hosts += len + (hosts[len] == ',');
    }
    return all;
}

struct target {
    PQconninfoOption *options;
    bool local, rooted; /* on this host; names certificates to trust */
};

static bool is_local(const PQconninfoOption *options)
{
    const char *host = option(options, "host"), *address = option(options, "hostaddr");
    return !option(options, "service") && all_local(host) && all_local(address);
}

static int parse(const struct pg_way *way, struct target *target, struct err *err)
{
    char *words = NULL;
    target->options = PQconninfoParse(way->database, &words);
    if (!target->options) {
        struct str why = STR_INIT;
        str_adds(&why, words ? words : "no memory");
        str_trim(&why);
        err_set(err, ERR_CONFIG, "league.ini: [store] database: %s", why.p);
        str_release(&why);
        PQfreemem(words);
        return -1;
    }
    const char *tls = option(target->options, "sslmode");
    target->local = is_local(target->options);
    target->rooted = option(target->options, "sslrootcert") != NULL;
    if (option(target->options, "password"))
        err_set(
            err, ERR_CONFIG,
            "league.ini: [store] database must not hold the password: set password_command, password_file or "
            "password_env instead");
    else if (!target->local && tls && strcmp(tls, "verify-full") != 0)
        err_set(err, ERR_CONFIG,
                "league.ini: [store] database: sslmode %s does not verify the server; leave it out (it is "
                "verify-full for other hosts)",
                tls);
    else
        return 0;
    PQconninfoFree(target->options);
    return -1;
}

int pg_check(const struct pg_way *way, struct err *err)
{
    struct target target;
    if (parse(way, &target, err))
        return -1;
    PQconninfoFree(target.options);
    return 0;
}

static void add_file(struct file_names *names, const char *path)
{
    size_t cap = names->count; /* a handful, so each time by one */
    names->name = mem_grow(names->name, names->count, &cap, sizeof *names->name);
    names->name[names->count++] = mem_strdup(path);
}

void pg_files(const struct pg_way *way, struct file_names *names)
{
    static const char *const options[] = {"sslrootcert", "sslcert", "sslkey", "sslcrl", "passfile"};
    static const char *const variables[] = {"PGPASSFILE",    "PGSERVICEFILE", "PGSYSCONFDIR",
                                            "PGSSLROOTCERT", "PGSSLCERT",     "PGSSLKEY"};
    static const char *const home_files[] = {".pgpass", ".pg_service.conf", ".postgresql"};
    char *words = NULL;
    PQconninfoOption *parsed = PQconninfoParse(way->database, &words);
    const char *home = getenv("HOME");
    *names = (struct file_names){NULL, 0};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (option(parsed, options[i]))
            add_file(names, option(parsed, options[i]));
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (getenv(variables[i]))
            add_file(names, getenv(variables[i]));
    for (size_t i = 0; home && i < sizeof home_files / sizeof *home_files; i++) {
        char *path = path_join(home, home_files[i]);
        add_file(names, path);
        free(path);
    }
    add_file(names, "/etc/postgresql-common");
    PQconninfoFree(parsed);
    PQfreemem(words);
}

/* ---- the connection ---- */

static int words_of(const PGconn *conn, enum err_code code, struct err *err)
{
    struct str words = STR_INIT;
    str_adds(&words, PQerrorMessage(conn));
    str_trim(&words);
    for (char *p = words.p; *p; p++)
        if (*p == '\n' || *p == '\t')
            *p = ' ';
    err_set(err, code, "the database: %s", words.len ? words.p : "it does not answer");
    str_release(&words);
    return -1;
}

/* Polls until the socket is ready; false when the time is over. */
static bool ready(const PGconn *conn, short events, int64_t until)
{
    for (;;) {
        int64_t left = until - clock_milliseconds();
        struct pollfd wait = {.fd = PQsocket(conn), .events = events};
        if (left <= 0 || wait.fd < 0)
            return false;
        int n = poll(&wait, 1, (int)left);
        if (n > 0)
            return true;
        if (n == 0 || errno != EINTR)
            return false;
    }
}

void pg_application(char out[PG_APPLICATION], const struct pg_way *way)
{
    (void)snprintf(out, PG_APPLICATION, "turnpost %s", way->schema);
}

static PGconn *begin(const struct pg_way *way, const struct target *target)
{
    char application[PG_APPLICATION];
    const char *names[10] = {"dbname", "application_name", "client_encoding", "connect_timeout"};
    const char *values[10] = {way->database, application, "UTF8", "10"};
    int count = 4;
    pg_application(application, way);
    if (way->password) {
        names[count] = "password";
        values[count++] = way->password;
    }
    if (!target->local) {
        names[count] = "sslmode";
        values[count++] = "verify-full";
        if (!target->rooted) {
            names[count] = "sslrootcert";
            values[count++] = CERTIFICATES;
        }
    }
    return PQconnectdbParams(names, values, 1);
}

/* The server's errors in what libpq says verbosely of some hosts, "FATAL:  28P01: ...", whose words are in the server's language. One
 * that starts, stops or is a standby will be there again. */
static enum err_code refusal(const char *words)
{
    enum err_code code = ERR_TEMP;
    const char *advice, *at = words;
    while (code == ERR_TEMP && (at = strstr(at, ":  ")) != NULL) {
        char state[6];
        at += 3;
        (void)snprintf(state, sizeof state, "%s", at);
        if (strspn(state, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 5 && at[5] == ':')
            (void)pg_judge(state, &code, &advice);
    }
    return code;
}

/* Whose fault it is that there is no connection; ERR_NONE: now there is one. The SQLSTATE is told only where libpq is to be verbose, and
 * that can be said of a second try alone; a server that has not answered the first one is not tried again. What is wrong on our
 * side libpq says in English, as no locale is set. */
static enum err_code why_not(PGconn *conn, int64_t began)
{
    if (PQconnectionNeedsPassword(conn) || strstr(PQerrorMessage(conn), "certificate"))
        return ERR_CONFIG;
    if (clock_milliseconds() - began >= ANSWERS_MS)
        return ERR_TEMP;
    (void)PQsetErrorVerbosity(conn, PQERRORS_VERBOSE);
    PQreset(conn);
    (void)PQsetErrorVerbosity(conn, PQERRORS_DEFAULT);
    return PQstatus(conn) == CONNECTION_OK ? ERR_NONE : refusal(PQerrorMessage(conn));
}

static void notice(void *arg, const PGresult *result)
{
    struct pg *pg = arg;
    const char *weight = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
    const char *words = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    bool warns = weight && strcmp(weight, "WARNING") == 0;
    pg->warned |= warns;
    if (warns)
        log_warn("the database: %s", words ? words : "it warns");
    else
        log_debug("the database: %s", words ? words : "");
}

/* A host that is gone in the middle of a commit must not keep its rows locked until the server notices by itself, which
 * takes hours. Other databases may not know the words, and a socket of this host needs them not. */
static void watch_us(struct pg *pg)
{
    struct err ignored = ERR_INIT;
    (void)(pg_send(pg, "SET tcp_keepalives_idle = 5", NULL, &ignored) ||
           pg_send(pg, "SET tcp_keepalives_interval = 1", NULL, &ignored) ||
           pg_send(pg, "SET tcp_keepalives_count = 3", NULL, &ignored) || pg_wait(pg, &ignored));
}

int pg_open(const struct pg_way *way, struct pg **out, struct err *err)
{
    struct target target;
    *out = NULL;
    if (parse(way, &target, err))
        return -1;
    int64_t began = clock_milliseconds();
    PGconn *conn = begin(way, &target);
    PQconninfoFree(target.options);
    if (!conn)
        return err_set(err, ERR_TEMP, "the database: no memory");
    if (PQstatus(conn) != CONNECTION_OK) {
        struct err why = ERR_INIT;
        words_of(conn, ERR_TEMP, &why);
        why.code = why_not(conn, began);
        if (why.code) {
            PQfinish(conn);
            return err_pass(err, &why);
        }
    }
    if (PQsetnonblocking(conn, 1) != 0 || PQenterPipelineMode(conn) != 1) {
        words_of(conn, ERR_TEMP, err);
        PQfinish(conn);
        return -1;
    }
    struct pg *pg = mem_alloc(sizeof *pg);
    (void)PQsetNoticeReceiver(conn, notice, pg);
    pg->conn = conn;
    str_init(&pg->sql);
    (void)snprintf(pg->schema, sizeof pg->schema, "%s", way->schema);
    watch_us(pg);
    if (pg->lost) {
        words_of(conn, ERR_TEMP, err);
        pg_close(pg);
        return -1;
    }
    *out = pg;
    return 0;
}

void pg_close(struct pg *pg)
{
    if (!pg)
        return;
    PQclear(pg->rows);
    PQfinish(pg->conn);
    str_release(&pg->sql);
    free(pg);
}

bool pg_lost(const struct pg *pg)
{
    return pg->lost;
}

int pg_version(const struct pg *pg)
{
    return PQserverVersion(pg->conn);
}

size_t pg_trips(const struct pg *pg)
{
    return pg->trips;
}

/* ---- values ---- */

static struct str *next(struct pg_args *args, unsigned type)
{
    struct str *value = &args->value[args->count];
    str_init(value);
    args->type[args->count++] = type;
    return value;
}

void pg_args_release(struct pg_args *args)
{
    for (int i = 0; i < args->count; i++)
        str_release(&args->value[i]);
    args->count = 0;
}

static void put32(struct str *out, uint32_t number)
{
    uint32_t big = htobe32(number);
    str_add(out, &big, sizeof big);
}

static void put64(struct str *out, int64_t number)
{
    uint64_t big = htobe64((uint64_t)number);
    str_add(out, &big, sizeof big);
}

void pg_number(struct pg_args *args, int64_t number)
{
    put64(next(args, INT8), number);
}

void pg_text(struct pg_args *args, const char *text)
{
    str_adds(next(args, TEXT), text);
}

void pg_bytes(struct pg_args *args, struct slice bytes)
{
    str_addslice(next(args, BYTEA), bytes);
}

/* An array in binary form: dimensions, whether there are NULLs, the type; of the dimension the length, which is
 * counted up with each item, and where it begins. */
#define LENGTH_AT 12

void pg_array(struct pg_args *args, enum pg_items items)
{
    static const unsigned types[][2] = {
        [PG_TEXTS] = {TEXTS, TEXT}, [PG_BLOBS] = {BYTEAS, BYTEA}, [PG_NUMBERS] = {INT8S, INT8}};
    struct str *out = next(args, types[items][0]);
    put32(out, 1);
    put32(out, 0);
    put32(out, types[items][1]);
    put32(out, 0);
    put32(out, 1);
}

void pg_item(struct pg_args *args, struct slice bytes)
{
    struct str *out = &args->value[args->count - 1];
    uint32_t length;
    memcpy(&length, out->p + LENGTH_AT, sizeof length);
    length = htobe32(be32toh(length) + 1);
    memcpy(out->p + LENGTH_AT, &length, sizeof length);
    put32(out, (uint32_t)bytes.len);
    str_addslice(out, bytes);
}

void pg_item_number(struct pg_args *args, int64_t number)
{
    uint64_t big = htobe64((uint64_t)number);
    pg_item(args, (struct slice){(const char *)&big, sizeof big});
}

/* ---- queries ---- */

/* "@file" becomes "schema".file, and "@" alone "schema", in quotes: a schema may be called by a word of SQL. */
static void with_schema(struct pg *pg, const char *sql)
{
    str_clear(&pg->sql);
    for (; *sql; sql++)
        if (*sql == '@')
            str_addf(&pg->sql, "\"%s\"%s", pg->schema, islower((unsigned char)sql[1]) ? "." : "");
        else
            str_addc(&pg->sql, *sql);
}

int pg_send(struct pg *pg, const char *sql, const struct pg_args *args, struct err *err)
{
    const char *values[PG_ARGS];
    int lengths[PG_ARGS], formats[PG_ARGS], count = args ? args->count : 0;
    for (int i = 0; i < count; i++) {
        values[i] = args->value[i].p;
        lengths[i] = (int)args->value[i].len;
        formats[i] = 1;
    }
    with_schema(pg, sql);
    if (pg->lost || PQsendQueryParams(pg->conn, pg->sql.p, count, args ? args->type : NULL, values, lengths,
                                      formats, 1) != 1)
        return words_of(pg->conn, ERR_TEMP, err);
    return 0;
}

/* Sends what is to be sent and reads what comes, until the next answer is there; false: the server has fallen silent. */
static bool answered(const struct pg *pg)
{
    for (;;) {
        int64_t until = clock_milliseconds() + PG_PATIENCE * (int64_t)1000;
        int left = PQflush(pg->conn);
        if (left < 0)
            return false;
        if (left == 0 && !PQisBusy(pg->conn))
            return true;
        if (!ready(pg->conn, (short)(POLLIN | (left ? POLLOUT : 0)), until) || PQconsumeInput(pg->conn) != 1)
            return false;
    }
}

enum pg_fate pg_judge(const char *state, enum err_code *code, const char **advice)
{
    static const struct {
        const char *state; /* or what it begins with; the first row that fits counts */
        enum pg_fate fate;
        enum err_code code;
        const char *advice;
    } rows[] = {
        /* it met another transaction, or waited for too long */
        {"40001", PG_AGAIN, ERR_TEMP, NULL},
        {"40P01", PG_AGAIN, ERR_TEMP, NULL},
        {"55P03", PG_AGAIN, ERR_TEMP, NULL},
        {"57014", PG_AGAIN, ERR_TEMP, NULL},
        /* it shuts down, the line is gone, or it does not know itself whether it was done */
        {"40003", PG_LOST, ERR_TEMP, NULL},
        {"57P", PG_LOST, ERR_TEMP, NULL},
        {"08", PG_LOST, ERR_TEMP, NULL},
        {"23", PG_REFUSED, ERR_TEMP, NULL},
        /* the operator's: it will be the same the next time */
        {"42501", PG_FAILED, ERR_CONFIG,
         "give the league's user of the database that right (turnpost-store(1))"},
        {"28", PG_FAILED, ERR_CONFIG, "the user of [store] database must be let in"},
        {"3D", PG_FAILED, ERR_CONFIG, "[store] database in league.ini names it"},
        {"3F", PG_FAILED, ERR_CONFIG, "[store] schema in league.ini names it"},
        {"42", PG_FAILED, ERR_CONFIG,
         "the league's tables are not as Turnpost has made them, or the server is another "
         "(turnpost-store(1))"},
        {"0A", PG_FAILED, ERR_CONFIG, "this server cannot do it: PostgreSQL 12 or newer is needed"},
        {"F0", PG_FAILED, ERR_CONFIG, "the server's own configuration has this fault"},
        {"XX001", PG_FAILED, ERR_BROKEN, "the database is damaged: see to its server, and its backups"},
        {"XX002", PG_FAILED, ERR_BROKEN, "the database is damaged: REINDEX may mend it"},
        /* a standby that writes to nobody, a full disk, no memory, too many connections, and whatever else may pass */
        {"", PG_FAILED, ERR_TEMP, NULL},
    };
    size_t i = 0;
    while (strncmp(state ? state : "", rows[i].state, strlen(rows[i].state)) != 0)
        i++;
    *code = rows[i].code;
    *advice = rows[i].advice;
    return rows[i].fate;
}

static enum pg_fate fate_of(const PGresult *result, struct err *err)
{
    enum err_code code;
    const char *advice;
    const char *words = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    enum pg_fate fate = pg_judge(PQresultErrorField(result, PG_DIAG_SQLSTATE), &code, &advice);
    err_set(err, code, "the database: %s%s%s", words ? words : "it does not say what is wrong",
            advice ? ": " : "", advice ? advice : "");
    return fate;
}

/* What it still has to say is no answer to anything that is asked from now on. */
static enum pg_fate lost(struct pg *pg, struct err *err)
{
    words_of(pg->conn, ERR_TEMP, err);
    pg->lost = true;
    return PG_LOST;
}

static enum pg_fate take(struct pg *pg, PGresult *result, struct err *err)
{
    ExecStatusType status = PQresultStatus(result);
    enum pg_fate fate = PG_DONE;
    if (status == PGRES_TUPLES_OK) {
        PQclear(pg->rows);
        pg->rows = result;
        return PG_DONE;
    }
    if (status == PGRES_FATAL_ERROR)
        fate = fate_of(result, err);
    pg->committed |= status == PGRES_COMMAND_OK && strcmp(PQcmdStatus(result), "COMMIT") == 0;
    PQclear(result);
    return fate;
}

/* The first fault is that of all. */
static enum pg_fate wait_all(struct pg *pg, struct err *err)
{
    enum pg_fate fate = PG_DONE;
    for (;;) {
        if (!answered(pg))
            return lost(pg, err);
        PGresult *result = PQgetResult(pg->conn);
        if (!result) { /* the end of one query's answers; of the connection, when it is broken */
            if (PQstatus(pg->conn) != CONNECTION_OK)
                return lost(pg, err);
            continue;
        }
        if (PQresultStatus(result) == PGRES_PIPELINE_SYNC) {
            PQclear(result);
            return fate;
        }
        enum pg_fate one = take(pg, result, err);
        if (fate == PG_DONE)
            fate = one;
    }
}

static enum pg_fate synced(struct pg *pg, struct err *err)
{
    pg->trips++;
    return !pg->lost && PQpipelineSync(pg->conn) == 1 ? wait_all(pg, err) : lost(pg, err);
}

enum pg_fate pg_wait(struct pg *pg, struct err *err)
{
    struct err why = ERR_INIT;
    PQclear(pg->rows);
    pg->rows = NULL;
    pg->warned = pg->committed = false;
    enum pg_fate fate = synced(pg, err);
    if (fate != PG_DONE && fate != PG_LOST && PQtransactionStatus(pg->conn) == PQTRANS_INERROR &&
        (pg_send(pg, "ROLLBACK", NULL, &why) || synced(pg, &why) != PG_DONE))
        return lost(pg, &why);
    return fate;
}

bool pg_warned(const struct pg *pg)
{
    return pg->warned;
}

bool pg_committed(const struct pg *pg)
{
    return pg->committed;
}

int pg_ask(struct pg *pg, const char *sql, const struct pg_args *args, struct err *err)
{
    return pg_send(pg, sql, args, err) == 0 && pg_wait(pg, err) == PG_DONE ? 0 : -1;
}

/* ---- rows ---- */

int pg_rows(const struct pg *pg)
{
    return pg->rows ? PQntuples(pg->rows) : 0;
}

struct slice pg_row_bytes(const struct pg *pg, int row, int column)
{
    return (struct slice){PQgetvalue(pg->rows, row, column), (size_t)PQgetlength(pg->rows, row, column)};
}

int64_t pg_row_number(const struct pg *pg, int row, int column)
{
    struct slice bytes = pg_row_bytes(pg, row, column);
    uint64_t big = 0;
    uint32_t small = 0;
    if (bytes.len == 1) /* a boolean */
        return bytes.p[0];
    if (bytes.len == sizeof small) {
        memcpy(&small, bytes.p, sizeof small);
        return (int32_t)be32toh(small);
    }
    if (bytes.len == sizeof big)
        memcpy(&big, bytes.p, sizeof big);
    return (int64_t)be64toh(big);
}
