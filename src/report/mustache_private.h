/* What the two halves of mustache.h share: mustache_parse.c makes the token array, mustache_render.c walks
 * it.
 *
 * Standalone lines are resolved while parsing: their spaces and line ends are in no token. All that remains
 * of them for rendering is the `indent` of a standalone partial and `line_start`: tokens that begin a line
 * are preceded by the indentation of the partial being rendered, as if its source had been indented. */
#ifndef REPORT_MUSTACHE_PRIVATE_H
#define REPORT_MUSTACHE_PRIVATE_H

#include <stdint.h>

#include "report/mustache.h"

#define MUSTACHE_PARTIAL_DEPTH 32
/* Nested sections in one template: bounds the stack together with the partials. */
#define MUSTACHE_SECTION_DEPTH 32

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
    bool line_start;     /* is at the beginning of a line */
    bool standalone;     /* a partial alone on its line: its lines get `indent` */
    bool alone;          /* a partial that sees only what it is of: {{>.name}} */
    struct slice text;   /* TEXT: the bytes; otherwise the name */
    struct slice indent; /* of a standalone partial */
    size_t part;         /* first of the name's parts in mustache.part */
    size_t part_count;   /* 0 for "."; 1 for PARTIAL */
    size_t end;          /* SECTION, INVERTED: index of the closing token */
};

struct mustache {
    char *name;
    char *source; /* our copy; all slices point into it */
    struct token *token;
    size_t token_count;
    struct value_name *part; /* names, those of values split at their dots */
    size_t part_count;
};

#endif
