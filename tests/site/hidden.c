/* Pages show nothing that the public may not know: in random games of every ruleset what is hidden is rearranged, and the
 * page and its JSON stay the same to the byte. Names are hostile: they become words of the page and nothing else. */
#include "base/json.h"
#include "play/random_game.h"
#include "site/site_parts.h"
#include "suite.h"

#define RULESETS 16 /* all versions, or more */
#define GAMES    (FEW ? 2 : 8)
#define PLAYS    120
#define EVERY    10

/* As long as names may be. */
static const char *const names[] = {"",
                                    "<script>alert(1)</script>",
                                    "\"'><img src=x onerror=alert(1)>",
                                    "\xe2\x80\xae\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d & ]]> &lt;",
                                    "--><svg onload=alert(1)>",
                                    "{{{news}}} ${x} javascript:x",
                                    "\xf0\x9f\x9a\x80\xcc\x81 \x01\x02 end",
                                    "</title><b>",
                                    "</style>"};

static struct league league;
static struct registry registry;
static struct site site = {.league = &league, .registry = &registry, .now = 1};

/* The page and the JSON, as they would be written. */
static void show(const struct game *game, struct str *out)
{
    struct err err = ERR_INIT;
    const struct board board = {game, NULL, game->told.events, 0};
    json_t *turn = site_turn(&site, &board, game->turn - 1, false, &err);
    ck_assert_msg(turn, "%s", err.text);
    json_t *turns = json_pack("[o]", turn);
    json_t *facts = site_game_facts(&site, game, turns, &err);
    ck_assert_msg(facts, "%s", err.text);
    str_clear(out);
    ck_ok(templates_render(site.templates, &(struct template_name){"site", "game.html"}, facts, out, &err),
          err);
    json_write(out, facts);
    json_decref(facts);
    json_decref(turns);
}

/* Every "<" of the page that begins a word begins one of ours. */
static void check_markup(const struct str *page)
{
    static const char *const never[] = {"<script",           "<svg onload", "<img src=x", "</style>",
                                        "onerror=alert(1)>", "<b>{",        "\x01"};
    const char *end = strstr(page->p, "</html>");
    ck_assert(end);
    for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
        const char *at = strstr(page->p, never[i]);
        ck_assert_msg(!at || at > end, "the page has %s as it is", never[i]);
    }
}

static void check(struct game *game, int number)
{
    struct str seen = STR_INIT, again = STR_INIT;
    struct chance chance;
    void *state = game->state;
    show(game, &seen);
    check_markup(&seen);
    game->state = mem_copy(state, game->ruleset->state_size);
    random_chance(&chance, "conceal", number, game->turn);
    if (game->ruleset->conceal)
        game->ruleset->conceal(game->cards, game->state, 0, &chance);
    show(game, &again);
    ck_assert_msg(seen.len == again.len && memcmp(seen.p, again.p, again.len) == 0,
                  "%s with %d seats, game %d, turn %d: the page depends on what is hidden",
                  game->ruleset->name, game->seats, number, game->turn);
    free(game->state);
    game->state = state;
    str_release(&seen);
    str_release(&again);
}

static int random_game(const struct ruleset *ruleset, int seats, int number)
{
    struct game game;
    int looks = 0;
    random_start(&game, ruleset, seats, number);
    for (int seat = 1; seat <= seats; seat++)
        memcpy(game.seat[seat].player, names[seat], strlen(names[seat]) + 1);
    for (int i = 0; i < PLAYS && !game.over; i++) {
        struct events events;
        events_init(&events);
        random_play(&game, number, &events);
        json_decref(game.told.events);
        game.told.events = events_json(&events, -1);
        events_release(&events);
        if (!game.over && (i + number) % EVERY == 0) {
            check(&game, number);
            looks++;
        }
    }
    game_release(&game);
    return looks;
}

START_TEST(no_page_shows_what_is_hidden)
{
    int count = 0, looks = 0;
    while (rulesets[count])
        count++;
    ck_assert_int_le(count, RULESETS);
    if (_i >= count)
        return;
    const struct ruleset *ruleset = rulesets[_i];
    const int kinds = ruleset->seats_max - ruleset->seats_min + 1;
    templates_open(NULL, &site.templates);
    for (int number = 0; number < GAMES; number++)
        looks += random_game(ruleset, ruleset->seats_min + number % kinds, number);
    templates_close(site.templates);
    ck_assert_int_ge(looks, GAMES);
}
END_TEST

/* Of a private game, or a deal that others play still, there is nothing to see. */
START_TEST(what_nobody_may_watch_is_not_shown)
{
    struct game game;
    struct events events;
    struct err err = ERR_INIT;
    templates_open(NULL, &site.templates);
    league.config.site.awaited = true;
    for (int i = 0; i < 2; i++) {
        random_start(&game, rulesets[0], rulesets[0]->seats_min, 1);
        events_init(&events);
        random_play(&game, 1, &events);
        events_release(&events);
        ck_assert(site_game_open(&game));
        if (i == 0) {
            game.observers.barred = true;
        } else {
            game.over = game.voided = true;
            game.turn = 2;
            game.clock.deadline = 77;
            game.clock.lockstep = (struct lockstep){.on = true, .opens = 0, .hours = 1, .closes = 1000};
        }
        ck_assert(!site_game_open(&game));
        json_t *facts = site_game_facts(&site, &game, NULL, &err);
        ck_assert(!json_object_get(facts, "view"));
        ck_assert(!json_object_get(facts, "last"));
        ck_assert(
            !json_is_true(json_object_get(json_array_get(json_object_get(facts, "seats"), 0), "awaited")));
        if (i) { /* nor how far it is */
            ck_assert_int_eq(json_integer_value(json_object_get(facts, "turn")), 0);
            ck_assert(!json_is_true(json_object_get(facts, "one_turn")) &&
                      !json_is_true(json_object_get(facts, "voided")));
            ck_assert(!json_is_true(json_object_get(facts, "over")) && !json_object_get(facts, "deadline"));
        }
        ck_assert_int_eq(json_is_true(json_object_get(facts, i ? "withheld" : "private")), 1);
        json_decref(facts);
        game_release(&game);
    }
    league.config.site.awaited = false;
    templates_close(site.templates);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_loop_test(tc, no_page_shows_what_is_hidden, 0, RULESETS);
    tcase_add_test(tc, what_nobody_may_watch_is_not_shown);
}
TEST_MAIN("site/hidden", cases)
