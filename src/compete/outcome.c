#include "compete/outcome.h"

#include <string.h>

#include "compete/placing.h"

int compete_outcome(struct compete_outcome *outcome, const struct record *end, const struct game *game,
                    const struct compete_table *table, struct err *err)
{
    struct placing placing;
    memset(outcome, 0, sizeof *outcome);
    outcome->round = table->round;
    outcome->table = table->number;
    outcome->seq = end->seq;
    outcome->head = end->head;
    for (int seat = 1; seat <= table->seats; seat++)
        if (game->seat[seat].robot || strcmp(game->seat[seat].player, table->player[seat]) != 0)
            outcome->left |= SEAT_BIT(seat);
    if (placing_read(&placing, end, table->seats, outcome->left, err))
        return -1;
    outcome->voided = placing.voided;
    memcpy(outcome->rank, placing.rank, sizeof outcome->rank);
    memcpy(outcome->points, placing.points, sizeof outcome->points);
    return 0;
}

void compete_tie(struct compete_outcome *outcome, const struct compete_table *table)
{
    *outcome = (struct compete_outcome){.round = table->round, .table = table->number, .left = table->gone};
    for (int seat = 1; seat <= table->seats; seat++)
        for (int other = 0; other <= table->seats; other++)
            outcome->rank[seat] +=
                other == 0 || (table->gone & SEAT_BIT(seat) && !(table->gone & SEAT_BIT(other)));
}
