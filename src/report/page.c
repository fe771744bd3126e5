#include "report/page.h"

#include <string.h>

/* What the lines that are written just now are in. */
enum block { BLOCK_NONE, BLOCK_WORDS, BLOCK_SMALL, BLOCK_LINES, BLOCK_ITEMS, BLOCK_TABLE, BLOCK_AS_IS };

struct page {
    struct str *out;
    enum block block;
    bool mail, small; /* small: what comes is small print */
};

/* Tags, and what mails have in them besides: some mail programs drop all other styles. */
static const struct {
    const char *tag, *style, *end;
} tags[] = {[BLOCK_NONE] = {"", "", ""},
            [BLOCK_WORDS] = {"p", "margin:6px 0", "</p>\n"},
            [BLOCK_SMALL] = {"small", PAGE_SMALL, "</small>\n"},
            [BLOCK_LINES] = {"p", "margin:4px 0 4px 12px;font-size:13px", "</p>\n"},
            [BLOCK_ITEMS] = {"ul", "margin:4px 0;padding-left:16px;font-size:13px", "</ul>\n"},
            [BLOCK_TABLE] = {"table", "border-collapse:collapse;margin:4px 0;font-size:13px", "</table>\n"},
            [BLOCK_AS_IS] = {"pre", PAGE_AS_IS, "</pre>\n"}};
/* A telephone has room for five columns with headings of one word; a longer word is broken where there is no room. */
#define CELL         "text-align:left;vertical-align:baseline;padding:1px 6px 1px 0"
#define CELL_HEADS   CELL ";font-size:12px"
#define CELL_LONG    CELL ";overflow-wrap:anywhere"
#define CELL_CHOICE  CELL ";font-size:15px"
#define LONG_WORD    15
#define LINES_INDENT 2 /* of lines in a list without marks; what belongs to one is further in */

/* "<p" and what else it has; the caller closes it. */
static void open_tag(struct page *page, const char *tag, const char *style)
{
    str_addc(page->out, '<');
    str_adds(page->out, tag);
    if (page->mail) {
        str_adds(page->out, " style=\"");
        str_adds(page->out, style);
        str_addc(page->out, '"');
    }
}

void page_escape(struct str *out, struct slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        switch (text.p[i]) {
        case '&': str_adds(out, "&amp;"); break;
        case '<': str_adds(out, "&lt;"); break;
        case '>': str_adds(out, "&gt;"); break;
        default: str_addc(out, text.p[i]); break;
        }
    }
}

/* True when the block goes on. */
static bool enter(struct page *page, enum block block)
{
    if (page->block == block)
        return true;
    str_adds(page->out, tags[page->block].end);
    if (block)
        open_tag(page, tags[block].tag, tags[block].style);
    str_adds(page->out, block == BLOCK_ITEMS || block == BLOCK_TABLE ? ">\n" : block ? ">" : "");
    page->block = block;
    return false;
}

/* "WHAT HAPPENED"; also, as the sections of the rules are, "5. STEP 1: ONE ACTION". */
static bool is_heading(struct slice line, bool *numbered)
{
    size_t letters = 0, digits = 0;
    while (digits < line.len && line.p[digits] >= '0' && line.p[digits] <= '9')
        digits++;
    *numbered = digits && slice_starts(slice_sub(line, digits, line.len), ". ");
    line = slice_sub(line, *numbered ? digits + 1 : 0, line.len);
    for (size_t i = 0; i < line.len; i++) {
        bool capital = line.p[i] >= 'A' && line.p[i] <= 'Z';
        if (!capital && !strchr(*numbered ? " -,':()0123456789" : " -,'0123456789", line.p[i]))
            return false;
        letters += capital;
    }
    return letters > 2;
}

/* In small letters but for the first one: a screen reader spells what is in capitals. */
static void add_heading(struct page *page, struct slice line, bool numbered)
{
    bool first = true;
    enter(page, BLOCK_NONE);
    page->small = false;
    open_tag(page, numbered ? "h3" : "h2",
             numbered ? "font-size:15px;margin:10px 0 2px" : "font-size:16px;margin:12px 0 2px");
    str_addc(page->out, '>');
    for (size_t i = 0; i < line.len; i++) {
        const char small = ascii_lower(line.p[i]), letter = first ? line.p[i] : small;
        first = first && small == line.p[i];
        page_escape(page->out, (struct slice){&letter, 1});
    }
    str_adds(page->out, numbered ? "</h3>\n" : "</h2>\n");
}

static bool has_long_word(struct slice text)
{
    struct slice word = {"", 0};
    while (word.len <= LONG_WORD && slice_word(&text, &word)) {
    }
    return word.len > LONG_WORD;
}

