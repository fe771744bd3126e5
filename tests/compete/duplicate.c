/* Duplicate deals: one deal for all, sealed until it is over, and a table that anybody can compute again. */
#include "compete/season.h"

#include "compete/apply.h"
#include "compete/duplicate.h"
#include "compete/field.h"

#include "base/json.h"

static struct season f, g;

static void done(void)
{
    season_close(&f);
    season_close(&g);
}

static void begin(struct season *s, uint64_t seed, int players, int rounds)
{
    season_open(s, seed);
    season_new(s, season_plan(COMPETE_DUPLICATE, 1), rounds);
    season_enter(s, 0, players);
}

/* The deal of a round is drawn, and made into games. */
static void deal(struct season *s)
{
    season_draw(s);
    season_make(s, 3);
}

static struct compete_table *table_of(struct season *s, const char *player)
{
    return competition_table_of(&s->c, s->c.round, player);
}

/* What one player's game brings; `left`: a robot has it at the end. */
static void score(struct season *s, const char *player, int points, bool left)
{
    struct compete_outcome outcome = season_outcome(s, table_of(s, player));
    if (s->now < s->c.rounds[s->c.round - 1].end)
        s->now = s->c.rounds[s->c.round - 1].end;
    outcome.points[1] = points;
    outcome.left = left ? SEAT_BIT(1) : 0;
    season_result(s, &outcome);
}

static int refused(struct season *s, const struct compete_outcome *outcome, struct err *err)
{
    struct compete_step step;
    season_step(s, &step);
    err_clear(err);
    int rc = compete_result(&step, &s->c, outcome, err);
    compete_step_release(&step);
    return rc;
}

/* ---- the draw ---- */

START_TEST(everybody_plays_the_same_deal_alone)
{
    struct err err = ERR_INIT;
    struct compete_step step;
    unsigned char proof[2][VRF_PROOF], nonce[2][SEAL_NONCE], first[SEAL_NONCE];
    begin(&f, 1, 9, 2);
    for (int round = 1; round <= 2; round++) {
        deal(&f);
        ck_assert_uint_eq(f.c.rounds[round - 1].count, 9);
        ck_assert_uint_eq(f.c.rounds[round - 1].bye_count, 0);
        season_step(&f, &step);
        for (int table = 1; table <= 9; table++) {
            const struct compete_table *one = competition_table(&f.c, round, table);
            ck_assert_int_eq(one->seats, 1);
            ck_assert_ptr_eq(one, table_of(&f, one->player[1])); /* nobody has two */
            ck_ok(compete_prove_table(&step, &f.c, round, table, proof[table > 1], nonce[table > 1], &err),
                  err);
        }
        compete_step_release(&step);
        ck_assert_mem_eq(nonce[0], nonce[1], SEAL_NONCE);
        ck_assert_mem_eq(proof[0], proof[1], VRF_PROOF);
        if (round == 2)
            ck_assert_mem_ne(first, nonce[0], SEAL_NONCE);
        memcpy(first, nonce[0], SEAL_NONCE);
        season_play(&f);
        season_field(&f);
    }
    season_same(&f);
}
END_TEST

START_TEST(a_deal_opens_at_a_full_hour)
{
    begin(&f, 2, 4, 2);
    season_draw(&f);
    const struct compete_round *round = &f.c.rounds[0];
    ck_assert_int_eq(round->opens, round->draw + HOUR_SECONDS); /* it is drawn at noon */
    ck_assert_int_eq(round->end, round->opens + SEASON_WEEK);
    ck_assert_int_eq(compete_opens(round->draw + 45 * 60), round->draw + HOUR_SECONDS);
    ck_assert_int_eq(compete_opens(round->draw + 45 * 60 + 1), round->draw + 2 * HOUR_SECONDS);
    season_make(&f, 100);
    season_play(&f);
    season_field(&f);
    f.now = f.c.rounds[1].draw + 2 * DAY_SECONDS + 7; /* late: it keeps its length */
    season_draw(&f);
    ck_assert_int_eq(f.c.rounds[1].opens, f.c.rounds[1].draw + 2 * DAY_SECONDS + HOUR_SECONDS);
    ck_assert_int_eq(f.c.rounds[1].end, f.c.rounds[1].opens + SEASON_WEEK);
    season_same(&f);
}
END_TEST

