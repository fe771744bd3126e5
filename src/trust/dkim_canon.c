#include "trust/dkim_parts.h"

#include <ctype.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* A line's words, with one space where there were some; none at its end, nor, where `trim`, at its
 * beginning. */
static void add_words(struct str *out, struct slice line, bool trim)
{
    for (size_t i = 0; i < line.len;) {
        size_t from = i;
        while (i < line.len && is_blank(line.p[i]))
            i++;
        if (i == line.len)
            return;
        if (i > from && !(trim && from == 0))
            str_addc(out, ' ');
        for (from = i; i < line.len && !is_blank(line.p[i]);)
            i++;
        str_addslice(out, slice_sub(line, from, i - from));
    }
}

static void add_lines(struct str *out, struct slice text)
{
    struct slice line;
    for (bool first = true; slice_line(&text, &line); first = false) {
        if (!first)
            str_adds(out, "\r\n");
        str_addslice(out, line);
    }
}

void dkim_canon_field(struct str *out, const struct dkim_field *field, bool relaxed)
{
    if (relaxed) {
        struct str flat = STR_INIT;
        struct slice rest = field->value, line;
        for (size_t i = 0; i < field->name.len; i++)
            str_addc(out, (char)tolower((unsigned char)field->name.p[i]));
        str_addc(out, ':');
        while (slice_line(&rest, &line))
            str_addslice(&flat, line);
        add_words(out, slice_str(&flat), true);
        str_release(&flat);
    } else {
        str_addslice(out, field->name);
        str_addc(out, ':');
        add_lines(out, field->value);
    }
    str_adds(out, "\r\n");
}

void dkim_canon_body(struct str *out, struct slice body, bool relaxed)
{
    size_t start = out->len, end = out->len; /* the end of the last line that is not empty */
    struct slice line;
    while (slice_line(&body, &line)) {
        size_t before = out->len;
        if (relaxed)
            add_words(out, line, false);
        else
            str_addslice(out, line);
        bool empty = out->len == before;
        str_adds(out, "\r\n");
        end = empty ? end : out->len;
    }
    str_cut(out, end);
    if (end == start && !relaxed)
        str_adds(out, "\r\n");
}
