#include "rules/picture.h"

#include "rules/put.h"

#include <string.h>

int look_int(const struct value *object, const char *name)
{
    const struct value *member = object ? value_get(object, name) : NULL;
    return member && member->kind == VALUE_INTEGER ? (int)member->number : 0;
}

bool look_flag(const struct value *object, const char *name)
{
    const struct value *member = object ? value_get(object, name) : NULL;
    return member && member->kind != VALUE_FALSE && member->kind != VALUE_NULL;
}

struct slice look_text(const struct value *object, const char *name)
{
    const struct value *member = object ? value_get(object, name) : NULL;
    return member && member->kind == VALUE_TEXT ? member->text : (struct slice){"", 0};
}

struct value *look_first(const struct value *object, const char *name)
{
    const struct value *member = object ? value_get(object, name) : NULL;
    return member ? value_first(member) : NULL;
}

int look_count(const struct value *object, const char *name)
{
    const struct value *member = object ? value_get(object, name) : NULL;
    return member ? (int)value_count(member) : 0;
}

const struct value *look_seat(const struct value *first, int seat)
{
    while (first && look_int(first, "seat") != seat)
        first = first->next;
    return first;
}

static bool same(struct slice one, struct slice other)
{
    return one.len == other.len && memcmp(one.p, other.p, one.len) == 0;
}

const struct value *look_named(const struct value *first, const char *member, struct slice text)
{
    while (first && !same(look_text(first, member), text))
        first = first->next;
    return first;
}

bool look_same(const struct value *object, const struct value *other, const char *name)
{
    return same(look_text(object, name), look_text(other, name));
}

void mark_cube(struct value *cube, char letter, int many)
{
    const char text[] = {letter, '\0'};
    put(cube, "letter=%s many+=%d tens?=%d", text, many > 1 ? many : 0, many > 9);
}
