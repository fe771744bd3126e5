/* The table of providers: who is who. */
#include "commands/provider.h"

#include <string.h>

#include "suite.h"

static void is(const char *host, const char *greeting, const char *name)
{
    const struct provider *provider = provider_of(host, greeting);
    ck_assert_str_eq(provider ? provider->name : "nobody", name);
}

START_TEST(by_the_name_of_the_host)
{
    is("imap.gmail.com", "", "Gmail");
    is("SMTP.GMail.com", "", "Gmail");
    is("gmail.com", "", "Gmail");
    is("outlook.office365.com", "", "Exchange Online");
    is("smtp.office365.com", "", "Exchange Online");
    is("smtp-mail.outlook.com", "", "Outlook.com");
    is("imap.fastmail.com", "", "Fastmail");
    is("notgmail.com", "", "nobody");
    is("gmail.com.evil.test", "", "nobody");
    is("", "", "nobody");
}
END_TEST

START_TEST(by_its_greeting_where_the_name_says_nothing)
{
    is("mx.example.org", "220 mx.example.org ESMTP Postfix (Debian)", "Postfix");
    is("mx.example.org", "* OK [CAPABILITY IMAP4rev1] Dovecot ready.", "Dovecot");
    is("smtp.gmail.com", "220 relay ESMTP Postfix", "Gmail");
}
END_TEST

START_TEST(each_says_when_it_was_checked)
{
    static const char *const hosts[] = {"gmail.com", "office365.com", "hotmail.com", "fastmail.com"};
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
        const struct provider *provider = provider_of(hosts[i], "");
        ck_assert_ptr_nonnull(provider);
        ck_assert_uint_eq(strlen(provider->checked), 7);
        ck_assert_str_ne(provider->limits, "");
        ck_assert_str_ne(provider->login, "");
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, by_the_name_of_the_host);
    tcase_add_test(tc, by_its_greeting_where_the_name_says_nothing);
    tcase_add_test(tc, each_says_when_it_was_checked);
}

TEST_MAIN("commands/provider", cases)
