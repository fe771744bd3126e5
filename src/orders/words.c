#include "orders/words.h"

#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/utf8.h"

#define NUMBER_MAX     999999
#define NAME_WORDS     8
#define NAME_SPLIT     16 /* with fillers */
#define CANDIDATES_MAX 10
#define JOINED_MAX     (NAME_WORDS * WORD_MAX + 1)
#define UTF8_LONGEST   4

enum glyph { GLYPH_LETTER, GLYPH_BLANK, GLYPH_NOTHING, GLYPH_OPERATOR };

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_dash(uint32_t cp)
{
    return cp == '-' || (cp >= 0x2010 && cp <= 0x2015) || cp == 0x2212;
}

static bool is_blank(uint32_t cp)
{
    if (cp <= ' ' || cp == 0x7F)
        return true;
    if (cp < 0x7F)
        return strchr(",.:;\"*+&%", (int)cp) != NULL;
    return cp == 0xA0 || cp == 0x2007 || cp == 0x202F || cp == 0xAB || cp == 0xBB || cp == 0xB7 ||
           cp == 0x2022 || (cp >= 0x201C && cp <= 0x201F) || cp == 0x2033;
}

static bool is_nothing(uint32_t cp)
{
    return cp == '\'' || cp == '`' || cp == 0xB4 || cp == 0x2BC || (cp >= 0x2018 && cp <= 0x201B) ||
           cp == 0x2032 || cp == 0xAD || cp == 0x200B || cp == 0xFEFF;
}

/* What is at the beginning of `rest`. A dash is a space, except before a digit where a number could
 * begin: dropping the sign of "-1" would turn it into another number. For the same reason ! and ? are spaces
 * only at the end of a word. */
static enum glyph glyph_at(struct slice rest, bool in_word, size_t *len)
{
    if (is_letter(rest.p[0]) || is_digit(rest.p[0])) { /* the most frequent case */
        *len = 1;
        return GLYPH_LETTER;
    }
    uint32_t cp = utf8_next(rest, len);
    bool more = rest.len > *len;
    if (is_dash(cp))
        return !in_word && more && is_digit(rest.p[*len]) ? GLYPH_LETTER : GLYPH_BLANK;
    if (cp == '!' || cp == '?') {
        size_t len_next;
        uint32_t next = more ? utf8_next(slice_sub(rest, *len, UTF8_LONGEST), &len_next) : ' ';
        return is_blank(next) || next == '!' || next == '?' ? GLYPH_BLANK : GLYPH_LETTER;
    }
    if (cp == '<' || cp == '>' || cp == '=' || cp == 0x2264 || cp == 0x2265)
        return GLYPH_OPERATOR;
    if (is_nothing(cp))
        return GLYPH_NOTHING;
    return is_blank(cp) ? GLYPH_BLANK : GLYPH_LETTER;
}

static size_t read_operator(struct slice rest, struct word *word)
{
    size_t len;
    uint32_t first = utf8_next(rest, &len);
    char second = 0;
    if (rest.len > len)
        second = rest.p[len];
    const char *text;
    word->kind = WORD_OP;
    if (first == 0x2264 || first == 0x2265) {
        text = first == 0x2264 ? "<=" : ">=";
    } else if ((first == '<' && second == '=') || (first == '=' && second == '<')) {
        text = "<=";
        len = 2;
    } else if ((first == '>' && second == '=') || (first == '=' && second == '>')) {
        text = ">=";
        len = 2;
    } else if (first == '=') {
        text = "=";
        len = second == '=' ? 2 : 1;
    } else {
        text = first == '<' ? "<" : ">";
    }
    memcpy(word->text, text, strlen(text) + 1);
    return len;
}

static size_t read_digits(struct slice rest, struct word *word)
{
    size_t len = 0;
    word->kind = WORD_NUMBER;
    for (; len < rest.len && is_digit(rest.p[len]); len++) {
        word->number = word->number * 10 + (rest.p[len] - '0');
        if (word->number > NUMBER_MAX)
            word->number = NUMBER_MAX;
        if (len < WORD_MAX)
            word->text[len] = rest.p[len];
    }
    return len;
}

const char *const order_numbers[] = {"one",   "two",  "three", "four",   "five",   "six", "seven",
                                     "eight", "nine", "ten",   "eleven", "twelve", NULL};

static size_t read_letters(struct slice rest, struct word *word)
{
    size_t at = 0;
    size_t used = 0;
    word->kind = WORD_TEXT;
    while (at < rest.len) {
        size_t len;
        struct slice here = slice_sub(rest, at, rest.len);
        enum glyph glyph = glyph_at(here, used > 0, &len);
        if (glyph == GLYPH_BLANK || glyph == GLYPH_OPERATOR)
            break;
        if (glyph == GLYPH_LETTER && used + len <= WORD_MAX) {
            memcpy(word->text + used, here.p, len);
            char *c = word->text + used;
            if (len == 1 && *c >= 'A' && *c <= 'Z')
                *c = (char)(*c - 'A' + 'a');
            used += len;
        } else if (glyph == GLYPH_LETTER) {
            used = WORD_MAX + 1;
        }
        at += len;
    }
    for (size_t i = 0; order_numbers[i]; i++) {
        if (*word->text == *order_numbers[i] && strcmp(word->text, order_numbers[i]) == 0) {
            word->kind = WORD_NUMBER;
            word->number = (int)i + 1;
        }
    }
    return at;
}

