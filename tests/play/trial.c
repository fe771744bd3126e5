/* Trials may be played when the game has gone on, and in another thread: they say the same. */
#include "play/trial.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/mem.h"
#include "game/turn.h"
#include "house/table.h"
#include "play/replies.h"
#include "rules/galaxy_farmer/state.h"

static struct table t;

static void open_table(void)
{
    table_open(&t);
}

static void close_table(void)
{
    table_close(&t);
}

static void *play_apart(void *arg)
{
    return trial_facts(arg);
}

/* Of these lines of a seat: at once; when the game has gone on; in another thread. */
static void check_lines(int seat, const char *lines, const char *verdict)
{
    json_t *now = json_object();
    struct script *script = script_parse(slice_of(lines), t.game.ruleset->language);
    trial_add(now, &t.game, seat, script, NULL);
    const json_t *first = json_array_get(json_object_get(now, "lines"), 0);
    ck_assert_msg(json_object_get(first, verdict) != NULL, "%s: not \"%s\"", lines, verdict);
    struct trial *trial = trial_new(&t.game, seat, script, NULL);

    int turn = t.game.turn;
    for (int other = 1; other <= t.game.seats && t.game.turn == turn; other++) {
        if (!(game_missing(&t.game) & SEAT_BIT(other)))
            continue;
        struct str robot = STR_INIT, fields = STR_INIT;
        t.game.ruleset->robot(t.game.cards, t.game.state, other, &robot);
        str_addf(&fields, "turn: %d\n", turn);
        ck_assert_int_eq(table_send(&t, other, fields.p, robot.len ? robot.p : "pass\n", NOON, NULL),
                         ORDERS_TAKEN);
        str_release(&robot);
        str_release(&fields);
    }
    ck_assert_int_eq(t.game.turn, turn + 1);
    json_t *later = trial_facts(trial);
    ck_assert(json_equal(now, later));
    pthread_t thread;
    void *apart = NULL;
    ck_assert_int_eq(pthread_create(&thread, NULL, play_apart, trial), 0);
    ck_assert_int_eq(pthread_join(thread, &apart), 0);
    ck_assert(json_equal(now, apart));
    json_decref(now);
    json_decref(later);
    json_decref(apart);
    trial_free(trial);
}

START_TEST(galaxy_command)
{
    table_new(&t, "ab", 0);
    check_lines(1, "explore near\nsay zoe: hello\nbuild\n", "depends");
    check_lines(2, "nonsense\nconquer best\nalways build\n", "refused");
    check_lines(1, "say zoe: hello\nexplore near or build\n", "unheard");
    check_lines(1, "say p2: hello\nexplore near or build\n", "noted");
    check_lines(1, "say bob: hello\nexplore near or build\n", "noted");
}
END_TEST

/* A game of it; the first seat whose turn it is. */
static int begin_with(const struct ruleset *ruleset, const char *names)
{
    int seat = 1;
    table_new_of(&t, ruleset, names, 0);
    while (!(game_awaited(&t.game) & SEAT_BIT(seat)))
        seat++;
    return seat;
}

static int begin(const struct ruleset *ruleset)
{
    return begin_with(ruleset, ruleset->seats_max > 1 ? "ab" : "a");
}

/* Of these lines of a seat: the code of what stays unused; "" = nothing. */
static void check_unused(int seat, const char *lines, const char *unused)
{
    json_t *facts = json_object();
    struct script *script = script_parse(slice_of(lines), t.game.ruleset->language);
    trial_add(facts, &t.game, seat, script, NULL);
    json_t *found = json_object_get(facts, "unused");
    const char *code = found ? json_object_iter_key(json_object_iter(found)) : "";
    ck_assert_msg(strcmp(code, unused) == 0, "%s: \"%s\"", lines, code);
    script_free(script);
    json_decref(facts);
}

