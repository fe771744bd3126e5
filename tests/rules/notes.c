/* The notes of the form, in games that robots play: each has its words, and one line of them. */
#include "base/mem.h"
#include "game/view.h"
#include "report/render.h"
#include "rules/ruleset.h"
#include "suite.h"

#define TURNS 150

static struct templates *templates;
static int ends_seen;

/* The words of a note as form.txt has them. */
static void words(const struct ruleset *ruleset, const json_t *why, struct str *out)
{
    struct err err = ERR_INIT;
    ck_ok(templates_piece(templates, &(struct template_name){ruleset->folder, "notes.txt"}, why, out, &err),
          err);
}

/* In Galactic Contract a choice that says that it ends the game does, as it says, and no other one does. */
static void check_end(const struct ruleset *ruleset, const void *cards, const void *from, int seat,
                      const json_t *line)
{
    json_t *why = json_object_get(line, "why");
    const json_t *note = json_object_iter_value(json_object_iter(why));
    const json_t *ends = json_is_true(json_object_get(note, "ends")) ? note : NULL;
    struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
    struct score scores[SEATS_MAX + 1] = {{0}};
    struct chance chance;
    struct events events;
    if (strcmp(ruleset->name, "galactic-contract") != 0)
        return;
    void *state = mem_copy(from, ruleset->state_size);
    const char *text = json_string_value(json_object_get(line, "line"));
    struct script *script = script_parse(slice_of(text), ruleset->language);
    orders[seat].script = script;
    chance_seeded(&chance, "end", 3);
    events_init(&events);
    ruleset->play(cards, state, &(struct resolution){orders, 1, &chance, &events});
    ck_assert_msg((ends != NULL) == !ruleset->awaits(state), "%s: ends %d", text, ends != NULL);
    ruleset->end.scores(cards, state, scores);
    if (ends && !json_is_true(json_object_get(ends, "level"))) {
        const bool ahead = json_is_true(json_object_get(ends, "ahead"));
        if (!json_is_true(json_object_get(ends, "alone")))
            ck_assert_int_eq(scores[seat].won, ahead);
        ck_assert_int_eq(scores[seat].points, json_integer_value(json_object_get(ends, "own")));
        ends_seen++;
    }
    events_release(&events);
    script_free(script);
    free(state);
}

static void check_form(const struct ruleset *ruleset, const void *cards, const void *state, int seat)
{
    json_t *view = view_json(ruleset, cards, state, seat);
    size_t i;
    json_t *line;
    json_array_foreach (json_object_get(view, "form"), i, line) {
        struct str text = STR_INIT;
        const char *order = json_string_value(json_object_get(line, "line"));
        words(ruleset, json_object_get(line, "why"), &text);
        ck_assert_msg(text.len && text.p[0] != ' ' && slice_find(slice_str(&text), "\n") == (size_t)-1,
                      "%s, %s: \"%s\"", ruleset->name, order, text.p);
        check_end(ruleset, cards, state, seat, line);
        str_release(&text);
    }
    json_decref(view);
}

static void play(const struct ruleset *ruleset, const void *cards, void *state, int turn,
                 struct chance *chance)
{
    struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
    struct script *scripts[SEATS_MAX + 1] = {NULL};
    struct events events;
    uint32_t awaited = ruleset->awaits(state);
    for (int seat = 1; seat <= SEATS_MAX; seat++) {
        struct str text = STR_INIT;
        if (turn > 0 && (awaited & SEAT_BIT(seat))) {
            check_form(ruleset, cards, state, seat);
            ruleset->robot(cards, state, seat, &text);
            orders[seat].script = orders[seat].standing = scripts[seat] =
                script_parse(slice_str(&text), ruleset->language);
        }
        str_release(&text);
    }
    events_init(&events);
    if (turn == 0)
        ruleset->deal(cards, state, NULL, chance, &events);
    else
        ruleset->play(cards, state, &(struct resolution){orders, turn, chance, &events});
    events_release(&events);
    for (int seat = 1; seat <= SEATS_MAX; seat++)
        script_free(scripts[seat]);
}

static void play_game(const struct ruleset *ruleset, int game)
{
    struct err err = ERR_INIT;
    struct chance chance;
    int options[GAME_OPTIONS] = {0};
    int seats = ruleset->seats_min + game % (ruleset->seats_max - ruleset->seats_min + 1);
    void *cards = mem_alloc(ruleset->cards_size);
    void *state = mem_alloc(ruleset->state_size);
    json_t *json = json_read(ruleset_cards(ruleset), "cards.json", &err);
    ck_assert_msg(json, "%s", err.text);
    ck_ok(ruleset->cards_load(json, cards, &err), err);
    for (int i = 0; i < GAME_OPTIONS && ruleset->options[i].name; i++)
        options[i] = ruleset->options[i].initial;
    ck_ok(ruleset->init(cards, seats, options, state, &err), err);
    for (int turn = 0; turn < TURNS && (turn == 0 || ruleset->awaits(state)); turn++) {
        char seed[48];
        int len = snprintf(seed, sizeof seed, "notes/%d/%d", game, turn);
        chance_seeded(&chance, seed, (size_t)len);
        play(ruleset, cards, state, turn, &chance);
    }
    json_decref(json);
    free(state);
    free(cards);
}

START_TEST(each_note_has_words)
{
    templates_open(NULL, &templates);
    for (int i = 0; rulesets[i]; i++)
        for (int game = 0; game < (FEW ? 2 : 6); game++)
            play_game(rulesets[i], game);
    templates_close(templates);
    ck_assert_int_gt(ends_seen, 0);
}
END_TEST

/* Galaxy Command: of the attacks that are shown the likeliest is the first, which "ok" means. */
START_TEST(the_likeliest_attack_comes_first)
{
    const struct ruleset *ruleset = ruleset_newest("galaxy-command");
    struct err err = ERR_INIT;
    int options[GAME_OPTIONS] = {0}, seen = 0;
    void *cards = mem_alloc(ruleset->cards_size);
    void *state = mem_alloc(ruleset->state_size);
    json_t *json = json_read(ruleset_cards(ruleset), "cards.json", &err);
    templates_open(NULL, &templates);
    ck_ok(ruleset->cards_load(json, cards, &err), err);
    ck_ok(ruleset->init(cards, 1, options, state, &err), err);
    for (int turn = 0; turn < 14 && (turn == 0 || ruleset->awaits(state)); turn++) {
        struct chance chance;
        char seed[48];
        chance_seeded(&chance, seed, (size_t)snprintf(seed, sizeof seed, "likeliest/%d", turn));
        play(ruleset, cards, state, turn, &chance);
        json_t *view = view_json(ruleset, cards, state, 1);
        int last = 100;
        size_t i;
        json_t *line;
        json_array_foreach (json_object_get(view, "form"), i, line) {
            const json_t *why = json_object_get(line, "why"), *six = json_object_get(why, "target");
            const json_t *of = json_object_get(why, "unknown_near");
            of = of ? of : json_object_get(why, "unknown_far");
            if (!six && !of)
                break;
            const int chance_of = (int)json_integer_value(json_object_get(six ? six : of, "chance"));
            const int now = six ? 100 * chance_of / 6 : chance_of;
            ck_assert_int_le(now, last);
            last = now;
            seen++;
        }
        json_decref(view);
    }
    ck_assert_int_gt(seen, 14);
    json_decref(json);
    free(state);
    free(cards);
    templates_close(templates);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, each_note_has_words);
    tcase_add_test(tc, the_likeliest_attack_comes_first);
}
TEST_MAIN("rules/notes", cases)
