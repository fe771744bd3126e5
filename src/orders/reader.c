#include "orders/script_tree.h"

#include <stdarg.h>
#include <string.h>

#include "base/mem.h"
#include "base/reason.h"
#include "base/utf8.h"
#include "base/nearest.h"
#include "orders/vocabulary.h"

#define QUOTE_MAX 40

int reader_fail(struct reader *reader, const char *why, ...)
{
    if (reader->why)
        return -1;
    va_list args;
    va_start(args, why);
    reader->why = reason_vmake(why, args);
    va_end(args);
    return -1;
}

bool reader_end(const struct reader *reader)
{
    return reader->at == reader->count;
}

bool reader_is(const struct reader *reader, const char *text)
{
    return !reader_end(reader) && strcmp(reader->word[reader->at].text, text) == 0;
}

bool reader_take(struct reader *reader, const char *text)
{
    bool is = reader_is(reader, text);
    if (is)
        reader->at++;
    return is;
}

void reader_skip_fillers(struct reader *reader)
{
    while (!reader_end(reader) && word_is_filler(reader->word[reader->at].text))
        reader->at++;
}

void reader_quote(const struct reader *reader, size_t at, struct str *out)
{
    if (at >= reader->count) {
        str_adds(out, "the end of the line");
        return;
    }
    struct slice raw = reader->word[at].raw;
    size_t len = 0;
    while (len < raw.len && len < QUOTE_MAX) {
        size_t step;
        (void)utf8_next(slice_sub(raw, len, raw.len), &step);
        len += step;
    }
    str_addc(out, '"');
    utf8_safe(out, slice_sub(raw, 0, len), false);
    str_adds(out, len < raw.len ? "...\"" : "\"");
}

struct slice reader_text(const struct reader *reader, size_t from, size_t to)
{
    if (from >= to)
        return (struct slice){NULL, 0};
    const char *begin = reader->word[from].raw.p;
    struct slice last = reader->word[to - 1].raw;
    return (struct slice){begin, (size_t)(last.p + last.len - begin)};
}

bool is_condition_filler(const char *word)
{
    if (strcmp(word, "and") == 0)
        return false;
    return word_is_filler(word) || strcmp(word, "is") == 0 || strcmp(word, "are") == 0 ||
           strcmp(word, "than") == 0;
}

struct span reader_args(struct reader *reader, size_t from, size_t to, const char *keywords, bool condition)
{
    struct script *script = reader->script;
    struct span span = {script->word_count, 0};
    for (size_t i = from; i < to; i++) {
        const struct word *word = &reader->word[i];
        if (!condition && word->kind == WORD_OP && strcmp(word->text, "=") == 0)
            continue;
        if (condition && is_condition_filler(word->text))
            continue;
        if (word_is_filler(word->text) && !word_listed(keywords ? keywords : "", word->text))
            continue;
        script->words = mem_grow(script->words, script->word_count, &script->word_cap, sizeof *script->words);
        script->words[script->word_count++] = *word;
        span.count++;
    }
    return span;
}

/* ---- looking words up in the language's tables ---- */

enum fit { FIT_NONE, FIT_BEGINNING, FIT_EXACT };

static enum fit fit(const struct word *word, const char *name, size_t least)
{
    size_t len = strlen(word->text);
    if (word->kind == WORD_OP || !len)
        return FIT_NONE;
    if (strcmp(word->text, name) == 0)
        return FIT_EXACT;
    return len >= least && strncmp(word->text, name, len) == 0 ? FIT_BEGINNING : FIT_NONE;
}

const struct verb *find_verb(const struct language *language, const struct word *word, bool standing,
                             size_t least)
{
    const struct verb *found = NULL;
    size_t matches = 0;
    for (const struct verb *verb = language->verbs; verb && verb->name; verb++) {
        enum fit how = verb->flags & VERB_STANDING && !standing ? FIT_NONE : fit(word, verb->name, least);
        if (how == FIT_EXACT)
            return verb;
        if (how == FIT_BEGINNING) {
            found = verb;
            matches++;
        }
    }
    return matches == 1 ? found : NULL;
}

const struct counter *find_counter(const struct language *language, const struct word *word)
{
    const struct counter *found = NULL;
    size_t matches = 0;
    for (const struct counter *counter = language->counters; counter && counter->name; counter++) {
        enum fit how = fit(word, counter->name, 2);
        if (how == FIT_EXACT)
            return counter;
        if (how == FIT_BEGINNING) {
            found = counter;
            matches++;
        }
    }
    return matches == 1 ? found : NULL;
}

