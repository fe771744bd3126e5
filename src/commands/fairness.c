#include "fairness/fairness.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "commands/audit.h"
#include "commands/commands.h"
#include "history/draws.h"

static const char details[] =
    "Do dice and shuffles look like chance? All draws of all games that are over and opened are tested. Name "
    "games of the "
    "league, journals, or folders of them, such as published games: these need no league. Without a name, "
    "all games of "
    "the league are taken. The games are played again from their records.\n"
    "\t\tfrequency\tas many numbers in the upper half of what they could be as in the lower\n"
    "\t\truns\tthe halves change as often as they should\n"
    "\t\tserial\teach order of three halves is as frequent\n"
    "\t\tsides\teach side of a die, each thing that could be picked, came as often\n"
    "\t\tpairs\teach two sides one after the other came as often\n"
    "\t\tplaces\teach card came to lie everywhere in its deck as often\n"
    "Each gives a figure from 0 to 1: how often fair draws look at least as odd. As many figures have a "
    "small one among "
    "them by chance, they are corrected for their number (Holm), so that a fair league stands out once in "
    "1,000. "
    "turnpost(1) says more.\n"
    "It finds a bent generator, not a chosen seed: that is for `turnpost audit` and for witnesses.\n"
    "Exit codes: 0 nothing stands out; 1 something does; 66 no opened game.\n";

static const char *what_words(enum fairness_what what)
{
    static const char *const words[] = {[FAIRNESS_ALL] = "numbers",
                                        [FAIRNESS_DICE] = "numbers of dice",
                                        [FAIRNESS_PICKS] = "numbers of picks",
                                        [FAIRNESS_SHUFFLES] = "numbers of shuffles",
                                        [FAIRNESS_HIDDEN] = "numbers of hidden shuffles",
                                        [FAIRNESS_DIE] = "die",
                                        [FAIRNESS_PICK] = "pick",
                                        [FAIRNESS_DECK] = "shuffle"};
    return words[what];
}

static const char *test_word(enum fairness_test test)
{
    static const char *const words[] = {
        [TEST_FREQUENCY] = "frequency", [TEST_RUNS] = "runs",   [TEST_SERIAL] = "serial",
        [TEST_SIDES] = "sides",         [TEST_PAIRS] = "pairs", [TEST_PLACES] = "places"};
    return words[test];
}

/* ---- in words ---- */

/* "die of 6", "shuffle of 18 (deal/near)" */
static void add_series(struct str *out, const struct fairness_series *series)
{
    str_adds(out, what_words(series->what));
    if (series->of)
        str_addf(out, " of %u", series->of);
    if (*series->deck)
        str_addf(out, " (%s)", series->deck);
}

static void add_figure(struct str *out, double p)
{
    if (p < 0.0001)
        str_adds(out, "below 0.0001");
    else
        str_addf(out, p < 0.01 ? "%.4f" : "%.2f", p);
}

/* What was most out of place. */
static void add_seen(struct str *out, const struct fairness_result *result)
{
    const struct fairness_series *series = result->series;
    const unsigned of = series->of, cell = (unsigned)result->cell, first = series->what == FAIRNESS_DIE;
    switch (result->test) {
    case TEST_FREQUENCY: str_adds(out, "numbers of the upper half came"); break;
    case TEST_RUNS: str_adds(out, "runs of one half came"); break;
    case TEST_SERIAL:
        str_addf(out, "halves in the order %s, %s, %s came", cell & 4 ? "upper" : "lower",
                 cell & 2 ? "upper" : "lower", cell & 1 ? "upper" : "lower");
        break;
    case TEST_SIDES: str_addf(out, "%u came", cell + first); break;
    case TEST_PAIRS: str_addf(out, "%u and then %u came", cell / of + first, cell % of + first); break;
    case TEST_PLACES: {
        const unsigned parts = (unsigned)result->parts, part = cell % parts;
        const unsigned from = (part * of + parts - 1) / parts + 1, to = ((part + 1) * of + parts - 1) / parts;
        str_addf(out, "card %u came to lie at place %u", cell / parts + 1, from);
        if (to > from)
            str_addf(out, " to %u", to);
    }
    }
    str_addf(out, " %.0f times, where %.1f are to be expected", result->seen, result->expected);
}

