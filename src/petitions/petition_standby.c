#include "play/facts.h"
#include "league/name_list.h"
#include "petitions/petition.h"
#include "play/step_parts.h"

enum { CANCEL };

static enum outcome in_game(struct hearing *hearing, bool cancel, struct err *err)
{
    struct game *game = &hearing->entry->game;
    bool listed = names_hold(game->attendance.standby.p, hearing->player);
    if (game->over)
        return hearing_refuse(hearing, "over game=%s", game->id);
    if (game->turn == 0)
        return hearing_refuse(hearing, "not_begun_join game=%s", game->id);
    if (cancel != listed)
        return hearing_refuse(hearing, cancel ? "not_standing_by game=%s" : "standing_by game=%s", game->id);
    if (!cancel && hearing->seat)
        return hearing_refuse(hearing, "have_seat game=%s", game->id);
    if (!cancel && (!game->attendance.missed_standby || game->seats < 2))
        return hearing_refuse(hearing, "no_offers game=%s", game->id);
    if (!cancel && names_count(game->attendance.standby.p) >= GAME_STANDBY)
        return hearing_refuse(hearing, "standby_full game=%s", game->id);
    json_t *fields = hearing_evidence(hearing);
    json_object_update_new(fields, json_pack("{s:s,s:i,s:s,s:b}", "kind", "standby", "turn", game->turn,
                                             "player", hearing->player, "stop", cancel));
    if (step_record(&hearing->step, game, "note", fields, NULL, err))
        return OUTCOME_FAILED;
    json_t *facts = facts_game(game, hearing->seat);
    json_object_set_new(facts, "stop", json_boolean(cancel));
    json_object_set_new(facts, "everywhere", json_false());
    step_tell(&hearing->step, game, POST_ANSWER, "standby", hearing->seat, hearing->player, facts);
    return OUTCOME_DONE;
}

static enum outcome anywhere(struct hearing *hearing, bool cancel, struct err *err)
{
    struct player player = *registry_find(&hearing->batch->registry, hearing->player);
    if (cancel != (player.standby != 0))
        return hearing_refuse(hearing, cancel ? "not_standing_by_any" : "standing_by_any");
    player.standby = cancel ? 0 : hearing->batch->now;
    json_t *evidence = hearing_evidence(hearing);
    struct registry_change what = {.what = "standby", .player = &player, .evidence = evidence};
    int rc = batch_change(hearing->batch, &what, err);
    json_decref(evidence);
    hearing->answer = "standby";
    hearing->facts = json_pack("{s:b,s:b,s:s}", "stop", cancel, "everywhere", 1, "game", "");
    return rc;
}

static enum outcome act(struct hearing *hearing, struct err *err)
{
    bool cancel = false;
    if (hearing->value[CANCEL].p && !hearing_bool(hearing, CANCEL, &cancel))
        return OUTCOME_REFUSED;
    if (hearing->entry)
        return in_game(hearing, cancel, err);
    if (!*hearing->frame->game)
        return hearing_refuse(hearing, "standby_where");
    return anywhere(hearing, cancel, err);
}

const struct petition petition_standby = {
    .verb = "standby",
    .needs = PETITION_MAYBE_GAME | PETITION_MAIL,
    .fields = {[CANCEL] = "cancel"},
    .act = act,
};
