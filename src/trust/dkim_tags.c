#include "trust/dkim_parts.h"

#include <ctype.h>
#include <string.h>

#include "base/encode.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_name(struct slice name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!(i ? isalnum((unsigned char)name.p[i]) || name.p[i] == '_' : isalpha((unsigned char)name.p[i])))
            return false;
    return name.len > 0;
}

static bool is_value(struct slice value)
{
    for (size_t i = 0; i < value.len; i++)
        if ((value.p[i] < '!' || value.p[i] > '~') && !is_blank(value.p[i]))
            return false;
    return true;
}

static bool same_name(struct slice a, struct slice b)
{
    return a.len == b.len && memcmp(a.p, b.p, a.len) == 0;
}

static bool add_tag(struct dkim_tags *tags, struct slice spec)
{
    const char *equals = memchr(spec.p, '=', spec.len);
    if (!equals || tags->count == DKIM_TAGS)
        return false;
    struct slice room = slice_sub(spec, (size_t)(equals - spec.p) + 1, spec.len);
    struct dkim_tag tag = {slice_trim(slice_sub(spec, 0, (size_t)(equals - spec.p))), slice_trim(room), room};
    if (!is_name(tag.name) || !is_value(tag.value))
        return false;
    for (size_t i = 0; i < tags->count; i++)
        if (same_name(tags->list[i].name, tag.name))
            return false;
    tags->list[tags->count++] = tag;
    return true;
}

bool dkim_tags_parse(struct slice text, struct dkim_tags *tags)
{
    tags->count = 0;
    while (slice_trim(text).len) {
        const char *end = memchr(text.p, ';', text.len);
        size_t len = end ? (size_t)(end - text.p) : text.len;
        if (!add_tag(tags, slice_sub(text, 0, len)))
            return false;
        text = slice_sub(text, end ? len + 1 : len, text.len);
    }
    return tags->count > 0;
}

const struct dkim_tag *dkim_tag_find(const struct dkim_tags *tags, const char *name)
{
    for (size_t i = 0; i < tags->count; i++)
        if (slice_eq(tags->list[i].name, name))
            return &tags->list[i];
    return NULL;
}

struct slice dkim_tag_value(const struct dkim_tags *tags, const char *name)
{
    const struct dkim_tag *tag = dkim_tag_find(tags, name);
    return tag ? tag->value : (struct slice){"", 0};
}

bool dkim_list_next(struct slice *rest, struct slice *item)
{
    if (!rest->p)
        return false;
    const char *colon = rest->len ? memchr(rest->p, ':', rest->len) : NULL;
    size_t len = colon ? (size_t)(colon - rest->p) : rest->len;
    *item = slice_trim(slice_sub(*rest, 0, len));
    *rest = colon ? slice_sub(*rest, len + 1, rest->len) : (struct slice){NULL, 0};
    return true;
}

bool dkim_list_has(struct slice list, const char *word)
{
    struct slice item;
    while (dkim_list_next(&list, &item))
        if (slice_caseeq(item, word))
            return true;
    return false;
}

bool dkim_base64(struct str *out, struct slice text)
{
    struct str packed = STR_INIT;
    for (size_t i = 0; i < text.len; i++)
        if (!is_blank(text.p[i]))
            str_addc(&packed, text.p[i]);
    bool good = packed.len && base64_decode(out, slice_str(&packed));
    str_release(&packed);
    return good;
}
