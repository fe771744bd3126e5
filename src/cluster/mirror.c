/* The copy of a league's files is brought up to date with the database. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/mem.h"
#include "cluster/cluster_parts.h"
#include "cluster/kept.h"

#define ROWS_MOST  2000                /* files that are asked for at once */
#define BYTES_MOST ((int64_t)32 << 20) /* of them, about */
#define STRAY      CLUSTER_FOLDER "/stray"

/* Files that are wanted: from which byte on, and how many there are. */
struct want {
    char *path;
    int64_t from, bytes, mode, changed;
};
struct wanted {
    struct want *list;
    size_t count, cap;
};

static void want(struct wanted *wanted, const struct want *file)
{
    wanted->list = mem_grow(wanted->list, wanted->count, &wanted->cap, sizeof *wanted->list);
    wanted->list[wanted->count] = *file;
    wanted->list[wanted->count++].path = mem_strdup(file->path);
}

static void unwant(struct wanted *wanted)
{
    for (size_t i = 0; i < wanted->count; i++)
        free(wanted->list[i].path);
    free(wanted->list);
    *wanted = (struct wanted){.list = NULL};
}

/* ---- writing the copy ---- */

static int make_folder(const char *path, struct err *err)
{
    const char *slash = strrchr(path, '/');
    char *folder = mem_strndup(path, (size_t)(slash - path));
    int rc = file_exists(folder) ? 0 : file_mkdirs(folder, 0700, err);
    free(folder);
    return rc;
}

static int write_one(const struct cluster *cluster, const struct want *file, struct slice bytes,
                     struct err *err)
{
    char *path = cluster_path(cluster, file->path);
    int rc = make_folder(path, err);
    if (rc == 0)
        rc = file->from ? file_append(path, bytes, 0, err)
             : file_write_soft(path, bytes, (mode_t)file->mode & 0666, err) ||
                     file_stamp(path, file->changed, err)
                 ? -1
                 : 0;
    free(path);
    return rc;
}

/* A cached state tells what the journal said before it was changed in any other way than by being appended to. */
static int drop_state(const char *path, struct err *err)
{
    int rc = 0;
    if (str_ends(path, "/journal.jsonl")) {
        struct str state = STR_INIT;
        str_add(&state, path, strlen(path) - strlen("journal.jsonl"));
        str_adds(&state, "state.json");
        rc = file_remove(state.p, err);
        str_release(&state);
    }
    return rc;
}

/* The folder of a game or competition that is gone goes with it; those of the spool stay. */
static void leave_folder(const char *name, const char *path)
{
    if (!str_starts(name, "games/") && !str_starts(name, "competitions/"))
        return;
    char *folder = mem_strndup(path, (size_t)(strrchr(path, '/') - path));
    if (rmdir(folder) == 0)
        log_debug("%s is empty and was removed", folder);
    free(folder);
}

static int remove_one(const struct cluster *cluster, const char *name, struct err *err)
{
    char *path = cluster_path(cluster, name);
    int rc = file_remove(path, err) || drop_state(path, err) ? -1 : 0;
    if (rc == 0)
        leave_folder(name, path);
    free(path);
    return rc;
}

/* Out of the way, but not away: it may be the operator's. `why` follows its name in what is said of it. */
static int set_aside(const struct cluster *cluster, const char *name, const char *why, struct err *err)
{
    struct str to = STR_INIT;
    char *from = cluster_path(cluster, name);
    str_addf(&to, "%s/%s/%lld/%s", cluster->dir, STRAY, (long long)clock_system(), name);
    log_info("%s %s: it is now %s", from, why, to.p);
    int rc = make_folder(to.p, err) || file_rename(from, to.p, err) || drop_state(from, err) ? -1 : 0;
    if (rc == 0)
        leave_folder(name, from);
    str_release(&to);
    free(from);
    return rc;
}

/* ---- what the database says ---- */

/* The name in a row, which the caller frees. Those who can write to the database must not reach other files than those that are
 * shared: NULL, and nothing is touched. */
static char *name_in(const struct cluster *cluster, int row, struct err *err)
{
    char *name = slice_dup(pg_row_bytes(cluster->pg, row, 0));
    if (kept_safe(name))
        return name;
    err_set(err, ERR_BROKEN,
            "the database was changed by somebody else: it has a file \"%s\", which no host shares", name);
    free(name);
    return NULL;
}

