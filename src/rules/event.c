#include "rules/event.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"

/* The parameters and dice behind an event's counts are never read, so they are not cleared; nor is the spare
 * event. */
void events_init(struct events *events)
{
    events->list = NULL;
    events->count = events->cap = 0;
    events->fates_only = false;
    events->watch = NULL;
}

void events_clear(struct events *events)
{
    for (size_t i = 0; i < events->count; i++) {
        for (int p = 0; p < events->list[i].params; p++)
            free(events->list[i].param[p].text);
        json_decref(events->list[i].unread);
    }
    events->count = 0;
}

void events_release(struct events *events)
{
    events_clear(events);
    free(events->list);
    events_init(events);
}

/* ---- for explaining a turn ---- */

void event_watch_start(struct event_watch *watch, const void *state, size_t size, struct events *events)
{
    *watch = (struct event_watch){.state = state, .size = size, .since = mem_copy(state, size)};
    events->watch = watch;
}

const void *event_watch_before(const struct event_watch *watch, size_t index)
{
    assert(index < watch->count);
    return watch->copies + 2 * index * watch->size;
}

const void *event_watch_after(const struct event_watch *watch, size_t index)
{
    assert(index < watch->count);
    return watch->copies + (2 * index + 1) * watch->size;
}

void event_watch_release(struct event_watch *watch)
{
    for (size_t i = 0; i < watch->count; i++)
        free(watch->list[i].text);
    free(watch->list);
    free(watch->copies);
    free(watch->since);
    *watch = (struct event_watch){.state = NULL};
}

void event_settled(struct events *events)
{
    struct event_watch *watch = events->watch;
    if (!watch || !watch->count)
        return;
    memcpy(watch->since, watch->state, watch->size);
    memcpy(watch->copies + (2 * watch->count - 1) * watch->size, watch->state, watch->size);
}

void event_rest(struct events *events)
{
    if (events->watch)
        memcpy(events->watch->since, events->watch->state, events->watch->size);
}

static void watch_event(struct event_watch *watch)
{
    const struct script_line *line = watch->now.line;
    watch->list = mem_grow(watch->list, watch->count, &watch->cap, sizeof *watch->list);
    watch->copies = mem_grow(watch->copies, watch->count, &watch->copies_cap, 2 * watch->size);
    struct event_watched *event = &watch->list[watch->count];
    *event = (struct event_watched){.seat = line ? watch->now.seat : 0};
    if (line) {
        event->number = line->number;
        event->when = line->kind == LINE_WHEN;
        event->text = slice_dup(line->text);
    }
    unsigned char *copy = watch->copies + 2 * watch->count * watch->size;
    memcpy(copy, watch->since, watch->size);
    memcpy(copy + watch->size, watch->state, watch->size);
    memcpy(watch->since, watch->state, watch->size);
    watch->count++;
}

static struct event *keep(struct events *events)
{
    events->list = mem_grow(events->list, events->count, &events->cap, sizeof(*events->list));
    if (events->watch)
        watch_event(events->watch);
    return &events->list[events->count++];
}

static void begin(struct event *event, const char *type, uint32_t visible, int seat, const char *rule)
{
    event->type = type;
    event->visible = visible;
    event->seat = seat;
    event->line = 0;
    event->part = 0;
    event->bare = false;
    event->unread = NULL;
    event->rule = rule;
    event->params = 0;
    event->dice = 0;
}

struct event *event_add(struct events *events, const char *type, uint32_t visible, int seat, const char *rule)
{
    struct event *event = events->fates_only ? &events->spare : keep(events);
    begin(event, type, visible, seat, rule);
    event->bare = events->fates_only;
    return event;
}

static struct event_param *param_add(struct event *event, const char *name)
{
    assert(event->params < EVENT_PARAMS);
    struct event_param *param = &event->param[event->params++];
    param->name = name;
    param->text = NULL;
    param->number = 0;
    return param;
}

void event_int(struct event *event, const char *name, int64_t number)
{
    if (!event->bare)
        param_add(event, name)->number = number;
}

void event_amount(struct event *event, const char *name, int64_t amount)
{
    if (amount)
        event_int(event, name, amount);
}

void event_text(struct event *event, const char *name, const char *text)
{
    if (!event->bare)
        param_add(event, name)->text = mem_strdup(text);
}

void event_die(struct event *event, const char *label, int value)
{
    assert(event->dice < EVENT_DICE);
    struct event_die *die = &event->die[event->dice++];
    size_t len = strnlen(label, sizeof(die->label) - 1);
    memcpy(die->label, label, len);
    die->label[len] = '\0';
    die->value = value;
}

static const char *const fates[] = {[ORDER_DONE] = "done",
                                    [ORDER_FAILED] = "failed",
                                    [ORDER_REFUSED] = "refused",
                                    [ORDER_SKIPPED] = "skipped"};

bool event_fate(const char *type, enum order_result *result)
{
    for (size_t i = 0; i < sizeof fates / sizeof *fates; i++) {
        if (*type != *fates[i] || strcmp(type, fates[i]) != 0)
            continue;
        *result = (enum order_result)i;
        return true;
    }
    return false;
}

