/* What an answer to a mail of ours means, done or asked back. Nothing is done on a guess: where it is not certain
 * what was typed, or meant, the player is asked, and their "ok" takes what was understood. */
#include "intake/reply_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "game/vouched.h"
#include "orders/script.h"
#include "play/facts.h"
#include "play/trial.h"
#include "trust/canon.h"

#define HELD_MOST  16384 /* bytes of orders that wait for an "ok" */
#define LINES_MOST 20    /* lines that are quoted as not understood */
#define LATE       86400 /* seconds that a mail may take */

/* ---- asking ---- */

static json_t *doubt_facts(enum typed_doubt doubt)
{
    static const char *const names[] = {
        [DOUBT_NO_LINE] = "doubt_no_line",   [DOUBT_SHORT] = "doubt_short", [DOUBT_PARTED] = "doubt_parted",
        [DOUBT_QUESTION] = "doubt_question", [DOUBT_ORDER] = "doubt_order", [DOUBT_ODD] = "doubt_odd",
        [DOUBT_FOLDED] = "doubt_folded",     [DOUBT_GAME] = "doubt_game",   [DOUBT_NUMBER] = "doubt_number",
        [DOUBT_MIXED] = "doubt_mixed"};
    return json_pack("{s:{}}", names[doubt]);
}

json_t *reply_doubts(const struct typed *typed)
{
    json_t *lines = json_array();
    for (size_t i = 0; i < typed->count; i++) {
        const struct typed_line *line = &typed->lines[i];
        if (line->is == TYPED_IS_UNKNOWN && json_array_size(lines) < LINES_MOST)
            json_array_append_new(lines, json_pack("{s:o,s:o}", "line", facts_quote(line->line), "doubt",
                                                   doubt_facts(line->doubt)));
    }
    return lines;
}

static json_t *orders_facts(struct slice lines)
{
    json_t *list = json_array();
    struct slice line;
    while (slice_line(&lines, &line))
        json_array_append_new(list, json_pack("{s:o}", "line", json_text(line)));
    return list;
}

static bool resigns(const struct answering *a, struct slice lines)
{
    struct script *script = script_parse(lines, a->game.language);
    bool found = false;
    for (size_t i = 0; i < script_line_count(script); i++) {
        const struct script_line *line = script_line(script, i);
        found |= line->kind == LINE_COMMON && strcmp(line->verb, "resign") == 0;
    }
    script_free(script);
    return found;
}

/* Without whose word an "ok" takes no orders that cannot be taken back. */
static struct reply_place place_of(const struct answering *a, struct slice lines)
{
    struct reply_place place = a->place;
    place.also = lines;
    return place;
}

static int hold(const struct answering *a, struct slice lines, struct err *err)
{
    struct batch *batch = a->visit->batch;
    char *text = slice_dup(lines);
    const struct catalog_held held = {.player = a->place.player,
                                      .game = a->place.game,
                                      .seq = a->place.seq,
                                      .lines = text,
                                      .time = batch->now};
    int rc = catalog_hold(batch->catalog, &held, err);
    free(text);
    return rc;
}

/* Nothing is done; `lines` are what "ok" would take, perhaps none. `why`: a flag for the words. */
static int ask(struct answering *a, const char *why, struct slice lines, struct err *err)
{
    const struct game *game = &a->entry->game;
    char token[REPLY_TOKEN_TEXT], word[REPLY_OK_LETTERS + 1];
    bool can = lines.len > 0 && lines.len <= HELD_MOST;
    a->place.seq = game->seat[a->seat].texts + 1; /* of the mail that asks, whichever was answered */
    json_t *facts = json_pack("{s:s,s:s,s:i,s:b,s:o,s:b}", "game", game->id, "title", game->ruleset->title,
                              "turn", game->turn, why, 1, "lines", reply_doubts(&a->typed), "can_ok", can);
    json_object_set_new(facts, "has_doubts", json_boolean(json_array_size(json_object_get(facts, "lines"))));
    if (can) {
        if (hold(a, lines, err)) {
            json_decref(facts);
            return -1;
        }
        json_object_set_new(facts, "orders", orders_facts(lines));
    }
    if (can && resigns(a, lines)) {
        const struct reply_place place = place_of(a, lines);
        reply_ok_word(word, a->visit->batch->league->master, &place);
        json_object_set_new(facts, "ok_word", json_pack("{s:s}", "word", word));
    }
    const struct answer_game about = {game, a->seat, can ? lines : (struct slice){"", 0}, NULL};
    const struct reply_place asked = place_of(a, about.held);
    reply_token(token, a->visit->batch->league->master, REPLY_WORD_TOKEN, &asked);
    return reply_answer(
        a->visit, token,
        &(struct words){
            .kind = "reply_ask", .folder = game->ruleset->folder, .facts = facts, .about = &about},
        err);
}

