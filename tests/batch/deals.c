/* Duplicate deals in a league: who plays outside of the ranking, the games that a round makes, its results when it is over, robots,
 * mails, and the season after it. */
#include "house/compete.h"
#include "house/mailed.h"

#include "batch/competing_deals.h"
#include "batch/season.h"
#include "compete/apply.h"
#include "compete/duplicate.h"

static struct house house;
static struct schedule hours;

static void done(void)
{
    if (house.dir[0])
        house_close(&house);
    house.dir[0] = '\0';
}

/* Four with keys, of whom mona is a moderator, and one whom the mail domain vouches for. */
static void begin(const char *ratings)
{
    struct str line = STR_INIT;
    house_open(&house);
    str_addf(&line, "moderators = mona\ntrust = mail\nratings = %s", ratings);
    house_option(&house, "[league]", line.p);
    house_restart(&house);
    str_release(&line);
    for (int i = 0; i < 4; i++)
        house_player(&house, (const char *const[]){"anna", "bob", "carl", "mona"}[i]);
    house_mailer(&house, "mia");
}

static void enter_all(json_t *own)
{
    static const char *const people[] = {"anna", "bob", "carl", "mia", "mona"};
    schedule_init(&hours);
    hours.length = 24 * HOUR_SECONDS;
    house_compete(&house, "week", "galaxy-farmer", 2,
                  (struct new_competition){.kind = COMPETE_DUPLICATE,
                                           .seats = 1,
                                           .clock = &hours,
                                           .field = 3,
                                           .by_mail = true,
                                           .next = 30 * DAY_SECONDS,
                                           .outside = own});
    json_decref(own);
    for (size_t i = 0; i < sizeof people / sizeof *people; i++)
        house_entry(&house, "week", "enter", people[i]);
}

static const struct compete_table *table_of(const char *player)
{
    const struct competition *c = house_competition(&house, "week");
    return competition_table_of(c, c->round, player);
}

/* Draws the next round. */
static void deal(void)
{
    const struct competition *c = house_competition(&house, "week");
    int round = c->round;
    house_work(&house, c->rounds[round].draw);
    for (int i = 0; i < 30 && house_competition(&house, "week")->round == round;
         i++) /* after an outage a day later */
        house_work(&house, house.now + HOUR_SECONDS);
    house_work(&house, house.now + 60);
    c = house_competition(&house, "week");
    ck_assert_int_eq(c->round, round + 1);
    ck_assert_int_eq(c->rounds[round].made, (int)c->rounds[round].count);
}

/* Plays it to its end, a run a day. */
static void play(void)
{
    int64_t end = house_competition(&house, "week")->rounds[house_competition(&house, "week")->round - 1].end;
    house_work(&house,
               house_competition(&house, "week")->rounds[house_competition(&house, "week")->round - 1].opens);
    while (house.now + DAY_SECONDS < end)
        house_work(&house, house.now + DAY_SECONDS);
    ck_assert_int_eq(
        house_competition(&house, "week")->rounds[house_competition(&house, "week")->round - 1].done, 0);
    house_work(&house, end);
    house_work(&house, end + 60);
}

START_TEST(who_is_outside)
{
    begin("signed");
    house.unproved = true; /* the deal is not over */
    enter_all(json_pack("[s]", "bob"));
    deal();
    ck_assert_int_eq(table_of("anna")->outside, OUTSIDE_NOT);
    ck_assert_int_eq(table_of("bob")->outside, OUTSIDE_OPERATOR);
    ck_assert_int_eq(table_of("mona")->outside, OUTSIDE_MODERATOR);
    ck_assert_int_eq(table_of("mia")->outside, OUTSIDE_UNPROVED);
    ck_assert_int_eq(house_mails_with(&house, "you have no key of your own"), 1);
}
END_TEST

START_TEST(mail_is_enough_where_the_league_rates_it)
{
    begin("mail");
    house.unproved = true; /* the deal is not over */
    enter_all(NULL);
    deal();
    ck_assert_int_eq(table_of("mia")->outside, OUTSIDE_NOT);
    ck_assert_int_eq(table_of("bob")->outside, OUTSIDE_NOT);
    ck_assert_int_eq(table_of("mona")->outside, OUTSIDE_MODERATOR);
}
END_TEST

START_TEST(all_games_have_the_same_deal_and_times)
{
    begin("signed");
    house.unproved = true; /* the deal is not over */
    enter_all(NULL);
    deal();
    const struct competition *c = house_competition(&house, "week");
    const struct compete_round *round = &c->rounds[0];
    house_work(&house, round->opens);
    const struct game *first = house_find(&house, "week.1.1");
    for (int table = 1; table <= 5; table++) {
        char id[GAME_NAME];
        compete_game_name(id, c, 1, table);
        const struct game *game = house_find(&house, id);
        ck_assert_int_eq(game->turn, 1);
        ck_assert(game->clock.lockstep.on);
        ck_assert_int_eq(game->clock.lockstep.opens, round->opens);
        ck_assert_int_eq(game->clock.lockstep.closes, round->end);
        ck_assert_int_eq(game->clock.lockstep.hours, 24);
        ck_assert_mem_eq(game->draws.nonce, first->draws.nonce, SEAL_NONCE);
        ck_assert_mem_eq(game->state, first->state, game->ruleset->state_size);
        ck_assert(game_withheld(game));
    }
}
END_TEST

