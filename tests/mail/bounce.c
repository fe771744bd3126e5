#include "mails.h"

/* Postfix 3: the returned mail is complete. */
static const char postfix[] = "Return-Path: <>\r\n"
                              "X-Original-To: bounces+t0k3n@example.org\r\n"
                              "Delivered-To: bounces+t0k3n@example.org\r\n"
                              "Date: Fri, 20 Nov 2026 09:00:01 +0000 (UTC)\r\n"
                              "From: MAILER-DAEMON@mx.example.net (Mail Delivery System)\r\n"
                              "Subject: Undelivered Mail Returned to Sender\r\n"
                              "To: bounces+t0k3n@example.org\r\n"
                              "Auto-Submitted: auto-replied\r\n"
                              "MIME-Version: 1.0\r\n"
                              "Content-Type: multipart/report; report-type=delivery-status;\r\n"
                              "\tboundary=\"4F00A1.1795165201/mx.example.net\"\r\n"
                              "Message-Id: <20261120090001.5B@mx.example.net>\r\n"
                              "\r\n"
                              "This is a MIME-encapsulated message.\r\n"
                              "\r\n"
                              "--4F00A1.1795165201/mx.example.net\r\n"
                              "Content-Description: Notification\r\n"
                              "Content-Type: text/plain; charset=us-ascii\r\n"
                              "\r\n"
                              "This is the mail system at host mx.example.net.\r\n"
                              "\r\n"
                              "--4F00A1.1795165201/mx.example.net\r\n"
                              "Content-Description: Delivery report\r\n"
                              "Content-Type: message/delivery-status\r\n"
                              "\r\n"
                              "Reporting-MTA: dns; mx.example.net\r\n"
                              "X-Postfix-Queue-ID: 4F00A1\r\n"
                              "X-Postfix-Sender: rfc822; bounces+t0k3n@example.org\r\n"
                              "Arrival-Date: Fri, 20 Nov 2026 09:00:00 +0000 (UTC)\r\n"
                              "\r\n"
                              "Final-Recipient: rfc822; Alice@PLAYERS.test\r\n"
                              "Original-Recipient: rfc822;alice@example.com\r\n"
                              "Action: failed\r\n"
                              "Status: 5.1.1\r\n"
                              "Remote-MTA: dns; mx.players.test\r\n"
                              "Diagnostic-Code: smtp; 550 5.1.1 <alice@players.test>: Recipient address\r\n"
                              "    rejected: User unknown\r\n"
                              "\r\n"
                              "--4F00A1.1795165201/mx.example.net\r\n"
                              "Content-Description: Undelivered Message\r\n"
                              "Content-Type: message/rfc822\r\n"
                              "\r\n"
                              "Return-Path: <bounces+t0k3n@example.org>\r\n"
                              "From: League <league@example.org>\r\n"
                              "To: alice@example.com\r\n"
                              "Subject: report\r\n"
                              "Message-ID: <gc-17.12.3@example.org>\r\n"
                              "X-Loop: league.example.org\r\n"
                              "\r\n"
                              "the report\r\n"
                              "--4F00A1.1795165201/mx.example.net--\r\n";

START_TEST(postfix_style)
{
    struct parsed p = mail_good(postfix);
    ck_assert_int_eq(p.msg.kind, MAIL_BOUNCE);
    ck_assert_str_eq(p.msg.to, "bounces+t0k3n@example.org");
    ck_assert_str_eq(p.msg.message_id, "20261120090001.5B@mx.example.net");
    ck_assert_str_eq(p.msg.bounce.message_id, "gc-17.12.3@example.org");
    ck_assert_str_eq(p.msg.bounce.recipient, "Alice@players.test");
    ck_assert_str_eq(p.msg.bounce.status, "5.1.1");
    ck_assert_str_eq(p.msg.bounce.diagnostic,
                     "550 5.1.1 <alice@players.test>: Recipient address    rejected: User unknown");
    ck_assert(p.msg.bounce.permanent && !p.msg.bounce.under_way);
    ck_assert_uint_eq(p.msg.part_count, 3);
    mail_free(&p);
}
END_TEST

