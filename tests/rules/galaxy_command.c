/* Galaxy Command: what must hold in every game. Worked turns are in tests/golden/galaxy_command. */
#include "rules/galaxy_command/state.h"

#include <sodium.h>
#include <string.h>

#include "base/embed.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "chance/vrf.h"
#include "rules/galaxy_command/turn.h"
#include "suite.h"

#define GAMES       300
#define ROBOT_GAMES 400

static const struct ruleset *rules(void)
{
    const struct ruleset *ruleset = ruleset_find("galaxy-command");
    ck_assert_ptr_nonnull(ruleset);
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
    ck_ok(gc_init(cards, seats, options, state, &err), err);
    events_init(&events);
    gc_deal(cards, state, chance, &events);
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
    ck_assert_msg(player->metal >= 0 && player->metal <= storage, "game %d: metal %d", game, player->metal);
    ck_assert_msg(player->wealth >= 0 && player->wealth <= storage, "game %d: wealth %d", game,
                  player->wealth);
    ck_assert_msg(player->military >= 0 && player->military <= gc_military_limit(cards, player),
                  "game %d: military %d", game, player->military);
    for (int i = 0; i < GC_TECHS; i++)
        ck_assert_msg(!player->tech[i] || !gc_tech_locked(cards, player, i),
                      "game %d: technology %d came too early", game, i);
    for (int i = 0; i < GC_SLOTS; i++) {
        ck_assert_msg(player->slot[i].open || !player->slot[i].aligned, "game %d: aligned face down", game);
        ck_assert_msg(player->slot[i].aligned >= 0 && player->slot[i].aligned <= player->alignments,
                      "game %d: alignment %d", game, player->slot[i].aligned);
        for (int j = 0; j < i; j++)
            ck_assert_msg(!player->slot[i].aligned || player->slot[i].aligned != player->slot[j].aligned,
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
            ck_assert_msg(gc_card(cards, number)->kind == (gc_slot_near(i) ? GC_NEAR : GC_DISTANT),
                          "game %d: card %d in a wrong slot", game, number);
            places[number]++;
        }
    }
    for (int number = 1; number <= GC_CARDS; number++)
        ck_assert_msg(places[number] <= 1, "game %d: card %d lies twice", game, number);
    for (int i = 0; i < state->pile_count; i++)
        places[state->pile[i]]++;
    for (int i = 0; i < state->unused_count; i++)
        places[state->unused[i]]++;
    for (int i = 0; i < state->used_count; i++)
        places[state->used[i]]++;
    size_t count = gc_deck(cards, state, GC_EVENT, deck);
    ck_assert_int_eq((int)count, state->pile_count + state->unused_count + state->used_count);
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(places[deck[i]] == 1, "game %d: event %d is in %d places", game, deck[i],
                      places[deck[i]]);
}

static void check_round_trip(const struct gc_state *state)
{
    struct gc_state again = {0};
    struct err err = ERR_INIT;
    unsigned char first[32], second[32];
    json_t *json = fields_json(gc_fields, state);
    ck_ok(fields_read(gc_fields, &again, json, 1, &err), err);
    fields_digest(gc_fields, state, first);
    fields_digest(gc_fields, &again, second);
    ck_assert_mem_eq(first, second, 32);
    json_decref(json);
}

static void view_text(const struct gc_cards *cards, const struct gc_state *state, int seat, struct str *out)
{
    json_t *view = gc_view(cards, state, seat);
    json_write(out, view);
    json_decref(view);
}

/* Nothing a seat sees or its robot does may depend on what is face down. */
static void check_hidden(const struct gc_cards *cards, const struct gc_state *state, int game, int turn)
{
    for (int seat = 0; seat <= state->seats; seat++) {
        struct gc_state other = *state;
        struct chance chance;
        struct str seen = STR_INIT;
        struct str again = STR_INIT;
        seed_chance(&chance, "conceal", game, turn * 16 + seat);
        gc_conceal(cards, &other, seat, &chance);
        check_cards(cards, &other, game);
        view_text(cards, state, seat, &seen);
        view_text(cards, &other, seat, &again);
        if (seat > 0) {
            gc_robot(cards, state, seat, &seen);
            gc_robot(cards, &other, seat, &again);
        }
        ck_assert_msg(strcmp(seen.p, again.p) == 0, "game %d, turn %d: seat %d sees what is hidden", game,
                      turn, seat);
        str_release(&seen);
        str_release(&again);
    }
}

