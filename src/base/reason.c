#include "base/reason.h"

#include <assert.h>
#include <string.h>

#include "base/json.h"
#include "base/str.h"

#define REASON_NAME 40 /* of a code or a parameter, with its end */

/* What people wrote may be long; what it is quoted for can be seen from its beginning. */
static json_t *quote(const char *text)
{
    size_t len = strnlen(text, REASON_TEXT + 1);
    if (len > REASON_TEXT)
        for (len = REASON_TEXT; len && ((unsigned char)text[len] & 0xC0) == 0x80;)
            len--;
    return json_text((struct slice){text, len});
}

/* The value of one parameter; *fmt moves behind its conversion. */
static json_t *take_value(const char **fmt, va_list *args)
{
    static const struct conversion {
        const char *text;
        size_t len;
    } kinds[] = {{"%s", 2}, {"%d", 2}, {"%zu", 3}, {"%lld", 4}};
    size_t i = 0;
    while (i < sizeof kinds / sizeof *kinds && strncmp(*fmt, kinds[i].text, kinds[i].len) != 0)
        i++;
    assert(i < sizeof kinds / sizeof *kinds);
    *fmt += kinds[i].len;
    switch (i) {
    case 0: return quote(va_arg(*args, const char *));
    case 1: return json_integer(va_arg(*args, int));
    case 2: return json_integer((json_int_t)va_arg(*args, size_t));
    default: return json_integer(va_arg(*args, long long));
    }
}

json_t *reason_vmake(const char *fmt, va_list args)
{
    json_t *params = json_object();
    json_t *reason = json_object();
    char own[REASON_NAME];
    size_t code = strcspn(fmt, " ");
    const char *at = fmt + code;
    va_list copy; /* a va_list that is a parameter cannot be pointed to everywhere */
    va_copy(copy, args);
    while (*at == ' ') {
        const char *name = at + 1;
        size_t len = strcspn(name, "=");
        at = name + len + 1;
        assert(len < sizeof own);
        memcpy(own, name, len);
        own[len] = '\0';
        json_object_set_new(params, own, take_value(&at, &copy));
    }
    assert(!*at);
    va_end(copy);
    assert(code < sizeof own);
    memcpy(own, fmt, code);
    own[code] = '\0';
    json_object_set_new(reason, own, params);
    return reason;
}

json_t *reason_make(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    json_t *reason = reason_vmake(fmt, args);
    va_end(args);
    return reason;
}

void reason_set(json_t **reason, const char *fmt, ...)
{
    va_list args;
    if (*reason)
        return;
    va_start(args, fmt);
    *reason = reason_vmake(fmt, args);
    va_end(args);
}

void reason_err(json_t **reason, const struct err *err)
{
    reason_set(reason, "said words=%s", err->text);
}

void reason_clear(json_t **reason)
{
    json_decref(*reason);
    *reason = NULL;
}
