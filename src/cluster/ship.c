/* A commit: all that has changed since the last one, in one transaction and one round trip. */
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/mem.h"
#include "cluster/cluster_parts.h"

#define STATEMENT_BYTES ((size_t)8 << 20) /* of files in one statement, about */
#define TRIES_SECONDS   30                /* for which a database that does not answer is asked again */
#define PAUSE_US        200000

/* A file as it is sent. */
struct cargo {
    struct dirty_file file;
    struct str bytes; /* all, or what comes after file.from */
    int64_t mode,
        changed; /* its permissions; when, which says something of mails that are put off (mail/spool.h) */
};
struct shipment {
    struct cargo *list;
    size_t count;
    unsigned char id[LIFE];
    int64_t seq;
};

/* ---- what has changed ---- */

/* Reads all that comes after `from`. A file that is gone although nobody said so was removed by somebody else. */
static int load(const struct cluster *cluster, struct cargo *cargo, struct err *err)
{
    struct stat st;
    int fd;
    char *path = cluster_path(cluster, cargo->file.path);
    int rc = file_open(path, &fd, err);
    if (rc && err->code == ERR_MISSING) {
        log_warn("%s was removed by somebody else", path);
        err_clear(err);
        cargo->file.kind = DIRTY_GONE;
        free(path);
        return 0;
    }
    if (rc == 0) {
        if (fstat(fd, &st) != 0 || lseek(fd, (off_t)cargo->file.from, SEEK_SET) < 0)
            rc = err_sys(err, ERR_IO, "cannot look at %s", path);
        else if (file_read_fd(fd, SIZE_MAX / 2, &cargo->bytes, err))
            rc = err_prefix(err, "%s", path);
        else
            *cargo = (struct cargo){cargo->file, cargo->bytes, st.st_mode & 0777, (int64_t)st.st_mtime};
        close(fd);
    }
    if (rc == 0 && cargo->file.kind == DIRTY_APPENDED && !cargo->bytes.len)
        cargo->file.kind = DIRTY_SAME; /* it failed and was taken back */
    free(path);
    return rc;
}

static void release(struct shipment *shipment)
{
    for (size_t i = 0; i < shipment->count; i++) {
        free(shipment->list[i].file.path);
        free(shipment->list[i].file.origin);
        str_release(&shipment->list[i].bytes);
    }
    free(shipment->list);
}

/* Takes over the list of what has changed, with the files as they are now. */
static int gather(struct cluster *cluster, struct shipment *shipment, struct err *err)
{
    struct dirty *dirty = &cluster->dirty;
    int rc = 0;
    keep_still();
    shipment->count = dirty->count;
    shipment->list = mem_array(dirty->count + 1, sizeof *shipment->list);
    for (size_t i = 0; i < dirty->count; i++) {
        struct cargo *cargo = &shipment->list[i];
        *cargo = (struct cargo){.file = dirty->list[i], .bytes = STR_INIT};
        if (rc == 0 && (cargo->file.kind == DIRTY_WRITTEN || cargo->file.kind == DIRTY_APPENDED))
            rc = load(cluster, cargo, err);
    }
    free(dirty->list);
    *dirty = (struct dirty){NULL, 0, 0};
    keep_go_on();
    return rc;
}

/* ---- how it is sent ---- */

/* No other host has taken the lease, no commit of ours is missing, and there are the standbys that there have to be... */
static const char lease_sql[] = "UPDATE @league SET seq = $2, until = now() + $3 * interval '1 second',"
                                " timeline = $4 WHERE id = 1 AND fence = $1 AND seq = $2 - 1"
                                " AND closed = '' AND " DECIDE_SURE("$5");
/* ... or there is no number for this, which the table refuses. */
static const char done_sql[] = "INSERT INTO @done(id, seq, at) VALUES($1, (SELECT seq FROM @league WHERE id "
                               "= 1 AND fence = $2 AND seq = $3), now())";

