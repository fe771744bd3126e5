#include "cluster/schema.h"

#include <stdio.h>

static const char *const tables[] = {
    "CREATE TABLE @league(id bigint PRIMARY KEY CHECK (id = 1), version bigint NOT NULL, life bytea NOT "
    "NULL,"
    " ready boolean NOT NULL, config text NOT NULL, holder bytea NOT NULL, host text NOT NULL,"
    " fence bigint NOT NULL, until timestamptz NOT NULL, seq bigint NOT NULL, horizon bigint NOT NULL,"
    " timeline bigint NOT NULL, closed text NOT NULL, closer text NOT NULL, said bigint NOT NULL)",
    "CREATE TABLE @file(path text COLLATE \"C\" PRIMARY KEY, body bytea NOT NULL, born bigint NOT NULL, seq "
    "bigint NOT "
    "NULL,"
    " size bigint NOT NULL, mode bigint NOT NULL, changed bigint NOT NULL)",
    "CREATE INDEX file_seq ON @file(seq)",
    "CREATE TABLE @part(body bytea NOT NULL, at bigint NOT NULL, bytes bytea NOT NULL, PRIMARY KEY (body, "
    "at))",
    "CREATE TABLE @done(id bytea PRIMARY KEY, seq bigint NOT NULL, at timestamptz NOT NULL)",
    "CREATE INDEX done_seq ON @done(seq)",
    "CREATE VIEW @journal AS SELECT f.path, string_agg(p.bytes, ''::bytea ORDER BY p.at) AS bytes"
    " FROM @file f JOIN @part p ON p.body = f.body WHERE f.path LIKE 'games/%/journal.jsonl' AND f.size > 0"
    " GROUP BY f.path",
    "INSERT INTO @league VALUES(1, 0, ''::bytea, false, '', ''::bytea, '', 0, now(), 0, 0, 0, '', '', 0)"};

/* The version of the tables, 0 = there are none. */
static int version_of(struct pg *pg, int64_t *version, struct err *err)
{
    *version = 0;
    if (pg_ask(pg, "SELECT to_regclass('@league') IS NOT NULL", NULL, err))
        return -1;
    if (pg_rows(pg) != 1 || !pg_row_number(pg, 0, 0))
        return 0;
    if (pg_ask(pg, "SELECT version FROM @league WHERE id = 1", NULL, err))
        return -1;
    *version = pg_rows(pg) == 1 ? pg_row_number(pg, 0, 0) : 0;
    return 0;
}

static int send_tables(struct pg *pg, struct err *err)
{
    int rc = 0;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && rc == 0; i++)
        rc = pg_send(pg, tables[i], NULL, err);
    return rc;
}

int schema_make(struct pg *pg, const unsigned char life[16], struct err *err)
{
    int64_t version;
    struct pg_args args = {.count = 0};
    if (version_of(pg, &version, err))
        return -1;
    if (version)
        return err_set(err, ERR_INPUT, "the database holds a league in this schema already");
    if (pg_ask(pg, "SELECT to_regnamespace('@') IS NOT NULL", NULL, err))
        return -1;
    bool there = pg_row_number(pg, 0, 0) != 0; /* a user who has one need not have the right to make one */
    pg_bytes(&args, (struct slice){(const char *)life, 16});
    pg_number(&args, SCHEMA_VERSION);
    int rc = pg_send(pg, "BEGIN", NULL, err) || (!there && pg_send(pg, "CREATE SCHEMA @", NULL, err)) ||
                     send_tables(pg, err) ||
                     pg_send(pg, "UPDATE @league SET life = $1, version = $2", &args, err)
                 ? -1
                 : 0;
    pg_args_release(&args);
    return rc == 0 ? pg_ask(pg, "COMMIT", NULL, err) : rc;
}

int schema_drop(struct pg *pg, struct err *err)
{
    return pg_send(pg, "DROP VIEW IF EXISTS @journal", NULL, err) == 0
               ? pg_ask(pg, "DROP TABLE IF EXISTS @league, @file, @part, @done", NULL, err)
               : -1;
}

int schema_check(struct pg *pg, struct err *err)
{
    int64_t version;
    if (version_of(pg, &version, err))
        return -1;
    if (version == 0)
        return err_set(
            err, ERR_MISSING,
            "the database holds no league yet: bring this folder's there with `turnpost store copy`");
    return version == SCHEMA_VERSION
               ? 0
               : err_set(
                     err, ERR_NEWER,
                     "the database was made by a newer Turnpost (tables of version %lld, this one knows %d): "
                     "install that one",
                     (long long)version, SCHEMA_VERSION);
}
