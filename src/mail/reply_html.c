/* HTML that somebody has typed into: where the quote begins, and what a reader could not see, or would see
 * struck out.
 *
 * "Cannot be seen" is asked of styles and of style sheets alike, whatever the sheet applies to: mail programs
 * have no reason to hide anything in what is typed, so doubt is refused. Not known: a colour that is that of a
 * background set further out, unless it is white. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "mail/reply_parts.h"
#include "mail/text.h"

#define SMALLEST 3.0 /* pixels of a letter that can be read */
#define ALIKE    60  /* of 3 * 255 between two colours that can be told apart */
#define WHITE    0xFFFFFF
#define NO_COLOR (-1)

static bool has(struct slice text, const char *what)
{
    return text.len && memmem(text.p, text.len, what, strlen(what)) != NULL;
}

/* ---- styles ---- */

/* Appends in lower case and without spaces. */
static void add_plain(struct str *out, struct slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.p[i];
        if (c >= 'A' && c <= 'Z')
            str_addc(out, (char)(c | 0x20));
        else if (!strchr(" \t\r\n\f", c))
            str_addc(out, c);
    }
}

/* Of a size in CSS, or a large number where it is none. */
static double pixels(const char *value)
{
    char *unit;
    double number = strtod(value, &unit);
    if (unit == value || isnan(number))
        return HUGE_VAL;
    if (str_starts(unit, "pt"))
        return number * 4 / 3;
    if (str_starts(unit, "em") || str_starts(unit, "rem"))
        return number * 16;
    return *unit == '%' ? number * 0.16 : number;
}

/* "1,2,3)" or "1,2,3,0.5)"; WHITE for others. */
static int color_of_parts(const char *parts)
{
    unsigned long color = 0;
    for (int i = 0; i < 3; i++) {
        char *end;
        unsigned long part = strtoul(parts, &end, 10);
        if (end == parts || part > 255 || (*end != ',' && (i < 2 || *end != ')')))
            return WHITE;
        color = color << 8 | part;
        parts = end + 1;
    }
    return (int)color;
}

/* "#fff", "#ffffff", "rgb(255,255,255)", "white", "black"; NO_COLOR for other names, WHITE for other forms: text
 * in them is taken for hidden. */
static int color_of(const char *value)
{
    size_t digits = *value == '#' ? strspn(value + 1, "0123456789abcdef") : 0;
    unsigned long number = digits ? strtoul(value + 1, NULL, 16) : 0;
    if (digits == 3)
        return (int)((number >> 8 & 15) * 0x110000 + (number >> 4 & 15) * 0x1100 + (number & 15) * 0x11);
    if (digits == 6)
        return (int)number;
    if (str_starts(value, "rgb(") || str_starts(value, "rgba("))
        return color_of_parts(strchr(value, '(') + 1);
    if (strpbrk(value, "#(") || strstr(value, "white"))
        return WHITE;
    return strcmp(value, "black") == 0 ? 0 : NO_COLOR;
}

static bool alike(int one, int other)
{
    int sum = 0;
    for (int shift = 0; shift < 24; shift += 8)
        sum += abs((one >> shift & 255) - (other >> shift & 255));
    return one != NO_COLOR && other != NO_COLOR && sum < ALIKE;
}

/* The colours of a rule, as far as it has been read. */
struct colors {
    int letters, ground;
};

static bool colors_hide(const struct colors *colors)
{
    return alike(colors->letters, colors->ground == NO_COLOR ? WHITE : colors->ground);
}

static bool is_clear(const char *color)
{
    const char *alpha = str_starts(color, "rgba(") ? strrchr(color, ',') : NULL;
    return str_starts(color, "transparent") || (alpha && strtod(alpha + 1, NULL) < 0.2);
}

static bool is_any(const char *name, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(name, *list) == 0)
            return true;
    return false;
}

/* Does this declaration alone hide something? */
static bool hides(const char *name, const char *value)
{
    static const char *const sizes[] = {"height", "max-height", "width", "max-width", "zoom", NULL};
    static const char *const shifts[] = {"text-indent", "left",        "right",      "top",
                                         "bottom",      "margin-left", "margin-top", NULL};
    if (strcmp(name, "display") == 0)
        return str_starts(value, "none");
    if (str_starts(name, "text-decoration"))
        return strstr(value, "line-through") != NULL;
    if (strcmp(name, "unicode-bidi") == 0)
        return strstr(value, "override") != NULL;
    if (strcmp(name, "visibility") == 0)
        return !str_starts(value, "visible");
    if (strcmp(name, "mso-hide") == 0)
        return true;
    if (strcmp(name, "font-size") == 0)
        return pixels(value) < SMALLEST;
    if (strcmp(name, "font") == 0)
        return strpbrk(value, "0123456789") && pixels(strpbrk(value, "0123456789")) < SMALLEST;
    if (strcmp(name, "opacity") == 0)
        return strtod(value, NULL) < 0.2;
    if (strcmp(name, "color") == 0)
        return is_clear(value);
    if (is_any(name, sizes))
        return pixels(value) <= 0;
    if (is_any(name, shifts))
        return pixels(value) < -100;
    return str_starts(name, "clip") || (strcmp(name, "transform") == 0 && !str_starts(value, "none"));
}

static bool declaration_hides(char *text, struct colors *colors)
{
    char *colon = strchr(text, ':');
    if (!colon)
        return false;
    if (strchr(text, '\\') && !str_starts(text, "content:"))
        return true;
    *colon = '\0';
    if (hides(text, colon + 1))
        return true;
    if (strcmp(text, "color") == 0)
        colors->letters = color_of(colon + 1);
    if (strcmp(text, "background") == 0 || strcmp(text, "background-color") == 0)
        colors->ground = color_of(colon + 1);
    return false;
}