const struct trigger *find_trigger(const struct language *language, const struct word *word)
{
    const struct trigger *found = NULL;
    size_t matches = 0;
    for (const struct trigger *trigger = language->triggers; trigger && trigger->name; trigger++) {
        enum fit how = fit(word, trigger->name, 2);
        if (how == FIT_EXACT)
            return trigger;
        if (how == FIT_BEGINNING) {
            found = trigger;
            matches++;
        }
    }
    return matches == 1 ? found : NULL;
}

bool reader_starts_order(const struct reader *reader, size_t at)
{
    const struct word *word = &reader->word[at];
    return strcmp(word->text, "repeat") == 0 || find_verb(reader->language, word, reader->standing, 3);
}

/* ---- sentences for unknown words ---- */

const char *const order_common_words[] = {"say",    "status", "standing", "help", "rules", "resign",
                                          "cancel", "try",    "auto",     "turn", NULL};
const char *const order_line_words[] = {"if", "else", "endif", "when", "always", "repeat", NULL};

const char *find_common(const char *word)
{
    for (size_t i = 0; order_common_words[i]; i++)
        if (strcmp(word, order_common_words[i]) == 0)
            return order_common_words[i];
    return NULL;
}

static bool is_line_word(const char *word)
{
    for (size_t i = 0; order_line_words[i]; i++)
        if (strcmp(word, order_line_words[i]) == 0)
            return true;
    return false;
}

/* "<player> give <list>" has "give", but also "player" and "list". */
static bool among_arguments(const char *args, const char *word)
{
    size_t len = strlen(word);
    for (const char *p = args; (p = strstr(p, word)) != NULL; p++) {
        char before = ' ';
        char after = p[len];
        if (p > args)
            before = p[-1];
        if ((before < 'a' || before > 'z') && (after < 'a' || after > 'z'))
            return true;
    }
    return false;
}

static bool in_tables(const struct language *language, const char *word)
{
    for (const struct verb *v = language->verbs; v && v->name; v++)
        if (strcmp(v->name, word) == 0 || among_arguments(v->args, word))
            return true;
    for (const struct counter *c = language->counters; c && c->name; c++)
        if (strcmp(c->name, word) == 0 || among_arguments(c->args, word))
            return true;
    for (const struct trigger *t = language->triggers; t && t->name; t++)
        if (strcmp(t->name, word) == 0 || among_arguments(t->args, word))
            return true;
    return false;
}

const struct verb *language_verb(const struct language *language, const char *name)
{
    const struct verb *verb = language->verbs;
    while (verb && verb->name && strcmp(verb->name, name) != 0)
        verb++;
    return verb && verb->name ? verb : NULL;
}

bool language_has_word(const struct language *language, const char *word)
{
    static const char *const others[] = {"then", "or",   "and",  "not",  "ok",  "fail", "have",
                                         "most", "more", "less", "than", "all", "max"};
    struct word read;
    if ((word[0] >= '0' && word[0] <= '9') ||
        (words_split(slice_of(word), &read, 1) == 1 && read.kind != WORD_TEXT))
        return true; /* a number, or read as one and what follows it */
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(word, others[i]) == 0)
            return true;
    return find_common(word) || is_line_word(word) || word_is_filler(word) || in_tables(language, word);
}

void language_arguments(const struct language *language, void (*see)(void *arg, const char *word), void *arg)
{
    for (const struct verb *v = language->verbs; v && v->name; v++)
        for (const char *p = v->args; *p;) {
            char word[WORD_MAX + 1];
            size_t len = 0;
            if (*p == '<') /* what it stands for has names of its own */
                p += strcspn(p, ">");
            for (; len < WORD_MAX && *p >= 'a' && *p <= 'z'; p++)
                word[len++] = *p;
            word[len] = '\0';
            if (!len)
                p++;
            else if (len > 1) /* "n" is a number */
                see(arg, word);
        }
}

bool language_near(const struct language *language, const char *word,
                   bool (*near)(const char *word, const char *known),
                   bool (*see)(void *arg, const char *known), void *arg)
{
    for (const struct verb *v = language->verbs; v && v->name; v++)
        if (near(word, v->name) && see(arg, v->name))
            return true;
    for (const struct counter *c = language->counters; c && c->name; c++)
        if (near(word, c->name) && see(arg, c->name))
            return true;
    for (const struct trigger *t = language->triggers; t && t->name; t++)
        if (near(word, t->name) && see(arg, t->name))
            return true;
    for (size_t i = 0; order_common_words[i]; i++)
        if (near(word, order_common_words[i]) && see(arg, order_common_words[i]))
            return true;
    for (size_t i = 0; order_line_words[i]; i++)
        if (near(word, order_line_words[i]) && see(arg, order_line_words[i]))
            return true;
    return false;
}