static void check_labels(const struct events *events, int game)
{
    for (size_t i = 0; i < events->count; i++) {
        for (size_t j = 0; j < i; j++)
            ck_assert_msg(!events->list[i].dice || !events->list[j].dice ||
                              strcmp(events->list[i].die[0].label, events->list[j].die[0].label) != 0,
                          "game %d: two dice are labelled %s", game, events->list[i].die[0].label);
    }
}

/* One game with random orders; every turn is played twice. Returns the turns. */
static int random_game(const struct gc_cards *cards, int game)
{
    uint32_t random = 0x9E3779B9U + (uint32_t)game * 2654435761U;
    int seats = 1 + game % GC_SEATS;
    struct gc_state state;
    struct chance chance;
    seed_chance(&chance, "random", game, 0);
    start_game(cards, &state, seats, seats == 1 && game % 8 == 0, &chance);
    int turn = 1;
    for (; gc_awaits(&state) && turn < 20; turn++) {
        struct seat_orders orders[SEATS_MAX + 1] = {{NULL, false, NULL}};
        struct script *scripts[SEATS_MAX + 1] = {NULL};
        struct gc_state replay = state;
        for (int seat = 1; seat <= seats; seat++) {
            struct str text = STR_INIT;
            random_orders(&text, &random);
            if (next_random(&random) % 10)
                scripts[seat] = script_parse(slice_str(&text), rules()->language);
            orders[seat] = (struct seat_orders){scripts[seat], !scripts[seat], NULL};
            str_release(&text);
        }
        for (int i = 0; i < 2; i++) {
            struct events events;
            events_init(&events);
            seed_chance(&chance, "random", game, turn);
            gc_play(cards, i ? &replay : &state, orders, turn, &chance, &events);
            check_labels(&events, game);
            events_release(&events);
        }
        for (int seat = 1; seat <= seats; seat++) {
            script_free(scripts[seat]);
            check_player(cards, gc_player(&state, seat), game);
        }
        ck_assert_msg(memcmp(&state, &replay, sizeof(state)) == 0, "game %d, turn %d: replay differs", game,
                      turn);
        check_cards(cards, &state, game);
        check_round_trip(&state);
        check_hidden(cards, &state, game, turn);
    }
    return turn - 1;
}

START_TEST(random_games_keep_the_rules)
{
    struct gc_cards cards;
    int whole = 0;
    int lost = 0;
    load_cards(&cards);
    for (int game = _i * GAMES / 6; game < (_i + 1) * GAMES / 6; game++) {
        int turns = random_game(&cards, game);
        ck_assert_msg(turns >= 8 && turns <= 13, "game %d has %d turns", game, turns);
        whole += turns == 13;
        lost += turns < 13;
    }
    ck_assert_int_gt(whole, 0);
    ck_assert_int_gt(lost, 0);
}
END_TEST

/* ---- robots ---- */

static void robot_game(const struct gc_cards *cards, int seats, int game, int *sum, int *lost)
{
    struct gc_state state;
    struct chance chance;
    struct score score[GC_SEATS + 1];
    seed_chance(&chance, "robots", game, 0);
    start_game(cards, &state, seats, 0, &chance);
    for (int turn = 1; gc_awaits(&state); turn++) {
        struct seat_orders orders[SEATS_MAX + 1] = {{NULL, false, NULL}};
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
        gc_play(cards, &state, orders, turn, &chance, &events);
        events_release(&events);
        for (int seat = 1; seat <= seats; seat++)
            script_free(scripts[seat]);
    }
    gc_scores(cards, &state, score);
    for (int seat = 1; seat <= seats; seat++) {
        *sum += score[seat].points;
        *lost += score[seat].fate == SEAT_LOST;
    }
}

