/* Paints what comes over a socket (picture/painting.h), each picture in a process of its own, which dies alone. */
#ifndef PAINTER_SERVE_H
#define PAINTER_SERVE_H

#include "painter/confine.h"

/* Until the other side ends. ERR_BROKEN: it sent what is no request; ERR_TEMP: no process can be begun. */
int serve(int fd, const struct confinement *confinement, struct err *err) __attribute__((warn_unused_result));

#endif
