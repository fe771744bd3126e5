#include "report/textfmt.h"

#include <stdint.h>
#include <string.h>

#include "base/utf8.h"
#include "suite.h"

static void lays_out(const char *text, size_t width, const char *want)
{
    struct str out = STR_INIT;
    str_adds(&out, "kept>");
    textfmt(&out, slice_of(text), width);
    ck_assert(str_starts(out.p, "kept>"));
    ck_assert_msg(strcmp(out.p + 5, want) == 0, "got\n%s\nwant\n%s", out.p + 5, want);
    str_release(&out);
}

/* ---- prose ---- */

START_TEST(short_lines_stay)
{
    lays_out("", 72, "");
    lays_out("one\n  two\nthree", 72, "one\n  two\nthree\n");
    lays_out("a  b   c\r\nd\r\n", 72, "a  b   c\nd\n");
    lays_out("a\tb\n", 72, "a b\n");
}
END_TEST

START_TEST(width_is_exact)
{
    lays_out("1234567890 123456789\n", 20, "1234567890 123456789\n");
    lays_out("1234567890 1234567890\n", 20, "1234567890\n1234567890\n");
    lays_out("1234567890 123456789  x\n", 20, "1234567890 123456789\nx\n");
    lays_out("12345678901234567890 x\n", 20, "12345678901234567890\nx\n");
    lays_out("1234567890 1234567890\n", 3, "1234567890\n1234567890\n"); /* as 20 */
}
END_TEST

START_TEST(seventy_two)
{
    struct str text = STR_INIT;
    struct str out = STR_INIT;
    for (int i = 0; i < 100; i++)
        str_addf(&text, "%sword%d", i ? " " : "", i);
    textfmt(&out, slice_str(&text), TEXTFMT_WIDTH);
    struct slice rest = slice_str(&out);
    struct slice line;
    size_t lines = 0;
    while (slice_line(&rest, &line)) {
        lines++;
        ck_assert_uint_le(line.len, 72);
        ck_assert(rest.len == 0 || line.len > 72 - 8); /* the next word would not have fitted */
    }
    ck_assert_uint_gt(lines, 8);
    str_release(&text);
    str_release(&out);
}
END_TEST

START_TEST(indentation_goes_on)
{
    lays_out("    one two three four five\n", 20, "    one two three\n    four five\n");
    lays_out("* one two three four five\n", 20, "* one two three four\n  five\n");
    lays_out("  - one two three four five\n", 20, "  - one two three\n    four five\n");
    lays_out("-one two three four five\n", 20, "-one two three four\nfive\n");
    lays_out("*\n", 20, "*\n");
}
END_TEST

START_TEST(deep_indentation_is_limited)
{
    lays_out("                  one two three four\n", 20,
             "                  one\n          two three\n          four\n");
    lays_out("                         one two\n", 20, "                         one\n          two\n");
    lays_out("         - one two three four\n", 20, "         - one two\n          three four\n");
}
END_TEST

START_TEST(long_words_stay_whole)
{
    lays_out("see https://example.org/a/very/long/address now\n", 20,
             "see\nhttps://example.org/a/very/long/address\nnow\n");
    lays_out("https://example.org/a/very/long/address\n", 20, "https://example.org/a/very/long/address\n");
}
END_TEST

START_TEST(wide_characters_count_two)
{
    /* ten of them are 20 columns */
    lays_out("東京東京東京東京東京\n", 20, "東京東京東京東京東京\n");
    lays_out("東京東京東京東京東京東京\n", 20, "東京東京東京東京東京\n東京\n");
    lays_out("a東京東京東京東京東京\n", 20, "a東京東京東京東京東\n京\n");
    lays_out("- 東京東京東京東京東京\n", 20, "- 東京東京東京東京東\n  京\n");
    /* no break between a narrow and a wide one */
    lays_out("word 12345678901234東京\n", 20, "word\n12345678901234東京\n");
    lays_out("東京東京東京 東京東京\n", 20, "東京東京東京 東京東\n京\n");
}
END_TEST

