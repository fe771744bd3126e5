/* What turnpost and the program turnpost-picture say to each other, over a pair of stream sockets that is the
 * program's standard input: requests, and their answers in the same order. Some may be sent before the first is
 * answered; those are painted at the same time. Between two programs of one build on one host: plain structs. */
#ifndef PICTURE_PAINTING_H
#define PICTURE_PAINTING_H

#include <stdint.h>

#define PAINTING_SVG_MOST   ((uint32_t)1 << 20) /* bytes of a drawing */
#define PAINTING_PNG_MOST   ((uint32_t)4 << 20) /* and of a picture */
#define PAINTING_WIDTH_MOST 4000                /* pixels; no picture is higher than twice that */
#define PAINTING_AHEAD      3                   /* requests that may wait for their answers */
#define PAINTING_SMALL \
    ((uint32_t)64 << 10)   /* bytes of a drawing that may be sent while others are painted: it
                                                   * does not wait for whoever may be waiting to be read from */
#define PAINTING_SECONDS 5 /* that a drawing may take */
#define PAINTING_CPU     2 /* seconds of a processor; boards take a fiftieth of one */
#define PAINTING_MEMORY  ((uint64_t)192 << 20) /* bytes of its own that it may take for that */

/* Then the drawing follows. */
struct painting_request {
    uint32_t width; /* pixels of the picture */
    uint32_t len;   /* bytes */
};
/* Then the picture follows. */
struct painting_reply {
    uint32_t fate; /* enum painting_fate */
    uint32_t len;  /* bytes; 0 unless it is PAINTED */
};
enum painting_fate {
    PAINTED,
    PAINTING_REFUSED, /* no SVG that can be drawn, or too large a picture */
    PAINTING_SLOW,    /* it took too long */
    PAINTING_DIED     /* it was too much for its process: memory, or a fault */
};

#endif
