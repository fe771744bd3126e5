/* The table of rulesets: all versions of all, and what a ruleset may leave out. */
#include <string.h>

#include "base/file.h"
#include "rules/ruleset.h"
#include "suite.h"

START_TEST(the_newest_stands_first)
{
    for (int i = 0; rulesets[i]; i++) {
        const struct ruleset *one = rulesets[i];
        bool again = i > 0 && strcmp(rulesets[i - 1]->name, one->name) == 0;
        ck_assert_int_eq(ruleset_is_newest(one), !again);
        if (again)
            ck_assert_int_eq(one->version, rulesets[i - 1]->version - 1);
        ck_assert_ptr_eq(ruleset_find(one->name, one->version), one);
        ck_assert(ruleset_newest(one->name)->version >= one->version);
    }
}
END_TEST

/* A game that was made once is found for ever. */
START_TEST(all_versions_from_1_on_are_there)
{
    for (int i = 0; rulesets[i]; i++) {
        for (int version = 1; version <= rulesets[i]->version; version++)
            ck_assert_ptr_nonnull(ruleset_find(rulesets[i]->name, version));
        ck_assert_ptr_null(ruleset_find(rulesets[i]->name, 0));
        ck_assert_ptr_null(ruleset_find(rulesets[i]->name, ruleset_newest(rulesets[i]->name)->version + 1));
    }
    ck_assert_ptr_null(ruleset_newest("galaxy-chess"));
}
END_TEST

/* Templates, card files and options are of the folder, whatever the version. */
START_TEST(versions_share_their_folder)
{
    for (int i = 0; rulesets[i]; i++) {
        const struct ruleset *newest = ruleset_newest(rulesets[i]->name);
        ck_assert_str_eq(rulesets[i]->folder, newest->folder);
        ck_assert_str_eq(rulesets[i]->title, newest->title);
    }
}
END_TEST

/* The page says what the newest is, and what is different in it. */
START_TEST(the_page_of_the_newest)
{
    for (int i = 0; rulesets[i]; i++) {
        struct err err = ERR_INIT;
        struct str path = STR_INIT, page = STR_INIT, words = STR_INIT;
        str_addf(&path, "src/rules/%s/README.md", rulesets[i]->folder);
        str_addf(&words, " %d is what new games have", rulesets[i]->version);
        ck_ok(file_read(path.p, 1 << 20, &page, &err), err);
        ck_assert_msg(!ruleset_is_newest(rulesets[i]) || slice_find(slice_str(&page), words.p) != (size_t)-1,
                      "%s does not say that%s", path.p, words.p);
        str_release(&path);
        str_release(&page);
        str_release(&words);
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, the_newest_stands_first);
    tcase_add_test(tc, all_versions_from_1_on_are_there);
    tcase_add_test(tc, versions_share_their_folder);
    tcase_add_test(tc, the_page_of_the_newest);
}
TEST_MAIN("rules/versions", cases)