/* At the end, because from here on nobody else can take the lease, however long the rest takes to arrive. */
static int send_tail(struct cluster *cluster, const struct shipment *shipment, struct err *err)
{
    struct pg_args lease = {.count = 0}, done = {.count = 0};
    pg_number(&lease, cluster->fence);
    pg_number(&lease, shipment->seq);
    pg_number(&lease, cluster->lease);
    pg_number(&lease, cluster->timeline); /* what this host has seen is all there, so nothing was lost */
    pg_number(&lease, cluster->named);
    pg_bytes(&done, (struct slice){(const char *)shipment->id, LIFE});
    pg_number(&done, cluster->fence);
    pg_number(&done, shipment->seq);
    int rc =
        pg_send(cluster->pg, lease_sql, &lease, err) || pg_send(cluster->pg, done_sql, &done, err) ? -1 : 0;
    pg_args_release(&lease);
    pg_args_release(&done);
    return rc;
}

/* Files that move: $1 from where, $2 to where, $3 the commit, which each of them names so that all take the same values. What
 * they replace goes, unless it moves itself. */
static const char *const move_sql[] = {
    "DELETE FROM @part WHERE body IN (SELECT body FROM @file WHERE path = ANY($2))"
    " AND body NOT IN (SELECT body FROM @file WHERE path = ANY($1)) AND $3 > 0",
    "INSERT INTO @file(path, body, born, seq, size, mode, changed)"
    " SELECT t.away, f.body, $3, $3, f.size, f.mode, f.changed"
    " FROM unnest($1, $2) AS t(here, away) LEFT JOIN @file f ON f.path = t.here AND f.size >= 0"
    " ON CONFLICT (path) DO UPDATE SET body = excluded.body, born = excluded.born, seq = excluded.seq,"
    " size = excluded.size, mode = excluded.mode, changed = excluded.changed",
    "UPDATE @file SET body = '', size = -1, born = $3, seq = $3 WHERE path = ANY($1) AND NOT path = ANY($2)"};

static int send_moves(struct cluster *cluster, const struct shipment *shipment, struct err *err)
{
    struct pg_args args = {.count = 0};
    size_t count = 0;
    for (int side = 0; side < 2; side++) {
        pg_array(&args, PG_TEXTS);
        for (size_t i = 0; i < shipment->count; i++) {
            const struct dirty_file *file = &shipment->list[i].file;
            if (file->kind != DIRTY_MOVED)
                continue;
            pg_item(&args, slice_of(side == 0 ? file->origin : file->path));
            count++;
        }
    }
    pg_number(&args, shipment->seq);
    int rc = 0;
    for (size_t i = 0; count && i < sizeof move_sql / sizeof *move_sql && rc == 0; i++)
        rc = pg_send(cluster->pg, move_sql[i], &args, err);
    pg_args_release(&args);
    return rc;
}

/* Files that go: $1; $2 the commit, likewise. */
static const char *const gone_sql[] = {
    "DELETE FROM @part WHERE body IN (SELECT body FROM @file WHERE path = ANY($1)) AND $2 > 0",
    "UPDATE @file SET body = '', size = -1, born = $2, seq = $2 WHERE path = ANY($1) AND size >= 0"};

static int send_gone(struct cluster *cluster, const struct shipment *shipment, struct err *err)
{
    struct pg_args args = {.count = 0};
    size_t count = 0;
    pg_array(&args, PG_TEXTS);
    for (size_t i = 0; i < shipment->count; i++)
        if (shipment->list[i].file.kind == DIRTY_GONE) {
            pg_item(&args, slice_of(shipment->list[i].file.path));
            count++;
        }
    pg_number(&args, shipment->seq);
    int rc = count && (pg_send(cluster->pg, gone_sql[0], &args, err) ||
                       pg_send(cluster->pg, gone_sql[1], &args, err))
                 ? -1
                 : 0;
    pg_args_release(&args);
    return rc;
}

/* Files with new contents: $1 paths, $2 names of the contents, $3 sizes, $4 modes, $5 times, $6 the commit; $1 the names, $2
 * the bytes. */
