/* Sockets between processes of ours: all of what was asked for, or nothing. */
#ifndef BASE_EXACT_H
#define BASE_EXACT_H

#include "base/str.h"

/* 0, or -1 when the other side has ended, or (SO_SNDTIMEO) takes nothing. No SIGPIPE. */
int exact_put(int fd, const void *bytes, size_t len) __attribute__((warn_unused_result));
/* 0; 1 when the other side ended before the first byte; -1. */
int exact_get(int fd, void *bytes, size_t len) __attribute__((warn_unused_result));
/* Replaces what is in `out` by so many bytes. 0 or -1. */
int exact_get_str(int fd, size_t len, struct str *out) __attribute__((warn_unused_result));

#endif
