#include "mail/entity.h"
#include "base/reason.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "mail/structured.h"
#include "mail/transfer.h"

#define BOUNDARY_MAX 250 /* RFC 2046 allows 70 */

bool entity_param(const struct entity *entity, const char *name, struct str *out)
{
    return structured_param(slice_str(&entity->fields), name, out);
}

/* "base64", also from "Base64 (comment)", "\"base64\"" and "base64;". */
static void encoding_name(const struct header *header, struct str *name)
{
    struct str value = STR_INIT;
    if (header_value(header, "Content-Transfer-Encoding", &value)) {
        size_t from = strspn(value.p, " \t\"'");
        size_t len = strcspn(value.p + from, " \t\"';(,");
        str_add(name, value.p + from, len);
    }
    str_release(&value);
}

void entity_decode(struct str *out, const struct entity *entity)
{
    struct str name = STR_INIT;
    encoding_name(entity->header, &name);
    if (strcasecmp(name.p, "base64") == 0)
        transfer_from_base64(out, entity->body);
    else if (strcasecmp(name.p, "quoted-printable") == 0)
        transfer_from_quoted(out, entity->body);
    else
        str_addslice(out, entity->body);
    str_release(&name);
}

/* ---- Content-Type ---- */

static bool is_token(char c)
{
    return c > ' ' && c < 0x7F && !strchr("()<>@,;:\\\"[]?=/", c);
}

/* Appends "type/subtype" in lower case; false when the value is not of that form ("text", "plain; charset=x",
 * "/"). */
static bool type_name(struct str *type, const char *value)
{
    size_t i = 0;
    for (int half = 0; half < 2; half++) {
        i += strspn(value + i, " \t");
        size_t from = i;
        for (; is_token(value[i]); i++)
            str_addc(type, (char)tolower((unsigned char)value[i]));
        if (i == from || type->len > 120)
            return false;
        i += strspn(value + i, " \t");
        if (half == 0) {
            if (value[i++] != '/')
                return false;
            str_addc(type, '/');
        }
    }
    return true;
}

static void type_read(struct entity *entity, struct str *type)
{
    str_init(&entity->fields);
    entity->labelled =
        header_value(entity->header, "Content-Type", &entity->fields) && type_name(type, entity->fields.p);
    if (!entity->labelled) {
        str_clear(&entity->fields);
        str_clear(type);
        str_adds(type, entity->digest ? "message/rfc822" : "text/plain");
    }
    entity->type = type->p;
}

/* ---- boundaries ---- */

/* One delimiter line: the bytes before it end at `start` (its line end belongs to it), those after begin at
 * `next`. */
struct delimiter {
    size_t start, next;
    bool last; /* "--boundary--" */
};

static bool is_delimiter(struct slice line, const char *boundary, bool *last)
{
    size_t len = strlen(boundary);
    if (!slice_starts(line, "--") || !slice_starts(slice_sub(line, 2, line.len), boundary))
        return false;
    struct slice tail = slice_sub(line, 2 + len, line.len);
    *last = slice_starts(tail, "--");
    return slice_trim(slice_sub(tail, *last ? 2 : 0, tail.len)).len == 0;
}

/* The first delimiter line that begins at or after `from`, which is the beginning of a line. */
static bool delimiter_next(struct slice body, const char *boundary, size_t from, struct delimiter *found)
{
    struct slice rest = slice_sub(body, from, body.len);
    struct slice line;
    for (size_t at = from; slice_line(&rest, &line); at = body.len - rest.len) {
        if (!is_delimiter(line, boundary, &found->last))
            continue;
        found->start = at;
        if (at > from && body.p[at - 1] == '\n')
            found->start--;
        if (found->start > from && found->start < at && body.p[found->start - 1] == '\r')
            found->start--;
        found->next = body.len - rest.len;
        return true;
    }
    return false;
}

static void boundary_read(const struct entity *entity, struct str *boundary)
{
    if (!entity_param(entity, "boundary", boundary) || boundary->len > BOUNDARY_MAX)
        str_clear(boundary);
    str_trim(boundary);
}

/* ---- the walk ---- */

// NOLINTBEGIN(misc-no-recursion): the depth is bounded by limits->depth
static int walk(struct walker *walker, struct entity *entity, struct err *err);

