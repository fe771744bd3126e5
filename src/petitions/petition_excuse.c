/* A moderator lets a closed turn be played without one of its witnesses. */
#include "base/json.h"
#include "petitions/petition.h"
#include "game/witness.h"

enum { WITNESS, REASON };

static enum outcome act(struct hearing *hearing, struct err *err)
{
    char name[PLAYER_NAME];
    struct game *game = &hearing->entry->game;
    if (!hearing->value[WITNESS].p || !hearing->value[REASON].len)
        return hearing_refuse(hearing, "excuse_takes");
    if (!hearing_name(hearing, WITNESS, name))
        return OUTCOME_REFUSED;
    int witness = witness_of(game, name);
    if (witness < 0)
        return hearing_refuse(hearing, "not_witness player=%s game=%s", name, game->id);
    if (!witness_missing(game, witness))
        return hearing_refuse(hearing, "not_awaited turn=%d game=%s player=%s", game->turn, game->id, name);
    json_t *members = hearing_evidence(hearing);
    json_object_set_new(members, "reason", json_text(hearing->value[REASON]));
    int rc = step_excuse(&hearing->step, game, witness, members, err);
    json_decref(members);
    return rc;
}

const struct petition petition_excuse = {
    .verb = "excuse",
    .needs = PETITION_GAME | PETITION_TURN | PETITION_MODERATOR | PETITION_CLOSED,
    .fields = {[WITNESS] = "witness", [REASON] = "reason"},
    .act = act,
};
