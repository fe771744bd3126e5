/* Galactic Contract: what must hold in every game. Worked turns are in tests/golden/galactic_contract,
 * robots, the deal and the form in galactic_contract_play.c, cards and templates in galactic_contract_data.c.
 */
#include "rules/contract.h"
#include "rules/views.h"
#include "rules/trials.h"

#define GAMES   (FEW ? 12 : 60) /* PROPERTY_GAMES says otherwise */
#define PARTS   6
#define TURNS   100
#define PAUSES  60 /* of one turn: each turns up a card, and there are not more */
#define FINISH  600
#define REPORTS 23 /* the report of one seat in so many turns, and so on */
#define VIEWS   7
#define FORMS   13
#define REFUSED 3

/* ---- orders at random, good ones and bad ones ---- */

static const char *const fragments[] = {
    "move gcc",
    "move gcc fuel auto",
    "move suadi",
    "move kestra fuel auto",
    "move p3 fuel 1",
    "move p4 fuel all",
    "move tolmar via brannoch",
    "move p6",
    "move p7 fuel auto",
    "move p8",
    "move gcc via gcc",
    "move pluto",
    "stay",
    "pass",
    "ship",
    "ship best",
    "repeat ship best",
    "ship 1 place suadi",
    "ship 2 or 3 or 1",
    "ship s5",
    "trade",
    "trade 2",
    "repeat trade",
    "trade t14",
    "trade all",
    "buy cargo pod",
    "buy u9 or u10 or u11 or u12",
    "buy u13 or u14 or u15 or u16",
    "buy suadi storage or kestra storage or u3 or u4 or u5 or u6 or u7 or u8",
    "buy cargo",
    "swap 3 metal fuel",
    "swap food crystal or crystal metal or fuel food",
    "swap 2 metal fuel",
    "load all",
    "load 1 metal",
    "load up to 2 food",
    "store all",
    "store 1 crystal",
    "store all fuel",
    "discard 1 metal",
    "discard all food",
    "discard all",
    "discard up to 1 crystal",
    "collect",
    "collect none",
    "collect food metal",
    "collect 1 fuel",
    "collect storage all",
    "collect suadi metal storage 1 metal",
    "collect all storage crystal",
    "keep fuel crystal",
    "keep metal food fuel crystal",
    "keep none",
    "place any suadi",
    "place depot kestra",
    "place foundry orvane",
    "place none",
    "pause",
    "if afford trade trade else move gcc",
    "if left trades < 10 ship best",
    "if have 2 metal 1 food trade",
    "if ok pause",
    "if here gcc ship best else trade",
    "if trade suadi = t7 move suadi",
    "if shipment 1 = s4 ship 1",
    "if available cargo pod buy cargo pod",
    "if room < 2 discard all metal",
    "if round >= 3",
    "endif",
    "say all hello",
    "frobnicate",
    "always stay",
    "when gift refuse",
    "move kestra; trade; trade",
};

static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static const char *any_fragment(uint32_t *random)
{
    return fragments[next_random(random) % (sizeof(fragments) / sizeof(fragments[0]))];
}

static void random_orders(struct str *out, uint32_t *random)
{
    for (uint32_t lines = next_random(random) % 12; lines > 0; lines--)
        str_addf(out, "%s\n", any_fragment(random));
}

/* WHEN lines in force, or none. */
static struct script *random_standing(uint32_t *random)
{
    static const char *const lines[] = {
        "when gift food refuse\nwhen gift if fuel > 1 refuse else take",
        "when gift take",
        "when gift if room > 3 take else refuse",
        "when gift fuel refuse\nwhen gift ship best or trade",
        "when gift if here gcc take",
    };
    uint32_t which = next_random(random) % (sizeof(lines) / sizeof(lines[0]) + 1);
    return which < sizeof(lines) / sizeof(lines[0]) ? parse(lines[which]) : NULL;
}

/* ---- what holds after every turn ---- */

static void check_goods(const struct gk_goods *goods, int game, const char *where)
{
    for (int k = 0; k < GK_KINDS; k++)
        HOLDS(goods->of[k] >= 0, "game %d: %d %s in %s", game, goods->of[k], gk_kinds[k], where);
}

