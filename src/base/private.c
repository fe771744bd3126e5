#include "base/private.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

void private_process(void)
{
    static bool done;
    const struct rlimit none = {0, 0};
    if (done)
        return;
    done = true;
    if (setrlimit(RLIMIT_CORE, &none) != 0)
        log_warn("cannot forbid core files: %s", strerror(errno));
#ifndef SANITIZED /* the leak checker inspects its own process from outside */
    if (prctl(PR_SET_DUMPABLE, 0L, 0L, 0L, 0L) != 0)
        log_warn("cannot hide the memory of this process: %s", strerror(errno));
#endif
}

void private_lock(void *bytes, size_t len)
{
    static bool told;
    if (sodium_mlock(bytes, len) == 0 || told)
        return;
    told = true;
    log_info("secret keys may be written to the swap space: %s (see RLIMIT_MEMLOCK, ulimit -l)",
             strerror(errno));
}

void private_unlock(void *bytes, size_t len)
{
    (void)sodium_munlock(bytes, len); /* wipes first; what was not locked needs no unlocking */
}

int private_owner(const struct stat *st, const char *what, const char *path, struct err *err)
{
    uid_t me = geteuid();
    if (st->st_uid == me || st->st_uid == 0)
        return 0;
    return err_set(
        err, ERR_CONFIG,
        "%s: %s belongs to another user (number %ld), who could change it; run turnpost as that user, "
        "or: chown %ld %s",
        what, path, (long)st->st_uid, (long)me, path);
}

int private_read(const char *path, const char *what, struct str *out, struct err *err)
{
    struct stat st;
    int rc = -1;
    private_process();
    str_reserve(out, PRIVATE_MAX + 1); /* so it never moves, and leaves no copy behind */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return err_sys(err,
                       errno == ENOENT   ? ERR_MISSING
                       : errno == EACCES ? ERR_CONFIG
                                         : ERR_IO,
                       "%s: cannot open %s", what, path);
    if (fstat(fd, &st) != 0)
        err_sys(err, ERR_IO, "%s: cannot examine %s", what, path);
    else if (!S_ISREG(st.st_mode))
        err_set(err, ERR_CONFIG, "%s: %s is not a plain file", what, path);
    else if (private_owner(&st, what, path, err) != 0)
        ; /* said */
    else if (st.st_mode & 077)
        err_set(err, ERR_CONFIG, "%s: %s can be read or changed by others; run: chmod 600 %s", what, path,
                path);
    else if (file_read_fd(fd, PRIVATE_MAX, out, err) != 0)
        err_prefix(err, "%s: %s", what, path);
    else
        rc = 0;
    close(fd);
    return rc;
}

void private_wipe(struct str *secret)
{
    if (secret->cap)
        sodium_memzero(secret->p, secret->cap);
    str_release(secret);
}
