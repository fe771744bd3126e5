#include "batch/restored.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "batch/at_hand.h"
#include "batch/pieces.h"
#include "batch/stuck.h"

#define ONLY_OURS 0600
#define AT_ONCE   ((size_t)500)

int restored_write(const char *league_dir, int64_t made, json_t *games, struct err *err)
{
    char time[CLOCK_TEXT];
    struct str text = STR_INIT;
    char *path = path_join(league_dir, RESTORED_FILE);
    json_t *json = json_pack("{s:O}", "games", games);
    if (made) {
        clock_utc(time, made);
        json_object_set_new(json, "made", json_string(time));
    }
    json_write_pretty(&text, json);
    int rc = file_write_soft(path, slice_str(&text), ONLY_OURS, err);
    json_decref(json);
    str_release(&text);
    free(path);
    return rc;
}

int restored_open(struct batch *batch, struct err *err)
{
    struct batch_restored *restored = &batch->restored;
    char *path = league_path(batch->league, RESTORED_FILE);
    int rc = 0;
    if (file_exists(path)) {
        json_t *json = json_read_file(path, err);
        const char *made = json_string_value(json_object_get(json, "made"));
        restored->games = json_incref(json_object_get(json, "games"));
        if (!json || !json_is_object(restored->games) || (made && !clock_parse(slice_of(made), &restored->made)))
            rc = err_set(err, ERR_BROKEN, "%s cannot be read: restore the backup again", path);
        json_decref(json);
    }
    free(path);
    return rc;
}

void restored_close(struct batch *batch)
{
    json_decref(batch->restored.games);
    batch->restored = (struct batch_restored){.games = NULL};
}

/* Its journal ends where the copy did. Of a deal that is still withheld nothing may come before the key. */
static bool has_to_say(const struct batch *batch, const struct batch_game *entry)
{
    const json_t *last = json_object_get(batch->restored.games, entry->game.id);
    return last && entry->seq <= json_integer_value(last) && !game_withheld(&entry->game);
}

int restored_game(struct batch *batch, struct batch_game *entry, struct err *err)
{
    struct step step;
    if (!batch->restored.games || !has_to_say(batch, entry))
        return 0;
    batch_step(batch, entry, &step);
    int rc = step_restored(&step, &entry->game, batch->restored.made, err);
    if (rc == 0)
        rc = step_finish(&step, &entry->game, err);
    if (rc == 0)
        rc = batch_take(batch, entry, &step, NULL, err);
    step_release(&step);
    return rc;
}

/* ---- all of them ---- */

struct telling_all {
    struct batch *batch;
    const char **names;
    bool failed;
};

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
    all->failed = true;
    return !entry || entry->broken ? 0 : err_pass(err, &why); /* what cannot be read has been reported already */
}

static int tell_fault(void *arg, size_t i, const struct err *why, struct err *err)
{
    struct telling_all *all = arg;
    bool first = false;
    all->failed = true;
    return stuck_game(all->batch, all->names[i], why, &first, err);
}

static int forget(struct batch *batch, struct err *err)
{
    char *path = league_path(batch->league, RESTORED_FILE);
    int rc = file_remove(path, err);
    free(path);
    restored_close(batch);
    return rc;
}

int restored_work(struct batch *batch, struct err *err)
{
    size_t count = json_object_size(batch->restored.games), filled = 0;
    const char *name;
    json_t *last;
    int rc = 0;
    if (!batch->restored.games)
        return 0;
    struct telling_all all = {batch, mem_array(count + 1, sizeof *all.names), false};
    json_object_foreach (batch->restored.games, name, last)
        all.names[filled++] = name;
    for (size_t from = 0; rc == 0 && from < count; from += AT_ONCE) {
        struct telling_all some = {batch, all.names + from, false};
        const struct pieces pieces = {tell_piece, NULL, tell_fault, &some};
        rc = pieces_work(batch, &pieces, count - from < AT_ONCE ? count - from : AT_ONCE, err);
        all.failed |= some.failed;
        if (rc == 0)
            rc = batch_rest(batch, 0, err);
    }
    if (rc == 0 && !all.failed) {
        log_info("the league was restored: %zu game%s had to say so, and all have", count, PLURAL(count));
        rc = forget(batch, err);
    }
    free(all.names);
    return rc;
}