/* ---- fetching ---- */

static const char fetch_sql[] =
    "SELECT t.n, p.bytes FROM unnest($1, $2, $3) AS t(path, at, n) JOIN @file f ON f.path = t.path"
    " JOIN @part p ON p.body = f.body AND p.at >= t.at ORDER BY t.n, p.at";

static int fetch_some(struct cluster *cluster, const struct want *files, size_t count, struct err *err)
{
    struct pg_args args = {.count = 0};
    struct str bytes = STR_INIT;
    pg_array(&args, PG_TEXTS);
    for (size_t i = 0; i < count; i++)
        pg_item(&args, slice_of(files[i].path));
    pg_array(&args, PG_NUMBERS);
    for (size_t i = 0; i < count; i++)
        pg_item_number(&args, files[i].from);
    pg_array(&args, PG_NUMBERS);
    for (size_t i = 0; i < count; i++)
        pg_item_number(&args, (int64_t)i);
    int rc = pg_ask(cluster->pg, fetch_sql, &args, err);
    pg_args_release(&args);
    int row = 0, rows = pg_rows(cluster->pg);
    for (size_t i = 0; rc == 0 && i < count; i++) {
        str_clear(&bytes);
        for (; row < rows && pg_row_number(cluster->pg, row, 0) == (int64_t)i; row++)
            str_addslice(&bytes, pg_row_bytes(cluster->pg, row, 1));
        rc = (int64_t)bytes.len == files[i].bytes
                 ? write_one(cluster, &files[i], slice_str(&bytes), err)
                 : err_set(err, ERR_TEMP, "%s is not as this host has noted: all files will be compared",
                           files[i].path);
    }
    str_release(&bytes);
    return rc;
}

/* Fetches all that is wanted, in the transaction that has found it. */
static int fetch(struct cluster *cluster, const struct wanted *wanted, struct err *err)
{
    int rc = 0;
    for (size_t from = 0, to = 0; from < wanted->count && rc == 0; from = to) {
        int64_t bytes = 0;
        while (to < wanted->count && (to == from || bytes + wanted->list[to].bytes <= BYTES_MOST))
            bytes += wanted->list[to++].bytes;
        rc = fetch_some(cluster, wanted->list + from, to - from, err);
    }
    return rc;
}

static int begin(struct cluster *cluster, struct err *err)
{
    return cluster_connect(cluster, err) ||
                   pg_ask(cluster->pg, "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY", NULL, err)
               ? -1
               : 0;
}

static int end(struct cluster *cluster, int rc, struct err *err)
{
    struct err why = ERR_INIT;
    if (pg_ask(cluster->pg, "COMMIT", NULL, rc ? &why : err))
        rc = -1;
    if (rc) /* whatever state it is in, the next one is fresh */
        cluster_disconnect(cluster);
    return rc;
}

/* ---- what has changed since ---- */

static const char changed_sql[] =
    "SELECT path, born, seq, size, mode, changed FROM @file WHERE seq > $1 ORDER BY seq, path"
    " LIMIT $2 OFFSET $3";

/* A game's journal only ever grows. One that was cut, replaced or removed has lost what players may have been told: what was here
 * is the evidence, so it is kept. */
static bool loses_history(const char *name, const char *path)
{
    return str_starts(name, "games/") && str_ends(name, "/journal.jsonl") && file_size(path) > 0;
}

static int keep_history(const struct cluster *cluster, const char *name, struct err *err)
{
    log_error("%s has lost records in the database: somebody has changed it. Compare what it says now with "
              "what this host had, before players act on it",
              name);
    return set_aside(cluster, name, "is not what it was", err);
}

