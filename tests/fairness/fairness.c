/* Fair draws pass as often as they should, bent ones are found with as many draws as theory says. */
#include "fairness/fairness.h"

#include <math.h>
#include <string.h>

#include "fairness/statistic.h"
#include "luck.h"
#include "suite.h"

#define RULESET "galaxy-command"

static const struct fairness_result *find(const struct fairness_results *results, enum fairness_what what,
                                          uint32_t of, enum fairness_test test)
{
    for (size_t i = 0; i < results->count; i++)
        if (results->list[i].series->what == what && results->list[i].series->of == of &&
            results->list[i].test == test)
            return &results->list[i];
    ck_abort_msg("there is no such test");
}

/* ---- a fair league ---- */

#define GAMES 70

/* Draws of a game as rulesets make them, by the program's own generator. */
static void play(struct fairness *fairness, int league, int game)
{
    struct chance chance;
    struct chance_trace trace = {0};
    char label[CHANCE_LABEL];
    uint8_t deck[12] = {0};
    const uint64_t seed[2] = {luck_seed(league), (uint64_t)game};
    chance_seeded(&chance, seed, sizeof seed);
    chance.trace = &trace;
    chance_shuffle(&chance, true, "deal/near", deck, 12);
    chance_shuffle(&chance, false, "seats", deck, 4);
    (void)chance_pick(&chance, 4, "deal/first");
    for (int i = 0; i < 20; i++) {
        chance_label(label, "explore/%d", i);
        (void)chance_die(&chance, 6, label);
        chance_label(label, "event/%d", i);
        (void)chance_die(&chance, i % 2 ? 20 : 100, label);
    }
    fairness_add(fairness, RULESET, &trace);
    chance_trace_release(&trace);
}

/* How often each tenth of 0..1 has a p-value. Those of one test are no more than so many. */
struct spread {
    uint32_t tenths[400];
    size_t count;
};

static void spread_add(struct spread *spread, const struct fairness_result *result)
{
    ck_assert(result->done);
    spread->tenths[spread->count++] = result->p >= 1 ? 9 : (uint32_t)(result->p * 10);
}

START_TEST(p_values_of_fair_leagues_are_spread_evenly)
{
    static struct spread spread[10];
    size_t out = 0;
    for (int league = 0; league < 400; league++) {
        struct fairness fairness = {0};
        struct fairness_results results;
        for (int game = 0; game < GAMES; game++)
            play(&fairness, league, game);
        ck_assert_uint_eq(fairness.draws, (size_t)GAMES * 43);
        fairness_judge(&fairness, &results);
        out += results.stands_out;
        spread_add(&spread[0], find(&results, FAIRNESS_ALL, 0, TEST_FREQUENCY));
        spread_add(&spread[1], find(&results, FAIRNESS_ALL, 0, TEST_RUNS));
        spread_add(&spread[2], find(&results, FAIRNESS_ALL, 0, TEST_SERIAL));
        spread_add(&spread[3], find(&results, FAIRNESS_HIDDEN, 0, TEST_RUNS));
        spread_add(&spread[4], find(&results, FAIRNESS_DIE, 6, TEST_SIDES));
        spread_add(&spread[5], find(&results, FAIRNESS_DIE, 6, TEST_PAIRS));
        spread_add(&spread[6], find(&results, FAIRNESS_DIE, 20, TEST_SIDES));
        spread_add(&spread[7], find(&results, FAIRNESS_DIE, 100, TEST_SIDES));
        spread_add(&spread[8], find(&results, FAIRNESS_DECK, 12, TEST_PLACES));
        spread_add(&spread[9], find(&results, FAIRNESS_DICE, 0, TEST_SERIAL));
        fairness_results_release(&results);
        fairness_release(&fairness);
    }
    for (int i = 0; i < 10; i++) {
        const struct tested even = test_sides(spread[i].tenths, spread[i].count, 10);
        ck_assert_msg(even.p > 1e-5, "test %d: %.0f of 400 p-values in tenth %zu, p = %g", i, even.seen,
                      even.cell, even.p);
    }
    ck_assert_uint_le(out, 4); /* 0.4 are to be expected */
}
END_TEST

/* ---- bent draws ---- */

