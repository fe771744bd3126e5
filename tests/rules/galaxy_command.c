/* Galaxy Command: what must hold in every game. Worked turns are in tests/golden/galaxy_command,
 * cards and templates in galaxy_command_data.c. */
#include "rules/galaxy_command/state.h"

#include <string.h>

#include "base/json.h"
#include "chance/vrf.h"
#include "rules/galaxy_command/turn.h"
#include "rules/report.h"
#include "rules/trials.h"
#include "rules/views.h"
#include "suite.h"

#define GAMES       (FEW ? 42 : 300) /* PROPERTY_GAMES says otherwise */
#define PARTS       6
#define ROBOT_GAMES (FEW ? 130 : 400)

static const struct ruleset *rules(void)
{
    const struct ruleset *ruleset = ruleset_newest("galaxy-command");
    HOLDS(ruleset, "no ruleset");
    return ruleset;
}

static void load_cards(struct gc_cards *cards)
{
    struct err err = ERR_INIT;
    json_t *json = json_read(ruleset_cards(rules()), "cards.json", &err);
    memset(cards, 0, sizeof(*cards));
    ck_assert_msg(json && gc_cards_load(json, cards, &err) == 0, "%s", err.text);
    json_decref(json);
}

static void seed_chance(struct chance *chance, const char *name, int game, int turn)
{
    char seed[64];
    snprintf(seed, sizeof(seed), "%s/%d/%d", name, game, turn);
    chance_seeded(chance, seed, strlen(seed));
}

static void start_game(const struct gc_cards *cards, struct gc_state *state, int seats, int solo18,
                       struct chance *chance)
{
    struct err err = ERR_INIT;
    struct events events;
    const int options[GAME_OPTIONS] = {solo18, 2};
    memset(state, 0, sizeof(*state));
    HOLDS(gc_init(cards, seats, options, state, &err) == 0, "%s", err.text);
    events_init(&events);
    gc_deal(cards, state, NULL, chance, &events);
    events_release(&events);
}

/* ---- orders at random, good ones and bad ones ---- */

static const char *const fragments[] = {
    "explore",
    "explore near",
    "explore far",
    "explore near 3",
    "explore n5",
    "explore f2",
    "explore far 9",
    "conquer best",
    "conquer n1",
    "conquer n4",
    "conquer f1",
    "conquer ca",
    "conquer sirius",
    "conquer zzz",
    "bide",
    "pass",
    "pass now",
    "swap metal",
    "swap 2 wealth for metal",
    "swap 7 metal",
    "build",
    "build",
    "build military",
    "research capital",
    "research forward",
    "research robots",
    "research defenses",
    "research television",
    "research diplomacy",
    "research commerce",
    "research banking",
    "research interstellar",
    "research all",
    "if fail build",
    "if ok research commerce else build",
    "if metal >= 2 swap metal",
    "if wealth > 9 build else pass",
    "if have banking research capital",
    "if chance n2 >= 4 conquer n2 else explore",
    "if aligned proxima build",
    "if not aligned n1 conquer n1",
    "if year = 2 explore far or explore near",
    "repeat 3 build",
    "repeat explore",
    "if round >= 3",
    "endif",
    "say all hello",
    "frobnicate",
    "always bide",
    "when attacked bide",
    "explore; explore; build",
};

static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static void random_orders(struct str *out, uint32_t *random)
{
    const uint32_t known = (uint32_t)(sizeof(fragments) / sizeof(fragments[0]));
    for (uint32_t lines = next_random(random) % 9; lines > 0; lines--) {
        str_adds(out, fragments[next_random(random) % known]);
        str_adds(out, next_random(random) % 6 ? "\n" : " or explore near\n");
    }
}

/* ---- what holds after every turn ---- */

