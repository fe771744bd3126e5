#include "rules/field.h"

#include <stdbool.h>
#include <string.h>

#include "base/json.h"
#include "suite.h"

struct part {
    bool on;
    int32_t small;
};

struct whole {
    uint8_t u8;
    uint16_t u16;
    int32_t i32;
    bool flag;
    int32_t fixed[3];
    uint8_t used;
    uint8_t list[4];
    struct part one;
    int32_t parts_count;
    struct part parts[3];
};

static const struct field part_fields[] = {{FIELD(struct part, on)}, {FIELD(struct part, small)}, FIELD_END};
static const struct field whole_fields[] = {
    {FIELD(struct whole, u8)},
    {FIELD(struct whole, u16)},
    {FIELD(struct whole, i32)},
    {FIELD(struct whole, flag)},
    {FIELD_LIST(struct whole, fixed, NULL)},
    {FIELD(struct whole, used)},
    {FIELD_LIST(struct whole, list, "used")},
    {FIELD_SUB(struct whole, one, part_fields)},
    {FIELD(struct whole, parts_count)},
    {FIELD_SUBS(struct whole, parts, "parts_count", part_fields)},
    FIELD_END,
};

static const char full[] = "{\"fixed\":[1,-2,3],\"flag\":true,\"i32\":-2147483648,\"list\":[9,8],\"one\":{"
                           "\"on\":true,\"small\":-1},\"parts\":[{\"on\":false,\"small\":5}],"
                           "\"parts_count\":1,\"u16\":65535,\"u8\":255,\"used\":2}";

static int read_text(struct whole *whole, const char *text, int strict, struct err *err)
{
    json_t *json = json_read(slice_of(text), "test", err);
    int rc = json ? fields_read(whole_fields, whole, json, strict, err) : -1;
    json_decref(json);
    return rc;
}

static void expect_text(const struct whole *whole, const char *want)
{
    struct str got = STR_INIT;
    json_t *json = fields_json(whole_fields, whole);
    json_write(&got, json);
    ck_assert_str_eq(got.p, want);
    json_decref(json);
    str_release(&got);
}

START_TEST(every_type_goes_there_and_back)
{
    struct whole whole = {0};
    struct err err = ERR_INIT;
    ck_ok(read_text(&whole, full, 1, &err), err);
    ck_assert_int_eq(whole.i32, INT32_MIN);
    ck_assert_int_eq(whole.list[1], 8);
    expect_text(&whole, full);
}
END_TEST

START_TEST(loose_reading_keeps_the_rest)
{
    struct whole whole = {0};
    struct err err = ERR_INIT;
    ck_ok(read_text(&whole, full, 1, &err), err);
    ck_ok(
        read_text(
            &whole,
            "{\"u8\":1,\"fixed\":[null,7],\"list\":[4,5,6],\"one\":{\"small\":2},\"parts\":[{\"on\":true}]}",
            0, &err),
        err);
    ck_assert_int_eq(whole.u8, 1);
    ck_assert_int_eq(whole.fixed[0], 1);
    ck_assert_int_eq(whole.fixed[1], 7);
    ck_assert_int_eq(whole.fixed[2], 3);
    ck_assert_int_eq(whole.used, 3);
    ck_assert_int_eq(whole.list[2], 6);
    ck_assert(whole.one.on);
    ck_assert_int_eq(whole.one.small, 2);
    ck_assert(whole.parts[0].on);
    ck_assert_int_eq(whole.parts[0].small, 5);
    ck_assert_int_eq(whole.u16, UINT16_MAX);
}
END_TEST

START_TEST(a_shorter_list_leaves_nothing_behind)
{
    struct whole whole = {0};
    struct err err = ERR_INIT;
    ck_ok(read_text(&whole, full, 1, &err), err);
    ck_ok(read_text(&whole, "{\"list\":[3]}", 0, &err), err);
    ck_assert_int_eq(whole.used, 1);
    ck_assert_int_eq(whole.list[1], 0);
}
END_TEST

