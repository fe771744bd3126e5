/* What each seat played in a turn, and where that came from. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "engine/explain_parts.h"
#include "engine/facts.h"

/* ---- where orders and standing lines came from ---- */

void explain_sent(struct explaining *x, const struct record *record, const json_t *facts)
{
    bool ruled = strcmp(record->type, "moderate") == 0;
    const json_t *orders = json_object_get(facts, ruled ? "moderate" : "orders");
    if (ruled ? !json_object_get(orders, "do_orders") : strcmp(record->type, "orders") != 0)
        return;
    const char *mail = json_string_value(json_object_get(orders, "mail"));
    const char *key = json_string_value(json_object_get(orders, "key"));
    x->sent = mem_grow(x->sent, x->sent_count, &x->sent_cap, sizeof *x->sent);
    struct explain_sent *sent = &x->sent[x->sent_count++];
    *sent = (struct explain_sent){.seq = record->seq, .time = record->time, .ruled = ruled};
    sent->seat = (int)json_integer_value(json_object_get(orders, "seat"));
    sent->turn = (int)json_integer_value(json_object_get(orders, "turn"));
    (void)snprintf(sent->mail, sizeof sent->mail, "%s", mail ? mail : "");
    (void)snprintf(sent->key, sizeof sent->key, "%s", key ? key : "");
}

const struct explain_sent *explain_sent_find(const struct explaining *x, int64_t seq)
{
    for (size_t i = x->sent_count; i-- > 0;)
        if (x->sent[i].seq == seq)
            return &x->sent[i];
    return NULL;
}

static struct explain_standing *standing_find(const struct explaining *x, int seat, struct slice line)
{
    for (size_t i = 0; i < x->standing_count; i++)
        if (x->standing[i].seat == seat && slice_eq(line, x->standing[i].line))
            return &x->standing[i];
    return NULL;
}

void explain_standing(struct explaining *x, const struct record *record)
{
    if (strcmp(record->type, "orders") != 0 && strcmp(record->type, "moderate") != 0)
        return;
    int seat = (int)json_integer_value(json_object_get(record->json, "seat"));
    if (seat < 1 || seat > x->game.seats)
        return;
    struct slice rest = slice_str(&x->game.seat[seat].standing);
    struct slice line;
    while (slice_line(&rest, &line)) {
        if (standing_find(x, seat, line))
            continue;
        x->standing = mem_grow(x->standing, x->standing_count, &x->standing_cap, sizeof *x->standing);
        x->standing[x->standing_count++] =
            (struct explain_standing){seat, mem_strndup(line.p, line.len), record->seq};
    }
}

/* ---- one seat ---- */

static void put_sent(struct explaining *x, json_t *seat_facts, const struct game_orders *orders)
{
    const struct explain_sent *sent = explain_sent_find(x, orders->record);
    if (!sent)
        return;
    json_t *facts = json_pack("{s:I,s:b}", "record", (json_int_t)sent->seq, "ruled", sent->ruled);
    if (*sent->mail)
        json_object_set_new(facts, "mail", json_string(sent->mail));
    explain_time(facts, "time", sent->time);
    if (*sent->key)
        json_object_set_new(facts, "key", json_string(sent->key));
    if (sent->turn != x->game.turn)
        json_object_set_new(facts, "earlier", json_integer(sent->turn));
    json_object_set_new(seat_facts, "sent", facts);
}

/* Orders of this turn that later ones replaced. */
static void put_replaced(const struct explaining *x, json_t *facts, int seat)
{
    int64_t in_force = x->game.seat[seat].orders.in ? x->game.seat[seat].orders.record : 0;
    json_t *list = json_array();
    for (size_t i = 0; i < x->sent_count; i++) {
        const struct explain_sent *sent = &x->sent[i];
        if (sent->seat != seat || sent->turn != x->game.turn || sent->seq == in_force)
            continue;
        if (json_array_size(list))
            json_object_set_new(json_array_get(list, json_array_size(list) - 1), "more", json_true());
        json_array_append_new(list, json_pack("{s:I,s:b}", "record", (json_int_t)sent->seq, "more", 0));
    }
    if (json_array_size(list))
        json_object_set_new(facts, "also", json_pack("{s:O}", "records", list));
    json_decref(list);
}

static void put_standing(const struct explaining *x, json_t *facts, int seat)
{
    struct slice rest = slice_str(&x->game.seat[seat].standing);
    struct slice line;
    json_t *list = json_array();
    while (slice_line(&rest, &line)) {
        const struct explain_standing *known = standing_find(x, seat, line);
        json_t *item = json_pack("{s:o}", "line", json_text(line));
        if (known)
            json_object_set_new(item, "record", json_integer(known->seq));
        json_array_append_new(list, item);
    }
    if (json_array_size(list))
        json_object_set_new(facts, "standing", json_pack("{s:O}", "lines", list));
    json_decref(list);
}

