#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/str.h"
#include "base/utf8.h"

static enum log_level verbosity = LOG_WARN;
static bool progress_shown;

void log_set_level(enum log_level level)
{
    verbosity = level;
}

static bool is_file(int fd)
{
    struct stat status;
    return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

static void say(const char *kind, const char *fmt, va_list args) __attribute__((format(printf, 2, 0)));

static void say(const char *kind, const char *fmt, va_list args)
{
    struct str text = STR_INIT;
    struct str safe = STR_INIT;
    char when[CLOCK_TEXT] = "";
    str_vaddf(&text, fmt, args);
    if (is_file(STDERR_FILENO))
        clock_utc(when, clock_system());
    utf8_safe(&safe, slice_str(&text), false);
    log_progress_end();
    (void)fprintf(stderr, "%s%sturnpost: %s%s\n", when, *when ? " " : "", kind, safe.p);
    str_release(&text);
    str_release(&safe);
}

#define SAY(kind)             \
    do {                      \
        va_list args;         \
        va_start(args, fmt);  \
        say(kind, fmt, args); \
        va_end(args);         \
    } while (0)

void log_error(const char *fmt, ...)
{
    SAY("");
}

void log_warn(const char *fmt, ...)
{
    if (verbosity >= LOG_WARN)
        SAY("warning: ");
}

void log_info(const char *fmt, ...)
{
    if (verbosity >= LOG_INFO)
        SAY("");
}

void log_debug(const char *fmt, ...)
{
    if (verbosity >= LOG_DEBUG)
        SAY("debug: ");
}

void log_progress(const char *fmt, ...)
{
    if (verbosity == LOG_QUIET || !isatty(STDERR_FILENO))
        return;
    struct str text = STR_INIT;
    va_list args;
    va_start(args, fmt);
    str_vaddf(&text, fmt, args);
    va_end(args);
    (void)fprintf(stderr, "\r\033[K%s", text.p);
    progress_shown = true;
    str_release(&text);
}

void log_progress_end(void)
{
    if (progress_shown)
        (void)fprintf(stderr, "\r\033[K");
    progress_shown = false;
}
