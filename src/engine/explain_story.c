/* The events of a turn with what they came from; draws; the proof. */
#include <stdlib.h>
#include <string.h>

#include "base/changes.h"
#include "base/encode.h"
#include "base/json.h"
#include "base/mem.h"
#include "engine/explain_parts.h"
#include "engine/facts.h"

static bool is_fate(const char *type)
{
    static const char *const fates[] = {"done", "failed", "refused", "skipped", NULL};
    for (int i = 0; fates[i]; i++)
        if (strcmp(fates[i], type) == 0)
            return true;
    return false;
}

/* ---- for whom ---- */

int explain_eyes(const struct explaining *x, uint32_t visible)
{
    int own = x->reader.kind == READER_SEAT ? x->reader.seat : 0;
    if (visible & SEAT_BIT(own))
        return own;
    if (!explain_all(x))
        return -1;
    if (visible & SEAT_BIT(0))
        return 0;
    /* What was told to one seat is told in its words; to several, by names. */
    for (int seat = 1; seat <= x->game.seats; seat++)
        if (visible == SEAT_BIT(seat))
            return seat;
    return 0;
}

static void put_told(const struct explaining *x, json_t *item, uint32_t visible)
{
    json_t *list = json_array();
    if (visible == EVENT_PUBLIC || !explain_all(x)) /* who else was told is not his to know */
        goto out;
    for (int seat = 1; seat <= x->game.seats; seat++) {
        if (!(visible & SEAT_BIT(seat)))
            continue;
        if (json_array_size(list))
            json_object_set_new(json_array_get(list, json_array_size(list) - 1), "more", json_true());
        json_array_append_new(list, json_pack("{s:s,s:b}", "name", x->game.seat[seat].player, "more", 0));
    }
    json_t *to = json_pack("{s:O,s:b}", "names", list, "observers", (visible & SEAT_BIT(0)) != 0);
    json_object_set_new(item, "to", to);
out:
    json_decref(list);
}

/* ---- the cause ---- */

/* Whose line an event's `line` is: the line's fate is told behind what it did, and names the seat. */
static int line_owner(const json_t *events, size_t index, json_int_t line, int seat)
{
    for (size_t i = index + 1; i < json_array_size(events); i++) {
        const json_t *event = json_array_get(events, i);
        if (!is_fate(json_string_value(json_object_get(event, "type"))))
            continue;
        bool same = json_integer_value(json_object_get(event, "line")) == line;
        return same ? (int)json_integer_value(json_object_get(event, "seat")) : seat;
    }
    return seat;
}

/* The text of line `number` of what the seat plays. */
static json_t *line_text(const struct explaining *x, int seat, int number, bool instant)
{
    bool missed;
    struct script *script =
        instant ? script_parse(slice_str(&x->game.seat[seat].instant), x->game.ruleset->language)
                : turn_orders(&x->game, seat, &missed);
    json_t *text = NULL;
    for (size_t i = 0; script && i < script_line_count(script); i++) {
        const struct script_line *line = script_line(script, i);
        if (line->number != number)
            continue;
        if (!text)
            text = json_text(line->text);
    }
    script_free(script);
    return text;
}

static void put_cause(const struct explaining *x, json_t *item, const json_t *events, size_t index,
                      int64_t record)
{
    const json_t *event = json_array_get(events, index);
    json_int_t line = json_integer_value(json_object_get(event, "line"));
    int seat = (int)json_integer_value(json_object_get(event, "seat"));
    if (!line)
        return;
    seat = line_owner(events, index, line, seat);
    if (!seat || !casefile_open_to(x->file, &x->reader, seat))
        return;
    const struct game_seat *who = &x->game.seat[seat];
    json_t *cause = json_pack("{s:i,s:s,s:I}", "seat", seat, "who", who->player, "line", line);
    json_t *text = line_text(x, seat, (int)line, record != 0);
    if (text)
        json_object_set_new(cause, "text", text);
    const struct explain_sent *sent = explain_sent_find(x, record           ? record
                                                           : who->orders.in ? who->orders.record
                                                                            : 0);
    if (sent) {
        json_object_set_new(cause, "record", json_integer(sent->seq));
        if (*sent->mail)
            json_object_set_new(cause, "mail", json_string(sent->mail));
        explain_time(cause, "time", sent->time);
    }
    json_object_set_new(item, "cause", cause);
}

/* ---- dice ---- */

