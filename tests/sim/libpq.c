/* In the place of libpq, for hosts of a simulation (tests/sim/README.md, "Hosts"): the calls that cluster/pg.c makes, and no more of
 * what they can do than it needs. What is sent leaves when its answer is waited for. */
#include "sim/hosts.h"

#include <libpq-fe.h>
#include <stdlib.h>

#include "base/mem.h"

struct pg_result {
    ExecStatusType status;
    bool committed;
    struct str bytes; /* that the values are borrowed from */
    int rows, columns;
    struct slice *value;
    char state[6];
    char words[200];
};
struct pg_conn {
    long session;
    bool lives, failed; /* the transaction has */
    struct str batch, answers;
    size_t read; /* of the answers */
    bool pause;  /* after each answer comes a NULL */
    PQnoticeReceiver notice;
    void *arg;
};

/* ---- connections ---- */

static void connect_to(PGconn *conn)
{
    strand_ask(ASK_CONNECT);
    conn->session = strand_box()->session;
    conn->lives = conn->session >= 0;
}

PGconn *PQconnectdbParams(const char *const *keywords, const char *const *values, int expand)
{
    (void)keywords;
    (void)values;
    (void)expand;
    PGconn *conn = mem_alloc(sizeof *conn);
    str_init(&conn->batch);
    str_init(&conn->answers);
    connect_to(conn);
    return conn;
}

void PQreset(PGconn *conn)
{
    connect_to(conn);
}

void PQfinish(PGconn *conn)
{
    if (conn->session >= 0) {
        strand_box()->session = conn->session;
        strand_ask(ASK_CLOSE);
    }
    str_release(&conn->batch);
    str_release(&conn->answers);
    free(conn);
}

ConnStatusType PQstatus(const PGconn *conn)
{
    return conn->lives ? CONNECTION_OK : CONNECTION_BAD;
}

char *PQerrorMessage(const PGconn *conn)
{
    static char none[] = "", cut[] = "the line was cut\n";
    return conn->lives ? none : cut;
}

int PQconnectionNeedsPassword(const PGconn *conn)
{
    (void)conn;
    return 0;
}

PGVerbosity PQsetErrorVerbosity(PGconn *conn, PGVerbosity verbosity)
{
    (void)conn;
    return verbosity;
}

int PQsetnonblocking(PGconn *conn, int on)
{
    (void)conn;
    return on ? 0 : -1;
}

int PQenterPipelineMode(PGconn *conn)
{
    return conn->lives;
}

PQnoticeReceiver PQsetNoticeReceiver(PGconn *conn, PQnoticeReceiver notice, void *arg)
{
    conn->notice = notice;
    conn->arg = arg;
    return NULL;
}

int PQserverVersion(const PGconn *conn)
{
    (void)conn;
    return 150000;
}

/* Nothing is ever to be read there: who finds nothing has waited for as long as it is worth. */
int PQsocket(const PGconn *conn)
{
    (void)conn;
    return -1;
}

int PQconsumeInput(PGconn *conn)
{
    (void)conn;
    return 0;
}

int PQflush(PGconn *conn)
{
    return conn->lives ? 0 : -1;
}

PGTransactionStatusType PQtransactionStatus(const PGconn *conn)
{
    return conn->failed ? PQTRANS_INERROR : PQTRANS_IDLE;
}

/* ---- what is sent ---- */

int PQsendQueryParams(PGconn *conn, const char *command, int count, const Oid *types,
                      const char *const *values, const int *lengths, const int *formats, int format)
{
    (void)formats;
    (void)format;
    pack_bytes(&conn->batch, slice_of(command));
    pack_number(&conn->batch, count);
    for (int i = 0; i < count; i++) {
        pack_number(&conn->batch, types[i]);
        pack_bytes(&conn->batch, (struct slice){values[i], (size_t)lengths[i]});
    }
    return conn->lives;
}

int PQpipelineSync(PGconn *conn)
{
    pack_bytes(&conn->batch, slice_of(""));
    pack_number(&conn->batch, 0);
    return conn->lives;
}

static void warn(PGconn *conn)
{
    PGresult warning = {.status = PGRES_NONFATAL_ERROR,
                        .state = "01000",
                        .words = "canceling wait for synchronous replication due to user request"};
    conn->notice(conn->arg, &warning);
}

