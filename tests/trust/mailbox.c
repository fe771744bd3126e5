/* One mailbox in a field: what is one, and what two programs could read differently. */
#include "trust/mailbox.h"

#include <string.h>

#include "suite.h"

#define LONG64 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

START_TEST(mailboxes)
{
    static const struct {
        const char *field, *local, *domain; /* NULL = none */
    } rows[] = {
        {" anna@example.org", "anna", "example.org"},
        {"Anna+x@EXAMPLE.org\r\n ", "Anna+x", "example.org"},
        {" <anna@example.org>", "anna", "example.org"},
        {" Anna B. M\xC3\xBCller <anna@example.org>", "anna", "example.org"},
        {" =?utf-8?B?w6Q=?= <anna@example.org>", "anna", "example.org"},
        {" \"A \\\" <b@c>\" <anna@example.org>", "anna", "example.org"},
        {"\t(a (b) \\) c) anna@example.org (d@e)", "anna", "example.org"},
        {" Anna\r\n <anna@example.org>\r\n (home)", "anna", "example.org"},
        {" " LONG64 "@a-b.c1", LONG64, "a-b.c1"},
        {" anna@example.org <anna@example.org>", "anna", "example.org"}, /* old mail programs */
        {" anna@Example.ORG\r\n (home) <anna@example.org> ", "anna", "example.org"},
        {" anna@example.org <Anna@example.org>", NULL, NULL},
        {" anna@example.org bob <anna@example.org>", NULL, NULL},
        {" anna@example.org, <anna@example.org>", NULL, NULL},
        {" anna@example.org <anna@example.org> <anna@example.org>", NULL, NULL},
        {" <anna@example.org> anna@example.org", NULL, NULL},
        {"", NULL, NULL},
        {" anna", NULL, NULL},
        {" anna@", NULL, NULL},
        {" @example.org", NULL, NULL},
        {" anna@example.org.", NULL, NULL},
        {" anna@example..org", NULL, NULL},
        {" anna@-example.org", NULL, NULL},
        {" anna@ex_ample.org", NULL, NULL},
        {" anna@[192.0.2.1]", NULL, NULL},
        {" anna@ex\xC3\xA4mple.org", NULL, NULL},
        {" anna @example.org", NULL, NULL},
        {" anna@ example.org", NULL, NULL},
        {" .anna@example.org", NULL, NULL},
        {" anna.@example.org", NULL, NULL},
        {" a" LONG64 "@example.org", NULL, NULL},
        {" anna@" LONG64 ".org", NULL, NULL},
        {" \"anna\"@example.org", NULL, NULL},
        {" anna@example.org, bob@example.org", NULL, NULL},
        {" anna@example.org bob@example.org", NULL, NULL},
        {" <anna@example.org> bob", NULL, NULL},
        {" <anna@example.org", NULL, NULL},
        {" anna@example.org>", NULL, NULL},
        {" <@a.example:anna@example.org>", NULL, NULL},
        {" <anna@example.org>, <bob@example.org>", NULL, NULL},
        {" us: anna@example.org;", NULL, NULL},
        {" anna@example.org;", NULL, NULL},
        {" bob@example.org <anna@example.org>", NULL, NULL},
        {" <<anna@example.org>>", NULL, NULL},
        {" A [b] <anna@example.org>", NULL, NULL},
        {" \"A <anna@example.org>", NULL, NULL},
        {" (A <anna@example.org>", NULL, NULL},
        {" A) <anna@example.org>", NULL, NULL},
    };
    struct mailbox got;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool is = mailbox_parse(slice_of(rows[i].field), &got);
        ck_assert_msg(is == (rows[i].local != NULL), "%s", rows[i].field);
        if (is) {
            ck_assert_str_eq(got.local, rows[i].local);
            ck_assert_str_eq(got.domain, rows[i].domain);
        }
    }
    ck_assert(!mailbox_parse((struct slice){" a\0@b.example", 13}, &got));
}
END_TEST

START_TEST(the_same)
{
    struct mailbox a, b;
    ck_assert(mailbox_parse(slice_of("Anna <anna@example.org>"), &a));
    ck_assert(mailbox_parse(slice_of("anna@Example.ORG"), &b));
    ck_assert(mailbox_equal(&a, &b));
    ck_assert(mailbox_parse(slice_of("Anna@example.org"), &b));
    ck_assert(!mailbox_equal(&a, &b));
}
END_TEST

/* Host names, and the selectors of keys, where underscores are usual. */
START_TEST(domains)
{
    char out[MAILBOX_DOMAIN], most[300] = "";
    ck_assert(domain_copy(out, slice_of("S1.Example"), false));
    ck_assert_str_eq(out, "s1.example");
    ck_assert(!domain_copy(out, slice_of("a_b"), false));
    ck_assert_str_eq(out, "");
    ck_assert(domain_copy(out, slice_of("a_b.C"), true));
    for (size_t i = 0; i < 126; i++)
        memcpy(most + 2 * i, "a.", 2);
    most[252] = 'b';
    ck_assert(domain_copy(out, slice_of(most), false));
    most[253] = 'b';
    ck_assert(!domain_copy(out, slice_of(most), false));
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, mailboxes);
    tcase_add_test(tc, the_same);
    tcase_add_test(tc, domains);
}
TEST_MAIN("trust/mailbox", cases)
