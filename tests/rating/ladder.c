#include "suite.h"

#include "base/file.h"
#include "rating/ladder.h"
#include "rating/machine/random.h"

#define DAY INT64_C(86400)

static struct ladder_seat player(const char *name, int rank)
{
    return (struct ladder_seat){.player = name, .rank = rank};
}

static struct ladder_seat robot_as(const struct rating *anchor, int rank)
{
    return (struct ladder_seat){.anchor = anchor, .rank = rank};
}

static bool add(struct ladder *ladder, int64_t time, const struct ladder_seat *seats, size_t count)
{
    return ladder_add(ladder, &(struct ladder_game){time, seats, count});
}

static struct ladder_row row_of(const struct ladder *ladder, int64_t now, const char *name)
{
    struct ladder_row rows[99];
    ladder_list(ladder, now, LADDER_PROVISIONAL, rows);
    for (size_t i = 0; i < ladder->count; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i];
    ck_abort_msg("%s is not in the list", name);
}

START_TEST(a_first_game)
{
    struct ladder ladder = {NULL, 0, 0};
    const struct ladder_seat seats[] = {player("zoe", 1), player("adam", 2)};
    ck_assert_ptr_null(ladder_find(&ladder, "zoe"));
    ck_assert(add(&ladder, 5 * DAY, seats, 2));
    struct ladder_row rows[2];
    ladder_list(&ladder, 5 * DAY, 2, rows);
    ck_assert_str_eq(rows[0].name, "zoe");
    ck_assert_int_eq(rows[0].figures.mu, 27635231);
    ck_assert_int_eq(rows[0].figures.shown, 27635231 - 3 * 8065506);
    ck_assert_int_eq(rows[0].last, 5 * DAY);
    ck_assert_int_eq(rows[0].games, 1);
    ck_assert(rows[0].provisional);
    ck_assert_str_eq(rows[1].name, "adam");
    ladder_list(&ladder, 5 * DAY, 1, rows);
    ck_assert(!rows[0].provisional);
    ladder_release(&ladder);
}
END_TEST

START_TEST(what_is_not_rated_changes_nothing)
{
    struct ladder ladder = {NULL, 0, 0};
    const struct rating robot = {20 * FIXED_ONE, FIXED_ONE};
    const struct ladder_seat alone[] = {player("anna", 1), robot_as(&robot, 2), robot_as(&robot, 3)};
    const struct ladder_seat uncounted[] = {player("anna", 1), player("bert", 0), robot_as(&robot, 3)};
    const struct ladder_seat twice[] = {player("anna", 1), player("bert", 2), player("anna", 3)};
    struct ladder_seat many[RATING_SEATS_MOST + 1];
    for (int i = 0; i <= RATING_SEATS_MOST; i++)
        many[i] = robot_as(&robot, 3);
    many[0] = player("anna", 1);
    many[1] = player("bert", 1);
    ck_assert(!add(&ladder, 0, alone, 3));
    ck_assert(!add(&ladder, 0, uncounted, 3));
    ck_assert(!add(&ladder, 0, twice, 3));
    ck_assert(!add(&ladder, 0, many, RATING_SEATS_MOST + 1));
    ck_assert(!add(&ladder, 0, NULL, 0));
    ck_assert_uint_eq(ladder.count, 0);
    const struct ladder_seat once[] = {player("anna", 1), player("bert", 2), player("anna", 0)};
    const struct ladder_seat again[] = {player("anna", 0), player("bert", 2), player("anna", 1)};
    ck_assert(add(&ladder, 0, once, 3) && add(&ladder, 0, again, 3));
    ck_assert(add(&ladder, 0, many, RATING_SEATS_MOST));
    many[2].rank = 0; /* and one who is left out makes room for another */
    ck_assert(add(&ladder, 0, many, RATING_SEATS_MOST + 1));
    ladder_release(&ladder);
}
END_TEST

/* Seats that are left out might as well not have been at the table; a robot with a rating is part of it. */
START_TEST(seats_that_are_left_out)
{
    struct ladder with = {NULL, 0, 0}, without = {NULL, 0, 0}, robots = {NULL, 0, 0};
    const struct rating robot = {20 * FIXED_ONE, FIXED_ONE};
    const struct ladder_seat seats[] = {player("sub", 0), player("anna", 2), robot_as(NULL, 1),
                                        robot_as(&robot, 0), player("bert", 3)};
    const struct ladder_seat two[] = {player("anna", 1), player("bert", 2)};
    const struct ladder_seat three[] = {player("anna", 1), player("bert", 2), robot_as(&robot, 2)};
    ck_assert(add(&with, 0, seats, 5) && add(&without, 0, two, 2) && add(&robots, 0, three, 3));
    ck_assert_uint_eq(with.count, 2);
    ck_assert_ptr_null(ladder_find(&with, "sub"));
    const struct rating *a = &ladder_find(&with, "anna")->rating, *b = &ladder_find(&without, "anna")->rating;
    ck_assert_mem_eq(a, b, sizeof *a);
    ck_assert_int_ne(a->mu, ladder_find(&robots, "anna")->rating.mu);
    ck_assert_uint_eq(robots.count, 2);
    ladder_release(&with);
    ladder_release(&without);
    ladder_release(&robots);
}
END_TEST

