/* Walk-overs: what it is worth that an opponent in a division has gone before they met. */
#include "compete/season.h"

#include "compete/walkover.h"

#define BYE  1 /* halves; neither is what a game gives */
#define OVER 5

static struct season f;

static void done(void)
{
    season_close(&f);
}

static void play_round(void)
{
    season_draw(&f);
    season_make(&f, 100);
    season_play(&f);
}

/* A division of so many in which somebody goes after the first round, more than a day before the next draw. */
static void play_division(int players, const char *goes, bool removed)
{
    struct new_competition how = season_plan(COMPETE_DIVISIONS, 2);
    struct err err = ERR_INIT;
    season_open(&f, 3);
    how.bye = BYE;
    how.walkover = OVER;
    how.division_size = players;
    season_new(&f, how, 7);
    season_enter(&f, 0, players);
    play_round();
    if (removed)
        ck_ok(season_adjust(
                  &f, json_pack("{s:s,s:s,s:s}", "do", "remove", "player", goes, "reason", "It had to be."),
                  &err),
              err);
    else
        season_do(&f, "withdraw", goes);
    while (compete_due(&f.c, INT64_MAX, &(int64_t){0}) == COMPETE_DRAWS)
        play_round();
    season_end(&f);
    season_same(&f);
}

/* What a player has from games, and against whom they had none. */
static int64_t expected(const char *player, const char *goes)
{
    int64_t halves = 0;
    bool met = strcmp(player, goes) == 0;
    int games = 0;
    for (size_t i = 0; i < f.c.table_count; i++) {
        const struct compete_table *table = &f.c.tables[i];
        int seat = compete_seat_of(table, player);
        if (!seat)
            continue;
        halves += 1 + table->rank[3 - seat] - table->rank[seat];
        met |= compete_seat_of(table, goes) != 0;
        games++;
    }
    if (!met)
        halves += OVER;
    if (strcmp(player, goes) != 0 && games + !met < f.c.round)
        halves += BYE; /* of an odd number */
    return halves;
}

/* An even number of players, an odd one; who goes withdraws, or is removed: what they have played counts as it was, whom they
 * have not met gets what `create` says, and whoever is left over by the tables what it says of a bye. */
START_TEST(walkovers)
{
    const int players = _i % 2 ? 5 : 6;
    const bool removed = _i >= 2;
    static const char goes[] = "p0002";
    struct ranking ranking;
    int over = 0;
    play_division(players, goes, removed);
    ranking_make(&ranking, &f.c);
    ck_assert_uint_eq(ranking.count, (size_t)players - removed);
    for (size_t i = 0; i < ranking.count; i++)
        if (strcmp(ranking.rows[i].name, goes) != 0)
            ck_assert_int_eq(ranking.rows[i].points, expected(ranking.rows[i].name, goes));
    ranking_release(&ranking);
    for (int round = 1; round <= f.c.round; round++)
        for (size_t i = 0; i < f.c.rounds[round - 1].bye_count; i++) {
            const char *player = f.c.rounds[round - 1].byes[i], *whom = walkover_of(&f.c, round, player);
            ck_assert(!whom || strcmp(whom, goes) == 0);
            ck_assert_int_eq(walkover_points(&f.c, round, player), whom ? OVER : BYE);
            over += whom != NULL;
        }
    bool bye = players % 2 && walkover_of(&f.c, 1, goes) == NULL && f.c.rounds[0].bye_count &&
               strcmp(f.c.rounds[0].byes[0], goes) == 0;
    ck_assert_int_eq(over, players - 2 + bye);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, NULL, done);
    tcase_add_loop_test(tc, walkovers, 0, 4);
}

TEST_MAIN_TOGETHER("compete/walkover", cases)
