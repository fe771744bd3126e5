/* What the two halves of mustache.h share: mustache_parse.c makes the token array, mustache_render.c walks
 * it.
 *
 * Standalone lines are resolved while parsing: their blanks and line ends are in no token. What is left of
 * them for rendering is `indent` of a standalone partial and `line_start`: tokens that begin a line are
 * preceded by the indentation of the partial being rendered, as if its source had been indented. */
#ifndef REPORT_MUSTACHE_PRIVATE_H
#define REPORT_MUSTACHE_PRIVATE_H

#include <stdint.h>

#include "report/mustache.h"

#define MUSTACHE_PARTIAL_DEPTH 32
#define MUSTACHE_SECTION_DEPTH \
    32 /* nested sections in one template: bounds the stack together with the partials */

enum token_kind {
    TOKEN_TEXT,
    TOKEN_SAFE, /* {{name}} of a text template */
    TOKEN_HTML, /* {{name}} of an HTML template */
    TOKEN_RAW,
    TOKEN_SECTION,
    TOKEN_INVERTED,
    TOKEN_CLOSE,
    TOKEN_PARTIAL
};

struct token {
    enum token_kind kind;
    bool line_start;     /* stands at the beginning of a line */
    bool standalone;     /* a partial alone on its line: its lines get `indent` */
    struct slice text;   /* TEXT: the bytes; otherwise the name, NUL-terminated for PARTIAL */
    struct slice indent; /* of a standalone partial */
    size_t part;         /* first of the name's parts in mustache.part */
    size_t part_count;   /* 0 for "." */
    size_t end;          /* SECTION, INVERTED: index of the closing token */
    unsigned place;      /* of the name's first part in a name_set */
};

struct mustache {
    char *name;
    char *source; /* our copy; all slices point into it */
    struct token *token;
    size_t token_count;
    struct slice *part; /* names split at their dots */
    size_t part_count;
};

/* A set of names with false positives: most names that a template asks for are not in most contexts. */
struct name_set {
    uint64_t bits[4];
};

/* The place of a name in such a set, 0..255. */
static inline unsigned name_place(const char *name, size_t len)
{
    const unsigned char *c = (const unsigned char *)name;
    return len ? ((c[0] * 37U + c[len / 2]) * 37U + c[len - 1] + (unsigned)len) & 255 : 0;
}
static inline void set_add(struct name_set *set, unsigned place)
{
    set->bits[place / 64] |= (uint64_t)1 << place % 64;
}
static inline bool set_holds(const struct name_set *set, unsigned place)
{
    return set->bits[place / 64] >> place % 64 & 1;
}

/* mustache_names.c: the members of an object (none, if it is something else). */
struct names;
const struct names *names_of(struct mustache_memo *memo, const json_t *object);
const struct name_set *names_set(const struct names *names);
const json_t *names_find(const struct names *names, unsigned place, struct slice name);

#endif
