#include "base/value.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/utf8.h"

const struct value value_false = {.kind = VALUE_FALSE};

/* ---- making ---- */

static struct value *value_new(struct arena *arena, enum value_kind kind)
{
    struct value *value = arena_take(arena, sizeof *value);
    value->kind = kind;
    value->next = value->other = NULL;
    return value;
}

struct value *value_object(struct arena *arena)
{
    struct value *value = value_new(arena, VALUE_OBJECT);
    value->values = arena_take(arena, sizeof *value->values);
    memset(value->values, 0, sizeof *value->values);
    value->values->arena = arena;
    return value;
}

struct value *value_list(struct arena *arena)
{
    struct value *value = value_new(arena, VALUE_LIST);
    value->values = arena_take(arena, offsetof(struct values, names));
    memset(value->values, 0, offsetof(struct values, names));
    value->values->arena = arena;
    return value;
}

static struct value *append(struct value *list, enum value_kind kind)
{
    struct values *values = list->values;
    struct value *value = value_new(values->arena, kind);
    if (values->last)
        values->last->next = value;
    else
        values->first = value;
    values->last = value;
    values->count++;
    return value;
}

struct value *value_member(struct value *object, const struct value_name *name, enum value_kind kind)
{
    assert(object->kind == VALUE_OBJECT);
    struct values *values = object->values;
    struct value **bucket = &values->bucket[name->place % VALUE_BUCKETS];
    struct value *value = NULL;
    if (name_set_holds(&values->names, name->place))
        value = value_find(object, name);
    if (value) {
        value->kind = kind;
        return value;
    }
    value = append(object, kind);
    value->name = *name;
    value->other = *bucket;
    *bucket = value;
    values->names.bits[name->place / 64] |= (uint64_t)1 << name->place % 64;
    return value;
}

/* Takes the value of another; lists and objects are shared. */
static void become(struct value *value, const struct value *other)
{
    value->kind = other->kind;
    switch (other->kind) {
    case VALUE_NULL:
    case VALUE_FALSE:
    case VALUE_TRUE: break;
    case VALUE_INTEGER: value->number = other->number; break;
    case VALUE_REAL: value->real = other->real; break;
    case VALUE_TEXT: value->text = other->text; break;
    case VALUE_LIST:
    case VALUE_OBJECT: value->values = other->values; break;
    }
}

void value_put_named(struct value *object, const struct value_name *name, const struct value *value)
{
    become(value_member(object, name, value->kind), value);
}

static void set_valid(struct value *value, struct arena *arena, struct slice text)
{
    char *copy = arena_take(arena, text.len + 1);
    if (text.len)
        memcpy(copy, text.p, text.len);
    copy[text.len] = '\0';
    value->text = (struct slice){copy, text.len};
}

void value_set_text(struct value *value, struct arena *arena, struct slice text)
{
    if (utf8_valid(text)) {
        set_valid(value, arena, text);
        return;
    }
    struct str safe = STR_INIT;
    utf8_safe(&safe, text, true);
    set_valid(value, arena, slice_str(&safe));
    str_release(&safe);
}

struct value *value_put_object(struct value *object, const char *name)
{
    struct value *value = value_object(object->values->arena);
    value_put(object, name, value);
    return value;
}

struct value *value_put_list(struct value *object, const char *name)
{
    struct value *value = value_list(object->values->arena);
    value_put(object, name, value);
    return value;
}

void value_add(struct value *list, const struct value *value)
{
    assert(list->kind == VALUE_LIST);
    become(append(list, value->kind), value);
}

void value_add_int(struct value *list, int64_t number)
{
    assert(list->kind == VALUE_LIST);
    append(list, VALUE_INTEGER)->number = number;
}

struct value *value_add_object(struct value *list)
{
    struct value *value = value_object(list->values->arena);
    value_add(list, value);
    return value;
}

struct value *value_copy(struct arena *arena, const struct value *value)
{
    bool object = value->kind == VALUE_OBJECT;
    struct value *copy = object ? value_object(arena) : value_list(arena);
    for (const struct value *part = value->values->first; part; part = part->next) {
        if (object)
            become(value_member(copy, &part->name, part->kind), part);
        else
            value_add(copy, part);
    }
    return copy;
}

void value_mark_more(struct value *list)
{
    for (struct value *part = value_first(list); part; part = part->next)
        value_put_flag(part, "more", part->next != NULL);
}

/* ---- JSON ---- */

