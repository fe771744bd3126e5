/* Games as the catalog has them: what the clock looks at. */
#include "batch/batch_parts.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/mem.h"
#include "game/witness.h"
#include "game/seating.h"

/* The player who has the seat, or for whom it is kept. */
static const char *row_name(const struct game *game, int seat)
{
    const char *kept = game->turn ? "" : seating_keeps(game, seat);
    return *game->seat[seat].player ? game->seat[seat].player : *kept ? kept : CATALOG_FREE;
}

void batch_catalog_row(const struct game *game, struct catalog_game *row)
{
    memset(row, 0, sizeof *row);
    memcpy(row->id, game->id, sizeof row->id);
    (void)snprintf(row->ruleset, sizeof row->ruleset, "%s", game->ruleset->name);
    row->turn = game->turn;
    row->withheld = !game_shown_to(game, 0);
    row->over = game->over && !row->withheld; /* until then nobody else is to see that it is */
    row->deadline = game->over           ? 0
                    : game->clock.paused ? CATALOG_PAUSED
                    : game->clock.held   ? CATALOG_HELD
                                         : game->clock.deadline;
    row->seq = game->seq;
    row->ended = row->over ? game->time : 0;
    row->seats = game->seats;
    row->awaited = game_missing(game) | game_unsettled(game);
    for (int i = 0; i < game->witnesses.count; i++)
        row->witnessed |= witness_missing(game, i) && !game->over;
    for (int seat = 1; seat <= game->seats; seat++)
        if (!game->seat[seat].robot)
            (void)snprintf(row->player[seat], sizeof row->player[seat], "%s", row_name(game, seat));
}

int batch_put_game(struct batch *batch, const struct game *game, struct catalog_game *known, struct err *err)
{
    struct catalog_game row;
    batch_row(batch, game, &row);
    int rc = catalog_put_game(batch->catalog, &row, known && *known->id ? known : NULL, err);
    if (known)
        *known = row;
    for (size_t i = 0; rc == 0 && !row.withheld && i < game->attendance.tally_count; i++) {
        const struct game_tally *tally = &game->attendance.tallies[i];
        struct catalog_tally counts = {tally->awaited, tally->missed, tally->resigned};
        rc = catalog_put_tally(batch->catalog, game->id, tally->player, &counts, err);
    }
    return rc;
}

/* Also by the pauses that the next round will know: if this round is not completed, the pause that ends now
 * will be a longer one. */
static int64_t row_due(const struct batch *batch, const struct game *game)
{
    struct outside known = batch->outside;
    known.pause_count -= batch->pauses.open;
    return game_due(game, &known);
}

void batch_row(struct batch *batch, const struct game *game, struct catalog_game *row)
{
    batch_catalog_row(game, row);
    row->due = row_due(batch, game);
}

void batch_player_wakes(struct batch *batch, const char *name)
{
    batch->woken.list =
        mem_grow(batch->woken.list, batch->woken.count, &batch->woken.cap, sizeof *batch->woken.list);
    (void)snprintf(batch->woken.list[batch->woken.count++], PLAYER_NAME, "%s", name);
}

void batch_player_changes(struct batch *batch, const struct player *player)
{
    const struct player *old = registry_find(&batch->registry, player->name);
    if (old && player_clock_differs(old, player))
        batch_player_wakes(batch, player->name);
}

int batch_wake(struct batch *batch, struct err *err)
{
    for (size_t i = 0; i < batch->woken.count; i++)
        if (catalog_wake(batch->catalog, batch->woken.list[i], err))
            return -1;
    batch->woken.count = 0;
    return 0;
}
