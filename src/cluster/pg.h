/* A connection to PostgreSQL (libpq), and queries that are sent together.
 *
 * Queries are written with @ in front of each table of ours, which stands for the schema and its dot; @ alone is the schema. Values go in and out in
 * binary form. A server that has been silent for PG_PATIENCE seconds is as lost as one that hangs up. */
#ifndef CLUSTER_PG_H
#define CLUSTER_PG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/file.h"
#include "base/str.h"

#define PG_PATIENCE 20
#define PG_SCHEMA   48 /* bytes of its name, with NUL */

struct pg_way {
    const char *database; /* libpq's connection string or URI, without a password */
    const char *password; /* NULL = none */
    char schema[PG_SCHEMA];
};
/* Is the connection string one that we accept? No password in it, and no way to a host other than this one
 * without a certificate that is verified: sslmode is verify-full there, whatever it says. ERR_CONFIG. */
int pg_check(const struct pg_way *way, struct err *err) __attribute__((warn_unused_result));
/* [a-z_][a-z0-9_]*, so it needs no quotes. */
bool pg_schema_valid(struct slice name);

/* Files and folders that libpq may read on that way, which need not be there: certificates, its own, passwords, services. Free
 * with file_names_free. */
void pg_files(const struct pg_way *way, struct file_names *names);

/* The name under which the server knows all sessions of a league. */
#define PG_APPLICATION 63
void pg_application(char out[PG_APPLICATION], const struct pg_way *way);

struct pg; /* opaque */
/* ERR_TEMP when the server cannot be reached, ERR_CONFIG when it will never let us in. */
int pg_open(const struct pg_way *way, struct pg **out, struct err *err) __attribute__((warn_unused_result));
void pg_close(struct pg *pg);

/* ---- queries ---- */

/* The values of $1, $2 and so on. Start with {0}; what is bound is copied. */
#define PG_ARGS 8
struct pg_args {
    struct str value[PG_ARGS];
    unsigned type[PG_ARGS];
    int count;
};
void pg_args_release(struct pg_args *args);
void pg_number(struct pg_args *args, int64_t number);    /* bigint */
void pg_text(struct pg_args *args, const char *text);    /* text */
void pg_bytes(struct pg_args *args, struct slice bytes); /* bytea */
/* Arrays of one dimension: the next of these three begins one, pg_item adds to the last. */
enum pg_items { PG_TEXTS, PG_BLOBS, PG_NUMBERS };
void pg_array(struct pg_args *args, enum pg_items items);
void pg_item(struct pg_args *args, struct slice bytes); /* of PG_TEXTS, PG_BLOBS */
void pg_item_number(struct pg_args *args, int64_t number);

/* Sends a query, together with those before, without waiting. Frees nothing of `args`. */
int pg_send(struct pg *pg, const char *sql, const struct pg_args *args, struct err *err)
    __attribute__((warn_unused_result));

enum pg_fate {
    PG_DONE,
    PG_REFUSED, /* a rule of the tables: what was sent does not fit what is there */
    PG_AGAIN,   /* it met another transaction: send it again */
    PG_LOST,    /* no answer: whether it was done is not known */
    PG_FAILED   /* anything else; the server's words are in err */
};
/* What an error of the server means, by its SQLSTATE (PostgreSQL, appendix A); NULL = it gives none. *code says whose it is,
 * *advice what to do, or NULL. */
enum pg_fate pg_judge(const char *state, enum err_code *code, const char **advice);
/* Waits for the answers to all that was sent; they hold one another like a transaction. The rows of the last query
 * that gave some are kept until the next call. After PG_LOST the connection is of no use any more: all that is asked of it is lost. */
enum pg_fate pg_wait(struct pg *pg, struct err *err) __attribute__((warn_unused_result));
bool pg_lost(const struct pg *pg);
/* Has the server said WARNING since the last pg_wait began? At a commit it means that nobody knows whether a standby has it. */
bool pg_warned(const struct pg *pg);
/* Was a COMMIT done, of all that was waited for last? What came after it may have failed. */
bool pg_committed(const struct pg *pg);
/* pg_send and pg_wait of one query; -1 unless it was done. Args may be NULL. */
int pg_ask(struct pg *pg, const char *sql, const struct pg_args *args, struct err *err)
    __attribute__((warn_unused_result));

/* ---- rows ---- */

int pg_rows(const struct pg *pg);
int64_t pg_row_number(const struct pg *pg, int row, int column); /* bigint, integer, boolean; 0 for NULL */
struct slice pg_row_bytes(const struct pg *pg, int row,
                          int column); /* text, bytea; borrowed until the next call */

/* Round trips so far, for the bench. */
size_t pg_trips(const struct pg *pg);
int pg_version(const struct pg *pg); /* 150018 for 15.18 */

#endif
