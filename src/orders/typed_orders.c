/* The lines of a typed text that are orders. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orders/script_tree.h"
#include "orders/typed_parts.h"

static bool is_verb(const struct language *language, const char *word)
{
    for (const struct verb *verb = language->verbs; verb && verb->name; verb++)
        if (!(verb->flags & VERB_STANDING) && strcmp(verb->name, word) == 0)
            return true;
    return false;
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

static bool says(struct slice line)
{
    struct word word;
    return words_split(line, &word, 1) != 0 && strcmp(word.text, "say") == 0;
}

static enum typed_doubt doubt_of(const struct typed_line *line, const struct language *language)
{
    struct word words[WORDS_PER_LINE];
    if (says(line->text))
        return DOUBT_NONE;
    if (memchr(line->text.p, ';', line->text.len))
        return DOUBT_PARTED;
    if (memchr(line->text.p, '?', line->text.len))
        return DOUBT_QUESTION;
    int count = words_split(line->text, words, WORDS_PER_LINE);
    if (count < 0)
        return DOUBT_ODD;
    for (int i = 0; i < count; i++)
        if (is_short(language, &words[i]))
            return DOUBT_SHORT;
    return DOUBT_NONE;
}

static void make_unknown(struct typed_line *line, enum typed_doubt doubt)
{
    if (doubt == DOUBT_NONE)
        return;
    line->is = TYPED_IS_UNKNOWN;
    line->doubt = doubt;
    line->asks = false;
}

static bool is_order(const struct typed_line *line)
{
    return line->is == TYPED_IS_ORDER || line->is == TYPED_IS_EDITED;
}

static bool asks(const char *word)
{
    static const char *const words[] = {"help", "rules", "status", "standing"};
    bool found = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        found |= strcmp(word, words[i]) == 0;
    return found;
}

/* `index` has the orders in the script, in its order. */
static void judge(struct typed *typed, const struct script *script, const size_t *index)
{
    for (size_t i = 0; i < script_line_count(script); i++) {
        const struct script_line *one = script_line(script, i);
        struct typed_line *line = &typed->lines[index[one->number - 1]];
        bool common = one->kind == LINE_COMMON && one->verb;
        if (one->kind == LINE_BAD || (common && strcmp(one->verb, "turn") == 0))
            make_unknown(line, DOUBT_ORDER);
        else if (common && strcmp(one->verb, "resign") == 0)
            typed->resigns = true;
        else if (common && line->is == TYPED_IS_ORDER)
            line->asks = asks(one->verb);
    }
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
        make_unknown(line, doubt_of(line, language));
        if (!is_order(line))
            continue;
        index[count++] = i;
        str_addslice(&body, line->text);
        str_addc(&body, '\n');
    }
    if (count) {
        struct script *script = script_parse(slice_str(&body), language);
        judge(typed, script, index);
        script_free(script);
    }
    free(index);
    str_release(&body);
}

void typed_check_orders(struct typed *typed, const struct typed_by *by)
{
    for (size_t i = 0; i < by->game_count; i++)
        check_game(typed, i, by->games[i].language);
}
