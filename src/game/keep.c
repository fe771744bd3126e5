#include "game/keep.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/str.h"

/* NOLINTBEGIN(misc-no-recursion): tables are ours and nest a few deep. */

static size_t count_of(const struct keep *row, const char *base)
{
    size_t count = 0;
    int number;
    memcpy(&number, base + row->count_at, sizeof number);
    if (row->count_size == sizeof number)
        return (size_t)number;
    memcpy(&count, base + row->count_at, sizeof count);
    return count;
}

static void set_count(const struct keep *row, char *base, size_t count)
{
    int number = (int)count;
    if (row->count_size == sizeof number)
        memcpy(base + row->count_at, &number, sizeof number);
    else
        memcpy(base + row->count_at, &count, sizeof count);
}

/* The elements; for a list, where its pointer points. */
static char *elements(const struct keep *row, char *base)
{
    char *list = base + row->offset;
    if (row->many == KEEP_LIST)
        memcpy(&list, base + row->offset, sizeof list);
    return list;
}

/* ---- memory ---- */

/* All elements that there is room for; the elements of a list own nothing. */
void keep_init(const struct keep *table, void *base)
{
    for (const struct keep *row = table; row->name; row++) {
        char *at = (char *)base + row->offset;
        for (size_t i = 0; i < row->room && row->many != KEEP_LIST; i++, at += row->size)
            if (row->type == KEEP_STRUCT)
                keep_init(row->sub, at);
            else if (row->type == KEEP_STR)
                str_init((struct str *)(void *)at);
    }
}

static void release_json(char *at)
{
    json_t *json;
    memcpy(&json, at, sizeof json);
    json_decref(json);
}

void keep_release(const struct keep *table, void *base)
{
    for (const struct keep *row = table; row->name; row++) {
        char *at = (char *)base + row->offset;
        if (row->many == KEEP_LIST) {
            free(elements(row, base));
            continue;
        }
        for (size_t i = 0; i < row->room; i++, at += row->size)
            if (row->type == KEEP_STRUCT)
                keep_release(row->sub, at);
            else if (row->type == KEEP_STR)
                str_release((struct str *)(void *)at);
            else if (row->type == KEEP_JSON)
                release_json(at);
    }
}

/* ---- writing ---- */

static int64_t number_at(const struct keep *row, const char *at)
{
    int32_t small;
    int64_t number;
    if (row->size == sizeof number) {
        memcpy(&number, at, sizeof number);
        return number;
    }
    memcpy(&small, at, sizeof small);
    return small;
}

static json_t *held_json(const char *at)
{
    json_t *json;
    memcpy(&json, at, sizeof json);
    return json ? json_incref(json) : json_null();
}

static json_t *element_json(const struct keep *row, const char *at, int seats)
{
    switch (row->type) {
    case KEEP_NUMBER: return json_integer(number_at(row, at));
    case KEEP_BOOL: return json_boolean(*(const bool *)at);
    case KEEP_TEXT: return json_string(at);
    case KEEP_BYTES: return json_hex(at, row->size);
    case KEEP_STR: return json_string(((const struct str *)(const void *)at)->p);
    case KEEP_JSON: return held_json(at);
    case KEEP_STRUCT: return keep_json(row->sub, at, seats);
    case KEEP_AS: return row->put(at);
    case KEEP_ELSE: break;
    }
    return json_null();
}

static json_t *array_json(const struct keep *row, char *base, int seats)
{
    json_t *list = json_array();
    const char *at = elements(row, base);
    size_t first = row->many == KEEP_SEATS;
    size_t end = row->many == KEEP_ALL     ? row->room
                 : row->many == KEEP_SEATS ? (size_t)seats + 1
                                           : count_of(row, base);
    for (size_t i = first; i < end; i++)
        json_array_append_new(list, element_json(row, at + i * row->size, seats));
    return list;
}

json_t *keep_json(const struct keep *table, const void *base, int seats)
{
    char *from = (char *)(uintptr_t)base;
    json_t *json = json_object();
    for (const struct keep *row = table; row->name; row++)
        if (!row->passing)
            json_object_set_new(json, row->name,
                                row->many == KEEP_ONE ? element_json(row, from + row->offset, seats)
                                                      : array_json(row, from, seats));
    return json;
}

/* ---- reading ---- */

static bool number_read(const struct keep *row, char *at, const json_t *json)
{
    int64_t number = json_integer_value(json);
    int32_t small = (int32_t)number;
    if (row->size == sizeof number)
        memcpy(at, &number, sizeof number);
    else
        memcpy(at, &small, sizeof small);
    return json_is_integer(json) && (row->size == sizeof number || small == number);
}

static bool text_read(char *at, size_t size, const json_t *json)
{
    size_t len = json_string_length(json);
    if (!json_is_string(json) || len >= size)
        return false;
    memcpy(at, json_string_value(json), len + 1);
    return true;
}

static bool held_read(char *at, json_t *json)
{
    json_t *held = json_is_null(json) ? NULL : json_incref(json);
    memcpy(at, &held, sizeof held);
    return true;
}

static bool element_read(const struct keep *row, char *at, json_t *json, struct err *err)
{
    const char *text = json_string_value(json);
    switch (row->type) {
    case KEEP_NUMBER: return number_read(row, at, json);
    case KEEP_BOOL: *(bool *)at = json_is_true(json); return json_is_boolean(json);
    case KEEP_TEXT: return text_read(at, row->size, json);
    case KEEP_BYTES: return text && hex_decode(at, row->size, slice_of(text));
    case KEEP_STR:
        if (text)
            str_adds((struct str *)(void *)at, text);
        return text != NULL;
    case KEEP_JSON: return held_read(at, json);
    case KEEP_STRUCT: return keep_read(row->sub, at, json, err) == 0;
    case KEEP_AS: return row->get(json, at, err) == 0;
    case KEEP_ELSE: break;
    }
    return false;
}

/* Makes room for that many elements and sets the count; false when there is not enough. */
static bool count_read(const struct keep *row, char *base, size_t count)
{
    size_t first = row->many == KEEP_SEATS;
    if (row->many == KEEP_LIST) {
        char *list = count ? mem_array(count, row->size) : NULL;
        memcpy(base + row->offset, &list, sizeof list);
        memcpy(base + row->cap_at, &count, sizeof count);
    } else if (count + first > row->room || (row->many == KEEP_ALL && count != row->room)) {
        return false;
    }
    if (row->many == KEEP_LIST || row->many == KEEP_COUNTED)
        set_count(row, base, count);
    return true;
}

static bool array_read(const struct keep *row, char *base, const json_t *json, struct err *err)
{
    size_t i;
    json_t *item;
    size_t first = row->many == KEEP_SEATS;
    if (!json_is_array(json) || !count_read(row, base, json_array_size(json)))
        return false;
    json_array_foreach (json, i, item)
        if (!element_read(row, elements(row, base) + (first + i) * row->size, item, err))
            return false;
    return true;
}

int keep_read(const struct keep *table, void *base, const json_t *json, struct err *err)
{
    for (const struct keep *row = table; row->name; row++) {
        json_t *value = json_object_get(json, row->name);
        if (row->passing)
            continue;
        if (!value || !(row->many == KEEP_ONE ? element_read(row, (char *)base + row->offset, value, err)
                                              : array_read(row, base, value, err)))
            return err_set(err, ERR_BROKEN, "its \"%s\" is missing or of the wrong kind", row->name);
    }
    return 0;
}

/* NOLINTEND(misc-no-recursion) */
