/* The test vectors of src/journal/README.md (tests/verifier/vectors.json), which any other verifier holds
 * itself against, too. */
#include "suite.h"

#include <string.h>

#include "base/encode.h"
#include "base/json.h"
#include "chance/draw.h"
#include "base/mem.h"
#include "audit/audit.h"
#include "game/seating.h"
#include "game/turn.h"
#include "tlog/witness.h"
#include "journal/record.h"
#include "journal/seal.h"
#include "orders/frame.h"
#include "publish/claims.h"
#include "trust/canon.h"

#define VECTORS "tests/verifier/vectors.json"

static json_t *vectors;

static void begin(void)
{
    struct err err = ERR_INIT;
    vectors = json_read_file(VECTORS, &err);
    ck_assert_msg(vectors, "%s", err.text);
}

static void end(void)
{
    json_decref(vectors);
}

static const json_t *of(const char *name)
{
    const json_t *value = json_object_get(vectors, name);
    ck_assert_msg(value, "no \"%s\" in the vectors", name);
    return value;
}

static const char *text(const json_t *object, const char *name)
{
    const char *value = json_string_value(json_object_get(object, name));
    ck_assert_msg(value, "no text \"%s\"", name);
    return value;
}

static int64_t number(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

static void bytes(const json_t *object, const char *name, void *out, size_t len)
{
    ck_assert_msg(hex_decode(out, len, slice_of(text(object, name))), "\"%s\" is not %zu bytes", name, len);
}

static void is_hex(const void *got, size_t len, const char *want)
{
    struct str hex = STR_INIT;
    hex_encode(&hex, got, len);
    ck_assert_str_eq(hex.p, want);
    str_release(&hex);
}

START_TEST(heads)
{
    size_t i;
    json_t *item;
    json_array_foreach (of("records"), i, item) {
        unsigned char head[HEAD_BYTES];
        record_head(head, slice_of(text(item, "line")));
        is_hex(head, sizeof head, text(item, "head"));
    }
}
END_TEST

START_TEST(seals)
{
    unsigned char key[32], got[32], salt[32];
    size_t i;
    json_t *item;
    bytes(of("commitment"), "seal_key", key, sizeof key);
    seal_key_commitment(got, key);
    is_hex(got, sizeof got, text(of("commitment"), "commitment"));
    json_array_foreach (of("seals"), i, item) {
        seal_salt(
            salt, key,
            &(struct sealed_place){number(item, "seq"), (int)number(item, "seat"), (int)number(item, "item")},
            slice_of(text(item, "payload")));
        is_hex(salt, sizeof salt, text(item, "salt"));
        seal_of(got, salt, slice_of(text(item, "payload")));
        is_hex(got, sizeof got, text(item, "seal"));
    }
}
END_TEST

START_TEST(proofs)
{
    size_t i;
    json_t *item;
    json_array_foreach (of("vrf"), i, item) {
        unsigned char secret[VRF_SECRET], public[VRF_PUBLIC], alpha[64], proof[VRF_PROOF], output[VRF_OUTPUT];
        size_t len = strlen(text(item, "alpha")) / 2;
        bytes(item, "secret", secret, sizeof secret);
        bytes(item, "alpha", alpha, len);
        ck_assert(vrf_public(public, secret));
        ck_assert(vrf_prove(proof, output, secret, public, (struct slice){(const char *)alpha, len}));
        is_hex(proof, sizeof proof, text(item, "pi"));
        is_hex(output, sizeof output, text(item, "beta"));
        ck_assert(vrf_verify(output, public, proof, (struct slice){(const char *)alpha, len}));
    }
}
END_TEST

/* What the draws of a turn are made of; `root` for what follows. */
static void root_of(const json_t *turn, unsigned char public[VRF_PUBLIC], unsigned char root[64])
{
    unsigned char alpha[512], proof[VRF_PROOF], beta[VRF_OUTPUT];
    size_t len = strlen(text(turn, "alpha")) / 2;
    bytes(turn, "alpha", alpha, len);
    bytes(turn, "vrf_key", public, VRF_PUBLIC);
    bytes(turn, "pi", proof, sizeof proof);
    ck_assert(vrf_verify(beta, public, proof, (struct slice){(const char *)alpha, len}));
    is_hex(beta, sizeof beta, text(turn, "beta"));
    chance_root(root, beta, 1);
    is_hex(root, 64, text(turn, "root"));
}

START_TEST(draws)
{
    unsigned char public[VRF_PUBLIC], root[64];
    uint8_t items[64];
    struct chance chance;
    size_t i;
    json_t *item;
    const json_t *turn = of("turn"), *shuffle = json_object_get(turn, "shuffle");
    const json_t *list = json_object_get(shuffle, "items");
    root_of(turn, public, root);
    chance_replay(&chance, root, public);
    json_array_foreach (json_object_get(turn, "dice"), i, item)
        ck_assert_int_eq(chance_die(&chance, (int)number(item, "sides"), text(item, "label")),
                         number(item, "value"));
    json_array_foreach (json_object_get(turn, "picks"), i, item)
        ck_assert_int_eq(chance_pick(&chance, (uint32_t)number(item, "of"), text(item, "label")),
                         number(item, "value"));
    json_array_foreach (list, i, item)
        items[i] = (uint8_t)json_integer_value(item);
    chance_shuffle(&chance, false, text(shuffle, "label"), items, json_array_size(list));
    json_array_foreach (json_object_get(shuffle, "shuffled"), i, item)
        ck_assert_int_eq(items[i], json_integer_value(item));
}
END_TEST

START_TEST(hidden_draws)
{
    static const char prefix[] = "turnpost/hide";
    unsigned char public[VRF_PUBLIC], root[64], proof[VRF_PROOF], output[VRF_OUTPUT];
    struct str alpha = STR_INIT;
    const json_t *draw = of("hidden");
    bytes(of("turn"), "vrf_key", public, sizeof public);
    bytes(draw, "root", root, sizeof root);
    bytes(draw, "proof", proof, sizeof proof);
    str_add(&alpha, prefix, sizeof prefix);
    str_add(&alpha, root, sizeof root);
    str_adds(&alpha, text(draw, "label"));
    ck_assert(vrf_verify(output, public, proof, slice_str(&alpha)));
    is_hex(output, sizeof output, text(draw, "output"));
    str_release(&alpha);
}
END_TEST

START_TEST(signatures)
{
    size_t i;
    json_t *item;
    json_array_foreach (of("signatures"), i, item) {
        struct err err = ERR_INIT;
        struct signature sig;
        struct pubkey key;
        bool good = signature_read_json(json_object_get(item, "signature"), &sig, &key, &err) == 0 &&
                    signature_verify(&sig, &key, NS_ORDERS, slice_of(text(item, "text")), &err) == 0;
        ck_assert_msg(good == json_is_true(json_object_get(item, "good")), "%s: %s", text(item, "name"),
                      err.text);
    }
}
END_TEST

START_TEST(canonical_texts)
{
    size_t i;
    json_t *item;
    json_array_foreach (of("canonical"), i, item) {
        unsigned char raw[256];
        struct str canonical = STR_INIT;
        size_t len = strlen(text(item, "bytes")) / 2;
        bytes(item, "bytes", raw, len);
        canon_text(&canonical, (struct slice){(const char *)raw, len});
        ck_assert_str_eq(canonical.p, text(item, "text"));
        str_release(&canonical);
    }
}
END_TEST

START_TEST(frames)
{
    size_t i;
    json_t *item;
    json_array_foreach (of("frames"), i, item) {
        struct err err = ERR_INIT;
        struct frame frame;
        struct str canonical = STR_INIT;
        canon_text(&canonical, slice_of(text(item, "text")));
        int rc = frame_parse(slice_str(&canonical), &frame, &err);
        ck_assert_msg((rc == 0) == json_is_string(json_object_get(item, "verb")), "%s: %s",
                      text(item, "text"), err.text);
        if (rc == 0) {
            ck_assert_str_eq(frame.verb, text(item, "verb"));
            ck_assert_str_eq(frame.game, text(item, "game"));
            ck_assert_int_eq(frame.turn, number(item, "turn"));
            ck_assert_str_eq(frame.head, text(item, "head"));
        }
        if (rc == 0 && frame.kind == FRAME_ORDERS)
            ck_slice_eq(frame.body, text(item, "body"));
        str_release(&canonical);
    }
}
END_TEST

START_TEST(json)
{
    size_t i;
    json_t *item;
    json_array_foreach (of("json"), i, item) {
        unsigned char digest[32];
        struct str canonical = STR_INIT;
        json_write(&canonical, json_object_get(item, "value"));
        ck_assert_str_eq(canonical.p, text(item, "canonical"));
        crypto_generichash(digest, 32, (const unsigned char *)canonical.p, canonical.len, NULL, 0);
        is_hex(digest, sizeof digest, text(item, "digest"));
        str_release(&canonical);
    }
    json_array_foreach (of("no_json"), i, item) {
        struct err err = ERR_INIT;
        struct record record;
        struct str line = STR_INIT;
        str_addf(&line, "%s\n", json_string_value(item));
        ck_assert_msg(record_parse(slice_str(&line), &record, &err) != 0, "%s", line.p);
        str_release(&line);
    }
}
END_TEST

START_TEST(marks)
{
    unsigned char got[32];
    struct str canonical = STR_INIT, both = STR_INIT;
    const json_t *mark = of("mark");
    canon_text(&canonical, slice_of(text(mark, "text")));
    str_addf(&both, "%s%s", text(mark, "player"), canonical.p);
    crypto_generichash(got, 32, (const unsigned char *)both.p, both.len, NULL, 0);
    is_hex(got, sizeof got, text(mark, "mark"));
    str_release(&canonical);
    str_release(&both);
}
END_TEST

/* Marks of signed texts, what proofs are over, who gets which seat. */
START_TEST(marks_of_texts)
{
    size_t i;
    json_t *item;
    json_array_foreach (of("marks"), i, item) {
        unsigned char create[32], got[32];
        json_t *payload = json_pack("{s:O,s:O}", "signature", json_object_get(item, "signature"), "text",
                                    json_object_get(item, "text"));
        bytes(item, "create_head", create, sizeof create);
        ck_assert(seal_mark(got, create, (int)number(item, "seat"), payload));
        is_hex(got, sizeof got, text(item, "mark"));
        json_decref(payload);
    }
}
END_TEST

START_TEST(alphas)
{
    size_t i, k;
    json_t *item, *seal;
    json_array_foreach (of("alphas"), i, item) {
        unsigned char create[32], deal[32], list[SEATS_MAX][SEAL_BYTES] = {{0}};
        const json_t *named = json_object_get(item, "seals");
        struct str alpha = STR_INIT;
        bytes(item, "create_head", create, sizeof create);
        bytes(item, "deal", deal, sizeof deal);
        json_array_foreach (named, k, seal)
            if (json_string_length(seal))
                ck_assert(hex_decode(list[k], SEAL_BYTES, slice_of(json_string_value(seal))));
        const struct alpha_parts parts = {create,
                                          deal,
                                          (int)number(item, "rollbacks"),
                                          (int)number(item, "turn"),
                                          (int)json_array_size(named),
                                          list[0]};
        turn_alpha_of(&alpha, &parts);
        is_hex(alpha.p, alpha.len, text(item, "alpha"));
        str_release(&alpha);
    }
    json_array_foreach (of("witness_inputs"), i, item) {
        struct err err = ERR_INIT;
        struct str over = STR_INIT;
        struct vkey log;
        struct log_entry close;
        ck_ok(vkey_parse(slice_of(text(item, "log")), &log, &err), err);
        ck_ok(log_entry_parse(slice_of(text(item, "close")), &close, &err), err);
        witness_dice_input(&over, &log, &close);
        is_hex(over.p, over.len, text(item, "over"));
        str_release(&over);
    }
}
END_TEST

START_TEST(seatings)
{
    size_t i, k;
    json_t *item, *seat;
    json_array_foreach (of("seatings"), i, item) {
        struct game *game = mem_alloc(sizeof *game);
        struct chance chance;
        unsigned char root[64];
        int from[SEATS_MAX + 1];
        game_init(game);
        game->seats = SEATS_MAX;
        json_array_foreach (json_object_get(item, "held"), k, seat) {
            struct game_seat *who = &game->seat[number(seat, "seat")];
            (void)snprintf(who->player, sizeof who->player, "%s", text(seat, "player"));
            bytes(seat, "mark", who->orders.seal, SEAL_BYTES);
            who->drawn = who->orders.in = true;
        }
        bytes(item, "root", root, sizeof root);
        chance_replay(&chance, root, NULL);
        seating_draw(game, &chance, from);
        json_t *drawn = seating_json(game, from);
        ck_assert(json_equal(drawn, json_object_get(item, "drawn")));
        json_decref(drawn);
        game_release(game);
        free(game);
    }
}
END_TEST

START_TEST(mailed_proofs)
{
    struct err err = ERR_INIT;
    const json_t *mailed = of("mailed_proof");
    struct slice rest = slice_of(text(mailed, "league")), armor = slice_of(text(mailed, "armor"));
    struct claim claim;
    struct pubkey key;
    bool found;
    ck_ok(pubkey_next(&rest, &key, &found, &err), err);
    ck_assert_int_eq(claim_next(&armor, &claim, &err), CLAIM_FOUND);
    ck_slice_eq(claim.line, text(mailed, "entry"));
    ck_ok(claim_verify_key(&claim, key.point, &err), err);
    key.point[0] ^= 1;
    ck_assert_int_ne(claim_verify_key(&claim, key.point, &err), 0);
    claim_release(&claim);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, heads);
    tcase_add_test(tc, seals);
    tcase_add_test(tc, proofs);
    tcase_add_test(tc, draws);
    tcase_add_test(tc, hidden_draws);
    tcase_add_test(tc, signatures);
    tcase_add_test(tc, canonical_texts);
    tcase_add_test(tc, frames);
    tcase_add_test(tc, json);
    tcase_add_test(tc, marks);
    tcase_add_test(tc, marks_of_texts);
    tcase_add_test(tc, alphas);
    tcase_add_test(tc, seatings);
    tcase_add_test(tc, mailed_proofs);
}
TEST_MAIN("game/vectors", cases)
