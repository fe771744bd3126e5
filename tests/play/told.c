/* Who gets a report of which turn: when they have to decide, with all that has happened since their last one. */
#include "base/clock.h"
#include "base/file.h"
#include "house/table.h"
#include "game/told.h"
#include "game/view.h"
#include "rules/ruleset.h"
#include "rules/galactic_supremacy/state.h"

static struct table t;

static void open_table(void)
{
    table_open(&t);
}

static void close_table(void)
{
    table_close(&t);
}

static const struct ruleset *contract(void)
{
    return ruleset_newest("galactic-contract");
}

static int mover(void)
{
    uint32_t awaited = t.game.ruleset->awaits(t.game.state);
    int seat = 1;
    while (!(awaited & SEAT_BIT(seat)))
        seat++;
    return seat;
}

/* The "told" of the record that played a turn: "1 3", or "all". */
static void ck_told(int turn, const char *want)
{
    struct str lines = STR_INIT, told = STR_INIT;
    struct err err = ERR_INIT;
    struct slice rest, line;
    size_t i;
    json_t *item;
    ck_ok(store_read_with(t.store, "gc-1", (struct slice){NULL, 0}, &lines, &err), err);
    rest = slice_str(&lines);
    while (slice_line(&rest, &line)) {
        json_t *record = json_loadb(line.p, line.len, 0, NULL);
        const json_t *list = json_object_get(record, "told");
        if (strcmp(json_string_value(json_object_get(record, "type")), "turn") == 0 &&
            json_integer_value(json_object_get(record, "turn")) == turn) {
            str_adds(&told, list ? "" : "all");
            json_array_foreach (list, i, item)
                str_addf(&told, "%s%d", i ? " " : "", (int)json_integer_value(item));
        }
        json_decref(record);
    }
    ck_assert_str_eq(told.p, want);
    str_release(&told);
    str_release(&lines);
}

static void ck_turns(const json_t *facts, int first, int last)
{
    ck_assert_int_eq(json_integer_value(json_object_get(facts, "first_turn")), first);
    ck_assert_int_eq(json_integer_value(json_object_get(facts, "last_turn")), last);
    ck_assert(json_is_true(json_object_get(facts, "several")) == (first != last));
}

static void send(int seat, const char *lines, int posts[5])
{
    char fields[32];
    (void)snprintf(fields, sizeof fields, "turn: %d\n", t.game.turn);
    ck_assert_int_eq(table_send(&t, seat, fields, lines, NOON + t.game.turn, posts), ORDERS_TAKEN);
}

START_TEST(robots_turns_are_told_with_the_next_decision)
{
    int posts[5];
    table_new_of(&t, contract(), "arr", 0);
    for (int decision = 0; decision < 4; decision++) {
        int turn = t.game.turn;
        ck_assert_int_eq(mover(), 1);
        send(1, "stay\n", posts);
        ck_assert_int_eq(t.game.turn, turn + 3);
        ck_assert_int_eq(posts[POST_REPORT], 1);
        ck_assert_int_eq(posts[POST_RECEIPT], 0);
        ck_assert(json_is_true(json_object_get(t.facts[POST_REPORT], "receipt")));
        ck_turns(t.facts[POST_REPORT], turn, turn + 2);
        ck_told(turn, "");
        ck_told(turn + 1, "");
        ck_told(turn + 2, "all");
        ck_assert_uint_le(json_array_size(t.game.told.earlier), 2);
        table_check_replay(&t);
    }
}
END_TEST

/* The orders of the player are the first turn of the report, and keep their fate. */
/* Also where robots move before anybody: the first report has their moves, and comes alone. */
START_TEST(the_first_report_comes_alone)
{
    static const char *const seats[] = {"ar", "ra", "arr", "rra", "rar"};
    int late = 0;
    for (size_t i = 0; i < sizeof seats / sizeof *seats; i++) {
        table_new_of(&t, contract(), seats[i], 0);
        ck_assert_int_eq(t.first, 1);
        ck_assert_int_eq(t.first_reports, 1);
        late += t.game.turn > 1;
        table_close(&t);
        table_open(&t);
    }
    ck_assert_int_gt(late, 0);
    table_new_of(&t, contract(), "abc", 0);
    ck_assert_int_eq(t.first, 3);
}
END_TEST

