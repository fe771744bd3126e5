/* What each seat played in a turn, and where that came from. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "game/vouched.h"
#include "history/explain_parts.h"
#include "play/facts.h"

#define MAIL_HEAD 16 /* digits of a mail's digest where there is no room for all */

/* ---- where orders and standing lines came from ---- */

void explain_sent(struct explaining *x, const struct record *record, const json_t *facts)
{
    bool ruled = strcmp(record->type, "moderate") == 0;
    const json_t *orders = json_object_get(facts, ruled ? "moderate" : "orders");
    if (ruled ? !json_object_get(orders, "do_orders") : strcmp(record->type, "orders") != 0)
        return;
    const char *mail = json_string_value(json_object_get(orders, "mail"));
    const char *key = json_string_value(json_object_get(orders, "key"));
    const char *page = json_string_value(json_object_get(orders, "made_in"));
    const char *who = json_string_value(json_object_get(orders, ruled ? "moderator" : "who"));
    x->sent = mem_grow(x->sent, x->sent_count, &x->sent_cap, sizeof *x->sent);
    struct explain_sent *sent = &x->sent[x->sent_count++];
    *sent = (struct explain_sent){.seq = record->seq, .time = record->time, .ruled = ruled};
    sent->seat = (int)json_integer_value(json_object_get(orders, "seat"));
    sent->turn = (int)json_integer_value(json_object_get(orders, "turn"));
    sent->by_operator = json_is_true(json_object_get(orders, "operator"));
    (void)snprintf(sent->who, sizeof sent->who, "%s", sent->by_operator ? "the operator" : who ? who : "");
    (void)snprintf(sent->mail, sizeof sent->mail, "%s", mail ? mail : "");
    (void)snprintf(sent->key, sizeof sent->key, "%s", key ? key : "");
    (void)snprintf(sent->made_in, sizeof sent->made_in, "%s", page ? page : "");
}

const struct explain_sent *explain_sent_find(const struct explaining *x, int64_t seq)
{
    for (size_t i = x->sent_count; i-- > 0;)
        if (x->sent[i].seq == seq)
            return &x->sent[i];
    return NULL;
}

const struct explain_sent *explain_sent_last(const struct explaining *x, int seat)
{
    for (size_t i = x->sent_count; i-- > 0;)
        if (x->sent[i].seat == seat)
            return &x->sent[i];
    return NULL;
}

const struct explain_sent *explain_ruled(const struct explaining *x, const struct explain_standing *standing)
{
    const struct explain_sent *sent = standing ? explain_sent_find(x, standing->seq) : NULL;
    return sent && sent->ruled ? sent : NULL;
}

/* Is the line in force this one? An ALWAYS line is carried out without its first word. */
static bool same_line(const struct explain_standing *standing, struct slice line, bool always)
{
    struct slice rest = slice_of(standing->line);
    struct slice word;
    if (!always)
        return slice_eq(line, standing->line);
    return slice_word(&rest, &word) && slice_caseeq(word, "always") && slice_trim(rest).len == line.len &&
           memcmp(slice_trim(rest).p, line.p, line.len) == 0;
}

const struct explain_standing *explain_standing_find(const struct explaining *x, int seat, struct slice line,
                                                     bool always)
{
    for (size_t i = 0; i < x->standing_count; i++) {
        const struct explain_standing *standing = &x->standing[i];
        if (standing->seat == seat && !standing->gone && same_line(standing, line, always))
            return standing;
    }
    return NULL;
}

/* A rollback restores the lines of the record it goes back to. */
static struct explain_standing *brought_back(struct explaining *x, int seat, struct slice line, int64_t back)
{
    for (size_t i = x->standing_count; back && i-- > 0;) {
        struct explain_standing *standing = &x->standing[i];
        if (standing->seat == seat && standing->gone && standing->seq <= back &&
            same_line(standing, line, false))
            return standing;
    }
    return NULL;
}

static void stand(struct explaining *x, int seat, struct slice line, int64_t seq)
{
    struct explain_standing *back = brought_back(x, seat, line, x->plays.list[seq - 1].back);
    if (back) {
        back->gone = false;
        return;
    }
    x->standing = mem_grow(x->standing, x->standing_count, &x->standing_cap, sizeof *x->standing);
    struct explain_standing *standing = &x->standing[x->standing_count++];
    *standing = (struct explain_standing){.seat = seat, .line = slice_dup(line), .seq = seq};
    (void)snprintf(standing->who, sizeof standing->who, "%s", x->game.seat[seat].player);
}

