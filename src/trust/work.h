/* What looking into mails may cost, in bytes that are looked at once: some nanoseconds each.
 * Everything in this room that reads, makes, compares or hashes the bytes of a mail is charged here first, so
 * that no mail is expensive, whoever sent it, and neither is a flood of the dearest. */
#ifndef TRUST_WORK_H
#define TRUST_WORK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define WORK_READ  8                  /* per byte of a mail, for its parts and characters */
#define WORK_GLYPH 4                  /* per character that is looked at by itself */
#define WORK_LINE  64                 /* per line of it that is looked at, beyond its bytes */
#define WORK_ARMOR ((size_t)512)      /* per beginning of a signature */
#define WORK_CHECK ((size_t)96 << 10) /* what a signature or a key costs beyond the hash of its text */
#define WORK_MAIL  ((size_t)32 << 20) /* per mail; what players send takes less than a tenth of it */
#define WORK_RUN   ((size_t)1 << 30)  /* of all mails of a run; then each may take WORK_SPARE, or it waits */
#define WORK_SPARE ((size_t)1 << 20)  /* enough for orders */
#define WORK_SMALL ((size_t)48 << 10) /* bytes; larger mails are not even fetched then */

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
