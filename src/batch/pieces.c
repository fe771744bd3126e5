#include "batch/pieces.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "base/mem.h"
#include "batch/at_hand.h"
#include "batch/groups.h"

#define PROBE_BYTES ((size_t)1 << 20)

/* ---- does the league itself work? ---- */

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

struct attempt {
    size_t from, count;
    size_t got; /* pieces that were reached, */
    bool known; /* the last of which failed on its own */
};

/* Some pieces and their commit. */
static int attempt(struct batch *batch, const struct pieces *pieces, struct attempt *try, struct err *err)
{
    struct at_hands *hands = batch->league->hands;
    size_t n = 0, most = hands && hands->careful ? 1 : try->count;
    int rc = batch_begin(batch, err);
    batch->groups.again = false;
    while (rc == 0 && n < most && !batch_full(batch)) {
        groups_piece(batch);
        rc = pieces->work(pieces->arg, try->from + n, err);
        n++;
    }
    try->got = n;
    try->known = rc != 0;
    if (rc == 0)
        rc = batch_commit(batch, err);
    hand_empty(hands);
    if (rc)
        return -1;
    if (pieces->done)
        pieces->done(pieces->arg, try->from, n);
    batch_reset(batch, true);
    return 0;
}

/* After an error: restores everything to before the attempt, and checks that the league works. */
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
        size_t left = count - from;
        struct attempt try = {.from = from, .count = left < most ? left : most};
        if (attempt(batch, pieces, &try, &why) == 0) {
            from += try.got;
            most = count;
            continue;
        }
        if (back(batch, &why, err))
            return -1;
        if (batch->groups.again)
            continue;     /* fewer games can be in the way now */
        if (try.got == 0) /* not even the beginning was possible */
            return err_pass(err, &why);
        int fault = try.got == 1 ? pieces->fault(pieces->arg, from, &why, err) : 0;
        if (fault < 0)
            return -1;
        from += try.got == 1 && !fault;
        most = try.got == 1 ? count : try.known ? try.got - 1 : try.got / 2;
    }
    return 0;
}
