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

int restored_begin(const char *league_dir, int64_t made, json_t *games, struct err *err)
{
    struct str word = STR_INIT;
    char *path = path_join(league_dir, LEAGUE_LIFE_FILE);
    str_addf(&word, "r%llx\n", (unsigned long long)clock_system());
    int rc = file_write_soft(path, slice_str(&word), ONLY_OURS, err) ||
                     restored_write(league_dir, made, games, err)
                 ? -1
                 : 0;
    str_release(&word);
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
        if (!json || !json_is_object(restored->games) ||
            (made && !clock_parse(slice_of(made), &restored->made)))
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
