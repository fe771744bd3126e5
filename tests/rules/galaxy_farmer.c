/* Galaxy Farmer: what must hold in every game. Worked turns are in tests/golden/galaxy_farmer, cards and
 * templates in galaxy_farmer_data.c. PROPERTY_GAMES=10000 plays more games at random. */
#include "rules/galaxy_farmer/state.h"

#include <string.h>

#include "base/json.h"
#include "chance/vrf.h"
#include "rules/galaxy_farmer/turn.h"
#include "rules/trials.h"
#include "rules/views.h"
#include "suite.h"

#define GAMES       (FEW ? 8 : 150)
#define LOOPS       6
#define ROBOT_GAMES (FEW ? 40 : 160)

static const struct ruleset *rules(void)
{
    const struct ruleset *ruleset = ruleset_newest("galaxy-farmer");
    ck_assert_ptr_nonnull(ruleset);
    return ruleset;
}

static void load_cards(struct gf_cards *cards)
{
    struct err err = ERR_INIT;
    json_t *json = json_read(ruleset_cards(rules()), "cards.json", &err);
    memset(cards, 0, sizeof(*cards));
    ck_assert_msg(json && gf_cards_load(json, cards, &err) == 0, "%s", err.text);
    json_decref(json);
}

static void seed_chance(struct chance *chance, const char *name, int game, int turn)
{
    char seed[64];
    snprintf(seed, sizeof(seed), "%s/%d/%d", name, game, turn);
    chance_seeded(chance, seed, strlen(seed));
}

static void start_game(const struct gf_cards *cards, struct gf_state *state, int difficulty, int ship,
                       int lenient, struct chance *chance)
{
    struct err err = ERR_INIT;
    struct events events;
    const int options[GAME_OPTIONS] = {difficulty, ship, lenient};
    memset(state, 0, sizeof(*state));
    ck_ok(gf_init(cards, 1, options, state, &err), err);
    events_init(&events);
    gf_deal(cards, state, NULL, chance, &events);
    events_release(&events);
}

/* Plays one turn; the events stay with the caller. */
static void play(const struct gf_cards *cards, struct gf_state *state, const struct script *script,
                 bool missed, int turn, struct events *events)
{
    struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
    struct chance chance;
    orders[1] = (struct seat_orders){.script = script, .missed = missed};
    events_init(events);
    seed_chance(&chance, "turn", 0, turn);
    gf_play(cards, state, &(struct resolution){orders, turn, &chance, events});
}

/* ---- orders at random, good ones and bad ones ---- */

static const char *const fragments[] = {
    "move glitta",
    "move occus home",
    "move rubra",
    "move scoria verdane",
    "move thicket",
    "move solis",
    "move amberley home",
    "move home",
    "move home",
    "move home solis home",
    "move s",
    "move pluto",
    "move",
    "collect all",
    "collect",
    "collect 2",
    "collect 1 sunpod",
    "drop 2",
    "drop 1 worker",
    "drop all",
    "drop 0",
    "pick all",
    "pick 1",
    "pick 1 from the bottom",
    "pick 2 workers top",
    "lift all",
    "lift 1",
    "quest",
    "repeat 3 quest",
    "quest 1 emberwort 1 ashmelon",
    "quest all sunpod 3 honeyreed",
    "fight",
    "fight push clockwise",
    "fight push anticlockwise",
    "fight push",
    "load all",
    "load 1 sunpod",
    "load all moss 1 fern",
    "store all",
    "store 2 glitteral",
    "store all occulum",
    "plant sunpod",
    "plant 2 emberwort",
    "plant all glitteral",
    "plant fernroot 2",
    "plant mossgrain 0",
    "uproot sunpod",
    "uproot all emberwort",
    "uproot all",
    "harvest",
    "harvest all ship",
    "lock all",
    "lock all",
    "lock sun cake",
    "lock sunpod sun cake",
    "lock 2 ember red platter",
    "lock all o1",
    "lock o99",
    "lock 1 glitteral 1 occulum glittulum",
    "convert glitteral glittulum",
    "convert 2 honeyreed dusk",
    "convert sunpod",
    "convert occulum twin wraps",
    "repeat convert mossgrain moon bread",
    "convert 1 fernroot night soup",
    "partner casiopia or borrel or nimue or tharn or ossian or petra or quill or ilse",
    "partner r7 or r8",
    "hold glittulum or sun cake or urgent",
    "hold urgent",
    "discard all",
    "discard 1 sunpod",
    "stay",
    "pass now",
    "if top rubra = dark move rubra else move scoria",
    "if enemy <= 2 steps from solis pick 2",
    "if here home lock all",
    "if missing glittulum <= 1 and left o1 < 3 convert glitteral glittulum",
    "if have 2 sunpod 1 occulum move home",
    "if cargo sunpod > 0 and room >= 1 collect",
    "if quest casiopia >= 3 and not partner partner casiopia",
    "if workers home > 0 and bunks > 1",
    "endif",
    "if grown solis > 2 and idle solis = 0 and not troop solis move solis",
    "if score > 5 and failed < 3 and killed < 2 and events > 3 and troops < 8 stay",
    "if stored > 1 load all",
    "if crops sunpod > 0 and plots < 2 harvest",
    "if meteor rubra or fuel > 3 stay",
    "if timer nonsense > 2 stay",
    "if open harvest crown and strength > 1 stay",
    "say all hello",
    "frobnicate",
    "always stay",
    "when hit stay",
    "move solis; drop 2; move home",
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
    for (uint32_t lines = next_random(random) % 24; lines > 0; lines--) {
        str_adds(out, fragments[next_random(random) % known]);
        str_adds(out, next_random(random) % 6 ? "\n" : " or collect\n");
    }
}

