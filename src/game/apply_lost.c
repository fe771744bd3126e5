/* The league lost the records of this number and later ones, says its log, and the game goes on from the one before. Draws of what
 * is gone may be known: the turn gets others, and its witnesses can be asked again. A turn that was closed opens again. */
#include "base/clock.h"
#include "base/json.h"
#include "game/apply_parts.h"
#include "game/lockstep.h"

bool game_draws_anew(const struct game *game)
{
    return !game->over && !(game->clock.lockstep.on && game->turn == 0);
}

int note_lost(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    const json_t *json = a->record->json;
    const char *deadline = apply_text(a, "deadline");
    const bool reopens = game->closed && !game->over;
    int64_t turn, rollbacks, time = 0;
    if (json_need_int(json, "turn", 0, 9999, &turn, "note", err) ||
        json_need_int(json, "rollbacks", 0, INT32_MAX, &rollbacks, "note", err))
        return -1;
    if (turn != game->turn)
        return apply_broken(a, err, "not the open turn");
    if (game_draws_anew(game) ? rollbacks <= game->draws.rollbacks : rollbacks != game->draws.rollbacks)
        return apply_broken(a, err, "the turn is to be drawn anew, and only then");
    if (*deadline && (!reopens || !game->turn || !clock_parse(slice_of(deadline), &time)))
        return apply_broken(a, err, "the turn is not open again, or its deadline is no time");
    game->draws.rollbacks = (int)rollbacks;
    if (reopens)
        apply_reopen(a, time);
    return 0;
}
