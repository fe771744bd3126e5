#include "suite.h"

#include <sodium.h>
#include <string.h>

#include "base/encode.h"
#include "base/json.h"
#include "journal/seal.h"

/* The documented formulas, by hand. */
START_TEST(formulas)
{
    unsigned char master[32] = {1}, nonce[SEAL_NONCE] = {1}, key[32], commitment[32], salt[32], seal[32],
                  want[32];
    struct str input = STR_INIT;
    seal_key(key, master, "gc-1", nonce);
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
    unsigned char a[32], b[32], c[32], one[32] = {1}, two[32] = {2}, nonce[SEAL_NONCE] = {1};
    seal_key(a, one, "gc-1", nonce);
    seal_key(b, one, "gc-2", nonce);
    seal_key(c, two, "gc-1", nonce);
    ck_assert_mem_ne(a, b, 32);
    ck_assert_mem_ne(a, c, 32);
    seal_press_key(b, one, "gc-1", nonce);
    seal_press_key(c, one, "gc-2", nonce);
    ck_assert_mem_ne(a, b, 32);
    ck_assert_mem_ne(b, c, 32);
}
END_TEST

START_TEST(written_and_found)
{
    unsigned char key[32] = {9}, seal[32], other[32];
    struct str lines = STR_INIT;
    struct sealed_set set = {NULL, 0, 0};
    sealed_write(&(struct sealed_out){&lines, NULL}, key, &(struct sealed_place){4, 1, SEAL_ORDERS},
                 slice_of("{\"text\":\"bide\\n\"}"), seal);
    sealed_write(&(struct sealed_out){&lines, NULL}, key, &(struct sealed_place){4, 1, SEAL_ORDERS},
                 slice_of("orphan of a crash"), other);
    sealed_write(&(struct sealed_out){&lines, NULL}, key, &(struct sealed_place){5, 0, SEAL_HIDDEN + 1},
                 slice_of(""), other);
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
    sealed_write(&(struct sealed_out){&lines, NULL}, key, &(struct sealed_place){4, 1, SEAL_REPORT},
                 slice_of("0123456789"), seal);
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

/* ---- marks ---- */

static json_t *payload_of(const unsigned char sig[64], const char *text)
{
    struct str bytes = STR_INIT;
    base64_encode(&bytes, sig, 64);
    json_t *json = json_pack("{s:{s:s,s:s},s:s}", "signature", "key", "any", "sig", bytes.p, "text", text);
    str_release(&bytes);
    return json;
}

START_TEST(the_mark_by_hand)
{
    unsigned char create[32] = {5}, sig[64], mark[32], want[32];
    struct str input = STR_INIT;
    for (int i = 0; i < 64; i++)
        sig[i] = (unsigned char)(3 * i);
    json_t *payload = payload_of(sig, "#turnpost orders\n\xc3\xa4\n#end\n");
    str_add(&input, "turnpost/v2/mark", 17);
    str_add(&input, create, 32);
    str_add(&input, "\x03\0\0\0", 4);
    str_add(&input, sig, 64);
    str_adds(&input, "#turnpost orders\n\xc3\xa4\n#end\n");
    crypto_generichash(want, 32, (unsigned char *)input.p, input.len, NULL, 0);
    ck_assert(seal_mark(mark, create, 3, payload));
    ck_assert_mem_eq(mark, want, 32);
    json_object_set_new(json_object_get(payload, "signature"), "key", json_string("another"));
    ck_assert(seal_mark(mark, create, 3, payload)); /* how the key is written is not in it */
    ck_assert_mem_eq(mark, want, 32);
    json_decref(payload);
    str_release(&input);
}
END_TEST

/* Another signature, text, seat or game is another mark. */
START_TEST(marks_differ)
{
    unsigned char create[2][32] = {{5}, {6}}, sig[2][64] = {{1}, {1}}, marks[5][32];
    static const char *const texts[] = {"bide", "bide "};
    sig[1][63] = 1;
    static const int rows[5][4] = {{0, 0, 1, 0}, {1, 0, 1, 0}, {0, 1, 1, 0}, {0, 0, 0, 0}, {0, 0, 1, 1}};
    for (int i = 0; i < 5; i++) {
        json_t *payload = payload_of(sig[rows[i][0]], texts[rows[i][1]]);
        ck_assert(seal_mark(marks[i], create[rows[i][3]], rows[i][2], payload));
        for (int k = 0; k < i; k++)
            ck_assert_mem_ne(marks[i], marks[k], 32);
        json_decref(payload);
    }
}
END_TEST

START_TEST(what_has_no_mark)
{
    static const char *const payloads[] = {"{}",
                                           "[]",
                                           "{\"text\":\"x\"}",
                                           "{\"signature\":{\"sig\":\"AAAA\"},\"text\":\"x\"}",
                                           "{\"signature\":{\"sig\":1},\"text\":\"x\"}",
                                           "{\"signature\":{\"sig\":\"\"}}"};
    unsigned char mark[32], create[32] = {5};
    for (size_t i = 0; i < sizeof payloads / sizeof *payloads; i++) {
        json_t *payload = json_loads(payloads[i], 0, NULL);
        ck_assert_msg(!seal_mark(mark, create, 1, payload), "%s", payloads[i]);
        json_decref(payload);
    }
    ck_assert(!seal_mark(mark, create, 1, NULL));
}
END_TEST

START_TEST(a_mark_line_is_read_back)
{
    unsigned char create[32] = {5}, other[32] = {6}, sig[64] = {1}, mark[32];
    struct err err = ERR_INIT;
    struct str line = STR_INIT, again = STR_INIT;
    struct sealed sealed;
    struct sealed_set set = {NULL, 0, 0};
    json_t *says, *payload = payload_of(sig, "bide\n");
    char *text = json_dumps(payload, JSON_COMPACT | JSON_SORT_KEYS);
    ck_assert(seal_mark(mark, create, 0, payload));
    sealed_write_mark(&(struct sealed_out){&line, NULL}, 7, 2, slice_of(text));
    ck_assert_ptr_null(strstr(line.p, "salt"));
    ck_ok(sealed_parse(slice_sub(slice_str(&line), 0, line.len - 1), &sealed, &err), err);
    ck_assert(!sealed.salted && sealed.seq == 7 && sealed.seat == 2 && sealed.item == SEAL_ORDERS);
    ck_assert_str_eq(sealed.payload.p, text);
    sealed_line(&again, &sealed);
    ck_assert_str_eq(again.p, line.p);
    sealed_release(&sealed);
    sealed_set_read(&set, slice_str(&line));
    ck_assert_ptr_nonnull(sealed_set_find_signed(&set, &(struct sealed_text){create, 7, 2, 0, mark}, &says));
    ck_assert(json_equal(says, payload));
    json_decref(says);
    ck_assert_ptr_null(sealed_set_find_signed(&set, &(struct sealed_text){create, 7, 2, 2, mark}, NULL));
    ck_assert_ptr_null(sealed_set_find_signed(&set, &(struct sealed_text){create, 7, 1, 0, mark}, NULL));
    ck_assert_ptr_null(sealed_set_find_signed(&set, &(struct sealed_text){create, 8, 2, 0, mark}, NULL));
    ck_assert_ptr_null(sealed_set_find_signed(&set, &(struct sealed_text){other, 7, 2, 0, mark}, NULL));
    ck_assert_ptr_null(sealed_set_find(&set, 7, 2, SEAL_ORDERS, mark));
    /* Only texts that players signed may go without a salt. */
    str_clear(&line);
    str_addf(&line, "{\"item\":%d,\"payload\":\"x\",\"seat\":1,\"seq\":7}", SEAL_REPORT);
    ck_assert_int_ne(sealed_parse(slice_str(&line), &sealed, &err), 0);
    sealed_release(&sealed);
    sealed_set_release(&set);
    json_decref(payload);
    free(text);
    str_release(&line);
    str_release(&again);
}
END_TEST

/* A name that is used twice has two keys. */
START_TEST(keys_differ_by_nonce)
{
    unsigned char master[32] = {1}, nonce[2][SEAL_NONCE] = {{1}, {2}}, one[32], two[32];
    seal_key(one, master, "gc-1", nonce[0]);
    seal_key(two, master, "gc-1", nonce[1]);
    ck_assert_mem_ne(one, two, 32);
    seal_press_key(one, master, "gc-1", nonce[0]);
    seal_press_key(two, master, "gc-1", nonce[1]);
    ck_assert_mem_ne(one, two, 32);
}
END_TEST

/* What the league makes of a mail is bound by itself: the mark that draws follow from is the mail's. */
#define ZEROS "0000000000000000000000000000000000000000000000000000000000000000"
START_TEST(a_mail_has_one_mark)
{
    static const char *const payloads[] = {
        "{\"signature\":{\"content\":\"" ZEROS "\",\"dkim\":\"AAAA\"},\"text\":\"explore near\"}",
        "{\"signature\":{\"content\":\"" ZEROS "\",\"dkim\":\"AAAA\"},\"text\":\"explore far\"}",
        "{\"signature\":{\"content\":\"" ZEROS "\",\"dkim\":\"AAAB\"},\"text\":\"explore near\"}"};
    unsigned char create[32] = {5}, mark[3][32], made[3][32];
    for (size_t i = 0; i < 3; i++) {
        struct err err = ERR_INIT;
        struct str text = STR_INIT;
        str_adds(&text, payloads[i]);
        json_t *payload = json_read(slice_str(&text), "payload", &err);
        ck_assert(seal_mark(mark[i], create, 3, payload));
        ck_assert(seal_made(made[i], payload));
        json_decref(payload);
        str_release(&text);
    }
    ck_assert_mem_eq(mark[0], mark[1], 32);
    ck_assert_mem_ne(mark[0], mark[2], 32);
    ck_assert_mem_ne(made[0], made[1], 32);
    ck_assert_mem_ne(made[0], made[2], 32);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, formulas);
    tcase_add_test(tc, keys_differ_by_game_and_master);
    tcase_add_test(tc, written_and_found);
    tcase_add_test(tc, a_changed_payload_is_not_found);
    tcase_add_test(tc, the_mark_by_hand);
    tcase_add_test(tc, marks_differ);
    tcase_add_test(tc, what_has_no_mark);
    tcase_add_test(tc, a_mark_line_is_read_back);
    tcase_add_test(tc, keys_differ_by_nonce);
    tcase_add_test(tc, a_mail_has_one_mark);
}
TEST_MAIN("journal/seal", cases)
