#include "mails.h"

#include <stdio.h>

/* Bodies under one transfer encoding. */
static const struct {
    const char *encoding, *body, *exact;
} encodings[] = {
    {"7bit", "a\r\nb", "a\r\nb"},
    {"8bit", "Z\xC3\xBC", "Z\xC3\xBC"},
    {"binary", "x", "x"},
    {"quoted-printable", "Z=C3=BCge=\r\n und=20=\n=3D\r\nx", "Z\xC3\xBCge und =\r\nx"},
    {"Quoted-Printable (comment)", "=41", "A"},
    {"quoted-printable", "=ZZ=", "=ZZ"},
    {"base64", "I3R1cm5wb3N0\r\nCiNlbmQK", "#turnpost\n#end\n"},
    {"base64", "I2VuZAo", "#end\n"}, /* no padding */
    {"base64", "I2VuZAo=\n\n-- \na footer\n", "#end\n"},
    {"BASE64;", " I3R1*cm5w b3N0", "#turnpost"},
    {"base64", "I3R1cm5wb3", "#turnpo"}, /* cut off */
    {"base64", "I2Vu\nZAo=\n", "#end\n"},
    {"base64", "I2VuZAo=\nI2VuZAo=\n", "#end\n#end\n"}, /* in pieces */
    {"base64", "I2VuZAo=I2VuZAo=", "#end\n#end\n"},
    {"base64", "I2VuZAo=\nQUJD\nQUI=\nQ0Q=", "#end\nABCABCD"},
    {"base64", "I2VuZAo=\n\nQUJD\n", "#end\n"},            /* nothing follows an empty line, */
    {"base64", "I2VuZAo=\nUnsubscribe\nQUJD\n", "#end\n"}, /* or what is none of it */
    {"base64", "=\n=", ""},
    {"base64", "Q", ""},
    {"quoted-printable", "a= \t\r\nb=\nc=", "abc"},
    {"quoted-printable", "=3d=3D=3=", "===3"},
    {"quoted-printable", "= x", "= x"},
    {"quoted-printable", "a \nb\t", "a \nb\t"},
    {"x-unknown", "=41", "=41"},
    {"", "=41", "=41"},
};

START_TEST(transfer_encodings)
{
    struct str field = STR_INIT;
    str_addf(&field, "Content-Type: text/plain\nContent-Transfer-Encoding: %s\n", encodings[_i].encoding);
    struct parsed p = mail_with(field.p, encodings[_i].body);
    ck_assert_uint_eq(p.msg.part_count, 1);
    ck_str_eq(p.msg.parts[0].exact, encodings[_i].exact);
    mail_free(&p);
    str_release(&field);
}
END_TEST

static const struct {
    const char *fields, *type, *name;
} names[] = {
    {"Content-Type: text/plain; name=a.txt\n", "text/plain", "a.txt"},
    {"Content-Type: TEXT/Plain; name=a.txt\nContent-Disposition: attachment; filename=\"b c.txt\"\n",
     "text/plain", "b c.txt"},
    {"Content-Disposition: attachment; filename*=utf-8''Z%C3%BCge.txt\n", "text/plain", "Z\xC3\xBCge.txt"},
    {"Content-Disposition: attachment; filename*0*=iso-8859-1'en'Z%FC; filename*1=\"ge.txt\"\n", "text/plain",
     "Z\xC3\xBCge.txt"},
    {"Content-Disposition: attachment; filename=\"=?utf-8?B?b3JkZQ==?= =?utf-8?B?cnMudHh0LnNpZw==?=\"\n",
     "text/plain", "orders.txt.sig"},
    {"Content-Type: application/octet-stream; name==?iso-8859-1?Q?Z=FCge?=\n", "application/octet-stream",
     "Z\xC3\xBCge"},
    {"Content-Disposition: attachment; filename=\"Z\xC3\xBCge\"\n", "text/plain", "Z\xC3\xBCge"},
    {"Content-Disposition: attachment; filename=../../etc/passwd\n", "text/plain", "passwd"},
    {"Content-Disposition: attachment; filename=\"C:\\\\x\\\\orders.txt\"\n", "text/plain", "orders.txt"},
    {"Content-Disposition: attachment; filename=my orders.txt\n", "text/plain", "my orders.txt"},
    {"Content-Disposition: attachment; filename*=utf-8''a%0A%1Bb\n", "text/plain",
     "a \xEF\xBF\xBD"
     "b"},
    {"Content-Disposition: attachment\n", "text/plain", ""},
    {"Content-Type: text\n", "text/plain", ""},
    {"Content-Type: /plain\n", "text/plain", ""},
    {"Content-Type: text/x=y\n", "text/x", ""},
    {"Content-Type:\n", "text/plain", ""},
};

