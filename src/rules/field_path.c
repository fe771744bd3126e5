#include "rules/field_path.h"

#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"

#define NAMED_MOST 30

/* One step of a path: a name, or an index. */
struct part {
    struct slice name; /* len 0: an index */
    size_t index;
};

static bool in_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Takes the next part off the path; false when it is none. */
static bool next_part(struct slice *path, bool first, struct part *part)
{
    struct slice rest = *path;
    size_t len = 0;
    *part = (struct part){{"", 0}, 0};
    if (rest.len && rest.p[0] == '[') {
        for (len = 1; len < rest.len && rest.p[len] >= '0' && rest.p[len] <= '9' && len < 6; len++)
            part->index = part->index * 10 + (size_t)(rest.p[len] - '0');
        if (len == 1 || len == rest.len || rest.p[len] != ']')
            return false;
        *path = slice_sub(rest, len + 1, rest.len);
        return true;
    }
    if (!first && (!rest.len || rest.p[0] != '.'))
        return false;
    rest = slice_sub(rest, !first, rest.len);
    while (len < rest.len && in_name(rest.p[len]))
        len++;
    part->name = slice_sub(rest, 0, len);
    *path = slice_sub(rest, len, rest.len);
    return len > 0;
}

/* There is no such name; says which ones there are. */
static void no_such_name(json_t *object, const char *name, struct err *err)
{
    struct str all = STR_INIT;
    struct nearest nearest = NEAREST_INIT(name);
    const char *key;
    json_t *value;
    int count = 0;
    json_object_foreach (object, key, value) {
        nearest_offer(&nearest, key);
        if (count++ < NAMED_MOST)
            str_addf(&all, "%s%s", all.len ? ", " : "", key);
    }
    if (nearest.best)
        (void)err_set(err, ERR_INPUT, "There is no field \"%s\"; did you mean \"%s\"?", name, nearest.best);
    else
        (void)err_set(err, ERR_INPUT, "There is no field \"%s\"; there are: %s.", name, all.p);
    str_release(&all);
}

static json_t *take_part(json_t *at, const struct part *part, struct err *err)
{
    if (!part->name.len) {
        json_t *value = json_is_array(at) ? json_array_get(at, part->index) : NULL;
        if (!json_is_array(at))
            (void)err_set(err, ERR_INPUT, "[%zu] comes after something that is no list.", part->index);
        else if (!value)
            (void)err_set(err, ERR_INPUT, "There is no [%zu]: the list has %zu elements, counted from 0.",
                          part->index, json_array_size(at));
        return value;
    }
    char *name = slice_dup(slice_sub(part->name, 0, 60));
    json_t *value = json_object_get(at, name);
    if (!json_is_object(at))
        (void)err_set(err, ERR_INPUT, "\"%s\" comes after something that has no fields.", name);
    else if (!value)
        no_such_name(at, name, err);
    free(name);
    return value;
}

/* Walks along the path; *up is the last value's container, and *last the part that names it there. */
static json_t *walk(json_t *document, struct slice path, json_t **up, struct part *last, struct err *err)
{
    json_t *at = document;
    bool first = true;
    while (at && (first || path.len)) {
        *up = at;
        if (!next_part(&path, first, last)) {
            (void)err_set(err, ERR_INPUT, "A field is named like player[1].metal.");
            return NULL;
        }
        at = take_part(at, last, err);
        first = false;
    }
    return at;
}

json_t *field_path_get(json_t *document, struct slice path, struct err *err)
{
    struct part last;
    json_t *up;
    return walk(document, path, &up, &last, err);
}

int field_path_set(json_t *document, struct slice path, json_t *value, struct err *err)
{
    struct part last;
    json_t *up;
    if (!walk(document, path, &up, &last, err))
        return -1;
    char *name = slice_dup(last.name);
    int rc = last.name.len ? json_object_set(up, name, value) : json_array_set(up, last.index, value);
    free(name);
    return rc;
}