static void check_player(const struct gc_cards *cards, const struct gc_player *player, int game)
{
    int storage = gc_storage_limit(cards, player);
    HOLDS(player->metal >= 0 && player->metal <= storage, "game %d: metal %d", game, player->metal);
    HOLDS(player->wealth >= 0 && player->wealth <= storage, "game %d: wealth %d", game, player->wealth);
    HOLDS(player->military >= 0 && player->military <= gc_military_limit(cards, player),
          "game %d: military %d", game, player->military);
    for (int i = 0; i < GC_TECHS; i++)
        HOLDS(!player->tech[i] || !gc_tech_locked(cards, player, i), "game %d: technology %d came too early",
              game, i);
    for (int i = 0; i < GC_SLOTS; i++) {
        HOLDS(player->slot[i].open || !player->slot[i].aligned, "game %d: aligned face down", game);
        HOLDS(player->slot[i].aligned >= 0 && player->slot[i].aligned <= player->alignments,
              "game %d: alignment %d", game, player->slot[i].aligned);
        for (int j = 0; j < i; j++)
            HOLDS(!player->slot[i].aligned || player->slot[i].aligned != player->slot[j].aligned,
                  "game %d: two latest systems", game);
    }
}

/* Every card of the game in exactly one place; systems that were not dealt are in none. */
static void check_cards(const struct gc_cards *cards, const struct gc_state *state, int game)
{
    int places[GC_CARDS + 1] = {0};
    uint8_t deck[GC_CARDS];
    for (int seat = 1; seat <= state->seats; seat++) {
        for (int i = 0; i < GC_SLOTS; i++) {
            int number = gc_player_const(state, seat)->slot[i].card;
            HOLDS(gc_card(cards, number)->kind == (gc_slot_near(i) ? GC_NEAR : GC_DISTANT),
                  "game %d: card %d in a wrong slot", game, number);
            places[number]++;
        }
    }
    for (int number = 1; number <= GC_CARDS; number++)
        HOLDS(places[number] <= 1, "game %d: card %d lies twice", game, number);
    for (int i = 0; i < state->pile_count; i++)
        places[state->pile[i]]++;
    for (int i = 0; i < state->unused_count; i++)
        places[state->unused[i]]++;
    for (int i = 0; i < state->used_count; i++)
        places[state->used[i]]++;
    size_t count = gc_deck(cards, state, GC_EVENT, deck);
    HOLDS((int)count == state->pile_count + state->unused_count + state->used_count, "game %d: %d events",
          game, (int)count);
    for (size_t i = 0; i < count; i++)
        HOLDS(places[deck[i]] == 1, "game %d: event %d is in %d places", game, deck[i], places[deck[i]]);
}

static bool same(const struct gc_state *state, const struct gc_state *other)
{
    unsigned char first[32], second[32];
    fields_digest(gc_fields, state, first);
    fields_digest(gc_fields, other, second);
    return memcmp(first, second, sizeof(first)) == 0;
}

static void check_round_trip(const struct gc_state *state, int game)
{
    struct gc_state again = {0};
    struct err err = ERR_INIT;
    json_t *json = fields_json(gc_fields, state);
    HOLDS(fields_read(gc_fields, &again, json, 1, &err) == 0, "game %d: %s", game, err.text);
    HOLDS(same(state, &again), "game %d: lost in JSON", game);
    json_decref(json);
}

static void view_text(const struct gc_cards *cards, const struct gc_state *state, int seat, struct str *out)
{
    json_t *view = view_as_json(rules(), cards, state, seat);
    json_write(out, view);
    json_decref(view);
}

static void swap(int *one, int *other)
{
    const int card = *one;
    *one = *other;
    *other = card;
}

/* Cards that lie face down by the rulebook change places: what the rules list as hidden has to have them. */
static void swap_by_hand(struct gc_state *state)
{
    uint8_t top = state->pile[0];
    int *near = NULL, *far = NULL;
    if (state->pile_count && state->unused_count) {
        state->pile[0] = state->unused[state->unused_count - 1];
        state->unused[state->unused_count - 1] = top;
    }
    for (int i = 0; i < state->seats * GC_SLOTS; i++) {
        struct gc_slot *slot = &state->player[i / GC_SLOTS].slot[i % GC_SLOTS];
        int **before = gc_slot_near(i % GC_SLOTS) ? &near : &far;
        if (!slot->open && *before)
            swap(*before, &slot->card);
        if (!slot->open)
            *before = &slot->card;
    }
}

/* The same table with everything changed that the seat may not know. What it is changed to follows from the
 * chance alone: trial plays on such tables tell nothing either. */
