/* Golden turns: tests/golden/<folder of the ruleset>/<case>.json is one worked case of the rules, the .out
 * beside it the whole result as it was read and found right. GOLDEN_WRITE=1 writes the .out files anew; the
 * difference is then read in git.
 *
 *   case, cites    name, and the lines of the rulebook it shows     about    one sentence
 *   seats, options default 1 and the options' initial values        seed     of dice and draws not given;
 * default: the case setup          "deal": the cards are dealt from the seed; else they lie in the order of
 * the file state          laid over the prepared state (members that are missing keep their value) turn
 * default 1 and rising; "play": false only looks at the prepared state orders, always, standing   {"1":
 * ["line", ...]}: what was sent, the ALWAYS lines of a missed turn, WHEN lines in force dice           in the
 * order of rolling then           list of further turns: state, orders, always, dice, expect expect state,
 * scores {"1": ...}, view {"1": ...}: parts that must be so; awaits: list of seats; ending; events: parts of
 * events in this order; absent_events: types that must not occur; error: of the setup
 *
 * An expected object may leave members out; an expected list must have the same length, null stands for
 * anything. */
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "rules/ruleset.h"
#include "rules/views.h"
#include "suite.h"

#define GOLDEN      "tests/golden"
#define GOLDEN_MOST 3000

static struct {
    const struct ruleset *ruleset;
    char *path;
} golden[GOLDEN_MOST];
static int golden_count;

static void collect_cases(void)
{
    for (size_t r = 0; rulesets[r]; r++) {
        char *dir = path_join(GOLDEN, rulesets[r]->folder);
        struct file_names names;
        struct err err = ERR_INIT;
        if (file_list(dir, &names, &err) == 0) {
            for (size_t i = 0; i < names.count && golden_count < GOLDEN_MOST; i++) {
                if (!str_ends(names.name[i], ".json"))
                    continue;
                golden[golden_count].ruleset = rulesets[r];
                golden[golden_count++].path = path_join(dir, names.name[i]);
            }
            file_names_free(&names);
        }
        free(dir);
    }
}

/* ---- comparing ---- */

static bool matches(const json_t *want, const json_t *got, struct str *where)
{
    size_t depth = where->len;
    if (json_is_null(want))
        return true;
    if (json_is_object(want) && json_is_object(got)) {
        const char *key;
        json_t *value;
        json_object_foreach ((json_t *)(uintptr_t)want, key, value) {
            str_addf(where, ".%s", key);
            const json_t *member = json_object_get(got, key);
            if (!member || !matches(value, member, where))
                return false;
            str_cut(where, depth);
        }
        return true;
    }
    if (json_is_array(want) && json_is_array(got)) {
        if (json_array_size(want) != json_array_size(got))
            return false;
        for (size_t i = 0; i < json_array_size(want); i++) {
            str_addf(where, "[%zu]", i);
            if (!matches(json_array_get(want, i), json_array_get(got, i), where))
                return false;
            str_cut(where, depth);
        }
        return true;
    }
    return json_equal(want, got);
}

static void expect_part(const char *path, const char *what, const json_t *want, const json_t *got)
{
    struct str where = STR_INIT;
    struct str text = STR_INIT;
    if (!want || matches(want, got, &where)) {
        str_release(&where);
        return;
    }
    json_write(&text, got);
    ck_abort_msg("%s: %s%s is not as expected: %.2000s", path, what, where.p, text.p);
}

static void expect_events(const char *path, const json_t *expect, const json_t *events)
{
    size_t at = 0;
    size_t i;
    const json_t *want;
    json_array_foreach (json_object_get(expect, "events"), i, want) {
        struct str where = STR_INIT;
        while (at < json_array_size(events) && !matches(want, json_array_get(events, at), &where))
            at++;
        if (at == json_array_size(events)) {
            json_write(&where, events);
            ck_abort_msg("%s: expected event %zu did not happen (in this order): %.2000s", path, i, where.p);
        }
        str_release(&where);
        at++;
    }
    json_array_foreach (json_object_get(expect, "absent_events"), i, want) {
        for (at = 0; at < json_array_size(events); at++)
            ck_assert_msg(!json_equal(want, json_object_get(json_array_get(events, at), "type")),
                          "%s: event %s happened", path, json_string_value(want));
    }
}