START_TEST(umlauts_and_accents_count_one)
{
    lays_out("äöüßäöüßäö äöüßäöüßä\n", 20, "äöüßäöüßäö äöüßäöüßä\n");
    lays_out("äöüßäöüßäö äöüßäöüßäö\n", 20, "äöüßäöüßäö\näöüßäöüßäö\n");
    lays_out("e\xCC\x81"
             "234567890 123456789\n",
             20,
             "e\xCC\x81"
             "234567890 123456789\n");
    lays_out("1234567890\xC2\xA0"
             "1234567890 x\n",
             20,
             "1234567890\xC2\xA0"
             "1234567890\nx\n"); /* a no-break space */
}
END_TEST

/* ---- blank lines, preformatted lines ---- */

START_TEST(blank_lines_are_merged)
{
    lays_out("a\n\nb\n\n\n  \t\nc\n", 72, "a\n\nb\n\nc\n");
    lays_out("\n\na\n\n\n", 72, "\na\n\n");
    lays_out("a\n\t\n\t\t\nb\n", 72, "a\n\nb\n");
    struct str out = STR_INIT;
    textfmt(&out, slice_of("first\n\n"), 72);
    textfmt(&out, slice_of("\n\nthen\n"), 72);
    ck_assert_str_eq(out.p, "first\n\nthen\n");
    str_release(&out);
}
END_TEST

START_TEST(trailing_blanks_are_cut)
{
    lays_out("a  \nb\t\n  c \r\n", 72, "a\nb\n  c\n");
    lays_out("-- \n", 72, "--\n");
}
END_TEST

START_TEST(preformatted_lines_stay)
{
    lays_out("|a very  long line that is not wrapped \n", 20, "a very  long line that is not wrapped \n");
    lays_out("|-- \n||\n", 20, "-- \n|\n");
    lays_out("|\ta\n", 20, "\ta\n");
    lays_out("a\n\n|\n|\n\n\nb\n", 20, "a\n\n\n\n\nb\n");
    lays_out(" |a very  long line that is wrapped\n", 20, " |a very  long line\n that is wrapped\n");
}
END_TEST

/* ---- tables ---- */

START_TEST(columns_are_aligned)
{
    lays_out("\tName\tShips\tHome\n\tAnn\t7\tVega\n\tBartholomew\t12\tSol\n", 72,
             "Name         Ships  Home\n"
             "Ann              7  Vega\n"
             "Bartholomew     12  Sol\n");
}
END_TEST

START_TEST(numbers_to_the_right)
{
    lays_out("\t1\t-3\t40%\n\t1,234\t+7.5\t\xE2\x88\x92"
             "5%\n",
             72,
             "    1    -3  40%\n"
             "1,234  +7.5  \xE2\x88\x92"
             "5%\n");
    lays_out("\tx\t-\n\ty\t100\n\tz\n\tw\t5\n", 72, "x    -\ny  100\nz\nw    5\n");
    /* one text below the heading makes it a column of texts */
    lays_out("\tn\t10\n\tx\t5\n\ty\tnone\n", 72, "n  10\nx  5\ny  none\n");
    lays_out("\t-\tx\n\t\ty\n", 72, "-  x\n   y\n"); /* dashes alone are no numbers */
    lays_out("\tno\t3/5\n\tno\t12:30\n", 72, "no  3/5\nno  12:30\n");
}
END_TEST

START_TEST(cells_may_be_missing)
{
    lays_out("\ta\tb\tc\n\taa\n\t\tbb\n\t\t\tcc\n", 72, "a   b   c\naa\n    bb\n        cc\n");
    lays_out("\ta\t\t\n\tb\tc\t\n", 72, "a\nb  c\n");
    lays_out("\t one \t two  \n", 72, "one  two\n");
    lays_out("\tone\r\n\ttwo\tthree\r\n", 72, "one\ntwo  three\n");
}
END_TEST

START_TEST(tables_end_at_other_lines)
{
    lays_out("\ta\tb\ntext\n\tccc\td\n\n\te\tf\n|x\n", 72, "a  b\ntext\nccc  d\n\ne  f\nx\n");
    lays_out("\ta\tb\n\n\n\tccc\td", 72, "a  b\n\nccc  d\n");
}
END_TEST

