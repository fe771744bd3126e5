/* UTF-8 (RFC 3629): validation, and making text from strangers safe to show. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

#define UTF8_BAD ((uint32_t)-1)

/* Decodes the code point at `s.p`, length in `*len` (1..4). UTF8_BAD with *len 1 for anything invalid:
 * overlong, surrogate, above U+10FFFF, cut short. `s` must not be empty. */
uint32_t utf8_next(struct slice s, size_t *len);
void utf8_put(struct str *out, uint32_t cp);
/* How many bytes of printable ASCII (space to '~') `s` begins with. */
size_t utf8_printable(struct slice s);
/* Its beginning: at most `max` bytes, in whole characters. */
struct slice utf8_start(struct slice s, size_t most);
/* True when all of it is valid UTF-8 without NUL. */
bool utf8_valid(struct slice s);
/* Appends `s` fit for any display: control characters, invalid bytes, bidirectional overrides (U+202A-202E,
 * U+2066-2069), zero-width and line-separator characters become U+FFFD or a space; LF stays only when `lines`
 * is true, TAB becomes a space. */
void utf8_safe(struct str *out, struct slice s, bool lines);
/* Shortens it to at most `max` bytes, never inside a character, and drops spaces at the new end. */
void utf8_cut(struct str *text, size_t max);
/* Number of terminal columns (code points; wide East Asian ones count two, combining marks none). */
size_t utf8_width(struct slice s);

/* Appends `s` with letters of the Latin script and the marks after them as one character each, where there is one (as in NFC); invalid
 * bytes become U+FFFD. */
void utf8_compose(struct str *out, struct slice s);
/* Such a letter without its (last) mark; any other as it is. */
uint32_t utf8_bare(uint32_t cp);

/* How people write a letter of the Latin script that has marks where there are none, in small letters: "oe", "c"; "" for all
 * else (U+00C0 to U+017F are known). */
const char *utf8_plain(uint32_t cp);

#endif
