#include "report/mustache.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "report/mustache_private.h"

/* A rendering may take this many steps (tokens, list items, lookups) and 16 for each byte of `max`: far more
 * than any report, but it stops templates that multiply lists or partials without printing. */
#define STEPS_LEAST    100000
#define STEPS_PER_BYTE 16

/* The context stack lives on the C stack: a frame for each open section. */
struct frame {
    const struct value *value;
    struct frame *up;
    bool listed;         /* `all` is filled */
    struct name_set all; /* names of the value's members, and of those of the frames around it */
};

struct render {
    struct str *out;
    size_t max; /* bytes that we may write */
    size_t end; /* length of `out` with them */
    size_t steps;
    size_t steps_max;
    const struct mustache_partials *partials;
    bool exceeded;     /* a limit was exceeded: the error says which */
    unsigned depth;    /* of partials */
    struct str indent; /* of all partials that are open; the current one starts at indent_from */
    size_t indent_from;
    struct err *err;
};

static int too_long(struct render *r, const struct mustache *t)
{
    r->exceeded = true;
    return err_set(r->err, ERR_INPUT, "%s: the text is longer than %zu bytes", t->name, r->max);
}

static bool fits(const struct render *r, size_t more)
{
    return r->out->len + more <= r->end;
}

static inline int put(struct render *r, const struct mustache *t, struct slice bytes)
{
    if (!fits(r, bytes.len))
        return too_long(r, t);
    str_add(r->out, bytes.p, bytes.len);
    return 0;
}

static int put_indent(struct render *r, const struct mustache *t)
{
    return put(r, t, slice_sub(slice_str(&r->indent), r->indent_from, r->indent.len));
}

static int put_text(struct render *r, const struct mustache *t, struct slice text)
{
    if (r->indent.len == r->indent_from)
        return put(r, t, text);
    while (text.len) {
        const char *lf = memchr(text.p, '\n', text.len);
        size_t len = lf ? (size_t)(lf - text.p) + 1 : text.len;
        if (put(r, t, slice_sub(text, 0, len)) != 0)
            return -1;
        text = slice_sub(text, len, text.len);
        if (text.len && put_indent(r, t) != 0)
            return -1;
    }
    return 0;
}

static const char *entity(char c)
{
    switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    case '`': return "&#96;";
    default: return NULL;
    }
}

static void add_safe(struct str *out, struct slice s, bool html)
{
    size_t from = 0;
    for (size_t at = 0; html && at < s.len; at++) {
        const char *escaped = entity(s.p[at]);
        if (!escaped)
            continue;
        utf8_safe(out, slice_sub(s, from, at - from), true);
        str_adds(out, escaped);
        from = at + 1;
    }
    utf8_safe(out, slice_sub(s, from, s.len), html);
}

/* The shortest form that reads back as the same number; whatever the locale's decimal point, ours is '.'. */
static void add_real(struct str *out, double value)
{
    char text[48];
    for (int precision = 15; precision <= 17; precision++) {
        (void)snprintf(text, sizeof text, "%.*g", precision, value);
        if (strtod(text, NULL) == value)
            break;
    }
    bool point = false;
    for (const char *c = text; *c; c++) {
        bool known = (*c >= '0' && *c <= '9') || *c == '-' || *c == '+' || *c == 'e';
        if (known)
            str_addc(out, *c);
        else if (!point)
            str_addc(out, '.');
        point = point || !known;
    }
}

static int put_value(struct render *r, const struct mustache *t, enum token_kind kind,
                     const struct value *value)
{
    if (!value)
        return 0;
    switch (value->kind) {
    case VALUE_TEXT:
        if (kind == TOKEN_RAW || !fits(r, value->text.len))
            return put(r, t, value->text);
        add_safe(r->out, value->text, kind == TOKEN_HTML);
        break;
    case VALUE_INTEGER: str_addn(r->out, value->number); break;
    case VALUE_REAL: add_real(r->out, value->real); break;
    case VALUE_TRUE: str_adds(r->out, "true"); break;
    case VALUE_FALSE: str_adds(r->out, "false"); break;
    case VALUE_NULL:
    case VALUE_OBJECT: /* render_value */
    case VALUE_LIST: break;
    }
    return fits(r, 0) ? 0 : too_long(r, t);
}

