#include "suite.h"

#include <math.h>

#include "rating/fixed.h"
#include "rating/narrow.h"

#define STEPS(x) ((long double)(x) * (long double)FIXED_ONE)

static uint64_t next_number(uint64_t *seed)
{
    uint64_t z = *seed += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* Of any size up to 2^bits, small ones as often as large ones. */
static int64_t some(uint64_t *seed, unsigned bits)
{
    int64_t size = (int64_t)(next_number(seed) >> (64 - bits) >> next_number(seed) % bits);
    return next_number(seed) % 2 ? size : -size;
}

/* By 128 bits where there are any, and without. */
static const struct {
    int64_t (*mul)(int64_t, int64_t), (*div)(int64_t, int64_t), (*sqrt)(int64_t);
} kinds[] = {{fixed_mul, fixed_div, fixed_sqrt}, {narrow_mul, narrow_div, narrow_sqrt}};

START_TEST(halves_go_up)
{
    const int64_t half = FIXED_ONE / 2;
    ck_assert_int_eq(kinds[_i].mul(1, half), 1);
    ck_assert_int_eq(kinds[_i].mul(1, half - 1), 0);
    ck_assert_int_eq(kinds[_i].mul(-1, half), 0);
    ck_assert_int_eq(kinds[_i].mul(-1, half + 1), -1);
    ck_assert_int_eq(kinds[_i].mul(3, -half), -1);
    ck_assert_int_eq(kinds[_i].mul(-3, -half), 2);
    ck_assert_int_eq(kinds[_i].mul(0, -half), 0);
    ck_assert_int_eq(kinds[_i].div(1, 2 * FIXED_ONE), 1);
    ck_assert_int_eq(kinds[_i].div(-1, 2 * FIXED_ONE), 0);
    ck_assert_int_eq(kinds[_i].div(-3, 2 * FIXED_ONE), -1);
    ck_assert_int_eq(kinds[_i].div(3, 2 * FIXED_ONE), 2);
    ck_assert_int_eq(kinds[_i].div(0, 2 * FIXED_ONE), 0);
    ck_assert_int_eq(kinds[_i].div(-2, 3 * FIXED_ONE), -1);
    ck_assert_int_eq(kinds[_i].div(25 * FIXED_ONE, 3 * FIXED_ONE), INT64_C(9162596898133));
}
END_TEST

START_TEST(roots_and_floors_go_down)
{
    ck_assert_int_eq(kinds[_i].sqrt(0), 0);
    ck_assert_int_eq(kinds[_i].sqrt(4 * FIXED_ONE), 2 * FIXED_ONE);
    ck_assert_int_eq(kinds[_i].sqrt(2 * FIXED_ONE), INT64_C(1554944255987));
    ck_assert_int_eq(kinds[_i].sqrt(4 * FIXED_ONE - 1), 2 * FIXED_ONE - 1);
    ck_assert_int_eq(fixed_floor(7, 2), 3);
    ck_assert_int_eq(fixed_floor(-7, 2), -4);
    ck_assert_int_eq(fixed_floor(-8, 2), -4);
}
END_TEST

START_TEST(published_in_millionths)
{
    ck_assert_int_eq(fixed_micro(25 * FIXED_ONE), 25000000);
    ck_assert_int_eq(fixed_micro(INT64_C(9162596898133)), 8333333);
    ck_assert_int_eq(fixed_micro(-INT64_C(9162596898133)), -8333333);
    ck_assert_int_eq(fixed_micro(1), 0);
    /* 1/128 is 7812.5 millionths */
    ck_assert_int_eq(fixed_micro(FIXED_ONE / 128), 7813);
    ck_assert_int_eq(fixed_micro(-FIXED_ONE / 128), -7812);
    ck_assert_int_eq(fixed_micro(1000000 * FIXED_ONE), INT64_C(1000000000000));
    ck_assert_int_eq(fixed_micro(-1000000 * FIXED_ONE), -INT64_C(1000000000000));
}
END_TEST

/* The page's sum of 15 terms against the real function, over every part of the range. */
START_TEST(exp_is_near)
{
    long double worst = 0;
    for (int64_t x = 0; x > -44 * FIXED_ONE; x -= INT64_C(104729111)) {
        long double off =
            fabsl((long double)fixed_exp(x) - STEPS(expl((long double)x / (long double)FIXED_ONE)));
        worst = off > worst ? off : worst;
    }
    ck_assert_msg(worst < 5, "%Lf steps", worst);
    ck_assert_int_eq(fixed_exp(0), FIXED_ONE);
    ck_assert_int_eq(fixed_exp(-INT64_C(762123384786)), FIXED_ONE / 2);
    ck_assert_int_eq(fixed_exp(-1), FIXED_ONE - 1);
    ck_assert_int_eq(fixed_exp(INT64_C(-62) * 762123384786), 0);
    ck_assert_int_eq(fixed_exp(-2000000 * FIXED_ONE), 0);
}
END_TEST

START_TEST(exp_never_falls)
{
    int64_t before = 0;
    for (int64_t x = -30 * FIXED_ONE; x <= 0; x += FEW ? INT64_C(67867967) : INT64_C(15485863)) {
        int64_t now = fixed_exp(x);
        if (now < before)
            ck_abort_msg("at %lld", (long long)x);
        before = now;
    }
}
END_TEST

#define ROUNDS (FEW ? 50000 : 200000)

START_TEST(without_128_bits)
{
    uint64_t seed = 21;
    for (int i = 0; i < ROUNDS; i++) {
        int64_t a = some(&seed, 51), b = some(&seed, 51), root = some(&seed, 63);
        bool same = narrow_mul(a, b) == fixed_mul(a, b);
        a = some(&seed, 60);
        b = (b < 0 ? -b : b) + (a < 0 ? -a : a) / (1 << 22) + 1;
        same = same && narrow_div(a, b) == fixed_div(a, b);
        root = root < 0 ? -root : root;
        same = same && narrow_sqrt(root) == fixed_sqrt(root);
        if (!same)
            ck_abort_msg("%lld, %lld, %lld", (long long)a, (long long)b, (long long)root);
    }
    ck_assert_int_eq(narrow_mul(INT64_MAX, FIXED_ONE), INT64_MAX);
    ck_assert_int_eq(narrow_mul(INT64_MAX, -FIXED_ONE), -INT64_MAX);
    ck_assert_int_eq(narrow_div(-INT64_MAX, FIXED_ONE), -INT64_MAX);
    ck_assert_int_eq(narrow_div(INT64_MAX, INT64_MAX), FIXED_ONE);
    ck_assert_int_eq(narrow_sqrt(INT64_MAX), fixed_sqrt(INT64_MAX));
}
END_TEST

#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 wide;

/* Both by what they promise, not by each other. */
START_TEST(as_defined)
{
    uint64_t seed = 22;
    for (int i = 0; i < ROUNDS; i++) {
        int64_t a = some(&seed, 51), b = some(&seed, 51);
        wide off = (wide)fixed_mul(a, b) * FIXED_ONE - (wide)a * b; /* -1/2 < off <= 1/2 */
        bool holds = 2 * off > -FIXED_ONE && 2 * off <= FIXED_ONE;
        a = some(&seed, 60);
        b = (b < 0 ? -b : b) + (a < 0 ? -a : a) / (1 << 22) + 1;
        off = (wide)fixed_div(a, b) * b - (wide)a * FIXED_ONE;
        holds = holds && 2 * off > -b && 2 * off <= b;
        a = a < 0 ? -a : a;
        int64_t root = fixed_sqrt(a);
        holds = holds && (wide)root * root <= (wide)a * FIXED_ONE &&
                (wide)(root + 1) * (root + 1) > (wide)a * FIXED_ONE;
        if (!holds)
            ck_abort_msg("%lld, %lld", (long long)a, (long long)b);
    }
}
END_TEST
#endif

static void cases(TCase *tc)
{
    tcase_add_loop_test(tc, halves_go_up, 0, 2);
    tcase_add_loop_test(tc, roots_and_floors_go_down, 0, 2);
    tcase_add_test(tc, published_in_millionths);
    tcase_add_test(tc, exp_is_near);
    tcase_add_test(tc, exp_never_falls);
    tcase_add_test(tc, without_128_bits);
#ifdef __SIZEOF_INT128__
    tcase_add_test(tc, as_defined);
#endif
}
TEST_MAIN_TOGETHER("rating/fixed", cases)