START_TEST(two_at_least_play)
{
    int64_t when;
    begin(&f, 3, 1, 1);
    f.now = f.c.rounds[0].draw;
    ck_assert_int_eq(compete_due(&f.c, f.now, &when), COMPETE_CLOSES);
    season_end(&f);
    season_same(&f);
}
END_TEST

/* ---- sealed ---- */

START_TEST(nothing_is_known_before_it_is_over)
{
    struct err err = ERR_INIT;
    int64_t when;
    begin(&f, 4, 3, 1);
    deal(&f);
    const struct compete_round *round = &f.c.rounds[0];
    struct compete_outcome outcome = season_outcome(&f, competition_table(&f.c, 1, 1));
    f.now = round->end - 1;
    ck_assert_int_eq(compete_due(&f.c, f.now, &when), COMPETE_WAITS);
    ck_assert_int_eq(when, round->end);
    ck_assert_int_ne(refused(&f, &outcome, &err), 0);
    ck_assert_ptr_nonnull(strstr(err.text, "sealed until its round is over"));
    f.now = round->end;
    ck_assert_int_eq(compete_due(&f.c, f.now, &when), COMPETE_PLAYS);
    season_result(&f, &outcome);
    /* A game that does not end is waited for, but not for ever. */
    compete_tie(&outcome, competition_table(&f.c, 1, 2));
    f.now = round->end + COMPETE_PATIENCE - 1;
    ck_assert_int_eq(compete_due(&f.c, f.now, &when), COMPETE_PLAYS);
    ck_assert_int_eq(when, round->end + COMPETE_PATIENCE);
    ck_assert_int_ne(refused(&f, &outcome, &err), 0);
    f.now++;
    ck_assert_int_eq(compete_due(&f.c, f.now, &when), COMPETE_ENDS);
    season_result(&f, &outcome);
    season_play(&f);
    season_same(&f);
}
END_TEST

/* A score is a million at most, either way; the least number there is is no small one. */
START_TEST(scores_of_robots_have_a_size)
{
    static const json_int_t sizes[] = {1000000, -1000000, 1000001, -1000001, INT64_MAX, INT64_MIN};
    begin(&f, 5, 3, 1);
    deal(&f);
    season_play(&f);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct competition c;
        struct err err = ERR_INIT;
        json_t *scores = json_array();
        competition_init(&c);
        ck_ok(competition_read(&c, "spring", slice_str(&f.journal), &err), err);
        for (int robot = 0; robot < c.terms.field; robot++)
            json_array_append_new(scores, json_integer(sizes[i]));
        const struct record record = {.json = json_pack("{s:i,s:o}", "round", 1, "scores", scores)};
        ck_assert_msg((compete_apply_field(&c, &record, &err) == 0) == (i < 2), "%zu: %s", i, err.text);
        json_decref(record.json);
        competition_release(&c);
    }
}
END_TEST

START_TEST(the_robots_play_once_and_when_all_is_in)
{
    static int scores[SEASON_FIELD];
    struct compete_step step;
    struct err err = ERR_INIT;
    int64_t when;
    begin(&f, 5, 3, 2);
    deal(&f);
    season_step(&f, &step);
    ck_assert_int_ne(compete_field(&step, &f.c, scores, &err), 0);
    season_play(&f);
    ck_assert_int_eq(compete_due(&f.c, f.now, &when), COMPETE_FIELDS);
    ck_assert(!compete_round_done(&f.c, 1));
    season_field(&f);
    ck_assert(compete_round_done(&f.c, 1));
    ck_assert_int_eq(compete_due(&f.c, f.now, &when), COMPETE_WAITS);
    err_clear(&err);
    ck_assert_int_ne(compete_field(&step, &f.c, scores, &err), 0);
    ck_assert_ptr_nonnull(strstr(err.text, "once"));
    compete_step_release(&step);
    season_same(&f);
}
END_TEST

