/* Competitions as they are made: names that games and competitions share, calendars by the clock on the wall, and the
 * season that comes after one by itself. */
#include "house/compete.h"

#include "base/clock.h"
#include "batch/making.h"
#include "batch/season.h"

static struct house house;
static const char *const people[] = {"anna", "bob", "carol", "dora"};

static void begin(void)
{
    house_open(&house);
    house_compete_words(&house);
    for (int i = 0; i < 4; i++)
        house_player(&house, people[i]);
}

static void end(void)
{
    house_close(&house);
}

static struct competition *named(const char *name)
{
    return house_competition(&house, name);
}

static void live(int64_t until)
{
    while (house.now < until)
        house_work(&house, house.now + 2 * DAY_SECONDS < until ? house.now + 2 * DAY_SECONDS : until);
}

/* ---- names ---- */

START_TEST(counted_up)
{
    static const char *const names[][2] = {{"spring", "spring-2"},
                                           {"spring-2", "spring-3"},
                                           {"s1", "s2"},
                                           {"s9", "s10"},
                                           {"2026", "2026-2"},
                                           {"abcdefghijklmnop", "abcdefghijklmn-2"},
                                           {"abcdefghijklmno9", "abcdefghijklmn10"}};
    char next[COMPETE_NAME];
    season_count_up(next, names[_i][0]);
    ck_assert_str_eq(next, names[_i][1]);
}
END_TEST

static bool game_may_be(const char *name)
{
    struct err err = ERR_INIT;
    return making_name(&house.batch, name, &err) == 0;
}

static bool competition_may_be(const char *name)
{
    struct err err = ERR_INIT;
    return season_name(&house.batch, name, &err) == 0;
}

START_TEST(names_are_shared)
{
    house_compete(&house, "cup", "galactic-contract", 1, (struct new_competition){.seats = 2});
    ck_assert(!game_may_be("cup"));
    ck_assert(!game_may_be("cup.1.1"));
    ck_assert(!game_may_be("cup.x"));
    ck_assert(game_may_be("cups"));
    ck_assert(game_may_be("cups.1"));
    ck_assert(game_may_be("a.cup"));
    ck_assert(!competition_may_be("cup"));
    ck_assert(!competition_may_be("results"));
    ck_assert(!competition_may_be("registry"));
    ck_assert(!competition_may_be("cup.1"));
    ck_assert(!competition_may_be("seventeen-letters"));
    ck_assert(competition_may_be("sixteen--letters"));
}
END_TEST

/* ---- the clock on the wall ---- */

START_TEST(hours_stay)
{
    struct err err = ERR_INIT;
    const struct zone *zone = zones_find(&house.batch.zones, "Europe/Berlin", &err);
    int64_t before = 0, after = 0;
    ck_assert(clock_parse(slice_of("2026-03-28T11:00:00Z"), &before)); /* the day before summer time */
    ck_assert(clock_parse(slice_of("2026-03-29T10:00:00Z"), &after));
    ck_assert_int_eq(season_later(zone, before, DAY_SECONDS), after);
    ck_assert_int_eq(season_later(zone, before, 3600), before + 3600);
    ck_assert_int_eq(season_later(NULL, before, DAY_SECONDS), before + DAY_SECONDS);
}
END_TEST

/* ---- the season after one ---- */

/* A round of the cup, to its end. */
static void play(void)
{
    house_compete(&house, "cup", "galactic-contract", 1,
                  (struct new_competition){.seats = 2, .next = 6 * HOUSE_WEEK});
    for (int i = 0; i < 4; i++)
        house_entry(&house, "cup", "enter", people[i]);
    live(named("cup")->rounds[0].end + named("cup")->terms.protest);
}

