/* Which mail domains one administrator rules. */
#include "suite.h"

#include <string.h>

#include "league/domain_root.h"

START_TEST(names_below_one)
{
    static const char *const rows[][2] = {
        {"club.test", "club.test"},
        {"a.club.test", "club.test"},
        {"a.b.club.test", "club.test"},
        {"a.club.co.uk", "club.co.uk"},
        {"club.co.uk", "club.co.uk"},
        {"a.b.CLUB.Com.AU", "CLUB.Com.AU"},
        {"co.uk", "co.uk"},
        {"a.web.de", "web.de"},
        {"a.com.test", "com.test"},
        {"localhost", "localhost"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_str_eq(domain_root(rows[i][0]), rows[i][1]);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, names_below_one);
}
TEST_MAIN("league/domain_root", cases)
