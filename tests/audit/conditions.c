/* What was found of those who enter a competition (audit/audit_compete_conditions.c) is computed again from the league's results:
 * another figure, other results, or older ones than there were, though the league has signed all of it. */
#include "compete/season.h"
#include "sits.h"

#include "audit/audit_compete.h"
#include "compete/experience.h"

static struct season f;
static struct str results;
static struct conditions asked;
static int64_t last_seq;
static unsigned char last_head[HEAD_BYTES];

static void add_record(const char *type, json_t *fields)
{
    struct record record;
    struct err err = ERR_INIT;
    const struct record_text text = {{RESULTS_NAME, last_seq + 1, last_head}, type, f.now, fields};
    ck_ok(record_make(&results, &text, &record, &err), err);
    last_seq = record.seq;
    memcpy(last_head, record.head, HEAD_BYTES);
    record_release(&record);
}

static void add_game(const char *winner, const char *loser)
{
    struct results_game game = {
        .end = 9, .ended = f.now, .version = 2, .seats = 2, .ruleset = "galaxy-command"};
    (void)snprintf(game.of, sizeof game.of, "g%lld", (long long)last_seq);
    game.create[0] = (unsigned char)last_seq;
    (void)snprintf(game.seat[1].name, PLAYER_NAME, "%s", winner);
    (void)snprintf(game.seat[2].name, PLAYER_NAME, "%s", loser);
    game.seat[1].rank = 1;
    game.seat[2].rank = 2;
    add_record("result", results_game_json(&game));
}

static void begin(void)
{
    struct new_competition how = season_plan(COMPETE_TABLES, 2);
    struct results_terms terms = {.provisional = 5};
    season_open(&f, 5);
    str_init(&results);
    last_seq = 0;
    memset(last_head, 0, sizeof last_head);
    memcpy(terms.league_key, f.key.point, sizeof terms.league_key);
    add_record("create", results_create_json(&terms));
    add_game("anna", "bob");
    add_game("anna", "bob");
    f.now += DAY_SECONDS;
    asked = (struct conditions){.rated = true, .rating = 1, .games = 2};
    how.conditions = &asked;
    season_new(&f, how, 1);
}

static void end(void)
{
    str_release(&results);
    season_close(&f);
}

/* What the league finds of a player, by the results up to that record. */
static struct entry_found find(const char *player, int64_t seq)
{
    struct experience experience;
    struct entry_found found = {.rated = false};
    struct err err = ERR_INIT;
    experience_begin(&experience, "galaxy-command", slice_str(&results));
    ck_ok(experience_until(&experience, seq, &err), err);
    experience_of(&experience, player, f.now, &found);
    experience_release(&experience);
    return found;
}

static void enter(const char *player, const struct entry_found *found)
{
    struct compete_step step;
    struct err err = ERR_INIT;
    struct secret key;
    secret_new(&key);
    json_t *evidence = sits_entry(player, "spring", f.key.point, &key, f.now);
    json_object_set_new(evidence, "found", found_json(found, &asked));
    season_step(&f, &step);
    ck_ok(compete_entry(&step, &f.c, "enter", player, evidence, &err), err);
    json_decref(evidence);
    season_take(&f, &step);
}

static struct audit_competition_result result;

static void look(struct slice known)
{
    struct err err = ERR_INIT;
    struct lines lines;
    const struct audit_competition in = {.name = "spring", .results = known, .journal = &lines};
    lines_memory(&lines, slice_str(&f.journal));
    ck_ok(audit_competition_run(&in, &result, &err), err);
}

static void refuted(const char *words)
{
    look(slice_str(&results));
    ck_assert_int_eq(result.verdict, AUDIT_REFUTED);
    ck_assert_msg(strstr(result.first.text, words) != NULL, "%s", result.first.text);
    ck_assert_str_eq(result.first.type, "enter");
}

START_TEST(computed_again)
{
    struct entry_found found = find("anna", 3);
    enter("anna", &found);
    f.now += 3600;
    add_game("carl", "bob");
    add_game("carl", "anna");
    f.now += 3600;
    found = find("anna", 5);
    ck_assert_int_eq(found.games, 3);
    found = find("carl", 5);
    ck_assert_int_eq(found.games, 2);
    enter("carl", &found);
    look(slice_str(&results));
    ck_assert_msg(result.verdict == AUDIT_PROVED, "%s", result.first.text);
    ck_assert_int_eq(result.counts.figures, 0);
    look((struct slice){"", 0});
    ck_assert_int_eq(result.verdict, AUDIT_PROVED);
    ck_assert_int_eq(result.counts.figures, 2);
}
END_TEST

START_TEST(another_rating)
{
    struct entry_found found = find("anna", 3);
    found.rating++;
    enter("anna", &found);
    refuted("the rating of anna was another one");
}
END_TEST

START_TEST(another_number_of_games)
{
    struct entry_found found = find("anna", 3);
    found.games++;
    enter("anna", &found);
    refuted("anna had played 2 games");
}
END_TEST

START_TEST(other_results)
{
    struct entry_found found = find("anna", 3);
    found.head[0] ^= 1;
    enter("anna", &found);
    refuted("it names other results");
}
END_TEST

START_TEST(results_that_are_not_there)
{
    struct entry_found found = find("anna", 3);
    found.seq = 4;
    enter("anna", &found);
    refuted("do not hold");
}
END_TEST

/* The league lets somebody in by a rating that they had before they lost. */
START_TEST(older_results_than_there_were)
{
    struct entry_found found = find("anna", 3);
    add_game("bob", "anna");
    f.now += 3600;
    enter("anna", &found);
    refuted("there were later results");
}
END_TEST

START_TEST(results_of_another_league)
{
    struct entry_found found = find("anna", 3);
    enter("anna", &found);
    results.p[results.len - 5] = results.p[results.len - 5] == 'A' ? 'B' : 'A'; /* of the last signature */
    refuted("do not hold");
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, computed_again);
    tcase_add_test(tc, another_rating);
    tcase_add_test(tc, another_number_of_games);
    tcase_add_test(tc, other_results);
    tcase_add_test(tc, results_that_are_not_there);
    tcase_add_test(tc, older_results_than_there_were);
    tcase_add_test(tc, results_of_another_league);
}
TEST_MAIN("audit/conditions", cases)
