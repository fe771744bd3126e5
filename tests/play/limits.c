/* What players write is limited, and what is made of it is too: nothing that they may write keeps a turn from
 * being played or a mail from leaving. */
#include "house/house.h"

#include "petitions/petition.h"
#include "game/game_load.h"

#define DAY ((int64_t)86400)

static struct house house;
static const char *const names[] = {"anna", "bob", "carl", "dora"};
#define PLAYERS 4

static void begin(void)
{
    house_open(&house);
    house_option(&house, "[limits]", "press_size = 16K\npress_per_turn = 20");
    house_restart(&house);
    for (int i = 0; i < PLAYERS; i++)
        house_player(&house, names[i]);
    (void)house_signed(&house, "anna", "anna", "#turnpost prefs\nhtml: yes\n#end\n");
}

static void end(void)
{
    house_close(&house);
}

static void game_of(const char *id, bool press_report)
{
    house_game_of(&house,
                  (struct new_game){.id = id,
                                    .ruleset = ruleset_newest("galaxy-command"),
                                    .seats = PLAYERS,
                                    .turn_length = DAY,
                                    .press = PRESS_GREY,
                                    .press_report = press_report},
                  names);
    house_empty_spool(&house);
}

/* A text of that verb for gc-1 with this many lines, each of `width` characters that take the most room in a
 * page. */
static void write_much(struct str *out, const char *verb, const char *front, const char *each, int lines,
                       int width)
{
    str_clear(out);
    str_addf(out, "#turnpost %s\ngame: gc-1\nturn: 1\n%s", verb, front);
    for (int i = 0; i < lines; i++) {
        str_adds(out, each);
        for (int k = 0; k < width; k++)
            str_addc(out, "\"<&'>"[k % 5]);
        str_addc(out, '\n');
    }
    str_adds(out, "#end\n");
}

/* The largest file of the spool. */
static int64_t largest(void)
{
    struct err err = ERR_INIT;
    struct spool_list list;
    int64_t most = 0;
    ck_ok(spool_due(house.batch.spool, house.now, &list, &err), err);
    for (size_t i = 0; i < list.count; i++) {
        char *path = path_join(house.batch.spool, list.path[i]);
        most = file_size(path) > most ? file_size(path) : most;
        free(path);
    }
    spool_list_free(&list);
    return most;
}

/* Everybody writes as much as may be: in orders, in SAY, in messages. The turn is played, all reports leave,
 * and so do those of the other game. */
START_TEST(a_turn_full_of_words)
{
    struct str text = STR_INIT, front = STR_INIT, mails;
    game_of("gc-1", true);
    game_of("gc-2", false);
    for (int i = 0; i < PLAYERS; i++) {
        for (int number = 0; number < 20; number++) {
            str_clear(&front);
            str_addf(&front, "to: all\n# %d\n", number);
            write_much(&text, "press", front.p, "", 40, 780);
            (void)house_signed(&house, names[i], names[i], text.p);
        }
        write_much(&text, "orders", "bide\n", "say all ", 190, 270);
        (void)house_signed(&house, names[i], names[i], text.p);
        if (i < PLAYERS - 1)
            house_empty_spool(&house);
        ck_assert(i == PLAYERS - 1 || house_find(&house, "gc-1")->seat[i + 1].orders.in);
    }
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 2);
    house_clock(&house, house.now + DAY);
    ck_assert_int_eq(house_find(&house, "gc-2")->turn, 2);
    ck_assert_int_lt(largest(), 4 << 20);
    for (int i = 0; i < PLAYERS; i++) {
        ck_assert_int_ge(house_mails(&house, names[i], &mails), 1);
        ck_assert_msg(house_says(mails.p, "(turn 2: your orders)") &&
                          house_says(mails.p, "longer than 200 KB"),
                      "%s: no report that was shortened", names[i]);
        ck_assert_msg(house_says(mails.p, "[gc-2]"), "%s: no report of the other game", names[i]);
        str_release(&mails);
    }
    str_release(&text);
    str_release(&front);
}
END_TEST

/* ---- orders of a turn ---- */

static void order(int number, const char *lines)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost orders\ngame: gc-1\nturn: 1\n%s# %d\n#end\n", lines, number);
    (void)house_signed(&house, "anna", "anna", text.p);
    str_release(&text);
}

static const struct game_seat *seat_of_anna(void)
{
    return &house_find(&house, "gc-1")->seat[1];
}

