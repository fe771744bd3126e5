/* JSON values (shim/jansson.h): counted references, lists, objects that keep the order of their members. */
#include "jansson.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

struct text {
    json_t json;
    size_t len;
    char bytes[];
};
struct number {
    json_t json;
    json_int_t value;
};
struct real {
    json_t json;
    double value;
};
struct list {
    json_t json;
    json_t **items;
    size_t count, cap;
};
struct member {
    json_t *value;
    struct member *next, *before; /* in the order in which they came */
    struct member *other;         /* in the same row of the table */
    size_t len;
    uint32_t hash;
    char key[];
};
struct object {
    json_t json;
    struct member *first, *last;
    struct member **rows; /* NULL while they are few */
    size_t count, row_count;
};

#define FEW 8 /* members that are looked through one by one */

static json_t *begin(size_t size, json_type type)
{
    json_t *json = mem_alloc(size);
    json->type = type;
    json->refcount = 1;
    return json;
}

/* ---- plain values ---- */

json_t *json_true(void)
{
    static json_t value = {JSON_TRUE, 1};
    return &value;
}

json_t *json_false(void)
{
    static json_t value = {JSON_FALSE, 1};
    return &value;
}

json_t *json_null(void)
{
    static json_t value = {JSON_NULL, 1};
    return &value;
}

json_t *json_integer(json_int_t value)
{
    json_t *json = begin(sizeof(struct number), JSON_INTEGER);
    ((struct number *)json)->value = value;
    return json;
}

json_t *json_real(double value)
{
    json_t *json = begin(sizeof(struct real), JSON_REAL);
    ((struct real *)json)->value = value;
    return json;
}

json_t *json_stringn_nocheck(const char *text, size_t len)
{
    if (!text)
        return NULL;
    json_t *json = begin(sizeof(struct text) + len + 1, JSON_STRING);
    struct text *made = (struct text *)json;
    made->len = len;
    memcpy(made->bytes, text, len);
    made->bytes[len] = '\0';
    return json;
}

json_t *json_string_nocheck(const char *text)
{
    return text ? json_stringn_nocheck(text, strlen(text)) : NULL;
}

/* As utf8_valid, but that U+0000 is as good as any other here. */
static bool all_utf8(const char *text, size_t len)
{
    while (len) {
        size_t part = strnlen(text, len);
        if (!utf8_valid((struct slice){text, part}))
            return false;
        part += part < len;
        text += part;
        len -= part;
    }
    return true;
}

json_t *json_stringn(const char *text, size_t len)
{
    return text && all_utf8(text, len) ? json_stringn_nocheck(text, len) : NULL;
}

json_t *json_string(const char *text)
{
    return text ? json_stringn(text, strlen(text)) : NULL;
}

const char *json_string_value(const json_t *json)
{
    return json_is_string(json) ? ((const struct text *)json)->bytes : NULL;
}

size_t json_string_length(const json_t *json)
{
    return json_is_string(json) ? ((const struct text *)json)->len : 0;
}

json_int_t json_integer_value(const json_t *json)
{
    return json_is_integer(json) ? ((const struct number *)json)->value : 0;
}

double json_real_value(const json_t *json)
{
    return json_is_real(json) ? ((const struct real *)json)->value : 0;
}

/* ---- objects ---- */

static struct object *object_of(const json_t *json)
{
    return json_is_object(json) ? (struct object *)(uintptr_t)json : NULL;
}

json_t *json_object(void)
{
    return begin(sizeof(struct object), JSON_OBJECT);
}

size_t json_object_size(const json_t *object)
{
    const struct object *in = object_of(object);
    return in ? in->count : 0;
}

static uint32_t hash_of(const char *key, size_t len)
{
    uint32_t hash = 2166136261U; /* FNV-1a */
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)key[i]) * 16777619U;
    return hash;
}

static struct member *find(const struct object *in, const char *key, size_t len)
{
    uint32_t hash = in->rows ? hash_of(key, len) : 0;
    struct member *at = in->rows ? in->rows[hash & (in->row_count - 1)] : in->first;
    while (at && !(at->len == len && memcmp(at->key, key, len) == 0))
        at = in->rows ? at->other : at->next;
    return at;
}

static void put_in_row(struct object *in, struct member *member)
{
    struct member **row = &in->rows[member->hash & (in->row_count - 1)];
    member->other = *row;
    *row = member;
}

