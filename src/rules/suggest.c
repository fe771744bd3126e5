#include "rules/suggest.h"

#include <assert.h>

#include <stdarg.h>

#include "base/reason.h"

static struct value *put_object(struct value *object, struct slice name)
{
    const struct value_name full = value_name(name);
    struct value *value = value_object(value_arena(object));
    value_member(object, &full, VALUE_OBJECT)->values = value->values;
    return value;
}

void suggest(struct value *form, const char *line, const char *why, ...)
{
    struct value *entry = value_add_object(form);
    struct reason_param param;
    va_list args;
    va_start(args, why);
    value_put_text(entry, "line", line);
    struct value *params = put_object(value_put_aside(entry, "why"), reason_code(&why));
    while (reason_param(&why, &args, &param)) {
        const struct value_name name = value_name(param.name);
        const bool flag = param.sign == '?';
        assert(flag || !param.sign); /* notes have no times */
        enum value_kind kind = param.text ? VALUE_TEXT
                               : flag     ? (param.number ? VALUE_TRUE : VALUE_FALSE)
                                          : VALUE_INTEGER;
        struct value *value = value_member(params, &name, kind);
        if (param.text)
            value_set_text(value, value_arena(params), slice_of(param.text));
        else if (!flag)
            value->number = param.number;
    }
    va_end(args);
}