/* A style or a style sheet. Escapes and references, which no mail program needs there, count as hiding. */
static bool style_hides(struct slice style)
{
    static const struct colors none = {NO_COLOR, NO_COLOR};
    struct str text = STR_INIT;
    struct colors colors = none;
    add_plain(&text, style);
    bool found = has(slice_str(&text), "&#") || strlen(text.p) < text.len;
    for (char *p = text.p; !found && *p;) {
        size_t len = strcspn(p, ";{}");
        char mark = p[len];
        p[len] = '\0';
        found = declaration_hides(p, &colors) || (mark != ';' && colors_hide(&colors));
        if (mark == '{' || mark == '}')
            colors = none;
        p += len + (mark != '\0');
    }
    str_release(&text);
    return found || colors_hide(&colors);
}

/* ---- tags ---- */

struct attribute {
    struct slice name, value;
};

/* Cuts the next attribute off. */
static bool attribute_next(struct slice *rest, struct attribute *attribute)
{
    static const char blanks[] = " \t\r\n\f/";
    const char *p = rest->p, *end = rest->p + rest->len;
    while (p < end && strchr(blanks, *p))
        p++;
    const char *name = p;
    while (p < end && *p != '=' && !strchr(blanks, *p))
        p++;
    attribute->name = (struct slice){name, (size_t)(p - name)};
    while (p < end && strchr(" \t\r\n\f", *p))
        p++;
    attribute->value = (struct slice){p, 0};
    if (p < end && *p == '=') {
        for (p++; p < end && strchr(" \t\r\n\f", *p);)
            p++;
        bool quoted = p < end && (*p == '"' || *p == '\'');
        const char *from = p + quoted;
        const char *close = quoted ? memchr(from, *p, (size_t)(end - from)) : NULL;
        for (p = close ? close : from; !close && p < end && !strchr(" \t\r\n\f", *p);)
            p++;
        attribute->value = (struct slice){from, (size_t)(p - from)};
        p += close != NULL;
    }
    *rest = (struct slice){p, (size_t)(end - p)};
    return attribute->name.len || attribute->value.len || rest->len;
}

/* Elements whose text need not be shown, or not as it is written, or is struck out. */
static bool is_odd_element(struct slice name)
{
    static const char *const odd[] = {"template", "noscript", "svg",     "math",    "select", "object",
                                      "audio",    "video",    "canvas",  "details", "dialog", "datalist",
                                      "iframe",   "noframes", "noembed", "marquee", "map",    "s",
                                      "strike",   "del",      "bdo",     NULL};
    for (const char *const *one = odd; *one; one++)
        if (slice_eq(name, *one))
            return true;
    return false;
}

static bool attribute_hides(const struct attribute *attribute)
{
    if (slice_caseeq(attribute->name, "hidden"))
        return true;
    if (slice_caseeq(attribute->name, "style"))
        return style_hides(attribute->value);
    struct str style = STR_INIT;
    if (slice_caseeq(attribute->name, "color")) /* of <font> */
        str_addf(&style, "color:%.*s", (int)attribute->value.len, attribute->value.p);
    if (slice_caseeq(attribute->name, "width") || slice_caseeq(attribute->name, "height"))
        str_addf(&style, "width:%.*s", (int)attribute->value.len, attribute->value.p);
    bool found = style_hides(slice_str(&style));
    str_release(&style);
    return found;
}

/* What mail programs put their quotes into, by class or id. */
static bool names_quote(struct slice value)
{
    static const char *const names[] = {"gmail_quote",          "gmail_attr",
                                        "gmail_extra",          "yahoo_quoted",
                                        "protonmail_quote",     "moz-cite-prefix",
                                        "divRplyFwdMsg",        "appendonsend",
                                        "OutlookMessageHeader", "mail-editor-reference-message-container",
                                        "tutanota_quote"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (has(value, names[i]))
            return true;
    return false;
}

static bool begins_quote(const struct attribute *attribute)
{
    struct str text = STR_INIT;
    bool found = (slice_caseeq(attribute->name, "class") || slice_caseeq(attribute->name, "id")) &&
                 names_quote(attribute->value);
    if (slice_caseeq(attribute->name, "style")) { /* the line above Outlook's "From: ..." */
        add_plain(&text, attribute->value);
        found = has(slice_str(&text), "border-top:solid");
    }
    str_release(&text);
    return found;
}

static void on_tag(void *arg, struct slice name, struct slice attributes, size_t at)
{
    static const char *const unseen[] = {"style", "script", "title", "head", "meta", "link", "hr", "img"};
    struct reply_text *seen = arg;
    struct attribute attribute;
    for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++)
        if (slice_eq(name, unseen[i]))
            return;
    bool hidden = is_odd_element(name), quote = slice_eq(name, "blockquote");
    while (attribute_next(&attributes, &attribute)) {
        hidden = hidden || attribute_hides(&attribute);
        quote = quote || begins_quote(&attribute);
    }
    if (quote)
        reply_text_mark(seen, at, REPLY_QUOTE);
    else if (hidden)
        reply_text_mark(seen, at, REPLY_UNSEEN);
}

static void on_dropped(void *arg, struct slice name, struct slice content, size_t at)
{
    struct reply_text *seen = arg;
    if (slice_eq(name, "style") && style_hides(content))
        reply_text_mark(seen, at, REPLY_UNSEEN);
}

void reply_see_html(struct reply_text *seen, struct slice html)
{
    const struct html_watch watch = {on_tag, on_dropped, seen};
    html_reduce_watched(&seen->text, html, &watch);
}
