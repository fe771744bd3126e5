#include "base/version.h"

#include <stdarg.h>
#include <stdio.h>

static char text[80] = TURNPOST_VERSION;

const char *version_text(void)
{
    return text;
}

void version_commit(const char *commit)
{
    if (*commit)
        (void)snprintf(text, sizeof text, TURNPOST_VERSION " (%s)", commit);
}

int version_newer(struct err *err, const char *fmt, ...)
{
    char what[240];
    va_list args;
    va_start(args, fmt);
    if (vsnprintf(what, sizeof what, fmt, args) < 0)
        what[0] = '\0';
    va_end(args);
    return err_set(err, ERR_NEWER,
                   "%s is not known to this Turnpost (" TURNPOST_VERSION
                   "): it was made by a newer Turnpost; install that one again, or a later one",
                   what);
}
