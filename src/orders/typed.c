#include "orders/typed.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/nearest.h"
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

/* Cuts off a bullet, or a "please". */
static struct slice without_bullet(struct slice line)
{
    static const char *const bullets[] = {"- ", "* ", "\xE2\x80\xA2 ", "\xE2\x80\x93 ", "please "};
    for (size_t i = 0; i < sizeof bullets / sizeof *bullets; i++)
        if (slice_casestarts(line, bullets[i]))
            return slice_sub(line, strlen(bullets[i]), line.len);
    return line;
}

/* ---- what a line is ---- */

static void is_unread(struct typed_line *line, enum typed_doubt doubt)
{
    line->is = TYPED_IS_UNREAD;
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

static bool is_among(struct slice word, const char *const *list)
{
    for (; *list; list++)
        if (slice_caseeq(word, *list))
            return true;
    return false;
}

/* Can this follow VACATION, DIGEST, EXTEND: days, hours, and the small words between them? What is wrong with them,
 * whoever obeys the line says; but a sentence is no command. */
static bool are_times(struct slice words)
{
    static const char *const small[] = {"from", "to", "till",  "until", "-", "cancel", "no",    "off",
                                        "yes",  "on", "daily", "at",    "h", "hour",   "hours", NULL};
    struct slice word;
    bool good = true;
    while (good && slice_word(&words, &word))
        good = (word.p[0] >= '0' && word.p[0] <= '9') || is_among(word, small);
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
    struct slice whole = bare(text);
    while (whole.len && whole.p[whole.len - 1] == '?')
        whole = bare(slice_trim(slice_sub(whole, 0, whole.len - 1)));
    bool marked = whole.len < bare(text).len;
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
    struct slice rest = bare(text), word, name, more;
    const char *colon = rest.len ? memchr(rest.p, ':', rest.len) : NULL;
    struct slice setting = {rest.p, colon ? (size_t)(colon - rest.p) : 0};
    if (colon && is_among(slice_trim(setting), settings)) {
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

static const char *const yes[] = {"ok",
                                  "okay",
                                  "yes",
                                  "yep",
                                  "yeah",
                                  "sure",
                                  "ja",
                                  "oui",
                                  "sim",
                                  "si",
                                  "s\303\255",
                                  "s\303\254",
                                  "da",
                                  "tak",
                                  "evet",
                                  "\320\264\320\260",
                                  "\320\224\320\260",
                                  "\321\202\320\260\320\272",
                                  "\320\242\320\260\320\272",
                                  NULL};
static const char *const beside_yes[] = {"ok",
                                         "okay",
                                         "yes",
                                         "please",
                                         "thanks",
                                         "thank",
                                         "you",
                                         "thx",
                                         "very",
                                         "much",
                                         "sure",
                                         "correct",
                                         "right",
                                         "exactly",
                                         "that",
                                         "that's",
                                         "thats",
                                         "is",
                                         "it",
                                         "do",
                                         "go",
                                         "ahead",
                                         "fine",
                                         "good",
                                         "great",
                                         "bitte",
                                         "danke",
                                         "genau",
                                         "merci",
                                         "gracias",
                                         "grazie",
                                         "obrigado",
                                         "obrigada",
                                         "\320\264\321\217\320\272\321\203\321\216",
                                         "\321\201\320\277\320\260\321\201\320\270\320\261\320\276",
                                         NULL};

/* "ok", "ok falcon", "Yes, that is right", "Ja bitte" */
static bool read_agreement(struct typed_line *line, struct slice text)
{
    struct slice rest = bare(text), word, other = {"", 0};
    bool kind = false;
    if (!slice_word(&rest, &word) || !is_among(bare(word), yes))
        return false;
    line->polite = !slice_caseeq(bare(word), "ok");
    while (slice_word(&rest, &word)) {
        bool more = is_among(bare(word), beside_yes);
        if (!more && other.len)
            return false;
        other = more ? other : bare(word);
        kind |= more;
    }
    bool bare_ok = !line->polite && !kind;
    line->polite = false;
    if (other.len && !bare_ok)
        return false;
    line->is = TYPED_IS_OK;
    line->polite = !bare_ok;
    line->text = other;
    return true;
}

/* "No", "no, thank you", "Nein danke": to a question. */
static bool read_refusal(struct typed_line *line, struct slice text)
{
    static const char *const no[] = {"no",
                                     "nope",
                                     "nah",
                                     "nein",
                                     "non",
                                     "nee",
                                     "nej",
                                     "nie",
                                     "nao",
                                     "n\303\243o",
                                     "ne",
                                     "hay\304\261r",
                                     "\320\275\320\265\321\202",
                                     "\320\235\320\265\321\202",
                                     "\320\275\321\226",
                                     "\320\235\321\226",
                                     NULL};
    static const char *const polite[] = {"no",
                                         "thanks",
                                         "thank",
                                         "you",
                                         "thx",
                                         "please",
                                         "sorry",
                                         "not",
                                         "now",
                                         "danke",
                                         "merci",
                                         "grazie",
                                         "gracias",
                                         "bitte",
                                         "obrigado",
                                         "obrigada",
                                         "bedankt",
                                         "\320\264\321\217\320\272\321\203\321\216",
                                         "\321\201\320\277\320\260\321\201\320\270\320\261\320\276",
                                         NULL};
    struct slice rest = bare(text), word;
    bool first = true, all = true;
    while (all && slice_word(&rest, &word)) {
        all = is_among(bare(word), first ? no : polite);
        first = false;
    }
    line->declines = !first && all;
    return line->declines;
}

/* Would a message that begins so be taken for the lines above it in its text? ("from: nobody") */
static bool begins_field(struct slice words)
{
    static const char *const names[] = {"to",   "from",  "re",     "game", "turn",  "head", "seq",
                                        "wait", "final", "league", "json", "nonce", "date", NULL};
    while (words.len && strchr("> ", *words.p))
        words = slice_sub(words, 1, words.len);
    const char *colon = words.len ? memchr(words.p, ':', words.len) : NULL;
    struct slice name = {words.p, colon ? (size_t)(colon - words.p) : 0};
    return !words.len || slice_starts(words, "#") || is_among(slice_trim(name), names);
}

/* "from nobody", "from: nobody" */
static bool is_nobody(struct slice text)
{
    struct slice word, more = {"", 0};
    return slice_word(&text, &word) && slice_caseeq(slice_sub(word, 0, 4), "from") &&
           (word.len == 4 || (word.len == 5 && word.p[4] == ':')) && slice_word(&text, &more) &&
           slice_caseeq(more, "nobody") && !slice_trim(text).len;
}

/* Cuts "from nobody" off the end. */
static bool ends_nameless(struct slice *name)
{
    size_t at = 0;
    while (at < name->len && !(name->p[at] == ' ' && is_nobody(slice_sub(*name, at, name->len))))
        at++;
    bool ends = at < name->len;
    *name = slice_sub(*name, 0, at);
    return ends;
}

static bool read_press(struct typed_line *line, struct slice text)
{
    struct slice word;
    const char *colon = text.len ? memchr(text.p, ':', text.len) : NULL;
    if (!colon || !slice_word(&text, &word) || !slice_caseeq(word, "press") || colon < text.p)
        return false;
    size_t name = (size_t)(colon - text.p);
    line->name = slice_trim(slice_sub(text, 0, name));
    line->nameless = ends_nameless(&line->name);
    line->text = slice_trim(slice_sub(text, name + 1, text.len));
    if (!line->name.len || !line->text.len)
        return false;
    line->is = TYPED_IS_PRESS;
    if (begins_field(line->text))
        is_unread(line, DOUBT_FIELD);
    return true;
}

/* "appeal: My orders were ...", "appeal turn 5: ..." */
static bool read_appeal(struct typed_line *line, struct slice text)
{
    struct slice rest, word;
    int64_t turn = -1;
    const char *colon = text.len ? memchr(text.p, ':', text.len) : NULL;
    rest = (struct slice){text.p, colon ? (size_t)(colon - text.p) : 0};
    if (!colon || !slice_word(&rest, &word) || !slice_caseeq(word, "appeal"))
        return false;
    rest = slice_trim(rest);
    rest = slice_trim(slice_sub(rest, slice_casestarts(rest, "turn ") ? strlen("turn ") : 0, rest.len));
    if (rest.len && (!slice_number(&rest, &turn) || slice_trim(rest).len || turn > INT16_MAX))
        return false;
    line->text = slice_trim((struct slice){colon + 1, (size_t)(text.p + text.len - colon - 1)});
    if (!line->text.len || begins_field(line->text)) {
        is_unread(line, DOUBT_FIELD);
    } else {
        line->number = (int)turn;
        line->is = TYPED_IS_APPEAL;
    }
    return true;
}

/* "final: yes", "ship: swift, steadfast": lines that signed texts have as fields. */
static bool read_field(struct typed_line *line, struct slice text, const struct typed_game *game)
{
    const char *colon = text.len ? memchr(text.p, ':', text.len) : NULL;
    struct slice name = colon ? slice_trim((struct slice){text.p, (size_t)(colon - text.p)}) : bare(text);
    struct slice value =
        colon ? slice_trim(slice_sub(text, (size_t)(colon - text.p) + 1, text.len)) : slice_of("yes");
    if (is_nobody(bare(text))) {
        line->is = TYPED_IS_NOBODY;
        return true;
    }
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

/* Is it not known what was suggested? */
static bool is_open(const struct typed_game *game)
{
    return game && !game->suggestions;
}

/* The next of several numbers, and what stands before it: "1 and 3", "#1, #3", "1,3". */
static bool next_number(struct slice *rest, int64_t *number)
{
    static const char *const between[] = {",", "&", "+", "and ", "#"};
    size_t digits = 0;
    for (size_t i = 0; i < sizeof between / sizeof *between; i++)
        if (slice_casestarts(slice_trim(*rest), between[i]))
            *rest = slice_sub(slice_trim(*rest), strlen(between[i]), rest->len);
    *rest = slice_trim(*rest);
    while (digits < rest->len && rest->p[digits] >= '0' && rest->p[digits] <= '9')
        digits++;
    struct slice figure = slice_sub(*rest, 0, digits);
    *rest = slice_sub(*rest, digits, rest->len);
    return slice_number(&figure, number) && (!rest->len || strchr(" ,&+", *rest->p));
}

/* "1 and 3", "1, 3": the choices with these numbers, in this order. */
static bool read_picks(struct typed_line *line, struct slice text, const struct typed_game *game)
{
    struct slice rest = bare(text);
    int64_t number;
    int count = 0, picks[1 + TYPED_ALSO];
    bool known = true;
    for (; rest.len && next_number(&rest, &number); count++) {
        known &= count <= TYPED_ALSO && number >= 1 && number <= (int64_t)suggestion_count(game);
        if (known)
            picks[count] = (int)number;
    }
    if (rest.len || count < 2)
        return false;
    if (!known) {
        is_unread(line, DOUBT_NUMBER);
        return true;
    }
    line->is = TYPED_IS_PICK;
    line->number = picks[0];
    memcpy(line->also, picks + 1, (size_t)(count - 1) * sizeof *picks);
    return true;
}

/* "2", "#2", "2.", "2)"; and with the text of the suggestion after it, which is an order of the language. */
static bool read_pick(struct typed_line *line, struct slice text, const struct typed_game *game)
{
    int64_t number = 0;
    struct slice rest = slice_sub(text, slice_starts(text, "#"), text.len);
    size_t digits = 0;
    while (digits < rest.len && rest.p[digits] >= '0' && rest.p[digits] <= '9')
        digits++;
    struct slice figure = slice_sub(rest, 0, digits);
    if (!slice_number(&figure, &number))
        return false;
    rest = slice_sub(rest, digits, rest.len);
    bool marked = slice_starts(rest, ".") || slice_starts(rest, ")") || slice_starts(rest, ":");
    rest = bare(slice_trim(slice_sub(rest, marked, rest.len)));
    bool known = number >= 1 && number <= (int64_t)suggestion_count(game);
    bool same = game && known && slice_caseeq(rest, game->suggestions[number - 1]);
    if (rest.len && !same && !(is_open(game) && typed_is_order(rest, game->language)))
        return false;
    if (!known) {
        is_unread(line, DOUBT_NUMBER);
    } else {
        line->is = TYPED_IS_PICK;
        line->number = (int)number;
    }
    return true;
}

/* A suggestion may have its note in the same line, which may go on in the next one: "explore near (1 in 6 ...)". */
static struct slice without_note(struct slice text, const struct typed_game *game)
{
    for (size_t i = 0; i < suggestion_count(game); i++) {
        size_t len = strlen(game->suggestions[i]);
        if (slice_casestarts(text, game->suggestions[i]) &&
            slice_starts(slice_trim(slice_sub(text, len, text.len)), "("))
            return slice_sub(text, 0, len);
    }
    return text;
}

/* "1 [ ] explore near", "[x] explore near" */
static bool read_form(struct typed_line *line, struct slice text, const struct typed_game *game)
{
    struct slice from = text;
    int64_t number;
    if (slice_number(&from, &number))
        text = slice_trim(from);
    const char *close = slice_starts(text, "[") ? memchr(text.p, ']', text.len) : NULL;
    if (!close)
        return false;
    struct slice mark = slice_trim((struct slice){text.p + 1, (size_t)(close - text.p - 1)});
    line->text = slice_trim((struct slice){close + 1, (size_t)(text.p + text.len - close - 1)});
    line->text = without_note(line->text, game);
    for (size_t i = 0; i < suggestion_count(game); i++)
        if (slice_caseeq(line->text, game->suggestions[i])) {
            line->is = mark.len ? TYPED_IS_PICK : TYPED_IS_FORM;
            line->number = mark.len ? (int)i + 1 : 0;
            return true;
        }
    if (game && typed_is_order(line->text, game->language)) {
        line->is = is_open(game) ? TYPED_IS_FORM : TYPED_IS_EDITED;
        line->doubt = is_open(game) ? DOUBT_NUMBER : DOUBT_EDITED;
    } else {
        bool begins = game && typed_begins_order(line->text, game->language);
        is_unread(line, begins ? DOUBT_ORDER : DOUBT_NO_LINE);
    }
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
        is_unread(line, DOUBT_ODD);
        return;
    }
    if (!is_verb_of(game, text) &&
        (read_agreement(line, text) || read_command(line, text) || read_press(line, text) ||
         read_appeal(line, text) || read_own(line, text) || read_field(line, text, game))) {
        make_order(line, game, text);
        return;
    }
    if (read_pick(line, text, game) || (game && read_picks(line, text, game)) || read_form(line, text, game))
        return;
    if (game && typed_begins_order(text, game->language)) {
        line->is = TYPED_IS_ORDER;
        line->text = text;
    } else if (typed_greets(bare(text), by->names) || read_refusal(line, text)) {
        line->is = TYPED_IS_GREETING;
    } else {
        is_unread(line, !game && is_any_order(text, by) ? DOUBT_GAME
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
    struct slice text = without_bullet(line->line);
    (void)read_game(&text, by);
    return text;
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
    return last.len && slice_word(&next, &word) && utf8_width(last) + 1 + utf8_width(word) > FOLD;
}

/* Takes the next line into this one; between them is the line feed of the text. */
static void join(struct typed *typed, struct typed_line *line, struct typed_line *next)
{
    typed->text.p[next->line.p - 1 - typed->text.p] = ' ';
    line->text.len = (size_t)(next->line.p + next->line.len - line->text.p);
    line->line.len = (size_t)(next->line.p + next->line.len - line->line.p);
    next->line.len = 0;
    next->is = TYPED_IS_BLANK;
    next->doubt = DOUBT_NONE;
    if (line->line.len > TYPED_BYTES)
        is_unread(line, DOUBT_ODD);
}

/* From here on the line is understood as this text, and asked about. `mended` is owned by it. */
static void mend(struct typed_line *line, char *mended, enum typed_doubt doubt)
{
    free(line->mended);
    line->mended = mended;
    line->text = slice_of(mended);
    line->doubt = doubt;
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
        mend(line, str_detach(&both), DOUBT_FOLDED);
    }
    str_release(&both);
    return one;
}

static bool names_game(const struct typed_line *line, const struct typed_by *by)
{
    return body_of(line, by).p != without_bullet(line->line).p;
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

/* What the lines say together; those that do not go together are marked. */
static void conclude(struct typed *typed)
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
        is_unread(&typed->lines[TYPED_LINES], DOUBT_ODD);
    drop_notes(typed);
    typed_check_orders(typed, by);
    for (size_t i = 0; i < typed->count; i++)
        if (typed->lines[i].is == TYPED_IS_UNREAD && typed->lines[i].doubt != DOUBT_ODD)
            find_near(&typed->lines[i], by, &tries);
    mend_folds(typed, by);
    conclude(typed);
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

static bool orders(const struct typed_line *line)
{
    return line->is == TYPED_IS_PICK || line->is == TYPED_IS_EDITED || line->is == TYPED_IS_ORDER;
}

/* Its orders: one, or the suggestions that its numbers stand for. */
static bool nth_order(const struct typed_line *line, const struct typed_game *game, size_t n,
                      struct slice *order)
{
    const bool picks = line->is == TYPED_IS_PICK;
    const int number = n == 0 ? line->number : n <= TYPED_ALSO ? line->also[n - 1] : 0;
    if (picks ? !number : n > 0)
        return false;
    *order = picks ? slice_of(game->suggestions[number - 1]) : line->text;
    return true;
}

void typed_orders(struct str *out, const struct typed *typed, const struct typed_game *game, size_t index)
{
    struct slice order;
    for (size_t i = 0; i < typed->count; i++) {
        const struct typed_line *line = &typed->lines[i];
        if (line->game != index || !orders(line) || line->asks)
            continue;
        for (size_t n = 0; nth_order(line, game, n, &order); n++)
            str_addf(out, "%.*s\n", (int)order.len, order.p);
    }
}

void typed_mend(struct typed *typed, const struct typed_game *game, size_t index, struct slice lines)
{
    struct slice was, now;
    for (size_t i = 0; i < typed->count; i++) {
        struct typed_line *line = &typed->lines[i];
        if (line->game != index || !orders(line) || line->asks)
            continue;
        for (size_t n = 0; nth_order(line, game, n, &was) && slice_line(&lines, &now); n++)
            if (line->is == TYPED_IS_ORDER && (was.len != now.len || memcmp(was.p, now.p, now.len) != 0)) {
                mend(line, slice_dup(now), DOUBT_NEAR);
                typed->kind = TYPED_UNSURE;
            }
    }
}

void typed_questions(struct str *out, const struct typed *typed, size_t index)
{
    for (size_t i = 0; i < typed->count; i++)
        if (typed->lines[i].asks && typed->lines[i].is == TYPED_IS_ORDER && typed->lines[i].game == index)
            str_addf(out, "%.*s\n", (int)typed->lines[i].text.len, typed->lines[i].text.p);
}

/* A line that is as long as folded ones is no part of the next. */
static void add_apart(struct str *out, struct slice line)
{
    str_addf(out, "%.*s%s", (int)line.len, line.p, utf8_width(line) >= FOLD ? "\n\n" : "\n");
}

void typed_understood(struct str *out, const struct typed *typed, const struct typed_game *game)
{
    struct slice order;
    for (size_t i = 0; i < typed->count; i++) {
        const struct typed_line *line = &typed->lines[i];
        if (line->asks)
            continue;
        for (size_t n = 0; orders(line) && nth_order(line, game, n, &order); n++)
            add_apart(out, order);
        if (!orders(line) && typed_talks(line) && line->is != TYPED_IS_OK && line->is != TYPED_IS_UNDO)
            add_apart(out, line->mended ? slice_of(line->mended) : without_bullet(line->line));
    }
}

void typed_part(struct str *out, const struct typed *typed, size_t index)
{
    size_t last = 0;
    for (size_t i = 0; i < typed->count; i++) {
        const struct typed_line *line = &typed->lines[i];
        if (line->game != index && line->is != TYPED_IS_NOBODY) /* of all messages, whose names it hides */
            continue;
        str_addf(out, "%s%.*s\n", last + 1 < i ? "\n" : "", (int)line->line.len, line->line.p);
        last = i;
    }
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
