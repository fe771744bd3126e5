/* Records of the league's results, and what a game's journal says for them: crafted journals, signed by a key of here. */
#include "compete/played.h"
#include "compete/results.h"
#include "suite.h"
#include "trust/secret.h"

#define NOON INT64_C(1795176000)

static struct secret key;
static struct str journal;
static unsigned char head[HEAD_BYTES];
static int64_t seq;

static void begin(void)
{
    secret_new(&key);
    str_init(&journal);
    memset(head, 0, sizeof head);
    seq = 0;
}

static void done(void)
{
    str_release(&journal);
}

static char *hex_of(const void *bytes, char out[65])
{
    (void)sodium_bin2hex(out, 65, bytes, 32);
    return out;
}

/* The next record of a journal; with `fields` as JSON. */
static void put_at(const char *name, const char *type, int64_t time, const char *fields)
{
    struct err err = ERR_INIT;
    struct record record;
    json_t *json = json_loads(fields, 0, NULL);
    ck_assert_msg(json != NULL, "%s", fields);
    const struct record_text text = {{name, ++seq, head}, type, time, json};
    ck_ok(record_make(&journal, &text, &record, &err), err);
    memcpy(head, record.head, HEAD_BYTES);
    record_release(&record);
}

static void put(const char *type, const char *fields)
{
    put_at(RESULTS_NAME, type, NOON + seq, fields);
}

static void put_create(const char *trust, const char *anchors)
{
    char text[400], point[65];
    (void)snprintf(text, sizeof text,
                   "{\"kind\":\"results\",\"league_key\":\"%s\",\"rating\":1,\"trust\":\"%s\",\"anchors\":%s,"
                   "\"provisional\":5}",
                   hex_of(key.point, point), trust, anchors);
    put("create", text);
}

static int games;

/* A result of a game of its own; `more` begins with a comma. */
static void put_result(const char *players, const char *more)
{
    char text[800], create[65];
    unsigned char digest[32] = {(unsigned char)++games};
    (void)snprintf(text, sizeof text,
                   "{\"of\":\"gc-%d\",\"create\":\"%s\",\"end\":9,\"ended\":\"2026-11-20T12:00:00Z\","
                   "\"head\":\"%s\",\"ruleset\":"
                   "\"galaxy-command\",\"version\":1,\"players\":%s%s}",
                   games, hex_of(digest, create), create, players, more);
    put("result", text);
}

static enum err_code read_it(struct results *results)
{
    struct err err = ERR_INIT;
    results_init(results);
    return results_read(results, slice_str(&journal), &(struct results_reading){.until = 0}, &err) ? err.code
                                                                                                   : ERR_NONE;
}

static enum err_code code(void)
{
    struct results results;
    enum err_code code = read_it(&results);
    results_release(&results);
    return code;
}

#define ANNA "{\"name\":\"anna\",\"rank\":1}"
#define BOB  "{\"name\":\"bob\",\"rank\":2}"

START_TEST(a_list_follows)
{
    struct results results;
    put_create("signed", "[]");
    put_result("[" ANNA "," BOB "]", "");
    ck_assert_int_eq(read_it(&results), ERR_NONE);
    const struct results_ladder *list = results_ladder(&results, "galaxy-command");
    ck_assert_int_eq(list->games, 1);
    ck_assert_int_eq(rating_published(ladder_find(&list->ladder, "anna")->rating).mu, 27635231);
    ck_assert(!results_ladder(&results, "galaxy-farmer"));
    results_release(&results);
}
END_TEST

/* A robot with an anchor moves the others; without one, or when it was replaced, it does not. */
START_TEST(robots_count_by_their_anchors)
{
    static const char *const robots[] = {"{\"robot\":\"hal\",\"rank\":3}", "{\"robot\":\"eve\",\"rank\":3}",
                                         "{\"robot\":\"hal\",\"rank\":3,\"left\":true}"};
    int64_t mu[3];
    for (int i = 0; i < 3; i++) {
        struct results results;
        char players[200];
        done();
        begin();
        put_create("signed", "[{\"robot\":\"hal\",\"mu\":40000000,\"sigma\":1000000}]");
        (void)snprintf(players, sizeof players, "[" ANNA "," BOB ",%s]", robots[i]);
        put_result(players, "");
        ck_assert_int_eq(read_it(&results), ERR_NONE);
        mu[i] = ladder_find(&results_ladder(&results, "galaxy-command")->ladder, "anna")->rating.mu;
        results_release(&results);
    }
    ck_assert_int_ne(mu[0], mu[1]);
    ck_assert_int_eq(mu[1], mu[2]);
}
END_TEST

