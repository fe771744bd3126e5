/* What a crash left undone: a step that was recorded and not finished. */
#include "play/step_parts.h"

#include <string.h>

#include "game/witness.h"

static bool last_was(const struct game *game, const char *type)
{
    return strcmp(game->journal.last_type, type) == 0;
}

/* What a moderator's last record was. */
static bool last_did(const struct game *game, const char *word)
{
    return strcmp(game->journal.last_do, word) == 0;
}

bool step_unfinished(const struct game *game)
{
    if (!*game->journal.last_type)
        return false;
    if (game->over) /* after the key there may be appeals, and reports that were sent again */
        return last_was(game, "turn") || last_was(game, "end") || last_did(game, "void");
    if (witness_waits(game))
        return false;
    if (game->turn == 0)
        return game_ready(game);
    return game->closed || last_was(game, "orders") || last_did(game, "orders") ||
           last_did(game, "resolve") || game_all_in(game);
}

/* The seat whose orders have closed the turn, 0 = none: its player has no receipt yet, for the report was to be
 * that, too. */
static int closed_by(const struct game *game)
{
    for (int seat = 1; last_was(game, "close") && seat <= game->seats; seat++)
        if (game->seat[seat].orders.in && game->seat[seat].orders.record == game->seq - 1)
            return seat;
    return 0;
}

int step_continue(struct step *step, struct game *game, struct err *err)
{
    if (!step_unfinished(game))
        return 0;
    if (game->turn == 0 && !game->over)
        return step_begin(step, game, err);
    if (game->over) {
        if (last_was(game, "end") ? step_open(step, game, err) : step_end(step, game, err))
            return -1;
        if (game->voided)
            return step_void_reports(step, game, err);
        step_post_reports(step, game, POST_REPORT, 0, &(struct resolved){.away = NULL});
        return 0;
    }
    if (last_was(game, "orders") || last_did(game, "orders"))
        return step_orders_continue(step, game, err);
    if (game->closed)
        return step_close_continue(step, game, closed_by(game), err);
    return last_did(game, "resolve") || step_ripe(step, game) ? step_resolve_turns(step, game, err) : 0;
}
