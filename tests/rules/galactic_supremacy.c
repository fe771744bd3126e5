/* Galactic Supremacy: what must hold in every game. Worked turns are in tests/golden/galactic_supremacy,
 * robots, odds and the view in galactic_supremacy_play.c, deals in galactic_supremacy_deals.c, cards and
 * templates in galactic_supremacy_data.c. */
#include "rules/supremacy.h"
#include "rules/supremacy_report.h"
#include "rules/trials.h"

#define GAMES (FEW ? 5 : 24) /* PROPERTY_GAMES says otherwise */
#define PLAYS 70

/* Where reports are rendered. */
struct player_mail {
    struct templates *templates;
    struct str seen, again;
};

/* ---- what holds after every play ---- */

static void count_place(const struct gs_state *state, int places[GS_SEATS][GS_CARDS + 1], int card, int game)
{
    int deck = state->own_decks ? card / 100 - 1 : 0;
    int number = card % 100;
    HOLDS(deck >= 0 && deck < state->deck_count && number >= 1 && number <= GS_CARDS &&
              (state->own_decks || card <= GS_CARDS),
          "game %d: there is no card %d", game, card);
    places[deck][number]++;
}

static void count_units(const struct gs_state *state, int places[GS_SEATS][GS_CARDS + 1],
                        const struct gs_unit *units, int count, int game)
{
    for (int i = 0; i < count; i++) {
        count_place(state, places, units[i].card, game);
        HOLDS(units[i].number > (i ? units[i - 1].number : 0), "game %d: unit numbers", game);
    }
}

/* Every card of every deck is in exactly one place. */
static void check_cards(const struct gs_state *state, int game)
{
    int places[GS_SEATS][GS_CARDS + 1] = {{0}};
    for (int i = 0; i < state->deck_count; i++) {
        int base = state->own_decks ? 100 * (i + 1) : 0;
        for (int k = 0; k < state->deck[i].draw_count; k++)
            count_place(state, places, base + state->deck[i].draw[k], game);
        for (int k = 0; k < state->deck[i].discard_count; k++)
            count_place(state, places, base + state->deck[i].discard[k], game);
    }
    for (int seat = 1; seat <= state->seats; seat++) {
        const struct gs_player *player = gs_player_const(state, seat);
        for (int i = 0; i < player->hand_count; i++)
            count_place(state, places, player->hand[i], game);
        count_units(state, places, player->sector, player->sector_count, game);
        count_units(state, places, player->fleet, player->fleet_count, game);
        count_units(state, places, player->leader, player->leader_count, game);
    }
    for (int i = 0; i < state->deck_count; i++) {
        for (int n = 1; n <= GS_CARDS; n++)
            HOLDS(places[i][n] == 1, "game %d: card %d of deck %d is in %d places", game, n, i, places[i][n]);
    }
}

static void check_player(const struct gs_cards *cards, const struct gs_state *state, int seat, int game)
{
    const struct gs_player *player = gs_player_const(state, seat);
    HOLDS(player->credits >= 0, "game %d: credits %d", game, player->credits);
    HOLDS(!player->out || (!player->credits && !player->hand_count && !player->fleet_count), "game %d: out",
          game);
    for (int i = 0; i < GS_TECHS; i++)
        HOLDS(player->tech[i] >= 1, "game %d: technology %d", game, i);
    for (int i = 0; i < player->hand_count; i++)
        HOLDS(!(player->known[i] & (int)SEAT_BIT(seat)), "game %d: known to himself", game);
    for (int i = 0; i < player->sector_count; i++)
        HOLDS(gs_card(cards, player->sector[i].card)->kind == GS_SECTOR, "game %d: no sector", game);
    for (int i = 0; i < player->fleet_count; i++) {
        HOLDS(gs_card(cards, player->fleet[i].card)->kind == GS_FLEET, "game %d: no fleet", game);
        HOLDS(gs_has_world(player, player->fleet[i].at), "game %d: F%d is nowhere", game,
              player->fleet[i].number);
    }
    for (int i = 0; i < player->leader_count; i++) {
        int at = player->leader[i].at;
        bool there = at < GS_ON_FLEET ? gs_has_world(player, at) : gs_fleet(player, at - GS_ON_FLEET) != NULL;
        HOLDS(gs_card(cards, player->leader[i].card)->kind == GS_LEADER, "game %d: no leader", game);
        HOLDS(there, "game %d: L%d is nowhere", game, player->leader[i].number);
        for (int k = 0; k < i; k++)
            HOLDS(player->leader[k].at != at, "game %d: two leaders on %d", game, at);
    }
}

