#include "base/private.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

int private_read(const char *path, const char *what, struct str *out, struct err *err)
{
    struct stat st;
    int rc = -1;
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
