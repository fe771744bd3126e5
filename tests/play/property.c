/* Random games of every ruleset through the engine: orders good and bad, early, late and twice, clocks that
 * jump. Whatever comes, the journal alone gives the same game, with and without the cache. */
#include "house/table.h"

#include <stdio.h>
#include <time.h>

#include "base/mem.h"

static struct table t;
static uint64_t seed;

static uint32_t roll(uint32_t n)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(seed >> 33) % n;
}

static void open_table(void)
{
    table_open(&t);
    seed = luck_seed(0);
}

static void close_table(void)
{
    table_close(&t);
}

/* What a player might write: the robot's orders, some of them, or things that make no sense. */
static void random_lines(struct str *out, int seat)
{
    static const char *const odd[] = {"frobnicate the widget",
                                      "if turn >= 2",
                                      "endif",
                                      "say all hello",
                                      "always auto",
                                      "cancel all",
                                      "auto",
                                      "pass",
                                      "when attacked defend all",
                                      "repeat 3 pass",
                                      "turn 999"};
    struct str robot = STR_INIT;
    if (t.game.ruleset->awaits(t.game.state) & SEAT_BIT(seat))
        t.game.ruleset->robot(t.game.cards, t.game.state, seat, &robot);
    struct slice rest = slice_str(&robot);
    struct slice line;
    while (slice_line(&rest, &line)) {
        if (roll(8) == 0)
            str_addf(out, "%s\n", odd[roll(sizeof odd / sizeof *odd - 1)]);
        if (roll(6) == 0)
            continue;
        str_addslice(out, line);
        str_addc(out, '\n');
    }
    if (roll(40) == 0)
        str_adds(out, "turn 999\n");
    if (!out->len)
        str_adds(out, "pass\n");
    for (int turn = t.game.turn + 1; roll(6) == 0; turn++) /* in solo games orders for several turns */
        str_addf(out, "turn %d\n%s\n", turn, odd[roll(sizeof odd / sizeof *odd - 1)]);
    str_release(&robot);
}

static void random_orders(int64_t now)
{
    struct str lines = STR_INIT, fields = STR_INIT;
    int seat = 1 + (int)roll((uint32_t)t.game.seats);
    if (t.game.seat[seat].robot)
        return;
    str_addf(&fields, "turn: %d\n", roll(12) ? t.game.turn : (int)roll(20));
    if (roll(5) == 0)
        str_addf(&fields, "seq: %u\n", 1 + roll(4));
    if (roll(6) == 0)
        str_adds(&fields, roll(2) ? "wait: yes\n" : "final: yes\n");
    random_lines(&lines, seat);
    int64_t before = t.game.seq;
    enum orders_fate fate = table_send(&t, seat, fields.p, lines.p, now, NULL);
    if (fate != ORDERS_TAKEN)
        ck_assert_int_eq(t.game.seq, before);
    if (fate == ORDERS_TAKEN && roll(4) == 0) { /* the same mail once more */
        before = t.game.seq;
        t.mails--;
        fate = table_send(&t, seat, fields.p, lines.p, now, NULL);
        ck_assert_msg(fate != ORDERS_TAKEN, "the same mail was taken up twice");
        ck_assert_int_eq(t.game.seq, before);
    }
    str_release(&lines);
    str_release(&fields);
}

START_TEST(replay_equals_run)
{
    static const char *const tables[] = {"a", "ab", "abr", "abcr", "rr"};
    const struct ruleset *ruleset = NULL;
    int count = 0;
    while (rulesets[count])
        count++;
    if (_i >= count)
        return;
    ruleset = rulesets[_i];
    for (size_t n = 0, fit = 0; n < sizeof tables / sizeof *tables; n++) {
        int seats = (int)strlen(tables[n]);
        if (seats < ruleset->seats_min || seats > ruleset->seats_max)
            continue;
        if (FEW && fit++ && (int)fit % 2 == _i % 2) /* the first, and every other one */
            continue;
        int64_t now = NOON;
        printf("%s %s SEED=%llu\n", ruleset->name, tables[n], (unsigned long long)luck_number);
        t.typo_wait = roll(2);
        t.second_thoughts = roll(2) ? 900 : 0;
        table_new_of(&t, ruleset, tables[n], roll(3) ? 3600 : 0);
        for (int i = 0; i < (FEW ? 30 : 60) && !t.game.over; i++) {
            now += roll(3) ? (int64_t)roll(1200) : (int64_t)roll(20000) - 8000;
            if (roll(4) == 0)
                table_clock(&t, now);
            else
                random_orders(now);
            struct err err = ERR_INIT;
            if (ruleset->check)
                ck_ok(ruleset->check(t.game.cards, t.game.state, &err), err);
        }
        table_check_replay(&t);
        table_close(&t);
        uint64_t kept = seed;
        table_open(&t);
        seed = kept;
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, open_table, close_table);
    tcase_add_loop_test(tc, replay_equals_run, 0, 8);
}
TEST_MAIN("play/property", cases)