static void check_round_trip(const struct gs_state *state, int game)
{
    struct gs_state again = {0};
    struct err err = ERR_INIT;
    json_t *json = fields_json(gs_fields, state);
    HOLDS(fields_read(gs_fields, &again, json, 1, &err) == 0, "game %d: %s", game, err.text);
    check_same(state, &again, game);
    json_decref(json);
}

/* A card that an opponent holds and the seat does not know, and the last one of its deck, change places: what the rules
 * list as hidden has to have them. */
static void swap_by_hand(struct gs_state *state, int seat)
{
    for (int other = 1; other <= state->seats; other++) {
        struct gs_player *player = gs_player(state, other);
        for (int i = 0; other != seat && i < player->hand_count; i++) {
            const int index = state->own_decks ? player->hand[i] / 100 - 1 : 0;
            struct gs_deck *deck = &state->deck[index];
            const int last = deck->draw_count - 1, card = player->hand[i] % 100;
            if ((player->known[i] & SEAT_BIT(seat)) || last < (seat ? deck->seen[seat - 1] : 0))
                continue;
            player->hand[i] = (uint16_t)gs_card_id(state, index, deck->draw[last]);
            deck->draw[last] = (uint8_t)card;
        }
    }
}

/* The same table with everything changed that the seat may not know; its own side
 * stays. */
static void hide(const struct gs_cards *cards, const struct gs_state *state, int seat, int game, int turn,
                 struct gs_state *other)
{
    struct chance chance;
    *other = *state;
    seed_chance(&chance, "conceal", game, turn * 16 + seat);
    gs_conceal(cards, other, seat, &chance);
    check_cards(other, game);
    struct gs_state swapped = *state;
    swap_by_hand(&swapped, seat);
    seed_chance(&chance, "conceal", game, turn * 16 + seat);
    gs_conceal(cards, &swapped, seat, &chance);
    check_same(other, &swapped, game);
    if (seat > 0)
        HOLDS(memcmp(gs_player(other, seat), gs_player_const(state, seat), sizeof(struct gs_player)) == 0,
              "game %d, turn %d: the own side of seat %d was concealed", game, turn, seat);
}

/* Nothing a seat sees or its robot does may depend on what it cannot know. */
static void check_hidden(const struct gs_cards *cards, const struct gs_state *state, int seat, int game,
                         int turn)
{
    struct gs_state other;
    struct str seen = STR_INIT;
    struct str again = STR_INIT;
    hide(cards, state, seat, game, turn, &other);
    view_text(cards, state, seat, &seen);
    view_text(cards, &other, seat, &again);
    HOLDS(strcmp(seen.p, again.p) == 0, "game %d, turn %d: seat %d sees what is hidden", game, turn, seat);
    str_release(&seen);
    str_release(&again);
}

/* Nor may its report, as text and as HTML, until the game is over. */
static void check_report(struct player_mail *mail, const struct gs_cards *cards, const struct gs_state *state,
                         const struct events *events, int seat, int game, int turn)
{
    struct gs_state other;
    if (!gs_awaits(state))
        return;
    json_t *all = events_json(events, -1);
    json_t *own = json_array();
    json_t *event;
    size_t i;
    hide(cards, state, seat, game, turn, &other);
    json_array_foreach (all, i, event) {
        if (json_integer_value(json_object_get(event, "visible")) & SEAT_BIT(seat))
            json_array_append(own, event);
    }
    str_clear(&mail->seen);
    str_clear(&mail->again);
    report_text(mail->templates, cards, state, seat, turn, all, &mail->seen);
    report_text(mail->templates, cards, &other, seat, turn, own, &mail->again);
    size_t same = 0;
    while (mail->seen.p[same] && mail->seen.p[same] == mail->again.p[same])
        same++;
    size_t from = same > 80 ? same - 80 : 0;
    HOLDS(mail->seen.p[same] == mail->again.p[same],
          "game %d, turn %d: the report of seat %d tells what is hidden:\n%.160s\nelse it would be\n%.160s",
          game, turn, seat, mail->seen.p + from, mail->again.p + from);
    json_decref(all);
    json_decref(own);
}

