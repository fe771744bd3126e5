/* Growing byte strings and borrowed slices.
 *
 * struct str: `p` is never NULL and always NUL-terminated at p[len]; the bytes before may hold NULs.
 * Start with STR_INIT or str_init, end with str_release (which leaves a fresh, usable string).
 * str_detach hands the buffer to the caller, who frees it. Out of memory ends the process.
 *
 * struct slice: bytes that somebody else owns; `p` may be NULL only when len is 0. Not NUL-terminated. */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct str {
    char *p;
    size_t len;
    size_t cap; /* bytes allocated, 0 while p is the shared empty string */
};

struct slice {
    const char *p;
    size_t len;
};

extern char str_empty[1];
#define STR_INIT        \
    {                   \
        str_empty, 0, 0 \
    }

void str_init(struct str *s);
void str_release(struct str *s);
void str_clear(struct str *s);             /* length 0, keeps the memory */
void str_fit(struct str *s);               /* frees the memory that the text does not use */
void str_grow(struct str *s, size_t more); /* the part of str_reserve that grows the buffer */
static inline void str_reserve(struct str *s, size_t more)
{
    if (more >= s->cap - s->len)
        str_grow(s, more);
}
static inline void str_add(struct str *s, const void *bytes, size_t len)
{
    if (!len)
        return;
    str_reserve(s, len);
    memcpy(s->p + s->len, bytes, len);
    s->len += len;
    s->p[s->len] = '\0';
}
static inline void str_adds(struct str *s, const char *text)
{
    str_add(s, text, strlen(text));
}
static inline void str_addc(struct str *s, char c)
{
    str_reserve(s, 1);
    s->p[s->len++] = c;
    s->p[s->len] = '\0';
}
static inline void str_addslice(struct str *s, struct slice part)
{
    str_add(s, part.p, part.len);
}
void str_addn(struct str *s, int64_t number); /* decimal digits */
void str_addf(struct str *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void str_vaddf(struct str *s, const char *fmt, va_list args) __attribute__((format(printf, 2, 0)));
#define PLURAL(count) ((count) == 1 ? "" : "s") /* "%d mail%s" */
void str_cut(struct str *s, size_t len);        /* shortens to len */
void str_trim(struct str *s);                   /* drops trailing spaces, tabs, CR, LF */
char *str_detach(struct str *s) __attribute__((warn_unused_result));

static inline struct slice slice_of(const char *text) /* a C string */
{
    return (struct slice){text, strlen(text)};
}
static inline struct slice slice_str(const struct str *s)
{
    return (struct slice){s->p, s->len};
}
/* Clipped to the slice. */
static inline struct slice slice_sub(struct slice s, size_t from, size_t len)
{
    if (from > s.len)
        from = s.len;
    if (len > s.len - from)
        len = s.len - from;
    return (struct slice){s.len ? s.p + from : s.p, len};
}
struct slice slice_trim(struct slice s); /* without spaces, tabs, CR, LF at both ends */
static inline bool slice_eq(struct slice s, const char *text)
{
    size_t len = strlen(text);
    return s.len == len && (len == 0 || memcmp(s.p, text, len) == 0);
}
/* Case is that of ASCII letters only; all other bytes are left as they are. */
char ascii_lower(char c);
bool slice_caseeq(struct slice s, const char *text);
static inline bool slice_starts(struct slice s, const char *prefix)
{
    size_t len = strlen(prefix);
    return s.len >= len && (len == 0 || memcmp(s.p, prefix, len) == 0);
}
bool slice_casestarts(struct slice s, const char *prefix);

/* Cuts the next line off `*rest` (without its LF or CRLF). False when `*rest` is empty. */
bool slice_line(struct slice *rest, struct slice *line);
/* The same with what ends it: all bytes of the line. */
bool slice_whole_line(struct slice *rest, struct slice *line);
/* Cuts the next word (bytes other than space, tab, CR, LF) off `*rest`. False when there is none. */
bool slice_word(struct slice *rest, struct slice *word);
/* Cuts the next word off `*rest`, which must be a number of at most 15 decimal digits and nothing else. */
bool slice_number(struct slice *rest, int64_t *number);
/* Cuts everything up to and including the next line that holds `what` off `*rest`. False when none does. */
bool slice_find_line(struct slice *rest, const char *what, struct slice *line);
/* Finds bytes in bytes; returns the offset or (size_t)-1. */
size_t slice_find(struct slice s, const char *what);
/* A NUL-terminated copy that the caller frees. */
char *slice_dup(struct slice s) __attribute__((warn_unused_result));

/* Is it one of the words of a list, which blanks divide? What has a blank in it never is. */
bool word_listed(const char *list, const char *word);
bool str_starts(const char *text, const char *prefix);
bool str_ends(const char *text, const char *suffix);

#endif
