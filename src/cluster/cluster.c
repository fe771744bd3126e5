#include "cluster/cluster.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/mem.h"
#include "cluster/cluster_parts.h"
#include "cluster/kept.h"
#include "cluster/schema.h"

#define COPY_BYTES ((int64_t)32 << 20) /* of files in one commit of a copy, about */

/* ---- open and close ---- */

static struct cluster *make(const struct cluster_way *way)
{
    struct cluster *cluster = mem_alloc(sizeof *cluster);
    cluster->dir = mem_strdup(way->dir);
    cluster->database = mem_strdup(way->pg.database);
    cluster->password = way->pg.password ? mem_strdup(way->pg.password) : NULL;
    cluster->config = mem_strdup(way->config);
    cluster->way = way->pg;
    cluster->way.database = cluster->database;
    cluster->way.password = cluster->password;
    cluster->lease = way->lease;
    cluster->synchronous = way->synchronous;
    cluster->named = way->named;
    cluster->accept = way->accept;
    (void)pthread_mutex_init(&cluster->shipping, NULL);
    if (gethostname(cluster->host, sizeof cluster->host - 1) != 0 || !*cluster->host)
        (void)snprintf(cluster->host, sizeof cluster->host, "unknown");
    return cluster;
}

static void release(struct cluster *cluster)
{
    pg_close(cluster->pg);
    dirty_release(&cluster->dirty);
    (void)pthread_mutex_destroy(&cluster->shipping);
    if (cluster->password)
        sodium_memzero(cluster->password, strlen(cluster->password));
    free(cluster->password);
    free(cluster->database);
    free(cluster->config);
    free(cluster->dir);
    free(cluster);
}

int cluster_open(const struct cluster_way *way, struct cluster **out, struct err *err)
{
    struct cluster *cluster = make(way);
    bool lost = false;
    if (pg_check(&way->pg, err) || cluster_connect(cluster, err) || schema_check(cluster->pg, err) ||
        position_read(cluster, err) || cluster_check(cluster, &lost, err)) {
        if (lost)
            cluster_tell(cluster);
        release(cluster);
        *out = NULL;
        return -1;
    }
    if (way->accept)
        cluster->position.state = POSITION_UNKNOWN;
    *out = cluster;
    return 0;
}

/* What is written down when the copy is left: it has these commits and nothing else. */
static void leave(struct cluster *cluster, enum position_state state)
{
    struct err err = ERR_INIT;
    cluster->position.state = state;
    if (position_write(cluster, &err))
        log_warn("%s; the copy of the files will be compared with the database", err.text);
}

void cluster_close(struct cluster *cluster)
{
    struct err err = ERR_INIT;
    if (!cluster)
        return;
    if (cluster->held) {
        bool known = cluster->broken; /* and said by whoever has met it */
        int rc = ship(cluster, &err);
        keep_with(NULL);
        lease_end(cluster);
        log_debug("%zu round trips to the database", cluster_trips(cluster));
        if (rc == 0)
            leave(cluster, cluster->doubted ? POSITION_WORKING : POSITION_OWN);
        else if (!known)
            log_error("%s", err.text);
    }
    release(cluster);
}

bool cluster_doubt(struct cluster *cluster)
{
    cluster->doubted = !cluster->compared;
    return cluster->doubted;
}

size_t cluster_trips(const struct cluster *cluster)
{
    return cluster->pg ? pg_trips(cluster->pg) : 0;
}

/* ---- the keeper ---- */

static bool keeps(void *arg, const char *path)
{
    const struct cluster *cluster = arg;
    const char *name = kept_name(cluster->dir, path);
    return name && kept_file(name);
}

/* The name of a path that is kept, or NULL. */
static const char *name_of(struct cluster *cluster, const char *path)
{
    const char *name = path ? kept_name(cluster->dir, path) : NULL;
    return name && kept_safe(name) ? name : NULL;
}

static void changed(void *arg, const struct keep_change *change)
{
    struct cluster *cluster = arg;
    const struct keep_change named = {change->kind, name_of(cluster, change->path),
                                      name_of(cluster, change->to), change->at};
    if (named.path || named.to)
        dirty_note(&cluster->dirty, &named);
}