int PQisBusy(PGconn *conn)
{
    struct box *box = strand_box();
    if (conn->pause || conn->read < conn->answers.len || !conn->lives)
        return 0;
    MUST(conn->batch.len < sizeof box->bytes, "%zu bytes are sent at once", conn->batch.len);
    box->session = conn->session;
    box->len = conn->batch.len;
    if (box->len)
        memcpy(box->bytes, conn->batch.p, box->len);
    str_clear(&conn->batch);
    strand_ask(ASK_ANSWER);
    if (box->good) {
        str_clear(&conn->answers);
        str_add(&conn->answers, box->bytes, box->len);
        conn->read = 0;
    }
    conn->lives = box->session >= 0;
    return conn->lives && !box->good;
}

/* ---- results ---- */

static void take_rows(PGresult *result, struct slice *rest)
{
    result->rows = (int)unpack_number(rest);
    result->columns = (int)unpack_number(rest);
    str_addslice(&result->bytes, unpack_bytes(rest));
    struct slice values = slice_str(&result->bytes);
    size_t count = (size_t)(result->rows * result->columns);
    result->value = mem_array(count + 1, sizeof *result->value);
    for (size_t i = 0; i < count; i++)
        result->value[i] = unpack_bytes(&values);
}

static void take_fault(PGresult *result, struct slice *rest)
{
    struct slice state = unpack_bytes(rest), words = unpack_bytes(rest);
    (void)snprintf(result->state, sizeof result->state, "%.*s", (int)state.len, state.p);
    (void)snprintf(result->words, sizeof result->words, "%.*s", (int)words.len, words.p);
}

PGresult *PQgetResult(PGconn *conn)
{
    static const ExecStatusType statuses[] = {
        [ANSWER_DONE] = PGRES_COMMAND_OK,          [ANSWER_COMMITTED] = PGRES_COMMAND_OK,
        [ANSWER_ROWS] = PGRES_TUPLES_OK,           [ANSWER_FAULT] = PGRES_FATAL_ERROR,
        [ANSWER_SKIPPED] = PGRES_PIPELINE_ABORTED, [ANSWER_SYNC] = PGRES_PIPELINE_SYNC};
    struct slice rest = slice_sub(slice_str(&conn->answers), conn->read, conn->answers.len);
    if (conn->pause || !conn->lives) {
        conn->pause = false;
        return NULL;
    }
    PGresult *result = mem_alloc(sizeof *result);
    str_init(&result->bytes);
    int64_t answer = unpack_number(&rest);
    result->status = statuses[answer];
    result->committed = answer == ANSWER_COMMITTED;
    if (answer == ANSWER_FAULT)
        take_fault(result, &rest);
    if (answer == ANSWER_ROWS)
        take_rows(result, &rest);
    if (answer == ANSWER_SYNC) {
        conn->failed = unpack_number(&rest) != 0;
        if (unpack_number(&rest))
            warn(conn);
    }
    conn->pause = answer != ANSWER_SYNC;
    conn->read = conn->answers.len - rest.len;
    return result;
}

void PQclear(PGresult *result)
{
    if (!result)
        return;
    str_release(&result->bytes);
    free(result->value);
    free(result);
}

ExecStatusType PQresultStatus(const PGresult *result)
{
    return result->status;
}

char *PQcmdStatus(PGresult *result)
{
    static char commit[] = "COMMIT", other[] = "OTHER";
    return result->committed ? commit : other;
}

char *PQresultErrorField(const PGresult *result, int field)
{
    static char warning[] = "WARNING", error[] = "ERROR";
    if (field == PG_DIAG_SEVERITY_NONLOCALIZED)
        return result->status == PGRES_NONFATAL_ERROR ? warning : error;
    return (char *)(uintptr_t)(field == PG_DIAG_SQLSTATE ? result->state : result->words);
}

int PQntuples(const PGresult *result)
{
    return result->rows;
}

static struct slice value(const PGresult *result, int row, int column)
{
    MUST(row >= 0 && row < result->rows && column >= 0 && column < result->columns,
         "there is no row %d, column %d", row, column);
    return result->value[row * result->columns + column];
}

char *PQgetvalue(const PGresult *result, int row, int column)
{
    return (char *)(uintptr_t)value(result, row, column).p;
}

int PQgetlength(const PGresult *result, int row, int column)
{
    return (int)value(result, row, column).len;
}
