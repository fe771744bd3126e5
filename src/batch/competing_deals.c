#include "batch/competing_deals.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "compete/field.h"
#include "game/game_load.h"

/* ---- who is outside ---- */

static enum compete_outside outside_of(const struct batch *batch, const struct competition *c,
                                       const char *name)
{
    const struct config *config = &batch->league->config;
    struct pubkey keys[KEYS_PER_PLAYER];
    enum compete_outside fixed = compete_outside_fixed(c, name);
    if (fixed)
        return fixed;
    if (config_moderator(config, name))
        return OUTSIDE_MODERATOR;
    bool proved = config->league.ratings == RATINGS_MAIL || keyring_of(&batch->keyring, name, keys) > 0;
    return proved ? OUTSIDE_NOT : OUTSIDE_UNPROVED;
}

json_t *competing_outside(const struct batch *batch, const struct competition *c)
{
    json_t *list = json_array();
    for (size_t i = 0; i < c->entrant_count && c->kind == COMPETE_DUPLICATE; i++) {
        const char *name = c->entrants[i].name;
        enum compete_outside outside =
            entrant_plays(c, &c->entrants[i]) ? outside_of(batch, c, name) : OUTSIDE_NOT;
        if (outside)
            json_array_append_new(
                list, json_pack("{s:s,s:s}", "player", name, "why", compete_outside_name(outside)));
    }
    if (json_array_size(list))
        return list;
    json_decref(list);
    return NULL;
}

/* ---- the field ---- */

/* The number of the record `start` of a game; 0 = it has none. */
static int64_t find_start(struct slice lines)
{
    struct slice line;
    for (int64_t seq = 1; slice_line(&lines, &line); seq++)
        if (slice_find(line, "\"type\":\"start\"") != (size_t)-1)
            return seq;
    return 0;
}

/* A game as it was dealt. */
static int load_dealt(struct batch *batch, const char *name, struct game *game, struct err *err)
{
    struct str lines = STR_INIT;
    int rc = store_read(batch->store, name, 0, &lines, err);
    int64_t start = rc == 0 ? find_start(slice_str(&lines)) : 0;
    str_release(&lines);
    if (rc == 0 && !start)
        rc = err_set(err, ERR_BROKEN, "game %s was never dealt", name);
    return rc ? rc : game_load_until(batch->store, name, start, game, err);
}

static int play_all(struct compete_step *step, struct competition *c, const struct game *game,
                    struct err *err)
{
    const struct field_deal deal = {game->ruleset, game->cards, game->state, game->draws.nonce};
    int *scores = mem_array((size_t)c->terms.field, sizeof *scores);
    int rc = field_play(&deal, c->terms.field, scores, err);
    if (rc == 0)
        rc = compete_field(step, c, scores, err);
    free(scores);
    return rc;
}

int competing_field(struct batch *batch, struct batch_competition *entry, struct err *err)
{
    struct compete_step step;
    struct game game;
    char name[GAME_NAME];
    compete_game_name(name, &entry->c, entry->c.round, 1);
    if (load_dealt(batch, name, &game, err))
        return -1;
    competing_step(batch, &step);
    int rc = play_all(&step, &entry->c, &game, err);
    competing_take(entry, &step);
    compete_step_release(&step);
    game_release(&game);
    return rc;
}
