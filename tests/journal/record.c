#include "suite.h"

#include <sodium.h>
#include <string.h>

#include "base/encode.h"
#include "journal/record.h"

/* Two records, the second following the first. */
static void two(struct str *one, struct str *two_, unsigned char head1[32], unsigned char head2[32])
{
    unsigned char zeros[32] = {0};
    json_t *fields = json_pack("{s:i,s:s}", "turn", 5, "a", "x\"y");
    record_write(one, &(struct record_text){{"gc-1", 1, zeros}, "create", 1795176000, NULL}, head1);
    record_write(two_, &(struct record_text){{"gc-1", 2, head1}, "turn", 1795176001, fields}, head2);
    json_decref(fields);
}

START_TEST(form)
{
    struct str a = STR_INIT, b = STR_INIT;
    unsigned char head1[32], head2[32], want[32];
    char hex[65];
    two(&a, &b, head1, head2);
    ck_assert(str_starts(
        a.p, "{\"game\":\"gc-1\",\"seq\":1,\"prev\":\"000000000000000000000000000000000000000000000000"
             "0000000000000000\",\"type\":\"create\",\"time\":\"2026-11-20T12:00:00Z\"}\n"));
    ck_assert_ptr_nonnull(strstr(b.p, "\"time\":\"2026-11-20T12:00:01Z\",\"a\":\"x\\\"y\",\"turn\":5}\n"));
    /* the documented head */
    struct str input = STR_INIT;
    str_add(&input, "turnpost/log", 13);
    str_addslice(&input, slice_str(&a));
    crypto_generichash(want, 32, (unsigned char *)input.p, input.len, NULL, 0);
    ck_assert_mem_eq(head1, want, 32);
    hex_to(hex, head1, 32);
    ck_assert_ptr_nonnull(strstr(b.p, hex));
    str_release(&input);
    str_release(&a);
    str_release(&b);
}
END_TEST

START_TEST(checked)
{
    struct err err = ERR_INIT;
    struct record record;
    struct str a = STR_INIT, b = STR_INIT;
    unsigned char head1[32], head2[32];
    two(&a, &b, head1, head2);
    ck_ok(record_parse(slice_str(&b), &record, &err), err);
    ck_assert_int_eq(record.seq, 2);
    ck_assert_str_eq(record.type, "turn");
    ck_assert_int_eq(record.time, 1795176001);
    ck_assert_mem_eq(record.head, head2, 32);
    ck_ok(record_follows(&record, &(struct record_place){"gc-1", 2, head1}, &err), err);
    ck_assert_int_eq(record_follows(&record, &(struct record_place){"gc-2", 2, head1}, &err), -1);
    err_clear(&err);
    ck_assert_int_eq(record_follows(&record, &(struct record_place){"gc-1", 3, head1}, &err), -1);
    err_clear(&err);
    ck_assert_int_eq(record_follows(&record, &(struct record_place){"gc-1", 2, head2}, &err), -1);
    ck_assert_ptr_nonnull(strstr(err.text, "does not follow"));
    record_release(&record);
    str_release(&a);
    str_release(&b);
}
END_TEST

/* Whatever byte is changed: it is no record, or another one, which no other follows. */
START_TEST(every_changed_byte_is_found)
{
    struct str a = STR_INIT, b = STR_INIT;
    unsigned char head1[32], head2[32];
    two(&a, &b, head1, head2);
    for (size_t at = 0; at < b.len; at++) {
        for (int bit = 0; bit < 8; bit++) {
            struct err err = ERR_INIT;
            struct record record;
            b.p[at] = (char)(b.p[at] ^ (1 << bit));
            int bad = record_parse(slice_str(&b), &record, &err);
            ck_assert(!bad || err.code == ERR_BROKEN || err.code == ERR_NEWER);
            if (!bad) {
                bad = memcmp(record.head, head2, HEAD_BYTES) != 0;
                record_release(&record);
            }
            ck_assert_msg(bad, "byte %zu bit %d", at, bit);
            b.p[at] = (char)(b.p[at] ^ (1 << bit));
        }
    }
    str_release(&a);
    str_release(&b);
}
END_TEST

START_TEST(odd_lines_are_refused)
{
    static const char *const bad[] = {
        "",
        "\n",
        "{}\n",
        "[]\n",
        "null\n",
        "{\"game\":\"gc-1\"}\n",
        "{\"game\":\"gc-1\",\"seq\":1.5,\"prev\":\"00\",\"type\":\"turn\",\"time\":\"2026-11-20T12:00:00Z\"}"
        "\n",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct err err = ERR_INIT;
        struct record record;
        ck_assert_int_eq(record_parse(slice_of(bad[i]), &record, &err), -1);
        ck_assert_int_eq(err.code, ERR_BROKEN);
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, form);
    tcase_add_test(tc, checked);
    tcase_add_test(tc, every_changed_byte_is_found);
    tcase_add_test(tc, odd_lines_are_refused);
}
TEST_MAIN("journal/record", cases)