/* ---- orders ---- */

/* A line whose order has words left over is most likely a sentence: "build trust with bob". */
static bool has_extra_words(const struct answering *a, struct slice lines)
{
    struct script *script = script_parse(lines, a->game.language);
    json_t *wrong = trial_wrong(&a->entry->game, a->seat, script, false);
    bool extra = false;
    size_t i;
    json_t *line;
    json_array_foreach (wrong, i, line)
        extra |=
            json_object_get(line, "unread") || json_object_get(json_object_get(line, "why"), "extra_words");
    json_decref(wrong);
    script_free(script);
    return extra;
}

/* Orders came after the mail that is answered: what "ok" or "undo" says by now may differ from what it said. */
static bool is_old(const struct answering *a)
{
    return a->place.seq <= a->entry->game.seat[a->seat].texts;
}

bool reply_is_late(const struct answering *a)
{
    const struct mail_proof *proof = &a->visit->reading->domain->proof;
    const int64_t now = a->visit->batch->now, arrived = proof->arrived < now ? proof->arrived : now;
    const int64_t named = game_head_time(&a->entry->game, a->head);
    return arrived - vouched_written(proof->sent, arrived, named) > LATE;
}

int reply_give(struct answering *a, struct slice lines, enum reply_manner manner, struct err *err)
{
    struct visit *visit = a->visit;
    const struct mail_proof *proof = &visit->reading->domain->proof;
    struct opened opened = {.proof = proof, .exact = STR_INIT, .text = STR_INIT, .body = STR_INIT};
    const struct reply_orders orders = {a->place.seq, proof->content, manner, lines,
                                        *a->head ? a->head : NULL};
    struct str text = STR_INIT;
    bool kept = false;
    if (reply_room(visit, &kept, err))
        return -1;
    if (!kept)
        return 0;
    (void)snprintf(opened.player, sizeof opened.player, "%s", visit->sender->name);
    reply_text(&text, &a->entry->game, &orders);
    canon_text(&opened.text, slice_str(&text));
    str_addslice(&opened.exact, slice_str(&opened.text));
    struct err why = ERR_INIT;
    bool given = false, late = reply_is_late(a);
    int rc = late || is_old(a) ? reply_was_given(visit, a->entry, &given, err) : 0;
    if (given) {
        reply_seen(visit);
    } else if (rc == 0 && late) {
        rc = ask(a, "ask_late", manner == REPLY_WAIT ? (struct slice){"", 0} : lines, err);
    } else if (rc == 0 &&
               frame_receive(slice_str(&opened.exact), slice_str(&opened.text), &opened.frame, &why)) {
        rc = ask(a, "ask_long", (struct slice){"", 0}, err);
    } else if (rc == 0) {
        verdict_about(&visit->verdict, &opened.frame);
        rc = visit_orders(visit, a->entry, &opened, err);
    }
    str_release(&text);
    str_release(&opened.exact);
    str_release(&opened.text);
    str_release(&opened.body);
    return rc;
}

bool reply_is_plain(const struct answering *a, struct slice lines)
{
    return !resigns(a, lines) && !has_extra_words(a, lines) && !reply_is_late(a);
}

static int give_typed(struct answering *a, struct err *err)
{
    struct str lines = STR_INIT;
    int rc;
    typed_orders(&lines, &a->typed, &a->game, 0);
    if (resigns(a, slice_str(&lines)))
        rc = ask(a, "ask_resign", slice_str(&lines), err);
    else if (has_extra_words(a, slice_str(&lines)))
        rc = ask(a, "ask_extra", slice_str(&lines), err);
    else
        rc = reply_give(a, slice_str(&lines), typed_final(&a->typed, 0) ? REPLY_FINAL : REPLY_PLAIN, err);
    str_release(&lines);
    return rc;
}

/* What would be understood, if it is meant. */
static int ask_typed(struct answering *a, const char *why, struct err *err)
{
    struct str lines = STR_INIT;
    typed_orders(&lines, &a->typed, &a->game, 0);
    int rc = ask(a, why, slice_str(&lines), err);
    str_release(&lines);
    return rc;
}