static int sync_all(void *arg, struct err *err)
{
    return ship(arg, err);
}

/* ---- the lease ---- */

static int hold(struct cluster *cluster, struct err *err)
{
    cluster->position.state = POSITION_WORKING;
    if (position_write(cluster, err) || lease_begin(cluster, err))
        return -1;
    cluster->keeper = (struct keeper){keeps, changed, sync_all, cluster};
    keep_with(&cluster->keeper);
    cluster->held = true;
    return 0;
}

int cluster_take(struct cluster *cluster, bool *fresh, struct err *err)
{
    bool same = false;
    if (lease_take(cluster, &same, err))
        return -1;
    *fresh = !same;
    if (mirror(cluster, err) == 0 && hold(cluster, err) == 0)
        return 0;
    lease_end(cluster);
    return -1;
}

int cluster_follow(struct cluster *cluster, bool *free, struct err *err)
{
    if (position_read(cluster, err) == 0 && lease_look(cluster, free, err) == 0 && mirror(cluster, err) == 0)
        return 0;
    cluster_disconnect(cluster);
    return -1;
}

/* ---- for operators ---- */

/* All files, some at a time. */
static int put_all(struct cluster *cluster, const struct file_names *names, struct err *err)
{
    int64_t bytes = 0;
    int rc = 0;
    for (size_t i = 0; i < names->count && rc == 0; i++) {
        const struct keep_change change = {KEEP_WRITTEN, names->name[i], NULL, 0};
        char *path = cluster_path(cluster, names->name[i]);
        bytes += file_size(path) + 512;
        free(path);
        dirty_note(&cluster->dirty, &change);
        if (bytes < COPY_BYTES)
            continue;
        rc = ship(cluster, err);
        bytes = 0;
        log_progress("%zu of %zu files", i + 1, names->count);
    }
    log_progress_end();
    return rc ? rc : ship(cluster, err);
}

/* Nobody can take the lease as long as it is not ready. */
static int begin_copy(struct cluster *cluster, struct err *err)
{
    struct pg_args args = {.count = 0};
    randombytes_buf(cluster->position.life, LIFE);
    if (schema_make(cluster->pg, cluster->position.life, err))
        return -1;
    pg_bytes(&args, (struct slice){(const char *)cluster->self, LIFE});
    pg_text(&args, cluster->host);
    int rc = pg_ask(cluster->pg, "UPDATE @league SET holder = $1, host = $2, fence = 1", &args, err);
    pg_args_release(&args);
    cluster->fence = 1;
    cluster->position.seq = cluster->position.said = 0;
    memset(cluster->position.commit, 0, LIFE);
    cluster->position.state = POSITION_WORKING;
    return rc;
}

/* Unless another copy has been begun in the meantime: then what is there is that one's, and not complete. */
static int set_config(struct cluster *cluster, struct err *err)
{
    struct pg_args args = {.count = 0};
    pg_text(&args, cluster->config);
    pg_bytes(&args, (struct slice){(const char *)cluster->position.life, LIFE});
    int rc = decide(
        cluster,
        "UPDATE @league SET config = $1, ready = true, until = now() WHERE id = 1 AND life = $2 RETURNING id",
        &args, err);
    pg_args_release(&args);
    if (rc == 0 && pg_rows(cluster->pg) != 1)
        rc = err_set(err, ERR_STALE, "another copy into the database was begun meanwhile");
    return rc;
}

/* A copy that is behind must not take the place of what it has not seen. */
static int has_all(const struct cluster *cluster, struct err *err)
{
    const struct position *position = &cluster->position;
    int64_t seq = pg_row_number(cluster->pg, 0, 3);
    struct slice life = pg_row_bytes(cluster->pg, 0, 4);
    bool of_it =
        position->state != POSITION_UNKNOWN && life.len == LIFE && memcmp(life.p, position->life, LIFE) == 0;
    if (of_it && position->state != POSITION_FILES && position->said < pg_row_number(cluster->pg, 0, 6))
        return err_set(
            err, ERR_STALE,
            "since this host has seen the database for the last time, somebody has said that what is there "
            "counts (turnpost store accept or intact): remove %s/" CLUSTER_FOLDER
            "/position first, if it is to be lost",
            cluster->dir);
    return !of_it || position->seq >= seq
               ? 0
               : err_set(err, ERR_STALE,
                         "this host's copy lacks the last %lld commits, which would be lost: run this on a "
                         "host that has them; or, if they are lost, make a league of this copy that says so "
                         "(turnpost "
                         "backup, then turnpost restore), and run this there",
                         (long long)(seq - position->seq));
}

