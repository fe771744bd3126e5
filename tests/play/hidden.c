/* What a seat may not know must not show: after turns of random games the hidden part of the state is
 * rearranged, and every report of every seat, text and HTML, and what a receipt says of orders that may
 * come next, must be the same to the byte. PROPERTY_GAMES=10000 plays a tenth of that many games; the seed of
 * each is its number. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "play/facts.h"
#include "play/trial.h"
#include "play/random_game.h"
#include "report/render.h"
#include "suite.h"

#define GAMES (FEW ? 1 : 10) /* of each ruleset and number of seats */
#define PLAYS 400            /* of one game, at most */

static struct templates *templates;
static void render(const struct game *game, int seat, const char *name, struct str *out)
{
    struct err err = ERR_INIT;
    json_t *facts = facts_game(game, seat);
    facts_events(facts, game, seat);
    facts_view(facts, game, seat);
    json_object_set_new(facts, "later", json_true());
    ck_ok(templates_render(templates, &(struct template_name){game->ruleset->folder, name}, facts, out, &err),
          err);
    json_decref(facts);
}

/* Orders that somebody may try out: what a robot would do, and what the form proposes. */
static struct script *orders_to_try(const struct game *game, int seat)
{
    struct str lines = STR_INIT;
    if (!seat || game->over)
        return NULL;
    game->ruleset->robot(game->cards, game->state, seat, &lines);
    json_t *facts = facts_game(game, seat);
    facts_view(facts, game, seat);
    size_t i;
    json_t *line;
    json_array_foreach (json_object_get(json_object_get(facts, "form"), "lines"), i, line)
        str_addf(&lines, "%s\n", json_string_value(json_object_get(line, "line")));
    json_decref(facts);
    struct script *script = script_parse(slice_str(&lines), game->ruleset->language);
    str_release(&lines);
    return script;
}

static void render_receipt(const struct game *game, int seat, const struct script *script, struct str *out)
{
    struct err err = ERR_INIT;
    if (!script)
        return;
    json_t *facts = facts_game(game, seat);
    trial_add(facts, game, seat, script, NULL);
    json_object_set_new(facts, "tried", json_true());
    ck_ok(templates_render(templates, &(struct template_name){game->ruleset->folder, "receipt.txt"}, facts,
                           out, &err),
          err);
    json_decref(facts);
}

static void check_seat(struct game *game, int seat, int number)
{
    static const char *const names[] = {"report.txt", "report.html", "receipt.txt"};
    struct chance chance;
    struct str seen[3] = {STR_INIT, STR_INIT, STR_INIT};
    struct str again = STR_INIT;
    void *state = game->state;
    struct script *script = orders_to_try(game, seat);
    for (int i = 0; i < 2; i++)
        render(game, seat, names[i], &seen[i]);
    render_receipt(game, seat, script, &seen[2]);
    game->state = mem_alloc(game->ruleset->state_size);
    memcpy(game->state, state, game->ruleset->state_size);
    random_chance(&chance, "conceal", number, game->turn);
    game->ruleset->conceal(game->cards, game->state, seat, &chance);
    for (int i = 0; i < 3; i++) {
        str_clear(&again);
        if (i < 2)
            render(game, seat, names[i], &again);
        else
            render_receipt(game, seat, script, &again);
        ck_assert_msg(seen[i].len == again.len && memcmp(seen[i].p, again.p, again.len) == 0,
                      "%s with %d seats, game %d, turn %d: %s of seat %d depends on what is hidden",
                      game->ruleset->name, game->seats, number, game->turn, names[i], seat);
        str_release(&seen[i]);
    }
    script_free(script);
    free(game->state);
    game->state = state;
    str_release(&again);
}

/* Plays a game to its end, or so far; looks at all seats after some of the turns, but not after the last: the
 * last report tells what was hidden. */
static int random_game(const struct ruleset *ruleset, int seats, int number, int every)
{
    struct game game;
    int looks = 0;
    random_start(&game, ruleset, seats, number);
    for (int i = 0; i < PLAYS && !game.over; i++) {
        struct events events;
        events_init(&events);
        random_play(&game, number, &events);
        bool looked = (i + number) % every == 0 && !game.over;
        if (looked) {
            json_decref(game.told.events);
            game.told.events = events_json(&events, -1);
        }
        events_release(&events);
        for (int seat = 0; seat <= seats && looked; seat++, looks++)
            check_seat(&game, seat, number);
    }
    game_release(&game);
    return looks;
}

#define RULESETS 16 /* all versions, or more */

START_TEST(no_report_shows_what_is_hidden)
{
    const char *more = getenv("PROPERTY_GAMES");
    int count = 0;
    while (rulesets[count])
        count++;
    ck_assert_int_le(count, RULESETS); /* the cases below */
    if (_i >= count)
        return;
    const struct ruleset *ruleset = rulesets[_i];
    bool newest = ruleset_newest(ruleset->name) == ruleset;
    int kinds = ruleset->seats_max - ruleset->seats_min + 1;
    int games = more ? (int)strtol(more, NULL, 10) / 10 : (newest ? GAMES : GAMES / 3) * kinds;
    int looks = 0;
    templates_open(NULL, &templates);
    for (int number = 0; number < games; number++)
        looks += random_game(ruleset, ruleset->seats_min + number % kinds, number,
                             number % 16 ? 16
                             : FEW       ? 4
                                         : 2);
    templates_close(templates);
    printf("%s: games 0 to %d, %d reports looked at\n", ruleset->name, games - 1, 2 * looks);
    ck_assert_int_ge(looks, games);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_loop_test(tc, no_report_shows_what_is_hidden, 0, RULESETS);
}
TEST_MAIN("play/hidden", cases)
