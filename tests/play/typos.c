/* Orders with a wrong line keep their turn open until better ones come, and good ones for second thoughts: what
 * counts as wrong, when the turn is played, what the player is told. Every game is audited at the end. */
#include "play/typos.h"

#include "base/json.h"
#include "house/clock.h"

#define MINUTE ((int64_t)60)

static void open_house(void)
{
    begin();
    house.typo_wait = true;
    clock_of.length = 0;
}

/* The game with the one player anna and a robot, without deadlines. */
static struct game *against_a_robot(const char *ruleset)
{
    static const char *const names[] = {"anna", "robot"};
    house_game(&house, "gc-1", ruleset, clock_of.length, 2, names);
    house_empty_spool(&house);
    return game_now();
}

static void send(const char *name, const char *fields, const char *lines)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost orders\ngame: gc-1\nturn: %d\n%s%s#end\n", game_now()->turn, fields, lines);
    (void)house_signed(&house, name, name, text.p);
    str_release(&text);
}

/* The last record of that type: has it `waits`? */
static bool waits(const char *type)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    struct slice rest, line;
    bool found = false;
    ck_ok(store_read(house.batch.store, "gc-1", STORE_BEGIN, &lines, &err), err);
    for (rest = slice_str(&lines); slice_line(&rest, &line);) {
        struct record record;
        ck_ok(record_parse((struct slice){line.p, line.len + 1}, &record, &err), err);
        if (strcmp(record.type, type) == 0)
            found = json_is_true(json_object_get(record.json, "waits"));
        record_release(&record);
    }
    str_release(&lines);
    return found;
}

#define ck_turn(n) ck_assert_int_eq(game_now()->turn, n)

/* ---- what the player meets ---- */

START_TEST(the_turn_waits_for_a_correction)
{
    (void)against_a_robot("galaxy-command");
    send("anna", "", "conqer N1\nbuild\n");
    ck_turn(1);
    ck_assert(waits("orders"));
    ck_assert_uint_eq(game_missing(game_now()), 0);
    ck_assert_uint_eq(game_unsettled(game_now()), SEAT_BIT(1));
    ck_assert_int_eq(row_due(), 0); /* nothing but anna ends it */
    told("anna", 1, "1. conqer N1: cannot work");
    told("anna", 1, "no order \"conqer\" in this game");
    told("anna", 1, "\"final: yes\"");
    told_all("anna", 1, "one needs a fix");
    house_clock(&house, HOUSE_NOON + 30 * DAY);
    ck_turn(1);
    house_restart(&house);
    send("anna", "", "explore near or bide\n");
    ck_assert(!waits("orders"));
    ck_turn(2);
    told("anna", 1, "WHAT HAPPENED IN TURN 1");
    check_replay();
}
END_TEST

START_TEST(final_orders_are_played_as_they_are)
{
    (void)against_a_robot("galaxy-command");
    send("anna", "", "conqer N1\nbide\n");
    ck_turn(1);
    send("anna", "final: yes\n", "conqer N1\nbide\n");
    ck_assert(!waits("orders"));
    ck_turn(2);
    send("anna", "final: yes\n", "conqer N1\nbide\n");
    ck_turn(3);
    check_replay();
}
END_TEST

/* Does the answer to a trial say that the turn would wait? */
static bool would_wait(const char *fields, const char *lines)
{
    struct str mails;
    send("anna", fields, lines);
    ck_assert_int_eq(house_mails(&house, "anna", &mails), 1);
    ck_assert_ptr_nonnull(strstr(mails.p, "A dry run"));
    bool said = strstr(mails.p, "would keep the turn open") != NULL;
    str_release(&mails);
    house_empty_spool(&house);
    return said;
}

START_TEST(a_trial_says_that_the_turn_would_wait)
{
    (void)against_a_robot("galaxy-command");
    ck_assert(would_wait("", "try\nconqer N1\nbide\n"));
    ck_assert(would_wait("", "try\nconquer F1\nconquer F2\n"));
    ck_assert(!would_wait("final: yes\n", "try\nconqer N1\nbide\n"));
    ck_assert(!would_wait("", "try\nbide\n"));
    ck_turn(1);
    ck_assert(!game_now()->seat[1].orders.in);
}
END_TEST