static void hide(const struct gc_cards *cards, const struct gc_state *state, int seat, int game, int turn,
                 struct gc_state *other)
{
    struct gc_state once = *state;
    struct chance chance;
    *other = *state;
    seed_chance(&chance, "conceal", game, turn * 16 + seat);
    gc_conceal(cards, other, seat, &chance);
    check_cards(cards, other, game);
    struct gc_state twice = *state;
    swap_by_hand(&twice);
    seed_chance(&chance, "again", game, turn);
    gc_conceal(cards, &twice, seat, &chance);
    seed_chance(&chance, "again", game, turn);
    gc_conceal(cards, &once, seat, &chance);
    HOLDS(same(&once, &twice), "game %d, turn %d: the old order shows through", game, turn);
}

/* Nothing a seat sees or its robot does may depend on what is face down. */
static void check_hidden(const struct gc_cards *cards, const struct gc_state *state, int seat, int game,
                         int turn)
{
    struct gc_state other;
    struct str seen = STR_INIT;
    struct str again = STR_INIT;
    hide(cards, state, seat, game, turn, &other);
    view_text(cards, state, seat, &seen);
    view_text(cards, &other, seat, &again);
    if (seat > 0) {
        gc_robot(cards, state, seat, &seen);
        gc_robot(cards, &other, seat, &again);
    }
    HOLDS(strcmp(seen.p, again.p) == 0, "game %d, turn %d: seat %d sees what is hidden", game, turn, seat);
    str_release(&seen);
    str_release(&again);
}

/* Nor may its report, as text and as HTML. */
static void check_report(struct templates *templates, const struct gc_cards *cards,
                         const struct gc_state *state, const struct events *events, int seat, int game,
                         int turn)
{
    struct gc_state other;
    char name[32];
    snprintf(name, sizeof(name), "game %d", game);
    hide(cards, state, seat, game, turn, &other);
    report_check(templates, rules(), cards, state, &other, state->seats, seat, turn, events, name);
}

/* Now and then what costs more to ask: over many games all of it is asked thousands of times. */
static void check_dear(struct templates *templates, const struct gc_cards *cards,
                       const struct gc_state *state, const struct events *events, int game, int turn)
{
    bool close = game % 200 == 0; /* every turn of these games */
    int seat = (game / 4 + turn) % (state->seats + 1);
    if (close || (game + turn) % 3 == 0)
        check_round_trip(state, game);
    for (int i = 0; i <= state->seats; i++) {
        if (close || (i == seat && (game + turn) % 2))
            check_hidden(cards, state, i, game, turn);
        if (i > 0 && (close || (i == seat && (game + turn) % 7 == 0)))
            check_report(templates, cards, state, events, i, game, turn);
    }
}

static void check_labels(const struct events *events, int game)
{
    for (size_t i = 0; i < events->count; i++) {
        for (size_t j = 0; j < i; j++)
            HOLDS(!events->list[i].dice || !events->list[j].dice ||
                      strcmp(events->list[i].die[0].label, events->list[j].die[0].label) != 0,
                  "game %d: two dice are labelled %s", game, events->list[i].die[0].label);
    }
}

static void play_twice(struct templates *templates, const struct gc_cards *cards, struct gc_state *state,
                       const struct seat_orders *orders, int game, int turn)
{
    struct gc_state replay = *state;
    struct str told[2] = {STR_INIT, STR_INIT};
    for (int i = 0; i < 2; i++) {
        struct events events;
        struct chance chance;
        events_init(&events);
        seed_chance(&chance, "random", game, turn);
        gc_play(cards, i ? state : &replay, &(struct resolution){orders, turn, &chance, &events});
        events_write(&told[i], &events, -1);
        check_labels(&events, game);
        if (i)
            check_dear(templates, cards, state, &events, game, turn);
        events_release(&events);
    }
    HOLDS(same(state, &replay) && strcmp(told[0].p, told[1].p) == 0,
          "game %d, turn %d: played twice, two results", game, turn);
    str_release(&told[0]);
    str_release(&told[1]);
}

/* All seats that are in the game are awaited, or it has ended. */
static void check_awaited(const struct gc_cards *cards, const struct gc_state *state, int game)
{
    uint32_t wanted = gc_awaits(state);
    struct score score[GC_SEATS + 1];
    gc_scores(cards, state, score);
    HOLDS((wanted == 0) == (*rules()->end.ending(state) != '\0'), "game %d: an end without an end", game);
    for (int seat = 1; seat <= state->seats && wanted; seat++)
        HOLDS(((wanted & SEAT_BIT(seat)) != 0) == (score[seat].fate != SEAT_LOST),
              "game %d: is seat %d in the game?", game, seat);
}