START_TEST(nobody_rules_on_who_plays_alone)
{
    struct err err = ERR_INIT;
    begin(&f, 6, 2, 1);
    deal(&f);
    season_play(&f);
    ck_assert_int_ne(season_adjust(&f,
                                   json_pack("{s:s,s:s,s:i,s:i,s:[i]}", "do", "rank", "reason", "A word.",
                                             "round", 1, "table", 1, "ranks", 1),
                                   &err),
                     0);
    ck_assert_ptr_nonnull(strstr(err.text, "no rank"));
}
END_TEST

/* ---- the table ---- */

static const struct ranking_row *row(const struct ranking *ranking, const char *name)
{
    return ranking_of(ranking, name);
}

/* Two deals by hand. The first: p0 20, p1 14, p2 14, p3 3, and p4 left it; the second: p0 9, p1 30, as p2 and p3 are gone. */
START_TEST(two_deals_by_hand)
{
    struct ranking ranking;
    struct duplicate_result results[8];
    begin(&f, 7, 5, 2);
    deal(&f);
    score(&f, "p0000", 20, false);
    score(&f, "p0001", 14, false);
    score(&f, "p0002", 14, false);
    score(&f, "p0003", 3, false);
    score(&f, "p0004", 40, true);
    season_field(&f);
    ranking_make(&ranking, &f.c);
    ck_assert_int_eq(row(&ranking, "p0000")->points, 6000); /* beats three */
    ck_assert_int_eq(row(&ranking, "p0001")->points, 3000);
    ck_assert_int_eq(row(&ranking, "p0003")->points, 0);
    ck_assert_int_eq(row(&ranking, "p0004")->points, 0);
    ck_assert_int_eq(row(&ranking, "p0004")->games, 0);
    ck_assert_int_eq(share_hundredths(row(&ranking, "p0001")->share), 5000);
    ck_assert_int_eq(row(&ranking, "p0001")->place, 2);
    ck_assert_int_eq(row(&ranking, "p0002")->place, 2);
    ck_assert_int_eq(row(&ranking, "p0003")->place, 4);
    ranking_release(&ranking);
    for (int i = 2; i < 5; i++) {
        char name[PLAYER_NAME];
        season_name(name, i);
        season_do(&f, "withdraw", name);
    }
    deal(&f);
    score(&f, "p0000", 9, false);
    score(&f, "p0001", 30, false);
    season_field(&f);
    ranking_make(&ranking, &f.c);
    /* E is 4: (2+1)*4/2 - 1 = 5, and (0+1)*4/2 - 1 = 1 */
    ck_assert_int_eq(row(&ranking, "p0000")->points, 6000 + 1000);
    ck_assert_int_eq(row(&ranking, "p0001")->points, 3000 + 5000);
    ck_assert_int_eq(row(&ranking, "p0001")->firsts, 1);
    ck_assert_int_eq(row(&ranking, "p0001")->games, 2);
    ck_assert_int_eq(row(&ranking, "p0001")->place, 1);
    ck_assert(row(&ranking, "p0003")->gone);
    ranking_release(&ranking);
    ck_assert_uint_eq(duplicate_results(&f.c, 2, 2, results), 2);
    ck_assert_int_eq(results[0].points.results, 2);
    ck_assert_int_eq(duplicate_most(&f.c, 2), 4);
    season_same(&f);
}
END_TEST

START_TEST(outside_of_the_ranking)
{
    struct ranking ranking;
    struct duplicate_result results[4];
    struct new_competition how = season_plan(COMPETE_DUPLICATE, 1);
    json_t *own = json_pack("[s]", "p0001");
    season_open(&f, 8);
    how.outside = own;
    how.director = "p0002";
    season_new(&f, how, 1);
    json_decref(own);
    season_enter(&f, 0, 4);
    f.outside = json_pack("[{s:s,s:s},{s:s,s:s}]", "player", "p0001", "why", "operator", "player", "p0002",
                          "why", "moderator");
    deal(&f);
    score(&f, "p0000", 5, false);
    score(&f, "p0001", 24, false);
    score(&f, "p0002", 4, false);
    score(&f, "p0003", 7, false);
    season_field(&f);
    ranking_make(&ranking, &f.c);
    ck_assert_uint_eq(ranking.count, 2);
    ck_assert_int_eq(row(&ranking, "p0003")->points, 2000); /* nobody outside is beaten, or beats */
    ck_assert_int_eq(row(&ranking, "p0000")->points, 0);
    ranking_release(&ranking);
    ck_assert_uint_eq(duplicate_results(&f.c, 1, 1, results), 4);
    for (size_t i = 0; i < 4; i++) {
        const char *player = results[i].table->player[1];
        bool outside = strcmp(player, "p0001") == 0 || strcmp(player, "p0002") == 0;
        ck_assert_int_eq(results[i].ranked, !outside);
        ck_assert_int_eq(results[i].points.results, outside ? 3 : 2); /* as one more */
        if (strcmp(player, "p0001") == 0)
            ck_assert_int_eq(results[i].points.points, 4);
    }
    season_same(&f);
}
END_TEST

