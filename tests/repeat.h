/* Texts made of one piece again and again. */
#ifndef TESTS_REPEAT_H
#define TESTS_REPEAT_H

#include "base/str.h"

/* Appends the piece until there are at least `len` bytes; many pieces at a time, as a call for each takes longer than what is
 * to be measured. */
static inline void repeat_until(struct str *out, const char *piece, size_t len)
{
    struct str many = STR_INIT;
    const size_t one = slice_of(piece).len;
    while (many.len < 4096)
        str_adds(&many, piece);
    while (out->len < len) {
        const size_t times = (len - out->len + one - 1) / one, most = many.len / one;
        str_add(out, many.p, (times < most ? times : most) * one);
    }
    str_release(&many);
}

#endif
