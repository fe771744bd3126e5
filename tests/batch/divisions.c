/* What players of divisions are told: of a walk-over, and by the final table who goes up and down. */
#include "house/compete.h"

#include "compete/walkover.h"
#include "site/site.h"

#define PEOPLE 9
#define STEP   (6 * HOUR_SECONDS) /* between two rounds of work: no outage */
static struct house house;
static const char *const people[PEOPLE] = {"anna", "bob",  "carol", "dora", "erik",
                                           "finn", "gina", "hans",  "ines"};

static void begin(void)
{
    house_open(&house);
}

/* Of so many, in divisions of four or five. */
static void new_cup(int count)
{
    for (int i = 0; i < count; i++)
        house_player(&house, people[i]);
    house_compete(
        &house, "cup", "galactic-contract", 5,
        (struct new_competition){
            .kind = COMPETE_DIVISIONS, .seats = 2, .promote = 1, .division_size = 4, .walkover = 2});
    for (int i = 0; i < count; i++)
        house_entry(&house, "cup", "enter", people[i]);
}

static void end(void)
{
    house_close(&house);
}

static struct competition *cup(void)
{
    return house_competition(&house, "cup");
}

/* Nothing is drawn in the day after an outage: the last two days are without one. */
static void live(int64_t until)
{
    if (house.now < until - 2 * DAY_SECONDS)
        house_work(&house, until - 2 * DAY_SECONDS);
    while (house.now < until)
        house_work(&house, house.now + STEP < until ? house.now + STEP : until);
}

static bool was_told(const char *player, const char *words)
{
    struct str mails;
    (void)house_mails(&house, player, &mails);
    if (getenv("SHOW"))
        puts(mails.p);
    bool told = house_says(mails.p, words);
    str_release(&mails);
    return told;
}

/* Whoever is to meet somebody who left has the point of a win, is told why, and reads so of that round later. */
START_TEST(a_walkover_is_told)
{
    struct str words = STR_INIT;
    char over[PLAYER_NAME], from[PLAYER_NAME];
    new_cup(8);
    live(cup()->rounds[0].draw);
    memcpy(over, cup()->divisions[1].names[2], sizeof over);
    house_entry(&house, "cup", "withdraw", over);
    live(cup()->rounds[1].draw - 3600);
    house_empty_spool(&house);
    house_work(&house, cup()->rounds[1].draw);
    ck_assert_uint_eq(cup()->rounds[1].bye_count, 1);
    memcpy(from, cup()->rounds[1].byes[0], sizeof from);
    ck_assert_str_eq(walkover_of(cup(), 2, from), over);
    str_addf(&words,
             "%s does not play any more, %s: you have a walk-over in this round, and you get 1 point for it.",
             over, from);
    ck_assert(was_told(from, words.p));
    ck_assert(was_told(from, "Round 2 of 3: you have a walk-over"));
    live(cup()->rounds[2].draw - 3600);
    house_empty_spool(&house);
    house_work(&house, cup()->rounds[2].draw);
    str_clear(&words);
    str_addf(&words, "Your round 2: a walk-over, as %s does not play any more.", over);
    ck_assert(was_told(from, words.p));
    str_release(&words);
}
END_TEST

/* A division of four has met after three rounds; the one of five plays on for two, of which the others hear once. */
START_TEST(a_division_has_played)
{
    new_cup(9);
    live(cup()->rounds[0].draw);
    ck_assert_int_eq(cup()->divisions[0].count, 5);
    ck_assert_int_eq(cup()->divisions[1].count, 4);
    for (int round = 1; round < 5; round++) {
        live(cup()->rounds[round].draw - 3600);
        house_empty_spool(&house);
        house_work(&house, cup()->rounds[round].draw);
        ck_assert_int_eq(cup()->round, round + 1);
        for (int i = 0; i < 4; i++) {
            const char *player = cup()->divisions[1].names[i];
            ck_assert(was_told(player, "All games of your division are played") == (round == 3));
            ck_assert(was_told(player, "your division has played") == (round == 3));
            ck_assert(was_told(player, "Round 4 of 5") == (round == 3));
            ck_assert(!was_told(player, "bye"));
        }
    }
}
END_TEST

