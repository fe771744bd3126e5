#include "mail/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/utf8.h"

/* Character references by name, sorted; HTML 4's Latin 1 and the typographic ones. */
static const struct reference {
    const char *name;
    uint16_t cp;
} references[] = {
    {"AElig", 0xC6},    {"Aacute", 0xC1},   {"Acirc", 0xC2},    {"Agrave", 0xC0},   {"Aring", 0xC5},
    {"Atilde", 0xC3},   {"Auml", 0xC4},     {"Ccedil", 0xC7},   {"Dagger", 0x2021}, {"ETH", 0xD0},
    {"Eacute", 0xC9},   {"Ecirc", 0xCA},    {"Egrave", 0xC8},   {"Euml", 0xCB},     {"Iacute", 0xCD},
    {"Icirc", 0xCE},    {"Igrave", 0xCC},   {"Iuml", 0xCF},     {"Ntilde", 0xD1},   {"OElig", 0x152},
    {"Oacute", 0xD3},   {"Ocirc", 0xD4},    {"Ograve", 0xD2},   {"Oslash", 0xD8},   {"Otilde", 0xD5},
    {"Ouml", 0xD6},     {"Prime", 0x2033},  {"Scaron", 0x160},  {"THORN", 0xDE},    {"Uacute", 0xDA},
    {"Ucirc", 0xDB},    {"Ugrave", 0xD9},   {"Uuml", 0xDC},     {"Yacute", 0xDD},   {"Yuml", 0x178},
    {"aacute", 0xE1},   {"acirc", 0xE2},    {"acute", 0xB4},    {"aelig", 0xE6},    {"agrave", 0xE0},
    {"amp", 0x26},      {"apos", 0x27},     {"aring", 0xE5},    {"asymp", 0x2248},  {"atilde", 0xE3},
    {"auml", 0xE4},     {"bdquo", 0x201E},  {"brvbar", 0xA6},   {"bull", 0x2022},   {"ccedil", 0xE7},
    {"cedil", 0xB8},    {"cent", 0xA2},     {"circ", 0x2C6},    {"copy", 0xA9},     {"curren", 0xA4},
    {"dagger", 0x2020}, {"darr", 0x2193},   {"deg", 0xB0},      {"divide", 0xF7},   {"eacute", 0xE9},
    {"ecirc", 0xEA},    {"egrave", 0xE8},   {"emsp", 0x2003},   {"ensp", 0x2002},   {"eth", 0xF0},
    {"euml", 0xEB},     {"euro", 0x20AC},   {"fnof", 0x192},    {"frac12", 0xBD},   {"frac14", 0xBC},
    {"frac34", 0xBE},   {"frasl", 0x2044},  {"ge", 0x2265},     {"gt", 0x3E},       {"harr", 0x2194},
    {"hellip", 0x2026}, {"iacute", 0xED},   {"icirc", 0xEE},    {"iexcl", 0xA1},    {"igrave", 0xEC},
    {"infin", 0x221E},  {"iquest", 0xBF},   {"iuml", 0xEF},     {"laquo", 0xAB},    {"larr", 0x2190},
    {"ldquo", 0x201C},  {"le", 0x2264},     {"lrm", 0x200E},    {"lsaquo", 0x2039}, {"lsquo", 0x2018},
    {"lt", 0x3C},       {"macr", 0xAF},     {"mdash", 0x2014},  {"micro", 0xB5},    {"middot", 0xB7},
    {"minus", 0x2212},  {"nbsp", 0xA0},     {"ndash", 0x2013},  {"ne", 0x2260},     {"not", 0xAC},
    {"ntilde", 0xF1},   {"oacute", 0xF3},   {"ocirc", 0xF4},    {"oelig", 0x153},   {"ograve", 0xF2},
    {"ordf", 0xAA},     {"ordm", 0xBA},     {"oslash", 0xF8},   {"otilde", 0xF5},   {"ouml", 0xF6},
    {"para", 0xB6},     {"permil", 0x2030}, {"plusmn", 0xB1},   {"pound", 0xA3},    {"prime", 0x2032},
    {"quot", 0x22},     {"radic", 0x221A},  {"raquo", 0xBB},    {"rarr", 0x2192},   {"rdquo", 0x201D},
    {"reg", 0xAE},      {"rlm", 0x200F},    {"rsaquo", 0x203A}, {"rsquo", 0x2019},  {"sbquo", 0x201A},
    {"scaron", 0x161},  {"sect", 0xA7},     {"shy", 0xAD},      {"sum", 0x2211},    {"sup1", 0xB9},
    {"sup2", 0xB2},     {"sup3", 0xB3},     {"szlig", 0xDF},    {"thinsp", 0x2009}, {"thorn", 0xFE},
    {"tilde", 0x2DC},   {"times", 0xD7},    {"trade", 0x2122},  {"uacute", 0xFA},   {"uarr", 0x2191},
    {"ucirc", 0xFB},    {"ugrave", 0xF9},   {"uml", 0xA8},      {"uuml", 0xFC},     {"yacute", 0xFD},
    {"yen", 0xA5},      {"yuml", 0xFF},     {"zwj", 0x200D},    {"zwnj", 0x200C},
};

