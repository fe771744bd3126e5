#include <string.h>

#include "base/clock.h"
#include "petitions/petition.h"
#include "game/seating.h"
#include "play/standby.h"
#include "game/game_seats.h"

enum { SEAT };

static enum outcome act(struct hearing *hearing, struct err *err)
{
    struct game *game = &hearing->entry->game;
    int seat = seating_named(hearing->value[SEAT]);
    if (game->over)
        return hearing_refuse(hearing, "over game=%s", game->id);
    if (hearing->seat)
        return hearing_refuse(hearing, "have_seat game=%s", game->id);
    if (!seat || seat > game->seats)
        return hearing_refuse(hearing, "take_takes seats=%d", game->seats);
    const struct game_seat *who = &game->seat[seat];
    if (strcmp(who->offered, hearing->player) != 0)
        return hearing_refuse(hearing, "not_offered seat=%d game=%s", seat, game->id);
    if (standby_spare(&hearing->step, game, seat, hearing->batch->league->config.league.standby_time, err))
        return OUTCOME_FAILED;
    if (who->offered_until < hearing->step.now || !seat_vacant(game, seat))
        return hearing_refuse(hearing, "take_late seat=%d game=%s", seat, game->id);
    const struct sitting sitting = {seat, hearing->player, false};
    return standby_sit(&hearing->step, game, &sitting, hearing_evidence(hearing), err);
}

const struct petition petition_take = {
    .verb = "take",
    .needs = PETITION_GAME | PETITION_TURN | PETITION_MAIL | PETITION_WORD,
    .fields = {[SEAT] = "seat"},
    .keys = true,
    .act = act,
};