int words_split(struct slice line, struct word *words, size_t max)
{
    size_t count = 0;
    size_t at = 0;
    bool behind_word = false;
    while (at < line.len) {
        size_t len;
        struct slice rest = slice_sub(line, at, line.len);
        enum glyph glyph = glyph_at(rest, behind_word, &len);
        behind_word = false;
        if (glyph == GLYPH_BLANK || glyph == GLYPH_NOTHING) {
            at += len;
            continue;
        }
        if (count == max)
            return -1;
        struct word *word = &words[count++];
        *word = (struct word){.kind = WORD_TEXT};
        if (glyph == GLYPH_OPERATOR)
            len = read_operator(rest, word);
        else if (is_digit(rest.p[0]))
            len = read_digits(rest, word);
        else
            len = read_letters(rest, word);
        word->raw = slice_sub(line, at, len);
        behind_word = word->kind != WORD_OP;
        at += len;
    }
    return (int)count;
}

const char *const order_fillers[] = {"the",  "a",    "an",  "to", "at",  "on",     "in", "of",
                                     "with", "from", "for", "my", "and", "please", NULL};

bool word_is_filler(const char *word)
{
    for (size_t i = 0; order_fillers[i]; i++)
        if (*word == *order_fillers[i] && strcmp(word, order_fillers[i]) == 0)
            return true;
    return false;
}

bool args_end(const struct args *args)
{
    return args->count == 0;
}

static void args_skip(struct args *args, size_t count)
{
    args->word += count;
    args->count -= count;
}

/* A beginning may not end inside a number: "s1" is no beginning of "s12". */
static bool begins(const char *typed, const char *name)
{
    size_t len = strlen(typed);
    if (!len || strncmp(typed, name, len) != 0)
        return false;
    return !(is_digit(typed[len - 1]) && is_digit(name[len]));
}

bool args_keyword(struct args *args, const char *keyword, size_t least)
{
    if (args_end(args) || args->word->kind == WORD_OP)
        return false;
    const char *text = args->word->text;
    if (strcmp(text, keyword) != 0 && (strlen(text) < least || !begins(text, keyword)))
        return false;
    args_skip(args, 1);
    return true;
}

bool args_number(struct args *args, int *number)
{
    if (args_end(args))
        return false;
    if (args->word->kind == WORD_NUMBER)
        *number = args->word->number;
    else if (strcmp(args->word->text, "all") == 0 || strcmp(args->word->text, "max") == 0)
        *number = ARGS_ALL;
    else
        return false;
    args_skip(args, 1);
    return true;
}

void args_text(struct str *out, const struct args *args)
{
    for (size_t i = 0; i < args->count; i++) {
        if (i)
            str_addc(out, ' ');
        utf8_safe(out, slice_of(args->word[i].text), false);
    }
}

void code_write(char out[CODE_SIZE], char letter, int number)
{
    char digits[CODE_SIZE];
    size_t at = sizeof digits;
    unsigned rest = number < 0 ? 0U - (unsigned)number : (unsigned)number;
    digits[--at] = '\0';
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (number < 0)
        digits[--at] = '-';
    out[0] = letter;
    memcpy(out + 1, digits + at, sizeof digits - at);
}

struct code code_of(char letter, int number)
{
    struct code code = {""};
    code_write(code.p, letter, number);
    return code;
}

/* ---- names -------------------------------------------------------------------------------------------- */

enum match { MATCH_NONE, MATCH_BEGINNING, MATCH_EXACT };

/* A typed run of words or a name: its words without fillers, and the same without spaces. */
struct name_words {
    struct word word[NAME_WORDS];
    size_t count;
    char joined[JOINED_MAX];
};

static void name_add(struct name_words *name, const struct word *word)
{
    if (name->count == NAME_WORDS)
        return;
    size_t used = strlen(name->joined);
    memcpy(name->joined + used, word->text, strlen(word->text) + 1);
    name->word[name->count++] = *word;
}

static void name_read(struct name_words *name, const struct word *word, size_t count)
{
    name->count = 0;
    name->joined[0] = '\0';
    for (size_t i = 0; i < count; i++)
        if (!word_is_filler(word[i].text))
            name_add(name, &word[i]);
    for (size_t i = 0; i < count && !name->count; i++)
        name_add(name, &word[i]);
}

static void name_split(struct name_words *name, const char *text)
{
    struct word word[NAME_SPLIT];
    int count = words_split(slice_of(text), word, NAME_SPLIT);
    name_read(name, word, count < 0 ? NAME_SPLIT : (size_t)count);
}

