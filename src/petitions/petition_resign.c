#include "petitions/petition.h"

static enum outcome act(struct hearing *hearing, struct err *err)
{
    struct game *game = &hearing->entry->game;
    if (game->over)
        return hearing_refuse(hearing, "over game=%s", game->id);
    if (game->turn == 0)
        return hearing_refuse(hearing, "not_begun_leave game=%s", game->id);
    json_t *evidence = hearing_evidence(hearing);
    int rc = step_resign(&hearing->step, game, hearing->seat, evidence, err);
    json_decref(evidence);
    return rc;
}

const struct petition petition_resign = {
    .verb = "resign",
    .needs = PETITION_GAME | PETITION_SEAT | PETITION_MAIL | PETITION_WORD,
    .fields = {NULL},
    .act = act,
};
