/* Too few witnesses have answered for three days: a seat's player wants to go on without them. When a majority does, the turn opens
 * again, with other dice (game/witness.h). */
#include "game/witness.h"
#include "petitions/petition.h"
#include "play/facts.h"

static bool may_decide(struct hearing *hearing, const struct game *game)
{
    int needed;
    if (!game->closed || !game->witnesses.count || !witness_too_few(game))
        (void)hearing_refuse(hearing, "no_witness_awaited turn=%d game=%s", game->turn, game->id);
    else if (!game->witnesses.late)
        (void)hearing_refuse(hearing, "witness_not_late turn=%d game=%s when@=%lld", game->turn, game->id,
                             (long long)(game->close.at + WITNESS_LATE));
    else if (!(witness_voters(game, &needed) & SEAT_BIT(hearing->seat)))
        (void)hearing_refuse(hearing, "no_seat game=%s", game->id);
    else if (game->without.seats & SEAT_BIT(hearing->seat))
        (void)hearing_refuse(hearing, "unwitness_again turn=%d game=%s", game->turn, game->id);
    return !hearing->refusal;
}

static enum outcome act(struct hearing *hearing, struct err *err)
{
    struct game *game = &hearing->entry->game;
    if (!may_decide(hearing, game))
        return OUTCOME_REFUSED;
    json_t *members = hearing_evidence(hearing);
    int rc = step_unwitness(&hearing->step, game, hearing->seat, members, err);
    json_decref(members);
    return rc ? OUTCOME_FAILED : OUTCOME_DONE;
}

const struct petition petition_unwitness = {
    .verb = "unwitness",
    .needs = PETITION_GAME | PETITION_TURN | PETITION_SEAT | PETITION_CLOSED | PETITION_MAIL,
    .fields = {NULL},
    .act = act,
};
