/* What an answer to a mail of ours means, done or asked back. Nothing is done on a guess: where it is not certain
 * what was typed, or meant, the player is asked, and their "ok" takes what was understood. */
#include "intake/reply_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "game/game_seats.h"
#include "game/turn.h"
#include "game/vouched.h"
#include "orders/script.h"
#include "play/facts.h"
#include "petitions/reply_petition.h"
#include "play/trial.h"
#include "trust/canon.h"

#define HELD_MOST  16384 /* bytes of orders that wait for an "ok" */
#define LINES_MOST 20    /* lines that are quoted as not understood */
#define LATE       86400 /* seconds that a mail may take */
#define SHOWN_MOST 5     /* suggestions that a question shows */

/* ---- asking ---- */

static json_t *doubt_facts(enum typed_doubt doubt)
{
    static const char *const names[] = {[DOUBT_SHORT] = "doubt_short",    [DOUBT_QUESTION] = "doubt_question",
                                        [DOUBT_ORDER] = "doubt_order",    [DOUBT_ODD] = "doubt_odd",
                                        [DOUBT_FIELD] = "doubt_field",    [DOUBT_GAME] = "doubt_game",
                                        [DOUBT_NUMBER] = "doubt_number",  [DOUBT_TIMES] = "doubt_times",
                                        [DOUBT_NEAR] = "doubt_near",      [DOUBT_FOLDED] = "doubt_folded",
                                        [DOUBT_EDITED] = "doubt_edited",  [DOUBT_BLOCK] = "doubt_block",
                                        [DOUBT_MIXED] = "doubt_mixed",    [DOUBT_AUTO] = "doubt_auto",
                                        [DOUBT_MESSAGE] = "doubt_message"};
    return json_pack("{s:{}}", names[doubt]);
}

/* A line that is nothing like ours is shown as unread matter (reply_unread.c), as there is nothing more to say of it. */
static bool is_doubt(const struct typed *typed, const struct typed_line *line)
{
    bool other = line->doubt == DOUBT_NONE || line->doubt == DOUBT_NO_LINE || line->doubt == DOUBT_SENTENCE;
    return !other && (typed_talks(line) || typed->kind == TYPED_NOTHING || line->doubt == DOUBT_GAME);
}

