/* What the audit uses of jansson's interface, for programs in which that library is not: the same functions, with
 * the same results, the same order of members and the same words for what is wrong with a text (shim/jansson.c,
 * shim/jansson_read.c). */
#ifndef SHIM_JANSSON_H
#define SHIM_JANSSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h> /* jansson's own header brings it along */

typedef enum {
    JSON_OBJECT,
    JSON_ARRAY,
    JSON_STRING,
    JSON_INTEGER,
    JSON_REAL,
    JSON_TRUE,
    JSON_FALSE,
    JSON_NULL
} json_type;
typedef struct json_t {
    json_type type;
    size_t refcount; /* of true, false and null: not counted */
} json_t;
typedef long long json_int_t;
#define JSON_INTEGER_FORMAT "lld"

#define JSON_ERROR_TEXT_LENGTH 160
typedef struct json_error_t {
    int line, column;
    char text[JSON_ERROR_TEXT_LENGTH];
} json_error_t;

#define JSON_REJECT_DUPLICATES 1U
#define JSON_ENCODE_ANY        2U
#define JSON_COMPACT           4U
#define JSON_SORT_KEYS         8U
#define JSON_INDENT(n)         0U

#define json_typeof(json)     ((json)->type)
#define json_is_object(json)  ((json) && json_typeof(json) == JSON_OBJECT)
#define json_is_array(json)   ((json) && json_typeof(json) == JSON_ARRAY)
#define json_is_string(json)  ((json) && json_typeof(json) == JSON_STRING)
#define json_is_integer(json) ((json) && json_typeof(json) == JSON_INTEGER)
#define json_is_real(json)    ((json) && json_typeof(json) == JSON_REAL)
#define json_is_true(json)    ((json) && json_typeof(json) == JSON_TRUE)
#define json_is_false(json)   ((json) && json_typeof(json) == JSON_FALSE)
#define json_is_null(json)    ((json) && json_typeof(json) == JSON_NULL)
#define json_is_boolean(json) (json_is_true(json) || json_is_false(json))
#define json_boolean(value)   ((value) ? json_true() : json_false())
#define json_boolean_value    json_is_true

json_t *json_object(void);
json_t *json_array(void);
json_t *json_string(const char *text); /* NULL when it is not UTF-8; so all of these without _nocheck */
json_t *json_stringn(const char *text, size_t len);
json_t *json_string_nocheck(const char *text);
json_t *json_stringn_nocheck(const char *text, size_t len);
json_t *json_integer(json_int_t value);
json_t *json_real(double value);
json_t *json_true(void);
json_t *json_false(void);
json_t *json_null(void);

void json_delete(json_t *json);
static inline json_t *json_incref(json_t *json)
{
    if (json && json->type < JSON_TRUE)
        json->refcount++;
    return json;
}
static inline void json_decref(json_t *json)
{
    if (json && json->type < JSON_TRUE && --json->refcount == 0)
        json_delete(json);
}

const char *json_string_value(const json_t *json);
size_t json_string_length(const json_t *json);
json_int_t json_integer_value(const json_t *json);
double json_real_value(const json_t *json);

/* Members keep the order in which they came. "_new" takes the reference over, also where it fails (-1). */
size_t json_object_size(const json_t *object);
json_t *json_object_get(const json_t *object, const char *key); /* borrowed */
json_t *json_object_getn(const json_t *object, const char *key, size_t len);
int json_object_set_new(json_t *object, const char *key, json_t *value);
int json_object_set_new_nocheck(json_t *object, const char *key, json_t *value);
int json_object_setn_new_nocheck(json_t *object, const char *key, size_t len, json_t *value);
int json_object_del(json_t *object, const char *key);
int json_object_update(json_t *object, json_t *other);
void *json_object_iter(json_t *object);
void *json_object_iter_next(json_t *object, void *iter);
void *json_object_key_to_iter(const char *key);
const char *json_object_iter_key(void *iter);
size_t json_object_iter_key_len(void *iter);
json_t *json_object_iter_value(void *iter);
static inline int json_object_set(json_t *object, const char *key, json_t *value)
{
    return json_object_set_new(object, key, json_incref(value));
}
static inline int json_object_update_new(json_t *object, json_t *other)
{
    int rc = json_object_update(object, other);
    json_decref(other);
    return rc;
}
#define json_object_foreach(object, key, value)                                     \
    for ((key) = json_object_iter_key(json_object_iter(object));                    \
         (key) && ((value) = json_object_iter_value(json_object_key_to_iter(key))); \
         (key) = json_object_iter_key(json_object_iter_next(object, json_object_key_to_iter(key))))

size_t json_array_size(const json_t *array);
json_t *json_array_get(const json_t *array, size_t index); /* borrowed */
int json_array_set_new(json_t *array, size_t index, json_t *value);
int json_array_append_new(json_t *array, json_t *value);
int json_array_insert_new(json_t *array, size_t index, json_t *value);
int json_array_remove(json_t *array, size_t index);
int json_array_extend(json_t *array, json_t *other);
static inline int json_array_append(json_t *array, json_t *value)
{
    return json_array_append_new(array, json_incref(value));
}
static inline int json_array_set(json_t *array, size_t index, json_t *value)
{
    return json_array_set_new(array, index, json_incref(value));
}
static inline int json_array_insert(json_t *array, size_t index, json_t *value)
{
    return json_array_insert_new(array, index, json_incref(value));
}
#define json_array_foreach(array, index, value) \
    for ((index) = 0; (index) < json_array_size(array) && ((value) = json_array_get(array, index)); (index)++)

int json_equal(const json_t *one, const json_t *other);
json_t *json_copy(json_t *json);
json_t *json_deep_copy(const json_t *json);

/* Formats of { } [ ] s b i I o O n, with ? and * after them; of reading: {s:s,s:i,s:I}. */
json_t *json_pack(const char *format, ...);
int json_unpack(json_t *json, const char *format, ...);

json_t *json_loadb(const char *bytes, size_t len, size_t flags, json_error_t *error /* NULL: not wanted */);
json_t *json_loads(const char *text, size_t flags, json_error_t *error);
typedef int (*json_dump_callback_t)(const char *bytes, size_t len, void *arg);
int json_dump_callback(const json_t *json, json_dump_callback_t callback, void *arg, size_t flags);
char *json_dumps(const json_t *json, size_t flags); /* to be freed */

#endif
