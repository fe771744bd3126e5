#include "report/marks.h"
#include "suite.h"

static void marks(const char *text, const char *before, bool page, const char *want)
{
    struct str out = STR_INIT;
    marks_put(&out, slice_of(text), slice_of(before), page);
    ck_assert_str_eq(out.p ? out.p : "", want);
    str_release(&out);
}

START_TEST(rows_that_are_new)
{
    marks("A\n\ta\t1\n\tb\t2\n\n\tc\t3\nB\n", "\tb\t2\n\ta\t2\n\tc\t3\n", false,
          "A\n>\ta\t1\n\tb\t2\n\n\tc\t3\nB\n");
    marks("\ta\t1\n", "", false, ">\ta\t1\n");
    marks("a\n", "b\n", false, "a\n");
    marks("", "\ta\n", false, "");
}
END_TEST

START_TEST(rows_of_pages)
{
    marks("<p>x</p>\n<tr><td>1</td></tr>\n<tr class=\"own\" id=\"a\"><td>1</td></tr>\n<track>\n",
          "<tr><td>2</td></tr>\n", true,
          "<p>x</p>\n<tr class=\"changed\"><td>1</td></tr>\n"
          "<tr class=\"changed own\" id=\"a\"><td>1</td></tr>\n<track>\n");
    marks("<tr><td>2</td></tr>\n", "<tr><td>2</td></tr>\n", true, "<tr><td>2</td></tr>\n");
    marks("\tno row\n", "", true, "\tno row\n");
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, rows_that_are_new);
    tcase_add_test(tc, rows_of_pages);
}

TEST_MAIN("report/marks", cases)
