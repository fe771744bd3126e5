/* That each game that has ended has its one result, whatever crashed; and what the ratings make of them. */
#include "audit/audit_results.h"
#include "batch/competing.h"
#include "batch/making.h"
#include "batch/results.h"
#include "compete/ratings.h"
#include "house/house.h"

#define DAY INT64_C(86400)

static struct house house;

static void begin(void)
{
    house_open(&house);
    house_option(&house, "[league]", "ratings = signed");
    house_restart(&house);
    house_player(&house, "anna");
    house_player(&house, "bob");
    house_player(&house, "carol");
}

static void end(void)
{
    house_close(&house);
}

static void work(void)
{
    struct err err = ERR_INIT;
    house.batch.now = house.now;
    ck_ok(results_work(&house.batch, &err), err);
}

static void game(const char *id, int seats, const char *const *names)
{
    house_game(&house, id, "galaxy-command", DAY, seats, names);
}

static void play_to_the_end(const char *id)
{
    for (int i = 0; i < 400 && !house_find(&house, id)->over; i++)
        house_clock(&house, house.now + DAY + 1);
    ck_assert_msg(house_find(&house, id)->over, "%s does not end", id);
}

static void resigns(const char *name, const char *id)
{
    char text[120];
    (void)snprintf(text, sizeof text, "#turnpost resign\ngame: %s\n#end\n", id);
    (void)house_signed(&house, name, name, text);
    house_clock(&house, house.now);
}

static struct results_game last_game;
static int64_t seen;

static int note(void *arg, int64_t seq, const struct results_game *one, const struct ladder *ladder,
                struct err *err)
{
    (void)arg;
    (void)ladder;
    (void)err;
    ck_assert_int_eq(seq, seen + 2);
    seen++;
    last_game = *one;
    return 0;
}

/* The results as they are in the file; how many there are. */
static int64_t read_results(struct results *results)
{
    struct err err = ERR_INIT;
    const struct results_reading how = {.each = note};
    seen = 0;
    ck_ok(results_load(house.batch.competitions.store, &how, results, &err), err);
    return seen;
}

static int64_t count_results(void)
{
    struct results results;
    int64_t count = read_results(&results);
    results_release(&results);
    return count;
}

static bool file_of(void *arg, const char *name, struct str *journal)
{
    struct err err = ERR_INIT;
    (void)arg;
    return store_has(house.batch.store, name) &&
           store_read(house.batch.store, name, STORE_BEGIN, journal, &err) == 0;
}

static enum audit_rated never(void *arg, const char *name)
{
    (void)arg;
    (void)name;
    return AUDIT_RATED_UNKNOWN;
}

static enum audit_verdict audit_them(struct audit_results_result *result)
{
    struct err err = ERR_INIT;
    struct str journal = STR_INIT;
    ck_ok(store_read(house.batch.competitions.store, RESULTS_NAME, STORE_BEGIN, &journal, &err), err);
    audit_results_run(
        &(struct audit_results){slice_str(&journal), house.league.key.point, file_of, never, NULL}, result);
    results_release(&result->results);
    str_release(&journal);
    return result->verdict;
}

static const char *const two[] = {"anna", "bob"};

START_TEST(who_resigned_is_last_and_the_winner_gains)
{
    struct results results;
    struct audit_results_result audit;
    game("gc-1", 2, two);
    work();
    ck_assert_int_eq(count_results(), 0);
    resigns("anna", "gc-1");
    play_to_the_end("gc-1");
    work();
    ck_assert_int_eq(read_results(&results), 1);
    ck_assert_str_eq(last_game.of, "gc-1");
    ck_assert_int_eq(last_game.unrated, RATED);
    ck_assert(last_game.seat[1].left && !last_game.seat[2].left);
    ck_assert_int_eq(last_game.seat[1].rank, 2);
    ck_assert_int_eq(last_game.seat[2].rank, 1);
    const struct results_ladder *list = results_ladder(&results, "galaxy-command");
    ck_assert_int_eq(rating_published(ladder_find(&list->ladder, "bob")->rating).mu, 27635231);
    ck_assert_int_eq(rating_published(ladder_find(&list->ladder, "anna")->rating).mu, 22364769);
    results_release(&results);
    ck_assert_int_eq(audit_them(&audit), AUDIT_PROVED);
    ck_assert_int_eq(audit.counts.games, 1);
    ck_assert_int_eq(audit.counts.rated, 1);
}
END_TEST

