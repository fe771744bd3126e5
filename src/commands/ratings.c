#include "commands/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/file.h"
#include "base/json.h"
#include "base/nearest.h"
#include "batch/results.h"
#include "compete/competition.h"
#include "compete/ratings.h"
#include "league/league.h"

static const char details[] =
    "Lists the players of each ruleset, or of RULESET, by rating: place, name, rating, rated games, the day "
    "of the last one. \"*\" marks a provisional rating: few games so far. The rating is mu less three sigma, "
    "and not less than 0.\n"
    "Ratings follow from the league's results alone (competitions/results/journal.jsonl). The list names the "
    "record it was computed from, and `turnpost audit results` proves that journal. A league keeps ratings "
    "if [league] ratings in league.ini says so.\n";

static void print_list(const json_t *list)
{
    size_t i;
    json_t *row;
    (void)printf("%s, %lld rated game%s\n", json_string_value(json_object_get(list, "title")),
                 (long long)json_integer_value(json_object_get(list, "games")),
                 PLURAL(json_integer_value(json_object_get(list, "games"))));
    json_array_foreach (json_object_get(list, "players"), i, row)
        (void)printf("%5lld. %-20s %8s%s  %lld game%s, last %.10s\n",
                     (long long)json_integer_value(json_object_get(row, "place")),
                     json_string_value(json_object_get(row, "name")),
                     json_string_value(json_object_get(row, "shown_text")),
                     json_is_true(json_object_get(row, "provisional")) ? "*" : " ",
                     (long long)json_integer_value(json_object_get(row, "games")),
                     PLURAL(json_integer_value(json_object_get(row, "games"))),
                     json_string_value(json_object_get(row, "last")));
}

static void print_all(const json_t *lists, const struct results *results, const char *at)
{
    char head[2 * HEAD_BYTES + 1];
    size_t i;
    json_t *list;
    hex_to(head, results->head, HEAD_BYTES);
    json_array_foreach ((json_t *)(uintptr_t)lists, i, list)
        print_list(list);
    if (!json_array_size(lists))
        (void)printf("No game has been rated yet.\n");
    else
        (void)printf("* = provisional, with fewer than %d games\n", results->terms.provisional);
    (void)printf("As of %s, from the %lld results up to head %s\n", at, (long long)results->seq - 1, head);
}

static void print_json(const json_t *lists, const struct results *results, const char *at)
{
    struct str text = STR_INIT;
    json_t *all = ratings_source(results);
    json_object_set_new(all, "at", json_string(at));
    json_object_set(all, "rulesets", (json_t *)(uintptr_t)lists);
    json_write_pretty(&text, all);
    (void)fputs(text.p, stdout);
    str_release(&text);
    json_decref(all);
}

/* By its name or title; NULL = there is none. */
static const char *find_ruleset(const char *word, struct err *err)
{
    struct nearest nearest = NEAREST_INIT(word);
    for (int i = 0; rulesets[i]; i++) {
        if (slice_caseeq(slice_of(word), rulesets[i]->name) ||
            slice_caseeq(slice_of(word), rulesets[i]->title))
            return rulesets[i]->name;
        nearest_offer(&nearest, rulesets[i]->name);
    }
    err_set(err, ERR_INPUT, "there is no ruleset \"%.40s\": did you mean %s?", word, nearest.best);
    return NULL;
}

static int list(const struct league *league, const char *ruleset, int64_t at, bool json, struct err *err)
{
    struct results results;
    char when[CLOCK_TEXT];
    char *dir = league_path(league, COMPETE_FOLDER);
    const struct results_reading how = {.until = at};
    int64_t now = at ? at : flag_now(0);
    results_init(&results);
    int rc = 0;
    struct store *store = store_open(dir);
    if (!store_has(store, RESULTS_NAME))
        rc = err_set(
            err, ERR_MISSING,
            "this league keeps no ratings: set [league] ratings in league.ini, and they begin with the next "
            "run");
    if (rc == 0)
        rc = results_load(store, &how, &results, err);
    if (rc == 0) {
        json_t *lists = ratings_lists(&results, ruleset, now);
        clock_utc(when, now);
        if (json)
            print_json(lists, &results, when);
        else
            print_all(lists, &results, when);
        json_decref(lists);
    }
    results_release(&results);
    store_close(store);
    free(dir);
    return rc;
}

int command_ratings(int argc, char **argv)
{
    const char *dir = NULL, *ruleset = NULL;
    bool json = false;
    int64_t at = 0;
    struct league league;
    struct err err = ERR_INIT;
    const struct flag flags[] = {
        {"at", FLAG_TIME, &at, "TIME", "the lists as they were then: 2026-11-20T08:00:00Z"},
        {"json", FLAG_SWITCH, &json, NULL, "print JSON; figures in millionths"},
        {"league", FLAG_TEXT, &dir, "DIR", FLAG_LEAGUE_HELP},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = flags_parse(&argc, argv, flags, 0, 1, details);
    if (code >= 0)
        return code;
    if (argc > 1 && !(ruleset = find_ruleset(argv[1], &err)))
        return command_fail(&err);
    if (league_open(flag_league(dir), false, &league, &err))
        return command_fail(&err);
    int rc = list(&league, ruleset, at, json, &err);
    league_close(&league);
    return rc ? command_fail(&err) : 0;
}
