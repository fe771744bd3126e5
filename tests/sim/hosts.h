/* What the parts of the simulation of several hosts share (tests/sim/README.md, "Hosts"): hosts.c runs them, database.c is the server,
 * libpq.c the client's side of a connection. */
#ifndef TESTS_SIM_HOSTS_H
#define TESTS_SIM_HOSTS_H

#include "sim/sim.h"

#define HOSTS_MOST    4
#define SESSIONS_MOST 32

/* ---- a strand: the thread of a host that works, or the one that renews its lease. One of all strands runs at a time, until it
 * asks for something, and puts into its box what (hosts.c) ---- */

enum ask {
    ASK_SLEEP, /* until `until`, or longer by up to `stretch` milliseconds, as a host has other things to do as well */
    ASK_NEWS,    /* the same, and somebody's command ends it */
    ASK_JOIN,    /* until the other strand has ended */
    ASK_CONNECT, /* a session; -1: there is none */
    ASK_ANSWER,  /* sends these bytes; the answer's are there, if `good` */
    ASK_CLOSE,   /* ends the session */
    ASK_END      /* the strand has ended */
};
struct box {
    enum ask ask;
    int64_t ms, until, stretch; /* ms: the world's time, both ways */
    long session;               /* -1: the connection is broken */
    bool good;
    size_t len;
    char bytes[(size_t)64 << 20];
};
/* The box of the strand that runs. */
struct box *strand_box(void);
void strand_ask(enum ask ask);

/* ---- what goes through a box ---- */

/* Each number as it is in memory, each text with its length before it. */
void pack_number(struct str *out, int64_t number);
void pack_bytes(struct str *out, struct slice bytes);
int64_t unpack_number(struct slice *rest);
struct slice unpack_bytes(struct slice *rest);

/* ---- the database (database.c) ---- */

/* What is sent at once ends with a statement of no words. An answer begins with one of these. Rows: how many, how many columns, the values. A
 * fault: its SQLSTATE, words. The end of what was sent at once: whether the transaction has failed; whether the server has warned. */
enum answered { ANSWER_DONE, ANSWER_COMMITTED, ANSWER_ROWS, ANSWER_FAULT, ANSWER_SKIPPED, ANSWER_SYNC };

struct session {
    bool used;
    long number;        /* session_of finds it by this */
    int host, life;     /* whose */
    struct str sent;    /* statements that wait, */
    size_t at, left;    /* from here on, so many */
    struct str answers; /* that nobody has fetched */
    bool answered;      /* there are all of what was sent at once */
    enum { TX_NONE, TX_IMPLICIT, TX_BEGUN, TX_FAILED } tx;
    bool skips;      /* after a fault, up to the end of what was sent */
    void *changes;   /* of the transaction, */
    int changes_len; /* as a changeset of SQLite */
    void *snapshot;  /* of one that only reads: a database of its own, once others have committed something */
    bool reads;      /* it is one */
    int64_t began;   /* the transaction */
    bool waits;      /* for a lock of another one, until any transaction ends */
    int waits_for;
    bool warned;
};
extern struct session sessions[SESSIONS_MOST];
struct decider { /* as the database has it: whose the last fence is, and until when */
    int host, life;
    int64_t until, seq;
};
extern struct decider decider;

void database_open(void);
struct session *database_connect(int host, int life); /* NULL: there are too many */
struct session *session_of(long number);              /* NULL: it has ended */
void database_send(struct session *session, struct slice bytes);
/* The next statement. False: it has to wait for another transaction. `fault`: a SQLSTATE by which it fails, NULL = none; a commit
 * that is done may be `warned` of. */
bool database_step(struct session *session, const char *fault, bool warned);
const char *database_next(const struct session *session); /* its words; NULL = none is left */
void database_end(struct session *session);               /* what was not committed is not there */
/* All files of the database that have changed since the last time, into a folder. */
void database_export(const char *dir);
/* Each of its files is in the folder, and the same. */
void database_compare(const char *dir);

#endif
