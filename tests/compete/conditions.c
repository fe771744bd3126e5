/* What a competition asks of who enters: how it is written and read, who meets it, and what a reader refuses of what was
 * found; and what the league's results say of a player, record after record. */
#include "compete/season.h"

#include "compete/experience.h"
#include "sits.h"

static struct season f;

static void done(void)
{
    season_close(&f);
}

/* ---- in `create` ---- */

static const struct {
    const char *json, *why; /* NULL = it is read, and written again as it was */
} asked[] = {
    {"{\"rating\":17500000}", NULL},
    {"{\"rating\":-1000000000000}", NULL},
    {"{\"games\":3,\"invited\":[\"anna\",\"bob\"],\"key\":true,\"prompt\":100,\"running\":2}", NULL},
    {"{}", "cannot be read"},
    {"{\"rating\":1000000000001}", "rating"},
    {"{\"rating\":\"17.5\"}", "rating"},
    {"{\"games\":0}", "games"},
    {"{\"games\":10001}", "games"},
    {"{\"prompt\":101}", "prompt"},
    {"{\"running\":1001}", "running"},
    {"{\"key\":false}", "cannot be read"},
    {"{\"invited\":[]}", "cannot be read"},
    {"{\"invited\":[\"bob\",\"anna\"]}", "cannot be read"},
    {"{\"invited\":[\"anna\",\"anna\"]}", "cannot be read"},
    {"{\"invited\":[\"An na\"]}", "cannot be read"},
    {"{\"height\":180}", "height"},
};

START_TEST(create)
{
    const struct record record = {.seq = 1, .type = "create"};
    struct conditions conditions = {.rated = false};
    struct err err = ERR_INIT;
    json_t *json = json_loads(asked[_i].json, 0, NULL);
    int rc = conditions_read(&conditions, json, &record, &err);
    if (asked[_i].why) {
        ck_assert_int_eq(rc, -1);
        ck_assert_msg(strstr(err.text, asked[_i].why) != NULL, "%s: %s", asked[_i].json, err.text);
        ck_assert(err.code == (strstr(asked[_i].json, "height") ? ERR_NEWER : ERR_BROKEN));
    } else {
        ck_ok(rc, err);
        json_t *again = conditions_json(&conditions);
        ck_assert(json_equal(json, again));
        json_decref(again);
    }
    json_decref(json);
    conditions_release(&conditions);
}
END_TEST

START_TEST(nothing_is_asked)
{
    const struct conditions none = {.rated = false};
    struct entry_found found;
    ck_assert_ptr_null(conditions_json(&none));
    ck_assert_ptr_null(found_json(&(struct entry_found){.games = 5}, &none));
    ck_assert(found_read(&found, NULL, &none));
    ck_assert_int_eq(conditions_met(&none, "anna", false, &found), CONDITION_MET);
}
END_TEST

START_TEST(invited_in_order)
{
    struct conditions conditions = {.rated = false};
    static const char *const names[] = {"carl", "anna", "bob", "anna"};
    for (size_t i = 0; i < 4; i++)
        conditions_invite(&conditions, names[i]);
    ck_assert_uint_eq(conditions.invited_count, 3);
    ck_assert_str_eq(conditions.invited[0], "anna");
    ck_assert_str_eq(conditions.invited[1], "bob");
    ck_assert_str_eq(conditions.invited[2], "carl");
    conditions_release(&conditions);
}
END_TEST

/* ---- who meets them ---- */

#define RATED .rated = true, .rating = 20000000
static const struct {
    struct conditions asked;
    struct entry_found found;
    bool domain;
    enum condition met;
} meetings[] = {
    {{RATED}, {RATED}, false, CONDITION_MET},
    {{RATED}, {.rated = true, .rating = 19999999}, false, CONDITION_LOW},
    {{.rated = true, .rating = -5}, {.rated = false}, false, CONDITION_UNRATED},
    {{.games = 3}, {.games = 3}, false, CONDITION_MET},
    {{.games = 3}, {.games = 2}, false, CONDITION_FEW},
    {{.prompt = 90}, {.turns = 10, .missed = 1}, false, CONDITION_MET},
    {{.prompt = 90}, {.turns = 19, .missed = 2}, false, CONDITION_LATE},
    {{.prompt = 100}, {.turns = 0}, false, CONDITION_MET},
    {{.running = 2}, {.running = 2}, false, CONDITION_MET},
    {{.running = 2}, {.running = 3}, false, CONDITION_BUSY},
    {{.key = true}, {.running = 9}, false, CONDITION_MET},
    {{.key = true}, {.running = 9}, true, CONDITION_KEY},
};

