/* What a process that reads strangers' bytes is no longer allowed to do.
 *
 * Calls (seccomp): no programs and no further processes, no listening, no tracing of others, nothing that is
 * an administrator's; they fail with EPERM, and the kernel's log names them. Files (landlock): nothing but
 * what is named, and what the libraries read of the system (names of hosts, certificates, zones, modules);
 * all else fails with EACCES. Nothing is ever killed. What was open before stays open. */
#ifndef BASE_SANDBOX_H
#define BASE_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

enum { SANDBOX_CALLS = 1, SANDBOX_FILES = 2, SANDBOX_WHOLE = 3 };

/* A file, or a folder with all that is below it. */
struct sandbox_path {
    const char *path; /* borrowed; a missing one is skipped */
    bool write;       /* also to make, rename and remove in a folder */
};

/* SANDBOX_ bits: what this kernel has. */
unsigned sandbox_kernel(void);
/* Permanent, for this process and all its later threads: call it before starting any. *got are the
 * bits in force: those of sandbox_kernel(). ERR_CONFIG when the kernel has one but does not let us use it. */
int sandbox_enter(const struct sandbox_path *paths, size_t count, unsigned *got, struct err *err)
    __attribute__((warn_unused_result));
/* "calls and files", "calls alone", ... */
const char *sandbox_words(unsigned bits);
/* A number that changes when one of the files, named here or the system's, is replaced by another: what was
 * allowed is the old one. Folders do not count. */
uint64_t sandbox_stamp(const struct sandbox_path *paths, size_t count);

#endif
