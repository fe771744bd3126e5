/* Which order line each event of a play belongs to: everything that happened since the outcome of the last
 * line was reported belongs to the line whose outcome is reported now. Explaining a turn relies on it
 * (history/explain.h). */
#ifndef RULES_LINE_EVENTS_H
#define RULES_LINE_EVENTS_H

#include <stddef.h>

#include "orders/script.h"
#include "rules/event.h"

struct line_events {
    struct events *events;
    int seat;    /* whose script it is */
    size_t told; /* events before this one have their line, or none */
};

/* Everything that has happened so far belongs to no line of the script that begins. */
struct line_events line_events_begin(struct events *events, int seat);
/* What has happened since the last line belongs to none. */
void line_events_skip(struct line_events *lines);
/* script_listener.line: gives the line its events, and reports its outcome (event_line). `arg` is a struct
 * line_events. */
void line_events_done(void *arg, const struct script_line *line, enum order_result result,
                      const struct refusal *why, struct slice order);

#endif
