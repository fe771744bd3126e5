#include "suite.h"

#include <limits.h>

START_TEST(grows_and_stays_terminated)
{
    struct str s = STR_INIT;
    ck_assert_uint_eq(s.len, 0);
    ck_assert_int_eq(s.p[0], 0);
    for (int i = 0; i < 1000; i++)
        str_addf(&s, "%d,", i);
    ck_assert(str_starts(s.p, "0,1,2,"));
    ck_assert(str_ends(s.p, "998,999,"));
    ck_assert_int_eq(s.p[s.len], 0);
    str_fit(&s);
    ck_assert_uint_eq(s.cap, s.len + 1);
    ck_assert(str_ends(s.p, "998,999,"));
    str_adds(&s, "more");
    ck_assert(str_ends(s.p, "998,999,more"));
    str_cut(&s, 3);
    ck_assert_str_eq(s.p, "0,1");
    str_release(&s);
    ck_assert_uint_eq(s.len, 0);
    str_fit(&s); /* the empty string that all share */
    ck_assert_uint_eq(s.cap, 0);
}
END_TEST

START_TEST(lines_lose_their_ends)
{
    struct slice rest = slice_of("a\r\nb\n\nlast");
    struct slice line;
    ck_assert(slice_line(&rest, &line));
    ck_slice_eq(line, "a");
    ck_assert(slice_line(&rest, &line));
    ck_slice_eq(line, "b");
    ck_assert(slice_line(&rest, &line));
    ck_slice_eq(line, "");
    ck_assert(slice_line(&rest, &line));
    ck_slice_eq(line, "last");
    ck_assert(!slice_line(&rest, &line));
}
END_TEST

START_TEST(words_and_trims)
{
    struct slice rest = slice_of("  one\ttwo \r\n");
    struct slice word;
    ck_assert(slice_word(&rest, &word));
    ck_slice_eq(word, "one");
    ck_assert(slice_word(&rest, &word));
    ck_slice_eq(word, "two");
    ck_assert(!slice_word(&rest, &word));
    ck_slice_eq(slice_trim(slice_of(" \t x y \r\n")), "x y");
    ck_slice_eq(slice_trim(slice_of(" \r\n")), "");
    ck_assert(slice_casestarts(slice_of("HeLLo"), "hell"));
    ck_assert(!slice_caseeq(slice_of("hell"), "hello"));
    ck_assert_uint_eq(slice_find(slice_of("abcabc"), "ca"), 2);
    ck_assert_uint_eq(slice_find(slice_of("abc"), "x"), (size_t)-1);
    struct slice line;
    rest = slice_of("one\ntwo b\nthree\nb four");
    ck_assert(slice_find_line(&rest, "b", &line) && slice_eq(line, "two b"));
    ck_assert(slice_eq(rest, "three\nb four"));
    ck_assert(slice_find_line(&rest, "b", &line) && slice_eq(line, "b four"));
    ck_assert(!slice_find_line(&rest, "b", &line) && !rest.len);
}
END_TEST

/* The short way for %s and %d, and what goes to the C library. */
START_TEST(words_of_a_list)
{
    ck_assert(word_listed(" v game seq", "v") && word_listed(" v game seq", "seq"));
    ck_assert(!word_listed(" v game seq", "gam") && !word_listed(" v game seq", "v game"));
    ck_assert(!word_listed(" v game seq", "") && !word_listed("", "v"));
}
END_TEST

START_TEST(formats)
{
    struct str s = STR_INIT;
    str_addf(&s, "%s has %d of %d%%, %s", "ann", 7, -12, "not 100%");
    ck_assert_str_eq(s.p, "ann has 7 of -12%, not 100%");
    str_clear(&s);
    str_addf(&s, "%d %03d %.2s %zu %s", INT_MIN, 5, "abc", (size_t)9, "end");
    ck_assert_str_eq(s.p, "-2147483648 005 ab 9 end");
    str_clear(&s);
    str_addf(&s, "nothing to fill in");
    ck_assert_str_eq(s.p, "nothing to fill in");
    str_release(&s);
}
END_TEST

START_TEST(numbers)
{
    static const char *const bad[] = {"", " ", "-1", "+1", "1x", "0x1", "1234567890123456"};
    struct slice rest = slice_of(" 17 000999999999999 2");
    int64_t number;
    ck_assert(slice_number(&rest, &number) && number == 17);
    ck_assert(slice_number(&rest, &number) && number == 999999999999);
    ck_assert(slice_number(&rest, &number) && number == 2);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        rest = slice_of(bad[i]);
        ck_assert_msg(!slice_number(&rest, &number), "\"%s\" is taken", bad[i]);
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, words_of_a_list);
    tcase_add_test(tc, formats);
    tcase_add_test(tc, grows_and_stays_terminated);
    tcase_add_test(tc, lines_lose_their_ends);
    tcase_add_test(tc, words_and_trims);
    tcase_add_test(tc, numbers);
}
TEST_MAIN("base/str", cases)
