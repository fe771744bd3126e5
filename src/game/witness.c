#include "game/witness.h"

#include <string.h>

#include "base/encode.h"
#include "chance/draw.h"
#include "game/turn.h"

static const char witness_prefix[][sizeof "turnpost/v1/witness"] = {"turnpost/v1/witness",
                                                                    "turnpost/v2/witness"};

void witness_close(struct game *game, const struct record *close, int64_t from)
{
    game->closed = true;
    game->closed_from = from;
    game->closed_at = game->witness_asked = close->time;
    memcpy(game->closed_head, close->head, HEAD_BYTES);
}

void witness_open(struct game *game)
{
    game->closed = false;
    for (int i = 0; i < game->witness_count; i++)
        game->witness[i].answered = game->witness[i].excused = false;
}

void witness_alpha_of(struct str *out, int format, struct slice over)
{
    str_add(out, witness_prefix[format >= 2], sizeof *witness_prefix);
    str_addslice(out, over);
}

void witness_alpha(struct str *out, const struct game *game)
{
    struct str over = STR_INIT;
    if (game->format >= 2)
        turn_alpha(&over, game);
    else
        str_add(&over, game->closed_head, HEAD_BYTES);
    witness_alpha_of(out, game->format, slice_str(&over));
    str_release(&over);
}

void witness_root(unsigned char root[64], const struct game *game, const unsigned char beta[VRF_OUTPUT])
{
    unsigned char betas[(WITNESSES_MAX + 1) * VRF_OUTPUT];
    size_t count = 1;
    memcpy(betas, beta, VRF_OUTPUT);
    for (int i = 0; i < game->witness_count; i++)
        if (game->witness[i].answered)
            memcpy(betas + VRF_OUTPUT * count++, game->witness[i].beta, VRF_OUTPUT);
    chance_root(root, betas, count);
}

bool witness_last_fits(const struct game *game, int witness, const char *last)
{
    const struct game_witness *who = &game->witness[witness];
    char hex[2 * HEAD_BYTES + 1] = "";
    if (who->ever)
        hex_to(hex, who->last, HEAD_BYTES);
    bool fits = strcmp(hex, last) == 0;
    for (size_t i = 0; game->format >= 2 && i < game->skipped_count; i++) {
        hex_to(hex, game->skipped[i].digest, HEAD_BYTES);
        fits = fits || (game->skipped[i].turn == witness && strcmp(hex, last) == 0);
    }
    return fits;
}

int witness_of(const struct game *game, const char *player)
{
    for (int i = 0; i < game->witness_count; i++)
        if (strcmp(game->witness[i].player, player) == 0)
            return i;
    return -1;
}

bool witness_missing(const struct game *game, int witness)
{
    return game->closed && !game->witness[witness].answered && !game->witness[witness].excused;
}

bool witness_waits(const struct game *game)
{
    for (int i = 0; i < game->witness_count; i++)
        if (witness_missing(game, i))
            return true;
    return false;
}

int64_t witness_due(const struct game *game)
{
    return witness_waits(game) ? game->witness_asked + WITNESS_ASKED : 1;
}

json_t *witness_names(const struct game *game, bool waited)
{
    json_t *list = json_array();
    for (int i = 0; i < game->witness_count; i++)
        if (!waited || witness_missing(game, i))
            json_array_append_new(list, json_pack("{s:s}", "name", game->witness[i].player));
    return list;
}
