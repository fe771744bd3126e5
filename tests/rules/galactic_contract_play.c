/* Galactic Contract: robots, the deal, concealing, and the form. */
#include "chance/vrf.h"
#include "rules/views.h"
#include "rules/contract.h"

#define ROBOT_GAMES (FEW ? 20 : 40)

/* ---- robots ---- */

struct figures {
    int rounds, points, shipments, unfinished;
};

static void robot_game(const struct gk_cards *cards, int seats, int game, struct figures *sum)
{
    struct gk_state state;
    struct chance chance;
    int turn = 1;
    seed_chance(&chance, "robots", game, 0);
    start_game(cards, &state, seats, false, false, &chance);
    for (; gk_awaits(&state) && turn < 1000; turn++) {
        struct str text = STR_INIT;
        gk_robot(cards, &state, gk_active(&state), &text);
        struct script *script = parse(text.p);
        ck_assert_msg(script_errors(script) == 0, "game %d: the robot wrote %s", game, text.p);
        script_free(script);
        (void)play_text(cards, &state, text.p, turn);
        str_release(&text);
    }
    for (int seat = 1; seat <= seats; seat++) {
        struct gk_points points = gk_points(cards, gk_player_const(&state, seat));
        sum->points += points.total;
        sum->shipments += points.shipments;
    }
    sum->rounds += state.round;
    sum->unfinished += !state.over;
}

/* The figures of the design's simulation for its greedy players: 22, 16 and 13 rounds (median) with 56, 38
 * and 29 points a seat, about 45 % of them from shipments. */
static const struct {
    int seats, rounds_min, rounds_max, points_min, points_max;
} wanted[] = {{2, 19, 24, 50, 60}, {3, 14, 18, 34, 42}, {4, 12, 15, 26, 33}};

START_TEST(robots_play_a_sensible_game)
{
    struct gk_cards cards;
    struct figures sum = {0, 0, 0, 0};
    int seats = wanted[_i].seats;
    load_cards(&cards);
    for (int game = 0; game < ROBOT_GAMES; game++)
        robot_game(&cards, seats, game, &sum);
    int rounds = sum.rounds / ROBOT_GAMES;
    int points = sum.points / (ROBOT_GAMES * seats);
    int share = 100 * sum.shipments / sum.points;
    ck_assert_int_eq(sum.unfinished, 0);
    ck_assert_msg(rounds >= wanted[_i].rounds_min && rounds <= wanted[_i].rounds_max, "%d rounds", rounds);
    ck_assert_msg(points >= wanted[_i].points_min && points <= wanted[_i].points_max, "%d points", points);
    ck_assert_msg(share >= 35 && share <= 55, "%d %% of the points are from shipments", share);
}
END_TEST

/* Games in which a robot could go to and fro for ever, with the cargo of a shipment on board, between this one and a
 * better one. */
START_TEST(robots_deliver_what_they_can_pay)
{
    struct gk_cards cards;
    struct figures now = {0, 0, 0, 0};
    static const int games[] = {12, 67, 104};
    load_cards(&cards);
    for (int i = 0; i < 3; i++)
        robot_game(&cards, 1, games[i], &now);
    ck_assert_int_eq(now.unfinished, 0);
}
END_TEST

/* ---- chance ---- */

START_TEST(hidden_draws_replay_from_their_proofs)
{
    struct gk_cards cards;
    struct gk_state live_state, replay_state;
    struct chance live, replay;
    unsigned char secret[VRF_SECRET], public[VRF_PUBLIC], root[64] = {7};
    load_cards(&cards);
    vrf_keygen(secret, public);
    chance_live(&live, root, secret, public);
    start_game(&cards, &live_state, 4, false, false, &live);
    ck_assert_uint_eq(live.hidden_count, 3);
    chance_replay(&replay, root, public);
    memcpy(replay.hidden, live.hidden, sizeof(live.hidden));
    replay.hidden_count = live.hidden_count;
    start_game(&cards, &replay_state, 4, false, false, &replay);
    ck_assert(!replay.broken);
    ck_assert(same(&live_state, &replay_state));
    replay.hidden_count = 2;
    start_game(&cards, &replay_state, 4, false, false, &replay);
    ck_assert(replay.broken);
}
END_TEST

