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
    str_add(&input, "turnpost/kseal", 15);
    str_add(&input, key, 32);
    crypto_generichash(want, 32, (unsigned char *)input.p, input.len, NULL, 0);
    ck_assert_mem_eq(commitment, want, 32);

    str_clear(&input);
    str_add(&input, "turnpost/salt\0\x07\0\0\0\x02\0\0\0\x01\0\0\0", 26);
    crypto_generichash(want, 32, (const unsigned char *)"payload", 7, NULL, 0);
    str_add(&input, want, 32);
    crypto_generichash(want, 32, (unsigned char *)input.p, input.len, key, 32);
    seal_salt(salt, key, &(struct sealed_place){7, 2, 1}, slice_of("payload"));
    ck_assert_mem_eq(salt, want, 32);

    str_clear(&input);
    str_add(&input, "turnpost/seal", 14);
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
    str_add(&input, "turnpost/mark", 14);
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

/* ---- boxes ---- */

/* What `seal_put` gives, by hand: ChaCha20 under a key that follows from the seal. */
START_TEST(a_box_by_hand)
{
    unsigned char key[32] = {9}, seal[32], box_key[32], nonce[12] = {0};
    struct str box = STR_INIT, bytes = STR_INIT, input = STR_INIT;
    struct sealed_set set = {NULL, 0, 0};
    seal_put(&set, key, &(struct sealed_place){4, 1, SEAL_ORDERS}, slice_of("bide"), seal, &box);
    str_add(&input, "turnpost/box", 13);
    str_add(&input, seal, 32);
    crypto_generichash(box_key, 32, (unsigned char *)input.p, input.len, key, 32);
    ck_assert_mem_eq(set.list[0].box, box_key, 32);
    ck_assert(base64_decode(&bytes, slice_str(&box)));
    ck_assert_uint_eq(bytes.len, 4);
    ck_assert_mem_ne(bytes.p, "bide", 4);
    (void)crypto_stream_chacha20_ietf_xor((unsigned char *)bytes.p, (unsigned char *)bytes.p, bytes.len,
                                          nonce, box_key);
    ck_assert_str_eq(bytes.p, "bide");
    sealed_set_release(&set);
    str_release(&box);
    str_release(&bytes);
    str_release(&input);
}
END_TEST

/* A record with what a set has just sealed, as a line of a journal. */
static json_t *record_with(const char *type, int64_t seq, const unsigned char seal[32], const struct str *box)
{
    char hex[65];
    hex_to(hex, seal, 32);
    return json_pack("{s:s,s:I,s:i,s:s,s:s}", "type", type, "seq", (json_int_t)seq, "seat", 2, "seal", hex,
                     "box", box->p);
}

static struct seal_keys keys_with(const unsigned char key[32])
{
    struct seal_keys keys = {.seals = true};
    memcpy(keys.seal, key, 32);
    return keys;
}

START_TEST(a_box_is_opened)
{
    unsigned char key[32] = {9}, other[32] = {8}, seal[32];
    struct str box = STR_INIT;
    struct sealed_set set = {NULL, 0, 0}, got = {NULL, 0, 0};
    struct seal_keys keys = keys_with(key), wrong = keys_with(other);
    seal_put(&set, key, &(struct sealed_place){7, 2, SEAL_ORDERS}, slice_of("{\"lines\":\"bide\"}"), seal,
             &box);
    json_t *record = record_with("moderate", 7, seal, &box);
    json_object_set_new(record, "do", json_string("orders"));
    sealed_open(&got, &keys, record);
    ck_assert_uint_eq(got.count, 1);
    const struct sealed *found = sealed_set_find(&got, 7, 2, SEAL_ORDERS, seal);
    ck_assert_ptr_nonnull(found);
    ck_assert_str_eq(found->payload.p, "{\"lines\":\"bide\"}");
    ck_assert_ptr_null(sealed_set_find(&got, 7, 1, SEAL_ORDERS, seal));
    ck_assert_ptr_null(sealed_set_find(&got, 8, 2, SEAL_ORDERS, seal));
    sealed_set_clear(&got);
    sealed_open(&got, &wrong, record);
    ck_assert_ptr_null(sealed_set_find(&got, 7, 2, SEAL_ORDERS, seal));
    /* Without a key nothing is opened at all. */
    sealed_set_clear(&got);
    sealed_open(&got, &(struct seal_keys){.presses = true}, record);
    ck_assert_uint_eq(got.count, 0);
    json_decref(record);
    sealed_set_release(&set);
    sealed_set_release(&got);
    str_release(&box);
}
END_TEST

