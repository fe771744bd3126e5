#include "rules/field.h"

#include <assert.h>
#include <sodium.h>
#include <stdbool.h>
#include <string.h>

#include "base/json.h"

/* NOLINTBEGIN(misc-no-recursion): a document is followed as deep as the tables nest, which is a constant of
 * each ruleset. */

/* Where in the document a reader is, for its errors: a chain from the member up to the whole state. */
struct place {
    const struct place *up;
    const char *name;
    int index; /* -1: not an element of an array */
};

static void place_add(struct str *out, const struct place *at)
{
    if (at->up) {
        place_add(out, at->up);
        if (out->len)
            str_addc(out, '.');
    }
    if (at->name)
        str_adds(out, at->name);
    if (at->index >= 0)
        str_addf(out, "[%d]", at->index);
}

static int complain(const struct place *at, struct err *err, const char *problem)
{
    struct str path = STR_INIT;
    place_add(&path, at);
    err_set(err, ERR_BROKEN, "The state's \"%s\" %s", path.p, problem);
    str_release(&path);
    return -1;
}

static int64_t get_number(enum field_type type, const void *from)
{
    union {
        uint8_t u8;
        uint16_t u16;
        int32_t i32;
        bool flag;
    } v;
    switch (type) {
    case FIELD_U8: memcpy(&v.u8, from, sizeof(v.u8)); return v.u8;
    case FIELD_U16: memcpy(&v.u16, from, sizeof(v.u16)); return v.u16;
    case FIELD_I32: memcpy(&v.i32, from, sizeof(v.i32)); return v.i32;
    case FIELD_BOOL: memcpy(&v.flag, from, sizeof(v.flag)); return v.flag;
    case FIELD_STRUCT: break;
    }
    return 0;
}

/* False when the number does not fit the type. */
static bool put_number(enum field_type type, void *to, int64_t n)
{
    switch (type) {
    case FIELD_U8: return n >= 0 && n <= UINT8_MAX && memcpy(to, &(uint8_t){(uint8_t)n}, 1);
    case FIELD_U16: return n >= 0 && n <= UINT16_MAX && memcpy(to, &(uint16_t){(uint16_t)n}, 2);
    case FIELD_I32: return n >= INT32_MIN && n <= INT32_MAX && memcpy(to, &(int32_t){(int32_t)n}, 4);
    case FIELD_BOOL:
    case FIELD_STRUCT: break;
    }
    return false;
}

const struct field *field_named(const struct field *table, struct slice name)
{
    for (const struct field *f = table; f->name; f++) {
        if (slice_eq(name, f->name))
            return f;
    }
    return NULL;
}

bool field_counts(const struct field *table, const struct field *field)
{
    for (const struct field *f = table; f->name; f++)
        if (f->counted_by && strcmp(f->counted_by, field->name) == 0)
            return true;
    return false;
}

/* Elements of an array in use, never more than its capacity. */
static size_t used_count(const struct field *table, const struct field *f, const char *state)
{
    if (!f->counted_by)
        return f->count;
    const struct field *counter = field_named(table, slice_of(f->counted_by));
    int64_t n = counter ? get_number(counter->type, state + counter->offset) : 0;
    return n < 0 ? 0 : (uint64_t)n > f->count ? f->count : (size_t)n;
}

static json_t *element_json(const struct field *f, const char *at)
{
    switch (f->type) {
    case FIELD_STRUCT: return fields_json(f->sub, at);
    case FIELD_BOOL: return json_boolean(get_number(f->type, at));
    case FIELD_U8:
    case FIELD_U16:
    case FIELD_I32: break;
    }
    return json_integer(get_number(f->type, at));
}

json_t *fields_json(const struct field *table, const void *state)
{
    const char *base = state;
    json_t *object = json_object();
    for (const struct field *f = table; f->name; f++) {
        if (!f->count) {
            json_object_set_new_nocheck(object, f->name, element_json(f, base + f->offset));
            continue;
        }
        json_t *list = json_array();
        size_t used = used_count(table, f, base);
        for (size_t i = 0; i < used; i++)
            json_array_append_new(list, element_json(f, base + f->offset + i * f->size));
        json_object_set_new_nocheck(object, f->name, list);
    }
    return object;
}

/* A document that is being read into a struct, by its table. */
struct reading {
    const struct field *table;
    char *state;
    const json_t *json;
    const struct place *up; /* where the document is in the whole one */
    bool strict;
    struct err *err;
};

static int table_read(const struct reading *in);

static int element_read(const struct reading *in, const struct field *f, char *to, const json_t *json,
                        const struct place *at)
{
    if (!in->strict && json_is_null(json))
        return 0;
    if (f->type == FIELD_STRUCT)
        return table_read(&(struct reading){f->sub, to, json, at, in->strict, in->err});
    if (f->type == FIELD_BOOL) {
        if (!json_is_boolean(json))
            return complain(at, in->err, "must be true or false");
        memcpy(to, &(bool){json_is_true(json)}, sizeof(bool));
        return 0;
    }
    if (!json_is_integer(json))
        return complain(at, in->err, "must be a whole number");
    if (!put_number(f->type, to, json_integer_value(json)))
        return complain(at, in->err, "is out of range");
    return 0;
}

