/* What base/utf8.c uses of GLib's interface, for programs in which that library is not: the same results. */
#ifndef SHIM_GLIB_H
#define SHIM_GLIB_H

#include <stddef.h>
#include <stdint.h>

typedef uint32_t gunichar;
typedef ptrdiff_t gssize;

extern const char *const g_utf8_skip; /* by the first byte of a valid character: its length */
/* -1 or -2 when the bytes do not begin with a valid character (RFC 3629); `most` is how many there are. */
gunichar g_utf8_get_char_validated(const char *bytes, gssize most);
int g_unichar_to_utf8(gunichar c, char *out);
/* For the columns of a terminal, and there is none: declared, and nothing has them. */
int g_unichar_iszerowidth(gunichar c);
int g_unichar_iswide(gunichar c);

#endif