static const struct {
    const char *text;
    int strict;
    const char *error;
} wrong[] = {
    {"{\"u8\":256}", 0, "The state's \"u8\" is out of range"},
    {"{\"u16\":-1}", 0, "The state's \"u16\" is out of range"},
    {"{\"i32\":2147483648}", 0, "The state's \"i32\" is out of range"},
    {"{\"u8\":1.5}", 0, "The state's \"u8\" must be a whole number"},
    {"{\"u8\":\"1\"}", 0, "The state's \"u8\" must be a whole number"},
    {"{\"flag\":1}", 0, "The state's \"flag\" must be true or false"},
    {"{\"fixed\":[1,2,3,4]}", 0, "The state's \"fixed\" has too many elements"},
    {"{\"fixed\":7}", 0, "The state's \"fixed\" must be a list"},
    {"{\"list\":[1,2,3,4,5]}", 0, "The state's \"list\" has too many elements"},
    {"{\"used\":3,\"list\":[1,2]}", 0,
     "The state's \"list\" does not have as many elements as its counter says"},
    {"{\"parts\":[{},{\"small\":2147483648}]}", 0, "The state's \"parts[1].small\" is out of range"},
    {"{\"parts\":[{},{\"tall\":1}]}", 0, "The state's \"parts[1].tall\" is unknown"},
    {"{\"one\":[]}", 0, "The state's \"one\" must be an object"},
    {"{\"speed\":1}", 0, "The state's \"speed\" is unknown"},
    {"{}", 1, "The state's \"u8\" is missing"},
    {"[]", 1, "The state's \"\" must be an object"},
};

START_TEST(errors_name_the_member)
{
    struct whole whole = {0};
    struct err err = ERR_INIT;
    ck_assert_int_lt(read_text(&whole, wrong[_i].text, wrong[_i].strict, &err), 0);
    ck_assert_str_eq(err.text, wrong[_i].error);
    ck_assert_int_eq(err.code, ERR_BROKEN);
}
END_TEST

START_TEST(strict_lists_are_complete)
{
    struct whole whole = {0};
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    str_adds(&text, full);
    char *at = strstr(text.p, "[1,-2,3]");
    memcpy(at, "[1,-23 ]", 8);
    ck_assert_int_lt(read_text(&whole, text.p, 1, &err), 0);
    ck_assert_str_eq(err.text, "The state's \"fixed\" has too few elements");
    str_release(&text);
}
END_TEST

START_TEST(a_wild_counter_is_bounded)
{
    struct whole whole = {0};
    whole.used = 200;
    whole.parts_count = -5;
    json_t *json = fields_json(whole_fields, &whole);
    ck_assert_uint_eq(json_array_size(json_object_get(json, "list")), 4);
    ck_assert_uint_eq(json_array_size(json_object_get(json, "parts")), 0);
    json_decref(json);
}
END_TEST

START_TEST(the_digest_sees_every_member)
{
    struct whole whole = {0};
    struct err err = ERR_INIT;
    unsigned char first[32], second[32];
    ck_ok(read_text(&whole, full, 1, &err), err);
    fields_digest(whole_fields, &whole, first);
    fields_digest(whole_fields, &whole, second);
    ck_assert_mem_eq(first, second, 32);
    whole.parts[0].small++;
    fields_digest(whole_fields, &whole, second);
    ck_assert_mem_ne(first, second, 32);
    whole.parts[0].small--;
    whole.parts[2].small = 9; /* after the counter: not part of the state */
    fields_digest(whole_fields, &whole, second);
    ck_assert_mem_eq(first, second, 32);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, every_type_goes_there_and_back);
    tcase_add_test(tc, loose_reading_keeps_the_rest);
    tcase_add_test(tc, a_shorter_list_leaves_nothing_behind);
    tcase_add_loop_test(tc, errors_name_the_member, 0, (int)(sizeof(wrong) / sizeof(wrong[0])));
    tcase_add_test(tc, strict_lists_are_complete);
    tcase_add_test(tc, a_wild_counter_is_bounded);
    tcase_add_test(tc, the_digest_sees_every_member);
}
TEST_MAIN("rules/field", cases)