START_TEST(the_deadline_plays_what_is_there)
{
    clock_of.length = 3 * DAY;
    clock_of.grace = DAY;
    (void)against_a_robot("galaxy-command");
    send("anna", "", "conqer N1\nbide\n");
    ck_turn(1);
    told_all("anna", 1, "waits for you to send your orders again until its deadline");
    house_clock(&house, HOUSE_NOON + 3 * DAY - 1); /* nobody is missing: no grace */
    told_all("anna", 1, "Your orders for turn 1 need a fix, anna.");
    ck_turn(1);
    house_clock(&house, HOUSE_NOON + 3 * DAY);
    ck_turn(2);
    ck_assert_int_eq(game_now()->seat[1].missed, 0);
    told("anna", 1, "no order \"conqer\" in this game");
    check_replay();
}
END_TEST

START_TEST(several_people_without_a_deadline_wait_for_a_day)
{
    (void)new_game(2);
    send("anna", "", "conqer N1\nbide\n");
    told_all("anna", 1, "waits for you to send your orders again until");
    house.now += 20 * HOUR;
    send("anna", "", "conqer N2\nbide\n"); /* the first one counts */
    send("bob", "", "bide\n");
    ck_turn(1);
    told_all("bob", 1, "waits for anna to finish their orders");
    ck_assert_int_eq(row_due(), HOUSE_NOON + DAY);
    house_clock(&house, HOUSE_NOON + DAY - 1);
    ck_turn(1);
    house_clock(&house, HOUSE_NOON + DAY);
    ck_turn(2);
    ck_assert_int_eq(game_now()->seat[1].missed, 0);
    check_replay();
}
END_TEST

/* Good orders in between do not start the day again. */
START_TEST(nobody_waits_longer_by_sending_more)
{
    (void)new_game(2);
    send("anna", "", "conqer N1\nbide\n");
    house.now += HOUR;
    send("anna", "", "bide\n");
    house.now += 30 * HOUR;
    send("anna", "", "conqer N3\nbide\n");
    ck_assert(waits("orders"));
    send("bob", "", "bide\n");
    ck_turn(2);
    check_replay();
}
END_TEST

START_TEST(a_game_that_does_not_wait)
{
    house.typo_wait = false;
    (void)against_a_robot("galaxy-command");
    send("anna", "", "conqer N1\nbide\n");
    ck_assert(!waits("orders"));
    ck_turn(2);
}
END_TEST

/* The line is where whoever has written the orders to the end thinks of it. */
START_TEST(final_in_the_last_line)
{
    (void)against_a_robot("galaxy-command");
    send("anna", "", "conqer N1\nbide\nfinal: maybe\n");
    told("anna", 1, "it takes yes or no");
    ck_turn(1);
    send("anna", "", "conqer N1\nbide\nfinal: yes\n");
    ck_assert(!waits("orders"));
    ck_turn(2);
    check_replay();
}
END_TEST

/* Orders that ';' divides have one number, and a letter each. */
START_TEST(divided_lines_are_told_apart)
{
    (void)against_a_robot("galaxy-command");
    send("anna", "", "bide; conqer N1; biuld\nresaerch x\n");
    told("anna", 1, "1b. conqer N1");
    told("anna", 1, "1c. biuld");
    told("anna", 1, "2. resaerch x");
    ck_turn(1);
}
END_TEST

/* ---- which lines are wrong ---- */

static const struct {
    const char *lines;
    bool waits;
} texts[] = {
    {"bide\n", false},
    {"conquer N1\nbide\n", true}, /* understood, and refused */
    {"conqer N1 or bide\nbide\n", true},
    {"conquer N1 or bide\n", false},         /* the second alternative */
    {"bide or conquer N1\n", false},         /* the second one is not tried */
    {"repeat explore near\n", false},        /* it ends with a refusal */
    {"if metal >= 30 build\nbide\n", false}, /* skipped */
    {"always bide bananas\nbide\n", false},  /* for another time */
    {"when attaked defend\nbide\n", false},
    {"alwys bide\nbide\n", true},
    {"always bananas\nbide\n", false},
    {"auto\nconqer N1\n", false}, /* a robot writes the orders */
    {"say robot bananas\nbide\n", false},
    {"if metal >= 30\nconqer N1\nendif\nbide\n", true}, /* a broken block is carried out in no case */
};

START_TEST(wrong_lines)
{
    (void)against_a_robot("galaxy-command");
    send("anna", "", texts[_i].lines);
    ck_assert_msg(waits("orders") == texts[_i].waits, "%s", texts[_i].lines);
    ck_turn(texts[_i].waits ? 1 : 2);
    check_replay();
}
END_TEST

START_TEST(who_resigns_does_not_wait)
{
    (void)new_game(2);
    send("anna", "", "resign\nconqer N1\n");
    ck_assert(!waits("orders"));
    send("bob", "", "bide\n");
    ck_turn(2);
}
END_TEST

