#include <string.h>

#include "base/json.h"
#include "petitions/moving.h"
#include "petitions/petition.h"
#include "petitions/rekey.h"

enum { PLAYER };

static enum outcome act(struct hearing *hearing, struct err *err)
{
    struct batch *batch = hearing->batch;
    char name[PLAYER_NAME];
    memcpy(name, hearing->player, strlen(hearing->player) + 1);
    if (hearing->value[PLAYER].p && !hearing_name(hearing, PLAYER, name))
        return OUTCOME_REFUSED;
    if (strcmp(name, hearing->player) != 0 && hearing_wants_key(hearing))
        return OUTCOME_REFUSED;
    if (strcmp(name, hearing->player) != 0 && !petition_moderator(batch->league, hearing->player))
        return hearing_refuse(hearing, "keep_own");
    const struct player *known = registry_find(&batch->registry, name);
    if (!known || (!known->rekey.time && !known->move.time && !known->leaves))
        return hearing_refuse(hearing, "veto_none name=%s", name);
    if (!known->rekey.time) {
        json_t *marks = hearing_evidence(hearing);
        const struct rekey_stop stop = {name, hearing->player, marks, hearing->msg};
        int done = moving_stop(batch, &stop, !known->move.time, err);
        json_decref(marks);
        return done;
    }
    char key[KEY_SHOWN], by[PLAYER_NAME];
    pubkey_show(key, &known->rekey.key);
    memcpy(by, known->rekey.by, sizeof by);
    json_t *evidence = hearing_evidence(hearing);
    int rc = rekey_stop(batch, &(struct rekey_stop){name, hearing->player, evidence, hearing->msg}, err);
    json_decref(evidence);
    if (strcmp(name, hearing->player) == 0)
        return rc;
    hearing->answer = "veto";
    hearing->facts = json_pack("{s:s,s:s,s:s,s:s,s:b}", "player", name, "key", key, "vetoed_by",
                               hearing->player, "moderator", by, "operator", strcmp(by, OPERATOR) == 0);
    return rc;
}

const struct petition petition_veto = {
    .verb = "veto",
    .needs = PETITION_MAIL,
    .fields = {[PLAYER] = "player"},
    .act = act,
};
