#include "base/json.h"

#include <string.h>

#include "base/file.h"

/* What we write ourselves (journals, caches) is compact: no spaces, printable ASCII without escapes, whole
 * numbers. Such documents are read here, in a fifth of jansson's time. On anything else this gives up, and
 * jansson reads the whole document and writes the error messages. */

#define QUICK_DEPTH  16
#define QUICK_DIGITS 18

static bool take(struct slice *rest, char c)
{
    if (!rest->len || *rest->p != c)
        return false;
    *rest = slice_sub(*rest, 1, rest->len);
    return true;
}

static bool take_word(struct slice *rest, const char *word)
{
    size_t len = strlen(word);
    if (rest->len < len || memcmp(rest->p, word, len) != 0)
        return false;
    *rest = slice_sub(*rest, len, rest->len);
    return true;
}

static bool take_text(struct slice *rest, struct slice *text)
{
    size_t len = 1;
    if (!rest->len || *rest->p != '"')
        return false;
    while (len < rest->len && rest->p[len] != '"') {
        char c = rest->p[len++];
        if (c < ' ' || c > '~' || c == '\\')
            return false;
    }
    *text = slice_sub(*rest, 1, len - 1);
    *rest = slice_sub(*rest, len, rest->len);
    return take(rest, '"');
}

static json_t *quick_number(struct slice *rest)
{
    struct slice at = *rest;
    bool minus = take(&at, '-');
    int64_t number = 0;
    size_t len = 0;
    for (; len < at.len && at.p[len] >= '0' && at.p[len] <= '9' && len < QUICK_DIGITS; len++)
        number = number * 10 + (at.p[len] - '0');
    bool more = len < at.len && strchr("0123456789.eE", at.p[len]) != NULL;
    if (!len || more || (at.p[0] == '0' && (len > 1 || minus)))
        return NULL;
    *rest = slice_sub(at, len, at.len);
    return json_integer(minus ? -number : number);
}

/* NOLINTBEGIN(misc-no-recursion): QUICK_DEPTH bounds it. */
static json_t *quick_value(struct slice *rest, int depth);

/* The members up to the closing brace; false at a duplicate name. */
static bool quick_members(struct slice *rest, int depth, json_t *object)
{
    size_t count = 0;
    if (take(rest, '}'))
        return true;
    do {
        struct slice name;
        if (!take_text(rest, &name) || !take(rest, ':'))
            return false;
        json_t *value = quick_value(rest, depth);
        if (!value || json_object_setn_new_nocheck(object, name.p, name.len, value) ||
            json_object_size(object) != ++count)
            return false;
    } while (take(rest, ','));
    return take(rest, '}');
}

static bool quick_items(struct slice *rest, int depth, json_t *array)
{
    if (take(rest, ']'))
        return true;
    do {
        json_t *value = quick_value(rest, depth);
        if (!value || json_array_append_new(array, value))
            return false;
    } while (take(rest, ','));
    return take(rest, ']');
}

/* NULL: not of that kind. */
static json_t *quick_value(struct slice *rest, int depth)
{
    struct slice text;
    json_t *value = NULL;
    bool good = true;
    if (!rest->len || depth == QUICK_DEPTH)
        return NULL;
    if (*rest->p == '"') {
        return take_text(rest, &text) ? json_stringn_nocheck(text.p, text.len) : NULL;
    } else if (take(rest, '{')) {
        value = json_object();
        good = quick_members(rest, depth + 1, value);
    } else if (take(rest, '[')) {
        value = json_array();
        good = quick_items(rest, depth + 1, value);
    } else if (*rest->p == 't') {
        return take_word(rest, "true") ? json_true() : NULL;
    } else if (*rest->p == 'f') {
        return take_word(rest, "false") ? json_false() : NULL;
    } else if (*rest->p == 'n') {
        return take_word(rest, "null") ? json_null() : NULL;
    } else {
        return quick_number(rest);
    }
    if (!good) {
        json_decref(value);
        return NULL;
    }
    return value;
}
/* NOLINTEND(misc-no-recursion) */

static json_t *quick_read(struct slice text)
{
    if (!text.len || (*text.p != '{' && *text.p != '['))
        return NULL;
    json_t *value = quick_value(&text, 0);
    (void)take(&text, '\n');
    if (value && text.len) {
        json_decref(value);
        return NULL;
    }
    return value;
}

json_t *json_read(struct slice text, const char *what, struct err *err)
{
    json_error_t error;
    json_t *value = quick_read(text);
    if (!value)
        value = json_loadb(text.len ? text.p : "", text.len, JSON_REJECT_DUPLICATES, &error);
    if (!value)
        err_set(err, ERR_BROKEN, "%s: line %d, column %d: %s", what, error.line, error.column, error.text);
    return value;
}

json_t *json_read_file(const char *path, struct err *err)
{
    struct str text = STR_INIT;
    json_t *value = NULL;
    if (file_read(path, 16U << 20, &text, err) == 0)
        value = json_read(slice_str(&text), path, err);
    str_release(&text);
    return value;
}
