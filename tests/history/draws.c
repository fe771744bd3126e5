/* The draws of recorded games, as players get them from the files alone. */
#include "history/draws.h"

#include <string.h>

#include "base/file.h"
#include "suite.h"

#define RECORDED "games/"

static const char *const games[] = {"galaxy-command", "galactic-supremacy", "galactic-contract",
                                    "galaxy-farmer",  "keys-p256",          "words"};
#define GAMES ((int)(sizeof games / sizeof *games))

static int gather(const char *name, struct fairness *fairness, struct err *err)
{
    struct casefile file;
    char *path = path_join(RECORDED, name);
    int rc = casefile_open(path, NULL, &file, err);
    if (rc == 0) {
        ck_assert(file.opened);
        rc = draws_gather(&file, fairness, err);
        casefile_close(&file);
    }
    free(path);
    return rc;
}

static size_t count(const struct fairness *fairness, const char *ruleset, enum fairness_what what)
{
    size_t sum = 0;
    for (size_t i = 0; i < fairness->count; i++) {
        const struct fairness_series *series = fairness->list[i];
        if (series->what == what && series->ruleset && strcmp(series->ruleset, ruleset) == 0)
            sum += series->count;
    }
    return sum;
}

START_TEST(a_league_of_recorded_games_stands_not_out)
{
    struct fairness fairness = {0};
    struct fairness_results results;
    struct err err = ERR_INIT;
    for (int i = 0; i < GAMES; i++)
        ck_ok(gather(games[i], &fairness, &err), err);
    const size_t draws = fairness.draws;
    for (int i = 0; i < GAMES; i++) /* once more, and nothing new */
        ck_ok(gather(games[i], &fairness, &err), err);
    ck_assert_uint_eq(fairness.draws, draws);
    for (int i = 0; i < 4; i++) /* the hidden ones are opened */
        ck_assert_uint_gt(count(&fairness, games[i], FAIRNESS_HIDDEN), 20);
    ck_assert_uint_gt(count(&fairness, "galaxy-command", FAIRNESS_DIE), 5);
    ck_assert_uint_ge(count(&fairness, "galaxy-farmer", FAIRNESS_PICK), 1);
    fairness_judge(&fairness, &results);
    ck_assert_uint_gt(results.done, 10);
    ck_assert(!results.stands_out);
    fairness_results_release(&results);
    fairness_release(&fairness);
}
END_TEST

/* While its boxes are shut nothing is played, and nothing is guessed. */
START_TEST(what_is_missing_is_said)
{
    struct fairness fairness = {0};
    struct casefile file;
    struct str lines = STR_INIT;
    struct err err = ERR_INIT;
    ck_ok(file_read(RECORDED "galaxy-command/journal.jsonl", (size_t)1 << 24, &lines, &err), err);
    str_cut(&lines, slice_find(slice_str(&lines), "\"type\":\"end\""));
    str_cut(&lines, (size_t)(strrchr(lines.p, '\n') - lines.p) + 1);
    ck_ok(casefile_open_lines(slice_str(&lines), NULL, &file, &err), err);
    ck_assert_int_eq(draws_gather(&file, &fairness, &err), -1);
    ck_assert_int_eq(err.code, ERR_MISSING);
    ck_assert_ptr_nonnull(strstr(err.text, "key"));
    casefile_close(&file);
    str_release(&lines);
    fairness_release(&fairness);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, a_league_of_recorded_games_stands_not_out);
    tcase_add_test(tc, what_is_missing_is_said);
}

TEST_MAIN("history/draws", cases)