static bool has_auto(const struct explaining *x, struct slice text)
{
    struct script *script = script_parse(text, x->game.ruleset->language);
    bool found = false;
    for (size_t i = 0; i < script_line_count(script); i++) {
        const struct script_line *line = script_line(script, i);
        found |= line->kind == LINE_COMMON && strcmp(line->verb, "auto") == 0;
    }
    script_free(script);
    return found;
}

/* What took the place of orders: nothing came, or a robot plays. The rules are those of turn_orders. */
static void put_source(const struct explaining *x, json_t *facts, int seat, bool missed, bool has_script)
{
    const struct game_seat *who = &x->game.seat[seat];
    struct str always = STR_INIT;
    const char *source = "own";
    if (missed)
        standing_always(&always, slice_str(&who->standing), x->game.ruleset->language);
    if (who->robot)
        source = "robot";
    else if (!missed && has_auto(x, slice_str(&who->orders.text)))
        source = "by_auto";
    else if (missed && always.len && has_auto(x, slice_str(&always)))
        source = "always_auto";
    else if (missed && always.len)
        source = "always";
    else if (missed && has_script)
        source = "robot_missed";
    else if (missed)
        source = "by_default";
    json_object_set_new(facts, source, json_true());
    str_release(&always);
}

/* The fate of a line: what the rules said of this piece of the script. */
static void put_fate(const struct explaining *x, json_t *line, int seat, int part,
                     const struct turn_result *result)
{
    static const char *const fates[] = {"done", "failed", "refused", "skipped", NULL};
    for (size_t i = 0; i < result->events.count; i++) {
        const struct event *event = &result->events.list[i];
        int f = 0;
        while (fates[f] && strcmp(fates[f], event->type) != 0)
            f++;
        if (!fates[f] || event->seat != seat || event->part != part)
            continue;
        json_t *one = json_pack("[O]", json_array_get(result->all_events, i));
        json_t *told = json_object();
        facts_news(told, &x->game, seat, one);
        json_t *fate = json_array_get(json_object_get(json_object_get(told, "orders"), "lines"), 0);
        const char *order = json_string_value(json_object_get(fate, "order"));
        const char *text = json_string_value(json_object_get(line, "text"));
        if (fate)
            json_object_set(line, fates[f], json_object_get(fate, fates[f]));
        if (order && strcmp(order, text) != 0)
            json_object_set_new(line, "order", json_string(order));
        if (json_object_get(fate, "why"))
            json_object_set(line, "why", json_object_get(fate, "why"));
        if (json_object_get(fate, "error"))
            json_object_set(line, "error", json_object_get(fate, "error"));
        json_decref(told);
        json_decref(one);
        return;
    }
}

static void put_lines(const struct explaining *x, json_t *facts, int seat, const struct script *script,
                      const struct turn_result *result)
{
    json_t *lines = json_array();
    for (size_t i = 0; i < script_line_count(script); i++) {
        const struct script_line *part = script_line(script, i);
        json_t *line = json_pack("{s:i,s:o}", "number", part->number, "text", json_text(part->text));
        if (part->kind == LINE_WHEN || part->kind == LINE_ALWAYS)
            json_object_set_new(line, "in_force", json_true());
        else if (part->kind == LINE_COMMON)
            json_object_set_new(line, "noted", json_true());
        put_fate(x, line, seat, part->part, result);
        json_array_append_new(lines, line);
    }
    json_object_set_new(facts, "lines", lines);
}

static json_t *seat_facts(struct explaining *x, int seat, const struct turn_result *result)
{
    const struct game_seat *who = &x->game.seat[seat];
    bool missed = false;
    bool awaited = (x->game.ruleset->awaits(x->game.state) & SEAT_BIT(seat)) != 0;
    bool open = casefile_open_to(x->file, &x->reader, seat);
    json_t *facts = json_pack("{s:i,s:s}", "seat", seat, "who", who->player);
    struct script *script = awaited ? turn_orders(&x->game, seat, &missed) : NULL;
    if (awaited && who->orders.in)
        put_sent(x, facts, &who->orders);
    if (awaited)
        put_replaced(x, facts, seat);
    json_object_set_new(facts, "awaited", json_boolean(awaited));
    if (!open) { /* what `seat` and `close` say openly */
        json_object_set_new(facts, who->robot ? "robot" : missed ? "silent" : "closed", json_true());
    } else {
        if (awaited)
            put_source(x, facts, seat, missed, script != NULL);
        if (script)
            put_lines(x, facts, seat, script, result);
        put_standing(x, facts, seat);
    }
    script_free(script);
    return facts;
}

void explain_orders(struct explaining *x, const struct turn_result *result)
{
    json_t *list = json_array();
    for (int seat = 1; seat <= x->game.seats && x->game.turn; seat++) {
        json_t *facts = seat_facts(x, seat, result);
        bool told = json_is_true(json_object_get(facts, "awaited")) || json_object_get(facts, "standing");
        if (told)
            json_array_append(list, facts);
        json_decref(facts);
    }
    if (json_array_size(list))
        json_object_set_new(x->facts, "given", json_pack("{s:O}", "seats", list));
    json_decref(list);
}
