/* A transaction that decides something. What it commits is on the server's disk, and on the standbys that the server names, before
 * its commit is answered: synchronous_commit is said in each, as a role, a database and a server have settings of their own, and what
 * a session has set is lost behind a pooler of transactions. It costs no round trip. */
#include "base/log.h"
#include "cluster/cluster_parts.h"

/* What it says then, and which standbys commits wait for: the row that is there when something after it is refused. */
static const char sure_sql[] = "SELECT set_config('synchronous_commit', 'on', true), " DECIDE_NAMES;

int decide_begin(struct pg *pg, struct err *err)
{
    return pg_send(pg, "BEGIN", NULL, err) || pg_send(pg, sure_sql, NULL, err) ? -1 : 0;
}

enum pg_fate decide_end(struct pg *pg, const struct decide_after *after, struct err *err)
{
    if (pg_send(pg, "COMMIT", NULL, err) || (after && pg_send(pg, after->sql, after->args, err)))
        return PG_LOST;
    enum pg_fate fate = pg_wait(pg, err);
    if (fate == PG_AGAIN && pg_committed(pg)) /* what was asked after it is to be asked again, and not this */
        return PG_LOST;
    if (fate != PG_DONE || !pg_warned(pg))
        return fate;
    /* "canceling wait for synchronous replication": it is done on one server, and perhaps on no other */
    err_set(err, ERR_TEMP, "the database has answered a commit with a warning");
    return PG_LOST;
}

int decide(struct cluster *cluster, const char *sql, const struct pg_args *args, struct err *err)
{
    return decide_begin(cluster->pg, err) == 0 && pg_send(cluster->pg, sql, args, err) == 0 &&
                   decide_end(cluster->pg, NULL, err) == PG_DONE
               ? 0
               : -1;
}

int decide_unnamed(struct err *err)
{
    return err_set(err, ERR_TEMP,
                   "[store] synchronous = yes, and the database names no second server that commits wait "
                   "for, so nothing is "
                   "decided: set synchronous_standby_names there");
}
