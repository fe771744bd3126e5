/* What styles may say where people type: a list of what mail programs write there and that leaves letters legible.
 *
 * Whatever is not on it, a property or a value, makes the text doubtful: CSS grows, and so do the ways to hide a line
 * in it. Escapes, references and functions other than colours are on no list. What sheets say is not followed to the
 * elements that it is for: any of it must leave any text legible. */
#include <string.h>

#include "mail/reply_parts.h"

/* ---- text ---- */

/* "&quot;" in an attribute; the offset of what follows, or 0 for anything else. */
static size_t reference(struct slice text, char *c)
{
    static const struct {
        const char *name;
        char c;
    } known[] = {{"&quot;", '"'}, {"&#34;", '"'}, {"&#39;", '\''}, {"&apos;", '\''}, {"&amp;", '&'}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (slice_casestarts(text, known[i].name)) {
            *c = known[i].c;
            return strlen(known[i].name);
        }
    return 0;
}

/* Without references, in lower case. */
static bool add_decoded(struct str *out, struct slice style)
{
    for (size_t i = 0; i < style.len; i++) {
        char c = style.p[i];
        size_t len = c == '&' ? reference(slice_sub(style, i, style.len), &c) : 1;
        if (!len || !c)
            return false;
        i += len - 1;
        str_addc(out, c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c);
    }
    return true;
}

/* Does a text in quotes have anything in it but bullets, as "\\2022"? */
static bool has_letters(struct slice text)
{
    bool found = false;
    while (text.len && !found) {
        size_t digits = 0;
        if (*text.p == '\\')
            digits = strspn(text.p + 1, "0123456789abcdef"); /* behind them there is the quote */
        found = digits ? digits != 4 || text.p[1] != '2' || text.p[2] > '7' : *text.p != ' ';
        found = found && !slice_starts(text, "\\00a0");
        text = slice_sub(text, 1 + digits, text.len);
    }
    return found;
}

/* Without comments and what is in quotes, with single spaces; false where something is not closed. */
static bool add_plain(struct str *out, struct slice style)
{
    for (size_t i = 0; i < style.len; i++) {
        struct slice rest = slice_sub(style, i, style.len);
        bool comment = slice_starts(rest, "/*"), quote = *rest.p == '"' || *rest.p == '\'';
        const char *close = comment ? memmem(rest.p + 2, rest.len - 2, "*/", 2)
                            : quote ? memchr(rest.p + 1, *rest.p, style.len - i - 1)
                                    : rest.p;
        if (!close)
            return false;
        if (quote)
            str_adds(out, has_letters(slice_sub(rest, 1, (size_t)(close - rest.p) - 1)) ? "\"x\"" : "\"\"");
        else if (!comment && !strchr(" \t\r\n\f", *rest.p))
            str_addc(out, *rest.p);
        else if (out->len && out->p[out->len - 1] != ' ')
            str_addc(out, ' ');
        i += (size_t)(close - rest.p) + comment;
    }
    return true;
}

/* Cuts the next word of a value off: blanks and commas within brackets are part of it. */
static bool next_word(const char **value, struct slice *word)
{
    const char *p = *value + strspn(*value, " ,/"), *from = p;
    for (int depth = 0; *p && (depth > 0 || !strchr(" ,/", *p)); p++)
        depth += (*p == '(') - (*p == ')');
    *word = (struct slice){from, (size_t)(p - from)};
    *value = p;
    return p > from;
}

static bool word_is(struct slice word, const char *const *list)
{
    while (*list && !slice_eq(word, *list))
        list++;
    return *list != NULL;
}

/* ---- lengths ---- */

bool reply_number(const char *text, double *number, const char **end)
{
    const char *p = text + (*text == '-' || *text == '+');
    double value = 0, unit = 1;
    size_t digits = strspn(p, "0123456789"), after = 0;
    for (size_t i = 0; i < digits; i++)
        value = value * 10 + (*p++ - '0');
    if (*p == '.')
        after = strspn(p + 1, "0123456789");
    for (size_t i = 0; i < after; i++)
        value += (*++p - '0') * (unit /= 10);
    p += after > 0;
    *number = *text == '-' ? -value : value;
    *end = p;
    return digits + after > 0;
}

/* What relative lengths are of. */
struct measure {
    double whole, em, rem;
};

/* Pixels. False when it is no length; a number without a unit is *bare. */
static bool length_of(struct slice word, const struct measure *of, double *pixels, bool *bare)
{
    const struct {
        const char *unit;
        double pixels;
    } units[] = {{"px", 1},        {"pt", 4.0 / 3},        {"pc", 16},
                 {"in", 96},       {"cm", 96 / 2.54},      {"mm", 96 / 25.4},
                 {"em", of->em},   {"ex", of->em / 2},     {"ch", of->em / 2},
                 {"rem", of->rem}, {"%", of->whole / 100}, {"", 1}};
    char text[24];
    const char *unit;
    if (word.len >= sizeof text)
        return false;
    memcpy(text, word.p, word.len);
    text[word.len] = '\0';
    if (!reply_number(text, pixels, &unit))
        return false;
    *bare = *unit == '\0';
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(unit, units[i].unit) == 0) {
            *pixels *= units[i].pixels;
            return true;
        }
    return false;
}

