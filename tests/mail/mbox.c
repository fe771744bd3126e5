/* Saved mails. */
#include "mail/mbox.h"

#include "mail/message.h"
#include "suite.h"

START_TEST(an_mbox_is_cut_into_its_mails)
{
    struct slice rest = slice_of("From a@b Fri Nov 20 12:00:00 2026\nFrom: a\n\nFrom here on\n>From me\n\n"
                                 "From c@d Fri Nov 20 12:00:00 2026\nFrom: c\r\n\r\nhello\r\n\r\n"
                                 "From e@f\nFrom: e\n\nlast");
    struct slice mail;
    ck_assert(mbox_likely(rest));
    /* There is an empty line before "From here on": by the rules of mbox that is a mail of its own. */
    ck_assert(mbox_next(&rest, &mail));
    ck_slice_eq(mail, "From: a\n");
    ck_assert(mbox_next(&rest, &mail));
    ck_slice_eq(mail, ">From me\n");
    ck_assert(mbox_next(&rest, &mail));
    ck_slice_eq(mail, "From: c\r\n\r\nhello\r\n");
    ck_assert(mbox_next(&rest, &mail));
    ck_slice_eq(mail, "From: e\n\nlast");
    ck_assert(!mbox_next(&rest, &mail));
}
END_TEST

START_TEST(what_looks_like_a_mail)
{
    ck_assert(mail_likely(slice_of("Subject: x\nMessage-ID: <a@b>\n\ntext")));
    ck_assert(!mail_likely(slice_of("#turnpost orders\ngame: gc-1\n\nfrom: me\n")));
    ck_assert(!mail_likely(slice_of("")));
    ck_assert(!mbox_likely(slice_of("From: a\n\n")));
}
END_TEST

START_TEST(when_a_mail_was_written)
{
    static const struct {
        const char *mail;
        int64_t time;
    } cases[] = {
        {"From: a@b\nDate: Fri, 20 Nov 2026 12:00:00 +0000\n\nx", 1795176000},
        {"From: a@b\r\ndate:\r\n Fri, 20 Nov 2026\r\n 13:30:00 +0130\r\n\r\nx", 1795176000},
        {"From: a@b\nDate: 20 Nov 26 07:00 EST\n\nx", 1795176000},
        {"From: a@b\n\nDate: Fri, 20 Nov 2026 12:00:00 +0000\n", 0},
        {"From: a@b\nDate: yesterday\n\nx", 0},
        {"From: a@b\nDate:\n\nx", 0},
        {"", 0},
    };
    mail_begin();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_int_eq(mail_date(slice_of(cases[i].mail)), cases[i].time);
}
END_TEST

START_TEST(when_a_mail_arrived)
{
    static const struct {
        const char *mail;
        int64_t time;
    } cases[] = {
        {"Received: from a (b; c)\n\tby d with LMTP; Fri, 20 Nov 2026 12:00:00 +0000 (UTC)\n"
         "Received: from e by a; Fri, 20 Nov 2026 11:00:00 +0000\nDate: Fri, 20 Nov 2026 10:00:00 +0000\n\nx",
         1795176000},
        {"Received: from a by d\nDate: Fri, 20 Nov 2026 12:00:00 +0000\n\nx", 0},
        {"Received: from a by d; now\nReceived: a; Fri, 20 Nov 2026 12:00:00 +0000\n\nx", 0},
        {"Date: Fri, 20 Nov 2026 12:00:00 +0000\n\nReceived: a; Fri, 20 Nov 2026 12:00:00 +0000\n", 0},
        {"Received: ;\n\nx", 0},
        {"", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_int_eq(mail_arrival(slice_of(cases[i].mail)), cases[i].time);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, when_a_mail_arrived);
    tcase_add_test(tc, when_a_mail_was_written);
    tcase_add_test(tc, an_mbox_is_cut_into_its_mails);
    tcase_add_test(tc, what_looks_like_a_mail);
}
TEST_MAIN("mail/mbox", cases)
