/* What receipts and reports tell, beyond the fact that they are sent; and names of players in orders. */
#include "play/facts.h"
#include "house/table.h"

static struct table t;

static void open_table(void)
{
    table_open(&t);
}

static void close_table(void)
{
    table_close(&t);
}

static const json_t *among(const json_t *lines, int number, const char *letter)
{
    size_t i;
    json_t *line;
    json_array_foreach (lines, i, line)
        if (json_integer_value(json_object_get(line, "number")) == number &&
            strcmp(json_string_value(json_object_get(line, "letter")), letter) == 0)
            return line;
    return NULL;
}

/* A line of a receipt: alone or, in a long one, with all that have the same fate. */
static const json_t *line_of(const json_t *facts, int number, const char *letter, bool *grouped)
{
    const json_t *line = among(json_object_get(facts, "lines"), number, letter);
    size_t i;
    json_t *group;
    *grouped = !line;
    json_array_foreach (json_object_get(facts, "groups"), i, group)
        line = line ? line : among(json_object_get(group, "lines"), number, letter);
    ck_assert_msg(line != NULL, "line %d%s is not told", number, letter);
    return line;
}

static const json_t *check_line(const json_t *facts, int number, const char *letter, const char *verdict)
{
    bool grouped;
    const json_t *line = line_of(facts, number, letter, &grouped);
    ck_assert_msg(json_object_get(line, verdict) != NULL, "line %d%s is not \"%s\"", number, letter, verdict);
    ck_assert_msg(grouped == (strcmp(verdict, "refused") != 0), "line %d%s", number, letter);
    return line;
}

/* Orders that ';' separates share the number of their line, not its fate. What cannot work stands alone, with its reason. */
START_TEST(each_order_of_a_line_has_a_fate)
{
    table_new_of(&t, ruleset_newest("galaxy-farmer"), "a", 0);
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\n", "try\npick 1; drift; quest; drop 1\nstay\n", NOON, NULL),
                     ORDERS_TRIED);
    const json_t *facts = t.facts[POST_TRIED];
    (void)check_line(facts, 2, "a", "will");
    (void)check_line(facts, 2, "b", "refused"); /* not understood */
    const json_t *quest = check_line(facts, 2, "c", "refused");
    (void)check_line(facts, 2, "d", "will");
    (void)check_line(facts, 3, "", "will");
    ck_assert_ptr_nonnull(json_object_get(json_object_get(quest, "why"), "needs_planet"));
}
END_TEST

/* The receipt names the later turns of a mail, and the report says when they will not come. */
START_TEST(later_turns_are_named)
{
    table_new_of(&t, ruleset_newest("galaxy-farmer"), "a", 0);
    ck_assert_int_eq(
        table_send(&t, 1, "turn: 1\nwait: yes\n", "stay\nturn 2\nstay\nturn 3\nstay\n", NOON, NULL),
        ORDERS_TAKEN);
    const json_t *later = json_object_get(t.facts[POST_RECEIPT], "later_turns");
    const json_t *numbers = json_object_get(later, "numbers");
    ck_assert_uint_eq(json_array_size(numbers), 2);
    ck_assert_int_eq(json_integer_value(json_object_get(json_array_get(numbers, 0), "number")), 2);
    ck_assert_int_eq(json_integer_value(json_object_get(json_array_get(numbers, 1), "number")), 3);
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\n", "quest\nturn 2\nstay\nturn 3\nstay\n", NOON, NULL),
                     ORDERS_TAKEN);
    ck_assert(json_is_true(json_object_get(t.facts[POST_REPORT], "stopped")));
    ck_assert_int_eq(t.game.turn, 2);

    ck_assert_int_eq(table_send(&t, 1, "turn: 2\n", "stay\nturn 3\nstay\n", NOON + 1, NULL), ORDERS_TAKEN);
    ck_assert(json_is_false(json_object_get(t.facts[POST_REPORT], "stopped")));
    ck_assert_int_eq(t.game.turn, 4);

    ck_assert_int_eq(table_send(&t, 1, "turn: 4\n", "stay\n", NOON + 2, NULL), ORDERS_TAKEN);
    ck_assert(json_is_false(json_object_get(t.facts[POST_REPORT], "stopped")));
}
END_TEST