START_TEST(last_column_is_wrapped)
{
    lays_out("\tVega\tone two three four five six\n\tSol\tshort\n", 24,
             "Vega  one two three four\n"
             "      five six\n"
             "Sol   short\n");
    lays_out("\tVega\t123456789012345678901234567890\n", 24,
             "Vega  123456789012345678\n"
             "      901234567890\n");
    lays_out("\tVega\tone 12345678901234567890\n", 24,
             "Vega  one\n"
             "      123456789012345678\n"
             "      90\n");
    lays_out("\tone two three four five six\n\tx\n", 20, "one two three four\nfive six\nx\n");
}
END_TEST

START_TEST(a_wide_number_in_the_last_column)
{
    lays_out("\tVega\t123456789012345678901\n\tSol\t5\n", 24,
             "Vega  123456789012345678\n      901\nSol   5\n");
    lays_out("\tVega\t123456789012345678\n\tSol\t5\n", 24,
             "Vega  123456789012345678\nSol                    5\n");
}
END_TEST

START_TEST(wide_characters_in_tables)
{
    lays_out("\t東京\t1\tx\n\tabcde\t10\ty\n", 72, "東京    1  x\nabcde  10  y\n");
    lays_out("\tab\t東京東京東京東京東京\n", 20, "ab  東京東京東京東京\n    東京\n");
    lays_out("\té\tx\n\tab\ty\n", 72, "é   x\nab  y\n");
}
END_TEST

START_TEST(tables_too_wide_keep_their_columns)
{
    lays_out("\tfirst cell\tsecond cell\tthird\n\ta\tb\tc\n", 25,
             "first     second    third\ncell      cell\na         b         c\n");
    lays_out("\tfirst cell of many\t\tsecond\n", 20, "first cell    second\nof many\n");
    /* just enough room: 16 columns */
    lays_out("\t12345678\tone two three four five\n", 26, "12345678  one two three\n          four five\n");
    lays_out("\t12345678\tone two three four five\n", 25, "12345678  one two three\n          four five\n");
    lays_out("\tabcdefghijkl\tone two three four five\n\tb\tc\n", 20,
             "abcdefghi  one two\njkl        three\n           four five\nb          c\n");
}
END_TEST

START_TEST(tables_of_too_many_columns_become_prose)
{
    lays_out("\tabcdefgh\tabcdefgh\tabcdefgh\tx\n\ta\tb\tc\n", 20,
             "abcdefgh  abcdefgh\n  abcdefgh  x\na  b  c\n");
}
END_TEST

START_TEST(headings_and_what_is_for_pages)
{
    lays_out("=\ta\tbbb\n\tcc\t10\nx\n", 72, "a   bbb\ncc   10\nx\n");
    lays_out("a\n!\tpicture\nb\n!c\n= d\n", 72, "a\nb\n!c\n= d\n");
}
END_TEST

START_TEST(many_rows_and_columns)
{
    struct str text = STR_INIT;
    struct str out = STR_INIT;
    for (int row = 0; row < 200; row++) {
        for (int column = 0; column < 20; column++)
            str_addf(&text, "\t%d", (row + column) % 10);
        str_addc(&text, '\n');
    }
    textfmt(&out, slice_str(&text), 72);
    ck_assert_uint_eq(out.len, 200 * (20 + 19 * 2 + 1));
    str_release(&text);
    str_release(&out);
}
END_TEST

/* ---- properties ---- */

static const char *const pieces[] = {"a",    "word", " ",    "  ",       "\t", "\n",
                                     "\n\n", "|",    "* ",   "-",        "- ", "1234",
                                     "東",   "京",   "\r",   "\xCC\x81", "é",  "0123456789012345678",
                                     "%",    "\xFF", "\n\t", "\n|",      "x ", "\xE6\x9D"};
#define PIECES (sizeof pieces / sizeof *pieces)

static bool is_ink_free(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '|';
}

