/* Address lists, parameters and dates as mail programs write them, and as they should not. */
#include "mail/structured.h"

#include "suite.h"

/* ---- parameters ---- */

static const struct {
    const char *value, *name, *is; /* NULL: there is none */
} params[] = {
    {"text/plain; charset=utf-8", "charset", "utf-8"},
    {"text/plain;charset=utf-8;", "CHARSET", "utf-8"},
    {"text/plain; Charset = \"utf-8\"", "charset", "utf-8"},
    {"text/plain; charset=us-ascii (Plain text)", "charset", "us-ascii"},
    {"text/plain (a; b=c); charset=x", "b", NULL},
    {"text/plain; name=\"a;b=c\\\"d\"; charset=x", "charset", "x"},
    {"text/plain; name=\"a;b=c\\\"d\"; charset=x", "name", "a;b=c\"d"},
    {"text/plain; charset=utf-8; charset=koi8-r", "charset", "utf-8"}, /* the first one */
    {"text/plain; charset=utf-8 format=flowed", "charset", "utf-8 format=flowed"},
    {"text/plain; =x; charset; charset=koi8-r", "charset", "koi8-r"},
    {"text/plain charset=utf-8", "charset", NULL},
    {"text/plain; charset=\"utf-8", "charset", "utf-8"},
    {"text/plain; charset=", "charset", ""},
    {"attachment; filename=my orders (1).txt; size=3", "filename", "my orders (1).txt"},
    {"attachment; filename==?utf-8?Q?a?=", "filename", "=?utf-8?Q?a?="},
    {"attachment; filenames=a", "filename", NULL},
    {"", "charset", NULL},
    /* RFC 2231 */
    {"attachment; filename*=utf-8''Z%C3%BCge.txt", "filename", "Z\xC3\xBCge.txt"},
    {"attachment; filename*=iso-8859-1'de'Z%FCge", "filename", "Z\xC3\xBCge"},
    {"attachment; filename*=Z%41", "filename", "ZA"},
    {"attachment; filename*=utf-8''a%4", "filename", "a%4"},
    {"attachment; filename*0=a; filename*1=b; filename*2=\" c\"", "filename", "ab c"},
    {"attachment; filename*1=b; filename*0=a", "filename", "ab"},
    {"attachment; filename*0*=utf-8''%C3; filename*1*=%BC; filename*2=%41", "filename", "\xC3\xBC%41"},
    {"attachment; filename*0=a; filename*2=c", "filename", "a"},
    {"attachment; filename*1=b", "filename", NULL},
    {"attachment; filename*123=b; filename*x=c; filename**=d", "filename", NULL},
    {"attachment; filename*99999999999=b; filenames99999999999=c", "filename", NULL},
};

START_TEST(parameters)
{
    struct str value = STR_INIT;
    bool is = structured_param(slice_of(params[_i].value), params[_i].name, &value);
    ck_assert_msg(is == (params[_i].is != NULL), "%s", params[_i].value);
    ck_assert_str_eq(value.p, is ? params[_i].is : "");
    str_release(&value);
}
END_TEST

/* A thousand pieces cost no more than a hundred. */
START_TEST(a_parameter_in_many_pieces)
{
    struct str value = STR_INIT, is = STR_INIT;
    str_adds(&value, "x/y");
    for (int i = 0; i < 1000; i++)
        str_addf(&value, "; a*%d=%d", i, i % 10);
    ck_assert(structured_param(slice_str(&value), "a", &is));
    ck_assert_uint_eq(is.len, 100);
    str_release(&value);
    str_release(&is);
}
END_TEST

/* ---- addresses ---- */