struct page {
    struct slice in;
    size_t at;
    struct str *out;
    size_t begin;                   /* where the text begins in `out` */
    size_t pre;                     /* open <pre> */
    bool blank;                     /* a space is due before the next visible character */
    bool no_tag;                    /* no complete tag is left: '<' is text. Keeps the work linear */
    bool no_quote[2];               /* no further " and ' */
    bool no_comment;                /* no further --> */
    const struct html_watch *watch; /* or NULL */
};

enum tag_kind { TAG_INLINE, TAG_BLOCK, TAG_BREAK, TAG_CELL, TAG_PRE, TAG_SKIP };

/* Sorted. Everything else is inline. */
static const struct tag {
    const char *name;
    enum tag_kind kind;
} tags[] = {
    {"address", TAG_BLOCK}, {"article", TAG_BLOCK},  {"aside", TAG_BLOCK},   {"blockquote", TAG_BLOCK},
    {"body", TAG_BLOCK},    {"br", TAG_BREAK},       {"caption", TAG_BLOCK}, {"center", TAG_BLOCK},
    {"dd", TAG_BLOCK},      {"dir", TAG_BLOCK},      {"div", TAG_BLOCK},     {"dl", TAG_BLOCK},
    {"dt", TAG_BLOCK},      {"fieldset", TAG_BLOCK}, {"figure", TAG_BLOCK},  {"footer", TAG_BLOCK},
    {"form", TAG_BLOCK},    {"h1", TAG_BLOCK},       {"h2", TAG_BLOCK},      {"h3", TAG_BLOCK},
    {"h4", TAG_BLOCK},      {"h5", TAG_BLOCK},       {"h6", TAG_BLOCK},      {"head", TAG_BLOCK},
    {"header", TAG_BLOCK},  {"hr", TAG_BLOCK},       {"html", TAG_BLOCK},    {"li", TAG_BLOCK},
    {"listing", TAG_PRE},   {"main", TAG_BLOCK},     {"menu", TAG_BLOCK},    {"nav", TAG_BLOCK},
    {"ol", TAG_BLOCK},      {"p", TAG_BLOCK},        {"plaintext", TAG_PRE}, {"pre", TAG_PRE},
    {"script", TAG_SKIP},   {"section", TAG_BLOCK},  {"style", TAG_SKIP},    {"table", TAG_BLOCK},
    {"tbody", TAG_BLOCK},   {"td", TAG_CELL},        {"textarea", TAG_PRE},  {"tfoot", TAG_BLOCK},
    {"th", TAG_CELL},       {"thead", TAG_BLOCK},    {"title", TAG_SKIP},    {"tr", TAG_BLOCK},
    {"ul", TAG_BLOCK},      {"xmp", TAG_PRE},
};

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f';
}

/* ---- output ---- */

static bool at_line_start(const struct page *page)
{
    return page->out->len == page->begin || page->out->p[page->out->len - 1] == '\n';
}

static void put_text(struct page *page, const char *bytes, size_t len)
{
    if (page->blank && !at_line_start(page))
        str_addc(page->out, ' ');
    page->blank = false;
    str_add(page->out, bytes, len);
}

static void put_break(struct page *page, bool always)
{
    page->blank = false;
    if (always || !at_line_start(page))
        str_addc(page->out, '\n');
}

static void put_char(struct page *page, char c)
{
    if (!is_space(c) || page->pre)
        put_text(page, &c, 1);
    else
        page->blank = true;
}

/* ---- character references ---- */

