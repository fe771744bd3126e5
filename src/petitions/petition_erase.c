/* A player leaves the league. Their address, settings and keys go, mails that wait for them, and what the league
 * remembers of their mails; what the registry's journal knows of them is sealed, and the key destroyed
 * (league/registry_sealing.h). Their name and the texts in the journals of games stay: others signed on top of
 * them. */
#include "petitions/moving.h"
#include "petitions/petition.h"

enum { PLAYER };

/* Their own name, so that nobody leaves by a line that is missing; by mail their word does for that. */
static enum outcome judge(struct hearing *hearing, struct err *err)
{
    char game[GAME_NAME] = "";
    bool named = hearing->value[PLAYER].p || !hearing->proof;
    if (named && !slice_caseeq(hearing->value[PLAYER], hearing->player))
        return hearing_refuse(hearing, "erase_name player=%s", hearing->player);
    if (moving_seated(hearing->batch, hearing->player, game, err))
        return OUTCOME_FAILED;
    return *game ? hearing_refuse(hearing, "erase_seat game=%s", game) : OUTCOME_DONE;
}

/* A thief of the mailbox could ask for it, too: so it waits where no key has signed it (petitions/moving.h). */
static enum outcome act(struct hearing *hearing, struct err *err)
{
    enum outcome done = judge(hearing, err);
    if (done != OUTCOME_DONE)
        return done;
    json_t *evidence = hearing_evidence(hearing);
    int rc = hearing->proof ? moving_leave(hearing->batch, hearing->player, evidence, hearing->msg, err)
                            : moving_erase(hearing->batch, hearing->player, evidence, hearing->msg, err);
    json_decref(evidence);
    return rc ? OUTCOME_FAILED : OUTCOME_DONE;
}

const struct petition petition_erase = {
    .verb = "erase",
    .needs = PETITION_MAIL | PETITION_WORD,
    .fields = {[PLAYER] = "player"},
    .act = act,
};
