/* The canonical form of a signed text, and the search for the exact bytes that were signed.
 *
 * Canonical: LF line ends; CR and BOM dropped; runs of spaces, tabs and NBSP are one space; lines trimmed;
 * empty lines dropped; typographic quotes, apostrophes and dashes are ASCII; "> " quoting removed (also
 * ">From "); ends with one LF. UTF-8. It is idempotent. Only the canonical text of a verified signature
 * is ever parsed.
 *
 * Exactly, for other programs that sign (trust/glyph.h has the same table): code points U+000D,
 * U+FEFF, U+200B are dropped; U+0009, U+00A0, U+2007, U+202F are a space; U+2018-201B, U+2032, U+2039,
 * U+203A are '; U+201C-201F, U+2033, U+00AB, U+00BB are "; U+2010-2015, U+2212 are one -. Then every line
 * loses all spaces and '>' at its beginning and all spaces at its end. Every byte that is not UTF-8
 * becomes U+FFFD. A text without any line is empty. */
#ifndef TRUST_CANON_H
#define TRUST_CANON_H

#include <stddef.h>

#include "base/str.h"

/* Appends the canonical form; of UTF-8 it has at most text.len + 1 bytes, else at most three times that. */
void canon_text(struct str *out, struct slice text);

#endif
