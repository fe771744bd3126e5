#include "orders/typed.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/nearest.h"
#include "base/utf8.h"
#include "orders/script.h"
#include "orders/typed_parts.h"

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

/* ---- what a line is ---- */

/* How much may follow the word of a command. */
enum follows { FOLLOWS_NOTHING, FOLLOWS_WORD, FOLLOWS_TEXT };

static const struct command {
    const char *word;
    enum typed_is is;
    enum follows follows;
} commands[] = {
    {"undo", TYPED_IS_UNDO, FOLLOWS_NOTHING},
    {"take back", TYPED_IS_UNDO, FOLLOWS_NOTHING},
    {"take it back", TYPED_IS_UNDO, FOLLOWS_NOTHING},
    {"stop", TYPED_IS_STOP, FOLLOWS_NOTHING},
    {"join", TYPED_IS_JOIN, FOLLOWS_NOTHING},
    {"vacation", TYPED_IS_VACATION, FOLLOWS_TEXT},
    {"digest", TYPED_IS_DIGEST, FOLLOWS_TEXT},
    {"extend", TYPED_IS_EXTEND, FOLLOWS_WORD},
    {"show", TYPED_IS_SHOW, FOLLOWS_WORD},
    {"resend", TYPED_IS_SHOW, FOLLOWS_WORD},
    {"map", TYPED_IS_SHOW, FOLLOWS_WORD},
    {"board", TYPED_IS_SHOW, FOLLOWS_WORD},
    {"report", TYPED_IS_SHOW, FOLLOWS_WORD},
    {"help", TYPED_IS_HELP, FOLLOWS_WORD},
    {"rules", TYPED_IS_RULES, FOLLOWS_WORD},
    {"status", TYPED_IS_STATUS, FOLLOWS_WORD},
    {"deadline", TYPED_IS_DEADLINE, FOLLOWS_WORD},
    {"when is the deadline", TYPED_IS_DEADLINE, FOLLOWS_NOTHING},
    {"when's the deadline", TYPED_IS_DEADLINE, FOLLOWS_NOTHING},
    {"when is my deadline", TYPED_IS_DEADLINE, FOLLOWS_NOTHING},
    {"what is the deadline", TYPED_IS_DEADLINE, FOLLOWS_NOTHING},
    {"what's the deadline", TYPED_IS_DEADLINE, FOLLOWS_NOTHING},
    {"when are orders due", TYPED_IS_DEADLINE, FOLLOWS_NOTHING},
    {"when are my orders due", TYPED_IS_DEADLINE, FOLLOWS_NOTHING},
    {"how long do i have", TYPED_IS_DEADLINE, FOLLOWS_NOTHING},
    {"how much time do i have", TYPED_IS_DEADLINE, FOLLOWS_NOTHING},
};

/* Can this follow VACATION, DIGEST, EXTEND: days, hours, and the small words between them? What is wrong with them,
 * whoever obeys the line says; but a sentence is no command. */
static bool are_times(struct slice words)
{
    static const char *const small[] = {"from", "to", "till",  "until", "-", "cancel", "no",    "off",
                                        "yes",  "on", "daily", "at",    "h", "hour",   "hours", NULL};
    struct slice word;
    bool good = true;
    while (good && slice_word(&words, &word))
        good = (word.p[0] >= '0' && word.p[0] <= '9') || typed_among(word, small);
    return good;
}

/* "vacation 24 December": most likely a command, and no line that anybody could obey. */
static bool begins_times(struct slice text)
{
    struct slice word;
    return slice_word(&text, &word) &&
           (slice_caseeq(word, "vacation") || slice_caseeq(word, "digest") || slice_caseeq(word, "extend"));
}

static bool read_command(struct typed_line *line, struct slice text)
{
    struct slice whole = typed_bare(text);
    while (whole.len && whole.p[whole.len - 1] == '?')
        whole = typed_bare(slice_trim(slice_sub(whole, 0, whole.len - 1)));
    bool marked = whole.len < typed_bare(text).len;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        const struct command *command = &commands[i];
        struct slice rest = slice_sub(whole, strlen(command->word), whole.len), words, word;
        bool asks = command->is >= TYPED_IS_SHOW;
        bool times = command->follows == FOLLOWS_TEXT || command->is == TYPED_IS_EXTEND;
        if (!slice_casestarts(whole, command->word) || (rest.len && rest.p[0] != ' ') || (marked && !asks))
            continue;
        words = rest = slice_trim(rest);
        enum follows follows = FOLLOWS_NOTHING;
        if (slice_word(&words, &word))
            follows = slice_word(&words, &word) ? FOLLOWS_TEXT : FOLLOWS_WORD;
        if (follows > command->follows || (times && !are_times(rest)))
            continue;
        line->is = command->is;
        line->text = rest;
        line->asks = asks;
        return true;
    }
    return false;
}

