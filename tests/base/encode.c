#include "suite.h"

#include <string.h>

#include "base/encode.h"

START_TEST(hex_both_ways)
{
    struct str out = STR_INIT;
    unsigned char bytes[3] = {0x00, 0xAF, 0xFF}, back[3];
    hex_encode(&out, bytes, 3);
    ck_assert_str_eq(out.p, "00afff");
    ck_assert(hex_decode(back, 3, slice_str(&out)));
    ck_assert_mem_eq(back, bytes, 3);
    ck_assert(!hex_decode(back, 3, slice_of("00AFFF")));
    ck_assert(!hex_decode(back, 3, slice_of("00afff0")));
    ck_assert(!hex_decode(back, 3, slice_of("00aff ")));
    str_release(&out);
}
END_TEST

START_TEST(base64_is_strict)
{
    static const char *const bad[] = {"QQ",
                                      "QQ=",
                                      "QR==",
                                      "Q Q==",
                                      "QQ==\n",
                                      ("QQ=="
                                       "QQ=="),
                                      "Q\xAF==",
                                      "Q\xAB=="};
    struct str out = STR_INIT;
    ck_assert(base64_decode(&out, slice_of("QUI=")));
    ck_assert_str_eq(out.p, "AB");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        str_clear(&out);
        ck_assert_msg(!base64_decode(&out, slice_of(bad[i])), "took %s", bad[i]);
        ck_assert_uint_eq(out.len, 0);
    }
    str_release(&out);
}
END_TEST

START_TEST(long_base64_is_the_same)
{
    unsigned char bytes[300];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * 151 + i / 7);
    for (size_t len = 0; len <= sizeof bytes; len++) {
        struct str one = STR_INIT, other = STR_INIT;
        str_adds(&one, "x");
        str_adds(&other, "x");
        base64_encode(&one, bytes, len);
        base64_encode_long(&other, bytes, len);
        ck_assert_uint_eq(one.len, other.len);
        ck_assert_str_eq(one.p, other.p);
        str_release(&one);
        str_release(&other);
    }
}
END_TEST

START_TEST(base64url_takes_exactly_its_length)
{
    unsigned char out[2];
    ck_assert(base64url_decode(out, 2, slice_of("-_8")));
    ck_assert_mem_eq(out, "\xFB\xFF", 2);
    ck_assert(!base64url_decode(out, 2, slice_of("+/8")));
    ck_assert(!base64url_decode(out, 2, slice_of("-_8=")));
    ck_assert(!base64url_decode(out, 2, slice_of("-_")));
    ck_assert(!base64url_decode(out, 2, slice_of("\xAD_8")));
    ck_assert(base64_decode_to(out, 2, slice_of("+/8=")));
    ck_assert(!base64_decode_to(out, 2, slice_of("+/8")));
    ck_assert(!base64_decode_to(out, 2, slice_of("-_8=")));
    ck_assert(!base64_decode_to(out, 1, slice_of("+/8=")));
}
END_TEST

/* Every byte that is not of the alphabet is refused, wherever it is. */
START_TEST(no_foreign_byte_is_taken)
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    for (int c = 1; c < 256; c++) {
        char text[5] = "AAAA";
        unsigned char three[3];
        struct str out = STR_INIT;
        text[_i] = (char)c;
        bool plain = strchr(alphabet, c) != NULL;
        ck_assert_int_eq(base64_decode(&out, (struct slice){text, 4}),
                         plain || c == '+' || c == '/' || (_i == 3 && c == '='));
        ck_assert_int_eq(base64url_decode(three, 3, (struct slice){text, 4}), plain || c == '-' || c == '_');
        str_release(&out);
    }
}
END_TEST

START_TEST(integers)
{
    unsigned char b[4];
    put_le32(b, 0x01020304U);
    ck_assert_mem_eq(b, "\4\3\2\1", 4);
    ck_assert_uint_eq(get_le32(b), 0x01020304U);
    put_be32(b, 0xFFEEDDCCU);
    ck_assert_uint_eq(get_be32(b), 0xFFEEDDCCU);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, hex_both_ways);
    tcase_add_test(tc, base64_is_strict);
    tcase_add_test(tc, long_base64_is_the_same);
    tcase_add_test(tc, base64url_takes_exactly_its_length);
    tcase_add_loop_test(tc, no_foreign_byte_is_taken, 0, 4);
    tcase_add_test(tc, integers);
}
TEST_MAIN("base/encode", cases)