static void say_out(const struct fairness_result *result)
{
    struct str text = STR_INIT;
    const struct fairness_series *series = result->series;
    str_addf(&text, "%s, ", series->ruleset ? series->ruleset : "all games");
    add_series(&text, series);
    str_addf(&text, ", %s: ", test_word(result->test));
    add_seen(&text, result);
    str_adds(&text, ". By chance alone ");
    if (result->corrected > 1e-9)
        str_addf(&text, "one fair league in %.0f has anything so odd.", 1 / result->corrected);
    else
        str_adds(&text, "no fair league has anything so odd.");
    (void)printf("  %s\n", text.p);
    str_release(&text);
}

static void say_verdict(const struct fairness_results *results)
{
    if (!results->done) {
        (void)puts("There are too few draws for any test.");
        return;
    }
    if (!results->stands_out) {
        (void)puts("Nothing stands out: the draws look like fair dice and well shuffled cards.");
        return;
    }
    (void)puts("Something stands out that fair dice and well shuffled cards would hardly show:");
    for (size_t i = 0; i < results->count; i++)
        if (results->list[i].stands_out)
            say_out(&results->list[i]);
    (void)printf("That is no proof: by chance one fair league in %d stands out. Test the games alone that\n"
                 "are opened from now on: chance does not do it again.\n",
                 FAIRNESS_ONE_IN);
}

/* The tests of one series: "sides 0.22, pairs: 360 needed". */
static void add_tests(struct str *out, const struct fairness_result *list, size_t count)
{
    if (!list[0].done) { /* the first needs least */
        str_addf(out, "too few: %zu needed", list[0].needed);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        str_addf(out, "%s%s", i ? ", " : "", test_word(list[i].test));
        if (!list[i].done) {
            str_addf(out, ": %zu needed", list[i].needed);
            continue;
        }
        str_addc(out, ' ');
        add_figure(out, list[i].p);
        str_adds(out, list[i].stands_out ? " (!)" : "");
    }
}

static void say_tests(const struct fairness_results *results)
{
    const char *title = NULL;
    size_t next;
    for (size_t i = 0; i < results->count; i = next) {
        const struct fairness_series *series = results->list[i].series;
        const char *ruleset = series->ruleset ? series->ruleset : "all games";
        struct str name = STR_INIT, tests = STR_INIT;
        for (next = i; next < results->count && results->list[next].series == series;)
            next++;
        if (!title || strcmp(title, ruleset) != 0)
            (void)printf("\n%s\n", ruleset);
        title = ruleset;
        add_series(&name, series);
        add_tests(&tests, &results->list[i], next - i);
        (void)printf("  %-35s %6zu  %s\n", name.p, series->count, tests.p);
        str_release(&name);
        str_release(&tests);
    }
}

/* ---- the command ---- */

struct taken {
    struct fairness fairness;
    size_t games, closed; /* opened, and others */
};

static void say(const struct taken *taken, const struct fairness_results *results)
{
    say_verdict(results);
    (void)printf("\n%zu draws of %zu game%s, in %zu test%s", taken->fairness.draws, taken->games,
                 PLURAL(taken->games), results->done, PLURAL(results->done));
    if (results->count > results->done)
        (void)printf("; %zu more have too few draws", results->count - results->done);
    (void)puts(".");
    if (taken->closed)
        (void)printf("%zu game%s not opened yet, and not counted.\n", taken->closed,
                     taken->closed == 1 ? " is" : "s are");
    say_tests(results);
    (void)puts(
        "\nThis shows whether a generator is bent, not whether somebody chose what it began with: that is\n"
        "for `turnpost audit` and for witnesses.");
}

