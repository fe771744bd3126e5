#include "petitions/handout.h"

#include <limits.h>
#include <stdio.h>

#include "batch/budget.h"
#include "play/facts.h"

#define CHUNK      ((size_t)64 << 10) /* bytes: what a day's budget counts */
#define CHUNKS_DAY 32                 /* a player and day */

enum outcome handout_bundle(struct hearing *hearing, struct bundle *bundle, struct err *err)
{
    const struct batch *batch = hearing->batch;
    const struct game *game = &hearing->entry->game;
    const struct publish publish = {.store = batch->store,
                                    .league = batch->league,
                                    .log = batch->tlog,
                                    .templates = batch->templates,
                                    .game = game->id};
    if (!game->over)
        return hearing_refuse(hearing, "journal_running game=%s", game->id);
    if (game_withheld(game))
        return hearing_withheld(hearing, game);
    return publish_game(&publish, bundle, err) ? OUTCOME_FAILED : OUTCOME_DONE;
}

enum outcome handout_charge(struct hearing *hearing, size_t size, struct err *err)
{
    struct catalog *catalog = hearing->batch->catalog;
    char name[PLAYER_NAME + 16];
    const struct catalog_reply one = {name, hearing->batch->now, INT_MAX};
    int given = 0, chunks = (int)(size / CHUNK) + 1;
    bool allowed;
    if (size > CHUNKS_DAY * CHUNK)
        return hearing_refuse(hearing, "journal_large game=%s", hearing->entry->game.id);
    (void)snprintf(name, sizeof name, "journals of %s", hearing->player);
    if (catalog_budget_given(catalog, name, one.now, &given, err))
        return OUTCOME_FAILED;
    if (given + chunks > CHUNKS_DAY)
        return hearing_refuse(hearing, "journal_enough most=%d", (int)(CHUNKS_DAY * CHUNK >> 20));
    for (int i = 0; i < chunks; i++)
        if (catalog_budget(catalog, &one, &allowed, err))
            return OUTCOME_FAILED;
    return OUTCOME_DONE;
}

void handout_answer(struct hearing *hearing, const char *answer, json_t *attach)
{
    const struct game *game = &hearing->entry->game;
    hearing->attach = attach;
    hearing->answer = answer;
    hearing->folder = game->ruleset->folder;
    hearing->facts = facts_game(game, 0);
}
