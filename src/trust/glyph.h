/* What mail programs do to single characters: which ones are only another way to write a space, a quote or a
 * dash. */
#ifndef TRUST_GLYPH_H
#define TRUST_GLYPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

enum glyph_kind {
    GLYPH_OTHER, /* an ordinary character, or a byte that is not UTF-8 (cp UTF8_BAD) */
    GLYPH_DROP,  /* CR, BOM, zero-width space */
    GLYPH_LINE,  /* LF */
    GLYPH_BLANK, /* space, tab, non-breaking spaces */
    GLYPH_QUOTE, /* typographic: `ascii` is what it replaces */
    GLYPH_DASH
};
struct glyph {
    enum glyph_kind kind;
    size_t len; /* bytes of it in the text, at least 1 */
    uint32_t cp;
    char ascii; /* for BLANK, QUOTE, DASH */
};

/* The first character of a text that is not empty. */
struct glyph glyph_at(struct slice text);
/* The text after the spaces, tabs, BOMs and '>' that quoting and indenting put at the beginning of a
 * line.
 *
 * */
struct slice glyph_unquote(struct slice line);

#endif
