/* Galactic Supremacy: robots and balance, proofs of hidden draws, odds, the form. */
#include "chance/vrf.h"
#include "rules/views.h"
#include "rules/supremacy.h"

/* ---- robots ---- */

struct tally {
    int rounds, combats, taken, first, refused;
};

static void robot_game(const struct gs_cards *cards, int seats, int decks, int game, struct tally *tally)
{
    struct gs_state state;
    struct chance chance;
    struct score score[GS_SEATS + 1];
    seed_chance(&chance, "robots", game, 0);
    start_game(cards, &state, seats, decks, 0, &chance);
    for (int turn = 1; gs_awaits(&state); turn++) {
        struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
        struct events events;
        struct str text = STR_INIT;
        gs_robot(cards, &state, state.active, &text);
        struct script *script = script_parse(slice_str(&text), rules()->language);
        ck_assert_msg(script_errors(script) == 0, "game %d: the robot wrote %s", game, text.p);
        orders[state.active].script = script;
        events_init(&events);
        seed_chance(&chance, "robots", game, turn);
        gs_play(cards, &state, &(struct resolution){orders, turn, &chance, &events});
        for (size_t i = 0; i < events.count; i++) {
            const struct slice type = events.list[i].type;
            tally->combats += slice_eq(type, "defends");
            tally->taken += slice_eq(type, "conquered") || slice_eq(type, "home_destroyed");
            tally->refused += slice_eq(type, "refused");
        }
        events_release(&events);
        script_free(script);
        str_release(&text);
        ck_assert_msg(state.round < 400, "game %d does not end", game);
    }
    gs_scores(cards, &state, score);
    tally->rounds += state.round;
    tally->first += score[state.order[0]].won;
}

static const struct {
    int seats, decks, games;
    int rounds[2], combats[2],
        first[2]; /* mean rounds and combats a game; the first one's victories in percent */
} balance[] = {
    {2, 1, 100, {22, 36}, {12, 24}, {40, 65}},
    {4, 2, 30, {28, 50}, {35, 65}, {10, 45}},
};

START_TEST(robots_play_a_sensible_game)
{
    struct gs_cards cards;
    struct tally tally = {0};
    int games = FEW ? balance[_i].games / 3 : balance[_i].games;
    load_cards(&cards);
    for (int game = 0; game < games; game++)
        robot_game(&cards, balance[_i].seats, balance[_i].decks, game, &tally);
    int rounds = tally.rounds / games;
    int combats = tally.combats / games;
    int first = 100 * tally.first / games;
    ck_assert_msg(rounds >= balance[_i].rounds[0] && rounds <= balance[_i].rounds[1], "%d rounds", rounds);
    ck_assert_msg(combats >= balance[_i].combats[0] && combats <= balance[_i].combats[1], "%d combats",
                  combats);
    ck_assert_msg(first >= balance[_i].first[0] && first <= balance[_i].first[1], "the first wins %d of 100",
                  first);
    ck_assert_msg(10 * tally.taken > 8 * tally.combats, "%d of %d attacks succeed", tally.taken,
                  tally.combats);
    ck_assert_msg(tally.refused < tally.rounds, "%d orders are refused in %d rounds", tally.refused,
                  tally.rounds);
}
END_TEST

/* ---- chance ---- */

static void exchange_much(const struct gs_cards *cards, struct gs_state *state, struct chance *chance)
{
    struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
    struct events events;
    struct script *script =
        script_parse(slice_of("explore 12\nrepeat draft\nrepeat explore\nrepeat draft\nrepeat explore\n"
                              "repeat draft\nrepeat explore\nrepeat draft\nrepeat explore\n"),
                     rules()->language);
    orders[state->active].script = script;
    events_init(&events);
    gs_play(cards, state, &(struct resolution){orders, 1, chance, &events});
    events_release(&events);
    script_free(script);
}

/* A deck so small that it is shuffled again and again: the proofs must fit, and the replay must follow from
 * them. */
static void small_deck(struct gs_state *state)
{
    struct gs_player *player = gs_player(state, state->active);
    memset(state->deck, 0, sizeof(state->deck));
    for (int seat = 1; seat <= state->seats; seat++)
        gs_player(state, seat)->hand_count = 0;
    for (int card = 11; card <= 28; card++)
        gs_hand_put(state, state->active, card, 0);
    for (int card = 29; card <= 33; card++)
        state->deck[0].draw[state->deck[0].draw_count++] = (uint8_t)card;
    player->credits = 0;
}

