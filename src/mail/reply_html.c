/* HTML that somebody has typed into: where quotes begin and end, and what a reader could not see, or would see struck
 * out.
 *
 * Mail programs write little where people type, so what they write is listed, elements here and styles in
 * reply_style.c: everything else counts as text that need not be seen. Within a quote nothing is looked at. */
#include <stdio.h>
#include <string.h>

#include "mail/reply_parts.h"
#include "mail/text.h"

#define NAME  12 /* bytes of an element's, with NUL (text.h) */
#define LOOKS 64 /* elements with a look of their own, one in the other */

/* An element that is open, and others of its name in it. */
struct element {
    char name[NAME];
    size_t same;
};

struct page {
    struct reply_text *seen;
    struct reply_sheets sheets;
    size_t at;            /* the text before is looked at */
    struct element quote; /* no name: none is open */
    struct {
        struct element element;
        struct reply_look look;
    } looks[LOOKS];
    size_t depth;
};

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

static bool is_any(struct slice name, const char *const *list)
{
    while (*list && !slice_eq(name, *list))
        list++;
    return *list != NULL;
}

/* Elements whose text is shown as it is written. */
static bool is_plain_element(struct slice name)
{
    static const char *const plain[] = {
        "html",    "body",   "div",     "p",      "span",       "font",   "a",     "b",       "i",
        "u",       "em",     "code",    "strong", "pre",        "tt",     "big",   "small",   "sub",
        "sup",     "ins",    "mark",    "abbr",   "q",          "cite",   "kbd",   "samp",    "var",
        "dfn",     "time",   "wbr",     "bdi",    "blockquote", "ul",     "ol",    "li",      "dl",
        "dt",      "dd",     "h1",      "h2",     "h3",         "h4",     "h5",    "h6",      "hr",
        "table",   "tbody",  "thead",   "tfoot",  "tr",         "td",     "th",    "col",     "colgroup",
        "caption", "main",   "address", "nav",    "article",    "center", "aside", "section", "header",
        "nobr",    "footer", "label",   "figure", NULL};
    return is_any(name, plain);
}

/* What mail programs put quotes into, by class, id or name. */
static bool names_quote(const struct attribute *attribute)
{
    static const char *const parts[] = {"gmail_quote",
                                        "gmail_attr",
                                        "gmail_extra",
                                        "yahoo_quoted",
                                        "protonmail_quote",
                                        "moz-cite-prefix",
                                        "mail-editor-reference-message-container",
                                        "ms-outlook-mobile-reference-message",
                                        "tutanota_quote",
                                        "zmail_extra"};
    static const char *const names[] = {"quote", "quoted-content", "messageReplySection", NULL};
    bool found = slice_caseeq(attribute->name, "name") && is_any(attribute->value, names);
    if (slice_caseeq(attribute->name, "class") || slice_caseeq(attribute->name, "id"))
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
            found = found || slice_find(attribute->value, parts[i]) != NOWHERE;
    return found;
}

/* What they put before a quote that is in no block. */
static bool names_head(const struct attribute *attribute)
{
    static const char *const parts[] = {"divRplyFwdMsg", "appendonsend", "OutlookMessageHeader",
                                        "stopSpelling"};
    bool found = false;
    if (slice_caseeq(attribute->name, "class") || slice_caseeq(attribute->name, "id"))
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
            found = found || slice_find(attribute->value, parts[i]) != NOWHERE;
    return found;
}

/* A colour without its "#", as HTML has them. */
static bool is_bare_color(struct slice value)
{
    size_t digits = 0;
    while (digits < value.len && strchr("0123456789abcdefABCDEF", value.p[digits]))
        digits++;
    return digits == 6 && value.len == 6;
}

