/* Matchpoints: by hand, and what they add up to. */
#include "suite.h"

#include <stdbool.h>

#include "compete/matchpoints.h"
#include "compete/random.h"

START_TEST(two_a_result_beaten_and_one_a_tie)
{
    static const struct matchpoints_result results[] = {
        {30, true}, {10, true}, {30, true}, {-5, true}, {20, false}};
    static const int64_t points[] = {5, 2, 5, 0, 4}, compared[] = {4, 4, 4, 4, 5};
    struct matchpoints out[5];
    matchpoints_deal(results, 5, out);
    for (size_t i = 0; i < 5; i++) {
        ck_assert_int_eq(out[i].points, points[i]);
        ck_assert_int_eq(out[i].results, compared[i]);
    }
    const struct share share = matchpoints_share(out[0]);
    ck_assert(share.num == 5 && share.den == 6);
    ck_assert_int_eq(share_hundredths(share), 8333);
    ck_assert_int_eq(share_hundredths(matchpoints_share(out[4])), 5000);
    ck_assert_int_eq(share_order(share, matchpoints_share(out[1])), 1);
    ck_assert_int_eq(share_order(share, matchpoints_share(out[2])), 0);
}
END_TEST

START_TEST(nobody_to_compare_with_is_half)
{
    const struct matchpoints_result alone = {7, true};
    struct matchpoints out;
    matchpoints_deal(&alone, 1, &out);
    ck_assert_int_eq(share_hundredths(matchpoints_share(out)), 5000);
    ck_assert_int_eq(matchpoints_factored(out, 11), 10000); /* half of 2 * (11 - 1) */
    ck_assert_int_eq(matchpoints_factored(out, 1), 0);
}
END_TEST

START_TEST(deals_that_were_played_less_often)
{
    const struct matchpoints top = {6, 4}, bottom = {0, 4};
    ck_assert_int_eq(matchpoints_factored(top, 4), 6000);
    ck_assert_int_eq(matchpoints_factored(top, 6), 9500);                        /* 7 * 6/4 - 1 */
    ck_assert_int_eq(matchpoints_factored(bottom, 6), 500);                      /* 6/4 - 1 */
    ck_assert_int_eq(matchpoints_factored((struct matchpoints){1, 3}, 4), 1667); /* 2 * 4/3 - 1 = 1.6667 */
    ck_assert_int_eq(matchpoints_factored((struct matchpoints){0, 3}, 4), 333);
    ck_assert_int_eq(matchpoints_factored((struct matchpoints){0, 16}, 17), 63); /* 0.0625: halves up */
}
END_TEST

START_TEST(a_field)
{
    static const int64_t field[] = {10, 20, 20, 40};
    static const struct {
        int64_t score, hundredths;
    } table[] = {{5, 0}, {10, 1250}, {15, 2500}, {20, 5000}, {40, 8750}, {INT64_MAX, 10000}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        ck_assert_int_eq(share_hundredths(matchpoints_percentile(table[i].score, field, 4)),
                         table[i].hundredths);
}
END_TEST

/* Each comparison gives two points, so A ranked results have A * (A - 1) together, and M' the same of E but for rounding. */
START_TEST(every_comparison_gives_two)
{
    uint64_t seed = 13;
    for (int n = 0; n < 500; n++) {
        struct matchpoints_result results[40];
        struct matchpoints out[40];
        const size_t count = 1 + below(&seed, 40);
        int64_t ranked = 0, points = 0, factored = 0;
        const int64_t most = 40 + below(&seed, 10);
        for (size_t i = 0; i < count; i++) {
            results[i] = (struct matchpoints_result){below(&seed, 10), below(&seed, 4) > 0};
            ranked += results[i].ranked;
        }
        matchpoints_deal(results, count, out);
        for (size_t i = 0; i < count; i++) {
            if (!results[i].ranked)
                continue;
            points += out[i].points;
            factored += matchpoints_factored(out[i], most);
        }
        ck_assert_int_eq(points, ranked * (ranked - 1));
        ck_assert_int_le(llabs(factored - 1000 * ranked * (most - 1)), ranked / 2 + 1);
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, two_a_result_beaten_and_one_a_tie);
    tcase_add_test(tc, nobody_to_compare_with_is_half);
    tcase_add_test(tc, deals_that_were_played_less_often);
    tcase_add_test(tc, a_field);
    tcase_add_test(tc, every_comparison_gives_two);
}
TEST_MAIN("compete/matchpoints", cases)
