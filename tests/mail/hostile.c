/* Mails made to harm: each is answered within two seconds, also under the sanitizers, whatever the answer is.
 */
#include "mails.h"
#include "repeat.h"

#include "base/mem.h"

#define SECONDS 2.0

struct hostile {
    const char *name;
    const char *head; /* once */
    const char *unit; /* again and again; "%d" is its number */
    size_t times;     /* 0: until the mail has `size` bytes */
    size_t size;
    const char *tail;
};

#define TOP "From: alice@example.org\nMessage-ID: <m@x>\n"
#define MIX TOP "Content-Type: multipart/mixed; boundary=b\n\n"
#define MIB (1U << 20)

static const struct hostile mails[] = {
    {"100,000 parts", MIX, "--b\n\nx\n", 100000, 0, "--b--\n"},
    {"empty parts", MIX, "--b\n", 0, MIB, ""},
    {"nesting 500", TOP, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", 500, 0, "\nx\n"},
    {"nesting 20,000", TOP, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", 20000, 0, "\nx\n"},
    {"nesting 20,000, one boundary", TOP, "Content-Type: multipart/mixed; boundary=b\n\n--b\n", 20000, 0,
     "\nx\n"},
    {"20,000 message/rfc822", TOP, "Content-Type: message/rfc822\n\n", 20000, 0, "x\n"},
    {"20,000 digests", TOP, "Content-Type: multipart/digest; boundary=b\n\n--b\n\n", 20000, 0, "x\n"},
    {"1 MB header, one field", TOP "Subject: ", "x", 0, MIB, "\n\nx\n"},
    {"1 MB header, many fields", TOP, "X: y\n", 0, MIB, "\nx\n"},
    {"1 MB header, one folded field", TOP "Subject:", " x\n", 0, MIB, "\nx\n"},
    {"1 MB header of a part", MIX "--b\n", "X: y\n", 0, MIB, "\nx\n"},
    {"20 MB", TOP "\n", "0123456789abcdef\n", 0, 20 * MIB, ""},
    {"From: ((((", "From: ", "(", 120000, 0, "\n\nx\n"},
    {"From: ((((, short", "From: ", "(", 1900, 0, "\n\nx\n"},
    {"From: <<<<", "From: ", "<", 60000, 0, "\n\nx\n"},
    {"From: groups", "From: ", "a:", 900, 0, "\n\nx\n"},
    {"To: groups", TOP "To: ", "a:", 30000, 0, "\n\nx\n"},
    {"To: groups in a forwarded mail", TOP "Content-Type: message/rfc822\n\nTo: ", "a:", 30000, 0, "\n\nx\n"},
    {"To: groups in a forwarded mail, 1 MB", TOP "Content-Type: message/rfc822\n\nTo: ", "a:", 0, MIB - 100,
     "\n\nx\n"},
    {"500 To: fields", TOP, "To: a@b,c@d,e@f,g@h,i@j,k@l,m@n,o@p,q@r,s@t,u@v,w@x,y@z,league@example.net\n",
     490, 0, "\nx\n"},
    {"Subject: =?", TOP "Subject: ", "=?", 30000, 0, "\n\nx\n"},
    {"Subject: =?a?q?", TOP "Subject: ", "=?a?q?", 10000, 0, "\n\nx\n"},
    {"Subject: words", TOP "Subject: ", "=?gb2312?q?=FC?= ", 3000, 0, "\n\nx\n"},
    {"References", TOP "References: ", "<%d@x> ", 5000, 0, "\n\nx\n"},
    {"parameters", TOP "Content-Type: text/plain", "; a%d=b", 6000, 0, "\n\nx\n"},
    {"the same parameter", TOP "Content-Type: text/plain", "; a=b", 12000, 0, "\n\nx\n"},
    {"pieces of a parameter", TOP "Content-Type: text/plain", "; a*%d*=%%41", 5000, 0, "\n\nx\n"},
    {"a long boundary", TOP "Content-Type: multipart/mixed; boundary=", "b", 60000, 0, "\n\n--b\n\nx\n"},
    {"unterminated boundaries", MIX "--b\n\nx\n", "--b", 0, MIB, ""},
    {"a huge single line", TOP "\n", "x", 0, MIB - 1, ""},
    {"a huge single line without a header", "", "x", 0, MIB - 1, ""},
    {"CR only", "From: a@b.c\r\r", "x\r", 0, MIB - 1, ""},
    {"CR CR LF", "From: a@b.c\r\r\n\r\r\n", "x\r\r\n", 0, 200000, ""},
    {"LF only", "", "\n", 0, MIB - 1, ""},
    {"From_ lines", "", "From x\n", 0, MIB - 1, ""},
    {"no colon", "", "no colon here\n", 0, 200000, ""},
    {"flowed", TOP "Content-Type: text/plain; format=flowed\n\n", "> \n>> \n", 0, 200000, ""},
    {"flowed quotes", TOP "Content-Type: text/plain; format=flowed\n\n", ">", 0, 200000, ""},
    {"invalid UTF-8", TOP "Content-Type: text/plain; charset=utf-8\n\n", "\xF0\x9F\xFF", 0, 200000, ""},
    {"ISO-2022-JP escapes", TOP "Content-Type: text/plain; charset=iso-2022-jp\n\n", "\x1B$B\x1B(", 0, 200000,
     ""},
    {"UTF-7", TOP "Content-Type: text/plain; charset=utf-7\n\n", "+AAA", 0, 200000, ""},
    {"unknown charset", TOP "Content-Type: text/plain; charset=ebcdic-x-%d\n\n", "\xFF", 0, 200000, ""},
    {"quoted-printable", TOP "Content-Transfer-Encoding: quoted-printable\n\n", "=", 0, 200000, ""},
    {"base64 of nothing", TOP "Content-Transfer-Encoding: base64\n\n", "=\n", 0, MIB - 1, ""},
    {"HTML", TOP "Content-Type: text/html\n\n", "<a b='<!--&#", 0, 200000, ""},
    {"delivery status", TOP "Return-Path: <>\nContent-Type: message/delivery-status\n\n", "\nAction: x\n", 0,
     200000, ""},
    {"delivery status, junk", TOP "Return-Path: <>\nContent-Type: message/delivery-status\n\n", "x\n", 0,
     200000, ""},
    {"returned headers", TOP "Return-Path: <>\nContent-Type: text/rfc822-headers\n\n", "x:\n", 0, 200000, ""},
};

/* Appends `text` with every "%d" replaced by the number. */
static void add_unit(struct str *mail, const char *text, size_t number)
{
    for (const char *mark; (mark = strstr(text, "%d")) != NULL; text = mark + 2) {
        str_add(mail, text, (size_t)(mark - text));
        str_addf(mail, "%zu", number);
    }
    str_adds(mail, text);
}

static void build(struct str *mail, const struct hostile *how)
{
    str_adds(mail, how->head);
    if (!how->times && !strstr(how->unit, "%d"))
        repeat_until(mail, how->unit, how->size);
    for (size_t i = 0; how->times ? i < how->times : mail->len < how->size; i++)
        add_unit(mail, how->unit, i);
    str_adds(mail, how->tail);
}

/* What one pattern cannot make. */
static void build_dashes(struct str *mail)
{
    str_adds(mail, TOP);
    for (size_t i = 0; i < 15; i++)
        add_unit(mail, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i);
    str_addc(mail, '\n');
    repeat_until(mail, "--b\n", MIB - 8);
}

static void build_parameters(struct str *mail)
{
    str_adds(mail, MIX);
    for (size_t i = 0; i < 64; i++) {
        str_adds(mail, "--b\nContent-Type: text/plain");
        for (size_t k = 0; k < 900; k++)
            str_addf(mail, "; a%zu*%zu*=x''%%41", k % 30, 900 - k);
        str_adds(mail, "\n\nx\n");
    }
}

static void (*const builders[])(struct str *) = {build_dashes, build_parameters};

START_TEST(patterns_within_patterns)
{
    struct str mail = STR_INIT;
    builders[_i](&mail);
    double seconds = 0;
    mails_clock(&seconds);
    struct parsed p = mail_read(slice_str(&mail));
    mails_clock(&seconds);
    ck_assert_msg(seconds < SECONDS, "%.2f s", seconds);
    mail_free(&p);
    str_release(&mail);
}
END_TEST

START_TEST(answers_in_time)
{
    const struct hostile *how = &mails[_i];
    struct str mail = STR_INIT;
    build(&mail, how);
    double seconds = 0;
    mails_clock(&seconds);
    struct parsed p = mail_read(slice_str(&mail));
    mails_clock(&seconds);
    ck_assert_msg(seconds < SECONDS, "%s: %.2f s", how->name, seconds);
    if (p.result) {
        ck_assert_int_eq(p.err.code, ERR_INPUT);
        ck_assert_uint_gt(strlen(p.err.text), 0);
        ck_assert_uint_eq(p.msg.part_count, 0);
    }
    if (str_starts(how->head, TOP)) {
        ck_assert_str_eq(p.msg.from, "alice@example.org");
        ck_assert_str_eq(p.msg.message_id, "m@x");
    }
    for (size_t i = 0; i < p.msg.part_count; i++)
        ck_assert_uint_le(p.msg.parts[i].exact.len, message_limits_default.part_bytes);
    mail_free(&p);
    str_release(&mail);
}
END_TEST

/* Every prefix of a mail, and the mail with each byte changed in turn. */
START_TEST(damage_anywhere)
{
    static const char whole[] =
        "Return-Path: <>\r\nFrom: =?utf-8?Q?A?= <a@b.c>\r\nSubject: =?gb2312?B?1tA=?=\r\n"
        "References: <a@b> <c@d>\r\nContent-Type: multipart/report; boundary=\"=_b\"\r\n\r\n"
        "--=_b\r\nContent-Type: text/html; charset=koi8-r\r\n\r\n<p a='b'>x&amp;&#65;<!-- c --></p>\r\n"
        "--=_b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: x\r\n\r\n"
        "Final-Recipient: rfc822; a@b.c\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n"
        "--=_b\r\nContent-Type: message/rfc822\r\n\r\nMessage-ID: <m@x>\r\n"
        "Content-Type: text/plain; format=flowed; name*0*=utf-8''%41; name*1=b\r\n"
        "Content-Transfer-Encoding: quoted-printable\r\n\r\n> a =\r\nb=41 \r\nc\r\n--=_b--\r\n";
    static const char bytes[] = {'\0', '\n', '\r', ' ', '"', '<', '=', '-', ';', '(', '\xFF'};
    size_t len = sizeof whole - 1;
    for (size_t i = 0; i < len; i++) {
        struct parsed p = mail_read((struct slice){whole, i});
        mail_free(&p);
    }
    char *copy = mem_strndup(whole, len);
    for (size_t i = 0; i < len; i++) {
        copy[i] = bytes[i % sizeof bytes];
        struct parsed p = mail_read((struct slice){copy, len});
        mail_free(&p);
        copy[i] = whole[i];
    }
    struct parsed p = mail_read((struct slice){copy, len});
    ck_assert_int_eq(p.msg.kind, MAIL_BOUNCE);
    ck_assert_str_eq(p.msg.bounce.message_id, "m@x");
    mail_free(&p);
    free(copy);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_unchecked_fixture(tc, mail_begin, NULL);
    tcase_add_loop_test(tc, answers_in_time, 0, sizeof mails / sizeof *mails);
    tcase_add_loop_test(tc, patterns_within_patterns, 0, sizeof builders / sizeof *builders);
    tcase_add_test(tc, damage_anywhere);
}
TEST_MAIN_TOGETHER("mail/hostile", cases)
