/* From SVG to PNG, in memory: librsvg draws, libpng writes. Run it on
 * drawings of strangers only where it may do nothing else (painter/confine.h): they can make it use up time
 * and memory. */
#ifndef PAINTER_PAINT_H
#define PAINTER_PAINT_H

#include "base/err.h"
#include "base/str.h"

/* Appends a picture of that width in pixels, as high as the drawing's proportions want, with at most 20
 * colours and an opaque ground. The same drawing gives the same bytes with the same libraries. ERR_INPUT: it
 * is no SVG that can be drawn, or has no size. */
int paint(struct slice svg, unsigned width, struct str *png, struct err *err)
    __attribute__((warn_unused_result));

#endif