/* Each covered card can be on top: nothing of the old order is left, and what is open stays. */
START_TEST(concealing_is_thorough)
{
    struct gk_cards cards;
    struct gk_state state;
    struct chance chance;
    int trades[GK_TRADES + 1] = {0};
    int shipments[GK_SHIPMENTS + 1] = {0};
    int constructions[GK_CONSTRUCTIONS + 1] = {0};
    int kinds[3] = {0, 0, 0};
    load_cards(&cards);
    seed_chance(&chance, "conceal", 0, 0);
    start_game(&cards, &state, 2, true, false, &chance);
    const int gift = state.building[--state.building_count]; /* it was made, and does not come back */
    state.building[state.building_count] = 0;
    for (int i = 0; i < 1500; i++) {
        struct gk_state other = state;
        seed_chance(&chance, "thorough", i, 0);
        gk_conceal(&cards, &other, 1, &chance);
        trades[other.deck[0]]++;
        shipments[other.pile[1].card[1]]++;
        constructions[other.building[0]]++;
        ck_assert_int_eq(other.pile[1].card[0], state.pile[1].card[0]);
        ck_assert_int_eq(other.ring[2].trade, state.ring[2].trade);
    }
    for (int n = 1; n <= GK_TRADES; n++)
        kinds[0] += trades[n] > 0;
    for (int n = 1; n <= GK_SHIPMENTS; n++)
        kinds[1] += shipments[n] > 0;
    for (int n = 1; n <= GK_CONSTRUCTIONS; n++)
        kinds[2] += constructions[n] > 0;
    ck_assert_int_eq(kinds[0], state.deck_count);
    ck_assert_int_eq(kinds[1], 9); /* twelve without the three open ones: the box's three are as likely */
    ck_assert_int_eq(kinds[2], GK_CONSTRUCTIONS - 1);
    ck_assert_int_eq(constructions[gift], 0);
}
END_TEST

/* The seventh planet comes in about 1 of 28 games, and whenever a kind is missing. */
START_TEST(the_circle_produces_all_kinds)
{
    struct gk_cards cards;
    int seven = 0;
    load_cards(&cards);
    for (int game = 0; game < 600; game++) {
        struct gk_state state;
        struct chance chance;
        seed_chance(&chance, "ring", game, 0);
        start_game(&cards, &state, 4, false, false, &chance);
        ck_assert_int_eq(gk_ring_kinds(&cards, &state), GK_KINDS);
        ck_assert_int_eq(state.deck_count, GK_TRADES - state.planets);
        if (state.planets > 6) {
            struct gk_state six = state;
            six.planets = 6;
            ck_assert_int_eq(state.planets, 7);
            ck_assert_int_eq(gk_ring_kinds(&cards, &six), GK_KINDS - 1);
            seven++;
        }
        check_cards(&cards, &state, game);
    }
    ck_assert_msg(seven >= 8 && seven <= 40, "%d of 600 games have a seventh planet", seven);
}
END_TEST

/* Deals a game of three with these wishes; the event of each seat says whether its ship was wished for. */
static void deal_wishes(const struct gk_cards *cards, struct gk_state *state, const int options[GAME_OPTIONS],
                        const struct wish_list *wishes, bool wished[GK_SEATS + 1])
{
    struct err err = ERR_INIT;
    struct events events;
    struct chance chance;
    seed_chance(&chance, "wishes", 0, 0);
    memset(state, 0, sizeof(*state));
    ck_ok(gk_init(cards, 3, options, state, &err), err);
    events_init(&events);
    gk_deal(cards, state, wishes, &chance, &events);
    for (size_t i = 0; i < events.count; i++)
        if (slice_eq(events.list[i].type, "ship_given")) {
            json_t *json = events_json(&events, -1);
            wished[events.list[i].seat] = json_object_get(json_array_get(json, i), "wished") != NULL;
            json_decref(json);
        }
    events_release(&events);
}