START_TEST(hidden_draws_replay_from_their_proofs)
{
    struct gs_cards cards;
    struct gs_state live_state, replay_state;
    struct chance live, replay;
    unsigned char secret[VRF_SECRET], public[VRF_PUBLIC], root[64] = {7};
    load_cards(&cards);
    vrf_keygen(secret, public);
    for (int i = 0; i < 2; i++) {
        chance_live(&live, root, secret, public);
        start_game(&cards, &live_state, 6, 2 - i, 0, &live);
        ck_assert_uint_eq(live.hidden_count, i ? 1 : 6);
        chance_replay(&replay, root, public);
        memcpy(replay.hidden, live.hidden, sizeof(live.hidden));
        replay.hidden_count = live.hidden_count;
        start_game(&cards, &replay_state, 6, 2 - i, 0, &replay);
        ck_assert(!replay.broken);
        check_same(&live_state, &replay_state, 0);
    }
    small_deck(&live_state);
    replay_state = live_state;
    chance_live(&live, root, secret, public);
    exchange_much(&cards, &live_state, &live);
    ck_assert_uint_ge(live.hidden_count, 2);
    ck_assert_uint_le(live.hidden_count, CHANCE_HIDDEN);
    chance_replay(&replay, root, public);
    memcpy(replay.hidden, live.hidden, sizeof(live.hidden));
    replay.hidden_count = live.hidden_count;
    exchange_much(&cards, &replay_state, &replay);
    ck_assert(!replay.broken);
    check_same(&live_state, &replay_state, 0);
}
END_TEST

/* ---- odds ---- */

static struct gs_plan make_battle(const struct gs_cards *cards, struct gs_state *state)
{
    struct gs_plan plan = {
        .by = 1, .target = 2, .world = GS_HOME, .fleet_count = 6, .fleet = {1, 2, 3, 4, 5, 6}};
    struct chance chance;
    seed_chance(&chance, "battle", 0, 0);
    start_game(cards, state, 2, 2, 0, &chance);
    state->active = 1;
    for (int i = 0; i < 6; i++)
        gs_unit_add(state->player[0].fleet, &state->player[0].fleet_count, 111 + i, GS_HOME);
    gs_unit_add(state->player[1].fleet, &state->player[1].fleet_count, 211, GS_HOME);
    return plan;
}

START_TEST(odds_are_right_and_no_oracle)
{
    struct gs_cards cards;
    struct gs_state state;
    const int trials = FEW ? 250 : 1000;
    int won = 0;
    load_cards(&cards);
    struct gs_plan plan = make_battle(&cards, &state);
    int odds = gs_plan_odds(&cards, &state, &plan);
    struct script *script = script_parse(slice_of("if odds > 0 attack p2 home with all"), rules()->language);
    for (int i = 0; i < trials; i++) {
        struct gs_state trial = state;
        struct chance chance;
        struct events events;
        struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
        orders[1].script = script;
        events_init(&events);
        seed_chance(&chance, "battle", i, 1);
        gs_play(&cards, &trial, &(struct resolution){orders, 1, &chance, &events});
        for (size_t e = 0; e < events.count; e++) {
            won += slice_eq(events.list[e].type, "won");
            ck_assert_msg(!slice_eq(events.list[e].type, "odds") || events.list[e].param[0].number == odds,
                          "the odds depend on the dice of the turn");
        }
        events_release(&events);
    }
    script_free(script);
    int percent = 100 * won / trials;
    ck_assert_msg(percent >= odds - 10 && percent <= odds + 10, "%d %% won, the odds were %d of 100", percent,
                  odds);
    ck_assert_msg(odds > 10 && odds < 90, "%d is no test", odds);
}
END_TEST

/* ---- the view ---- */