START_TEST(robots_play_a_sensible_game)
{
    struct gc_cards cards;
    int sum = 0;
    int lost = 0;
    load_cards(&cards);
    for (int game = 0; game < ROBOT_GAMES; game++)
        robot_game(&cards, 3, game, &sum, &lost);
    int hundredths = 100 * sum / (3 * ROBOT_GAMES);
    ck_assert_msg(hundredths >= 1000 && hundredths <= 1220, "mean score %d/100", hundredths);
    ck_assert_msg(100 * lost <= 4 * 3 * ROBOT_GAMES, "%d of %d seats lost", lost, 3 * ROBOT_GAMES);
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
    chance_live(&live, root, secret);
    start_game(&cards, &live_state, 4, 0, &live);
    ck_assert_uint_eq(live.hidden_count, 3);
    chance_replay(&replay, root, public);
    memcpy(replay.hidden, live.hidden, sizeof(live.hidden));
    replay.hidden_count = live.hidden_count;
    start_game(&cards, &replay_state, 4, 0, &replay);
    ck_assert(!replay.broken);
    ck_assert_mem_eq(&live_state, &replay_state, sizeof(live_state));
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
    struct seat_orders orders[SEATS_MAX + 1] = {{NULL, false, NULL}};
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
        gc_play(&cards, &state, orders, 1, &chance, &events);
        for (size_t i = 0; i < events.count; i++) {
            if (strncmp(events.list[i].type, "attack_", 7) == 0)
                die[first][events.list[i].seat] = events.list[i].die[0].value;
        }
        events_release(&events);
        for (int seat = 1; seat <= GC_SEATS; seat++)
            ck_assert_int_eq(die[first][seat], die[1][seat]);
    }
    script_free(script);
}
END_TEST

/* Each unseen event can lie on top, each unseen system in a slot: nothing of the old arrangement is left. */
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

/* ---- cards.json ---- */

static const struct {
    const char *path; /* members and indices to the member to change, '/' between */
    const char *value;
    const char *error;
} mistakes[] = {
    {"game", "\"chess\"", "the cards: \"game\" must be galaxy-command"},
    {"limits/storage", "99", "limits: \"storage\" is 99 but must be 3 to 9"},
    {"limits/source", "\"guess\"", "limits: \"source\" must say rulebook, public:<where> or house"},
    {"deal/near", "5", "deal: \"near\" is 5 but must be 6 to 6"},
    {"build", "3", "the cards: \"build\" must be an object"},
    {"ranks/1/min", "0", "rank 2: \"min\" is 0 but must be 1 to 99"},
    {"ranks", "[]", "the cards: \"ranks\" must be 1 to 8"},
    {"lost_rank", "null", "the cards: \"lost_rank\" must be an object"},
    {"technologies/1/id", "\"warp\"", "technology 2: \"id\" must be forward"},
    {"technologies/1/cost", "\"4\"", "technology 2: \"cost\" must be a whole number"},
    {"technologies/1/requires", "\"robots\"",
     "technology 2: \"requires\" must be null for gen 1, the left technology of the row for gen 2"},
    {"technologies/1/requires", "\"captial\"",
     "technology 2: \"requires\" must be null for gen 1, the left technology of the row for gen 2"},
    {"technologies/0/name", "\"\\u202e\"", "technology 1: \"name\" must be a plain text of 1 to 31 bytes"},
    {"technologies", "[]", "the cards: \"technologies\" must be 8"},
    {"cards/0/number", "55", "the list's card no. 1: \"number\" is 55 but must be 1 to 54"},
    {"cards/0/number", "2", "card 2: \"number\" is given twice"},
    {"cards/7/resistance", "\"8\"", "card 8: \"resistance\" must be a whole number"},
    {"cards/7/metal", "-1", "card 8: \"metal\" is -1 but must be 0 to 3"},
    {"cards/7/name", "\"a name that is far too long for a card\"",
     "card 8: \"name\" must be a plain text of 1 to 31 bytes"},
    {"cards/7/name", "\"Canopus\"", "card 8: \"name\" is that of card 1"},
    {"cards/7/kind", "\"far\"", "card 8: \"kind\" must be near, distant, event or red_alert"},
    {"cards/7/solo18", "1", "card 8: \"solo18\" must be true or false"},
    {"cards/7/source", "{\"values\": \"internet\"}",
     "card 8: \"source\" must say rulebook, public:<where> or house"},
    {"cards/7/source", "null", "card 8: \"source\" must say rulebook, public:<where> or house"},
    {"cards/11/event", "\"riot\"", "card 12: \"event\" must be none, gain, strike, revolt or invasion"},
    {"cards/11/year2", "{}",
     "card 12, year2: \"force\" belongs to revolts and invasions, and to all of them"},
    {"cards/11/year1/force", "77", "card 12, year1: \"force\" is 77 but must be 0 to 9"},
    {"cards/15/year1", "{\"welth\": 1}",
     "card 16, year1: \"metal\" and \"wealth\" belong to gain events, and to all of them"},
    {"cards/16/year1", "7", "card 17: \"year1\" must be an object"},
    {"cards/51/affects", "{\"luck\": 1}", "card 52, affects: \"tech\" must be a text"},
    {"cards/51/affects", "{}", "card 52: \"affects\" must have one test: military, wealth_min or tech"},
    {"cards/53/affects", "{\"tech\": \"warp\"}", "card 54, affects: \"tech\" names no technology"},
    {"cards/51/roll", "[7]", "card 52: \"roll\" must list numbers of a die, 1 to 6"},
    {"cards/51/lose", "{}", "card 52, lose: must name metal, wealth or military"},
    {"cards/3",
     "{\"number\": 4, \"name\": \"X\", \"kind\": \"distant\", \"resistance\": 5, \"metal\": 0, \"wealth\": "
     "0, "
     "\"vp\": 1, \"solo18\": true, \"source\": \"house\"}",
     "the cards: there are 23 near systems but must be 24 at least"},
    {"cards/3/solo18", "false", NULL},
};

