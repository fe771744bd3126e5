#include "batch/pieces.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "base/mem.h"
#include "batch/at_hand.h"

#define PROBE_BYTES ((size_t)1 << 20)

/* ---- is the league itself well? ---- */

static int probe_disk(const struct batch *batch, struct err *err)
{
    char *path = path_join(batch->spool, "tmp/probe");
    char *bytes = mem_alloc(PROBE_BYTES);
    int rc = file_remove(path, err);
    if (rc == 0)
        rc = file_create(path, (struct slice){bytes, PROBE_BYTES}, 0600, err);
    if (rc == 0)
        rc = file_sync_all(batch->spool, err);
    if (file_remove(path, err))
        rc = -1;
    free(bytes);
    free(path);
    return rc;
}

static int probe(const struct batch *batch, struct err *err)
{
    if (probe_disk(batch, err))
        return err_prefix(err, "no work is possible");
    return catalog_sound(batch->catalog, err);
}

/* ---- the pieces ---- */

/* Some pieces and their commit: *got of them, the last of which has failed by itself when *known. */
static int attempt(struct batch *batch, const struct pieces *pieces, size_t from, size_t count, size_t *got,
                   bool *known, struct err *err)
{
    struct at_hands *hands = batch->league->hands;
    size_t n = 0, most = hands && hands->careful ? 1 : count;
    int rc = batch_begin(batch, err);
    while (rc == 0 && n < most && !batch_full(batch)) {
        rc = pieces->work(pieces->arg, from + n, err);
        n++;
    }
    *got = n;
    *known = rc != 0;
    if (rc == 0)
        rc = batch_commit(batch, err);
    hand_empty(hands);
    if (rc)
        return -1;
    if (pieces->done)
        pieces->done(pieces->arg, from, n);
    batch_reset(batch, true);
    return 0;
}

/* After an error: everything as it was before the attempt, and that with a league which works. */
static int back(struct batch *batch, const struct err *why, struct err *err)
{
    struct err own = ERR_INIT;
    if (batch->torn)
        return err_pass(err, why);
    if (batch_rewind(batch, &own) == 0 && probe(batch, &own) == 0)
        return 0;
    log_error("%s", why->text);
    batch->torn = true;
    return err_pass(err, &own);
}

int pieces_work(struct batch *batch, const struct pieces *pieces, size_t count, struct err *err)
{
    size_t from = 0, most = count;
    while (from < count) {
        struct err why = ERR_INIT;
        size_t left = count - from, got = 0;
        bool known = false;
        if (attempt(batch, pieces, from, left < most ? left : most, &got, &known, &why) == 0) {
            from += got;
            most = count;
            continue;
        }
        if (back(batch, &why, err))
            return -1;
        if (got == 0) /* it could not even begin */
            return err_pass(err, &why);
        if (got == 1 && pieces->fault(pieces->arg, from, &why, err))
            return -1;
        from += got == 1;
        most = got == 1 ? count : known ? got - 1 : got / 2;
    }
    return 0;
}