START_TEST(own_lines_are_told_with_their_turn)
{
    table_new_of(&t, contract(), "arr", 0);
    int turn = t.game.turn;
    send(1, "stay\nbuy nothing\n", NULL);
    const json_t *turns = json_object_get(json_object_get(t.facts[POST_REPORT], "own"), "turns");
    ck_assert_uint_eq(json_array_size(turns), 1);
    const json_t *one = json_array_get(turns, 0);
    ck_assert_int_eq(json_integer_value(json_object_get(one, "turn")), turn);
    ck_assert_int_eq(json_integer_value(json_object_get(one, "count")), 2);
    ck_assert_int_eq(json_integer_value(json_object_get(one, "done_count")), 1);
    ck_assert_uint_eq(json_array_size(json_object_get(one, "lines")), 1);
    ck_assert(json_is_true(json_object_get(json_array_get(json_object_get(one, "lines"), 0), "refused")));
}
END_TEST

START_TEST(people_hear_when_they_decide_or_have_played)
{
    int posts[5];
    table_new_of(&t, contract(), "abr", 0);
    for (int i = 0; i < 5; i++) {
        int seat = mover(), turn = t.game.turn, other = 3 - seat;
        int told = t.game.seat[other].told;
        send(seat, "stay\n", posts);
        /* the one who has played, as a receipt, and the one who is next; the same when only robots came between */
        ck_assert_int_eq(posts[POST_RECEIPT], 0);
        ck_assert_int_eq(t.game.seat[mover()].told, t.game.turn);
        ck_assert_int_eq(t.game.seat[seat].told, t.game.turn);
        ck_assert_int_eq(posts[POST_REPORT], mover() == seat ? 1 : 2);
        ck_assert_int_eq(t.game.seat[seat].told_before, turn);
        if (mover() == other)
            ck_assert_int_eq(t.game.seat[other].told_before, told);
        else
            ck_assert_int_eq(t.game.seat[other].told, told);
        table_check_replay(&t);
    }
}
END_TEST

/* Who misses a turn hears of it at once; at the end all hear. */
START_TEST(a_missed_turn_is_told)
{
    table_new_of(&t, contract(), "abc", 60);
    int seat = mover(), turn = t.game.turn;
    table_clock(&t, t.game.clock.deadline + 1);
    ck_assert_int_gt(t.game.turn, turn);
    ck_assert_int_eq(t.game.seat[seat].told, turn + 1);
    ck_assert_int_eq(t.game.seat[mover()].told, t.game.turn);
    for (int other = 1; other <= 3; other++)
        if (other != seat && other != mover())
            ck_assert_int_eq(t.game.seat[other].told, 1);
    for (int i = 0; i < 400 && !t.game.over; i++)
        table_clock(&t, t.game.clock.deadline + 1);
    ck_assert(t.game.over);
    for (int other = 1; other <= 3; other++)
        ck_assert_int_eq(t.game.seat[other].told, t.game.turn);
    table_check_replay(&t);
}
END_TEST

/* Orders given ahead are played when their turn comes, and whoever gave them hears of it then, done or not. */
START_TEST(orders_given_ahead_are_told_when_they_are_played)
{
    static const char *const ahead[] = {"pass\n", "build fleet at s9\n"};
    for (size_t i = 0; i < sizeof ahead / sizeof *ahead; i++) {
        int posts[5];
        table_new_of(&t, ruleset_newest("galactic-supremacy"), "abc", 0);
        const int first = mover();
        for (int seat = 1; seat <= 3; seat++) {
            if (seat == first)
                continue;
            send(seat, ahead[i], posts);
            ck_assert_int_eq(posts[POST_RECEIPT], 1);
            ck_assert_int_eq(t.game.turn, 1);
        }
        send(first, "pass\n", posts);
        ck_assert_int_eq(t.game.turn, 4);
        ck_assert_int_eq(posts[POST_REPORT], 3);
        for (int seat = 1; seat <= 3; seat++)
            ck_assert_int_eq(t.game.seat[seat].told, t.game.turn);
        ck_told(1, "");
        ck_told(2, "");
        ck_told(3, "all");
        table_check_replay(&t);
        table_close(&t);
        table_open(&t);
    }
}
END_TEST

