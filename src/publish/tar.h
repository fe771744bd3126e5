/* A bundle as one file, in the form that every tar reads (POSIX ustar): regular files of mode 644 with one
 * date, so that the same bundle gives the same bytes. */
#ifndef PUBLISH_TAR_H
#define PUBLISH_TAR_H

#include <stdint.h>

#include "publish/publish.h"

/* Appends the archive, with all files in the folder of that name; `time` in seconds since 1970. A path of folder
 * and file has at most 99 bytes, else it is left out and false is returned. */
bool tar_write(struct str *out, const struct bundle *bundle, const char *folder, int64_t time)
    __attribute__((warn_unused_result));

#endif
