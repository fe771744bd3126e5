/* The right to decide, for some seconds at a time. A thread renews it; every commit does as well. */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "cluster/cluster_parts.h"

#define HORIZON     100000 /* commits for which it is kept what is gone, so that copies need not be compared */
#define CLOCK_SLACK 2      /* seconds by which clocks may differ */

/* Of the lease that this process has; a process has one at most. */
static _Atomic bool holding, lost;
static _Atomic int64_t holds_until; /* by clock_milliseconds() */
static _Atomic int64_t committed;   /* the number of its last commit */

bool cluster_holds(void)
{
    return !holding || (!lost && clock_milliseconds() < holds_until);
}

void lease_committed(const struct cluster *cluster)
{
    committed = cluster->position.seq;
}

void lease_renewed(const struct cluster *cluster, int64_t asked)
{
    int64_t until = asked + (int64_t)cluster->lease * 1000;
    if (until > holds_until)
        holds_until = until;
}

void lease_lost(void)
{
    lost = true;
}

/* All hosts work by the database's clock. `asked`: clock_milliseconds() before `now` was asked for; false when the answer
 * took so long that it tells little. */
static bool take_time(int64_t now, int64_t asked)
{
    if (clock_milliseconds() - asked > CLOCK_SLACK * (int64_t)1000)
        return false;
    int64_t differs = now - (int64_t)time(NULL);
    int64_t change = differs - clock_correction();
    if (change > CLOCK_SLACK || change < -CLOCK_SLACK) {
        log_info("the clock of the database is %lld seconds %s this host's: it counts",
                 (long long)(differs < 0 ? -differs : differs), differs < 0 ? "behind" : "ahead of");
        clock_correct(differs);
    }
    return true;
}

/* ---- taking it ---- */

static const char take_sql[] =
    "UPDATE @league SET holder = $1, host = $2, fence = fence + 1, until = now() + $3 * interval '1 second',"
    " horizon = greatest(horizon, seq - $5), timeline = $6, said = said + $8, closed = '', closer = '' WHERE "
    "id = 1"
    " AND ready AND config = $4 AND (until <= now() OR holder = $1) AND (closed = '' OR $8 = 1)"
    " AND (timeline IN (0, $6) OR ($7 > 0 AND timeline > 0) OR $8 = 1) AND " DECIDE_SURE(
        "$7 % 2") " RETURNING fence, seq, CAST(extract(epoch FROM now()) AS bigint)";
static const char *const tidy_sql[] = {
    "DELETE FROM @file WHERE size < 0 AND seq <= (SELECT horizon FROM @league WHERE id = 1)",
    "DELETE FROM @done WHERE at < now() - interval '7 days' AND seq <= (SELECT horizon FROM @league WHERE id "
    "= 1)"};

/* By what is in these columns of the row. ERR_CONFIG. */
static int say_closed(const struct pg *pg, int closed, int closer, struct err *err)
{
    struct slice host = pg_row_bytes(pg, 0, closer);
    if (slice_eq(pg_row_bytes(pg, 0, closed), "moved"))
        return err_set(
            err, ERR_CONFIG,
            "the league has moved from the database into the files of %.*s (turnpost store copy postgres "
            "files), so no host decides from here: end this one. See turnpost-store(1), \"The way back\"",
            (int)host.len, host.p);
    return err_set(
        err, ERR_CONFIG,
        "the database has lost commits: %.*s has seen them, so no host decides until you say what counts. "
        "See turnpost-store(1), \"After a loss\"",
        (int)host.len, host.p);
}

