/* An answer of a player to a mail of ours was not understood, or could not be obeyed as it was: we have asked what it
 * means, and until that is settled the turn does not close early (game_delay). */
#include "base/json.h"
#include "game/apply_parts.h"
#include "game/game_seats.h"
#include "game/vouched.h"

int note_question(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    struct game_seat *seat = apply_seat_of(a, err);
    struct vouched vouched;
    unsigned char mail[32];
    int64_t turn;
    if (!seat || json_need_int(a->record->json, "turn", 1, 9999, &turn, "note", err))
        return -1;
    if (turn != game->turn || !seat_may_be_asked(game, (int)(seat - game->seat)))
        return apply_broken(a, err,
                            "a question to a player who cannot order by mail now, or has one open already");
    if (!apply_hex(a, "mail", mail, sizeof mail) ||
        !vouched_read(json_object_get(a->record->json, "vouched"), &vouched))
        return apply_broken(a, err, "it names no mail, or nobody who vouches for it");
    seat->orders.question = vouched.sent;
    seat->orders.asked = a->record->time;
    seat->orders.waits_since = seat->orders.waits_since ? seat->orders.waits_since : a->record->time;
    apply_mark(&game->seen.mails, game->turn, mail);
    return 0;
}