START_TEST(names_and_types)
{
    struct parsed p = mail_with(names[_i].fields, "text\n");
    ck_assert_uint_eq(p.msg.part_count, 1);
    ck_assert_str_eq(p.msg.parts[0].type, names[_i].type);
    ck_assert_str_eq(p.msg.parts[0].name, names[_i].name);
    ck_str_eq(p.msg.parts[0].shown, "text\n");
    mail_free(&p);
}
END_TEST

#define MIXED "Content-Type: multipart/mixed; boundary=b\n"

START_TEST(takes_a_tree_apart)
{
    struct parsed p =
        mail_with(MIXED, "prologue\n"
                         "--b\n"
                         "Content-Type: multipart/alternative; boundary=\"b b\"\n\n"
                         "--b b\n\nplain\n\n"
                         "--b b  \nContent-Type: text/html; charset=iso-8859-1\n\n<p>Z\xFCge<br>x\n"
                         "--b b--\nepilogue\n"
                         "--b\nContent-Type: application/octet-stream; name=orders.txt\n"
                         "Content-Transfer-Encoding: base64\n\nI2VuZAo=\n"
                         "--b\nContent-Type: application/octet-stream\n"
                         "Content-Transfer-Encoding: base64\n\nAAEC/w==\n"
                         "--b--\n--b\n\nno part any more\n");
    ck_assert_uint_eq(p.msg.part_count, 4);
    ck_str_eq(p.msg.parts[0].exact, "plain\n");
    ck_str_eq(p.msg.parts[0].shown, "plain\n");
    ck_assert_str_eq(p.msg.parts[1].type, "text/html");
    ck_str_eq(p.msg.parts[1].exact, "<p>Z\xFCge<br>x");
    ck_str_eq(p.msg.parts[1].shown, "Z\xC3\xBCge\nx\n");
    ck_str_eq(p.msg.parts[2].exact, "#end\n");
    ck_str_eq(p.msg.parts[2].shown, "#end\n");
    ck_assert_uint_eq(p.msg.parts[3].exact.len, 4);
    ck_assert_mem_eq(p.msg.parts[3].exact.p, "\0\1\2\xFF", 4);
    ck_str_eq(p.msg.parts[3].shown, "");
    mail_free(&p);
}
END_TEST

START_TEST(line_end_before_a_boundary_is_the_boundarys)
{
    struct parsed p = mail_with(MIXED, "--b\r\n\r\none\r\n\r\n--b\r\n\r\n--b\r\n--b\r\nX: y\r\n--b--");
    ck_assert_uint_eq(p.msg.part_count, 4);
    ck_str_eq(p.msg.parts[0].exact, "one\r\n");
    ck_str_eq(p.msg.parts[1].exact, "");
    ck_str_eq(p.msg.parts[2].exact, "");
    ck_str_eq(p.msg.parts[3].exact, "");
    mail_free(&p);
}
END_TEST

/* Each: body of a multipart/mixed with boundary b, and the shown text of its first and last part. */
static const struct {
    const char *body;
    size_t count;
    const char *first, *last;
} broken[] = {
    {"--b\n\none\n--b\n\ntwo, cut o", 2, "one", "two, cut o"},
    {"--b\n\none\n--b", 1, "one", "one"},
    {"--b\n\none\n--b\n", 1, "one", "one"},
    {"--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\none\n--b\n\ntwo\n--b--", 2, "one", "two"},
    {"no boundary at all\n", 1, "no boundary at all\n", "no boundary at all\n"},
    {"text\n--b--\n", 1, "text\n--b--\n", "text\n--b--\n"},
    {"--bb\n\none\n--b-\n", 1, "--bb\n\none\n--b-\n", "--bb\n\none\n--b-\n"},
    {"--b\n\none\n--bx\nstill\n--b--x\none\n--b--", 1, "one\n--bx\nstill\n--b--x\none",
     "one\n--bx\nstill\n--b--x\none"},
    {"--b\nContent-Type: text/plain\nno empty line\n--b--", 1, "no empty line", "no empty line"},
    {"--b\nContent-Type: multipart/mixed\n\nno parameter\n--b--", 1, "no parameter", "no parameter"},
    {"--b\nContent-Type: multipart/mixed; boundary=\"\"\n\n--\n\nx\n--b--", 1, "--\n\nx", "--\n\nx"},
    {"--b\n\none\n --b\nnot at the line's start\n--b--", 1, "one\n --b\nnot at the line's start",
     "one\n --b\nnot at the line's start"},
};

START_TEST(broken_multiparts_give_what_was_there)
{
    struct parsed p = mail_with(MIXED, broken[_i].body);
    ck_assert_uint_eq(p.msg.part_count, broken[_i].count);
    ck_str_eq(p.msg.parts[0].shown, broken[_i].first);
    ck_str_eq(p.msg.parts[p.msg.part_count - 1].shown, broken[_i].last);
    mail_free(&p);
}
END_TEST