static const char written_sql[] =
    "INSERT INTO @file(path, body, born, seq, size, mode, changed)"
    " SELECT t.path, t.body, $6, $6, t.size, t.mode, t.changed"
    " FROM unnest($1, $2, $3, $4, $5) AS t(path, body, size, mode, changed)"
    " ON CONFLICT (path) DO UPDATE SET body = excluded.body, born = excluded.born, seq = excluded.seq,"
    " size = excluded.size, mode = excluded.mode, changed = excluded.changed";
static const char bytes_sql[] =
    "INSERT INTO @part(body, at, bytes) SELECT t.body, 0, t.bytes FROM unnest($1, $2) AS t(body, bytes)";

/* A column of an array for each of these files. */
enum column { COLUMN_PATH, COLUMN_BODY, COLUMN_SIZE, COLUMN_MODE, COLUMN_CHANGED, COLUMN_BYTES, COLUMN_FROM };

static void add_column(struct pg_args *args, enum column column, const struct cargo *const *files,
                       size_t count)
{
    static const enum pg_items items[] = {
        [COLUMN_PATH] = PG_TEXTS,   [COLUMN_BODY] = PG_BLOBS,      [COLUMN_SIZE] = PG_NUMBERS,
        [COLUMN_MODE] = PG_NUMBERS, [COLUMN_CHANGED] = PG_NUMBERS, [COLUMN_BYTES] = PG_BLOBS,
        [COLUMN_FROM] = PG_NUMBERS};
    pg_array(args, items[column]);
    for (size_t i = 0; i < count; i++) {
        const struct cargo *cargo = files[i];
        switch (column) {
        case COLUMN_PATH: pg_item(args, slice_of(cargo->file.path)); break;
        case COLUMN_BYTES: pg_item(args, slice_str(&cargo->bytes)); break;
        case COLUMN_SIZE: pg_item_number(args, (int64_t)cargo->bytes.len); break;
        case COLUMN_MODE: pg_item_number(args, cargo->mode); break;
        case COLUMN_CHANGED: pg_item_number(args, cargo->changed); break;
        case COLUMN_FROM: pg_item_number(args, cargo->file.from); break;
        case COLUMN_BODY: break;
        }
    }
}

/* A random name for the contents of each. */
static void add_bodies(struct pg_args *args, const struct str *names)
{
    pg_array(args, PG_BLOBS);
    for (size_t at = 0; at < names->len; at += LIFE)
        pg_item(args, slice_sub(slice_str(names), at, LIFE));
}

/* Files of one kind that go into one statement. */
struct lot {
    const struct cargo *const *files;
    size_t count;
    int64_t seq;
};

static int send_written(struct cluster *cluster, const struct lot *lot, struct err *err)
{
    struct pg_args gone = {.count = 0}, rows = {.count = 0}, bytes = {.count = 0};
    struct str names = STR_INIT;
    unsigned char name[LIFE];
    for (size_t i = 0; i < lot->count; i++) {
        randombytes_buf(name, LIFE);
        str_add(&names, name, LIFE);
    }
    add_column(&gone, COLUMN_PATH, lot->files, lot->count);
    pg_number(&gone, lot->seq);
    add_column(&rows, COLUMN_PATH, lot->files, lot->count);
    add_bodies(&rows, &names);
    add_column(&rows, COLUMN_SIZE, lot->files, lot->count);
    add_column(&rows, COLUMN_MODE, lot->files, lot->count);
    add_column(&rows, COLUMN_CHANGED, lot->files, lot->count);
    pg_number(&rows, lot->seq);
    add_bodies(&bytes, &names);
    add_column(&bytes, COLUMN_BYTES, lot->files, lot->count);
    int rc = pg_send(cluster->pg, gone_sql[0], &gone, err) || pg_send(cluster->pg, written_sql, &rows, err) ||
                     pg_send(cluster->pg, bytes_sql, &bytes, err)
                 ? -1
                 : 0;
    str_release(&names);
    pg_args_release(&gone);
    pg_args_release(&rows);
    pg_args_release(&bytes);
    return rc;
}