static const struct chance_drawn *draw_find(const struct turn_trace *trace, const char *label)
{
    for (size_t i = 0; trace && i < trace->draws.count; i++)
        if (strcmp(trace->draws.list[i].label, label) == 0)
            return &trace->draws.list[i];
    return NULL;
}

static void put_dice(json_t *item, const json_t *event, const struct turn_trace *trace)
{
    json_t *list = json_array();
    size_t i;
    json_t *die;
    json_array_foreach (json_object_get(event, "dice"), i, die) {
        json_t *copy = json_copy(die);
        const struct chance_drawn *draw = draw_find(trace, json_string_value(json_object_get(die, "label")));
        if (draw)
            json_object_set_new(copy, "sides", json_integer(draw->of));
        json_array_append_new(list, copy);
    }
    if (json_array_size(list))
        json_object_set(item, "dice", list);
    json_decref(list);
}

/* ---- the story ---- */

/* The facts for the event's words, as {"type": {..}}. That the reader may know it was settled before. Each
 * event is told alone, because sentences may be left out that follow from the one before. */
static json_t *event_news(const struct explaining *x, const json_t *event, int eyes)
{
    json_t *told = json_object();
    json_t *copy = json_copy((json_t *)(uintptr_t)event);
    json_object_set_new(copy, "visible", json_integer(EVENT_PUBLIC));
    json_t *list = json_pack("[o]", copy);
    facts_news(told, &x->game, eyes, list);
    json_t *news = json_incref(json_array_get(json_object_get(told, "news"), 0));
    json_decref(told);
    json_decref(list);
    return news;
}

/* Puts an event into the story; NULL when the reader is told nothing of it. Borrowed. */
static json_t *add_event(struct explaining *x, const json_t *events, size_t index,
                         const struct turn_trace *trace, int64_t instant)
{
    json_t *event = json_array_get(events, index);
    const char *type = json_string_value(json_object_get(event, "type"));
    uint32_t visible = (uint32_t)json_integer_value(json_object_get(event, "visible"));
    const char *rule = json_string_value(json_object_get(event, "rule"));
    int eyes = explain_eyes(x, visible);
    if (is_fate(type) || eyes < 0)
        return NULL;
    json_t *item = json_pack("{s:i,s:s,s:o}", "number", (int)json_array_size(x->story) + 1, "type", type,
                             "news", event_news(x, event, eyes));
    if (rule && *rule)
        json_object_set_new(item, "rule", json_string(rule));
    if (instant)
        json_object_set_new(item, "at_once", json_integer(instant));
    put_told(x, item, visible);
    put_cause(x, item, events, index, instant ? x->sent[x->sent_count - 1].seq : 0);
    put_dice(item, event, trace);
    if (!json_object_get(item, "cause")) /* the number of a line in somebody else's orders */
        json_object_del(json_object_get(json_object_get(item, "news"), type), "line");
    json_array_append_new(x->story, item);
    return item;
}

static void put_changes(const struct explaining *x, json_t *item, const void *before, const void *after)
{
    json_t *changes = explain_fields(x, before, after);
    if (json_array_size(changes))
        json_object_set(item, "changes", changes);
    json_decref(changes);
}

void explain_story(struct explaining *x, const struct turn_result *result, const struct turn_trace *trace,
                   const void *after, const struct record *record)
{
    const void *before = x->game.state;
    (void)record;
    for (size_t i = 0; i < result->events.count; i++) {
        json_t *item = add_event(x, result->all_events, i, trace, 0);
        if (!item || !explain_all(x))
            continue;
        const void *now = event_watch_at(&trace->states, i);
        put_changes(x, item, before, now);
        before = now;
    }
    if (!explain_all(x))
        return;
    json_t *rest = explain_fields(x, before, after);
    if (json_array_size(rest))
        json_object_set_new(x->facts, "rest", json_pack("{s:O}", "changes", rest));
    json_decref(rest);
}

void explain_instant(struct explaining *x, const void *before, const struct record *record)
{
    const json_t *events = x->game.instant_events;
    const char *kind = json_string_value(json_object_get(record->json, "kind"));
    json_t *last = NULL;
    if (!kind || strcmp(kind, "instant") != 0 || !x->sent_count)
        return;
    for (size_t i = x->instant_told; i < json_array_size(events); i++) {
        json_t *item = add_event(x, events, i, NULL, record->seq);
        last = item ? item : last;
    }
    x->instant_told = json_array_size(events);
    if (last && explain_all(x))
        put_changes(x, last, before, x->game.state);
}