START_TEST(meeting)
{
    ck_assert_int_eq(conditions_met(&meetings[_i].asked, "anna", !meetings[_i].domain, &meetings[_i].found),
                     meetings[_i].met);
}
END_TEST

START_TEST(invited)
{
    struct conditions conditions = {.rated = false};
    const struct entry_found found = {.games = 0};
    conditions_invite(&conditions, "bob");
    conditions_invite(&conditions, "dora");
    ck_assert_int_eq(conditions_met(&conditions, "dora", true, &found), CONDITION_MET);
    ck_assert_int_eq(conditions_met(&conditions, "carl", true, &found), CONDITION_INVITED);
    conditions_release(&conditions);
}
END_TEST

/* ---- in `enter` ---- */

static void open_with(struct conditions *conditions)
{
    struct new_competition how = season_plan(COMPETE_TABLES, 2);
    season_open(&f, 1);
    how.by_mail = true;
    how.conditions = conditions;
    season_new(&f, how, 1);
}

/* An entry of which that was found; -1: refused, as a reader does. */
static int enter_with(const char *player, const char *found, struct err *err)
{
    struct compete_step step;
    const struct slice text = slice_of("#turnpost enter\n#end\n");
    json_t *signature = sits_signature(&f.key, text), *evidence = sits_evidence(player, text, signature);
    json_decref(signature);
    if (found)
        json_object_set_new(evidence, "found", json_loads(found, 0, NULL));
    season_step(&f, &step);
    int rc = compete_entry(&step, &f.c, "enter", player, evidence, err);
    json_decref(evidence);
    compete_step_release(&step);
    return rc;
}

#define HEAD "\"head\":\"0707070707070707070707070707070707070707070707070707070707070707\""
static const struct {
    const char *found, *why;
} entries[] = {
    {"{\"games\":3,\"missed\":0,\"turns\":4,\"running\":1,\"results\":{\"seq\":9," HEAD "}}", NULL},
    {"{\"games\":2,\"missed\":0,\"turns\":4,\"running\":1,\"results\":{\"seq\":9," HEAD "}}",
     "does not meet"},
    {"{\"games\":3,\"missed\":2,\"turns\":4,\"running\":1,\"results\":{\"seq\":9," HEAD "}}",
     "does not meet"},
    {"{\"games\":3,\"missed\":0,\"turns\":4,\"running\":2,\"results\":{\"seq\":9," HEAD "}}",
     "does not meet"},
    {"{\"games\":3,\"missed\":5,\"turns\":4,\"running\":1,\"results\":{\"seq\":9," HEAD "}}",
     "what was found"},
    {"{\"games\":3,\"missed\":0,\"turns\":-4,\"running\":1,\"results\":{\"seq\":9," HEAD "}}",
     "what was found"},
    {"{\"games\":3,\"missed\":0,\"turns\":4,\"running\":1,\"results\":{\"seq\":8," HEAD "}}",
     "older results"},
    {"{\"games\":3,\"missed\":0,\"turns\":4,\"running\":1,\"results\":{\"seq\":9}}", "what was found"},
    {"{\"games\":3,\"missed\":0,\"turns\":4,\"running\":1,\"results\":{\"seq\":9," HEAD ",\"x\":1}}",
     "what was found"},
    {"{\"games\":3,\"missed\":0,\"turns\":4,\"running\":1}", "what was found"},
    {"{\"games\":3,\"missed\":0,\"turns\":4,\"results\":{\"seq\":9," HEAD "}}", "what was found"},
    {"{\"games\":3,\"missed\":0,\"turns\":4,\"running\":1,\"rating\":5,\"results\":{\"seq\":9," HEAD "}}",
     "what was found"},
    {"{\"games\":3,\"missed\":0,\"turns\":4,\"running\":1,\"size\":5,\"results\":{\"seq\":9," HEAD "}}",
     "what was found"},
    {NULL, "what was found"},
};

