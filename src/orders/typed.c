#include "orders/typed.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "orders/typed_parts.h"

#define FOLD 60 /* columns; no mail program folds shorter lines */

/* ---- characters ---- */

static bool is_wide_space(uint32_t cp)
{
    return cp == '\t' || cp == 0xA0 || (cp >= 0x2000 && cp <= 0x200A) || cp == 0x202F || cp == 0x205F ||
           cp == 0x3000;
}

/* Appends the line with single spaces, none at its ends. */
static void add_line(struct str *out, struct slice line)
{
    size_t begin = out->len, len;
    for (line = slice_trim(line); line.len; line = slice_sub(line, len, line.len)) {
        uint32_t cp = utf8_next(line, &len);
        if (cp != ' ' && !is_wide_space(cp))
            str_add(out, line.p, len);
        else if (out->len > begin && out->p[out->len - 1] != ' ')
            str_addc(out, ' ');
    }
    if (out->len > begin && out->p[out->len - 1] == ' ')
        str_cut(out, out->len - 1);
    str_addc(out, '\n');
}

/* Does anything in it look other than it is? */
static bool is_odd(struct slice line)
{
    struct str safe = STR_INIT;
    utf8_safe(&safe, line, false);
    bool odd = !slice_eq(line, safe.p) || slice_find(line, "\xEF\xBF\xBD") != (size_t)-1;
    str_release(&safe);
    return odd || line.len > TYPED_BYTES;
}

/* Without the signs at its end that mean nothing. */
static struct slice bare(struct slice line)
{
    while (line.len && strchr(".,!", line.p[line.len - 1]))
        line = slice_trim(slice_sub(line, 0, line.len - 1));
    return line;
}

/* Cuts off a bullet. */
static struct slice without_bullet(struct slice line)
{
    static const char *const bullets[] = {"- ", "* ", "\xE2\x80\xA2 ", "\xE2\x80\x93 "};
    for (size_t i = 0; i < sizeof bullets / sizeof *bullets; i++)
        if (slice_starts(line, bullets[i]))
            return slice_sub(line, strlen(bullets[i]), line.len);
    return line;
}

/* ---- what a line is ---- */

static void is_unknown(struct typed_line *line, enum typed_doubt doubt)
{
    line->is = TYPED_IS_UNKNOWN;
    line->doubt = doubt;
    line->asks = false;
}

/* How much may follow the word of a command. */
enum follows { FOLLOWS_NOTHING, FOLLOWS_WORD, FOLLOWS_TEXT };

static const struct command {
    const char *word;
    enum typed_is is;
    enum follows follows;
} commands[] = {
    {"ok", TYPED_IS_OK, FOLLOWS_WORD},
    {"undo", TYPED_IS_UNDO, FOLLOWS_NOTHING},
    {"stop", TYPED_IS_STOP, FOLLOWS_NOTHING},
    {"join", TYPED_IS_JOIN, FOLLOWS_NOTHING},
    {"vacation", TYPED_IS_VACATION, FOLLOWS_TEXT},
    {"digest", TYPED_IS_DIGEST, FOLLOWS_TEXT},
    {"extend", TYPED_IS_EXTEND, FOLLOWS_WORD},
    {"show", TYPED_IS_SHOW, FOLLOWS_WORD},
    {"resend", TYPED_IS_SHOW, FOLLOWS_WORD},
    {"map", TYPED_IS_SHOW, FOLLOWS_WORD},
    {"board", TYPED_IS_SHOW, FOLLOWS_WORD},
    {"help", TYPED_IS_HELP, FOLLOWS_WORD},
    {"rules", TYPED_IS_RULES, FOLLOWS_WORD},
    {"status", TYPED_IS_STATUS, FOLLOWS_WORD},
    {"deadline", TYPED_IS_DEADLINE, FOLLOWS_WORD},
};

/* Questions of several words. */
static const struct {
    const char *words;
    enum typed_is is;
} asked[] = {
    {"when is the deadline", TYPED_IS_DEADLINE},
    {"what is the deadline", TYPED_IS_DEADLINE},
    {"when are orders due", TYPED_IS_DEADLINE},
};

