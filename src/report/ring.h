/* A circle of places with something in its middle, drawn with letters: a line a place and one for the middle
 * (textfmt.h). */
#ifndef REPORT_RING_H
#define REPORT_RING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct ring {
    struct slice *place; /* "name TAB text TAB text"; clockwise; slices point into the input */
    size_t count, cap;
    struct slice middle; /* likewise; {NULL, 0}: nothing is there */
};

/* "o TAB ...": a place; "* TAB ...": the middle. */
bool ring_line(struct slice line);
void ring_add(struct ring *ring, struct slice line);
/* Appends the drawing, no wider than `width` columns, and forgets the places. The first half of them is above,
 * from left to right, the rest below, from right to left; the texts of a place stand below its name, a line
 * each, cut where there is no room. With fewer than three places, or too many for the width: a line each,
 * the texts behind the name. Nothing at all without any. */
void ring_end(struct str *out, struct ring *ring, size_t width);
void ring_release(struct ring *ring);

#endif
