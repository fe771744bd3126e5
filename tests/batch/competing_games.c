/* Games of competitions: what can happen in one, how it ends with its round, and how a moderator rules. */
#include "batch/competing_mails.h"
#include "house/cup.h"
#include "house/gives.h"

/* ---- what can happen in a game ---- */

static void draw_played(void)
{
    new_of("cup", "galaxy-command", 1);
    live(cup()->rounds[0].draw);
    house_empty_spool(&house);
}

/* Somebody else plays on for who has gone: the seat is last, and its points are nobody's. */
START_TEST(a_substitute_wins_nothing)
{
    char gone[PLAYER_NAME], stands_in[PLAYER_NAME];
    draw_played();
    memcpy(gone, cup()->tables[0].player[1], sizeof gone);
    memcpy(stands_in, cup()->tables[1].player[1], sizeof stands_in);
    house_gives(&house, "cup.1.1", gone, stands_in);
    ck_assert_str_eq(house_find(&house, "cup.1.1")->seat[1].player, stands_in);
    play_game("cup.1.1");
    live(house.now + 60);
    const struct compete_table *table = &cup()->tables[0];
    ck_assert_int_eq(table->fate, TABLE_DONE);
    ck_assert_uint_eq(table->left, SEAT_BIT(1));
    ck_assert(table->rank[1] == 2 && table->rank[2] == 1);
    struct ranking ranking;
    ranking_make(&ranking, cup());
    ck_assert_int_eq(ranking_of(&ranking, gone)->points, 0);
    ck_assert_int_eq(ranking_of(&ranking, stands_in)->points, 0);
    ck_assert_int_eq(ranking_of(&ranking, table->player[2])->points, 2);
    ranking_release(&ranking);
}
END_TEST

START_TEST(who_resigns_is_last)
{
    char name[PLAYER_NAME];
    draw_played();
    memcpy(name, cup()->tables[0].player[2], sizeof name);
    (void)house_signed(&house, name, name, "#turnpost resign\ngame: cup.1.1\n#end\n");
    for (int i = 0; i < 40 && !house_find(&house, "cup.1.1")->over; i++)
        live(house.now + DAY_SECONDS);
    live(house.now + 60);
    const struct compete_table *table = &cup()->tables[0];
    ck_assert(table->fate == TABLE_DONE && table->left == SEAT_BIT(2) && table->rank[2] == 2);
}
END_TEST

START_TEST(a_void_game_gives_nothing)
{
    draw_played();
    house_rules(&house, "cup.1.1", "do: void\nreason: Two tables were mixed up.\n");
    live(house.now + 60);
    const struct compete_table *table = &cup()->tables[0];
    ck_assert_int_eq(table->fate, TABLE_VOID);
    struct ranking ranking;
    ranking_make(&ranking, cup());
    ck_assert_int_eq(ranking_of(&ranking, table->player[1])->points, 0);
    ranking_release(&ranking);
}
END_TEST

/* A game that was taken back counts once, as it ends; one that has ended is not taken back any more. */
START_TEST(a_game_that_was_rolled_back_counts_once)
{
    char one[PLAYER_NAME], two[PLAYER_NAME];
    draw_played();
    memcpy(one, house_find(&house, "cup.1.1")->seat[1].player, sizeof one);
    memcpy(two, house_find(&house, "cup.1.1")->seat[2].player, sizeof two);
    for (int i = 0; i < 3; i++) {
        send_orders(one, "cup.1.1", "explore near");
        send_orders(two, "cup.1.1", "bide");
    }
    ck_assert_int_eq(house_find(&house, "cup.1.1")->turn, 4);
    house_rules(&house, "cup.1.1", "do: rollback turn 2\nreason: A wrong card.\n");
    ck_assert_int_eq(house_find(&house, "cup.1.1")->turn, 2);
    play_game("cup.1.1");
    int64_t seq = house_find(&house, "cup.1.1")->seq;
    live(house.now + 60);
    const struct compete_table *table = &cup()->tables[0];
    ck_assert_int_eq(table->fate, TABLE_DONE);
    int64_t told = table->seq;
    struct frame frame;
    struct err err = ERR_INIT;
    enum petition_fate fate;
    static const char again[] =
        "#turnpost moderate\ngame: cup.1.1\ndo: rollback turn 2\nreason: Once more.\n#end\n";
    ck_ok(frame_parse(slice_of(again), &frame, &err), err);
    struct hearing hearing = {.batch = &house.batch,
                              .player = OPERATOR,
                              .frame = &frame,
                              .exact = slice_of(again),
                              .canonical = slice_of(again)};
    ck_ok(petition_hear(&hearing, &fate, &err), err);
    ck_assert_int_ne(fate, PETITION_HEARD);
    hearing_release(&hearing);
    live(house.now + DAY_SECONDS);
    ck_assert_int_eq(house_find(&house, "cup.1.1")->seq, seq);
    ck_assert_int_eq(cup()->tables[0].seq, told);
}
END_TEST

