/* The lines of a typed text that are orders. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orders/script_tree.h"
#include "orders/typed_parts.h"

#define SENTENCE 4 /* words in a row that the language does not have */

static bool is_verb(const struct language *language, const char *word)
{
    const struct verb *verb = language_verb(language, word);
    return verb && !(verb->flags & VERB_STANDING);
}

bool typed_begins_order(struct slice line, const struct language *language)
{
    static const char *const starts[] = {"if", "else", "endif", "when", "always", "repeat"};
    struct word word;
    if (words_split(line, &word, 1) == 0 || word.raw.p != line.p)
        return false;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (strcmp(word.text, starts[i]) == 0)
            return true;
    return is_verb(language, word.text) || find_common(word.text);
}

/* A word that is the beginning of a verb, and nothing that the language has in full. */
static bool is_short(const struct language *language, const struct word *word)
{
    size_t len = strlen(word->text);
    if (word->kind != WORD_TEXT || language_has_word(language, word->text))
        return false;
    for (const struct verb *verb = language->verbs; verb && verb->name; verb++)
        if (len > 1 && strncmp(verb->name, word->text, len) == 0)
            return true;
    return false;
}

/* Do four words follow each other that the language does not have? No thing has such a long name: it is a sentence. */
static bool is_sentence(const struct language *language, const struct word *words, int count)
{
    int strange = 0;
    for (int i = 1; i < count && strange < SENTENCE; i++) {
        if (words[i].kind == WORD_TEXT && word_is_filler(words[i].text))
            continue;
        strange = words[i].kind == WORD_TEXT && !language_has_word(language, words[i].text) ? strange + 1 : 0;
    }
    return strange == SENTENCE;
}

static enum typed_doubt doubt_of(struct slice line, const struct language *language)
{
    struct word words[WORDS_PER_LINE];
    int count = words_split(line, words, WORDS_PER_LINE);
    if (count > 0 && strcmp(words[0].text, "say") == 0)
        return DOUBT_NONE;
    if (memchr(line.p, '?', line.len))
        return DOUBT_QUESTION;
    if (count < 0 || is_sentence(language, words, count))
        return DOUBT_SENTENCE;
    for (int i = 0; i < count; i++)
        if (is_short(language, &words[i]))
            return DOUBT_SHORT;
    return DOUBT_NONE;
}

/* "else", "endif", "end if" alone. */
static bool ends_block(struct slice line)
{
    struct word words[3];
    int count = words_split(line, words, 3);
    return (count == 1 && (strcmp(words[0].text, "else") == 0 || strcmp(words[0].text, "endif") == 0)) ||
           (count == 2 && strcmp(words[0].text, "end") == 0 && strcmp(words[1].text, "if") == 0);
}

bool typed_is_order(struct slice line, const struct language *language)
{
    if (!typed_begins_order(line, language) || doubt_of(line, language) != DOUBT_NONE)
        return false;
    struct script *script = script_parse(line, language);
    bool good = script_errors(script) == 0;
    for (size_t i = 0; i < script_line_count(script); i++)
        good &=
            script_line(script, i)->kind != LINE_COMMON || strcmp(script_line(script, i)->verb, "turn") != 0;
    script_free(script);
    return good;
}

static bool is_order(const struct typed_line *line)
{
    return line->is == TYPED_IS_ORDER || line->is == TYPED_IS_EDITED;
}

static void make_unread(struct typed_line *line, enum typed_doubt doubt)
{
    line->is = TYPED_IS_UNREAD;
    line->doubt = doubt;
    line->asks = false;
}

static bool asks(const char *word)
{
    static const char *const words[] = {"help", "rules", "status", "standing"};
    bool found = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        found |= strcmp(word, words[i]) == 0;
    return found;
}

/* `index` has the orders in the script, in its order. True when no order is certain: a block is ended that none has
 * begun, as the line that was to begin it may not have been understood, or lines are for another turn. */
static bool judge(struct typed *typed, const struct script *script, const size_t *index)
{
    bool stray = false;
    for (size_t i = 0; i < script_line_count(script); i++) {
        const struct script_line *one = script_line(script, i);
        struct typed_line *line = &typed->lines[index[one->number - 1]];
        bool common = one->kind == LINE_COMMON && one->verb;
        if (one->kind == LINE_BAD || (common && strcmp(one->verb, "turn") == 0)) {
            stray |= common || ends_block(line->text);
            make_unread(line, DOUBT_ORDER);
        } else if (common && strcmp(one->verb, "resign") == 0) {
            typed->resigns = true;
        } else if (common && line->is == TYPED_IS_ORDER) {
            line->asks = asks(one->verb);
        }
    }
    return stray;
}

static void check_game(struct typed *typed, size_t game, const struct language *language)
{
    struct str body = STR_INIT;
    size_t *index = mem_array(typed->count + 1, sizeof *index);
    size_t count = 0;
    for (size_t i = 0; i < typed->count; i++) {
        struct typed_line *line = &typed->lines[i];
        if (!is_order(line) || line->game != game)
            continue;
        enum typed_doubt doubt = doubt_of(line->text, language);
        if (doubt != DOUBT_NONE) {
            make_unread(line, doubt);
            continue;
        }
        index[count++] = i;
        str_addslice(&body, line->text);
        str_addc(&body, '\n');
    }
    struct script *script = script_parse(slice_str(&body), language);
    bool stray = judge(typed, script, index);
    for (size_t i = 0; stray && i < count; i++)
        if (is_order(&typed->lines[index[i]]))
            typed->lines[index[i]].doubt = DOUBT_BLOCK;
    script_free(script);
    free(index);
    str_release(&body);
}

void typed_check_orders(struct typed *typed, const struct typed_by *by)
{
    for (size_t i = 0; i < by->game_count; i++)
        check_game(typed, i, by->games[i].language);
}

unsigned typed_plays(struct slice order, const struct language *language)
{
    struct script *script = script_parse(order, language);
    const unsigned plays = script_plays(script);
    script_free(script);
    return plays;
}

void typed_without_auto(struct str *out, struct slice order, const struct language *language)
{
    struct script *script = script_parse(order, language);
    const size_t begin = out->len;
    for (size_t i = 0; i < script_line_count(script); i++)
        if (!(script_line_plays(script, i) & (PLAYS_AUTO | PLAYS_ALWAYS_AUTO)))
            str_addf(out, "%s%.*s", out->len > begin ? "; " : "", (int)script_line(script, i)->text.len,
                     script_line(script, i)->text.p);
    script_free(script);
}