/* ---- what shows ---- */

#define SMALLEST 6.0  /* pixels of a letter that can be read */
#define LARGEST  200  /* of one that hides no others */
#define ASIDE    9    /* pixels beyond the edge: Word moves tables by 7 */
#define ROOM     24   /* by which first lines may stand out where a sheet says how far in they are */
#define FAR      1500 /* nobody looks there */

static bool is_legible(const struct reply_look *look)
{
    return !look->unseen && look->size >= SMALLEST && look->size < LARGEST &&
           reply_color_reads(look->letters, look->ground);
}

bool reply_look_shows(const struct reply_look *look, const struct reply_sheets *sheets)
{
    double room = look->rtl ? look->right : look->left + (sheets->room < ROOM ? sheets->room : ROOM);
    return is_legible(look) && (!sheets->letters || reply_color_light(look->ground)) &&
           (!sheets->ground || reply_color_dark(look->letters)) && look->left >= -ASIDE &&
           look->right >= -ASIDE && look->left < FAR && room + look->indent >= -ASIDE;
}

/* ---- declarations ---- */

enum kind {
    NEVER,
    WORDS,   /* any without brackets, but for colours */
    MARKS,   /* the same, but for texts that would be read with the text */
    COLOR,   /* of letters */
    GROUND,  /* a colour behind them, and words about pictures that are not there */
    SIZE,    /* of letters */
    FONT,    /* a size, and words */
    INDENT,  /* of first lines */
    BOX,     /* lengths on all sides, or on one */
    LENGTHS, /* each from `least` to `most` pixels, colours, and words */
    LINE,    /* the same, or a factor */
    LISTED   /* words of `list` alone */
};

/* `own`: other values do something to the text of the element alone. */
struct property {
    const char *name; /* "font-*" */
    enum kind kind;
    bool own;
    double least, most;
    const char *const *list;
};

#define LIST(...)         \
    (const char *const[]) \
    {                     \
        __VA_ARGS__, NULL \
    }
