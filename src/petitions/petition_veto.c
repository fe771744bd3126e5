#include <string.h>

#include "base/json.h"
#include "petitions/petition.h"
#include "petitions/rekey.h"
#include "batch/tell.h"

enum { PLAYER };

static enum outcome act(struct hearing *hearing, struct err *err)
{
    struct batch *batch = hearing->batch;
    char name[PLAYER_NAME], by[PLAYER_NAME], print[KEY_SHOWN];
    memcpy(name, hearing->player, strlen(hearing->player) + 1);
    if (hearing->value[PLAYER].p && !hearing_name(hearing, PLAYER, name))
        return OUTCOME_REFUSED;
    if (strcmp(name, hearing->player) != 0 && hearing_wants_key(hearing))
        return OUTCOME_REFUSED;
    if (strcmp(name, hearing->player) != 0 && !petition_moderator(batch->league, hearing->player))
        return hearing_refuse(hearing, "keep_own");
    const struct player *known = registry_find(&batch->registry, name);
    if (!known || !known->rekey.time)
        return hearing_refuse(hearing, "veto_none name=%s", name);
    struct player player = *known;
    pubkey_show(print, &player.rekey.key);
    memcpy(by, player.rekey.by, sizeof by);
    player.rekey = (struct player_rekey){.time = 0};
    json_t *evidence = hearing_evidence(hearing);
    struct registry_change change = {.what = "veto", .player = &player, .evidence = evidence};
    int rc = batch_change(batch, &change, err);
    json_decref(evidence);
    json_t *facts = json_pack("{s:s,s:s,s:s,s:s}", "player", name, "key", print, "vetoed_by", hearing->player,
                              "moderator", by);
    if (rc == 0)
        rc = rekey_announce(batch, name, "veto", facts, hearing->player, hearing->msg, err);
    if (rc == 0 && strcmp(by, name) != 0 && strcmp(by, hearing->player) != 0)
        rc = tell_player(batch, &(struct tell){"veto", facts, NULL}, by, err);
    if (strcmp(name, hearing->player) != 0)
        hearing->answer = "veto";
    hearing->facts = facts;
    return rc;
}

const struct petition petition_veto = {
    .verb = "veto",
    .needs = PETITION_MAIL,
    .fields = {[PLAYER] = "player"},
    .act = act,
};
