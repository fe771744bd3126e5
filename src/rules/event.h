/* Events: what happened in a turn, as typed facts. Words for them are in templates/<ruleset>/events.txt.
 *
 * An event says who may know it (a bit a seat), whose it is, the order line that caused it, the dice rolled
 * with their labels, the rulebook section, and named parameters (integers and texts). Order of events is the
 * order of happening. */
#ifndef RULES_EVENT_H
#define RULES_EVENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "orders/script.h"

#define EVENT_PARAMS   10
#define EVENT_DICE     16
#define EVENT_PUBLIC   UINT32_MAX
#define SEAT_BIT(seat) ((uint32_t)1 << (seat))

struct event_param {
    struct slice name; /* a part of a format */
    char *text;        /* owned; NULL for integers */
    int64_t number;
};
struct event_die {
    char label[40]; /* as drawn: "explore/s2" */
    int value;      /* 1..sides */
};
struct event {
    struct slice type; /* "explored", "refused": a part of a format */
    uint32_t visible;  /* bit n = seat n may know; EVENT_PUBLIC */
    int seat;          /* 0 = nobody's */
    int line;          /* order line, 0 = none */
    int part;          /* of event_line: script_line.part; not in JSON */
    json_t *odds;      /* of event_line in trial plays: event_odds, else NULL; not in JSON */
    json_t *unread;    /* of event_line: why the line was not understood, in JSON beside "error"; else NULL */
    const char *rule;  /* static: "Step 1, Explore and Attack" - the rulebook's section heading; "" if none */
    struct event_param param[EVENT_PARAMS];
    int params;
    struct event_die die[EVENT_DICE];
    int dice;
};
/* For explaining a turn: what each event changed in the state, and the order line that was carried out when
 * it was added. An event accounts for all changes since the event before it; the rules mark changes made only
 * after it was added with event_settled, and changes that belong to no event with event_rest. */
struct event_watched {
    int seat;   /* the seat whose line was carried out, 0 = none */
    int number; /* of the line in its script */
    bool when;  /* it is a WHEN line in force */
    char *text; /* the line, owned; NULL = none */
};
struct event_watch {
    const void *state; /* of `size` bytes; borrowed, as it was before the first event */
    size_t size;
    struct script_now now;      /* for script_watch */
    struct event_watched *list; /* one for each event */
    unsigned char *copies;      /* two states for each event: before what it changed, and after it */
    unsigned char *since;       /* up to here all changes are assigned to an event, or to none */
    size_t count, cap, copies_cap;
};
struct events {
    struct event *list;
    size_t count, cap;
    /* Set for trial plays: only the outcomes of order lines are kept (event_line), and parameters only of
     * refusals. A play() may stop once the outcome of the last line is known. */
    bool fates_only;
    json_t *odds;              /* of the line that is being carried out: event_odds */
    json_t *unused;            /* event_unused; NULL: nothing */
    struct event_watch *watch; /* NULL: there is no watcher */
    int rolled;                /* since the last event: the next one will have these dice */
    struct event_die die[EVENT_DICE];
};

void events_init(struct events *events);
void events_release(struct events *events);
void events_clear(struct events *events); /* forgets all events, keeps the memory */
/* Begins to watch a state that events are about to change. */
void event_watch_start(struct event_watch *watch, const void *state, size_t size, struct events *events);
/* The state before what that event changed, and after it. */
const void *event_watch_before(const struct event_watch *watch, size_t index);
const void *event_watch_after(const struct event_watch *watch, size_t index);
void event_watch_release(struct event_watch *watch);
/* What has changed since the last event was added also belongs to it. */
void event_settled(struct events *events);
/* What has changed since the last event, or since event_settled, belongs to none. */
void event_rest(struct events *events);
/* In trial plays: the odds with which dice now decide the line that is being carried out, in the form of the note of a suggestion
 * (rules/put.h), "target system=%s chance=%d". What is certain has none. */
void event_odds(struct events *events, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* In trial plays: what the orders leave unused, though it costs nothing and they surely forgot it, "action"; its words are in
 * templates/<ruleset>/unused.txt. The first one is kept. */
void event_unused(struct events *events, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The outcome of an order line as an event: type "done", "failed", "refused" or "skipped", visible to the
 * seat only, params "order" (text), and for refusals "reason" and the refusal's parameters, or "error" for
 * lines not understood: "not_understood". JSON has "unread" beside it, the code and parameters by which
 * templates say why, which no canonical bytes hold, so that reasons may become better. */
void event_line(struct events *events, int seat, const struct script_line *line, enum order_result result,
                const struct refusal *why, struct slice order);
/* The outcome of an order line that an event of this type reports (event_line); false for other types. */
bool event_fate(struct slice type, enum order_result *result);
/* As a list of objects {"type","seat","line","rule","dice":[{"label","value"}],<params>} of those visible to
 * `seat` (0: the public ones; -1: all, with "visible"). New reference. */
json_t *events_json(const struct events *events, int seat);
/* Appends the canonical bytes (base/json.h) of that list. */
void events_write(struct str *out, const struct events *events, int seat);

#endif
