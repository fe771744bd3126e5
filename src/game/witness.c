#include "game/witness.h"

#include <string.h>

#include "chance/draw.h"
#include "game/entry.h"
#include "game/game_seats.h"

void witness_close(struct game *game, const struct record *close, int64_t from)
{
    game->closed = true;
    game->close.seq = close->seq;
    game->close.from = from;
    game->close.at = close->time;
    memcpy(game->close.head, close->head, HEAD_BYTES);
    quorum_ask(&game->witnesses);
}

void witness_open(struct game *game)
{
    game->closed = false;
    game->without.seats = 0;
    quorum_settle(&game->witnesses);
}

void witness_give_up(struct game *game, int turn)
{
    quorum_release(&game->witnesses);
    game->without.seats = 0;
    game->without.turn = turn ? turn : 1;
}

void witness_entry(struct log_entry *entry, const struct game *game)
{
    *entry = (struct log_entry){.kind = ENTRY_CLOSE,
                                .seq = game->close.seq,
                                .time = game->close.at,
                                .turn = {game->turn, game->draws.rollbacks}};
    game_log_name(entry->name, game);
    memcpy(entry->head, game->close.head, HEAD_BYTES);
    game_entry_alpha(entry->alpha, game);
}

void witness_root(unsigned char root[64], const struct game *game, const unsigned char beta[VRF_OUTPUT])
{
    struct quorum_dice dice;
    quorum_mix(&dice, &game->witnesses, beta);
    chance_root(root, dice.beta, dice.count);
}

bool witness_missing(const struct game *game, int witness)
{
    return game->closed && !game->witnesses.list[witness].answered;
}

bool witness_too_few(const struct game *game)
{
    return game->closed && quorum_lacks(&game->witnesses);
}

bool witness_waits(const struct game *game, int64_t time)
{
    return game->closed && quorum_waits(&game->witnesses, time);
}

uint32_t witness_voters(const struct game *game, int *needed)
{
    uint32_t voters = 0;
    int count = 0;
    for (int seat = 1; seat <= game->seats; seat++)
        if (seat_has_person(game, seat)) {
            voters |= SEAT_BIT(seat);
            count++;
        }
    *needed = count / 2 + 1;
    return voters;
}

bool witness_decides(const struct game *game, int seat)
{
    int needed;
    const uint32_t votes = (game->without.seats | SEAT_BIT(seat)) & witness_voters(game, &needed);
    return __builtin_popcount(votes) >= needed;
}