/* One that was adjudged runs on, is taken back and ends: what was counted stays. */
START_TEST(an_adjudged_game_that_is_rolled_back_changes_nothing)
{
    new_patient_of("galaxy-command", 1, ADJUDGE_TIE);
    live(cup()->rounds[0].draw);
    const struct game *game = house_find(&house, "cup.1.1");
    for (int i = 0; i < 2; i++) {
        send_orders(game->seat[1].player, "cup.1.1", "explore near");
        send_orders(game->seat[2].player, "cup.1.1", "bide");
    }
    live(cup()->rounds[0].end + DAY_SECONDS);
    struct compete_table before = cup()->tables[0];
    ck_assert(before.fate == TABLE_DONE && before.adjudged);
    house_rules(&house, "cup.1.1", "do: rollback turn 2\nreason: A wrong card.\n");
    ck_assert_int_eq(house_find(&house, "cup.1.1")->turn, 2);
    play_game("cup.1.1");
    ck_assert(house_find(&house, "cup.1.1")->over);
    live(house.now + DAY_SECONDS);
    const struct compete_table *after = &cup()->tables[0];
    ck_assert(after->fate == TABLE_DONE && after->adjudged);
    ck_assert_int_eq(after->seq, before.seq);
    ck_assert_mem_eq(after->rank, before.rank, sizeof before.rank);
}
END_TEST

/* ---- games that end with their round ---- */

/* The last turn of a game is due when its round ends: it is played before anybody decides that the game has lasted too
 * long. */
START_TEST(a_game_ends_with_its_round)
{
    struct schedule clock;
    char name[PLAYER_NAME];
    schedule_init(&clock);
    clock.length = 4 * HOUSE_WEEK; /* its only turn takes the whole round */
    house_compete(&house, "cup", "galactic-supremacy", 1,
                  (struct new_competition){.seats = 2, .clock = &clock});
    for (int i = 0; i < 2; i++)
        house_entry(&house, "cup", "enter", people[i]);
    live(cup()->rounds[0].draw);
    memcpy(name, cup()->tables[0].player[1], sizeof name);
    (void)house_signed(&house, name, name, "#turnpost resign\ngame: cup.1.1\n#end\n");
    live(cup()->rounds[0].end - 1);
    ck_assert_int_eq(house_find(&house, "cup.1.1")->clock.deadline, cup()->rounds[0].end);
    live(cup()->rounds[0].end);
    ck_assert(house_find(&house, "cup.1.1")->over);
    ck_assert_int_eq(cup()->rounds[0].done, 1);
    ck_assert(!cup()->tables[0].adjudged);
}
END_TEST

#define TURN (5 * DAY_SECONDS)

/* One round of four weeks, in which turns take five days, and nobody acts unless it is said. */
static void new_scored(void)
{
    struct schedule clock;
    schedule_init(&clock);
    clock.length = TURN;
    clock.grace = DAY_SECONDS;
    house_compete(&house, "cup", "galaxy-command", 1,
                  (struct new_competition){.seats = 2, .adjudge = ADJUDGE_SCORES, .clock = &clock});
    for (int i = 0; i < 4; i++)
        house_entry(&house, "cup", "enter", people[i]);
    live(cup()->rounds[0].draw);
    house_empty_spool(&house);
}

