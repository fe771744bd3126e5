#include "batch/missing.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "batch/competing.h"
#include "batch/stuck.h"
#include "compete/results.h"
#include "league/own_secrets.h"
#include "league/shared.h"

#define A_RECORD 250 /* documents, each with the longest name: they fit into one (RECORD_MAX) */

struct comparing {
    struct batch *batch;
    json_t *made; /* documents to be written */
};

static void report(struct batch *batch, enum roster_kind kind, const char *name)
{
    struct str words = STR_INIT;
    roster_gone_words(&words, kind, name);
    log_error("%s", words.p);
    if (shared_doubt(batch->league))
        log_warn("the next start compares this host's files with the database: see then whether it is back");
    str_release(&words);
    batch->broken++;
}

/* A game is told of once. */
static void miss_game(struct batch *batch, const char *name)
{
    if (!batch->missing.gone)
        batch->missing.gone = json_object();
    if (!json_object_get(batch->missing.gone, name))
        report(batch, ROSTER_GAME, name);
    json_object_set_new(batch->missing.gone, name, json_true());
}

static void miss(void *arg, enum roster_kind kind, const char *name)
{
    struct batch *batch = ((const struct comparing *)arg)->batch;
    if (kind == ROSTER_GAME)
        miss_game(batch, name);
    else if (competing_miss(batch, name))
        report(batch, kind, name);
}

static void note_made(void *arg, enum roster_kind kind, const char *name)
{
    const struct comparing *work = arg;
    char time[CLOCK_TEXT], *document = roster_document(kind, name);
    clock_utc(time, work->batch->now);
    json_object_set_new(work->made, document, json_pack("{s:s}", "made", time));
    free(document);
}

static int look_at_running(void *arg, const struct catalog_game *row, struct err *err)
{
    struct batch *batch = arg;
    (void)err;
    if (!store_has(batch->store, row->id) && roster_gone(batch->league->dir, ROSTER_GAME, row->id))
        miss_game(batch, row->id);
    return 0;
}

static int record(struct batch *batch, const char *what, json_t *own, struct err *err)
{
    struct registry_change change = {.what = what, .own = own};
    int rc = json_object_size(own) ? batch_change(batch, &change, err) : 0;
    json_decref(own);
    return rc;
}

static int record_made(struct batch *batch, const json_t *made, struct err *err)
{
    const char *path;
    json_t *document, *some = json_object();
    int rc = 0;
    json_object_foreach ((json_t *)(uintptr_t)made, path, document) {
        json_object_set(some, path, document);
        if (rc || json_object_size(some) < A_RECORD)
            continue;
        rc = record(batch, "made", some, err);
        some = json_object();
    }
    if (rc == 0)
        return record(batch, "made", some, err);
    json_decref(some);
    return rc;
}

static int enter(struct batch *batch, const json_t *made, struct err *err)
{
    if (!json_object_size(made) && !batch->missing.secrets)
        return 0;
    int rc = batch_begin(batch, err);
    if (rc == 0 && batch->missing.secrets)
        rc = record(batch, "secrets", json_pack("{s:o}", OWN_SECRETS, own_secrets_document(batch->league)),
                    err);
    if (rc == 0)
        rc = record_made(batch, made, err);
    if (rc == 0)
        rc = batch_commit(batch, err);
    batch_reset(batch, rc == 0);
    batch->missing.secrets &= rc != 0;
    return rc;
}

/* There are few competitions, but games without number. */
static int compare(struct batch *batch, struct err *err)
{
    struct comparing work = {batch, json_object()};
    const struct roster_look look = {miss, note_made, &work};
    const char *dir = batch->league->dir;
    int rc = roster_each(dir, ROSTER_COMPETITION, &look, err);
    if (rc == 0 && batch->missing.look)
        rc = roster_each(dir, ROSTER_GAME, &look, err);
    if (rc == 0)
        rc = enter(batch, work.made, err);
    batch->missing.look = rc != 0;
    json_decref(work.made);
    return rc;
}

int missing_work(struct batch *batch, struct err *err)
{
    return batch->missing.look ? compare(batch, err) : 0;
}

int missing_open(struct batch *batch, struct err *err)
{
    struct batch_missing *missing = &batch->missing;
    int64_t stamp = missing->stamp;
    if (compare(batch, err) ||
        catalog_each_game(batch->catalog, &(struct catalog_filter){NULL, true}, look_at_running, batch, err))
        return -1;
    return stamp && !missing->gone ? catalog_set_stamp(batch->catalog, stamp, err) : 0;
}

int missing_forget(struct batch *batch, enum roster_kind kind, const char *name, struct err *err)
{
    if (kind == ROSTER_COMPETITION) {
        competing_forget(batch, name);
        return strcmp(name, RESULTS_NAME) == 0 ? stuck_game_mended(batch, name, err) : 0;
    }
    json_object_del(batch->missing.gone, name);
    return catalog_drop_game(batch->catalog, name, err) || stuck_game_mended(batch, name, err) ? -1 : 0;
}
