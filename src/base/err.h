/* Errors as values. A function that can fail returns 0 or -1 and takes a `struct err *` last.
 *
 * The text is one sentence that may be shown to a player or an operator as it is: what is wrong, where
 * (file, line, key), and what to do. It never holds a secret. The first error wins: setting an error that
 * is already set changes nothing, so cleanup code may fail without hiding the cause. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdarg.h>

enum err_code {
    ERR_NONE = 0,
    ERR_INPUT,   /* what a person sent or typed is wrong; they can fix it */
    ERR_CONFIG,  /* league.ini, keys or permissions are wrong; the operator can fix it (exit 78) */
    ERR_TEMP,    /* a server or a lock is not available now; the next run may succeed (exit 75) */
    ERR_IO,      /* a file could not be read or written (exit 74) */
    ERR_BROKEN,  /* a stored file contradicts itself: damaged or edited (exit 65) */
    ERR_NEWER,   /* made by a newer Turnpost (base/version.h): that one has to be installed (exit 65) */
    ERR_MISSING, /* the named thing does not exist (exit 66) */
    ERR_STALE,   /* somebody else was first: read again and repeat */
    ERR_UNSOUND  /* a record was not made, as our own audit would refuse it (audit/gate.h): a fault of this
                  * program (exit 65) */
};

struct err {
    enum err_code code;
    char text[480]; /* UTF-8, no line feed, cut at the end when too long */
    char why
        [480]; /* the same for templates, where players are told of it: reason_fail in base/reason.h; or "" */
};

#define ERR_INIT         \
    {                    \
        ERR_NONE, "", "" \
    }

/* Sets the error unless one is set already. Always returns -1. `err` may not be NULL. */
int err_set(struct err *err, enum err_code code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

int err_vset(struct err *err, enum err_code code, const char *fmt, va_list args)
    __attribute__((format(printf, 3, 0)));

/* As err_set, with ": " and the system's words for `errno` at the end. */
int err_sys(struct err *err, enum err_code code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Puts "<text>: " in front of an error that is set already. Always returns -1. */
int err_prefix(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Passes on an error that was set elsewhere; as err_set. */
int err_pass(struct err *err, const struct err *from);

void err_clear(struct err *err);

/* The exit code of the process for this error (sysexits.h values; 1 for ERR_INPUT). */
int err_exit_code(const struct err *err);

#endif