/* What is appended must begin where the file ends: $1 paths, $2 where, $3 the bytes; $2 how many. */
static const char appended_sql[] = "INSERT INTO @part(body, at, bytes) SELECT f.body, t.at, t.bytes FROM "
                                   "unnest($1, $2, $3) AS t(path, at, bytes)"
                                   " LEFT JOIN @file f ON f.path = t.path AND f.size = t.at";
static const char longer_sql[] = "UPDATE @file f SET size = f.size + t.more, seq = $3"
                                 " FROM unnest($1, $2) AS t(path, more) WHERE f.path = t.path";

static int send_appended(struct cluster *cluster, const struct lot *lot, struct err *err)
{
    struct pg_args bytes = {.count = 0}, rows = {.count = 0};
    add_column(&bytes, COLUMN_PATH, lot->files, lot->count);
    add_column(&bytes, COLUMN_FROM, lot->files, lot->count);
    add_column(&bytes, COLUMN_BYTES, lot->files, lot->count);
    add_column(&rows, COLUMN_PATH, lot->files, lot->count);
    add_column(&rows, COLUMN_SIZE, lot->files, lot->count);
    pg_number(&rows, lot->seq);
    int rc = pg_send(cluster->pg, appended_sql, &bytes, err) || pg_send(cluster->pg, longer_sql, &rows, err)
                 ? -1
                 : 0;
    pg_args_release(&bytes);
    pg_args_release(&rows);
    return rc;
}

/* All files of a kind, as many to a statement as fit. */
static int send_kind(struct cluster *cluster, const struct shipment *shipment, enum dirty_kind kind,
                     struct err *err)
{
    const struct cargo **files = mem_array(shipment->count + 1, sizeof(struct cargo *));
    struct lot lot = {files, 0, shipment->seq};
    size_t bytes = 0;
    int rc = 0;
    for (size_t i = 0; i <= shipment->count && rc == 0; i++) {
        const struct cargo *cargo = i < shipment->count ? &shipment->list[i] : NULL;
        if (cargo && cargo->file.kind == kind) {
            files[lot.count++] = cargo;
            bytes += cargo->bytes.len;
        }
        if (!lot.count || (cargo && bytes < STATEMENT_BYTES))
            continue;
        rc = kind == DIRTY_WRITTEN ? send_written(cluster, &lot, err) : send_appended(cluster, &lot, err);
        lot.count = bytes = 0;
    }
    free(files);
    return rc;
}

/* Still, or it has ceased to wait for a second server just then. */
static bool is_named(const struct cluster *cluster, struct err *err)
{
    if (!cluster->named || pg_row_number(cluster->pg, 0, 0))
        return true;
    (void)decide_unnamed(err);
    return false;
}

static enum pg_fate send_all(struct cluster *cluster, const struct shipment *shipment, struct err *err)
{
    const struct decide_after after = {"SELECT " DECIDE_NAMES " <> ''", NULL};
    if (decide_begin(cluster->pg, err) || send_moves(cluster, shipment, err) ||
        send_gone(cluster, shipment, err) || send_kind(cluster, shipment, DIRTY_WRITTEN, err) ||
        send_kind(cluster, shipment, DIRTY_APPENDED, err) || send_tail(cluster, shipment, err))
        return PG_LOST;
    enum pg_fate fate = decide_end(cluster->pg, &after, err);
    return fate == PG_DONE && !is_named(cluster, err) ? PG_LOST : fate;
}

/* ---- whether it happened ---- */

/* Its own number, or 0 where it was first: then the commit can never be there any more. It writes in both cases, so where this was
 * answered by a standby, the commit before it is there as well. */
static const char resolve_sql[] =
    "INSERT INTO @done(id, seq, at) VALUES($1, 0, now()) ON CONFLICT (id) DO UPDATE SET at = now()";
static const char resolved_sql[] = "SELECT " DECIDE_NAMES " <> '', seq FROM @done WHERE id = $1";

