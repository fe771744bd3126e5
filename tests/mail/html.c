#include "mail/text.h"
#include "mails.h"
#include "repeat.h"

static const struct {
    const char *html, *text;
} pages[] = {
    {"plain", "plain\n"},
    {"a<br>b<br/>c<BR\n>d", "a\nb\nc\nd\n"},
    {"<p>one</p><p>two</p>", "one\ntwo\n"},
    {"<div>a</div><div><br></div><div>b</div>", "a\n\nb\n"},
    {"<div><div>#turnpost orders</div><div>game: gc-17</div></div>", "#turnpost orders\ngame: gc-17\n"},
    {"  a \n\t b  <b> c </b>d ", "a b c d\n"},
    {"a<span>b</span><i>c</i>", "abc\n"},
    {"<pre>\n a\n  b\n\n</pre>c", " a\n  b\n\nc\n"},
    {"x<pre>a\n<b>b</b></pre>y  z", "x\na\nb\ny z\n"},
    {"<style>p { a > b }</style>x<script>if (a < b) '</p>'</script>y", "xy\n"},
    {"<head><title>t</title></head><body>x</body>", "x\n"},
    {"a<script>never closed", "a\n"},
    {"<blockquote>quoted<br>more</blockquote>own", "quoted\nmore\nown\n"},
    {"<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc\n"},
    {"<ul><li>a<li>b</ul>c", "a\nb\nc\n"},
    {"a<!-- <p>no</p> -->b<!doctype x>c<?xml y?>d<![if !mso]>e<![endif]>", "abcde\n"},
    {"a<!-- never closed> b", "a b\n"},
    {"<a href=\"x>y\" title='<p>'>link</a>", "link\n"},
    {"<a title=it's>link</a> x", "link x\n"},
    {"<a href=\"never closed>x</a> y", "x y\n"},
    {"1 < 2 & 3 <4> <", "1 < 2 & 3 <4> <\n"},
    {"x <unclosed tag", "x <unclosed tag\n"},
    {"</p>a</>b</ c>d", "abd\n"},
    {"&amp;&lt;&gt;&quot;&apos;&eacute;&euro;&ndash;", "&<>\"'\xC3\xA9\xE2\x82\xAC\xE2\x80\x93\n"},
    {"a&nbsp;&nbsp;b", "a\xC2\xA0\xC2\xA0"
                       "b\n"},
    {"&#65;&#x42;&#X43;&#68 &#150;", "ABCD \xE2\x80\x93\n"},
    {"&#0;&#xD800;&#99999999999999;", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\n"},
    {"&unknown; &; &# &#x; &ampx &lt", "&unknown; &; &# &#x; &x <\n"},
    {"&amp;lt;", "&lt;\n"},
    {"&#10;a&#32;&#32;b", "a b\n"},
    {"Z\xC3\xBCge", "Z\xC3\xBCge\n"},
    {"<p>> quoted &gt; text</p>", "> quoted > text\n"},
    {"", ""},
    {"<p></p><br>", "\n"},
};

START_TEST(pages_become_text)
{
    struct str out = STR_INIT;
    str_adds(&out, "before");
    html_reduce(&out, slice_of(pages[_i].html));
    ck_assert_str_eq(out.p + strlen("before"), pages[_i].text);
    str_release(&out);
}
END_TEST

/* Text whose every repetition would be quadratic for a reader that looks ahead. */
static const char *const repeated[] = {"<a b=\"", "<a b='",   "<!--",  "<",   "<a ", "&",        "&#",
                                       "<script", "</script", "<pre>", "=\"", "<!",  "<a =\"\">"};

START_TEST(work_is_linear)
{
    struct str in = STR_INIT;
    struct str out = STR_INIT;
    repeat_until(&in, repeated[_i], FEW ? 1U << 18 : 1U << 20);
    double seconds = 0;
    mails_clock(&seconds);
    html_reduce(&out, slice_str(&in));
    mails_clock(&seconds);
    ck_assert_msg(seconds < (FEW ? 0.25 : 1.0), "%s: %.2f s", repeated[_i], seconds);
    ck_assert_uint_le(out.len, in.len + 1);
    str_release(&out);
    str_release(&in);
}
END_TEST

START_TEST(sniffs)
{
    ck_assert(html_sniff(slice_of("\n<!DOCTYPE html>")));
    ck_assert(html_sniff(slice_of("<HTML lang=de>")));
    ck_assert(!html_sniff(slice_of("#turnpost <html>")));
    ck_assert(!html_sniff(slice_of("")));
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_loop_test(tc, pages_become_text, 0, sizeof pages / sizeof *pages);
    tcase_add_loop_test(tc, work_is_linear, 0, sizeof repeated / sizeof *repeated);
    tcase_add_test(tc, sniffs);
}
TEST_MAIN_TOGETHER("mail/html", cases)
