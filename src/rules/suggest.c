#include "rules/suggest.h"

#include <assert.h>

#include <stdarg.h>

#include "base/reason.h"

struct value *suggest(struct value *form, const char *line, const char *sealed, ...)
{
    struct str note = STR_INIT;
    va_list args;
    va_start(args, sealed);
    str_vaddf(&note, sealed, args);
    va_end(args);
    struct value *entry = value_add_object(form);
    value_put_text(entry, "line", line);
    value_put_slice(entry, "note", slice_str(&note));
    str_release(&note);
    return entry;
}

static struct value *put_object(struct value *object, struct slice name)
{
    const struct value_name full = value_name(name);
    struct value *value = value_object(value_arena(object));
    value_member(object, &full, VALUE_OBJECT)->values = value->values;
    return value;
}

void suggest_note(struct value *entry, const char *fmt, ...)
{
    struct reason_param param;
    va_list args;
    va_start(args, fmt);
    struct value *params = put_object(value_put_aside(entry, "why"), reason_code(&fmt));
    while (reason_param(&fmt, &args, &param)) {
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

void suggest_hide(struct value *entry)
{
    (void)value_put_aside(entry, "hidden");
}

bool suggest_hidden(const struct value *entry)
{
    return value_get(entry, "hidden") != NULL;
}