START_TEST(the_form_can_be_sent_as_it_is)
{
    struct gs_cards cards;
    struct gs_state state;
    struct chance chance;
    size_t i;
    json_t *entry;
    load_cards(&cards);
    seed_chance(&chance, "form", 0, 0);
    start_game(&cards, &state, 3, 1, 0, &chance);
    state.active = 1;
    memset(state.player, 0, sizeof(state.player[0]) * 2);
    for (int seat = 1; seat <= 2; seat++) {
        struct gs_player *player = gs_player(&state, seat);
        player->credits = 40;
        for (int t = 0; t < GS_TECHS; t++)
            player->tech[t] = (uint16_t)seat;
        gs_unit_add(player->sector, &player->sector_count, 29 + seat, 0);
        gs_unit_add(player->fleet, &player->fleet_count, 20 + seat, 0);
        gs_unit_add(player->leader, &player->leader_count, 47 + seat, GS_ON_FLEET + 1);
    }
    const int hand[] = {1, 36, 26, 11, 46};
    for (size_t n = 0; n < 5; n++)
        gs_hand_put(&state, 1, hand[n], 0);
    gs_hand_put(&state, 2, 2, 0);
    json_t *view = view_as_json(rules(), &cards, &state, 1);
    ck_assert_uint_ge(json_array_size(json_object_get(view, "form")), 20);
    json_array_foreach (json_object_get(view, "form"), i, entry) {
        struct gs_state trial = state;
        struct events events;
        struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
        const char *line = json_string_value(json_object_get(entry, "line"));
        struct script *script = script_parse(slice_of(line), rules()->language);
        ck_assert_msg(script_errors(script) == 0, "\"%s\" is not understood", line);
        orders[1].script = script;
        events_init(&events);
        seed_chance(&chance, "form", 0, 1);
        gs_play(&cards, &trial, &(struct resolution){orders, 1, &chance, &events});
        for (size_t e = 0; e < events.count; e++)
            ck_assert_msg(!slice_eq(events.list[e].type, "refused"), "\"%s\" was refused", line);
        events_release(&events);
        script_free(script);
    }
    json_decref(view);
    view = view_as_json(rules(), &cards, &state, 0);
    ck_assert_uint_eq(json_array_size(json_object_get(view, "form")), 0);
    ck_assert_ptr_null(json_object_get(view, "own"));
    ck_assert_uint_eq(json_array_size(json_object_get(view, "others")), 3);
    json_decref(view);
}
END_TEST

/* PAUSE keeps the seat awaited and the deadline where it was; the next mail goes on. */
START_TEST(a_pause_interrupts)
{
    struct gs_cards cards;
    struct gs_state state;
    struct chance chance;
    struct events events;
    struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
    load_cards(&cards);
    seed_chance(&chance, "pause", 0, 0);
    start_game(&cards, &state, 2, 1, 0, &chance);
    int seat = state.active;
    for (int i = 0; i < 2; i++) {
        struct script *script = script_parse(slice_of(i ? "pass" : "pause"), rules()->language);
        orders[seat].script = script;
        events_init(&events);
        seed_chance(&chance, "pause", 0, i + 1);
        gs_play(&cards, &state, &(struct resolution){orders, i + 1, &chance, &events});
        events_release(&events);
        script_free(script);
        ck_assert_int_eq(gs_interrupted(&state), i == 0);
        ck_assert_uint_eq(gs_awaits(&state), i ? SEAT_BIT(3 - seat) : SEAT_BIT(seat));
    }
}
END_TEST

static const struct {
    const char *line;
    bool fits;
} standing_lines[] = {
    {"when attacked counter", false},
    {"when attacked vote draw", false},
    {"when attacked play peace or counter", false},
    {"when attacked by marvn defend all", false},
    {"when attacked by p9 defend all", false},
    {"when attacked defned all", false},
    {"when played build fleet", false},
    {"when played by nobody counter", false},
    {"when conquer defend all", false},
    {"when offered fleet for nothing decline", false},
    {"when ambushed counter", false},
    {"when peace play quotas", false},
    {"when attacked by p2 at home play peace or defend all", true},
    {"when attacked by player 2 if credits > 3 play peace else defend none", true},
    {"when played steal by 3 on me counter keep 1", true},
    {"when ambushed by p1 play surprise", true},
    {"when peace attack p3 home", true},
    {"when countered play again", true},
    {"when conquer leave", true},
    {"when offered 5 credits for fleet accept", true},
};

/* Nobody should rely on an answer that can never be given. */
START_TEST(standing_lines_fit_their_trigger)
{
    struct script *script = script_parse(slice_of(standing_lines[_i].line), rules()->language);
    ck_assert_msg(script_errors(script) == !standing_lines[_i].fits, "%s", standing_lines[_i].line);
    script_free(script);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_loop_test(tc, standing_lines_fit_their_trigger, 0,
                        (int)(sizeof(standing_lines) / sizeof(standing_lines[0])));
    tcase_add_loop_test(tc, robots_play_a_sensible_game, 0, 2);
    tcase_add_test(tc, hidden_draws_replay_from_their_proofs);
    tcase_add_test(tc, odds_are_right_and_no_oracle);
    tcase_add_test(tc, a_pause_interrupts);
    tcase_add_test(tc, the_form_can_be_sent_as_it_is);
}
TEST_MAIN("rules/galactic_supremacy_play", cases)
