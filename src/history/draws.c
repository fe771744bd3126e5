#include "history/draws.h"

#include <string.h>

#include "game/apply.h"
#include "game/past.h"
#include "game/turn.h"

/* Plays the record if it plays a turn, and applies it. */
static int take(struct casefile *file, struct game *game, struct past *past, const struct record *record,
                struct fairness *fairness, struct err *err)
{
    struct turn_trace trace = {0};
    struct turn_result result = {0};
    struct apply_input input = {record, (int64_t)file->at, &file->sealed, NULL, past, false};
    int rc = 0;
    if (casefile_lacks(file, record))
        return err_set(err, ERR_MISSING, "there is no key to what record %lld has sealed",
                       (long long)record->seq);
    if (strcmp(record->type, "start") == 0 || strcmp(record->type, "turn") == 0) {
        rc = game_recompute(game, &input, &trace, &result, err);
        input.result = &result;
    }
    if (rc == 0)
        rc = game_apply(game, &input, err);
    if (rc == 0)
        rc = past_keep(past, game, err);
    if (rc == 0)
        fairness_add(fairness, game->ruleset->name, &trace.draws);
    turn_result_release(&result);
    turn_trace_release(&trace);
    return rc;
}

int draws_gather(struct casefile *file, struct fairness *fairness, struct err *err)
{
    struct game game;
    struct past past = {0};
    struct record record;
    int got, rc = 0;
    game_init(&game);
    memcpy(game.id, file->id, sizeof game.id);
    (void)past_want(&past, slice_str(&file->lines));
    casefile_rewind(file);
    while (rc == 0 && (got = casefile_next(file, &record, NULL, err)) != 0) {
        if (got < 0) {
            rc = -1;
            break;
        }
        if (take(file, &game, &past, &record, fairness, err))
            rc = err_prefix(err, "%s", file->id);
        record_release(&record);
    }
    game_release(&game);
    past_release(&past);
    casefile_rewind(file);
    return rc;
}