int lease_refused(struct cluster *cluster, struct err *err)
{
    struct pg_args args = {.count = 0};
    pg_text(&args, cluster->config);
    pg_number(&args, cluster->timeline);
    int rc = pg_ask(
        cluster->pg,
        "SELECT ready, config = $1, host, timeline IN (0, $2), timeline > 0, closed, closer, " DECIDE_NAMES
        " <> '', until > now() FROM @league WHERE id = 1",
        &args, err);
    pg_args_release(&args);
    if (rc)
        return -1;
    if (pg_rows(cluster->pg) != 1)
        return err_set(err, ERR_MISSING, "the league is gone from the database");
    if (pg_row_bytes(cluster->pg, 0, 5).len)
        return say_closed(cluster->pg, 5, 6, err);
    if (cluster->named && !pg_row_number(cluster->pg, 0, 7))
        return decide_unnamed(err);
    if (!pg_row_number(cluster->pg, 0, 0))
        return err_set(err, ERR_CONFIG,
                       "the league in the database is not complete: `turnpost store copy` was interrupted; "
                       "run it again");
    if (!pg_row_number(cluster->pg, 0, 1))
        return err_set(err, ERR_CONFIG,
                       "this host's league.ini, templates, keys or program are not those of the league's "
                       "other hosts: make them the same, or run `turnpost store agree` where they are right");
    if (!pg_row_number(cluster->pg, 0, 3) && !(cluster->synchronous && pg_row_number(cluster->pg, 0, 4)))
        return err_set(
            err, ERR_CONFIG,
            "another server has become the database, or an older state of it was restored, and what the last "
            "host committed may be lost: `turnpost store accept` tells the players, `turnpost store intact` "
            "goes on without. Where all of them were made with [store] synchronous = yes, nobody is asked");
    struct slice host = pg_row_bytes(cluster->pg, 0, 2);
    return err_set(err, ERR_STALE, "another host decides about this league: %.*s", (int)host.len, host.p);
}

static const char end_sql[] =
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
    " AND usename = current_user AND application_name = $1 AND pid <> pg_backend_pid()"
    " AND backend_xid IS NOT NULL AND xact_start < now() - $2 * interval '1 second' AND EXISTS(SELECT 1 FROM "
    "@league WHERE id = 1 AND until <= now())";

/* A host that stands still in the middle of a commit has lost the lease, but its transaction would keep what it has touched
 * locked for as long as the server believes in it. Other databases than PostgreSQL have no such words, and need none where they
 * give up transactions of that kind themselves. */
static void end_old(struct cluster *cluster)
{
    char application[PG_APPLICATION];
    struct err ignored = ERR_INIT;
    struct pg_args args = {.count = 0};
    pg_application(application, &cluster->way);
    pg_text(&args, application);
    pg_number(&args, cluster->lease);
    if (pg_ask(cluster->pg, end_sql, &args, &ignored))
        log_debug("%s", ignored.text);
    else if (pg_rows(cluster->pg))
        log_info("%d transactions of hosts that stand still were ended", pg_rows(cluster->pg));
    pg_args_release(&args);
}

int lease_take(struct cluster *cluster, bool *same, struct err *err)
{
    struct pg_args args = {.count = 0};
    if (cluster_connect(cluster, err))
        return -1;
    end_old(cluster);
    int64_t asked = clock_milliseconds();
    pg_bytes(&args, (struct slice){(const char *)cluster->self, LIFE});
    pg_text(&args, cluster->host);
    pg_number(&args, cluster->lease);
    pg_text(&args, cluster->config);
    pg_number(&args, HORIZON);
    pg_number(&args, cluster->timeline);
    pg_number(&args, cluster->named ? 1 : cluster->synchronous ? 2 : 0);
    pg_number(&args, cluster->accept);
    int rc = decide(cluster, take_sql, &args, err);
    pg_args_release(&args);
    if (rc || pg_rows(cluster->pg) != 1)
        return rc ? rc : lease_refused(cluster, err);
    const struct position *position = &cluster->position;
    int64_t seq = pg_row_number(cluster->pg, 0, 1);
    cluster->fence = pg_row_number(cluster->pg, 0, 0);
    *same = position->state == POSITION_OWN && position->seq == seq;
    if (!take_time(pg_row_number(cluster->pg, 0, 2), asked))
        return err_set(err, ERR_TEMP, "the database took too long to answer");
    holds_until = 0;
    lease_renewed(cluster, asked);
    for (size_t i = 0; i < sizeof tidy_sql / sizeof *tidy_sql && rc == 0; i++)
        rc = pg_send(cluster->pg, tidy_sql[i], NULL, err);
    return rc == 0 && pg_wait(cluster->pg, err) == PG_DONE ? 0 : -1;
}

