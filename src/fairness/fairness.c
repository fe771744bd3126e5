#include "fairness/fairness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/mem.h"
#include "fairness/statistic.h"

void fairness_release(struct fairness *fairness)
{
    for (size_t i = 0; i < fairness->count; i++) {
        free(fairness->list[i]->values);
        free(fairness->list[i]->bits);
        free(fairness->list[i]);
    }
    free(fairness->list);
    free(fairness->known);
    *fairness = (struct fairness){0};
}

/* ---- gathering ---- */

static uint64_t *known_place(const struct fairness *fairness, uint64_t key)
{
    size_t at = key % fairness->known_size;
    while (fairness->known[at] && fairness->known[at] != key)
        at = (at + 1) % fairness->known_size;
    return &fairness->known[at];
}

/* Was this draw there before? Eight bytes of a hash tell draws apart. */
static bool known_before(struct fairness *fairness, const struct chance_drawn *draw)
{
    const uint64_t key = (uint64_t)get_le32(draw->key) << 32 | get_le32(draw->key + 4);
    if (2 * fairness->known_count >= fairness->known_size) {
        struct fairness larger = {.known_size = 2 * fairness->known_size + 1024};
        larger.known = mem_array(larger.known_size, sizeof *larger.known);
        for (size_t i = 0; i < fairness->known_size; i++)
            if (fairness->known[i])
                *known_place(&larger, fairness->known[i]) = fairness->known[i];
        free(fairness->known);
        fairness->known = larger.known;
        fairness->known_size = larger.known_size;
    }
    uint64_t *place = known_place(fairness, key);
    if (*place)
        return true;
    *place = key;
    fairness->known_count++;
    return false;
}