/* A receipt says what costs nothing and was forgotten: not where an order says so on purpose, nor of a mail without orders. */
START_TEST(what_stays_unused_is_told)
{
    struct begun {
        const char *ruleset, *lines, *unused;
    };
    static const struct begun begun[] = {
        {"galaxy-command", "build\n", "action"},
        {"galaxy-command", "if wealth >= 9 explore near\nbuild\n", "action"},
        {"galaxy-command", "explore near\nbuild\n", ""},
        {"galaxy-command", "bide\nbuild\n", ""},
        {"galaxy-command", "auto\n", ""},
        {"galaxy-command", "say all: hello\n", ""},
        {"galaxy-command", "always explore near\n", ""},
        {"galactic-contract", "keep fuel\n", "flight"},
        {"galactic-contract", "stay\n", ""},
        {"galactic-contract", "move Kestra\n", ""},
        {"galaxy-farmer", "pick all\n", ""}, /* nothing grows yet */
    };
    for (size_t i = 0; i < sizeof begun / sizeof *begun; i++) {
        check_unused(begin(ruleset_newest(begun[i].ruleset)), begun[i].lines, begun[i].unused);
        table_close(&t);
        table_open(&t);
    }
}
END_TEST

/* What cannot be paid for after the lines before it is said with what there will be then. */
START_TEST(a_line_that_others_leave_nothing_for)
{
    static const char *const lines[] = {"research robots\n", "build\nresearch robots\n"};
    begin(ruleset_newest("galaxy-command"));
    for (int i = 0; i < 2; i++) {
        json_t *facts = json_object();
        struct script *script = script_parse(slice_of(lines[i]), t.game.ruleset->language);
        trial_add(facts, &t.game, 1, script, NULL);
        const json_t *list = json_object_get(facts, "lines");
        const json_t *last = json_array_get(list, json_array_size(list) - 1);
        const json_t *poor = json_object_get(json_object_get(last, "why"), "research_poor");
        ck_assert_int_eq(json_integer_value(json_object_get(poor, "have")), i ? 0 : 1);
        ck_assert_int_eq(json_is_true(json_object_get(poor, "then")), i);
        script_free(script);
        json_decref(facts);
    }
}
END_TEST

/* AUTO is no secret: the receipt has the orders, and the report the first of them. */
START_TEST(auto_says_what_it_would_order)
{
    struct str robot = STR_INIT;
    begin(ruleset_newest("galaxy-farmer"));
    t.game.ruleset->robot(t.game.cards, t.game.state, 1, &robot);
    json_t *facts = json_object();
    struct script *script = script_parse(slice_of("auto\n"), t.game.ruleset->language);
    trial_add(facts, &t.game, 1, script, NULL);
    const json_t *line = json_array_get(json_object_get(facts, "lines"), 0);
    struct slice said = slice_of(json_string_value(json_object_get(json_object_get(line, "auto"), "orders")));
    struct slice rest = slice_str(&robot), order;
    while (slice_line(&rest, &order)) {
        char *words = slice_dup(order);
        ck_assert_msg(slice_find(said, words) != (size_t)-1, "%s", words);
        free(words);
    }
    ck_assert_int_gt((int)said.len, 20);
    script_free(script);
    json_decref(facts);
    str_release(&robot);
}
END_TEST

/* In a signed text, too: of lines beside AUTO the receipt says what becomes of them. */
START_TEST(auto_plays_in_place_of_other_lines)
{
    static const char *const fates[] = {"replaced", "auto", "in_force", "noted", "replaced"};
    begin(ruleset_newest("galaxy-command"));
    json_t *facts = json_object();
    struct script *script = script_parse(
        slice_of("build\nauto\nalways auto\nsay all hi\nalways bide\nstanding\n"), t.game.ruleset->language);
    trial_add(facts, &t.game, 1, script, NULL);
    const json_t *lines = json_object_get(facts, "lines");
    ck_assert_uint_eq(json_array_size(lines), 5); /* but for the question */
    for (size_t i = 0; i < 5; i++)
        ck_assert_msg(json_object_get(json_array_get(lines, i), fates[i]), "%s", fates[i]);
    script_free(script);
    json_decref(facts);
}
END_TEST

