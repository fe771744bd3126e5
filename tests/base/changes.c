/* What differs between two documents. */
#include "base/changes.h"

#include "base/json.h"
#include "suite.h"

static void differ(const char *before, const char *after, const char *want)
{
    struct err err = ERR_INIT;
    struct str got = STR_INIT;
    json_t *was = json_read(slice_of(before), "before", &err);
    json_t *is = json_read(slice_of(after), "after", &err);
    ck_assert_msg(was && is, "%s", err.text);
    json_t *changes = json_changes(was, is);
    json_write(&got, changes);
    ck_assert_str_eq(got.p, want);
    json_decref(changes);
    json_decref(was);
    json_decref(is);
    str_release(&got);
}

START_TEST(equal_documents_have_none)
{
    differ("{}", "{}", "[]");
    differ("{\"a\":[1,{\"b\":true}]}", "{\"a\":[1,{\"b\":true}]}", "[]");
}
END_TEST

START_TEST(members_are_followed_by_name)
{
    differ("{\"b\":1,\"a\":{\"x\":1,\"y\":2}}", "{\"b\":2,\"a\":{\"x\":1,\"y\":3}}",
           "[{\"after\":3,\"before\":2,\"path\":\"a.y\"},{\"after\":2,\"before\":1,\"path\":\"b\"}]");
}
END_TEST

START_TEST(members_come_and_go)
{
    differ("{\"a\":1}", "{\"b\":2}", "[{\"before\":1,\"path\":\"a\"},{\"after\":2,\"path\":\"b\"}]");
    differ("{\"a\":{\"b\":1}}", "{\"a\":5}", "[{\"after\":5,\"before\":{\"b\":1},\"path\":\"a\"}]");
}
END_TEST

START_TEST(lists_of_one_length_are_followed)
{
    differ("{\"a\":[1,2,3]}", "{\"a\":[1,5,3]}", "[{\"after\":5,\"before\":2,\"path\":\"a[1]\"}]");
    differ("{\"a\":[{\"n\":1},{\"n\":2}]}", "{\"a\":[{\"n\":1},{\"n\":9}]}",
           "[{\"after\":9,\"before\":2,\"path\":\"a[1].n\"}]");
}
END_TEST

START_TEST(of_others_the_middle_is_one_change)
{
    differ("{\"a\":[7,8,9]}", "{\"a\":[8,9]}", "[{\"after\":[],\"before\":[7],\"path\":\"a[0]\"}]");
    differ("{\"a\":[]}", "{\"a\":[1,2]}", "[{\"after\":[1,2],\"before\":[],\"path\":\"a[0]\"}]");
    differ("{\"a\":[1,2,3,4]}", "{\"a\":[1,9,4]}", "[{\"after\":[9],\"before\":[2,3],\"path\":\"a[1]\"}]");
    /* Where elements are equal, none is counted for the beginning and the end. */
    differ("{\"a\":[1,1,1]}", "{\"a\":[1,1]}", "[{\"after\":[],\"before\":[1],\"path\":\"a[2]\"}]");
}
END_TEST

START_TEST(a_shuffled_pile_is_one_change)
{
    differ("{\"a\":[0,1,2,3,4,5,6]}", "{\"a\":[0,2,3,4,5,1,6]}",
           "[{\"after\":[2,3,4,5,1],\"before\":[1,2,3,4,5],\"path\":\"a[1]\"}]");
    differ("{\"a\":[0,1,2,3,4,5,6]}", "{\"a\":[1,0,2,3,4,6,5]}",
           "[{\"after\":1,\"before\":0,\"path\":\"a[0]\"},{\"after\":0,\"before\":1,\"path\":\"a[1]\"},"
           "{\"after\":6,\"before\":5,\"path\":\"a[5]\"},{\"after\":5,\"before\":6,\"path\":\"a[6]\"}]");
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, equal_documents_have_none);
    tcase_add_test(tc, members_are_followed_by_name);
    tcase_add_test(tc, members_come_and_go);
    tcase_add_test(tc, lists_of_one_length_are_followed);
    tcase_add_test(tc, of_others_the_middle_is_one_change);
    tcase_add_test(tc, a_shuffled_pile_is_one_change);
}
TEST_MAIN("base/changes", cases)