static int64_t round_end(void)
{
    return cup()->rounds[0].end;
}

/* Whoever sits there ends all their turns at once; the points of the others stay as they are. */
static void explore(const char *id, int seat)
{
    char name[PLAYER_NAME];
    memcpy(name, house_find(&house, id)->seat[seat].player, sizeof name);
    send_orders(name, id, "explore near\nbuild");
}

/* Nobody misses a turn because the round ends: the game ends as it stands, by the points that it has then. */
START_TEST(a_game_is_cut_short)
{
    new_scored();
    struct game *game = house_find(&house, "cup.1.1");
    ck_assert_int_eq(game->table.place.until, round_end());
    while (house.now + TURN < round_end()) {
        explore("cup.1.1", 1);
        explore("cup.1.1", 2);
        live(house.now + TURN);
    }
    game = house_find(&house, "cup.1.1");
    int turn = game->turn;
    ck_assert(turn > 1 && !game->over);
    live(round_end() - 1);
    game = house_find(&house, "cup.1.1");
    ck_assert_int_le(game->clock.deadline, round_end());
    turn = game->turn;
    int missed = game->seat[1].missed;
    house_empty_spool(&house);
    live(round_end());
    game = house_find(&house, "cup.1.1");
    ck_assert(game->over && !game->voided && game_cut_short(game));
    ck_assert_int_eq(game->turn, turn);
    ck_assert_int_eq(game->seat[1].missed, missed);
    ck_assert_str_eq(game_ending(game), GAME_ROUND_OVER);
    ck_assert_int_eq(house_mails_with(&house, "The round of the competition is over, and with it this game"),
                     4);
    const struct compete_table *table = &cup()->tables[0];
    ck_assert_int_eq(cup()->rounds[0].done, 2);
    ck_assert(table->fate == TABLE_DONE && !table->adjudged);
    ck_assert_int_eq(table->rank[1]<table->rank[2], table->points[1]> table->points[2]);
    same_on_disk("cup");
}
END_TEST

/* All orders are in, but for those who may think again: the turn is played, and then the game ends. */
START_TEST(a_last_turn_with_all_orders_is_played)
{
    new_scored();
    live(round_end() - 3600);
    struct game *game = house_find(&house, "cup.1.1");
    int turn = game->turn;
    char one[PLAYER_NAME], two[PLAYER_NAME];
    memcpy(one, game->seat[1].player, sizeof one);
    memcpy(two, game->seat[2].player, sizeof two);
    for (int i = 0; i < 2; i++) {
        struct str text = STR_INIT;
        str_addf(&text, "#turnpost orders\ngame: cup.1.1\nturn: %d\nwait: yes\nexplore near\n#end\n", turn);
        (void)house_signed(&house, i ? two : one, i ? two : one, text.p);
        str_release(&text);
    }
    ck_assert_int_eq(house_find(&house, "cup.1.1")->turn, turn);
    live(round_end());
    game = house_find(&house, "cup.1.1");
    ck_assert(game->over && game_cut_short(game));
    ck_assert_int_eq(game->turn, turn + 1);
}
END_TEST

/* Whatever moves deadlines, none lies after the round: a vacation, a vote, a moderator's word; and no pause puts off the
 * end. */