static int compare_reference(const void *key, const void *row)
{
    return strcmp(key, ((const struct reference *)row)->name);
}

/* "&#65;" and "&#x41;", the ";" may be missing. Returns the length, 0 when it is none. */
static size_t number_reference(struct slice s, uint32_t *cp)
{
    size_t i = 2;
    uint32_t base = s.len > i && (s.p[i] == 'x' || s.p[i] == 'X') ? 16 : 10;
    uint32_t value = 0;
    if (base == 16)
        i++;
    size_t first = i;
    for (; i < s.len; i++) {
        char c = s.p[i];
        uint32_t digit = 99;
        if (c >= '0' && c <= '9')
            digit = (uint32_t)(c - '0');
        else if (is_letter(c))
            digit = (uint32_t)((c | 0x20) - 'a') + 10;
        if (digit >= base)
            break;
        value = value > 0x110000 ? value : value * base + digit;
    }
    if (i == first)
        return 0;
    if (value >= 0x80 && value < 0xA0)
        value = text_cp1252((unsigned char)value);
    bool bad = value == 0 || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000);
    *cp = bad ? 0xFFFD : value;
    return i < s.len && s.p[i] == ';' ? i + 1 : i;
}

static size_t name_reference(struct slice s, uint32_t *cp)
{
    static const char *const bare[] = {"amp", "lt", "gt", "quot", "nbsp"}; /* also without ";" */
    char name[12];
    size_t len = 0;
    while (len < sizeof name - 1 && 1 + len < s.len &&
           (is_letter(s.p[1 + len]) || (s.p[1 + len] >= '0' && s.p[1 + len] <= '9'))) {
        name[len] = s.p[1 + len];
        len++;
    }
    name[len] = '\0';
    bool closed = 1 + len < s.len && s.p[1 + len] == ';';
    if (!closed) {
        size_t i = 0;
        while (i < sizeof bare / sizeof *bare && !str_starts(name, bare[i]))
            i++;
        if (i == sizeof bare / sizeof *bare)
            return 0;
        len = strlen(bare[i]);
        name[len] = '\0';
    }
    const struct reference *found = bsearch(name, references, sizeof references / sizeof *references,
                                            sizeof *references, compare_reference);
    if (!found)
        return 0;
    *cp = found->cp;
    return 1 + len + closed;
}

static void read_reference(struct page *page)
{
    struct slice s = slice_sub(page->in, page->at, page->in.len);
    uint32_t cp = 0;
    size_t len = s.len > 1 && s.p[1] == '#' ? number_reference(s, &cp) : name_reference(s, &cp);
    if (!len) {
        put_char(page, '&');
        page->at++;
        return;
    }
    page->at += len;
    if (cp < 0x80) {
        put_char(page, (char)cp);
        return;
    }
    struct str text = STR_INIT;
    utf8_put(&text, cp);
    put_text(page, text.p, text.len);
    str_release(&text);
}

/* ---- markup ---- */

/* Jumps past the value that begins with a quote at `i`; a quote that is never closed does not count. */
static size_t skip_quoted(struct page *page, size_t i)
{
    bool *none = &page->no_quote[page->in.p[i] == '"'];
    const char *close = *none ? NULL : memchr(page->in.p + i + 1, page->in.p[i], page->in.len - i - 1);
    *none = !close;
    return close ? (size_t)(close - page->in.p) + 1 : i + 1;
}

/* The offset after the ">" of a tag whose name ends at `i`, 0 when the tag is never closed. */
static size_t tag_end(struct page *page, size_t i)
{
    const char *p = page->in.p;
    while (i < page->in.len) {
        char c = p[i++];
        if (c == '>')
            return i;
        if (c != '=')
            continue;
        while (i < page->in.len && is_space(p[i]))
            i++;
        if (i < page->in.len && (p[i] == '"' || p[i] == '\''))
            i = skip_quoted(page, i);
    }
    page->no_tag = true;
    return 0;
}

static int compare_tag(const void *key, const void *row)
{
    return strcmp(key, ((const struct tag *)row)->name);
}