/* What the attribute makes of the look; false where it may change more than that. */
static bool attribute_looks(const struct attribute *attribute, const struct reply_sheets *sheets,
                            struct reply_look *look)
{
    static const struct {
        const char *name, *property, *unit;
    } old[] = {{"color", "color", ""},
               {"text", "color", ""},
               {"bgcolor", "background-color", ""},
               {"width", "width", "px"},
               {"height", "height", "px"}};
    struct str style = STR_INIT;
    if (slice_caseeq(attribute->name, "style"))
        return reply_style(attribute->value, sheets, look);
    if (slice_caseeq(attribute->name, "dir"))
        look->rtl = slice_caseeq(attribute->value, "rtl");
    if (slice_caseeq(attribute->name, "hidden") || slice_caseeq(attribute->name, "popover"))
        look->unseen = true;
    for (size_t i = 0; i < sizeof old / sizeof *old; i++)
        if (slice_caseeq(attribute->name, old[i].name)) {
            bool unit =
                attribute->value.len && strchr("0123456789", attribute->value.p[attribute->value.len - 1]);
            bool sign = strstr(old[i].property, "color") && is_bare_color(attribute->value);
            str_addf(&style, "%s:%s%.*s%s", old[i].property, sign ? "#" : "", (int)attribute->value.len,
                     attribute->value.p, unit ? old[i].unit : "");
        }
    bool good = reply_style(slice_str(&style), sheets, look) && !slice_caseeq(attribute->name, "background");
    str_release(&style);
    return good;
}

/* ---- elements ---- */

static struct reply_look look_now(const struct page *page)
{
    static const struct reply_look plain = REPLY_LOOK;
    return page->depth ? page->looks[page->depth - 1].look : plain;
}

/* The text up to here, which stands as it has been until now. */
static void look_at(struct page *page, size_t at)
{
    struct reply_look look = look_now(page);
    struct slice text = slice_sub(slice_str(&page->seen->text), page->at, at - page->at);
    if (!*page->quote.name && !reply_look_shows(&look, &page->sheets) && !reply_is_blank(text))
        reply_text_mark(page->seen, page->at, REPLY_UNSEEN);
    page->at = at;
}

static void open_element(struct element *element, struct slice name)
{
    (void)snprintf(element->name, NAME, "%.*s", (int)name.len, name.p);
    element->same = 0;
}

static bool same_look(const struct reply_look *one, const struct reply_look *other)
{
    return one->letters.rgb == other->letters.rgb && one->letters.thick == other->letters.thick &&
           one->ground == other->ground && one->size == other->size && one->indent == other->indent &&
           one->left == other->left && one->right == other->right && one->root == other->root &&
           one->rtl == other->rtl && one->unseen == other->unseen;
}

/* An element without a look of its own is only counted, so that its end is not that of another. */
static void open_look(struct page *page, struct slice name, const struct reply_look *look, size_t at)
{
    struct reply_look now = look_now(page);
    for (size_t i = 0; i < page->depth; i++)
        page->looks[i].element.same += slice_eq(name, page->looks[i].element.name);
    if (same_look(look, &now))
        return;
    if (page->depth == LOOKS) {
        reply_text_mark(page->seen, at, REPLY_ODD);
        return;
    }
    open_element(&page->looks[page->depth].element, name);
    page->looks[page->depth].look = *look;
    page->looks[page->depth++].look.ruled = false;
}

/* These are opened again behind an element that ends before them. */
static bool is_formatting(const char *name)
{
    static const char *const formatting[] = {"a",    "b", "big",   "code",   "em", "font", "i",
                                             "nobr", "s", "small", "strong", "tt", "u",    NULL};
    return is_any(slice_of(name), formatting);
}

static void close_looks(struct page *page, struct slice name)
{
    for (size_t i = page->depth; i-- > 0;) {
        struct element *element = &page->looks[i].element;
        if (!slice_eq(name, element->name))
            continue;
        if (element->same) {
            element->same--;
            continue;
        }
        for (size_t k = i + 1; k < page->depth; k++)
            page->seen->covered = page->seen->covered || is_formatting(page->looks[k].element.name);
        page->depth = i;
    }
}

/* Before the attributes of an element say more. */
static void begin_look(struct slice name, struct reply_look *look)
{
    static const char *const smaller[] = {"small", "sub", "sup", "h5", NULL};
    look->size /= is_any(name, smaller) ? 1.2 : slice_eq(name, "h6") ? 1.5 : 1;
    if (slice_eq(name, "mark")) {
        look->letters = (struct reply_color){0, 1};
        look->ground = 0xFFFF00;
    }
}

/* What is within a paragraph ends it, unless it is part of a line. */
static bool ends_paragraph(struct slice name)
{
    static const char *const blocks[] = {"address", "article", "aside",  "center",  "div", "dl",
                                         "figure",  "footer",  "h1",     "h2",      "h3",  "h4",
                                         "h5",      "h6",      "header", "main",    "nav", "ol",
                                         "p",       "pre",     "ul",     "section", NULL};
    return is_any(name, blocks);
}

