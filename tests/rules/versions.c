/* The table of rulesets: the version of each, and what a ruleset may leave out. */
#include <string.h>

#include "base/file.h"
#include "rules/ruleset.h"
#include "suite.h"

START_TEST(a_ruleset_is_found_by_name_and_version)
{
    for (int i = 0; rulesets[i]; i++) {
        const struct ruleset *one = rulesets[i];
        ck_assert_ptr_eq(ruleset_newest(one->name), one);
        ck_assert_ptr_eq(ruleset_find(one->name, one->version), one);
        ck_assert_ptr_null(ruleset_find(one->name, one->version - 1));
        ck_assert_ptr_null(ruleset_find(one->name, one->version + 1));
    }
    ck_assert_ptr_null(ruleset_newest("galaxy-chess"));
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
        ck_assert_msg(slice_find(slice_str(&page), words.p) != (size_t)-1, "%s does not say that%s", path.p,
                      words.p);
        str_release(&path);
        str_release(&page);
        str_release(&words);
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, a_ruleset_is_found_by_name_and_version);
    tcase_add_test(tc, the_page_of_the_newest);
}
TEST_MAIN("rules/versions", cases)