static void make_rows(struct object *in)
{
    free(in->rows);
    in->row_count = in->row_count ? 2 * in->row_count : 4 * (size_t)FEW;
    in->rows = mem_array(in->row_count, sizeof *in->rows);
    memset(in->rows, 0, in->row_count * sizeof *in->rows);
    for (struct member *at = in->first; at; at = at->next) {
        at->hash = hash_of(at->key, at->len);
        put_in_row(in, at);
    }
}

static void add_member(struct object *in, const char *key, size_t len, json_t *value)
{
    struct member *member = mem_alloc(sizeof *member + len + 1);
    memcpy(member->key, key, len);
    member->key[len] = '\0';
    member->len = len;
    member->value = value;
    member->next = member->other = NULL;
    member->before = in->last;
    *(in->last ? &in->last->next : &in->first) = member;
    in->last = member;
    in->count++;
    if (in->count > FEW && in->count > in->row_count) {
        make_rows(in);
    } else if (in->rows) {
        member->hash = hash_of(key, len);
        put_in_row(in, member);
    }
}

json_t *json_object_getn(const json_t *object, const char *key, size_t len)
{
    const struct object *in = object_of(object);
    const struct member *found = in && key ? find(in, key, len) : NULL;
    return found ? found->value : NULL;
}

json_t *json_object_get(const json_t *object, const char *key)
{
    return key ? json_object_getn(object, key, strlen(key)) : NULL;
}

int json_object_setn_new_nocheck(json_t *object, const char *key, size_t len, json_t *value)
{
    struct object *in = object_of(object);
    if (!value || !in || !key || object == value) {
        json_decref(value);
        return -1;
    }
    struct member *found = find(in, key, len);
    if (!found) {
        add_member(in, key, len, value);
        return 0;
    }
    json_decref(found->value);
    found->value = value;
    return 0;
}

int json_object_set_new_nocheck(json_t *object, const char *key, json_t *value)
{
    return json_object_setn_new_nocheck(object, key, key ? strlen(key) : 0, value);
}

int json_object_set_new(json_t *object, const char *key, json_t *value)
{
    if (!key || !all_utf8(key, strlen(key))) {
        json_decref(value);
        return -1;
    }
    return json_object_set_new_nocheck(object, key, value);
}

int json_object_del(json_t *object, const char *key)
{
    struct object *in = object_of(object);
    struct member *found = in && key ? find(in, key, strlen(key)) : NULL;
    if (!found)
        return -1;
    if (in->rows) {
        struct member **at = &in->rows[found->hash & (in->row_count - 1)];
        while (*at != found)
            at = &(*at)->other;
        *at = found->other;
    }
    *(found->before ? &found->before->next : &in->first) = found->next;
    *(found->next ? &found->next->before : &in->last) = found->before;
    in->count--;
    json_decref(found->value);
    free(found);
    return 0;
}

void *json_object_iter(json_t *object)
{
    struct object *in = object_of(object);
    return in ? in->first : NULL;
}

void *json_object_iter_next(json_t *object, void *iter)
{
    (void)object;
    return iter ? ((struct member *)iter)->next : NULL;
}

void *json_object_key_to_iter(const char *key)
{
    return key ? (void *)((uintptr_t)key - offsetof(struct member, key)) : NULL;
}

const char *json_object_iter_key(void *iter)
{
    return iter ? ((struct member *)iter)->key : NULL;
}

size_t json_object_iter_key_len(void *iter)
{
    return iter ? ((struct member *)iter)->len : 0;
}

json_t *json_object_iter_value(void *iter)
{
    return iter ? ((struct member *)iter)->value : NULL;
}

int json_object_update(json_t *object, json_t *other)
{
    const struct object *from = object_of(other);
    if (!from || !object_of(object))
        return -1;
    for (struct member *at = from->first; at; at = at->next)
        (void)json_object_setn_new_nocheck(object, at->key, at->len, json_incref(at->value));
    return 0;
}

/* ---- lists ---- */

static struct list *list_of(const json_t *json)
{
    return json_is_array(json) ? (struct list *)(uintptr_t)json : NULL;
}

json_t *json_array(void)
{
    return begin(sizeof(struct list), JSON_ARRAY);
}

size_t json_array_size(const json_t *array)
{
    const struct list *in = list_of(array);
    return in ? in->count : 0;
}

json_t *json_array_get(const json_t *array, size_t index)
{
    const struct list *in = list_of(array);
    return in && index < in->count ? in->items[index] : NULL;
}

int json_array_set_new(json_t *array, size_t index, json_t *value)
{
    struct list *in = list_of(array);
    if (!value || !in || index >= in->count || array == value) {
        json_decref(value);
        return -1;
    }
    json_decref(in->items[index]);
    in->items[index] = value;
    return 0;
}

