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
        "[0.5,-1e300,1.0,{\"a\":0.1}]",
        "{\"\u00e9\":1,\"e\":2,\"\u20ac\":3,\"z\":4,\"e\\u0301\":5}",
        "{\"k\\n\":\"v\"}"};
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
        json_t *value = json_loads(documents[i], JSON_DECODE_ANY, NULL);
        ck_assert_ptr_nonnull(value);
        same(value);
        json_decref(value);
    }
}
END_TEST

/* A member that is not there is nothing. */
START_TEST(nothing_is_written_of_null)
{
    struct str out = STR_INIT;
    json_write(&out, NULL);
    ck_assert_str_eq(out.p, "");
}
END_TEST

static void same_string(const char *text, size_t len)
{
    struct str ours = STR_INIT;
    json_t *value = json_stringn(text, len);
    char *theirs = json_dumps(value, JSON_ENCODE_ANY);
    str_adds(&ours, "before "); /* the buffer grows, or has room */
    json_write_string(&ours, text, len);
    ck_assert_uint_eq(strlen(ours.p), ours.len);
    ck_assert_str_eq(ours.p + strlen("before "), theirs);
    free(theirs);
    json_decref(value);
    str_release(&ours);
}

/* Every length, with a byte that may be escaped at every place. */
START_TEST(strings_as_jansson_writes)
{
    static const char bytes[] = {0, 1, 8, '\n', 0x1F, ' ', '!', '"', '#', '[', '\\', ']', 0x7F};
    static const char wide[] =
        "\xC2\xA2\xE2\x80\x9C\xF0\x9F\x9A\x80"; /* ends like '"' and '\\', but for their top bits */
    char text[40];
    for (size_t len = 0; len < sizeof text; len++)
        for (size_t at = 0; at < len; at++)
            for (size_t i = 0; i < sizeof bytes; i++) {
                memset(text, at % 2 ? ' ' : '~', len);
                text[at] = bytes[i];
                same_string(text, len);
                text[len - 1 - at] = bytes[i];
                same_string(text, len);
            }
    for (size_t before = 0; before < 16; before++) {
        memset(text, 'x', sizeof text);
        memcpy(text + before, wide, strlen(wide));
        same_string(text, before + strlen(wide));
        same_string(text, before + strlen(wide) + 3);
    }
    same_string("", 0);
}
END_TEST