static void change(json_t *root, const char *path, const char *value)
{
    struct err err = ERR_INIT;
    json_t *at = root;
    json_t *new_value = json_loads(value, JSON_DECODE_ANY, NULL);
    ck_assert_ptr_nonnull(new_value);
    for (;;) {
        size_t len = strcspn(path, "/");
        char *key = mem_strndup(path, len);
        bool last = path[len] == '\0';
        (void)err;
        if (json_is_array(at) && last)
            json_array_set_new(at, strtoul(key, NULL, 10), new_value);
        else if (last)
            json_object_set_new(at, key, new_value);
        else
            at = json_is_array(at) ? json_array_get(at, strtoul(key, NULL, 10)) : json_object_get(at, key);
        free(key);
        if (last)
            return;
        ck_assert_ptr_nonnull(at);
        path += len + 1;
    }
}

START_TEST(card_errors_name_card_and_field)
{
    struct gc_cards cards = {0};
    struct err err = ERR_INIT;
    json_t *json = json_read(ruleset_cards(rules()), "cards.json", &err);
    ck_assert_msg(json, "%s", err.text);
    change(json, mistakes[_i].path, mistakes[_i].value);
    int rc = gc_cards_load(json, &cards, &err);
    if (mistakes[_i].error) {
        ck_assert_int_lt(rc, 0);
        ck_assert_str_eq(err.text, mistakes[_i].error);
    } else {
        ck_ok(rc, err);
    }
    json_decref(json);
}
END_TEST

START_TEST(the_cards_are_complete)
{
    struct gc_cards cards;
    int kinds[4] = {0};
    int solo = 0;
    load_cards(&cards);
    for (int n = 1; n <= GC_CARDS; n++) {
        kinds[cards.card[n].kind]++;
        solo += cards.card[n].solo18;
        ck_assert_int_eq(cards.card[n].solo18, n <= 18);
    }
    ck_assert_int_eq(kinds[GC_NEAR], 24);
    ck_assert_int_eq(kinds[GC_DISTANT], 12);
    ck_assert_int_eq(kinds[GC_EVENT], 15);
    ck_assert_int_eq(kinds[GC_ALERT], 3);
    ck_assert_int_eq(solo, 18);
}
END_TEST

/* ---- templates ---- */

static bool has_section(const char *file, const char *name)
{
    struct str tag = STR_INIT;
    str_addf(&tag, "\n{{#%s}}\n", name);
    struct slice text = embed_find(file);
    ck_assert_msg(text.len > 0, "no template %s", file);
    bool found = slice_find(text, tag.p) != (size_t)-1;
    str_release(&tag);
    return found;
}

