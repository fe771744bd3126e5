/* A player leaves the league. Their address, settings and keys go, mails that wait for them, and what the league
 * remembers of their mails; what the registry's journal knows of them is sealed, and the key destroyed
 * (league/registry_sealing.h). Their name and the texts in the journals of games stay: others signed on top of
 * them. */
#include <stdio.h>
#include <string.h>

#include "batch/tell.h"
#include "petitions/petition.h"

enum { PLAYER };

static int note_game(void *arg, const struct catalog_game *game, struct err *err)
{
    (void)err;
    (void)snprintf(arg, GAME_NAME, "%s", game->id);
    return 0;
}

/* Their own name, so that nobody leaves by a line that is missing. */
static enum outcome judge(struct hearing *hearing, struct err *err)
{
    char game[GAME_NAME] = "";
    if (!slice_caseeq(hearing->value[PLAYER], hearing->player))
        return hearing_refuse(hearing, "erase_name player=%s", hearing->player);
    if (catalog_each_game(hearing->batch->catalog, &(struct catalog_filter){hearing->player, true}, note_game,
                          game, err))
        return OUTCOME_FAILED;
    return *game ? hearing_refuse(hearing, "erase_seat game=%s", game) : OUTCOME_DONE;
}

static enum outcome act(struct hearing *hearing, struct err *err)
{
    enum outcome done = judge(hearing, err);
    if (done != OUTCOME_DONE)
        return done;
    const struct player *player = registry_find(&hearing->batch->registry, hearing->player);
    char address[PLAYER_ADDRESS];
    (void)snprintf(address, sizeof address, "%s", player->address);
    json_t *evidence = hearing_evidence(hearing);
    const struct registry_change change = {
        .what = "remove", .removed = hearing->player, .evidence = evidence};
    int rc = batch_change(hearing->batch, &change, err);
    json_t *facts = json_pack("{s:s}", "player", hearing->player);
    if (rc == 0)
        rc = tell_address(hearing->batch,
                          &(struct tell){.words = "erased", .facts = facts, .answered = hearing->msg},
                          address, "", err);
    json_decref(facts);
    json_decref(evidence);
    return rc ? OUTCOME_FAILED : OUTCOME_DONE;
}

const struct petition petition_erase = {
    .verb = "erase",
    .needs = PETITION_SIGNED,
    .fields = {[PLAYER] = "player"},
    .act = act,
};
