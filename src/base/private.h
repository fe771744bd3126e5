/* Files that hold a secret, read only if no other user can read or change them; and processes that hold one.
 */
#ifndef BASE_PRIVATE_H
#define BASE_PRIVATE_H

#include <stddef.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/str.h"

#define PRIVATE_MAX 16384 /* bytes of such a file; also of the output of a password command */

/* From now on this process leaves no core file, and other processes of the same user may not inspect it.
 * Every function here that reads a secret calls it; calling it again does nothing. */
void private_process(void);
/* Keeps the bytes out of the swap space and out of core files, as far as the system allows (RLIMIT_MEMLOCK):
 * where it does not, that is logged once, and they are used all the same. private_unlock also wipes them. */
void private_lock(void *bytes, size_t len);
void private_unlock(void *bytes, size_t len);
/* Refuses a file or folder owned by anyone but this user or root. ERR_CONFIG with what to do. */
int private_owner(const struct stat *st, const char *what, const char *path, struct err *err)
    __attribute__((warn_unused_result));
/* Appends the file to `out`, which must already have enough room, so that no copy is left in memory.
 * ERR_CONFIG names the command that fixes mode or owner; ERR_MISSING when there is no such file. `what` says
 * whose it is ("[outgoing] password_file", "the league's key"). */
int private_read(const char *path, const char *what, struct str *out, struct err *err)
    __attribute__((warn_unused_result));
/* Overwrites and releases. */
void private_wipe(struct str *secret);

#endif
