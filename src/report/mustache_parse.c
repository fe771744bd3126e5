#include "report/mustache.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "report/mustache_private.h"

#define NOT_FOUND ((size_t)-1)

struct open_section {
    size_t token;
    size_t at; /* offset of its tag in the source, for errors */
};

struct parser {
    struct mustache *template;
    struct slice source;   /* our copy */
    struct slice original; /* the caller's, untouched: lines are counted there */
    enum mustache_escape escape;
    size_t from;       /* start of the text not yet in a token */
    bool fresh;        /* `from` is the beginning of a line */
    struct slice open; /* the delimiters now */
    struct slice close;
    size_t token_cap;
    size_t part_cap;
    struct open_section section[MUSTACHE_SECTION_DEPTH];
    size_t depth;
    struct err *err;
};

struct tag {
    char sigil;        /* one of SIGILS, 0 for a plain name */
    size_t at;         /* offset of the opening delimiter */
    size_t end;        /* offset after the closing one; for a standalone tag after its line */
    struct slice body; /* without sigil, delimiters and spaces around it */
    bool line_start;
    bool standalone;
    struct slice indent; /* the spaces in front of a standalone tag */
};

static const char SIGILS[] = "#^/>!={&<$";

static size_t line_of(const struct parser *p, size_t at)
{
    size_t line = 1;
    for (size_t i = 0; i < at; i++)
        line += p->original.p[i] == '\n';
    return line;
}

