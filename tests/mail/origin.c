/* The network that a mail came from. */
#include "mail/message.h"

#include "suite.h"

static void origin(const char *fields, const char *want)
{
    struct str raw = STR_INIT;
    struct message msg;
    struct err err = ERR_INIT;
    str_addf(&raw, "%sFrom: a@example.org\r\n\r\nhello\r\n", fields);
    ck_ok(message_parse(slice_str(&raw), &message_limits_default, &(struct message_identity){0}, &msg, &err),
          err);
    ck_assert_str_eq(msg.origin, want);
    message_release(&msg);
    str_release(&raw);
}

START_TEST(it_is_the_first_public_one)
{
    static const struct {
        const char *fields, *want;
    } cases[] = {
        {"", ""},
        {"Received: from mx.example.org (mx.example.org [198.51.100.9])\r\n\tby game.test with ESMTP; "
         "Fri\r\n",
         "198.51.100.9"},
        /* the provider's server above, the client below */
        {"Received: from out.provider.test (out.provider.test [198.51.100.9]) by mx.game.test; Fri\r\n"
         "Received: from [192.168.1.4] (dsl-7.isp.test [203.0.113.7])\r\n\tby out.provider.test with "
         "ESMTPSA\r\n",
         "203.0.113.7"},
        /* what the client calls itself comes before what the server saw */
        {"Received: from [203.0.113.99] (dsl.isp.test [203.0.113.7]) by x; Fri\r\n", "203.0.113.7"},
        /* private, local and shared ones say nothing */
        {"Received: from x ([203.0.113.7]) by y\r\nReceived: from phone ([10.1.2.3]) by x\r\n",
         "203.0.113.7"},
        {"Received: from x ([127.0.0.1]) by y\r\nReceived: from x ([100.64.1.1]) by x\r\n"
         "Received: from x ([169.254.1.1]) by x\r\nReceived: from x ([172.20.1.1]) by x\r\n"
         "Received: from x ([IPv6:fe80::1]) by x\r\nReceived: from x ([IPv6:fd00::1]) by x\r\n",
         ""},
        /* IPv6: the network */
        {"Received: from x (x [IPv6:2001:DB8:1:2:3:4:5:6]) by y\r\n", "2001:db8:1:2::/64"},
        {"Received: from x ([::ffff:203.0.113.7]) by y\r\n", "203.0.113.7"},
        /* qmail, Exim */
        {"Received: from unknown (HELO me) (203.0.113.7)\r\n  by 0 with SMTP; Fri\r\n", "203.0.113.7"},
        {"Received: from [203.0.113.7] (helo=me)\r\n\tby x with esmtp\r\n", "203.0.113.7"},
        /* not after "by", and not what is no address */
        {"Received: by mail.test (198.51.100.9) with HTTP; Fri\r\n", ""},
        {"Received: from x by mail.test ([198.51.100.9])\r\n", ""},
        {"Received: from x ([1.2.3]) (999.1.1.1) [] () by y\r\n", ""},
        {"Received: \r\nReceived: from\r\nReceived: from [203.0.113.7\r\n", "203.0.113.7"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        origin(cases[i].fields, cases[i].want);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, mail_begin, NULL);
    tcase_add_test(tc, it_is_the_first_public_one);
}
TEST_MAIN("mail/origin", cases)