/* Without the "?" that a question may end with. */
static struct slice without_mark(struct slice text)
{
    while (text.len && (text.p[text.len - 1] == '?' || bare(text).len < text.len))
        text = text.p[text.len - 1] == '?' ? slice_trim(slice_sub(text, 0, text.len - 1)) : bare(text);
    return text;
}

/* True when the line begins with the word of a command or question, whether it is one or not. */
static bool read_command(struct typed_line *line, struct slice text)
{
    struct slice word, more, whole = without_mark(text);
    bool marked = whole.len < bare(text).len;
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        if (slice_caseeq(whole, asked[i].words)) {
            line->is = asked[i].is;
            return line->asks = true;
        }
    text = whole;
    if (!slice_word(&text, &word))
        return false;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (!slice_caseeq(word, commands[i].word))
            continue;
        struct slice rest = slice_trim(text);
        enum follows follows = FOLLOWS_NOTHING;
        if (slice_word(&text, &more))
            follows = slice_word(&text, &more) ? FOLLOWS_TEXT : FOLLOWS_WORD;
        line->is = commands[i].is;
        line->text = rest;
        line->asks = commands[i].is >= TYPED_IS_SHOW;
        if (follows > commands[i].follows || (marked && !line->asks))
            is_unknown(line, DOUBT_NO_LINE);
        return true;
    }
    return false;
}

static bool read_press(struct typed_line *line, struct slice text)
{
    struct slice word;
    const char *colon = text.len ? memchr(text.p, ':', text.len) : NULL;
    if (!colon || !slice_word(&text, &word) || !slice_caseeq(word, "press") || colon < text.p)
        return false;
    size_t name = (size_t)(colon - text.p);
    line->name = slice_trim(slice_sub(text, 0, name));
    line->text = slice_trim(slice_sub(text, name + 1, text.len));
    if (!line->name.len || !line->text.len)
        return false;
    line->is = TYPED_IS_PRESS;
    return true;
}

/* "final: yes", "ship: swift, steadfast": lines that signed texts have as fields. */
static bool read_field(struct typed_line *line, struct slice text, const struct typed_game *game)
{
    const char *colon = text.len ? memchr(text.p, ':', text.len) : NULL;
    struct slice name = colon ? slice_trim((struct slice){text.p, (size_t)(colon - text.p)}) : bare(text);
    struct slice value =
        colon ? slice_trim(slice_sub(text, (size_t)(colon - text.p) + 1, text.len)) : slice_of("yes");
    if (game && slice_caseeq(name, "final") && slice_caseeq(bare(value), "yes")) {
        line->is = TYPED_IS_FINAL;
        return true;
    }
    if (!game || !game->wish || !colon || !slice_caseeq(name, game->wish) || !bare(value).len)
        return false;
    line->is = TYPED_IS_WISH;
    line->text = bare(value);
    return true;
}

static size_t suggestion_count(const struct typed_game *game)
{
    size_t count = 0;
    while (game && game->suggestions && game->suggestions[count])
        count++;
    return count;
}

static bool read_pick(struct typed_line *line, struct slice text, const struct typed_game *game)
{
    int64_t number;
    text = bare(text);
    if (!slice_number(&text, &number) || slice_trim(text).len)
        return false;
    if (number < 1 || number > (int64_t)suggestion_count(game)) {
        is_unknown(line, DOUBT_NUMBER);
    } else {
        line->is = TYPED_IS_PICK;
        line->number = (int)number;
    }
    return true;
}

static bool is_note(struct slice text)
{
    return slice_starts(text, "(") && text.p[text.len - 1] == ')';
}

/* A suggestion may have its note in the same line: "explore near (1 of 6 ...)". */
static struct slice without_note(struct slice text, const struct typed_game *game)
{
    for (size_t i = 0; i < suggestion_count(game); i++) {
        size_t len = strlen(game->suggestions[i]);
        if (slice_casestarts(text, game->suggestions[i]) &&
            is_note(slice_trim(slice_sub(text, len, text.len))))
            return slice_sub(text, 0, len);
    }
    return text;
}

