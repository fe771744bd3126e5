/* iconv's tables are not ours, and verdicts follow from what they say: here are digests of all of them, which must be the same
 * wherever Turnpost runs. A system on which one differs needs a rule of ours for that charset (mail/text.c). */
#include "mail/text.h"

#include <sodium.h>
#include <string.h>

#include "base/encode.h"
#include "suite.h"

static const struct {
    const char *label, *digest; /* BLAKE2b with 8 bytes */
} tables[] = {
    {"windows-1250", "204b2332e0ddd852"}, {"iso-8859-2", "07029ef908cdc247"},
    {"windows-1251", "ffecac6d25f7fc8a"}, {"windows-1253", "f35ea9abcf93ebd7"},
    {"windows-1254", "7c521a166e7015ca"}, {"windows-1255", "e9a1c4fbd5658c0c"},
    {"windows-1256", "4e7b0274f3986520"}, {"windows-1257", "59a0b8bd6d507db4"},
    {"windows-1258", "58dbd3ca54218c8a"}, {"iso-8859-3", "518517e3ac04f681"},
    {"iso-8859-4", "92bb0917d245771e"},   {"iso-8859-5", "26ba7e27b9f62ab4"},
    {"iso-8859-6", "791aaf582bdb1397"},   {"iso-8859-7", "c9ee5fc7e981b35d"},
    {"iso-8859-8", "a18c69a8d1c635bc"},   {"iso-8859-10", "e2c5ef2521b04fb9"},
    {"iso-8859-11", "59e45741f7839d2f"},  {"iso-8859-13", "90f6cc8f5ba61874"},
    {"iso-8859-14", "14b73ffcd140802b"},  {"iso-8859-15", "620e026423b3e1ca"},
    {"iso-8859-16", "3835748cf5d5cdb1"},  {"koi8-r", "d6a19a73b3b4582b"},
    {"koi8-u", "eba1382c81ab482b"},       {"ibm437", "5ed52487af60a592"},
    {"ibm850", "3495fabdf2211f67"},       {"ibm852", "2196ff9bddc26743"},
    {"ibm866", "00db4dda16e6c844"},       {"macintosh", "de1707cb98740e76"},
    {"shift_jis", "b98e90f3f07e9b74"},    {"euc-jp", "521f28068c79ea7a"},
    {"iso-2022-jp", "63635691ae12c841"},  {"euc-kr", "4e0de1183f5bf3cd"},
    {"iso-2022-kr", "dd388fc382e5b097"},  {"gb2312", "eb84834aabd36d80"},
    {"big5", "621ed6eba843d4ab"},         {"utf-7", "a65d993f97eb4aae"},
    {"utf-16", "ead6efe4e4f4f869"},       {"utf-16le", "04d87730e0f7365e"},
    {"utf-16be", "6d365fb834a0ab31"},     {"utf-32", "63635691ae12c841"},
};

/* Every byte, and every two bytes, each as a text of its own. */
START_TEST(a_table_is_the_same_everywhere)
{
    struct text_decoder decoder = {.count = 0};
    crypto_generichash_state state;
    unsigned char digest[8];
    char hex[2 * sizeof digest + 1];
    struct str text = STR_INIT;
    (void)crypto_generichash_init(&state, NULL, 0, sizeof digest);
    for (unsigned n = 0; n < 0x10100; n++) {
        const char bytes[2] = {(char)(n < 0x100 ? n : (n - 0x100) >> 8), (char)(n - 0x100)};
        str_clear(&text);
        text_decode_with(&decoder, &text, (struct slice){bytes, n < 0x100 ? 1 : 2}, tables[_i].label);
        (void)crypto_generichash_update(&state, (const unsigned char *)text.p, text.len + 1);
    }
    text_decoder_release(&decoder);
    (void)crypto_generichash_final(&state, digest, sizeof digest);
    hex_to(hex, digest, sizeof digest);
    ck_assert_msg(strcmp(hex, tables[_i].digest) == 0, "{\"%s\", \"%s\"},", tables[_i].label, hex);
    str_release(&text);
}
END_TEST

/* Texts of several characters; those with shifts, and of more than two bytes. */
static const struct {
    const char *label, *bytes, *text;
} texts[] = {
    {"gb18030", "\xC4\xE3\xBA\xC3", "\xE4\xBD\xA0\xE5\xA5\xBD"},
    {"gb18030", "a\x94\x39\xDA\x33z", "a\xF0\x9F\x92\xA9z"}, /* an emoji */
    {"gb2312", "\x90\x30\x81\x30", "\xF0\x90\x80\x80"},
    {"gbk", "\xE3\x32\x9A\x35", "\xF4\x8F\xBF\xBF"}, /* U+10FFFF, and nothing is above it */
    {"iso-2022-jp", "\x1B$B$3$s\x1B(B", "\xE3\x81\x93\xE3\x82\x93"},
    {"euc-jp", "\x8F\xB0\xA1", "\xE4\xB8\x82"},
    {"euc-kr", "\xA2\xE8", "\xC2\xA2\xC3\xA8"}, /* none of it, and nothing is read behind it */
    {"utf-7", "a+-b+AOk-", "a+b\xC3\xA9"},
};

START_TEST(longer_characters)
{
    struct str text = STR_INIT;
    text_decode(&text, slice_of(texts[_i].bytes), texts[_i].label);
    ck_assert_str_eq(text.p, texts[_i].text);
    str_release(&text);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_loop_test(tc, a_table_is_the_same_everywhere, 0, sizeof tables / sizeof *tables);
    tcase_add_loop_test(tc, longer_characters, 0, sizeof texts / sizeof *texts);
}
TEST_MAIN_TOGETHER("mail/charsets", cases)
