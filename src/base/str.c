#include "base/str.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"

#define NUMBER_DIGITS 15
#define FORMAT_FIRST  64 /* room made before the length of a formatted text is known */

char str_empty[1] = {0};

void str_init(struct str *s)
{
    *s = (struct str)STR_INIT;
}

void str_release(struct str *s)
{
    if (s->cap)
        free(s->p);
    str_init(s);
}

void str_clear(struct str *s)
{
    s->len = 0;
    if (s->cap)
        s->p[0] = '\0';
}

void str_fit(struct str *s)
{
    if (s->cap > s->len + 1) {
        s->p = mem_resize(s->p, s->len + 1, 1);
        s->cap = s->len + 1;
    }
}

void str_grow(struct str *s, size_t more)
{
    assert(more < SIZE_MAX / 4 && s->len < SIZE_MAX / 4);
    size_t want = s->len + more + 1;
    size_t cap = s->cap ? s->cap * 2 : 64;
    if (cap < want)
        cap = want;
    s->p = mem_resize(s->cap ? s->p : NULL, cap, 1);
    s->cap = cap;
    s->p[s->len] = '\0';
}

/* Formats with the C library. */
static void add_formatted(struct str *s, const char *fmt, va_list args) __attribute__((format(printf, 2, 0)));
static void add_formatted(struct str *s, const char *fmt, va_list args)
{
    va_list again;
    va_copy(again, args);
    str_reserve(s, FORMAT_FIRST);
    size_t room = s->cap - s->len;
    int len = vsnprintf(s->p + s->len, room, fmt, args);
    assert(len >= 0);
    if ((size_t)len >= room) {
        str_reserve(s, (size_t)len);
        (void)vsnprintf(s->p + s->len, (size_t)len + 1, fmt, again);
    }
    va_end(again);
    s->len += (size_t)len;
}

/* %s and %d without flags, which nearly all formats consist of, do not need the C library; it handles the
 * rest of the format from the first other conversion on. */
void str_vaddf(struct str *s, const char *fmt, va_list args)
{
    va_list rest;
    va_copy(rest, args);
    for (;;) {
        const char *percent = strchrnul(fmt, '%');
        str_add(s, fmt, (size_t)(percent - fmt));
        fmt = percent;
        if (str_starts(fmt, "%s")) {
            const char *text = va_arg(rest, const char *);
            str_adds(s, text ? text : "(null)");
        } else if (str_starts(fmt, "%d")) {
            str_addn(s, va_arg(rest, int));
        } else {
            break;
        }
        fmt += 2;
    }
    if (*fmt)
        add_formatted(s, fmt, rest);
    va_end(rest);
}

void str_addn(struct str *s, int64_t number)
{
    char digits[24];
    if (number >= 0 && number < 10) { /* most numbers in games */
        str_addc(s, (char)('0' + number));
        return;
    }
    size_t at = sizeof digits;
    uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do {
        digits[--at] = (char)('0' + left % 10);
        left /= 10;
    } while (left);
    if (number < 0)
        digits[--at] = '-';
    str_add(s, digits + at, sizeof digits - at);
}

void str_addf(struct str *s, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    str_vaddf(s, fmt, args);
    va_end(args);
}

void str_cut(struct str *s, size_t len)
{
    if (len >= s->len)
        return;
    s->len = len;
    s->p[len] = '\0';
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

void str_trim(struct str *s)
{
    size_t len = s->len;
    while (len && is_space(s->p[len - 1]))
        len--;
    str_cut(s, len);
}

char *str_detach(struct str *s)
{
    str_reserve(s, 0);
    char *p = s->p;
    str_init(s);
    return p;
}

struct slice slice_trim(struct slice s)
{
    while (s.len && is_space(s.p[0]))
        s = slice_sub(s, 1, s.len);
    while (s.len && is_space(s.p[s.len - 1]))
        s.len--;
    return s;
}

char ascii_lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

bool slice_caseeq(struct slice s, const char *text)
{
    size_t len = strlen(text);
    return s.len == len && (len == 0 || strncasecmp(s.p, text, len) == 0);
}

bool slice_casestarts(struct slice s, const char *prefix)
{
    size_t len = strlen(prefix);
    return s.len >= len && (len == 0 || strncasecmp(s.p, prefix, len) == 0);
}

bool slice_line(struct slice *rest, struct slice *line)
{
    if (!rest->len)
        return false;
    const char *end = memchr(rest->p, '\n', rest->len);
    size_t len = end ? (size_t)(end - rest->p) : rest->len;
    *line = (struct slice){rest->p, len};
    *rest = slice_sub(*rest, end ? len + 1 : len, rest->len);
    if (line->len && line->p[line->len - 1] == '\r')
        line->len--;
    return true;
}

bool slice_whole_line(struct slice *rest, struct slice *line)
{
    const char *from = rest->p;
    if (!slice_line(rest, line))
        return false;
    line->p = from;
    line->len = (size_t)(rest->p - from);
    return true;
}

bool slice_word(struct slice *rest, struct slice *word)
{
    size_t from = 0;
    while (from < rest->len && is_space(rest->p[from]))
        from++;
    size_t to = from;
    while (to < rest->len && !is_space(rest->p[to]))
        to++;
    *word = slice_sub(*rest, from, to - from);
    *rest = slice_sub(*rest, to, rest->len);
    return word->len > 0;
}

bool slice_number(struct slice *rest, int64_t *number)
{
    struct slice word;
    *number = 0;
    if (!slice_word(rest, &word) || word.len > NUMBER_DIGITS)
        return false;
    for (size_t i = 0; i < word.len; i++) {
        if (word.p[i] < '0' || word.p[i] > '9')
            return false;
        *number = *number * 10 + (word.p[i] - '0');
    }
    return true;
}

size_t slice_find(struct slice s, const char *what)
{
    if (!s.len)
        return *what ? (size_t)-1 : 0;
    const char *at = memmem(s.p, s.len, what, strlen(what));
    return at ? (size_t)(at - s.p) : (size_t)-1;
}

bool slice_find_line(struct slice *rest, const char *what, struct slice *line)
{
    size_t at = slice_find(*rest, what);
    if (at == (size_t)-1)
        return false;
    const char *before = at ? memrchr(rest->p, '\n', at) : NULL;
    *rest = slice_sub(*rest, before ? (size_t)(before - rest->p) + 1 : 0, rest->len);
    return slice_line(rest, line);
}

char *slice_dup(struct slice s)
{
    return mem_strndup(s.len ? s.p : "", s.len);
}

bool word_listed(const char *list, const char *word)
{
    struct slice rest = slice_of(list), one;
    while (slice_word(&rest, &one))
        if (slice_eq(one, word))
            return true;
    return false;
}

bool str_starts(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool str_ends(const char *text, const char *suffix)
{
    size_t len = strlen(text);
    size_t end = strlen(suffix);
    return len >= end && strcmp(text + len - end, suffix) == 0;
}