/* Draws of nobody's generator: each has a key of its own. */
static void bent(struct chance_trace *trace, const struct chance_drawn *what, const char *label)
{
    trace->list = realloc(trace->list, (trace->count + 1) * sizeof *trace->list);
    struct chance_drawn *draw = &trace->list[trace->count++];
    *draw = *what;
    draw->from = trace->step_count;
    (void)snprintf(draw->label, sizeof draw->label, "%s", label);
    luck_bytes(draw->key, sizeof draw->key);
}

static void step(struct chance_trace *trace, uint32_t number)
{
    trace->steps = realloc(trace->steps, (trace->step_count + 1) * sizeof *trace->steps);
    trace->steps[trace->step_count++] = number;
    trace->list[trace->count - 1].steps++;
}

static struct fairness fairness;
static struct fairness_results results;

static void judge(struct chance_trace *trace)
{
    fairness_add(&fairness, RULESET, trace);
    chance_trace_release(trace);
    fairness_judge(&fairness, &results);
}

static void forget(void)
{
    fairness_results_release(&results);
    fairness_release(&fairness);
}

#define TESTS    5          /* of dice of one size: sides, pairs; frequency, runs, serial */
#define SIX_MORE (1 / 18.0) /* the six comes with 1/6 + this, the others with a fifth of it less */

/* A die that comes up six too often. */
static bool found_bent_die(size_t rolls)
{
    struct chance_trace trace = {0};
    for (size_t i = 0; i < rolls; i++) {
        const bool six = luck_word() < (1 / 6.0 + SIX_MORE) * 4294967296.0;
        const uint32_t result = six ? 6 : 1 + randombytes_uniform(5);
        bent(&trace, &(struct chance_drawn){.kind = CHANCE_DIE, .of = 6, .result = result}, "explore/s1");
    }
    judge(&trace);
    ck_assert_uint_eq(results.done, TESTS);
    const struct fairness_result *sides = find(&results, FAIRNESS_DIE, 6, TEST_SIDES);
    const bool found = sides->p <= 1.0 / FAIRNESS_ONE_IN / TESTS;
    ck_assert(!found || results.stands_out);
    ck_assert(!found || (sides->cell == 5 && sides->seen > sides->expected));
    forget();
    return found;
}

/* How often theory says that it is found: chi-square that is not central, with lambda = N sum (p - 1/6)^2 / (1/6), is a mixture by
 * Poisson of those that are, with more degrees. */
static double power(size_t rolls)
{
    const double lambda = (double)rolls * 6 * (SIX_MORE * SIX_MORE + SIX_MORE * SIX_MORE / 5);
    double low = 0, high = 1000, term = exp(-lambda / 2), sum = 0;
    while (high - low > 1e-9) {
        const double middle = (low + high) / 2;
        if (chi_square_above(middle, 5) > 1.0 / FAIRNESS_ONE_IN / TESTS / 2)
            low = middle;
        else
            high = middle;
    }
    for (size_t k = 0; k < 500; k++) {
        sum += term * chi_square_above(low, 5 + 2 * k);
        term *= lambda / 2 / (double)(k + 1);
    }
    return sum;
}

START_TEST(a_bent_die_is_found_as_often_as_theory_says)
{
    static const size_t rolls[] = {600, 1200, 2400};
    const int tries = 150;
    int found = 0;
    const double want = power(rolls[_i]);
    for (int i = 0; i < tries; i++)
        found += found_bent_die(rolls[_i]);
    ck_assert_msg(fabs(found - tries * want) <= 4 * sqrt(tries * want * (1 - want)) + 3,
                  "%zu rolls: found %d times of %d, where %.1f are to be expected", rolls[_i], found, tries,
                  tries * want);
}
END_TEST

/* Sattolo's mistake: u(i - 1) in place of u(i), so that no card stays where it was. */
START_TEST(a_shuffle_that_leaves_no_card_is_found)
{
    struct chance_trace trace = {0};
    for (int i = 0; i < 300; i++) {
        bent(&trace, &(struct chance_drawn){.kind = CHANCE_SHUFFLE, .hidden = true, .of = 12}, "deal/near");
        for (uint32_t n = 12; n >= 2; n--)
            step(&trace, randombytes_uniform(n - 1));
    }
    judge(&trace);
    const struct fairness_result *places = find(&results, FAIRNESS_DECK, 12, TEST_PLACES);
    ck_assert(places->stands_out && results.stands_out);
    ck_assert_double_eq(places->seen, 0);
    ck_assert_uint_eq(places->cell % 13, 0); /* a card's own place */
    forget();
}
END_TEST

