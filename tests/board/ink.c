/* board/ink: words of a picture become outlines. */
#include "board/ink.h"

#include "suite.h"

static struct str out;

static const char *inked(const char *svg)
{
    struct err err = ERR_INIT;
    str_clear(&out);
    ck_ok(ink(&out, slice_of(svg), &err), err);
    return out.p;
}

/* "<svg><text ATTRIBUTES>WORDS</text></svg>" */
static const char *text(const char *attributes, const char *words)
{
    struct str svg = STR_INIT;
    str_addf(&svg, "<svg><text %s>%s</text></svg>", attributes, words);
    const char *result = inked(svg.p);
    str_release(&svg);
    return result;
}

static int count(const char *where, const char *what)
{
    int found = 0;
    while ((where = strstr(where, what)) && ++found)
        where += strlen(what);
    return found;
}

START_TEST(words_become_outlines)
{
    const char *svg = text("x=\"100\" y=\"50\" font-size=\"20\"", "Aa &amp;\n  a");
    ck_assert_ptr_null(strstr(svg, "<text"));
    ck_assert_ptr_nonnull(strstr(svg, "<g transform=\"translate(100 50)scale(0.040)\">"));
    ck_assert_int_eq(count(svg, "<use href=\"#r61\" x=\""), 2);
    ck_assert_int_eq(count(svg, "<use href=\"#r26\" x=\""), 1); /* the ampersand */
    ck_assert_int_eq(count(svg, "<path id=\"r61\" d=\"m"), 1);
    ck_assert_int_eq(count(svg, "<path id="), 3);
    ck_assert_int_eq(count(svg, "</svg>"), 1);
    ck_assert_str_eq(inked("<svg><rect/></svg>"), "<svg><rect/><defs></defs>\n</svg>\n");
}
END_TEST

START_TEST(attributes_count)
{
    ck_assert_ptr_nonnull(strstr(text("x=\"0\" y=\"0\" font-weight=\"bold\" fill=\"#123456\"", "a"),
                                 "fill=\"#123456\"><use href=\"#b61\""));
    int start = 0, middle = 0, end = 0;
    (void)sscanf(text("x=\"1000\" y=\"0\" text-anchor=\"start\"", "MMMM"), "<svg><g transform=\"translate(%d",
                 &start);
    (void)sscanf(text("x=\"1000\" y=\"0\" text-anchor=\"middle\"", "MMMM"),
                 "<svg><g transform=\"translate(%d", &middle);
    (void)sscanf(text("x=\"1000\" y=\"0\" text-anchor=\"end\"", "MMMM"), "<svg><g transform=\"translate(%d",
                 &end);
    ck_assert_int_eq(start, 1000);
    ck_assert_int_lt(middle, start);
    ck_assert_int_le(abs(1000 - middle - (middle - end)), 1);
}
END_TEST

START_TEST(what_is_too_wide_gets_smaller_then_shorter)
{
    const char *some = "x=\"0\" y=\"0\" font-size=\"40\" data-most=\"200\"";
    ck_assert_ptr_nonnull(strstr(text(some, "iii"), "scale(0.080)"));
    ck_assert_ptr_nonnull(strstr(text(some, "nnnnnnnnnn"), "scale(0.06"));
    ck_assert_int_eq(count(out.p, "<use"), 10);
    ck_assert_ptr_nonnull(strstr(text(some, "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"), "scale(0.064)"));
    ck_assert_int_lt(count(out.p, "<use"), 16);
    ck_assert_int_eq(count(out.p, "<use href=\"#r2026\""), 1);
    /* never smaller than can be read at 360 px */
    ck_assert_ptr_nonnull(
        strstr(text("x=\"0\" y=\"0\" font-size=\"26\" data-most=\"100\"", "nnnnnnnnnnnn"), "scale(0.048)"));
    struct str longest = STR_INIT;
    for (int i = 0; i < 5000; i++)
        str_adds(&longest, "w");
    ck_assert_int_le(count(text("x=\"0\" y=\"0\"", longest.p), "<use"), 240);
    str_release(&longest);
}
END_TEST

/* Letters that the font lacks, and bytes that are none. */
START_TEST(all_else_has_a_glyph_that_stands_for_it)
{
    ck_assert_int_eq(count(text("x=\"0\" y=\"0\"", "\xd7\xa9\xf0\x9f\x9a\x80\xff"), "<use href=\"#r0\""), 3);
    ck_assert_int_eq(count(text("x=\"0\" y=\"0\"", "&lt;script&gt;&#39;&quot;&#96;&nothing;"), "<script"), 0);
    ck_assert_int_eq(count(out.p, "<use href=\"#r3c\""), 1);
    ck_assert_int_eq(count(out.p, "<use href=\"#r27\""), 1);
}
END_TEST

START_TEST(faults_of_a_template_are_named)
{
    static const char *const wrong[] = {"<svg><text x=\"1.5\">a</text></svg>",
                                        "<svg><text onclick=\"1\">a</text></svg>",
                                        "<svg><text x=\"1\">a</svg>",
                                        "<svg><text x=\"1\"><b>a</b></text></svg>",
                                        "<svg><text x=\"1\">a</text>",
                                        "<svg><text x=\"1</svg>",
                                        "<svg><text font-size=\"0\">a</text></svg>",
                                        "<svg><text x=1>a</text></svg>"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct err err = ERR_INIT;
        str_clear(&out);
        str_adds(&out, "before");
        ck_assert_int_ne(ink(&out, slice_of(wrong[i]), &err), 0);
        ck_assert_int_eq(err.code, ERR_CONFIG);
        ck_assert_str_eq(out.p, "before");
    }
}
END_TEST

static void cases(TCase *tc)
{
    str_init(&out);
    tcase_add_test(tc, words_become_outlines);
    tcase_add_test(tc, attributes_count);
    tcase_add_test(tc, what_is_too_wide_gets_smaller_then_shorter);
    tcase_add_test(tc, all_else_has_a_glyph_that_stands_for_it);
    tcase_add_test(tc, faults_of_a_template_are_named);
}
TEST_MAIN("board/ink", cases)