static int fail_at(struct parser *p, size_t at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

static int fail_at(struct parser *p, size_t at, const char *fmt, ...)
{
    struct str words = STR_INIT;
    va_list args;
    va_start(args, fmt);
    str_vaddf(&words, fmt, args);
    va_end(args);
    err_set(p->err, ERR_INPUT, "%s: line %zu: %s", p->template->name, line_of(p, at), words.p);
    str_release(&words);
    return -1;
}

/* A name from the template, short and safe for an error's text. */
struct shown {
    char text[128];
};

static struct shown show(struct slice name)
{
    struct shown shown;
    struct str safe = STR_INIT;
    utf8_safe(&safe, slice_sub(name, 0, 40), false); /* at most 3 bytes for each */
    (void)snprintf(shown.text, sizeof shown.text, "%s", safe.p);
    str_release(&safe);
    return shown;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_space(char c)
{
    return is_blank(c) || c == '\n' || c == '\r';
}

static size_t find(struct slice s, size_t from, struct slice what)
{
    const char *at = from < s.len ? memmem(s.p + from, s.len - from, what.p, what.len) : NULL;
    return at ? (size_t)(at - s.p) : NOT_FOUND;
}

/* The closing delimiter at or after `from`; with `before` only one with that byte right in front of it. */
static size_t find_close(const struct parser *p, size_t from, char before)
{
    size_t at = find(p->source, from, p->close);
    while (before && at != NOT_FOUND && (at == from || p->source.p[at - 1] != before))
        at = find(p->source, at + 1, p->close);
    return at;
}

static int tag_read(struct parser *p, size_t at, struct tag *tag)
{
    *tag = (struct tag){.at = at};
    size_t from = at + p->open.len;
    if (from < p->source.len && p->source.p[from] && strchr(SIGILS, p->source.p[from]))
        tag->sigil = p->source.p[from++];
    const char *before = tag->sigil == '{' ? "}" : tag->sigil == '=' ? "=" : "";
    size_t to = find_close(p, from, *before);
    if (to == NOT_FOUND)
        return fail_at(p, at, "this tag is not closed by %s%s", before, show(p->close).text);
    tag->end = to + p->close.len;
    tag->body = slice_trim(slice_sub(p->source, from, to - from - strlen(before)));
    return 0;
}

static struct token *token_add(struct parser *p, enum token_kind kind)
{
    struct mustache *t = p->template;
    t->token = mem_grow(t->token, t->token_count, &p->token_cap, sizeof *t->token);
    struct token *token = &t->token[t->token_count++];
    *token = (struct token){.kind = kind};
    return token;
}

static void text_add(struct parser *p, size_t to)
{
    if (to <= p->from)
        return;
    struct token *token = token_add(p, TOKEN_TEXT);
    token->line_start = p->fresh;
    token->text = slice_sub(p->source, p->from, to - p->from);
}

/* The end of the line when nothing but spaces follows `at` in it, else NOT_FOUND. */
static size_t blank_rest(struct slice source, size_t at)
{
    while (at < source.len && is_blank(source.p[at]))
        at++;
    if (at == source.len)
        return at;
    if (source.p[at] == '\r' && at + 1 < source.len)
        at++;
    return source.p[at] == '\n' ? at + 1 : NOT_FOUND;
}

/* Finds out whether the tag stands alone on its line, and makes a token of the text in front of it. */
static void tag_place(struct parser *p, struct tag *tag)
{
    size_t line = tag->at;
    while (line > p->from && is_blank(p->source.p[line - 1]))
        line--;
    bool first = line == p->from ? p->fresh : p->source.p[line - 1] == '\n';
    size_t rest = NOT_FOUND;
    if (first && tag->sigil && strchr("#^/>!=", tag->sigil))
        rest = blank_rest(p->source, tag->end);
    tag->standalone = rest != NOT_FOUND;
    tag->line_start = first && line == tag->at && !tag->standalone;
    text_add(p, tag->standalone ? line : tag->at);
    if (tag->standalone) {
        tag->indent = slice_sub(p->source, line, tag->at - line);
        tag->end = rest;
    }
    p->from = tag->end;
    p->fresh = tag->standalone;
}

static int name_check(struct parser *p, const struct tag *tag)
{
    if (!tag->body.len)
        return fail_at(p, tag->at, "this tag has no name");
    for (size_t i = 0; i < tag->body.len; i++)
        if (is_space(tag->body.p[i]))
            return fail_at(p, tag->at, "the name \"%s\" has a blank in it", show(tag->body).text);
    if (strchr(SIGILS, tag->body.p[0]))
        return fail_at(p, tag->at,
                       "the name \"%s\" begins with a sign that belongs right after the opening delimiter",
                       show(tag->body).text);
    return 0;
}

static void part_add(struct parser *p, struct token *token, struct slice name)
{
    struct mustache *t = p->template;
    t->part = mem_grow(t->part, t->part_count, &p->part_cap, sizeof *t->part);
    t->part[t->part_count++] = value_name(name);
    token->part_count++;
}

static void name_split(struct parser *p, struct token *token)
{
    struct slice rest = token->text;
    token->part = p->template->part_count;
    if (slice_eq(rest, "."))
        return;
    for (;;) {
        size_t dot = slice_find(rest, ".");
        part_add(p, token, slice_sub(rest, 0, dot));
        if (dot == NOT_FOUND)
            return;
        rest = slice_sub(rest, dot + 1, rest.len);
    }
}

static struct token *named_add(struct parser *p, const struct tag *tag, enum token_kind kind)
{
    struct token *token = token_add(p, kind);
    token->line_start = tag->line_start;
    token->text = tag->body;
    name_split(p, token);
    return token;
}

static int section_open(struct parser *p, const struct tag *tag)
{
    if (p->depth == MUSTACHE_SECTION_DEPTH)
        return fail_at(p, tag->at, "section \"%s\" is nested deeper than %d", show(tag->body).text,
                       MUSTACHE_SECTION_DEPTH);
    named_add(p, tag, tag->sigil == '#' ? TOKEN_SECTION : TOKEN_INVERTED);
    p->section[p->depth++] = (struct open_section){p->template->token_count - 1, tag->at};
    return 0;
}

static int section_close(struct parser *p, const struct tag *tag)
{
    if (!p->depth)
        return fail_at(p, tag->at, "section \"%s\" is closed but was not opened", show(tag->body).text);
    struct open_section open = p->section[--p->depth];
    struct slice name = p->template->token[open.token].text;
    if (name.len != tag->body.len || memcmp(name.p, tag->body.p, name.len) != 0)
        return fail_at(p, tag->at, "\"%s\" is closed while section \"%s\" of line %zu is still open",
                       show(tag->body).text, show(name).text, line_of(p, open.at));
    token_add(p, TOKEN_CLOSE)->line_start = tag->line_start;
    p->template->token[open.token].end = p->template->token_count - 1;
    return 0;
}

static void partial_add(struct parser *p, const struct tag *tag)
{
    struct token *token = token_add(p, TOKEN_PARTIAL);
    token->line_start = tag->line_start;
    token->standalone = tag->standalone;
    token->indent = tag->indent;
    token->alone = slice_starts(tag->body, ".");
    token->text = slice_sub(tag->body, token->alone, tag->body.len);
    token->part = p->template->part_count;
    part_add(p, token, token->text);
}

/* {{=<% %>=}} */
static int delimiters_set(struct parser *p, const struct tag *tag)
{
    struct slice rest = tag->body;
    struct slice open;
    struct slice close;
    struct slice more;
    if (!slice_word(&rest, &open) || !slice_word(&rest, &close) || slice_word(&rest, &more) ||
        slice_find(tag->body, "=") != NOT_FOUND)
        return fail_at(p, tag->at, "a delimiter tag holds two words without '=', such as {{=<%% %%>=}}");
    p->open = open;
    p->close = close;
    return 0;
}

/* A tag that makes no token of its own still begins its line. */
static void line_mark(struct parser *p, const struct tag *tag)
{
    if (tag->line_start)
        token_add(p, TOKEN_TEXT)->line_start = true;
}

static int tag_add(struct parser *p, const struct tag *tag)
{
    if (tag->sigil == '!' || tag->sigil == '=') {
        line_mark(p, tag);
        return tag->sigil == '=' ? delimiters_set(p, tag) : 0;
    }
    if (tag->sigil == '<' || tag->sigil == '$')
        return fail_at(p, tag->at, "inheritance (\"%s\") is not supported", show(tag->body).text);
    if (name_check(p, tag) != 0)
        return -1;
    switch (tag->sigil) {
    case '#':
    case '^': return section_open(p, tag);
    case '/': return section_close(p, tag);
    case '>': partial_add(p, tag); break;
    case '{':
    case '&': named_add(p, tag, TOKEN_RAW); break;
    default: named_add(p, tag, p->escape == MUSTACHE_HTML ? TOKEN_HTML : TOKEN_SAFE); break;
    }
    return 0;
}

static int parse(struct parser *p)
{
    if (memchr(p->source.p, '\0', p->source.len))
        return err_set(p->err, ERR_INPUT, "%s: a template is text, but this one holds a NUL byte",
                       p->template->name);
    size_t at;
    while ((at = find(p->source, p->from, p->open)) != NOT_FOUND) {
        struct tag tag;
        if (tag_read(p, at, &tag) != 0)
            return -1;
        tag_place(p, &tag);
        if (tag_add(p, &tag) != 0)
            return -1;
    }
    text_add(p, p->source.len);
    if (!p->depth)
        return 0;
    struct open_section open = p->section[p->depth - 1];
    return fail_at(p, open.at, "section \"%s\" is never closed",
                   show(p->template->token[open.token].text).text);
}

int mustache_compile(const char *name, struct slice source, enum mustache_escape escape,
                     struct mustache **out, struct err *err)
{
    struct mustache *template = mem_alloc(sizeof *template);
    template->name = mem_strdup(name);
    template->source = slice_dup(source);
    struct parser parser = {.template = template,
                            .source = {template->source, source.len},
                            .original = source,
                            .escape = escape,
                            .fresh = true,
                            .open = slice_of("{{"),
                            .close = slice_of("}}"),
                            .err = err};
    if (parse(&parser) != 0) {
        mustache_free(template);
        return -1;
    }
    *out = template;
    return 0;
}

void mustache_free(struct mustache *template)
{
    if (!template)
        return;
    free(template->name);
    free(template->source);
    free(template->token);
    free(template->part);
    free(template);
}