START_TEST(enter)
{
    struct conditions conditions = {.games = 3, .prompt = 90, .running = 1};
    struct err err = ERR_INIT;
    open_with(&conditions);
    f.c.conditions.results = 9;
    int rc = enter_with("anna", entries[_i].found, &err);
    if (!entries[_i].why)
        ck_ok(rc, err);
    else
        ck_assert_msg(rc == -1 && strstr(err.text, entries[_i].why), "%s: %s",
                      entries[_i].found ? entries[_i].found : "-", err.text);
}
END_TEST

START_TEST(nothing_is_found_where_nothing_is_asked)
{
    struct conditions conditions = {.key = true};
    struct err err = ERR_INIT;
    open_with(&conditions);
    ck_assert_int_eq(enter_with("anna", "{\"games\":3}", &err), -1);
    ck_assert_ptr_nonnull(strstr(err.text, "what was found"));
    err_clear(&err);
    ck_ok(enter_with("anna", NULL, &err), err);
    ck_assert_int_eq(season_try(&f, "enter", "bob", &err), -1); /* by a mail domain's word */
    ck_assert_ptr_nonnull(strstr(err.text, "no key has signed it"));
}
END_TEST

START_TEST(only_invited_players_are_read)
{
    struct conditions conditions = {.rated = false};
    struct err err = ERR_INIT;
    conditions_invite(&conditions, "anna");
    open_with(&conditions);
    conditions_release(&conditions);
    ck_ok(enter_with("anna", NULL, &err), err);
    ck_assert_int_eq(enter_with("bob", NULL, &err), -1);
}
END_TEST

/* ---- what the results say ---- */

static struct str results;

static void add_result(const char *ruleset, const char *first, const char *second, bool second_left)
{
    static struct record before;
    static unsigned char head[HEAD_BYTES];
    struct record record;
    struct err err = ERR_INIT;
    json_t *fields;
    if (!results.len) {
        memset(&before, 0, sizeof before);
        memset(head, 0, sizeof head);
        const struct results_terms terms = {.provisional = 5};
        struct results_terms mine = terms;
        memcpy(mine.league_key, f.key.point, sizeof mine.league_key);
        fields = results_create_json(&mine);
    } else {
        struct results_game game = {.end = 9, .ended = f.now, .version = 2, .seats = 2};
        (void)snprintf(game.of, sizeof game.of, "g%lld", (long long)before.seq);
        (void)snprintf(game.ruleset, sizeof game.ruleset, "%s", ruleset);
        game.create[0] = (unsigned char)(1 + before.seq);
        (void)snprintf(game.seat[1].name, PLAYER_NAME, "%s", first);
        (void)snprintf(game.seat[2].name, PLAYER_NAME, "%s", second);
        game.seat[1].rank = 1;
        game.seat[2].rank = 2;
        game.seat[2].left = second_left;
        fields = results_game_json(&game);
    }
    const struct record_text text = {
        {RESULTS_NAME, before.seq + 1, head}, before.seq ? "result" : "create", f.now, fields};
    ck_ok(record_make(&results, &text, &record, &err), err);
    before.seq = record.seq;
    memcpy(head, record.head, HEAD_BYTES);
    record_release(&record);
    f.now += DAY_SECONDS;
}

