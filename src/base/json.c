#include "base/json.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

/* ---- canonical bytes ----
 * What jansson writes with JSON_COMPACT | JSON_SORT_KEYS, which takes ten times as long; tests/base/json.c
 * holds them against each other. */

#define KEYS_ON_STACK  64
#define INSERTION_MOST 32

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

static bool is_plain(unsigned char c)
{
    return c >= 0x20 && c != '"' && c != '\\';
}

/* The same for eight bytes at once. */
static bool all_plain(uint64_t word)
{
    const uint64_t ones = 0x0101010101010101ULL, tops = 0x8080808080808080ULL;
    uint64_t quote = word ^ ones * '"', slash = word ^ ones * '\\';
    uint64_t below = (word - ones * 0x20) & ~word, no_quote = (quote - ones) & ~quote,
             no_slash = (slash - ones) & ~slash;
    return !((below | no_quote | no_slash) & tops);
}

/* Copies eight bytes when all of them are plain. */
static bool copy_eight(char *to, const char *text)
{
    uint64_t word;
    memcpy(&word, text, 8);
    if (!all_plain(word))
        return false;
    memcpy(to, &word, 8);
    return true;
}

/* The same for four to seven, in two parts that overlap. */
static bool copy_four(char *to, const char *text, size_t len)
{
    uint32_t half[2];
    uint64_t word;
    memcpy(&half[0], text, 4);
    memcpy(&half[1], text + len - 4, 4);
    memcpy(&word, half, 8);
    if (!all_plain(word))
        return false;
    memcpy(to, &half[0], 4);
    memcpy(to + len - 4, &half[1], 4);
    return true;
}

/* Copies the plain bytes that a text begins with; how many they are. */
static size_t copy_plain(char *to, const char *text, size_t len)
{
    size_t at = 0;
    while (at + 8 <= len && copy_eight(to + at, text + at))
        at += 8;
    if (at + 8 > len && len >= 8 && copy_eight(to + len - 8, text + len - 8))
        return len;
    if (len >= 4 && len < 8 && copy_four(to, text, len))
        return len;
    for (; at < len && is_plain((unsigned char)text[at]); at++)
        to[at] = text[at];
    return at;
}

void json_write_string(struct str *out, const char *text, size_t len)
{
    str_reserve(out, len + 2);
    char *to = out->p + out->len;
    size_t plain = copy_plain(to + 1, text, len);
    to[0] = '"';
    out->len += plain + 1;
    for (size_t i = plain; i < len; i++) {
        if (is_plain((unsigned char)text[i]))
            str_addc(out, text[i]);
        else
            put_escape(out, (unsigned char)text[i]);
    }
    if (plain < len) {
        str_addc(out, '"');
        return;
    }
    to[len + 1] = '"';
    to[len + 2] = '\0';
    out->len++;
}

struct member {
    struct json_key key;
    const json_t *value;
};

struct json_key json_key_of(struct slice name)
{
    return (struct json_key){json_key_first(name), name.p, name.len};
}

struct json_key json_key(const char *name)
{
    return json_key_of(slice_of(name));
}

static int compare_members(const void *a, const void *b)
{
    return json_key_compare(&((const struct member *)a)->key, &((const struct member *)b)->key);
}

/* Objects are small, and most were made in an order that is nearly right. */
static void sort_members(struct member *members, size_t count)
{
    if (count > INSERTION_MOST) {
        qsort(members, count, sizeof *members, compare_members);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        struct member moved = members[i];
        size_t at = i;
        for (; at && json_key_compare(&moved.key, &members[at - 1].key) < 0; at--)
            members[at] = members[at - 1];
        members[at] = moved;
    }
}

/* NOLINTBEGIN(misc-no-recursion): documents of ours are shallow, and the parser bounds those of others. */
static void put_object(struct str *out, const json_t *object)
{
    struct member few[KEYS_ON_STACK];
    size_t count = json_object_size(object);
    struct member *members = count > KEYS_ON_STACK ? mem_array(count, sizeof *members) : few;
    json_t *whole = (json_t *)(uintptr_t)object;
    size_t n = 0;
    for (void *at = json_object_iter(whole); at; at = json_object_iter_next(whole, at))
        members[n++] = (struct member){
            json_key_of((struct slice){json_object_iter_key(at), json_object_iter_key_len(at)}),
            json_object_iter_value(at)};
    sort_members(members, n);
    str_addc(out, '{');
    for (size_t i = 0; i < n; i++) {
        if (i)
            str_addc(out, ',');
        json_write_string(out, members[i].key.name, members[i].key.len);
        str_addc(out, ':');
        json_write(out, members[i].value);
    }
    str_addc(out, '}');
    if (members != few)
        free(members);
}

static void put_array(struct str *out, const json_t *array)
{
    str_addc(out, '[');
    for (size_t i = 0; i < json_array_size(array); i++) {
        if (i)
            str_addc(out, ',');
        json_write(out, json_array_get(array, i));
    }
    str_addc(out, ']');
}

void json_write(struct str *out, const json_t *value)
{
    char number[64];
    switch (json_typeof(value)) {
    case JSON_OBJECT: put_object(out, value); break;
    case JSON_ARRAY: put_array(out, value); break;
    case JSON_STRING: json_write_string(out, json_string_value(value), json_string_length(value)); break;
    case JSON_INTEGER: str_addn(out, json_integer_value(value)); break;
    case JSON_REAL: /* only outside journals (simulate) */
        str_add(out, number, json_dumpb(value, number, sizeof number, JSON_ENCODE_ANY));
        break;
    case JSON_TRUE: str_adds(out, "true"); break;
    case JSON_FALSE: str_adds(out, "false"); break;
    case JSON_NULL: str_adds(out, "null"); break;
    }
}
/* NOLINTEND(misc-no-recursion) */

static int dump_to(const char *bytes, size_t len, void *out)
{
    str_add(out, bytes, len);
    return 0;
}

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
