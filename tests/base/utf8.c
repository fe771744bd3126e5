#include "suite.h"

#include "base/utf8.h"

START_TEST(valid_and_not)
{
    static const char *const bad[] = {"\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82", "\x80",
                                      "\xFF",     "a\xC3"};
    ck_assert(utf8_valid(slice_of("Gr\xC3\xBC\xC3\x9F Gott \xE2\x82\xAC \xF0\x9F\x9A\x80")));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert_msg(!utf8_valid(slice_of(bad[i])), "took number %zu", i);
    ck_assert(!utf8_valid((struct slice){"a\0b", 3}));
}
END_TEST

START_TEST(made_safe)
{
    struct str out = STR_INIT;
    utf8_safe(&out,
              slice_of("a\x1b[31m\tb\nc\xE2\x80\xAE"
                       "d\xFF"),
              false);
    ck_assert_str_eq(out.p, "a\xEF\xBF\xBD[31m b c\xEF\xBF\xBD"
                            "d\xEF\xBF\xBD");
    str_clear(&out);
    utf8_safe(&out, slice_of("x\ny"), true);
    ck_assert_str_eq(out.p, "x\ny");
    str_release(&out);
}
END_TEST

START_TEST(every_code_point_survives)
{
    for (uint32_t cp = 1; cp < 0x110000; cp += cp < 0x3000 ? 1 : 97) {
        struct str out = STR_INIT;
        size_t len;
        if (cp >= 0xD800 && cp <= 0xDFFF)
            continue;
        utf8_put(&out, cp);
        ck_assert_uint_eq(utf8_next(slice_str(&out), &len), cp);
        ck_assert_uint_eq(len, out.len);
        str_release(&out);
    }
}
END_TEST

START_TEST(widths)
{
    ck_assert_uint_eq(utf8_width(slice_of("abc")), 3);
    ck_assert_uint_eq(utf8_width(slice_of("\xC3\xA9")), 1);
    ck_assert_uint_eq(utf8_width(slice_of("e\xCC\x81")), 1);
    ck_assert_uint_eq(utf8_width(slice_of("\xE6\xBC\xA2")), 2);
}
END_TEST

/* Every length, with the first byte that is not printable at every place. */
START_TEST(printable_runs)
{
    static const char odd[] = {'\0', '\n', '\t', 0x1F, 0x7F, (char)0x80, (char)0xFF};
    char text[40];
    for (size_t len = 0; len <= sizeof text; len++)
        for (size_t at = 0; at <= len; at++)
            for (size_t i = 0; i < sizeof odd; i++) {
                memset(text, at % 2 ? ' ' : '~', sizeof text);
                if (at < len)
                    text[at] = odd[i];
                ck_assert_uint_eq(utf8_printable((struct slice){text, len}), at);
            }
}
END_TEST

/* Names as people write it where there are no such letters; nothing else has one. */
START_TEST(plain_letters)
{
    static const struct {
        uint32_t cp;
        const char *letters;
    } rows[] = {{0xFC, "ue"}, {0xDC, "ue"}, {0xDF, "ss"}, {0x141, "l"}, {0xC6, "ae"},
                {0xE9, "e"},  {0x17E, "z"}, {0xD7, ""},   {0xF7, ""},   {'a', ""},
                {0x180, ""},  {0x416, ""},  {0x17F, "s"}, {0xC0, "a"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_str_eq(utf8_plain(rows[i].cp), rows[i].letters);
    for (uint32_t cp = 0; cp < 0x3000; cp++)
        for (const char *c = utf8_plain(cp); *c; c++)
            ck_assert(*c >= 'a' && *c <= 'z');
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, printable_runs);
    tcase_add_test(tc, valid_and_not);
    tcase_add_test(tc, made_safe);
    tcase_add_test(tc, every_code_point_survives);
    tcase_add_test(tc, widths);
    tcase_add_test(tc, plain_letters);
}
TEST_MAIN("base/utf8", cases)
