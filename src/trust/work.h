/* What looking for signed texts in one mail may cost. Everything in this room that reads, makes, compares or
 * hashes the bytes of a mail is charged here first, so that no mail is expensive, whoever sent it. */
#ifndef TRUST_WORK_H
#define TRUST_WORK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define WORK_MAIL  ((size_t)8 << 20) /* per mail; what players send takes less than a tenth of it */
#define WORK_CHECK ((size_t)1 << 14) /* what a signature or a key costs beyond the hash of its text */

/* Bytes that may still be processed. A charge that exceeds them uses them all up. */
struct work {
    size_t left;
};
#define WORK_INIT \
    {             \
        WORK_MAIL \
    }

/* False when it is used up; what was to be done is left undone. */
static inline bool work_take(struct work *work, size_t bytes)
{
    work->left = bytes < work->left ? work->left - bytes : 0;
    return work->left > 0;
}
static inline bool work_over(const struct work *work)
{
    return work->left == 0;
}
/* ERR_INPUT, the sentence for the sender. */
int work_refuse(struct err *err);

#endif