START_TEST(boundary_that_looks_like_an_encoded_word)
{
    struct parsed p = mail_with("Content-Type: multipart/mixed; boundary=\"=?utf-8?Q?x?=\"\n",
                                "--=?utf-8?Q?x?=\n\none\n--=?utf-8?Q?x?=--\n");
    ck_assert_uint_eq(p.msg.part_count, 1);
    ck_str_eq(p.msg.parts[0].exact, "one");
    mail_free(&p);
}
END_TEST

START_TEST(mails_within_the_mail)
{
    struct parsed p =
        mail_with(MIXED, "--b\n\nsee below\n"
                         "--b\nContent-Type: message/rfc822\n\n\nFrom x Mon\nFrom: bob@example.org\n"
                         "Content-Type: text/html\n\n<p>inner</p>\n"
                         "--b\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"
                         "U3ViamVjdDogeAoKYmFzZTY0Cg==\n"
                         "--b\nContent-Type: multipart/digest; boundary=d\n\n"
                         "--d\n\nSubject: digest\n\nentry\n--d--\n"
                         "--b--\n");
    ck_assert_uint_eq(p.msg.part_count, 4);
    ck_str_eq(p.msg.parts[0].shown, "see below");
    ck_str_eq(p.msg.parts[1].shown, "inner\n");
    ck_str_eq(p.msg.parts[2].shown, "base64\n");
    ck_str_eq(p.msg.parts[3].shown, "entry");
    mail_free(&p);
}
END_TEST

START_TEST(flowed_parts_have_two_forms)
{
    struct parsed p = mail_with("Content-Type: text/plain; Format=\"Flowed\"; DelSp=Yes\n", "a \nb\n ends\n");
    ck_str_eq(p.msg.parts[0].exact, "a \nb\n ends\n");
    ck_str_eq(p.msg.parts[0].shown, "ab\nends\n");
    ck_str_eq(p.msg.parts[0].flat, "a \nb\n ends\n");
    mail_free(&p);
    p = mail_with("Content-Type: text/plain; format=flowed\n", "a\nb\n");
    ck_str_eq(p.msg.parts[0].shown, "a\nb\n");
    ck_assert_uint_eq(p.msg.parts[0].flat.len, 0);
    mail_free(&p);
    p = mail_with("Content-Type: text/html; format=flowed\n", "a \nb\n");
    ck_assert_uint_eq(p.msg.parts[0].flat.len, 0);
    mail_free(&p);
}
END_TEST

START_TEST(html_without_a_label)
{
    struct parsed p = mail_with("", "<html><body>x<br>y</body></html>\n");
    ck_assert_str_eq(p.msg.parts[0].type, "text/plain");
    ck_str_eq(p.msg.parts[0].shown, "x\ny\n");
    mail_free(&p);
    p = mail_with("Content-Type: text/plain\n", "<html>x");
    ck_str_eq(p.msg.parts[0].shown, "<html>x");
    mail_free(&p);
}
END_TEST

/* Mails whose header block is not quite one. */
static const struct {
    const char *mail, *from, *shown;
} blocks[] = {
    {"From alice Mon Jan 1 00:00:00 2026\nFrom: a@b.c\n\nx", "a@b.c", "x"},
    {"From: a@b.c\n>From alice Mon\nSubject: y\n\nx", "a@b.c", "x"},
    {"\xEF\xBB\xBF"
     "From: a@b.c\n\nx",
     "a@b.c", "x"},
    {"\r\n\nFrom: a@b.c\r\n\r\nx", "a@b.c", "x"},
    {"From: a@b.c\nThe empty line is missing.\nx", "a@b.c", "The empty line is missing.\nx"},
    {"no header at all\nx", "", "no header at all\nx"},
    {" folded from nothing\nx", "", " folded from nothing\nx"},
    {"From: a@b.c\n \nSubject: y\n\nx", "a@b.c", "x"}, /* a fold that is only spaces */
    {"From: a@b.c\r\r\n\r\r\nx\r\r\ny", "a@b.c", "\nx\ny"},
    {"From: a@b.c\rSubject: y\r\rx\ry", "a@b.c", "x\ny"},
    {"From: a@b.c", "a@b.c", ""},
    {"From: a@b.c\n\n", "a@b.c", ""},
    {": no name\n\nx", "", ": no name\n\nx"},
};

START_TEST(header_blocks)
{
    struct parsed p = mail_good(blocks[_i].mail);
    ck_assert_str_eq(p.msg.from, blocks[_i].from);
    ck_assert_uint_eq(p.msg.part_count, 1);
    ck_str_eq(p.msg.parts[0].shown, blocks[_i].shown);
    mail_free(&p);
}
END_TEST

