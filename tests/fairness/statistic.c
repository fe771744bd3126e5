/* The tests of numbers, by the examples of the books that they are from. */
#include "fairness/statistic.h"

#include <math.h>
#include <string.h>

#include "suite.h"

static size_t read_bits(const char *text, uint8_t bits[])
{
    const size_t count = strlen(text);
    for (size_t i = 0; i < count; i++)
        bits[i] = text[i] == '1';
    return count;
}

#define ck_near(got, want, by) ck_assert_double_eq_tol(got, want, by)

/* Knuth, 3.3.1, table 1: degrees, and what chi-square is below in so many of a hundred. */
static const struct {
    size_t degrees;
    int percent;
    double x, by; /* its last digit */
} selected[] = {
    {1, 95, 3.841, .001},  {1, 99, 6.635, .001},  {2, 50, 1.386, .001},  {3, 5, 0.3518, .0001},
    {4, 75, 5.385, .001},  {5, 99, 15.09, .01},   {6, 1, 0.8721, .0001}, {10, 1, 2.558, .001},
    {10, 25, 6.737, .001}, {10, 50, 9.342, .001}, {10, 95, 18.31, .01},  {10, 99, 23.21, .01},
    {11, 50, 10.34, .01},  {15, 95, 25.00, .01},  {20, 5, 10.85, .01},   {30, 99, 50.89, .01},
    {50, 1, 29.71, .01},   {50, 99, 76.15, .01},
};

START_TEST(chi_square_is_as_in_knuths_table)
{
    const double want = 1 - selected[_i].percent / 100.0;
    ck_assert_double_ge(chi_square_above(selected[_i].x - selected[_i].by, selected[_i].degrees), want);
    ck_assert_double_le(chi_square_above(selected[_i].x + selected[_i].by, selected[_i].degrees), want);
}
END_TEST

/* Many degrees: near to the normal distribution (Wilson and Hilferty), and no overflow. */
START_TEST(chi_square_of_many_degrees)
{
    static const size_t degrees[] = {500, 3481, 9999};
    const double n = (double)degrees[_i], c = 2 / (9 * n);
    for (int z = -4; z <= 4; z++) {
        const double x = n * pow(1 - c + z * sqrt(c), 3);
        ck_near(chi_square_above(x, degrees[_i]), erfc(z / sqrt(2)) / 2, 1e-3);
    }
    ck_assert_double_eq(chi_square_above(0, degrees[_i]), 1);
}
END_TEST

/* SP 800-22: the hundred bits of 2.1.8 and 2.3.8 (of pi), the ten of 2.1.4, 2.3.4 and 2.11.4. */
START_TEST(bits_are_as_in_nists_examples)
{
    uint8_t bits[100];
    size_t count = read_bits("11001001000011111101101010100010001000010110100011"
                             "00001000110100110001001100011001100010100010111000",
                             bits);
    ck_near(test_frequency(bits, count).p, 0.109599, 5e-7);
    ck_near(test_runs(bits, count).p, 0.500798, 5e-7);
    ck_assert_double_eq(test_runs(bits, count).seen, 52);
    count = read_bits("1011010101", bits);
    ck_near(test_frequency(bits, count).p, 0.527089, 5e-7);
    count = read_bits("1001101011", bits);
    ck_near(test_runs(bits, count).p, 0.147232, 5e-7);
    count = read_bits("0011011101", bits);
    ck_near(test_serial(bits, count).p, 0.808792, 5e-7);
}
END_TEST

START_TEST(sides_and_pairs_are_counted)
{
    /* 0 eight times, 1 to 3 five times, 4 four times, 5 three times, where five are to be expected: (9 + 1 + 4)/5 */
    static const uint32_t rolls[30] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2,
                                       2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5};
    const struct tested tested = test_sides(rolls, 30, 6);
    ck_near(tested.p, 2 * (1 - chi_square_above(2.8 + 0.2, 5)), 1e-12); /* rather even */
    ck_assert_uint_eq(tested.cell, 0);
    ck_assert_double_eq(tested.seen, 8);
    ck_assert_double_eq(tested.expected, 5);
    uint32_t sixes[30] = {0}; /* 24 times 0, six times 5: (19 * 19 + 1 + 4 * 25)/5 */
    for (int i = 0; i < 6; i++)
        sixes[i] = 5;
    ck_near(test_sides(sixes, 30, 6).p, 2 * chi_square_above(92.4, 5), 1e-12);

    uint32_t turns[80]; /* each side as often, and always the other one next */
    for (uint32_t i = 0; i < 80; i++)
        turns[i] = i % 2;
    ck_assert_double_lt(test_pairs(turns, 80, 2).p, 1e-20);
    ck_assert_uint_eq(test_pairs(turns, 80, 2).cell, 1);
}
END_TEST

/* A coin whose heads and tails take turns is even, but too even. */
START_TEST(what_is_too_even_is_no_chance)
{
    uint32_t values[1200];
    for (uint32_t i = 0; i < 1200; i++)
        values[i] = i % 6;
    ck_assert_double_lt(test_sides(values, 1200, 6).p, 1e-5);
    ck_assert_double_gt(test_sides(values, 30, 6).p, 1e-4); /* of thirty rolls it is no wonder */
}
END_TEST

/* All orders of three things, as often: each thing is everywhere as often. */
START_TEST(places_of_all_orders)
{
    static const uint32_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    uint32_t places[18 * 50];
    for (int i = 0; i < 50; i++)
        memcpy(places + (size_t)i * 18, orders, sizeof orders);
    ck_assert_double_lt(test_places(places, 300, 3).p, 1e-3);
    for (int i = 0; i < 900; i++) /* the first thing always at the first place */
        places[i] = (uint32_t)i % 3 == 0 ? 0 : 1 + (uint32_t)(i / 3 + i % 3) % 2;
    const struct tested tested = test_places(places, 300, 3);
    ck_assert_double_lt(tested.p, 1e-20);
    ck_assert_uint_eq(tested.cell, 0);
    ck_assert_double_eq(tested.seen, 300);
    ck_assert_double_eq(tested.expected, 100);
}
END_TEST

START_TEST(parts_follow_from_how_many_shuffles_there_are)
{
    for (uint32_t of = 2; of <= 60; of++) {
        const size_t least = places_least(of);
        ck_assert_uint_eq(places_parts(least - 1, of), 0);
        ck_assert_uint_eq(places_parts(least, of), of < 4 ? of : 2);
        ck_assert_uint_eq(places_parts((size_t)CELL_LEAST * of, of), of);
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_loop_test(tc, chi_square_is_as_in_knuths_table, 0, (int)(sizeof selected / sizeof *selected));
    tcase_add_loop_test(tc, chi_square_of_many_degrees, 0, 3);
    tcase_add_test(tc, bits_are_as_in_nists_examples);
    tcase_add_test(tc, sides_and_pairs_are_counted);
    tcase_add_test(tc, what_is_too_even_is_no_chance);
    tcase_add_test(tc, places_of_all_orders);
    tcase_add_test(tc, parts_follow_from_how_many_shuffles_there_are);
}

TEST_MAIN("fairness/statistic", cases)
