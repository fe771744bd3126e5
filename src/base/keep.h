/* A second place that keeps what a league's files hold, such as a database (cluster/cluster.h).
 *
 * Everything that changes a disk goes through base/file.h. Where a process has a keeper, each of these functions
 * tells it what has changed, and what is to be durable is so once the keeper has it: its `sync` stands for the sync
 * of the file systems. So whatever is proved of the order of syncs holds for both.
 *
 * A process has one keeper at most, set while it has a single thread. */
#ifndef BASE_KEEP_H
#define BASE_KEEP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

enum keep_kind {
    KEEP_WRITTEN,  /* it is a new file, or holds something else */
    KEEP_APPENDED, /* `at`: its size before */
    KEEP_CUT,      /* `at`: its size now */
    KEEP_RENAMED,  /* from `path` to `to` */
    KEEP_REMOVED
};
struct keep_change {
    enum keep_kind kind;
    const char *path, *to; /* as they were given to base/file.h; borrowed */
    int64_t at;
};

struct keeper {
    /* Is this path one of those that it keeps? Of all others it is told nothing. */
    bool (*keeps)(void *arg, const char *path);
    /* After the change. Called by any thread, one at a time. */
    void (*changed)(void *arg, const struct keep_change *change);
    /* What was changed until now is durable after it returned 0. */
    int (*sync)(void *arg, struct err *err);
    void *arg;
};

/* `keeper` is borrowed; NULL = none from now on. */
void keep_with(const struct keeper *keeper);
bool keep_has(const char *path);
int keep_sync(struct err *err) __attribute__((warn_unused_result)); /* 0 when there is no keeper */

/* For base/file.c: between the two a file is changed, and the keeper told. */
void keep_begin(void);
void keep_end(const struct keep_change *change); /* NULL: nothing has changed */
/* For the keeper: between the two no file is changed by any thread, and all changes have been told. */
void keep_still(void);
void keep_go_on(void);

#endif
