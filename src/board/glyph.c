#include "board/glyphs.h"

const struct glyph *glyph_find(const struct glyph *face, uint32_t code)
{
    const struct glyph *glyph = face;
    while (glyph->code < code)
        glyph++;
    return glyph->code == code && code != GLYPHS_END ? glyph : face;
}
