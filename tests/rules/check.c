/* Every state that the rules make passes the ruleset's check, and so does what trial plays make of it, whatever is ordered of
 * all that can be; states that were corrected to nonsense do not, and those that pass can be played on. */
#include "game/view.h"
#include "rules/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "rules/field_path.h"
#include "rules/ruleset.h"
#include "suite.h"

static uint64_t seed = 1;

static uint32_t roll(uint32_t n)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(seed >> 33) % n;
}

struct table {
    const struct ruleset *rules;
    void *cards, *state;
    int seats, turn;
};

static void open_table(struct table *t, const struct ruleset *rules, int seats, struct chance *chance)
{
    struct err err = ERR_INIT;
    int options[GAME_OPTIONS] = {0};
    struct events events;
    json_t *json = json_read(ruleset_cards(rules), "cards.json", &err);
    *t = (struct table){.rules = rules, .seats = seats, .turn = 1};
    t->cards = mem_alloc(rules->cards_size);
    t->state = mem_alloc(rules->state_size);
    memset(t->cards, 0, rules->cards_size);
    memset(t->state, 0, rules->state_size);
    ck_ok(rules->cards_load(json, t->cards, &err), err);
    json_decref(json);
    for (int i = 0; i < GAME_OPTIONS && rules->options[i].name; i++) {
        const struct game_option *option = &rules->options[i];
        bool other = roll(3) == 0 && !(seats > 1 && strcmp(option->name, "solo18") == 0);
        options[i] =
            other ? option->min + (int)roll((uint32_t)(option->max - option->min + 1)) : option->initial;
    }
    if (rules->init(t->cards, seats, options, t->state, &err)) { /* options that do not go together */
        memset(t->state, 0, rules->state_size);
        err_clear(&err);
        for (int i = 0; i < GAME_OPTIONS && rules->options[i].name; i++)
            options[i] = rules->options[i].initial;
        ck_ok(rules->init(t->cards, seats, options, t->state, &err), err);
    }
    events_init(&events);
    rules->deal(t->cards, t->state, NULL, chance, &events);
    events_release(&events);
}

static void close_table(struct table *t)
{
    free(t->cards);
    free(t->state);
}

/* The robot's orders, or some of them. */
static void robot_lines(struct table *t, int seat, struct str *out)
{
    struct str text = STR_INIT;
    struct slice line;
    t->rules->robot(t->cards, t->state, seat, &text);
    struct slice rest = slice_str(&text);
    while (slice_line(&rest, &line))
        if (roll(8))
            str_addf(out, "%.*s\n", (int)line.len, line.p);
    if (roll(20) == 0)
        str_adds(out, "pause\n");
    str_release(&text);
}

/* Of what can be ordered now any lines, in any order, good or bad for the seat. */
static void form_lines(struct table *t, int seat, struct str *out)
{
    struct arena arena = {0};
    const struct value *form = t->rules->shown.form(t->cards, t->state, seat, &arena);
    for (uint32_t count = roll(10), lines = (uint32_t)value_count(form); count && lines; count--) {
        const struct value *entry = value_first(form);
        for (uint32_t skip = roll(lines); skip; skip--)
            entry = entry->next;
        str_addslice(out, value_get(entry, "line")->text);
        str_addc(out, '\n');
    }
    arena_release(&arena);
}

static void play(struct table *t, struct chance *chance)
{
    struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
    struct script *scripts[SEATS_MAX + 1] = {NULL};
    struct events events;
    for (int seat = 1; seat <= t->seats; seat++) {
        struct str some = STR_INIT;
        if (!(t->rules->awaits(t->state) & SEAT_BIT(seat)) || roll(12) == 0)
            continue;
        (roll(2) ? robot_lines : form_lines)(t, seat, &some);
        orders[seat].script = orders[seat].standing = scripts[seat] =
            script_parse(slice_str(&some), t->rules->language);
        str_release(&some);
    }
    events_init(&events);
    t->rules->play(t->cards, t->state, &(struct resolution){orders, t->turn++, chance, &events});
    events_release(&events);
    for (int seat = 1; seat <= t->seats; seat++)
        script_free(scripts[seat]);
}

/* A random value of the document becomes another one. */
static void distort(json_t *document)
{
    json_t *at = document;
    for (int depth = 0; depth < 8; depth++) {
        json_t *inner = NULL;
        const char *key = NULL;
        size_t index = 0;
        if (json_is_object(at)) {
            void *item = json_object_iter(at);
            for (uint32_t skip = roll((uint32_t)json_object_size(at)); skip > 0; skip--)
                item = json_object_iter_next(at, item);
            key = json_object_iter_key(item);
            inner = json_object_iter_value(item);
        } else if (json_array_size(at)) {
            index = roll((uint32_t)json_array_size(at));
            inner = json_array_get(at, index);
        }
        if (json_is_integer(inner) || json_is_boolean(inner)) {
            static const int odd[] = {0, 1, -1, 2, 3, 7, 50, 255, 65535, 1000000};
            json_t *value = json_is_boolean(inner) ? json_boolean(!json_is_true(inner))
                                                   : json_integer(odd[roll(sizeof odd / sizeof *odd)]);
            if (key)
                json_object_set_new(at, key, value);
            else
                json_array_set_new(at, index, value);
            return;
        }
        at = inner;
    }
}

