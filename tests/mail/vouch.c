/* What our own mail server says about the sender of a mail, and others who forge such words. */
#include "mail/message.h"
#include "suite.h"

static bool vouched(const char *from, const char *top, const char *authserv)
{
    struct str raw = STR_INIT;
    struct message msg;
    struct err err = ERR_INIT;
    static const char *const own[] = {"league@example.org"};
    str_addf(&raw, "%sFrom: %s\r\nSubject: x\r\n\r\nx\r\n", top, from);
    ck_ok(message_parse(slice_str(&raw), &message_limits_default,
                        &(struct message_identity){own, 1, "loop", 0}, &msg, &err),
          err);
    char who[MESSAGE_DOMAIN];
    message_vouched(&msg, slice_str(&raw), authserv, who);
    bool good = *who != '\0';
    message_release(&msg);
    str_release(&raw);
    return good;
}

#define MX   "mx.example.org"
#define AR   "Authentication-Results: "
#define US   "Received: from a.test by mx.example.org with ESMTP; now\r\n"
#define THEM "Received: from b.test by relay.test with ESMTP; now\r\n"
#define PASS AR MX "; dkim=pass header.d=a.test\r\n"

START_TEST(our_server_s_word_counts)
{
    static const char *const tops[] = {
        PASS,
        US PASS,
        "Received: by 2002:a05:6214::1 with SMTP id x\r\n" US PASS THEM,
        AR "MX.example.org 1;\r\n dkim=pass (2048 bit; d=evil.test) header.i=@a.test header.s=x;\r\n "
           "spf=none\r\n",
        AR MX "; spf=fail smtp.mailfrom=b.test; dmarc = pass (p=none) header.from=a.test\r\n",
        AR MX "; spf=pass smtp.mailfrom=bob@mail.a.test; dkim=pass header.d=a.test\r\n",
        AR MX "; spf=pass smtp.mailfrom=\"bob\"@a.test\r\n",
        AR "other.test; dkim=fail\r\n" PASS,
    };
    for (size_t i = 0; i < sizeof tops / sizeof *tops; i++)
        ck_assert_msg(vouched("bob@a.test", tops[i], MX), "%s", tops[i]);
    ck_assert(vouched("bob@sub.a.test", PASS, MX));
    ck_assert(vouched("bob@A.TEST", PASS, MX));
}
END_TEST

START_TEST(and_nobody_else_s)
{
    static const char *const tops[] = {
        "",
        US,
        US THEM PASS, /* the sender's own */
        AR "evil.test; dkim=pass header.d=a.test\r\n",
        AR "mx.example.org.evil.test; dkim=pass header.d=a.test\r\n",
        AR "(mx.example.org) evil.test; dkim=pass header.d=a.test\r\n",
        AR MX "; dkim=fail header.d=a.test\r\n",
        AR MX "; dkim=passed header.d=a.test\r\n",
        AR MX "; dkim=pass header.d=test\r\n",
        AR MX "; dkim=pass header.d=xa.test\r\n",
        AR MX "; dkim=pass header.d=b.a.test\r\n",
        AR MX "; dkim=pass header.d=evil.test; spf=fail smtp.mailfrom=a.test\r\n",
        AR MX "; dkim=pass (header.d=a.test) header.d=evil.test\r\n",
        AR MX "; spf=pass smtp.mailfrom=\"x; dkim=pass header.d=a.test \"@evil.test\r\n",
        AR MX "; auth=pass smtp.auth=a.test header.d=a.test\r\n",
        AR MX "\r\n",
    };
    for (size_t i = 0; i < sizeof tops / sizeof *tops; i++)
        ck_assert_msg(!vouched("bob@a.test", tops[i], MX), "%s", tops[i]);
    ck_assert(!vouched("bob@a.test", PASS, ""));
    ck_assert(!vouched("bob@a.test, eve@a.test", PASS, MX));
}
END_TEST

/* Sixteen fields are looked at, each for its first eight kilobytes. */
START_TEST(a_thousand_fields_cost_little)
{
    struct str top = STR_INIT;
    for (int i = 0; i < 400; i++)
        str_adds(&top, AR "other.test; ((((((((((((\"\r\n");
    str_adds(&top, PASS);
    ck_assert(!vouched("bob@a.test", top.p, MX));
    str_release(&top);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, mail_begin, NULL);
    tcase_add_test(tc, our_server_s_word_counts);
    tcase_add_test(tc, and_nobody_else_s);
    tcase_add_test(tc, a_thousand_fields_cost_little);
}
TEST_MAIN("mail/vouch", cases)