static const struct property properties[] = {
    {"all", NEVER, false, 0, 0, NULL},
    {"color", COLOR, true, 0, 0, NULL},
    {"text-fill-color", LISTED, true, 0, 0, LIST("currentcolor")},
    {"background", GROUND, false, 0, 0, NULL},
    {"background-color", GROUND, false, 0, 0, NULL},
    {"background-image", LISTED, false, 0, 0, LIST("none")},
    {"background-clip", LISTED, false, 0, 0, LIST("border-box", "padding-box", "content-box")},
    {"background-repeat", WORDS, false, 0, 0, NULL},
    {"background-position*", WORDS, false, 0, 0, NULL},
    {"background-size", WORDS, false, 0, 0, NULL},
    {"background-origin", WORDS, false, 0, 0, NULL},
    {"background-attachment", WORDS, false, 0, 0, NULL},
    {"font-size", SIZE, true, 0, 0, NULL},
    {"font", FONT, true, 0, 0, NULL},
    {"font-size-adjust", LISTED, true, 0, 0, LIST("none")},
    {"font-*", WORDS, false, 0, 0, NULL},
    {"text-align*", WORDS, false, 0, 0, NULL},
    {"text-indent", INDENT, true, -400, 200, NULL},
    {"text-transform", LISTED, false, 0, 0, LIST("none", "uppercase", "lowercase", "capitalize")},
    {"text-decoration*", LENGTHS, false, 0, 4, NULL},
    {"text-decorations-in-effect", WORDS, false, 0, 0, NULL},
    {"text-underline-*", LENGTHS, false, 0, 4, NULL},
    {"text-stroke-width", LENGTHS, true, 0, 0, NULL},
    {"text-stroke-color", WORDS, false, 0, 0, NULL},
    {"text-rendering", WORDS, false, 0, 0, NULL},
    {"composition-*", WORDS, false, 0, 0, NULL},
    {"text-size-adjust", LISTED, true, 0, 0, LIST("auto", "none", "100%")},
    {"text-wrap*", WORDS, false, 0, 0, NULL},
    {"text-autospace", WORDS, false, 0, 0, NULL},
    {"text-justify", WORDS, false, 0, 0, NULL},
    {"text-kashida*", WORDS, false, 0, 0, NULL},
    {"vertical-align", LENGTHS, true, -20, 20, NULL},
    {"line-height", LINE, true, 8, 200, NULL},
    {"line-break", WORDS, false, 0, 0, NULL},
    {"letter-spacing", LENGTHS, true, -0.6, 20, NULL},
    {"word-spacing", LENGTHS, true, -1, 40, NULL},
    {"word-*", WORDS, false, 0, 0, NULL},
    {"white-space*", WORDS, false, 0, 0, NULL},
    {"overflow-wrap", WORDS, false, 0, 0, NULL},
    {"overflow*", LISTED, true, 0, 0, LIST("visible")},
    {"hyphens", WORDS, false, 0, 0, NULL},
    {"direction", LISTED, false, 0, 0, LIST("ltr", "rtl")},
    {"unicode-bidi", LISTED, false, 0, 0, LIST("embed", "isolate", "plaintext")},
    {"writing-mode", LISTED, false, 0, 0, LIST("horizontal-tb")},
    {"margin*", BOX, false, -ASIDE, 600, NULL},
    {"padding*", BOX, false, 0, 600, NULL},
    {"border*", LENGTHS, false, 0, 200, NULL},
    {"outline*", LENGTHS, false, -10, 10, NULL},
    {"width", LENGTHS, true, 8, 4000, NULL},
    {"height", LENGTHS, true, 8, 4000, NULL},
    {"max-width", LENGTHS, true, 8, 4000, NULL},
    {"max-height", LENGTHS, true, 8, 4000, NULL},
    {"min-width", LENGTHS, true, 0, 4000, NULL},
    {"min-height", LENGTHS, true, 0, 4000, NULL},
    {"box-sizing", WORDS, false, 0, 0, NULL},
    {"display", LISTED, true, 0, 0,
     LIST("block", "inline", "inline-block", "list-item", "table", "inline-table", "table-row", "table-cell",
          "table-row-group", "contents", "flow-root")},
    {"visibility", LISTED, true, 0, 0, LIST("visible")},
    {"content-visibility", LISTED, true, 0, 0, LIST("visible")},
    {"opacity", LISTED, true, 0, 0, LIST("1", "1.0", "100%")},
    {"zoom", LISTED, true, 0, 0, LIST("1", "1.0", "100%")},
    {"mso-hide", LISTED, true, 0, 0, LIST("none")},
    {"mso-font-width", LISTED, true, 0, 0, LIST("100%")},
    {"mso-text-raise", LENGTHS, true, -20, 20, NULL},
    {"mso-*", WORDS, false, 0, 0, NULL},
    {"position", LISTED, false, 0, 0, LIST("static", "relative")},
    {"top", LENGTHS, false, 0, 0, NULL},
    {"right", LENGTHS, false, 0, 0, NULL},
    {"bottom", LENGTHS, false, 0, 0, NULL},
    {"left", LENGTHS, false, 0, 0, NULL},
    {"float", LISTED, false, 0, 0, LIST("none")},
    {"clear", WORDS, false, 0, 0, NULL},
    {"color-scheme", LISTED, false, 0, 0, LIST("light", "only")},
    {"print-color-adjust", WORDS, false, 0, 0, NULL},
    {"list-style*", MARKS, false, 0, 0, NULL},
    {"table-layout", WORDS, false, 0, 0, NULL},
    {"caption-side", WORDS, false, 0, 0, NULL},
    {"empty-cells", WORDS, false, 0, 0, NULL},
    {"caret-color", WORDS, false, 0, 0, NULL},
    {"orphans", WORDS, false, 0, 0, NULL},
    {"widows", WORDS, false, 0, 0, NULL},
    {"quotes", WORDS, false, 0, 0, NULL},
    {"content", MARKS, false, 0, 0, NULL},
    {"cursor", WORDS, false, 0, 0, NULL},
    {"user-*", WORDS, false, 0, 0, NULL},
    {"page*", WORDS, false, 0, 0, NULL},
    {"break-*", WORDS, false, 0, 0, NULL},
    {"size", WORDS, false, 0, 0, NULL},
    {"panose-1", WORDS, false, 0, 0, NULL},
    {"tab-*", WORDS, false, 0, 0, NULL},
    {"nbsp-mode", WORDS, false, 0, 0, NULL},
    {"tap-highlight-color", WORDS, false, 0, 0, NULL},
    {"punctuation-wrap", WORDS, false, 0, 0, NULL},
    {"layout-grid-mode", WORDS, false, 0, 0, NULL},
    {"ruby-*", WORDS, false, 0, 0, NULL},
};