START_TEST(what_is_not_rated_says_why)
{
    static const char *const robots[] = {"anna", "robot-hal"};
    static const char *const alone[] = {"anna"};
    game("gc-void", 2, two);
    house_rules(&house, "gc-void", "do: void\nreason: It was a try.\n");
    work();
    ck_assert_int_eq(count_results(), 1);
    ck_assert_int_eq(last_game.unrated, UNRATED_VOID);
    ck_assert_int_eq(last_game.seat[1].rank, 0);
    game("gc-robot", 2, robots);
    resigns("anna", "gc-robot");
    play_to_the_end("gc-robot");
    work();
    ck_assert_int_eq(count_results(), 2);
    ck_assert_int_eq(last_game.unrated, UNRATED_PEOPLE);
    ck_assert(last_game.seat[2].robot);
    house_game(&house, "farm", "galaxy-farmer", DAY, 1, alone);
    resigns("anna", "farm");
    play_to_the_end("farm");
    work();
    ck_assert_int_eq(count_results(), 3);
    ck_assert_int_eq(last_game.unrated, UNRATED_SOLO);
}
END_TEST

/* The end is committed, and nothing after it. */
START_TEST(a_crash_after_an_end_loses_no_result)
{
    for (int restart = 0; restart < 3; restart++) {
        char id[8];
        (void)snprintf(id, sizeof id, "gc-%d", restart);
        game(id, 2, two);
        house_rules(&house, id, "do: void\nreason: It was a try.\n");
        house_restart(&house);
        work();
        ck_assert_int_eq(count_results(), restart + 1);
        ck_assert_str_eq(last_game.of, id);
        house_remove(&house, "competitions/results/state.json"); /* the power failed before it was written */
        house_restart(&house);
        work();
        work();
        ck_assert_int_eq(count_results(), restart + 1);
    }
}
END_TEST

START_TEST(a_torn_line_is_mended_and_written_again)
{
    struct err err = ERR_INIT;
    char *path = house_path(&house, "competitions/results/journal.jsonl");
    game("gc-1", 2, two);
    house_rules(&house, "gc-1", "do: void\nreason: It was a try.\n");
    work();
    ck_ok(file_truncate(path, file_size(path) - 40, &err), err);
    house_restart(&house);
    work();
    ck_assert_int_eq(count_results(), 1);
    free(path);
}
END_TEST

/* The run that writes a result ends before its entry is in the league's log, and has written nothing else: the next start looks. */
START_TEST(a_result_has_its_entry_whatever_fails)
{
    struct err err = ERR_INIT;
    struct str log = STR_INIT;
    char *path = house_path(&house, "log/entries");
    game("gc-1", 2, two);
    house_rules(&house, "gc-1", "do: void\nreason: It was a try.\n");
    house_restart(&house);
    const int64_t size = file_size(path);
    ck_ok(file_append(path, slice_of("h"), 0644, &err), err);
    ck_assert_int_eq(results_work(&house.batch, &err), -1);
    ck_assert_int_eq(count_results(), 1);
    house_restart(&house);
    work();
    ck_assert_int_eq(count_results(), 1);
    ck_ok(file_read(path, 1 << 20, &log, &err), err);
    ck_assert_ptr_nonnull(strstr(log.p + size, "head results 2 "));
    str_release(&log);
    free(path);
}
END_TEST

