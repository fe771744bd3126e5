#include "report/page.h"
#include "suite.h"

static void pages(const char *text, const char *want)
{
    struct str out = STR_INIT;
    page_body(&out, slice_of(text));
    ck_assert_str_eq(out.p, want);
    str_release(&out);
}

START_TEST(lines_become_blocks)
{
    pages("", "");
    pages("a < b\nc & d\n\ne\n", "<p>a &lt; b<br>\nc &amp; d</p>\n<p>e</p>\n");
    pages("WHAT HAPPENED\n\n* One.\n* <b>Two\nX\n",
          "<h2>WHAT HAPPENED</h2>\n<ul>\n<li>One.</li>\n<li>&lt;b&gt;Two</li>\n"
          "</ul>\n<p>X</p>\n");
    pages("5. STEP 1: ONE (OURS)\nX\n", "<h3>5. STEP 1: ONE (OURS)</h3>\n<p>X</p>\n");
    pages("5. Step\n", "<p>5. Step</p>\n");
    pages("\ta\t1<2\n>\tb\t\n",
          "<table>\n<tr><td>a</td><td>1&lt;2</td></tr>\n<tr><td>b</td><td></td></tr>\n</table>\n");
    pages("o\tSuadi\tanna\n*\tGCC\n",
          "<table>\n<tr><td>Suadi</td><td>anna</td></tr>\n<tr><td>GCC</td></tr>\n</table>\n");
    pages("|#turnpost <x>\n|\n|#end\nafter\n", "<pre>#turnpost &lt;x&gt;\n\n#end\n</pre>\n<p>after</p>\n");
    pages("  1. bide\n     Done.\n", "<p>&nbsp;&nbsp;1. bide<br>\n&nbsp;&nbsp;Done.</p>\n");
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, lines_become_blocks);
}

TEST_MAIN("report/page", cases)
