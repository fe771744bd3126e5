/* In place of two functions of base/file.c and of close() (the linker wraps them): there are no files. */
#include "base/file.h"

#include <errno.h>

int __wrap_file_open(const char *path, int *fd, struct err *err);
int __wrap_file_read(const char *path, size_t max, struct str *out, struct err *err);
int __wrap_close(int fd);

int __wrap_file_open(const char *path, int *fd, struct err *err)
{
    *fd = -1;
    return err_set(err, ERR_MISSING, "%s: there are no files here", path);
}

int __wrap_file_read(const char *path, size_t max, struct str *out, struct err *err)
{
    (void)max, (void)out;
    return err_set(err, ERR_MISSING, "%s: there are no files here", path);
}

/* That of wasi-libc may ask first, as its version is, which folders there are. */
int __wrap_close(int fd)
{
    (void)fd;
    errno = EBADF;
    return -1;
}
