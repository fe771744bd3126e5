#include "league/shared.h"

#include <sodium.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/file.h"
#include "base/log.h"
#include "base/mem.h"
#include "journal/catalog_changes.h"
#include "mail/nap.h"

#define LOOK_MS   1000 /* between two looks at who decides */
#define FILE_MOST ((size_t)16 << 20)

/* ---- what all hosts must have the same ---- */

/* The options without [store]: how a host gets at its database is its own matter. Whether commits are safe is not: a server that becomes
 * the database has to know it of all that were made before (lease.c). */
static void add_options(const struct league *league, struct str *out)
{
    struct err ignored = ERR_INIT;
    struct str bytes = STR_INIT, shared = STR_INIT;
    unsigned char digest[16];
    bool store = false;
    char *path = league_path(league, "league.ini");
    struct slice rest, line;
    if (file_read(path, FILE_MOST, &bytes, &ignored))
        str_clear(&bytes);
    rest = slice_str(&bytes);
    while (slice_line(&rest, &line)) {
        if (slice_starts(line, "["))
            store = slice_starts(line, "[store]");
        if (store)
            continue;
        str_addslice(&shared, line);
        str_addc(&shared, '\n');
    }
    crypto_generichash(digest, sizeof digest, (const unsigned char *)shared.p, shared.len, NULL, 0);
    str_adds(out, "options ");
    hex_encode(out, digest, sizeof digest);
    str_addc(out, '\n');
    str_release(&bytes);
    str_release(&shared);
    free(path);
}

/* Adds a file, or all files of a folder, by name and contents; what is not there adds nothing. */
/* NOLINTNEXTLINE(misc-no-recursion): templates are two folders deep. */
static void add_files(crypto_generichash_state *state, const char *path)
{
    struct err ignored = ERR_INIT; /* a file that cannot be read is as one that is not there */
    struct file_names names;
    struct str bytes = STR_INIT;
    if (file_is_plain(path) && file_read(path, FILE_MOST, &bytes, &ignored) == 0)
        crypto_generichash_update(state, (const unsigned char *)bytes.p, bytes.len);
    str_release(&bytes);
    if (file_is_plain(path) || !file_exists(path) || file_list(path, &names, &ignored))
        return;
    for (size_t i = 0; i < names.count; i++) {
        char *part = path_join(path, names.name[i]);
        crypto_generichash_update(state, (const unsigned char *)names.name[i], strlen(names.name[i]) + 1);
        add_files(state, part);
        free(part);
    }
    file_names_free(&names);
}

static void add_word(const struct league *league, struct str *out, const char *what, const char *name)
{
    crypto_generichash_state state;
    unsigned char digest[16];
    char *path = league_path(league, name);
    crypto_generichash_init(&state, NULL, 0, sizeof digest);
    add_files(&state, path);
    crypto_generichash_final(&state, digest, sizeof digest);
    str_addf(out, "%s ", what);
    hex_encode(out, digest, sizeof digest);
    str_addc(out, '\n');
    free(path);
}

static char *make_config(const struct league *league)
{
    struct str out = STR_INIT;
    const char *holidays = league->config.clock.holidays_file;
    static const char *const synchronous[] = {"no", "yes", "storage"};
    str_adds(&out, "program " TURNPOST_VERSION "\n");
    str_addf(&out, "synchronous %s\n", synchronous[league->config.store.synchronous]);
    add_options(league, &out);
    add_word(league, &out, "key", "keys/league.pub");
    add_word(league, &out, "templates", "templates");
    if (*holidays)
        add_word(league, &out, "holidays", holidays);
    return str_detach(&out);
}

/* ---- the way there ---- */

int shared_way(const struct league *league, struct shared_way *way, struct err *err)
{
    const struct config_place *store = &league->config.store;
    *way = (struct shared_way){.password = NULL};
    if (!*store->database)
        return err_set(err, ERR_CONFIG,
                       "league.ini: [store] database is not set, so this league is kept in files alone");
    if (!pg_schema_valid(slice_of(store->schema)))
        return err_set(err, ERR_CONFIG,
                       "league.ini: [store] schema must be a small letter, then small letters, digits and _");
    if (config_secret(&(struct config_secret){"league.ini: [store] password_command", store->password_command,
                                              store->password_file, store->password_env},
                      &way->password, err))
        return -1;
    way->config = make_config(league);
    way->way = (struct cluster_way){.pg = {.database = store->database, .password = way->password},
                                    .dir = league->dir,
                                    .config = way->config,
                                    .lease = store->lease,
                                    .synchronous = store->synchronous != SYNCHRONOUS_NO,
                                    .named = store->synchronous == SYNCHRONOUS_YES};
    (void)snprintf(way->way.pg.schema, sizeof way->way.pg.schema, "%s", store->schema);
    return 0;
}

void shared_way_release(struct shared_way *way)
{
    if (way->password)
        sodium_memzero(way->password, strlen(way->password));
    free(way->password);
    free(way->config);
    *way = (struct shared_way){.password = NULL};
}

static int open_cluster(const struct league *league, struct cluster **out, struct err *err)
{
    struct shared_way way;
    *out = NULL;
    int rc = shared_way(league, &way, err);
    if (rc == 0)
        rc = cluster_open(&way.way, out, err);
    shared_way_release(&way);
    return rc;
}

/* ---- deciding ---- */

int shared_catalog(const struct league *league, struct err *err)
{
    char *path = league_path(league, "catalog.sqlite");
    int rc = catalog_build(path, league->dir, err);
    free(path);
    return rc;
}

int shared_take(struct league *league, struct err *err)
{
    bool fresh = false;
    if (league->config.store.type != STORE_POSTGRES)
        return cluster_without(league->dir, err);
    if (open_cluster(league, &league->cluster, err))
        return -1;
    int rc = cluster_take(league->cluster, &fresh, err);
    if (rc == 0 && fresh)
        rc = shared_catalog(league, err);
    if (rc)
        shared_leave(league);
    return rc;
}

void shared_leave(struct league *league)
{
    cluster_close(league->cluster);
    league->cluster = NULL;
}

bool shared_doubt(const struct league *league)
{
    return league->cluster && cluster_doubt(league->cluster);
}

int shared_holds(const struct league *league, struct err *err)
{
    return !league->cluster || cluster_holds()
               ? 0
               : err_set(err, ERR_TEMP, "the lease of this league has run out here: another host may decide");
}

/* ---- following ---- */

/* Only while the copy is brought up to date is the lock taken, so that commands are told at once who decides. */
static int follow_once(struct league *league, struct cluster *cluster, bool *free, struct err *err)
{
    if (league_lock(league, err))
        return -1;
    int rc = cluster_follow(cluster, free, err);
    close(league->lock);
    league->lock = -1;
    return rc;
}

int shared_follow(struct league *league, const volatile bool *stop, struct err *err)
{
    struct cluster *cluster = NULL;
    bool free = false, told = false;
    int rc = 0;
    while (rc == 0 && !free && !*stop) {
        struct err why = ERR_INIT;
        rc = cluster || open_cluster(league, &cluster, &why) == 0 ? follow_once(league, cluster, &free, &why)
                                                                  : -1;
        if (rc && why.code == ERR_TEMP) {
            if (!told)
                log_warn("%s; waiting for it", why.text);
            rc = 0;
        } else if (rc)
            (void)err_pass(err, &why);
        told = why.code == ERR_TEMP;
        if (rc == 0 && !free)
            (void)nap(clock_milliseconds() + LOOK_MS, &(struct nap_ends){.stop = stop});
    }
    cluster_close(cluster);
    return rc;
}
