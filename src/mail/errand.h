/* What a source does while the caller works: it moves the previous mails out of the way, fetches the next
 * ones and looks into them. On a server that takes as long as the work on the mails. */
#ifndef MAIL_ERRAND_H
#define MAIL_ERRAND_H

#include <pthread.h>
#include <stdatomic.h>

#include "mail/source.h"

struct errand {
    struct source *source;
    /* What source_dispose takes; borrowed until errand_end, or until `forget`. */
    const struct incoming *gone;
    const enum disposition *how;
    size_t gone_count;
    /* Called in the errand's thread once these are out of the way: the place to free what `look` made for
     * them in the round before. NULL: nothing. */
    void (*forget)(void *old);
    void *old;
    /* What source_fetch gives: the caller's once errand_end has returned. */
    struct incoming *next;
    size_t most, next_count;
    /* Called for each of the next mails, in their order and in the errand's thread, until errand_end waits.
     * It may do as little as it likes: the caller must then do the work. NULL: nothing. */
    void (*look)(void *arg, size_t index);
    void *arg;
    /* The errand's own. */
    bool under_way;
    atomic_bool awaited;
    pthread_t thread;
    int rc;
    struct err err;
};

/* Starts, in a thread of its own if the source is a server. Nothing else may use the source until errand_end.
 * A Maildir is local, so its work is left to errand_end. */
void errand_begin(struct errand *errand);
/* Waits for it; errors as of source_dispose, then of source_fetch. */
int errand_end(struct errand *errand, struct err *err) __attribute__((warn_unused_result));

#endif
