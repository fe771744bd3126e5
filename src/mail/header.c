#include "mail/header.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* What mbox files leave in front of a mail, and some servers in the middle of its header. */
static bool is_mbox_line(struct slice line)
{
    return slice_starts(line, "From ") || slice_starts(line, ">From ");
}

size_t mail_start(struct slice raw)
{
    struct slice rest = raw;
    struct slice line;
    if (slice_starts(rest, "\xEF\xBB\xBF"))
        rest = slice_sub(rest, 3, rest.len);
    for (;;) {
        struct slice before = rest;
        if (!slice_line(&rest, &line))
            return raw.len;
        if (line.len && !is_mbox_line(line))
            return raw.len - before.len;
    }
}

/* True when the line begins with "Name:"; everything else is the body of a mail whose empty line is missing.
 */
static bool field_split(struct slice line, struct field *field)
{
    size_t len = 0;
    while (len < line.len && line.p[len] > ' ' && line.p[len] < 0x7F && line.p[len] != ':')
        len++;
    size_t colon = len;
    while (colon < line.len && is_blank(line.p[colon]))
        colon++;
    if (!len || colon == line.len || line.p[colon] != ':')
        return false;
    field->name = slice_sub(line, 0, len);
    field->value = slice_sub(line, colon + 1, line.len);
    return true;
}

static void field_add(struct header *header, struct field field)
{
    header->fields = mem_grow(header->fields, header->count, &header->cap, sizeof field);
    header->fields[header->count++] = field;
}

void header_scan(struct header *header, struct slice raw, size_t max_bytes, size_t max_lines)
{
    *header = (struct header){0};
    struct slice rest = raw;
    struct slice line;
    for (size_t lines = 0;; lines++) {
        struct field field = {{NULL, 0}, {NULL, 0}};
        header->end = raw.len - rest.len;
        if (!slice_line(&rest, &line))
            return;
        bool folded = line.len && is_blank(line.p[0]) && header->count;
        bool skip = is_mbox_line(line);
        if (!line.len) {
            header->end = raw.len - rest.len;
            return;
        }
        if (!folded && !skip && !field_split(line, &field))
            return;
        if (lines >= max_lines || raw.len - rest.len > max_bytes) {
            header->over = true;
            return;
        }
        if (folded) {
            struct slice *value = &header->fields[header->count - 1].value;
            value->len = (size_t)(line.p + line.len - value->p);
        } else if (!skip) {
            field_add(header, field);
        }
    }
}

void header_release(struct header *header)
{
    free(header->fields);
    *header = (struct header){0};
}

const struct field *header_next(const struct header *header, const char *name, size_t *from)
{
    while (*from < header->count) {
        const struct field *field = &header->fields[(*from)++];
        if (slice_caseeq(field->name, name))
            return field;
    }
    return NULL;
}

size_t header_count(const struct header *header, const char *name)
{
    size_t from = 0, count = 0;
    while (header_next(header, name, &from))
        count++;
    return count;
}

bool header_value(const struct header *header, const char *name, struct str *out)
{
    size_t from = 0;
    const struct field *field = header_next(header, name, &from);
    str_clear(out);
    if (field)
        field_unfold(out, field);
    return field != NULL;
}

void field_unfold(struct str *out, const struct field *field)
{
    struct slice value = slice_trim(field->value);
    if (value.len > FIELD_MAX)
        value.len = FIELD_MAX;
    for (size_t i = 0; i < value.len; i++) {
        char c = value.p[i];
        if (c == '\0')
            str_adds(out, "\xEF\xBF\xBD");
        else if (c != '\r' && c != '\n') /* a fold is followed by a space of its own */
            str_addc(out, c);
    }
}
