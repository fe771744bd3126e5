/* Draws follow from the entries in force and nothing else: not from their order, their times, or what came and went in
 * between. */
#include "compete/season.h"

static struct season f, g;

static void done(void)
{
    season_close(&f);
    season_close(&g);
}

static void new_one(struct season *one, uint64_t seed, enum compete_kind kind, int seats)
{
    season_open(one, seed);
    season_new(one, season_plan(kind, seats), 3);
}

static void same_round(int round)
{
    const struct compete_round *a = &f.c.rounds[round - 1], *b = &g.c.rounds[round - 1];
    ck_assert_mem_eq(a->digest, b->digest, 32);
    ck_assert_uint_eq(a->count, b->count);
    for (size_t i = 0; i < a->count; i++)
        for (int seat = 1; seat <= f.c.tables[a->first + i].seats; seat++)
            ck_assert_str_eq(f.c.tables[a->first + i].player[seat], g.c.tables[b->first + i].player[seat]);
}

/* Enters 0..count-1 in an order of lots, at other times, with detours. */
static void enter_shuffled(struct season *s, int count)
{
    int order[64];
    char name[PLAYER_NAME];
    for (int i = 0; i < count; i++)
        order[i] = i;
    for (int i = count - 1; i > 0; i--) {
        int other = season_dice(s, i + 1), kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
    for (int i = 0; i < count; i++) {
        season_name(name, order[i]);
        s->now += season_dice(s, 1000);
        season_do(s, "enter", name);
        if (season_dice(s, 4) == 0) {
            season_do(s, "withdraw", name);
            season_do(s, "enter", name);
        }
        if (season_dice(s, 5) == 0) {
            season_name(name, 50 + i);
            season_do(s, "enter", name);
            season_do(s, "withdraw", name);
        }
    }
}

START_TEST(the_order_of_entries_changes_nothing)
{
    const enum compete_kind kind = _i % 2 ? COMPETE_DIVISIONS : COMPETE_TABLES;
    const int seats = kind == COMPETE_DIVISIONS ? 2 : 2 + _i / 2 % 3, count = 5 + _i;
    new_one(&f, 1, kind, seats);
    new_one(&g, (uint64_t)_i + 2, kind, seats);
    season_enter(&f, 0, count);
    enter_shuffled(&g, count);
    season_draw(&f);
    g.now = f.now + 5 * 3600; /* the service was busy */
    season_draw(&g);
    same_round(1);
}
END_TEST

/* The results of both, that of g in another order and at other times: the same table, and the same next round. */
START_TEST(the_order_of_results_changes_nothing)
{
    unsigned char one[32], two[32];
    const int seats = 2 + _i % 3;
    new_one(&f, 1, COMPETE_TABLES, seats);
    new_one(&g, 2, COMPETE_TABLES, seats);
    season_enter(&f, 0, 13);
    season_enter(&g, 0, 13);
    for (int round = 1; round <= 3; round++) {
        season_draw(&f);
        season_draw(&g);
        season_make(&f, 100);
        season_make(&g, 2);
        same_round(round);
        const struct compete_round *tables = &g.c.rounds[round - 1];
        struct compete_outcome outcome[16];
        for (size_t i = 0; i < tables->count; i++) {
            outcome[i] = season_outcome(&f, &f.c.tables[tables->first + i]);
            season_result(&f, &outcome[i]);
        }
        for (size_t i = 0; i < tables->count; i++) {
            g.now += season_dice(&g, 5000);
            season_result(&g, &outcome[tables->count - 1 - i]);
        }
        season_digest(one, &f.c);
        season_digest(two, &g.c);
        ck_assert_mem_eq(one, two, 32);
    }
    season_end(&f);
    season_end(&g);
}
END_TEST

/* Another text of one player, another nonce of the competition, another name: another draw. */
START_TEST(each_entry_counts)
{
    struct str first = STR_INIT, second = STR_INIT;
    new_one(&f, 1, COMPETE_TABLES, 2);
    season_enter(&f, 0, 9);
    compete_alpha(&first, &f.c, 1, 1);
    competition_entrant(&f.c, "p0004")->mark[31] ^= 1;
    compete_alpha(&second, &f.c, 1, 1);
    ck_assert_mem_ne(first.p, second.p, first.len);
    ck_assert_uint_eq(first.len, second.len);
    ck_assert_uint_eq(first.len, sizeof "turnpost/pairing" + 32 + 4 + strlen("spring") + 3 * 4 + 9 * 32);
    str_clear(&second);
    compete_alpha(&second, &f.c, 2, 1);
    ck_assert_mem_ne(first.p, second.p, first.len);
    str_release(&first);
    str_release(&second);
    season_open(&g, 1);
}
END_TEST

/* A day before each draw its players are fixed: whoever leaves later, or is removed, is drawn, so that there is no
 * choice between two draws; of the next round they are not. */
START_TEST(who_leaves_in_the_last_day_is_drawn)
{
    const enum compete_kind kind = _i == 0 ? COMPETE_DIVISIONS : COMPETE_TABLES;
    struct err err = ERR_INIT;
    new_one(&f, 1, kind, _i ? 1 + _i : 2);
    new_one(&g, 2, kind, _i ? 1 + _i : 2);
    season_enter(&f, 0, 11);
    season_enter(&g, 0, 11);
    for (int round = 1; round <= 2; round++) {
        struct compete_outcome outcome[16];
        const char *left = round == 1 ? "p0003" : "p0007", *removed = round == 1 ? "p0004" : "p0008";
        g.now = g.c.rounds[round - 1].draw - DAY_SECONDS;
        season_do(&g, "withdraw", left);
        ck_ok(season_adjust(&g, json_pack("{s:s,s:s,s:s}", "do", "remove", "player", removed, "reason", "r"),
                            &err),
              err);
        season_draw(&f);
        season_draw(&g);
        same_round(round);
        const struct compete_table *table = competition_table_of(&g.c, round, left);
        ck_assert(!table || table->gone & SEAT_BIT(compete_seat_of(table, left)));
        season_do(&f, "withdraw", left);
        ck_ok(season_adjust(&f, json_pack("{s:s,s:s,s:s}", "do", "remove", "player", removed, "reason", "r"),
                            &err),
              err);
        season_make(&f, 100);
        season_make(&g, 100);
        const struct compete_round *tables = &f.c.rounds[round - 1];
        for (size_t i = 0; i < tables->count; i++) {
            outcome[i] = season_outcome(&f, &f.c.tables[tables->first + i]);
            season_result(&f, &outcome[i]);
            season_result(&g, &outcome[i]);
        }
    }
    season_draw(&f);
    ck_assert_ptr_null(competition_table_of(&f.c, 3, "p0007"));
    season_same(&g);
}
END_TEST

/* What is dealt is as unknown as who sits where when `create` is made: it follows from the entries, too. */
START_TEST(deals_follow_from_the_entries)
{
    struct str first = STR_INIT, second = STR_INIT;
    new_one(&f, 1, COMPETE_TABLES, 2);
    new_one(&g, 1, COMPETE_TABLES, 2);
    season_enter(&f, 0, 9);
    season_enter(&g, 0, 8);
    ck_assert_mem_eq(f.c.keys.nonce, g.c.keys.nonce, 32);
    season_draw(&f);
    season_draw(&g);
    compete_table_alpha(&first, &f.c, 1, 1);
    compete_table_alpha(&second, &g.c, 1, 1);
    ck_assert_uint_eq(first.len, second.len);
    ck_assert_mem_ne(first.p, second.p, first.len);
    str_release(&first);
    str_release(&second);
}
END_TEST

/* Nobody sits twice, everybody who is in sits or has a bye, and who is not in does not. */
static void check_seats(const struct season *s)
{
    const struct compete_round *round = &s->c.rounds[s->c.round - 1];
    for (size_t i = 0; i < s->c.entrant_count; i++) {
        const struct entrant *entrant = &s->c.entrants[i];
        size_t places = 0;
        for (size_t k = 0; k < round->count; k++)
            places += compete_seat_of(&s->c.tables[round->first + k], entrant->name) != 0;
        for (size_t k = 0; k < round->bye_count; k++)
            places += strcmp(round->byes[k], entrant->name) == 0;
        ck_assert_uint_eq(places, entrant_plays(&s->c, entrant) ? 1 : 0);
    }
}

START_TEST(everybody_has_a_place)
{
    new_one(&f, (uint64_t)_i + 1, COMPETE_TABLES, 2 + _i % 3);
    season_enter(&f, 0, 4 + _i);
    for (int round = 1; round <= 3; round++) {
        char name[PLAYER_NAME];
        season_draw(&f);
        check_seats(&f);
        season_make(&f, 100);
        season_play(&f);
        if (round < 3) {
            season_name(name, 30 + round);
            season_do(&f, "enter", name);
            season_do(&f, "withdraw", f.c.tables[f.c.table_count - 1].player[1]);
        }
    }
    season_open(&g, 1);
}
END_TEST

/* ---- sizes ---- */

/* A hundred games of the most seats, with the longest names, are one record. */
START_TEST(the_longest_names_fit)
{
    const struct ruleset *rules[] = {ruleset_newest("galaxy-command"), ruleset_newest("galactic-supremacy"),
                                     ruleset_newest("galactic-contract")};
    int seats = 0;
    season_open(&g, 1);
    season_open(&f, 1);
    struct new_competition how = season_plan(COMPETE_TABLES, 2);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i]->seats_max > seats) {
            seats = rules[i]->seats_max;
            how.ruleset = rules[i];
        }
    for (int i = 0; i < GAME_OPTIONS && how.ruleset->options[i].name; i++)
        how.options[i] = how.ruleset->options[i].initial;
    how.seats = seats;
    how.name = "a-name-of-16-let";
    ck_assert_uint_eq(strlen(how.name), COMPETE_NAME - 1);
    season_new(&f, how, 1);
    for (int i = 0; i < 100 * seats; i++) {
        char name[PLAYER_NAME + 20];
        (void)snprintf(name, sizeof name, "%04d-the-longest-name-that-there-can-be-in-a-league", i);
        name[PLAYER_NAME - 1] = '\0';
        season_do(&f, "enter", name);
    }
    season_draw(&f);
    ck_assert_uint_eq(f.c.rounds[0].count, 100);
    season_make(&f, COMPETE_MADE);
    season_play(&f);
    season_end(&f);
    season_same(&f);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, NULL, done);
    tcase_add_loop_test(tc, the_order_of_entries_changes_nothing, 0, FEW ? 6 : 16);
    tcase_add_loop_test(tc, the_order_of_results_changes_nothing, 0, 3);
    tcase_add_test(tc, each_entry_counts);
    tcase_add_loop_test(tc, who_leaves_in_the_last_day_is_drawn, 0, 4);
    tcase_add_test(tc, deals_follow_from_the_entries);
    tcase_add_loop_test(tc, everybody_has_a_place, 0, FEW ? 6 : 18);
    tcase_add_test(tc, the_longest_names_fit);
}

TEST_MAIN_TOGETHER("compete/draw", cases)
