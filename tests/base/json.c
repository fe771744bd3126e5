#include "suite.h"

#include <string.h>

#include "base/json.h"

/* jansson's own canonical form is the reference. */
static void same(const json_t *value)
{
    struct str ours = STR_INIT;
    char *theirs = json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY);
    json_write(&ours, value);
    ck_assert_str_eq(ours.p, theirs);
    free(theirs);
    str_release(&ours);
}

START_TEST(as_jansson_writes)
{
    static const char *const documents[] = {
        "{}",
        "[]",
        "0",
        "-1",
        "9223372036854775807",
        "-9223372036854775808",
        "true",
        "[false,null,\"\"]",
        "{\"b\":1,\"a\":[1,2,{\"z\":\"\",\"y\":{}}],\"ab\":\"x\",\"A\":2,\"\":3}",
        "\"\\u0001\\b\\t\\n\\f\\r\\\"\\\\/ \\u007f \\u00e9 \\u20ac \\ud83d\\ude80\"",
        "[[[[[[[[]]]]]]]]",
        "{\"k\\n\":\"v\"}"};
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
        json_t *value = json_loads(documents[i], JSON_DECODE_ANY, NULL);
        ck_assert_ptr_nonnull(value);
        same(value);
        json_decref(value);
    }
}
END_TEST

START_TEST(many_keys)
{
    json_t *value = json_object();
    for (int i = 0; i < 500; i++) {
        struct str key = STR_INIT;
        str_addf(&key, "k%d", i * 7919 % 500);
        json_object_set_new(value, key.p, json_integer(i));
        str_release(&key);
    }
    same(value);
    json_decref(value);
}
END_TEST

START_TEST(reading_is_strict)
{
    struct err err = ERR_INIT;
    ck_assert_ptr_null(json_read(slice_of("{\"a\":1,\"a\":2}"), "thing", &err));
    ck_assert_int_eq(err.code, ERR_BROKEN);
    ck_assert(str_starts(err.text, "thing: line 1"));
    err_clear(&err);
    ck_assert_ptr_null(json_read(slice_of("{} x"), "thing", &err));
    err_clear(&err);
    json_t *value = json_read(slice_of("{\"n\":3,\"s\":\"x\",\"l\":[]}"), "thing", &err);
    int64_t n;
    const char *s;
    ck_assert_ptr_nonnull(value);
    ck_ok(json_need_int(value, "n", 0, 3, &n, "thing", &err), err);
    ck_assert_int_eq(json_need_int(value, "n", 4, 9, &n, "thing", &err), -1);
    ck_assert_ptr_nonnull(strstr(err.text, "\"n\" is 3 but must be 4 to 9"));
    err_clear(&err);
    ck_assert_int_eq(json_need_string(value, "n", &s, "thing", &err), -1);
    err_clear(&err);
    ck_ok(json_need_string(value, "s", &s, "thing", &err), err);
    ck_assert_ptr_nonnull(json_need_array(value, "l", "thing", &err));
    json_decref(value);
}
END_TEST

START_TEST(text_is_made_valid)
{
    json_t *value = json_text(slice_of("a\xFF"));
    ck_assert_str_eq(json_string_value(value), "a\xEF\xBF\xBD");
    json_decref(value);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, as_jansson_writes);
    tcase_add_test(tc, many_keys);
    tcase_add_test(tc, reading_is_strict);
    tcase_add_test(tc, text_is_made_valid);
}
TEST_MAIN("base/json", cases)