/* The three parts that differ between mail systems. */
static struct parsed report(const char *type, const char *status, const char *returned)
{
    struct str text = STR_INIT;
    str_addf(&text,
             "Return-Path: <>\nFrom: <postmaster@mx.example>\nTo: bounces+1@example.org\n"
             "Content-Type: %s; boundary=\"=_b\"\n\n--=_b\n\nSorry.\n"
             "--=_b\nContent-Type: message/delivery-status\n\n%s\n--=_b\n%s\n--=_b--\n",
             type, status, returned);
    struct parsed p = mail_good(text.p);
    str_release(&text);
    return p;
}

#define REPORT "multipart/report; report-type=delivery-status"

/* Exchange: no original header at all, HTML for people, a Status with a comment. */
START_TEST(exchange_style)
{
    struct parsed p =
        report(REPORT,
               "Reporting-MTA: dns;EX01.corp.example\nReceived-From-MTA: dns;mx.example.org\n\n"
               "Final-Recipient: rfc822;bob@corp.example\nAction: failed\nStatus: 5.2.2 (mailbox full)\n"
               "Diagnostic-Code: smtp;554 5.2.2 mailbox full; STOREDRV.Deliver\nX-Display-Name: Bob\n",
               "Content-Type: text/html\n\n<p>x</p>");
    ck_assert_int_eq(p.msg.kind, MAIL_BOUNCE);
    ck_assert_str_eq(p.msg.bounce.message_id, "");
    ck_assert_str_eq(p.msg.bounce.recipient, "bob@corp.example");
    ck_assert_str_eq(p.msg.bounce.status, "5.2.2");
    ck_assert_str_eq(p.msg.bounce.diagnostic, "554 5.2.2 mailbox full; STOREDRV.Deliver");
    ck_assert(p.msg.bounce.permanent);
    mail_free(&p);
}
END_TEST

/* Sendmail and many others send back only the header; fields in any case. */
START_TEST(only_the_header_comes_back)
{
    struct parsed p = report(
        REPORT,
        "reporting-mta: dns; x\n\nORIGINAL-RECIPIENT: rfc822;<carol@example.net>\naction: Failed\n"
        "status:5.4.4\n",
        "Content-Type: text/rfc822-headers\n\nReceived: x\nmessage-id:\n <gc-1.2.3@example.org>\nTo: c\n");
    ck_assert_int_eq(p.msg.kind, MAIL_BOUNCE);
    ck_assert_str_eq(p.msg.bounce.message_id, "gc-1.2.3@example.org");
    ck_assert_str_eq(p.msg.bounce.recipient, "carol@example.net");
    ck_assert_str_eq(p.msg.bounce.status, "5.4.4");
    ck_assert_str_eq(p.msg.bounce.diagnostic, "");
    mail_free(&p);
}
END_TEST