START_TEST(it_comes_by_itself)
{
    play();
    const struct competition *old = named("cup"), *next = named("cup-2");
    ck_assert_int_eq(next->seq, 1);
    ck_assert_int_eq(next->rounds[0].draw, old->rounds[0].end + 6 * HOUSE_WEEK);
    ck_assert_int_eq(next->rounds[0].end - next->rounds[0].draw, old->rounds[0].end - old->rounds[0].draw);
    ck_assert_int_eq(next->rounds[0].draw - next->terms.entries_until,
                     old->rounds[0].draw - old->terms.entries_until);
    ck_assert_int_eq(next->terms.next, old->terms.next);
    ck_assert_int_eq(next->options[0], 1);
    ck_assert_str_eq(json_string_value(json_object_get(next->create, "previous")), "cup");
    ck_assert_mem_ne(next->keys.nonce, old->keys.nonce, 32);
    ck_assert_int_eq(house_mails_with(&house, "is the season after it"), 4);
}
END_TEST

/* Whatever is read anew, it comes once. */
START_TEST(it_comes_once)
{
    play();
    house_restart(&house);
    house_work(&house, house.now + 60);
    char *state = house_path(&house, "competitions/cup/state.json");
    ck_assert_int_eq(remove(state), 0);
    free(state);
    house_restart(&house);
    house_work(&house, house.now + 60);
    ck_assert(!competing_has(&house.batch, "cup-3"));
    ck_assert_int_eq(named("cup-2")->seq, 1);
}
END_TEST

START_TEST(it_takes_a_free_name)
{
    house_compete(&house, "cup-2", "galactic-contract", 1, (struct new_competition){.seats = 2});
    play();
    ck_assert_str_eq(json_string_value(json_object_get(named("cup-3")->create, "previous")), "cup");
}
END_TEST

/* Divisions end when everybody has met everybody, whatever rounds were planned, and the next season has their places. */
START_TEST(divisions_go_on)
{
    house_compete(
        &house, "cup", "galactic-contract", 5,
        (struct new_competition){
            .kind = COMPETE_DIVISIONS, .seats = 2, .next = 6 * HOUSE_WEEK, .promote = 1, .division_size = 4});
    for (int i = 0; i < 4; i++)
        house_entry(&house, "cup", "enter", people[i]);
    live(named("cup")->rounds[2].end + named("cup")->terms.protest - 1);
    ck_assert(!named("cup")->closed);
    live(named("cup")->rounds[2].end + named("cup")->terms.protest);
    ck_assert(named("cup")->closed);
    ck_assert_int_eq(named("cup")->round, 3);
    const json_t *divisions = json_object_get(named("cup-2")->create, "divisions");
    ck_assert_uint_eq(json_array_size(divisions), 1);
    ck_assert_uint_eq(json_array_size(json_array_get(divisions, 0)), 4);
}
END_TEST

/* A season in which nobody played is the last one. */
START_TEST(nobody_played)
{
    house_compete(&house, "cup", "galactic-contract", 1,
                  (struct new_competition){.seats = 2, .next = 6 * HOUSE_WEEK});
    live(named("cup")->rounds[0].draw + DAY_SECONDS);
    ck_assert(named("cup")->closed);
    ck_assert(!competing_has(&house.batch, "cup-2"));
}
END_TEST

/* A journal that cannot be read may be the next season: none is made until that is known. */
START_TEST(one_cannot_be_read)
{
    house_compete(&house, "other", "galactic-contract", 1, (struct new_competition){.seats = 2});
    char *path = house_path(&house, "competitions/other/journal.jsonl");
    struct err err = ERR_INIT;
    ck_ok(file_write_soft(path, slice_of("{}\n"), 0644, &err), err);
    house_restart(&house);
    play();
    ck_assert(!competing_has(&house.batch, "cup-2"));
    ck_assert_int_eq(remove(path), 0);
    free(path);
    house_remove(&house, "registry/competitions/other.json"); /* it is not missed */
    house_restart(&house);
    house_work(&house, house.now + 60);
    ck_assert(competing_has(&house.batch, "cup-2"));
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_loop_test(tc, counted_up, 0, 7);
    tcase_add_test(tc, names_are_shared);
    tcase_add_test(tc, hours_stay);
    tcase_add_test(tc, it_comes_by_itself);
    tcase_add_test(tc, it_comes_once);
    tcase_add_test(tc, it_takes_a_free_name);
    tcase_add_test(tc, divisions_go_on);
    tcase_add_test(tc, nobody_played);
    tcase_add_test(tc, one_cannot_be_read);
}
TEST_MAIN("batch/season", cases)
