/* Where mails came from, and when. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "publish/suspicion_parts.h"

struct path {
    int64_t time;
    unsigned char digest[CATALOG_PATH];
};
struct person {
    char name[PLAYER_NAME];
    struct path *path; /* in the order of time */
    size_t count, cap;
};
struct people {
    struct person *person;
    size_t count, cap;
    json_t *index; /* name -> place */
    int64_t since;
};

static int take_path(void *arg, int64_t time, const unsigned char digest[CATALOG_PATH], struct err *err)
{
    struct person *person = arg;
    (void)err;
    person->path = mem_grow(person->path, person->count, &person->cap, sizeof *person->path);
    struct path *path = &person->path[person->count++];
    path->time = time;
    memcpy(path->digest, digest, CATALOG_PATH);
    return 0;
}

/* NULL on error. */
static const struct person *person_of(struct people *people, struct catalog *catalog, const char *name,
                                      struct err *err)
{
    const json_t *known = json_object_get(people->index, name);
    if (known)
        return &people->person[json_integer_value(known)];
    people->person = mem_grow(people->person, people->count, &people->cap, sizeof *people->person);
    struct person *person = &people->person[people->count];
    *person = (struct person){.count = 0};
    (void)snprintf(person->name, sizeof person->name, "%s", name);
    if (catalog_each_path(catalog, name, take_path, person, err)) {
        free(person->path);
        return NULL;
    }
    json_object_set_new(people->index, name, json_integer((json_int_t)people->count++));
    if (person->count && (!people->since || person->path[0].time < people->since))
        people->since = person->path[0].time;
    return person;
}

static bool is_known(const struct path *path)
{
    static const unsigned char zeros[CATALOG_PATH];
    return memcmp(path->digest, zeros, CATALOG_PATH) != 0;
}

static bool uses(const struct person *person, const unsigned char digest[CATALOG_PATH])
{
    for (size_t i = 0; i < person->count; i++)
        if (memcmp(person->path[i].digest, digest, CATALOG_PATH) == 0)
            return true;
    return false;
}

/* The mails of which the network is known, and those of them from networks that the other one uses; *users
 * becomes the most players that use one of these. */
static json_t *count_shared(const struct person *one, const struct person *other, struct catalog *catalog,
                            int64_t *users, struct err *err)
{
    int mails = 0, shared = 0;
    for (size_t i = 0; i < one->count; i++) {
        int64_t count = 0;
        if (!is_known(&one->path[i]))
            continue;
        mails++;
        if (!uses(other, one->path[i].digest))
            continue;
        shared++;
        if (catalog_path_users(catalog, one->path[i].digest, &count, err))
            return NULL;
        if (count > *users)
            *users = count;
    }
    return json_pack("{s:i,s:i}", "mails", mails, "shared", shared);
}

/* Mails of the one that came close in time to one of the other's. */
static int count_near(const struct person *one, const struct person *other)
{
    int near = 0;
    size_t at = 0;
    for (size_t i = 0; i < one->count; i++) {
        while (at < other->count && other->path[at].time < one->path[i].time - SUSPICION_NEAR)
            at++;
        near += at < other->count && other->path[at].time <= one->path[i].time + SUSPICION_NEAR;
    }
    return near;
}

/* Besides the pair: the other players with whom `one` shares a game. */
static json_t *count_minutes(struct people *people, const struct suspicion *all, const struct person *one,
                             const struct person *other)
{
    int sum = 0, others = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct suspicion_pair *pair = &all->pair[i];
        int side = strcmp(pair->name[0], one->name) == 0 ? 1 : strcmp(pair->name[1], one->name) == 0 ? 0 : -1;
        if (side < 0 || strcmp(pair->name[side], other->name) == 0 || !json_array_size(pair->games))
            continue;
        const json_t *known = json_object_get(people->index, pair->name[side]);
        if (!known)
            continue;
        sum += count_near(one, &people->person[json_integer_value(known)]);
        others++;
    }
    return json_pack("{s:I,s:i,s:i}", "mails", (json_int_t)one->count, "near", count_near(one, other),
                     "others_tenths", others ? 10 * sum / others : 0);
}

static int add_mails(struct people *people, const struct suspicion *all, json_t *pair, struct err *err)
{
    /* Both exist already, so that neither moves. */
    const struct person *a =
        person_of(people, all->catalog, json_string_value(json_object_get(pair, "a")), err);
    const struct person *b =
        person_of(people, all->catalog, json_string_value(json_object_get(pair, "b")), err);
    int64_t users = 0;
    if (!a || !b)
        return -1;
    json_t *of_a = count_shared(a, b, all->catalog, &users, err);
    json_t *of_b = of_a ? count_shared(b, a, all->catalog, &users, err) : NULL;
    if (!of_a || !of_b) {
        json_decref(of_a);
        return -1;
    }
    json_object_set_new(
        pair, "network",
        json_pack("{s:o,s:o,s:I}", "a", of_a, "b", of_b, "others", (json_int_t)(users > 2 ? users - 2 : 0)));
    json_object_set_new(
        pair, "minutes",
        json_pack("{s:o,s:o}", "a", count_minutes(people, all, a, b), "b", count_minutes(people, all, b, a)));
    return 0;
}

int suspicion_mails(struct suspicion *all, json_t *pairs, int64_t *since, struct err *err)
{
    struct people people = {.index = json_object()};
    size_t i;
    json_t *pair;
    int rc = 0;
    json_array_foreach (pairs, i, pair)
        if (rc == 0 &&
            (!person_of(&people, all->catalog, json_string_value(json_object_get(pair, "a")), err) ||
             !person_of(&people, all->catalog, json_string_value(json_object_get(pair, "b")), err)))
            rc = -1;
    json_array_foreach (pairs, i, pair)
        if (rc == 0)
            rc = add_mails(&people, all, pair, err);
    *since = people.since;
    for (i = 0; i < people.count; i++)
        free(people.person[i].path);
    free(people.person);
    json_decref(people.index);
    return rc;
}
