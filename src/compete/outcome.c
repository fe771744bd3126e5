#include "compete/outcome.h"

#include <string.h>

#include "base/json.h"

struct placed {
    int place, points;
};

static int read_scores(const json_t *list, int seats, struct placed scores[SEATS_MAX + 1], struct err *err)
{
    size_t i;
    json_t *one;
    json_array_foreach (list, i, one) {
        int64_t seat, place, points;
        if (json_need_int(one, "seat", 1, seats, &seat, "scores", err) ||
            json_need_int(one, "place", 0, SEATS_MAX, &place, "scores", err) ||
            json_need_int(one, "points", INT32_MIN, INT32_MAX, &points, "scores", err))
            return -1;
        scores[seat] = (struct placed){(int)place, (int)points};
    }
    return 0;
}

static bool is_better(const struct placed *scores, uint32_t left, int a, int b)
{
    bool gone_a = left & SEAT_BIT(a), gone_b = left & SEAT_BIT(b);
    if (gone_a || gone_b)
        return !gone_a;
    return scores[a].place && (!scores[b].place || scores[a].place < scores[b].place);
}

int compete_outcome(struct compete_outcome *outcome, const struct record *end, const struct game *game,
                    const struct compete_table *table, struct err *err)
{
    struct placed scores[SEATS_MAX + 1] = {{0, 0}};
    const char *reason = json_string_value(json_object_get(end->json, "reason"));
    memset(outcome, 0, sizeof *outcome);
    outcome->round = table->round;
    outcome->table = table->number;
    outcome->seq = end->seq;
    outcome->head = end->head;
    outcome->voided = reason && strcmp(reason, "void") == 0;
    if (read_scores(json_object_get(end->json, "scores"), table->seats, scores, err))
        return -1;
    for (int seat = 1; seat <= table->seats; seat++)
        if (game->seat[seat].robot || strcmp(game->seat[seat].player, table->player[seat]) != 0)
            outcome->left |= SEAT_BIT(seat);
    for (int seat = 1; seat <= table->seats; seat++) {
        outcome->rank[seat] = 1;
        outcome->points[seat] = scores[seat].points;
        for (int other = 1; other <= table->seats && !outcome->voided; other++)
            outcome->rank[seat] += is_better(scores, outcome->left, other, seat);
    }
    return 0;
}
