/* One view of one part, searched for "#turnpost" texts and signatures. */
#ifndef TRUST_SCAN_H
#define TRUST_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"
#include "trust/signature.h"
#include "trust/work.h"

#define SCAN_FRAMES 32 /* kept per view; more are ignored */
#define SCAN_MARKS  16
#define SCAN_NONE   ((size_t)-1)

struct frame {
    struct slice block; /* from the line "#turnpost" to the line "#end", borrowed, with quoting in front of
                           the lines */
    bool sealed;        /* a signature follows it, perhaps a broken one */
    bool claimed;       /* some envelope has it among its candidates */
};
struct mark {
    struct signature sig;
    size_t frame; /* the nearest one before it, SCAN_NONE when it is loose */
};
struct scan {
    struct slice text;
    struct frame *frames;
    size_t frame_count, frame_cap;
    struct mark *marks;
    size_t mark_count, mark_cap;
};

/* Fills `scan`. What is wrong with a signature that cannot be read goes to `broken`, the first one wins;
 * it is no failure. When `work` is used up, not all is found. */
void scan_text(struct scan *scan, struct slice text, struct work *work, struct err *broken);
void scan_release(struct scan *scan);

#endif
