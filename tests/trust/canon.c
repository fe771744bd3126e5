#include "trust/canon.h"

#include "suite.h"

#include "base/utf8.h"

static void check(const char *from, const char *want)
{
    struct str got = STR_INIT;
    struct str again = STR_INIT;
    canon_text(&got, slice_of(from));
    ck_assert_str_eq(got.p, want);
    canon_text(&again, slice_str(&got));
    ck_assert_str_eq(again.p, want);
    str_release(&got);
    str_release(&again);
}

START_TEST(lines_and_blanks)
{
    check("", "");
    check(" \r\n\t\n", "");
    check("a", "a\n");
    check("a\r\nb\rc\n", "a\nbc\n");
    check("  a \t b  \n\n\n c\n\n", "a b\nc\n");
    check("\xEF\xBB\xBF#turnpost orders\n", "#turnpost orders\n");
    check("a\xC2\xA0 \xC2\xA0"
          "b\xC2\xA0\n",
          "a b\n");
    check("\xC2\xA0\xE2\x80\xAF\xE2\x80\x87x", "x\n");
    check("na\xE2\x80\x8Bme", "name\n");
}
END_TEST

START_TEST(quoting)
{
    check("> a\n> > b\n>>c\n>\n", "a\nb\nc\n");
    check(">From near\n> >From far", "From near\nFrom far\n");
    check("if fuel > 3", "if fuel > 3\n");
    check("\t> \xC2\xA0> x", "x\n");
}
END_TEST

START_TEST(typography)
{
    check("it\xE2\x80\x99s \xE2\x80\x9Cours\xE2\x80\x9D", "it's \"ours\"\n");
    check("\xC2\xABours\xC2\xBB \xE2\x80\xB9x\xE2\x80\xBA", "\"ours\" 'x'\n");
    check("a\xE2\x80\x93"
          "b \xE2\x80\x94 c \xE2\x88\x92"
          "1",
          "a-b - c -1\n");
    check("caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80", "caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80\n");
}
END_TEST

/* Else a dropped CR could join two halves to a new character, and the form would not be stable. */
START_TEST(foreign_bytes_are_marked)
{
    check("caf\xE9  x\n", "caf\xEF\xBF\xBD x\n");
    check("a\xE2\x80", "a\xEF\xBF\xBD\xEF\xBF\xBD\n");
    check("a\xE2\r\x80\x99", "a\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\n");
}
END_TEST

/* Random texts of the characters that matter: the form is stable, never longer than promised, without what it
 * must not hold. */
START_TEST(stable_for_anything)
{
    static const char *const bits[] = {"a",
                                       " ",
                                       "\t",
                                       "\n",
                                       "\r",
                                       ">",
                                       "\xC2\xA0",
                                       "\xC3\xA9",
                                       "\xE2\x80\x99",
                                       "\xE2\x80\x94",
                                       "\xEF\xBB\xBF",
                                       "\xE2",
                                       "\x80\x99",
                                       "From ",
                                       "-",
                                       "\""};
    unsigned seed = (unsigned)_i * 2654435761U + 1;
    struct str text = STR_INIT;
    struct str once = STR_INIT;
    struct str twice = STR_INIT;
    for (int n = 0; n < 2000; n++) {
        seed = seed * 1664525U + 1013904223U;
        str_adds(&text, bits[(seed >> 16) % (sizeof bits / sizeof *bits)]);
    }
    canon_text(&once, slice_str(&text));
    canon_text(&twice, slice_str(&once));
    ck_assert_uint_le(once.len, 3 * text.len + 1);
    ck_assert(utf8_valid(slice_str(&once)));
    ck_assert_uint_eq(once.len, twice.len);
    ck_assert_mem_eq(once.p, twice.p, once.len);
    static const char *const never[] = {"\n\n", "  ", " \n",      "\n ",         "\n>",
                                        "\t",   "\r", "\xC2\xA0", "\xE2\x80\x99"};
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        ck_assert_msg(slice_find(slice_str(&once), never[i]) == (size_t)-1, "holds number %zu", i);
    str_release(&text);
    str_release(&once);
    str_release(&twice);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, lines_and_blanks);
    tcase_add_test(tc, quoting);
    tcase_add_test(tc, typography);
    tcase_add_test(tc, foreign_bytes_are_marked);
    tcase_add_loop_test(tc, stable_for_anything, 0, 8);
}
TEST_MAIN_TOGETHER("trust/canon", cases)
