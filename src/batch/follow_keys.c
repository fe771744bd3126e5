#include "batch/follow_keys.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"

/* Names of games: the catalog is written while they are gone through. */
struct names {
    char **list;
    size_t count, cap;
};

static int add_name(void *arg, const struct catalog_game *row, struct err *err)
{
    struct names *names = arg;
    (void)err;
    names->list = mem_grow(names->list, names->count, &names->cap, sizeof *names->list);
    names->list[names->count++] = mem_strdup(row->id);
    return 0;
}

static void names_release(struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->list[i]);
    free(names->list);
}

static int running_games(struct batch *batch, const char *player, struct names *names, struct err *err)
{
    return catalog_each_game(batch->catalog, &(struct catalog_filter){player, true}, add_name, names, err);
}

int follow_keys_here(struct batch *batch, struct batch_game *entry, const char *player,
                     const struct message *msg, struct err *err)
{
    struct step step;
    struct pubkey keys[KEYS_PER_PLAYER];
    int seat = game_seat_of(&entry->game, player);
    size_t count = keyring_of(&batch->keyring, player, keys);
    if (!seat)
        return 0;
    batch_step(batch, entry, &step);
    int rc = step_keys_changed(&step, &entry->game, seat, keys, count, err);
    if (rc == 0 && step.records.len &&
        (step_finish(&step, &entry->game, err) || batch_take(batch, entry, &step, msg, err)))
        rc = -1;
    step_release(&step);
    return rc;
}

static int follow_one(struct batch *batch, const char *player, const char *id, struct err *err)
{
    struct batch_game *entry;
    struct err why = ERR_INIT;
    if (batch_game(batch, id, &entry, &why)) {
        log_warn("game %s: it does not learn yet that %s has other keys: %s", id, player, why.text);
        return 0;
    }
    return entry->game.table.by_mail ? follow_keys_here(batch, entry, player, NULL, err) : 0;
}

int follow_keys(struct batch *batch, const char *player, struct err *err)
{
    struct names names = {.list = NULL};
    int rc = running_games(batch, player, &names, err);
    for (size_t i = 0; rc == 0 && i < names.count; i++)
        rc = follow_one(batch, player, names.list[i], err);
    names_release(&names);
    return rc;
}

int follow_keys_needed(struct batch *batch, const char *player, char game[GAME_NAME], struct err *err)
{
    struct names names = {.list = NULL};
    int rc = running_games(batch, player, &names, err);
    *game = '\0';
    for (size_t i = 0; rc == 0 && !*game && i < names.count; i++) {
        struct batch_game *entry;
        struct err why = ERR_INIT;
        /* One that cannot be read may be such a game. */
        if (batch_game(batch, names.list[i], &entry, &why) || !entry->game.table.by_mail)
            (void)snprintf(game, GAME_NAME, "%s", names.list[i]);
    }
    names_release(&names);
    return rc;
}