int json_array_insert_new(json_t *array, size_t index, json_t *value)
{
    struct list *in = list_of(array);
    if (!value || !in || index > in->count || array == value) {
        json_decref(value);
        return -1;
    }
    in->items = mem_grow(in->items, in->count, &in->cap, sizeof(json_t *));
    memmove(in->items + index + 1, in->items + index, (in->count - index) * sizeof(json_t *));
    in->items[index] = value;
    in->count++;
    return 0;
}

int json_array_append_new(json_t *array, json_t *value)
{
    return json_array_insert_new(array, json_array_size(array), value);
}

int json_array_remove(json_t *array, size_t index)
{
    struct list *in = list_of(array);
    if (!in || index >= in->count)
        return -1;
    json_decref(in->items[index]);
    in->count--;
    memmove(in->items + index, in->items + index + 1, (in->count - index) * sizeof(json_t *));
    return 0;
}

int json_array_extend(json_t *array, json_t *other)
{
    const struct list *from = list_of(other);
    if (!from || !list_of(array))
        return -1;
    for (size_t i = 0, count = from->count; i < count; i++)
        (void)json_array_append_new(array, json_incref(from->items[i]));
    return 0;
}

/* ---- whole values. NOLINTBEGIN(misc-no-recursion): the reader bounds their depth. ---- */

void json_delete(json_t *json)
{
    if (json_is_object(json)) {
        struct object *in = object_of(json);
        for (struct member *at = in->first, *next; at; at = next) {
            next = at->next;
            json_decref(at->value);
            free(at);
        }
        free(in->rows);
    } else if (json_is_array(json)) {
        struct list *in = list_of(json);
        for (size_t i = 0; i < in->count; i++)
            json_decref(in->items[i]);
        free(in->items);
    }
    free(json);
}

static bool equal_objects(const struct object *one, const struct object *other)
{
    bool same = one->count == other->count;
    for (const struct member *at = one->first; same && at; at = at->next) {
        const struct member *found = find(other, at->key, at->len);
        same = found && json_equal(at->value, found->value);
    }
    return same;
}

int json_equal(const json_t *one, const json_t *other)
{
    if (!one || !other || json_typeof(one) != json_typeof(other))
        return 0;
    if (one == other)
        return 1;
    switch (json_typeof(one)) {
    case JSON_OBJECT: return equal_objects(object_of(one), object_of(other));
    case JSON_ARRAY: {
        bool same = json_array_size(one) == json_array_size(other);
        for (size_t i = 0; same && i < json_array_size(one); i++)
            same = json_equal(json_array_get(one, i), json_array_get(other, i));
        return same;
    }
    case JSON_STRING:
        return json_string_length(one) == json_string_length(other) &&
               memcmp(json_string_value(one), json_string_value(other), json_string_length(one)) == 0;
    case JSON_INTEGER: return json_integer_value(one) == json_integer_value(other);
    case JSON_REAL: return json_real_value(one) == json_real_value(other);
    case JSON_TRUE:
    case JSON_FALSE:
    case JSON_NULL: break;
    }
    return 1;
}

/* `deep`: what is in it is copied as well. */
static json_t *copy_of(const json_t *json, bool deep)
{
    json_t *copy;
    switch (json_typeof(json)) {
    case JSON_OBJECT:
        copy = json_object();
        for (const struct member *at = object_of(json)->first; at; at = at->next)
            (void)json_object_setn_new_nocheck(copy, at->key, at->len,
                                               deep ? copy_of(at->value, true) : json_incref(at->value));
        return copy;
    case JSON_ARRAY:
        copy = json_array();
        for (size_t i = 0; i < json_array_size(json); i++) {
            json_t *item = json_array_get(json, i);
            (void)json_array_append_new(copy, deep ? copy_of(item, true) : json_incref(item));
        }
        return copy;
    case JSON_STRING: return json_stringn_nocheck(json_string_value(json), json_string_length(json));
    case JSON_INTEGER: return json_integer(json_integer_value(json));
    case JSON_REAL: return json_real(json_real_value(json));
    case JSON_TRUE:
    case JSON_FALSE:
    case JSON_NULL: break;
    }
    return (json_t *)(uintptr_t)json;
}

json_t *json_copy(json_t *json)
{
    return json ? copy_of(json, false) : NULL;
}

json_t *json_deep_copy(const json_t *json)
{
    return json ? copy_of(json, true) : NULL;
}
/* NOLINTEND(misc-no-recursion) */