/* The line of a configuration that names the league's key; empty when there is none. */
static struct slice key_in(struct slice config)
{
    struct slice line;
    while (slice_line(&config, &line))
        if (slice_starts(line, "key "))
            return line;
    return (struct slice){"", 0};
}

/* Nor must another league, whose options name the wrong schema. */
static int is_ours(const struct cluster *cluster, struct slice config, struct err *err)
{
    struct slice there = key_in(config), here = key_in(slice_of(cluster->config));
    return there.len == here.len && memcmp(there.p, here.p, here.len) == 0
               ? 0
               : err_set(err, ERR_STALE,
                         "the database holds another league in schema %s, with another key: name another "
                         "schema in league.ini, or remove that one by hand",
                         cluster->way.schema);
}

/* An interrupted copy is begun again; another one only if that is wanted, and while no host decides. */
static int make_room(struct cluster *cluster, bool instead, struct err *err)
{
    struct err why = ERR_INIT;
    if (schema_check(cluster->pg, &why))
        return why.code == ERR_MISSING ? 0 : err_pass(err, &why);
    if (pg_ask(cluster->pg,
               "SELECT ready, until > now(), host, seq, life, config, said FROM @league WHERE id = 1", NULL,
               err))
        return -1;
    bool ready = pg_rows(cluster->pg) == 1 && pg_row_number(cluster->pg, 0, 0);
    if (ready && instead && pg_row_number(cluster->pg, 0, 1)) {
        struct slice host = pg_row_bytes(cluster->pg, 0, 2);
        return err_set(err, ERR_STALE, "%.*s decides about the league in the database: end its work first",
                       (int)host.len, host.p);
    }
    if (ready && !instead)
        return 0;
    if (ready && (is_ours(cluster, pg_row_bytes(cluster->pg, 0, 5), err) || has_all(cluster, err)))
        return -1;
    return schema_drop(cluster->pg, err);
}

int cluster_copy_in(const struct cluster_way *way, size_t *count, struct err *err)
{
    struct cluster *cluster = make(way);
    struct file_names names = {NULL, 0};
    int rc = pg_check(&way->pg, err) || cluster_connect(cluster, err) || position_read(cluster, err) ||
                     make_room(cluster, way->instead, err) || begin_copy(cluster, err) ||
                     files_list(cluster->dir, &names, err) || put_all(cluster, &names, err)
                 ? -1
                 : 0;
    *count = names.count;
    file_names_free(&names);
    if (rc == 0) /* what is there is what is here? */
        rc = mirror_all(cluster, count, err);
    if (rc == 0)
        rc = set_config(cluster, err);
    if (rc == 0)
        leave(cluster, POSITION_OWN);
    release(cluster);
    return rc;
}

int cluster_copy_out(struct cluster *cluster, size_t *count, struct err *err)
{
    return mirror_all(cluster, count, err);
}

int cluster_move_out(struct cluster *cluster, struct err *err)
{
    struct pg_args args = {.count = 0};
    pg_number(&args, cluster->fence);
    pg_text(&args, cluster->host);
    int rc = decide(cluster,
                    "UPDATE @league SET closed = 'moved', closer = $2 WHERE id = 1 AND fence = $1 AND closed "
                    "= '' RETURNING 1",
                    &args, err);
    pg_args_release(&args);
    return rc || pg_rows(cluster->pg) == 1 ? rc : lease_refused(cluster, err);
}

/* Another server has become the database while commits were not known to be safe: whoever agrees that they are from now on has not said
 * what was lost (lease.c). */
