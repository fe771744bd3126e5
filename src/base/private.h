/* Files that hold a secret: read only when nobody else can read or change them. */
#ifndef BASE_PRIVATE_H
#define BASE_PRIVATE_H

#include <stddef.h>

#include "base/err.h"
#include "base/str.h"

#define PRIVATE_MAX 16384 /* bytes of such a file; also of the output of a password command */

/* Appends the file to `out`, which has room enough beforehand, so that no copy stays behind. ERR_CONFIG names
 * the command that mends the mode; ERR_MISSING when there is no such file. `what` says whose it
 * is ("[outgoing] password_file", "the league's key"). */
int private_read(const char *path, const char *what, struct str *out, struct err *err)
    __attribute__((warn_unused_result));
/* Overwrites and releases. */
void private_wipe(struct str *secret);

#endif
