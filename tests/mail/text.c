#include "mail/text.h"
#include "mails.h"

static const struct {
    const char *charset, *bytes, *want;
} texts[] = {
    {NULL, "Z\xC3\xBCge", "Z\xC3\xBCge"},
    {NULL, "Z\xFCge \x84x\x93 \x80", "Z\xC3\xBCge \xE2\x80\x9Ex\xE2\x80\x9C \xE2\x82\xAC"},
    {"utf-8", "Z\xC3\xBCge", "Z\xC3\xBCge"},
    {"utf-8", "Z\xFCge", "Z\xC3\xBCge"}, /* wrong label */
    {"us-ascii", "Z\xC3\xBCge", "Z\xC3\xBCge"},
    {"iso-8859-1", "Z\xFCge \x96", "Z\xC3\xBCge \xE2\x80\x93"}, /* means windows-1252 */
    {"ISO-8859-15", "\xA4", "\xE2\x82\xAC"},
    {"koi8-r", "\xC1", "\xD0\xB0"},
    {"shift_jis", "\x93\xFA\x96{", "\xE6\x97\xA5\xE6\x9C\xAC"},
    {"iso-2022-jp", "\x1B$BF|K\\\x1B(B", "\xE6\x97\xA5\xE6\x9C\xAC"},
    {"gb2312", "\xD6\xD0", "\xE4\xB8\xAD"},
    {"utf-7", "Z+APw-ge", "Z\xC3\xBCge"},
    {"gb2312", "Z\xC3\xBCge", "Z\xE7\x9C\x89ge"},
    {"iso-2022-jp", "Z\xC3\xBCge", "Z\xC3\xBCge"}, /* cannot be: UTF-8 */
    {"x-unknown", "Z\xFCge", "Z\xC3\xBCge"},
    {"utf-8//TRANSLIT", "Z\xFCge", "Z\xC3\xBCge"},
    {"../../tmp/x", "a", "a"},
    {"", "a", "a"},
    {NULL, "\x81", "\xEF\xBF\xBD"}, /* undefined in windows-1252 */
    {NULL, "\xEF\xBB\xBFmark", "mark"},
    {NULL, "a\r\nb\rc\r\r\nd\n", "a\nb\nc\nd\n"},
    {NULL, "", ""},
};

START_TEST(charsets)
{
    struct str out = STR_INIT;
    text_decode(&out, slice_of(texts[_i].bytes), texts[_i].charset);
    ck_str_eq(out, texts[_i].want);
    str_release(&out);
}
END_TEST

START_TEST(utf16_is_known_by_its_mark)
{
    static const char little[] = "\xFF\xFE#\0e\0n\0d\0\r\0\n\0\xFC";
    static const char big[] = "\xFE\xFF\0#\0\xFC";
    struct str out = STR_INIT;
    text_decode(&out, (struct slice){little, sizeof little}, NULL);
    ck_str_eq(out, "#end\n\xC3\xBC");
    str_clear(&out);
    text_decode(&out, (struct slice){big, sizeof big - 1}, "utf-8");
    ck_str_eq(out, "#\xC3\xBC");
    str_release(&out);
}
END_TEST

START_TEST(nul_is_shown_as_replacement)
{
    struct str out = STR_INIT;
    text_decode(&out, (struct slice){"a\0\xC3\xBC", 4}, "utf-8");
    ck_str_eq(out, "a\xEF\xBF\xBD\xC3\xBC");
    str_release(&out);
}
END_TEST

/* A few damaged bytes do not make a label wrong. */
START_TEST(damage_is_local)
{
    struct str in = STR_INIT;
    struct str out = STR_INIT;
    for (int i = 0; i < 50; i++)
        str_adds(&in, "\x93\xFA");
    str_adds(&in, "\xFF.");
    text_decode(&out, slice_str(&in), "shift_jis");
    ck_assert_uint_eq(out.len, 50 * 3 + 3 + 1);
    ck_assert(str_ends(out.p, "\xE6\x97\xA5\xEF\xBF\xBD."));
    str_release(&out);
    str_release(&in);
}
END_TEST

static const struct {
    const char *text;
    bool delsp;
    const char *want;
} flows[] = {
    {"explore near \nor bide\nbuild\n", false, "explore near or bide\nbuild\n"},
    {"explore ne \nar\n", true, "explore near\n"},
    {" From here\n >not a quote\n", false, "From here\n>not a quote\n"},
    {"a \n b\n", false, "a b\n"},
    {"> quoted \n> text\n>> deeper\nown\n", false, "> quoted text\n> > deeper\nown\n"},
    {"> open \nown\n", false, "> open \nown\n"}, /* a paragraph ends where the depth changes */
    {">> a \n> b\n", false, "> > a \n> b\n"},
    {"text \n-- \nAlice \nB\n", false, "text \n-- \nAlice B\n"},
    {"-- \nx\n", false, "-- \nx\n"},
    {"last ", false, "last \n"},
    {"no end", false, "no end\n"},
    {" \n\n", false, "\n\n"},
    {"", false, ""},
};

START_TEST(flowed_text)
{
    struct str out = STR_INIT;
    text_unflow(&out, slice_of(flows[_i].text), flows[_i].delsp);
    ck_str_eq(out, flows[_i].want);
    str_release(&out);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_loop_test(tc, charsets, 0, sizeof texts / sizeof *texts);
    tcase_add_test(tc, utf16_is_known_by_its_mark);
    tcase_add_test(tc, nul_is_shown_as_replacement);
    tcase_add_test(tc, damage_is_local);
    tcase_add_loop_test(tc, flowed_text, 0, sizeof flows / sizeof *flows);
}
TEST_MAIN_TOGETHER("mail/text", cases)