START_TEST(what_is_unrated_moves_nothing)
{
    struct results results;
    put_create("signed", "[]");
    put_result("[" ANNA "," BOB "]", ",\"unrated\":\"trust\"");
    put_result("[" ANNA "," BOB "]", ",\"unrated\":\"competition\"");
    put_result("[{\"name\":\"anna\",\"rank\":0},{\"rank\":0}]", ",\"unrated\":\"unanswered\"");
    put_result("[{\"name\":\"anna\",\"rank\":0},{\"name\":\"bob\",\"rank\":0}]", ",\"unrated\":\"void\"");
    put_result("[" ANNA "]", ",\"unrated\":\"solo\"");
    put_result("[" ANNA ",{\"robot\":\"hal\",\"rank\":2}]", ",\"unrated\":\"people\"");
    ck_assert_int_eq(read_it(&results), ERR_NONE);
    ck_assert(!results_ladder(&results, "galaxy-command"));
    ck_assert_uint_eq(results.known_count, 6);
    results_release(&results);
}
END_TEST

START_TEST(what_a_result_may_not_be)
{
    static const struct {
        const char *players, *more;
    } bad[] = {
        {"[]", ""},
        {"[" ANNA "," ANNA "]", ""},
        {"[" ANNA ",{\"name\":\"bob\",\"rank\":3}]", ""},
        {"[" ANNA ",{\"name\":\"bob\",\"rank\":0}]", ""},
        {"[{\"name\":\"anna\",\"rank\":1,\"left\":true}," BOB "]", ""},
        {"[" ANNA ",{\"rank\":2}]", ""},
        {"[" ANNA ",{\"name\":\"bob\",\"robot\":\"hal\",\"rank\":2}]", ""},
        {"[" ANNA "," BOB "]", ",\"unrated\":\"solo\""},
        {"[" ANNA "," BOB "]", ",\"unrated\":\"people\""},
        {"[" ANNA "," BOB "]", ",\"unrated\":\"void\""},
        {"[" ANNA "]", ""},
        {"[" ANNA ",{\"robot\":\"hal\",\"rank\":2}]", ""},
        {"[" ANNA ",{\"robot\":\"hal\",\"rank\":2}]", ",\"unrated\":\"trust\""},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        done();
        begin();
        put_create("signed", "[]");
        put_result(bad[i].players, bad[i].more);
        ck_assert_msg(code() == ERR_BROKEN, "%s%s", bad[i].players, bad[i].more);
    }
}
END_TEST

START_TEST(nothing_is_there_twice)
{
    put_create("signed", "[]");
    put_result("[" ANNA "," BOB "]", "");
    games--;
    put_result("[" ANNA "," BOB "]", "");
    ck_assert_int_eq(code(), ERR_BROKEN);
}
END_TEST

START_TEST(where_mail_counts_nothing_is_left_out_for_it)
{
    put_create("mail", "[]");
    put_result("[" ANNA "," BOB "]", ",\"unrated\":\"trust\"");
    ck_assert_int_eq(code(), ERR_BROKEN);
}
END_TEST

START_TEST(what_is_unknown_is_newer)
{
    put_create("signed", "[]");
    put_result("[" ANNA "," BOB "]", ",\"unrated\":\"whim\"");
    ck_assert_int_eq(code(), ERR_NEWER);
    done();
    begin();
    put_create("signed", "[]");
    put_result("[" ANNA "," BOB "]", ",\"replaces\":2");
    ck_assert_int_eq(code(), ERR_NEWER);
    done();
    begin();
    put_create("wishes", "[]");
    ck_assert_int_eq(code(), ERR_NEWER);
    done();
    begin();
    put_create("signed", "[]");
    put("adjust", "{}");
    ck_assert_int_eq(code(), ERR_NEWER);
}
END_TEST

