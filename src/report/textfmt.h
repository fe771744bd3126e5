/* Lays out the text part of a mail: what a template rendered becomes lines of at most `width` columns, so
 * that templates need not count spaces. Columns are those of utf8_width (wide East Asian characters: two).
 *
 * The input is taken line by line (LF or CRLF); the first byte says what a line is:
 *
 * - '|': preformatted. It stays byte for byte, without the marker, however long. "|-- " gives a signature
 *   delimiter, "|" alone a blank line that is not merged with its neighbours.
 *
 * - TAB: a row of a table, its cells separated by TABs; rows that follow each other are one table.
 *   Cells are trimmed; a column is as wide as its widest cell; there are two spaces between columns, none
 *   after a row's last cell. A column of numbers ("12", "-3", "1,234", "7.5", "40%"; dashes and empty
 *   cells do not count, the first row may be a heading) is right-aligned, any other left-aligned.
 *   The last column is wrapped within what is left of the width; its lines continue below its beginning,
 *   and a word that is too long for it is cut. When fewer than 16 columns are left for a last column
 *   that needs more, the widest columns are made narrower (to 6 at least), and all cells are wrapped within
 *   theirs. Only if that is not enough, each row of the table is laid out as prose, its cells two blanks
 *   apart, going on two columns to the right.
 *
 * - "=" and TAB: the first row of a table, with the headings of its columns.
 *
 * - "!" and TAB: for pages alone (page.h); it is left out.
 *
 * - "+" and TAB: goes on in the item ("* ") of the line before; below any other line it is an item itself. templates_render joins them, for pages
 *   too.
 *
 * - only spaces and TABs: a blank line; several in a row become one, with those that `out` ends with.
 *
 * - anything else: prose. A line longer than `width` is broken at spaces, or between two wide characters;
 *   a word that is longer than a line (an address, a hash) stays whole on a line of its own. The lines
 *   that follow begin at the first one's indentation, after the mark when the text begins with "* ", "- "
 *   or a number such as "12. ", but never right of the middle. Lines are not joined. A TAB inside becomes
 *   one space.
 *
 * Spaces at the end of lines are cut, except in preformatted ones. Every line of the output ends with LF.
 * A value that a template inserts by {{name}} holds neither TAB nor LF (mustache.h), so it cannot start
 * a line, a row or a cell; a template whose line begins with a value should put something in front. */
#ifndef REPORT_TEXTFMT_H
#define REPORT_TEXTFMT_H

#include <stddef.h>

#include "base/str.h"

#define TEXTFMT_WIDTH 72 /* what mails use */

/* Appends the layout of `text` to `out`. A width below 20 is taken as 20. Any bytes are accepted. */
void textfmt(struct str *out, struct slice text, size_t width);

#endif