static enum match match_word(const struct word *typed, const struct word *name)
{
    if (typed->kind == WORD_NUMBER && name->kind == WORD_NUMBER && typed->number == name->number)
        return MATCH_EXACT;
    if (strcmp(typed->text, name->text) == 0)
        return MATCH_EXACT;
    return begins(typed->text, name->text) ? MATCH_BEGINNING : MATCH_NONE;
}

/* False when nothing in the name begins like what was typed; this skips most names of a list. */
static bool may_match(const struct name_words *typed, const char *name)
{
    if (typed->word[0].kind == WORD_NUMBER)
        return true;
    bool behind_letter = false;
    for (; *name; name++) {
        char c = *name;
        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        if (c == typed->joined[0] && !behind_letter)
            return true;
        behind_letter = c >= 'a' && c <= 'z';
    }
    return false;
}

static enum match match_name(const struct name_words *typed, const struct named *entry)
{
    if (entry->code && strcasecmp(typed->joined, entry->code) == 0)
        return MATCH_EXACT;
    if (!may_match(typed, entry->name))
        return MATCH_NONE;
    struct name_words name;
    name_split(&name, entry->name);
    if (strcmp(typed->joined, name.joined) == 0)
        return MATCH_EXACT;
    if (typed->count == 1 && begins(typed->joined, name.joined))
        return MATCH_BEGINNING;
    if (typed->count > name.count)
        return MATCH_NONE;
    enum match match = typed->count == name.count ? MATCH_EXACT : MATCH_BEGINNING;
    for (size_t i = 0; i < typed->count; i++) {
        enum match word = match_word(&typed->word[i], &name.word[i]);
        if (word < match)
            match = word;
    }
    return match;
}

/* What is looked for, how well it must match, and where. */
struct search {
    const struct name_words *typed;
    enum match level;
    const struct named *list;
    size_t count;
};

/* How many different things match; the first one's value in *value. */
static size_t name_matches(const struct search *search, int *value, struct str *candidates)
{
    const struct named *list = search->list;
    size_t found = 0;
    int seen[CANDIDATES_MAX];
    for (size_t i = 0; i < search->count; i++) {
        if (match_name(search->typed, &list[i]) < search->level)
            continue;
        bool known = false;
        for (size_t s = 0; s < found && s < CANDIDATES_MAX; s++)
            known = known || seen[s] == list[i].value;
        if (known)
            continue;
        if (!found)
            *value = list[i].value;
        if (candidates && found <= CANDIDATES_MAX)
            str_addf(candidates, "%s%s", found ? ", " : "", found < CANDIDATES_MAX ? list[i].name : "...");
        if (found < CANDIDATES_MAX)
            seen[found] = list[i].value;
        found++;
    }
    return found;
}

enum name_found args_name(struct args *args, const struct named *list, size_t count, int *value,
                          struct str *candidates)
{
    size_t most = 0;
    while (most < args->count && most < NAME_WORDS && args->word[most].kind != WORD_OP)
        most++;
    for (size_t run = most; run > 0; run--) {
        /* A filler word at the edge of a run is a keyword of the verb, not a part of the name. */
        if (run > 1 && (word_is_filler(args->word[0].text) || word_is_filler(args->word[run - 1].text)))
            continue;
        struct name_words typed;
        name_read(&typed, args->word, run);
        for (int level = MATCH_EXACT; level >= MATCH_BEGINNING; level--) {
            int first = 0;
            const struct search search = {&typed, (enum match)level, list, count};
            size_t found = name_matches(&search, &first, NULL);
            if (found == 1) {
                *value = first;
                args_skip(args, run);
                return NAME_ONE;
            }
            if (found > 1) {
                (void)name_matches(&search, &first, candidates);
                return NAME_MANY;
            }
        }
    }
    return NAME_NONE;
}

/* ---- resources ---------------------------------------------------------------------------------------- */

/* The kind that a word names, or `kinds` when it is none or not unique. */
static size_t find_kind(const struct word *word, const char *const *names, size_t kinds)
{
    size_t found = kinds;
    size_t matches = 0;
    if (word->kind == WORD_OP)
        return kinds;
    for (size_t i = 0; i < kinds; i++) {
        if (strcasecmp(word->text, names[i]) == 0)
            return i;
        if (strncasecmp(word->text, names[i], strlen(word->text)) == 0) {
            found = i;
            matches++;
        }
    }
    return matches == 1 ? found : kinds;
}

bool args_resources(struct args *args, const char *const *names, size_t kinds, int *amounts)
{
    bool any = false;
    for (size_t i = 0; i < kinds; i++)
        amounts[i] = 0;
    for (;;) {
        struct args next = *args;
        int amount = 1;
        (void)args_number(&next, &amount);
        if (args_end(&next))
            return any;
        size_t kind = find_kind(next.word, names, kinds);
        if (kind == kinds)
            return any;
        args_skip(&next, 1);
        amounts[kind] = amounts[kind] + amount > ARGS_ALL ? ARGS_ALL : amounts[kind] + amount;
        *args = next;
        any = true;
    }
}