/* Elements without text of their own: pictures may lie over text, and sheets from elsewhere are unknown. */
static void see_textless(struct page *page, struct slice name, struct slice attributes)
{
    struct attribute attribute;
    while (attribute_next(&attributes, &attribute)) {
        bool style = slice_caseeq(attribute.name, "style") && reply_style_covers(attribute.value);
        bool sheet = slice_eq(name, "link") && slice_caseeq(attribute.name, "rel") &&
                     slice_find(attribute.value, "stylesheet") != NOWHERE;
        page->seen->covered = page->seen->covered || style || sheet;
    }
}

/* The colours of links, for all of the page. */
static void see_links(struct page *page, const struct attribute *attribute)
{
    static const char *const links[] = {"link", "vlink", "alink", NULL};
    struct str sheet = STR_INIT;
    if (is_any(attribute->name, links))
        str_addf(&sheet, "a{color:%s%.*s}", is_bare_color(attribute->value) ? "#" : "",
                 (int)attribute->value.len, attribute->value.p);
    reply_sheet(slice_str(&sheet), &page->sheets);
    str_release(&sheet);
}

static void on_tag(void *arg, struct slice name, struct slice attributes, size_t at)
{
    static const char *const textless[] = {"style", "script", "title", "head", "meta", "link", "base",
                                           "img",   "br",     "hr",    "col",  "wbr",  NULL};
    struct page *page = arg;
    struct attribute attribute;
    look_at(page, at);
    if (*page->quote.name) {
        page->quote.same += slice_eq(name, page->quote.name);
        return;
    }
    if (is_any(name, textless)) {
        see_textless(page, name, attributes);
        return;
    }
    if (page->depth && ends_paragraph(name) && strcmp(page->looks[page->depth - 1].element.name, "p") == 0)
        page->depth--; /* it ends where the next one begins */
    struct reply_look before = look_now(page), look = before;
    bool longer =
        attributes.len && !strchr(" \t\r\n\f/", *attributes.p); /* "o:p", "x-y": no element of HTML */
    bool good = longer || is_plain_element(name), quote = slice_eq(name, "blockquote"), head = false;
    begin_look(name, &look);
    while (attribute_next(&attributes, &attribute)) {
        good = attribute_looks(&attribute, &page->sheets, &look) && good;
        quote = quote || names_quote(&attribute);
        head = head || names_head(&attribute);
        if (slice_eq(name, "body"))
            see_links(page, &attribute);
    }
    if (slice_eq(name, "html"))
        look.root = look.size;
    if (quote)
        open_element(&page->quote, name);
    else
        open_look(page, name, &look, at);
    if (quote || head || look.ruled || !good)
        reply_text_mark(page->seen, at, quote ? REPLY_QUOTE : head || look.ruled ? REPLY_HEAD : REPLY_ODD);
}

static void on_end(void *arg, struct slice name, size_t at)
{
    struct page *page = arg;
    look_at(page, at);
    if (slice_eq(name, "body") || slice_eq(name, "html"))
        return; /* what is behind them is part of them */
    if (!*page->quote.name) {
        close_looks(page, name);
    } else if (slice_eq(name, page->quote.name) && page->quote.same-- == 0) {
        *page->quote.name = '\0';
        reply_text_mark(page->seen, at, REPLY_UNQUOTE);
    }
}

static void on_dropped(void *arg, struct slice name, struct slice content, size_t at)
{
    struct page *page = arg;
    (void)at;
    if (!*page->quote.name && slice_eq(name, "style"))
        reply_sheet(content, &page->sheets);
}

static void see_page(struct reply_text *seen, struct slice html, struct reply_sheets *sheets)
{
    struct page page = {.seen = seen, .sheets = *sheets, .at = seen->text.len};
    const struct html_watch watch = {on_tag, on_end, on_dropped, &page};
    html_reduce_watched(&seen->text, html, &watch);
    look_at(&page, seen->text.len);
    *sheets = page.sheets;
}

/* Sheets count for all of the page, wherever they are: they are read first. */
void reply_see_html(struct reply_text *seen, struct slice html)
{
    struct reply_sheets sheets = REPLY_SHEETS;
    struct reply_text first = {.text = STR_INIT};
    see_page(&first, html, &sheets);
    reply_text_release(&first);
    see_page(seen, html, &sheets);
    seen->covered = seen->covered || sheets.bad;
}