static const struct property *find_property(struct slice name)
{
    static const char *const makers[] = {"-webkit-", "-moz-", "-ms-", "-o-"};
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        if (slice_starts(name, makers[i]))
            name = slice_sub(name, strlen(makers[i]), name.len);
    for (size_t i = 0; i < sizeof properties / sizeof *properties; i++) {
        struct slice known = slice_of(properties[i].name);
        size_t len = known.len - (known.p[known.len - 1] == '*');
        if (name.len >= len && memcmp(name.p, known.p, len) == 0 && (len < known.len || name.len == len))
            return &properties[i];
    }
    return NULL;
}

/* One element, or one rule of a sheet. */
struct styling {
    struct reply_look *look;
    double base;                  /* pixels that relative sizes are of, at most */
    double margin[2], padding[2]; /* on the left and on the right: the last of each that was declared */
    bool colors, grounds;         /* it has declared such, */
    bool shrinks;                 /* and a size that becomes smaller in each element within another */
};

static const char *const anywhere[] = {"initial", "inherit", "unset", "revert", "normal", NULL};

/* A word in letters, or nothing that was in quotes. */
static bool is_word(struct slice word)
{
    for (size_t i = 0; i < word.len; i++)
        if (!strchr("abcdefghijklmnopqrstuvwxyz-_\"", word.p[i]) && !(word.p[i] & 0x80))
            return false;
    return word.len && !slice_eq(word, "line-through") && !slice_eq(word, "blink");
}

static bool is_color(struct slice word)
{
    struct reply_color color;
    return reply_color_read(word, &color) || slice_eq(word, "currentcolor");
}

static bool see_color(struct styling *now, struct slice word)
{
    static const char *const same[] = {"inherit", "unset", "currentcolor", NULL};
    struct reply_color color = {0, 1};
    if (word_is(word, same))
        return true;
    if (!slice_eq(word, "initial") && !reply_color_read(word, &color))
        return false;
    now->look->letters = color;
    now->colors = true;
    return true;
}

/* "background" has other words as well, beside which browsers may pass over the colour: then it must make no difference. */
static bool see_ground(struct styling *now, struct slice word, bool alone, bool other)
{
    static const char *const words[] = {"none",        "repeat",     "no-repeat",   "repeat-x", "repeat-y",
                                        "scroll",      "fixed",      "local",       "top",      "right",
                                        "bottom",      "left",       "center",      "auto",     "cover",
                                        "padding-box", "border-box", "content-box", NULL};
    struct reply_look *look = now->look;
    struct reply_color color;
    double pixels;
    bool bare;
    if (!reply_color_read(word, &color))
        return word_is(word, anywhere) ||
               (other &&
                (word_is(word, words) || length_of(word, &(struct measure){0, 0, 0}, &pixels, &bare)));
    int mixed = reply_color_over(color, look->ground);
    if (!alone && (!other || reply_color_reads((struct reply_color){mixed, 1}, look->ground)))
        return false;
    look->ground = mixed;
    now->grounds = now->grounds || color.thick > 0;
    return true;
}