/* "1 [ ] explore near", "[x] explore near" */
static bool read_form(struct typed_line *line, struct slice text, const struct typed_game *game)
{
    struct slice from = text;
    int64_t number;
    if (slice_number(&from, &number) && number >= 1 && number <= (int64_t)suggestion_count(game))
        text = slice_trim(from);
    const char *close = slice_starts(text, "[") ? memchr(text.p, ']', text.len) : NULL;
    if (!close)
        return false;
    struct slice mark = slice_trim((struct slice){text.p + 1, (size_t)(close - text.p - 1)});
    line->text = slice_trim((struct slice){close + 1, (size_t)(text.p + text.len - close - 1)});
    line->text = without_note(line->text, game);
    line->is = TYPED_IS_EDITED;
    for (size_t i = 0; i < suggestion_count(game) && !mark.len; i++)
        if (slice_caseeq(line->text, game->suggestions[i]))
            line->is = TYPED_IS_FORM;
    if (line->is == TYPED_IS_EDITED && !(game && typed_begins_order(line->text, game->language)))
        is_unknown(line, DOUBT_NO_LINE);
    return true;
}

static bool is_verb_of(const struct typed_game *game, struct slice text)
{
    struct slice word;
    if (!game || !slice_word(&text, &word))
        return false;
    word = bare(word);
    for (const struct verb *verb = game->language->verbs; verb && verb->name; verb++)
        if (slice_caseeq(word, verb->name))
            return true;
    return false;
}

/* Questions that the language of a game has words for enter its text, beside orders. */
static void make_order(struct typed_line *line, const struct typed_game *game, struct slice text)
{
    const char *word = line->is == TYPED_IS_HELP                        ? "help"
                       : line->is == TYPED_IS_RULES && !line->text.len  ? "rules"
                       : line->is == TYPED_IS_STATUS && !line->text.len ? "status"
                                                                        : NULL;
    if (!game || !word)
        return;
    line->is = TYPED_IS_ORDER;
    line->text = slice_sub(text, 0, strlen(word));
}

static void read_what(struct typed_line *line, struct slice text, const struct typed_by *by)
{
    const struct typed_game *game = line->game < by->game_count ? &by->games[line->game] : NULL;
    if (is_odd(text)) {
        is_unknown(line, DOUBT_ODD);
        return;
    }
    if (!is_verb_of(game, text) &&
        (read_command(line, text) || read_press(line, text) || read_field(line, text, game))) {
        make_order(line, game, text);
        return;
    }
    if (read_pick(line, text, game) || read_form(line, text, game))
        return;
    if (game && typed_begins_order(text, game->language)) {
        line->is = TYPED_IS_ORDER;
        line->text = text;
    } else if (typed_greets(bare(text), by->names)) {
        line->is = TYPED_IS_GREETING;
    } else {
        is_unknown(line, !game && by->game_count ? DOUBT_GAME : DOUBT_NO_LINE);
    }
}

/* Cuts "gc-1:" off; the index of the game, or game_count. */
static size_t read_game(struct slice *text, const struct typed_by *by)
{
    const char *colon = text->len ? memchr(text->p, ':', text->len) : NULL;
    size_t len = colon ? (size_t)(colon - text->p) : 0, i = 0;
    while (i < by->game_count && !slice_caseeq(slice_sub(*text, 0, len), by->games[i].id))
        i++;
    if (i < by->game_count)
        *text = slice_trim(slice_sub(*text, len + 1, text->len));
    return i;
}

/* *now is the game of the lines that name none. */
static void read_line(struct typed_line *line, size_t *now, const struct typed_by *by)
{
    struct slice text = without_bullet(line->line);
    size_t game = read_game(&text, by);
    line->game = game < by->game_count ? game : *now;
    line->is = TYPED_IS_BLANK;
    if (game < by->game_count && !text.len)
        *now = game;
    if (text.len)
        read_what(line, text, by);
}

/* ---- notes ---- */