/* bank + cargo + storages = the resource cards of the box */
static void check_resources(const struct gk_cards *cards, const struct gk_state *state, int game)
{
    struct gk_goods sum = state->bank;
    check_goods(&state->bank, game, "the bank");
    for (int seat = 1; seat <= state->seats; seat++) {
        const struct gk_player *player = gk_player_const(state, seat);
        check_goods(&player->cargo, game, "a ship");
        gk_add(&sum, &player->cargo);
        HOLDS(gk_sum(&player->cargo) <= gk_capacity(cards, player), "game %d: seat %d is over capacity", game,
              seat);
        HOLDS(player->owned_count <= gk_ship_card(cards, player->ship)->max_upgrades, "game %d: upgrades",
              game);
        for (int i = 0; i < player->owned_count; i++) {
            const struct gk_upgrade_card *card = gk_upgrade_card(cards, player->owned[i].card);
            int held = gk_sum(&player->owned[i].held);
            check_goods(&player->owned[i].held, game, "a storage");
            HOLDS(held <= (card->planet ? card->capacity : 0), "game %d: %s holds %d", game, card->name,
                  held);
            gk_add(&sum, &player->owned[i].held);
        }
    }
    for (int k = 0; k < GK_KINDS; k++)
        HOLDS(sum.of[k] == cards->bank.of[k], "game %d: there are %d %s", game, sum.of[k], gk_kinds[k]);
}

static void check_round_trip(const struct gk_state *state, int game)
{
    struct gk_state again = {0};
    struct err err = ERR_INIT;
    json_t *json = fields_json(gk_fields, state);
    HOLDS(fields_read(gk_fields, &again, json, 1, &err) == 0, "game %d: %s", game, err.text);
    HOLDS(same(&again, state), "game %d: lost in JSON", game);
    json_decref(json);
}

static void view_text(const struct gk_cards *cards, const struct gk_state *state, int seat, struct str *out)
{
    json_t *view = view_as_json(rules(), cards, state, seat);
    json_write(out, view);
    json_decref(view);
}

static void swap(uint8_t *one, uint8_t *other)
{
    const uint8_t card = *one;
    *one = *other;
    *other = card;
}

/* Cards that lie covered by the rulebook change places: what the rules list as hidden has to have them. */
static void swap_by_hand(struct gk_state *state)
{
    uint8_t *before = NULL;
    if (state->deck_count)
        swap(&state->deck[0], &state->deck[state->deck_count - 1]);
    if (state->building_count)
        swap(&state->building[0], &state->building[state->building_count - 1]);
    for (int p = 0; p < GK_PILES; p++)
        for (int i = 1; i < state->pile[p].count; i++) {
            if (before)
                swap(before, &state->pile[p].card[i]);
            before = &state->pile[p].card[i];
        }
}

/* The same table with everything changed that the seat may not know. What it is changed to follows from the
 * chance alone: trial plays on such tables tell nothing either. */
static void hide(const struct gk_cards *cards, const struct gk_state *state, int seat, int game, int turn,
                 struct gk_state *other)
{
    struct gk_state twice = *state;
    struct chance chance;
    swap_by_hand(&twice);
    *other = *state;
    seed_chance(&chance, "conceal", game, turn * 16 + seat);
    gk_conceal(cards, other, seat, &chance);
    check_cards(cards, other, game);
    seed_chance(&chance, "again", game, turn);
    gk_conceal(cards, &twice, seat, &chance);
    struct gk_state once = *state;
    seed_chance(&chance, "again", game, turn);
    gk_conceal(cards, &once, seat, &chance);
    HOLDS(same(&once, &twice), "game %d, turn %d: the old order shows through", game, turn);
}

/* Nothing a seat sees or its robot does may depend on what is covered. */
static void check_hidden(const struct gk_cards *cards, const struct gk_state *state, int seat, int game,
                         int turn)
{
    struct gk_state other;
    struct str seen = STR_INIT;
    struct str again = STR_INIT;
    hide(cards, state, seat, game, turn, &other);
    view_text(cards, state, seat, &seen);
    view_text(cards, &other, seat, &again);
    if (seat > 0) {
        gk_robot(cards, state, seat, &seen);
        gk_robot(cards, &other, seat, &again);
    }
    HOLDS(strcmp(seen.p, again.p) == 0, "game %d, turn %d: seat %d sees what is hidden", game, turn, seat);
    str_release(&seen);
    str_release(&again);
}

/* Nor may its report, as text and as HTML. */
static void check_report(struct templates *templates, const struct gk_cards *cards,
                         const struct gk_state *state, const struct events *events, int seat, int game,
                         int turn)
{
    struct gk_state other;
    char name[32];
    snprintf(name, sizeof(name), "game %d", game);
    hide(cards, state, seat, game, turn, &other);
    report_check(templates, rules(), cards, state, &other, state->seats, seat, turn, events, name);
}

