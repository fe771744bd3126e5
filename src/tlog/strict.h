/* Texts of which there is one form only: what is read strictly is, written again, the same bytes. For this room. */
#ifndef TLOG_STRICT_H
#define TLOG_STRICT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Cuts what stands before `end` off `*rest`, and `end` with it. False: there is no `end`. */
bool strict_before(struct slice *rest, char end, struct slice *part);
/* Cuts the next line off, which has to end in LF. */
static inline bool strict_line(struct slice *rest, struct slice *line)
{
    return strict_before(rest, '\n', line);
}
/* Cuts off what stands before the next space, or all; then rest->p is NULL, and the next call false. */
bool strict_field(struct slice *rest, struct slice *field);
/* Cuts such a beginning off. */
bool strict_prefix(struct slice *rest, const char *prefix);
/* A decimal number without leading zeros, `least` to `most` (at most 10^15 - 1), and nothing else. */
bool strict_number(struct slice text, int64_t least, int64_t most, int64_t *number);
#define STRICT_MOST 999999999999999

#endif
