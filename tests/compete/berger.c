/* Berger tables: those that are published, and what they are for. */
#include "suite.h"

#include <stdbool.h>
#include <string.h>

#include "compete/berger.h"

static void is_round(unsigned players, unsigned number, const char *want)
{
    const struct berger_round round = berger_round(players, number);
    struct str text = STR_INIT;
    for (size_t i = 0; i < round.count; i++)
        str_addf(&text, "%s%u-%u", i ? " " : "", round.games[i].first, round.games[i].second);
    ck_assert_str_eq(text.p, want);
    str_release(&text);
}

START_TEST(published_tables)
{
    static const char *const four[] = {"1-4 2-3", "4-3 1-2", "2-4 3-1"};
    static const char *const six[] = {"1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3",
                                      "3-6 4-2 5-1"};
    static const char *const eight[] = {"1-8 2-7 3-6 4-5", "8-5 6-4 7-3 1-2", "2-8 3-1 4-7 5-6",
                                        "8-6 7-5 1-4 2-3", "3-8 4-2 5-1 6-7", "8-7 1-6 2-5 3-4",
                                        "4-8 5-3 6-2 7-1"};
    for (unsigned i = 0; i < 3; i++)
        is_round(4, i + 1, four[i]);
    for (unsigned i = 0; i < 5; i++)
        is_round(6, i + 1, six[i]);
    for (unsigned i = 0; i < 7; i++)
        is_round(8, i + 1, eight[i]);
    is_round(2, 1, "1-2");
    is_round(7, 2, "6-4 7-3 1-2");
    ck_assert_uint_eq(berger_round(7, 2).bye, 5);
}
END_TEST

START_TEST(everybody_meets_everybody_once)
{
    for (unsigned players = 2; players <= BERGER_MOST; players++) {
        unsigned met[BERGER_MOST + 1][BERGER_MOST + 1] = {{0}}, first[BERGER_MOST + 1] = {0};
        unsigned byes[BERGER_MOST + 1] = {0};
        for (unsigned r = 1; r <= berger_rounds(players); r++) {
            const struct berger_round round = berger_round(players, r);
            bool busy[BERGER_MOST + 1] = {false};
            ck_assert_uint_eq(round.count, players / 2);
            for (size_t i = 0; i < round.count; i++) {
                const struct berger_game game = round.games[i];
                ck_assert(!busy[game.first] && !busy[game.second]);
                busy[game.first] = busy[game.second] = true;
                met[game.first][game.second]++;
                first[game.first]++;
            }
            ck_assert(round.bye == 0 || !busy[round.bye]);
            byes[round.bye]++;
        }
        for (unsigned a = 1; a <= players; a++) {
            const unsigned games = players - 1;
            ck_assert_uint_eq(byes[a], players % 2);
            ck_assert(first[a] == games / 2 || first[a] == games - games / 2);
            for (unsigned b = 1; b < a; b++)
                ck_assert_uint_eq(met[a][b] + met[b][a], 1);
        }
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, published_tables);
    tcase_add_test(tc, everybody_meets_everybody_once);
}
TEST_MAIN("compete/berger", cases)