/* ---- playing ---- */

struct game {
    const char *path;
    const struct ruleset *ruleset;
    void *cards, *state;
    int seats;
    json_t *out; /* list of steps */
};

static struct script *read_script(const json_t *by_seat, int seat, const struct language *language)
{
    char key[8];
    snprintf(key, sizeof(key), "%d", seat);
    const json_t *lines = json_object_get(by_seat, key);
    if (!lines)
        return NULL;
    struct str body = STR_INIT;
    size_t i;
    const json_t *line;
    json_array_foreach (lines, i, line) {
        str_addf(&body, "%s\n", json_string_value(line));
    }
    struct script *script = script_parse(slice_str(&body), language);
    str_release(&body);
    return script;
}

static json_t *scores_json(const struct game *game)
{
    static const char *const fates[] = {"playing", "finished", "lost"};
    struct score score[SEATS_MAX + 1];
    json_t *object = json_object();
    game->ruleset->end.scores(game->cards, game->state, score);
    for (int seat = 1; seat <= game->seats; seat++) {
        char key[8];
        snprintf(key, sizeof(key), "%d", seat);
        json_object_set_new(object, key,
                            json_pack("{s:s, s:i, s:b, s:i, s:s}", "fate", fates[score[seat].fate], "points",
                                      score[seat].points, "won", score[seat].won, "place", score[seat].place,
                                      "rank", score[seat].rank));
    }
    return object;
}

static void look(const struct game *game, const json_t *expect, json_t *events)
{
    json_t *state = fields_json(game->ruleset->fields, game->state);
    json_t *scores = scores_json(game);
    json_t *awaits = json_array();
    for (int seat = 1; seat <= game->seats; seat++) {
        if (game->ruleset->awaits(game->state) & SEAT_BIT(seat))
            json_array_append_new(awaits, json_integer(seat));
    }
    json_t *ending = json_string(game->ruleset->end.ending(game->state));
    expect_part(game->path, "state", json_object_get(expect, "state"), state);
    expect_part(game->path, "scores", json_object_get(expect, "scores"), scores);
    expect_part(game->path, "awaits", json_object_get(expect, "awaits"), awaits);
    expect_part(game->path, "ending", json_object_get(expect, "ending"), ending);
    const char *seat;
    json_t *want;
    json_object_foreach (json_object_get(expect, "view"), seat, want) {
        json_t *view = view_as_json(game->ruleset, game->cards, game->state, (int)strtol(seat, NULL, 10));
        expect_part(game->path, "view", want, view);
        json_decref(view);
    }
    expect_events(game->path, expect, events);
    json_array_append_new(game->out, json_pack("{s:o, s:o, s:o, s:o, s:o}", "events", events, "state", state,
                                               "scores", scores, "awaits", awaits, "ending", ending));
}

static void overlay(const struct game *game, const json_t *step)
{
    struct err err = ERR_INIT;
    const json_t *state = json_object_get(step, "state");
    if (state)
        ck_assert_msg(fields_read(game->ruleset->fields, game->state, state, 0, &err) == 0, "%s: %s",
                      game->path, err.text);
}

static size_t read_dice(const json_t *step, int dice[64])
{
    size_t count = 0;
    size_t i;
    const json_t *die;
    json_array_foreach (json_object_get(step, "dice"), i, die) {
        ck_assert(count < 64);
        dice[count++] = (int)json_integer_value(die);
    }
    return count;
}