/* `sure`: no browser passes over it. */
static bool set_size(struct reply_look *look, double pixels, bool sure)
{
    look->size = sure || pixels < look->size ? pixels : look->size;
    return look->size >= SMALLEST && look->size < LARGEST;
}

static bool see_size(struct styling *now, struct slice word, bool sure)
{
    static const struct {
        const char *name;
        double pixels;
    } names[] = {{"xx-small", 9}, {"x-small", 10}, {"small", 13},    {"medium", 16},   {"initial", 16},
                 {"large", 18},   {"x-large", 24}, {"xx-large", 32}, {"xxx-large", 48}};
    static const char *const same[] = {"larger", "inherit", "unset", "revert", NULL};
    const double base = now->look->size < now->base ? now->look->size : now->base;
    const double root = now->look->root < now->base ? now->look->root : now->base;
    double pixels = base / 1.2, twice = 2 * pixels;
    bool bare = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (slice_eq(word, names[i].name))
            return set_size(now->look, names[i].pixels, sure);
    if (word_is(word, same))
        return true;
    if (!slice_eq(word, "smaller") &&
        (!length_of(word, &(struct measure){base, base, root}, &pixels, &bare) ||
         !length_of(word, &(struct measure){2 * base, 2 * base, root}, &twice, &bare)))
        return false;
    now->shrinks = now->shrinks || (twice > pixels && pixels < base);
    return set_size(now->look, pixels, sure && !bare);
}

/* "bold 12px/1.5 Arial" */
static bool see_font(struct styling *now, struct slice word)
{
    double pixels;
    bool bare, length = length_of(word, &(struct measure){16, 16, 16}, &pixels, &bare);
    if (!length)
        return is_word(word);
    return bare ? pixels >= 1 : see_size(now, word, false); /* a weight, or the height of a line */
}

/* Of lengths whose sign matters: no less than what they are to the left, and no more than to the right. */
static bool see_offset(struct slice word, double *pixels)
{
    static const struct measure least = {0, SMALLEST, SMALLEST}, most = {1200, 16, 16};
    bool bare;
    *pixels = 0;
    return word_is(word, anywhere) || slice_eq(word, "auto") ||
           (length_of(word, word.p[0] == '-' ? &most : &least, pixels, &bare) && (!bare || *pixels == 0));
}

/* The sides of a property are in the order of its words: top, right, bottom, left. */
static bool see_box(struct styling *now, const struct property *is, struct slice name, const char *value)
{
    double side[4] = {0}, *box = is->least < 0 ? now->margin : now->padding;
    struct slice word;
    size_t count = 0;
    for (; next_word(&value, &word); count++)
        if (count == 4 || !see_offset(word, &side[count]) || side[count] < is->least ||
            side[count] > is->most)
            return false;
    const char *dash = memchr(name.p, '-', name.len);
    struct slice one = dash ? slice_sub(name, (size_t)(dash - name.p), name.len) : (struct slice){"", 0};
    if (count == 1)
        side[1] = side[2] = side[3] = side[0];
    if (count == 2)
        side[2] = side[0];
    if (count == 2 || count == 3)
        side[3] = side[1];
    bool left = !one.len || slice_eq(one, "-left"), right = !one.len || slice_eq(one, "-right");
    if (count && left)
        box[0] = side[3];
    if (count && right)
        box[1] = side[1];
    bool across = (left || right) && (!one.len ? side[0] >= 0 && side[2] >= 0 : count == 1);
    return !count || across || (count == 1 && side[0] >= 0);
}

static bool see_indent(struct styling *now, const struct property *is, struct slice word)
{
    double pixels;
    bool good = see_offset(word, &pixels) && pixels >= is->least && pixels <= is->most;
    now->look->indent = good && !word_is(word, anywhere) ? pixels : now->look->indent;
    return good;
}

static bool see_length(const struct property *is, struct slice word)
{
    double pixels;
    bool bare;
    if (is_word(word) || is_color(word))
        return true;
    if (!length_of(word, &(struct measure){400, 16, 16}, &pixels, &bare))
        return false;
    if (is->kind == LINE)
        pixels *= bare ? 16 : word.p[word.len - 1] == '%' ? 16.0 / 400 : 1;
    return pixels >= is->least && pixels <= is->most;
}

