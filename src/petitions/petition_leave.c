#include <string.h>

#include "base/json.h"
#include "play/facts.h"
#include "petitions/petition.h"
#include "play/step_parts.h"

static enum outcome act(struct hearing *hearing, struct err *err)
{
    struct game *game = &hearing->entry->game;
    if (!hearing->seat && !game_waits(game, hearing->player))
        return hearing_refuse(hearing, "no_seat_nor_waiting game=%s", game->id);
    if (game->over)
        return hearing_refuse(hearing, "over game=%s", game->id);
    if (hearing->seat && game->turn > 0)
        return hearing_refuse(hearing, "begun_resign game=%s", game->id);
    json_t *evidence = hearing_evidence(hearing);
    int rc = step_leave(&hearing->step, game, hearing->player, evidence, err);
    json_decref(evidence);
    if (rc)
        return OUTCOME_FAILED;
    json_t *left = facts_game(game, 0);
    json_object_set_new(left, "listed", json_boolean(!hearing->seat));
    step_tell(&hearing->step, game, POST_ANSWER, "left", 0, hearing->player, left);
    const char *next = hearing->seat ? game->seat[hearing->seat].player : "";
    if (*next) {
        json_t *facts = facts_game(game, hearing->seat);
        json_object_set_new(facts, "moved_up", json_true());
        json_object_set_new(facts, "drawn", json_true());
        step_tell(&hearing->step, game, POST_TOLD, "joined", hearing->seat, "", facts);
        if (step_begin(&hearing->step, game, err))
            return OUTCOME_FAILED;
    }
    step_tell_waiting(&hearing->step, game, hearing->seat);
    if (hearing->seat)
        step_tell_table(&hearing->step, game, hearing->seat, hearing->player, next);
    return OUTCOME_DONE;
}

const struct petition petition_leave = {
    .verb = "leave",
    .needs = PETITION_GAME | PETITION_MAIL,
    .fields = {NULL},
    .act = act,
};
