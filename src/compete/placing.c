#include "compete/placing.h"

#include <string.h>

#include "base/json.h"

static int read_scores(const json_t *list, int seats, int place[SEATS_MAX + 1], int points[SEATS_MAX + 1],
                       struct err *err)
{
    size_t i;
    json_t *one;
    json_array_foreach (list, i, one) {
        int64_t seat, at, number;
        if (json_need_int(one, "seat", 1, seats, &seat, "scores", err) ||
            json_need_int(one, "place", 0, SEATS_MAX, &at, "scores", err) ||
            json_need_int(one, "points", INT32_MIN, INT32_MAX, &number, "scores", err))
            return -1;
        place[seat] = (int)at;
        points[seat] = (int)number;
    }
    return 0;
}

static bool is_better(const int place[SEATS_MAX + 1], uint32_t left, int a, int b)
{
    bool gone_a = left & SEAT_BIT(a), gone_b = left & SEAT_BIT(b);
    if (gone_a || gone_b)
        return !gone_a;
    return place[a] && (!place[b] || place[a] < place[b]);
}

int placing_read(struct placing *placing, const struct record *end, int seats, uint32_t left, struct err *err)
{
    int place[SEATS_MAX + 1] = {0};
    const char *reason = json_string_value(json_object_get(end->json, "reason"));
    memset(placing, 0, sizeof *placing);
    placing->voided = reason && strcmp(reason, "void") == 0;
    if (read_scores(json_object_get(end->json, "scores"), seats, place, placing->points, err))
        return -1;
    for (int seat = 1; seat <= seats; seat++) {
        placing->rank[seat] = 1;
        for (int other = 1; other <= seats && !placing->voided; other++)
            placing->rank[seat] += is_better(place, left, other, seat);
    }
    return 0;
}
