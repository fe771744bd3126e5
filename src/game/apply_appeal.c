/* Appeals, and rulings on them: notes that change nothing in the game, and may come when it is over. */
#include <string.h>

#include "base/json.h"
#include "game/apply_parts.h"

/* Their turn is the open one (in a game that is over: the one that would be next); what they are about is no
 * later. */
static int check_turns(struct applying *a, struct err *err)
{
    const struct game *game = a->game;
    int64_t turn, about;
    if (json_need_int(a->record->json, "turn", 1, 9999, &turn, "note", err) ||
        json_need_int(a->record->json, "about", 0, 9999, &about, "note", err))
        return -1;
    if (turn != game->turn || about > turn - (game->over ? 1 : 0))
        return apply_broken(a, err, "not the open turn, or about one that has not been");
    return 0;
}

int apply_appeal(struct applying *a, struct err *err)
{
    unsigned char seal[SEAL_BYTES];
    if (!apply_seat_of(a, err) || check_turns(a, err))
        return -1;
    if (!apply_hex(a, "seal", seal, sizeof seal) || !*apply_text(a, "text"))
        return apply_broken(a, err, "it has no seal or no mark");
    return 0;
}

int apply_ruling(struct applying *a, struct err *err)
{
    int64_t appeal;
    if (check_turns(a, err) ||
        json_need_int(a->record->json, "appeal", 1, a->record->seq - 1, &appeal, "note", err))
        return -1;
    return *apply_text(a, "by") ? 0 : apply_broken(a, err, "the ruling has no author");
}
