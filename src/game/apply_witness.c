#include <string.h>

#include "base/encode.h"
#include "base/file.h"
#include "base/json.h"
#include "game/apply_parts.h"
#include "game/witness.h"

int apply_witnesses(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    size_t i;
    json_t *item;
    json_array_foreach (json_object_get(a->record->json, "witnesses"), i, item) {
        const char *player = json_string_value(json_object_get(item, "player"));
        const char *vrf = json_string_value(json_object_get(item, "vrf"));
        if (i >= WITNESSES_MAX || !player || !name_valid(slice_of(player)) || witness_of(game, player) >= 0)
            return apply_broken(a, err, "bad name of a witness");
        struct game_witness *witness = &game->witnesses.list[i];
        if (!vrf || !hex_decode(witness->vrf, VRF_PUBLIC, slice_of(vrf)))
            return apply_broken(a, err, "the key of a witness's dice is not 64 hex digits");
        if (apply_key_list(a, json_object_get(item, "keys"), witness->keys, &witness->key_count, err))
            return -1;
        memcpy(witness->player, player, strlen(player) + 1);
        game->witnesses.count = (int)i + 1;
    }
    return 0;
}

/* The witness that a record is about, and whose answer is awaited. */
static struct game_witness *waited_for(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    int64_t turn;
    int i = witness_of(game, apply_text(a, "witness"));
    if (json_need_int(a->record->json, "turn", 0, 9999, &turn, a->record->type, err))
        return NULL;
    if (turn == game->turn && i >= 0 && witness_missing(game, i))
        return &game->witnesses.list[i];
    apply_broken(a, err, "nothing is waited for from this witness");
    return NULL;
}

static void drop_skipped(struct game *game, int witness)
{
    size_t kept = 0;
    for (size_t i = 0; i < game->witnesses.skipped.count; i++)
        if (game->witnesses.skipped.list[i].turn != witness)
            game->witnesses.skipped.list[kept++] = game->witnesses.skipped.list[i];
    game->witnesses.skipped.count = kept;
}

int note_witness(struct applying *a, struct err *err)
{
    struct str alpha = STR_INIT;
    struct game_witness *witness = waited_for(a, err);
    if (!witness)
        return -1;
    int number = (int)(witness - a->game->witnesses.list);
    if (!witness_last_fits(a->game, number, apply_text(a, "last")))
        return apply_broken(a, err, "the witness answered another close before: there are two histories");
    witness_alpha(&alpha, a->game);
    bool good = apply_draw(a, witness->vrf, &alpha, witness->beta);
    str_release(&alpha);
    if (!good)
        return apply_broken(a, err, "the proof of the witness's draw is wrong");
    drop_skipped(a->game, number);
    witness->answered = witness->ever = true;
    memcpy(witness->last, a->game->close.head, HEAD_BYTES);
    return 0;
}

int note_asked(struct applying *a, struct err *err)
{
    int64_t turn;
    if (json_need_int(a->record->json, "turn", 0, 9999, &turn, a->record->type, err))
        return -1;
    if (turn != a->game->turn || !witness_waits(a->game))
        return apply_broken(a, err, "no witness is waited for");
    a->game->witnesses.asked = a->record->time;
    return 0;
}

int apply_excuse(struct applying *a, struct err *err)
{
    struct game_witness *witness = waited_for(a, err);
    if (!witness)
        return -1;
    if (!*apply_text(a, "reason") || !*apply_text(a, "by"))
        return apply_broken(a, err, "it does not say who excuses the witness, and why");
    witness->excused = true;
    apply_mark(&a->game->witnesses.skipped, (int)(witness - a->game->witnesses.list), a->game->close.head);
    return 0;
}