/* One game with random orders; every turn is played twice. Returns the turns. */
static int random_game(struct templates *templates, const struct gc_cards *cards, int game)
{
    uint32_t random = 0x9E3779B9U + (uint32_t)game * 2654435761U;
    int seats = 1 + game % GC_SEATS;
    struct gc_state state;
    struct chance chance;
    seed_chance(&chance, "random", game, 0);
    start_game(cards, &state, seats, seats == 1 && game % 8 == 0, &chance);
    int turn = 1;
    for (; gc_awaits(&state) && turn < 20; turn++) {
        struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
        struct script *scripts[SEATS_MAX + 1] = {NULL};
        for (int seat = 1; seat <= seats; seat++) {
            struct str text = STR_INIT;
            random_orders(&text, &random);
            if (next_random(&random) % 10)
                scripts[seat] = script_parse(slice_str(&text), rules()->language);
            orders[seat] = (struct seat_orders){.script = scripts[seat], .missed = !scripts[seat]};
            str_release(&text);
        }
        int tried = 1 + turn % seats;
        if (orders[tried].script && !gc_player(&state, tried)->lost)
            (void)trials_check(rules(), cards, &state, tried, orders, turn, game);
        play_twice(templates, cards, &state, orders, game, turn);
        for (int seat = 1; seat <= seats; seat++) {
            script_free(scripts[seat]);
            check_player(cards, gc_player(&state, seat), game);
        }
        check_cards(cards, &state, game);
        check_awaited(cards, &state, game);
    }
    return turn - 1;
}

START_TEST(random_games_keep_the_rules)
{
    struct property_games games = property_games(GAMES);
    struct templates *templates;
    struct gc_cards cards;
    int whole = 0;
    int lost = 0;
    load_cards(&cards);
    templates_open(NULL, &templates);
    for (int game = games.first + _i; game < games.end; game += PARTS) {
        int turns = random_game(templates, &cards, game);
        HOLDS(turns >= 8 && turns <= 13, "game %d has %d turns", game, turns);
        whole += turns == 13;
        lost += turns < 13;
    }
    templates_close(templates);
    if (games.end - games.first >= GAMES) {
        ck_assert_int_gt(whole, 0);
        ck_assert_int_gt(lost, 0);
    }
}
END_TEST

/* ---- robots ---- */

struct tally {
    int points, lost; /* of all seats */
    int won;          /* games: the common victory */
};

static void robot_game(const struct gc_cards *cards, int seats, int game, struct tally *tally)
{
    struct gc_state state;
    struct chance chance;
    struct score score[GC_SEATS + 1];
    seed_chance(&chance, "robots", game, 0);
    start_game(cards, &state, seats, 0, &chance);
    for (int turn = 1; gc_awaits(&state); turn++) {
        struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
        struct script *scripts[SEATS_MAX + 1] = {NULL};
        struct events events;
        for (int seat = 1; seat <= seats; seat++) {
            struct str text = STR_INIT;
            gc_robot(cards, &state, seat, &text);
            orders[seat].script = scripts[seat] = script_parse(slice_str(&text), rules()->language);
            ck_assert_msg(script_errors(scripts[seat]) == 0, "game %d: the robot wrote %s", game, text.p);
            str_release(&text);
        }
        events_init(&events);
        seed_chance(&chance, "robots", game, turn);
        gc_play(cards, &state, &(struct resolution){orders, turn, &chance, &events});
        events_release(&events);
        for (int seat = 1; seat <= seats; seat++)
            script_free(scripts[seat]);
    }
    gc_scores(cards, &state, score);
    for (int seat = 1; seat <= seats; seat++) {
        tally->points += score[seat].points;
        tally->lost += score[seat].fate == SEAT_LOST;
    }
    tally->won += gc_distant_aligned(&state) >= gc_distant_needed(&state);
}

static const struct {
    int seats;
    int points[2], lost[2]; /* of a seat, in hundredths; seats of 1000 */
    int won[2];             /* games of 1000 */
} sensible[] = {
    {2, {1130, 1300}, {0, 60}, {50, 160}},
    {3, {1130, 1300}, {0, 60}, {20, 120}},
    {4, {1130, 1300}, {0, 60}, {15, 80}},
};