START_TEST(nothing_puts_off_the_end_of_a_round)
{
    char one[PLAYER_NAME], from[DATE_TEXT], to[DATE_TEXT];
    struct str text = STR_INIT;
    new_scored();
    live(round_end() - 2 * DAY_SECONDS);
    struct game *game = house_find(&house, "cup.1.1");
    memcpy(one, game->seat[1].player, sizeof one);
    date_text(from, house.now / DAY_SECONDS);
    date_text(to, house.now / DAY_SECONDS + 9);
    str_addf(&text, "#turnpost vacation\nfrom: %s\nto: %s\n#end\n", from, to);
    (void)house_signed(&house, one, one, text.p);
    live(house.now + 60);
    ck_assert_int_le(house_find(&house, "cup.1.1")->clock.deadline, round_end());
    (void)house_signed(&house, one, one, "#turnpost extend\ngame: cup.1.1\ndays: 3\n#end\n");
    ck_assert_int_le(house_find(&house, "cup.1.1")->clock.deadline, round_end());
    house_rules(&house, "cup.1.1", "do: pause\nreason: A question of the rules.\n");
    ck_assert(house_find(&house, "cup.1.1")->clock.paused);
    live(round_end());
    ck_assert(house_find(&house, "cup.1.1")->over);
    ck_assert_int_eq(cup()->rounds[0].done, 2);
    str_release(&text);
}
END_TEST

START_TEST(a_moderator_cannot_go_beyond_the_round)
{
    struct str told, text = STR_INIT;
    new_scored();
    live(round_end() - DAY_SECONDS);
    int64_t deadline = house_find(&house, "cup.1.1")->clock.deadline;
    house_option(&house, "[league]", "moderators = dora");
    house_restart(&house);
    house_empty_spool(&house);
    str_addf(&text, "#turnpost moderate\ngame: cup.1.1\nturn: %d\ndo: extend 5d\nreason: They asked.\n#end\n",
             house_find(&house, "cup.1.1")->turn);
    (void)house_signed(&house, "dora", "dora", text.p);
    str_release(&text);
    ck_assert_int_eq(house_find(&house, "cup.1.1")->clock.deadline, deadline);
    ck_assert_int_ge(house_mails(&house, "dora", &told), 1);
    ck_assert_msg(house_says(told.p, "its deadline cannot move beyond that"), "%s", told.p);
    str_release(&told);
}
END_TEST

/* The service stood still when the round ended: who could not send orders is not made to miss a turn. */
START_TEST(an_outage_over_the_end_of_a_round)
{
    new_scored();
    live(round_end() - 4 * DAY_SECONDS);
    struct game *game = house_find(&house, "cup.1.1");
    int turn = game->turn, missed = game->seat[1].missed;
    house_work(&house, round_end() + 2 * DAY_SECONDS);
    game = house_find(&house, "cup.1.1");
    ck_assert(game->over && game_cut_short(game));
    ck_assert_int_eq(game->turn, turn);
    ck_assert_int_eq(game->seat[1].missed, missed);
}
END_TEST

/* ---- rulings, and what is told of them ---- */

/* The league does not decide: it waits for a moderator, and goes on. Work that has nothing to do does nothing. */
START_TEST(a_table_waits_for_a_ruling)
{
    struct err err = ERR_INIT;
    struct compete_step step;
    struct batch_competition *entry;
    new_patient(1, ADJUDGE_MODERATOR);
    live(cup()->rounds[0].end + DAY_SECONDS);
    ck_assert_int_eq(cup()->rounds[0].done, 0);
    const int64_t seq = cup()->seq;
    ck_assert_int_eq(house.batch.competitions.next, 0);
    for (int table = 1; table <= 2; table++) {
        ck_ok(competing_find(&house.batch, "cup", &entry, &err), err);
        competing_step(&house.batch, &step);
        ck_ok(compete_adjust(&step, &entry->c,
                             json_pack("{s:s,s:s,s:s,s:i,s:i,s:[ii]}", "do", "rank", "by", "operator",
                                       "reason", "By the board.", "round", 1, "table", table, "ranks", 2, 1),
                             &err),
              err);
        competing_take(entry, &step);
        compete_step_release(&step);
        ck_ok(batch_commit(&house.batch, &err), err);
        batch_reset(&house.batch, true);
    }
    ck_assert_int_eq(cup()->seq, seq + 2);
    live(cup()->rounds[0].end + cup()->terms.protest);
    ck_assert(cup()->closed);
}
END_TEST