static bool see_word(struct styling *now, const struct property *is, struct slice word, bool alone)
{
    switch (is->kind) {
    case NEVER:
    case BOX: return false;
    case COLOR: return alone && see_color(now, word);
    case SIZE: return alone && see_size(now, word, true);
    case GROUND: return see_ground(now, word, alone, !strchr(is->name, '-'));
    case FONT: return see_font(now, word);
    case INDENT: return alone && see_indent(now, is, word);
    case LENGTHS:
    case LINE: return see_length(is, word);
    case LISTED: return word_is(word, is->list);
    case MARKS: return !slice_eq(word, "\"x\"") && !memchr(word.p, '(', word.len);
    case WORDS: return !memchr(word.p, '(', word.len) || is_color(word);
    }
    return false;
}

/* Of a property that nobody knows: what leaves things as they are. */
static bool is_default(struct slice word)
{
    static const char *const words[] = {"none", "auto", "normal", NULL};
    return word_is(word, words) || word_is(word, anywhere);
}

static bool see_words(struct styling *now, const struct property *is, const char *value)
{
    struct slice word, next;
    bool more = next_word(&value, &word), alone = true, good = true;
    for (; more && good; word = next) {
        more = next_word(&value, &next);
        alone = alone && !more;
        bool known = is && (see_word(now, is, word, alone) || (is->kind > SIZE && word_is(word, anywhere)));
        good = is ? known : is_default(word);
    }
    return good;
}

/* False when it is on no list. */
static bool see_declaration(struct styling *now, const char *text)
{
    const char *colon = strchr(text, ':'), *value = colon ? colon + 1 : text;
    if (!colon)
        return true;
    struct slice name = slice_trim((struct slice){text, (size_t)(colon - text)});
    const struct property *is = find_property(name);
    struct reply_look *look = now->look;
    look->ruled = look->ruled || (slice_starts(name, "border-top") && strstr(value, "solid"));
    if (memchr(name.p, '\\', name.len) || (strchr(value, '\\') && !slice_starts(name, "mso-")))
        return false;
    bool good = is && is->kind == BOX ? see_box(now, is, name, value) : see_words(now, is, value);
    if (slice_eq(name, "direction"))
        look->rtl = strstr(value, "rtl") != NULL;
    look->unseen = look->unseen || (!good && is && is->own);
    return good || (is && is->own);
}

/* Cuts off what stands behind the value; false unless that is "!important". */
static bool cut_important(char *text)
{
    char *mark = strchr(text, '!');
    if (mark)
        *mark++ = '\0';
    return !mark || slice_eq(slice_trim(slice_of(mark)), "important");
}

/* ---- styles and sheets ---- */

/* Those that are important come last. */
static bool see_declarations(struct styling *now, struct str *text)
{
    bool good = true;
    for (size_t i = 0; i < text->len; i++)
        if (text->p[i] == ';')
            text->p[i] = '\0';
    for (int pass = 0; pass < 2; pass++)
        for (size_t at = 0; good && at < text->len; at += strlen(text->p + at) + 1)
            if ((strchr(text->p + at, '!') != NULL) == pass)
                good = cut_important(text->p + at) && see_declaration(now, text->p + at);
    return good;
}

/* Each declaration ends with its ";" or with the text. */
static bool add_style(struct str *text, struct slice style)
{
    struct str decoded = STR_INIT;
    bool good = add_decoded(&decoded, style) && add_plain(text, slice_str(&decoded));
    str_release(&decoded);
    return good && !strpbrk(text->p, "{}");
}

bool reply_style(struct slice style, const struct reply_sheets *sheets, struct reply_look *look)
{
    struct str text = STR_INIT;
    struct styling now = {.look = look, .base = sheets->size};
    bool good = add_style(&text, style) && see_declarations(&now, &text);
    look->left += now.margin[0] + now.padding[0];
    look->right += now.margin[1] + now.padding[1];
    str_release(&text);
    return good;
}