START_TEST(what_outside_may_not_be)
{
    static const char *const bad[] = {
        "[]",                                            /* nobody */
        "[{\"player\":\"p0000\",\"why\":\"operator\"}]", /* not by `create` */
        "[{\"player\":\"p0001\",\"why\":\"moderator\"},{\"player\":\"p0002\",\"why\":"
        "\"moderator\"}]",                               /* p1 is its own */
        "[{\"player\":\"p0001\",\"why\":\"operator\"}]", /* and the director? */
        "[{\"player\":\"p0002\",\"why\":\"moderator\"},{\"player\":\"p0001\",\"why\":"
        "\"operator\"}]", /* order */
        "[{\"player\":\"p0001\",\"why\":\"operator\"},{\"player\":\"p0002\",\"why\":"
        "\"moderator\"},"
        "{\"player\":\"p0009\",\"why\":\"unproved\"}]", /* not in it */
        "[{\"player\":\"p0001\",\"why\":\"operator\"},{\"player\":\"p0002\",\"why\":"
        "\"moderator\"},"
        "{\"player\":\"p0003\",\"why\":\"\"}]",
        "[{\"player\":\"p0001\",\"why\":\"operator\"},{\"player\":\"p0002\",\"why\":"
        "\"moderator\",\"x\":1}]",
    };
    struct new_competition how = season_plan(COMPETE_DUPLICATE, 1);
    json_t *own = json_pack("[s]", "p0001");
    struct err err = ERR_INIT;
    struct compete_step step;
    season_open(&f, 9);
    how.outside = own;
    how.director = "p0002";
    season_new(&f, how, 1);
    json_decref(own);
    season_enter(&f, 0, 4);
    f.now = f.c.rounds[0].draw;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct competition c;
        json_t *list = json_loads(bad[i], 0, NULL);
        competition_init(&c);
        err_clear(&err);
        ck_ok(competition_read(&c, "spring", slice_str(&f.journal), &err), err);
        season_step(&f, &step);
        step.outside = list;
        ck_assert_msg(compete_round(&step, &c, &err) != 0, "%s", bad[i]);
        ck_assert_msg(strstr(err.text, "outside") != NULL, "%s: %s", bad[i], err.text);
        compete_step_release(&step);
        competition_release(&c);
        json_decref(list);
    }
}
END_TEST

START_TEST(what_create_may_not_be)
{
    struct schedule hours;
    struct new_competition how[8];
    json_t *twice = json_pack("[s,s]", "anna", "anna");
    season_open(&f, 10);
    for (size_t i = 0; i < sizeof how / sizeof *how; i++)
        how[i] = season_plan(COMPETE_DUPLICATE, 1);
    schedule_init(&hours);
    hours.length = 7 * HOUR_SECONDS + 60;
    how[0].ruleset = ruleset_newest("galaxy-command");
    how[1].seats = 2;
    how[2].bye = 1;
    how[3].clock = &hours;
    how[4].field = COMPETE_FIELD + 1;
    how[5].adjudge = ADJUDGE_MODERATOR;
    how[6].outside = twice;
    how[7] = season_plan(COMPETE_TABLES, 2);
    how[7].seats = 1;
    for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
        int64_t times[COMPETE_ROUNDS][2];
        struct compete_step step;
        struct competition c;
        struct err err = ERR_INIT;
        season_calendar(&f, &how[i], times, 1);
        season_step(&f, &step);
        ck_assert_msg(compete_create(&step, &c, &how[i], &err) != 0, "plan %zu", i);
        ck_assert_msg(err.code == ERR_INPUT || err.code == ERR_NEWER, "plan %zu: %s", i, err.text);
        compete_step_release(&step);
        competition_release(&c);
    }
    json_decref(twice);
}
END_TEST

