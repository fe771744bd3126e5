/* Looking up names: the members of each object that a template looks into are listed once. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"
#include "report/mustache_private.h"

#define OBJECTS 256 /* lists of the memo; a power of two */
#define BUCKETS 16  /* of a list; a power of two */

struct member {
    struct member *next; /* in its bucket */
    const char *name;
    size_t len;
    const json_t *value;
    unsigned place;
};

struct names {
    struct names *next; /* in the same list of the memo */
    const json_t *object;
    struct name_set set;
    struct member *bucket[BUCKETS];
};

struct mustache_memo {
    struct arena arena;
    struct names *list[OBJECTS]; /* by the object's address */
};

struct mustache_memo *mustache_memo_new(void)
{
    return mem_alloc(sizeof(struct mustache_memo));
}

void mustache_memo_clear(struct mustache_memo *memo)
{
    arena_clear(&memo->arena);
    memset(memo->list, 0, sizeof memo->list);
}

void mustache_memo_free(struct mustache_memo *memo)
{
    if (!memo)
        return;
    arena_release(&memo->arena);
    free(memo);
}

static struct names **list_of(struct mustache_memo *memo, const json_t *object)
{
    uintptr_t address = (uintptr_t)object;
    return &memo->list[(address >> 4 ^ address >> 12) & (OBJECTS - 1)];
}

static void member_add(struct names *names, struct member *member, void *at)
{
    member->name = json_object_iter_key(at);
    member->len = json_object_iter_key_len(at);
    member->value = json_object_iter_value(at);
    member->place = name_place(member->name, member->len);
    struct member **bucket = &names->bucket[member->place & (BUCKETS - 1)];
    member->next = *bucket;
    *bucket = member;
    set_add(&names->set, member->place);
}

static struct names *names_make(struct mustache_memo *memo, const json_t *value)
{
    json_t *object = (json_t *)(uintptr_t)value;
    struct names *names = arena_take(&memo->arena, sizeof *names);
    struct member *member = arena_take(&memo->arena, json_object_size(object) * sizeof *member);
    memset(names, 0, sizeof *names);
    names->object = value;
    for (void *at = json_object_iter(object); at; at = json_object_iter_next(object, at))
        member_add(names, member++, at);
    return names;
}

const struct names *names_of(struct mustache_memo *memo, const json_t *object)
{
    struct names **list = list_of(memo, object);
    for (struct names *names = *list; names; names = names->next)
        if (names->object == object)
            return names;
    struct names *names = names_make(memo, object);
    names->next = *list;
    return *list = names;
}

const struct name_set *names_set(const struct names *names)
{
    return &names->set;
}

const json_t *names_find(const struct names *names, unsigned place, struct slice name)
{
    const struct member *member = names->bucket[place & (BUCKETS - 1)];
    while (member &&
           (member->place != place || member->len != name.len || memcmp(member->name, name.p, name.len) != 0))
        member = member->next;
    return member ? member->value : NULL;
}