/* How many elements the list must have. A loose document that gives a counted list without its counter sets
 * the counter. */
static int count_read(const struct reading *in, const struct field *f, size_t listed, const struct place *at)
{
    if (listed > f->count)
        return complain(at, in->err, "has too many elements");
    if (!f->counted_by)
        return in->strict && listed != f->count ? complain(at, in->err, "has too few elements") : 0;
    const struct field *counter = field_named(in->table, slice_of(f->counted_by));
    if (!in->strict && counter && !json_object_get(in->json, f->counted_by)) {
        if (!put_number(counter->type, in->state + counter->offset, (int64_t)listed))
            return complain(at, in->err, "has too many elements");
        return 0;
    }
    if (!counter || get_number(counter->type, in->state + counter->offset) != (int64_t)listed)
        return complain(at, in->err, "does not have as many elements as its counter says");
    return 0;
}

static int array_read(const struct reading *in, const struct field *f, const json_t *list,
                      const struct place *at)
{
    if (!json_is_array(list))
        return complain(at, in->err, "must be a list");
    size_t listed = json_array_size(list);
    char *to = in->state + f->offset;
    if (count_read(in, f, listed, at) < 0)
        return -1;
    for (size_t i = 0; i < listed; i++) {
        struct place element = {at->up, f->name, (int)i};
        if (element_read(in, f, to + i * f->size, json_array_get(list, i), &element) < 0)
            return -1;
    }
    if (f->counted_by) /* equal documents give equal bytes */
        memset(to + listed * f->size, 0, (f->count - listed) * f->size);
    return 0;
}

static int table_read(const struct reading *in)
{
    if (!json_is_object(in->json))
        return complain(in->up, in->err, "must be an object");
    const char *key;
    json_t *value;
    json_object_foreach ((json_t *)(uintptr_t)in->json, key, value) {
        struct place at = {in->up, key, -1};
        if (!field_named(in->table, slice_of(key)))
            return complain(&at, in->err, "is unknown");
    }
    for (const struct field *f = in->table; f->name; f++) {
        struct place at = {in->up, f->name, -1};
        value = json_object_get(in->json, f->name);
        if (!value) {
            if (in->strict)
                return complain(&at, in->err, "is missing");
            continue;
        }
        int rc =
            f->count ? array_read(in, f, value, &at) : element_read(in, f, in->state + f->offset, value, &at);
        if (rc < 0)
            return -1;
    }
    return 0;
}

int fields_read(const struct field *table, void *state, const json_t *json, int strict, struct err *err)
{
    struct place top = {NULL, NULL, -1};
    return table_read(&(struct reading){table, state, json, &top, strict != 0, err});
}

/* ---- canonical bytes, without a document in between ---- */

/* The fields of a table in the order of their names. */
struct order {
    const struct field *field[FIELDS_MAX];
    size_t count;
};

static void order_of(const struct field *table, struct order *order)
{
    order->count = 0;
    for (const struct field *f = table; f->name; f++) {
        assert(order->count < FIELDS_MAX);
        size_t at = order->count++;
        for (; at && strcmp(f->name, order->field[at - 1]->name) < 0; at--)
            order->field[at] = order->field[at - 1];
        order->field[at] = f;
    }
}

/* NOLINTBEGIN(misc-no-recursion): tables are ours and nest a few deep. */
static void write_struct(struct str *out, const struct field *table, const struct order *order,
                         const char *base);

static void write_elements(struct str *out, const struct field *f, const char *at, size_t count)
{
    struct order order;
    if (f->type == FIELD_STRUCT && count)
        order_of(f->sub, &order);
    for (size_t i = 0; i < count; i++, at += f->size) {
        if (i)
            str_addc(out, ',');
        if (f->type == FIELD_STRUCT)
            write_struct(out, f->sub, &order, at);
        else if (f->type == FIELD_BOOL)
            str_adds(out, get_number(f->type, at) ? "true" : "false");
        else
            str_addn(out, get_number(f->type, at));
    }
}

static void write_struct(struct str *out, const struct field *table, const struct order *order,
                         const char *base)
{
    str_addc(out, '{');
    for (size_t i = 0; i < order->count; i++) {
        const struct field *f = order->field[i];
        if (i)
            str_addc(out, ',');
        json_write_string(out, f->name, strlen(f->name));
        str_addc(out, ':');
        if (f->count)
            str_addc(out, '[');
        write_elements(out, f, base + f->offset, f->count ? used_count(table, f, base) : 1);
        if (f->count)
            str_addc(out, ']');
    }
    str_addc(out, '}');
}
/* NOLINTEND(misc-no-recursion) */

void fields_write(struct str *out, const struct field *table, const void *state)
{
    struct order order;
    order_of(table, &order);
    write_struct(out, table, &order, state);
}

void fields_digest(const struct field *table, const void *state, unsigned char digest[32])
{
    struct str bytes = STR_INIT;
    fields_write(&bytes, table, state);
    crypto_generichash(digest, 32, (const unsigned char *)bytes.p, bytes.len, NULL, 0);
    str_release(&bytes);
}

/* NOLINTEND(misc-no-recursion) */
