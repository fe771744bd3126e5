/* What styles may say where people type: a list of what mail programs write there and that leaves letters legible.
 *
 * Whatever is not on it, a property or a value, makes the text doubtful: CSS grows, and so do the ways to hide a line
 * in it. Escapes, references and functions other than colours are on no list. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mail/reply_parts.h"

#define SMALLEST 5.0 /* pixels of a letter that can be read */
#define ALIKE    60  /* of 3 * 255 between two colours that can be told apart */
#define CLEAR    0.5 /* a colour of less is none */

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

/* Without comments and what is in quotes, with single spaces; false where something is not closed. */
static bool add_plain(struct str *out, struct slice style)
{
    for (size_t i = 0; i < style.len; i++) {
        struct slice rest = slice_sub(style, i, style.len);
        bool comment = slice_starts(rest, "/*"), quote = *rest.p == '"' || *rest.p == '\'';
        const char *close = comment ? memmem(rest.p + 2, rest.len - 2, "*/", 2)
                            : quote ? memchr(rest.p + 1, *rest.p, rest.len - 1)
                                    : rest.p;
        if (!close)
            return false;
        if (quote)
            str_adds(out, "\"\"");
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

/* ---- colours ---- */

/* How a colour is written. */
enum color { COLOR_NOT, COLOR_CLEAR, COLOR_SAME, COLOR_IS };

static enum color hex_color(const char *digits, int *color)
{
    size_t len = strspn(digits, "0123456789abcdef");
    unsigned long number = strtoul(digits, NULL, 16);
    if ((len != 3 && len != 6) || digits[len])
        return COLOR_NOT;
    *color =
        (int)(len == 6 ? number
                       : (number >> 8 & 15) * 0x110000 + (number >> 4 & 15) * 0x1100 + (number & 15) * 0x11);
    return COLOR_IS;
}

/* "1,2,3)", "1, 2, 3, 0.5)", "1 2 3 / 50%)" */
static enum color function_color(const char *parts, int *color)
{
    double part[4] = {0, 0, 0, 1};
    size_t count = 0;
    for (; count < 4 && *parts != ')'; count++) {
        char *end;
        part[count] = strtod(parts, &end);
        bool percent = *end == '%';
        if (end == parts || !(part[count] >= 0 && part[count] <= 255) || (percent && count < 3))
            return COLOR_NOT;
        part[count] /= percent ? 100 : 1;
        parts = end + percent;
        parts += strspn(parts, " ,/");
    }
    *color = (int)part[0] << 16 | (int)part[1] << 8 | (int)part[2];
    return count < 3 || strcmp(parts, ")") != 0 ? COLOR_NOT : part[3] < CLEAR ? COLOR_CLEAR : COLOR_IS;
}

static enum color color_of(struct slice word, int *color)
{
    static const struct {
        const char *name;
        int color;
    } names[] = {{"black", 0},         {"windowtext", 0},    {"canvastext", 0},      {"white", 0xFFFFFF},
                 {"window", 0xFFFFFF}, {"canvas", 0xFFFFFF}, {"red", 0xFF0000},      {"green", 0x008000},
                 {"blue", 0x0000FF},   {"gray", 0x808080},   {"grey", 0x808080},     {"navy", 0x000080},
                 {"teal", 0x008080},   {"maroon", 0x800000}, {"purple", 0x800080},   {"olive", 0x808000},
                 {"orange", 0xFFA500}, {"brown", 0xA52A2A},  {"silver", 0xC0C0C0},   {"lime", 0x00FF00},
                 {"aqua", 0x00FFFF},   {"cyan", 0x00FFFF},   {"fuchsia", 0xFF00FF},  {"magenta", 0xFF00FF},
                 {"yellow", 0xFFFF00}, {"indigo", 0x4B0082}, {"darkblue", 0x00008B}, {"darkred", 0x8B0000}};
    static const char *const same[] = {"inherit", "initial", "unset", "revert", "currentcolor", "auto", NULL};
    char text[64];
    if (word.len >= sizeof text)
        return COLOR_NOT;
    memcpy(text, word.p, word.len);
    text[word.len] = '\0';
    if (*text == '#')
        return hex_color(text + 1, color);
    if (str_starts(text, "rgb(") || str_starts(text, "rgba("))
        return function_color(strchr(text, '(') + 1, color);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (slice_eq(word, names[i].name)) {
            *color = names[i].color;
            return COLOR_IS;
        }
    return slice_eq(word, "transparent") ? COLOR_CLEAR : word_is(word, same) ? COLOR_SAME : COLOR_NOT;
}

static bool alike(int one, int other)
{
    int sum = 0;
    for (int shift = 0; shift < 24; shift += 8)
        sum += abs((one >> shift & 255) - (other >> shift & 255));
    return sum < ALIKE;
}

bool reply_look_shows(const struct reply_look *look)
{
    return !look->unseen && look->size >= SMALLEST && !alike(look->letters, look->ground);
}

/* ---- lengths ---- */

/* Pixels; a percentage of `whole`. False when it is no length; a number without a unit is *bare. */
static bool length_of(struct slice word, double whole, double *pixels, bool *bare)
{
    static const struct {
        const char *unit;
        double pixels;
    } units[] = {{"px", 1},         {"pt", 4.0 / 3}, {"pc", 16}, {"in", 96}, {"cm", 96 / 2.54},
                 {"mm", 96 / 25.4}, {"rem", 16},     {"ex", 8},  {"ch", 8},  {"", 1}};
    char text[24], *unit;
    if (!word.len || word.len >= sizeof text || !strchr("+-.0123456789", *word.p))
        return false;
    memcpy(text, word.p, word.len);
    text[word.len] = '\0';
    double number = strtod(text, &unit);
    if (unit == text || !isfinite(number))
        return false;
    *bare = *unit == '\0';
    if (strcmp(unit, "%") == 0 || strcmp(unit, "em") == 0) {
        *pixels = *unit == '%' ? number * whole / 100 : number * 16;
        return true;
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(unit, units[i].unit) == 0) {
            *pixels = number * units[i].pixels;
            return true;
        }
    return false;
}

/* ---- declarations ---- */

enum kind {
    WORDS,   /* any without brackets, but for colours */
    COLOR,   /* of letters */
    GROUND,  /* colours behind them, and words about pictures that are not there */
    SIZE,    /* of letters */
    FONT,    /* a size, and words */
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
    {"color", COLOR, true, 0, 0, NULL},
    {"text-fill-color", COLOR, true, 0, 0, NULL},
    {"background", GROUND, false, 0, 0, NULL},
    {"background-color", GROUND, false, 0, 0, NULL},
    {"font-size", SIZE, true, 0, 0, NULL},
    {"font", FONT, true, 0, 0, NULL},
    {"font-size-adjust", LISTED, true, 0, 0, LIST("none")},
    {"font-*", WORDS, false, 0, 0, NULL},
    {"text-align*", WORDS, false, 0, 0, NULL},
    {"text-indent", LENGTHS, true, -48, 200, NULL},
    {"text-transform", LISTED, false, 0, 0, LIST("none", "uppercase", "lowercase", "capitalize")},
    {"text-decoration*", LENGTHS, false, 0, 4, NULL},
    {"text-decorations-in-effect", WORDS, false, 0, 0, NULL},
    {"text-underline-*", LENGTHS, false, 0, 4, NULL},
    {"text-stroke-width", LENGTHS, true, 0, 1, NULL},
    {"text-stroke-color", WORDS, false, 0, 0, NULL},
    {"text-size-adjust", WORDS, false, 0, 0, NULL},
    {"text-wrap*", WORDS, false, 0, 0, NULL},
    {"text-autospace", WORDS, false, 0, 0, NULL},
    {"text-justify", WORDS, false, 0, 0, NULL},
    {"text-kashida*", WORDS, false, 0, 0, NULL},
    {"vertical-align", LENGTHS, true, -20, 20, NULL},
    {"line-height", LINE, true, 8, 200, NULL},
    {"line-break", WORDS, false, 0, 0, NULL},
    {"letter-spacing", LENGTHS, true, -1, 20, NULL},
    {"word-spacing", LENGTHS, true, -1, 40, NULL},
    {"word-*", WORDS, false, 0, 0, NULL},
    {"white-space*", WORDS, false, 0, 0, NULL},
    {"overflow-wrap", WORDS, false, 0, 0, NULL},
    {"overflow*", LISTED, true, 0, 0, LIST("visible")},
    {"hyphens", WORDS, false, 0, 0, NULL},
    {"direction", LISTED, false, 0, 0, LIST("ltr", "rtl")},
    {"unicode-bidi", LISTED, false, 0, 0, LIST("embed", "isolate", "plaintext")},
    {"writing-mode", LISTED, false, 0, 0, LIST("horizontal-tb")},
    {"margin*", LENGTHS, false, -8, 600, NULL},
    {"padding*", LENGTHS, false, 0, 600, NULL},
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
    {"list-style*", WORDS, false, 0, 0, NULL},
    {"table-layout", WORDS, false, 0, 0, NULL},
    {"caption-side", WORDS, false, 0, 0, NULL},
    {"empty-cells", WORDS, false, 0, 0, NULL},
    {"caret-color", WORDS, false, 0, 0, NULL},
    {"orphans", WORDS, false, 0, 0, NULL},
    {"widows", WORDS, false, 0, 0, NULL},
    {"quotes", WORDS, false, 0, 0, NULL},
    {"content", WORDS, false, 0, 0, NULL},
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

/* A word in letters, or nothing that was in quotes. */
static bool is_word(struct slice word)
{
    for (size_t i = 0; i < word.len; i++)
        if (!strchr("abcdefghijklmnopqrstuvwxyz-_\"", word.p[i]) && !(word.p[i] & 0x80))
            return false;
    return word.len && !slice_eq(word, "line-through") && !slice_eq(word, "blink");
}

static bool see_color(struct slice word, struct reply_look *look)
{
    int color;
    enum color is = color_of(word, &color);
    if (is == COLOR_IS)
        look->letters = color;
    return is == COLOR_IS || is == COLOR_SAME;
}

static bool see_ground(struct slice word, struct reply_look *look)
{
    int color;
    enum color is = color_of(word, &color);
    double pixels;
    bool bare;
    if (is == COLOR_IS)
        look->ground = color;
    return is != COLOR_NOT || is_word(word) || length_of(word, 0, &pixels, &bare);
}

static bool see_size(struct slice word, struct reply_look *look)
{
    static const struct {
        const char *name;
        double pixels;
    } names[] = {{"xx-small", 9}, {"x-small", 10}, {"small", 13},    {"medium", 16},
                 {"large", 18},   {"x-large", 24}, {"xx-large", 32}, {"xxx-large", 48}};
    static const char *const same[] = {"larger", "inherit", "unset", "revert", NULL};
    double pixels = slice_eq(word, "smaller") ? look->size / 1.2 : slice_eq(word, "initial") ? 16 : 0;
    bool bare = false,
         em = word.len > 2 && memcmp(word.p + word.len - 2, "em", 2) == 0 && word.p[word.len - 3] != 'r';
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (slice_eq(word, names[i].name))
            pixels = names[i].pixels;
    if (word_is(word, same))
        return true;
    if (pixels == 0 && !length_of(word, look->size, &pixels, &bare))
        return false;
    look->size = em ? pixels / 16 * look->size : pixels;
    return look->size >= SMALLEST && look->size < 200;
}

/* "bold 12px/1.5 Arial" */
static bool see_font(struct slice word, struct reply_look *look)
{
    double pixels;
    bool bare, length = length_of(word, look->size, &pixels, &bare);
    if (!length)
        return is_word(word);
    return bare ? pixels >= 1 : see_size(word, look); /* a weight, or the height of a line */
}

static bool see_length(const struct property *is, struct slice word)
{
    int color;
    double pixels;
    bool bare;
    if (is_word(word) || color_of(word, &color) != COLOR_NOT)
        return true;
    if (!length_of(word, 400, &pixels, &bare))
        return false;
    if (is->kind == LINE)
        pixels *= bare ? 16 : word.p[word.len - 1] == '%' ? 16.0 / 400 : 1;
    return pixels >= is->least && pixels <= is->most;
}

static bool see_word(const struct property *is, struct slice word, struct reply_look *look)
{
    int color;
    switch (is->kind) {
    case COLOR: return see_color(word, look);
    case GROUND: return see_ground(word, look);
    case SIZE: return see_size(word, look);
    case FONT: return see_font(word, look);
    case LENGTHS:
    case LINE: return see_length(is, word);
    case LISTED: return word_is(word, is->list);
    case WORDS: return !memchr(word.p, '(', word.len) || color_of(word, &color) != COLOR_NOT;
    }
    return false;
}

/* Of a property that nobody knows: what leaves things as they are. */
static bool is_default(struct slice word)
{
    static const char *const words[] = {"none", "auto", "normal", NULL};
    return word_is(word, words);
}

/* False when it is on no list. */
static bool see_declaration(char *text, struct reply_look *look)
{
    static const char *const anywhere[] = {"initial", "inherit", "unset", "revert", "normal", NULL};
    char *colon = strchr(text, ':');
    if (!colon)
        return true;
    text[strcspn(text, "!")] = '\0'; /* "!important" */
    struct slice name = slice_trim((struct slice){text, (size_t)(colon - text)}), word;
    const struct property *is = find_property(name);
    const char *value = colon + 1;
    look->ruled = look->ruled || (slice_starts(name, "border-top") && strstr(value, "solid"));
    if (memchr(name.p, '\\', name.len) || (strchr(value, '\\') && !slice_starts(name, "mso-")))
        return false;
    while (next_word(&value, &word)) {
        bool good = is ? see_word(is, word, look) ||
                             (is->kind != COLOR && is->kind != SIZE && word_is(word, anywhere))
                       : is_default(word) || word_is(word, anywhere);
        if (!good && is && is->own)
            look->unseen = true;
        else if (!good)
            return false;
    }
    return true;
}

/* ---- styles and sheets ---- */

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

bool reply_style(struct slice style, struct reply_look *look)
{
    struct str decoded = STR_INIT, text = STR_INIT;
    bool good =
        add_decoded(&decoded, style) && add_plain(&text, slice_str(&decoded)) && !strpbrk(text.p, "{}");
    for (char *p = text.p; good && *p;) {
        size_t len = strcspn(p, ";");
        char *next = p + len + (p[len] != '\0');
        p[len] = '\0';
        good = see_declaration(p, look);
        p = next;
    }
    str_release(&decoded);
    str_release(&text);
    return good;
}

static void drop_marks(struct str *text, const char *mark)
{
    for (char *at = strstr(text->p, mark); at; at = strstr(at, mark))
        memset(at, ' ', strlen(mark));
}

/* Letters of a rule that names no ground may stand on white, and its ground may bear black ones. */
bool reply_sheet(struct slice sheet)
{
    struct reply_look look = REPLY_LOOK;
    struct str lower = STR_INIT, text = STR_INIT;
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
            look = (struct reply_look)REPLY_LOOK;
        } else {
            good = !strchr(p, '@') && see_declaration(p, &look) && !look.unseen &&
                   (mark == ';' || reply_look_shows(&look));
        }
        if (mark == '}')
            look = (struct reply_look)REPLY_LOOK;
        p = next;
    }
    str_release(&lower);
    str_release(&text);
    return good;
}