static const struct {
    const char *status, *recipient, *code;
    enum { BACK, BACK_FOR_GOOD, UNDER_WAY } is;
} statuses[] = {
    {"\nFinal-Recipient: rfc822; a@b.c\nAction: delayed\nStatus: 4.4.1\n", "a@b.c", "4.4.1", UNDER_WAY},
    {"\nFinal-Recipient: rfc822; a@b.c\nAction: DELAYED (will retry)\n", "a@b.c", "", UNDER_WAY},
    {"\nFinal-Recipient: rfc822; a@b.c\nAction: relayed\nStatus: 2.1.9\n", "a@b.c", "2.1.9", UNDER_WAY},
    {"\nFinal-Recipient: rfc822; a@b.c\nAction: expanded\nStatus: 2.1.5\n", "a@b.c", "2.1.5", UNDER_WAY},
    {"\nFinal-Recipient: rfc822; a@b.c\nAction: failed\nStatus: 4.4.7\n", "a@b.c", "4.4.7", BACK},
    {"\nFinal-Recipient: rfc822; a@b.c\nAction: delivered\nStatus: 2.1.5\n", "a@b.c", "2.1.5", UNDER_WAY},
    {"\nFinal-Recipient: rfc822; a@b.c\nAction: delivered\nStatus: 5.1.1\n", "a@b.c", "5.1.1", UNDER_WAY},
    {"Reporting-MTA: x\n\nFinal-Recipient: rfc822; a@b.c\nAction: delayed\nStatus: 4.4.1\n\n"
     "Final-Recipient: rfc822; d@e.f\nAction: delivered\nStatus: 2.1.5\n",
     "a@b.c", "4.4.1", UNDER_WAY},
    /* what is neither may be anything */
    {"\nFinal-Recipient: rfc822; a@b.c\nStatus: 5.1.1\n", "a@b.c", "5.1.1", BACK},
    {"\nFinal-Recipient: rfc822; a@b.c\nAction: lost\n\nFinal-Recipient: rfc822; d@e.f\nAction: delayed\n",
     "a@b.c", "", BACK},
    {"\nFinal-Recipient: rfc822; a@b.c\nAction: delayed\n\nFinal-Recipient: rfc822; d@e.f\nAction: lost\n",
     "d@e.f", "", BACK},
    /* the one that failed is reported, wherever it is */
    {"Reporting-MTA: x\n\nFinal-Recipient: rfc822; a@b.c\nAction: relayed\nStatus: 2.0.0\n\n\n"
     "Final-Recipient: rfc822; d@e.f\nAction: failed\nStatus: 5.0.0\n",
     "d@e.f", "5.0.0", BACK_FOR_GOOD},
    /* no Status: from the server's words */
    {"\nFinal-Recipient: rfc822; a@b.c\nAction: failed\nDiagnostic-Code: smtp; 550-5.7.1 [1.2.3.4] no\n",
     "a@b.c", "5.7.1", BACK_FOR_GOOD},
    {"\nFinal-Recipient: rfc822; a@b.c\nAction: failed\nDiagnostic-Code: smtp; 550 host 10.5.1.1 says no\n",
     "a@b.c", "5.0.0", BACK_FOR_GOOD},
    {"\nFinal-Recipient: rfc822; a@b.c\nAction: failed\nStatus: sorry\n", "a@b.c", "", BACK},
    {"\nFinal-Recipient: rfc822; a@b.c\nAction: failed\nStatus: 5.1234.1\n", "a@b.c", "", BACK},
    /* everything in one group, and junk between */
    {"Reporting-MTA: x\nFinal-Recipient: a@b.c\nAction: failed\nStatus: 5.1.1\n", "a@b.c", "5.1.1",
     BACK_FOR_GOOD},
    {"\njunk\n\nFinal-Recipient: rfc822; a@b.c\nAction: failed\nStatus: 5.1.1\n", "a@b.c", "5.1.1",
     BACK_FOR_GOOD},
    {"\nFinal-Recipient: unknown; somebody\nAction: failed\nStatus: 5.1.1\n", "", "5.1.1", BACK_FOR_GOOD},
    {"", "", "", BACK},
    {"\n\n\n", "", "", BACK},
    {"\nFinal-Recipient:\nAction:\nStatus:\nDiagnostic-Code:\n", "", "", BACK},
};

START_TEST(statuses_are_read)
{
    struct parsed p = report(REPORT, statuses[_i].status, "\n");
    ck_assert_int_eq(p.msg.kind, MAIL_BOUNCE);
    ck_assert_str_eq(p.msg.bounce.recipient, statuses[_i].recipient);
    ck_assert_str_eq(p.msg.bounce.status, statuses[_i].code);
    ck_assert_int_eq(p.msg.bounce.permanent, statuses[_i].is == BACK_FOR_GOOD);
    ck_assert_int_eq(p.msg.bounce.under_way, statuses[_i].is == UNDER_WAY);
    mail_free(&p);
}
END_TEST