START_TEST(anchors_have_an_order_and_bounds)
{
    static const char *const bad[] = {
        "[{\"robot\":\"hal\",\"mu\":0,\"sigma\":0}]",
        "[{\"robot\":\"hal\",\"mu\":1000000000001,\"sigma\":1}]",
        "[{\"robot\":\"hal\",\"mu\":0,\"sigma\":1},{\"robot\":\"eve\",\"mu\":0,\"sigma\":1}]",
        "[{\"robot\":\"a b\",\"mu\":0,\"sigma\":1}]", "{}"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        done();
        begin();
        put_create("signed", bad[i]);
        ck_assert_msg(code() == ERR_BROKEN, "%s", bad[i]);
    }
}
END_TEST

START_TEST(a_list_of_an_earlier_day)
{
    struct results results;
    struct err err = ERR_INIT;
    put_create("signed", "[]");
    put_result("[" ANNA "," BOB "]", "");
    put_result("[" ANNA "," BOB "]", "");
    results_init(&results);
    ck_ok(results_read(&results, slice_str(&journal), &(struct results_reading){.until = NOON + 1}, &err),
          err);
    ck_assert_int_eq(results.seq, 2);
    results_release(&results);
}
END_TEST

/* ---- games ---- */

static void put_game(const char *type, const char *fields)
{
    put_at("gc-1", type, NOON + seq, fields);
}

static void put_first(int seats, const char *more)
{
    char text[300], point[65];
    (void)snprintf(text, sizeof text,
                   "{\"ruleset\":\"galaxy-command\",\"version\":1,\"seats\":%d,\"league_key\":\"%s\"%s}",
                   seats, hex_of(key.point, point), more);
    put_game("create", text);
}

static struct played read_game(void)
{
    struct err err = ERR_INIT;
    struct played played;
    const struct results_terms terms = {.by_mail = false};
    ck_ok(played_read(&played, "gc-1", slice_str(&journal), key.point, &err), err);
    played_rate(&played, &terms, false);
    return played;
}

#define SCORES                                                                                        \
    "{\"turns\":3,\"reason\":\"over\",\"scores\":[{\"seat\":1,\"place\":2,\"points\":3},{\"seat\":2," \
    "\"place\":1,\"points\":4},{\"seat\":3,\"place\":0,\"points\":0}]}"

static void put_seats(void)
{
    put_game("seat", "{\"seat\":1,\"player\":\"anna\"}");
    put_game("seat", "{\"seat\":2,\"player\":\"bob\"}");
    put_game("seat", "{\"seat\":3,\"player\":\"carol\"}");
}

static void put_end(void)
{
    put_game("end", SCORES);
}

#define SEAT(p, i, who, at, gone)                      \
    do {                                               \
        ck_assert_str_eq((p).game.seat[i].name, who);  \
        ck_assert_int_eq((p).game.seat[i].rank, at);   \
        ck_assert_int_eq((p).game.seat[i].left, gone); \
    } while (0)

START_TEST(a_substitute_has_no_result)
{
    put_first(3, "");
    put_seats();
    put_game("start", "{\"turn\":0}");
    put_game("seat", "{\"seat\":2,\"robot\":\"bob\",\"why\":\"resigned\"}");
    put_game("seat", "{\"seat\":2,\"player\":\"dora\",\"why\":\"standby\"}");
    put_end();
    struct played p = read_game();
    SEAT(p, 1, "anna", 1, false);
    SEAT(p, 2, "bob", 3, true);
    SEAT(p, 3, "carol", 2, false);
    ck_assert_int_eq(p.game.unrated, RATED);
    ck_assert_int_eq(p.game.end, 8);
}
END_TEST

START_TEST(who_comes_back_has_never_left)
{
    put_first(3, "");
    put_seats();
    put_game("start", "{\"turn\":0}");
    put_game("seat", "{\"seat\":2,\"player\":\"dora\",\"why\":\"standby\"}");
    put_game("moderate", "{\"do\":\"replace\",\"seat\":3,\"robot\":\"carol\"}");
    put_game("seat", "{\"seat\":2,\"player\":\"bob\",\"why\":\"back\"}");
    put_end();
    struct played p = read_game();
    SEAT(p, 1, "anna", 2, false);
    SEAT(p, 2, "bob", 1, false);
    SEAT(p, 3, "carol", 3, true);
}
END_TEST