/* ---- what holds after every turn ---- */

static void check_cubes(const struct gf_cards *cards, const struct gf_state *state, int game)
{
    for (int r = 0; r < GF_PLANETS; r++) {
        int sum = state->pool[r] + state->cargo[r] + state->store[r] + state->planet[r].cubes;
        for (int i = 0; i < GF_PLOTS; i++)
            sum += state->plot[i].planted == r + 1 ? 1 + state->plot[i].crop : 0;
        for (int i = 0; i < GF_PLANETS; i++)
            sum += state->rep[i].locked[r];
        for (int i = 0; i < GF_OPEN; i++) {
            const struct gf_order_card *card = gf_order_card(cards, &state->open[i]);
            for (int n = 0; n < card->needs; n++)
                sum += card->need[n].resource == r ? state->open[i].locked[n] : 0;
        }
        ck_assert_msg(sum == cards->cubes, "game %d: %d cubes of %s", game, sum,
                      cards->planet[r + 1].resource);
    }
}

static void check_workers(const struct gf_cards *cards, const struct gf_state *state, int game)
{
    int sum = state->aboard + state->home + state->tally.killed;
    for (int i = 0; i < GF_PLANETS; i++) {
        const struct gf_planet *planet = &state->planet[i];
        ck_assert_msg(planet->working >= 0 && planet->idle >= 0, "game %d: workers missing", game);
        ck_assert_msg(planet->working + planet->idle <= cards->planet_workers, "game %d: planet crowded",
                      game);
        ck_assert_msg(planet->cubes >= 0 && planet->cubes <= cards->uncollected, "game %d: planet full",
                      game);
        sum += planet->working + planet->idle;
    }
    ck_assert_msg(sum == cards->workers_total, "game %d: %d workers", game, sum);
    ck_assert_msg(state->aboard >= 0 && state->aboard <= gf_bunks(cards, state), "game %d: bunks", game);
    ck_assert_msg(state->home >= 0, "game %d: HOME", game);
}

/* Every card of a deck in exactly one place. */
static void check_decks(const struct gf_cards *cards, const struct gf_state *state, int game)
{
    int orders[GF_ORDERS + 1] = {0};
    int events[GF_EVENTS + 1] = {0};
    for (int i = 0; i < state->order_count; i++)
        orders[state->orders[i]]++;
    for (int i = 0; i < state->gone_count; i++)
        orders[state->gone[i]]++;
    for (int i = 0; i < GF_OPEN; i++)
        orders[state->open[i].card] += state->open[i].card > 0;
    for (int i = 0; i < state->event_count; i++)
        events[state->events[i]]++;
    for (int i = 0; i < state->used_count; i++)
        events[state->used[i]]++;
    for (int n = 1; n <= cards->orders; n++)
        ck_assert_msg(orders[n] == 1, "game %d: order %d is in %d places", game, n, orders[n]);
    for (int n = 1; n <= cards->events; n++)
        ck_assert_msg(events[n] == 1, "game %d: event %d is in %d places", game, n, events[n]);
    ck_assert_msg(state->tally.completed + state->tally.failed == state->gone_count, "game %d: orders gone",
                  game);
}