START_TEST(words_are_safe_and_short)
{
    struct str status = STR_INIT;
    str_adds(
        &status,
        "\nFinal-Recipient: rfc822; a@b.c\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; \x1B[2J");
    for (int i = 0; i < 100; i++)
        str_adds(&status, "\xC3\xBC ");
    str_adds(&status, "\n");
    struct parsed p = report(REPORT, status.p, "\n");
    ck_assert(str_starts(p.msg.bounce.diagnostic, "\xEF\xBF\xBD[2J\xC3\xBC "));
    ck_assert_uint_le(strlen(p.msg.bounce.diagnostic), 200);
    ck_assert_uint_ge(strlen(p.msg.bounce.diagnostic), 198);
    mail_free(&p);
    str_release(&status);
}
END_TEST

START_TEST(what_is_no_bounce)
{
    /* a read receipt */
    struct parsed p = mail_good(
        "From: a@b.c\nContent-Type: multipart/report; boundary=b\n\n--b\n\nread\n"
        "--b\nContent-Type: message/disposition-notification\n\nFinal-Recipient: rfc822; a@b.c\n\n--b--\n");
    ck_assert_int_eq(p.msg.kind, MAIL_AUTO);
    ck_assert_str_eq(p.msg.bounce.recipient, "");
    mail_free(&p);
    /* a person who forwards a bounce */
    struct str text = STR_INIT;
    str_addf(&text, "From: a@b.c\nContent-Type: message/rfc822\n\n%s", postfix);
    p = mail_good(text.p);
    ck_assert_int_eq(p.msg.kind, MAIL_PERSON);
    ck_assert_str_eq(p.msg.bounce.status, "");
    ck_assert_str_eq(p.msg.bounce.message_id, "");
    ck_assert_uint_eq(p.msg.part_count, 3);
    mail_free(&p);
    str_release(&text);
    /* a person whose mail has such a part, without being a report */
    p = mail_good(
        "From: a@b.c\nReturn-Path: <a@b.c>\nContent-Type: message/delivery-status\n\n\nAction: failed\n");
    ck_assert_int_eq(p.msg.kind, MAIL_PERSON);
    mail_free(&p);
    /* the same with a null return path is one */
    p = report("multipart/mixed", "\nFinal-Recipient: rfc822; a@b.c\nAction: failed\nStatus: 5.1.1\n", "\n");
    ck_assert_int_eq(p.msg.kind, MAIL_BOUNCE);
    mail_free(&p);
}
END_TEST

START_TEST(list_footers_around_a_report)
{
    struct parsed p =
        mail_good("From: x@y.z\nContent-Type: multipart/mixed; boundary=o\n\n"
                  "--o\nContent-Type: multipart/report; boundary=b\n\n--b\n\nno\n"
                  "--b\nContent-Type: message/delivery-status\nContent-Transfer-Encoding: base64\n\n"
                  "CkZpbmFsLVJlY2lwaWVudDogcmZjODIyOyBhQGIuYwpBY3Rpb246IGZhaWxlZApTdGF0dXM6IDUuMS4xCg==\n"
                  "--b--\n--o\n\nfooter\n--o--\n");
    ck_assert_int_eq(p.msg.kind, MAIL_BOUNCE);
    ck_assert_str_eq(p.msg.bounce.recipient, "a@b.c");
    ck_assert(p.msg.bounce.permanent);
    mail_free(&p);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_unchecked_fixture(tc, mail_begin, NULL);
    tcase_add_test(tc, postfix_style);
    tcase_add_test(tc, exchange_style);
    tcase_add_test(tc, only_the_header_comes_back);
    tcase_add_loop_test(tc, statuses_are_read, 0, sizeof statuses / sizeof *statuses);
    tcase_add_test(tc, words_are_safe_and_short);
    tcase_add_test(tc, what_is_no_bounce);
    tcase_add_test(tc, list_footers_around_a_report);
}
TEST_MAIN_TOGETHER("mail/bounce", cases)
