#include "petitions/moderate.h"
#include "petitions/petition.h"
#include "play/preview.h"

static enum outcome act(struct hearing *hearing, struct err *err)
{
    const struct game *game = &hearing->entry->game;
    (void)err;
    if (game->over || game->turn == 0)
        return hearing_refuse(hearing, game->over ? "preview_over game=%s" : "preview_not_begun game=%s",
                              game->id);
    if (game_withheld(game))
        return hearing_withheld(hearing, game);
    if (!hearing->seat && moderator_involved(game, hearing->player))
        return hearing_refuse(hearing, "preview_involved game=%s", game->id);
    hearing->answer = "preview";
    hearing->folder = game->ruleset->folder;
    hearing->facts = preview_facts(game, hearing->seat);
    return OUTCOME_DONE;
}

const struct petition petition_preview = {
    .verb = "preview",
    .needs = PETITION_ASKS | PETITION_GAME | PETITION_TURN | PETITION_MODERATOR,
    .fields = {NULL},
    .act = act,
};
