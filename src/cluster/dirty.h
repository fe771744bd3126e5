/* Which files differ from what the database has of them, and how it gets there with the fewest bytes. Pure. */
#ifndef CLUSTER_DIRTY_H
#define CLUSTER_DIRTY_H

#include <stddef.h>
#include <stdint.h>

#include "base/keep.h"

enum dirty_kind {
    DIRTY_WRITTEN,  /* the whole file is new */
    DIRTY_APPENDED, /* the first `from` bytes are as the database has them */
    DIRTY_MOVED,    /* what the database has as `origin` */
    DIRTY_GONE,     /* it is to have no such file */
    DIRTY_SAME      /* never in the list: it has turned out to be as the database has it */
};
struct dirty_file {
    char *path, *origin; /* origin: NULL but for DIRTY_MOVED */
    enum dirty_kind kind;
    int64_t from;
};
/* Sorted by path. An origin is always in the list itself, as what it is now. */
struct dirty {
    struct dirty_file *list;
    size_t count, cap;
};

/* Takes in a change; the paths are copied. KEEP_RENAMED: path or `to` may be NULL when it is a file that is not
 * kept: then the other one was written, or removed. */
void dirty_note(struct dirty *dirty, const struct keep_change *change);
void dirty_release(struct dirty *dirty); /* leaves an empty one */

#endif
