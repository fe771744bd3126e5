/* Reasons: codes with parameters, for templates. */
#include "base/reason.h"
#include "base/zone.h"

#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "suite.h"

static void is(json_t *reason, const char *want)
{
    struct str text = STR_INIT;
    json_write(&text, reason);
    ck_assert_str_eq(text.p, want);
    str_release(&text);
    json_decref(reason);
}

START_TEST(codes_and_parameters)
{
    is(reason_make("over"), "{\"over\":{}}");
    is(reason_make("no_seat game=%s", "gc-1"), "{\"no_seat\":{\"game\":\"gc-1\"}}");
    is(reason_make("long size=%zu most=%lld turn=%d", (size_t)7, 8LL, -9),
       "{\"long\":{\"most\":8,\"size\":7,\"turn\":-9}}");
    is(reason_make("held late?=%d one?=%d count=%d", 1, 0, 0),
       "{\"held\":{\"count\":0,\"late\":true,\"one\":false}}");
    is(reason_make("wait most~=%d", 90), "{\"wait\":{\"most\":{\"duration\":{\"units\":[{\"count\":1,"
                                         "\"minute\":true,\"more\":true,\"one\":true},"
                                         "{\"count\":30,\"more\":false,\"one\":false,\"second\":true}]}}}}");
    is(reason_make("meant word=%s", "a b=%d\xff"), "{\"meant\":{\"word\":\"a b=%d\xef\xbf\xbd\"}}");
}
END_TEST

START_TEST(times)
{
    struct err err = ERR_INIT;
    ck_ok(zone_set("UTC", &err), err);
    is(reason_make("later when@=%lld turn=%d", 1795161600LL, 3),
       "{\"later\":{\"turn\":3,\"when\":{\"moment\":{\"both\":false,\"here\":{\"clock\":\"08:00\",\"day\":"
       "\"20\","
       "\"month\":{\"november\":true},\"weekday\":{\"friday\":true},\"year\":false,\"zone\":\"UTC\"},"
       "\"more\":false,\"own\":false,\"utc\":false}}}}");
}
END_TEST

START_TEST(long_texts_are_cut_between_characters)
{
    char text[REASON_TEXT + 40] = "";
    for (size_t i = 0; i + 1 < REASON_TEXT; i++)
        text[i] = 'a';
    strcat(text, "\xc3\xa4\xc3\xa4"); /* the first one's end would be the byte too many */
    json_t *reason = reason_make("said words=%s", text);
    json_t *words = json_object_get(json_object_get(reason, "said"), "words");
    ck_assert_uint_eq(json_string_length(words), REASON_TEXT - 1);
    json_decref(reason);
}
END_TEST

START_TEST(the_first_one_wins)
{
    struct err err = ERR_INIT;
    json_t *reason = NULL;
    err_set(&err, ERR_INPUT, "line %d is bad", 3);
    reason_err(&reason, &err);
    reason_set(&reason, "over");
    is(json_incref(reason), "{\"said\":{\"words\":\"line 3 is bad\"}}");
    reason_clear(&reason);
    ck_assert_ptr_null(reason);
}
END_TEST

START_TEST(errors_have_a_code_and_a_sentence)
{
    struct err err = ERR_INIT, other = ERR_INIT;
    char text[400];
    json_t *reason = NULL;
    ck_assert_int_eq(reason_fail(&err, "long size=%d name=%s", "%d bytes of %s", 7, "\"it\""), -1);
    ck_assert_int_eq(err.code, ERR_INPUT);
    ck_assert_str_eq(err.text, "7 bytes of \"it\"");
    is(reason_said(&err), "{\"errors\":{\"long\":{\"name\":\"\\\"it\\\"\",\"size\":7}}}");
    (void)reason_fail(&err, "later", "later"); /* the first one wins */
    (void)err_pass(&other, &err);
    reason_err(&reason, &other);
    is(reason, "{\"said\":{\"words\":{\"errors\":{\"long\":{\"name\":\"\\\"it\\\"\",\"size\":7}}}}}");
    (void)err_prefix(&err, "line %d", 3); /* no template has that */
    is(reason_said(&err), "\"line 3: 7 bytes of \\\"it\\\"\"");
    err_clear(&err);
    memset(text, '"', sizeof text); /* two bytes each, as JSON has them */
    text[sizeof text - 1] = '\0';
    (void)reason_fail(&err, "four a=%s b=%s c=%s d=%s", "%s%s%s%s", text, text, text, text);
    json_t *said = reason_said(&err), *four = json_object_get(json_object_get(said, "errors"), "four");
    ck_assert_uint_eq(json_object_size(four), 4);
    ck_assert_uint_ge(json_string_length(json_object_get(four, "d")), 20);
    json_decref(said);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, codes_and_parameters);
    tcase_add_test(tc, times);
    tcase_add_test(tc, errors_have_a_code_and_a_sentence);
    tcase_add_test(tc, long_texts_are_cut_between_characters);
    tcase_add_test(tc, the_first_one_wins);
}
TEST_MAIN("base/reason", cases)