START_TEST(games_of_before_the_option_count)
{
    struct house *h = &house;
    house_remove(h, "competitions/results");
    game("gc-2", 2, two);
    game("gc-1", 2, two);
    house_rules(h, "gc-2", "do: void\nreason: It was a try.\n");
    h->now += DAY;
    house_rules(h, "gc-1", "do: void\nreason: It was a try.\n");
    house_remove(h, "competitions/results");
    house_restart(h);
    work();
    ck_assert_int_eq(count_results(), 2);
    ck_assert_str_eq(last_game.of, "gc-1");
}
END_TEST

START_TEST(a_broken_journal_stops_nothing_else)
{
    struct err err = ERR_INIT;
    char *path = house_path(&house, "competitions/results/journal.jsonl");
    work();
    ck_ok(file_write_soft(path, slice_of("{\"v\":1}\n"), 0600, &err), err);
    house_restart(&house);
    game("gc-1", 2, two);
    house_rules(&house, "gc-1", "do: void\nreason: It was a try.\n");
    work();
    ck_assert(house.batch.results.stopped);
    work();
    ck_ok(competing_all(&house.batch, &err), err);
    free(path);
}
END_TEST

START_TEST(a_game_that_was_taken_away_or_hidden_is_named)
{
    struct audit_results_result audit;
    struct err err = ERR_INIT;
    struct str journal = STR_INIT;
    game("gc-1", 2, two);
    house_rules(&house, "gc-1", "do: void\nreason: It was a try.\n");
    work();
    ck_ok(store_read(house.batch.competitions.store, RESULTS_NAME, STORE_BEGIN, &journal, &err), err);
    audit_results_run(&(struct audit_results){slice_str(&journal), NULL, file_of, never, NULL}, &audit);
    const unsigned char other[HEAD_BYTES] = {1};
    audit_results_over(&audit, "gc-0", other, audit.latest - DAY);
    ck_assert_int_eq(audit.verdict, AUDIT_PARTLY);
    audit_results_over(&audit, "gc-0", other, audit.latest - DAY - 1);
    ck_assert_int_eq(audit.verdict, AUDIT_REFUTED);
    results_release(&audit.results);
    house_copy(&house, "games/gc-1", "gc-1.away");
    house_remove(&house, "games/gc-1");
    ck_assert_int_eq(audit_them(&audit), AUDIT_PARTLY);
    ck_assert_int_eq(audit.counts.missing, 1);
    house_copy(&house, "gc-1.away", "games/gc-1");
    str_release(&journal);
}
END_TEST

START_TEST(without_the_option_there_is_no_journal)
{
    struct results results;
    struct err err = ERR_INIT;
    house.league.config.league.ratings = RATINGS_NO;
    work();
    ck_assert_int_eq(
        results_load(house.batch.competitions.store, &(struct results_reading){.until = 0}, &results, &err),
        -1);
    ck_assert_int_eq(err.code, ERR_MISSING);
    results_release(&results);
}
END_TEST

/* What league.ini says when the list begins stays with it; what cannot be read begins none, and stops nothing else. */
START_TEST(robots_are_anchors)
{
    struct results results;
    struct err err = ERR_INIT;
    house_option(&house, "[league]", _i ? "anchors = robot1 25" : "anchors = robot1 25 1, easy 18.5 2");
    house_restart(&house);
    game("gc-1", 2, two);
    resigns("bob", "gc-1");
    play_to_the_end("gc-1");
    work();
    int rc =
        results_load(house.batch.competitions.store, &(struct results_reading){.until = 0}, &results, &err);
    ck_assert_int_eq(rc, _i ? -1 : 0);
    ck_assert_uint_eq(results.terms.anchor_count, _i ? 0 : 2);
    if (!_i)
        ck_assert_str_eq(results.terms.anchors[0].robot, "easy");
    results_release(&results);
}
END_TEST

START_TEST(the_name_is_reserved)
{
    struct err err = ERR_INIT;
    ck_assert(!compete_name_valid(slice_of("results")));
    ck_assert_int_eq(making_name(&house.batch, "results", &err), -1);
    ck_assert(!competing_has(&house.batch, "results"));
}
END_TEST

