/* What is shown of a turn in which more happened than orders and a resolution: turns that were undone and
 * played again, orders that moderators set, seats that changed hands, missed turns, messages, robots. */
#include "history/boards.h"
#include "history/explain.h"

#include "base/json.h"
#include "house/ruling.h"
#include "house/gives.h"

static const struct reader everybody = {READER_PUBLIC, 0};
static const struct reader moderator = {READER_MODERATOR, 0};
static const struct reader anna = {READER_SEAT, 1};
static const struct reader bob = {READER_SEAT, 2};

static json_t *explain(const struct reader *reader, struct explain_point at)
{
    struct err err = ERR_INIT;
    struct casefile file;
    char *path = house_path(&house, "games/gc-1");
    bool told = reader->kind != READER_MODERATOR;
    ck_ok(casefile_open(path, house.league.master, &file, &err), err);
    ck_ok(casefile_choose(&file, reader, told, &err), err);
    json_t *facts = explain_turn(&file, &(struct explain_for){reader, told}, &at, 0, &err);
    ck_assert_msg(facts != NULL, "%s", err.text);
    casefile_close(&file);
    free(path);
    return facts;
}

static const char *folder; /* of the templates */

static void words_of(const struct reader *reader, struct explain_point at, bool html, struct str *out)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    json_t *facts = explain(reader, at);
    struct templates *templates = house.batch.templates;
    ck_ok(explain_words(facts, templates, folder, html, &err), err);
    ck_ok(templates_render(templates, &(struct template_name){folder, html ? "explain.html" : "explain.txt"},
                           facts, &text, &err),
          err);
    for (size_t i = 0; i < text.len; i++) { /* as one line: where it is broken is not asked here */
        bool blank = text.p[i] == ' ' || text.p[i] == '\n';
        if (!blank)
            str_addc(out, text.p[i]);
        else if (out->len && out->p[out->len - 1] != ' ')
            str_addc(out, ' ');
    }
    if (getenv("SHOW"))
        fprintf(stderr, "%s\n", text.p);
    json_decref(facts);
    str_release(&text);
}

/* The words are there, or not. */
static void check(const struct reader *reader, int turn, const char *words, bool there)
{
    struct str text = STR_INIT;
    words_of(reader, (struct explain_point){false, turn}, false, &text);
    ck_assert_msg((strstr(text.p, words) != NULL) == there, "\"%s\": %.1500s", words, text.p);
    str_release(&text);
}

static int64_t seq_now(void)
{
    return game_now()->seq;
}

/* ---- turns that were taken back ---- */

START_TEST(both_plays_are_told)
{
    struct str text = STR_INIT, words = STR_INIT;
    (void)new_game(2);
    orders("anna", "explore near\n");
    orders("bob", "bide\n");
    int64_t first = seq_now(), back;
    ck_assert_int_eq(game_now()->turn, 2);
    check(&moderator, 1, "THIS TURN WAS TAKEN BACK", false);
    rule("mona", "do: rollback turn 1\n" WHY);
    back = seq_now();
    str_addf(&words,
             "Record %lld, Fri 20 Nov 2026, 12:00 UTC: mona, a moderator, took it back. Reason: The "
             "dog ate it. It does not count.",
             (long long)back);
    check(&moderator, 1, words.p, true);
    check(&everybody, 1, words.p, true);
    orders("anna", "bide\n");
    orders("bob", "build\n");
    check(&moderator, 1, words.p, true);
    check(&moderator, 1, "that is told here. It holds.", true);
    check(&moderator, 1, "anna bides", true);
    check(&moderator, 1, "anna turns up", false);
    str_clear(&words);
    str_addf(&words, "turnpost explain GAME r%lld tells that.", (long long)first);
    check(&moderator, 1, words.p, true);
    check(&moderator, EXPLAIN_LAST, "TURN 1 ", true);
    /* the first one */
    words_of(&moderator, (struct explain_point){true, first}, false, &text);
    ck_assert_ptr_nonnull(strstr(text.p, "anna turns up"));
    ck_assert_ptr_null(strstr(text.p, "anna bides"));
    ck_assert_ptr_null(strstr(text.p, "rollback"));
    /* the same on the page */
    str_clear(&text);
    words_of(&moderator, (struct explain_point){false, 1}, true, &text);
    ck_assert_ptr_nonnull(strstr(text.p, "<h2>This turn was taken back</h2>"));
    ck_assert_ptr_nonnull(strstr(text.p, "mona, a moderator, took it back. Reason: The dog ate it."));
    ck_assert_ptr_nonnull(strstr(text.p, "<b>It does not count.</b>"));
    str_release(&text);
    str_release(&words);
}
END_TEST