/* Mail programs give pictures all sorts of styles; few of them move one over something else. */
static bool moves(struct slice name, const char *value)
{
    static const char *const movers[] = {"position", "top",       "right", "bottom", "left",
                                         "inset",    "transform", "scale", "rotate", "zoom",
                                         "offset",   "translate", NULL};
    struct slice word;
    bool mover = false, moves = false, margin = slice_starts(name, "margin");
    for (size_t i = 0; movers[i]; i++)
        mover = mover || slice_starts(name, movers[i]);
    while (next_word(&value, &word))
        moves = moves || (margin && *word.p == '-') || slice_eq(word, "collapse") ||
                (mover && !is_default(word) && !slice_eq(word, "static") && !slice_eq(word, "0"));
    return moves;
}

bool reply_style_covers(struct slice style)
{
    struct str text = STR_INIT;
    bool covers = !add_style(&text, style);
    for (char *p = text.p, *next; !covers && *p; p = next) {
        const size_t len = strcspn(p, ";"), colon = strcspn(p, ":");
        next = p + len + (p[len] != '\0');
        p[len] = '\0';
        covers = colon < len && moves(slice_trim((struct slice){p, colon}), p + colon + 1);
    }
    str_release(&text);
    return covers;
}

/* Where in a sheet something may be declared. */
static bool opens_known(struct slice selector)
{
    static const char *const rules[] = {"@font-face", "@page", "@media", "@list"};
    selector = slice_trim(selector);
    bool known = !slice_starts(selector, "@");
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        known = known || slice_starts(selector, rules[i]);
    return known;
}

static void drop_marks(struct str *text, const char *mark)
{
    for (char *at = strstr(text->p, mark); at; at = strstr(at, mark))
        memset(at, ' ', strlen(mark));
}

/* What one rule of a sheet may do to any text, whatever other rules and styles do to it: letters are dark and grounds
 * light, no size is part of another, and no text is moved. */
static bool may_rule(const struct styling *now, bool element)
{
    const struct reply_look *look = now->look;
    bool colors = (!now->colors || reply_color_dark(look->letters)) &&
                  (!now->grounds || reply_color_light(look->ground)),
         moved = now->margin[0] < 0 || now->margin[1] < 0 || look->indent < -ROOM ||
                 now->margin[0] + now->padding[0] + look->indent < -16; /* a letter, as in our own */
    return !look->unseen && look->size >= SMALLEST && !now->shrinks && colors && !(element && moved);
}

static void end_rule(struct styling *now, bool element, struct reply_sheets *sheets)
{
    struct reply_look *look = now->look;
    sheets->bad = sheets->bad || !may_rule(now, element);
    sheets->letters = sheets->letters || now->colors;
    sheets->ground = sheets->ground || now->grounds;
    sheets->size = look->size < sheets->size ? look->size : sheets->size;
    if (element && now->margin[0] > sheets->room)
        sheets->room = now->margin[0];
    *look = (struct reply_look)REPLY_LOOK;
    *now = (struct styling){.look = look, .base = look->size};
}

void reply_sheet(struct slice sheet, struct reply_sheets *sheets)
{
    struct reply_look look = REPLY_LOOK;
    struct styling now = {.look = &look, .base = look.size};
    struct str lower = STR_INIT, text = STR_INIT;
    bool element = true;
    str_addslice(&lower, sheet);
    for (size_t i = 0; i < lower.len; i++)
        if (lower.p[i] >= 'A' && lower.p[i] <= 'Z')
            lower.p[i] |= 0x20;
    bool good = strlen(lower.p) == lower.len;
    drop_marks(&lower, "<!--");
    drop_marks(&lower, "-->");
    good = good && add_plain(&text, slice_str(&lower));
    for (char *p = text.p; good && *p;) {
        size_t len = strcspn(p, ";{}");
        char mark = p[len], *next = p + len + (mark != '\0');
        p[len] = '\0';
        if (mark == '{') {
            good = opens_known((struct slice){p, len});
            element = !slice_starts(slice_trim((struct slice){p, len}), "@");
        } else {
            good = !strchr(p, '@') && cut_important(p) && see_declaration(&now, p);
        }
        if (mark != ';')
            end_rule(&now, element, sheets);
        p = next;
    }
    sheets->bad = sheets->bad || !good;
    str_release(&lower);
    str_release(&text);
}
