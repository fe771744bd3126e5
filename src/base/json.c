#include "base/json.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/eight.h"
#include "base/encode.h"
#include "base/mem.h"
#include "base/utf8.h"

#define MEMBERS_ON_STACK 16 /* few: documents may be 2,048 deep */

/* ---- canonical bytes ----
 * What jansson writes with JSON_COMPACT | JSON_SORT_KEYS, in a quarter of the time; tests/base/json.c compares
 * the two. */

static void put_escape(struct str *out, unsigned char c)
{
    static const char named[] = "\b\t\n\f\r\"\\";
    static const char letters[] = "btnfr\"\\";
    const char *found = c ? strchr(named, c) : NULL;
    if (found)
        str_add(out, (const char[]){'\\', letters[found - named]}, 2);
    else
        str_addf(out, "\\u%04X", c);
}

/* Marks bytes that are escaped: control characters, '"' and '\\'. */
static inline uint64_t escaped_bytes(uint64_t bytes)
{
    uint64_t control = (bytes - EIGHT_ONES * ' ') & ~bytes & EIGHT_TOPS;
    return control | eight_equal(bytes, '"') | eight_equal(bytes, '\\');
}

/* Rare: kept apart from the others, which are short. */
__attribute__((noinline)) static void write_escaped(struct str *out, struct slice text)
{
    str_addc(out, '"');
    while (text.len) {
        size_t plain = eight_run(text, escaped_bytes);
        str_add(out, text.p, plain);
        if (plain < text.len)
            put_escape(out, (unsigned char)text.p[plain]);
        text = slice_sub(text, plain + 1, text.len);
    }
    str_addc(out, '"');
}

void json_write_string(struct str *out, const char *text, size_t len)
{
    if (eight_run((struct slice){text, len}, escaped_bytes) < len) {
        write_escaped(out, (struct slice){text, len});
        return;
    }
    str_reserve(out, len + 2);
    char *to = out->p + out->len;
    *to++ = '"';
    memcpy(to, text, len);
    memcpy(to + len, "\"", 2);
    out->len += len + 2;
}

static int dump_to(const char *bytes, size_t len, void *out)
{
    str_add(out, bytes, len);
    return 0;
}

static void write_real(struct str *out, const json_t *value)
{
    (void)json_dump_callback(value, dump_to, out, JSON_ENCODE_ANY);
}

struct member {
    const char *name;
    size_t len;
    const json_t *value;
};

static int compare_members(const void *a, const void *b)
{
    const struct member *one = a, *other = b;
    return json_name_order((struct slice){one->name, one->len}, (struct slice){other->name, other->len});
}

/* NOLINTBEGIN(misc-no-recursion): documents of ours are shallow, and the parser bounds those of others. */
static void write_members(struct str *out, const json_t *object)
{
    struct member few[MEMBERS_ON_STACK];
    json_t *whole = (json_t *)(uintptr_t)object;
    size_t count = json_object_size(object), i = 0;
    struct member *members = count > MEMBERS_ON_STACK ? mem_array(count, sizeof *members) : few;
    for (void *at = json_object_iter(whole); at; at = json_object_iter_next(whole, at))
        members[i++] = (struct member){json_object_iter_key(at), json_object_iter_key_len(at),
                                       json_object_iter_value(at)};
    qsort(members, count, sizeof *members, compare_members);
    str_addc(out, '{');
    for (i = 0; i < count; i++) {
        if (i)
            str_addc(out, ',');
        json_write_string(out, members[i].name, members[i].len);
        str_addc(out, ':');
        json_write(out, members[i].value);
    }
    str_addc(out, '}');
    if (members != few)
        free(members);
}

static void write_elements(struct str *out, const json_t *array)
{
    size_t count = json_array_size(array);
    str_addc(out, '[');
    for (size_t i = 0; i < count; i++) {
        if (i)
            str_addc(out, ',');
        json_write(out, json_array_get(array, i));
    }
    str_addc(out, ']');
}

void json_write(struct str *out, const json_t *value)
{
    if (!value)
        return;
    switch (json_typeof(value)) {
    case JSON_NULL: str_adds(out, "null"); break;
    case JSON_FALSE: str_adds(out, "false"); break;
    case JSON_TRUE: str_adds(out, "true"); break;
    case JSON_INTEGER: str_addn(out, json_integer_value(value)); break;
    case JSON_REAL: write_real(out, value); break;
    case JSON_STRING: json_write_string(out, json_string_value(value), json_string_length(value)); break;
    case JSON_ARRAY: write_elements(out, value); break;
    case JSON_OBJECT: write_members(out, value); break;
    }
}
/* NOLINTEND(misc-no-recursion) */

void json_write_pretty(struct str *out, const json_t *value)
{
    (void)json_dump_callback(value, dump_to, out, JSON_INDENT(2) | JSON_SORT_KEYS | JSON_ENCODE_ANY);
    str_addc(out, '\n');
}

int json_need_int(const json_t *object, const char *key, int64_t min, int64_t max, int64_t *out,
                  const char *what, struct err *err)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_integer(value))
        return err_set(err, ERR_BROKEN, "%s: \"%s\" must be a whole number", what, key);
    *out = json_integer_value(value);
    if (*out < min || *out > max)
        return err_set(err, ERR_BROKEN, "%s: \"%s\" is %lld but must be %lld to %lld", what, key,
                       (long long)*out, (long long)min, (long long)max);
    return 0;
}

int json_need_string(const json_t *object, const char *key, const char **out, const char *what,
                     struct err *err)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_string(value) || strlen(json_string_value(value)) != json_string_length(value))
        return err_set(err, ERR_BROKEN, "%s: \"%s\" must be a text", what, key);
    *out = json_string_value(value);
    return 0;
}

json_t *json_need_array(const json_t *object, const char *key, const char *what, struct err *err)
{
    json_t *value = json_object_get(object, key);
    if (!json_is_array(value)) {
        err_set(err, ERR_BROKEN, "%s: \"%s\" must be a list", what, key);
        return NULL;
    }
    return value;
}

void json_write_text(struct str *out, struct slice text)
{
    if (utf8_valid(text)) {
        json_write_string(out, text.p, text.len);
        return;
    }
    struct str safe = STR_INIT;
    utf8_safe(&safe, text, true);
    json_write_string(out, safe.p, safe.len);
    str_release(&safe);
}

size_t json_text_size(struct slice text)
{
    struct str written = STR_INIT;
    json_write_text(&written, text);
    size_t size = written.len - 2;
    str_release(&written);
    return size;
}

json_t *json_hex(const void *bytes, size_t len)
{
    struct str text = STR_INIT;
    hex_encode(&text, bytes, len);
    json_t *value = json_stringn(text.p, text.len);
    str_release(&text);
    return value;
}

json_t *json_time(int64_t time)
{
    char text[CLOCK_TEXT];
    clock_utc(text, time);
    return json_string(text);
}

json_t *json_text(struct slice text)
{
    if (utf8_valid(text))
        return json_stringn_nocheck(text.len ? text.p : "", text.len);
    struct str safe = STR_INIT;
    utf8_safe(&safe, text, true);
    json_t *value = json_stringn_nocheck(safe.p, safe.len);
    str_release(&safe);
    return value;
}

json_t *json_vtext(const char *fmt, va_list args)
{
    struct str text = STR_INIT;
    str_vaddf(&text, fmt, args);
    json_t *value = json_text(slice_str(&text));
    str_release(&text);
    return value;
}
