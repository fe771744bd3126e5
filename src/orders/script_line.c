#include "orders/script_tree.h"

#include <stdarg.h>
#include <string.h>

#include "base/nearest.h"
#include "base/reason.h"

/* Takes ownership. */
static void node_bad(struct node *node, json_t *why)
{
    node->line.kind = LINE_BAD;
    node->line.why = why;
    node->line.verb = NULL;
    node->line.trigger = NULL;
    node->line.rest = (struct slice){NULL, 0};
    node->cancel = CANCEL_NOTHING;
    node->phases = 0;
}

void node_fail(struct node *node, const char *why, ...)
{
    if (node->line.kind == LINE_BAD)
        return;
    va_list args;
    va_start(args, why);
    node_bad(node, reason_vmake(why, args));
    va_end(args);
}

/* From the word at `at` to the end of the line. */
static struct slice text_from(const struct reader *reader, const struct node *node, size_t at)
{
    const char *end = node->line.text.p + node->line.text.len;
    const char *begin = at < reader->count ? reader->word[at].raw.p : end;
    return slice_trim((struct slice){begin, (size_t)(end - begin)});
}

static bool only_fillers(const struct reader *reader, size_t at)
{
    while (at < reader->count && word_is_filler(reader->word[at].text))
        at++;
    return at == reader->count;
}

/* ---- lines of the engine ---- */

static int cancel_read(struct reader *reader, struct node *node)
{
    reader_skip_fillers(reader);
    if (reader_take(reader, "always")) {
        node->cancel = CANCEL_ALWAYS;
    } else if (reader_take(reader, "all")) {
        node->cancel = CANCEL_ALL;
    } else if (reader_take(reader, "when")) {
        node->cancel = CANCEL_WHEN;
        reader_skip_fillers(reader);
        if (!reader_end(reader)) {
            node->cancelled = find_trigger(reader->language, &reader->word[reader->at]);
            if (!node->cancelled)
                return fail_no_trigger(reader);
            reader->at++;
        }
    }
    if (node->cancel == CANCEL_NOTHING || !only_fillers(reader, reader->at))
        return reader_fail(reader, "cancel_takes");
    return 0;
}

static int common_read(struct reader *reader, struct node *node, const char *word)
{
    struct slice said = reader->word[reader->at++].raw;
    const char *end = node->line.text.p + node->line.text.len;
    const char *rest = said.p + said.len;
    node->line.kind = LINE_COMMON;
    node->line.verb = word;
    node->line.rest = slice_trim((struct slice){rest, (size_t)(end - rest)});
    if (strcmp(word, "cancel") == 0)
        return cancel_read(reader, node);
    if (strcmp(word, "help") == 0)
        return 0;
    if (strcmp(word, "say") == 0) {
        struct slice text = node->line.rest;
        struct slice part;
        if (!slice_word(&text, &part) || !slice_word(&text, &part))
            return reader_fail(reader, "say_needs");
        return 0;
    }
    if (strcmp(word, "turn") == 0) {
        if (reader_end(reader) || reader->word[reader->at].kind != WORD_NUMBER)
            return reader_fail(reader, "turn_needs");
        node->line.rest = reader->word[reader->at++].raw;
    }
    return only_fillers(reader, reader->at) ? 0 : reader_fail(reader, "alone word=%s", word);
}

/* ---- standing lines ---- */

/* An impossible answer is reported when the mail is read, not when it fails. */
static int answers_check(struct reader *reader, const struct node *node, const struct trigger *trigger)
{
    const struct script *script = reader->script;
    for (size_t b = 0; reader->language->unfit && b < node->branches.count; b++) {
        const struct span *orders = &script->branches[node->branches.from + b].orders;
        for (size_t i = 0; i < orders->count; i++) {
            const char *why = reader->language->unfit(trigger, script_args(script, node->trigger_args),
                                                      script->orders[orders->from + i].verb);
            if (why)
                return reader_fail(reader, "said words=%s", why);
        }
    }
    return 0;
}

/* Nothing in the line is an order: perhaps one of its words was meant to be one. */
static int no_answer(struct reader *reader, size_t from)
{
    for (size_t i = from; i < reader->count; i++) {
        struct nearest nearest = NEAREST_INIT(reader->word[i].text);
        for (const struct verb *verb = reader->language->verbs; verb && verb->name; verb++)
            nearest_offer(&nearest, verb->name);
        if (nearest.best && 3 * nearest.distance <= strlen(reader->word[i].text)) {
            reader->at = i;
            return fail_no_verb(reader);
        }
    }
    return reader_fail(reader, "no_answer");
}