/* "mute bob", "standby any", "reports: each move", "pictures no" */
static bool read_own(struct typed_line *line, struct slice text)
{
    static const struct {
        const char *word;
        enum typed_is is;
    } words[] = {{"mute", TYPED_IS_MUTE},
                 {"unmute", TYPED_IS_UNMUTE},
                 {"standby", TYPED_IS_STANDBY},
                 {"unstandby", TYPED_IS_UNSTANDBY}};
    static const char *const settings[] = {"html",     "pictures", "json", "reports", "optional",
                                           "reminder", "public",   "zone", NULL};
    struct slice rest = typed_bare(text), word, name, more;
    const char *colon = rest.len ? memchr(rest.p, ':', rest.len) : NULL;
    struct slice setting = {rest.p, colon ? (size_t)(colon - rest.p) : 0};
    if (colon && typed_among(slice_trim(setting), settings)) {
        line->is = TYPED_IS_PREFS;
        line->name = slice_trim(setting);
        line->text = slice_trim(slice_sub(rest, setting.len + 1, rest.len));
        return line->text.len > 0;
    }
    if (!slice_word(&rest, &word) || !slice_word(&rest, &name) || slice_word(&rest, &more))
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        bool lists = words[i].is == TYPED_IS_STANDBY || words[i].is == TYPED_IS_UNSTANDBY;
        if (!slice_caseeq(word, words[i].word) || (lists && !slice_caseeq(name, "any")))
            continue;
        line->is = words[i].is;
        line->text = name;
        return true;
    }
    return false;
}

/* "final: yes", "ship: swift, steadfast": lines that signed texts have as fields. */
static bool read_field(struct typed_line *line, struct slice text, const struct typed_game *game)
{
    const char *colon = text.len ? memchr(text.p, ':', text.len) : NULL;
    struct slice name =
        colon ? slice_trim((struct slice){text.p, (size_t)(colon - text.p)}) : typed_bare(text);
    struct slice value =
        colon ? slice_trim(slice_sub(text, (size_t)(colon - text.p) + 1, text.len)) : slice_of("yes");
    if (typed_nobody(typed_bare(text))) {
        line->is = TYPED_IS_NOBODY;
        return true;
    }
    if (game && slice_caseeq(name, "final") && slice_caseeq(typed_bare(value), "yes")) {
        line->is = TYPED_IS_FINAL;
        return true;
    }
    if (!game || !game->wish || !colon || !slice_caseeq(name, game->wish) || !typed_bare(value).len)
        return false;
    line->is = TYPED_IS_WISH;
    line->text = typed_bare(value);
    return true;
}

static bool is_verb_of(const struct typed_game *game, struct slice text)
{
    struct slice word;
    if (!game || !slice_word(&text, &word))
        return false;
    word = typed_bare(word);
    for (const struct verb *verb = game->language->verbs; verb && verb->name; verb++)
        if (slice_caseeq(word, verb->name))
            return true;
    return false;
}

/* An order of one of several games, and it is not said of which? */
static bool is_any_order(struct slice text, const struct typed_by *by)
{
    for (size_t i = 0; i < by->game_count; i++)
        if (typed_is_order(text, by->games[i].language))
            return true;
    return false;
}

/* "help conquer": a word that the language can explain? */
static bool is_explained(const struct language *language, struct slice what)
{
    char word[WORD_MAX + 1];
    for (size_t i = 0; i < what.len; i++)
        if (i == WORD_MAX)
            return false;
        else
            word[i] = (char)(what.p[i] >= 'A' && what.p[i] <= 'Z' ? what.p[i] + 'a' - 'A' : what.p[i]);
    word[what.len] = '\0';
    return what.len && language_has_word(language, word);
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
    const bool more = line->is == TYPED_IS_HELP && is_explained(game->language, line->text);
    line->is = TYPED_IS_ORDER;
    line->text = slice_sub(text, 0, more ? (size_t)(line->text.p + line->text.len - text.p) : strlen(word));
}

