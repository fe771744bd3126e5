/* The words of a picture as paths: where its template has
 *
 *     <text x="600" y="52" font-size="36" font-weight="bold" text-anchor="middle" fill="#1d2433">words</text>
 *
 * the picture gets the outlines of the letters (board/glyphs.h), so that it looks the same everywhere. Attributes
 * have whole numbers. One is ours: data-most, the widest that the words may be: they get smaller for it by a
 * fifth at most, but not below 24 units (12 px at 360), then shorter, with an ellipsis. Letters stand at whole units. Blanks
 * are as in pages: one between words, none at the ends. Bytes that are no letters of the tables get a glyph that
 * stands for them. Ids of letters are the same in all pictures ("r61": regular, code point 0x61). */
#ifndef BOARD_INK_H
#define BOARD_INK_H

#include "base/err.h"
#include "base/str.h"

/* Appends the picture with its words drawn. ERR_CONFIG: what is wrong with the template. */
int ink(struct str *out, struct slice svg, struct err *err) __attribute__((warn_unused_result));

#endif
