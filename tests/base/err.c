#include "base/err.h"

#include <string.h>

#include "base/utf8.h"
#include "suite.h"

START_TEST(the_first_error_wins)
{
    struct err err = ERR_INIT;
    ck_assert_int_eq(err_set(&err, ERR_CONFIG, "%s, line %d", "league.ini", 7), -1);
    ck_assert_int_eq(err_set(&err, ERR_IO, "later"), -1);
    ck_assert_str_eq(err.text, "league.ini, line 7");
    ck_assert_int_eq(err_exit_code(&err), 78);
    ck_assert_int_eq(err_prefix(&err, "%s", "orion"), -1);
    ck_assert_str_eq(err.text, "orion: league.ini, line 7");
    err_clear(&err);
    ck_assert_int_eq(err.code, ERR_NONE);
    ck_assert_str_eq(err.text, "");
}
END_TEST

/* Errors quote what was found in files and mails. */
START_TEST(texts_can_be_shown)
{
    struct err err = ERR_INIT;
    err_set(&err, ERR_INPUT, "near \"%s\"", "\x1b[31m\r\nx\xff caf\xC3\xA9 \xE2\x80\xAE");
    ck_assert(utf8_valid(slice_of(err.text)));
    ck_assert_ptr_null(strpbrk(err.text, "\x1b\r\n"));
    ck_assert_ptr_nonnull(strstr(err.text, "caf\xC3\xA9"));
    ck_assert_ptr_null(strstr(err.text, "\xE2\x80\xAE"));
    err_prefix(&err, "a\nb");
    ck_assert_ptr_null(strchr(err.text, '\n'));
}
END_TEST

START_TEST(long_texts_end_with_a_whole_character)
{
    for (size_t shift = 0; shift < 4; shift++) {
        struct err err = ERR_INIT;
        struct str text = STR_INIT;
        for (size_t i = 0; i < shift; i++)
            str_addc(&text, 'x');
        while (text.len < 2 * sizeof err.text)
            str_adds(&text, "\xE6\x97\xA5");
        err_set(&err, ERR_INPUT, "%s", text.p);
        ck_assert(utf8_valid(slice_of(err.text)));
        ck_assert_uint_gt(strlen(err.text), sizeof err.text - 8);
        err_prefix(&err, "%s", text.p);
        ck_assert(utf8_valid(slice_of(err.text)));
        str_release(&text);
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, the_first_error_wins);
    tcase_add_test(tc, texts_can_be_shown);
    tcase_add_test(tc, long_texts_end_with_a_whole_character);
}
TEST_MAIN("base/err", cases)