static void check_limits(const struct gf_cards *cards, const struct gf_state *state, int game)
{
    ck_assert_msg(gf_sum(state->cargo) <= gf_cargo_limit(cards, state), "game %d: cargo", game);
    ck_assert_msg(gf_sum(state->store) <= cards->home_store, "game %d: store", game);
    ck_assert_msg(state->fuel >= 0 && state->fuel <= gf_tank(cards, state) + 1, "game %d: fuel", game);
    ck_assert_msg(state->tally.failed <= gf_failed_limit(cards, state) + 2, "game %d: failed", game);
    for (int i = 0; i < GF_OPEN; i++) {
        const struct gf_order *order = &state->open[i];
        ck_assert_msg(!order->card || gf_turns_left(cards, order) >= 1, "game %d: an order over its time",
                      game);
        ck_assert_msg(!order->card || order->timer >= 1, "game %d: a timer", game);
    }
}

static void check_same(const struct gf_state *state, const struct gf_state *other, int game)
{
    unsigned char first[32], second[32];
    fields_digest(gf_fields, state, first);
    fields_digest(gf_fields, other, second);
    ck_assert_msg(memcmp(first, second, sizeof(first)) == 0, "game %d: two states differ that must not",
                  game);
}

static void check_round_trip(const struct gf_cards *cards, const struct gf_state *state, int game)
{
    struct gf_state again = {0};
    struct err err = ERR_INIT;
    json_t *json = fields_json(gf_fields, state);
    ck_ok(fields_read(gf_fields, &again, json, 1, &err), err);
    check_same(state, &again, game);
    gf_tame(cards, &again); /* changes nothing in a state that the rules made */
    check_same(state, &again, game);
    json_decref(json);
}

static void view_text(const struct gf_cards *cards, const struct gf_state *state, int seat, struct str *out)
{
    json_t *view = view_as_json(rules(), cards, state, seat);
    json_write(out, view);
    json_decref(view);
}

/* Cards of the decks change places: what the rules list as hidden has to have them. */
static void swap_by_hand(uint8_t *deck, int count)
{
    const uint8_t top = deck[0];
    if (count < 2)
        return;
    deck[0] = deck[count - 1];
    deck[count - 1] = top;
}

/* Nothing a seat sees or its robot does may depend on the order of the decks. */
static void check_hidden(const struct gf_cards *cards, const struct gf_state *state, int game, int turn)
{
    for (int seat = 0; seat <= 1; seat++) {
        struct gf_state other = *state, swapped = *state;
        struct chance chance;
        struct str seen = STR_INIT;
        struct str again = STR_INIT;
        seed_chance(&chance, "conceal", game, turn * 16 + seat);
        gf_conceal(cards, &other, seat, &chance);
        swap_by_hand(swapped.orders, swapped.order_count);
        swap_by_hand(swapped.events, swapped.event_count);
        seed_chance(&chance, "conceal", game, turn * 16 + seat);
        gf_conceal(cards, &swapped, seat, &chance);
        check_same(&other, &swapped, game);
        check_decks(cards, &other, game);
        check_cubes(cards, &other, game);
        view_text(cards, state, seat, &seen);
        view_text(cards, &other, seat, &again);
        if (seat && turn % 4 == 0) {
            gf_robot(cards, state, seat, &seen);
            gf_robot(cards, &other, seat, &again);
        }
        ck_assert_msg(strcmp(seen.p, again.p) == 0, "game %d, turn %d: seat %d sees what is hidden", game,
                      turn, seat);
        str_release(&seen);
        str_release(&again);
    }
}

/* A refused line changes nothing: it has no event but the one that tells its fate. */
static void check_refusals(const struct events *events, int game)
{
    for (size_t i = 1; i < events->count; i++) {
        const struct event *event = &events->list[i];
        const struct event *before = &events->list[i - 1];
        bool refused = slice_eq(event->type, "refused") || slice_eq(event->type, "skipped");
        bool fate = slice_eq(before->type, "done") || slice_eq(before->type, "refused") ||
                    slice_eq(before->type, "skipped");
        ck_assert_msg(!refused || fate || before->line != event->line || before->line == 0,
                      "game %d: a refused line did something: %.*s", game, (int)before->type.len,
                      before->type.p);
    }
}