/* Lists the names of a frame and those around it.
 * NOLINTNEXTLINE(misc-no-recursion): their depth is bounded. */
static void list_names(struct frame *frame)
{
    const struct name_set *own = value_names(frame->value);
    const struct frame *up = frame->up;
    if (up && !up->listed)
        list_names(frame->up);
    frame->all = own ? *own : (struct name_set){{0}};
    for (int i = 0; up && i < 4; i++)
        frame->all.bits[i] |= up->all.bits[i];
    frame->listed = true;
}

/* The first part is looked for from the innermost context outwards, the others only inside what it named. */
static const struct value *search(struct render *r, const struct value_name *part, size_t count,
                                  const struct frame *frame)
{
    const struct value *value = NULL;
    for (; frame && !value; frame = frame->up) {
        const struct name_set *names = value_names(frame->value);
        r->steps++;
        if (names && name_set_holds(names, part->place))
            value = value_find(frame->value, part);
    }
    for (size_t i = 1; i < count && value; i++)
        value = value_find(value, &part[i]);
    return value;
}

/* Most names that templates ask for are nowhere, which is soon found out. */
static inline const struct value *lookup(struct render *r, const struct mustache *t,
                                         const struct token *token, struct frame *frame)
{
    if (!token->part_count)
        return frame->value;
    r->steps++;
    if (!frame->listed)
        list_names(frame);
    const struct value_name *part = t->part + token->part;
    return name_set_holds(&frame->all, part->place) ? search(r, part, token->part_count, frame) : NULL;
}

static bool is_falsy(const struct value *value)
{
    return !value || value->kind == VALUE_NULL || value->kind == VALUE_FALSE ||
           (value->kind == VALUE_LIST && value_count(value) == 0);
}

/* Sections and partials call each other; MUSTACHE_SECTION_DEPTH and MUSTACHE_PARTIAL_DEPTH bound how deep.
 * NOLINTBEGIN(misc-no-recursion) */
static int render_block(struct render *r, const struct mustache *t, const struct token *from,
                        const struct token *to, struct frame *frame);
static int render_all(struct render *r, const struct mustache *t, struct frame *frame);

static int render_section(struct render *r, const struct mustache *t, const struct token *token,
                          struct frame *frame)
{
    const struct token *end = &t->token[token->end + 1];
    const struct value *value = lookup(r, t, token, frame);
    if (token->kind == TOKEN_INVERTED)
        return is_falsy(value) ? render_block(r, t, token + 1, end, frame) : 0;
    if (is_falsy(value))
        return 0;
    struct frame inner = {.value = value, .up = frame};
    if (value->kind != VALUE_LIST)
        return render_block(r, t, token + 1, end, &inner);
    for (value = value_first(value); value; value = value->next) {
        inner.value = value;
        inner.listed = false;
        if (render_block(r, t, token + 1, end, &inner) != 0)
            return -1;
    }
    return 0;
}

/* `indent`: of a partial that is alone on its line, or NULL in the middle of one, where the outer indentation
 * is not repeated. */
static int render_partial(struct render *r, const struct mustache *t, const struct value_name *name,
                          const struct slice *indent, struct frame *frame)
{
    const struct mustache *partial = NULL;
    if (r->partials && r->partials->find)
        partial = r->partials->find(r->partials->arg, name);
    if (!partial)
        return 0;
    if (r->depth == MUSTACHE_PARTIAL_DEPTH)
        return err_set(r->err, ERR_INPUT, "%s: partials are nested deeper than %d", t->name,
                       MUSTACHE_PARTIAL_DEPTH);
    size_t len = r->indent.len;
    size_t from = r->indent_from;
    if (indent)
        str_addslice(&r->indent, *indent);
    else
        r->indent_from = len;
    r->depth++;
    int result = render_all(r, partial, frame);
    r->depth--;
    str_cut(&r->indent, len);
    r->indent_from = from;
    return result;
}

