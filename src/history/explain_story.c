/* The events of a turn with what they came from; draws; the proof. */
#include <stdlib.h>
#include <string.h>

#include "base/changes.h"
#include "base/encode.h"
#include "base/json.h"
#include "base/mem.h"
#include "history/explain_parts.h"
#include "play/facts.h"

/* ---- for whom ---- */

/* The seat from whose view an event is told to the reader; -1 = not at all. Readers other than the seat's
 * owner read of the owner by name, even of what only the owner was told. */
static int eyes_for(const struct explaining *x, uint32_t visible)
{
    int own = x->reader.kind == READER_SEAT ? x->reader.seat : 0;
    if (visible & SEAT_BIT(own))
        return own;
    return explain_all(x) ? own : -1;
}

static void put_told(const struct explaining *x, json_t *item, uint32_t visible)
{
    json_t *list = json_array();
    if (visible == EVENT_PUBLIC || !explain_all(x)) /* the reader may not know who else was told */
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

static void put_sent(json_t *cause, const struct explain_sent *sent)
{
    if (!sent)
        return;
    json_object_set_new(cause, "record", json_integer(sent->seq));
    json_object_set_new(cause, "ruled", json_boolean(sent->ruled));
    if (*sent->mail)
        json_object_set_new(cause, "mail", json_string(sent->mail));
    explain_time(cause, "time", sent->time);
    json_object_set_new(cause, sent->ruled ? "by" : "who", json_string(sent->who));
}

static void put_standing(const struct explaining *x, json_t *cause, const struct explain_standing *standing)
{
    const struct explain_sent *ruled = explain_ruled(x, standing);
    if (!standing)
        return;
    if (ruled)
        json_object_set_new(cause, "by", json_string(ruled->who));
    json_object_set_new(cause, "ruled", json_boolean(ruled != NULL));
    json_object_set_new(cause, "record", json_integer(standing->seq));
    json_object_set_new(cause, "who", json_string(standing->who));
}

/* The order line that was carried out when the event was added: the rules say so. What they do between two
 * lines has none, and its event has no line. */
static void put_cause(const struct explaining *x, json_t *item, const struct event *event,
                      const struct event_watched *by, bool instant)
{
    if (!by->seat || !(event->line || by->when) || !casefile_open_to(x->file, &x->reader, by->seat))
        return;
    const struct game_seat *who = &x->game.seat[by->seat];
    struct slice text = slice_of(by->text);
    bool said = slice_eq(event->type, "said") || slice_eq(event->type, "unheard");
    enum explain_source source = instant || said ? SOURCE_OWN : explain_source(x, by->seat);
    json_t *cause = json_pack("{s:i,s:s,s:o}", "seat", by->seat, "who", who->player, "text", json_text(text));
    if (by->when)
        put_standing(x, cause, explain_standing_find(x, by->seat, text, false));
    else if (source == SOURCE_ALWAYS)
        put_standing(x, cause, explain_standing_find(x, by->seat, text, true));
    else if (instant)
        put_sent(cause, explain_sent_last(x, by->seat));
    else if (source == SOURCE_OWN && who->orders.in)
        put_sent(cause, explain_sent_find(x, who->orders.record));
    json_object_set_new(cause, "standing", json_boolean(by->when));
    json_object_set_new(cause, "always", json_boolean(!by->when && source == SOURCE_ALWAYS));
    json_object_set_new(cause, "robot",
                        json_boolean(!by->when && source != SOURCE_ALWAYS && source != SOURCE_OWN));
    if (!by->when)
        json_object_set_new(cause, "line", json_integer(by->number));
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

/* The facts for the event's words, as {"type": {..}}. It was settled before that the reader may know it. Each
 * event is told alone, because templates may leave out sentences that follow from the one before. */
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

void explain_changes(const struct explaining *x, json_t *item, const void *before, const void *after)
{
    json_t *changes = explain_fields(x, before, after);
    explain_spell(x, changes);
    if (json_array_size(changes))
        json_object_set(item, "changes", changes);
    json_decref(changes);
}

/* The sources: events as they happened, as JSON, and as watched; the draws are NULL where nothing is
 * drawn. */
struct story {
    const struct events *events;
    const json_t *json;
    const struct event_watch *watch;
    const struct turn_trace *trace;
    int64_t instant; /* the record that has carried out deals, 0 = it is a turn */
};

/* Puts an event into the story, unless the reader is told nothing of it. The outcomes of order lines are
 * shown with the lines. */
static void add_event(struct explaining *x, const struct story *story, size_t index)
{
    const struct event *event = &story->events->list[index];
    const json_t *json = json_array_get(story->json, index);
    enum order_result result;
    int eyes = eyes_for(x, event->visible);
    if (event_fate(event->type, &result) || eyes < 0)
        return;
    json_t *item = json_pack("{s:i,s:s%,s:o}", "number", (int)json_array_size(x->story) + 1, "type",
                             event->type.p, event->type.len, "news", event_news(x, json, eyes));
    if (*event->rule)
        json_object_set_new(item, "rule", json_string(event->rule));
    if (story->instant)
        json_object_set_new(item, "at_once", json_integer(story->instant));
    put_told(x, item, event->visible);
    put_cause(x, item, event, &story->watch->list[index], story->instant != 0);
    put_dice(item, json, story->trace);
    if (!json_object_get(item, "cause")) /* the number of a line in somebody else's orders */
        json_object_del(json_object_getn(json_object_get(item, "news"), event->type.p, event->type.len),
                        "line");
    if (explain_all(x))
        explain_changes(x, item, event_watch_before(story->watch, index),
                        event_watch_after(story->watch, index));
    json_array_append_new(x->story, item);
}

/* What changed between two events belongs to none. */
static void put_rest(struct explaining *x, const struct event_watch *watch, const void *after)
{
    json_t *rest = json_array();
    const void *since = x->game.state;
    for (size_t i = 0; i <= watch->count; i++) {
        json_t *changes = explain_fields(x, since, i < watch->count ? event_watch_before(watch, i) : after);
        json_array_extend(rest, changes);
        json_decref(changes);
        since = i < watch->count ? event_watch_after(watch, i) : after;
    }
    explain_spell(x, rest);
    if (json_array_size(rest))
        json_object_set_new(x->facts, "rest", json_pack("{s:O}", "changes", rest));
    json_decref(rest);
}

void explain_story(struct explaining *x, const struct turn_result *result, const struct turn_trace *trace)
{
    const struct story story = {&result->events, result->all_events, &trace->states, trace, 0};
    for (size_t i = 0; i < result->events.count; i++)
        add_event(x, &story, i);
    if (explain_all(x))
        put_rest(x, &trace->states, result->state);
}

void explain_instant(struct explaining *x, const struct record *record)
{
    const char *kind = json_string_value(json_object_get(record->json, "kind"));
    int seat = (int)json_integer_value(json_object_get(record->json, "seat"));
    struct events events;
    struct event_watch watch;
    if (!kind || strcmp(kind, "instant") != 0 || !x->game.state || !x->game.ruleset->instant || seat < 1 ||
        seat > x->game.seats)
        return;
    void *state = mem_copy(x->game.state, x->game.ruleset->state_size);
    events_init(&events);
    event_watch_start(&watch, state, x->game.ruleset->state_size, &events);
    turn_instant(&x->game, seat, state, &events);
    json_t *json = events_json(&events, -1);
    const struct story story = {&events, json, &watch, NULL, record->seq};
    for (size_t i = 0; i < events.count; i++)
        add_event(x, &story, i);
    json_decref(json);
    event_watch_release(&watch);
    events_release(&events);
    free(state);
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

/* The witnesses whose dice are in R, and those who had not answered: {"names"}, each with "more". */
static void put_witnesses(const struct explaining *x, json_t *proof, const char *key, bool answered)
{
    json_t *list = json_array();
    for (int i = 0; i < x->game.witnesses.count; i++) {
        const struct witness *witness = &x->game.witnesses.list[i];
        if (witness->answered != answered)
            continue;
        if (json_array_size(list))
            json_object_set_new(json_array_get(list, json_array_size(list) - 1), "more", json_true());
        json_array_append_new(list, json_pack("{s:s,s:b}", "name", witness->name, "more", 0));
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
    explain_hex(proof, "vrf_key", x->game.draws.key, VRF_PUBLIC);
    explain_hex(proof, "create", game_root(&x->game), HEAD_BYTES);
    explain_hex(proof, "alpha", alpha.p, alpha.len);
    explain_hex(proof, "root", result->chance.root, sizeof result->chance.root);
    put_witnesses(x, proof, "witnesses", true);
    put_witnesses(x, proof, "absent", false);
    json_object_set_new(x->facts, "proof", proof);
    str_release(&alpha);
}