/* "say all:", as "press all:" is written, is heard by all, and said to be. */
START_TEST(a_colon_after_all_is_no_name)
{
    static const char *const lines[] = {"say all: well done\n", "say all well done\n", "say al: well done\n"};
    begin(ruleset_newest("galaxy-command"));
    for (int i = 0; i < 3; i++) {
        json_t *facts = json_object();
        struct script *script = script_parse(slice_of(lines[i]), t.game.ruleset->language);
        trial_add(facts, &t.game, 1, script, NULL);
        const json_t *line = json_array_get(json_object_get(facts, "lines"), 0);
        ck_assert_int_eq(json_is_true(json_object_get(line, "unheard")), i == 2);
        script_free(script);
        json_decref(facts);
    }
}
END_TEST

START_TEST(crops_and_idle_workers_are_told)
{
    begin(ruleset_newest("galaxy-farmer"));
    struct gf_state *state = t.game.state;
    state->plot[0] = (struct gf_plot){.planted = 1, .crop = 1};
    state->pool[0]--;
    check_unused(1, "pick all\n", "harvest");
    check_unused(1, "harvest\npick all\n", "");
    state->plot[0].crop = 0;
    state->place = 2;
    state->planet[1].idle = state->aboard;
    state->aboard = 0;
    check_unused(1, "hold urgent\ncollect\n", "lift");
    check_unused(1, "lift 1\n", "");
}
END_TEST

/* What the first line of these may have been meant for; "" = nothing that is near. */
static void check_meant(const struct ruleset *ruleset, const char *lines, const char *meant)
{
    const int seat = begin(ruleset);
    json_t *facts = json_object();
    struct script *script = script_parse(slice_of(lines), ruleset->language);
    trial_add(facts, &t.game, seat, script, NULL);
    const char *found =
        json_string_value(json_object_get(json_array_get(json_object_get(facts, "lines"), 0), "meant"));
    ck_assert_msg(strcmp(found ? found : "", meant) == 0, "%s: %s", lines, found ? found : "(nothing)");
    script_free(script);
    json_decref(facts);
    table_close(&t);
    table_open(&t);
}

