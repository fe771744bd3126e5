/* The lines of a text, as the cutter sees them. */
#include <string.h>

#include "mail/reply_parts.h"

#define NBSP "\xC2\xA0"

/* Without spaces at both ends; mail programs write no-break ones for empty lines. */
static struct slice trim(struct slice line)
{
    for (;;) {
        line = slice_trim(line);
        bool front = slice_starts(line, NBSP);
        bool back = line.len >= 2 && memcmp(line.p + line.len - 2, NBSP, 2) == 0;
        if (!front && !back)
            return line;
        line = slice_sub(line, front ? 2 : 0, line.len - 2);
    }
}

bool reply_line_next(struct reply_lines *lines, struct reply_line *line)
{
    const struct reply_text *seen = lines->seen;
    struct slice rest = slice_sub(slice_str(&seen->text), lines->at, seen->text.len);
    if (lines->at == 0 || lines->at > lines->end) {
        const char *feed = rest.len ? memchr(rest.p, '\n', rest.len) : NULL;
        lines->end = feed ? lines->at + (size_t)(feed - rest.p) : seen->text.len;
    }
    size_t end = lines->end, next = end + 1;
    *line = (struct reply_line){.at = lines->at};
    for (; lines->mark < seen->count && seen->marks[lines->mark].at < end + (lines->at == end);
         lines->mark++) {
        const struct reply_mark *mark = &seen->marks[lines->mark];
        if (mark->at > lines->at && mark->is != REPLY_UNSEEN && mark->is != REPLY_ODD) {
            end = next = mark->at;
            break;
        }
        if (mark->is == REPLY_QUOTE || mark->is == REPLY_UNQUOTE)
            lines->in_quote = mark->is == REPLY_QUOTE;
        line->head = line->head || mark->is == REPLY_HEAD;
        line->unseen = line->unseen || mark->is == REPLY_UNSEEN;
        line->odd = line->odd || mark->is == REPLY_ODD;
        line->part = line->part || mark->is == REPLY_PART;
    }
    line->text = trim(slice_sub(rest, 0, end - lines->at));
    line->quoted = lines->in_quote || slice_starts(line->text, ">") || slice_starts(line->text, "|");
    lines->at = next;
    return rest.len > 0;
}
