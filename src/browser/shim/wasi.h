/* Included before everything: what Linux's C library has and WASI's has not. Most of it is for code that nothing in a
 * browser calls: it is declared, and nothing has it, so whatever calls it does not link. */
#ifndef SHIM_WASI_H
#define SHIM_WASI_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

void tzset(void);
uid_t geteuid(void);
int chmod(const char *path, mode_t mode);
int syncfs(int fd);
#define getpid shim_getpid
pid_t shim_getpid(void);

/* There is no environment. */
#define getenv shim_getenv
static inline char *shim_getenv(const char *name)
{
    (void)name;
    return NULL;
}

/* GNU's form of it, which gives the text. */
static inline char *shim_strerror_r(int number, char *out, size_t size)
{
    (void)out, (void)size;
    return strerror(number);
}
#define strerror_r shim_strerror_r

#endif
