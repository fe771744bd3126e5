#include "suite.h"

#include "base/json.h"
#include "base/value.h"

static uint32_t seed = 1;

static uint32_t roll(uint32_t n)
{
    seed = seed * 1664525U + 1013904223U;
    return (seed >> 8) % n;
}

static json_t *random_json(int depth)
{
    static const char *const texts[] = {"",        "a", "Gr\xC3\xBC\xC3\x9F", "line\nend", "\"quoted\\\"",
                                        "\x01\x7F"};
    json_t *json;
    switch (roll(depth > 3 ? 5 : 8)) {
    case 0: return json_null();
    case 1: return json_boolean(roll(2));
    case 2: return json_integer((json_int_t)roll(2000) - 1000);
    case 3: return json_real(roll(100) / 8.0);
    case 4: return json_string(texts[roll(6)]);
    case 5:
    case 6:
        json = json_object();
        for (uint32_t i = roll(depth ? 12 : 90); i; i--) {
            char name[24];
            snprintf(name, sizeof name, "%.*s%u", (int)roll(14), "seatnamesteps", roll(40));
            json_object_set_new(json, name, random_json(depth + 1));
        }
        return json;
    default:
        json = json_array();
        for (uint32_t i = roll(6); i; i--)
            json_array_append_new(json, random_json(depth + 1));
        return json;
    }
}

/* There and back, and the same canonical bytes. */
START_TEST(documents_are_the_same)
{
    struct arena arena = {NULL, NULL, 0};
    for (int i = 0; i < 500; i++) {
        struct str ours = STR_INIT, theirs = STR_INIT;
        json_t *json = random_json(0);
        struct value *value = value_of_json(&arena, json);
        json_t *back = value_json(value);
        json_write(&theirs, json);
        value_write(&ours, value);
        ck_assert_str_eq(ours.p, theirs.p);
        ck_assert(json_equal(json, back));
        json_decref(json);
        json_decref(back);
        arena_clear(&arena);
        str_release(&ours);
        str_release(&theirs);
    }
    arena_release(&arena);
}
END_TEST

/* As if the JSON were made first. */
static void whole_as_json(const struct value *value)
{
    struct str ours = STR_INIT, theirs = STR_INIT;
    json_t *json = value_json(value);
    value_write(&ours, value);
    json_write(&theirs, json);
    ck_assert_str_eq(ours.p, theirs.p);
    json_decref(json);
    str_release(&ours);
    str_release(&theirs);
}

static void check(const struct value *value, const char *expected)
{
    struct str text = STR_INIT;
    value_write(&text, value);
    ck_assert_str_eq(text.p, expected);
    str_release(&text);
    whole_as_json(value);
}

START_TEST(made_by_hand)
{
    struct arena arena = {NULL, NULL, 0};
    struct value *object = value_object(&arena);
    struct value *list = value_put_list(object, "list");
    value_put_int(object, "seats", 3);
    value_put_int(object, "seat", 2);
    value_put_text(object, "name", "a\xFF");
    value_put_amount(object, "none", 0);
    value_put_amount(object, "some", 7);
    value_put_flag(object, "name", true); /* replaces */
    value_put(object, "lost", &value_false);
    value_add_int(list, -5);
    check(object,
          "{\"list\":[-5],\"lost\":false,\"name\":true,\"none\":false,\"seat\":2,\"seats\":3,\"some\":7}");
    ck_assert_uint_eq(value_count(object), 7);
    ck_assert(value_is_true(value_get(object, "name")) && !value_is_true(value_get(object, "lost")));
    ck_assert(!value_is_true(value_get(object, "nothing")) && !value_get(object, "nothing"));
    ck_assert_int_eq(value_get(object, "seat")->number, 2);
    value_put_text(object, "name", "a\xFF");
    ck_assert_str_eq(value_get(object, "name")->text.p, "a\xEF\xBF\xBD");
    arena_release(&arena);
}
END_TEST

/* A name is as long as it says, and what comes after it in memory is not its own. */
START_TEST(names_have_lengths)
{
    struct arena arena = {NULL, NULL, 0};
    struct value *object = value_object(&arena);
    static const char *const parts[] = {"seat.x", "seat", "seat0", "sea/z"};
    static const size_t lengths[] = {4, 3, 5, 3}; /* "sea" again: it replaces */
    for (size_t i = 0; i < 4; i++) {
        const struct value_name name = value_name((struct slice){parts[i], lengths[i]});
        struct value number = {.kind = VALUE_INTEGER, .number = (int64_t)i};
        value_put_named(object, &name, &number);
    }
    check(object, "{\"sea\":3,\"seat\":0,\"seat0\":2}");
    static const char nuls[] = "a\0a\0b";
    struct value *odd = value_object(&arena);
    for (int i = 2; i >= 0; i--) { /* with NUL inside */
        const struct value_name name = value_name((struct slice){&nuls[i > 1 ? 2 : 0], i ? 3 : 1});
        struct value number = {.kind = VALUE_INTEGER, .number = i};
        value_put_named(odd, &name, &number);
    }
    struct str text = STR_INIT;
    value_write(&text, odd);
    ck_assert_str_eq(text.p, "{\"a\":0,\"a\\u0000a\":1,\"a\\u0000b\":2}");
    str_release(&text);
    arena_release(&arena);
}
END_TEST

START_TEST(lists_and_objects_are_shared)
{
    struct arena arena = {NULL, NULL, 0};
    struct value *both = value_list(&arena);
    struct value *players = value_list(&arena);
    struct value *one = value_add_object(players);
    value_put_int(one, "n", 1);
    value_add(both, players);
    value_add(both, value_copy(&arena, players));
    value_put_int(value_add_object(players), "n", 2);
    value_put_flag(one, "own", true);
    check(both, "[[{\"n\":1,\"own\":true},{\"n\":2}],[{\"n\":1,\"own\":true}]]");
    struct value *copy = value_copy(&arena, one);
    value_put_int(copy, "n", 3);
    check(one, "{\"n\":1,\"own\":true}");
    check(copy, "{\"n\":3,\"own\":true}");
    value_mark_more(players);
    check(players, "[{\"more\":true,\"n\":1,\"own\":true},{\"more\":false,\"n\":2}]");
    value_put_int(value_put_object(one, "in"), "m", 4);
    check(one, "{\"in\":{\"m\":4},\"more\":true,\"n\":1,\"own\":true}");
    arena_release(&arena);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, documents_are_the_same);
    tcase_add_test(tc, made_by_hand);
    tcase_add_test(tc, names_have_lengths);
    tcase_add_test(tc, lists_and_objects_are_shared);
}
TEST_MAIN_TOGETHER("base/value", cases)
