/* A game that stands still because its files are damaged: the moderators are told, once, whatever has found it. */
#include "batch/stuck.h"
#include "house/house.h"

#define DAY ((int64_t)86400)

static struct house house;
static struct str journal; /* as it should be */

static void begin(void)
{
    static const char *const pair[] = {"anna", "bob"};
    struct err err = ERR_INIT;
    house_open(&house);
    house_option(&house, "[league]", "moderators = carol");
    house_restart(&house);
    house_player(&house, "anna");
    house_player(&house, "bob");
    house_player(&house, "carol");
    house_game(&house, "gc-1", "galaxy-command", DAY, 2, pair);
    house_game(&house, "gc-2", "galaxy-command", DAY, 2, pair);
    house_empty_spool(&house);
    char *path = house_path(&house, "games/gc-1/journal.jsonl");
    str_init(&journal);
    ck_ok(file_read(path, 1 << 20, &journal, &err), err);
    free(path);
}

static void end(void)
{
    str_release(&journal);
    house_close(&house);
}

static void put(struct slice lines)
{
    struct err err = ERR_INIT;
    char *path = house_path(&house, "games/gc-1/journal.jsonl");
    house_end(&house);
    ck_ok(file_write(path, lines, 0644, &err), err);
    house_remove(&house, "games/gc-1/state.json");
    house_begin(&house);
    free(path);
}

/* Before the clock does. */
static void by_a_start(void)
{
    house_end(&house);
    house_remove_catalog(&house);
    house_begin(&house);
}

/* How often the moderator is told so, since the last time. */
static int told(void)
{
    struct str mails;
    int times = 0;
    (void)house_mails(&house, "carol", &mails);
    for (const char *at = mails.p; (at = strstr(at, "Subject: [gc-1] stands still")) != NULL; at++)
        times++;
    str_release(&mails);
    house_empty_spool(&house);
    return times;
}

/* Found by the clock, or by a start; and when it happens again they are told again. */
START_TEST(moderators_are_told_once)
{
    const int64_t deadline = house_find(&house, "gc-1")->clock.deadline;
    for (int time = 1; time <= 2; time++) {
        put(slice_of("damaged\n"));
        if (_i == 1 || time == 2)
            by_a_start();
        house_clock(&house, deadline + (2 * time - 1) * 3600);
        ck_assert_int_eq(told(), 1);
        house_clock(&house, house.now + 900);
        house_restart(&house);
        house_clock(&house, house.now + 900);
        ck_assert_int_eq(told(), 0);
        put(slice_str(&journal));
        house_clock(&house, house.now + 900);
        ck_assert_int_eq(told(), 0);
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_loop_test(tc, moderators_are_told_once, 0, 2);
}
TEST_MAIN("batch/stuck", cases)