START_TEST(results_come_when_it_is_over_and_all_are_told)
{
    begin("signed");
    enter_all(NULL);
    deal();
    house_empty_spool(&house);
    play();
    const struct competition *c = house_competition(&house, "week");
    ck_assert(compete_round_done(c, 1));
    ck_assert_ptr_nonnull(c->rounds[0].field);
    ck_assert_int_eq(c->rounds[0].done, 5);
    ck_assert_int_eq(house_mails_with(&house, "The deal of round 1 is over"), 5);
    struct duplicate_result results[8];
    ck_assert_uint_eq(duplicate_results(c, 1, 1, results), 5);
    for (size_t i = 0; i < 5; i++) { /* nobody has said anything: all are equal */
        ck_assert(results[i].played);
        ck_assert_int_eq(results[i].points.points, results[i].ranked ? 2 : 3);
    }
}
END_TEST

/* Somebody who is banned when they have played the deal, while others have not: their game is over, and nothing of it changes; what
 * they made of the deal counts. */
START_TEST(banned_after_the_last_turn)
{
    char game[GAME_NAME];
    begin("signed");
    enter_all(NULL);
    deal();
    compete_game_name(game, house_competition(&house, "week"), 1, table_of("bob")->number);
    house_work(&house, house_competition(&house, "week")->rounds[0].opens);
    while (!house_find(&house, game)->over)
        house_work(&house, house.now + DAY_SECONDS);
    ck_assert_int_lt(house.now, house_competition(&house, "week")->rounds[0].end);
    int64_t seq = house_find(&house, game)->seq;
    house_rules(&house, "any", "do: ban bob\nreason: Two accounts.\n");
    ck_assert(registry_find(&house.batch.registry, "bob")->banned);
    ck_assert_int_eq(house_find(&house, game)->seq, seq);
    play();
    ck_assert_int_eq(table_of("bob")->fate, TABLE_DONE);
    ck_assert_uint_eq(table_of("bob")->left, 0);
}
END_TEST

/* The clock of the host is months ahead for some hours, and is put right: the deal has been played by it, but the next one opens
 * when it should, not months later. */
START_TEST(a_clock_that_jumps)
{
    begin("signed");
    enter_all(NULL);
    deal();
    house_work(&house, house_competition(&house, "week")->rounds[0].opens);
    const int64_t then = house.now, last = house_competition(&house, "week")->rounds[1].end;
    for (int later = 0; later < 20; later++)
        house_work(&house, last + 10 * HOUSE_WEEK + later * HOUR_SECONDS);
    for (house.now = then; house.now < last + 3 * DAY_SECONDS;)
        house_work(&house, house.now + (FEW ? 4 : 1) * HOUR_SECONDS);
    const struct competition *c = house_competition(&house, "week");
    ck_assert_int_eq(c->round, 2);
    ck_assert(compete_round_done(c, 2));
    ck_assert_int_lt(c->rounds[1].opens, c->rounds[1].draw + 3 * DAY_SECONDS);
}
END_TEST

/* What a season after it takes over. */
START_TEST(the_next_season_is_of_the_same_kind)
{
    begin("signed");
    enter_all(json_pack("[s]", "bob"));
    deal();
    play();
    deal();
    play();
    const struct competition *c = house_competition(&house, "week");
    for (int64_t end = c->rounds[1].end + c->terms.protest + 3 * DAY_SECONDS; house.now < end;)
        house_work(&house, house.now + DAY_SECONDS);
    ck_assert(house_competition(&house, "week")->closed);
    const struct competition *next = house_competition(&house, "week-2");
    ck_assert_int_eq(next->kind, COMPETE_DUPLICATE);
    ck_assert_int_eq(next->terms.field, 3);
    ck_assert_int_eq(compete_outside_fixed(next, "bob"), OUTSIDE_OPERATOR);
    ck_assert_int_eq(next->clock.length, 24 * HOUR_SECONDS);
    ck_assert_int_gt(c->rounds[0].end, compete_planned_end(&c->rounds[0])); /* it opened after its draw */
    for (int i = 0; i < c->round_count; i++)
        ck_assert_int_eq(next->rounds[i].end - next->rounds[i].draw,
                         compete_planned_end(&c->rounds[i]) - c->rounds[i].draw);
}
END_TEST

START_TEST(numbers_as_texts)
{
    static const struct {
        int64_t thousandths;
        const char *text;
    } table[] = {{0, "0"},     {1000, "1"},    {1500, "1.5"},   {1667, "1.667"},
                 {10, "0.01"}, {-500, "-0.5"}, {120000, "120"}, {-12050, "-12.05"}};
    char text[24], percent[16];
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        competing_thousandths(text, table[i].thousandths);
        ck_assert_str_eq(text, table[i].text);
    }
    competing_percent(percent, (struct share){2, 3});
    ck_assert_str_eq(percent, "66.67");
    competing_percent(percent, (struct share){1, 100});
    ck_assert_str_eq(percent, "1.00");
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, NULL, done);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, who_is_outside);
    tcase_add_test(tc, mail_is_enough_where_the_league_rates_it);
    tcase_add_test(tc, all_games_have_the_same_deal_and_times);
    tcase_add_test(tc, results_come_when_it_is_over_and_all_are_told);
    tcase_add_test(tc, banned_after_the_last_turn);
    tcase_add_test(tc, a_clock_that_jumps);
    tcase_add_test(tc, the_next_season_is_of_the_same_kind);
    tcase_add_test(tc, numbers_as_texts);
}

TEST_MAIN("batch/deals", cases)
