#include "base/err.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/* Errors quote files and mails: whatever those held, the text is safe to show and ends with a whole
 * character.
 */
static void err_tidy(struct err *err)
{
    const char *p = err->text;
    while (*p >= ' ' && *p <= '~')
        p++;
    if (!*p)
        return;
    struct str safe = STR_INIT;
    utf8_safe(&safe, slice_of(err->text), false);
    size_t len = safe.len;
    if (len >= sizeof err->text) {
        len = sizeof err->text - 1;
        while (len > 0 && ((unsigned char)safe.p[len] & 0xC0) == 0x80)
            len--;
    }
    memcpy(err->text, safe.p, len);
    err->text[len] = '\0';
    str_release(&safe);
}

static void err_fill(struct err *err, enum err_code code, const char *fmt, va_list args)
    __attribute__((format(printf, 3, 0)));

static void err_fill(struct err *err, enum err_code code, const char *fmt, va_list args)
{
    err->code = code;
    if (vsnprintf(err->text, sizeof err->text, fmt, args) < 0)
        memcpy(err->text, "error", sizeof "error");
    err_tidy(err);
}

int err_vset(struct err *err, enum err_code code, const char *fmt, va_list args)
{
    if (err->code == ERR_NONE)
        err_fill(err, code, fmt, args);
    return -1;
}

int err_set(struct err *err, enum err_code code, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    (void)err_vset(err, code, fmt, args);
    va_end(args);
    return -1;
}

int err_sys(struct err *err, enum err_code code, const char *fmt, ...)
{
    int saved = errno;
    if (err->code != ERR_NONE)
        return -1;
    va_list args;
    va_start(args, fmt);
    err_fill(err, code, fmt, args);
    va_end(args);
    size_t len = strlen(err->text);
    char reason[128];
    (void)snprintf(err->text + len, sizeof err->text - len, ": %s", strerror_r(saved, reason, sizeof reason));
    err_tidy(err);
    return -1;
}

int err_prefix(struct err *err, const char *fmt, ...)
{
    char front[sizeof err->text];
    char back[sizeof err->text];
    va_list args;
    va_start(args, fmt);
    if (vsnprintf(front, sizeof front, fmt, args) < 0)
        front[0] = '\0';
    va_end(args);
    memcpy(back, err->text, sizeof back);
    size_t len = strlen(front);
    err->why[0] = '\0'; /* templates do not have these words */
    memcpy(err->text, front, len + 1);
    (void)snprintf(err->text + len, sizeof err->text - len, ": %s", back);
    err_tidy(err);
    return -1;
}

int err_pass(struct err *err, const struct err *from)
{
    if (err->code == ERR_NONE)
        *err = *from;
    return -1;
}

void err_clear(struct err *err)
{
    err->code = ERR_NONE;
    err->text[0] = err->why[0] = '\0';
}

int err_exit_code(const struct err *err)
{
    switch (err->code) {
    case ERR_NONE: return 0;
    case ERR_INPUT: return 1;
    case ERR_BROKEN:
    case ERR_UNSOUND:
    case ERR_NEWER: return 65;
    case ERR_MISSING: return 66;
    case ERR_IO: return 74;
    case ERR_TEMP:
    case ERR_STALE: return 75;
    case ERR_CONFIG: return 78;
    }
    return 70;
}