START_TEST(a_changed_box_is_not_what_the_seal_says)
{
    unsigned char key[32] = {9}, seal[32];
    struct str box = STR_INIT;
    struct sealed_set set = {NULL, 0, 0}, got = {NULL, 0, 0};
    struct seal_keys keys = keys_with(key);
    seal_put(&set, key, &(struct sealed_place){7, 0, SEAL_HIDDEN}, slice_of("0123456789"), seal, &box);
    for (size_t at = 0; at < box.len; at++) {
        box.p[at] ^= 1;
        json_t *record = record_with("moderate", 7, seal, &box);
        sealed_set_clear(&got);
        sealed_open(&got, &keys, record);
        ck_assert_msg(!sealed_set_find(&got, 7, 0, SEAL_HIDDEN, seal), "byte %zu", at);
        json_decref(record);
        box.p[at] ^= 1;
    }
    sealed_set_release(&set);
    sealed_set_release(&got);
    str_release(&box);
}
END_TEST

/* A league that has lost records writes others with the same numbers: no two payloads have one keystream. */
START_TEST(no_keystream_comes_twice)
{
    static const char *const payloads[] = {"attack near", "attack far.", "attack near"};
    unsigned char key[32] = {9}, create[32] = {5}, seal[32], mark[32], made[2][32];
    struct str box = STR_INIT;
    struct sealed_set set = {NULL, 0, 0};
    for (int i = 0; i < 3; i++)
        seal_put(&set, key, &(struct sealed_place){7, 2, SEAL_ORDERS}, slice_of(payloads[i]), seal, &box);
    ck_assert_mem_ne(set.list[0].box, set.list[1].box, 32);
    ck_assert_mem_eq(set.list[0].box, set.list[2].box, 32); /* the same thing again tells nothing */
    /* Of one mail the league may make two texts: they have one mark. */
    for (int i = 0; i < 2; i++) {
        json_t *payload = json_pack("{s:{s:s,s:s},s:s}", "signature", "content", ZEROS, "dkim", "AAAA",
                                    "text", payloads[i]);
        ck_assert(seal_mark(mark, create, 2, payload) && seal_made(made[i], payload));
        seal_put_text(&set, key, &(struct sealed_place){7, 2, SEAL_ORDERS}, slice_of(payloads[i]), made[i],
                      &box);
        json_decref(payload);
    }
    ck_assert_mem_ne(set.list[3].box, set.list[4].box, 32);
    sealed_set_release(&set);
    str_release(&box);
}
END_TEST