/* What a row says: it is gone, it has become longer, or it is another one. */
static int take_row(struct cluster *cluster, int row, struct wanted *wanted, struct err *err)
{
    struct pg *pg = cluster->pg;
    char *name = name_in(cluster, row, err);
    if (!name)
        return -1;
    int64_t born = pg_row_number(pg, row, 1), size = pg_row_number(pg, row, 3);
    char *path = cluster_path(cluster, name);
    int64_t here = file_size(path);
    bool longer = size >= 0 && born <= cluster->position.seq && here > 0 && here <= size;
    int rc = 0;
    if (!longer && loses_history(name, path))
        rc = keep_history(cluster, name, err);
    if (rc == 0 && size < 0)
        rc = remove_one(cluster, name, err);
    else if (rc == 0) {
        if (!longer && here >= 0)
            rc = drop_state(path, err);
        int64_t from = longer ? here : 0;
        want(wanted,
             &(struct want){name, from, size - from, pg_row_number(pg, row, 4), pg_row_number(pg, row, 5)});
    }
    free(path);
    free(name);
    return rc;
}

/* One portion; *more: there may be others. */
static int take_changed(struct cluster *cluster, int64_t from, bool *more, struct err *err)
{
    struct wanted wanted = {.list = NULL};
    struct pg_args args = {.count = 0};
    pg_number(&args, cluster->position.seq);
    pg_number(&args, ROWS_MOST);
    pg_number(&args, from);
    int rc = pg_ask(cluster->pg, changed_sql, &args, err);
    pg_args_release(&args);
    *more = rc == 0 && pg_rows(cluster->pg) == ROWS_MOST;
    for (int i = 0; rc == 0 && i < pg_rows(cluster->pg); i++)
        rc = take_row(cluster, i, &wanted, err);
    if (rc == 0)
        rc = fetch(cluster, &wanted, err);
    unwant(&wanted);
    return rc;
}

static const char where_sql[] =
    "SELECT life, seq, horizon, (SELECT id FROM @done d WHERE d.seq = l.seq AND l.seq > 0 LIMIT 1), said"
    " FROM @league l WHERE l.id = 1";

static int where(struct cluster *cluster, struct position *now, int64_t *horizon, bool *lost, struct err *err)
{
    if (cluster_check(cluster, lost, err) || pg_ask(cluster->pg, where_sql, NULL, err))
        return -1;
    struct slice life = pg_rows(cluster->pg) == 1 ? pg_row_bytes(cluster->pg, 0, 0) : (struct slice){"", 0};
    if (life.len != LIFE)
        return err_set(err, ERR_MISSING, "the league is gone from the database");
    *now = (struct position){.state = POSITION_COPY,
                             .seq = pg_row_number(cluster->pg, 0, 1),
                             .said = pg_row_number(cluster->pg, 0, 4)};
    memcpy(now->life, life.p, LIFE);
    *horizon = pg_row_number(cluster->pg, 0, 2);
    struct slice commit = pg_row_bytes(cluster->pg, 0, 3);
    if (commit.len == LIFE)
        memcpy(now->commit, commit.p, LIFE);
    return 0;
}

static int changed_all(struct cluster *cluster, struct err *err)
{
    bool more = true;
    int rc = 0;
    for (int64_t from = 0; more && rc == 0; from += ROWS_MOST)
        rc = take_changed(cluster, from, &more, err);
    return rc;
}

/* ---- comparing all ---- */

static const char all_sql[] =
    "SELECT f.path, f.size, f.mode, f.changed, sha256(coalesce(string_agg(p.bytes, ''::bytea ORDER BY p.at), "
    "''::bytea)) FROM (SELECT * FROM @file WHERE path > $1 AND size >= 0 ORDER BY path LIMIT $2) f"
    " LEFT JOIN @part p ON p.body = f.body GROUP BY f.path, f.size, f.mode, f.changed ORDER BY f.path";

static bool same(const char *path, int64_t size, struct slice digest)
{
    struct err err = ERR_INIT;
    struct str bytes = STR_INIT;
    unsigned char own[crypto_hash_sha256_BYTES] = {0};
    bool is = file_size(path) == size && file_read(path, SIZE_MAX / 2, &bytes, &err) == 0;
    if (is)
        crypto_hash_sha256(own, (const unsigned char *)bytes.p, bytes.len);
    str_release(&bytes);
    return is && digest.len == sizeof own && memcmp(own, digest.p, sizeof own) == 0;
}

/* What is in the copy and not in the database, up to `name`; NULL: all the rest. */
static int aside_until(const struct cluster *cluster, const struct file_names *names, size_t *at,
                       const char *name, struct err *err)
{
    int rc = 0;
    while (rc == 0 && *at < names->count && (!name || strcmp(names->name[*at], name) < 0))
        rc = set_aside(cluster, names->name[(*at)++], "is not in the database", err);
    if (name && *at < names->count && strcmp(names->name[*at], name) == 0)
        ++*at;
    return rc;
}