/* A commit whose answer was lost: its id is there, or it can never be there any more. */
static enum pg_fate resolve(struct cluster *cluster, const struct shipment *shipment, struct err *err)
{
    struct pg_args args = {.count = 0};
    const struct decide_after after = {resolved_sql, &args};
    enum pg_fate fate = PG_LOST;
    if (cluster_connect(cluster, err))
        return PG_LOST;
    pg_bytes(&args, (struct slice){(const char *)shipment->id, LIFE});
    if (decide_begin(cluster->pg, err) == 0 && pg_send(cluster->pg, resolve_sql, &args, err) == 0)
        fate = decide_end(cluster->pg, &after, err);
    pg_args_release(&args);
    if (fate == PG_DONE)
        fate = pg_rows(cluster->pg) != 1 || !is_named(cluster, err) ? PG_LOST
               : pg_row_number(cluster->pg, 0, 1) == shipment->seq  ? PG_DONE
                                                                    : PG_AGAIN;
    else if (fate == PG_AGAIN)
        fate = PG_LOST;
    if (fate == PG_LOST) /* what it still has to say is no answer to anything that is asked from now on */
        cluster_disconnect(cluster);
    return fate;
}

/* Until it is done or never will be. Each try has an id of its own, once the one before is known not to count. */
static enum pg_fate insist(struct cluster *cluster, struct shipment *shipment, struct err *err)
{
    int64_t until = clock_milliseconds() + TRIES_SECONDS * (int64_t)1000;
    enum pg_fate fate = PG_AGAIN;
    for (bool first = true; fate == PG_AGAIN || fate == PG_LOST; first = false) {
        if (!first && clock_milliseconds() > until) {
            if (!err->code) /* it is known by now that the last try is not there */
                (void)err_set(err, ERR_TEMP, "the database has taken no commit for %d seconds",
                              TRIES_SECONDS);
            return fate;
        }
        if (!first)
            (void)usleep(PAUSE_US);
        err_clear(err);
        if (fate == PG_LOST) {
            fate = resolve(cluster, shipment, err);
            continue;
        }
        randombytes_buf(shipment->id, LIFE);
        int64_t asked = clock_milliseconds();
        fate = cluster->pg || cluster_connect(cluster, err) == 0 ? send_all(cluster, shipment, err) : PG_LOST;
        if (fate == PG_DONE)
            lease_renewed(cluster, asked);
        if (fate == PG_LOST)
            cluster_disconnect(cluster);
    }
    return fate;
}

static int stop(struct cluster *cluster, enum pg_fate fate, struct err *err)
{
    if (fate == PG_REFUSED) {
        log_warn("%s", err->text);
        err_clear(err);
        bool lost = false;
        int rc = cluster_check(cluster, &lost, err);
        if (lost)
            cluster_tell(cluster);
        if (rc == 0 && lease_refused(cluster, err) && err->code == ERR_STALE) {
            err_clear(err);
            err_set(err, ERR_TEMP,
                    "another host has taken over this league, so nothing more is decided here");
        }
    }
    cluster->broken = true;
    cluster->why = *err;
    lease_lost();
    return -1;
}

static int ship_alone(struct cluster *cluster, struct err *err)
{
    struct shipment shipment = {.seq = cluster->position.seq + 1};
    if (cluster->broken)
        return err_pass(err, &cluster->why);
    int rc = gather(cluster, &shipment, err);
    if (rc)
        rc = stop(cluster, PG_FAILED, err);
    else if (shipment.count) {
        enum pg_fate fate = insist(cluster, &shipment, err);
        if (fate == PG_DONE) {
            err_clear(err);
            cluster->position.seq++;
            memcpy(cluster->position.commit, shipment.id, LIFE);
            lease_committed(cluster);
            rc = position_note(cluster, err) ? stop(cluster, PG_FAILED, err) : 0;
        } else {
            rc = stop(cluster, fate, err);
        }
    }
    release(&shipment);
    return rc;
}

int ship(struct cluster *cluster, struct err *err)
{
    (void)pthread_mutex_lock(&cluster->shipping);
    int rc = ship_alone(cluster, err);
    (void)pthread_mutex_unlock(&cluster->shipping);
    return rc;
}