START_TEST(questions_are_no_failed_orders)
{
    table_new(&t, "ab", 0);
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\n", "help\nrules\n", NOON, NULL), ORDERS_TRIED);
    ck_assert(json_is_true(json_object_get(t.facts[POST_TRIED], "questions")));
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\n", "help\nfrobnicate\n", NOON, NULL), ORDERS_TRIED);
    ck_assert(json_is_false(json_object_get(t.facts[POST_TRIED], "questions")));
    ck_assert(json_is_true(json_object_get(t.facts[POST_TRIED], "nothing_taken")));
}
END_TEST

/* ---- names ---- */

static void name_players(const char *first, const char *second)
{
    struct err err = ERR_INIT;
    t.game.ruleset = ruleset_newest("galactic-supremacy");
    t.game.seats = 2;
    ck_ok(game_set_cards(&t.game, NULL, &err), err);
    (void)snprintf(t.game.seat[1].player, PLAYER_NAME, "%s", first);
    (void)snprintf(t.game.seat[2].player, PLAYER_NAME, "%s", second);
}

static void check_named(const char *body, const char *want)
{
    struct str named = STR_INIT;
    turn_names(&named, &t.game, slice_of(body));
    ck_assert_str_eq(named.p, want);
    str_release(&named);
}

START_TEST(names_stand_for_seats)
{
    name_players("anna", "bob.the-second");
    check_named("attack ANNA s1 with f1\n", "attack P1 s1 with f1\n");
    check_named("when attacked by bob.the-second defend all\n", "when attacked by P2 defend all\n");
    check_named("attack annabel s1\nsay anna hello anna\n", "attack annabel s1\nsay anna hello anna\n");
}
END_TEST

/* A player who is named like something in the game must not change the meaning of orders. */
START_TEST(words_of_the_game_stay_what_they_are)
{
    static const char *const taken[] = {"home", "fleet", "attack", "attacked", "give",  "credits",
                                        "s1",   "p2",    "2",      "two",      "at",    "all",
                                        "if",   "level", "rnd",    "h",        "player"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        struct str body = STR_INIT;
        name_players(taken[i], "bob");
        ck_assert_msg(turn_name_taken(t.game.ruleset, t.game.cards, taken[i]), "%s", taken[i]);
        str_addf(&body, "attack bob %s\n", taken[i]);
        struct str want = STR_INIT;
        str_addf(&want, "attack P2 %s\n", taken[i]);
        check_named(body.p, want.p);
        str_release(&body);
        str_release(&want);
    }
    /* The cards' own names, and his table says how to name him. */
    name_players("firepower", "bob");
    check_named("research firepower\n", "research firepower\n");
    static const char *const people[] = {"anna",    "bob",      "hal",  "marvin",
                                         "o.brien", "jean-luc", "pat2", "max.m"};
    for (size_t i = 0; i < sizeof people / sizeof *people; i++)
        ck_assert_msg(!turn_name_taken(t.game.ruleset, t.game.cards, people[i]), "%s", people[i]);
    ck_assert(!turn_name_taken(ruleset_newest("galaxy-command"), NULL, "home")); /* names no player in
                                                                                  * orders */
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, open_table, close_table);
    tcase_add_test(tc, each_order_of_a_line_has_a_fate);
    tcase_add_test(tc, later_turns_are_named);
    tcase_add_test(tc, questions_are_no_failed_orders);
    tcase_add_test(tc, names_stand_for_seats);
    tcase_add_test(tc, words_of_the_game_stay_what_they_are);
}
TEST_MAIN("batch/tell", cases)
