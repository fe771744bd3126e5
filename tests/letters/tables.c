/* Tables of all rulesets keep their columns within 72 characters, whatever is in them: as games are played, and with
 * every flag set, every number and every name longer than games make them. */
#include "base/utf8.h"
#include "game/view.h"
#include "house/table.h"
#include "report/render.h"
#include "report/textfmt.h"
#include "rules/ruleset.h"

#define WIDTH 72
#define TURNS 40

static struct table t;
static struct templates *templates;
static int tables_seen;

static const struct {
    const char *ruleset, *seats;
} games[] = {{"galaxy-command", "arrr"},
             {"galactic-supremacy", "arrr"},
             {"galactic-contract", "arrr"},
             {"galaxy-farmer", "a"}};
#define GAMES (sizeof games / sizeof *games)

static void open_table(void)
{
    table_open(&t);
    templates_open(NULL, &templates);
}

static void close_table(void)
{
    templates_close(templates);
    table_close(&t);
}

/* ---- looking at a table ---- */

/* Columns of a table that have something in them. */
static size_t columns_of(struct slice rows)
{
    bool used[64] = {false};
    struct slice line;
    size_t count = 0;
    while (slice_line(&rows, &line)) {
        size_t column = 0;
        for (size_t i = slice_starts(line, "=") ? 2 : 1; i < line.len; i++)
            if (line.p[i] == '\t')
                column++;
            else if (line.p[i] != ' ' && column < 64)
                used[column] = true;
    }
    for (size_t i = 0; i < 64; i++)
        count += used[i];
    return count;
}

/* Gaps of at least two columns that all lines have. */
static size_t gaps_of(struct slice lines)
{
    bool inked[WIDTH + 1] = {false};
    size_t gaps = 0, blank = 0;
    bool begun = false;
    struct slice line;
    while (slice_line(&lines, &line)) {
        size_t at = 0, len;
        for (size_t i = 0; i < line.len && at < WIDTH; i += len) {
            (void)utf8_next(slice_sub(line, i, line.len), &len);
            inked[at] = inked[at] || line.p[i] != ' ';
            at += utf8_width(slice_sub(line, i, len));
        }
    }
    for (size_t at = 0; at < WIDTH; at++) {
        gaps += begun && inked[at] && blank >= 2;
        blank = inked[at] ? 0 : blank + 1;
        begun = begun || inked[at];
    }
    return gaps;
}

static void look_at(const char *what, struct slice rows)
{
    struct str out = STR_INIT;
    struct slice rest, line;
    textfmt(&out, rows, WIDTH);
    rest = slice_str(&out);
    while (slice_line(&rest, &line))
        ck_assert_msg(utf8_width(line) <= WIDTH, "%s: too wide:\n%s", what, out.p);
    size_t columns = columns_of(rows);
    ck_assert_msg(columns == 0 || gaps_of(slice_str(&out)) + 1 >= columns, "%s: %zu columns are broken:\n%s",
                  what, columns, out.p);
    tables_seen++;
    str_release(&out);
}

static void look_at_tables(const char *what, struct slice raw)
{
    struct str rows = STR_INIT;
    struct slice line;
    bool more = true;
    while (more) {
        more = slice_line(&raw, &line);
        const bool heads = more && slice_starts(line, "=\t");
        if (rows.len && heads) {
            look_at(what, slice_str(&rows));
            str_clear(&rows);
        }
        if (more && (heads || slice_starts(line, "\t"))) {
            str_addslice(&rows, line);
            str_addc(&rows, '\n');
        } else if (rows.len) {
            look_at(what, slice_str(&rows));
            str_clear(&rows);
        }
    }
    str_release(&rows);
}

/* ---- what is in them ---- */

static void swell(json_t *json);

static void swell_member(json_t *json, json_t **out)
{
    *out = NULL;
    if (json_is_false(json))
        *out = json_true();
    else if (json_is_integer(json))
        *out = json_integer(7 + 11 * json_integer_value(json));
    else if (json_is_string(json))
        *out = json_sprintf("Old %.40s the Third", json_string_value(json));
    else
        swell(json);
}

/* NOLINTNEXTLINE(misc-no-recursion): views are shallow */
static void swell(json_t *json)
{
    const char *key;
    size_t i;
    json_t *item, *other;
    void *next;
    json_array_foreach (json, i, item) {
        swell_member(item, &other);
        if (other)
            json_array_set_new(json, i, other);
    }
    json_object_foreach_safe (json, next, key, item) {
        swell_member(item, &other);
        if (other)
            json_object_set_new(json, key, other);
    }
}

static void render(json_t *facts, bool swollen)
{
    struct err err = ERR_INIT;
    struct str raw = STR_INIT;
    char what[64];
    (void)snprintf(what, sizeof what, "%s, turn %d%s", t.game.ruleset->name, t.game.turn,
                   swollen ? ", swollen" : "");
    ck_ok(templates_piece(templates, &(struct template_name){t.game.ruleset->folder, "board.txt"}, facts,
                          &raw, &err),
          err);
    look_at_tables(what, slice_str(&raw));
    str_release(&raw);
}

static void look_at_board(int seat)
{
    struct view *view = view_of(&t.game, seat);
    json_t *told = value_json(view_tell(view, &t.game, seat, NULL));
    json_t *facts = json_object_get(told, "view"); /* as {{#view}} has it */
    render(facts, false);
    swell(facts);
    render(facts, true);
    json_decref(told);
    view_drop(view);
}

static void look_at_a_game(const char *ruleset, const char *seats)
{
    table_new_of(&t, ruleset_newest(ruleset), seats, 0);
    for (int turn = 0; turn < TURNS && !t.game.over; turn++) {
        struct str lines = STR_INIT;
        char fields[32];
        for (int seat = 0; seat <= t.game.seats; seat++)
            look_at_board(seat);
        t.game.ruleset->robot(t.game.cards, t.game.state, 1, &lines);
        (void)snprintf(fields, sizeof fields, "turn: %d\n", t.game.turn);
        if (!lines.len)
            str_adds(&lines, "pass\n");
        ck_assert_int_eq(table_send(&t, 1, fields, lines.p, NOON + turn, NULL), ORDERS_TAKEN);
        str_release(&lines);
    }
}

/* Some games are short. */
START_TEST(tables_keep_their_columns)
{
    tables_seen = 0;
    look_at_a_game(games[_i].ruleset, games[_i].seats);
    for (int more = 0; more < 2 && tables_seen <= 100; more++) {
        table_close(&t);
        table_open(&t);
        look_at_a_game(games[_i].ruleset, games[_i].seats);
    }
    ck_assert_int_gt(tables_seen, 100);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, open_table, close_table);
    tcase_add_loop_test(tc, tables_keep_their_columns, 0, (int)GAMES);
}

TEST_MAIN("letters/tables", cases)
