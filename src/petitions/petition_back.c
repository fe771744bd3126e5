#include <string.h>

#include "game/seat_keys.h"
#include "petitions/petition.h"
#include "play/standby.h"

static enum outcome act(struct hearing *hearing, struct err *err)
{
    struct game *game = &hearing->entry->game;
    int seat = 0;
    for (int i = 1; i <= game->seats; i++)
        if (strcmp(game->seat[i].owner, hearing->player) == 0)
            seat = i;
    if (game->over)
        return hearing_refuse(hearing, "over game=%s", game->id);
    if (hearing->seat)
        return hearing_refuse(hearing, "seat_kept game=%s", game->id);
    if (!seat)
        return hearing_refuse(hearing, "none_to_take_back game=%s", game->id);
    const struct game_seat *who = &game->seat[seat];
    if (hearing->key ? !keys_hold(who->owner_keys, who->owner_key_count, hearing->key)
                     : who->owner_key_count > 0)
        return hearing_refuse(hearing, "back_key game=%s", game->id);
    const struct sitting sitting = {seat, hearing->player, true};
    return standby_sit(&hearing->step, game, &sitting, hearing_evidence(hearing), err);
}

const struct petition petition_back = {
    .verb = "back",
    .needs = PETITION_GAME | PETITION_TURN | PETITION_MAIL,
    .fields = {NULL},
    .keys = true,
    .act = act,
};
