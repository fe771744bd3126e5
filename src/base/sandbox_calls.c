#include "base/sandbox_parts.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* By name, because not every architecture, or old library, has all of them. */
static const char *const denied[] = {
    /* programs and processes; threads are looked at below */
    "execve", "execveat", "fork", "vfork", "uselib",
    /* others' memory and descriptors */
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_getfd", "kcmp",
    "userfaultfd",
    /* listening */
    "listen", "accept", "accept4",
    /* mounts, roots and name spaces */
    "mount", "umount", "umount2", "pivot_root", "chroot", "unshare", "setns", "open_tree", "move_mount",
    "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr", "name_to_handle_at", "open_by_handle_at",
    "quotactl", "quotactl_fd", "swapon", "swapoff",
    /* the kernel */
    "bpf", "perf_event_open", "kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module",
    "create_module", "io_uring_setup", "io_uring_enter", "io_uring_register", "fanotify_init", "syslog",
    "lookup_dcookie", "nfsservctl", "reboot", "acct", "iopl", "ioperm", "vm86", "vm86old", "modify_ldt",
    "personality", "vhangup", "sethostname", "setdomainname",
    /* the keyring */
    "keyctl", "add_key", "request_key",
    /* the clock */
    "settimeofday", "stime", "clock_settime", "clock_settime64", "adjtimex", "clock_adjtime",
    "clock_adjtime64",
    /* who we are */
    "setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid", "setfsuid", "setfsgid", "setgroups",
    "setuid32", "setgid32", "setreuid32", "setregid32", "setresuid32", "setresgid32", "setfsuid32",
    "setfsgid32", "setgroups32", "capset"};

#if defined(__s390__)
#define CLONE_FLAGS 1
#else
#define CLONE_FLAGS 0
#endif

/* Calls that are denied for some values of an argument. */
static const struct denied_value {
    const char *name;
    unsigned arg;
    enum scmp_compare how;
    uint64_t mask, value; /* SCMP_CMP_GT: only `mask`, the number */
} denied_values[] = {
    /* no process (nor a name space, which needs one), though threads */
    {"clone", CLONE_FLAGS, SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0},
    /* typing into the operator's terminal */
    {"ioctl", 1, SCMP_CMP_MASKED_EQ, 0xffffffffU, TIOCSTI},
    {"ioctl", 1, SCMP_CMP_MASKED_EQ, 0xffffffffU, TIOCLINUX},
    /* devices */
    {"mknod", 1, SCMP_CMP_MASKED_EQ, S_IFMT, S_IFCHR},
    {"mknod", 1, SCMP_CMP_MASKED_EQ, S_IFMT, S_IFBLK},
    {"mknodat", 2, SCMP_CMP_MASKED_EQ, S_IFMT, S_IFCHR},
    {"mknodat", 2, SCMP_CMP_MASKED_EQ, S_IFMT, S_IFBLK},
    /* kinds of sockets beyond netlink's: packets, crypto, virtual machines */
    {"socket", 0, SCMP_CMP_GT, AF_NETLINK, 0},
};

bool sandbox_calls_known(void)
{
    uint32_t action = SECCOMP_RET_ERRNO;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

static int deny(scmp_filter_ctx filter, const char *name, int with)
{
    int number = seccomp_syscall_resolve_name(name);
    int rc =
        number == __NR_SCMP_ERROR ? 0 : seccomp_rule_add(filter, SCMP_ACT_ERRNO((unsigned)with), number, 0);
    return rc == -EDOM || rc == -EINVAL ? 0 : rc; /* unknown on this architecture */
}

static int deny_value(scmp_filter_ctx filter, const struct denied_value *rule)
{
    const struct scmp_arg_cmp compare = {rule->arg, rule->how, rule->mask, rule->value};
    int number = seccomp_syscall_resolve_name(rule->name);
    if (number == __NR_SCMP_ERROR)
        return 0;
    return seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM), number, 1, &compare);
}

/* Socket families numbered between the ones that are needed: IPX, X.25 and the like. */
static int deny_families(scmp_filter_ctx filter)
{
    int rc = 0;
    for (unsigned family = 0; family < AF_NETLINK && rc == 0; family++) {
        const struct scmp_arg_cmp compare = {0, SCMP_CMP_EQ, family, 0};
        if (family != AF_UNIX && family != AF_INET && family != AF_INET6)
            rc = seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 1, &compare);
    }
    return rc;
}

static int fill(scmp_filter_ctx filter)
{
    int rc = 0;
    (void)seccomp_attr_set(filter, SCMP_FLTATR_CTL_LOG, 1);      /* before Linux 4.14 there is none */
    (void)seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2); /* only speed */
    for (size_t i = 0; i < sizeof denied / sizeof *denied && rc == 0; i++)
        rc = deny(filter, denied[i], EPERM);
    for (size_t i = 0; i < sizeof denied_values / sizeof *denied_values && rc == 0; i++)
        rc = deny_value(filter, &denied_values[i]);
    return rc ? rc : deny_families(filter);
}

/* The flags of clone3 cannot be inspected; the C library then falls back to clone for each thread: not
 * logged.
 */
static int fill_quiet(scmp_filter_ctx filter)
{
    return deny(filter, "clone3", ENOSYS);
}

/* A filter of its own, because logging is decided per filter. */
static int load(int (*fill_it)(scmp_filter_ctx filter))
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (!filter)
        return -ENOMEM;
    /* Calls by the numbers of another architecture (32 bit) are all denied; the library would kill. */
    int rc = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(EPERM));
    if (rc == 0)
        rc = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
    if (rc == 0)
        rc = fill_it(filter);
    if (rc == 0)
        rc = seccomp_load(filter);
    seccomp_release(filter);
    return rc;
}

int sandbox_calls(struct err *err)
{
    int rc = load(fill_quiet);
    if (rc == 0)
        rc = load(fill);
    if (rc == 0)
        return 0;
    errno = -rc;
    return err_sys(err, ERR_CONFIG, "cannot give up system calls by seccomp");
}
