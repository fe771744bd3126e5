/* Games of the newest versions of all rulesets, played by robots: whoever sends a suggestion of the form, or
 * what `show --robot` prints, as it is, has sent nothing that counts as wrong, so that no turn waits for a
 * line that the league has proposed. */
#include "game/turn.h"
#include "house/table.h"

#include "play/facts.h"
#include "play/replies.h"

#define GAMES (FEW ? 3 : 12)
#define TURNS 60

static struct table t;
static int lines_tried, lines_left_out;

static size_t count_lines(struct slice text)
{
    struct slice line;
    size_t lines = 0;
    while (slice_line(&text, &line))
        lines++;
    return lines;
}

static void try_orders(int seat, struct slice orders)
{
    struct script *script = script_parse(orders, t.game.ruleset->language);
    json_t *wrong = trial_wrong(&t.game, seat, script, false);
    lines_tried++;
    if (json_array_size(wrong)) {
        char *said = json_dumps(wrong, JSON_COMPACT);
        ck_abort_msg("%s %d, turn %d, seat %d: %s", t.game.ruleset->name, t.game.ruleset->version,
                     t.game.turn, seat, said);
    }
    json_decref(wrong);
    script_free(script);
}

/* Names as seats, as the engine reads them. */
static void try_typed(int seat, const char *line)
{
    struct str named = STR_INIT;
    turn_names(&named, &t.game, slice_of(line));
    try_orders(seat, slice_str(&named));
    str_release(&named);
}

/* Every suggestion alone. */
static void try_form(int seat)
{
    json_t *facts = json_object();
    size_t i;
    json_t *line;
    facts_view(facts, &t.game, seat);
    json_array_foreach (json_object_get(json_object_get(facts, "form"), "lines"), i, line)
        try_typed(seat, json_string_value(json_object_get(line, "line")));
    json_decref(facts);
}

/* What an answer may choose from is what the report shows, for whomever: the ruleset gives it without its view. */
static void same_suggestions(int seat)
{
    struct suggestions suggestions;
    json_t *facts = json_object();
    size_t i;
    json_t *line;
    facts_view(facts, &t.game, seat);
    const json_t *lines = json_object_get(json_object_get(facts, "form"), "lines");
    suggestions_make(&suggestions, &t.game, seat);
    ck_assert_uint_eq(suggestions.count, json_array_size(lines));
    json_array_foreach (lines, i, line)
        ck_assert_str_eq(suggestions.lines[i], json_string_value(json_object_get(line, "line")));
    ck_assert_ptr_null(suggestions.lines[suggestions.count]);
    suggestions_release(&suggestions);
    json_decref(facts);
}

/* The robot's orders; without those of its lines that are wrong none is. */
static void try_robot(int seat, struct str *orders)
{
    struct str right = STR_INIT;
    t.game.ruleset->robot(t.game.cards, t.game.state, seat, orders);
    trial_right(&t.game, seat, slice_str(orders), &right);
    try_orders(seat, slice_str(&right));
    lines_left_out += (int)(count_lines(slice_str(orders)) - count_lines(slice_str(&right)));
    str_release(&right);
    if (!orders->len)
        str_adds(orders, "pass\n");
}

static void play(const struct ruleset *ruleset, const char *seats)
{
    table_new_of(&t, ruleset, seats, 0);
    for (int i = 0; i < TURNS && !t.game.over; i++) {
        struct str orders[SEATS_MAX + 1];
        char turn[40];
        uint32_t awaited = game_awaited(&t.game);
        (void)snprintf(turn, sizeof turn, "turn: %d\nfinal: yes\n", t.game.turn);
        for (int seat = 1; seat <= t.game.seats; seat++) {
            str_init(&orders[seat]);
            same_suggestions(seat);
            if (!(awaited & SEAT_BIT(seat)))
                continue;
            try_form(seat);
            try_robot(seat, &orders[seat]);
        }
        for (int seat = 1; seat <= t.game.seats; seat++) {
            if (awaited & SEAT_BIT(seat))
                ck_assert_int_eq(table_send(&t, seat, turn, orders[seat].p, NOON + 60 * i, NULL),
                                 ORDERS_TAKEN);
            str_release(&orders[seat]);
        }
    }
    ck_assert_int_gt(t.game.turn, 1);
    for (int seat = 1; seat <= t.game.seats; seat++)
        same_suggestions(seat);
}