static int too_deep(const struct walker *walker, const struct entity *entity, struct err *err)
{
    if (entity->depth < walker->limits->depth)
        return 0;
    return reason_fail(err, "mail_depth most=%zu",
                       "The mail is nested more than %zu levels deep; send the orders in a plain mail.",
                       walker->limits->depth);
}

/* Reads the header block of `raw` and walks what is below it. `inner` says where it is. */
static int walk_raw(struct walker *walker, struct slice raw, struct entity inner, const struct entity *mail,
                    struct err *err)
{
    struct header header;
    int result = -1;
    header_scan(&header, raw, walker->limits->header_bytes, walker->limits->header_count);
    if (header.over) {
        reason_fail(err, "part_header bytes=%zu lines=%zu",
                    "A part of the mail has a header of more than %zu bytes or %zu lines.",
                    walker->limits->header_bytes, walker->limits->header_count);
        goto out;
    }
    if (mail && walker->mail)
        walker->mail(walker->arg, mail, &header);
    inner.header = &header;
    inner.body = slice_sub(raw, header.end, raw.len);
    result = walk(walker, &inner, err);
out:
    header_release(&header);
    return result;
}

static int walk_leaf(struct walker *walker, const struct entity *entity, struct err *err)
{
    if (walker->leaves >= walker->limits->parts)
        return reason_fail(err, "mail_parts most=%zu",
                           "The mail has more than %zu parts; send the orders in a plain mail.",
                           walker->limits->parts);
    walker->leaves++;
    return walker->leaf(walker->arg, entity, err);
}

/* A mail within a mail. */
static int walk_mail(struct walker *walker, const struct entity *entity, struct err *err)
{
    struct str decoded = STR_INIT;
    int result = -1;
    if (too_deep(walker, entity, err))
        goto out;
    /* RFC 2046 forbids it, but some gateways send forwarded mails in base64. */
    entity_decode(&decoded, entity);
    struct slice raw = slice_str(&decoded);
    struct entity inner = {.depth = entity->depth + 1, .mails = entity->mails + 1};
    result = walk_raw(walker, slice_sub(raw, mail_start(raw), raw.len), inner, entity, err);
out:
    str_release(&decoded);
    return result;
}

/* `*parts` is false when there was no delimiter line; nothing has been walked then. */
static int walk_multipart(struct walker *walker, const struct entity *entity, const char *boundary,
                          bool *parts, struct err *err)
{
    struct delimiter begin;
    *parts = *boundary && delimiter_next(entity->body, boundary, 0, &begin) && !begin.last;
    if (!*parts)
        return 0;
    if (too_deep(walker, entity, err))
        return -1;
    struct entity inner = {.depth = entity->depth + 1, .mails = entity->mails};
    inner.report = entity->report || strcmp(entity->type, "multipart/report") == 0;
    inner.digest = strcmp(entity->type, "multipart/digest") == 0;
    for (bool more = true; more;) {
        struct delimiter end;
        size_t from = begin.next;
        more = delimiter_next(entity->body, boundary, from, &end);
        struct slice raw = slice_sub(entity->body, from, more ? end.start - from : entity->body.len);
        if (!more && !slice_trim(raw).len)
            break; /* cut off right after a delimiter */
        if (walk_raw(walker, raw, inner, NULL, err))
            return -1;
        more = more && !end.last;
        begin = end;
    }
    return 0;
}

static int walk(struct walker *walker, struct entity *entity, struct err *err)
{
    struct str type = STR_INIT;
    struct str boundary = STR_INIT;
    bool done = false;
    int result = 0;
    type_read(entity, &type);
    if (strcmp(type.p, "message/rfc822") == 0 || strcmp(type.p, "message/global") == 0) {
        done = true;
        result = walk_mail(walker, entity, err);
    } else if (str_starts(type.p, "multipart/")) {
        boundary_read(entity, &boundary);
        result = walk_multipart(walker, entity, boundary.p, &done, err);
        if (!result && !done) { /* no boundary, or a wrong one: all of it is one unlabelled text */
            str_clear(&type);
            str_adds(&type, "text/plain");
            entity->labelled = false;
        }
        entity->type = type.p;
    }
    if (!result && !done)
        result = walk_leaf(walker, entity, err);
    str_release(&entity->fields);
    str_release(&boundary);
    str_release(&type);
    return result;
}

// NOLINTEND(misc-no-recursion)

int entity_walk(struct walker *walker, const struct header *header, struct slice body, struct err *err)
{
    struct entity top = {.header = header, .body = body};
    return walk(walker, &top, err);
}