static const char *cell_style(struct slice cell, bool heads)
{
    return heads                        ? CELL_HEADS
           : slice_starts(cell, "[ ] ") ? CELL_CHOICE
           : has_long_word(cell)        ? CELL_LONG
                                        : CELL;
}

/* Takes the next cell off the row, trimmed. */
static struct slice take_cell(struct slice *row)
{
    const char *tab = row->len ? memchr(row->p, '\t', row->len) : NULL;
    const struct slice cell = slice_sub(*row, 0, tab ? (size_t)(tab - row->p) : row->len);
    *row = slice_sub(*row, cell.len + 1, row->len);
    return slice_trim(cell);
}

static void add_note(struct page *page, struct slice note)
{
    str_addc(page->out, ' ');
    open_tag(page, "small", "font-size:13px;color:#5a6675");
    str_addc(page->out, '>');
    page_escape(page->out, note);
    str_adds(page->out, "</small>");
}

/* The first cell says what the row is about, and a row of headings what the columns are. A last cell in brackets stands behind the one
 * before it: a telephone has no room for both side by side. */
static void add_row(struct page *page, struct slice row, bool heads)
{
    bool first = true;
    str_adds(page->out, "<tr>");
    do {
        const struct slice cell = take_cell(&row);
        const bool named = heads || first;
        open_tag(page, named ? "th" : "td", cell_style(cell, heads));
        str_adds(page->out, heads ? " scope=\"col\">" : first ? " scope=\"row\">" : ">");
        page_escape(page->out, cell);
        if (!named && row.len && row.p[0] == '(' && !memchr(row.p, '\t', row.len))
            add_note(page, take_cell(&row));
        str_adds(page->out, named ? "</th>" : "</td>");
        first = false;
    } while (row.len);
    str_adds(page->out, "</tr>\n");
}

/* Byte for byte; a link on a line of its own can be followed. */
static void add_as_is(struct page *page, struct slice line)
{
    if (!(slice_starts(line, "https://") || slice_starts(line, "http://")) || memchr(line.p, ' ', line.len) ||
        memchr(line.p, '"', line.len)) {
        enter(page, BLOCK_AS_IS);
        page_escape(page->out, line);
        str_addc(page->out, '\n');
        return;
    }
    enter(page, BLOCK_NONE);
    open_tag(page, "p", "margin:6px 0;overflow-wrap:anywhere");
    str_adds(page->out, "><a href=\"");
    page_escape(page->out, line);
    str_adds(page->out, "\">");
    page_escape(page->out, line);
    str_adds(page->out, "</a></p>\n");
}

static void add_words(struct page *page, struct slice line)
{
    size_t indent = 0;
    while (indent < line.len && line.p[indent] == ' ')
        indent++;
    line = slice_trim(line);
    if (slice_starts(line, "* ") || slice_starts(line, "- ")) {
        enter(page, BLOCK_ITEMS);
        str_adds(page->out, "<li>");
        page_escape(page->out, slice_sub(line, 2, line.len));
        str_adds(page->out, "</li>\n");
        return;
    }
    if (enter(page, page->small ? BLOCK_SMALL : indent ? BLOCK_LINES : BLOCK_WORDS))
        str_adds(page->out, "<br>\n");
    str_adds(page->out, indent > LINES_INDENT ? "&nbsp;&nbsp;" : "");
    page_escape(page->out, line);
}

static void add_line(struct page *page, struct slice line)
{
    bool numbered;
    if (slice_eq(line, "!\tsmall")) {
        enter(page, BLOCK_NONE);
        page->small = true;
    } else if (slice_starts(line, "!\t")) {
        enter(page, BLOCK_NONE);
        str_addf(page->out, "<!--%.*s-->\n", (int)line.len - 2, line.p + 2);
    } else if (line.p[0] == '|') {
        add_as_is(page, slice_sub(line, 1, line.len));
    } else if (line.p[0] == '\t' || slice_starts(line, "=\t")) {
        const bool heads = line.p[0] == '=';
        if (heads)
            enter(page, BLOCK_NONE);
        enter(page, BLOCK_TABLE);
        add_row(page, slice_sub(line, heads ? 2 : 1, line.len), heads);
    } else if (is_heading(line, &numbered)) {
        add_heading(page, line, numbered);
    } else {
        add_words(page, line);
    }
}

void page_body(struct str *out, struct slice text, bool mail)
{
    struct page page = {out, BLOCK_NONE, mail, false};
    struct slice line;
    while (slice_line(&text, &line)) {
        if (slice_trim(line).len)
            add_line(&page, line);
        else
            enter(&page, BLOCK_NONE);
    }
    enter(&page, BLOCK_NONE);
}
