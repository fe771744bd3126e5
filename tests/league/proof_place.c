/* The places for proofs in mails: found again, and made by nobody else. */
#include "suite.h"

#include "league/proof_place.h"

static const unsigned char master[32] = {1}, other[32] = {2};
static const struct proof_place shorter = {
    .name = "a-name-of-just-32-letters-of-it.", .seq = 9999999, .time = 1795939380};

/* Of a close at a full table. */
static struct proof_place longest(void)
{
    struct proof_place place = shorter;
    place.extra_len = PROOF_EXTRA_MOST;
    for (size_t i = 0; i < PROOF_EXTRA_MOST; i++)
        place.extra[i] = (unsigned char)(i * 7);
    return place;
}

static int count_places(struct slice text, const unsigned char key[32])
{
    struct slice before;
    struct proof_place place;
    int count = 0;
    while (proof_place_next(&text, &before, &place, key)) {
        const struct proof_place whole = longest();
        ck_assert_str_eq(place.name, shorter.name);
        ck_assert_int_eq(place.seq, shorter.seq);
        ck_assert_int_eq(place.time, shorter.time);
        ck_assert_uint_eq(place.extra_len, count % 2 ? PROOF_EXTRA_MOST : 0);
        ck_assert(memcmp(place.extra, whole.extra, place.extra_len) == 0);
        ck_assert(!slice_starts(text, " "));
        count++;
    }
    return count;
}

START_TEST(it_is_found_again)
{
    struct str text = STR_INIT;
    const struct proof_place whole = longest();
    str_adds(&text, "caf\xC3\xA9 [proof gc-1 1 1 0123456789ab]\n[proof \n");
    proof_place_write(&text, &shorter, master);
    proof_place_write(&text, &whole, master);
    str_adds(&text, "end [proof ");
    ck_assert_int_eq(count_places(slice_str(&text), master), 2);
    ck_assert_int_eq(count_places(slice_str(&text), other), 0);
    str_release(&text);
}
END_TEST

START_TEST(nobody_else_can_make_one)
{
    struct str text = STR_INIT;
    const struct proof_place whole = longest();
    proof_place_write(&text, &whole, master);
    for (size_t i = 0; i + 1 < text.len; i++) {
        struct str changed = STR_INIT;
        struct slice rest, before;
        struct proof_place place;
        str_addslice(&changed, slice_str(&text));
        changed.p[i] = changed.p[i] == '1' ? '2' : '1';
        rest = slice_str(&changed);
        ck_assert_msg(!proof_place_next(&rest, &before, &place, master), "%s", changed.p);
        str_release(&changed);
    }
    str_release(&text);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, it_is_found_again);
    tcase_add_test(tc, nobody_else_can_make_one);
}

TEST_MAIN("league/proof_place", cases)