/* ---- commands ---- */

/* "ok": the orders that we asked about, or the first suggestion of the mail that is answered. */
static int agree(struct answering *a, struct err *err)
{
    struct slice held = slice_str(&a->held);
    if (held.len) {
        const struct reply_place place = place_of(a, held);
        if (resigns(a, held) && !reply_ok_is(a, &place))
            return ask(a, "ask_word", held, err);
        return reply_give(a, held, REPLY_PLAIN, err);
    }
    if (!a->reply.ours || !a->suggestions.count)
        return ask(a, "ask_changed", (struct slice){"", 0}, err);
    struct str lines = STR_INIT;
    str_addf(&lines, "%s\n", a->suggestions.lines[0]);
    int rc = reply_give(a, slice_str(&lines), REPLY_PLAIN, err);
    str_release(&lines);
    return rc;
}

/* "undo": what was ordered stays, as it cannot be unsaid, but the turn waits for better orders. */
static int undo(struct answering *a, struct err *err)
{
    const struct game_orders *orders = &a->entry->game.seat[a->seat].orders;
    if (!orders->in || !orders->text.len)
        return ask(a, "ask_no_undo", (struct slice){"", 0}, err);
    return reply_give(a, slice_str(&orders->text), REPLY_WAIT, err);
}

/* Every line of that kind: a message, or the one command that is none of the above. Those that cannot be obeyed
 * here are asked about. */
static int hear_lines(struct answering *a, enum typed_is is, struct err *err)
{
    bool found = false, all = true;
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < a->typed.count; i++)
        if (a->typed.lines[i].is == is) {
            rc = visit_hear_reply(a->visit, &a->typed.lines[i], &a->entry->game, &found, err);
            all &= found;
        }
    return rc || all ? rc : ask(a, "ask_unsure", (struct slice){"", 0}, err);
}

static int command(struct answering *a, struct err *err)
{
    if (a->typed.command == TYPED_IS_OK)
        return agree(a, err);
    if (a->typed.command == TYPED_IS_UNDO)
        return undo(a, err);
    return hear_lines(a, a->typed.command, err);
}

/* ---- all of it ---- */

static bool has_picks(const struct typed *typed)
{
    for (size_t i = 0; i < typed->count; i++)
        if (typed->lines[i].is == TYPED_IS_PICK)
            return true;
    return false;
}

static int give_orders(struct answering *a, struct err *err)
{
    if (has_picks(&a->typed) && !a->reply.ours)
        return ask(a, "ask_changed", (struct slice){"", 0}, err);
    return give_typed(a, err);
}

static int act_on(struct answering *a, struct err *err)
{
    int rc = 0;
    switch (a->typed.kind) {
    case TYPED_UNSURE: return ask_typed(a, "ask_unsure", err);
    case TYPED_HELD: return ask_typed(a, "ask_form", err);
    case TYPED_NOTHING: return ask(a, "ask_nothing", (struct slice){"", 0}, err);
    case TYPED_COMMAND: rc = command(a, err); break;
    case TYPED_PRESS: return hear_lines(a, TYPED_IS_PRESS, err);
    case TYPED_ORDERS:
    case TYPED_PICKS: rc = give_orders(a, err); break;
    }
    /* Where the rest is asked back, the messages beside it are not sent either. */
    return rc || !a->visit->taken ? rc : hear_lines(a, TYPED_IS_PRESS, err);
}

int reply_act(struct answering *a, struct err *err)
{
    const struct slice none = {"", 0};
    switch (a->reply.fate) {
    case REPLY_HIDDEN: return ask(a, "ask_hidden", none, err);
    case REPLY_AMBIGUOUS: return ask(a, "ask_ambiguous", none, err);
    case REPLY_UNREADABLE: return ask(a, "ask_unreadable", none, err);
    case REPLY_HELD:
    case REPLY_TYPED: break;
    }
    /* "ok" to a question of ours is nothing else, wherever the quote begins. */
    bool agreed = a->held.len && a->typed.command == TYPED_IS_OK;
    bool certain = a->bound && (agreed || a->reply.fate == REPLY_TYPED);
    return certain || a->typed.kind == TYPED_NOTHING ? act_on(a, err) : ask_typed(a, "ask_quote", err);
}