START_TEST(a_history)
{
    struct results results;
    struct history history;
    struct err err = ERR_INIT;
    game("gc-1", 2, two);
    resigns("anna", "gc-1");
    play_to_the_end("gc-1");
    game("gc-2", 2, two);
    house_rules(&house, "gc-2", "do: void\nreason: It was a try.\n");
    work();
    history_begin(&history, "bob");
    ck_ok(results_load(house.batch.competitions.store,
                       &(struct results_reading){.each = history_take, .arg = &history}, &results, &err),
          err);
    json_t *facts = history_json(&history, &results, house.now, 10);
    json_t *games = json_object_get(facts, "games");
    ck_assert_uint_eq(json_array_size(games), 2);
    ck_assert_str_eq(json_string_value(json_object_get(json_array_get(games, 0), "why")), "void");
    ck_assert_str_eq(json_string_value(json_object_get(facts, "form")), "1 of 2");
    json_t *against = json_array_get(json_object_get(facts, "against"), 0);
    ck_assert_int_eq(json_integer_value(json_object_get(against, "ahead")), 1);
    json_t *rating = json_array_get(json_object_get(facts, "ratings"), 0);
    ck_assert_str_eq(json_string_value(json_object_get(rating, "shown_text")), "3.44");
    ck_assert_uint_eq(json_array_size(json_object_get(rating, "curve")), 1);
    json_decref(facts);
    history_release(&history);
    results_release(&results);
}
END_TEST

/* HOUSE_KEEP=DIR keeps the league: tests/verifier/results was recorded so. */
START_TEST(a_season)
{
    static const char *const three[] = {"anna", "bob", "carol"};
    static const char *const with[] = {"bob", "carol", "robot-hal"};
    struct results results;
    struct audit_results_result audit;
    game("gc-1", 3, three);
    game("gc-2", 2, two);
    game("gc-3", 3, with);
    resigns("anna", "gc-2");
    resigns("bob", "gc-1");
    resigns("carol", "gc-1");
    resigns("carol", "gc-3");
    play_to_the_end("gc-1");
    play_to_the_end("gc-2");
    play_to_the_end("gc-3");
    work();
    house_clock(&house, house.now + 3 * DAY);
    game("gc-4", 2, two);
    house_rules(&house, "gc-4", "do: void\nreason: It was a try.\n");
    game("gc-5", 1, two);
    resigns("anna", "gc-5");
    play_to_the_end("gc-5");
    work();
    ck_assert_int_eq(read_results(&results), 5);
    const struct results_ladder *list = results_ladder(&results, "galaxy-command");
    ck_assert_uint_eq(list->ladder.count, 3);
    ck_assert_int_eq(ladder_find(&list->ladder, "bob")->games, 3);
    results_release(&results);
    ck_assert_int_eq(audit_them(&audit), AUDIT_PROVED);
    ck_assert_int_eq(audit.counts.rated, 3);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, who_resigned_is_last_and_the_winner_gains);
    tcase_add_test(tc, what_is_not_rated_says_why);
    tcase_add_test(tc, a_crash_after_an_end_loses_no_result);
    tcase_add_test(tc, a_torn_line_is_mended_and_written_again);
    tcase_add_test(tc, a_result_has_its_entry_whatever_fails);
    tcase_add_test(tc, games_of_before_the_option_count);
    tcase_add_test(tc, a_broken_journal_stops_nothing_else);
    tcase_add_test(tc, a_game_that_was_taken_away_or_hidden_is_named);
    tcase_add_test(tc, without_the_option_there_is_no_journal);
    tcase_add_loop_test(tc, robots_are_anchors, 0, 2);
    tcase_add_test(tc, the_name_is_reserved);
    tcase_add_test(tc, a_history);
    tcase_add_test(tc, a_season);
}

TEST_MAIN("batch/results", cases)
