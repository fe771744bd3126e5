/* The easel: pictures are painted, some at a time, in the order of the mails; a thread of its own sees to it while mails leave. */
#ifndef PICTURE_EASEL_H
#define PICTURE_EASEL_H

#include "picture/painter.h"
#include "picture/pictures.h"

#define EASEL_WIDTH 720 /* pixels of a picture in a mail: two for each px of a telephone */

struct easel; /* easel.c */

/* What is to be painted, and how; all borrowed until easel_end. */
struct easel_work {
    const char *dir;            /* of pictures */
    const char *const *digests; /* of what the pictures show, in this order */
    size_t count;
    int painter; /* painter_paint's; -1 = there is none, and nothing is painted */
    /* Appends a drawing (SVG) of what a picture shows; in the easel's thread. */
    int (*draw)(void *arg, struct slice shows, struct str *svg, struct err *err);
    void *arg;
};

/* Begins. Pictures that are in the folder already are there at once. NULL when there can be no thread. */
struct easel *easel_begin(const struct easel_work *work);
/* Of the first so many it is known now whether there are pictures (pictures_have). Any thread. */
size_t easel_done(struct easel *easel);
/* Waits until it is known of so many, at most until clock_milliseconds() says `until`, and a quarter of a
 * second at a time, so that the caller can look at what else there is. */
void easel_wait(struct easel *easel, size_t count, int64_t until);
/* Lets the picture in hand be finished, but `now`: takes it away, and the painter is of no more use. *dead: that
 * it is; then no picture will be painted any more. */
void easel_end(struct easel *easel, bool now, bool *dead);

#endif