static const char agree_sql[] = "UPDATE @league SET config = $1, timeline = CASE WHEN timeline IN (0, $2) OR "
                                "position('synchronous no' in config) "
                                "= 0 THEN timeline ELSE -1 END WHERE id = 1 AND until <= now() RETURNING 1";

int cluster_agree(const struct cluster_way *way, struct err *err)
{
    struct cluster *cluster;
    if (cluster_open(way, &cluster, err))
        return -1;
    struct pg_args args = {.count = 0};
    pg_text(&args, cluster->config);
    pg_number(&args, cluster->timeline);
    int rc = decide(cluster, agree_sql, &args, err);
    pg_args_release(&args);
    if (rc == 0 && pg_rows(cluster->pg) != 1)
        rc = err_set(err, ERR_STALE, "a host decides about this league: end the workers on all hosts first");
    release(cluster);
    return rc;
}

int cluster_intact(const struct cluster_way *way, struct err *err)
{
    struct cluster *cluster;
    if (cluster_open(way, &cluster, err))
        return -1;
    struct pg_args args = {.count = 0};
    pg_number(&args, cluster->timeline); /* and not of any server that becomes the database later */
    int rc = decide(
        cluster, "UPDATE @league SET timeline = $1, said = said + 1, closed = '', closer = '' WHERE id = 1",
        &args, err);
    pg_args_release(&args);
    release(cluster);
    return rc;
}

/* ---- how it is ---- */

static const char state_sql[] =
    "SELECT host, until > now(), holder = $1, ready, CAST(ceil(extract(epoch FROM until - now())) AS "
    "bigint), seq, CAST(extract(epoch FROM now()) AS bigint), (SELECT count(*) FROM @file WHERE size >= 0),"
    " (SELECT CAST(coalesce(sum(size), 0) AS bigint) FROM @file WHERE size > 0), closed, "
    "closer, " DECIDE_NAMES ", coalesce(current_setting('synchronous_commit', true), ''), "
    "coalesce(current_setting('fsync', true), 'on') = 'on',"
    " coalesce(current_setting('full_page_writes', true), 'on') = 'on' FROM @league WHERE id = 1";

static void take_text(char *out, size_t size, const struct pg *pg, int column)
{
    struct slice text = pg_row_bytes(pg, 0, column);
    (void)snprintf(out, size, "%.*s", (int)text.len, text.p);
}

static int64_t microseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

int cluster_state(struct cluster *cluster, struct cluster_state *state, struct err *err)
{
    struct pg_args args = {.count = 0};
    const struct position *position = &cluster->position;
    struct pg *pg = cluster->pg;
    pg_bytes(&args, (struct slice){(const char *)cluster->self, LIFE});
    *state = (struct cluster_state){.version = pg_version(pg)};
    int rc = pg_ask(pg, state_sql, &args, err);
    pg_args_release(&args);
    if (rc || pg_rows(pg) != 1)
        return rc ? rc : err_set(err, ERR_MISSING, "the league is gone from the database");
    take_text(state->host, sizeof state->host, pg, 0);
    state->held = pg_row_number(pg, 0, 1) != 0;
    state->mine = pg_row_number(pg, 0, 2) != 0;
    state->ready = pg_row_number(pg, 0, 3) != 0;
    state->left = state->held ? pg_row_number(pg, 0, 4) : 0;
    state->commits = pg_row_number(pg, 0, 5);
    state->behind = position->state == POSITION_UNKNOWN ? -1 : state->commits - position->seq;
    state->clock = pg_row_number(pg, 0, 6) - (int64_t)time(NULL);
    state->files = pg_row_number(pg, 0, 7);
    state->bytes = pg_row_number(pg, 0, 8);
    take_text(state->closed, sizeof state->closed, pg, 9);
    take_text(state->closer, sizeof state->closer, pg, 10);
    take_text(state->names, sizeof state->names, pg, 11);
    take_text(state->commit, sizeof state->commit, pg, 12);
    state->fsync = pg_row_number(pg, 0, 13) != 0;
    state->full_pages = pg_row_number(pg, 0, 14) != 0;
    int64_t asked = microseconds();
    if (pg_ask(pg, "SELECT 1", NULL, err))
        return -1;
    state->latency = microseconds() - asked;
    return 0;
}
