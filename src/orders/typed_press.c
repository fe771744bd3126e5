/* Messages to others, and appeals. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "orders/typed_parts.h"

/* Would a message that begins so be taken for the lines above it in its text? ("from: nobody") */
static bool begins_field(struct slice words)
{
    static const char *const names[] = {"to",   "from",  "re",     "game", "turn",  "head", "seq",
                                        "wait", "final", "league", "json", "nonce", "date", NULL};
    while (words.len && strchr("> ", *words.p))
        words = slice_sub(words, 1, words.len);
    const char *colon = words.len ? memchr(words.p, ':', words.len) : NULL;
    struct slice name = {words.p, colon ? (size_t)(colon - words.p) : 0};
    return !words.len || slice_starts(words, "#") || typed_among(slice_trim(name), names);
}

/* "from nobody", "from: nobody" */
bool typed_nobody(struct slice text)
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
    while (at < name->len && !(name->p[at] == ' ' && typed_nobody(slice_sub(*name, at, name->len))))
        at++;
    bool ends = at < name->len;
    *name = slice_sub(*name, 0, at);
    return ends;
}

bool typed_press(struct typed_line *line, struct slice text)
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
        typed_unread(line, DOUBT_FIELD);
    return true;
}

/* "appeal: My orders were ...", "appeal turn 5: ..." */
bool typed_appeal(struct typed_line *line, struct slice text)
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
        typed_unread(line, DOUBT_FIELD);
    } else {
        line->number = (int)turn;
        line->is = TYPED_IS_APPEAL;
    }
    return true;
}

/* ---- what is a message, and not written as one ---- */

/* Whom a name means at the table, also by its beginning where no other one has it ("jana" of "jana-b"); NULL: nobody. */
static const char *person(struct slice name, const char *const *others)
{
    const char *found = NULL;
    size_t count = 0;
    if (slice_caseeq(name, "all") || slice_caseeq(name, "everyone") || slice_caseeq(name, "everybody"))
        return "all";
    for (; name.len && *others; others++) {
        const bool begins = strncasecmp(*others, name.p, name.len) == 0;
        if (begins && !(*others)[name.len])
            return *others;
        count += begins && name.len >= 3;
        found = begins ? *others : found;
    }
    return count == 1 ? found : NULL;
}

/* Without the colon or the comma at its end. */
static struct slice without_sign(struct slice word)
{
    return slice_sub(word, 0, word.len - (word.len && strchr(":,", word.p[word.len - 1])));
}

static bool make_message(struct typed_line *line, const char *name, struct slice words)
{
    struct str text = STR_INIT;
    str_addf(&text, "press %s: %.*s", name, (int)words.len, words.p);
    char *mended = str_detach(&text);
    if (!typed_press(line, slice_of(mended)) || line->is != TYPED_IS_PRESS) {
        free(mended);
        return false;
    }
    free(line->mended);
    line->mended = mended;
    line->doubt = DOUBT_MESSAGE;
    return true;
}

bool typed_message(struct typed_line *line, struct slice text, const struct typed_game *game)
{
    static const char *const begins[] = {"tell", "press", "message", "msg", "write", "to", "@", NULL};
    struct slice rest = text, word;
    if (!game || !game->others || !slice_word(&rest, &word))
        return false;
    bool named = word.p[word.len - 1] == ':'; /* "mia: hi" */
    if (typed_among(without_sign(word), begins)) {
        named = slice_word(&rest, &word);
        if (named && slice_caseeq(word, "to"))
            named = slice_word(&rest, &word);
    } else if (word.p[0] == '@') {
        word = slice_sub(word, 1, word.len);
        named = true;
    }
    rest = slice_trim(rest);
    const char *name = named ? person(without_sign(word), game->others) : NULL;
    return name && rest.len && make_message(line, name, rest);
}

void typed_whom(struct typed_line *line, const struct typed_game *game)
{
    const char *name =
        line->is == TYPED_IS_PRESS && game && game->others ? person(line->name, game->others) : NULL;
    if (name && !slice_caseeq(line->name, name) && !line->nameless)
        (void)make_message(line, name, line->text);
}