struct comparison {
    struct file_names here; /* files of the copy */
    size_t at;              /* up to here they were looked at */
    char *last;             /* of the database's files */
    size_t count;
};

static int compare_rows(struct cluster *cluster, struct comparison *all, struct wanted *wanted,
                        struct err *err)
{
    int rc = 0;
    for (int i = 0; rc == 0 && i < pg_rows(cluster->pg); i++) {
        char *name = name_in(cluster, i, err);
        if (!name)
            return -1;
        char *path = cluster_path(cluster, name);
        int64_t size = pg_row_number(cluster->pg, i, 1);
        rc = aside_until(cluster, &all->here, &all->at, name, err);
        if (rc == 0 && !same(path, size, pg_row_bytes(cluster->pg, i, 4))) {
            rc = file_exists(path) ? set_aside(cluster, name, "is not what the database has", err)
                                   : drop_state(path, err);
            want(wanted, &(struct want){name, 0, size, pg_row_number(cluster->pg, i, 2),
                                        pg_row_number(cluster->pg, i, 3)});
        }
        free(path);
        free(all->last);
        all->last = name;
        all->count++;
    }
    return rc;
}

/* A portion; *more: there may be others. */
static int compare_some(struct cluster *cluster, struct comparison *all, bool *more, struct err *err)
{
    struct wanted wanted = {.list = NULL};
    struct pg_args args = {.count = 0};
    pg_text(&args, all->last);
    pg_number(&args, ROWS_MOST);
    int rc = pg_ask(cluster->pg, all_sql, &args, err);
    pg_args_release(&args);
    *more = rc == 0 && pg_rows(cluster->pg) == ROWS_MOST;
    if (rc == 0)
        rc = compare_rows(cluster, all, &wanted, err);
    if (rc == 0)
        rc = fetch(cluster, &wanted, err);
    unwant(&wanted);
    return rc;
}

static int compare_all(struct cluster *cluster, size_t *count, struct err *err)
{
    struct comparison all = {.last = mem_strdup("")};
    bool more = true;
    int rc = files_list(cluster->dir, &all.here, err);
    while (rc == 0 && more)
        rc = compare_some(cluster, &all, &more, err);
    if (rc == 0)
        rc = aside_until(cluster, &all.here, &all.at, NULL, err);
    *count = all.count;
    file_names_free(&all.here);
    free(all.last);
    return rc;
}

/* ---- both ---- */

/* In one snapshot. */
static int bring(struct cluster *cluster, bool all, size_t *count, struct err *err)
{
    struct position now = {.seq = 0}, before = cluster->position;
    int64_t horizon = 0;
    bool lost = false;
    if (begin(cluster, err))
        return -1;
    int rc = where(cluster, &now, &horizon, &lost, err);
    if (lost) {
        rc = end(cluster, rc, err);
        cluster_tell(cluster);
        return rc;
    }
    all |= before.state < POSITION_COPY || memcmp(before.life, now.life, LIFE) != 0 || before.seq < horizon;
    if (rc == 0 && !all && before.seq == now.seq && before.said == now.said)
        return end(cluster, 0, err);
    if (rc == 0 && before.state == POSITION_UNKNOWN) { /* of this database, and with nothing of it yet */
        cluster->position = (struct position){.seq = 0};
        memcpy(cluster->position.life, now.life, LIFE);
    }
    if (rc == 0) {
        cluster->position.state = POSITION_WORKING; /* a crash in the middle leaves something else */
        rc = position_write(cluster, err);
    }
    if (rc == 0)
        rc = all ? compare_all(cluster, count, err) : changed_all(cluster, err);
    if (rc == 0) {
        cluster->position = now;
        cluster->compared = all;
        rc = position_write(cluster, err);
    }
    return end(cluster, rc, err);
}

int mirror(struct cluster *cluster, struct err *err)
{
    size_t count = 0;
    return bring(cluster, false, &count, err);
}

int mirror_all(struct cluster *cluster, size_t *count, struct err *err)
{
    return bring(cluster, true, count, err);
}