/* A value whose words are in the partial of its only member's name; any other one. */
static int render_value(struct render *r, const struct mustache *t, enum token_kind kind,
                        const struct value *value)
{
    const struct value *member = value && value->kind == VALUE_OBJECT ? value_first(value) : NULL;
    if (!member || member->next || member->kind != VALUE_OBJECT)
        return put_value(r, t, kind, value);
    struct frame alone = {.value = member};
    return render_partial(r, t, &member->name, NULL, &alone);
}

static int too_much(struct render *r, const struct mustache *t)
{
    r->exceeded = true;
    return err_set(r->err, ERR_INPUT, "%s: the template takes too many steps", t->name);
}

static int render_block(struct render *r, const struct mustache *t, const struct token *from,
                        const struct token *to, struct frame *frame)
{
    int rc = 0;
    for (const struct token *token = from; rc == 0 && token < to; token++) {
        if (++r->steps > r->steps_max)
            return too_much(r, t);
        if (token->line_start && r->indent.len > r->indent_from && put_indent(r, t) != 0)
            return -1;
        switch (token->kind) {
        case TOKEN_TEXT: rc = put_text(r, t, token->text); break;
        case TOKEN_SAFE:
        case TOKEN_HTML:
        case TOKEN_RAW: rc = render_value(r, t, token->kind, lookup(r, t, token, frame)); break;
        case TOKEN_SECTION:
        case TOKEN_INVERTED:
            rc = render_section(r, t, token, frame);
            token = &t->token[token->end];
            break;
        case TOKEN_PARTIAL: {
            struct frame alone = {.value = frame->value};
            rc = render_partial(r, t, t->part + token->part, token->standalone ? &token->indent : NULL,
                                token->alone ? &alone : frame);
            break;
        }
        case TOKEN_CLOSE: break;
        }
    }
    return rc;
}

static int render_all(struct render *r, const struct mustache *t, struct frame *frame)
{
    return t->token_count ? render_block(r, t, t->token, t->token + t->token_count, frame) : 0;
}

/* NOLINTEND(misc-no-recursion) */

static int render_whole(const struct mustache *template, const struct mustache_data *data, struct str *out,
                        bool *exceeded, struct err *err)
{
    const size_t max = data->max < SIZE_MAX / 32 ? data->max : SIZE_MAX / 32;
    static const struct value none = {.kind = VALUE_NULL};
    struct render r = {.out = out,
                       .max = max,
                       .end = out->len + max,
                       .steps_max = STEPS_LEAST + max * STEPS_PER_BYTE,
                       .partials = data->partials,
                       .indent = STR_INIT,
                       .err = err};
    struct frame root = {.value = data->value ? data->value : &none};
    int result = render_all(&r, template, &root);
    str_release(&r.indent);
    *exceeded = r.exceeded;
    return result;
}

int mustache_render(const struct mustache *template, const struct mustache_data *data, struct str *out,
                    struct err *err)
{
    size_t start = out->len;
    bool exceeded;
    int result = render_whole(template, data, out, &exceeded, err);
    if (result != 0)
        str_cut(out, start);
    return result;
}

int mustache_render_some(const struct mustache *template, const struct mustache_data *data, struct str *out,
                         bool *cut, struct err *err)
{
    size_t start = out->len;
    struct err mine = ERR_INIT;
    if (render_whole(template, data, out, cut, &mine) == 0)
        return 0;
    if (!*cut) {
        str_cut(out, start);
        return err_pass(err, &mine);
    }
    size_t end = start + data->max < out->len ? start + data->max : out->len;
    while (end > start && out->p[end - 1] != '\n')
        end--;
    str_cut(out, end);
    return 0;
}
