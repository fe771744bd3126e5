/* All games of a league that was restored say so. */
#include "batch/restored.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "batch/at_hand.h"
#include "batch/groups.h"
#include "batch/pieces.h"
#include "batch/stuck.h"

#define AT_ONCE ((size_t)500)

struct telling_all {
    struct batch *batch;
    const char **names;
    json_t *left; /* of batch->restored.games, those that have to wait */
};

static void leave(struct telling_all *all, size_t i)
{
    json_object_set(all->left, all->names[i], json_object_get(all->batch->restored.games, all->names[i]));
}

static int tell_piece(void *arg, size_t i, struct err *err)
{
    struct telling_all *all = arg;
    struct batch_game *entry = NULL;
    struct err why = ERR_INIT;
    hand_game(all->batch->league->hands, all->names[i]);
    if (batch_game(all->batch, all->names[i], &entry, &why) == 0)
        return 0;
    if (why.code == ERR_MISSING) /* its folder was taken away since */
        return 0;
    leave(all, i);
    return !entry || entry->broken ? 0
                                   : err_pass(err, &why); /* what cannot be read has been reported already */
}

/* What could not be written was not said. */
static void tell_done(void *arg, size_t from, size_t count)
{
    struct telling_all *all = arg;
    for (size_t i = from; i < from + count; i++)
        if (groups_left_out(all->batch, i - from + 1))
            leave(all, i);
}

static int tell_fault(void *arg, size_t i, const struct err *why, struct err *err)
{
    struct telling_all *all = arg;
    leave(all, i);
    return stuck_game(all->batch, all->names[i], why, err);
}

static int forget(struct batch *batch, struct err *err)
{
    char *path = league_path(batch->league, RESTORED_FILE);
    int rc = file_remove(path, err);
    free(path);
    restored_close(batch);
    return rc;
}

/* Only these have to say so still: the others need not be loaded each time. */
static int keep(struct batch *batch, json_t *left, struct err *err)
{
    struct batch_restored *restored = &batch->restored;
    if (json_object_size(left) == json_object_size(restored->games))
        return 0;
    json_decref(restored->games);
    restored->games = json_incref(left);
    return restored_write(batch->league->dir, restored->made, left, err);
}

int restored_work(struct batch *batch, struct err *err)
{
    size_t count = json_object_size(batch->restored.games), filled = 0;
    const char *name;
    json_t *last;
    int rc = 0;
    if (!batch->restored.games)
        return 0;
    struct telling_all all = {batch, mem_array(count + 1, sizeof *all.names), json_object()};
    json_object_foreach (batch->restored.games, name, last)
        all.names[filled++] = name;
    for (size_t from = 0; rc == 0 && from < count; from += AT_ONCE) {
        struct telling_all some = {batch, all.names + from, all.left};
        const struct pieces pieces = {tell_piece, tell_done, tell_fault, &some};
        rc = pieces_work(batch, &pieces, count - from < AT_ONCE ? count - from : AT_ONCE, err);
        if (rc == 0)
            rc = batch_rest(batch, 0, err);
    }
    if (rc == 0 && json_object_size(all.left)) {
        rc = keep(batch, all.left, err);
    } else if (rc == 0) {
        log_info("the league was restored: %zu game%s had to say so, and all have", count, PLURAL(count));
        rc = forget(batch, err);
    }
    free(all.names);
    json_decref(all.left);
    return rc;
}
