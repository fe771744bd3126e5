/* What chooses from a list of ours: numbers, and lines of the form. */
#include <string.h>

#include "orders/typed_parts.h"

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

/* "option 1", "1 please", "(1)": without what people write around a number. */
static struct slice without_frame(struct slice text)
{
    static const char *const before[] = {"option ", "number ", "choice ", "both ", NULL};
    static const char *const after[] = {" please", " pls", " thanks", " thank you", " bitte", " danke", NULL};
    text = typed_bare(text);
    for (int i = 0; before[i]; i++)
        if (slice_casestarts(text, before[i]))
            text = slice_trim(slice_sub(text, strlen(before[i]), text.len));
    for (int i = 0; after[i]; i++) {
        const size_t len = strlen(after[i]);
        if (text.len > len && slice_caseeq(slice_sub(text, text.len - len, len), after[i]))
            text = typed_bare(slice_sub(text, 0, text.len - len));
    }
    if (text.len > 2 && text.p[0] == '(' && text.p[text.len - 1] == ')')
        text = slice_trim(slice_sub(text, 1, text.len - 2));
    return text;
}

/* Cuts "3", "three" off the beginning; -1: it begins with none. */
static int64_t cut_number(struct slice *rest)
{
    static const char *const words[] = {"one",   "two",   "three", "four", "five", "six",
                                        "seven", "eight", "nine",  "ten",  NULL};
    int64_t number = -1;
    size_t len = 0;
    while (len < rest->len && rest->p[len] >= '0' && rest->p[len] <= '9')
        len++;
    struct slice figure = slice_sub(*rest, 0, len);
    if (!len)
        while (len < rest->len && (rest->p[len] | 0x20) >= 'a' && (rest->p[len] | 0x20) <= 'z')
            len++;
    const struct slice word = slice_sub(*rest, 0, len);
    for (int i = 0; !figure.len && words[i]; i++)
        if (slice_caseeq(word, words[i]))
            number = i + 1;
    if (figure.len && !slice_number(&figure, &number))
        return -1;
    *rest = slice_sub(*rest, number < 0 ? 0 : len, rest->len);
    return number;
}

/* The next of several numbers, and what stands before it: "1 and 3", "#1, #3", "3 then 1", "1/3". -1: there is none. */
static int64_t next_number(struct slice *rest)
{
    static const char *const between[] = {",", "&", "+", "/", "and ", "then ", "und ", "et ", "#", NULL};
    for (int i = 0; between[i]; i++)
        if (slice_casestarts(slice_trim(*rest), between[i]))
            *rest = slice_sub(slice_trim(*rest), strlen(between[i]), rest->len);
    *rest = slice_trim(*rest);
    const int64_t number = cut_number(rest);
    return !rest->len || strchr(" ,&+/", *rest->p) ? number : -1;
}

/* "1 and 3", "1, 3": the choices with these numbers, in this order. */
bool typed_picks(struct typed_line *line, struct slice text, const struct typed_game *game)
{
    struct slice rest = without_frame(text);
    int64_t number;
    int count = 0, picks[1 + TYPED_ALSO];
    bool known = true;
    for (; rest.len && (number = next_number(&rest)) >= 0; count++) {
        known &= count <= TYPED_ALSO && number >= 1 && number <= (int64_t)suggestion_count(game);
        if (known)
            picks[count] = (int)number;
    }
    if (rest.len || count < 2)
        return false;
    if (!known) {
        typed_unread(line, DOUBT_NUMBER);
        return true;
    }
    line->is = TYPED_IS_PICK;
    line->number = picks[0];
    memcpy(line->also, picks + 1, (size_t)(count - 1) * sizeof *picks);
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

/* "2", "#2", "2.", "2)", "option 2", "two"; and with the text of the suggestion after it, which is an order of the language. */
bool typed_pick(struct typed_line *line, struct slice text, const struct typed_game *game)
{
    static const char *const dashes[] = {"-", "\342\200\223", "\342\200\224", NULL};
    struct slice rest = without_frame(text);
    rest = slice_sub(rest, slice_starts(rest, "#"), rest.len);
    const bool figure = rest.len && *rest.p >= '0' && *rest.p <= '9';
    const int64_t number = cut_number(&rest);
    if (number < 0)
        return false;
    bool marked = slice_starts(rest, ".") || slice_starts(rest, ")") || slice_starts(rest, ":");
    rest = slice_trim(slice_sub(rest, marked, rest.len));
    for (int i = 0; dashes[i]; i++)
        if (slice_starts(rest, dashes[i]))
            rest = slice_trim(slice_sub(rest, strlen(dashes[i]), rest.len));
    rest = without_note(typed_bare(rest), game);
    bool known = number >= 1 && number <= (int64_t)suggestion_count(game);
    bool same = game && known && slice_caseeq(rest, game->suggestions[number - 1]);
    if (rest.len && !same && !(is_open(game) && typed_is_order(rest, game->language)))
        return false;
    if (!known && !figure && !is_open(game)) /* "ten" of a list of three */
        return false;
    if (!known) {
        typed_unread(line, DOUBT_NUMBER);
    } else {
        line->is = TYPED_IS_PICK;
        line->number = (int)number;
    }
    return true;
}

/* "1 [ ] explore near", "[x] explore near" */
bool typed_form(struct typed_line *line, struct slice text, const struct typed_game *game)
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
        typed_unread(line, begins ? DOUBT_ORDER : DOUBT_NO_LINE);
    }
    return true;
}
