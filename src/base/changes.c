#include "base/changes.h"

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

#define MANY 4

/* NOLINTBEGIN(misc-no-recursion): as deep as the documents, whose depth jansson and the field tables bound */

struct comparing {
    json_t *list;
    struct str path;
};

static void compare(struct comparing *c, const json_t *before, const json_t *after);

static void add_change(struct comparing *c, const json_t *before, const json_t *after)
{
    json_t *change = json_object();
    json_object_set_new(change, "path", json_stringn(c->path.p, c->path.len));
    if (before)
        json_object_set_new(change, "before", json_deep_copy(before));
    if (after)
        json_object_set_new(change, "after", json_deep_copy(after));
    json_array_append_new(c->list, change);
}

static json_t *part_of(const json_t *list, size_t from, size_t to)
{
    json_t *part = json_array();
    for (size_t i = from; i < to; i++)
        json_array_append(part, json_array_get(list, i));
    return part;
}

/* A list of plain values with many differences, such as a shuffled pile, is reported as one change. */
static bool is_many(const json_t *before, const json_t *after, size_t from, size_t to)
{
    size_t differ = 0;
    for (size_t i = from; i < to; i++) {
        const json_t *was = json_array_get(before, i);
        const json_t *is = json_array_get(after, i);
        if (json_is_object(was) || json_is_array(was) || json_is_object(is) || json_is_array(is))
            return false;
        differ += !json_equal(was, is);
    }
    return differ > MANY;
}

static void compare_lists(struct comparing *c, const json_t *before, const json_t *after)
{
    size_t old = json_array_size(before);
    size_t new = json_array_size(after);
    size_t len = c->path.len;
    size_t from = 0;
    while (from < old && from < new &&json_equal(json_array_get(before, from), json_array_get(after, from)))
        from++;
    while (old > from && new > from &&
           json_equal(json_array_get(before, old - 1), json_array_get(after, new - 1))) {
        old--;
        new --;
    }
    bool in_pairs = json_array_size(before) == json_array_size(after) && !is_many(before, after, from, old);
    for (size_t i = from; in_pairs && i < old; i++) {
        str_addf(&c->path, "[%zu]", i);
        compare(c, json_array_get(before, i), json_array_get(after, i));
        str_cut(&c->path, len);
    }
    if (in_pairs)
        return;
    json_t *was = part_of(before, from, old);
    json_t *is = part_of(after, from, new);
    str_addf(&c->path, "[%zu]", from);
    add_change(c, was, is);
    str_cut(&c->path, len);
    json_decref(was);
    json_decref(is);
}

static void compare_member(struct comparing *c, const char *name, const json_t *before, const json_t *after)
{
    size_t len = c->path.len;
    str_addf(&c->path, "%s%s", len ? "." : "", name);
    compare(c, before, after);
    str_cut(&c->path, len);
}

/* The next of both objects' names in order, after `last` (NULL: the first); NULL = no more. */
static const char *next_name(const json_t *before, const json_t *after, const char *last)
{
    const char *best = NULL;
    const char *name;
    json_t *value;
    for (int i = 0; i < 2; i++) {
        json_object_foreach ((json_t *)(uintptr_t)(i ? after : before), name, value) {
            if ((!last || strcmp(name, last) > 0) && (!best || strcmp(name, best) < 0))
                best = name;
        }
    }
    return best;
}

static void compare(struct comparing *c, const json_t *before, const json_t *after)
{
    if (before && after && json_equal(before, after))
        return;
    if (json_is_array(before) && json_is_array(after)) {
        compare_lists(c, before, after);
        return;
    }
    if (!json_is_object(before) || !json_is_object(after)) {
        add_change(c, before, after);
        return;
    }
    for (const char *name = NULL; (name = next_name(before, after, name)) != NULL;)
        compare_member(c, name, json_object_get(before, name), json_object_get(after, name));
}

/* NOLINTEND(misc-no-recursion) */

json_t *json_changes(const json_t *before, const json_t *after)
{
    struct comparing c = {json_array(), STR_INIT};
    compare(&c, before, after);
    str_release(&c.path);
    return c.list;
}
