#include "game/witness.h"

#include <string.h>

#include "base/encode.h"
#include "chance/draw.h"
#include "game/turn.h"

static const char witness_prefix[] = "turnpost/v2/witness";

void witness_close(struct game *game, const struct record *close, int64_t from)
{
    game->closed = true;
    game->close.seq = close->seq;
    game->close.from = from;
    game->close.at = game->witnesses.asked = close->time;
    memcpy(game->close.head, close->head, HEAD_BYTES);
}

void witness_open(struct game *game)
{
    game->closed = false;
    for (int i = 0; i < game->witnesses.count; i++)
        game->witnesses.list[i].answered = game->witnesses.list[i].excused = false;
}

void witness_alpha_of(struct str *out, struct slice over)
{
    str_add(out, witness_prefix, sizeof witness_prefix);
    str_addslice(out, over);
}

void witness_alpha(struct str *out, const struct game *game)
{
    struct str over = STR_INIT;
    turn_alpha(&over, game);
    witness_alpha_of(out, slice_str(&over));
    str_release(&over);
}

void witness_root(unsigned char root[64], const struct game *game, const unsigned char beta[VRF_OUTPUT])
{
    unsigned char betas[(WITNESSES_MAX + 1) * VRF_OUTPUT];
    size_t count = 1;
    memcpy(betas, beta, VRF_OUTPUT);
    for (int i = 0; i < game->witnesses.count; i++)
        if (game->witnesses.list[i].answered)
            memcpy(betas + VRF_OUTPUT * count++, game->witnesses.list[i].beta, VRF_OUTPUT);
    chance_root(root, betas, count);
}

bool witness_last_fits(const struct game *game, int witness, const char *last)
{
    const struct game_witness *who = &game->witnesses.list[witness];
    char hex[2 * HEAD_BYTES + 1] = "";
    if (who->ever)
        hex_to(hex, who->last, HEAD_BYTES);
    bool fits = strcmp(hex, last) == 0;
    for (size_t i = 0; i < game->witnesses.skipped.count; i++) {
        hex_to(hex, game->witnesses.skipped.list[i].digest, HEAD_BYTES);
        fits = fits || (game->witnesses.skipped.list[i].turn == witness && strcmp(hex, last) == 0);
    }
    return fits;
}

int witness_of(const struct game *game, const char *player)
{
    for (int i = 0; i < game->witnesses.count; i++)
        if (strcmp(game->witnesses.list[i].player, player) == 0)
            return i;
    return -1;
}

bool witness_missing(const struct game *game, int witness)
{
    return game->closed && !game->witnesses.list[witness].answered && !game->witnesses.list[witness].excused;
}

bool witness_waits(const struct game *game)
{
    for (int i = 0; i < game->witnesses.count; i++)
        if (witness_missing(game, i))
            return true;
    return false;
}

int64_t witness_due(const struct game *game)
{
    return witness_waits(game) ? game->witnesses.asked + WITNESS_ASKED : 1;
}

json_t *witness_names(const struct game *game, bool waited)
{
    json_t *list = json_array();
    for (int i = 0; i < game->witnesses.count; i++)
        if (!waited || witness_missing(game, i))
            json_array_append_new(list, json_pack("{s:s}", "name", game->witnesses.list[i].player));
    return list;
}