static void distorted(struct table *t, struct chance *chance, int *refused, int *accepted)
{
    struct err err = ERR_INIT;
    json_t *document = fields_json(t->rules->fields, t->state);
    void *kept = t->state;
    distort(document);
    t->state = mem_alloc(t->rules->state_size);
    memset(t->state, 0, t->rules->state_size);
    if (fields_read(t->rules->fields, t->state, document, 1, &err) ||
        t->rules->check(t->cards, t->state, &err)) {
        ck_assert(err.code != ERR_NONE && err.text[0]);
        ++*refused;
    } else {
        ++*accepted;
        for (int seat = 0; seat <= t->seats; seat++)
            json_decref(view_json(t->rules, t->cards, t->state, seat));
        for (int i = 0; i < 3 && t->rules->awaits(t->state); i++)
            play(t, chance);
    }
    free(t->state);
    t->state = kept;
    json_decref(document);
}

/* The state, and what it may be for all that a seat knows. */
static void pass(const struct table *t, int game, struct chance *chance)
{
    struct err err = ERR_INIT;
    if (t->rules->check(t->cards, t->state, &err))
        ck_abort_msg("%s, game %d, turn %d: %s", t->rules->name, game, t->turn, err.text);
    for (int seat = 0; seat <= t->seats; seat++) {
        void *copy = mem_copy(t->state, t->rules->state_size);
        t->rules->conceal(t->cards, copy, seat, chance);
        if (t->rules->check(t->cards, copy, &err))
            ck_abort_msg("%s, game %d, turn %d, concealed from seat %d: %s", t->rules->name, game, t->turn,
                         seat, err.text);
        free(copy);
    }
}

START_TEST(what_the_rules_make_passes)
{
    const struct ruleset *rules = rulesets[_i];
    int refused = 0, accepted = 0, states = 0;
    const int games = FEW ? 12 : 100;
    if (!rules->check)
        return;
    for (int game = 0; game < games; game++) {
        struct table t;
        struct chance chance;
        char name[40];
        int seats = rules->seats_min + game % (rules->seats_max - rules->seats_min + 1);
        (void)snprintf(name, sizeof name, "check/%d", game);
        chance_seeded(&chance, name, strlen(name));
        open_table(&t, rules, seats, &chance);
        for (int i = 0; i < 150 && rules->awaits(t.state); i++) {
            pass(&t, game, &chance);
            states++;
            if (i % 5 == 0)
                distorted(&t, &chance, &refused, &accepted);
            play(&t, &chance);
        }
        pass(&t, game, &chance);
        close_table(&t);
    }
    printf("%s: %d states; of those that were distorted %d refused, %d accepted\n", rules->name, states,
           refused, accepted);
    ck_assert_int_gt(refused, FEW ? games : 20);
}
END_TEST

/* ---- paths ---- */

static json_t *document(void)
{
    struct err err = ERR_INIT;
    return json_read(
        slice_of("{\"over\":false,\"player\":[{\"metal\":1,\"near\":[{\"card\":4},{\"card\":5}]},"
                 "{\"metal\":2,\"near\":[]}]}"),
        "state", &err);
}

START_TEST(a_path_finds_its_value)
{
    struct err err = ERR_INIT;
    json_t *doc = document();
    ck_assert_int_eq(json_integer_value(field_path_get(doc, slice_of("player[1].metal"), &err)), 2);
    ck_assert_int_eq(json_integer_value(field_path_get(doc, slice_of("player[0].near[1].card"), &err)), 5);
    ck_assert(json_is_false(field_path_get(doc, slice_of("over"), &err)));
    json_t *seven = json_integer(7);
    ck_ok(field_path_set(doc, slice_of("player[0].near[1].card"), seven, &err), err);
    ck_ok(field_path_set(doc, slice_of("over"), seven, &err), err);
    ck_assert_int_eq(json_integer_value(field_path_get(doc, slice_of("player[0].near[1].card"), &err)), 7);
    ck_assert_int_eq(json_integer_value(field_path_get(doc, slice_of("over"), &err)), 7);
    json_decref(seven);
    json_decref(doc);
}
END_TEST

START_TEST(a_path_that_leads_nowhere)
{
    static const struct {
        const char *path, *words;
    } cases_of[] = {
        {"players[1].metal", "did you mean \"player\""},
        {"zzz", "there are: over, player"},
        {"player[2].metal", "the list has 2 elements"},
        {"player.metal", "has no fields"},
        {"over[0]", "is no list"},
        {"player[0]metal", "like player[1].metal"},
        {"player[0].", "like player[1].metal"},
        {"player[x]", "like player[1].metal"},
        {"", "like player[1].metal"},
        {"player[0", "like player[1].metal"},
        {"player[0].metal.x", "has no fields"},
        {".player", "like player[1].metal"},
    };
    json_t *doc = document();
    for (size_t i = 0; i < sizeof cases_of / sizeof *cases_of; i++) {
        struct err err = ERR_INIT;
        if (field_path_get(doc, slice_of(cases_of[i].path), &err) || !strstr(err.text, cases_of[i].words))
            ck_abort_msg("%s: %s", cases_of[i].path, err.text);
        ck_assert_int_eq(err.code, ERR_INPUT);
    }
    json_decref(doc);
}
END_TEST

static void cases(TCase *tc)
{
    int count = 0;
    while (rulesets[count])
        count++;
    tcase_add_loop_test(tc, what_the_rules_make_passes, 0, count);
    tcase_add_test(tc, a_path_finds_its_value);
    tcase_add_test(tc, a_path_that_leads_nowhere);
}
TEST_MAIN("rules/check", cases)