/* A deck that is only cut, one card further each time: each card is everywhere as often, which is no chance. */
START_TEST(a_deck_that_is_only_turned_is_found)
{
    struct chance_trace trace = {0};
    for (uint32_t game = 0; game < 240; game++) {
        uint32_t at[12]; /* what lies where, and what must lie there */
        bent(&trace, &(struct chance_drawn){.kind = CHANCE_SHUFFLE, .of = 12}, "deal/near");
        for (uint32_t i = 0; i < 12; i++)
            at[i] = i;
        for (uint32_t i = 12; i >= 2; i--) {
            uint32_t j = 0;
            while (at[j] != (i - 1 + game) % 12)
                j++;
            at[j] = at[i - 1];
            step(&trace, j);
        }
    }
    judge(&trace);
    ck_assert(find(&results, FAIRNESS_DECK, 12, TEST_PLACES)->stands_out);
    forget();
}
END_TEST

/* ---- what is counted ---- */

START_TEST(draws_that_games_share_count_once)
{
    play(&fairness, 1, 1);
    const size_t draws = fairness.draws;
    play(&fairness, 1, 1);
    ck_assert_uint_eq(fairness.draws, draws);
    play(&fairness, 1, 2);
    ck_assert_uint_eq(fairness.draws, 2 * draws);
    forget();
}
END_TEST

START_TEST(too_few_are_said_and_not_tested)
{
    play(&fairness, 1, 1);
    fairness_judge(&fairness, &results);
    ck_assert_uint_eq(results.done, 0);
    ck_assert(!results.stands_out);
    ck_assert_uint_eq(find(&results, FAIRNESS_DIE, 6, TEST_SIDES)->needed, 30);
    ck_assert_uint_eq(find(&results, FAIRNESS_DIE, 100, TEST_PAIRS)->needed, 100000);
    ck_assert_uint_eq(find(&results, FAIRNESS_DECK, 12, TEST_PLACES)->needed, 10);
    forget();
}
END_TEST

/* All together are tested beside two rulesets; where there is one, its own tests are all. */
START_TEST(the_same_draws_are_tested_once)
{
    struct chance_trace trace = {0};
    for (int i = 0; i < 40; i++)
        bent(&trace, &(struct chance_drawn){.kind = CHANCE_DIE, .of = 6, .result = 1 + (uint32_t)i % 6}, "a");
    judge(&trace);
    ck_assert_uint_eq(results.count, TESTS);
    ck_assert_str_eq(results.list[0].series->ruleset, RULESET);
    fairness_results_release(&results);
    bent(&trace, &(struct chance_drawn){.kind = CHANCE_DIE, .of = 6, .result = 1}, "a");
    fairness_add(&fairness, "galaxy-farmer", &trace);
    chance_trace_release(&trace);
    fairness_judge(&fairness, &results);
    ck_assert_uint_eq(results.count, 3 * TESTS);
    ck_assert_ptr_null(results.list[0].series->ruleset);
    forget();
}
END_TEST

/* Holm's own steps, once more. */
START_TEST(figures_are_corrected_for_their_number)
{
    for (int game = 0; game < GAMES; game++)
        play(&fairness, 7, game);
    fairness_judge(&fairness, &results);
    ck_assert_uint_gt(results.done, 15);
    for (size_t i = 0; i < results.count; i++) {
        const struct fairness_result *one = &results.list[i];
        double want = 0;
        for (size_t k = 0; one->done && k < results.count; k++) {
            size_t above = 0;
            for (size_t n = 0; n < results.count; n++)
                above += results.list[n].done && results.list[n].p >= results.list[k].p;
            if (results.list[k].done && results.list[k].p <= one->p)
                want = fmax(want, fmin(1, results.list[k].p * (double)above));
        }
        ck_assert_double_eq_tol(one->corrected, want, 1e-12);
    }
    forget();
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, p_values_of_fair_leagues_are_spread_evenly);
    tcase_add_loop_test(tc, a_bent_die_is_found_as_often_as_theory_says, 0, 3);
    tcase_add_test(tc, a_shuffle_that_leaves_no_card_is_found);
    tcase_add_test(tc, a_deck_that_is_only_turned_is_found);
    tcase_add_test(tc, draws_that_games_share_count_once);
    tcase_add_test(tc, too_few_are_said_and_not_tested);
    tcase_add_test(tc, the_same_draws_are_tested_once);
    tcase_add_test(tc, figures_are_corrected_for_their_number);
}

TEST_MAIN("fairness/fairness", cases)