/* Texts with short receipts are not tried; what was not understood counts all the same. */
START_TEST(the_eleventh_text)
{
    (void)against_a_robot("galaxy-command");
    for (int i = 0; i < RECEIPTS_WHOLE; i++) {
        struct str lines = STR_INIT;
        str_addf(&lines, "conqer N%d\nbide\n", i + 1);
        send("anna", "", lines.p);
        str_release(&lines);
    }
    house_empty_spool(&house);
    send("anna", "", "conqer N77\nbide\n");
    ck_turn(1);
    told("anna", 1, "FIX THIS LINE");
    send("anna", "", "build\nbide\n");
    ck_turn(2);
    check_replay();
}
END_TEST

/* Nobody could send better ones: the game would stand still for ever. */
START_TEST(the_last_text_of_a_turn)
{
    (void)against_a_robot("galaxy-command");
    for (int i = 0; i < ORDERS_TEXTS; i++) {
        struct str lines = STR_INIT;
        ck_turn(1);
        str_addf(&lines, "conqer N%d\nbide\n", i + 1);
        send("anna", "", lines.p);
        str_release(&lines);
        house_empty_spool(&house);
    }
    ck_turn(2);
    struct str much = STR_INIT;
    for (int i = 0; i < 300; i++)
        str_adds(
            &much,
            "# remark remark remark remark remark remark remark remark remark remark remark remark remark "
            "remark remark remark remark remark remark remark remark remark remark\n");
    str_adds(&much, "conqer N1\nbide\n");
    for (int i = 1; game_now()->turn == 2; i++) {
        ck_assert_int_le(i, (int)(ORDERS_BYTES / (int64_t)much.len));
        send("anna", "", much.p);
        str_adds(&much, "bide\n");
        house_empty_spool(&house);
    }
    check_replay();
    str_release(&much);
}
END_TEST

/* ---- others who act ---- */

START_TEST(a_moderator_sets_orders_or_plays)
{
    (void)new_game(2);
    send("anna", "", "conqer N1\nbide\n");
    send("bob", "", "bide\n");
    ck_turn(1);
    house_rules(&house, "gc-1", "do: orders anna\nreason: She asked.\n\nconquer N1\nbide\n");
    ck_turn(2);
    send("anna", "", "conqer N1\nbide\n");
    send("bob", "", "bide\n");
    ck_turn(2);
    house_rules(&house, "gc-1", "do: resolve\nreason: We go on.\n");
    ck_turn(3);
    send("anna", "", "conqer N1\nbide\n");
    send("bob", "", "bide\n");
    ck_turn(3);
    house_rules(&house, "gc-1", "do: replace anna robot\nreason: She is gone.\n");
    ck_turn(4);
    check_replay();
}
END_TEST

START_TEST(pause_and_rollback)
{
    (void)new_game(2);
    send("anna", "", "conqer N1\nbide\n");
    send("bob", "", "bide\n");
    house_clock(&house, HOUSE_NOON + DAY);
    ck_turn(2);
    house_rules(&house, "gc-1", "do: rollback turn 1\nreason: It was a typo.\n");
    ck_turn(1);
    house_clock(&house, HOUSE_NOON + 5 * DAY);
    ck_turn(1);
    house_rules(&house, "gc-1", "do: pause\nreason: Wait.\n");
    house_rules(&house, "gc-1", "do: resume\nreason: Go on.\n");
    send("anna", "", "conqer N1\nbide\nbide\n");
    send("bob", "", "bide\nbide\n");
    ck_turn(1);
    house_clock(&house, HOUSE_NOON + 6 * DAY);
    ck_turn(2);
    check_replay();
}
END_TEST

/* ---- several turns in one mail ---- */

START_TEST(later_orders_are_judged_when_their_turn_opens)
{
    static const char *const alone[] = {"anna"};
    house_game(&house, "gc-1", "galaxy-command", 0, 1, alone);
    house_empty_spool(&house);
    send("anna", "", "bide\nturn 2\nconqer N1\nbide\nturn 3\nbide\n");
    ck_turn(2);
    ck_assert(!waits("orders"));
    ck_assert(waits("turn"));
    told("anna", 1, "FIX THIS LINE");
    told_all("anna", 1, "no order \"conqer\" in this game");
    check_replay();
    send("anna", "", "bide\nturn 3\nbide\n");
    ck_turn(4);
    ck_assert(!waits("turn"));
    send("anna", "final: yes\n", "bide\nturn 5\nconqer N1\nbide\n");
    ck_turn(6);
    check_replay();
}
END_TEST