START_TEST(a_long_absence)
{
    struct ladder ladder = {NULL, 0, 0};
    const struct ladder_seat seats[] = {player("anna", 1), player("bert", 2)};
    for (int i = 0; i < 300; i++)
        ck_assert(add(&ladder, i * DAY, seats, 2));
    const int64_t last = 299 * DAY;
    struct ladder_row fresh = row_of(&ladder, last, "anna"),
                      later = row_of(&ladder, last + 365 * DAY, "anna");
    ck_assert_int_eq(row_of(&ladder, last + 180 * DAY, "anna").figures.sigma, fresh.figures.sigma);
    ck_assert_int_eq(row_of(&ladder, 0, "anna").figures.sigma,
                     fresh.figures.sigma); /* a time before: nothing */
    ck_assert_int_gt(later.figures.sigma, fresh.figures.sigma);
    ck_assert_int_eq(later.figures.mu, fresh.figures.mu);
    ck_assert_int_eq(row_of(&ladder, last, "anna").figures.sigma,
                     fresh.figures.sigma); /* lists change nothing */
    struct rating_seat table[2] = {{ladder_find(&ladder, "anna")->rating, 1, false},
                                   {ladder_find(&ladder, "bert")->rating, 2, false}};
    rating_idle(&table[0].rating, 365 * DAY);
    rating_idle(&table[1].rating, 365 * DAY);
    rating_game(table, 2);
    ck_assert(add(&ladder, last + 365 * DAY, seats, 2));
    ck_assert_mem_eq(&ladder_find(&ladder, "anna")->rating, &table[0].rating, sizeof table[0].rating);
    ck_assert(add(&ladder, 0, seats, 2)); /* a game that is entered late: the latest time stays */
    ck_assert_int_eq(ladder_find(&ladder, "anna")->last, last + 365 * DAY);
    ck_assert_int_eq(ladder_find(&ladder, "anna")->games, 302);
    ladder_release(&ladder);
}
END_TEST

START_TEST(equal_figures_are_listed_by_name)
{
    struct ladder ladder = {NULL, 0, 0};
    const struct ladder_seat seats[] = {player("carl", 1), player("Zoe", 1), player("bert", 1),
                                        player("anna", 1)};
    static const char *const want[] = {"Zoe", "anna", "bert", "carl"};
    struct ladder_row rows[4];
    ck_assert(add(&ladder, 0, seats, 4));
    ladder_list(&ladder, 0, 1, rows);
    for (int i = 0; i < 4; i++)
        ck_assert_str_eq(rows[i].name, want[i]);
    ladder_release(&ladder);
}
END_TEST

/* The list after random games, as a file has it; with the seats of each game turned around, too. */
static void check_random(bool turned)
{
    static struct random_games games;
    struct ladder ladder = {NULL, 0, 0};
    struct ladder_row rows[RANDOM_PEOPLE];
    struct str got = STR_INIT, want = STR_INIT;
    struct err err = ERR_INIT;
    int rated = 0;
    random_begin(&games);
    for (int i = 0; i < RANDOM_GAMES; i++) {
        struct ladder_seat seats[RANDOM_SEATS];
        const struct ladder_game game = random_game(&games);
        for (size_t s = 0; s < game.count; s++)
            seats[s] = game.seats[turned ? game.count - 1 - s : s];
        rated += add(&ladder, game.time, seats, game.count);
    }
    ladder_list(&ladder, games.time + 365 * DAY, LADDER_PROVISIONAL, rows);
    for (size_t i = 0; i < ladder.count; i++) {
        char line[RANDOM_LINE];
        size_t len = random_line(line, &ladder, &rows[i]);
        str_add(&got, line, len);
    }
    str_addf(&got, "rated %d of %d games\n", rated, RANDOM_GAMES);
    ck_ok(file_read("tests/golden/rating/random.txt", 100000, &want, &err), err);
    ck_assert_str_eq(got.p, want.p);
    str_release(&got);
    str_release(&want);
    ladder_release(&ladder);
}

START_TEST(two_thousand_games)
{
    check_random(_i == 1);
}
END_TEST

START_TEST(thousands_of_players)
{
    struct ladder ladder = {NULL, 0, 0};
    enum { COUNT = 10000 };
    for (int i = 0; i < COUNT; i++) {
        char a[16], b[16];
        (void)snprintf(a, sizeof a, "p%d", i);
        (void)snprintf(b, sizeof b, "p%d", i * 7919 % COUNT);
        const struct ladder_seat seats[] = {player(a, 1), player(b, 2)};
        ck_assert(add(&ladder, i, seats, 2) == (strcmp(a, b) != 0));
    }
    for (size_t i = 1; i < ladder.count; i++)
        ck_assert_int_lt(strcmp(ladder.players[i - 1]->name, ladder.players[i]->name), 0);
    struct ladder_row *rows = calloc(ladder.count, sizeof *rows);
    ladder_list(&ladder, COUNT, 1, rows);
    for (size_t i = 1; i < ladder.count; i++)
        ck_assert_int_ge(rows[i - 1].figures.shown, rows[i].figures.shown);
    free(rows);
    ladder_release(&ladder);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, a_first_game);
    tcase_add_test(tc, what_is_not_rated_changes_nothing);
    tcase_add_test(tc, seats_that_are_left_out);
    tcase_add_test(tc, a_long_absence);
    tcase_add_test(tc, equal_figures_are_listed_by_name);
    tcase_add_loop_test(tc, two_thousand_games, 0, 2);
    tcase_add_test(tc, thousands_of_players);
}
TEST_MAIN_TOGETHER("rating/ladder", cases)
