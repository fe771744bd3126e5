#include "suite.h"

#include <sodium.h>
#include <string.h>

#include "base/encode.h"
#include "chance/draw.h"

/* Recomputes u(n) from the documented formula with randombytes_buf_deterministic. */
static uint32_t by_formula(const unsigned char root[64], const char *label, uint32_t n)
{
    unsigned char key[32], buf[256];
    struct str input = STR_INIT;
    str_add(&input, "turnpost/draw", 14);
    str_adds(&input, label);
    crypto_generichash(key, 32, (unsigned char *)input.p, input.len, root, 32);
    str_release(&input);
    randombytes_buf_deterministic(buf, sizeof buf, key);
    uint32_t least = (uint32_t)(((uint64_t)1 << 32) % n);
    for (size_t i = 0;; i += 4)
        if (get_le32(buf + i) >= least)
            return get_le32(buf + i) % n;
}

START_TEST(draws_follow_the_formula)
{
    struct chance chance;
    chance_seeded(&chance, "seed", 4);
    for (int i = 0; i < 200; i++) {
        char label[CHANCE_LABEL];
        chance_label(label, "test/%d", i);
        ck_assert_uint_eq(chance_pick(&chance, 6, label), by_formula(chance.root, label, 6));
        ck_assert_uint_eq(chance_pick(&chance, 3000000000U, label),
                          by_formula(chance.root, label, 3000000000U));
    }
}
END_TEST

START_TEST(long_shuffles_use_one_stream)
{
    struct chance chance;
    unsigned char key[32], buf[4096];
    uint8_t items[200], want[200];
    for (int i = 0; i < 200; i++)
        items[i] = want[i] = (uint8_t)i;
    chance_seeded(&chance, "x", 1);
    chance_shuffle(&chance, false, "deck", items, 200);
    crypto_generichash(key, 32, (const unsigned char *)"turnpost/draw\0deck", 18, chance.root, 32);
    randombytes_buf_deterministic(buf, sizeof buf, key);
    size_t at = 0;
    for (uint32_t i = 200; i >= 2; i--) {
        uint32_t least = (uint32_t)(((uint64_t)1 << 32) % i);
        while (get_le32(buf + 4 * at) < least)
            at++;
        uint32_t j = get_le32(buf + 4 * at++) % i;
        uint8_t saved = want[i - 1];
        want[i - 1] = want[j];
        want[j] = saved;
    }
    ck_assert_mem_eq(items, want, sizeof items);
}
END_TEST

START_TEST(dice_are_fair_enough)
{
    struct chance chance;
    int seen[7] = {0};
    chance_seeded(&chance, "fair", 4);
    for (int i = 0; i < 60000; i++) {
        char label[CHANCE_LABEL];
        chance_label(label, "d/%d", i);
        seen[chance_die(&chance, 6, label)]++;
    }
    for (int i = 1; i <= 6; i++) {
        ck_assert_int_gt(seen[i], 9500);
        ck_assert_int_lt(seen[i], 10500);
    }
}
END_TEST

START_TEST(hidden_draws_replay_with_their_proofs_only)
{
    unsigned char secret[VRF_SECRET], public[VRF_PUBLIC], root[64];
    unsigned char beta[VRF_OUTPUT] = {1};
    uint8_t live[18], replay[18], open[18];
    struct chance a, b;
    for (uint8_t i = 0; i < 18; i++)
        live[i] = replay[i] = open[i] = i;
    vrf_keygen(secret, public);
    chance_root(root, beta, 1);
    chance_live(&a, root, secret, public);
    chance_shuffle(&a, true, "deal", live, 18);
    chance_shuffle(&a, false, "deal", open, 18);
    ck_assert_mem_ne(live, open, 18);
    ck_assert_uint_eq(a.hidden_count, 1);

    chance_replay(&b, root, public);
    memcpy(b.hidden, a.hidden, sizeof a.hidden);
    b.hidden_count = 1;
    chance_shuffle(&b, true, "deal", replay, 18);
    ck_assert(!b.broken);
    ck_assert_mem_eq(live, replay, 18);

    b.hidden[0].proof[3] ^= 1;
    chance_shuffle(&b, true, "deal", replay, 18);
    ck_assert(b.broken);
}
END_TEST

START_TEST(scripted_dice_come_first)
{
    static const int dice[] = {4, 6, 9};
    struct chance chance;
    chance_scripted(&chance, dice, 3, "s", 1);
    ck_assert_int_eq(chance_die(&chance, 6, "a"), 4);
    ck_assert_uint_lt(chance_pick(&chance, 2, "b"), 2);
    ck_assert_int_eq(chance_die(&chance, 6, "c"), 6);
    ck_assert_int_eq(chance_die(&chance, 6, "d"), 6);
    int value = chance_die(&chance, 6, "e");
    ck_assert(value >= 1 && value <= 6);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, draws_follow_the_formula);
    tcase_add_test(tc, long_shuffles_use_one_stream);
    tcase_add_test(tc, dice_are_fair_enough);
    tcase_add_test(tc, hidden_draws_replay_with_their_proofs_only);
    tcase_add_test(tc, scripted_dice_come_first);
}
TEST_MAIN("chance/draw", cases)
