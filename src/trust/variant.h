/* The guesses at what was signed: a text as it arrived, put back step by step to what it may have been
 * before the mail programs on its way changed it. The list of damage is in tests/trust/damage.c. */
#ifndef TRUST_VARIANT_H
#define TRUST_VARIANT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "trust/work.h"

/* One place where a signed text may be; both borrowed. */
struct source {
    struct slice whole; /* a part that was signed as a file; empty when it cannot be one */
    struct slice block; /* the lines from "#turnpost" to "#end" with what quoting put in front; empty when
                           there are none */
    unsigned shows;     /* of the block: shape_shows, see trust/shape.h */
};

/* Combinations of damage are tried only for blocks of at most this many bytes, because there are many of
 * them. */
#define VARIANT_SMALL 8192

/* Guesses are numbered from 0 on, likeliest first; how many there are for this source. */
size_t variant_count(const struct source *source);
/* Appends guess number `n`. False when it does not apply to this source, or when `work` is used up. Linear in
 * the size of the source; the result has at most twice as many bytes and one more. */
bool variant_make(size_t n, const struct source *source, struct work *work, struct str *out);

#endif