static bool in_force(const struct explaining *x, const struct explain_standing *standing)
{
    struct slice rest = slice_str(&x->game.seat[standing->seat].standing);
    struct slice line;
    while (slice_line(&rest, &line))
        if (slice_eq(line, standing->line))
            return true;
    return false;
}

void explain_standing(struct explaining *x, const struct record *record)
{
    struct slice line;
    if (strcmp(record->type, "orders") != 0 && strcmp(record->type, "moderate") != 0)
        return;
    struct explain_sent *sent = x->sent_count ? &x->sent[x->sent_count - 1] : NULL;
    if (sent && sent->seq == record->seq) {
        const struct game_orders *orders = &x->game.seat[sent->seat].orders;
        sent->played = orders->in && orders->record == record->seq;
    }
    for (size_t i = 0; i < x->standing_count; i++)
        if (!x->standing[i].gone)
            x->standing[i].gone = !in_force(x, &x->standing[i]);
    for (int seat = 1; seat <= x->game.seats; seat++) {
        struct slice rest = slice_str(&x->game.seat[seat].standing);
        while (slice_line(&rest, &line))
            if (!explain_standing_find(x, seat, line, false))
                stand(x, seat, line, record->seq);
    }
}

/* ---- one seat ---- */

static void put_sent(struct explaining *x, json_t *seat_facts, int seat, const struct game_orders *orders)
{
    const struct explain_sent *sent = explain_sent_find(x, orders->record);
    if (!sent)
        return;
    json_t *facts = json_pack("{s:I,s:b,s:b,s:b,s:s}", "record", (json_int_t)sent->seq, "ruled", sent->ruled,
                              "operator", sent->by_operator, "waits", orders->waits, "by", sent->who);
    if (!sent->ruled && strcmp(sent->who, x->game.seat[seat].player) != 0)
        json_object_set_new(facts, "then", json_string(sent->who)); /* who had the seat before */
    if (*sent->mail) {
        json_object_set_new(facts, "mail", json_string(sent->mail));
        json_object_set_new(facts, "mail_head", json_text(slice_sub(slice_of(sent->mail), 0, MAIL_HEAD)));
    }
    explain_time(facts, "time", sent->time);
    if (*sent->key)
        json_object_set_new(facts, "key", json_string(sent->key));
    if (*sent->made_in)
        json_object_set_new(facts, "made_in", json_string(sent->made_in));
    if (orders->vouched)
        json_object_set_new(facts, "vouched", vouched_facts(orders->vouched));
    if (sent->turn != x->game.turn)
        json_object_set_new(facts, "earlier", json_integer(sent->turn));
    json_object_set_new(seat_facts, "sent", facts);
}

/* Orders of this turn that are not the ones played: the player's, a moderator's, which later ones replaced or
 * which nothing replaced (they hold none for the turn, or the seat changed hands), and those that a rollback
 * has undone. */
enum other { OTHER_SENT, OTHER_SENT_TOO, OTHER_SET, OTHER_SET_TOO, OTHER_UNDONE };

/* Nor does this reveal the contents of sealed orders. */
static enum other other_kind(const struct explaining *x, const struct explain_sent *sent)
{
    const struct game_orders *orders = &x->game.seat[sent->seat].orders;
    bool replaced = casefile_open_to(x->file, &x->reader, sent->seat) && sent->played && orders->in &&
                    sent->seq < orders->record;
    if (!x->plays.counts[sent->seq])
        return OTHER_UNDONE;
    if (sent->ruled)
        return replaced ? OTHER_SET : OTHER_SET_TOO;
    return replaced ? OTHER_SENT : OTHER_SENT_TOO;
}