/* An order that is refused leaves no trace: the turn is that of an empty mail. */
static void check_refused(const struct gk_cards *cards, const struct gk_state *state, uint32_t *random,
                          int game)
{
    struct gk_state with = *state;
    struct gk_state without = *state;
    const char *line = any_fragment(random);
    struct fates fates = play_text(cards, &with, line, 1);
    if (fates.done || !fates.refused)
        return;
    (void)play_text(cards, &without, "", 1);
    HOLDS(same(&with, &without), "game %d: \"%s\" was refused, but changed something", game, line);
}

/* The seat whose turn it is is awaited, or the game has ended; nobody holds it up by pausing. */
static void check_awaited(const struct gk_state *state, const struct gk_state *before, int game, int *pauses)
{
    uint32_t wanted = gk_awaits(state);
    HOLDS((wanted == 0) == state->over && state->over == (*gk_ending(state) != '\0' && wanted == 0),
          "game %d: over or not?", game);
    HOLDS(!wanted || wanted == SEAT_BIT(gk_active(state)), "game %d: nobody can move", game);
    *pauses = gk_interrupted(state) ? *pauses + 1 : 0;
    HOLDS(*pauses <= PAUSES, "game %d: seat %d is awaited for ever", game, gk_active(state));
    HOLDS(!wanted || state->seats == 1 || *pauses || gk_active(state) != gk_active(before),
          "game %d: seat %d moves twice", game, gk_active(state));
}

/* Now and then what costs more to ask: over many games all of it is asked thousands of times. */
static void check_dear(struct templates *templates, const struct gk_cards *cards,
                       const struct gk_state *state, const struct events *events, int game, int turn)
{
    bool close = game % 400 == 0; /* every turn of these games */
    int at = game + turn;
    int seat = (game / 4 + turn) % (state->seats + 1);
    if (close || at % VIEWS == 0)
        check_round_trip(state, game);
    for (int i = 0; i <= state->seats; i++) {
        if (close || (i == seat && at % VIEWS == 1))
            check_hidden(cards, state, i, game, turn);
        if (i > 0 && (close || (i == seat && at % REPORTS == 0)))
            check_report(templates, cards, state, events, i, game, turn);
    }
    if (gk_awaits(state) && at % FORMS == 0)
        check_form(cards, state, 1);
}

static void check_trials(const struct gk_cards *cards, const struct gk_state *state,
                         const struct script *script, struct script *const standing[SEATS_MAX + 1], int game,
                         int turn)
{
    struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
    int seat = gk_active(state);
    orders[seat] = (struct seat_orders){.script = script, .standing = standing[seat]};
    if (script)
        (void)trials_check(rules(), cards, state, seat, orders, turn, game);
}

static void play_twice(struct templates *templates, const struct gk_cards *cards, struct gk_state *state,
                       const struct script *script, struct script *const standing[SEATS_MAX + 1], int game,
                       int turn)
{
    struct gk_state replay = *state;
    struct events events, second;
    struct str told = STR_INIT, told_again = STR_INIT;
    check_trials(cards, state, script, standing, game, turn);
    play_events(cards, state, script, standing, turn, &events);
    play_events(cards, &replay, script, standing, turn, &second);
    HOLDS(same(state, &replay), "game %d, turn %d: played twice, two results", game, turn);
    events_write(&told, &events, -1);
    events_write(&told_again, &second, -1);
    HOLDS(strcmp(told.p, told_again.p) == 0, "game %d, turn %d: the replay tells something else", game, turn);
    check_dear(templates, cards, state, &events, game, turn);
    str_release(&told);
    str_release(&told_again);
    events_release(&events);
    events_release(&second);
}

/* Robots bring a game that was played at random to its end. */
static void finish_game(const struct gk_cards *cards, struct gk_state *state, int game, int turn)
{
    for (int last = turn + FINISH; gk_awaits(state); turn++) {
        struct str text = STR_INIT;
        gk_robot(cards, state, gk_active(state), &text);
        (void)play_text(cards, state, text.p, turn);
        str_release(&text);
        HOLDS(turn < last, "game %d does not end", game);
    }
    check_resources(cards, state, game);
    check_cards(cards, state, game);
    HOLDS(*gk_ending(state), "game %d ended without an ending", game);
}

/* One game of orders at random, with a robot's turn between; every turn is played twice. Returns the turns.
 */
