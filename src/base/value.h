/* Values as JSON has them, in an arena: what views, and through them reports, are made of. A turn makes some
 * thousands of them, writes them once and drops them together, which costs a fifth of the same number of
 * jansson values.
 *
 * Lists and objects are shared, not copied, when they are put somewhere; an addition to one shows everywhere.
 * Nothing is ever removed. All of it is valid until the arena is cleared. */
#ifndef BASE_VALUE_H
#define BASE_VALUE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"

enum value_kind {
    VALUE_NULL,
    VALUE_FALSE,
    VALUE_TRUE,
    VALUE_INTEGER,
    VALUE_REAL, /* never in views */
    VALUE_TEXT,
    VALUE_LIST,
    VALUE_OBJECT
};

/* A set of names with false positives: most names that templates ask for are not in most objects. */
struct name_set {
    uint64_t bits[4];
};

#define VALUE_BUCKETS 8 /* a power of two */

/* The name of a member, and what is quickly compared. */
struct value_name {
    const char *p;
    uint32_t len;
    uint32_t place; /* in a name_set, 0..255 */
};

struct value {
    enum value_kind kind;
    struct value_name name; /* of a member */
    struct value *next;     /* after it in its list or object */
    struct value *other;    /* the next member in its bucket */
    union {
        int64_t number;
        double real;
        struct slice text;     /* valid UTF-8 */
        struct values *values; /* of a list or an object */
    };
};

/* What a list or an object holds. */
struct values {
    struct arena *arena;
    struct value *first, *last;
    size_t count;
    /* Of objects only: */
    struct name_set names;
    struct value *bucket[VALUE_BUCKETS]; /* members by the place of their names */
};

extern const struct value value_false;

/* ---- making ---- */

struct value *value_object(struct arena *arena);
struct value *value_list(struct arena *arena);
static inline struct value_name value_name(struct slice text)
{
    const unsigned char *c = (const unsigned char *)text.p;
    const uint32_t len = (uint32_t)text.len;
    uint32_t place = 0;
    if (len)
        place = ((c[0] * 37U + c[len / 2]) * 37U + c[len - 1] + len) & 255;
    return (struct value_name){text.p, len, place};
}
/* The member of this name, new or to be replaced; the caller fills it. */
struct value *value_member(struct value *object, const struct value_name *name, enum value_kind kind);
/* The value must be from the list's or object's arena. */
void value_set_text(struct value *value, struct arena *arena, struct slice text);

/* Put a member into an object; one of the same name is replaced. Names are borrowed: constants, or of the
 * same arena. Texts are copied; invalid UTF-8 is made safe. Inline, because what is known of a constant name
 * is then found out by the compiler. */
void value_put_named(struct value *object, const struct value_name *name, const struct value *value);
static inline void value_put(struct value *object, const char *name, const struct value *value)
{
    const struct value_name full = value_name(slice_of(name));
    value_put_named(object, &full, value);
}
static inline struct value *value_put_kind(struct value *object, const char *name, enum value_kind kind)
{
    const struct value_name full = value_name(slice_of(name));
    return value_member(object, &full, kind);
}
static inline void value_put_int(struct value *object, const char *name, int64_t number)
{
    value_put_kind(object, name, VALUE_INTEGER)->number = number;
}
static inline void value_put_flag(struct value *object, const char *name, bool flag)
{
    (void)value_put_kind(object, name, flag ? VALUE_TRUE : VALUE_FALSE);
}
/* False when it is 0, so that a template's lookup does not find an outer one. */
static inline void value_put_amount(struct value *object, const char *name, int64_t amount)
{
    value_put_kind(object, name, amount ? VALUE_INTEGER : VALUE_FALSE)->number = amount;
}
static inline void value_put_slice(struct value *object, const char *name, struct slice text)
{
    value_set_text(value_put_kind(object, name, VALUE_TEXT), object->values->arena, text);
}
static inline void value_put_text(struct value *object, const char *name, const char *text)
{
    value_put_slice(object, name, slice_of(text));
}
struct value *value_put_object(struct value *object, const char *name); /* a new, empty one */
struct value *value_put_list(struct value *object, const char *name);
/* Appends an element to a list. */
void value_add(struct value *list, const struct value *value);
void value_add_int(struct value *list, int64_t number);
struct value *value_add_object(struct value *list); /* a new, empty one */
/* A new list or object with the same elements or members. */
struct value *value_copy(struct arena *arena, const struct value *value);

/* Marks each element of a list of objects with "more": true, but the last one false, for the commas between
 * them. */
void value_mark_more(struct value *list);

/* ---- looking ---- */

/* Of elements or members; 0 for other values. */
static inline size_t value_count(const struct value *value)
{
    return value->kind >= VALUE_LIST ? value->values->count : 0;
}
/* The first of them, or NULL; the others follow by `next`. */
static inline struct value *value_first(const struct value *value)
{
    return value->kind >= VALUE_LIST ? value->values->first : NULL;
}
/* Where a list or an object came from. */
static inline struct arena *value_arena(const struct value *value)
{
    return value->values->arena;
}
static inline bool value_is_true(const struct value *value) /* NULL is not */
{
    return value && value->kind == VALUE_TRUE;
}
/* The names of an object's members; NULL for other values. */
static inline const struct name_set *value_names(const struct value *value)
{
    return value->kind == VALUE_OBJECT ? &value->values->names : NULL;
}
static inline bool name_set_holds(const struct name_set *set, unsigned place)
{
    return set->bits[place / 64] >> place % 64 & 1;
}
static inline bool value_named(const struct value *member, const struct value_name *name)
{
    return member->name.place == name->place && member->name.len == name->len &&
           memcmp(member->name.p, name->p, name->len) == 0;
}
/* A member, or NULL; NULL also when `object` is none. */
static inline struct value *value_find(const struct value *object, const struct value_name *name)
{
    struct value *member = NULL;
    if (object->kind == VALUE_OBJECT)
        member = object->values->bucket[name->place % VALUE_BUCKETS];
    while (member && !value_named(member, name))
        member = member->other;
    return member;
}
/* A member, or NULL. */
static inline struct value *value_get(const struct value *object, const char *name)
{
    const struct value_name full = value_name(slice_of(name));
    return value_find(object, &full);
}

/* ---- JSON ---- */

void value_write(struct str *out, const struct value *value); /* canonical bytes (base/json.h) */
json_t *value_json(const struct value *value);                /* new reference */
/* The names are borrowed from the document, which must live as long. NULL is VALUE_NULL. */
struct value *value_of_json(struct arena *arena, const json_t *json);
/* Puts the members of a JSON object into an object. */
void value_put_json(struct value *object, const json_t *json);

#endif