/* Lines of the form, which are legal at least when they come first. */
static void legal_orders(const struct gf_cards *cards, const struct gf_state *state, struct str *out,
                         uint32_t *random)
{
    json_t *view = view_as_json(rules(), cards, state, GF_SEAT);
    const json_t *form = json_object_get(view, "form");
    for (uint32_t lines = 1 + next_random(random) % 3; lines > 0; lines--) {
        const json_t *entry = json_array_get(form, next_random(random) % json_array_size(form));
        str_addf(out, "%s\n", json_string_value(json_object_get(entry, "line")));
    }
    json_decref(view);
}

/* One game with random orders; every turn is played twice. What is dear to check is checked on every turn of
 * some games, and on every third turn of the others. Counts the turns that were checked so. Returns the
 * turns. */
static int random_game(const struct gf_cards *cards, int game, int *thorough)
{
    uint32_t random = 0x9E3779B9U + (uint32_t)game * 2654435761U;
    struct gf_state state;
    struct chance chance;
    seed_chance(&chance, "random", game, 0);
    start_game(cards, &state, game % 3, game / 3 % 3, game % 2, &chance);
    if (game % 5 == 0) { /* with a partner from the beginning: the abilities see some use */
        state.partner = 1 + game / 5 % GF_PLANETS;
        state.rep[state.partner - 1].cubes = GF_QUESTS;
    }
    int turn = 1;
    for (; gf_awaits(&state) && turn < 40; turn++) {
        struct script *script = NULL;
        struct str text = STR_INIT;
        struct gf_state replay = state;
        if (next_random(&random) % 4 == 0)
            legal_orders(cards, &state, &text, &random);
        random_orders(&text, &random);
        if (next_random(&random) % 12 == 0) { /* a good turn now and then brings games further */
            str_clear(&text);
            gf_robot(cards, &state, 1, &text);
        }
        if (next_random(&random) % 10)
            script = script_parse(slice_str(&text), rules()->language);
        str_release(&text);
        struct seat_orders orders[SEATS_MAX + 1] = {[GF_SEAT] = {.script = script}};
        HOLDS(!script || trials_check(rules(), cards, &state, GF_SEAT, orders, turn, game),
              "game %d, turn %d: luck in the lines", game, turn);
        for (int i = 0; i < 2; i++) {
            struct events events;
            play(cards, i ? &replay : &state, script, !script, turn, &events);
            check_refusals(&events, game);
            events_release(&events);
        }
        script_free(script);
        check_same(&state, &replay, game);
        check_cubes(cards, &state, game);
        check_workers(cards, &state, game);
        check_decks(cards, &state, game);
        check_limits(cards, &state, game);
        if (game % 8 && (game + turn) % 3 && gf_awaits(&state))
            continue;
        check_round_trip(cards, &state, game);
        check_hidden(cards, &state, game, turn);
        (*thorough)++;
    }
    return turn - 1;
}

START_TEST(random_games_keep_the_rules)
{
    const char *more = getenv("PROPERTY_GAMES");
    int games = more ? (int)strtol(more, NULL, 10) : GAMES;
    struct gf_cards cards;
    load_cards(&cards);
    int first = _i * games / LOOPS;
    int last = (_i + 1) * games / LOOPS - 1;
    int all = 0;
    int thorough = 0;
    for (int game = first; game <= last; game++) {
        int turns = random_game(&cards, game, &thorough);
        ck_assert_msg(turns >= 1 && turns <= 22, "game %d has %d turns", game, turns);
        all += turns;
    }
    if (more) /* the seed of a game is its number */
        printf("galaxy-farmer: games %d to %d, %d turns, %d looked at from all sides\n", first, last, all,
               thorough);
}
END_TEST

/* ---- robots ---- */

struct tally {
    int games, ends[GF_ENDS], points, turns;
};