/* NOLINTBEGIN(misc-no-recursion): documents of ours are shallow, and the parser bounds those of others. */
static void set_json(struct value *value, struct arena *arena, const json_t *json)
{
    switch (json_typeof(json)) {
    case JSON_NULL: value->kind = VALUE_NULL; break;
    case JSON_FALSE: value->kind = VALUE_FALSE; break;
    case JSON_TRUE: value->kind = VALUE_TRUE; break;
    case JSON_INTEGER:
        value->kind = VALUE_INTEGER;
        value->number = json_integer_value(json);
        break;
    case JSON_REAL:
        value->kind = VALUE_REAL;
        value->real = json_real_value(json);
        break;
    case JSON_STRING:
        value->kind = VALUE_TEXT;
        value_set_text(value, arena, (struct slice){json_string_value(json), json_string_length(json)});
        break;
    case JSON_ARRAY:
        become(value, value_list(arena));
        for (size_t i = 0; i < json_array_size(json); i++)
            set_json(append(value, VALUE_NULL), arena, json_array_get(json, i));
        break;
    case JSON_OBJECT:
        become(value, value_object(arena));
        value_put_json(value, json);
        break;
    }
}

void value_put_json(struct value *object, const json_t *json)
{
    json_t *whole = (json_t *)(uintptr_t)json;
    for (void *at = json_object_iter(whole); at; at = json_object_iter_next(whole, at)) {
        struct value_name name =
            value_name((struct slice){json_object_iter_key(at), json_object_iter_key_len(at)});
        set_json(value_member(object, &name, VALUE_NULL), object->values->arena, json_object_iter_value(at));
    }
}

json_t *value_json(const struct value *value)
{
    json_t *json = NULL;
    switch (value->kind) {
    case VALUE_NULL: return json_null();
    case VALUE_FALSE: return json_false();
    case VALUE_TRUE: return json_true();
    case VALUE_INTEGER: return json_integer(value->number);
    case VALUE_REAL: return json_real(value->real);
    case VALUE_TEXT: return json_stringn_nocheck(value->text.p, value->text.len);
    case VALUE_LIST:
        json = json_array();
        for (const struct value *part = value->values->first; part; part = part->next)
            json_array_append_new(json, value_json(part));
        break;
    case VALUE_OBJECT:
        json = json_object();
        for (const struct value *part = value->values->first; part; part = part->next)
            json_object_setn_new_nocheck(json, part->name.p, part->name.len, value_json(part));
        break;
    }
    return json;
}

struct value *value_of_json(struct arena *arena, const json_t *json)
{
    struct value *value = value_new(arena, VALUE_NULL);
    if (json)
        set_json(value, arena, json);
    return value;
}

/* ---- canonical bytes ---- */

#define KEYS_ON_STACK 64

static struct slice name_of(const struct value *member)
{
    return (struct slice){member->name.p, member->name.len};
}

/* Most members arrive nearly sorted. */
static void sort_members(const struct value **members, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const struct value *moved = members[i];
        size_t at = i;
        for (; at && json_name_order(name_of(moved), name_of(members[at - 1])) < 0; at--)
            members[at] = members[at - 1];
        members[at] = moved;
    }
}

static void write_real(struct str *out, double real)
{
    json_t *json = json_real(real);
    json_write(out, json);
    json_decref(json);
}

static void write_object(struct str *out, const struct values *values)
{
    const struct value *few[KEYS_ON_STACK];
    const struct value **members =
        values->count > KEYS_ON_STACK ? mem_array(values->count, sizeof(void *)) : few;
    size_t count = 0;
    for (const struct value *part = values->first; part; part = part->next)
        members[count++] = part;
    sort_members(members, count);
    str_addc(out, '{');
    for (size_t i = 0; i < count; i++) {
        if (i)
            str_addc(out, ',');
        json_write_string(out, members[i]->name.p, members[i]->name.len);
        str_addc(out, ':');
        value_write(out, members[i]);
    }
    str_addc(out, '}');
    if (members != few)
        free(members);
}

static void write_list(struct str *out, const struct values *values)
{
    str_addc(out, '[');
    for (const struct value *part = values->first; part; part = part->next) {
        if (part != values->first)
            str_addc(out, ',');
        value_write(out, part);
    }
    str_addc(out, ']');
}

void value_write(struct str *out, const struct value *value)
{
    switch (value->kind) {
    case VALUE_NULL: str_adds(out, "null"); break;
    case VALUE_FALSE: str_adds(out, "false"); break;
    case VALUE_TRUE: str_adds(out, "true"); break;
    case VALUE_INTEGER: str_addn(out, value->number); break;
    case VALUE_REAL: write_real(out, value->real); break;
    case VALUE_TEXT: json_write_string(out, value->text.p, value->text.len); break;
    case VALUE_LIST: write_list(out, value->values); break;
    case VALUE_OBJECT: write_object(out, value->values); break;
    }
}
/* NOLINTEND(misc-no-recursion) */
