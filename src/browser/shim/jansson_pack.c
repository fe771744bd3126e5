/* Values from formats, formats from values, and values as bytes (shim/jansson.h). */
#include "jansson.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/str.h"

struct packing {
    const char *at; /* in the format */
    va_list args;
    bool failed;
};

static char next(struct packing *packing)
{
    packing->at += strspn(packing->at, " ,:\t\n");
    return *packing->at ? *packing->at++ : '\0';
}

static bool take(struct packing *packing, char c)
{
    bool there = *packing->at == c;
    packing->at += there;
    return there;
}

/* NULL where "?" gives no value and "*" follows: it is left out. */
static json_t *given(struct packing *packing, json_t *value)
{
    bool left_out = take(packing, '*'), null = take(packing, '?');
    if (!value && null)
        return json_null();
    packing->failed = packing->failed || (!value && !left_out);
    return value;
}

/* NOLINTBEGIN(misc-no-recursion,clang-analyzer-valist.Uninitialized): as deep as the format; and the analyzer loses sight
 * of a list of arguments in a struct. */
static json_t *pack_value(struct packing *packing, char c);

static json_t *pack_object(struct packing *packing)
{
    json_t *object = json_object();
    char c;
    while ((c = next(packing)) == 's') {
        const char *key = va_arg(packing->args, const char *);
        json_t *value = pack_value(packing, next(packing));
        if (value && json_object_set_new(object, key, value))
            packing->failed = true;
    }
    packing->failed = packing->failed || c != '}';
    return object;
}

static json_t *pack_array(struct packing *packing)
{
    json_t *array = json_array();
    char c;
    while ((c = next(packing)) != ']' && c) {
        json_t *value = pack_value(packing, c);
        if (value && json_array_append_new(array, value))
            packing->failed = true;
    }
    packing->failed = packing->failed || c != ']';
    return array;
}

static json_t *pack_value(struct packing *packing, char c)
{
    switch (c) {
    case '{': return pack_object(packing);
    case '[': return pack_array(packing);
    case 's': return given(packing, json_string(va_arg(packing->args, const char *)));
    case 'b': return json_boolean(va_arg(packing->args, int));
    case 'i': return json_integer(va_arg(packing->args, int));
    case 'I': return json_integer(va_arg(packing->args, json_int_t));
    case 'n': return json_null();
    case 'o': return given(packing, va_arg(packing->args, json_t *));
    case 'O': return given(packing, json_incref(va_arg(packing->args, json_t *)));
    default: packing->failed = true; return NULL;
    }
}
json_t *json_pack(const char *format, ...)
{
    struct packing packing = {.at = format};
    va_start(packing.args, format);
    json_t *value = pack_value(&packing, next(&packing));
    va_end(packing.args);
    if (packing.failed) {
        json_decref(value);
        return NULL;
    }
    return value;
}

static bool unpack_member(struct packing *packing, const json_t *value)
{
    switch (next(packing)) {
    case 's': *va_arg(packing->args, const char **) = json_string_value(value); return json_is_string(value);
    case 'i': *va_arg(packing->args, int *) = (int)json_integer_value(value); return json_is_integer(value);
    case 'I': *va_arg(packing->args, json_int_t *) = json_integer_value(value); return json_is_integer(value);
    default: return false;
    }
}

int json_unpack(json_t *json, const char *format, ...)
{
    struct packing packing = {.at = format};
    bool good = json_is_object(json) && next(&packing) == '{';
    va_start(packing.args, format);
    while (good && next(&packing) == 's') {
        const char *key = va_arg(packing.args, const char *);
        good = unpack_member(&packing, json_object_get(json, key));
    }
    va_end(packing.args);
    return good ? 0 : -1;
}

/* NOLINTEND(misc-no-recursion,clang-analyzer-valist.Uninitialized) */

/* Numbers that are not whole are in no record, and in no payload: they are read so that they can be refused. */
int json_dump_callback(const json_t *json, json_dump_callback_t callback, void *arg, size_t flags)
{
    char text[64];
    (void)flags;
    if (!json_is_real(json))
        return -1;
    int len = snprintf(text, sizeof text, "%.17g", json_real_value(json));
    return callback(text, (size_t)len, arg);
}

/* Of what we make ourselves: in the order of its members, without spaces beside JSON_COMPACT. NOLINTBEGIN(misc-no-recursion) */
static void write_value(struct str *out, const json_t *json)
{
    if (json_is_object(json)) {
        str_addc(out, '{');
        for (void *at = json_object_iter((json_t *)(uintptr_t)json); at;
             at = json_object_iter_next((json_t *)(uintptr_t)json, at)) {
            str_adds(out, out->p[out->len - 1] == '{' ? "" : ",");
            json_write_string(out, json_object_iter_key(at), json_object_iter_key_len(at));
            str_addc(out, ':');
            write_value(out, json_object_iter_value(at));
        }
        str_addc(out, '}');
    } else if (json_is_array(json)) {
        str_addc(out, '[');
        for (size_t i = 0; i < json_array_size(json); i++) {
            str_adds(out, i ? "," : "");
            write_value(out, json_array_get(json, i));
        }
        str_addc(out, ']');
    } else {
        json_write(out, json);
    }
}
/* NOLINTEND(misc-no-recursion) */

char *json_dumps(const json_t *json, size_t flags)
{
    struct str out = STR_INIT;
    (void)flags;
    write_value(&out, json);
    return str_detach(&out);
}