static bool same_ruleset(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static struct fairness_series *series_of(struct fairness *fairness, const struct fairness_series *wanted)
{
    for (size_t i = 0; i < fairness->count; i++) {
        struct fairness_series *one = fairness->list[i];
        if (one->what == wanted->what && one->of == wanted->of && strcmp(one->deck, wanted->deck) == 0 &&
            same_ruleset(one->ruleset, wanted->ruleset))
            return one;
    }
    fairness->list =
        mem_grow(fairness->list, fairness->count, &fairness->cap, sizeof(struct fairness_series *));
    struct fairness_series *series = mem_copy(wanted, sizeof *wanted);
    return fairness->list[fairness->count++] = series;
}

static void add_value(struct fairness_series *series, uint32_t value)
{
    series->values = mem_grow(series->values, series->used, &series->cap, sizeof *series->values);
    series->values[series->used++] = value;
}

/* A number 0..of-1. */
static void add_bit(struct fairness_series *series, uint32_t of, uint32_t number)
{
    const uint64_t twice = 2 * (uint64_t)number + 1;
    if (twice == of)
        return;
    series->bits = mem_grow(series->bits, series->used, &series->cap, sizeof *series->bits);
    series->bits[series->used++] = twice > of;
    series->count++;
}

static void add_numbers(struct fairness_series *series, const struct chance_drawn *draw,
                        const uint32_t *steps)
{
    if (draw->kind != CHANCE_SHUFFLE)
        add_bit(series, draw->of, draw->result - (draw->kind == CHANCE_DIE));
    for (size_t i = 0; i < draw->steps; i++)
        add_bit(series, draw->of - (uint32_t)i, steps[i]);
}

/* "deal/1" -> "deal" */
static void deck_of(char deck[CHANCE_LABEL], const char *label)
{
    const char *slash = strrchr(label, '/');
    const bool numbered = slash && slash[1] && strspn(slash + 1, "0123456789") == strlen(slash + 1);
    (void)snprintf(deck, CHANCE_LABEL, "%.*s", numbered ? (int)(slash - label) : (int)strlen(label), label);
}

/* Where each thing lies after the steps. */
static void add_places(struct fairness_series *series, const struct chance_drawn *draw, const uint32_t *steps)
{
    uint32_t *thing = mem_array(draw->of, sizeof *thing), *place = mem_array(draw->of, sizeof *place);
    for (uint32_t i = 0; i < draw->of; i++)
        thing[i] = i;
    for (uint32_t i = 0; i < draw->steps; i++) {
        const uint32_t last = draw->of - 1 - i, saved = thing[last];
        thing[last] = thing[steps[i]];
        thing[steps[i]] = saved;
    }
    for (uint32_t i = 0; i < draw->of; i++)
        place[thing[i]] = i;
    for (uint32_t i = 0; i < draw->of; i++)
        add_value(series, place[i]);
    series->count++;
    free(thing);
    free(place);
}

static void add_draw(struct fairness *fairness, const char *ruleset, const struct chance_drawn *draw,
                     const uint32_t *steps)
{
    static const enum fairness_what kinds[] = {FAIRNESS_DICE, FAIRNESS_PICKS, FAIRNESS_SHUFFLES};
    static const enum fairness_what sizes[] = {FAIRNESS_DIE, FAIRNESS_PICK, FAIRNESS_DECK};
    const enum fairness_what kind = draw->hidden ? FAIRNESS_HIDDEN : kinds[draw->kind];
    struct fairness_series own = {.ruleset = ruleset, .what = sizes[draw->kind], .of = draw->of};
    if (draw->kind == CHANCE_SHUFFLE)
        deck_of(own.deck, draw->label);
    struct fairness_series *series = series_of(fairness, &own);
    if (draw->kind == CHANCE_SHUFFLE) {
        add_places(series, draw, steps);
    } else {
        add_value(series, draw->result - (draw->kind == CHANCE_DIE));
        series->count++;
    }
    own = (struct fairness_series){.ruleset = ruleset, .what = kind};
    add_numbers(series_of(fairness, &own), draw, steps);
    own.what = FAIRNESS_ALL;
    add_numbers(series_of(fairness, &own), draw, steps);
}

void fairness_add(struct fairness *fairness, const char *ruleset, const struct chance_trace *trace)
{
    for (size_t i = 0; i < trace->count; i++) {
        const struct chance_drawn *draw = &trace->list[i];
        const uint32_t *steps = draw->steps ? trace->steps + draw->from : NULL;
        if (draw->of < 2 || known_before(fairness, draw)) /* of one thing nothing is drawn */
            continue;
        add_draw(fairness, NULL, draw, steps);
        add_draw(fairness, ruleset, draw, steps);
        fairness->draws++;
    }
}

/* ---- testing ---- */

/* Are its draws those of a series that is more to the point: of one ruleset, or of one kind? */
static bool told_by(const struct fairness_series *series, const struct fairness_series *other)
{
    if (other == series || other->used != series->used)
        return false;
    if (same_ruleset(other->ruleset, series->ruleset))
        return series->what == FAIRNESS_ALL && other->bits;
    return !series->ruleset && other->what == series->what && other->of == series->of &&
           strcmp(other->deck, series->deck) == 0;
}

static bool told_elsewhere(const struct fairness *fairness, const struct fairness_series *series)
{
    for (size_t i = 0; i < fairness->count; i++)
        if (told_by(series, fairness->list[i]))
            return true;
    return false;
}

static size_t needed_for(const struct fairness_series *series, enum fairness_test test)
{
    switch (test) {
    case TEST_SIDES: return (size_t)CELL_LEAST * series->of;
    case TEST_PAIRS: return (size_t)CELL_LEAST * series->of * series->of * 2;
    case TEST_PLACES: return places_least(series->of);
    case TEST_FREQUENCY:
    case TEST_RUNS:
    case TEST_SERIAL: break;
    }
    return BITS_LEAST;
}

static struct tested run_test(const struct fairness_series *series, enum fairness_test test)
{
    switch (test) {
    case TEST_FREQUENCY: return test_frequency(series->bits, series->count);
    case TEST_RUNS: return test_runs(series->bits, series->count);
    case TEST_SERIAL: return test_serial(series->bits, series->count);
    case TEST_SIDES: return test_sides(series->values, series->count, series->of);
    case TEST_PAIRS: return test_pairs(series->values, series->count, series->of);
    case TEST_PLACES: break;
    }
    return test_places(series->values, series->count, series->of);
}

static void add_test(struct fairness_results *results, const struct fairness_series *series,
                     enum fairness_test test)
{
    struct fairness_result result = {.series = series, .test = test, .needed = needed_for(series, test)};
    result.done = series->count >= result.needed;
    if (result.done) {
        const struct tested tested = run_test(series, test);
        result.p = result.corrected = tested.p;
        result.cell = tested.cell;
        result.seen = tested.seen;
        result.expected = tested.expected;
        result.parts = test == TEST_PLACES ? places_parts(series->count, series->of) : 0;
        results->done++;
    }
    results->list = mem_grow(results->list, results->count, &results->cap, sizeof *results->list);
    results->list[results->count++] = result;
}

static int by_p(const void *a, const void *b)
{
    const struct fairness_result *one = *(struct fairness_result *const *)a,
                                 *other = *(struct fairness_result *const *)b;
    return one->p < other->p ? -1 : one->p > other->p;
}

/* Holm (1979): the least p times the number of tests, the next one times one less, and so on; none less than the one before it. */
static void correct(struct fairness_results *results)
{
    struct fairness_result **done = mem_array(results->done + 1, sizeof(struct fairness_result *));
    size_t count = 0;
    double before = 0;
    for (size_t i = 0; i < results->count; i++)
        if (results->list[i].done)
            done[count++] = &results->list[i];
    qsort(done, count, sizeof *done, by_p);
    for (size_t i = 0; i < count; i++) {
        const double times = done[i]->p * (double)(count - i);
        before = times > before ? times : before;
        done[i]->corrected = before < 1 ? before : 1;
        done[i]->stands_out = before <= 1.0 / FAIRNESS_ONE_IN;
        results->stands_out |= done[i]->stands_out;
    }
    free(done);
}

/* All together first, then by ruleset; then by what, size and deck. */
static int by_series(const void *a, const void *b)
{
    const struct fairness_series *one = *(struct fairness_series *const *)a,
                                 *other = *(struct fairness_series *const *)b;
    int order = strcmp(one->ruleset ? one->ruleset : "", other->ruleset ? other->ruleset : "");
    if (order == 0)
        order = (int)one->what - (int)other->what;
    if (order == 0)
        order = (one->of > other->of) - (one->of < other->of);
    return order ? order : strcmp(one->deck, other->deck);
}

void fairness_judge(const struct fairness *fairness, struct fairness_results *results)
{
    static const struct {
        enum fairness_test first, last;
    } tests[] = {[FAIRNESS_ALL] = {TEST_FREQUENCY, TEST_SERIAL},
                 [FAIRNESS_DICE] = {TEST_FREQUENCY, TEST_SERIAL},
                 [FAIRNESS_PICKS] = {TEST_FREQUENCY, TEST_SERIAL},
                 [FAIRNESS_SHUFFLES] = {TEST_FREQUENCY, TEST_SERIAL},
                 [FAIRNESS_HIDDEN] = {TEST_FREQUENCY, TEST_SERIAL},
                 [FAIRNESS_DIE] = {TEST_SIDES, TEST_PAIRS},
                 [FAIRNESS_PICK] = {TEST_SIDES, TEST_PAIRS},
                 [FAIRNESS_DECK] = {TEST_PLACES, TEST_PLACES}};
    *results = (struct fairness_results){0};
    struct fairness_series **series = mem_array(fairness->count + 1, sizeof(struct fairness_series *));
    for (size_t i = 0; i < fairness->count; i++)
        series[i] = fairness->list[i];
    qsort(series, fairness->count, sizeof(struct fairness_series *), by_series);
    for (size_t i = 0; i < fairness->count; i++) {
        const enum fairness_what what = series[i]->what;
        if (told_elsewhere(fairness, series[i]))
            continue;
        for (unsigned test = tests[what].first; test <= (unsigned)tests[what].last; test++)
            add_test(results, series[i], (enum fairness_test)test);
    }
    free(series);
    correct(results);
}

void fairness_results_release(struct fairness_results *results)
{
    free(results->list);
    *results = (struct fairness_results){0};
}