/* Takes a line of a note; is there more of it? What could be anything else spoils all. */
static bool drop_note(struct typed_line *line)
{
    struct slice text = line->line;
    if (line->is == TYPED_IS_BLANK)
        return false;
    if (line->is != TYPED_IS_UNKNOWN || line->doubt == DOUBT_ODD) {
        is_unknown(line, line->is == TYPED_IS_UNKNOWN ? DOUBT_ODD : DOUBT_NO_LINE);
        return false;
    }
    line->is = TYPED_IS_BLANK;
    line->doubt = DOUBT_NONE;
    return text.p[text.len - 1] != ')';
}

/* Notes below lines of the form, in parentheses and perhaps of several lines, are nothing. */
static void drop_notes(struct typed *typed)
{
    bool below = false, inside = false;
    for (size_t i = 0; i < typed->count; i++) {
        struct typed_line *line = &typed->lines[i];
        bool begins = below && slice_starts(line->line, "(");
        below = line->is == TYPED_IS_FORM || line->is == TYPED_IS_EDITED;
        if (inside || begins)
            inside = drop_note(line);
    }
}

/* ---- folded lines ---- */

static bool goes_on(const struct typed_line *line)
{
    return line->is == TYPED_IS_PRESS || (line->is == TYPED_IS_ORDER && slice_casestarts(line->text, "say "));
}

static bool acts(const struct typed_line *line)
{
    return line->is != TYPED_IS_UNKNOWN && line->is != TYPED_IS_BLANK && line->is != TYPED_IS_GREETING;
}

/* Can `next` be a part of the line before, of which `last` is the last line as it was typed? */
static bool may_be_folded(struct slice last, struct slice next)
{
    struct slice word;
    return last.len && slice_word(&next, &word) && utf8_width(last) + 1 + utf8_width(word) > FOLD;
}

/* Takes the next line into this one; between them is the line feed of the text. */
static void join(struct typed *typed, struct typed_line *line, struct typed_line *next)
{
    typed->text.p[next->line.p - 1 - typed->text.p] = ' ';
    line->text.len = (size_t)(next->line.p + next->line.len - line->text.p);
    line->line.len = (size_t)(next->line.p + next->line.len - line->line.p);
    next->is = TYPED_IS_BLANK;
    next->doubt = DOUBT_NONE;
    if (line->line.len > TYPED_BYTES)
        is_unknown(line, DOUBT_ODD);
}

static void mend_folds(struct typed *typed)
{
    struct typed_line *open = NULL; /* what the line before belongs to */
    struct slice last = {"", 0};    /* that line */
    for (size_t i = 0; i < typed->count; i++) {
        struct typed_line *line = &typed->lines[i];
        struct slice typed_so = line->line;
        bool folded = open && acts(open) && may_be_folded(last, typed_so);
        bool plain = line->is == TYPED_IS_UNKNOWN && line->doubt != DOUBT_ODD;
        if (folded && goes_on(open) && (plain || line->is == TYPED_IS_GREETING)) {
            join(typed, open, line);
        } else {
            if (folded) {
                is_unknown(open, DOUBT_FOLDED);
                is_unknown(line, DOUBT_FOLDED);
            }
            open = line;
        }
        last = typed_so;
    }
}

/* ---- the whole ---- */

static bool is_end(struct slice line)
{
    return slice_caseeq(bare(line), "end") || slice_caseeq(line, "#end");
}

/* Makes a line of each line of the text, up to END. */
static void split(struct typed *typed)
{
    struct slice rest = slice_str(&typed->text), line;
    size_t cap = 0;
    while (slice_line(&rest, &line) && !is_end(line) && typed->count <= TYPED_LINES) {
        typed->lines = mem_grow(typed->lines, typed->count, &cap, sizeof *typed->lines);
        typed->lines[typed->count++] = (struct typed_line){.line = line};
    }
}

/* Kinds of lines that do not go together. */
struct counts {
    size_t orders, edited, picks, commands, questions, press, finals, wishes, unknown;
};

static bool is_command(const struct typed_line *line)
{
    return line->is >= TYPED_IS_OK && line->is < TYPED_IS_SHOW;
}