json_t *reply_doubts(const struct typed *typed)
{
    json_t *lines = json_array();
    for (size_t i = 0; i < typed->count; i++) {
        const struct typed_line *line = &typed->lines[i];
        if (is_doubt(typed, line) && json_array_size(lines) < LINES_MOST)
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
        if (line.len)
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
    if (!visit_is_person(a->visit)) /* nobody is asked, and an earlier question stays */
        return 0;
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

/* The orders in force, and nothing that the turn waits for. */
static bool are_settled(const struct game_orders *orders)
{
    return orders->in && !orders->waits && !orders->question;
}

void reply_drop_doubted(struct visit *visit, const json_t *doubts)
{
    size_t i, k;
    json_t *doubt, *line;
    json_array_foreach (doubts, i, doubt)
        for (k = 0; (line = json_array_get(visit->unread, k)) != NULL;)
            if (json_equal(json_object_get(line, "line"), json_object_get(doubt, "line")))
                json_array_remove(visit->unread, k);
            else
                k++;
    if (!json_array_size(visit->unread))
        visit->unread = NULL;
}

/* What could be typed in place of it: suggestions, unless orders are in, and to whom one could write. */
static void add_choices(const struct answering *a, bool offers, json_t *facts)
{
    json_t *list = json_array();
    for (size_t i = 0; i < a->suggestions.count && i < SHOWN_MOST; i++)
        json_array_append_new(list,
                              json_pack("{s:i,s:s}", "number", (int)i + 1, "line", a->suggestions.lines[i]));
    if (offers)
        json_object_set_new(facts, "offered", json_pack("{s:O}", "choices", list));
    json_decref(list);
    const char *other = game_somebody_else(&a->entry->game, a->seat);
    if (other)
        json_object_set_new(facts, "other", json_string(other));
}

/* Orders are in, and would be played but for the question: their player is told that all wait, and how to end that. */
static void add_wait(const struct answering *a, json_t *facts)
{
    const struct game *game = &a->entry->game;
    const struct game_orders *orders = &game->seat[a->seat].orders;
    const bool opens = orders->question || seat_may_be_asked(game, a->seat);
    if (!orders->in || !opens || !game->clock.schedule.early || !(game_awaited(game) & SEAT_BIT(a->seat)))
        return;
    const int64_t now = a->visit->batch->now,
                  since = orders->waits_since > game->opened.at ? orders->waits_since : now;
    json_object_set_new(facts, "turn_waits", json_true());
    if (game->clock.deadline)
        facts_time(facts, "wait_deadline", game->clock.deadline);
    else if (game->seats > 1)
        facts_time(facts, "wait_until", since + TYPO_WAIT_MOST);
}

/* Nothing is done; `lines` are what "ok" would take, perhaps none; `doubts`, which it takes over, why they are asked about
 * (NULL: what the reading says). `why`: a flag for the words. Thanks, a "no", and an "ok" to orders that stand, leave no
 * question open. */
static int ask_about(struct answering *a, const char *why, struct slice lines, json_t *doubts,
                     struct err *err)
{
    const struct game *game = &a->entry->game;
    const bool in = game->seat[a->seat].orders.in;
    char token[REPLY_TOKEN_TEXT], word[REPLY_OK_LETTERS + 1];
    bool can = lines.len > 0 && lines.len <= HELD_MOST, offers = !can && !in && a->suggestions.count;
    a->place.seq = game->seat[a->seat].texts + 1; /* of the mail that asks, whichever was answered */
    doubts = doubts ? doubts : reply_doubts(&a->typed);
    reply_drop_doubted(a->visit, doubts);
    json_t *facts = json_pack("{s:s,s:s,s:i,s:b,s:b,s:b,s:b,s:o}", "game", game->id, "title",
                              game->ruleset->title, "turn", game->turn, why, 1, "can_ok", can, "earlier", in,
                              "has_doubts", json_array_size(doubts) > 0, "lines", doubts);
    if (!can)
        add_choices(a, offers, facts);
    const bool settles =
        strcmp(why, "ask_stands") == 0 || strcmp(why, "ask_nothing") == 0 || strcmp(why, "ask_no") == 0;
    if (!settles || game->seat[a->seat].orders.question)
        add_wait(a, facts);
    if (strcmp(why, "ask_not_read") == 0) {
        json_t *hints = reply_hints(a);
        if (json_object_size(hints))
            json_object_set(facts, "hints", hints);
        json_decref(hints);
    }
    size_t near = 0;
    for (size_t i = 0; i < a->typed.count; i++)
        near += a->typed.lines[i].doubt == DOUBT_NEAR;
    json_object_set_new(facts, "several_near", json_boolean(near > 1));
    if (game->turn > 1)
        json_object_set_new(facts, "last_turn", json_integer(game->turn - 1));
    if (a->reply.doubt.len)
        json_object_set_new(facts, "at_line",
                            json_pack("{s:o}", "line", facts_quote(slice_str(&a->reply.doubt))));
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
    const struct answer_game about = {
        .game = game, .seat = a->seat, .held = can ? lines : (struct slice){"", 0}, .offers = offers};
    const struct reply_place asked = place_of(a, about.held);
    reply_token(token, a->visit->batch->league->master, REPLY_WORD_TOKEN, &asked);
    const struct words words = {.kind = "reply_ask",
                                .folder = game->ruleset->folder,
                                .facts = facts,
                                .about = &about,
                                .understood = settles};
    struct answering *const asks[] = {a, NULL};
    return words.understood ? reply_answer(a->visit, token, &words, err)
                            : reply_ask(a->visit, asks, token, &words, err);
}

static int ask(struct answering *a, const char *why, struct slice lines, struct err *err)
{
    return ask_about(a, why, lines, NULL, err);
}

/* ---- orders ---- */

/* The line of the text that has this number. */
static struct slice numbered(struct slice lines, json_int_t number)
{
    struct slice line = {"", 0};
    while (number-- > 0 && slice_line(&lines, &line))
        continue;
    return line;
}

json_t *reply_extra_words(const struct answering *a, struct slice lines, bool *wrong)
{
    const struct game *game = &a->entry->game;
    struct str named = STR_INIT;
    turn_names(&named, game, lines);
    struct script *script = script_parse(slice_str(&named), a->game.language);
    json_t *all = trial_wrong(game, a->seat, script, false), *extra = json_array();
    size_t i;
    json_t *line;
    *wrong = json_array_size(all) > 0 || trial_stands(script);
    json_array_foreach (all, i, line)
        if (json_object_get(line, "unread") || json_object_get(json_object_get(line, "why"), "extra_words")) {
            json_object_set_new(
                line, "line",
                facts_quote(numbered(lines, json_integer_value(json_object_get(line, "number")))));
            json_object_set_new(line, "doubt", json_pack("{s:{}}", "doubt_extra"));
            json_array_append(extra, line);
        }
    json_decref(all);
    script_free(script);
    str_release(&named);
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
    bool wrong;
    json_t *extra = reply_extra_words(a, lines, &wrong);
    bool plain = !resigns(a, lines) && !json_array_size(extra) && !reply_is_late(a);
    json_decref(extra);
    return plain;
}

/* ---- what was typed ---- */

/* What would be done, if it is meant: what was typed above the quote, and below it. */
static int ask_typed(struct answering *a, const char *why, json_t *doubts, struct err *err)
{
    struct str lines = STR_INIT;
    if (a->held.len && a->typed.command == TYPED_IS_OK)
        str_addslice(&lines, slice_str(&a->held)); /* that it agrees to */
    typed_understood(&lines, &a->typed, &a->game);
    typed_understood(&lines, &a->below, &a->game);
    doubts = doubts ? doubts : reply_doubts(&a->typed);
    reply_offer(a, &lines, doubts);
    int rc = ask_about(a, why, slice_str(&lines), doubts, err);
    str_release(&lines);
    return rc;
}

/* Why lines that were understood have to be asked about. */
static const char *why_unsure(const struct typed *typed)
{
    static const char *const whys[] = {[DOUBT_NEAR] = "ask_near",
                                       [DOUBT_EDITED] = "ask_form",
                                       [DOUBT_MIXED] = "ask_mixed",
                                       [DOUBT_AUTO] = "ask_auto",
                                       [DOUBT_MESSAGE] = "ask_message"};
    for (size_t i = 0; i < typed->count; i++) {
        enum typed_doubt doubt = typed->lines[i].doubt;
        if (typed_talks(&typed->lines[i]) && doubt < sizeof whys / sizeof *whys && whys[doubt])
            return whys[doubt];
    }
    return "ask_unsure";
}

/* Every line of that kind. */
static int hear_lines(struct answering *a, const struct typed *typed, enum typed_is is, struct err *err)
{
    bool found = false; /* in a game all of them are */
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < typed->count; i++)
        if (typed->lines[i].is == is)
            rc = visit_hear_reply(a->visit, &typed->lines[i], &a->entry->game, &found, err);
    return rc;
}

/* Messages, appeals, and what is the player's own: these go with all else. */
static int hear_beside(struct answering *a, const struct typed *typed, struct err *err)
{
    int rc = 0;
    for (enum typed_is is = TYPED_IS_PRESS; rc == 0 && is <= TYPED_IS_PREFS; is++)
        rc = hear_lines(a, typed, is, err);
    return rc;
}

/* The orders in force, given again: "final", that they do not wait for better ones; "undo", that they do. */
static int give_again(struct answering *a, enum reply_manner manner, struct err *err)
{
    const struct game_orders *orders = &a->entry->game.seat[a->seat].orders;
    if (!orders->in || !orders->text.len)
        return ask(a, manner == REPLY_WAIT ? "ask_no_undo" : "ask_no_final", (struct slice){"", 0}, err);
    return reply_give(a, slice_str(&orders->text), manner, err);
}

/* A message that is understood ends a question about an answer that was not: most likely that was to be it. Then the orders in force
 * need not wait for it any more, and are given again. But where lines wait for an "ok", or the orders themselves for better ones, those
 * are still open. */
static int is_question_over(const struct answering *a, const struct typed *typed, bool *over, struct err *err)
{
    const struct game_orders *orders = &a->entry->game.seat[a->seat].orders;
    struct str held = STR_INIT;
    int seq = 0;
    *over = false;
    if (!typed->press || !orders->in || !orders->text.len || !orders->question || orders->waits ||
        orders->final || a->place.turn != a->entry->game.turn)
        return 0;
    int rc = a->held.len ? 0
                         : catalog_get_held(a->visit->batch->catalog, a->place.player, a->place.game, &seq,
                                            &held, err);
    *over = rc == 0 && (!held.len || seq != a->entry->game.seat[a->seat].texts + 1);
    str_release(&held);
    return rc;
}

/* Does all that these lines say. Orders come last, as they may end the turn: all else is about the turn that the mail
 * names. */
static int obey(struct answering *a, const struct typed *typed, struct slice orders, struct err *err)
{
    int rc = hear_beside(a, typed, err);
    for (enum typed_is is = TYPED_IS_STOP; rc == 0 && is <= TYPED_IS_EXTEND; is++)
        rc = hear_lines(a, typed, is, err);
    if (rc == 0 && typed->orders)
        return reply_give(a, orders, typed->final ? REPLY_FINAL : REPLY_PLAIN, err);
    if (rc || typed->final)
        return rc ? rc : give_again(a, REPLY_FINAL, err);
    bool over = false;
    if (is_question_over(a, typed, &over, err))
        return -1;
    return over ? give_again(a, REPLY_PLAIN, err) : 0;
}

/* "ok" to a question: all that it showed. */
static int take_held(struct answering *a, struct err *err)
{
    const struct reply_place place = place_of(a, slice_str(&a->held));
    struct typed typed;
    struct str lines = STR_INIT;
    int rc;
    reply_read(a->visit, slice_str(&a->held), &a->game, 1, &typed);
    typed_orders(&lines, &typed, &a->game, 0);
    if (typed.resigns && !reply_ok_is(a, &place))
        rc = ask(a, "ask_word", slice_str(&a->held), err);
    else if (typed.command == TYPED_IS_UNDO)
        rc = give_again(a, REPLY_WAIT, err);
    else
        rc = obey(a, &typed, slice_str(&lines), err);
    str_release(&lines);
    typed_release(&typed);
    return rc;
}

/* "ok" without a question of ours: to a receipt, that its orders are meant as they are; to a report, its first
 * suggestion, which "yes, please" does not take. Where a fix is waited for, it may mean both; to any other mail, anything:
 * that is asked about. */
static int agree(struct answering *a, struct err *err)
{
    const struct game_orders *orders = &a->entry->game.seat[a->seat].orders;
    const struct slice none = {"", 0};
    bool polite = false;
    if (a->held.len)
        return take_held(a, err);
    for (size_t i = 0; i < a->typed.count; i++)
        polite |= a->typed.lines[i].is == TYPED_IS_OK && a->typed.lines[i].polite;
    if (orders->in && !a->offered && is_old(a))
        return ask(a, "ask_old", slice_str(&orders->text), err);
    if (orders->in && !a->offered)
        return are_settled(orders) ? ask(a, "ask_stands", none, err) : give_again(a, REPLY_FINAL, err);
    if (!a->reply.ours || !a->suggestions.count)
        return ask(a, "ask_changed", none, err);
    struct str lines = STR_INIT;
    str_addf(&lines, "%s\n", a->suggestions.lines[0]);
    int rc = !a->offered     ? ask(a, "ask_unoffered", slice_str(&lines), err)
             : orders->waits ? ask(a, "ask_either", slice_str(&lines), err)
             : polite        ? ask(a, "ask_polite", slice_str(&lines), err)
                             : reply_give(a, slice_str(&lines), REPLY_PLAIN, err);
    str_release(&lines);
    return rc;
}

static bool has_picks(const struct typed *typed)
{
    for (size_t i = 0; i < typed->count; i++)
        if (typed->lines[i].is == TYPED_IS_PICK)
            return true;
    return false;
}

/* Are names in the orders misspelt, and is nothing else wrong with them? Then they are read as they are meant. */
static bool mend(struct answering *a)
{
    struct str lines = STR_INIT, mended = STR_INIT;
    typed_orders(&lines, &a->typed, &a->game, 0);
    bool is = trial_mended(&a->entry->game, a->seat, slice_str(&lines), &mended);
    if (is)
        typed_mend(&a->typed, &a->game, 0, slice_str(&mended));
    str_release(&lines);
    str_release(&mended);
    return is;
}

/* What is not certain anyway. */
static int ask_unsure(struct answering *a, struct err *err)
{
    if (a->typed.orders)
        (void)mend(a);
    return ask_typed(a, why_unsure(&a->typed), NULL, err);
}

static int act_on(struct answering *a, struct err *err)
{
    const struct typed *typed = &a->typed;
    const struct slice none = {"", 0};
    bool agrees = typed->command == TYPED_IS_OK, undoes = typed->command == TYPED_IS_UNDO;
    if ((agrees || undoes) && hear_beside(a, typed, err))
        return -1;
    if (agrees)
        return agree(a, err);
    if (undoes)
        return give_again(a, REPLY_WAIT, err);
    if (has_picks(typed) && !a->reply.ours)
        return ask(a, "ask_changed", none, err);
    if (has_picks(typed) && !a->offered)
        return ask_typed(a, "ask_unoffered", NULL, err);
    if (typed->resigns)
        return ask_typed(a, "ask_resign", NULL, err);
    struct str lines = STR_INIT;
    typed_orders(&lines, typed, &a->game, 0);
    if (lines.len)
        typed_questions(&lines, typed, 0);
    bool wrong;
    json_t *extra = reply_extra_words(a, slice_str(&lines), &wrong);
    int rc;
    if (wrong && typed->orders && mend(a))
        rc = ask_typed(a, "ask_near", NULL, err);
    else if (json_array_size(extra))
        rc = ask_typed(a, "ask_extra", json_incref(extra), err);
    else
        rc = obey(a, typed, slice_str(&lines), err);
    json_decref(extra);
    str_release(&lines);
    return rc;
}

/* Those for which the language has words bring what they bring in a signed text. */
static int give_questions(struct answering *a, struct err *err)
{
    struct str lines = STR_INIT;
    typed_questions(&lines, &a->typed, 0);
    int rc = lines.len ? reply_give(a, slice_str(&lines), REPLY_PLAIN, err) : 0;
    str_release(&lines);
    return rc;
}

/* Nothing in it is about the game: the first line may ask for something else. */
static int hear_request(struct answering *a, bool *found, struct err *err)
{
    size_t i = 0;
    while (i < a->typed.count && a->typed.lines[i].is != TYPED_IS_UNREAD)
        i++;
    if (i == a->typed.count)
        return 0;
    json_t *unread = a->visit->unread;
    a->visit->unread = NULL; /* the line is read */
    int rc = reply_request(a->visit, subject_words(a->typed.lines[i].line), found, err);
    if (!*found)
        a->visit->unread = unread;
    return rc;
}

/* What is certain is done, and all else asked about. */
static int act_or_ask(struct answering *a, struct err *err)
{
    const struct slice none = {"", 0};
    const struct typed *typed = &a->typed;
    const struct game_orders *orders = &a->entry->game.seat[a->seat].orders;
    /* "ok" to a question of ours is nothing else, wherever the quote begins. */
    bool agreed = a->bound && a->held.len && typed->command == TYPED_IS_OK && typed->kind == TYPED_CLEAR;
    if (agreed)
        return act_on(a, err);
    bool certain = a->bound && a->reply.fate == REPLY_TYPED;
    if (typed->kind == TYPED_ASKS && a->below.kind == TYPED_NOTHING)
        return give_questions(a, err); /* wherever the quote begins: they change nothing */
    if (typed->kind == TYPED_NOTHING && a->below.kind == TYPED_NOTHING) {
        bool found = false;
        int rc = hear_request(a, &found, err);
        if (rc || found)
            return rc;
        return ask(a,
                   json_array_size(a->unread) ? "ask_not_read"
                   : typed->declines          ? "ask_no"
                   : are_settled(orders)      ? "ask_stands"
                                              : "ask_nothing",
                   none, err);
    }
    if (!certain)
        return ask_typed(a, "ask_quote", NULL, err);
    if (a->below.kind != TYPED_NOTHING)
        return ask_typed(a, "ask_below", NULL, err);
    /* Orders above the quote and below it: half of them may be an older answer, or the other half of this. */
    if (typed_talks_around(typed, slice_str(&a->reply.typed), a->reply.under))
        return ask_typed(a, "ask_around", NULL, err);
    if (typed->kind == TYPED_UNSURE && a->offered && !a->held.len && typed_ok_is_first(&a->typed, &a->game))
        a->visit->understood = true;
    return typed->kind == TYPED_UNSURE ? ask_unsure(a, err) : act_on(a, err);
}

int reply_act(struct answering *a, struct err *err)
{
    const struct slice none = {"", 0};
    const struct game *game = &a->entry->game;
    switch (a->reply.fate) {
    case REPLY_HIDDEN: return ask(a, "ask_hidden", none, err);
    case REPLY_AMBIGUOUS: return ask(a, "ask_ambiguous", none, err);
    case REPLY_UNREADABLE: return ask(a, "ask_unreadable", none, err);
    case REPLY_HELD:
    case REPLY_TYPED: break;
    }
    if (act_or_ask(a, err))
        return -1;
    /* The questions that did not enter the text of orders. */
    bool given = a->visit->taken && (a->typed.orders || a->typed.kind == TYPED_ASKS);
    return reply_questions(a->visit, &(struct reply_asked){&a->typed, &game, 1, given}, err);
}

/* ---- answers to mails whose turn is over ---- */

bool reply_moved(const struct game *game, int seat)
{
    return seat && game->ruleset->early && game->seat[seat].told < game->turn;
}

/* Is a mail of ours quoted, so that none of its words is taken for one that was typed? */
static bool quotes_ours(const struct visit *visit)
{
    struct reply_whole whole;
    struct slice nonce;
    reply_whole(&whole, &visit->reading->domain->body);
    bool quotes = whole.count > 0;
    for (size_t i = 0; i < whole.count; i++)
        quotes &= reply_boundary_find(slice_str(&whole.text[i]), &nonce) != (size_t)-1;
    reply_whole_release(&whole);
    return quotes;
}

/* Numbers are not known any more, whichever they were. */
static int read_past(struct answering *a, struct err *err)
{
    struct visit *visit = a->visit;
    a->place.game = a->entry->game.id;
    reply_game(a, NULL);
    a->game.suggestions = NULL;
    if (reply_cut(REPLY_VERSION, &visit->reading->domain->body, (struct slice){"", 0}, &a->reply, err))
        return -1;
    reply_read(visit, slice_str(&a->reply.typed), &a->game, 1, &a->typed);
    return reply_unread(a, err);
}

int reply_act_past(struct answering *a, bool *done, struct err *err)
{
    const struct game *game = &a->entry->game;
    const struct typed *typed = &a->typed;
    *done = a->heard = false;
    a->seat = game_seat_of(game, a->visit->sender->name);
    if (!a->seat || game->over || !game->turn)
        return 0;
    if (read_past(a, err))
        return -1;
    bool others = false;
    for (size_t i = 0; i < typed->count; i++) {
        a->heard |= typed->lines[i].is == TYPED_IS_PRESS;
        others |= typed_talks(&typed->lines[i]) && typed->lines[i].is != TYPED_IS_PRESS &&
                  typed->lines[i].is != TYPED_IS_NOBODY;
    }
    a->heard &=
        typed->kind == TYPED_CLEAR && quotes_ours(a->visit) && visit_is_to_us(a->visit) && !reply_is_late(a);
    if (a->heard && hear_lines(a, typed, TYPED_IS_PRESS, err))
        return -1;
    *done = a->heard && !others;
    const bool open = reply_place_now(&a->place, game, a->seat);
    if (*done || !open)
        return 0;
    const bool moved = reply_moved(game, a->seat);
    if (typed->kind == TYPED_UNSURE && typed->press && !typed->orders)
        *done = true;
    else if (moved && typed->kind == TYPED_CLEAR && (typed->orders || typed->command == TYPED_IS_UNDO))
        *done = true;
    if (!*done)
        return 0;
    if (typed->command == TYPED_IS_UNDO)
        return game->seat[a->seat].orders.in ? ask(a, "ask_undo_moved", slice_of("undo\n"), err)
                                             : ask(a, "ask_no_undo", (struct slice){"", 0}, err);
    return ask_typed(a, typed->orders ? "ask_moved" : "ask_message", NULL, err);
}
