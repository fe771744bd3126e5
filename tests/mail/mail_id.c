/* The ids of our mails: what is written is read again, and nothing else is read. */
#include "mail/mail_id.h"

#include "suite.h"

static const unsigned char digest[32] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0x77};

static void both(struct mail_id id, const char *text)
{
    struct mail_id got;
    char out[MAIL_ID_TEXT];
    mail_id_write(out, &id);
    ck_assert_str_eq(out, text);
    ck_assert_int_eq(mail_id_read(&got, slice_of(text)), id.kind);
    ck_assert_str_eq(got.name, id.name);
    ck_assert_int_eq(got.seq, id.seq);
    ck_assert_int_eq(got.number, id.number);
    ck_assert_int_eq(memcmp(got.digest, id.digest, sizeof id.digest), 0);
}

START_TEST(each_kind_is_read_as_it_was_written)
{
    both(mail_id_record("gc-17", 12, 2), "gc-17.12.2");
    both(mail_id_record("gc-17", 0, 2), "gc-17.0.2");
    both(mail_id_record("registry", 9, 100), "registry.9.100");
    both(mail_id_digested(digest, 1), "mail.0123456789abcdef.1");
    both(mail_id_gathers("anna", digest), "digest.anna.m0123456789");
    both(mail_id_gathers("anna.b", digest), "digest.anna.b.m0123456789");
}
END_TEST

START_TEST(games_may_have_names_with_dots_and_those_of_other_kinds)
{
    both(mail_id_record("a.b.1", 12, 2), "a.b.1.12.2");
    both(mail_id_record("digest", 12, 2), "digest.12.2");
    both(mail_id_record("digest.anna", 12, 2), "digest.anna.12.2");
    both(mail_id_record("mail.0123456789abcdef", 12, 2), "mail.0123456789abcdef.12.2");
    both(mail_id_record("abcdefghijklmnopqrstuvwxyz012345", 999999999999999, INT32_MAX),
         "abcdefghijklmnopqrstuvwxyz012345.999999999999999.2147483647");
}
END_TEST

START_TEST(what_is_no_id_is_not_read)
{
    static const char *const cases[] = {"",
                                        ".",
                                        "..",
                                        "gc-1",
                                        "gc-1.2",
                                        ".1.2",
                                        "gc-1..2",
                                        "gc-1.1.",
                                        "gc-1.1.x",
                                        "gc-1.x.1",
                                        "gc-1.-1.1",
                                        "gc-1.1.-1",
                                        "gc-1.1.2147483648",
                                        "gc-1.1000000000000000.1",
                                        "GC-1.1.1",
                                        "gc-1.1.1@example.org",
                                        "../x.1.1",
                                        "abcdefghijklmnopqrstuvwxyz0123456.1.1",
                                        "mail.1.1",
                                        "mail.0123456789ABCDEF.1",
                                        "mail.0123456789abcdef",
                                        "digest.anna.0123456789",
                                        "digest.anna.m012345678",
                                        "digest.m0123456789",
                                        "digest..m0123456789"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mail_id id;
        ck_assert_msg(mail_id_read(&id, slice_of(cases[i])) == MAIL_ID_NONE, "\"%s\" was read", cases[i]);
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, each_kind_is_read_as_it_was_written);
    tcase_add_test(tc, games_may_have_names_with_dots_and_those_of_other_kinds);
    tcase_add_test(tc, what_is_no_id_is_not_read);
}
TEST_MAIN("mail/mail_id", cases)