static void count_line(struct counts *counts, const struct typed_line *line)
{
    counts->orders += line->is == TYPED_IS_ORDER && !line->asks;
    counts->edited += line->is == TYPED_IS_EDITED;
    counts->picks += line->is == TYPED_IS_PICK;
    counts->press += line->is == TYPED_IS_PRESS;
    counts->finals += line->is == TYPED_IS_FINAL;
    counts->wishes += line->is == TYPED_IS_WISH;
    counts->commands += is_command(line);
    counts->questions += line->asks;
    counts->unknown += line->is == TYPED_IS_UNKNOWN;
}

static enum typed_kind kind_of(const struct counts *counts)
{
    size_t wishes = counts->commands;
    wishes += counts->orders || counts->edited;
    wishes += counts->picks > 0;
    if (counts->unknown || wishes > 1 || counts->wishes > counts->commands ||
        (counts->finals && !counts->orders && !counts->picks))
        return TYPED_UNSURE;
    if (counts->commands)
        return TYPED_COMMAND;
    if (counts->edited)
        return TYPED_HELD;
    if (counts->orders)
        return TYPED_ORDERS;
    if (counts->picks)
        return TYPED_PICKS;
    if (counts->press)
        return TYPED_PRESS;
    return counts->questions ? TYPED_ASKS : TYPED_NOTHING;
}

static void conclude(struct typed *typed)
{
    struct counts counts = {0};
    for (size_t i = 0; i < typed->count; i++)
        count_line(&counts, &typed->lines[i]);
    typed->kind = kind_of(&counts);
    bool mixed = typed->kind == TYPED_UNSURE && !counts.unknown;
    for (size_t i = 0; i < typed->count; i++) {
        struct typed_line *line = &typed->lines[i];
        if (typed->kind == TYPED_COMMAND && is_command(line))
            typed->command = line->is;
        if (mixed && acts(line) && line->is != TYPED_IS_FORM && line->is != TYPED_IS_PRESS && !line->asks)
            line->doubt = DOUBT_MIXED;
    }
}

void typed_read(struct slice text, const struct typed_by *by, struct typed *typed)
{
    *typed = (struct typed){.command = TYPED_IS_BLANK, .text = STR_INIT};
    size_t now = by->game_count == 1 ? 0 : by->game_count;
    struct slice line;
    while (slice_line(&text, &line))
        add_line(&typed->text, line);
    split(typed);
    for (size_t i = 0; i < typed->count; i++)
        read_line(&typed->lines[i], &now, by);
    drop_notes(typed);
    mend_folds(typed);
    if (typed->count > TYPED_LINES)
        is_unknown(&typed->lines[TYPED_LINES], DOUBT_ODD);
    typed_check_orders(typed, by);
    conclude(typed);
}

void typed_release(struct typed *typed)
{
    free(typed->lines);
    str_release(&typed->text);
    *typed = (struct typed){.text = STR_INIT};
}

void typed_orders(struct str *out, const struct typed *typed, const struct typed_game *game, size_t index)
{
    for (size_t i = 0; i < typed->count; i++) {
        const struct typed_line *line = &typed->lines[i];
        if (line->game != index)
            continue;
        if ((line->is == TYPED_IS_ORDER && !line->asks) || line->is == TYPED_IS_EDITED)
            str_addslice(out, line->text);
        else if (line->is == TYPED_IS_PICK)
            str_adds(out, game->suggestions[line->number - 1]);
        else
            continue;
        str_addc(out, '\n');
    }
}

void typed_questions(struct str *out, const struct typed *typed, size_t index)
{
    for (size_t i = 0; i < typed->count; i++)
        if (typed->lines[i].asks && typed->lines[i].is == TYPED_IS_ORDER && typed->lines[i].game == index)
            str_addf(out, "%.*s\n", (int)typed->lines[i].text.len, typed->lines[i].text.p);
}

bool typed_final(const struct typed *typed, size_t index)
{
    for (size_t i = 0; i < typed->count; i++)
        if (typed->lines[i].is == TYPED_IS_FINAL && typed->lines[i].game == index)
            return true;
    return false;
}

struct slice typed_wish(const struct typed *typed)
{
    for (size_t i = 0; i < typed->count; i++)
        if (typed->lines[i].is == TYPED_IS_WISH)
            return typed->lines[i].text;
    return (struct slice){"", 0};
}
