#include "base/sandbox_parts.h"

#include <errno.h>
#include <sys/prctl.h>

unsigned sandbox_kernel(void)
{
    return (sandbox_calls_known() ? SANDBOX_CALLS : 0U) | (sandbox_files_known() ? SANDBOX_FILES : 0U);
}

int sandbox_enter(const struct sandbox_path *paths, size_t count, unsigned *got, struct err *err)
{
    unsigned known = sandbox_kernel();
    *got = 0;
    if (known && prctl(PR_SET_NO_NEW_PRIVS, 1UL, 0UL, 0UL, 0UL) != 0)
        return err_sys(err, ERR_CONFIG, "cannot give up new privileges");
    if ((known & SANDBOX_FILES) && sandbox_files(paths, count, err))
        return -1;
    if ((known & SANDBOX_CALLS) && sandbox_calls(err))
        return -1;
    *got = known;
    return 0;
}

const char *sandbox_words(unsigned bits)
{
    switch (bits) {
    case SANDBOX_WHOLE: return "calls (seccomp) and files (landlock)";
    case SANDBOX_CALLS: return "calls (seccomp), not files: this kernel has no landlock";
    case SANDBOX_FILES: return "files (landlock), not calls: this kernel has no seccomp";
    default: return "nothing: this kernel has neither seccomp nor landlock";
    }
}
