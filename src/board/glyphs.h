/* The letters of pictures as paths, from the font B612 (its licence is the Open Font License), baked when the
 * program is built (src/build/glyphs.c). */
#ifndef BOARD_GLYPHS_H
#define BOARD_GLYPHS_H

#include <stdint.h>

#define GLYPHS_EM  500 /* units of an em: of `advance` and `path` */
#define GLYPHS_END UINT32_MAX

struct glyph {
    uint32_t code; /* a code point; 0: stands for all that have none */
    int advance;
    const char *path; /* of an SVG path, from the base line, y down; straight lines; "" for blanks */
};

/* By code points, rising, from 0; the last one has GLYPHS_END. */
extern const struct glyph glyphs_regular[], glyphs_bold[];

/* The glyph of a code point, or the one that stands for it. */
const struct glyph *glyph_find(const struct glyph *face, uint32_t code);

#endif