/* No byte but spaces, TABs, CRs, LFs and markers is lost or invented, in whatever order the pieces come. (Cells
 * that are wrapped side by side change the order.) */
static void same_ink(struct slice text, struct slice out)
{
    long count[256] = {0};
    for (size_t i = 0; i < text.len; i++)
        count[(unsigned char)text.p[i]] += !is_ink_free(text.p[i]);
    for (size_t i = 0; i < out.len; i++)
        count[(unsigned char)out.p[i]] -= !is_ink_free(out.p[i]);
    for (int i = 0; i < 256; i++)
        if (count[i]) /* no assertion for each: check would write down where each stands */
            ck_abort_msg("%ld of byte %d", count[i], i);
}

START_TEST(random_texts)
{
    uint32_t state = 7;
    for (int round = 0; round < 5000; round++) {
        struct str text = STR_INIT;
        struct str out = STR_INIT;
        state = state * 1664525U + 1013904223U;
        for (uint32_t n = (state >> 8) % 60; n; n--) {
            state = state * 1664525U + 1013904223U;
            str_adds(&text, pieces[(state >> 8) % PIECES]);
        }
        textfmt(&out, slice_str(&text), 20 + (state >> 8) % 30);
        same_ink(slice_str(&text), slice_str(&out));
        ck_assert(out.len == 0 || out.p[out.len - 1] == '\n');
        if (!memchr(text.p, '|', text.len)) {
            ck_assert_ptr_null(strstr(out.p, " \n"));
            ck_assert_ptr_null(strstr(out.p, "\n\n\n"));
            ck_assert_ptr_null(memchr(out.p, '\t', out.len));
        }
        str_release(&text);
        str_release(&out);
    }
}
END_TEST

/* Without long words every line fits. */
START_TEST(random_texts_fit)
{
    uint32_t state = 11;
    for (int round = 0; round < 3000; round++) {
        struct str text = STR_INIT;
        struct str out = STR_INIT;
        for (int n = 0; n < 60; n++) {
            state = state * 1664525U + 1013904223U;
            static const char *const words[] = {"a ", "word ",   "東京", "\n",  "\n\t",
                                                "\t", "longer ", "12 ",  "\n* "};
            str_adds(&text, words[(state >> 8) % (sizeof words / sizeof *words)]);
        }
        textfmt(&out, slice_str(&text), 30);
        struct slice rest = slice_str(&out);
        struct slice line;
        while (slice_line(&rest, &line))
            ck_assert_msg(utf8_width(line) <= 30, "in\n%s\nout\n%s", text.p, out.p);
        str_release(&text);
        str_release(&out);
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, short_lines_stay);
    tcase_add_test(tc, width_is_exact);
    tcase_add_test(tc, seventy_two);
    tcase_add_test(tc, indentation_goes_on);
    tcase_add_test(tc, deep_indentation_is_limited);
    tcase_add_test(tc, long_words_stay_whole);
    tcase_add_test(tc, wide_characters_count_two);
    tcase_add_test(tc, umlauts_and_accents_count_one);
    tcase_add_test(tc, blank_lines_are_merged);
    tcase_add_test(tc, trailing_blanks_are_cut);
    tcase_add_test(tc, preformatted_lines_stay);
    tcase_add_test(tc, columns_are_aligned);
    tcase_add_test(tc, numbers_to_the_right);
    tcase_add_test(tc, cells_may_be_missing);
    tcase_add_test(tc, tables_end_at_other_lines);
    tcase_add_test(tc, last_column_is_wrapped);
    tcase_add_test(tc, a_wide_number_in_the_last_column);
    tcase_add_test(tc, wide_characters_in_tables);
    tcase_add_test(tc, tables_too_wide_keep_their_columns);
    tcase_add_test(tc, tables_of_too_many_columns_become_prose);
    tcase_add_test(tc, headings_and_what_is_for_pages);
    tcase_add_test(tc, many_rows_and_columns);
    tcase_add_test(tc, random_texts);
    tcase_add_test(tc, random_texts_fit);
}
TEST_MAIN("report/textfmt", cases)
