#include "suite.h"

#include <sodium.h>
#include <string.h>

#include "base/encode.h"
#include "chance/vrf.h"

static const char *alpha_text = "c2sp.org/vrf-r255";
static const char *secret_hex = "3431c2b03533e280b23232e280b34e2c3132c2b03238e280b23131e280b34500";
static const char *proof_hex =
    "0a97d961262fb549b4175c5117860f42ae44a123f93c476c439eddd1c0cff9265c805525233e2284dbed45e593b8eea3"
    "1d5ca9734d72bcbba9738d5237f955f3b2422351149d1312503b6441a47c940c";
static const char *output_hex =
    "dd653f0879b48c3ef69e13551239bec4cbcc1c18fe8894de2e9e1c790e18273603bf1c6c25d7a797aeff3c43fd32b974"
    "d3fcbd4bcce916007097922a3ea3a794";

/* The vector of c2sp.org/vrf-r255. */
START_TEST(public_vector)
{
    unsigned char secret[VRF_SECRET], public[VRF_PUBLIC], proof[VRF_PROOF], output[VRF_OUTPUT],
        again[VRF_OUTPUT];
    char text[2 * VRF_PROOF + 1];
    ck_assert(hex_decode(secret, sizeof secret, slice_of(secret_hex)));
    ck_assert(vrf_public(public, secret));
    ck_assert(vrf_prove(proof, output, secret, public, slice_of(alpha_text)));
    hex_to(text, proof, sizeof proof);
    ck_assert_str_eq(text, proof_hex);
    hex_to(text, output, sizeof output);
    ck_assert_str_eq(text, output_hex);
    ck_assert(vrf_verify(again, public, proof, slice_of(alpha_text)));
    ck_assert_mem_eq(again, output, sizeof output);
}
END_TEST

START_TEST(every_changed_bit_is_found)
{
    unsigned char secret[VRF_SECRET], public[VRF_PUBLIC], proof[VRF_PROOF], output[VRF_OUTPUT];
    vrf_keygen(secret, public);
    ck_assert(vrf_prove(proof, output, secret, public, slice_of("a")));
    for (size_t i = 0; i < VRF_PROOF; i++) {
        proof[i] ^= (unsigned char)(1U << (i % 8));
        ck_assert(!vrf_verify(output, public, proof, slice_of("a")));
        proof[i] ^= (unsigned char)(1U << (i % 8));
    }
    for (size_t i = 0; i < VRF_PUBLIC; i++) {
        public[i] ^= 4;
        ck_assert(!vrf_verify(output, public, proof, slice_of("a")));
        public[i] ^= 4;
    }
    ck_assert(!vrf_verify(output, public, proof, slice_of("b")));
    ck_assert(vrf_verify(output, public, proof, slice_of("a")));
}
END_TEST

START_TEST(degenerate_values_are_refused)
{
    unsigned char zero[VRF_PROOF] = {0}, output[VRF_OUTPUT], public[VRF_PUBLIC] = {0};
    unsigned char high[32];
    memset(high, 0xFF, sizeof high);
    ck_assert(!vrf_public(public, zero));
    ck_assert(!vrf_public(public, high));
    ck_assert(!vrf_verify(output, zero, zero, slice_of("")));
    ck_assert(!vrf_prove(zero, output, high, public, slice_of("")));
}
END_TEST

/* H(suite, tag, parts), as the format page has it (section 6). */
static void hash(unsigned char out[64], unsigned char tag, const unsigned char *const parts[], size_t count)
{
    crypto_hash_sha512_state st;
    crypto_hash_sha512_init(&st);
    crypto_hash_sha512_update(&st, (const unsigned char *)"\xFF", 1);
    crypto_hash_sha512_update(&st, (const unsigned char *)alpha_text, strlen(alpha_text));
    crypto_hash_sha512_update(&st, &tag, 1);
    for (size_t i = 0; i < count; i++)
        crypto_hash_sha512_update(&st, parts[i], 32);
    if (tag == 2)
        crypto_hash_sha512_update(&st, (const unsigned char *)"", 1);
    crypto_hash_sha512_final(&st, out);
}

/* Who has the secret makes the proof again, with the highest bit of gamma set: it would have another output, and the league
 * a choice between two draws. */
START_TEST(the_highest_bit_of_gamma_is_no_choice)
{
    unsigned char secret[VRF_SECRET], public[VRF_PUBLIC], proof[VRF_PROOF], output[VRF_OUTPUT];
    unsigned char alpha[32] = {1}, digest[64], h[32], k[32] = {7}, u[32], v[32], c[32] = {0};
    vrf_keygen(secret, public);
    ck_assert(vrf_prove(proof, output, secret, public, (struct slice){(char *)alpha, sizeof alpha}));
    for (int high = 0; high <= 1; high++) {
        proof[31] |= (unsigned char)(high << 7);
        hash(digest, 0x82, (const unsigned char *const[]){public, alpha}, 2);
        crypto_core_ristretto255_from_hash(h, digest);
        ck_assert(crypto_scalarmult_ristretto255_base(u, k) == 0 &&
                  crypto_scalarmult_ristretto255(v, k, h) == 0);
        hash(digest, 2, (const unsigned char *const[]){public, h, proof, u, v}, 5);
        memcpy(c, digest, 16);
        memcpy(proof + 32, c, 16);
        crypto_core_ristretto255_scalar_mul(proof + 48, c, secret);
        crypto_core_ristretto255_scalar_add(proof + 48, proof + 48, k);
        ck_assert_int_eq(vrf_verify(output, public, proof, (struct slice){(char *)alpha, sizeof alpha}),
                         !high);
    }
    public[31] |= 0x80;
    ck_assert(!vrf_key_good(public));
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, public_vector);
    tcase_add_test(tc, every_changed_bit_is_found);
    tcase_add_test(tc, degenerate_values_are_refused);
    tcase_add_test(tc, the_highest_bit_of_gamma_is_no_choice);
}
TEST_MAIN("chance/vrf", cases)
