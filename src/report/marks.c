#include "report/marks.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define PAGE_ROW   "<tr"
#define PAGE_CLASS "class=\""

struct rows {
    struct slice *list;
    size_t count, cap;
    size_t next;
};

static bool is_row(struct slice line, bool page)
{
    if (!page)
        return slice_starts(line, "\t");
    return slice_starts(line, PAGE_ROW ">") || slice_starts(line, PAGE_ROW " ");
}

static void collect(struct rows *rows, struct slice text, bool page)
{
    struct slice line;
    while (slice_line(&text, &line))
        if (is_row(line, page)) {
            rows->list = mem_grow(rows->list, rows->count, &rows->cap, sizeof *rows->list);
            rows->list[rows->count++] = line;
        }
}

/* Looked for from the row after the last one that was found on: most stand in the same order. */
static bool had(struct rows *rows, struct slice line)
{
    for (size_t i = 0; i < rows->count; i++) {
        size_t at = (rows->next + i) % rows->count;
        const struct slice *row = &rows->list[at];
        if (row->len == line.len && memcmp(row->p, line.p, line.len) == 0) {
            rows->next = at + 1;
            return true;
        }
    }
    return false;
}

/* <tr ...> -> <tr class="changed" ...>; a class that it has gets one more. */
static void add_class(struct str *out, struct slice line)
{
    struct slice rest = slice_sub(line, strlen(PAGE_ROW), line.len);
    size_t end = slice_find(rest, ">");
    struct slice head = slice_sub(rest, 0, end == (size_t)-1 ? 0 : end);
    size_t has = slice_find(head, PAGE_CLASS);
    str_adds(out, PAGE_ROW);
    if (has == (size_t)-1) {
        str_adds(out, " " PAGE_CLASS "changed\"");
    } else {
        str_addslice(out, slice_sub(rest, 0, has + strlen(PAGE_CLASS)));
        str_adds(out, "changed ");
        rest = slice_sub(rest, has + strlen(PAGE_CLASS), rest.len);
    }
    str_addslice(out, rest);
}

/* A row that is new, with its mark. */
static void add_marked(struct str *out, struct slice line, bool page)
{
    if (page) {
        add_class(out, line);
    } else {
        str_addc(out, '>');
        str_addslice(out, line);
    }
}

void marks_put(struct str *out, struct slice text, struct slice before, bool page)
{
    struct rows rows = {NULL, 0, 0, 0};
    struct slice rest = text, line;
    const char *kept = text.p; /* from here on, nothing is in `out` yet */
    collect(&rows, before, page);
    while (slice_line(&rest, &line)) {
        if (!is_row(line, page) || had(&rows, line))
            continue;
        str_add(out, kept, (size_t)(line.p - kept));
        add_marked(out, line, page);
        kept = line.p + line.len;
    }
    str_add(out, kept, (size_t)(text.p + text.len - kept));
    free(rows.list);
}
