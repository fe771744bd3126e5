#include "rules/put.h"

#include <assert.h>
#include <stdarg.h>

#include "base/reason.h"

static void vput(struct value *object, const char *fmt, va_list args) __attribute__((format(printf, 2, 0)));

static void vput(struct value *object, const char *fmt, va_list args)
{
    struct reason_param param;
    va_list copy; /* as in base/reason.c */
    va_copy(copy, args);
    while (reason_param(&fmt, &copy, &param)) {
        const struct value_name name = value_name(param.name);
        if (param.text && (param.sign != '+' || *param.text))
            value_set_text(value_member(object, &name, VALUE_TEXT), value_arena(object),
                           slice_of(param.text));
        else if (param.sign == '?' || (param.sign == '+' && !param.number))
            (void)value_member(object, &name, param.number ? VALUE_TRUE : VALUE_FALSE);
        else
            value_member(object, &name, VALUE_INTEGER)->number = param.number;
    }
    va_end(copy);
}

void put(struct value *object, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vput(object, fmt, args);
    va_end(args);
}

void suggest(struct value *form, const char *line, const char *why, ...)
{
    struct value *entry = value_add_object(form);
    const struct value_name code = value_name(reason_code(&why));
    struct value *params = value_object(value_arena(form));
    va_list args;
    value_put_text(entry, "line", line);
    value_member(value_put_object(entry, "why"), &code, VALUE_OBJECT)->values = params->values;
    va_start(args, why);
    vput(params, why, args);
    va_end(args);
}

void suggest_mark(struct value *form, const char *mark)
{
    struct value *last = value_first(form);
    while (last && last->next)
        last = last->next;
    if (last)
        value_put_object(last, mark);
}