/* What a line asks that is refused, or whose condition is false, has changed nothing. */
static void expect_unchanged(const struct game *game, const struct events *events,
                             const struct event_watch *watch)
{
    for (size_t i = 0; i < events->count; i++) {
        const struct slice type = events->list[i].type;
        ck_assert_msg((!slice_eq(type, "refused") && !slice_eq(type, "skipped")) ||
                          memcmp(event_watch_before(watch, i), event_watch_after(watch, i), watch->size) == 0,
                      "%s: event %zu, %.*s, has changed something", game->path, i, (int)type.len, type.p);
    }
}

static void play_step(const struct game *game, const json_t *step, const char *seed, int turn)
{
    const struct language *language = game->ruleset->language;
    struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
    struct script *scripts[SEATS_MAX + 1] = {NULL};
    struct script *standing[SEATS_MAX + 1] = {NULL};
    struct event_watch watch;
    struct events events;
    struct chance chance;
    struct str key = STR_INIT;
    int dice[64];
    overlay(game, step);
    for (int seat = 1; seat <= game->seats; seat++) {
        scripts[seat] = read_script(json_object_get(step, "orders"), seat, language);
        orders[seat].missed = !scripts[seat];
        if (!scripts[seat])
            scripts[seat] = read_script(json_object_get(step, "always"), seat, language);
        standing[seat] = read_script(json_object_get(step, "standing"), seat, language);
        orders[seat].script = scripts[seat];
        orders[seat].standing = standing[seat];
    }
    str_addf(&key, "%s/%d", seed, turn);
    size_t count = read_dice(step, dice);
    chance_scripted(&chance, dice, count, key.p, key.len);
    events_init(&events);
    event_watch_start(&watch, game->state, game->ruleset->state_size, &events);
    game->ruleset->play(game->cards, game->state, &(struct resolution){orders, turn, &chance, &events});
    ck_assert_msg(chance.script_used == count, "%s: only %zu of %zu dice were rolled", game->path,
                  chance.script_used, count);
    expect_unchanged(game, &events, &watch);
    look(game, json_object_get(step, "expect"), events_json(&events, -1));
    event_watch_release(&watch);
    events_release(&events);
    for (int seat = 1; seat <= game->seats; seat++) {
        script_free(scripts[seat]);
        script_free(standing[seat]);
    }
    str_release(&key);
}

/* False when the setup was meant to be refused, and was. */
static bool set_up(struct game *game, const json_t *test)
{
    struct err err = ERR_INIT;
    int options[GAME_OPTIONS] = {0};
    const json_t *given = json_object_get(test, "options");
    for (int i = 0; game->ruleset->options[i].name; i++) {
        const json_t *value = json_object_get(given, game->ruleset->options[i].name);
        options[i] = value ? (int)json_integer_value(value) : game->ruleset->options[i].initial;
    }
    json_t *cards = json_read(ruleset_cards(game->ruleset), "cards.json", &err);
    ck_assert_msg(cards && game->ruleset->cards_load(cards, game->cards, &err) == 0, "%s", err.text);
    json_decref(cards);
    int rc = game->ruleset->init(game->cards, game->seats, options, game->state, &err);
    const json_t *error = json_object_get(json_object_get(test, "expect"), "error");
    if (error) {
        ck_assert_msg(rc < 0, "%s: the setup was not refused", game->path);
        ck_assert_str_eq(err.text, json_string_value(error));
        json_array_append_new(game->out, json_string(err.text));
        return false;
    }
    ck_assert_msg(rc == 0, "%s: %s", game->path, err.text);
    return true;
}

static json_t *deal(const struct game *game, const json_t *test, const char *seed)
{
    struct events events;
    struct chance chance;
    events_init(&events);
    if (json_object_get(test, "setup")) {
        chance_seeded(&chance, seed, strlen(seed));
        game->ruleset->deal(game->cards, game->state, NULL, &chance, &events);
    }
    json_t *list = events_json(&events, -1);
    events_release(&events);
    return list;
}