START_TEST(names_that_may_have_been_meant)
{
    static const struct {
        const char *ruleset, *lines, *meant;
    } cases[] = {
        {"galactic-contract", "move kess\n", "Kestra"},
        {"galactic-contract", "move Suaid fuel auto\n", "Suadi"},
        {"galactic-contract", "move xyzzy\n", ""},
        {"galactic-contract", "say boob hello\n", "bob"},
        {"galaxy-command", "research bnaking\n", "banking"},
        {"galaxy-command", "say zoe hello\n", ""},
        {"galaxy-farmer", "move vredane\n", "Verdane"},
        {"galactic-supremacy", "play stael p2\n", "steal"},
        {"galaxy-command", "always research bnaking\n", "banking"},
        {"galaxy-command", "always research banking\n", ""}, /* too dear at present */
        {"galactic-supremacy", "when attacked play paece\n", "peace"},
        {"galaxy-command", "explore neer\n", "near"}, /* a word of the order itself */
        {"galaxy-command", "build militray\n", "military"},
        {"galaxy-command", "explore near\n", ""},
        {"galactic-supremacy", "build fleat\n", "fleet"},
        {"galactic-contract", "keep fod metal\n", "food"},
        {"galaxy-farmer", "pick al\n", "all"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_meant(ruleset_newest(cases[i].ruleset), cases[i].lines, cases[i].meant);
}
END_TEST

static void check_mended(const char *ruleset, const char *lines, const char *mended)
{
    struct str out = STR_INIT;
    const int seat = begin(ruleset_newest(ruleset));
    bool is = trial_mended(&t.game, seat, slice_of(lines), &out);
    ck_assert_msg(is == !!mended && (!is || strcmp(out.p, mended) == 0), "%s: %s", lines,
                  is ? out.p : "not mended");
    str_release(&out);
    table_close(&t);
    table_open(&t);
}

/* Only where nothing else is wrong with the orders: one "ok" is to be enough. */
START_TEST(misspelt_names_are_mended)
{
    static const struct {
        const char *ruleset, *lines, *mended;
    } cases[] = {
        {"galaxy-command", "explore neer\nbuild militray\n", "explore near\nbuild military\n"},
        {"galaxy-command", "build\nalways  Explore NEER.\n", "build\nalways  Explore near.\n"},
        {"galaxy-command", "explore near\n", NULL},
        {"galaxy-command", "explore xyzzy\n", NULL},
        {"galaxy-command", "explore neer\nresearch televison\n", NULL}, /* too dear at present */
        {"galaxy-command", "explore neer\nconqer n1\n", NULL},
        {"galactic-supremacy", "prefer firepowr\npass\n", "prefer firepower\npass\n"},
        {"galactic-supremacy", "keep comand sector\n", "keep command sector\n"},
        {"galactic-contract", "move kess\n", "move Kestra\n"},
        {"galaxy-farmer", "pick al\n", "pick all\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_mended(cases[i].ruleset, cases[i].lines, cases[i].mended);
}
END_TEST

/* Of the last of these lines: "depends"; new reference, NULL: it does not. */
static json_t *depends(int seat, const char *lines)
{
    json_t *facts = json_object();
    struct str named = STR_INIT;
    turn_names(&named, &t.game, slice_of(lines));
    struct script *script = script_parse(slice_str(&named), t.game.ruleset->language);
    str_release(&named);
    trial_add(facts, &t.game, seat, script, NULL);
    const json_t *list = json_object_get(facts, "lines");
    json_t *found = json_incref(json_object_get(json_array_get(list, json_array_size(list) - 1), "depends"));
    script_free(script);
    json_decref(facts);
    return found;
}

/* A receipt has the odds with which an order was suggested; other ones where something of its kind is done before it. */
static int check_odds_of(const struct ruleset *ruleset, const char *names)
{
    const int seat = begin_with(ruleset, names);
    struct suggestions suggestions;
    struct str twice = STR_INIT;
    int found = 0;
    suggestions_make(&suggestions, &t.game, seat);
    for (size_t i = 0; i < suggestions.count; i++) {
        str_clear(&twice);
        str_addf(&twice, "%s or %s\n%s\n", suggestions.lines[i], suggestions.lines[i], suggestions.lines[i]);
        json_t *alone = depends(seat, suggestions.lines[i]), *after = depends(seat, twice.p);
        ck_assert_msg(!after || !json_object_get(after, "menu"), "%s", twice.p);
        found += json_object_get(alone, "menu") != NULL;
        json_decref(alone);
        json_decref(after);
    }
    str_release(&twice);
    suggestions_release(&suggestions);
    table_close(&t);
    table_open(&t);
    return found;
}

/* At tables of several sizes, as the hand that is drawn at one may have none. */
static int check_odds(const struct ruleset *ruleset)
{
    static const char *const tables[] = {"a", "ab", "abc"};
    int found = 0;
    for (int seats = ruleset->seats_min; seats <= ruleset->seats_max && seats <= 3; seats++)
        found += check_odds_of(ruleset, tables[seats - 1]);
    return found;
}

START_TEST(odds_are_those_of_the_suggestion)
{
    ck_assert_int_gt(check_odds(ruleset_newest("galaxy-command")), 0);
    ck_assert_int_gt(check_odds(ruleset_newest("galactic-supremacy")), 0);
    (void)check_odds(ruleset_newest("galactic-contract"));
    (void)check_odds(ruleset_newest("galaxy-farmer"));
}
END_TEST

/* The odds that the receipt says of the last line are those of the suggestion; other words, the same order. */
static void ck_same_odds(int seat, const char *suggested, const char *typed)
{
    json_t *one = depends(seat, suggested), *other = depends(seat, typed);
    ck_assert_msg(json_object_get(one, "menu") != NULL, "%s", suggested);
    ck_assert_msg(json_equal(json_object_get(one, "menu"), json_object_get(other, "menu")), "%s: not as %s",
                  typed, suggested);
    json_decref(one);
    json_decref(other);
}

/* The first suggestion that begins so; "" = there is none. */
static void suggested(int seat, const char *begins, char line[80])
{
    struct suggestions suggestions;
    line[0] = '\0';
    suggestions_make(&suggestions, &t.game, seat);
    for (size_t i = 0; i < suggestions.count && !*line; i++)
        if (strncmp(suggestions.lines[i], begins, strlen(begins)) == 0)
            (void)snprintf(line, 80, "%s\n", suggestions.lines[i]);
    suggestions_release(&suggestions);
}

START_TEST(an_order_in_other_words_has_the_same_odds)
{
    char line[80] = "", typed[80];
    table_new(&t, "a", 0);
    ck_same_odds(1, "explore near\n", "explore n3\n");
    ck_same_odds(1, "explore near\n", "Explore 2\n");
    ck_same_odds(1, "explore near\n", "explore near or bide\n");
    for (int turn = 1; turn < 6 && !*line; turn++) { /* until it has failed at a system */
        char fields[24];
        (void)snprintf(fields, sizeof fields, "turn: %d\n", t.game.turn);
        ck_assert_int_eq(table_send(&t, 1, fields, "explore near\n", NOON + turn, NULL), ORDERS_TAKEN);
        suggested(1, "conquer", line);
    }
    ck_assert_str_ne(line, "");
    json_t *odds = depends(1, line);
    const char *system = json_string_value(
        json_object_get(json_object_get(json_object_get(odds, "menu"), "target"), "system"));
    ck_assert_ptr_nonnull(system);
    (void)snprintf(typed, sizeof typed, "conquer %s\n", system);
    ck_same_odds(1, line, typed);
    (void)snprintf(typed, sizeof typed, "attack %s or bide\n", system);
    ck_same_odds(1, line, typed);
    json_decref(odds);
}
END_TEST

/* An attack on a world has odds of its own, with whatever fleets. */
START_TEST(an_attack_with_a_named_fleet_has_its_odds)
{
    int seat = begin(ruleset_newest("galactic-supremacy"));
    bool found = false;
    for (int turn = 0; turn < 20 && !found; turn++) { /* until somebody has a fleet */
        char fields[24];
        json_t *odds = depends(seat, seat == 1 ? "attack bob home with f1\n" : "attack p1 home with f1\n");
        found = json_object_get(json_object_get(odds, "menu"), "attack") != NULL;
        ck_assert(found || !odds);
        json_decref(odds);
        (void)snprintf(fields, sizeof fields, "turn: %d\n", t.game.turn);
        ck_assert_int_eq(table_send(&t, seat, fields, "build fleet at home\n", NOON + turn, NULL),
                         ORDERS_TAKEN);
        seat = game_awaited(&t.game) & SEAT_BIT(1) ? 1 : 2;
    }
    ck_assert(found);
}
END_TEST

/* "1": whether it is done follows from the die of that line. */
START_TEST(a_line_that_hangs_on_another_says_so)
{
    table_new(&t, "ab", 0);
    json_t *depend = depends(1, "explore near\nif ok then build\n");
    const char *on = json_string_value(json_object_get(json_object_get(depend, "hangs"), "line"));
    ck_assert_str_eq(on ? on : "", "1");
    json_decref(depend);
}
END_TEST

/* WHEN and ALWAYS lines are in force whatever they say, and what they could never do is said at once. */
START_TEST(standing_lines_are_read_whole)
{
    static const struct {
        const char *line, *why;
    } cases[] = {
        {"always research nonsense\n", "unknown_technology"},
        {"always bide bananas\n", "extra_words"},
        {"always build\n", NULL},
        {"always conquer n1 or bide\n", NULL},
        {"always auto\n", NULL},
        {"when attacked bide\n", NULL},
    };
    table_new(&t, "a", 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *facts = json_object();
        struct script *script = script_parse(slice_of(cases[i].line), t.game.ruleset->language);
        trial_add(facts, &t.game, 1, script, NULL);
        const json_t *line = json_array_get(json_object_get(facts, "lines"), 0);
        const json_t *why = json_object_get(line, "why");
        ck_assert_msg(cases[i].why ? json_object_get(why, cases[i].why) != NULL : !why, "%s", cases[i].line);
        ck_assert(json_object_get(line, "in_force") || json_object_get(line, "unread"));
        script_free(script);
        json_decref(facts);
    }
}
END_TEST

/* A game's own cards go with the game, and the trial has a copy. */
START_TEST(own_cards)
{
    table_new(&t, "ab", 0);
    const size_t size = t.game.ruleset->cards_size;
    t.game.own_cards = mem_copy(t.game.cards, size);
    t.game.cards = t.game.own_cards;
    json_t *now = json_object();
    struct script *script = script_parse(slice_of("explore near\nbuild\n"), t.game.ruleset->language);
    trial_add(now, &t.game, 1, script, NULL);
    struct trial *trial = trial_new(&t.game, 1, script, NULL);
    memset(t.game.own_cards, 0, size);
    json_t *later = trial_facts(trial);
    ck_assert(json_equal(now, later));
    json_decref(now);
    json_decref(later);
    trial_free(trial);
}
END_TEST

/* What is carried out at once is tried, too. */
START_TEST(deals)
{
    table_new_of(&t, ruleset_newest("galactic-supremacy"), "ab", 60);
    int seat = t.game.ruleset->awaits(t.game.state) & SEAT_BIT(1) ? 1 : 2;
    char lines[64];
    (void)snprintf(lines, sizeof lines, "offer p%d get 1 credit\n", 3 - seat);
    check_lines(seat, lines, "at_once");
}
END_TEST

/* Without a robot AUTO and robots play the safe default turn; without `conceal` nothing is rearranged. */
START_TEST(robot_and_conceal_may_be_left_out)
{
    bool missed = true;
    table_new(&t, "ab", 0);
    struct ruleset plain = *t.game.ruleset;
    plain.robot = NULL;
    plain.conceal = NULL;
    t.game.ruleset = &plain;
    struct script *script = script_parse(slice_of("explore near\n"), plain.language);
    json_t *facts = json_object();
    trial_add(facts, &t.game, 1, script, NULL);
    ck_assert_ptr_nonnull(json_object_get(json_array_get(json_object_get(facts, "lines"), 0), "depends"));
    json_decref(facts);
    script_free(script);
    t.game.seat[2].robot = true;
    ck_assert_ptr_null(turn_orders(&t.game, 2, &missed));
    t.game.seat[2].robot = false;
    ck_assert_int_eq(table_send(&t, 1, "turn: 1\n", "auto\n", NOON, NULL), ORDERS_TAKEN);
    ck_assert_int_eq(table_send(&t, 2, "turn: 1\n", "auto\n", NOON, NULL), ORDERS_TAKEN);
    ck_assert_int_eq(t.game.turn, 2);
    t.game.ruleset = ruleset_newest(plain.name);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, open_table, close_table);
    tcase_add_test(tc, galaxy_command);
    tcase_add_test(tc, own_cards);
    tcase_add_test(tc, standing_lines_are_read_whole);
    tcase_add_test(tc, names_that_may_have_been_meant);
    tcase_add_test(tc, misspelt_names_are_mended);
    tcase_add_test(tc, odds_are_those_of_the_suggestion);
    tcase_add_test(tc, an_order_in_other_words_has_the_same_odds);
    tcase_add_test(tc, an_attack_with_a_named_fleet_has_its_odds);
    tcase_add_test(tc, a_line_that_hangs_on_another_says_so);
    tcase_add_test(tc, what_stays_unused_is_told);
    tcase_add_test(tc, a_line_that_others_leave_nothing_for);
    tcase_add_test(tc, auto_says_what_it_would_order);
    tcase_add_test(tc, auto_plays_in_place_of_other_lines);
    tcase_add_test(tc, a_colon_after_all_is_no_name);
    tcase_add_test(tc, crops_and_idle_workers_are_told);
    tcase_add_test(tc, deals);
    tcase_add_test(tc, robot_and_conceal_may_be_left_out);
}
TEST_MAIN("play/trial", cases)