/* ---- draws and proof ---- */

static const char *kind_name(const struct chance_drawn *draw)
{
    switch (draw->kind) {
    case CHANCE_DIE: return "die";
    case CHANCE_PICK: return "pick";
    case CHANCE_SHUFFLE: break;
    }
    return "shuffle";
}

/* The event of the story that shows a draw's result; 0 = none. */
static int event_of(const struct explaining *x, const char *label)
{
    size_t i, k;
    json_t *item, *die;
    json_array_foreach (x->story, i, item)
        json_array_foreach (json_object_get(item, "dice"), k, die)
            if (strcmp(json_string_value(json_object_get(die, "label")), label) == 0)
                return (int)i + 1;
    return 0;
}

void explain_draws(struct explaining *x, const struct turn_result *result, const struct turn_trace *trace)
{
    json_t *list = json_array();
    (void)result;
    for (size_t i = 0; i < trace->draws.count; i++) {
        const struct chance_drawn *draw = &trace->draws.list[i];
        int event = event_of(x, draw->label);
        if (!event && !explain_all(x))
            continue;
        json_t *item = json_pack("{s:s,s:b,s:I,s:b}", "label", draw->label, kind_name(draw), 1, "of",
                                 (json_int_t)draw->of, "hidden", draw->hidden);
        if (event)
            json_object_set_new(item, "event", json_integer(event));
        if (draw->kind == CHANCE_PICK)
            json_object_set_new(item, "last", json_integer((json_int_t)draw->of - 1));
        if (draw->kind != CHANCE_SHUFFLE) {
            json_object_set_new(item, "result", json_integer(draw->result));
            json_object_set_new(item, "number", json_integer(draw->word));
        }
        if (draw->skipped)
            json_object_set_new(item, "skipped", json_integer(draw->skipped));
        if (!draw->hidden)
            explain_hex(item, "key", draw->key, sizeof draw->key);
        json_array_append_new(list, item);
    }
    json_object_set_new(x->facts, "draws", list);
    json_object_set_new(x->facts, "drawn", json_boolean(json_array_size(list) > 0));
}

/* The witnesses whose dice are in R, and those who were excused: {"names"}, each with "more". */
static void put_witnesses(const struct explaining *x, json_t *proof, const char *key, bool answered)
{
    json_t *list = json_array();
    for (int i = 0; i < x->game.witness_count; i++) {
        const struct game_witness *witness = &x->game.witness[i];
        if (!(answered ? witness->answered : witness->excused))
            continue;
        if (json_array_size(list))
            json_object_set_new(json_array_get(list, json_array_size(list) - 1), "more", json_true());
        json_array_append_new(list, json_pack("{s:s,s:b}", "name", witness->player, "more", 0));
    }
    if (json_array_size(list))
        json_object_set_new(proof, key, json_pack("{s:O}", "names", list));
    json_decref(list);
}

void explain_proof(struct explaining *x, const struct turn_result *result, const struct record *record)
{
    struct str alpha = STR_INIT;
    json_t *seals = json_array();
    turn_alpha(&alpha, &x->game);
    for (int seat = 1; seat <= x->game.seats; seat++) {
        const struct game_orders *orders = &x->game.seat[seat].orders;
        json_t *item = json_pack("{s:i,s:s}", "seat", seat, "who", x->game.seat[seat].player);
        if (orders->in)
            explain_hex(item, "seal", orders->seal, SEAL_BYTES);
        json_array_append_new(seals, item);
    }
    json_t *proof = json_pack("{s:I,s:s,s:o}", "record", (json_int_t)record->seq, "pi",
                              json_string_value(json_object_get(record->json, "pi")), "seals", seals);
    explain_time(proof, "time", record->time);
    explain_hex(proof, "vrf_key", x->game.vrf_key, VRF_PUBLIC);
    explain_hex(proof, "create", x->game.create_head, HEAD_BYTES);
    explain_hex(proof, "alpha", alpha.p, alpha.len);
    explain_hex(proof, "root", result->chance.root, sizeof result->chance.root);
    put_witnesses(x, proof, "witnesses", true);
    put_witnesses(x, proof, "excused", false);
    json_object_set_new(x->facts, "proof", proof);
    str_release(&alpha);
}
