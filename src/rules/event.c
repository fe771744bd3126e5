#include "rules/event.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/reason.h"
#include "chance/draw.h"
#include "rules/say.h"

/* The parameters and dice behind an event's counts are never read, so they are not cleared. */
void events_init(struct events *events)
{
    events->list = NULL;
    events->count = events->cap = 0;
    events->fates_only = false;
    events->odds = events->unused = NULL;
    events->watch = NULL;
    events->rolled = 0;
}

void events_clear(struct events *events)
{
    for (size_t i = 0; i < events->count; i++) {
        for (int p = 0; p < events->list[i].params; p++)
            free(events->list[i].param[p].text);
        json_decref(events->list[i].unread);
        json_decref(events->list[i].odds);
    }
    events->count = 0;
    json_decref(events->odds);
    json_decref(events->unused);
    events->odds = events->unused = NULL;
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

static struct event *add(struct events *events, struct slice type, uint32_t visible, int seat,
                         const char *rule)
{
    struct event *event = keep(events);
    event->type = type;
    event->visible = visible;
    event->seat = seat;
    event->line = 0;
    event->part = 0;
    event->odds = event->unread = NULL;
    event->rule = rule;
    event->params = 0;
    event->dice = 0;
    return event;
}

static void add_number(struct event *event, struct slice name, int64_t number)
{
    assert(event->params < EVENT_PARAMS);
    event->param[event->params++] = (struct event_param){name, NULL, number};
}

static void add_text(struct event *event, struct slice name, struct slice text)
{
    assert(event->params < EVENT_PARAMS);
    event->param[event->params++] = (struct event_param){name, slice_dup(text), 0};
}

static void vsay(struct events *events, uint32_t visible, int seat, const char *rule, const char *fmt,
                 va_list args) __attribute__((format(printf, 5, 0)));

static void vsay(struct events *events, uint32_t visible, int seat, const char *rule, const char *fmt,
                 va_list args)
{
    struct reason_param param;
    va_list copy; /* as in base/reason.c */
    const int dice = events->rolled;
    events->rolled = 0;
    if (events->fates_only)
        return;
    struct event *event = add(events, reason_code(&fmt), visible, seat, rule);
    memcpy(event->die, events->die, (size_t)dice * sizeof *event->die);
    event->dice = dice;
    va_copy(copy, args);
    while (reason_param(&fmt, &copy, &param)) {
        if (param.sign == '+' && !param.number && !(param.text && *param.text))
            continue;
        if (param.text)
            add_text(event, param.name, slice_of(param.text));
        else
            add_number(event, param.name, param.number);
    }
    va_end(copy);
}

void say(struct events *events, int seat, const char *rule, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsay(events, EVENT_PUBLIC, seat, rule, fmt, args);
    va_end(args);
}

void say_to(struct events *events, uint32_t visible, int seat, const char *rule, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsay(events, visible, seat, rule, fmt, args);
    va_end(args);
}

int event_roll(struct events *events, struct chance *chance, int sides, const char *label, ...)
{
    struct event_die more = {.value = 0};
    struct event_die *die = events->rolled < EVENT_DICE ? &events->die[events->rolled++] : &more;
    va_list args;
    va_start(args, label);
    (void)vsnprintf(die->label, sizeof die->label, label, args);
    va_end(args);
    return die->value = chance_die(chance, sides, die->label);
}

void event_same_dice(struct events *events)
{
    if (!events->fates_only)
        events->rolled = events->list[events->count - 1].dice;
}

static void add_refusal(struct event *event, const struct refusal *why)
{
    for (int i = 0; i < why->params; i++) {
        if (why->param[i].is_text)
            add_text(event, why->param[i].name, slice_of(why->param[i].text));
        else
            add_number(event, why->param[i].name, why->param[i].number);
    }
}

void event_refusal(struct events *events, const struct refusal *why)
{
    if (events->fates_only)
        return;
    add_number(&events->list[events->count - 1], why->reason, 1);
    add_refusal(&events->list[events->count - 1], why);
}

static const char *const fates[] = {[ORDER_DONE] = "done",
                                    [ORDER_FAILED] = "failed",
                                    [ORDER_REFUSED] = "refused",
                                    [ORDER_SKIPPED] = "skipped"};

bool event_fate(struct slice type, enum order_result *result)
{
    for (size_t i = 0; i < sizeof fates / sizeof *fates; i++) {
        if (!slice_eq(type, fates[i]))
            continue;
        *result = (enum order_result)i;
        return true;
    }
    return false;
}

void event_odds(struct events *events, const char *fmt, ...)
{
    va_list args;
    if (!events->fates_only)
        return;
    json_decref(events->odds);
    va_start(args, fmt);
    events->odds = reason_vmake(fmt, args);
    va_end(args);
}

void event_unused(struct events *events, const char *fmt, ...)
{
    va_list args;
    if (!events->fates_only || events->unused)
        return;
    va_start(args, fmt);
    events->unused = reason_vmake(fmt, args);
    va_end(args);
}

void event_line(struct events *events, int seat, const struct script_line *line, enum order_result result,
                const struct refusal *why, struct slice order)
{
    struct event *event = add(events, slice_of(fates[result]), SEAT_BIT(seat), seat, "");
    event->line = line->number;
    event->part = line->part;
    event->odds = events->odds;
    events->odds = NULL;
    if (events->fates_only && result != ORDER_REFUSED)
        return;
    add_text(event, slice_of("order"), order.len ? order : line->text);
    if (line->why) {
        add_text(event, slice_of("error"), slice_of("not_understood"));
        event->unread = json_incref(line->why);
    }
    if (result != ORDER_REFUSED || !why || !why->reason.len)
        return;
    add_text(event, slice_of("reason"), why->reason);
    add_refusal(event, why);
}

/* Names, types and rules are ours: jansson need not check that they are UTF-8. */
static json_t *event_json(const struct event *event, bool with_visible)
{
    json_t *object = json_object();
    for (int i = 0; i < event->params; i++) {
        const struct event_param *param = &event->param[i];
        json_object_setn_new_nocheck(object, param->name.p, param->name.len,
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
    json_object_set_new_nocheck(object, "type", json_stringn_nocheck(event->type.p, event->type.len));
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
    struct slice name;
    const struct event_param *param; /* NULL: `text`, or `number`, or the dice */
    struct slice text;
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
    json_write_string(out, member->name.p, member->name.len);
    str_addc(out, ':');
    if (member->param && member->param->text)
        json_write_text(out, slice_of(member->param->text));
    else if (member->param)
        str_addn(out, member->param->number);
    else if (member->text.p)
        json_write_string(out, member->text.p, member->text.len);
    else if (slice_eq(member->name, "dice"))
        write_dice(out, event);
    else
        str_addn(out, member->number);
}

/* Puts a member in its place; a second one of the same name replaces the first. */
static void place_member(struct member *members, size_t *count, struct member member)
{
    size_t at = *count;
    int order = -1;
    while (at && (order = json_name_order(member.name, members[at - 1].name)) < 0)
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
    place_member(members, &count, (struct member){.name = slice_of("dice")});
    place_member(members, &count, (struct member){.name = slice_of("line"), .number = event->line});
    place_member(members, &count, (struct member){.name = slice_of("rule"), .text = slice_of(event->rule)});
    place_member(members, &count, (struct member){.name = slice_of("seat"), .number = event->seat});
    place_member(members, &count, (struct member){.name = slice_of("type"), .text = event->type});
    if (with_visible)
        place_member(members, &count, (struct member){.name = slice_of("visible"), .number = event->visible});
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