void event_line(struct events *events, int seat, const struct script_line *line, enum order_result result,
                const struct refusal *why, struct slice order)
{
    struct event *event = keep(events);
    begin(event, fates[result], SEAT_BIT(seat), seat, "");
    event->line = line->number;
    event->part = line->part;
    event->bare = events->fates_only && result != ORDER_REFUSED;
    if (event->bare)
        return;
    char *text = slice_dup(order.len ? order : line->text);
    event_text(event, "order", text);
    free(text);
    if (line->why) {
        event_text(event, "error", "not_understood");
        event->unread = json_incref(line->why);
    }
    if (result != ORDER_REFUSED || !why || !why->reason)
        return;
    event_text(event, "reason", why->reason);
    for (int i = 0; i < why->params; i++) {
        if (why->param[i].is_text)
            event_text(event, why->param[i].name, why->param[i].text);
        else
            event_int(event, why->param[i].name, why->param[i].number);
    }
}

/* Names, types and rules are ours: jansson need not check that they are UTF-8. */
static json_t *event_json(const struct event *event, bool with_visible)
{
    json_t *object = json_object();
    for (int i = 0; i < event->params; i++) {
        const struct event_param *param = &event->param[i];
        json_object_set_new_nocheck(object, param->name,
                                    param->text ? json_text(slice_of(param->text))
                                                : json_integer(param->number));
    }
    if (event->unread)
        json_object_set(object, "unread", event->unread);
    json_t *dice = json_array();
    for (int i = 0; i < event->dice; i++) {
        json_t *die = json_object();
        json_object_set_new_nocheck(die, "label", json_text(slice_of(event->die[i].label)));
        json_object_set_new_nocheck(die, "value", json_integer(event->die[i].value));
        json_array_append_new(dice, die);
    }
    json_object_set_new_nocheck(object, "type", json_string_nocheck(event->type));
    json_object_set_new_nocheck(object, "seat", json_integer(event->seat));
    json_object_set_new_nocheck(object, "line", json_integer(event->line));
    json_object_set_new_nocheck(object, "rule", json_string_nocheck(event->rule));
    json_object_set_new_nocheck(object, "dice", dice);
    if (with_visible)
        json_object_set_new_nocheck(object, "visible", json_integer(event->visible));
    return object;
}

json_t *events_json(const struct events *events, int seat)
{
    json_t *list = json_array();
    for (size_t i = 0; i < events->count; i++) {
        const struct event *event = &events->list[i];
        /* Bit 0 belongs to no seat: only EVENT_PUBLIC has it. */
        if (seat < 0 || (event->visible & SEAT_BIT(seat)))
            json_array_append_new(list, event_json(event, seat < 0));
    }
    return list;
}

/* ---- the same as canonical bytes ---- */

struct member {
    const char *name;
    const struct event_param *param; /* NULL: `text`, or `number`, or the dice */
    const char *text;
    int64_t number;
};

static void write_dice(struct str *out, const struct event *event)
{
    str_addc(out, '[');
    for (int i = 0; i < event->dice; i++) {
        str_adds(out, i ? ",{\"label\":" : "{\"label\":");
        json_write_text(out, slice_of(event->die[i].label));
        str_adds(out, ",\"value\":");
        str_addn(out, event->die[i].value);
        str_addc(out, '}');
    }
    str_addc(out, ']');
}

static void write_member(struct str *out, const struct event *event, const struct member *member)
{
    json_write_string(out, member->name, strlen(member->name));
    str_addc(out, ':');
    if (member->param && member->param->text)
        json_write_text(out, slice_of(member->param->text));
    else if (member->param)
        str_addn(out, member->param->number);
    else if (member->text)
        json_write_string(out, member->text, strlen(member->text));
    else if (strcmp(member->name, "dice") == 0)
        write_dice(out, event);
    else
        str_addn(out, member->number);
}

/* Puts a member in its place; a second one of the same name replaces the first. */
static void place_member(struct member *members, size_t *count, struct member member)
{
    size_t at = *count;
    int order = -1;
    while (at && (order = strcmp(member.name, members[at - 1].name)) < 0)
        at--;
    if (at && order == 0) {
        members[at - 1] = member;
        return;
    }
    memmove(members + at + 1, members + at, (*count - at) * sizeof *members);
    members[at] = member;
    (*count)++;
}

static void write_event(struct str *out, const struct event *event, bool with_visible)
{
    struct member members[EVENT_PARAMS + 6];
    size_t count = 0;
    for (int i = 0; i < event->params; i++)
        place_member(members, &count,
                     (struct member){.name = event->param[i].name, .param = &event->param[i]});
    place_member(members, &count, (struct member){.name = "dice"});
    place_member(members, &count, (struct member){.name = "line", .number = event->line});
    place_member(members, &count, (struct member){.name = "rule", .text = event->rule});
    place_member(members, &count, (struct member){.name = "seat", .number = event->seat});
    place_member(members, &count, (struct member){.name = "type", .text = event->type});
    if (with_visible)
        place_member(members, &count, (struct member){.name = "visible", .number = event->visible});
    for (size_t i = 0; i < count; i++) {
        str_addc(out, i ? ',' : '{');
        write_member(out, event, &members[i]);
    }
    str_addc(out, '}');
}

void events_write(struct str *out, const struct events *events, int seat)
{
    bool first = true;
    str_addc(out, '[');
    for (size_t i = 0; i < events->count; i++) {
        const struct event *event = &events->list[i];
        if (seat >= 0 && !(event->visible & SEAT_BIT(seat)))
            continue;
        if (!first)
            str_addc(out, ',');
        write_event(out, event, seat < 0);
        first = false;
    }
    str_addc(out, ']');
}
