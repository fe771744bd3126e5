#include "game/moments.h"

#include <stdlib.h>
#include <string.h>

static int64_t member(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

/* What an event's row makes of it: 0 = no moment. */
static int64_t weigh(const struct moment *row, const json_t *event)
{
    return row->weight * (row->times ? member(event, row->times) : 1);
}

/* Whose moment it is; what happens in a solo game happens to its player. */
static int whose(const struct game *game, const struct moment *row, const json_t *event)
{
    int64_t seat = member(event, row->whose ? row->whose : "seat");
    if (seat == 0 && game->seats == 1)
        return 1;
    return seat >= 1 && seat <= game->seats ? (int)seat : 0;
}

static bool same_list(const json_t *one, int seat, bool good)
{
    return member(one, "seat") == seat && (member(one, "weight") > 0) == good;
}

/* The least of a seat's moments of that kind goes, when there are too many: of equal ones the later. */
static void forget_least(json_t *list, int seat, bool good)
{
    size_t count = 0;
    size_t least = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        if (!same_list(one, seat, good))
            continue;
        if (count++ == 0 ||
            llabs(member(one, "weight")) <= llabs(member(json_array_get(list, least), "weight")))
            least = i;
    }
    if (count > MOMENTS_KEPT)
        json_array_remove(list, least);
}

static void note(struct game *game, const struct moment *row, json_t *event)
{
    int seat = whose(game, row, event);
    int64_t weight = weigh(row, event);
    if (!seat || !weight)
        return;
    if (!game->told.moments)
        game->told.moments = json_array();
    json_array_append_new(game->told.moments, json_pack("{s:i,s:i,s:I,s:O}", "turn", game->turn, "seat", seat,
                                                        "weight", (json_int_t)weight, "event", event));
    forget_least(game->told.moments, seat, weight > 0);
}

void moments_note(struct game *game, const json_t *events)
{
    const struct moment *rows = game->ruleset->end.moments;
    for (size_t i = 0; rows && i < json_array_size(events); i++) {
        json_t *event = json_array_get(events, i);
        const char *type = json_string_value(json_object_get(event, "type"));
        for (const struct moment *row = rows; type && row->type; row++)
            if (strcmp(row->type, type) == 0)
                note(game, row, event);
    }
}

static bool may_know(const json_t *event, int seat)
{
    uint32_t visible = (uint32_t)member(event, "visible");
    return visible == EVENT_PUBLIC || (seat && visible & SEAT_BIT(seat));
}

json_t *moments_of(const struct game *game, int seat, bool good)
{
    json_t *list = json_array();
    for (size_t i = 0; i < json_array_size(game->told.moments); i++) {
        json_t *one = json_array_get(game->told.moments, i);
        int64_t weight = llabs(member(one, "weight"));
        size_t at = 0;
        if (!same_list(one, seat ? seat : (int)member(one, "seat"), good) ||
            !may_know(json_object_get(one, "event"), seat))
            continue;
        while (at < json_array_size(list) && llabs(member(json_array_get(list, at), "weight")) >= weight)
            at++;
        json_array_insert(list, at, one);
    }
    return list;
}
