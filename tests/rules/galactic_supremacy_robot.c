/* Galactic Supremacy: a robot brings games to an end, also against a player who only sits and builds. */
#include "rules/supremacy.h"

/* What the robot would do, but for its attacks: it builds, researches and waits at home. */
static void without_attacks(struct str *lines)
{
    struct str kept = STR_INIT;
    struct slice rest = slice_str(lines);
    struct slice line;
    while (slice_line(&rest, &line)) {
        if (!slice_starts(line, "attack")) {
            str_addslice(&kept, line);
            str_addc(&kept, '\n');
        }
    }
    str_release(lines);
    *lines = kept;
}

struct duel {
    struct gs_cards cards;
    struct gs_state state;
    bool waits[2];  /* it never attacks */
    bool stands_in; /* a player's seat that a robot plays */
    int game, turn;
};

static void start_duel(struct duel *duel, int game)
{
    struct chance chance;
    load_cards(&duel->cards);
    duel->game = game;
    duel->turn = 0;
    seed_chance(&chance, "duel", game, 0);
    start_game(&duel->cards, &duel->state, 2, 1, 0, &chance);
}

static void play_duel(struct duel *duel)
{
    struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
    struct events events;
    struct chance chance;
    struct str text = STR_INIT;
    int seat = duel->state.active;
    gs_robot(&duel->cards, &duel->state, seat, &text);
    if (duel->waits[seat - 1])
        without_attacks(&text);
    struct script *script = script_parse(slice_str(&text), rules()->language);
    ck_assert_msg(script_errors(script) == 0, "not understood: %s", text.p);
    orders[seat].script = script;
    orders[seat].robot = !duel->stands_in;
    events_init(&events);
    seed_chance(&chance, "duel", duel->game, ++duel->turn);
    gs_play(&duel->cards, &duel->state, &(struct resolution){orders, duel->turn, &chance, &events});
    events_release(&events);
    script_free(script);
    str_release(&text);
}

#define DUELS (FEW ? 8 : 40)
#define LONG  60 /* rounds: the limit of new games */

/* Of DUELS games against somebody who waits, how many a robot has ended by then. */
static int ended_by_robot(void)
{
    int ended = 0;
    for (int game = 0; game < DUELS; game++) {
        struct duel duel = {.waits = {false, true}};
        start_duel(&duel, game);
        while (gs_awaits(&duel.state) && duel.state.round <= LONG)
            play_duel(&duel);
        ended += !gs_awaits(&duel.state);
    }
    return ended;
}

START_TEST(robots_do_not_stand_still)
{
    int ended = ended_by_robot();
    ck_assert_msg(ended >= DUELS * 3 / 4, "%d of %d games end", ended, DUELS);
}
END_TEST

/* ---- a draw ---- */

/* Seat 1, a player, votes for a draw; seat 2 has so many fleets and sectors more than they have. */
static void ask_for_a_draw(struct duel *duel, int more)
{
    start_duel(duel, 1);
    struct gs_player *robot = &duel->state.player[1];
    for (int i = 0; i < more; i++)
        gs_unit_add(robot->sector, &robot->sector_count, 21 + i, 0);
    duel->state.player[0].draw = true;
    duel->state.active = 2;
    play_duel(duel);
}

START_TEST(robots_answer_a_vote_for_a_draw)
{
    struct duel duel = {.game = 0};
    ask_for_a_draw(&duel, 0);
    ck_assert_str_eq(gs_ending(&duel.state), "agreed");
    ask_for_a_draw(&duel, 3); /* it is ahead */
    ck_assert_str_eq(gs_ending(&duel.state), "");
    ck_assert(!duel.state.player[1].draw);
}
END_TEST

/* What a robot would agree to is nobody's word but its own: where it only stands in, the player is asked. */
START_TEST(a_robot_that_stands_in_agrees_to_nothing)
{
    struct duel duel = {.stands_in = true};
    ask_for_a_draw(&duel, 0);
    ck_assert_str_eq(gs_ending(&duel.state), "");
    ck_assert(!duel.state.player[1].draw);
}
END_TEST

/* Games end by rounds unless somebody wants it otherwise. */
START_TEST(rounds_have_a_limit)
{
    ck_assert_int_eq(rules()->options[GS_OPTION_ROUNDS].initial, LONG);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, robots_do_not_stand_still);
    tcase_add_test(tc, robots_answer_a_vote_for_a_draw);
    tcase_add_test(tc, a_robot_that_stands_in_agrees_to_nothing);
    tcase_add_test(tc, rounds_have_a_limit);
}
TEST_MAIN("rules/galactic_supremacy_robot", cases)
