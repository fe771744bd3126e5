#include "play/facts.h"
#include "league/name_list.h"
#include "petitions/petition.h"
#include "play/step_parts.h"

static enum outcome change(struct hearing *hearing, bool stop, struct err *err)
{
    struct game *game = &hearing->entry->game;
    bool watches = names_hold(game->observers.names.p, hearing->player);
    if (game->over)
        return hearing_refuse(hearing, "over_status game=%s", game->id);
    if (game->turn == 0)
        return hearing_refuse(hearing, "not_begun_watch game=%s", game->id);
    if (stop && !watches)
        return hearing_refuse(hearing, "not_observer game=%s", game->id);
    if (!stop && watches)
        return hearing_refuse(hearing, "observer_already game=%s", game->id);
    if (!stop && hearing->seat)
        return hearing_refuse(hearing, "seat_reports game=%s", game->id);
    if (!stop && game->observers.barred)
        return hearing_refuse(hearing, "no_observers game=%s", game->id);
    if (!stop && names_count(game->observers.names.p) >= GAME_OBSERVERS)
        return hearing_refuse(hearing, "observers_most game=%s most=%d", game->id, GAME_OBSERVERS);
    json_t *fields = hearing_evidence(hearing);
    json_object_update_new(fields, json_pack("{s:s,s:i,s:s,s:b}", "kind", "observe", "turn", game->turn,
                                             "player", hearing->player, "stop", stop));
    if (step_record(&hearing->step, game, "note", fields, NULL, err))
        return OUTCOME_FAILED;
    json_t *facts = facts_game(game, hearing->seat);
    json_object_set_new(facts, "stop", json_boolean(stop));
    if (!stop)
        facts_view(facts, game, 0);
    step_tell(&hearing->step, game, POST_ANSWER, "observe", hearing->seat, hearing->player, facts);
    return OUTCOME_DONE;
}

static enum outcome act_observe(struct hearing *hearing, struct err *err)
{
    return change(hearing, false, err);
}

static enum outcome act_unobserve(struct hearing *hearing, struct err *err)
{
    return change(hearing, true, err);
}

const struct petition petition_observe = {
    .verb = "observe",
    .needs = PETITION_GAME | PETITION_CLOSED | PETITION_MAIL,
    .fields = {NULL},
    .act = act_observe,
};

const struct petition petition_unobserve = {
    .verb = "unobserve",
    .needs = PETITION_GAME | PETITION_CLOSED | PETITION_MAIL,
    .fields = {NULL},
    .act = act_unobserve,
};