/* What replay makes of the journal is what the game knows, and so is what the cache holds. */
static void counted(int texts)
{
    struct err err = ERR_INIT;
    struct game again;
    ck_assert_int_eq(seat_of_anna()->texts, texts);
    ck_ok(game_load(house.batch.store, "gc-1", NULL, &again, &err), err);
    ck_assert_int_eq(again.seat[1].texts, texts);
    ck_assert(again.seat[1].text_bytes == seat_of_anna()->text_bytes);
    game_release(&again);
    house_restart(&house);
    ck_assert_int_eq(seat_of_anna()->texts, texts);
}

START_TEST(fifty_texts_a_turn)
{
    struct str mails;
    game_of("gc-1", false);
    for (int number = 1; number <= ORDERS_TEXTS; number++) {
        order(number, "bide\n");
        ck_assert_int_eq(house_mails(&house, "anna", &mails), 1);
        ck_assert_msg(house_says(mails.p, "this receipt is a short one") == (number > RECEIPTS_WHOLE),
                      "%d: %s", number, mails.p);
        ck_assert_msg(house_says(mails.p, "that a seat may send for one turn, you have") ==
                          (number >= ORDERS_TEXTS - ORDERS_WARN),
                      "%d: %s", number, mails.p);
        str_release(&mails);
        house_empty_spool(&house);
    }
    int64_t record = seat_of_anna()->orders.record, seq = house_find(&house, "gc-1")->seq;
    counted(ORDERS_TEXTS);
    order(51, "explore near\n");
    house_told(&house, "anna", 1, "as many orders for turn 1 of game gc-1 as a seat may send");
    house_empty_spool(&house);
    order(52, "try\nexplore near\n");
    house_told(&house, "anna", 1, "A dry run");
    house_empty_spool(&house);
    ck_assert(seat_of_anna()->orders.in && seat_of_anna()->orders.record == record);
    ck_assert_int_eq(house_find(&house, "gc-1")->seq, seq);
    house_clock(&house, house.now + DAY);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 2);
    counted(0);
}
END_TEST

/* The limit is the league's, and none of the format: journals that hold more prove themselves (house_close). */
START_TEST(a_journal_may_hold_more)
{
    struct err err = ERR_INIT;
    struct game again;
    game_of("gc-1", false);
    for (int number = 1; number <= ORDERS_TEXTS + 10; number++) {
        house_find(&house, "gc-1")->seat[1].texts = 0;
        order(number, "bide\n");
    }
    ck_ok(game_load(house.batch.store, "gc-1", NULL, &again, &err), err);
    ck_assert_int_eq(again.seat[1].texts, ORDERS_TEXTS + 10);
    game_release(&again);
    house_clock(&house, house.now + DAY);
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 2);
}
END_TEST

/* Eight of the longest; what is made of them is far less, as their lines are quoted shortened. */
START_TEST(half_a_megabyte_a_turn)
{
    struct str text = STR_INIT, front = STR_INIT, mails;
    int taken = 0;
    game_of("gc-1", false);
    for (int number = 0; number < 10; number++) {
        str_clear(&front);
        str_addf(&front, "bide\n# %d\n", number);
        write_much(&text, "orders", front.p, "say all ", 190, 270);
        (void)house_signed(&house, "anna", "anna", text.p);
        ck_assert_int_eq(house_mails(&house, "anna", &mails), 1);
        bool refused = house_says(mails.p, "as many orders for turn 1");
        ck_assert(refused || house_says(mails.p, "and 131 more lines"));
        ck_assert(refused || house_says(mails.p, "\xE2\x80\xA6"));
        ck_assert_int_lt(largest(), (int64_t)text.len);
        taken += !refused;
        str_release(&mails);
        house_empty_spool(&house);
    }
    ck_assert_int_eq(taken, (int)(ORDERS_BYTES / (int64_t)text.len));
    counted(taken);
    str_release(&text);
    str_release(&front);
}
END_TEST

/* The one budget of answers: refusals are charged to it. */
START_TEST(refusals_are_counted)
{
    struct str mails;
    game_of("gc-1", false);
    house_option(&house, "[limits]", "replies_per_day = 3");
    house_restart(&house);
    for (int number = 1; number <= ORDERS_TEXTS; number++)
        order(number, "bide\n");
    house_empty_spool(&house);
    for (int number = 0; number < 9; number++)
        order(100 + number, "bide\n");
    ck_assert_int_le(house_mails(&house, "anna", &mails), 3);
    str_release(&mails);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, a_turn_full_of_words);
    tcase_add_test(tc, fifty_texts_a_turn);
    tcase_add_test(tc, a_journal_may_hold_more);
    tcase_add_test(tc, half_a_megabyte_a_turn);
    tcase_add_test(tc, refusals_are_counted);
}
TEST_MAIN("play/limits", cases)
