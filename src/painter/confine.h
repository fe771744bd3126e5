/* A process that does nothing but compute: it writes to what is open, and has bounds of time and memory. */
#ifndef PAINTER_CONFINE_H
#define PAINTER_CONFINE_H

#include <stdint.h>

#include "base/err.h"

/* What will be allowed: made once, for many processes. */
struct confinement; /* confine.c */

/* ERR_CONFIG: this kernel has no seccomp, or does not let us use it; then nothing may be painted. */
int confine_prepare(struct confinement **out, struct err *err) __attribute__((warn_unused_result));
/* Permanent, for this process: no file, program, process, socket or signal for others, whatever it is asked
 * for fails with EPERM; at most so many seconds of a processor, and so many bytes of memory of its own. */
int confine_enter(const struct confinement *confinement, unsigned seconds, uint64_t memory, struct err *err)
    __attribute__((warn_unused_result));
void confine_release(struct confinement *confinement); /* NULL is left alone */

#endif
