/* How a text is put back to what it may have been: one pass over its lines. */
#ifndef TRUST_SHAPE_H
#define TRUST_SHAPE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

enum {
    SHAPE_LIFT = 1,               /* remove the quoting or indenting in front of the first line */
    SHAPE_BLANKS = 1 << 1,        /* NBSP and its like become spaces or nothing; ">From " loses its '>' */
    SHAPE_GLYPHS = 1 << 2,        /* with BLANKS: typographic quotes and dashes become ASCII one for one */
    SHAPE_EM = 1 << 3,            /* with BLANKS: an em dash was two hyphens */
    SHAPE_EN = 1 << 4,            /* with BLANKS: an en dash was two hyphens */
    SHAPE_CUT = 1 << 5,           /* no spaces at the ends of lines */
    SHAPE_ENDS = 1 << 6,          /* no empty lines at the end */
    SHAPE_BARE = 1 << 7,          /* no line end after the last line */
    SHAPE_CRLF = 1 << 8,          /* signed on Windows, sent as text */
    SHAPE_SQUEEZE = 1 << 9,       /* several empty lines were one */
    SHAPE_HALVE = 1 << 10,        /* an empty line was added to each line, or to each empty one */
    SHAPE_DROP = 1 << 11,         /* there were no empty lines */
    SHAPE_HEAD = 1 << 12,         /* there was one after the header, as every report shows it */
    SHAPE_UNSTUFF = 1 << 13,      /* one space at the beginning of a line is format=flowed's */
    SHAPE_JOIN = 1 << 14,         /* the value of a line "head:" was wrapped to the next line */
    SHAPE_LOWER = 1 << 15,        /* no line began with a capital, except perhaps one of the orders: `kept` */
    SHAPE_LOWER_HEADER = 1 << 16, /* no line of the header did */
    SHAPE_LOWER_ALL = 1 << 17,    /* there were no capitals at all */
};

struct shape {
    unsigned how;
    size_t kept; /* with LOWER: the first, second ... order with a capital keeps it; 0 = none does */
};

/* Appends the text in that shape. Linear; at most twice as many bytes and one more. */
void shape_text(struct str *out, struct slice text, struct shape shape);

/* Signs in a text of the changes that it may have met. */
enum {
    SHOWS_GLYPHS = 1, /* typographic quotes or dashes */
    SHOWS_EM = 1 << 1,
    SHOWS_EN = 1 << 2,
    SHOWS_EMPTY = 1 << 3,    /* empty lines */
    SHOWS_INDENT = 1 << 4,   /* lines that begin with a space where the first one does not */
    SHOWS_WRAP = 1 << 5,     /* a line "head:" without its value */
    SHOWS_CAPITALS = 1 << 6, /* a line of the header begins with one: "Game: gc-17" */
};
unsigned shape_shows(struct slice text);

/* "name: value", as the lines between "#turnpost" and the orders. */
bool shape_is_header(struct slice line);

#endif
