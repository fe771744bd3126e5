#include <stdlib.h>
#include <string.h>

#include "play/facts.h"
#include "league/name_list.h"
#include "petitions/petition.h"

enum { PLAYER };

/* "gc-17/bob", "any/nobody": mute and unmute name the same things. */
static bool read_whom(struct hearing *hearing, struct str *entry)
{
    char *name = slice_dup(slice_sub(hearing->value[PLAYER], 0, PLAYER_NAME));
    const struct player *player = registry_find(&hearing->batch->registry, name);
    if (!hearing->value[PLAYER].len)
        (void)hearing_refuse(hearing, "mute_whom");
    else if (strcmp(name, hearing->player) == 0)
        (void)hearing_refuse(hearing, "mute_self");
    else if (!player && strcmp(name, "nobody") != 0)
        (void)hearing_refuse(hearing, "mute_unknown");
    else
        str_addf(entry, "%s/%s", hearing->entry ? hearing->entry->game.id : "any", name);
    free(name);
    return !hearing->refusal;
}

static enum outcome change(struct hearing *hearing, bool mute, struct err *err)
{
    struct player player = *registry_find(&hearing->batch->registry, hearing->player);
    struct str entry = STR_INIT, list = STR_INIT;
    enum outcome outcome = OUTCOME_REFUSED;
    if (!read_whom(hearing, &entry))
        goto out;
    str_adds(&list, player.mutes);
    if (names_hold(list.p, entry.p) == mute) {
        (void)hearing_refuse(hearing, mute ? "muted_already" : "not_muted");
        goto out;
    }
    if (mute)
        names_add(&list, entry.p);
    else
        names_drop(&list, entry.p);
    if (list.len >= sizeof player.mutes) {
        (void)hearing_refuse(hearing, "mutes_most");
        goto out;
    }
    memcpy(player.mutes, list.p, list.len + 1);
    json_t *evidence = hearing_evidence(hearing);
    struct registry_change what = {.what = "mute", .player = &player, .evidence = evidence};
    outcome = batch_change(hearing->batch, &what, err);
    json_decref(evidence);
    hearing->answer = "mute";
    hearing->facts =
        json_pack("{s:b,s:s,s:b,s:s}", "stop", !mute, "whom", strchr(entry.p, '/') + 1, "everywhere",
                  !hearing->entry, "game", hearing->entry ? hearing->entry->game.id : "");
    if (hearing->entry)
        facts_answer(hearing->facts, &hearing->entry->game, hearing->seat);
out:
    str_release(&entry);
    str_release(&list);
    return outcome;
}

static enum outcome act_mute(struct hearing *hearing, struct err *err)
{
    return change(hearing, true, err);
}

static enum outcome act_unmute(struct hearing *hearing, struct err *err)
{
    return change(hearing, false, err);
}

const struct petition petition_mute = {
    .verb = "mute",
    .needs = PETITION_MAYBE_GAME | PETITION_REGISTRY | PETITION_MAIL,
    .fields = {[PLAYER] = "player"},
    .act = act_mute,
};

const struct petition petition_unmute = {
    .verb = "unmute",
    .needs = PETITION_MAYBE_GAME | PETITION_REGISTRY | PETITION_MAIL,
    .fields = {[PLAYER] = "player"},
    .act = act_unmute,
};