START_TEST(drawn_seats_and_those_given_up)
{
    put_first(3, "");
    put_seats();
    put_game("seat", "{\"seat\":3,\"free\":true,\"left\":\"carol\"}");
    put_game("moderate", "{\"do\":\"ban\",\"player\":\"zoe\",\"leave\":true}");
    put_game("seat", "{\"seat\":3,\"player\":\"dora\",\"drawn\":true}");
    put_game("start",
             "{\"turn\":0,\"drawn\":[{\"seat\":1,\"player\":\"dora\"},{\"seat\":3,\"player\":\"anna\"}]}");
    put_game("moderate", "{\"do\":\"orders\",\"seat\":1}");
    put_end();
    struct played p = read_game();
    SEAT(p, 1, "dora", 2, false);
    SEAT(p, 2, "bob", 1, false);
    SEAT(p, 3, "anna", 3, false);
}
END_TEST

START_TEST(games_without_a_result)
{
    put_first(2, "");
    put_game("seat", "{\"seat\":1,\"player\":\"anna\"}");
    put_game("end", "{\"turns\":0,\"reason\":\"unanswered\",\"scores\":[]}");
    struct played p = read_game();
    ck_assert_int_eq(p.game.unrated, UNRATED_UNANSWERED);
    SEAT(p, 1, "anna", 0, false);
    SEAT(p, 2, "", 0, false);
    json_t *json = results_game_json(&p.game);
    ck_assert_uint_eq(json_object_size(json_array_get(json_object_get(json, "players"), 1)), 1);
    json_decref(json);
}
END_TEST

START_TEST(games_of_mail_domains_and_of_competitions)
{
    put_first(3, ",\"compete\":{\"name\":\"spring\"}");
    put_seats();
    put_game("start", "{\"turn\":0}");
    put_end();
    struct played p = read_game();
    ck_assert_str_eq(p.competition, "spring");
    ck_assert_int_eq(p.game.unrated, UNRATED_COMPETITION);
    played_rate(&p, &(struct results_terms){.by_mail = false}, true);
    ck_assert_int_eq(p.game.unrated, RATED);
    done();
    begin();
    put_first(3, "");
    put_seats();
    put_game("start", "{\"turn\":0}");
    put_game("note", "{\"kind\":\"observe\",\"vouched\":{}}");
    put_game("orders", "{\"seat\":1,\"vouched\":{}}");
    put_end();
    p = read_game();
    ck_assert_int_eq(p.game.unrated, UNRATED_TRUST);
    played_rate(&p, &(struct results_terms){.by_mail = true}, true);
    ck_assert_int_eq(p.game.unrated, RATED);
}
END_TEST

START_TEST(a_journal_that_does_not_hold)
{
    struct err err = ERR_INIT;
    struct played played;
    struct secret other;
    put_first(3, "");
    put_seats();
    ck_assert_int_eq(played_read(&played, "gc-1", slice_str(&journal), key.point, &err), -1);
    ck_assert_int_eq(err.code, ERR_MISSING);
    put_end();
    err = (struct err)ERR_INIT;
    ck_assert_int_eq(played_read(&played, "gc-2", slice_str(&journal), key.point, &err), -1);
    ck_assert_int_eq(err.code, ERR_BROKEN);
    secret_new(&other);
    err = (struct err)ERR_INIT;
    ck_assert_int_eq(played_read(&played, "gc-1", slice_str(&journal), other.point, &err), -1);
    ck_assert_int_eq(err.code, ERR_BROKEN);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, done);
    tcase_add_test(tc, a_list_follows);
    tcase_add_test(tc, robots_count_by_their_anchors);
    tcase_add_test(tc, what_is_unrated_moves_nothing);
    tcase_add_test(tc, what_a_result_may_not_be);
    tcase_add_test(tc, nothing_is_there_twice);
    tcase_add_test(tc, where_mail_counts_nothing_is_left_out_for_it);
    tcase_add_test(tc, what_is_unknown_is_newer);
    tcase_add_test(tc, anchors_have_an_order_and_bounds);
    tcase_add_test(tc, a_list_of_an_earlier_day);
    tcase_add_test(tc, a_substitute_has_no_result);
    tcase_add_test(tc, who_comes_back_has_never_left);
    tcase_add_test(tc, drawn_seats_and_those_given_up);
    tcase_add_test(tc, games_without_a_result);
    tcase_add_test(tc, games_of_mail_domains_and_of_competitions);
    tcase_add_test(tc, a_journal_that_does_not_hold);
}

TEST_MAIN("compete/results", cases)
