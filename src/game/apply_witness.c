#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/file.h"
#include "base/json.h"
#include "game/apply_parts.h"
#include "game/seating.h"
#include "game/witness.h"

int apply_witnesses(struct applying *a, struct err *err)
{
    const char *wrong = quorum_read(&a->game->witnesses, a->record->json, a->game->journal.league_key);
    return wrong ? apply_broken(a, err, wrong) : 0;
}

/* ---- answers ---- */

static int check_turn(struct applying *a, struct err *err)
{
    int64_t turn;
    if (json_need_int(a->record->json, "turn", 0, 9999, &turn, a->record->type, err))
        return -1;
    return turn == a->game->turn && a->game->closed && a->game->witnesses.count
               ? 0
               : apply_broken(a, err, "no witness is waited for");
}

int note_witness(struct applying *a, struct err *err)
{
    struct log_entry close;
    struct err why = ERR_INIT;
    if (check_turn(a, err))
        return -1;
    witness_entry(&close, a->game);
    return quorum_answer(&a->game->witnesses, &close, a->record->json, &why) ? apply_broken(a, err, why.text)
                                                                             : 0;
}

int note_late(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    if (check_turn(a, err))
        return -1;
    if (game->witnesses.late || !witness_too_few(game) || a->record->time < game->close.at + WITNESS_LATE)
        return apply_broken(a, err,
                            "it is not three days, or enough witnesses have answered, or all were told");
    game->witnesses.late = true;
    return 0;
}

/* ---- a turn opens again ---- */

/* What the close has counted is not counted twice. */
static void take_back_close(struct game *game)
{
    for (int seat = 1; seat <= game->seats; seat++) {
        struct game_seat *who = &game->seat[seat];
        who->late = false; /* whose robot sits there plays this turn */
        if (!(game->close.awaited & SEAT_BIT(seat)) || who->robot)
            continue;
        struct game_tally *tally = apply_tally(game, who->player);
        tally->awaited--;
        tally->missed -= (game->close.missed & SEAT_BIT(seat)) != 0;
        who->missed = game->close.missed_before[seat];
    }
    game->close.awaited = game->close.missed = 0;
}

void apply_reopen(struct applying *a, int64_t deadline)
{
    struct game *game = a->game;
    witness_open(game);
    take_back_close(game);
    game->clock.deadline = deadline;
    game->clock.dated = a->record->time;
    game->clock.reminded = 0;
}

int note_unwitness(struct applying *a, struct err *err)
{
    struct game *game = a->game;
    struct game_seat *seat = apply_seat_of(a, err);
    int needed;
    if (!seat || check_turn(a, err))
        return -1;
    const int number = (int)(seat - game->seat);
    if (!game->witnesses.late || !witness_too_few(game) ||
        !(witness_voters(game, &needed) & SEAT_BIT(number)) || (game->without.seats & SEAT_BIT(number)))
        return apply_broken(a, err, "this seat has nothing to decide about witnesses");
    const bool decides = witness_decides(game, number);
    const char *deadline = apply_text(a, "deadline");
    int64_t time = 0;
    if (*deadline && (!decides || !game->turn || !clock_parse(slice_of(deadline), &time)))
        return apply_broken(a, err, "the turn is not open again, or its deadline is no time");
    game->without.seats |= SEAT_BIT(number);
    if (!decides)
        return 0;
    apply_reopen(a, time);
    witness_give_up(game, game->turn);
    game->draws.rollbacks++;
    return 0;
}
