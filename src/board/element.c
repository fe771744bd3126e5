#include "board/element.h"

#include <string.h>

/* "<g fill="red">", "</g>", "<!-- ... -->" */
static bool next_tag(struct slice *rest, struct slice *tag)
{
    size_t at = slice_find(*rest, "<"), end = 0;
    char quote = '\0';
    *rest = slice_sub(*rest, at, rest->len);
    if (slice_starts(*rest, "<!--"))
        end = slice_find(*rest, "-->");
    for (; end < rest->len && (quote || rest->p[end] != '>'); end++)
        if (quote ? rest->p[end] == quote : rest->p[end] == '"' || rest->p[end] == '\'')
            quote = quote ? '\0' : rest->p[end];
    if (end >= rest->len)
        return false;
    *tag = slice_sub(*rest, 0, end + 1);
    *rest = slice_sub(*rest, end + 1, rest->len);
    return true;
}

bool element_next(struct slice *rest, struct element *e)
{
    struct slice tag;
    int depth = 0;
    if (!next_tag(rest, &e->open))
        return false;
    e->inside = (struct slice){rest->p, 0};
    tag = e->open;
    do {
        if (slice_starts(tag, "</"))
            depth--;
        else if (!strchr("!?", tag.p[1]) && tag.p[tag.len - 2] != '/')
            depth++;
        e->inside.len = tag.p > e->inside.p ? (size_t)(tag.p - e->inside.p) : 0;
    } while (depth > 0 && next_tag(rest, &tag));
    e->whole = (struct slice){e->open.p, (size_t)(rest->p - e->open.p)};
    return depth == 0;
}

bool element_is(const struct element *e, const char *name)
{
    struct slice after = slice_sub(e->open, 1 + strlen(name), 1);
    return slice_starts(slice_sub(e->open, 1, e->open.len), name) && after.len && strchr(" />\n", *after.p);
}

bool element_root(struct slice svg, struct element *root)
{
    while (element_next(&svg, root))
        if (element_is(root, "svg"))
            return true;
    return false;
}

bool element_attribute(struct slice *rest, struct slice *name, struct slice *value)
{
    *rest = slice_trim(*rest);
    const size_t is = slice_find(*rest, "=\"");
    if (is == (size_t)-1)
        return false;
    const struct slice after = slice_sub(*rest, is + 2, rest->len);
    const size_t end = slice_find(after, "\"");
    if (end == (size_t)-1)
        return false;
    *name = slice_sub(*rest, 0, is);
    *value = slice_sub(after, 0, end);
    *rest = slice_sub(after, end + 1, after.len);
    return true;
}