START_TEST(nuls_stay_in_exact)
{
    static const char text[] = "From: a@b.c\nSubject: a\0b\n\nx\0y";
    struct parsed p = mail_read((struct slice){text, sizeof text - 1});
    ck_ok(p.result, p.err);
    ck_assert_str_eq(p.msg.subject, "a\xEF\xBF\xBD"
                                    "b");
    ck_assert_uint_eq(p.msg.parts[0].exact.len, 3);
    ck_assert_mem_eq(p.msg.parts[0].exact.p, "x\0y", 3);
    ck_str_eq(p.msg.parts[0].shown, "x\xEF\xBF\xBDy");
    mail_free(&p);
}
END_TEST

/* ---- limits ---- */

static const char limited[] = "From: a@b.c\nMessage-ID: <m@x>\nContent-Type: multipart/mixed; boundary=b\n\n"
                              "--b\n\none\n"
                              "--b\nContent-Type: message/rfc822\n\nX: y\n\ntwo\n"
                              "--b\nContent-Type: image/png\n\n0123456789\n--b--\n";

static void refused(struct message_limits limits, const char *words)
{
    struct parsed p = mail_read_limited(slice_of(limited), &limits);
    ck_assert_int_eq(p.result, -1);
    ck_assert_int_eq(p.err.code, ERR_INPUT);
    ck_assert_msg(strstr(p.err.text, words) != NULL, "%s", p.err.text);
    ck_assert_uint_eq(p.msg.part_count, 0);
    unsigned char digest[MESSAGE_DIGEST];
    message_digest(digest, slice_of(limited));
    ck_assert_mem_eq(p.msg.digest, digest, sizeof digest);
    if (limits.header_count > 1) {
        ck_assert_str_eq(p.msg.from, "a@b.c");
        ck_assert_str_eq(p.msg.message_id, "m@x");
    }
    mail_free(&p);
}

START_TEST(limits_refuse)
{
    struct message_limits exact = {.size = sizeof limited - 1,
                                   .header_bytes = 72,
                                   .header_count = 3,
                                   .parts = 3,
                                   .depth = 2,
                                   .part_bytes = 3};
    struct parsed p = mail_read_limited(slice_of(limited), &exact);
    ck_ok(p.result, p.err);
    ck_assert_uint_eq(p.msg.part_count, 3);
    ck_str_eq(p.msg.parts[1].shown, "two");
    ck_str_eq(p.msg.parts[2].exact, ""); /* a picture above the limit harms nobody */
    mail_free(&p);
    struct message_limits less = exact;
    less.size--;
    refused(less, "bytes");
    less = exact;
    less.header_bytes--;
    refused(less, "header");
    less = exact;
    less.header_count--;
    refused(less, "header");
    less.header_count = 1;
    refused(less, "header");
    less = exact;
    less.parts--;
    refused(less, "more than 2 parts");
    less = exact;
    less.depth--;
    refused(less, "1 levels");
    less = exact;
    less.part_bytes--;
    refused(less, "holds 3 bytes");
}
END_TEST

START_TEST(an_empty_mail_is_refused)
{
    static const char *const empty[] = {"", "\n", "\r\n\r\n", "\r", "\r\r"};
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
        struct parsed p = mail_read(slice_of(empty[i]));
        ck_assert_int_eq(p.result, -1);
        ck_assert_int_eq(p.err.code, ERR_INPUT);
        mail_free(&p);
        message_release(&p.msg); /* once more does no harm */
    }
    struct parsed p = mail_read((struct slice){NULL, 0});
    ck_assert_int_eq(p.result, -1);
    mail_free(&p);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_unchecked_fixture(tc, mail_begin, NULL);
    tcase_add_loop_test(tc, transfer_encodings, 0, sizeof encodings / sizeof *encodings);
    tcase_add_loop_test(tc, names_and_types, 0, sizeof names / sizeof *names);
    tcase_add_test(tc, takes_a_tree_apart);
    tcase_add_test(tc, line_end_before_a_boundary_is_the_boundarys);
    tcase_add_loop_test(tc, broken_multiparts_give_what_was_there, 0, sizeof broken / sizeof *broken);
    tcase_add_test(tc, boundary_that_looks_like_an_encoded_word);
    tcase_add_test(tc, mails_within_the_mail);
    tcase_add_test(tc, flowed_parts_have_two_forms);
    tcase_add_test(tc, html_without_a_label);
    tcase_add_loop_test(tc, header_blocks, 0, sizeof blocks / sizeof *blocks);
    tcase_add_test(tc, nuls_stay_in_exact);
    tcase_add_test(tc, limits_refuse);
    tcase_add_test(tc, an_empty_mail_is_refused);
}
TEST_MAIN_TOGETHER("mail/parts", cases)