/* Press opens by its own key alone, and what a line that somebody was given opens is one item. */
START_TEST(one_item_is_opened)
{
    unsigned char key[32] = {9}, press[32] = {7}, seal[2][32];
    struct str box[2] = {STR_INIT, STR_INIT}, lines = STR_INIT;
    struct sealed_set set = {NULL, 0, 0}, got = {NULL, 0, 0};
    struct seal_openings only = {NULL, 0, 0};
    struct seal_keys keys = keys_with(key);
    for (int i = 0; i < 2; i++)
        seal_put(&set, press, &(struct sealed_place){7 + i, 0, SEAL_PRESS}, slice_of("{\"words\":\"hello\"}"),
                 seal[i], &box[i]);
    json_t *record[2] = {record_with("note", 7, seal[0], &box[0]), record_with("note", 8, seal[1], &box[1])};
    sealed_open(&got, &keys, record[0]);
    ck_assert_uint_eq(got.count, 0);
    seal_opening_write(&lines, "gc-1", &set.list[0]);
    seal_openings_read(&only, "gc-2", slice_str(&lines));
    ck_assert_uint_eq(only.count, 0);
    str_adds(&lines, "open gc-1 x 0 00\nopen\n");
    seal_openings_read(&only, "gc-1", slice_str(&lines));
    ck_assert_uint_eq(only.count, 1);
    keys.only = &only;
    ck_assert(seal_keys_open(&keys, 7, SEAL_PRESS) && !seal_keys_open(&keys, 8, SEAL_PRESS));
    for (int i = 0; i < 2; i++)
        sealed_open(&got, &keys, record[i]);
    ck_assert_uint_eq(got.count, 1);
    ck_assert_ptr_nonnull(sealed_set_find(&got, 7, 0, SEAL_PRESS, seal[0]));
    for (int i = 0; i < 2; i++) {
        json_decref(record[i]);
        str_release(&box[i]);
    }
    seal_openings_release(&only);
    sealed_set_release(&set);
    sealed_set_release(&got);
    str_release(&lines);
}
END_TEST

/* A player's text: its mark is the seal. */
START_TEST(a_text_is_opened)
{
    unsigned char key[32] = {9}, create[32] = {5}, other[32] = {6}, sig[64] = {1}, mark[32];
    struct str box = STR_INIT;
    struct sealed_set set = {NULL, 0, 0}, got = {NULL, 0, 0};
    struct seal_keys keys = keys_with(key);
    json_t *says, *payload = payload_of(sig, "bide\n");
    char *text = json_dumps(payload, JSON_COMPACT | JSON_SORT_KEYS);
    ck_assert(seal_mark(mark, create, 2, payload));
    seal_put_text(&set, key, &(struct sealed_place){7, 2, SEAL_ORDERS}, slice_of(text), mark, &box);
    json_t *record = record_with("orders", 7, mark, &box);
    sealed_open(&got, &keys, record);
    ck_assert(got.count == 1 && !got.list[0].salted);
    ck_assert_ptr_nonnull(sealed_set_find_signed(&got, &(struct sealed_text){create, 7, 2, 2, mark}, &says));
    ck_assert(json_equal(says, payload));
    json_decref(says);
    ck_assert_ptr_null(sealed_set_find_signed(&got, &(struct sealed_text){create, 7, 2, 0, mark}, NULL));
    ck_assert_ptr_null(sealed_set_find_signed(&got, &(struct sealed_text){create, 7, 1, 2, mark}, NULL));
    ck_assert_ptr_null(sealed_set_find_signed(&got, &(struct sealed_text){create, 8, 2, 2, mark}, NULL));
    ck_assert_ptr_null(sealed_set_find_signed(&got, &(struct sealed_text){other, 7, 2, 2, mark}, NULL));
    ck_assert_ptr_null(sealed_set_find(&got, 7, 2, SEAL_ORDERS, mark));
    json_decref(record);
    json_decref(payload);
    free(text);
    sealed_set_release(&set);
    sealed_set_release(&got);
    str_release(&box);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, formulas);
    tcase_add_test(tc, keys_differ_by_game_and_master);
    tcase_add_test(tc, the_mark_by_hand);
    tcase_add_test(tc, marks_differ);
    tcase_add_test(tc, what_has_no_mark);
    tcase_add_test(tc, keys_differ_by_nonce);
    tcase_add_test(tc, a_box_by_hand);
    tcase_add_test(tc, a_box_is_opened);
    tcase_add_test(tc, a_changed_box_is_not_what_the_seal_says);
    tcase_add_test(tc, no_keystream_comes_twice);
    tcase_add_test(tc, one_item_is_opened);
    tcase_add_test(tc, a_text_is_opened);
    tcase_add_test(tc, a_mail_has_one_mark);
}
TEST_MAIN("journal/seal", cases)