static void narrow(const char *mail)
{
    struct slice rest = slice_of(mail), line;
    while (slice_line(&rest, &line))
        ck_assert_msg(line.len <= 78 && (line.len <= 72 || slice_find(line, ":") < 20), "%.*s", (int)line.len,
                      line.p);
}

/* Each table that the league adjudges is told to those who sat there, once. */
START_TEST(what_is_adjudged_is_told)
{
    struct str told;
    new_patient(1, ADJUDGE_TIE);
    live(cup()->rounds[0].end + DAY_SECONDS);
    ck_assert_int_eq(cup()->rounds[0].done, 2);
    for (int i = 0; i < 4; i++) {
        (void)house_mails(&house, people[i], &told);
        const char *mail = strstr(told.p, "was not over in time"); /* its subject, and its first line */
        const char *first = mail ? strstr(mail + 1, "was not over in time") : NULL;
        ck_assert_msg(first && !strstr(first + 1, "was not over in time"), "%s", told.p);
        ck_assert(house_says(told.p, "A moderator can change it until"));
        narrow(mail);
        str_release(&told);
    }
}
END_TEST

/* A ruling, told to whom it concerns and to nobody else. */
static const struct {
    struct competing_ruling ruling; /* of anna; with `table` NULL */
    bool table;
    const char *words;
} rulings[] = {
    {{.player = "anna", .by = "dora", .reason = "Two accounts."},
     false,
     "dora, a moderator, has taken you out of this competition, anna"},
    {{.player = "anna", .by = "operator", .halves = 2, .reason = "A bye."},
     false,
     "The operator has given you 1 point, anna. The table counts it from now on."},
    {{.player = "anna", .by = "operator", .halves = -3, .reason = "Late."},
     false,
     "The operator has taken 1.5 points from you, anna."},
    {{.by = "dora", .reason = "By the board."},
     true,
     "dora, a moderator, has decided how table 1 of round 1"},
};

START_TEST(a_ruling_is_told)
{
    struct err err = ERR_INIT;
    struct competing_ruling ruling = rulings[_i].ruling;
    struct batch_competition *entry;
    draw_first();
    house_empty_spool(&house);
    ck_ok(competing_find(&house.batch, "cup", &entry, &err), err);
    const struct compete_table *table = competition_table_of(&entry->c, 1, "anna");
    ck_assert_ptr_nonnull(table);
    if (rulings[_i].table)
        ruling.table = competition_table(&entry->c, 1, 1);
    ck_ok(competing_tell_ruling(&house.batch, entry, &ruling, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    ck_assert_int_eq(house_mails_with(&house, "The decision is in the journal"), rulings[_i].table ? 2 : 1);
    struct str told;
    (void)house_mails(&house, NULL, &told);
    ck_assert_msg(house_says(told.p, rulings[_i].words), "%s", told.p);
    ck_assert(house_says(told.p, ruling.reason));
    narrow(told.p);
    str_release(&told);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, a_table_waits_for_a_ruling);
    tcase_add_test(tc, a_game_ends_with_its_round);
    tcase_add_test(tc, what_is_adjudged_is_told);
    tcase_add_loop_test(tc, a_ruling_is_told, 0, sizeof rulings / sizeof *rulings);
    tcase_add_test(tc, a_substitute_wins_nothing);
    tcase_add_test(tc, who_resigns_is_last);
    tcase_add_test(tc, a_void_game_gives_nothing);
    tcase_add_test(tc, a_game_that_was_rolled_back_counts_once);
    tcase_add_test(tc, an_adjudged_game_that_is_rolled_back_changes_nothing);
    tcase_add_test(tc, a_game_is_cut_short);
    tcase_add_test(tc, a_last_turn_with_all_orders_is_played);
    tcase_add_test(tc, nothing_puts_off_the_end_of_a_round);
    tcase_add_test(tc, a_moderator_cannot_go_beyond_the_round);
    tcase_add_test(tc, an_outage_over_the_end_of_a_round);
}
TEST_MAIN("batch/competing_games", cases)
