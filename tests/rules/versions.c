/* The table of rulesets: all versions of all, and what a ruleset may leave out. */
#include <string.h>

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
    ck_assert_int_eq(ruleset_newest("galaxy-command")->version, 2);
    ck_assert_int_eq(ruleset_newest("galactic-contract")->version, 2);
    ck_assert_int_eq(ruleset_newest("galactic-supremacy")->version, 4);
    ck_assert_int_eq(ruleset_newest("galaxy-farmer")->version, 2);
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

static void cases(TCase *tc)
{
    tcase_add_test(tc, the_newest_stands_first);
    tcase_add_test(tc, all_versions_from_1_on_are_there);
    tcase_add_test(tc, versions_share_their_folder);
}
TEST_MAIN("rules/versions", cases)
