#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "batch/follow_keys.h"
#include "play/facts.h"
#include "league/address.h"
#include "petitions/moving.h"
#include "petitions/petition.h"
#include "petitions/registration.h"
#include "petitions/rekey.h"

enum { PLAYER, KEY, ADDRESS, REASON, WHY };

/* One of theirs that a game does not know, as they have lost those that it knows. */
static int is_wanted(const struct hearing *hearing, const char *player, const struct pubkey *key,
                     bool *wanted, struct err *err)
{
    *wanted = false;
    return keyring_has(&hearing->batch->keyring, player, key)
               ? follow_key_lacks(hearing->batch, player, key, wanted, err)
               : 0;
}

static enum outcome take_key(struct hearing *hearing, const char *player, struct pubkey *key, struct err *err)
{
    struct slice rest = hearing->value[KEY];
    struct err why = ERR_INIT;
    bool found = false;
    if (pubkey_next(&rest, key, &found, &why) || !found) {
        (void)hearing_refuse(hearing, "takes_public_key");
        if (why.code)
            json_object_set_new(json_object_get(hearing->refusal, "takes_public_key"), "error",
                                reason_said(&why));
        return OUTCOME_REFUSED;
    }
    const char *owner = keyring_owner(&hearing->batch->keyring, key);
    bool wanted = !owner;
    if (owner && strcmp(owner, player) != 0)
        return hearing_refuse(hearing, "key_registered");
    if (owner && is_wanted(hearing, player, key, &wanted, err))
        return OUTCOME_FAILED;
    return wanted ? OUTCOME_DONE : hearing_refuse(hearing, "has_key_any player=%s", player);
}

static json_t *facts_of(const struct hearing *hearing, const struct player *player)
{
    char print[KEY_SHOWN];
    pubkey_show(print, &player->rekey.key);
    json_t *facts = json_pack("{s:s,s:s,s:s,s:o}", "player", player->name, "key", print, "moderator",
                              hearing->player, "why", json_text(hearing->value[WHY]));
    json_object_set_new(facts, "operator", json_boolean(strcmp(hearing->player, OPERATOR) == 0));
    facts_time(facts, "when", player->rekey.time);
    return facts;
}

/* An address in place of a mailbox that is lost; who has a key proves a new one with that. */
static enum outcome ask_address(struct hearing *hearing, const struct player *known, struct err *err)
{
    struct player player = *known;
    struct err why = ERR_INIT;
    struct slice value = hearing->value[ADDRESS];
    struct player_move *move = &player.move;
    *move = (struct player_move){.time = hearing->batch->now + MOVE_WAIT};
    (void)snprintf(move->by, sizeof move->by, "%s", hearing->player);
    if (hearing->value[KEY].p || !known->by_mail || hearing->batch->league->config.league.trust != TRUST_MAIL)
        return hearing_refuse(hearing, "rekey_address name=%s", known->name);
    if (value.len >= sizeof move->address)
        return hearing_refuse(hearing, "address_long");
    (void)snprintf(move->address, sizeof move->address, "%.*s", (int)value.len, value.p);
    const struct player *other = address_check(move->address, &why)
                                     ? NULL
                                     : registry_by_address(&hearing->batch->registry, move->address);
    if (why.code)
        reason_err(&hearing->refusal, &why);
    else if (other)
        (void)hearing_refuse(hearing, "address_taken player=%s", other->name);
    if (hearing->refusal)
        return OUTCOME_REFUSED;
    json_t *evidence = hearing_evidence(hearing);
    json_object_set_new(evidence, "why", json_text(hearing->value[WHY]));
    int rc = moving_ask(hearing->batch, &player, evidence, NULL, err);
    json_decref(evidence);
    hearing->answer = "rekey_address";
    hearing->facts = json_pack("{s:s,s:s}", "player", player.name, "address", move->address);
    facts_time(hearing->facts, "when", move->time);
    return rc ? OUTCOME_FAILED : OUTCOME_DONE;
}

static enum outcome act(struct hearing *hearing, struct err *err)
{
    struct batch *batch = hearing->batch;
    char name[PLAYER_NAME];
    if (hearing->value[REASON].p) /* as in other texts of moderators; older ones say "why" */
        hearing->value[WHY] = hearing->value[REASON];
    if (!hearing->value[PLAYER].p || (!hearing->value[KEY].p && !hearing->value[ADDRESS].p) ||
        !hearing->value[WHY].len)
        return hearing_refuse(hearing, "rekey_takes");
    if (!hearing_name(hearing, PLAYER, name))
        return OUTCOME_REFUSED;
    const struct player *known = registry_find(&batch->registry, name);
    if (!known)
        return hearing_refuse(hearing, "unknown_player name=%s", name);
    if (hearing->value[ADDRESS].p)
        return ask_address(hearing, known, err);
    if (known->rekey.time)
        return hearing_refuse(hearing, "rekey_already name=%s", name);
    struct player player = *known;
    enum outcome outcome = take_key(hearing, name, &player.rekey.key, err);
    if (outcome != OUTCOME_DONE)
        return outcome;
    player.rekey.asked = batch->now;
    player.rekey.time = batch->now + REKEY_WAIT;
    memcpy(player.rekey.by, hearing->player, strlen(hearing->player) + 1);
    json_t *evidence = hearing_evidence(hearing);
    json_object_set_new(evidence, "why", json_text(hearing->value[WHY]));
    int rc = rekey_ask(batch, &player, evidence, err);
    json_decref(evidence);
    json_t *facts = facts_of(hearing, &player);
    if (rc == 0)
        rc = rekey_announce(batch, name, "rekey", facts, hearing->player, NULL, err);
    hearing->answer = "rekey";
    hearing->facts = facts;
    json_object_set_new(facts, "asked_by_you", json_true());
    return rc;
}

const struct petition petition_rekey = {
    .verb = "rekey",
    .needs = PETITION_MODERATOR,
    .fields = {[PLAYER] = "player", [KEY] = "key", [ADDRESS] = "address", [REASON] = "reason", [WHY] = "why"},
    .act = act,
};