/* As deep as the parser reads. */
START_TEST(deep_documents)
{
    enum { DEPTH = 2000 };
    struct str text = STR_INIT;
    for (int i = 0; i < DEPTH; i++)
        str_adds(&text, "{\"a\":");
    str_adds(&text, "[]");
    for (int i = 0; i < DEPTH; i++)
        str_addc(&text, '}');
    json_t *value = json_loads(text.p, 0, NULL);
    ck_assert_ptr_nonnull(value);
    same(value);
    json_decref(value);
    str_release(&text);
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

/* Whatever jansson accepts, refuses and makes of a document. */
START_TEST(as_jansson_reads)
{
    static const char *const documents[] = {"{}",
                                            "[]",
                                            "[{}]",
                                            "{\"a\":[]}",
                                            "",
                                            "x",
                                            "1",
                                            "\"a\"",
                                            "[",
                                            "[1",
                                            "[1,",
                                            "[1,]",
                                            "[,]",
                                            "[1 ]",
                                            "{",
                                            "{\"a\"",
                                            "{\"a\":",
                                            "{\"a\":1",
                                            "{\"a\":1,",
                                            "{\"a\":1,}",
                                            "{a:1}",
                                            "{\"a\" :1}",
                                            "{\"\":1}",
                                            "{1:1}",
                                            "{\"a\":1,\"a\":1}",
                                            "{\"a\":{\"b\":1},\"b\":1}",
                                            "[0]",
                                            "[-0]",
                                            "[00]",
                                            "[01]",
                                            "[-1]",
                                            "[-]",
                                            "[--1]",
                                            "[+1]",
                                            "[1.0]",
                                            "[1e3]",
                                            "[1E3]",
                                            "[0e1]",
                                            "[1.]",
                                            "[.1]",
                                            "[999999999999999999]",
                                            "[-999999999999999999]",
                                            "[1000000000000000000]",
                                            "[9223372036854775807]",
                                            "[-9223372036854775808]",
                                            "[9223372036854775808]",
                                            "[12345678901234567890]",
                                            "[true,false,null]",
                                            "[tru]",
                                            "[truex]",
                                            "[nul]",
                                            "[True]",
                                            "[\"a]",
                                            "[\"a\"",
                                            "[\"\\\"\"]",
                                            "[\"\\u0041\"]",
                                            "[\"\\u0000\"]",
                                            "[\"\\x\"]",
                                            "[\"\t\"]",
                                            "[\"\x7F\"]",
                                            "[\"\xC3\xA9\"]",
                                            "[\"\xC3\"]",
                                            "[\"\xFF\"]",
                                            "[1]\n",
                                            "[1]\n\n",
                                            "[1] x",
                                            "[1]]",
                                            "{}{}",
                                            " [1]",
                                            "[1]\r\n",
                                            "[[[[[[[[[[1]]]]]]]]]]",
                                            "[[[[[[[[[[[[[[[[[[[[{\"a\":[[]]}]]]]]]]]]]]]]]]]]]]]",
                                            "{\"a\":\"b\",\"c\":[1,\"d\",{\"e\":-5}],\"f\":true}"};
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
        struct err err = ERR_INIT;
        json_t *theirs = json_loads(documents[i], JSON_REJECT_DUPLICATES, NULL);
        json_t *ours = json_read(slice_of(documents[i]), "thing", &err);
        ck_assert_msg((ours == NULL) == (theirs == NULL), "%s", documents[i]);
        ck_assert_msg(!ours || json_equal(ours, theirs), "%s", documents[i]);
        ck_assert_int_eq(err.code, ours ? ERR_NONE : ERR_BROKEN);
        json_decref(ours);
        json_decref(theirs);
    }
}
END_TEST

/* Every beginning of a document is refused, and every change of one byte read as jansson reads it. */
START_TEST(damage_as_jansson_reads)
{
    static const char document[] = "{\"v\":1,\"list\":[\"a b\",-20,{\"t\":true,\"n\":null}],\"s\":\"x\"}";
    const struct slice whole = slice_of(document);
    for (size_t at = 0; at < whole.len; at++) {
        struct err err = ERR_INIT;
        ck_assert_ptr_null(json_read(slice_sub(whole, 0, at), "thing", &err));
        for (int c = 0; c < 256; c++) {
            char bytes[sizeof document];
            memcpy(bytes, document, sizeof bytes);
            bytes[at] = (char)c;
            err_clear(&err);
            json_t *theirs = json_loadb(bytes, whole.len, JSON_REJECT_DUPLICATES, NULL);
            json_t *ours = json_read((struct slice){bytes, whole.len}, "thing", &err);
            ck_assert_msg((ours == NULL) == (theirs == NULL), "%s", bytes);
            ck_assert_msg(!ours || json_equal(ours, theirs), "%s", bytes);
            json_decref(ours);
            json_decref(theirs);
        }
        err_clear(&err);
    }
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
    tcase_add_test(tc, nothing_is_written_of_null);
    tcase_add_test(tc, strings_as_jansson_writes);
    tcase_add_test(tc, deep_documents);
    tcase_add_test(tc, many_keys);
    tcase_add_test(tc, reading_is_strict);
    tcase_add_test(tc, as_jansson_reads);
    tcase_add_test(tc, damage_as_jansson_reads);
    tcase_add_test(tc, text_is_made_valid);
}
TEST_MAIN("base/json", cases)