START_TEST(experience_record_after_record)
{
    struct experience experience;
    struct entry_found found = {.turns = 3};
    struct err err = ERR_INIT;
    season_open(&f, 1);
    int64_t begun = f.now;
    str_init(&results);
    add_result("", "", "", false);
    add_result("galaxy-command", "anna", "bob", false);
    add_result("galaxy-farmer", "anna", "bob", false);
    add_result("galaxy-command", "anna", "bob", true);
    experience_begin(&experience, "galaxy-command", slice_str(&results));
    ck_ok(experience_until(&experience, 2, &err), err);
    experience_of(&experience, "bob", f.now, &found);
    ck_assert(found.rated && found.games == 1 && found.seq == 2 && found.turns == 3);
    int64_t before = found.rating;
    ck_assert_int_eq(experience_next(&experience), begun + 2 * DAY_SECONDS);
    ck_ok(experience_until(&experience, 4, &err), err);
    experience_of(&experience, "bob", f.now, &found);
    ck_assert(found.games == 1 && found.rating < before); /* who left has not played to the end */
    ck_assert_int_eq(experience_next(&experience), 0);
    experience_of(&experience, "anna", f.now, &found);
    ck_assert_int_eq(found.games, 2);
    int64_t fresh = found.rating;
    experience_of(&experience, "anna", f.now + 2000 * DAY_SECONDS, &found);
    ck_assert_int_lt(found.rating, fresh); /* nobody's skill is known for ever */
    experience_of(&experience, "carl", f.now, &found);
    ck_assert(!found.rated && found.games == 0);
    ck_assert_int_eq(experience_until(&experience, 3, &err), -1); /* it only reads on */
    err_clear(&err);
    ck_assert_int_eq(experience_until(&experience, 5, &err), -1);
    experience_release(&experience);
    str_release(&results);
}
END_TEST

/* Robots' ratings as league.ini has them. */
START_TEST(anchors)
{
    static const struct {
        const char *text, *why;
        size_t count;
    } cases[] = {
        {"", NULL, 0},
        {"robot2 20 1,  robot1 25.5 8.333333", NULL, 2},
        {"robot1 -3 0.5,", NULL, 1},
        {"robot1 25", "is no robot", 0},
        {"robot1 25 1 1", "is no robot", 0},
        {"robot1 25 0", "is no robot", 0},
        {"robot1 25.1234567 1", "is no robot", 0},
        {"robot1 x 1", "is no robot", 0},
        {"robot1 1 1, robot1 2 1", "is there twice", 1},
    };
    struct results_terms terms = {.anchor_count = 0};
    struct err err = ERR_INIT;
    int rc = results_anchors(&terms, cases[_i].text, &err);
    ck_assert_msg(rc == (cases[_i].why ? -1 : 0), "%s: %s", cases[_i].text, err.text);
    ck_assert(!cases[_i].why || strstr(err.text, cases[_i].why));
    ck_assert_uint_eq(terms.anchor_count, cases[_i].count);
    if (cases[_i].count == 2) {
        ck_assert_str_eq(terms.anchors[0].robot, "robot1");
        ck_assert_int_eq(terms.anchors[0].mu, 25500000);
        ck_assert_int_eq(terms.anchors[0].sigma, 8333333);
    }
    results_terms_release(&terms);
}
END_TEST

START_TEST(figures_as_lists_show_them)
{
    static const struct {
        int64_t micro;
        const char *text;
    } figures[] = {{17500000, "17.50"}, {-1234567, "-1.23"}, {9999, "0.01"}, {0, "0.00"}};
    for (size_t i = 0; i < 4; i++) {
        char text[RATING_TEXT];
        rating_text(text, figures[i].micro);
        ck_assert_str_eq(text, figures[i].text);
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, NULL, done);
    tcase_add_loop_test(tc, create, 0, sizeof asked / sizeof *asked);
    tcase_add_test(tc, nothing_is_asked);
    tcase_add_test(tc, invited_in_order);
    tcase_add_loop_test(tc, meeting, 0, sizeof meetings / sizeof *meetings);
    tcase_add_test(tc, invited);
    tcase_add_loop_test(tc, enter, 0, sizeof entries / sizeof *entries);
    tcase_add_test(tc, nothing_is_found_where_nothing_is_asked);
    tcase_add_test(tc, only_invited_players_are_read);
    tcase_add_test(tc, experience_record_after_record);
    tcase_add_loop_test(tc, anchors, 0, 9);
    tcase_add_test(tc, figures_as_lists_show_them);
}

TEST_MAIN("compete/conditions", cases)