static json_t *result_json(const struct fairness_result *result)
{
    const struct fairness_series *series = result->series;
    json_t *json =
        json_pack("{s:s,s:s,s:I,s:I}", "draws", what_words(series->what), "test", test_word(result->test),
                  "count", (json_int_t)series->count, "needed", (json_int_t)result->needed);
    if (series->ruleset)
        json_object_set_new(json, "ruleset", json_string(series->ruleset));
    if (series->of)
        json_object_set_new(json, "of", json_integer(series->of));
    if (*series->deck)
        json_object_set_new(json, "deck", json_string(series->deck));
    if (result->done) {
        struct str seen = STR_INIT;
        add_seen(&seen, result);
        json_object_set_new(json, "p", json_real(result->p));
        json_object_set_new(json, "corrected", json_real(result->corrected));
        json_object_set_new(json, "stands_out", json_boolean(result->stands_out));
        json_object_set_new(json, "seen", json_string(seen.p));
        str_release(&seen);
    }
    return json;
}

static void say_json(const struct taken *taken, const struct fairness_results *results)
{
    struct str text = STR_INIT;
    json_t *tests = json_array();
    for (size_t i = 0; i < results->count; i++)
        json_array_append_new(tests, result_json(&results->list[i]));
    json_t *json =
        json_pack("{s:I,s:I,s:I,s:I,s:s,s:i,s:b,s:o}", "games", (json_int_t)taken->games, "not_opened",
                  (json_int_t)taken->closed, "draws", (json_int_t)taken->fairness.draws, "done",
                  (json_int_t)results->done, "correction", "Holm", "by_chance_one_in", FAIRNESS_ONE_IN,
                  "stands_out", results->stands_out, "tests", tests);
    json_write_pretty(&text, json);
    (void)fputs(text.p, stdout);
    str_release(&text);
    json_decref(json);
}

static int take(struct taken *taken, const struct audit_games *games, struct err *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < games->count; i++) {
        struct casefile file;
        if (games->list[i].games) /* a competition: its games are in the list */
            continue;
        if (casefile_open(games->list[i].journal, NULL, &file, err))
            return -1;
        if (file.opened) {
            rc = draws_gather(&file, &taken->fairness, err);
            taken->games++;
        } else {
            taken->closed++;
        }
        casefile_close(&file);
    }
    if (rc == 0 && !taken->games)
        rc =
            err_set(err, ERR_MISSING,
                    "no game here is opened: a game is when it is over and its league has published its key");
    return rc;
}

/* All that is named, or all games of the league. */
static int list(struct audit_games *games, int argc, char **argv, const char *league, struct err *err)
{
    int rc = argc > 1 ? 0 : audit_games_add(games, league, league, err);
    for (int i = 1; rc == 0 && i < argc; i++)
        rc = audit_games_add(games, argv[i], league, err);
    return rc;
}

int command_fairness(int argc, char **argv)
{
    const char *dir = NULL;
    bool json = false;
    struct audit_games games = {NULL, 0, 0};
    struct taken taken = {0};
    struct fairness_results results = {0};
    struct err err = ERR_INIT;
    const struct flag flags[] = {{"json", FLAG_SWITCH, &json, NULL, "print JSON"},
                                 {"league", FLAG_TEXT, &dir, "DIR", FLAG_LEAGUE_HELP},
                                 {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = flags_parse(&argc, argv, flags, 0, 1 << 16, details);
    if (code >= 0)
        return code;
    int rc = list(&games, argc, argv, flag_league(dir), &err);
    if (rc == 0)
        rc = take(&taken, &games, &err);
    if (rc == 0) {
        fairness_judge(&taken.fairness, &results);
        (json ? say_json : say)(&taken, &results);
    }
    code = rc ? command_fail(&err) : results.stands_out;
    fairness_results_release(&results);
    fairness_release(&taken.fairness);
    audit_games_release(&games);
    return code;
}