/* Who may know of an event that is not for all. */
static void check_events(const struct events *events, int game)
{
    static const char *const own[] = {"drew", "spied_hand", "planned_cards", "odds",   "answer_refused",
                                      "done", "failed",     "refused",       "skipped"};
    for (size_t i = 0; i < events->count; i++) {
        const struct event *event = &events->list[i];
        for (size_t k = 0; k < sizeof(own) / sizeof(own[0]); k++)
            HOLDS(!slice_eq(event->type, own[k]) || event->visible == SEAT_BIT(event->seat),
                  "game %d: %s is seen by others", game, own[k]);
        for (int d = 0; d < event->dice; d++) {
            for (size_t j = 0; j < i; j++) {
                const struct event *before = &events->list[j];
                for (int e = 0; e < before->dice; e++) /* one die may be told twice, to different seats */
                    HOLDS(strcmp(event->die[d].label, before->die[e].label) != 0 ||
                              !(event->visible & before->visible),
                          "game %d: two dice are labelled %s", game, event->die[d].label);
            }
        }
    }
}

/* ---- random games ---- */

static void deal_now(const struct gs_cards *cards, struct gs_state *state, const struct seat_orders *orders,
                     uint32_t *random, int turn)
{
    struct events events;
    struct script *script = random_script(random, false);
    events_init(&events);
    gs_instant(cards, state, 1 + (int)(next_random(random) % (uint32_t)state->seats), script,
               &(struct resolution){orders, turn, NULL, &events});
    events_release(&events);
    script_free(script);
}

/* Robots bring a game that was played at random to its end. */
static void finish_game(const struct gs_cards *cards, struct gs_state *state, int game, int turn)
{
    int last = state->round + 400;
    for (; gs_awaits(state); turn++) {
        struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
        struct events events;
        struct chance chance;
        struct str text = STR_INIT;
        gs_robot(cards, state, state->active, &text);
        struct script *script = script_parse(slice_str(&text), rules()->language);
        orders[state->active].script = script;
        events_init(&events);
        seed_chance(&chance, "finish", game, turn);
        gs_play(cards, state, &(struct resolution){orders, turn, &chance, &events});
        events_release(&events);
        script_free(script);
        str_release(&text);
        HOLDS(state->round < last, "game %d does not end", game);
    }
    check_cards(state, game);
}

/* Exactly one living seat is awaited, or the game has ended; nobody holds it up by pausing. */
static void check_awaited(const struct gs_state *state, int game, int *again)
{
    uint32_t wanted = gs_awaits(state);
    int active = state->active;
    HOLDS((wanted == 0) == (state->ending != 0), "game %d: an end without an end", game);
    HOLDS(!wanted || (wanted == SEAT_BIT(active) && gs_alive(state, active)), "game %d: nobody can move",
          game);
    *again = gs_interrupted(state) ? *again + 1 : 0;
    HOLDS(*again <= 8, "game %d: seat %d is awaited for ever", game, active);
}

/* What holds after every play, and now and then what costs more to ask: over many games all of it is asked
 * thousands of times. */
static void check_table(struct player_mail *mail, const struct gs_cards *cards, const struct gs_state *state,
                        const struct events *events, int game, int turn)
{
    check_cards(state, game);
    for (int seat = 1; seat <= state->seats; seat++)
        check_player(cards, state, seat, game);
    if ((game + turn) % 4 == 0)
        check_round_trip(state, game);
    bool close = game % 50 == 0; /* every turn of these games */
    int seat = (game / 5 + turn / 6) % (state->seats + 1);
    for (int i = 0; i <= state->seats; i++) {
        if (close || (i == seat && turn % 6 == 0))
            check_hidden(cards, state, i, game, turn);
        if (i > 0 && (close || (i == seat && (game + turn) % 30 == 0)))
            check_report(mail, cards, state, events, i, game, turn);
    }
}