/* From the last in the order of moving to the first; each gets the first of its wishes that is left. */
START_TEST(ships_go_by_wish)
{
    static const int none[GAME_OPTIONS] = {0};
    struct gk_cards cards;
    struct gk_state plain, state;
    struct wish_list wishes[SEATS_MAX + 1] = {{{0}}};
    bool wished[GK_SEATS + 1];
    load_cards(&cards);
    deal_wishes(&cards, &plain, none, NULL, wished);
    ck_assert(!wished[1] && !wished[2] && !wished[3]);
    deal_wishes(&cards, &state, none, wishes, wished);
    ck_assert(same(&plain, &state));
    int first = gk_seat_at(&plain, 0), second = gk_seat_at(&plain, 1), last = gk_seat_at(&plain, 2);
    wishes[first] = (struct wish_list){{2, 3}};
    wishes[last] = (struct wish_list){{3, 2}};
    wishes[second] = (struct wish_list){{3, 2}};
    deal_wishes(&cards, &state, none, wishes, wished);
    ck_assert_int_eq(state.player[last - 1].ship, 3);
    ck_assert_int_eq(state.player[second - 1].ship, 2);
    ck_assert(state.player[first - 1].ship == 1 || state.player[first - 1].ship == 4);
    ck_assert(wished[last] && wished[second] && !wished[first]);
    int options[GAME_OPTIONS] = {0};
    options[GK_OPTION_SHIP + first - 1] = 3;
    deal_wishes(&cards, &state, options, wishes, wished);
    ck_assert_int_eq(state.player[first - 1].ship, 3);
    ck_assert_int_eq(state.player[last - 1].ship, 2);
}
END_TEST

/* ---- the view ---- */

START_TEST(the_form_can_be_sent_as_it_is)
{
    struct gk_cards cards;
    struct gk_state state;
    struct chance chance;
    load_cards(&cards);
    seed_chance(&chance, "form", 0, 0);
    start_game(&cards, &state, 2, false, false, &chance);
    check_form(&cards, &state, 7);
    struct gk_player *player = gk_player(&state, state.active);
    player->ship = 3;
    player->owned_count = 2;
    player->owned[0] = (struct gk_owned){.card = 15};
    player->owned[1] = (struct gk_owned){.card = 16};
    player->cargo = (struct gk_goods){{2, 2, 2, 1}};
    check_form(&cards, &state, 14);
    player->cargo = (struct gk_goods){{3, 0, 0, 3}};
    for (int place = 0; place <= state.planets; place++) {
        player->place = player->visited = place;
        check_form(&cards, &state, 8);
    }
    player->place = GK_GCC;
    player->cargo = (struct gk_goods){{2, 2, 2, 2}};
    (void)play_text(&cards, &state, "ship best\npause", 1);
    ck_assert(gk_interrupted(&state));
    ck_assert_int_eq((int)gk_awaits(&state), (int)SEAT_BIT(state.active));
    check_form(&cards, &state, 1);
    json_t *view = view_as_json(rules(), &cards, &state, 0);
    ck_assert_uint_eq(json_array_size(json_object_get(view, "form")), 0);
    ck_assert_ptr_null(json_object_get(view, "own"));
    ck_assert_uint_eq(json_array_size(json_object_get(view, "others")), 2);
    json_decref(view);
}
END_TEST

/* A parameter of the first event of this type, "" where there is none. */
static const char *of_event(const json_t *events, const char *type, const char *param)
{
    const json_t *event;
    size_t i;
    json_array_foreach (events, i, event)
        if (strcmp(json_string_value(json_object_get(event, "type")), type) == 0) {
            const char *text = json_string_value(json_object_get(event, param));
            return text ? text : "";
        }
    return "";
}

/* How many of a list of resources, "2 metal, 1 fuel". */
static int count_goods(const char *list)
{
    int sum = 0;
    for (const char *c = list; *c; c++)
        sum += *c >= '0' && *c <= '9' ? *c - '0' : 0;
    return sum;
}