static void check_words(const json_t *event)
{
    const char *type = json_string_value(json_object_get(event, "type"));
    const char *reason = json_string_value(json_object_get(event, "reason"));
    ck_assert_msg(has_section("templates/galaxy_command/events.txt", type), "events.txt has no words for %s",
                  type);
    ck_assert_msg(has_section("templates/galaxy_command/events.html", type),
                  "events.html has no words for %s", type);
    if (reason)
        ck_assert_msg(has_section("templates/galaxy_command/refusals.txt", reason),
                      "refusals.txt has no words for %s", reason);
}

/* Events and refusals of all golden cases: each has its words, and each of the words is used by a case. */
static void collect_types(json_t *types)
{
    struct file_names names;
    struct err err = ERR_INIT;
    const char *dir = "tests/golden/galaxy_command";
    ck_ok(file_list(dir, &names, &err), err);
    for (size_t i = 0; i < names.count; i++) {
        if (!str_ends(names.name[i], ".out"))
            continue;
        char *path = path_join(dir, names.name[i]);
        json_t *steps = json_read_file(path, &err);
        ck_assert_msg(steps, "%s", err.text);
        size_t s, e;
        json_t *step, *event;
        json_array_foreach(steps, s, step)
        {
            json_array_foreach(json_object_get(step, "events"), e, event)
            {
                check_words(event);
                json_object_set_new(types, json_string_value(json_object_get(event, "type")), json_true());
                const char *reason = json_string_value(json_object_get(event, "reason"));
                if (reason)
                    json_object_set_new(types, reason, json_true());
            }
        }
        json_decref(steps);
        free(path);
    }
    file_names_free(&names);
}

START_TEST(every_event_has_words_and_all_words_are_used)
{
    static const char *const files[] = {"templates/galaxy_command/events.txt",
                                        "templates/galaxy_command/events.html",
                                        "templates/galaxy_command/refusals.txt"};
    json_t *types = json_object();
    collect_types(types);
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        struct slice rest = embed_find(files[i]);
        struct slice line;
        while (slice_line(&rest, &line)) {
            if (!slice_starts(line, "{{#") || slice_find(line, "}}") != line.len - 2)
                continue;
            char *name = slice_dup(slice_sub(line, 3, line.len - 5));
            ck_assert_msg(json_object_get(types, name), "%s: no golden case shows %s", files[i], name);
            free(name);
        }
    }
    json_decref(types);
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
    json_t *view = gc_view(&cards, &state, 1);
    const json_t *form = json_object_get(view, "form");
    ck_assert_uint_ge(json_array_size(form), 8);
    size_t i;
    json_t *entry;
    json_array_foreach(form, i, entry)
    {
        struct gc_state trial = state;
        struct events events;
        struct seat_orders orders[SEATS_MAX + 1] = {{NULL, false, NULL}};
        const char *line = json_string_value(json_object_get(entry, "line"));
        struct script *script = script_parse(slice_of(line), rules()->language);
        orders[1].script = script;
        events_init(&events);
        seed_chance(&chance, "form", 0, 1);
        gc_play(&cards, &trial, orders, 1, &chance, &events);
        for (size_t e = 0; e < events.count; e++)
            ck_assert_msg(strcmp(events.list[e].type, "refused") != 0, "\"%s\" was refused", line);
        events_release(&events);
        script_free(script);
    }
    json_decref(view);
    view = gc_view(&cards, &state, 0);
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
        struct seat_orders orders[SEATS_MAX + 1] = {{NULL, false, NULL}};
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
        gc_play(&cards, &state, orders, 1, &chance, &events);
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
    tcase_add_loop_test(tc, random_games_keep_the_rules, 0, 6);
    tcase_add_test(tc, robots_play_a_sensible_game);
    tcase_add_test(tc, hidden_draws_replay_from_their_proofs);
    tcase_add_test(tc, dice_do_not_depend_on_the_order_of_seats);
    tcase_add_test(tc, concealing_is_thorough);
    tcase_add_loop_test(tc, card_errors_name_card_and_field, 0,
                        (int)(sizeof(mistakes) / sizeof(mistakes[0])));
    tcase_add_test(tc, the_cards_are_complete);
    tcase_add_test(tc, every_event_has_words_and_all_words_are_used);
    tcase_add_test(tc, the_form_can_be_sent_as_it_is);
    tcase_add_test(tc, wild_states_are_survived);
}
TEST_MAIN("rules/galaxy_command", cases)
