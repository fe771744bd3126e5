/* The league was made again from an older copy, and the game goes on from its last record there: what came after
 * that was lost. The record changes nothing; draws do not follow from it, so the same orders give the same turn
 * again. */
#include "base/clock.h"
#include "base/json.h"
#include "game/apply_parts.h"

int note_restored(struct applying *a, struct err *err)
{
    const struct game *game = a->game;
    int64_t turn, made;
    if (json_need_int(a->record->json, "turn", 0, 9999, &turn, "note", err))
        return -1;
    if (turn != game->turn)
        return apply_broken(a, err, "not the open turn");
    if (!clock_parse(slice_of(apply_text(a, "made")), &made) || made < game->time || made > a->record->time)
        return apply_broken(a, err, "a copy that was not made between the last record and this one");
    return 0;
}
