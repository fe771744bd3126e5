#include "rules/picture.h"

#include <string.h>

void put_spot(struct value *object, struct spot spot)
{
    value_put_int(object, "x", spot.x);
    value_put_int(object, "y", spot.y);
}

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

const struct value *look_first(const struct value *object, const char *name)
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

const struct value *look_named(const struct value *first, const char *member, struct slice text)
{
    for (; first; first = first->next) {
        struct slice has = look_text(first, member);
        if (has.len == text.len && memcmp(has.p, text.p, text.len) == 0)
            return first;
    }
    return NULL;
}

void put_who(struct value *object, const struct value *player)
{
    value_put_int(object, "seat", look_int(player, "seat"));
    if (look_text(player, "who").len)
        value_put_slice(object, "who", look_text(player, "who"));
    else
        value_put_flag(object, "who", false);
}
