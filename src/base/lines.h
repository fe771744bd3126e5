/* The lines of a file, or of bytes in memory, one after the other: for files too large to hold in memory. */
#ifndef BASE_LINES_H
#define BASE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

struct lines {
    struct slice all;  /* in memory: everything; `fd` is -1 then */
    int fd;            /* of a file, to be closed by lines_close */
    size_t longest;    /* bytes; of a longer line so many come, and nothing after it */
    struct str buffer; /* of a file: read but not yet returned */
    size_t at;         /* in `all` or `buffer` */
    bool ended;        /* of a file: nothing more can be read */
    int64_t read;      /* bytes returned so far */
};

/* The bytes are borrowed. */
void lines_memory(struct lines *lines, struct slice all);
/* ERR_MISSING when the file is not there. `longest` bytes at most are held for a line. */
int lines_open(const char *path, size_t longest, struct lines *lines, struct err *err)
    __attribute__((warn_unused_result));
void lines_close(struct lines *lines);
/* The next line with its line feed; without one when it is the last and torn, or longer than `longest`.
 * Length 0 is the end. Valid until the next call. */
int lines_next(struct lines *lines, struct slice *line, struct err *err) __attribute__((warn_unused_result));
/* From the beginning again. */
int lines_rewind(struct lines *lines, struct err *err) __attribute__((warn_unused_result));

#endif
