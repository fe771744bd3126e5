#include "report/page.h"

#include <string.h>

#include "report/ring.h"

/* What the lines that are written just now are in. */
enum block { BLOCK_NONE, BLOCK_WORDS, BLOCK_ITEMS, BLOCK_TABLE, BLOCK_AS_IS };

struct page {
    struct str *out;
    enum block block;
};

static const char *const opens[] = {[BLOCK_NONE] = "",
                                    [BLOCK_WORDS] = "<p>",
                                    [BLOCK_ITEMS] = "<ul>\n",
                                    [BLOCK_TABLE] = "<table>\n",
                                    [BLOCK_AS_IS] = "<pre>"};
static const char *const ends[] = {[BLOCK_NONE] = "",
                                   [BLOCK_WORDS] = "</p>\n",
                                   [BLOCK_ITEMS] = "</ul>\n",
                                   [BLOCK_TABLE] = "</table>\n",
                                   [BLOCK_AS_IS] = "</pre>\n"};

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
    str_adds(page->out, ends[page->block]);
    str_adds(page->out, opens[block]);
    page->block = block;
    return false;
}

static bool is_row(struct slice line)
{
    return slice_starts(line, "\t") || slice_starts(line, ">\t") || ring_line(line);
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
        if (!capital && !strchr(*numbered ? " -,':()0123456789" : " -,'", line.p[i]))
            return false;
        letters += capital;
    }
    return letters > 2;
}

static void add_row(struct page *page, struct slice line)
{
    struct slice cell;
    line = slice_sub(line, line.p[0] == '\t' ? 1 : 2, line.len);
    str_adds(page->out, "<tr>");
    for (bool more = true; more;) {
        const char *tab = line.len ? memchr(line.p, '\t', line.len) : NULL;
        more = tab != NULL;
        cell = slice_sub(line, 0, tab ? (size_t)(tab - line.p) : line.len);
        line = slice_sub(line, cell.len + 1, line.len);
        str_adds(page->out, "<td>");
        page_escape(page->out, slice_trim(cell));
        str_adds(page->out, "</td>");
    }
    str_adds(page->out, "</tr>\n");
}

static void add_words(struct page *page, struct slice line)
{
    bool indented = line.p[0] == ' ';
    line = slice_trim(line);
    if (slice_starts(line, "* ") || slice_starts(line, "- ")) {
        enter(page, BLOCK_ITEMS);
        str_adds(page->out, "<li>");
        page_escape(page->out, slice_sub(line, 2, line.len));
        str_adds(page->out, "</li>\n");
        return;
    }
    if (enter(page, BLOCK_WORDS))
        str_adds(page->out, "<br>\n");
    str_adds(page->out, indented ? "&nbsp;&nbsp;" : "");
    page_escape(page->out, line);
}

static void add_line(struct page *page, struct slice line)
{
    bool numbered;
    if (line.p[0] == '|') {
        enter(page, BLOCK_AS_IS);
        page_escape(page->out, slice_sub(line, 1, line.len));
        str_addc(page->out, '\n');
    } else if (is_row(line)) {
        enter(page, BLOCK_TABLE);
        add_row(page, line);
    } else if (is_heading(line, &numbered)) {
        enter(page, BLOCK_NONE);
        str_adds(page->out, numbered ? "<h3>" : "<h2>");
        page_escape(page->out, line);
        str_adds(page->out, numbered ? "</h3>\n" : "</h2>\n");
    } else {
        add_words(page, line);
    }
}

void page_body(struct str *out, struct slice text)
{
    struct page page = {out, BLOCK_NONE};
    struct slice line;
    while (slice_line(&text, &line)) {
        if (slice_trim(line).len)
            add_line(&page, line);
        else
            enter(&page, BLOCK_NONE);
    }
    enter(&page, BLOCK_NONE);
}