static void add_listed(struct str *list, const char *name)
{
    if (list->len)
        str_adds(list, ", ");
    str_adds(list, name);
}

/* The word begins a line of its own, or more than one verb begins with it, or it has one letter only, or the
 * verb is only allowed after WHEN. */
static bool fail_verb_known(struct reader *reader, const struct word *word, const char *quoted)
{
    struct str names = STR_INIT;
    size_t matches = 0;
    const struct verb *reaction = find_verb(reader->language, word, true, 2);
    for (const struct verb *verb = reader->language->verbs; verb && verb->name; verb++) {
        if ((verb->flags & VERB_STANDING && !reader->standing) || fit(word, verb->name, 1) == FIT_NONE)
            continue;
        add_listed(&names, verb->name);
        matches++;
    }
    if (find_common(word->text) || is_line_word(word->text))
        (void)reader_fail(reader, "line_start word=%s", quoted);
    else if (matches)
        (void)reader_fail(reader, "ambiguous_verb word=%s list=%s", quoted, names.p);
    else if (reaction && !reader->standing)
        (void)reader_fail(reader, "answer_only word=%s", quoted);
    str_release(&names);
    return reader->why != NULL;
}

int fail_no_verb(struct reader *reader)
{
    struct str text = STR_INIT;
    struct str list = STR_INIT;
    const struct word *word = &reader->word[reader->at];
    struct nearest nearest = NEAREST_INIT(reader_end(reader) ? "" : word->text);
    reader_quote(reader, reader->at, &text);
    if (reader_end(reader)) {
        (void)reader_fail(reader, "ends_for_order");
        goto out;
    }
    if (word->kind != WORD_TEXT) {
        (void)reader_fail(reader, "order_expected word=%s", text.p);
        goto out;
    }
    if (fail_verb_known(reader, word, text.p))
        goto out;
    for (const struct verb *verb = reader->language->verbs; verb && verb->name; verb++) {
        if (verb->flags & VERB_STANDING && !reader->standing)
            continue;
        nearest_offer(&nearest, verb->name);
        add_listed(&list, verb->name);
    }
    for (size_t i = 0; order_line_words[i]; i++)
        nearest_offer(&nearest, order_line_words[i]);
    for (size_t i = 0; order_common_words[i]; i++)
        nearest_offer(&nearest, order_common_words[i]);
    if (nearest.best)
        (void)reader_fail(reader, "verb_meant word=%s meant=%s", text.p, nearest.best);
    else
        (void)reader_fail(reader, "verb_unknown word=%s list=%s", text.p, list.p);
out:
    str_release(&text);
    str_release(&list);
    return -1;
}

int fail_no_condition(struct reader *reader)
{
    static const char *const own[] = {"ok", "fail", "have", "turn"};
    struct str text = STR_INIT;
    struct str list = STR_INIT;
    struct nearest nearest = NEAREST_INIT(reader_end(reader) ? "" : reader->word[reader->at].text);
    reader_quote(reader, reader->at, &text);
    if (reader_end(reader)) {
        (void)reader_fail(reader, "ends_for_condition");
        goto out;
    }
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        if (i == 2 && !reader->language->have)
            continue;
        nearest_offer(&nearest, own[i]);
        add_listed(&list, own[i]);
    }
    for (const struct counter *counter = reader->language->counters; counter && counter->name; counter++) {
        nearest_offer(&nearest, counter->name);
        add_listed(&list, counter->name);
    }
    if (nearest.best)
        (void)reader_fail(reader, "condition_meant word=%s meant=%s", text.p, nearest.best);
    else
        (void)reader_fail(reader, "condition_unknown word=%s list=%s", text.p, list.p);
out:
    str_release(&text);
    str_release(&list);
    return -1;
}

int fail_no_trigger(struct reader *reader)
{
    struct str text = STR_INIT;
    struct str list = STR_INIT;
    struct nearest nearest = NEAREST_INIT(reader_end(reader) ? "" : reader->word[reader->at].text);
    for (const struct trigger *trigger = reader->language->triggers; trigger && trigger->name; trigger++) {
        nearest_offer(&nearest, trigger->name);
        add_listed(&list, trigger->name);
    }
    if (!list.len) {
        (void)reader_fail(reader, "no_when");
    } else if (reader_end(reader)) {
        (void)reader_fail(reader, "when_needs list=%s", list.p);
    } else {
        reader_quote(reader, reader->at, &text);
        if (nearest.best)
            (void)reader_fail(reader, "trigger_meant word=%s meant=%s", text.p, nearest.best);
        else
            (void)reader_fail(reader, "trigger_unknown word=%s list=%s", text.p, list.p);
    }
    str_release(&text);
    str_release(&list);
    return -1;
}