static void check_within(const char *what, int value, const int bounds[2])
{
    ck_assert_msg(value >= bounds[0] && value <= bounds[1], "%s: %d is not within %d and %d", what, value,
                  bounds[0], bounds[1]);
}

/* They win together now and then. */
START_TEST(robots_play_a_sensible_game)
{
    struct gc_cards cards;
    struct tally tally = {0};
    int seats = sensible[_i].seats;
    load_cards(&cards);
    for (int game = 0; game < ROBOT_GAMES; game++)
        robot_game(&cards, seats, game, &tally);
    check_within("points", 100 * tally.points / (seats * ROBOT_GAMES), sensible[_i].points);
    check_within("lost", 1000 * tally.lost / (seats * ROBOT_GAMES), sensible[_i].lost);
    check_within("won", 1000 * tally.won / ROBOT_GAMES, sensible[_i].won);
}
END_TEST

/* ---- chance ---- */

START_TEST(hidden_draws_replay_from_their_proofs)
{
    struct gc_cards cards;
    struct gc_state live_state, replay_state;
    struct chance live, replay;
    unsigned char secret[VRF_SECRET], public[VRF_PUBLIC], root[64] = {7};
    load_cards(&cards);
    vrf_keygen(secret, public);
    chance_live(&live, root, secret, public);
    start_game(&cards, &live_state, 4, 0, &live);
    ck_assert_uint_eq(live.hidden_count, 3);
    chance_replay(&replay, root, public);
    memcpy(replay.hidden, live.hidden, sizeof(live.hidden));
    replay.hidden_count = live.hidden_count;
    start_game(&cards, &replay_state, 4, 0, &replay);
    ck_assert(!replay.broken);
    ck_assert(same(&live_state, &replay_state));
    replay.hidden_count = 2;
    start_game(&cards, &replay_state, 4, 0, &replay);
    ck_assert(replay.broken);
}
END_TEST

START_TEST(dice_do_not_depend_on_the_order_of_seats)
{
    struct gc_cards cards;
    struct gc_state state;
    struct chance chance;
    struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
    struct script *script = script_parse(slice_of("explore"), rules()->language);
    int die[GC_SEATS + 1][GC_SEATS + 1];
    load_cards(&cards);
    for (int seat = 1; seat <= GC_SEATS; seat++)
        orders[seat].script = script;
    for (int first = 1; first <= GC_SEATS; first++) {
        struct events events;
        seed_chance(&chance, "order", 0, 0);
        start_game(&cards, &state, GC_SEATS, 0, &chance);
        state.first = first;
        events_init(&events);
        seed_chance(&chance, "order", 0, 1);
        gc_play(&cards, &state, &(struct resolution){orders, 1, &chance, &events});
        for (size_t i = 0; i < events.count; i++) {
            if (slice_starts(events.list[i].type, "attack_"))
                die[first][events.list[i].seat] = events.list[i].die[0].value;
        }
        events_release(&events);
        for (int seat = 1; seat <= GC_SEATS; seat++)
            ck_assert_int_eq(die[first][seat], die[1][seat]);
    }
    script_free(script);
}
END_TEST

/* Each unseen event can be on top, each unseen system in a slot: nothing of the old arrangement is left. */
START_TEST(concealing_is_thorough)
{
    struct gc_cards cards;
    struct gc_state state;
    struct chance chance;
    bool top[GC_CARDS + 1] = {false};
    bool near[GC_CARDS + 1] = {false};
    int tops = 0;
    int nears = 0;
    load_cards(&cards);
    seed_chance(&chance, "conceal", 0, 0);
    start_game(&cards, &state, 1, 0, &chance);
    state.player[0].slot[1].open = true;
    for (int i = 0; i < 1000; i++) {
        struct gc_state other = state;
        seed_chance(&chance, "thorough", i, 0);
        gc_conceal(&cards, &other, 1, &chance);
        top[other.pile[0]] = true;
        near[other.player[0].slot[0].card] = true;
        ck_assert_int_eq(other.player[0].slot[1].card, state.player[0].slot[1].card);
    }
    for (int n = 1; n <= GC_CARDS; n++) {
        tops += top[n];
        nears += near[n];
    }
    ck_assert_int_eq(tops, GC_EVENTS);
    ck_assert_int_eq(nears, 23); /* 24 near systems without the open one */
}
END_TEST

