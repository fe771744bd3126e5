#include "report/page.h"
#include "suite.h"

/* Without the styles, which stand in each tag. */
static void pages(const char *text, const char *want)
{
    struct str out = STR_INIT, plain = STR_INIT;
    page_body(&out, slice_of(text), true);
    for (const char *at = out.p, *style; at && *at; at = style ? strchr(style + 8, '"') + 1 : NULL) {
        style = strstr(at, " style=\"");
        str_add(&plain, at, style ? (size_t)(style - at) : strlen(at));
    }
    ck_assert_str_eq(plain.len ? plain.p : "", want);
    str_release(&out);
    str_release(&plain);
}

START_TEST(lines_become_blocks)
{
    pages("", "");
    pages("a < b\nc & d\n\ne\n", "<p>a &lt; b<br>\nc &amp; d</p>\n<p>e</p>\n");
    pages("WHAT HAPPENED\n\n* One.\n* <b>Two\nX\n",
          "<h2>What happened</h2>\n<ul>\n<li>One.</li>\n<li>&lt;b&gt;Two</li>\n"
          "</ul>\n<p>X</p>\n");
    pages("5. STEP 1: ONE (OURS)\nX\n", "<h3>5. Step 1: one (ours)</h3>\n<p>X</p>\n");
    pages("5. Step\n", "<p>5. Step</p>\n");
    pages("|#turnpost <x>\n|\n|#end\nafter\n", "<pre>#turnpost &lt;x&gt;\n\n#end\n</pre>\n<p>after</p>\n");
    pages("The rest:\n  1. bide\n     Done.\n", "<p>The rest:</p>\n<p>1. bide<br>\n&nbsp;&nbsp;Done.</p>\n");
    pages("!\tsmall\nProof: 1.\n\n  More.\nX\n\nNEWS\n\nY\n",
          "<small>Proof: 1.</small>\n<small>More.<br>\nX</small>\n<h2>News</h2>\n<p>Y</p>\n");
}
END_TEST

START_TEST(rows_have_names)
{
    pages("\ta\t1<2\n\tb\t\n", "<table>\n<tr><th scope=\"row\">a</th><td>1&lt;2</td></tr>\n"
                               "<tr><th scope=\"row\">b</th></tr>\n</table>\n");
    pages("\ta\t\tb\n", "<table>\n<tr><th scope=\"row\">a</th><td></td><td>b</td></tr>\n</table>\n");
    pages("=\tx\ty\n\ta\tb\n=\tz\n", "<table>\n<tr><th scope=\"col\">x</th><th scope=\"col\">y</th></tr>\n"
                                     "<tr><th scope=\"row\">a</th><td>b</td></tr>\n</table>\n"
                                     "<table>\n<tr><th scope=\"col\">z</th></tr>\n</table>\n");
}
END_TEST

/* What is in brackets at the end of a row has no column of its own; a name in brackets among others keeps its. */
START_TEST(notes_stand_behind)
{
    pages("\t1\t[ ] bide\t(no <risk>)\n", "<table>\n<tr><th scope=\"row\">1</th><td>[ ] bide <small>(no "
                                          "&lt;risk&gt;)</small></td></tr>\n</table>\n");
    pages("=\tplace\tplayer\tpoints\n\t-\t(...)\t-\n",
          "<table>\n<tr><th scope=\"col\">place</th><th scope=\"col\">player</th><th "
          "scope=\"col\">points</th></tr>\n"
          "<tr><th scope=\"row\">-</th><td>(...)</td><td>-</td></tr>\n</table>\n");
    pages("\tname\t(x)\n", "<table>\n<tr><th scope=\"row\">name</th><td>(x)</td></tr>\n</table>\n");
}
END_TEST

/* Only a word for which no column has room is broken: "Fomalhaut" is not. */
START_TEST(long_words_are_broken)
{
    static const char *const cells[] = {"\tFomalhaut\tb c\n", "\ta\tmaximilian-of-the-long-name\n"};
    struct str out = STR_INIT;
    page_body(&out, slice_of(cells[_i]), true);
    ck_assert_int_eq(strstr(out.p, "overflow-wrap:anywhere") != NULL, _i);
    str_release(&out);
}
END_TEST

/* A link alone can be followed; nobody can write a comment, or leave a tag. */
START_TEST(links_and_places)
{
    pages("|https://a.example/?b&c\n",
          "<p><a href=\"https://a.example/?b&amp;c\">https://a.example/?b&amp;c</a></p>\n");
    pages("|https://a.example/ here\n", "<pre>https://a.example/ here\n</pre>\n");
    pages("|https://a.example/\"b\n", "<pre>https://a.example/\"b\n</pre>\n");
    pages("a\n!\tpicture\nb\n", "<p>a</p>\n<!--picture-->\n<p>b</p>\n");
    pages("!picture\n<!--picture-->\n", "<p>!picture<br>\n&lt;!--picture--&gt;</p>\n");
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, lines_become_blocks);
    tcase_add_test(tc, rows_have_names);
    tcase_add_test(tc, notes_stand_behind);
    tcase_add_loop_test(tc, long_words_are_broken, 0, 2);
    tcase_add_test(tc, links_and_places);
}

TEST_MAIN("report/page", cases)
