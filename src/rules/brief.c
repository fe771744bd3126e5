#include "rules/brief.h"

#include <assert.h>
#include <stdio.h>

struct brief brief(const char *fmt, ...)
{
    struct brief brief;
    va_list args;
    va_start(args, fmt);
    const int len = vsnprintf(brief.p, sizeof brief.p, fmt, args);
    va_end(args);
    assert(len >= 0 && (size_t)len < sizeof brief.p);
    (void)len;
    return brief;
}

struct brief brief_cut(struct slice text)
{
    struct brief brief;
    const size_t len = text.len < sizeof brief.p ? text.len : sizeof brief.p - 1;
    memcpy(brief.p, text.p, len);
    brief.p[len] = '\0';
    return brief;
}

struct brief brief_str(struct str *text)
{
    assert(text->len < BRIEF_SIZE);
    const struct brief brief = brief_cut(slice_str(text));
    str_release(text);
    return brief;
}
