#include "batch/restored.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"

#define ONLY_OURS 0600

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
    int rc = file_write(path, slice_str(&text), ONLY_OURS, err);
    json_decref(json);
    str_release(&text);
    free(path);
    return rc;
}

int restored_life(const char *league_dir, struct err *err)
{
    struct str word = STR_INIT;
    char *path = path_join(league_dir, LEAGUE_LIFE_FILE);
    str_addf(&word, "r%llx\n", (unsigned long long)clock_system());
    int rc = file_write_soft(path, slice_str(&word), ONLY_OURS, err);
    str_release(&word);
    free(path);
    return rc;
}

int restored_begin(const char *league_dir, int64_t made, json_t *games, struct err *err)
{
    return restored_life(league_dir, err) || restored_write(league_dir, made, games, err) ? -1 : 0;
}

/* *games: a new reference, NULL = there is no such file. */
static int read_file(const char *league_dir, int64_t *made, json_t **games, struct err *err)
{
    char *path = path_join(league_dir, RESTORED_FILE);
    int rc = 0;
    *games = NULL;
    *made = 0;
    if (file_exists(path)) {
        json_t *json = json_read_file(path, err);
        const char *time = json_string_value(json_object_get(json, "made"));
        *games = json_incref(json_object_get(json, "games"));
        if (!json || !json_is_object(*games) || (time && !clock_parse(slice_of(time), made)))
            rc = err_set(err, ERR_BROKEN, "%s cannot be read: restore the backup again", path);
        json_decref(json);
    }
    free(path);
    return rc;
}

int restored_add(const char *league_dir, int64_t made, const char *game, int64_t seq, struct err *err)
{
    int64_t before;
    json_t *games;
    if (read_file(league_dir, &before, &games, err))
        return -1;
    if (!games)
        games = json_object();
    else if (before)
        made = before; /* of the older copy */
    json_object_set_new(games, game, json_integer(seq));
    int rc = restored_begin(league_dir, made, games, err);
    json_decref(games);
    return rc;
}

int restored_drop(const char *league_dir, const char *game, struct err *err)
{
    int64_t made;
    json_t *games;
    if (read_file(league_dir, &made, &games, err))
        return -1;
    int rc = 0;
    if (json_object_del(games, game) == 0 && json_object_size(games)) {
        rc = restored_write(league_dir, made, games, err);
    } else if (games) {
        char *path = path_join(league_dir, RESTORED_FILE);
        rc = file_remove(path, err);
        free(path);
    }
    json_decref(games);
    return rc;
}

int restored_open(struct batch *batch, struct err *err)
{
    return read_file(batch->league->dir, &batch->restored.made, &batch->restored.games, err);
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
    return last && entry->end.seq <= json_integer_value(last) && !game_withheld(&entry->game);
}

int restored_game(struct batch *batch, struct batch_game *entry, struct err *err)
{
    struct step step;
    if (!batch->restored.games || !has_to_say(batch, entry))
        return 0;
    batch_step(batch, entry, &step);
    int rc = step_restored(&step, &entry->game, batch->restored.made, err);
    return batch_end_step(batch, entry, &step, rc, err);
}