static void says_of(const struct ranking_row *row)
{
    static const char *const told[] = {"you stay in division", "you go up into division 1",
                                       "you go down into division 2", "the lot decides which of you move"};
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        ck_assert_msg(was_told(row->name, told[i]) == (row->move == (enum division_move)i), "%s: %s",
                      row->name, told[i]);
    ck_assert(was_told(row->name, "\"Next\" is where the table leads in the season after this one."));
}

/* Points decide the places, so that each place is known, or all of a division share theirs. */
static void give_points(bool all)
{
    struct err err = ERR_INIT;
    struct compete_step step;
    struct batch_competition *entry;
    ck_ok(competing_find(&house.batch, "cup", &entry, &err), err);
    competing_step(&house.batch, &step);
    for (int d = 0; d < 2; d++)
        for (int i = 0; i < 4 && (all || d == 0); i++)
            ck_ok(compete_adjust(&step, &entry->c,
                                 json_pack("{s:s,s:s,s:i,s:s,s:s}", "do", "points", "player",
                                           entry->c.divisions[d].names[i], "halves", 100 * (1 + i), "reason",
                                           "By hand.", "by", OPERATOR),
                                 &err),
                  err);
    competing_take(entry, &step);
    compete_step_release(&step);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
}

/* The page of the cup. */
static void page(struct str *text)
{
    struct err err = ERR_INIT;
    struct site_sum sum;
    char out[SCRATCH_PATH];
    scratch_make(out, "pages");
    const struct site site = {.league = &house.league,
                              .folder = out,
                              .store = house.batch.store,
                              .catalog = house.batch.catalog,
                              .registry = &house.batch.registry,
                              .templates = house.batch.templates,
                              .now = house.now};
    ck_ok(site_write(&site, &sum, &err), err);
    char *path = path_join(out, "competitions/cup.html");
    str_clear(text);
    ck_ok(file_read(path, SCRATCH_MOST, text, &err), err);
    free(path);
    scratch_remove(out);
}

/* The calendar has five rounds; divisions of four have three, and nobody is told of more once they are drawn. */
static void has_three_rounds(void)
{
    struct str text = STR_INIT;
    ck_assert_int_eq(competition_rounds(cup()), 3);
    page(&text);
    ck_assert_int_eq(strstr(text.p, cup()->closed ? "<b>Finished.</b>" : "<b>Round 1</b> of 3.") != NULL, 1);
    ck_assert(strstr(text.p, "<h3>Round 3</h3>") && !strstr(text.p, "<h3>Round 4</h3>"));
    ck_assert_int_eq(strstr(text.p, "To be drawn") == NULL, cup()->closed);
    str_release(&text);
}

/* The end of a season: to each about themselves, and in the table; where places are shared the lot decides. */
START_TEST(the_end_says_who_goes_up_and_down)
{
    struct ranking ranking;
    int moved = 0;
    new_cup(8);
    ck_assert_int_eq(competition_rounds(cup()), 5);
    live(cup()->rounds[0].draw);
    ck_assert(was_told(people[0], "Round 1 of 3"));
    has_three_rounds();
    give_points(_i == 0);
    live(cup()->rounds[2].end + cup()->terms.protest - 3600);
    ck_assert(!cup()->closed);
    house_empty_spool(&house);
    house_work(&house, cup()->rounds[2].end + cup()->terms.protest);
    ck_assert(cup()->closed);
    has_three_rounds();
    ranking_make(&ranking, cup());
    ck_assert_uint_eq(ranking.count, 8);
    for (size_t i = 0; i < ranking.count; i++) {
        says_of(&ranking.rows[i]);
        moved += ranking.rows[i].move == DIVISION_UP || ranking.rows[i].move == DIVISION_DOWN;
    }
    ck_assert_int_ge(moved, _i == 0 ? 2 : 1);
    ck_assert_int_eq(ranking.rows[3].move, DIVISION_DOWN);
    ranking_release(&ranking);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, a_walkover_is_told);
    tcase_add_test(tc, a_division_has_played);
    tcase_add_loop_test(tc, the_end_says_who_goes_up_and_down, 0, 2);
}
TEST_MAIN("batch/divisions", cases)