static void play_twice(struct player_mail *mail, const struct gs_cards *cards, struct gs_state *state,
                       const struct seat_orders *orders, int game, int turn)
{
    struct gs_state replay = *state;
    struct events events, second;
    struct str told = STR_INIT, told_again = STR_INIT;
    struct chance chance;
    events_init(&events);
    events_init(&second);
    seed_chance(&chance, "random", game, turn);
    gs_play(cards, state, &(struct resolution){orders, turn, &chance, &events});
    seed_chance(&chance, "random", game, turn);
    gs_play(cards, &replay, &(struct resolution){orders, turn, &chance, &second});
    HOLDS(events.count > 0, "game %d: nothing happened", game);
    check_same(state, &replay, game);
    events_write(&told, &events, -1);
    events_write(&told_again, &second, -1);
    HOLDS(strcmp(told.p, told_again.p) == 0, "game %d, turn %d: the replay tells something else", game, turn);
    check_events(&events, game);
    check_table(mail, cards, state, &events, game, turn);
    str_release(&told);
    str_release(&told_again);
    events_release(&events);
    events_release(&second);
}

static void random_game(struct player_mail *mail, const struct gs_cards *cards, int game)
{
    uint32_t random = 0x9E3779B9U + (uint32_t)game * 2654435761U;
    struct gs_state state;
    struct chance chance;
    int again = 0;
    struct script *standing[SEATS_MAX + 1] = {NULL};
    seed_chance(&chance, "random", game, 0);
    start_game(cards, &state, 2 + game % 5, game % 3, game % 2, &chance);
    int turn = 1;
    for (; gs_awaits(&state) && turn <= PLAYS; turn++) {
        struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
        int fresh = 1 + (int)(next_random(&random) % (uint32_t)state.seats); /* the others' lines stay */
        script_free(standing[fresh]);
        standing[fresh] = random_script(&random, true);
        for (int seat = 1; seat <= state.seats; seat++)
            orders[seat].standing = standing[seat];
        deal_now(cards, &state, orders, &random, turn);
        struct script *script = next_random(&random) % 12 ? random_script(&random, false) : NULL;
        orders[state.active].script = script;
        orders[state.active].missed = !script;
        if (script)
            (void)trials_check(rules(), cards, &state, state.active, orders, turn, game);
        play_twice(mail, cards, &state, orders, game, turn);
        check_awaited(&state, game, &again);
        script_free(script);
    }
    for (int seat = 1; seat <= state.seats; seat++)
        script_free(standing[seat]);
    if (game % 100 == 0)
        finish_game(cards, &state, game, turn);
}

START_TEST(random_games_keep_the_rules)
{
    struct gs_cards cards;
    struct player_mail mail = {NULL, STR_INIT, STR_INIT};
    const char *more = getenv("PROPERTY_GAMES");
    const char *from = getenv("PROPERTY_FROM"); /* the first game's number, which is its seed */
    int first = from ? (int)strtol(from, NULL, 10) : 0;
    int games = more ? (int)strtol(more, NULL, 10) : GAMES;
    load_cards(&cards);
    templates_open(NULL, &mail.templates);
    for (int game = first + _i; game < first + games; game += 4)
        random_game(&mail, &cards, game);
    templates_close(mail.templates);
    str_release(&mail.seen);
    str_release(&mail.again);
}
END_TEST