static int when_read(struct reader *reader, struct node *node)
{
    reader->standing = true;
    reader_skip_fillers(reader);
    const struct trigger *trigger =
        reader_end(reader) ? NULL : find_trigger(reader->language, &reader->word[reader->at]);
    if (!trigger)
        return fail_no_trigger(reader);
    size_t from = ++reader->at;
    bool needs = *trigger->args && *trigger->args != '[';
    while (!reader_end(reader) && !reader_is(reader, "if") && !reader_is(reader, "then")) {
        if (!(needs && reader->at == from) && reader_starts_order(reader, reader->at))
            break;
        reader->at++;
    }
    node->trigger_args = reader_args(reader, from, reader->at, trigger->keywords, false);
    reader_take(reader, "then");
    if (reader_end(reader))
        return no_answer(reader, from);
    node->line.kind = LINE_WHEN;
    node->line.trigger = trigger->name;
    node->line.rest = text_from(reader, node, reader->at);
    return stmt_read(reader, node) ? -1 : answers_check(reader, node, trigger);
}

static int always_read(struct reader *reader, struct node *node)
{
    reader_skip_fillers(reader);
    node->line.kind = LINE_ALWAYS;
    node->line.rest = text_from(reader, node, reader->at);
    /* AUTO is not an order of the game but of the engine: the robot plays the turn. */
    bool automatic = reader_is(reader, "auto") && only_fillers(reader, reader->at + 1);
    if (automatic && !find_verb(reader->language, &reader->word[reader->at], false, sizeof "auto")) {
        node->line.verb = "auto";
        return 0;
    }
    return stmt_read(reader, node);
}

/* ---- any line ---- */

static int if_read(struct reader *reader, struct node *node, enum shape *shape)
{
    size_t from = reader->at++;
    if (cond_read(reader, &node->atoms)) {
        /* Whether a block was meant decides what happens to the lines after it. */
        *shape = SHAPE_IF_BAD;
        for (size_t i = from + 2; i < reader->count; i++)
            if (strcmp(reader->word[i].text, "then") == 0 || reader_starts_order(reader, i))
                *shape = SHAPE_IF_BAD_LINE;
        return -1;
    }
    reader_take(reader, "then");
    if (only_fillers(reader, reader->at)) {
        *shape = SHAPE_IF;
        node->line.kind = LINE_BLOCK;
        return 0;
    }
    reader->at = from;
    return stmt_read(reader, node);
}

static int plain_read(struct reader *reader, struct node *node, enum shape *shape)
{
    const struct word *word = &reader->word[reader->at];
    const char *common = find_common(word->text);
    if (reader_is(reader, "if"))
        return if_read(reader, node, shape);
    if (reader_take(reader, "when"))
        return when_read(reader, node);
    if (reader_take(reader, "always"))
        return always_read(reader, node);
    /* A word of the game takes precedence over a common one of the same spelling. */
    if (common && !find_verb(reader->language, word, false, WORD_MAX + 1))
        return common_read(reader, node, common);
    return stmt_read(reader, node);
}

/* ENDIF, END IF and ELSE alone. True when the line was one of them. */
static bool edge_read(struct reader *reader, struct node *node, enum shape *shape)
{
    bool two = reader_is(reader, "end") && reader->at + 1 < reader->count &&
               strcmp(reader->word[reader->at + 1].text, "if") == 0;
    if (reader_is(reader, "endif") || two) {
        *shape = SHAPE_ENDIF;
        reader->at += two ? 2 : 1;
        if (!only_fillers(reader, reader->at))
            (void)reader_fail(reader, "endif_alone");
    } else if (reader_take(reader, "else")) {
        *shape = only_fillers(reader, reader->at) ? SHAPE_ELSE : SHAPE_ELSE_BAD;
        if (*shape == SHAPE_ELSE_BAD)
            (void)reader_fail(reader, "else_alone");
    } else {
        return false;
    }
    node->line.kind = LINE_BLOCK;
    return true;
}

enum shape line_read(struct script *script, const struct language *language, struct node *node)
{
    struct word words[WORDS_PER_LINE];
    enum shape shape = SHAPE_PLAIN;
    int count = words_split(node->line.text, words, WORDS_PER_LINE);
    struct reader reader = {.script = script, .language = language, .word = words};
    reader.count = count < 0 ? WORDS_PER_LINE : (size_t)count;
    node->line.kind = LINE_ORDERS;
    reader_skip_fillers(&reader);
    if (reader_end(&reader)) {
        (void)reader_fail(&reader, "no_order");
    } else if (count < 0 && !reader_is(&reader, "say")) {
        (void)reader_fail(&reader, "long_line most=%d", WORDS_PER_LINE);
        if (!edge_read(&reader, node, &shape) && reader_is(&reader, "if"))
            shape = SHAPE_IF_BAD;
    } else if (!edge_read(&reader, node, &shape)) {
        if (plain_read(&reader, node, &shape) && !reader.why)
            (void)reader_fail(&reader, "unknown_line");
    }
    if (reader.why)
        node_bad(node, reader.why);
    return shape;
}