static void robot_game(const struct gf_cards *cards, int difficulty, int ship, int game, struct tally *tally)
{
    struct gf_state state;
    struct chance chance;
    seed_chance(&chance, "robots", game, 0);
    start_game(cards, &state, difficulty, ship, 0, &chance);
    for (int turn = 1; gf_awaits(&state); turn++) {
        struct str text = STR_INIT;
        struct events events;
        gf_robot(cards, &state, 1, &text);
        struct script *script = script_parse(slice_str(&text), rules()->language);
        play(cards, &state, script, false, turn, &events);
        for (size_t i = 0; i < events.count; i++)
            ck_assert_msg(!slice_eq(events.list[i].type, "refused"), "game %d, turn %d: line %d of\n%s", game,
                          turn, events.list[i].line, text.p);
        events_release(&events);
        script_free(script);
        str_release(&text);
    }
    check_cubes(cards, &state, game);
    check_workers(cards, &state, game);
    tally->games++;
    tally->ends[state.end]++;
    tally->points += state.tally.score;
    tally->turns += state.turn;
}

START_TEST(robots_play_a_sensible_game)
{
    struct gf_cards cards;
    struct tally tally = {0};
    load_cards(&cards);
    for (int game = 0; game < ROBOT_GAMES; game++)
        robot_game(&cards, GF_NORMAL, 0, game, &tally);
    int wins = 100 * tally.ends[GF_WON] / tally.games;
    int tenths = 10 * tally.points / tally.games;
    ck_assert_msg(wins >= 33 && wins <= 52, "%d%% are won", wins);
    ck_assert_msg(tenths >= 125 && tenths <= 165, "mean score %d/10", tenths);
    ck_assert_msg(100 * tally.ends[GF_EVENTS_OVER] <= 8 * tally.games, "too slow");
}
END_TEST

START_TEST(robots_play_all_options)
{
    struct gf_cards cards;
    struct tally tally = {0};
    load_cards(&cards);
    for (int game = 0; game < (FEW ? 18 : 45); game++)
        robot_game(&cards, game % 3, game / 3 % 3, 1000 + game, &tally);
    ck_assert_int_gt(tally.ends[GF_WON], 0);
    ck_assert_int_eq(tally.ends[GF_RUNNING], 0);
}
END_TEST

/* ---- chance ---- */

START_TEST(hidden_draws_replay_from_their_proofs)
{
    struct gf_cards cards;
    struct gf_state live_state, replay_state;
    struct chance live, replay;
    unsigned char secret[VRF_SECRET], public[VRF_PUBLIC], root[64] = {7};
    load_cards(&cards);
    vrf_keygen(secret, public);
    chance_live(&live, root, secret, public);
    start_game(&cards, &live_state, 1, 0, 0, &live);
    ck_assert_uint_eq(live.hidden_count, 2);
    chance_replay(&replay, root, public);
    memcpy(replay.hidden, live.hidden, sizeof(live.hidden));
    replay.hidden_count = live.hidden_count;
    start_game(&cards, &replay_state, 1, 0, 0, &replay);
    ck_assert(!replay.broken);
    check_same(&live_state, &replay_state, 0);
    replay.hidden_count = 1;
    start_game(&cards, &replay_state, 1, 0, 0, &replay);
    ck_assert(replay.broken);
}
END_TEST

/* Every planet at every place, every representative at every planet, both tops, every card on top. */
START_TEST(the_deal_is_thorough)
{
    struct gf_cards cards;
    bool place[GF_PLANETS][GF_PLANETS + 1] = {{false}};
    bool rep[GF_PLANETS][GF_PLANETS + 1] = {{false}};
    bool order[GF_ORDERS + 1] = {false};
    bool event[GF_EVENTS + 1] = {false};
    int dark = 0;
    load_cards(&cards);
    for (int game = 0; game < 400; game++) {
        struct gf_state state;
        struct chance chance;
        seed_chance(&chance, "deal", game, 0);
        start_game(&cards, &state, 1, 0, 0, &chance);
        for (int i = 0; i < GF_PLANETS; i++) {
            place[i][state.ring[i]] = true;
            rep[i][state.planet[i].rep] = true;
            dark += state.planet[i].dark;
        }
        order[state.open[0].card] = true;
        event[state.events[0]] = true;
    }
    for (int i = 0; i < GF_PLANETS; i++) {
        for (int n = 1; n <= GF_PLANETS; n++)
            ck_assert(place[i][n] && rep[i][n]);
    }
    for (int n = 1; n <= cards.orders; n++)
        ck_assert(order[n]);
    for (int n = 1; n <= cards.events; n++)
        ck_assert(event[n]);
    ck_assert_int_gt(dark, 1500);
    ck_assert_int_lt(dark, 1700);
}
END_TEST