static int random_game(struct templates *templates, const struct gk_cards *cards, int game)
{
    uint32_t random = 0x9E3779B9U + (uint32_t)game * 2654435761U;
    int seats = 1 + game % GK_SEATS;
    int pauses = 0;
    struct gk_state state;
    struct chance chance;
    struct script *standing[SEATS_MAX + 1] = {NULL};
    seed_chance(&chance, "random", game, 0);
    start_game(cards, &state, seats, seats <= 2 && game % 8 < 4, game % 3 == 0, &chance);
    for (int seat = 1; seat <= seats; seat++)
        standing[seat] = random_standing(&random);
    int turn = 1;
    for (; gk_awaits(&state) && turn < TURNS; turn++) {
        struct gk_state before = state;
        struct str text = STR_INIT;
        if (next_random(&random) % 3)
            random_orders(&text, &random);
        else
            gk_robot(cards, &state, gk_active(&state), &text);
        struct script *script = next_random(&random) % 10 ? parse(text.p) : NULL;
        if ((game + turn) % REFUSED == 0)
            check_refused(cards, &state, &random, game);
        play_twice(templates, cards, &state, script, standing, game, turn);
        check_resources(cards, &state, game);
        check_cards(cards, &state, game);
        check_awaited(&state, &before, game, &pauses);
        script_free(script);
        str_release(&text);
    }
    for (int seat = 1; seat <= seats; seat++)
        script_free(standing[seat]);
    if (game % 10 == 0)
        finish_game(cards, &state, game, turn);
    return turn - 1;
}

START_TEST(random_games_keep_the_rules)
{
    struct property_games games = property_games(GAMES);
    struct templates *templates;
    struct gk_cards cards;
    int whole = 0;
    load_cards(&cards);
    templates_open(NULL, &templates);
    for (int game = games.first + _i; game < games.end; game += PARTS)
        whole += random_game(templates, &cards, game) < TURNS - 1;
    templates_close(templates);
    if (games.end - games.first >= 20 * PARTS)
        ck_assert_int_gt(whole, 0);
}
END_TEST

/* A state from a damaged file may hold any numbers: no function may fall over it. */
START_TEST(wild_states_are_survived)
{
    struct gk_cards cards;
    struct chance chance;
    load_cards(&cards);
    for (int i = 0; i < (FEW ? 80 : 400); i++) {
        struct gk_state state = {0};
        struct score score[GK_SEATS + 1];
        struct str text = STR_INIT;
        uint32_t random = 77777U + (uint32_t)i * 40503U;
        seed_chance(&chance, "wild", i, 0);
        start_game(&cards, &state, 4, false, i % 2, &chance);
        state.first = (int)(next_random(&random) % 9) - 2;
        state.active = (int)(next_random(&random) % 9) - 2;
        state.planets = (int)(next_random(&random) % 9);
        state.ring[next_random(&random) % 8].card = (int)next_random(&random);
        state.ring[next_random(&random) % 8].trade = (int)next_random(&random);
        state.ring[0].built_count = 1;
        state.ring[0].built[0] = (uint8_t)next_random(&random);
        state.pile[next_random(&random) % 3].card[0] = (uint8_t)next_random(&random);
        state.pile[0].count = (int)(next_random(&random) % 5);
        state.deck[0] = state.building[0] = state.pending[0] = (uint8_t)next_random(&random);
        state.pending_count = (int)(next_random(&random) % 2);
        for (int seat = 0; seat < GK_SEATS; seat++) {
            struct gk_player *player = &state.player[seat];
            player->place = (int)next_random(&random) % 12;
            player->visited = (int)next_random(&random) % 12;
            player->ship = (int)next_random(&random);
            player->cargo.of[next_random(&random) % GK_KINDS] = (int)(next_random(&random) % 20000) - 10000;
            player->owned_count = (int)(next_random(&random) % 17);
            player->owned[0].card = (int)next_random(&random);
            player->trade_count = GK_TRADES;
            player->shipment_count = GK_SHIPMENTS;
            player->keep_count = 1;
            player->keep[0] = player->put[0] = player->put[3] = (uint8_t)next_random(&random);
        }
        state.seats = (int)(next_random(&random) % 9) - 2;
        gk_robot(&cards, &state, 1, &text);
        view_text(&cards, &state, 1, &text);
        view_text(&cards, &state, gk_active(&state), &text);
        gk_scores(&cards, &state, score);
        gk_conceal(&cards, &state, 1, &chance);
        str_clear(&text);
        random_orders(&text, &random);
        str_adds(&text, "\nship best\ntrade\ncollect all");
        (void)play_text(&cards, &state, text.p, 1);
        str_release(&text);
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_loop_test(tc, random_games_keep_the_rules, 0, PARTS);
    tcase_add_test(tc, wild_states_are_survived);
}
TEST_MAIN("rules/galactic_contract", cases)