/* What is drawn of it is the play that holds, or, while none does, the last one. */
static int count_explored(void *arg, const struct board *board, int turn, struct err *err)
{
    (void)err;
    ck_assert_int_eq(turn, 1);
    json_t *facts = board_facts(board);
    const json_t *seats = json_object_get(json_object_get(facts, "view"), "players");
    *(json_int_t *)arg = json_integer_value(json_object_get(json_array_get(seats, 0), "explored"));
    json_decref(facts);
    return 0;
}

static int explored_on_board(int turn)
{
    struct err err = ERR_INIT;
    struct casefile file;
    json_int_t explored = -1;
    const struct boards_seen seen = {count_explored, &explored};
    char *path = house_path(&house, "games/gc-1");
    ck_ok(casefile_open(path, house.league.master, &file, &err), err);
    ck_ok(casefile_choose(&file, &everybody, true, &err), err);
    ck_ok(boards_show(&file, turn, &seen, &err), err);
    casefile_close(&file);
    free(path);
    return (int)explored;
}

START_TEST(the_play_that_holds_is_drawn)
{
    (void)new_game(2);
    orders("anna", "explore near\n");
    orders("bob", "bide\n");
    ck_assert_int_eq(explored_on_board(1), 1);
    rule("mona", "do: rollback turn 1\n" WHY);
    ck_assert_int_eq(explored_on_board(1), 1);
    orders("anna", "bide\n");
    orders("bob", "build\n");
    ck_assert_int_eq(explored_on_board(1), 0);
    ck_assert_int_eq(explored_on_board(BOARDS_LAST), 0);
}
END_TEST

/* A rollback may go back to a record that another one took back. */
START_TEST(what_was_brought_back_counts)
{
    struct str fields = STR_INIT;
    (void)new_game(2);
    orders("anna", "explore near\n");
    orders("bob", "bide\n");
    int64_t played = seq_now();
    rule("mona", "do: rollback turn 1\n" WHY);
    orders("anna", "bide\n");
    orders("bob", "build\n");
    str_addf(&fields, "do: rollback %lld\nreason: It was right.\n", (long long)played);
    rule("mona", fields.p);
    ck_assert_int_eq(game_now()->turn, 2);
    check(&moderator, 1, "mona, a moderator, brought it back. Reason: It was right. It holds.", true);
    check(&moderator, 1, "anna turns up", true);
    play();
    check(&moderator, 2, "THIS TURN WAS TAKEN BACK", false);
    check(&moderator, EXPLAIN_LAST, "TURN 2 ", true);
    str_release(&fields);
}
END_TEST

START_TEST(the_last_turn_is_one_that_holds)
{
    (void)new_game(2);
    play();
    play();
    rule("mona", "do: rollback turn 2\n" WHY);
    check(&moderator, EXPLAIN_LAST, "TURN 1 ", true);
    check(&moderator, 2, "mona, a moderator, took it back. Reason: The dog ate it. It does not count.", true);
}
END_TEST

/* What a rollback within the turn kept is still shown, what it undid is shown as undone. */
START_TEST(orders_that_were_taken_back)
{
    struct str fields = STR_INIT, words = STR_INIT;
    (void)new_game(2);
    orders("anna", "explore near\n");
    int64_t kept = seq_now();
    orders("anna", "bide\n");
    str_addf(&words, "taken back by a rollback: record %lld (anna)", (long long)seq_now());
    str_addf(&fields, "do: rollback %lld\n" WHY, (long long)kept);
    rule("mona", fields.p);
    orders("bob", "bide\n");
    ck_assert_int_eq(game_now()->turn, 2);
    check(&moderator, 1, words.p, true);
    check(&moderator, 1, "also sent", false);
    check(&moderator, 1, "takes back all that was played after record", true);
    str_release(&fields);
    str_release(&words);
}
END_TEST

/* ---- moderators ---- */