/* ---- the view ---- */

START_TEST(the_form_can_be_sent_as_it_is)
{
    struct gc_cards cards;
    struct gc_state state;
    struct chance chance;
    load_cards(&cards);
    seed_chance(&chance, "form", 0, 0);
    start_game(&cards, &state, 2, 0, &chance);
    struct gc_player *player = gc_player(&state, 1);
    player->metal = player->wealth = 2;
    player->military = 3;
    player->tech[GC_COMMERCE] = player->tech[GC_CAPITAL] = player->tech[GC_FORWARD] = true;
    player->slot[GC_NEAR_SLOTS].open = true;
    json_t *view = view_as_json(rules(), &cards, &state, 1);
    const json_t *form = json_object_get(view, "form");
    ck_assert_uint_ge(json_array_size(form), 8);
    size_t i;
    json_t *entry;
    json_array_foreach (form, i, entry) {
        struct gc_state trial = state;
        struct events events;
        struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
        const char *line = json_string_value(json_object_get(entry, "line"));
        struct script *script = script_parse(slice_of(line), rules()->language);
        orders[1].script = script;
        events_init(&events);
        seed_chance(&chance, "form", 0, 1);
        gc_play(&cards, &trial, &(struct resolution){orders, 1, &chance, &events});
        for (size_t e = 0; e < events.count; e++)
            ck_assert_msg(!slice_eq(events.list[e].type, "refused"), "\"%s\" was refused", line);
        events_release(&events);
        script_free(script);
    }
    json_decref(view);
    view = view_as_json(rules(), &cards, &state, 0);
    ck_assert_uint_eq(json_array_size(json_object_get(view, "form")), 0);
    ck_assert_ptr_null(json_object_get(view, "own"));
    ck_assert_uint_eq(json_array_size(json_object_get(view, "others")), 2);
    json_decref(view);
}
END_TEST

/* A state from a damaged file may hold any numbers: no function may fall over it. */
START_TEST(wild_states_are_survived)
{
    struct gc_cards cards;
    struct chance chance;
    load_cards(&cards);
    for (int i = 0; i < 300; i++) {
        struct gc_state state = {0};
        struct events events;
        struct score score[GC_SEATS + 1];
        struct str text = STR_INIT;
        struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
        uint32_t random = 77777U + (uint32_t)i * 40503U;
        seed_chance(&chance, "wild", i, 0);
        start_game(&cards, &state, 4, 0, &chance);
        state.seats = (int)(next_random(&random) % 9) - 2;
        state.first = (int)(next_random(&random) % 9) - 2;
        state.year = (int)(next_random(&random) % 4);
        state.player[0].slot[next_random(&random) % GC_SLOTS].card = (int)next_random(&random);
        state.player[0].slot[next_random(&random) % GC_SLOTS].open = true;
        state.player[0].slot[next_random(&random) % GC_SLOTS].aligned = 5;
        state.pile[0] = (uint8_t)next_random(&random);
        state.player[0].metal = (int)(next_random(&random) % 20000) - 10000;
        state.pile_count = (int)(next_random(&random) % 3);
        events_init(&events);
        gc_play(&cards, &state, &(struct resolution){orders, 1, &chance, &events});
        events_release(&events);
        gc_robot(&cards, &state, 1, &text);
        view_text(&cards, &state, 1, &text);
        gc_scores(&cards, &state, score);
        gc_conceal(&cards, &state, 1, &chance);
        str_release(&text);
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_loop_test(tc, random_games_keep_the_rules, 0, PARTS);
    tcase_add_loop_test(tc, robots_play_a_sensible_game, 0, (int)(sizeof(sensible) / sizeof(sensible[0])));
    tcase_add_test(tc, hidden_draws_replay_from_their_proofs);
    tcase_add_test(tc, dice_do_not_depend_on_the_order_of_seats);
    tcase_add_test(tc, concealing_is_thorough);
    tcase_add_test(tc, the_form_can_be_sent_as_it_is);
    tcase_add_test(tc, wild_states_are_survived);
}
TEST_MAIN("rules/galaxy_command", cases)
