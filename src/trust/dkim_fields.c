#include "trust/dkim_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/reason.h"

/* NUL, or CR without LF: programs read them differently. */
static bool has_odd_bytes(struct slice raw)
{
    if (raw.len && memchr(raw.p, '\0', raw.len))
        return true;
    for (struct slice rest = raw; rest.len;) {
        const char *cr = memchr(rest.p, '\r', rest.len);
        if (!cr)
            break;
        rest = slice_sub(rest, (size_t)(cr + 1 - rest.p), rest.len);
        if (!rest.len || rest.p[0] != '\n')
            return true;
    }
    return false;
}

/* "Name:value", with no space in front of the colon. */
static bool split_field(struct slice line, struct dkim_field *field)
{
    size_t len = 0;
    while (len < line.len && line.p[len] > ' ' && line.p[len] < 0x7F && line.p[len] != ':')
        len++;
    if (!len || len == line.len || line.p[len] != ':')
        return false;
    *field = (struct dkim_field){slice_sub(line, 0, len), slice_sub(line, len + 1, line.len)};
    return true;
}

static bool add_line(struct dkim_mail *mail, size_t *cap, struct slice line)
{
    if (line.p[0] == ' ' || line.p[0] == '\t') {
        if (!mail->count)
            return false;
        struct slice *value = &mail->fields[mail->count - 1].value;
        value->len = (size_t)(line.p + line.len - value->p);
        return true;
    }
    mail->fields = mem_grow(mail->fields, mail->count, cap, sizeof *mail->fields);
    return split_field(line, &mail->fields[mail->count++]);
}

bool dkim_mail_split(struct slice raw, struct dkim_mail *mail, json_t **refusal)
{
    struct slice rest = raw, line;
    size_t cap = 0;
    *mail = (struct dkim_mail){NULL, 0, {"", 0}};
    if (has_odd_bytes(raw)) {
        reason_set(refusal, "dkim_bytes");
        return false;
    }
    for (size_t lines = 0; slice_line(&rest, &line) && line.len; lines++)
        if (lines == DKIM_FIELDS || raw.len - rest.len > DKIM_HEADER_BYTES || !add_line(mail, &cap, line)) {
            reason_set(refusal, "dkim_header");
            return false;
        }
    mail->body = rest;
    return true;
}

void dkim_mail_release(struct dkim_mail *mail)
{
    free(mail->fields);
    mail->fields = NULL;
    mail->count = 0;
}

const struct dkim_field *dkim_field_find(const struct dkim_mail *mail, const char *name, size_t *count)
{
    const struct dkim_field *first = NULL;
    *count = 0;
    for (size_t i = mail->count; i-- > 0;)
        if (slice_caseeq(mail->fields[i].name, name)) {
            first = &mail->fields[i];
            ++*count;
        }
    return first;
}