START_TEST(concealing_is_thorough)
{
    struct gf_cards cards;
    struct gf_state state;
    struct chance chance;
    bool order[GF_ORDERS + 1] = {false};
    bool event[GF_EVENTS + 1] = {false};
    int orders = 0;
    int events = 0;
    load_cards(&cards);
    seed_chance(&chance, "conceal", 0, 0);
    start_game(&cards, &state, 1, 0, 0, &chance);
    for (int i = 0; i < 1000; i++) {
        struct gf_state other = state;
        seed_chance(&chance, "thorough", i, 0);
        gf_conceal(&cards, &other, 1, &chance);
        order[other.orders[0]] = true;
        event[other.events[0]] = true;
        ck_assert_int_eq(other.open[0].card, state.open[0].card);
    }
    for (int n = 1; n <= cards.orders; n++)
        orders += order[n];
    for (int n = 1; n <= cards.events; n++)
        events += event[n];
    ck_assert_int_eq(orders, cards.orders - GF_OPEN);
    ck_assert_int_eq(events, cards.events);
}
END_TEST

/* ---- the view ---- */

/* Each suggestion of the report, sent alone, is carried out. */
static void check_form(const struct gf_cards *cards, const struct gf_state *state, int turn)
{
    json_t *view = view_as_json(rules(), cards, state, 1);
    const json_t *form = json_object_get(view, "form");
    ck_assert_uint_ge(json_array_size(form), 1);
    size_t i;
    json_t *entry;
    json_array_foreach (form, i, entry) {
        struct gf_state trial = *state;
        struct events events;
        const char *line = json_string_value(json_object_get(entry, "line"));
        struct script *script = script_parse(slice_of(line), rules()->language);
        play(cards, &trial, script, false, turn, &events);
        for (size_t e = 0; e < events.count; e++)
            ck_assert_msg(!slice_eq(events.list[e].type, "refused"), "\"%s\" was refused", line);
        events_release(&events);
        script_free(script);
    }
    json_decref(view);
}

START_TEST(the_form_can_be_sent_as_it_is)
{
    struct gf_cards cards;
    struct chance chance;
    load_cards(&cards);
    for (int game = 0; game < (FEW ? 3 : 10); game++) {
        struct gf_state state;
        seed_chance(&chance, "form", game, 0);
        start_game(&cards, &state, 1, game % 3, 0, &chance);
        for (int turn = 1; gf_awaits(&state); turn++) {
            struct events events;
            struct str text = STR_INIT;
            check_form(&cards, &state, turn);
            gf_robot(&cards, &state, 1, &text);
            if (turn % 3 == 0) { /* leave the ship somewhere on its way */
                str_clear(&text);
                str_adds(&text, "load all\npick all\nmove p1 or p2 or p3 or p4 or p5\ncollect");
            }
            struct script *script = script_parse(slice_str(&text), rules()->language);
            play(&cards, &state, script, false, turn, &events);
            events_release(&events);
            script_free(script);
            str_release(&text);
        }
        json_t *view = view_as_json(rules(), &cards, &state, 1);
        ck_assert_uint_eq(json_array_size(json_object_get(view, "form")), 0);
        ck_assert(json_is_true(json_object_get(view, "over")));
        json_decref(view);
    }
}
END_TEST

/* Orders of the game's own help and of the note on play by mail are understood. */
START_TEST(the_example_turn_is_understood)
{
    static const char example[] =
        "PICK 1\nMOVE SOLIS\nDROP 2\nMOVE OCCUS\nCOLLECT ALL\nQUEST\nMOVE SCORIA\nLIFT ALL\n"
        "FIGHT\nMOVE HOME\nLOCK ALL\nCONVERT GLITTERAL GLITTULUM\nSTORE ALL\n"
        "IF TOP RUBRA = DARK MOVE RUBRA\nIF ENEMY <= 2 STEPS FROM SOLIS PICK 2\n"
        "MOVE SOLIS VERDANE RUBRA HOME\nLOCK 2M 1F SUN CAKE\nHARVEST ALL SHIP";
    struct script *script = script_parse(slice_of(example), rules()->language);
    ck_assert_uint_eq(script_line_count(script), 18);
    ck_assert_uint_eq(script_errors(script), 0);
    script_free(script);
}
END_TEST