/* Shuffled entries and results give the same deals and the same table. */
START_TEST(the_order_of_entries_and_results_changes_nothing)
{
    const int count = 3 + _i;
    char name[PLAYER_NAME];
    unsigned char digests[2][32];
    struct season *both[] = {&f, &g};
    for (int which = 0; which < 2; which++) {
        struct season *s = both[which];
        season_open(s, (uint64_t)_i + 1);
        season_new(s, season_plan(COMPETE_DUPLICATE, 1), 2);
        for (int i = 0; i < count; i++) {
            season_name(name, which ? count - 1 - i : i);
            s->now += which * 60;
            season_do(s, "enter", name);
        }
        for (int round = 0; round < 2; round++) {
            deal(s);
            for (int i = 0; i < count; i++) {
                int player = which ? count - 1 - i : i;
                season_name(name, player);
                score(s, name, (player * 7 + round * 5 + _i) % 6, player % 5 == round);
            }
            s->dice = 99; /* the robots' scores */
            season_field(s);
        }
        season_digest(digests[which], &s->c);
    }
    for (int round = 0; round < 2; round++)
        ck_assert_mem_eq(f.c.rounds[round].digest, g.c.rounds[round].digest, 32);
    ck_assert_mem_eq(digests[0], digests[1], 32);
}
END_TEST

/* The total of a player, as the page says it, and in no other way. */
static double total_of(const struct competition *c, const char *player)
{
    double most = 0, total = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int round = 1; round <= c->round; round++) {
            double a = 0, m = 0;
            const struct compete_table *own = competition_table_of(c, round, player);
            bool mine = own && !own->left && !own->adjudged && own->fate == TABLE_DONE && !own->outside;
            for (size_t i = 0; i < c->rounds[round - 1].count; i++) {
                const struct compete_table *one = &c->tables[c->rounds[round - 1].first + i];
                if (one->left || one->adjudged || one->fate != TABLE_DONE || one->outside)
                    continue;
                a++;
                if (mine && one != own)
                    m += one->points[1] < own->points[1] ? 2 : one->points[1] == own->points[1];
            }
            if (pass == 0 && a > most)
                most = a;
            if (pass == 1 && mine)
                total += (m + 1) * most / a - 1;
        }
    return total;
}

START_TEST(the_table_is_what_the_page_says)
{
    struct ranking ranking;
    begin(&f, (uint64_t)_i + 100, 2 + _i % 12, 4);
    for (int round = 0; round < 4; round++) {
        char name[PLAYER_NAME];
        deal(&f);
        for (int i = 0; i < (int)f.c.rounds[round].count; i++) {
            const struct compete_table *table = competition_table(&f.c, f.c.round, i + 1);
            struct compete_outcome outcome = season_outcome(&f, table);
            f.now = f.c.rounds[round].end + COMPETE_PATIENCE;
            outcome.points[1] = season_dice(&f, 6);
            outcome.left = season_dice(&f, 7) == 0 ? SEAT_BIT(1) : 0;
            if (season_dice(&f, 9) == 0)
                compete_tie(&outcome, table);
            season_result(&f, &outcome);
        }
        season_field(&f);
        season_name(name, 30 + round);
        if (round < 3)
            season_do(&f, "enter", name);
    }
    ranking_make(&ranking, &f.c);
    for (size_t i = 0; i < ranking.count; i++) {
        double want = 1000 * total_of(&f.c, ranking.rows[i].name), is = (double)ranking.rows[i].points;
        ck_assert_msg(is - want < 2.1 && want - is < 2.1, "%s: %g, want %g", ranking.rows[i].name, is, want);
        ck_assert(i == 0 || ranking.rows[i - 1].points >= ranking.rows[i].points);
    }
    ranking_release(&ranking);
    season_same(&f);
}
END_TEST

/* ---- the field ---- */

struct dealt {
    const struct ruleset *ruleset;
    void *cards, *state;
    unsigned char nonce[SEAL_NONCE];
};