/* "address (name)", one after the other; "group" for a group. */
static const struct {
    const char *list, *is;
} lists[] = {
    {"bob@example.org", "bob@example.org ()|"},
    {"Bob <bob@example.org>", "bob@example.org (Bob)|"},
    {"\"Bob, B\" <bob@example.org>, carol@x", "bob@example.org (Bob, B)|carol@x ()|"},
    {"Doe, John <john@example.org>", "john@example.org (Doe, John)|"},
    {"=?utf-8?Q?Doe,_John?= <j@x>, a@b", "j@x (=?utf-8?Q?Doe,_John?=)|a@b ()|"},
    {"bob@example.org (Bob (the first))", "bob@example.org (Bob (the first))|"},
    {"Bob (x) <bob@example.org> (y)", "bob@example.org (Bob)|"},
    {"carol@x <bob@example.org>", "bob@example.org (carol@x)|"},
    {"\"<carol@x>\" <bob@example.org>", "bob@example.org (<carol@x>)|"},
    {"<@a,@b:bob@example.org>", "bob@example.org ()|"},
    {"Bob\r\n\t <\tbob@example.org >", "bob@example.org (Bob)|"},
    {"<bob@example.org", "bob@example.org ()|"},
    {"friends: a@b, c@d;, e@f", "group|e@f ()|"},
    {"a@[IPv6:1::2], c@d", "a@[IPv6:1::2] ()|c@d ()|"},
    {", , a@b,,", "a@b ()|"},
    {"a@b;c@d", "a@b ()|c@d ()|"},
    {"", ""},
    {"(nobody)", " (nobody)|"},
    /* more than one address, however one reads it: none */
    {"<bob@x> <carol@x>", " ()|"},
    {"Bob <bob@x> carol@x", " (Bob carol@x)|"},
};

START_TEST(address_lists)
{
    struct mailbox mailbox = {.address = STR_INIT, .name = STR_INIT};
    struct slice rest = slice_of(lists[_i].list);
    struct str is = STR_INIT;
    while (structured_mailbox(&rest, &mailbox))
        if (mailbox.group)
            str_adds(&is, "group|");
        else
            str_addf(&is, "%s (%s)|", mailbox.address.p, mailbox.name.p);
    ck_assert_str_eq(is.p, lists[_i].is);
    mailbox_release(&mailbox);
    str_release(&is);
}
END_TEST

/* ---- dates ---- */

static const struct {
    const char *value;
    int64_t time; /* 0: none */
} dates[] = {
    {"Fri, 20 Nov 2026 12:00:00 +0100", 1795172400},
    {"20 Nov 2026 12:00 +0000", 1795176000},
    {"Fri, 20 Nov 2026 12:00:00 +0100 (CET)", 1795172400},
    {"Fri,20 nov 2026 12:00:00 GMT", 1795176000},
    {"Fri (day), 20 (x) Nov 2026 12 : 00 : 00 EST", 1795194000},
    {"Fri, 20 November 2026 12:00:00 -0000", 1795176000},
    {"Fri, 20 Nov 26 12:00:00 Z", 1795176000},
    {"Sat, 1 Jan 00 0:00:00 +0000", 946684800},
    {"1 Jan 100 00:00 +0000", 946684800},
    {"Fri, 20 Nov 2026 12:00:00", 1795176000},
    {"Fri, 20 Nov 2026 12:00:60 +0000", 1795176060},
    {"Thu, 1 Jan 1970 00:00:01 +0000", 1},
    {"Sun, 29 Feb 2032 12:00:00 +0000", 1961668800},
    {"Sun, 29 Feb 2026 12:00:00 +0000", 0},
    {"Fri, 31 Nov 2026 12:00:00 +0000", 0},
    {"Fri, 20 Nov 2026 24:00:00 +0000", 0},
    {"Fri, 20 Nov 2026 12:60:00 +0000", 0},
    {"Fri, 20 Nov 2026 12:00:00 +01:00", 0},
    {"Fri, 20 Nov 2026 12:00:00 +0160", 0},
    {"Fri, 20 Nov 2026 12:00:00 +0100 x", 0},
    {"Fri, 20 Nov 20266 12:00:00 +0100", 0},
    {"Fri, 20 Nov 2026", 0},
    {"2026-11-20 12:00:00 +0100", 0},
    {"Fri Nov 20 12:00:00 2026", 0},
    {"yesterday", 0},
    {"(", 0},
    {"", 0},
};

START_TEST(days_and_times)
{
    int64_t time = -1;
    bool is = structured_date(slice_of(dates[_i].value), &time);
    ck_assert_int_eq(is, dates[_i].time != 0);
    ck_assert_int_eq(is ? time : 0, dates[_i].time);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_loop_test(tc, parameters, 0, sizeof params / sizeof *params);
    tcase_add_test(tc, a_parameter_in_many_pieces);
    tcase_add_loop_test(tc, address_lists, 0, sizeof lists / sizeof *lists);
    tcase_add_loop_test(tc, days_and_times, 0, sizeof dates / sizeof *dates);
}
TEST_MAIN_TOGETHER("mail/structured", cases)