START_TEST(orders_of_a_moderator_are_not_the_players)
{
    struct str words = STR_INIT;
    (void)new_game(2);
    orders("anna", "explore near\n");
    str_addf(&words, "also sent in this turn, and replaced: record %lld ", (long long)seq_now());
    rule("mona", "do: orders anna\n" WHY "bide\n");
    int64_t set = seq_now();
    rule("mona", "do: orders anna\n" WHY "build\n");
    orders("bob", "bide\n");
    ck_assert_int_eq(game_now()->turn, 2);
    check(&moderator, 1, words.p, true);
    str_clear(&words);
    str_addf(&words, "set by a moderator in this turn, and replaced: record %lld (mona)", (long long)set);
    check(&moderator, 1, words.p, true);
    check(&moderator, 1, "12:00 UTC, set by mona, a moderator", true);
    str_release(&words);
}
END_TEST

START_TEST(a_line_that_a_moderator_set_is_told_as_that)
{
    (void)new_game(2);
    rule("mona", "do: orders anna\n" WHY "explore near\n");
    orders("bob", "bide\n");
    ck_assert_int_eq(game_now()->turn, 2);
    check(&moderator, 1, "line 1 that mona set for anna, record ", true);
    check(&moderator, 1, "line 1 of anna", false);
    house_rules(&house, "gc-1", "do: orders anna\n" WHY "bide\n");
    orders("bob", "bide\n");
    ck_assert_int_eq(game_now()->turn, 3);
    check(&moderator, 2, "the operator, a moderator", false);
    check(&moderator, 2, "12:00 UTC, set by the operator ", true);
    check(&moderator, 2, "line 1 that the operator set for anna, record ", true);
}
END_TEST

/* So are ALWAYS and WHEN lines, */
START_TEST(a_standing_line_that_a_moderator_set_is_told_as_that)
{
    (void)new_game(2);
    rule("mona", "do: orders anna\n" WHY "always explore near\nbide\n");
    orders("bob", "bide\n");
    orders("bob", "bide\n");
    house_clock(&house, HOUSE_NOON + 4 * DAY);
    ck_assert_int_eq(game_now()->turn, 3);
    check(&moderator, 2, "an \"always\" line that mona set for anna, record ", true);
    check(&moderator, 2, "an \"always\" line of anna", false);
    check(&moderator, 2, ", set by mona)", true);
}
END_TEST

/* and deals, which are carried out at once. */
START_TEST(deals_that_a_moderator_set_are_told_as_that)
{
    folder = "galactic_supremacy";
    house_game(&house, "gc-1", "galactic-supremacy", 0, 2, players);
    house.now += HOUR;
    rule("mona", "do: orders anna\n" WHY "offer bob nothing for 1 credit\n");
    ck_assert_str_eq(game_now()->journal.last_type, "note");
    while (game_now()->turn == 1) {
        house.now += 4 * DAY;
        house_clock(&house, house.now);
    }
    check(&moderator, 1, "line 1 that mona set for anna, record ", true);
    check(&moderator, 1, "line 1 of anna", false);
}
END_TEST

/* A text with nothing but standing lines replaces no orders and is not replaced. */
START_TEST(only_orders_are_replaced)
{
    struct str words = STR_INIT;
    (void)new_game(2);
    orders("anna", "always explore near\n");
    str_addf(&words, "also sent in this turn: record %lld ", (long long)seq_now());
    rule("mona", "do: orders anna\n" WHY "always bide\n");
    orders("anna", "bide\n");
    orders("bob", "bide\n");
    ck_assert_int_eq(game_now()->turn, 2);
    check(&moderator, 1, words.p, true);
    check(&moderator, 1, "also set by a moderator in this turn: record ", true);
    check(&moderator, 1, "and replaced", false);
    str_release(&words);
}
END_TEST

/* ---- people ---- */

START_TEST(who_sat_there_then)
{
    struct str words = STR_INIT;
    (void)new_game(2);
    orders("anna", "always explore near\nbide\n");
    str_addf(&words, "* always explore near (record %lld, by anna, who had the seat then)",
             (long long)seq_now());
    orders("bob", "bide\n");
    rule("mona", "do: replace anna by dora\n" WHY);
    house_takes(&house, "gc-1", "dora");
    ck_assert_str_eq(game_now()->seat[1].player, "dora");
    ck_assert(game_now()->seat[1].standing.len > 0); /* they stay with the seat */
    orders("dora", "bide\n");
    orders("bob", "bide\n");
    ck_assert_int_eq(game_now()->turn, 3);
    check(&moderator, 1, "anna (seat 1)", true);
    check(&moderator, 1, "anna bides", true);
    check(&moderator, 1, "dora", false);
    check(&moderator, 2, "dora (seat 1)", true);
    check(&moderator, 2, words.p, true);
    str_release(&words);
}
END_TEST