/* Each card that a seat cannot place may be anywhere; what it knows stays. */
START_TEST(concealing_is_thorough)
{
    struct gs_cards cards;
    struct gs_state state;
    struct chance chance;
    bool top[GS_CARDS + 1] = {false};
    bool held[GS_CARDS + 1] = {false};
    int tops = 0;
    int hands = 0;
    load_cards(&cards);
    seed_chance(&chance, "conceal", 0, 0);
    start_game(&cards, &state, 2, 1, 0, &chance);
    int seat = state.active;
    int other = 3 - seat;
    state.deck[0].seen[seat - 1] = 2;
    gs_player(&state, other)->known[0] = (uint8_t)SEAT_BIT(seat);
    gs_player(&state, other)->keep_count = 1;
    for (int i = 0; i < 2000; i++) {
        struct gs_state hidden = state;
        seed_chance(&chance, "thorough", i, 0);
        gs_conceal(&cards, &hidden, seat, &chance);
        ck_assert_int_eq(hidden.deck[0].draw[0], state.deck[0].draw[0]);
        ck_assert_int_eq(hidden.deck[0].draw[1], state.deck[0].draw[1]);
        ck_assert_int_eq(gs_player(&hidden, other)->hand[0], gs_player(&state, other)->hand[0]);
        ck_assert_int_eq(gs_player(&hidden, other)->keep_count, 0);
        top[hidden.deck[0].draw[2]] = true;
        held[gs_player(&hidden, other)->hand[1]] = true;
    }
    for (int n = 1; n <= GS_CARDS; n++) {
        tops += top[n];
        hands += held[n];
    }
    ck_assert_int_eq(tops, 50 - 3 - 1 - 2); /* without the own hand, the known card and the two seen */
    ck_assert_int_eq(hands, 50 - 3 - 1 - 2);
}
END_TEST

/* A state from a damaged file may hold any numbers: no function may fall over it. */
static void damage(struct gs_state *state, uint32_t *random)
{
    struct gs_player *player = &state->player[next_random(random) % 2];
    state->active = (int)(next_random(random) % 9) - 2;
    state->order[next_random(random) % GS_SEATS] = (uint8_t)next_random(random);
    state->round = (int)next_random(random);
    state->phase = (int)(next_random(random) % 20) - 5;
    state->attacks = (int)(next_random(random) % 5) - 1;
    player->hand_count = (uint8_t)(next_random(random) % GS_HAND);
    player->hand[next_random(random) % 5] = (uint16_t)next_random(random);
    player->fleet_count = (uint8_t)(next_random(random) % GS_FLEETS);
    player->fleet[next_random(random) % 4] = (struct gs_unit){
        (uint16_t)next_random(random), (uint8_t)next_random(random), (uint8_t)next_random(random)};
    player->leader_count = (uint8_t)(next_random(random) % GS_LEADERS);
    player->leader[0].at = (uint8_t)next_random(random);
    player->leader[0].number = (uint8_t)next_random(random);
    player->keep_count = (uint8_t)(next_random(random) % (GS_KINDS + 1));
    player->keep[0] = (uint8_t)next_random(random);
    player->prefer_count = (uint8_t)(next_random(random) % (GS_TECHS + 1));
    player->prefer[0] = (uint8_t)next_random(random);
    state->deck[0].draw[0] = (uint8_t)next_random(random);
    state->deck[0].seen[0] = (uint8_t)next_random(random);
    state->offer_count = (int)(next_random(random) % (GS_OFFERS + 1));
    state->offer[0] =
        (struct gs_offer){.from = (uint8_t)(next_random(random)), .to = (uint8_t)next_random(random)};
}

START_TEST(wild_states_are_survived)
{
    struct gs_cards cards;
    struct chance chance;
    load_cards(&cards);
    for (int i = 0; i < (FEW ? 80 : 400); i++) {
        struct gs_state state;
        struct events events;
        struct score score[GS_SEATS + 1];
        struct str text = STR_INIT;
        struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
        uint32_t random = 77777U + (uint32_t)i * 40503U;
        seed_chance(&chance, "wild", i, 0);
        start_game(&cards, &state, 4, 1 + i % 2, 0, &chance);
        damage(&state, &random);
        struct script *script = random_script(&random, false);
        struct script *standing = random_script(&random, true);
        for (int seat = 1; seat <= 4; seat++)
            orders[seat] = (struct seat_orders){.script = script, .standing = standing};
        events_init(&events);
        view_text(&cards, &state, 1, &text);
        gs_conceal(&cards, &state, 1, &chance);
        gs_play(&cards, &state, &(struct resolution){orders, 1, &chance, &events});
        gs_instant(&cards, &state, 2, script, &(struct resolution){orders, 2, NULL, &events});
        view_text(&cards, &state, 2, &text);
        gs_scores(&cards, &state, score);
        events_release(&events);
        script_free(script);
        script_free(standing);
        str_release(&text);
    }
}
END_TEST

/* ---- what reports say of a table ---- */