static void read_what(struct typed_line *line, struct slice text, const struct typed_by *by)
{
    const struct typed_game *game = line->game < by->game_count ? &by->games[line->game] : NULL;
    if (is_odd(text)) {
        typed_unread(line, DOUBT_ODD);
        return;
    }
    if (!is_verb_of(game, text) &&
        (typed_agrees(line, text) || read_command(line, text) || typed_press(line, text) ||
         typed_appeal(line, text) || read_own(line, text) || read_field(line, text, game))) {
        make_order(line, game, text);
        typed_whom(line, game);
        return;
    }
    if (typed_pick(line, text, game) || (game && typed_picks(line, text, game)) ||
        typed_form(line, text, game))
        return;
    if (game && typed_begins_order(text, game->language)) {
        line->is = TYPED_IS_ORDER;
        line->text = text;
    } else if (typed_greets(typed_bare(text), by->names, game) || typed_refuses(line, text)) {
        line->is = TYPED_IS_GREETING;
    } else if (!typed_message(line, text, game) && typed_courteous(text, game)) {
        line->is = TYPED_IS_GREETING;
    } else if (line->is != TYPED_IS_PRESS) {
        typed_unread(line, !game && is_any_order(text, by) ? DOUBT_GAME
                           : begins_times(text)            ? DOUBT_TIMES
                                                           : DOUBT_NO_LINE);
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

/* Without bullet and game. */
static struct slice body_of(const struct typed_line *line, const struct typed_by *by)
{
    struct slice text = typed_unbulleted(line->line);
    (void)read_game(&text, by);
    return text;
}

/* *now is the game of the lines that name none. */
static void read_line(struct typed_line *line, size_t *now, const struct typed_by *by)
{
    struct slice text = typed_unbulleted(line->line);
    size_t game = read_game(&text, by);
    line->game = game < by->game_count ? game : *now;
    line->is = TYPED_IS_BLANK;
    if (game < by->game_count && !text.len)
        *now = game;
    if (text.len)
        read_what(line, text, by);
}

/* ---- notes ---- */

/* Notes beside and below lines of the form, in parentheses and perhaps of several lines, are nothing. */
static void drop_notes(struct typed *typed)
{
    bool below = false, inside = false;
    for (size_t i = 0; i < typed->count; i++) {
        struct typed_line *line = &typed->lines[i];
        inside = line->is == TYPED_IS_UNREAD && line->doubt != DOUBT_ODD &&
                 (inside || (below && slice_starts(line->line, "(")));
        below = line->is == TYPED_IS_FORM || line->is == TYPED_IS_EDITED ||
                (line->is == TYPED_IS_PICK && slice_find(line->line, "[") < line->line.len);
        const bool beside = below && slice_find(line->line, " (") < line->line.len;
        if (beside)
            inside = line->line.p[line->line.len - 1] != ')';
        if (!inside || beside)
            continue;
        inside = line->line.p[line->line.len - 1] != ')';
        line->is = TYPED_IS_BLANK;
        line->doubt = DOUBT_NONE;
    }
}

/* ---- folded lines ---- */

static bool goes_on(const struct typed_line *line)
{
    return line->is == TYPED_IS_PRESS || line->is == TYPED_IS_APPEAL ||
           (line->is == TYPED_IS_ORDER && slice_casestarts(line->text, "say "));
}

bool typed_talks(const struct typed_line *line)
{
    return line->is >= TYPED_IS_ORDER;
}

bool typed_is_own(enum typed_is is)
{
    return is >= TYPED_IS_MUTE && is <= TYPED_IS_PREFS;
}

/* Can `next` be a part of the line before, of which `last` is the last line as it was typed? */
static bool may_be_folded(struct slice last, struct slice next)
{
    struct slice word;
    return last.len && slice_word(&next, &word) && utf8_width(last) + 1 + utf8_width(word) > TYPED_FOLD;
}

/* Takes the next line into this one; between them is the line feed of the text. */
static void join(struct typed *typed, struct typed_line *line, struct typed_line *next)
{
    typed->text.p[next->line.p - 1 - typed->text.p] = ' ';
    line->line.len = (size_t)(next->line.p + next->line.len - line->line.p);
    if (line->mended) { /* its words are not those of the text */
        struct str whole = STR_INIT;
        const enum typed_doubt doubt = line->doubt;
        str_addf(&whole, "%s %.*s", line->mended, (int)next->line.len, next->line.p);
        typed_is_meant(line, str_detach(&whole), doubt);
        if (line->is == TYPED_IS_PRESS || line->is == TYPED_IS_APPEAL)
            (void)(typed_press(line, line->text) || typed_appeal(line, line->text));
    } else {
        line->text.len = (size_t)(next->line.p + next->line.len - line->text.p);
    }
    next->line.len = 0;
    next->is = TYPED_IS_BLANK;
    next->doubt = DOUBT_NONE;
    if (line->line.len > TYPED_BYTES)
        typed_unread(line, DOUBT_ODD);
}

/* "explore far or" and "conquer best": one order, in two lines? */
static bool is_one_order(struct typed_line *line, const struct typed_line *next, const struct typed_by *by)
{
    struct str both = STR_INIT;
    if (line->game == by->game_count)
        return false;
    struct slice text = body_of(line, by);
    str_addf(&both, "%.*s %.*s", (int)text.len, text.p, (int)next->line.len, next->line.p);
    bool one = typed_is_order(slice_str(&both), by->games[line->game].language);
    if (one) {
        line->is = TYPED_IS_ORDER;
        typed_is_meant(line, str_detach(&both), DOUBT_FOLDED);
    }
    str_release(&both);
    return one;
}

static bool names_game(const struct typed_line *line, const struct typed_by *by)
{
    return body_of(line, by).p != typed_unbulleted(line->line).p;
}

static void mend_folds(struct typed *typed, const struct typed_by *by)
{
    struct typed_line *open = NULL; /* what the line before belongs to */
    struct slice last = {"", 0};    /* that line */
    for (size_t i = 0; i < typed->count; i++) {
        struct typed_line *line = &typed->lines[i];
        struct slice typed_so = line->line;
        bool half = open && open->is == TYPED_IS_UNREAD && open->doubt == DOUBT_ORDER;
        bool folded =
            open && (half || typed_talks(open)) && may_be_folded(last, typed_so) && !names_game(line, by);
        bool plain =
            (line->is == TYPED_IS_UNREAD && line->doubt != DOUBT_ODD) || line->is == TYPED_IS_GREETING;
        if (folded && plain && goes_on(open)) {
            join(typed, open, line);
        } else if (folded && (half || (plain && open->is == TYPED_IS_ORDER)) &&
                   is_one_order(open, line, by)) {
            line->is = TYPED_IS_BLANK;
            line->doubt = DOUBT_NONE;
        } else {
            bool cut = open && (open->is == TYPED_IS_PRESS || open->is == TYPED_IS_APPEAL) &&
                       line->is == TYPED_IS_UNREAD;
            if (folded && typed_talks(line))
                line->doubt = DOUBT_FOLDED;
            if ((folded && typed_talks(line) && !half) || cut)
                open->doubt = DOUBT_FOLDED;
            open = line;
        }
        last = typed_so;
    }
}

/* ---- mistyped words ---- */

#define NEAR_WORDS 20 /* of a line that may have a mistyped one */
#define NEAR_TRIES 50 /* lines with a word replaced, of one text */

struct near {
    const struct typed_by *by;
    struct typed_line *line;
    struct slice before, after; /* of the word, in the line */
    size_t tries;
};

/* Is the line one of ours with this word in the place of the mistyped one? */
static bool try_word(void *arg, const char *known)
{
    struct near *near = arg;
    struct typed_line read = {.line = near->line->line, .game = near->line->game};
    const struct typed_by *by = near->by;
    const struct typed_game *game = read.game < by->game_count ? &by->games[read.game] : NULL;
    struct str text = STR_INIT;
    if (near->tries++ >= NEAR_TRIES)
        return true;
    str_addf(&text, "%.*s%s%.*s", (int)near->before.len, near->before.p, known, (int)near->after.len,
             near->after.p);
    char *mended = str_detach(&text);
    read_what(&read, slice_of(mended), by);
    bool found = typed_talks(&read) && read.is != TYPED_IS_EDITED && read.is != TYPED_IS_PICK &&
                 (read.is != TYPED_IS_ORDER || (game && typed_is_order(read.text, game->language)));
    if (found) {
        read.mended = mended;
        read.doubt = DOUBT_NEAR;
        *near->line = read;
    } else {
        free(mended);
    }
    return found;
}

static bool is_near(const char *word, const char *known)
{
    return strlen(known) >= 4 && word[0] == known[0] && word_distance(word, known) == 1;
}

/* Tries what the word may have been meant as; true when one is it. */
static bool try_words(struct near *near, const char *word, const struct language *language)
{
    static const char *const others[] = {"press",  "final",   "from",      "nobody", "appeal",
                                         "unmute", "standby", "unstandby", NULL};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (is_near(word, commands[i].word) && try_word(near, commands[i].word))
            return true;
    for (size_t i = 0; others[i]; i++)
        if (is_near(word, others[i]) && try_word(near, others[i]))
            return true;
    return language && language_near(language, word, is_near, try_word, near);
}

static void find_near(struct typed_line *line, const struct typed_by *by, size_t *tries)
{
    struct slice text = body_of(line, by), rest = text, word;
    const struct language *language = line->game < by->game_count ? by->games[line->game].language : NULL;
    struct near near = {.by = by, .line = line, .tries = *tries};
    bool found = false;
    for (size_t i = 0; !found && i < NEAR_WORDS && near.tries < NEAR_TRIES && slice_word(&rest, &word); i++) {
        char lower[WORD_MAX + 1];
        size_t len = 0;
        while (len < word.len && len < WORD_MAX && (word.p[len] | 0x20) >= 'a' &&
               (word.p[len] | 0x20) <= 'z') {
            lower[len] = (char)(word.p[len] | 0x20);
            len++;
        }
        lower[len] = '\0';
        near.before = (struct slice){text.p, (size_t)(word.p - text.p)};
        near.after = slice_sub(text, near.before.len + len, text.len);
        found = len >= 4 && try_words(&near, lower, language);
    }
    *tries = near.tries;
}

/* ---- the whole ---- */

static bool is_end(struct slice line)
{
    return slice_caseeq(typed_bare(line), "end") || slice_caseeq(line, "#end");
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

/* Do these go beside orders, and beside each other? */
static bool goes_with_orders(enum typed_is is)
{
    return is == TYPED_IS_VACATION || is == TYPED_IS_DIGEST || is == TYPED_IS_EXTEND;
}

/* What the text is if it holds but this line. */
static enum typed_kind kind_of(const struct typed_line *line)
{
    if (line->doubt == DOUBT_GAME || (typed_talks(line) && line->doubt != DOUBT_NONE))
        return TYPED_UNSURE;
    if (!typed_talks(line))
        return TYPED_NOTHING;
    return line->asks ? TYPED_ASKS : TYPED_CLEAR;
}

static unsigned plays_of(const struct typed_line *line, const struct typed_game *game)
{
    struct slice order;
    unsigned plays = 0;
    for (size_t n = 0; typed_nth_order(line, game, n, &order); n++)
        plays |= typed_plays(order, game->language);
    return plays;
}

/* AUTO beside orders of one's own: nobody can tell which are to be played, and these would not be. */
static void mark_auto(struct typed *typed, const struct typed_game *game, size_t index)
{
    unsigned all = 0;
    for (size_t i = 0; i < typed->count; i++)
        all |= typed->lines[i].game == index ? plays_of(&typed->lines[i], game) : 0;
    const unsigned robot =
        (all & PLAYS_ORDERS ? PLAYS_AUTO : 0) | (all & PLAYS_ALWAYS ? PLAYS_ALWAYS_AUTO : 0);
    for (size_t i = 0; i < typed->count && (all & robot); i++)
        if (typed->lines[i].game == index && (plays_of(&typed->lines[i], game) & robot))
            typed->lines[i].doubt = DOUBT_AUTO;
}

/* What the lines say together; those that do not go together are marked. */
static void conclude(struct typed *typed, const struct typed_game *games, size_t game_count)
{
    const struct typed_line *command = NULL;
    size_t wishes = 0;
    bool mixed = false, nameless = false;
    for (size_t i = 0; i < typed->count; i++) {
        const struct typed_line *line = &typed->lines[i];
        bool order = line->is == TYPED_IS_ORDER || line->is == TYPED_IS_EDITED || line->is == TYPED_IS_PICK;
        typed->orders += order && !line->asks;
        typed->press += line->is == TYPED_IS_PRESS;
        typed->final |= line->is == TYPED_IS_FINAL;
        typed->declines |= line->declines;
        wishes += line->is == TYPED_IS_WISH;
        nameless |= line->is == TYPED_IS_NOBODY;
        if (line->is < TYPED_IS_OK || line->asks)
            continue;
        mixed |= command && (command->is != line->is || command->text.len != line->text.len ||
                             memcmp(command->text.p, line->text.p, line->text.len) != 0);
        command = line;
    }
    mixed |= command && !goes_with_orders(command->is) && (typed->orders || typed->final);
    mixed |= wishes > (command && (command->is == TYPED_IS_OK || command->is == TYPED_IS_JOIN) ? 1 : 0);
    mixed |= nameless && !typed->press;
    for (size_t i = 0; i < game_count; i++)
        mark_auto(typed, &games[i], i);
    typed->command = command ? command->is : TYPED_IS_BLANK;
    for (size_t i = 0; i < typed->count; i++) {
        struct typed_line *line = &typed->lines[i];
        line->nameless |= nameless && line->is == TYPED_IS_PRESS;
        bool beside = line->is == TYPED_IS_PRESS || line->is == TYPED_IS_APPEAL || typed_is_own(line->is);
        if (mixed && typed_talks(line) && !beside && !line->asks && line->doubt == DOUBT_NONE)
            line->doubt = DOUBT_MIXED;
        enum typed_kind kind = kind_of(line);
        typed->kind = kind > typed->kind ? kind : typed->kind;
    }
}

void typed_read(struct slice text, const struct typed_by *by, struct typed *typed)
{
    *typed = (struct typed){.command = TYPED_IS_BLANK, .text = STR_INIT};
    size_t now = by->game_count == 1 ? 0 : by->game_count, tries = 0;
    struct slice line;
    while (slice_line(&text, &line))
        add_line(&typed->text, line);
    split(typed);
    for (size_t i = 0; i < typed->count; i++)
        read_line(&typed->lines[i], &now, by);
    if (typed->count > TYPED_LINES)
        typed_unread(&typed->lines[TYPED_LINES], DOUBT_ODD);
    drop_notes(typed);
    typed_check_orders(typed, by);
    for (size_t i = 0; i < typed->count; i++)
        if (typed->lines[i].is == TYPED_IS_UNREAD && typed->lines[i].doubt != DOUBT_ODD)
            find_near(&typed->lines[i], by, &tries);
    mend_folds(typed, by);
    conclude(typed, by->games, by->game_count);
}

bool typed_ok_is_first(struct typed *typed, const struct typed_game *game)
{
    bool is = typed->command == TYPED_IS_OK && typed->orders && game->suggestions && *game->suggestions,
         said = false;
    for (size_t i = 0; i < typed->count; i++) {
        const struct typed_line *line = &typed->lines[i];
        is &= line->is != TYPED_IS_OK || (!line->polite && !line->text.len);
        is &= !typed_talks(line) || line->doubt == DOUBT_NONE || line->doubt == DOUBT_MIXED;
        said |= is && line->is == TYPED_IS_ORDER && slice_caseeq(line->text, *game->suggestions);
        said |= line->is == TYPED_IS_PICK && line->number == 1;
    }
    for (size_t i = 0; is && i < typed->count; i++) {
        struct typed_line *line = &typed->lines[i];
        line->doubt = typed_talks(line) ? DOUBT_NONE : line->doubt;
        if (line->is != TYPED_IS_OK)
            continue;
        line->is = said ? TYPED_IS_BLANK : TYPED_IS_PICK;
        line->number = 1;
        said = true;
    }
    if (is) {
        typed->kind = TYPED_NOTHING;
        typed->orders = typed->press = 0;
        typed->final = false;
        conclude(typed, game, 1);
    }
    return is;
}

void typed_release(struct typed *typed)
{
    for (size_t i = 0; i < typed->count; i++)
        free(typed->lines[i].mended);
    free(typed->lines);
    str_release(&typed->text);
    *typed = (struct typed){.text = STR_INIT};
}

bool typed_talks_around(const struct typed *typed, struct slice text, size_t at)
{
    struct slice above = slice_sub(text, 0, at), line;
    size_t lines = 0;
    bool talks[2] = {false, false};
    while (slice_line(&above, &line))
        lines++;
    for (size_t i = 0; i < typed->count; i++)
        talks[i >= lines] |= typed_talks(&typed->lines[i]) && !typed->lines[i].asks;
    return talks[0] && talks[1];
}