START_TEST(you_are_who_reads)
{
    (void)new_game(2);
    orders("anna", "explore near\nbuild\nbuild\nbuild\n");
    orders("bob", "bide\n");
    check(&anna, 1, "You turn up", true);
    check(&bob, 1, "You turn up", false);
    check(&bob, 1, "anna turns up", true);
    check(&bob, 1, "You bide", true);
    check(&moderator, 1, "You ", false);
    check(&everybody, 1, "You ", false);
    check(&everybody, 1, "you ", false);
    /* words of a refusal are the player's own */
    check(&moderator, 1, "Did not work. anna was told:", true);
    check(&anna, 1, "Did not work. anna was told:", false);
}
END_TEST

START_TEST(a_missed_turn_has_its_deadline)
{
    (void)new_game(2);
    orders("anna", "bide\n");
    house_clock(&house, HOUSE_NOON + 3 * DAY + HOUR);
    ck_assert_int_eq(game_now()->turn, 2);
    static const char words[] =
        "bob (seat 2): no orders came; the cautious default turn is played; the "
        "deadline was Mon 23 Nov 2026, 12:00 UTC, the turn was closed Mon 23 Nov 2026, "
        "13:00 UTC";
    check(&moderator, 1, words, true);
    check(&bob, 1, words, true);
    check(&anna, 1, "bob (seat 2): no orders came; the deadline was Mon 23 Nov 2026, 12:00 UTC, the turn was",
          true);
    check(&everybody, 1, "Closed by record ", true);
}
END_TEST

/* ---- lines ---- */

/* A robot gives the orders; the message is the player's own. */
START_TEST(lines_of_robots_are_not_the_players)
{
    (void)new_game(2);
    orders("anna", "say all: hello\nauto\n");
    orders("bob", "bide\n");
    ck_assert_int_eq(game_now()->turn, 2);
    check(&moderator, 1, "of the robot that plays for anna: explore near", true);
    check(&moderator, 1, "line 1 of anna, record 5: say all: hello", true);
    check(&moderator, 1, "line 1 of anna, record 5: explore", false);
}
END_TEST

/* Messages change nothing; the end of the round belongs to no event. */
START_TEST(messages_change_nothing)
{
    size_t i;
    json_t *item;
    bool said = false;
    (void)new_game(2);
    orders("anna", "say all: hello\nbide\n");
    orders("bob", "bide\n");
    json_t *facts = explain(&moderator, (struct explain_point){false, 1});
    json_array_foreach (json_object_get(facts, "story"), i, item) {
        if (strcmp(json_string_value(json_object_get(item, "type")), "said") != 0)
            continue;
        said = true;
        ck_assert_ptr_null(json_object_get(item, "changes"));
    }
    ck_assert(said && json_object_get(facts, "rest"));
    json_decref(facts);
}
END_TEST

START_TEST(always_lines_have_their_record)
{
    (void)new_game(2);
    orders("anna", "bide\n");
    orders("anna", "always explore near\nbide\n");
    orders("bob", "bide\n");
    ck_assert_int_eq(game_now()->turn, 2);
    orders("bob", "bide\n");
    house_clock(&house, HOUSE_NOON + 4 * DAY);
    ck_assert_int_eq(game_now()->turn, 3);
    check(&moderator, 2, "an \"always\" line of anna, record 6: explore near", true);
}
END_TEST

static void cases(TCase *tc)
{
    folder = "galaxy_command";
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, a_standing_line_that_a_moderator_set_is_told_as_that);
    tcase_add_test(tc, only_orders_are_replaced);
    tcase_add_test(tc, deals_that_a_moderator_set_are_told_as_that);
    tcase_add_test(tc, both_plays_are_told);
    tcase_add_test(tc, the_play_that_holds_is_drawn);
    tcase_add_test(tc, what_was_brought_back_counts);
    tcase_add_test(tc, the_last_turn_is_one_that_holds);
    tcase_add_test(tc, orders_that_were_taken_back);
    tcase_add_test(tc, orders_of_a_moderator_are_not_the_players);
    tcase_add_test(tc, a_line_that_a_moderator_set_is_told_as_that);
    tcase_add_test(tc, who_sat_there_then);
    tcase_add_test(tc, you_are_who_reads);
    tcase_add_test(tc, a_missed_turn_has_its_deadline);
    tcase_add_test(tc, lines_of_robots_are_not_the_players);
    tcase_add_test(tc, messages_change_nothing);
    tcase_add_test(tc, always_lines_have_their_record);
}
TEST_MAIN("history/explained", cases)