START_TEST(nothing_proposed_is_wrong)
{
    static const char *const tables[] = {"a", "ab", "abc"};
    const struct ruleset *ruleset = rulesets[_i];
    for (int n = 0; n < GAMES; n++) {
        const char *seats = tables[n % 3];
        int count = (int)strlen(seats);
        if (count < ruleset->seats_min || count > ruleset->seats_max)
            continue;
        table_open(&t);
        play(ruleset, seats);
        table_close(&t);
    }
    ck_assert_int_gt(lines_tried, FEW ? 50 : 100);
    if (strcmp(ruleset->name, "galaxy-command") == 0)
        ck_assert_int_gt(lines_left_out, 0); /* its robot orders what it may not be able to pay */
}
END_TEST

/* What stands is not proposed again. */
START_TEST(what_is_in_force_is_not_proposed)
{
    struct suggestions suggestions;
    table_open(&t);
    table_new_of(&t, ruleset_newest("galactic-supremacy"), "ab", 0);
    const int moves = game_awaited(&t.game) & SEAT_BIT(1) ? 1 : 2;
    suggestions_make(&suggestions, &t.game, moves);
    const size_t before = suggestions.count;
    str_addf(&t.game.seat[moves].standing, "%s\n", suggestions.lines[before - 1]);
    suggestions_release(&suggestions);
    suggestions_make(&suggestions, &t.game, moves);
    ck_assert_uint_eq(suggestions.count, before - 1);
    suggestions_release(&suggestions);
    same_suggestions(moves);
    table_close(&t);
}
END_TEST

/* Players are named as they are typed. */
START_TEST(choices_name_players)
{
    struct suggestions suggestions;
    table_open(&t);
    table_new_of(&t, ruleset_newest("galactic-supremacy"), "ab", 0);
    bool named = false;
    for (int turn = 0; turn < 20 && !named; turn++) {
        const int seat = game_awaited(&t.game) & SEAT_BIT(1) ? 1 : 2;
        char fields[24];
        suggestions_make(&suggestions, &t.game, seat);
        for (size_t i = 0; i < suggestions.count; i++) {
            named |= strstr(suggestions.lines[i], seat == 1 ? " bob" : " alice") != NULL;
            ck_assert_ptr_null(strstr(suggestions.lines[i], " p1"));
            ck_assert_ptr_null(strstr(suggestions.lines[i], " p2"));
        }
        suggestions_release(&suggestions);
        (void)snprintf(fields, sizeof fields, "turn: %d\n", t.game.turn);
        ck_assert_int_eq(table_send(&t, seat, fields, "build fleet at home\n", NOON + turn, NULL),
                         ORDERS_TAKEN);
    }
    ck_assert(named);
    table_close(&t);
}
END_TEST

/* "ok" is the first choice: in no game does it give it away, or let a turn pass for nothing. */
START_TEST(the_first_choice_is_sound)
{
    struct suggestions suggestions;
    table_open(&t);
    table_new_of(&t, ruleset_newest("galaxy-farmer"), "a", 0);
    for (int turn = 1; turn < 6 && !t.game.over; turn++) {
        char fields[24];
        suggestions_make(&suggestions, &t.game, 1);
        ck_assert_str_eq(suggestions.lines[0], "auto");
        (void)snprintf(fields, sizeof fields, "turn: %d\n", t.game.turn);
        ck_assert_int_eq(table_send(&t, 1, fields, "auto\n", NOON + turn, NULL), ORDERS_TAKEN);
        suggestions_release(&suggestions);
        const json_t *turns = json_object_get(json_object_get(t.facts[POST_REPORT], "own"), "turns");
        ck_assert(json_integer_value(json_object_get(json_array_get(turns, 0), "done_count")) > 2);
    }
    table_close(&t);
}
END_TEST

static void cases(TCase *tc)
{
    int count = 0;
    while (rulesets[count])
        count++;
    tcase_add_loop_test(tc, nothing_proposed_is_wrong, 0, count);
    tcase_add_test(tc, what_is_in_force_is_not_proposed);
    tcase_add_test(tc, choices_name_players);
    tcase_add_test(tc, the_first_choice_is_sound);
}
TEST_MAIN("play/forms", cases)
