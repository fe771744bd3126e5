#include "painter/confine.h"

#include <errno.h>
#include <seccomp.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "base/mem.h"
#include "base/sandbox.h"

struct confinement {
    scmp_filter_ctx filter;
};

/* Memory, time, what is open, an end. By name, because not every architecture, or old library, has all. */
static const char *const allowed[] = {"read",          "write",
                                      "writev",        "close",
                                      "lseek",         "fstat",
                                      "munmap",        "mremap",
                                      "brk",           "madvise",
                                      "futex",         "futex_time64",
                                      "exit",          "exit_group",
                                      "rt_sigaction",  "rt_sigprocmask",
                                      "rt_sigreturn",  "sigaltstack",
                                      "clock_gettime", "clock_gettime64",
                                      "clock_getres",  "gettimeofday",
                                      "time",          "getrandom",
                                      "sched_yield",   "sched_getaffinity",
                                      "getpid",        "gettid",
                                      "getuid",        "geteuid",
                                      "getgid",        "getegid",
                                      "membarrier"};

/* Memory, but none that can be executed. */
static const char *const memory_calls[] = {"mmap", "mmap2", "mprotect"};

static int allow(scmp_filter_ctx filter, const char *name, const struct scmp_arg_cmp *compare)
{
    int number = seccomp_syscall_resolve_name(name);
    int rc = number == __NR_SCMP_ERROR
                 ? 0
                 : seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, number, compare ? 1 : 0, compare);
    return rc == -EDOM || rc == -EINVAL ? 0 : rc; /* unknown on this architecture */
}

static int allow_all(scmp_filter_ctx filter)
{
    const struct scmp_arg_cmp not_executed = {2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0};
    int rc = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(EPERM));
    (void)seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2); /* only speed */
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed && rc == 0; i++)
        rc = allow(filter, allowed[i], NULL);
    for (size_t i = 0; i < sizeof memory_calls / sizeof *memory_calls && rc == 0; i++)
        rc = allow(filter, memory_calls[i], &not_executed);
    return rc;
}

int confine_prepare(struct confinement **out, struct err *err)
{
    if (!(sandbox_kernel() & SANDBOX_CALLS))
        return err_set(err, ERR_CONFIG, "this kernel has no seccomp, so that no picture is painted");
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    int rc = filter ? allow_all(filter) : -ENOMEM;
    if (rc) {
        seccomp_release(filter);
        errno = -rc;
        return err_sys(err, ERR_CONFIG, "cannot prepare to give up system calls by seccomp");
    }
    *out = mem_alloc(sizeof **out);
    (*out)->filter = filter;
    return 0;
}

static int limit(int what, rlim_t most)
{
    const struct rlimit both = {most, most};
    return setrlimit((__rlimit_resource_t)what, &both);
}

/* Sanitizers map far more memory than they use. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LIMITS_MEMORY 0
#else
#define LIMITS_MEMORY 1
#endif

int confine_enter(const struct confinement *confinement, unsigned seconds, uint64_t memory, struct err *err)
{
    if (limit(RLIMIT_CORE, 0) || limit(RLIMIT_FSIZE, 0) || limit(RLIMIT_CPU, seconds) ||
        (LIMITS_MEMORY && limit(RLIMIT_DATA, memory)) || limit(RLIMIT_NOFILE, 0))
        return err_sys(err, ERR_CONFIG, "cannot limit what a process may take");
    if (prctl(PR_SET_NO_NEW_PRIVS, 1UL, 0UL, 0UL, 0UL) != 0)
        return err_sys(err, ERR_CONFIG, "cannot give up new privileges");
    int rc = seccomp_load(confinement->filter);
    if (rc == 0)
        return 0;
    errno = -rc;
    return err_sys(err, ERR_CONFIG, "cannot give up system calls by seccomp");
}

void confine_release(struct confinement *confinement)
{
    if (!confinement)
        return;
    seccomp_release(confinement->filter);
    free(confinement);
}
