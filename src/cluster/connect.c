/* The way to the database, and whether it still is the one that this copy is of. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "cluster/cluster_parts.h"

/* 0 where it is not known, as other databases than PostgreSQL do not understand the question. False: it may be asked again, by another
 * connection. */
static bool ask_timeline(struct cluster *cluster, struct err *err)
{
    char hex[9] = "";
    enum pg_fate fate = PG_LOST;
    if (pg_send(cluster->pg, "SELECT substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)", NULL, err) == 0)
        fate = pg_wait(cluster->pg, err);
    cluster->timeline = 0;
    if (fate == PG_LOST || fate == PG_AGAIN)
        return false;
    if (fate == PG_DONE && pg_rows(cluster->pg) == 1) {
        struct slice digits = pg_row_bytes(cluster->pg, 0, 0);
        (void)snprintf(hex, sizeof hex, "%.*s", (int)digits.len, digits.p);
        cluster->timeline = strtoll(hex, NULL, 16);
    }
    err_clear(err);
    return true;
}

int cluster_connect(struct cluster *cluster, struct err *err)
{
    if (cluster->pg && !pg_lost(cluster->pg))
        return 0;
    cluster_disconnect(cluster);
    if (pg_open(&cluster->way, &cluster->pg, err))
        return -1;
    if (ask_timeline(cluster, err))
        return 0;
    cluster_disconnect(cluster);
    return -1;
}

void cluster_disconnect(struct cluster *cluster)
{
    pg_close(cluster->pg);
    cluster->pg = NULL;
}

static const char check_sql[] =
    "SELECT life, seq, horizon, (SELECT count(*) FROM @done WHERE seq = $1 AND id = $2), said"
    " FROM @league WHERE id = 1";

/* The commits that this copy has: are they the database's own? Of old ones the ids are forgotten. */
static int check_commits(const struct cluster *cluster, bool *lost, struct err *err)
{
    const struct position *position = &cluster->position;
    int64_t seq = pg_row_number(cluster->pg, 0, 1), horizon = pg_row_number(cluster->pg, 0, 2);
    bool there = pg_row_number(cluster->pg, 0, 3) > 0 || position->seq <= horizon;
    if (seq >= position->seq && there)
        return 0;
    *lost = position->said == pg_row_number(cluster->pg, 0, 4); /* else somebody has answered for it since */
    return err_set(err, ERR_CONFIG,
                   "the database has lost commits: this host has seen number %lld, and there it %s. See "
                   "turnpost-store(1), \"After a loss\"",
                   (long long)position->seq, seq < position->seq ? "is not" : "is another one");
}

int cluster_check(struct cluster *cluster, bool *lost, struct err *err)
{
    const struct position *position = &cluster->position;
    struct pg_args args = {.count = 0};
    *lost = false;
    if (position->state == POSITION_UNKNOWN || cluster->accept)
        return 0;
    if (position->state == POSITION_FILES)
        return err_set(
            err, ERR_CONFIG,
            "this host has worked on its files without the database, which knows nothing of that: bring "
            "them there with `turnpost store copy files postgres --instead`; or, if what the database has is "
            "to "
            "count: turnpost store accept");
    pg_number(&args, position->seq);
    pg_bytes(&args, (struct slice){(const char *)position->commit, LIFE});
    int rc = pg_ask(cluster->pg, check_sql, &args, err);
    pg_args_release(&args);
    if (rc || pg_rows(cluster->pg) != 1)
        return rc ? rc : err_set(err, ERR_MISSING, "the league is gone from the database");
    struct slice life = pg_row_bytes(cluster->pg, 0, 0);
    if (life.len != LIFE || memcmp(life.p, position->life, LIFE) != 0)
        return err_set(
            err, ERR_CONFIG,
            "%s is a copy of another league, or of one that was brought into the database again: if the "
            "database is right: turnpost store accept",
            cluster->dir);
    return check_commits(cluster, lost, err);
}

void cluster_tell(struct cluster *cluster)
{
    struct pg_args args = {.count = 0};
    struct err err = ERR_INIT;
    pg_text(&args, cluster->host);
    pg_number(&args, cluster->position.said);
    if (cluster_connect(cluster, &err) ||
        decide(cluster,
               "UPDATE @league SET closed = 'lost', closer = $1 WHERE id = 1 AND closed = '' AND said = $2",
               &args, &err))
        log_warn("the other hosts cannot be told that commits are lost: %s", err.text);
    pg_args_release(&args);
}