/* Attacked, and not to decide: who is attacked need not wait for their turn to hear of it. */
START_TEST(an_attack_is_told_at_once)
{
    int attacked = 0;
    table_new_of(&t, ruleset_newest("galactic-supremacy"), "abc", 0);
    for (int turn = 0; turn < 40 && !attacked; turn++) {
        const int seat = mover(), last = (seat + 1) % 3 + 1;
        char line[60];
        (void)snprintf(line, sizeof line, "build fleet at home\nattack p%d home with all\n", last);
        const bool armed = gs_player_const(t.game.state, seat)->fleet_count > 0;
        const int played = t.game.turn;
        send(seat, armed ? line : "build fleet at home\n", NULL);
        if (!armed || mover() == last)
            continue;
        attacked = last;
        ck_assert_int_eq(t.game.seat[last].told, t.game.turn);
        ck_told(played, "all");
    }
    ck_assert_int_ne(attacked, 0);
    table_check_replay(&t);
}
END_TEST

/* The record must name whoever has to decide. */
START_TEST(who_has_to_decide_is_named)
{
    struct err err = ERR_INIT;
    struct str journal = STR_INIT, bad = STR_INIT;
    struct slice rest, line;
    char path[200];
    table_new_of(&t, contract(), "arr", 0);
    send(1, "stay\n", NULL);
    ck_ok(store_read_with(t.store, "gc-1", (struct slice){NULL, 0}, &journal, &err), err);
    rest = slice_str(&journal);
    unsigned char head[HEAD_BYTES] = {0};
    int64_t seq = 0;
    while (slice_line(&rest, &line)) {
        struct record record;
        json_t *json = json_loadb(line.p, line.len, 0, NULL);
        static const char *const common[] = {"game", "seq", "prev", "type", "time"};
        int64_t time = 0;
        if (strcmp(json_string_value(json_object_get(json, "type")), "turn") == 0)
            json_object_set_new(json, "told", json_array());
        char type[12];
        (void)snprintf(type, sizeof type, "%s", json_string_value(json_object_get(json, "type")));
        ck_assert(clock_parse(slice_of(json_string_value(json_object_get(json, "time"))), &time));
        for (size_t i = 0; i < sizeof common / sizeof *common; i++)
            json_object_del(json, common[i]);
        ck_ok(
            record_make(&bad, &(struct record_text){{"gc-1", ++seq, head}, type, time, json}, &record, &err),
            err);
        memcpy(head, record.head, HEAD_BYTES);
        record_release(&record);
    }
    (void)snprintf(path, sizeof path, "%s/gc-1/journal.jsonl", t.dir);
    ck_ok(file_write(path, slice_str(&bad), 0600, &err), err);
    struct game again;
    ck_assert_int_ne(game_load(t.store, "gc-1", NULL, &again, &err), 0);
    ck_assert_msg(strstr(err.text, "somebody who has to be told of it is not"), "%s", err.text);
    str_release(&journal);
    str_release(&bad);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, open_table, close_table);
    tcase_add_test(tc, robots_turns_are_told_with_the_next_decision);
    tcase_add_test(tc, the_first_report_comes_alone);
    tcase_add_test(tc, own_lines_are_told_with_their_turn);
    tcase_add_test(tc, people_hear_when_they_decide_or_have_played);
    tcase_add_test(tc, a_missed_turn_is_told);
    tcase_add_test(tc, orders_given_ahead_are_told_when_they_are_played);
    tcase_add_test(tc, an_attack_is_told_at_once);
    tcase_add_test(tc, who_has_to_decide_is_named);
}

TEST_MAIN("play/told", cases)
