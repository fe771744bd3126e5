/* Many pieces of work, one commit, and none of them spoils the others: when one fails, everything since the
 * last commit is rolled back, the pieces before it are done again and committed, and it is tried alone. If it
 * fails alone too, and the league itself works, it is the piece's own fault, and the others continue. A piece
 * that fails only when committed is found by halving. */
#ifndef BATCH_PIECES_H
#define BATCH_PIECES_H

#include "batch/batch.h"

struct pieces {
    int (*work)(void *arg, size_t piece, struct err *err); /* into the batch */
    /* Called when those pieces are committed; the batch still holds what they did. Or NULL. */
    void (*done)(void *arg, size_t from, size_t count);
    /* Called when this piece fails on its own; it has changed nothing. -1: the league's own error; 1: it is worked on
     * again at once, as that does something else now. */
    int (*fault)(void *arg, size_t piece, const struct err *why, struct err *err);
    void *arg;
};

/* Works on all of them, with a commit whenever the batch is full and at the end. Errors are the league's own:
 * a disk that is full, files that cannot be written, a commit that was left half done. */
int pieces_work(struct batch *batch, const struct pieces *pieces, size_t count, struct err *err)
    __attribute__((warn_unused_result));

#endif
