/* The entries of a log in a folder, one after the other: the file `entries`, a line each, or the bundles of tlog/tiles.h, as a
 * site shows them. Memory is the same at any size. */
#ifndef TLOG_ENTRIES_H
#define TLOG_ENTRIES_H

#include "base/lines.h"

struct entries {
    const char *dir; /* borrowed */
    bool whole;      /* there is a file `entries` */
    struct lines lines;
    int64_t size, count; /* that bundles are to have; that were returned */
    struct str bundle;
    struct slice rest; /* of the bundle */
};
/* `size`: of the checkpoint beside bundles. Closed by the caller whatever is returned. */
int entries_open(struct entries *entries, const char *dir, int64_t size, struct err *err)
    __attribute__((warn_unused_result));
void entries_close(struct entries *entries);
/* The next one with its LF; length 0 is the end, which bundles have where one is missing, too. Valid until the next call. */
int entries_next(struct entries *entries, struct slice *line, struct err *err)
    __attribute__((warn_unused_result));

#endif