static struct str report_of(const struct gs_cards *cards, const struct gs_state *state, int seat)
{
    struct templates *templates;
    struct str text = STR_INIT;
    json_t *none = json_array();
    templates_open(NULL, &templates);
    report_text(templates, cards, state, seat, 1, none, &text);
    templates_close(templates);
    json_decref(none);
    return text;
}

/* Whoever has stopped in the midst of their turn is told so, and nobody else. */
START_TEST(only_the_player_to_move_has_stopped)
{
    struct gs_cards cards;
    struct gs_state state;
    struct chance chance;
    load_cards(&cards);
    seed_chance(&chance, "stopped", 0, 0);
    start_game(&cards, &state, 2, 1, 0, &chance);
    state.paused = true;
    state.phase = GS_PHASE_COMMAND;
    for (int seat = 1; seat <= 2; seat++) {
        struct str text = report_of(&cards, &state, seat);
        ck_assert_int_eq(strstr(text.p, "You stopped in the command phase") != NULL, seat == state.active);
        str_release(&text);
    }
}
END_TEST

START_TEST(an_empty_hand_has_no_cards)
{
    struct gs_cards cards;
    struct gs_state state;
    struct chance chance;
    load_cards(&cards);
    seed_chance(&chance, "hand", 0, 0);
    start_game(&cards, &state, 2, 1, 0, &chance);
    state.player[0].hand_count = 0;
    struct str text = report_of(&cards, &state, 1);
    ck_assert_msg(strstr(text.p, "Your hand, 0 of at most 5 cards: none."), "%s", text.p);
    str_release(&text);
}
END_TEST

/* In the last round who is level in worlds hears what decides then, and for whom. */
START_TEST(a_tie_is_broken_by_what_counts_next)
{
    static const struct {
        int fleets, credits; /* of seat 2; seat 1 has 1 fleet and 5 credits */
        const char *one, *two;
    } tables[] = {{2, 0, "bob leads with 2 fleets to your 1.", "you lead with 2 fleets to 1."},
                  {0, 9, "you lead with 1 fleet to 0.", "ann leads with 1 fleet to your 0."},
                  {1, 9, "bob leads with 9 credits to your 5.", "you lead with 9 credits to 5."},
                  {1, 5, "all is level.", "all is level."}};
    struct gs_cards cards;
    struct gs_state state;
    struct chance chance;
    struct err err = ERR_INIT;
    struct templates *templates;
    load_cards(&cards);
    seed_chance(&chance, "tie", 0, 0);
    start_game(&cards, &state, 2, 1, 0, &chance);
    state.round_limit = state.round = 3;
    state.player[0].fleet_count = 1;
    state.player[0].credits = 5;
    state.player[1].fleet_count = (uint8_t)tables[_i].fleets;
    state.player[1].credits = tables[_i].credits;
    templates_open(NULL, &templates);
    for (int seat = 1; seat <= 2; seat++) {
        struct arena arena = {NULL, NULL, 0};
        struct str text = STR_INIT;
        struct value *stakes = gs_stakes(&cards, &state, seat, &arena), *own = value_first(stakes);
        const int leader = (int)value_get(own, "seat")->number;
        value_put_flag(own, "you", leader == seat);
        value_put_text(own, "who", leader == 1 ? "ann" : "bob");
        struct rendering what = {.name = "stakes.txt", .out = &text, .unbroken = true};
        ck_ok(templates_render_all(templates, &(struct renderings){"galactic_supremacy", &what, 1}, stakes,
                                   &err),
              err);
        ck_assert_msg(strstr(text.p, seat == 1 ? tables[_i].one : tables[_i].two), "%s", text.p);
        str_release(&text);
        arena_release(&arena);
    }
    templates_close(templates);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_loop_test(tc, random_games_keep_the_rules, 0, 4);
    tcase_add_test(tc, only_the_player_to_move_has_stopped);
    tcase_add_test(tc, an_empty_hand_has_no_cards);
    tcase_add_loop_test(tc, a_tie_is_broken_by_what_counts_next, 0, 4);
    tcase_add_test(tc, concealing_is_thorough);
    tcase_add_test(tc, wild_states_are_survived);
}
TEST_MAIN("rules/galactic_supremacy", cases)
