/* The painter: the program turnpost-picture, which makes PNGs of drawings. It has no file, no network and no key,
 * and each drawing has bounds of time and memory (picture/painting.h). */
#ifndef PICTURE_PAINTER_H
#define PICTURE_PAINTER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/str.h"

struct painter {
    pid_t pid; /* 0 = none */
    int fd;    /* a socket to it; -1 = none. It ends when all copies of this are closed */
};
#define PAINTER_NONE \
    {                \
        0, -1        \
    }

/* Is it installed, beside this program? */
bool painter_installed(void);
/* Where it is: beside this program, unless `program` names it. ERR_CONFIG when it is not there or cannot be
 * begun; whether it works shows with the first picture. */
int painter_begin(const char *program, struct painter *painter, struct err *err)
    __attribute__((warn_unused_result));
/* The socket is another process's from now on, which was forked with it. */
void painter_leave(struct painter *painter);
/* True once, when it has ended by itself; then there is none. */
bool painter_has_ended(struct painter *painter);
/* Ends it. One that is none is left alone. */
void painter_end(struct painter *painter);

/* Appends the picture of a drawing, so many pixels wide. 0; ERR_INPUT: of this drawing it makes none, and the
 * text says why; ERR_TEMP: it has ended or does not answer, and is of no more use. */
int painter_paint(int fd, struct slice svg, unsigned width, struct str *png, struct err *err)
    __attribute__((warn_unused_result));

/* The two halves of that: up to PAINTING_AHEAD drawings may be sent before their pictures are read, in the same order. With
 * ERR_INPUT from painter_ask nothing was sent. */
int painter_ask(int fd, struct slice svg, unsigned width, struct err *err)
    __attribute__((warn_unused_result));
int painter_answer(int fd, struct str *png, struct err *err) __attribute__((warn_unused_result));

#endif
