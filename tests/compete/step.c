/* Random competitions of all kinds: what the league has in memory is what its journal says, after each record; and the
 * table depends on nothing but the results. */
#include "compete/season.h"

static struct season f;

static void done(void)
{
    season_close(&f);
}

/* A player of any fate. */
static const char *somebody(char name[PLAYER_NAME], int most)
{
    season_name(name, season_dice(&f, most));
    return name;
}

/* People come and go as they like; what is refused changes nothing. */
static void stir(int times, int most)
{
    static const char *const types[] = {"enter", "enter", "withdraw", "confirm"};
    for (int i = 0; i < times; i++) {
        struct err why = ERR_INIT;
        char name[PLAYER_NAME];
        const char *type = types[season_dice(&f, 4)];
        bool wrong = compete_entry_wrong(&f.c, type, somebody(name, most), NULL, f.now) != NULL;
        ck_assert_int_eq(season_try(&f, type, name, &why) != 0, wrong);
        f.now += season_dice(&f, 3600);
    }
}

static void rule(int most)
{
    struct err why = ERR_INIT;
    char name[PLAYER_NAME];
    bool removes = season_dice(&f, 2) == 0;
    json_t *fields = json_pack("{s:s,s:s,s:s}", "do", removes ? "remove" : "points", "player",
                               somebody(name, most), "reason", "It had to be.");
    if (!removes)
        json_object_set_new(fields, "halves", json_integer(season_dice(&f, 9) - 4));
    bool known = competition_entrant(&f.c, name) != NULL;
    ck_assert_int_eq(season_adjust(&f, fields, &why) == 0, known);
}

/* A moderator's ranks for a table. */
static void rank_table(const struct compete_table *table)
{
    int rank[SEATS_MAX + 1];
    json_t *ranks = json_array();
    struct err err = ERR_INIT;
    season_ranks(&f, table->seats, rank);
    for (int seat = 1; seat <= table->seats; seat++)
        json_array_append_new(ranks, json_integer(rank[seat]));
    ck_ok(season_adjust(&f,
                        json_pack("{s:s,s:s,s:i,s:i,s:o}", "do", "rank", "reason", "A word.", "round",
                                  table->round, "table", table->number, "ranks", ranks),
                        &err),
          err);
}

/* The results of a round: most games end, some are void, some outlast it; a moderator changes one. */
static void play_round(void)
{
    const struct compete_round *round = &f.c.rounds[f.c.round - 1];
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < round->count; i++) {
            const struct compete_table *table = &f.c.tables[round->first + i];
            struct compete_outcome outcome = season_outcome(&f, table);
            if (table->fate != TABLE_PLAYS || (pass == 0 && season_dice(&f, 3) == 0))
                continue;
            if (pass) {
                compete_tie(&outcome, table);
            } else if (season_dice(&f, 8) == 0) {
                outcome.voided = true;
            } else if (season_dice(&f, 4) == 0) {
                season_leaves(&outcome, 1 + season_dice(&f, table->seats), table->seats);
            }
            for (int seat = 1; seat <= table->seats && outcome.voided; seat++)
                outcome.rank[seat] = 1;
            if (pass && f.c.terms.adjudge == ADJUDGE_MODERATOR) {
                rank_table(table);
                continue;
            }
            f.now += season_dice(&f, 60);
            season_result(&f, &outcome);
        }
        if (f.now < round->end)
            f.now = round->end;
        if (f.c.kind == COMPETE_DUPLICATE)
            f.now += pass == 0 ? COMPETE_PATIENCE : 0;
    }
    if (!round->count || f.c.kind == COMPETE_DUPLICATE || season_dice(&f, 2))
        return;
    rank_table(&f.c.tables[round->first + (size_t)season_dice(&f, (int)round->count)]);
}

/* The next thing that is due, as compete_due says it. */
static void play_on(int most)
{
    int64_t when;
    while (!f.c.closed) {
        switch (compete_due(&f.c, f.now, &when)) {
        case COMPETE_FIXES:
        case COMPETE_LACKS: ck_abort_msg("it has no witnesses");
        case COMPETE_DRAWS: season_draw(&f); break;
        case COMPETE_MAKES: season_make(&f, 1 + (size_t)season_dice(&f, 3)); break;
        case COMPETE_PLAYS:
        case COMPETE_ENDS: play_round(); break;
        case COMPETE_FIELDS: season_field(&f); break;
        case COMPETE_CLOSES: season_end(&f); break;
        case COMPETE_WAITS:
            ck_assert_int_gt(when, f.now);
            stir(season_dice(&f, 4), most);
            if (season_dice(&f, 3) == 0)
                rule(most);
            f.now = f.now + (when - f.now) / (1 + season_dice(&f, 3));
            f.now += f.now < when;
            break;
        }
        season_same(&f);
    }
}

START_TEST(a_random_competition_is_its_journal)
{
    static const enum compete_kind kinds[] = {COMPETE_TABLES, COMPETE_DIVISIONS, COMPETE_TABLES,
                                              COMPETE_DUPLICATE};
    const enum compete_kind kind = kinds[_i % 4];
    const bool deals = kind == COMPETE_DUPLICATE;
    season_open(&f, (uint64_t)_i + 1);
    const int seats = deals                       ? 1
                      : kind == COMPETE_DIVISIONS ? 2
                                                  : 2 + season_dice(&f, 3),
              most = 4 + season_dice(&f, 16);
    struct new_competition how = season_plan(kind, seats);
    how.most = season_dice(&f, 2) ? 0 : most - 1;
    how.adjudge = deals || season_dice(&f, 2) ? ADJUDGE_TIE : ADJUDGE_MODERATOR;
    how.bye = deals ? 0 : season_dice(&f, 4);
    how.walkover = season_dice(&f, 4);
    how.field = deals ? season_dice(&f, 3) : 0;
    how.rated = season_dice(&f, 2) != 0;
    if (season_dice(&f, 2))
        how.confirm_until = f.now + 2 * SEASON_WEEK;
    season_new(&f, how, 1 + season_dice(&f, 6));
    season_same(&f);
    stir(most, most);
    for (int i = 0; i < most; i++) { /* most of them are in the end */
        struct err why = ERR_INIT;
        char name[PLAYER_NAME];
        season_name(name, i);
        if (season_try(&f, "enter", name, &why) == 0 && how.confirm_until && season_dice(&f, 5))
            season_do(&f, "confirm", name);
    }
    season_same(&f);
    play_on(most);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, NULL, done);
    tcase_add_loop_test(tc, a_random_competition_is_its_journal, 0, FEW ? 8 : 60);
}

TEST_MAIN_TOGETHER("compete/step", cases)