static struct field_deal dealt_new(struct dealt *d, int number)
{
    struct err err = ERR_INIT;
    struct chance chance;
    struct events events;
    int options[GAME_OPTIONS] = {0};
    d->ruleset = ruleset_newest("galaxy-farmer");
    d->cards = mem_alloc(d->ruleset->cards_size);
    d->state = mem_alloc(d->ruleset->state_size);
    json_t *json = json_read(ruleset_cards(d->ruleset), "cards.json", &err);
    ck_ok(d->ruleset->cards_load(json, d->cards, &err), err);
    json_decref(json);
    for (int i = 0; i < GAME_OPTIONS && d->ruleset->options[i].name; i++)
        options[i] = d->ruleset->options[i].initial;
    ck_ok(d->ruleset->init(d->cards, 1, options, d->state, &err), err);
    chance_seeded(&chance, &number, sizeof number);
    events_init(&events);
    d->ruleset->deal(d->cards, d->state, NULL, &chance, &events);
    events_release(&events);
    memset(d->nonce, number, sizeof d->nonce);
    return (struct field_deal){d->ruleset, d->cards, d->state, d->nonce};
}

static void dealt_free(struct dealt *d)
{
    free(d->cards);
    free(d->state);
}

#define ROBOTS 30
START_TEST(robots_play_the_same_again)
{
    const int robots = FEW ? 12 : ROBOTS;
    struct dealt d;
    struct err err = ERR_INIT;
    int scores[ROBOTS], again[ROBOTS], other[ROBOTS], sum[2] = {0, 0};
    const struct field_deal field = dealt_new(&d, 1);
    ck_ok(field_play(&field, robots, scores, &err), err);
    ck_ok(field_play(&field, robots, again, &err), err);
    ck_assert_mem_eq(scores, again, (size_t)robots * sizeof *scores);
    d.nonce[0] ^= 1;
    ck_ok(field_play(&field, robots, other, &err), err);
    ck_assert_mem_ne(scores, other, (size_t)robots * sizeof *scores);
    ck_assert_int_eq(scores[0], other[0]); /* it forgets nothing */
    for (int i = 0; i < robots; i++) {
        ck_assert(scores[i] >= 0 && scores[i] < 60);
        sum[i >= robots / 2] += scores[i] + other[i];
    }
    ck_assert_int_gt(sum[0], sum[1]); /* care pays */
    dealt_free(&d);
}
END_TEST

START_TEST(robots_forget_as_much_as_their_number)
{
    struct dealt d;
    const struct field_deal field = dealt_new(&d, 2);
    for (int robot = 0; robot < 200; robot += 40) {
        struct str kept = STR_INIT;
        for (int turn = 0; turn < 500; turn++)
            field_forget(&field, (const int[2]){robot, 200}, turn, slice_of("a\nb\nc\nd\n"), &kept);
        double lost = 1 - (double)kept.len / (500 * 8);
        ck_assert_msg(lost > robot / 2000. - 0.02 && lost < robot / 2000. + 0.02, "robot %d: %g", robot,
                      lost);
        if (robot == 0)
            ck_assert_uint_eq(kept.len, 500 * 8);
        str_release(&kept);
    }
    dealt_free(&d);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, NULL, done);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, everybody_plays_the_same_deal_alone);
    tcase_add_test(tc, a_deal_opens_at_a_full_hour);
    tcase_add_test(tc, two_at_least_play);
    tcase_add_test(tc, nothing_is_known_before_it_is_over);
    tcase_add_test(tc, scores_of_robots_have_a_size);
    tcase_add_test(tc, the_robots_play_once_and_when_all_is_in);
    tcase_add_test(tc, nobody_rules_on_who_plays_alone);
    tcase_add_test(tc, two_deals_by_hand);
    tcase_add_test(tc, outside_of_the_ranking);
    tcase_add_test(tc, what_outside_may_not_be);
    tcase_add_test(tc, what_create_may_not_be);
    tcase_add_loop_test(tc, the_order_of_entries_and_results_changes_nothing, 0, 6);
    tcase_add_loop_test(tc, the_table_is_what_the_page_says, 0, FEW ? 6 : 20);
    tcase_add_test(tc, robots_play_the_same_again);
    tcase_add_test(tc, robots_forget_as_much_as_their_number);
}

TEST_MAIN_TOGETHER("compete/duplicate", cases)