static void put_others(const struct explaining *x, json_t *facts, int seat, const char *key, enum other kind)
{
    int64_t in_force = x->game.seat[seat].orders.in ? x->game.seat[seat].orders.record : 0;
    json_t *list = json_array();
    for (size_t i = 0; i < x->sent_count; i++) {
        const struct explain_sent *sent = &x->sent[i];
        if (sent->seat != seat || sent->turn != x->game.turn || sent->seq == in_force ||
            other_kind(x, sent) != kind)
            continue;
        if (json_array_size(list))
            json_object_set_new(json_array_get(list, json_array_size(list) - 1), "more", json_true());
        json_array_append_new(
            list, json_pack("{s:I,s:s,s:b}", "record", (json_int_t)sent->seq, "by", sent->who, "more", 0));
    }
    if (json_array_size(list))
        json_object_set_new(facts, key, json_pack("{s:O}", "records", list));
    json_decref(list);
}

static void put_standing(const struct explaining *x, json_t *facts, int seat)
{
    struct slice rest = slice_str(&x->game.seat[seat].standing);
    struct slice line;
    json_t *list = json_array();
    while (slice_line(&rest, &line)) {
        const struct explain_standing *known = explain_standing_find(x, seat, line, false);
        json_t *item = json_pack("{s:o}", "line", json_text(line));
        if (known)
            json_object_set_new(item, "record", json_integer(known->seq));
        const struct explain_sent *ruled = explain_ruled(x, known);
        if (ruled)
            json_object_set_new(item, "ruled", json_pack("{s:s}", "by", ruled->who));
        else if (known && strcmp(known->who, x->game.seat[seat].player) != 0)
            json_object_set_new(item, "then", json_string(known->who));
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

/* The rules are those of turn_orders. */
enum explain_source explain_source(const struct explaining *x, int seat)
{
    const struct game_seat *who = &x->game.seat[seat];
    struct str always = STR_INIT;
    enum explain_source source;
    standing_always(&always, slice_str(&who->standing), x->game.ruleset->language);
    if (who->robot && !who->late)
        source = SOURCE_ROBOT;
    else if (who->orders.in)
        source = has_auto(x, slice_str(&who->orders.text)) ? SOURCE_AUTO : SOURCE_OWN;
    else if (always.len)
        source = has_auto(x, slice_str(&always)) ? SOURCE_ALWAYS_AUTO : SOURCE_ALWAYS;
    else if (game_robot_stands_in(&x->game, seat))
        source = SOURCE_ROBOT_MISSED;
    else
        source = SOURCE_DEFAULT;
    str_release(&always);
    return source;
}

static const char *const sources[] = {[SOURCE_OWN] = "own",
                                      [SOURCE_AUTO] = "by_auto",
                                      [SOURCE_ROBOT] = "robot",
                                      [SOURCE_ALWAYS] = "always",
                                      [SOURCE_ALWAYS_AUTO] = "always_auto",
                                      [SOURCE_ROBOT_MISSED] = "robot_missed",
                                      [SOURCE_DEFAULT] = "by_default"};

static void put_told_fate(const struct explaining *x, json_t *line, int seat, json_t *event)
{
    json_t *one = json_pack("[O]", event);
    json_t *told = json_object();
    facts_news(told, &x->game, seat, one);
    json_t *fate = json_array_get(json_object_get(json_object_get(told, "orders"), "lines"), 0);
    const char *type = json_string_value(json_object_get(event, "type"));
    const char *order = json_string_value(json_object_get(fate, "order"));
    const char *text = json_string_value(json_object_get(line, "text"));
    if (fate)
        json_object_set(line, type, json_object_get(fate, type));
    if (order && strcmp(order, text) != 0)
        json_object_set_new(line, "order", json_string(order));
    if (json_object_get(fate, "why"))
        json_object_set(line, "why", json_object_get(fate, "why"));
    if (json_object_get(fate, "unread"))
        json_object_set(line, "unread", json_object_get(fate, "unread"));
    if (x->reader.kind != READER_SEAT || x->reader.seat != seat) /* the words are to the player */
        json_object_set_new(line, "stranger", json_string(x->game.seat[seat].player));
    json_decref(told);
    json_decref(one);
}

/* What is played and shown. */
struct played {
    const struct turn_result *result;
    const struct turn_trace *trace;
};

/* The outcome of a line: what the rules said of this piece of the script; and what it changed without an
 * event. */
static void put_fate(const struct explaining *x, json_t *line, int seat, int part,
                     const struct played *played)
{
    for (size_t i = 0; i < played->result->events.count; i++) {
        const struct event *event = &played->result->events.list[i];
        enum order_result result;
        if (!event_fate(event->type, &result) || event->seat != seat || event->part != part)
            continue;
        put_told_fate(x, line, seat, json_array_get(played->result->all_events, i));
        if (explain_all(x))
            explain_changes(x, line, event_watch_before(&played->trace->states, i),
                            event_watch_after(&played->trace->states, i));
        return;
    }
}

static void put_lines(const struct explaining *x, json_t *facts, int seat, const struct script *script,
                      const struct played *played)
{
    json_t *lines = json_array();
    for (size_t i = 0; i < script_line_count(script); i++) {
        const struct script_line *part = script_line(script, i);
        json_t *line = json_pack("{s:i,s:o}", "number", part->number, "text", json_text(part->text));
        if (part->kind == LINE_WHEN || part->kind == LINE_ALWAYS)
            json_object_set_new(line, "in_force", json_true());
        else if (part->kind == LINE_COMMON)
            json_object_set_new(line, "noted", json_true());
        put_fate(x, line, seat, part->part, played);
        json_array_append_new(lines, line);
    }
    json_object_set_new(facts, "lines", lines);
}

/* Nothing came from somebody who was awaited: says until when it could have. */
static void put_missed(const struct explaining *x, json_t *facts)
{
    json_t *closing = json_object_get(x->facts, "closing");
    if (closing)
        json_object_set(facts, "missed", closing);
}

static json_t *seat_facts(struct explaining *x, int seat, const struct played *played)
{
    const struct game_seat *who = &x->game.seat[seat];
    bool missed = false;
    bool awaited = (x->game.ruleset->awaits(x->game.state) & SEAT_BIT(seat)) != 0;
    bool open = casefile_open_to(x->file, &x->reader, seat);
    json_t *facts = json_pack("{s:i,s:s}", "seat", seat, "who", who->player);
    struct script *script = awaited ? turn_orders(&x->game, seat, &missed) : NULL;
    if (awaited && who->orders.in)
        put_sent(x, facts, seat, &who->orders);
    if (awaited) {
        put_others(x, facts, seat, "also", OTHER_SENT);
        put_others(x, facts, seat, "also_too", OTHER_SENT_TOO);
        put_others(x, facts, seat, "set", OTHER_SET);
        put_others(x, facts, seat, "set_too", OTHER_SET_TOO);
        put_others(x, facts, seat, "undone", OTHER_UNDONE);
    }
    if (missed)
        put_missed(x, facts);
    json_object_set_new(facts, "awaited", json_boolean(awaited));
    if (!open) { /* what `seat` and `close` say publicly */
        json_object_set_new(facts, who->robot ? "robot" : missed ? "silent" : "closed", json_true());
    } else {
        if (awaited)
            json_object_set_new(facts, sources[explain_source(x, seat)], json_true());
        if (script)
            put_lines(x, facts, seat, script, played);
        put_standing(x, facts, seat);
    }
    script_free(script);
    return facts;
}

/* The digests of mails in full, for the end. */
static void put_mails(struct explaining *x, const json_t *seats)
{
    size_t i;
    json_t *seat;
    json_t *list = json_array();
    json_array_foreach (seats, i, seat) {
        const json_t *sent = json_object_get(seat, "sent");
        if (json_object_get(sent, "mail"))
            json_array_append_new(list, json_pack("{s:O,s:O,s:O}", "who", json_object_get(sent, "by"),
                                                  "record", json_object_get(sent, "record"), "mail",
                                                  json_object_get(sent, "mail")));
    }
    if (json_array_size(list))
        json_object_set_new(x->facts, "mails", json_pack("{s:O}", "list", list));
    json_decref(list);
}

void explain_orders(struct explaining *x, const struct turn_result *result, const struct turn_trace *trace)
{
    const struct played played = {result, trace};
    json_t *list = json_array();
    for (int seat = 1; seat <= x->game.seats && x->game.turn; seat++) {
        json_t *facts = seat_facts(x, seat, &played);
        bool told = json_is_true(json_object_get(facts, "awaited")) || json_object_get(facts, "standing");
        if (told)
            json_array_append(list, facts);
        json_decref(facts);
    }
    if (json_array_size(list))
        json_object_set_new(x->facts, "given", json_pack("{s:O}", "seats", list));
    put_mails(x, list);
    json_decref(list);
}
