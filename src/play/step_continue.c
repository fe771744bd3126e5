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

/* Orders that say RESIGN hold deals, too, which were to be carried out next. (Deals of an earlier text have been.) */
static bool resigned_before_deals(const struct game *game)
{
    if (!game->journal.led || !last_was(game, "seat") || !game->ruleset->instant)
        return false;
    struct script *script = script_parse(slice_str(&game->journal.led_lines), game->ruleset->language);
    const bool deals = script_has_instant(script);
    script_free(script);
    return deals;
}

/* Is a step of orders not done? */
static bool orders_unfinished(const struct game *game)
{
    return last_was(game, "orders") || last_did(game, "orders") || resigned_before_deals(game);
}

bool step_unfinished(const struct game *game)
{
    if (!*game->journal.last_type)
        return false;
    if (game->over) /* after the key there may be appeals, and reports that were sent again */
        return last_was(game, "turn") || (last_was(game, "end") && !game_withheld(game)) ||
               last_did(game, "void");
    if (witness_waits(game, game->time))
        return false;
    if (game->turn == 0)
        return game_ready(game);
    if (game->clock.lockstep.on) /* the clock plays its turns */
        return game->closed || last_was(game, "orders") || resigned_before_deals(game);
    return game->closed || orders_unfinished(game) || last_did(game, "resolve") || game_all_in(game);
}

/* The end, as far as it is recorded, and the last reports with their files. */
static int continue_end(struct step *step, struct game *game, struct err *err)
{
    struct resolved resolved = {.away = NULL};
    if (last_was(game, "end") ? step_open(step, game, err) : step_end(step, game, err))
        return -1;
    if (game->voided || game_cut_short(game))
        return step_last_reports(step, game, err);
    int rc = step_files(step, game, &resolved.files, err);
    if (rc == 0)
        step_post_reports(step, game, POST_REPORT, game->journal.missed, &resolved);
    json_decref(resolved.files);
    return rc;
}

/* The open turn, or what a turn that was played leads to. */
static int continue_turn(struct step *step, struct game *game, struct err *err)
{
    if (game->closed)
        return step_play_closed(step, game, err);
    return last_did(game, "resolve") || step_ripe(step, game) ? step_resolve_turns(step, game, err) : 0;
}

int step_continue(struct step *step, struct game *game, struct err *err)
{
    if (!step_unfinished(game))
        return 0;
    if (game->turn == 0 && !game->over)
        return step_begin(step, game, err);
    if (orders_unfinished(game))
        return step_orders_continue(step, game, err);
    /* Whoever's orders led to it has no receipt yet: a report was to be that, too. */
    int seat = game->journal.led;
    bool merges = seat && step_may_merge(game);
    step->hears = game->journal.led_awaited ? SEAT_BIT(seat) : 0;
    int rc = game->over ? continue_end(step, game, err) : continue_turn(step, game, err);
    if (rc == 0 && merges)
        step_merge_receipt(step, seat);
    return rc;
}