/* A state from a damaged file may hold any numbers: no function may fall over it. */
START_TEST(wild_states_are_survived)
{
    struct gf_cards cards;
    load_cards(&cards);
    for (int i = 0; i < (FEW ? 60 : 300); i++) {
        union {
            struct gf_state state;
            unsigned char bytes[sizeof(struct gf_state)];
        } wild;
        uint32_t random = 77777U + (uint32_t)i * 40503U;
        struct chance chance;
        struct events events;
        struct score score[2];
        struct str text = STR_INIT;
        seed_chance(&chance, "wild", i, 0);
        start_game(&cards, &wild.state, i % 3, i % 3, 0, &chance);
        for (int n = 0; n < 12;
             n++) { /* numbers only: a bool can hold nothing wild, fields_read sees to that */
            int *const numbers[] = {&wild.state.place,
                                    &wild.state.enemy,
                                    &wild.state.partner,
                                    &wild.state.hold,
                                    &wild.state.order_count,
                                    &wild.state.event_count,
                                    &wild.state.gone_count,
                                    &wild.state.used_count,
                                    &wild.state.ship,
                                    &wild.state.difficulty,
                                    &wild.state.aboard,
                                    &wild.state.fuel,
                                    &wild.state.open[1].card,
                                    &wild.state.plot[0].planted,
                                    &wild.state.plot[1].crop,
                                    &wild.state.planet[3].rep,
                                    &wild.state.planet[2].cubes,
                                    &wild.state.rep[4].cubes,
                                    &wild.state.planet[5].working,
                                    &wild.state.open[0].timer};
            *numbers[next_random(&random) % (sizeof(numbers) / sizeof(numbers[0]))] =
                (int)next_random(&random);
        }
        for (int r = 0; r < GF_PLANETS; r++) {
            wild.state.ring[r] = (uint8_t)next_random(&random);
            wild.state.cargo[r] = (uint8_t)next_random(&random);
            wild.state.events[r] = (uint8_t)next_random(&random);
            wild.state.orders[r] = (uint8_t)next_random(&random);
            wild.state.open[2].locked[r % GF_NEEDS] = (uint8_t)next_random(&random);
            wild.state.rep[r].locked[r] = (uint8_t)next_random(&random);
        }
        gf_scores(&cards, &wild.state, score);
        (void)gf_ending(&wild.state);
        gf_robot(&cards, &wild.state, 1, &text);
        view_text(&cards, &wild.state, 1, &text);
        gf_conceal(&cards, &wild.state, 1, &chance);
        str_clear(&text);
        random_orders(&text, &random);
        wild.state.end = 0;
        struct script *script = script_parse(slice_str(&text), rules()->language);
        play(&cards, &wild.state, script, false, 1, &events);
        events_release(&events);
        script_free(script);
        str_release(&text);
    }
}
END_TEST

/* The player's first wish, unless an option says another ship than the first. */
START_TEST(the_ship_is_the_player_s_wish)
{
    static const struct {
        int option, wish, ship;
    } rows[] = {{0, 0, 0}, {0, 3, 2}, {0, 2, 1}, {1, 3, 1}};
    struct gf_cards cards;
    load_cards(&cards);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int options[GAME_OPTIONS] = {GF_NORMAL, rows[i].option, 0};
        const struct wish_list wishes[2] = {{{0}}, {{(uint8_t)rows[i].wish, 1}}};
        struct gf_state state = {0};
        struct err err = ERR_INIT;
        struct chance chance;
        struct events events;
        seed_chance(&chance, "wish", 0, 0);
        ck_ok(gf_init(&cards, 1, options, &state, &err), err);
        events_init(&events);
        gf_deal(&cards, &state, wishes, &chance, &events);
        events_release(&events);
        ck_assert_int_eq(state.ship, rows[i].ship);
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, the_ship_is_the_player_s_wish);
    tcase_add_loop_test(tc, random_games_keep_the_rules, 0, LOOPS);
    tcase_add_test(tc, robots_play_a_sensible_game);
    tcase_add_test(tc, robots_play_all_options);
    tcase_add_test(tc, hidden_draws_replay_from_their_proofs);
    tcase_add_test(tc, the_deal_is_thorough);
    tcase_add_test(tc, concealing_is_thorough);
    tcase_add_test(tc, the_form_can_be_sent_as_it_is);
    tcase_add_test(tc, the_example_turn_is_understood);
    tcase_add_test(tc, wild_states_are_survived);
}
TEST_MAIN("rules/galaxy_farmer", cases)