/* Drops everything up to "</name", or all of the rest. */
static void skip_element(struct page *page, const char *name)
{
    size_t from = page->at;
    for (;;) {
        const char *open =
            page->at < page->in.len ? memchr(page->in.p + page->at, '<', page->in.len - page->at) : NULL;
        if (!open) {
            page->at = page->in.len;
            break;
        }
        page->at = (size_t)(open - page->in.p) + 1;
        struct slice rest = slice_sub(page->in, page->at, page->in.len);
        if (slice_starts(rest, "/") && slice_casestarts(slice_sub(rest, 1, rest.len), name)) {
            page->at--;
            break;
        }
    }
    if (page->watch)
        page->watch->dropped(page->watch->arg, slice_of(name), slice_sub(page->in, from, page->at - from),
                             page->out->len);
}

static void pre_tag(struct page *page, bool closing)
{
    put_break(page, false);
    if (closing) {
        page->pre -= page->pre ? 1 : 0;
        return;
    }
    page->pre++;
    if (page->at < page->in.len && page->in.p[page->at] == '\n')
        page->at++; /* the first line end within <pre> is not shown */
}

/* A tag whose name begins at `from`. */
static void read_tag(struct page *page, size_t from, bool closing)
{
    char name[12];
    size_t len = 0, i = from;
    for (; i < page->in.len && (is_letter(page->in.p[i]) || (page->in.p[i] >= '0' && page->in.p[i] <= '9'));
         i++)
        if (len < sizeof name - 1)
            name[len++] = (char)(page->in.p[i] | 0x20);
    name[len] = '\0';
    size_t end = tag_end(page, i);
    if (!end) {
        put_char(page, '<');
        page->at++;
        return;
    }
    page->at = end;
    if (page->watch && closing)
        page->watch->end(page->watch->arg, slice_of(name), page->out->len);
    else if (page->watch)
        page->watch->tag(page->watch->arg, slice_of(name), slice_sub(page->in, i, end - 1 - i),
                         page->out->len);
    const struct tag *tag = bsearch(name, tags, sizeof tags / sizeof *tags, sizeof *tags, compare_tag);
    switch (tag ? tag->kind : TAG_INLINE) {
    case TAG_INLINE: break;
    case TAG_BLOCK: put_break(page, false); break;
    case TAG_BREAK: put_break(page, true); break;
    case TAG_CELL: page->blank = true; break;
    case TAG_PRE: pre_tag(page, closing); break;
    case TAG_SKIP:
        if (!closing)
            skip_element(page, name);
        break;
    }
}

/* "<!-- ... -->", "<!doctype ...>", "<?xml ...>". */
static void read_declaration(struct page *page)
{
    struct slice rest = slice_sub(page->in, page->at, page->in.len);
    if (slice_starts(rest, "<!--") && !page->no_comment) {
        size_t end = slice_find(slice_sub(rest, 2, rest.len), "-->");
        page->no_comment = end == (size_t)-1;
        if (!page->no_comment) {
            page->at += 2 + end + 3;
            return;
        }
    }
    const char *close = page->no_tag ? NULL : memchr(rest.p, '>', rest.len);
    page->no_tag = !close;
    if (close)
        page->at += (size_t)(close - rest.p) + 1;
    else
        put_char(page, page->in.p[page->at++]);
}

static void read_markup(struct page *page)
{
    struct slice rest = slice_sub(page->in, page->at, page->in.len);
    bool closing = rest.len > 1 && rest.p[1] == '/';
    size_t name = closing ? 2 : 1;
    char next = '\0';
    if (rest.len > name)
        next = rest.p[name];
    if (!page->no_tag && is_letter(next)) {
        read_tag(page, page->at + name, closing);
    } else if (closing || next == '!' || next == '?') {
        read_declaration(page); /* "</ x>" is a comment, too */
    } else {
        put_char(page, '<');
        page->at++;
    }
}

void html_reduce(struct str *out, struct slice html)
{
    html_reduce_watched(out, html, NULL);
}

void html_reduce_watched(struct str *out, struct slice html, const struct html_watch *watch)
{
    struct page page = {.in = html, .out = out, .begin = out->len, .watch = watch};
    while (page.at < html.len) {
        char c = html.p[page.at];
        if (c == '<') {
            read_markup(&page);
        } else if (c == '&') {
            read_reference(&page);
        } else {
            put_char(&page, c);
            page.at++;
        }
    }
    put_break(&page, false);
}

bool html_sniff(struct slice text)
{
    struct slice s = slice_trim(text);
    return slice_casestarts(s, "<!doctype html") || slice_casestarts(s, "<html");
}
