/* What servers write on top of a mail. */
#include "mail/received.h"

#include "suite.h"

static void reads(const char *top, const char *authserv, const char *results, const char *path)
{
    struct received got;
    struct str raw = STR_INIT;
    str_addf(&raw, "%sFrom: a@b.test\r\n\r\nAuthentication-Results: no.test; spf=fail\r\n", top);
    received_read(&got, slice_str(&raw));
    ck_assert_str_eq(got.authserv.p, authserv);
    ck_assert_str_eq(got.results.p, results);
    ck_assert_str_eq(got.return_path.p, path);
    received_release(&got);
    str_release(&raw);
}

START_TEST(the_first_results_count)
{
    reads("", "", "", "");
    reads("Return-Path: <bounces+x@a.test>\r\n", "", "", "bounces+x@a.test");
    reads("Return-Path: <>\r\n", "", "", "");
    reads("Authentication-Results: mx.a.test; none\r\n", "mx.a.test", "", "");
    reads("Authentication-Results: mx.a.test;\r\n\tdkim=pass (good; really) header.d=a.test;\r\n\tspf=fail "
          "smtp.mailfrom=a.test\r\nAuthentication-Results: b.test; spf=pass\r\n",
          "mx.a.test", "dkim=pass, spf=fail", "");
    reads("Authentication-Results: mx.a.test 1; dmarc=pass\033[31m\r\n", "mx.a.test",
          "dmarc=pass\xef\xbf\xbd[31m", "");
    reads("Authentication-Results: (((;\r\n", "", "", "");
    reads("Return-Path: >x<\r\nAuthentication-Results:\r\n", "", "", "");
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, the_first_results_count);
}

TEST_MAIN("mail/received", cases)