/* What a choice says of room is what comes of it. */
static void check_room(const struct gk_cards *cards, const struct gk_state *state, const json_t *choice,
                       int found[3])
{
    const json_t *why = json_object_get(choice, "why"), *note;
    struct gk_state copy = *state;
    struct events events;
    const char *left = "left", *type = "collected";
    if ((note = json_object_get(why, "trade")))
        left = "lost", type = "overflow_lost";
    else if (!(note = json_object_get(why, "collect")) && !(note = json_object_get(why, "stay_collect")))
        return;
    const char *line = json_string_value(json_object_get(choice, "line"));
    const char *said = json_string_value(json_object_get(note, left));
    struct script *script = parse(line);
    play_events(cards, &copy, script, NULL, 1, &events);
    json_t *list = events_json(&events, -1);
    const char *came = of_event(list, type, strcmp(left, "lost") == 0 ? "goods" : "left");
    ck_assert_msg(strcmp(said ? said : "", came) == 0, "%s: no room for %s, but for %s", line, came, said);
    if (strcmp(left, "left") == 0) {
        const char *goods = json_string_value(json_object_get(note, "goods"));
        const char *here =
            gk_place_name(cards, &copy, gk_where(&copy, gk_player_const(&copy, gk_active(state))));
        const json_t *event;
        size_t i;
        int got = 0;
        json_array_foreach (list, i, event) {
            const char *planet = json_string_value(json_object_get(event, "planet"));
            const char *collected = json_string_value(json_object_get(event, "goods"));
            if (planet && collected && strcmp(planet, here) == 0)
                got += count_goods(collected);
        }
        ck_assert_msg(count_goods(goods ? goods : "") == got, "%s: %d and not %s", line, got, goods);
        found[2] += !goods && said;
    }
    found[strcmp(left, "lost") == 0] += said != NULL;
    json_decref(list);
    events_release(&events);
    script_free(script);
}

START_TEST(the_form_says_what_has_no_room)
{
    struct gk_cards cards;
    int found[3] = {0}, discards = 0;
    load_cards(&cards);
    for (int game = 0; game < ROBOT_GAMES; game++) {
        struct gk_state state;
        struct chance chance;
        seed_chance(&chance, "room", game, 0);
        start_game(&cards, &state, 1 + game % 4, false, false, &chance);
        for (int turn = 1; gk_awaits(&state) && turn < 200; turn++) {
            const struct gk_player *player = gk_player_const(&state, gk_active(&state));
            json_t *view = view_as_json(rules(), &cards, &state, gk_active(&state)), *choice;
            bool discard = false;
            size_t i;
            json_array_foreach (json_object_get(view, "form"), i, choice) {
                check_room(&cards, &state, choice, found);
                discard |= json_object_get(json_object_get(choice, "why"), "discard") != NULL;
            }
            ck_assert(discard == !gk_room(&cards, player));
            discards += discard;
            json_decref(view);
            struct str text = STR_INIT;
            gk_robot(&cards, &state, gk_active(&state), &text);
            (void)play_text(&cards, &state, text.p, turn);
            str_release(&text);
        }
    }
    printf("no room: %d of collecting, %d of trades; nothing at all %d; full ships %d\n", found[0], found[1],
           found[2], discards);
    ck_assert(found[0] > 0 && found[1] > 0 && found[2] > 0 && discards > 0);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, robots_deliver_what_they_can_pay);
    tcase_add_loop_test(tc, robots_play_a_sensible_game, 0, (int)(sizeof(wanted) / sizeof(wanted[0])));
    tcase_add_test(tc, hidden_draws_replay_from_their_proofs);
    tcase_add_test(tc, concealing_is_thorough);
    tcase_add_test(tc, the_circle_produces_all_kinds);
    tcase_add_test(tc, ships_go_by_wish);
    tcase_add_test(tc, the_form_can_be_sent_as_it_is);
    tcase_add_test(tc, the_form_says_what_has_no_room);
}
TEST_MAIN("rules/galactic_contract_play", cases)
