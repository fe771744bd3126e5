#include "rules/line_events.h"

struct line_events line_events_begin(struct events *events, int seat)
{
    return (struct line_events){events, seat, events->count};
}

void line_events_skip(struct line_events *lines)
{
    lines->told = lines->events->count;
}

void line_events_done(void *arg, const struct script_line *line, enum order_result result,
                      const struct refusal *why, struct slice order)
{
    struct line_events *lines = arg;
    for (size_t i = lines->told; i < lines->events->count; i++)
        lines->events->list[i].line = line->number;
    event_line(lines->events, lines->seat, line, result, why, order);
    line_events_skip(lines);
}