/* ---- orders that come before their turn ---- */

START_TEST(early_orders_wait_for_what_was_not_understood)
{
    static const char *const names[] = {"anna", "bob"};
    house_game(&house, "gc-1", "galactic-supremacy", 0, 2, names);
    house_empty_spool(&house);
    uint32_t awaited = game_awaited(game_now());
    int first = awaited & SEAT_BIT(1) ? 1 : 2;
    const char *now = names[first - 1], *later = names[2 - first];
    send(later, "", "attack S99 with all\npass\n"); /* nobody can tell yet */
    ck_assert(!waits("orders"));
    send(later, "", "atack S99\npass\n");
    ck_assert(waits("orders"));
    told_all(later, 2, "When your turn comes, it waits for you to correct the line");
    send(now, "", "pass\n");
    while (game_awaited(game_now()) & SEAT_BIT(first))
        send(now, "", "pass\n");
    ck_assert_uint_eq(game_awaited(game_now()), SEAT_BIT(3 - first));
    ck_assert_uint_eq(game_unsettled(game_now()), SEAT_BIT(3 - first));
    told(later, 1, "FIX THIS LINE");
    int turn = game_now()->turn;
    house_clock(&house, HOUSE_NOON + DAY - 1);
    ck_turn(turn);
    house_clock(&house, HOUSE_NOON + DAY);
    ck_assert_int_gt(game_now()->turn, turn);
    check_replay();
}
END_TEST

/* ---- second thoughts ---- */

START_TEST(second_thoughts)
{
    house.second_thoughts = 30 * MINUTE;
    (void)against_a_robot("galaxy-command");
    send("anna", "", "bide\n");
    ck_turn(1);
    told_all("anna", 1, "unless other orders come before that");
    ck_assert_int_eq(row_due(), HOUSE_NOON + 30 * MINUTE);
    house.now += 20 * MINUTE;
    send("anna", "", "explore near or bide\n"); /* the time is not renewed */
    house_restart(&house);
    house_clock(&house, HOUSE_NOON + 30 * MINUTE - 1);
    ck_turn(1);
    house_clock(&house, HOUSE_NOON + 30 * MINUTE);
    ck_turn(2);
    house_empty_spool(&house);
    send("anna", "", "conqer N1\nbide\n"); /* not complete: the time begins with the correction */
    house.now += 50 * MINUTE;
    send("anna", "", "explore near or bide\n");
    ck_turn(2);
    ck_assert_int_eq(row_due(), HOUSE_NOON + 110 * MINUTE);
    send("anna", "final: yes\n", "bide\n"); /* no second thoughts */
    ck_turn(3);
    check_replay();
}
END_TEST

START_TEST(second_thoughts_of_several)
{
    house.second_thoughts = 30 * MINUTE;
    clock_of.length = HOUR;
    (void)new_game(2);
    send("anna", "", "bide\n");
    told_all("anna", 1, "You can have second thoughts");
    house.now += 45 * MINUTE;
    send("bob", "", "bide\n");
    ck_turn(1);
    house_clock(&house, HOUSE_NOON + HOUR); /* the deadline comes first */
    ck_turn(2);
    check_replay();
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, open_house, end);
    tcase_add_test(tc, the_turn_waits_for_a_correction);
    tcase_add_test(tc, final_orders_are_played_as_they_are);
    tcase_add_test(tc, a_trial_says_that_the_turn_would_wait);
    tcase_add_test(tc, the_deadline_plays_what_is_there);
    tcase_add_test(tc, several_people_without_a_deadline_wait_for_a_day);
    tcase_add_test(tc, nobody_waits_longer_by_sending_more);
    tcase_add_test(tc, a_game_that_does_not_wait);
    tcase_add_test(tc, final_in_the_last_line);
    tcase_add_test(tc, divided_lines_are_told_apart);
    tcase_add_loop_test(tc, wrong_lines, 0, sizeof texts / sizeof *texts);
    tcase_add_test(tc, who_resigns_does_not_wait);
    tcase_add_test(tc, the_eleventh_text);
    tcase_add_test(tc, the_last_text_of_a_turn);
    tcase_add_test(tc, a_moderator_sets_orders_or_plays);
    tcase_add_test(tc, pause_and_rollback);
    tcase_add_test(tc, later_orders_are_judged_when_their_turn_opens);
    tcase_add_test(tc, early_orders_wait_for_what_was_not_understood);
    tcase_add_test(tc, second_thoughts);
    tcase_add_test(tc, second_thoughts_of_several);
}
TEST_MAIN("play/typos", cases)
