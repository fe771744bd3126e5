#include "suite.h"

#include <sodium.h>
#include <string.h>

#include "base/encode.h"
#include "journal/seal.h"

/* The documented formulas, by hand. */
START_TEST(formulas)
{
    unsigned char master[32] = {1}, key[32], commitment[32], salt[32], seal[32], want[32];
    struct str input = STR_INIT;
    seal_key(key, master, "gc-1", NULL);
    seal_key_commitment(commitment, key);
    str_add(&input, "turnpost/v1/kseal", 18);
    str_add(&input, key, 32);
    crypto_generichash(want, 32, (unsigned char *)input.p, input.len, NULL, 0);
    ck_assert_mem_eq(commitment, want, 32);

    str_clear(&input);
    str_add(&input, "turnpost/v1/salt\0\x07\0\0\0\x02\0\0\0\x01\0\0\0", 29);
    crypto_generichash(want, 32, (unsigned char *)input.p, input.len, key, 32);
    seal_salt(salt, key, 7, 2, 1);
    ck_assert_mem_eq(salt, want, 32);

    str_clear(&input);
    str_add(&input, "turnpost/v1/seal", 17);
    str_add(&input, salt, 32);
    str_adds(&input, "payload");
    crypto_generichash(want, 32, (unsigned char *)input.p, input.len, NULL, 0);
    seal_of(seal, salt, slice_of("payload"));
    ck_assert_mem_eq(seal, want, 32);
    str_release(&input);
}
END_TEST

START_TEST(keys_differ_by_game_and_master)
{
    unsigned char a[32], b[32], c[32], one[32] = {1}, two[32] = {2};
    seal_key(a, one, "gc-1", NULL);
    seal_key(b, one, "gc-2", NULL);
    seal_key(c, two, "gc-1", NULL);
    ck_assert_mem_ne(a, b, 32);
    ck_assert_mem_ne(a, c, 32);
    seal_press_key(b, one, "gc-1", NULL);
    seal_press_key(c, one, "gc-2", NULL);
    ck_assert_mem_ne(a, b, 32);
    ck_assert_mem_ne(b, c, 32);
}
END_TEST

START_TEST(written_and_found)
{
    unsigned char key[32] = {9}, seal[32], other[32];
    struct str lines = STR_INIT;
    struct sealed_set set = {NULL, 0, 0};
    sealed_write(&lines, NULL, key, 4, 1, SEAL_ORDERS, slice_of("{\"text\":\"bide\\n\"}"), seal);
    sealed_write(&lines, NULL, key, 4, 1, SEAL_ORDERS, slice_of("orphan of a crash"), other);
    sealed_write(&lines, NULL, key, 5, 0, SEAL_HIDDEN + 1, slice_of(""), other);
    str_adds(&lines, "{\"torn");
    sealed_set_read(&set, slice_str(&lines));
    ck_assert_uint_eq(set.count, 3);
    const struct sealed *found = sealed_set_find(&set, 4, 1, SEAL_ORDERS, seal);
    ck_assert_ptr_nonnull(found);
    ck_assert_str_eq(found->payload.p, "{\"text\":\"bide\\n\"}");
    ck_assert_ptr_nonnull(sealed_set_find(&set, 5, 0, SEAL_HIDDEN + 1, other));
    ck_assert_ptr_null(sealed_set_find(&set, 4, 2, SEAL_ORDERS, seal));
    seal[0] ^= 1;
    ck_assert_ptr_null(sealed_set_find(&set, 4, 1, SEAL_ORDERS, seal));
    sealed_set_release(&set);
    str_release(&lines);
}
END_TEST

START_TEST(a_changed_payload_is_not_found)
{
    unsigned char key[32] = {9}, seal[32];
    struct str lines = STR_INIT;
    sealed_write(&lines, NULL, key, 4, 1, SEAL_REPORT, slice_of("0123456789"), seal);
    for (size_t at = 0; at + 1 < lines.len; at++) {
        struct sealed_set set = {NULL, 0, 0};
        lines.p[at] ^= 1;
        sealed_set_read(&set, slice_str(&lines));
        ck_assert_msg(!sealed_set_find(&set, 4, 1, SEAL_REPORT, seal), "byte %zu", at);
        sealed_set_release(&set);
        lines.p[at] ^= 1;
    }
    str_release(&lines);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, formulas);
    tcase_add_test(tc, keys_differ_by_game_and_master);
    tcase_add_test(tc, written_and_found);
    tcase_add_test(tc, a_changed_payload_is_not_found);
}
TEST_MAIN("journal/seal", cases)
