/* Words of answers: what they are bound to, and the addresses that carry them. */
#include "league/reply_token.h"

#include "suite.h"

static const unsigned char master[32] = {7}, other_master[32] = {8};
static const unsigned char head[HEAD_BYTES] = {1}, other_head[HEAD_BYTES] = {2};
static const struct reply_place place = {"gc-1", 6, head, 2, "anna", 1, {NULL, 0}};

START_TEST(is_known_again)
{
    char word[REPLY_TOKEN_TEXT], again[REPLY_TOKEN_TEXT], capitals[REPLY_TOKEN_TEXT];
    reply_token(word, master, REPLY_WORD_TOKEN, &place);
    reply_token(again, master, REPLY_WORD_TOKEN, &place);
    ck_assert_str_eq(word, again);
    ck_assert_uint_eq(strlen(word), REPLY_TOKEN_TEXT - 1);
    ck_assert_uint_eq(strspn(word, "abcdefghijklmnopqrstuvwxyz234567"), REPLY_TOKEN_TEXT - 1);
    for (size_t i = 0; i < sizeof capitals; i++)
        capitals[i] = (char)(word[i] >= 'a' && word[i] <= 'z' ? word[i] - 'a' + 'A' : word[i]);
    ck_assert(reply_token_is(slice_of(word), master, REPLY_WORD_TOKEN, &place));
    ck_assert(reply_token_is(slice_of(capitals), master, REPLY_WORD_TOKEN, &place));
    word[3] = word[3] == 'a' ? 'b' : 'a';
    ck_assert(!reply_token_is(slice_of(word), master, REPLY_WORD_TOKEN, &place));
    ck_assert(!reply_token_is(slice_sub(slice_of(again), 0, 15), master, REPLY_WORD_TOKEN, &place));
}
END_TEST

/* It fits nothing but what it was made for. */
START_TEST(is_bound_to_its_place)
{
    char word[REPLY_TOKEN_TEXT];
    struct reply_place others[] = {place, place, place, place, place, place, place};
    others[0].game = "gc-2";
    others[1].turn = 7;
    others[2].head = other_head;
    others[3].seat = 1;
    others[4].player = "anne";
    others[5].seq = 2;
    others[6].also = slice_of("resign");
    reply_token(word, master, REPLY_WORD_TOKEN, &place);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        ck_assert_msg(!reply_token_is(slice_of(word), master, REPLY_WORD_TOKEN, &others[i]), "place %zu", i);
    ck_assert(!reply_token_is(slice_of(word), other_master, REPLY_WORD_TOKEN, &place));
    ck_assert(!reply_token_is(slice_of(word), master, REPLY_WORD_NONCE, &place));
    ck_assert(!reply_token_is(slice_of(word), master, REPLY_WORD_OK, &place));
}
END_TEST

START_TEST(addresses)
{
    static const char own[] = "orders@game.test";
    static const char *const wrong[] = {"orders@game.test",
                                        "orders+k3v7q2m9xwtrabc@game.test",
                                        "orders-k3v7q2m2xwtrabcd@game.test",
                                        "others+k3v7q2m2xwtrabcd@game.test",
                                        "orders+k3v7q2m2xwtrabcd@games.test",
                                        "orders+k3v7q2m2xwtrabcdx@game.test",
                                        ""};
    struct slice token;
    struct str out = STR_INIT;
    ck_assert(reply_token_in(slice_of("Orders+K3v7q2m2xwtrabcd@Game.test"), own, '+', &token));
    ck_assert(slice_eq(token, "K3v7q2m2xwtrabcd"));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ck_assert_msg(!reply_token_in(slice_of(wrong[i]), own, '+', &token), "%s", wrong[i]);
    reply_token_address(&out, own, '-', "k3v7q2m2xwtrabcd");
    ck_assert_str_eq(out.p, "orders-k3v7q2m2xwtrabcd@game.test");
    str_release(&out);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, is_known_again);
    tcase_add_test(tc, is_bound_to_its_place);
    tcase_add_test(tc, addresses);
}
TEST_MAIN("league/reply_token", cases)