int lease_look(struct cluster *cluster, bool *free, struct err *err)
{
    if (cluster_connect(cluster, err))
        return -1;
    if (pg_ask(cluster->pg, "SELECT until <= now(), closed, closer FROM @league WHERE id = 1", NULL, err))
        return -1;
    if (pg_rows(cluster->pg) != 1)
        return err_set(err, ERR_MISSING, "the league is gone from the database");
    *free = pg_row_number(cluster->pg, 0, 0) != 0;
    return pg_row_bytes(cluster->pg, 0, 1).len ? say_closed(cluster->pg, 1, 2, err) : 0;
}

/* ---- keeping it ---- */

/* What the thread needs, which shares nothing else with the others. */
struct beat {
    struct cluster *cluster;
    struct pg *pg;
};

static const char renew_sql[] =
    "UPDATE @league SET until = now() + $2 * interval '1 second' WHERE id = 1 AND fence = $1"
    " RETURNING CAST(extract(epoch FROM now()) AS bigint), seq, " DECIDE_NAMES " <> ''";

/* False: another host has it. */
static bool renew(struct beat *beat)
{
    struct cluster *cluster = beat->cluster;
    struct err err = ERR_INIT;
    struct pg_args args = {.count = 0};
    int64_t asked = clock_milliseconds();
    int64_t had = committed; /* before it is asked: more may be committed until the answer is read */
    pg_number(&args, cluster->fence);
    pg_number(&args, cluster->lease);
    int rc = (beat->pg || pg_open(&cluster->way, &beat->pg, &err) == 0) &&
                     decide_begin(beat->pg, &err) == 0 && pg_send(beat->pg, renew_sql, &args, &err) == 0 &&
                     decide_end(beat->pg, NULL, &err) == PG_DONE
                 ? 0
                 : -1;
    pg_args_release(&args);
    if (rc == 0 && pg_rows(beat->pg) == 1 && cluster->named && !pg_row_number(beat->pg, 0, 2))
        rc = decide_unnamed(&err);
    if (rc) {
        log_debug("the lease could not be renewed: %s", err.text);
        pg_close(beat->pg);
        beat->pg = NULL;
        return true;
    }
    if (pg_rows(beat->pg) != 1)
        return false;
    if (pg_row_number(beat->pg, 0, 1) < had) {
        log_error("the database has lost commits of this host");
        return false;
    }
    (void)take_time(pg_row_number(beat->pg, 0, 0), asked);
    lease_renewed(cluster, asked);
    return true;
}

static void *keep_renewing(void *arg)
{
    struct beat beat = {.cluster = arg};
    const struct timespec pause = {0, 100000000};
    const struct cluster *cluster = beat.cluster;
    int64_t next = clock_milliseconds() + (int64_t)cluster->lease * 1000 / 3;
    while (!cluster->ends) {
        if (clock_milliseconds() < next) {
            (void)nanosleep(&pause, NULL);
            continue;
        }
        if (!renew(&beat)) {
            log_error("this host may not decide about the league any more");
            lease_lost();
            break;
        }
        next = clock_milliseconds() + (int64_t)cluster->lease * 1000 / 3;
    }
    pg_close(beat.pg);
    return NULL;
}

int lease_begin(struct cluster *cluster, struct err *err)
{
    cluster->ends = lost = false;
    lease_committed(cluster);
    holding = true;
    errno = pthread_create(&cluster->beating, NULL, keep_renewing, cluster);
    cluster->beats = errno == 0;
    return cluster->beats ? 0 : err_sys(err, ERR_TEMP, "cannot begin a thread");
}

/* Gives it back, so that nobody has to wait until it is over. */
void lease_end(struct cluster *cluster)
{
    struct pg_args args = {.count = 0};
    struct err err = ERR_INIT;
    if (cluster->beats) {
        cluster->ends = true;
        (void)pthread_join(cluster->beating, NULL);
        cluster->beats = false;
    }
    pg_number(&args, cluster->fence);
    if (cluster->pg &&
        pg_ask(cluster->pg, "UPDATE @league SET until = now() WHERE id = 1 AND fence = $1", &args, &err))
        log_debug("the lease could not be given back: %s", err.text);
    pg_args_release(&args);
    holding = false;
    clock_correct(0);
}