static void run_case(struct game *game, const json_t *test)
{
    const char *seed = json_string_value(json_object_get(test, "seed"));
    const json_t *number = json_object_get(test, "turn");
    int turn = number ? (int)json_integer_value(number) : 1;
    if (!seed)
        seed = json_string_value(json_object_get(test, "case"));
    if (!set_up(game, test))
        return;
    json_t *dealt = deal(game, test, seed);
    if (json_is_false(json_object_get(test, "play"))) {
        overlay(game, test);
        look(game, json_object_get(test, "expect"), dealt);
        return;
    }
    json_decref(dealt);
    play_step(game, test, seed, turn);
    size_t i;
    const json_t *step;
    json_array_foreach (json_object_get(test, "then"), i, step) {
        play_step(game, step, seed, ++turn);
    }
}

/* The first line in which two texts differ, and both lines. */
static void show_difference(const char *file, struct slice want, struct slice got)
{
    struct slice wanted = {NULL, 0};
    struct slice found = {NULL, 0};
    int number = 0;
    bool more = true;
    while (more) {
        bool more_wanted = slice_line(&want, &wanted);
        bool more_found = slice_line(&got, &found);
        number++;
        if (!more_wanted)
            wanted = slice_of("(end)");
        if (!more_found)
            found = slice_of("(end)");
        if (more_wanted != more_found || wanted.len != found.len || memcmp(wanted.p, found.p, found.len) != 0)
            break;
        more = more_wanted;
    }
    ck_abort_msg("%s differs in line %d (GOLDEN_WRITE=1 rewrites it):\n- %.*s\n+ %.*s", file, number,
                 (int)wanted.len, wanted.p, (int)found.len, found.p);
}

static void compare_output(const char *path, const json_t *out)
{
    struct err err = ERR_INIT;
    struct str want = STR_INIT;
    struct str got = STR_INIT;
    struct str file = STR_INIT;
    str_adds(&file, path);
    str_cut(&file, file.len - strlen(".json"));
    str_adds(&file, ".out");
    json_write_pretty(&got, out);
    if (getenv("GOLDEN_WRITE"))
        ck_assert_msg(file_write_soft(file.p, slice_str(&got), 0644, &err) == 0, "%s", err.text);
    ck_assert_msg(file_read(file.p, 1U << 22, &want, &err) == 0, "%s", err.text);
    if (strcmp(want.p, got.p) != 0)
        show_difference(file.p, slice_str(&want), slice_str(&got));
    str_release(&want);
    str_release(&got);
    str_release(&file);
}

START_TEST(case_is_as_written)
{
    struct err err = ERR_INIT;
    struct game game = {.path = golden[_i].path, .ruleset = golden[_i].ruleset, .out = json_array()};
    json_t *test = json_read_file(game.path, &err);
    ck_assert_msg(test, "%s", err.text);
    ck_assert_msg(json_is_string(json_object_get(test, "case")) &&
                      json_is_string(json_object_get(test, "cites")),
                  "%s: no \"case\" or no \"cites\"", game.path);
    const json_t *seats = json_object_get(test, "seats");
    game.seats = seats ? (int)json_integer_value(seats) : 1;
    game.cards = mem_alloc(game.ruleset->cards_size);
    game.state = mem_alloc(game.ruleset->state_size);
    run_case(&game, test);
    compare_output(game.path, game.out);
    json_decref(test);
    json_decref(game.out);
    free(game.cards);
    free(game.state);
}
END_TEST

START_TEST(every_ruleset_has_cases)
{
    for (size_t r = 0; rulesets[r]; r++) {
        int count = 0;
        for (int i = 0; i < golden_count; i++)
            count += golden[i].ruleset == rulesets[r];
        ck_assert_msg(count > 0, "no golden cases for %s", rulesets[r]->name);
    }
}
END_TEST

static void cases(TCase *tc)
{
    collect_cases();
    tcase_add_test(tc, every_ruleset_has_cases);
    tcase_add_loop_test(tc, case_is_as_written, 0, golden_count);
}
TEST_MAIN_TOGETHER("rules/golden", cases)
