/* Turns told as stories with evidence, from the recorded games of games/: the words of one turn of each
 * ruleset (tests/golden/explain, GOLDEN_WRITE=1 rewrites them), many turns of all of them, and that nobody is
 * told what is sealed to them. */
#include "history/explain.h"

#include <string.h>

#include "base/encode.h"
#include "base/file.h"
#include "base/json.h"
#include "history/chronicle.h"
#include "scratch.h"
#include "suite.h"
#include "game/game_load.h"

#define RECORDED "games/"

static const struct {
    const char *name;
    int turn; /* whose words are in a golden file */
    int cut;  /* the last record of a copy in which the game still runs: it played a turn */
} table[] = {{"galaxy-command", 7, 41},
             {"galactic-supremacy", 10, 131},
             {"galactic-contract", 9, 40},
             {"galaxy-farmer", 5, 27}};
#define GAMES (sizeof table / sizeof *table)

static const struct reader everybody = {READER_PUBLIC, 0};
static const struct reader moderator = {READER_MODERATOR, 0};
static struct templates *templates;
static char dir[SCRATCH_PATH];

static void begin(void)
{
    scratch_make(dir, "explain");
    templates_open(NULL, &templates);
}

static void end(void)
{
    templates_close(templates);
    scratch_remove(dir);
}

/* ---- files ---- */

static void read_game(const char *name, const char *file, struct str *out)
{
    struct err err = ERR_INIT;
    struct str path = STR_INIT;
    str_addf(&path, RECORDED "%s/%s.jsonl", name, file);
    ck_ok(file_read(path.p, (size_t)1 << 24, out, &err), err);
    str_release(&path);
}

static void write_file(const char *name, const struct str *text)
{
    struct err err = ERR_INIT;
    char *path = path_join(dir, name);
    ck_ok(file_write_soft(path, slice_str(text), 0600, &err), err);
    free(path);
}

/* A copy in which only the first records have been written; `seat` -1: with all that opens its boxes, else with what is this
 * seat's own alone. */
static void cut_game_for(size_t g, int seat)
{
    struct err err = ERR_INIT;
    struct str journal = STR_INIT, opened = STR_INIT;
    struct casefile file;
    struct slice rest, line;
    read_game(table[g].name, "journal", &journal);
    ck_ok(casefile_open_lines(slice_str(&journal), NULL, &file, &err), err);
    for (size_t i = 0; i < file.sealed.count; i++)
        if (file.sealed.list[i].seq <= table[g].cut &&
            (seat < 0 || (seat && file.sealed.list[i].seat == seat)))
            seal_opening_write(&opened, file.id, &file.sealed.list[i]);
    str_addf(&opened, "open %s 9999 0 %064d\n", file.id, 0); /* there is always something */
    casefile_close(&file);
    rest = slice_str(&journal);
    for (int i = 0; i < table[g].cut; i++)
        ck_assert(slice_line(&rest, &line));
    str_cut(&journal, (size_t)(rest.p - journal.p));
    write_file("journal.jsonl", &journal);
    write_file(OPENED_NAME, &opened);
    str_release(&journal);
    str_release(&opened);
}

static void cut_game(size_t g)
{
    cut_game_for(g, -1);
}

static void open_as(const char *path, const struct reader *reader, bool told, struct casefile *file)
{
    struct err err = ERR_INIT;
    ck_ok(casefile_open(path, NULL, file, &err), err);
    casefile_zone(file);
    ck_ok(casefile_choose(file, reader, told, &err), err);
}

static json_t *explain(const char *path, const struct reader *reader, bool told, int turn)
{
    struct err err = ERR_INIT;
    struct casefile file;
    open_as(path, reader, told, &file);
    const struct explain_point at = {false, turn};
    json_t *facts = explain_turn(&file, &(struct explain_for){reader, told}, &at, 0, &err);
    ck_assert_msg(facts != NULL, "%s: %s", path, err.text);
    casefile_close(&file);
    return facts;
}

static void render(json_t *facts, bool html, struct str *out)
{
    struct err err = ERR_INIT;
    const char *folder = json_string_value(json_object_get(facts, "folder"));
    ck_ok(explain_words(facts, templates, folder, html, &err), err);
    ck_ok(templates_render(templates, &(struct template_name){folder, html ? "explain.html" : "explain.txt"},
                           facts, out, &err),
          err);
}

static const char *text_of(const json_t *json, const char *key)
{
    const char *text = json_string_value(json_object_get(json, key));
    return text ? text : "";
}

/* ---- words ---- */

START_TEST(a_turn_in_words)
{
    struct err err = ERR_INIT;
    struct str got = STR_INIT, want = STR_INIT, path = STR_INIT, game = STR_INIT;
    str_addf(&game, RECORDED "%s", table[_i].name);
    str_addf(&path, "tests/golden/explain/%s.txt", table[_i].name);
    json_t *facts = explain(game.p, &everybody, false, table[_i].turn);
    render(facts, false, &got);
    if (getenv("GOLDEN_WRITE"))
        ck_ok(file_write_soft(path.p, slice_str(&got), 0644, &err), err);
    ck_ok(file_read(path.p, (size_t)1 << 20, &want, &err), err);
    ck_assert_str_eq(got.p, want.p);
    json_decref(facts);
    str_release(&got);
    str_release(&want);
    str_release(&path);
    str_release(&game);
}
END_TEST

/* In 72 columns, but for words that are longer: digests and proofs are not. */
static void check_width(const struct str *text)
{
    struct slice rest = slice_str(text);
    struct slice line;
    while (slice_line(&rest, &line))
        ck_assert_msg(line.len <= 72 || slice_find(slice_trim(line), " ") == (size_t)-1, "%.*s",
                      (int)line.len, line.p);
}

/* The page needs nothing but itself. */
static void check_page(const struct str *page)
{
    static const char *const foreign[] = {"<script", " src=", " href=", "@import", "url(", "http", NULL};
    for (int i = 0; foreign[i]; i++)
        ck_assert_msg(!strstr(page->p, foreign[i]), "%s", foreign[i]);
    ck_assert_ptr_nonnull(strstr(page->p, "width=device-width"));
    ck_assert(str_ends(page->p, "</html>\n"));
}

/* The number of a draw is the first of its key's stream that is not too small, and the key is that of R and
 * the label: the formulas of src/journal/README.md. */
static void check_draw(const json_t *draw, const char *root_hex)
{
    static const char prefix[] = "turnpost/draw";
    static const unsigned char nonce[12] = {'L', 'i', 'b', 's', 'o', 'd', 'i', 'u', 'm', 'D', 'R', 'G'};
    unsigned char root[64], key[32], stream[64] = {0};
    struct str input = STR_INIT, hex = STR_INIT;
    const char *label = text_of(draw, "label");
    uint32_t of = (uint32_t)json_integer_value(json_object_get(draw, "of"));
    if (json_is_true(json_object_get(draw, "hidden")))
        return;
    ck_assert(hex_decode(root, sizeof root, slice_of(root_hex)));
    str_add(&input, prefix, sizeof prefix);
    str_adds(&input, label);
    crypto_generichash(key, sizeof key, (const unsigned char *)input.p, input.len, root, 32);
    hex_encode(&hex, key, sizeof key);
    ck_assert_str_eq(hex.p, text_of(draw, "key"));
    crypto_stream_chacha20_ietf_xor(stream, stream, sizeof stream, nonce, key);
    if (json_object_get(draw, "number")) {
        size_t skipped = (size_t)json_integer_value(json_object_get(draw, "skipped"));
        uint32_t number = get_le32(stream + 4 * skipped);
        bool die = json_is_true(json_object_get(draw, "die"));
        ck_assert_int_eq((int64_t)number, json_integer_value(json_object_get(draw, "number")));
        ck_assert_int_eq((int64_t)(number % of + die), json_integer_value(json_object_get(draw, "result")));
    }
    str_release(&input);
    str_release(&hex);
}

/* An event with the line of an order has the order's text and record; what was drawn is explained. */
static void check_event(const json_t *event, const json_t *draws)
{
    const json_t *cause = json_object_get(event, "cause");
    size_t i, k;
    json_t *die, *draw;
    const char *words = text_of(event, "words");
    ck_assert_msg(*words != '(', "%s has no words", text_of(event, "type"));
    /* The reader has no seat. */
    bool quoted = strstr(words, " was told: ") != NULL; /* a refusal, in the words that its player got */
    ck_assert_msg(quoted || (!strstr(words, "You") && !strstr(words, "you ") && !strstr(words, "your ")),
                  "%s", words);
    if (cause)
        ck_assert_msg(*text_of(cause, "text") &&
                          (json_object_get(cause, "record") || json_is_true(json_object_get(cause, "robot"))),
                      "%s", text_of(event, "words"));
    json_array_foreach (json_object_get(event, "dice"), i, die) {
        bool found = false;
        json_array_foreach (draws, k, draw)
            found |= strcmp(text_of(draw, "label"), text_of(die, "label")) == 0 &&
                     json_equal(json_object_get(draw, "result"), json_object_get(die, "value"));
        ck_assert_msg(found, "die %s is not among the draws", text_of(die, "label"));
    }
}

START_TEST(turns_are_told)
{
    struct str game = STR_INIT;
    int causes = 0, dice = 0;
    str_addf(&game, RECORDED "%s", table[_i].name);
    json_t *last = explain(game.p, &everybody, false, EXPLAIN_LAST);
    int turns = (int)json_integer_value(json_object_get(last, "turn"));
    json_decref(last);
    int step = FEW ? turns / 3 + 1 : 1; /* each replays the game up to it */
    for (int turn = 0; turn <= turns; turn += step) {
        struct str text = STR_INIT, page = STR_INIT;
        size_t i;
        json_t *item;
        json_t *facts = explain(game.p, &everybody, false, turn);
        const json_t *draws = json_object_get(facts, "draws");
        render(facts, false, &text);
        check_width(&text);
        render(facts, true, &page);
        check_page(&page);
        ck_assert(json_array_size(json_object_get(facts, "story")) > 0);
        json_array_foreach (json_object_get(facts, "story"), i, item) {
            check_event(item, draws);
            causes += json_object_get(item, "cause") != NULL;
        }
        json_array_foreach (draws, i, item) {
            check_draw(item, text_of(json_object_get(facts, "proof"), "root"));
            dice++;
        }
        json_decref(facts);
        str_release(&text);
        str_release(&page);
    }
    ck_assert_int_gt(causes, 0);
    ck_assert_int_gt(dice, 0);
    str_release(&game);
}
END_TEST

/* What one seat alone was told is told to all when the seals are open, and by its name. */
START_TEST(secrets_are_told_when_the_seals_are_open)
{
    static const char *const players[] = {"alice", "bob", "carol"};
    int told = 0;
    for (int turn = 1; turn <= 12; turn++) {
        struct str text = STR_INIT;
        json_t *facts = explain(RECORDED "galactic-supremacy", &everybody, false, turn);
        render(facts, false, &text);
        for (size_t i = 0; i < sizeof players / sizeof *players; i++) {
            char own[60], others[60];
            (void)snprintf(own, sizeof own, "[To %s:] %s draws a ", players[i], players[i]);
            (void)snprintf(others, sizeof others, "and observers:] %s draws a card", players[i]);
            const char *kind = strstr(text.p, own);
            told += kind && !str_starts(kind + strlen(own), "card ") && strstr(text.p, others);
        }
        json_decref(facts);
        str_release(&text);
    }
    ck_assert_int_gt(told, 2);
}
END_TEST

/* ---- what changed ---- */

/* Is that the path, '#' standing for a digit? */
static bool is_path(const char *got, const char *path)
{
    while (*got && (*got == *path || (*path == '#' && *got >= '0' && *got <= '9'))) {
        got++;
        path++;
    }
    return *got == *path;
}

/* The path of the first change like that, or NULL. */
static const char *change_like(const json_t *item, const char *path)
{
    size_t i;
    json_t *change;
    json_array_foreach (json_object_get(item, "changes"), i, change)
        if (is_path(text_of(change, "path"), path))
            return text_of(change, "path");
    return NULL;
}

static bool has_change(const json_t *item, const char *path)
{
    return change_like(item, path) != NULL;
}

/* What an event changed is shown below it, and below no other: also what the rules change only after they
 * have told the event, what lines change without one, and what happens at the end of a turn. */
static const struct {
    size_t game;
    const char *type; /* of an event, or the beginning of a line; "rest" */
    const char *path; /* '#' is a digit */
} below[] = {
    {0, "strike", "player[#].strike"},
    {0, "rest", "used[#]"},
    {1, "conquered", "player[#].sector[#]"},
    {1, "conquered", "player[#].hand[#]"},
    {1, "turn_opens", "round"},
    {1, "destroyed", "player[#].fleet[#]"},
    {2, "keep", "player[#].keep[#]"},
    {2, "rest", "active"},
    {3, "rest", "open[#].timer"},
    {3, "rest", "turn"},
};

/* How many events, lines and rests have this change, and *right: the wanted one has it. */
static int count_change(const json_t *facts, const char *type, const char *path, bool *right)
{
    int found = has_change(json_object_get(facts, "rest"), path);
    size_t i, k;
    json_t *item, *line;
    *right = found && strcmp(type, "rest") == 0;
    json_array_foreach (json_object_get(facts, "story"), i, item) {
        found += has_change(item, path);
        *right |= has_change(item, path) && strcmp(text_of(item, "type"), type) == 0;
    }
    json_array_foreach (json_object_get(json_object_get(facts, "given"), "seats"), i, item)
        json_array_foreach (json_object_get(item, "lines"), k, line) {
            found += has_change(line, path);
            *right |= has_change(line, path) && str_starts(text_of(line, "text"), type);
        }
    return found;
}

/* The path of a change like that below something of this type in the turn, or NULL. */
static const char *find_below(const json_t *facts, const char *type, const char *path)
{
    const char *found = strcmp(type, "rest") == 0 ? change_like(json_object_get(facts, "rest"), path) : NULL;
    size_t i, k;
    json_t *item, *line;
    json_array_foreach (json_object_get(facts, "story"), i, item)
        if (!found && strcmp(text_of(item, "type"), type) == 0)
            found = change_like(item, path);
    json_array_foreach (json_object_get(json_object_get(facts, "given"), "seats"), i, item)
        json_array_foreach (json_object_get(item, "lines"), k, line)
            if (!found && str_starts(text_of(line, "text"), type))
                found = change_like(line, path);
    return found;
}

/* There is a turn in which such a change stands there, and nowhere else: games are recorded anew, and nobody knows what
 * happens in them. */
START_TEST(changes_stand_below_what_made_them)
{
    struct str game = STR_INIT;
    bool right = false;
    str_addf(&game, RECORDED "%s", table[below[_i].game].name);
    for (int turn = 1; !right; turn++) { /* there is an end: no facts of a turn that was not played */
        json_t *facts = explain(game.p, &everybody, false, turn);
        const char *path = find_below(facts, below[_i].type, below[_i].path);
        right = path && count_change(facts, below[_i].type, path, &right) == 1;
        json_decref(facts);
    }
    str_release(&game);
}
END_TEST

/* Adds up what whole numbers have changed by, as {path: sum}. */
static void add_changes(json_t *sums, const json_t *changes, int sign)
{
    size_t i;
    json_t *change;
    json_array_foreach (changes, i, change) {
        const json_t *before = json_object_get(change, "before"), *after = json_object_get(change, "after");
        const char *path = text_of(change, "path");
        if (!json_is_integer(before) || !json_is_integer(after))
            continue;
        json_int_t sum = json_integer_value(json_object_get(sums, path)) +
                         sign * (json_integer_value(after) - json_integer_value(before));
        json_object_set_new(sums, path, json_integer(sum));
    }
}

static void check_sums(const json_t *facts, const char *name, int turn)
{
    json_t *sums = json_object();
    size_t i, k;
    json_t *item, *line, *sum;
    const char *path;
    json_array_foreach (json_object_get(facts, "story"), i, item)
        add_changes(sums, json_object_get(item, "changes"), 1);
    json_array_foreach (json_object_get(json_object_get(facts, "given"), "seats"), i, item)
        json_array_foreach (json_object_get(item, "lines"), k, line)
            add_changes(sums, json_object_get(line, "changes"), 1);
    add_changes(sums, json_object_get(json_object_get(facts, "rest"), "changes"), 1);
    add_changes(sums, json_object_get(facts, "difference"), -1);
    json_object_foreach (sums, path, sum)
        ck_assert_msg(json_integer_value(sum) == 0 || strchr(path, '['), "%s, turn %d: %s is off by %lld",
                      name, turn, path, (long long)json_integer_value(sum));
    json_decref(sums);
}

/* None is lost, and none told twice. */
START_TEST(all_changes_are_told_once)
{
    struct str game = STR_INIT;
    str_addf(&game, RECORDED "%s", table[_i].name);
    for (int turn = FEW ? 1 + _i : 1; turn <= 12; turn += FEW ? 5 : 1) {
        json_t *facts = explain(game.p, &everybody, false, turn);
        check_sums(facts, table[_i].name, turn);
        json_decref(facts);
    }
    str_release(&game);
}
END_TEST

/* Players read N5 and alice, not near[4] and player[0]; the words shown are not those of programs. */
static int check_spelled(const json_t *changes)
{
    size_t i;
    int told = 0;
    json_t *change;
    json_array_foreach (changes, i, change) {
        const char *place = text_of(change, "place");
        if (!json_is_true(json_object_get(change, "spelled")))
            continue;
        told++;
        ck_assert_msg(*place && !strpbrk(place, "[]._"), "%s", place);
        ck_assert_msg(!strpbrk(text_of(change, "was"), "[]{}_") && *text_of(change, "was"), "%s: %s", place,
                      text_of(change, "was"));
        ck_assert_msg(!strpbrk(text_of(change, "is"), "[]{}_") && *text_of(change, "is"), "%s: %s", place,
                      text_of(change, "is"));
    }
    return told;
}

START_TEST(places_are_those_of_players)
{
    struct str game = STR_INIT;
    str_addf(&game, RECORDED "%s", table[_i].name);
    for (int turn = FEW ? _i : 0; turn <= 12; turn += FEW ? 6 : 1) {
        json_t *facts = explain(game.p, &everybody, false, turn);
        ck_assert_int_gt(check_spelled(json_object_get(facts, "difference")), 0);
        json_decref(facts);
    }
    str_release(&game);
}
END_TEST

/* The first turn of a recorded game whose story has an event of that type; which one it is. */
static json_t *turn_with(const char *game, const char *type, int *turn, size_t *at)
{
    json_t *item;
    size_t i;
    for (*turn = 1;; (*turn)++) {
        json_t *facts = explain(game, &everybody, false, *turn);
        json_array_foreach (json_object_get(facts, "story"), i, item)
            if (strcmp(text_of(item, "type"), type) == 0) {
                *at = i;
                return facts;
            }
        json_decref(facts);
    }
}

/* A WHEN line answers in the midst of somebody else's: whose line it was is what the rules carried out. */
START_TEST(answers_come_from_their_own_lines)
{
    int turn;
    size_t at;
    json_t *facts = turn_with(RECORDED "galactic-supremacy", "answer_refused", &turn, &at);
    const json_t *answer = json_array_get(json_object_get(facts, "story"), at);
    const json_t *cause = json_object_get(answer, "cause");
    ck_assert_str_eq(text_of(cause, "text"), "when attacked at home play peace");
    ck_assert_int_ne(json_integer_value(json_object_get(cause, "seat")), 0);
    ck_assert(json_is_true(json_object_get(cause, "standing")));
    ck_assert_int_gt(json_integer_value(json_object_get(cause, "record")), 0);
    ck_assert_ptr_null(json_object_get(cause, "line"));
    json_decref(facts);
}
END_TEST

/* A phone's first screen has no digits that nobody reads; the whole digest is at the end. */
START_TEST(long_digits_stand_at_the_end)
{
    struct str text = STR_INIT;
    json_t *facts = explain(RECORDED "galaxy-command", &everybody, false, 7);
    render(facts, false, &text);
    const json_t *first = json_array_get(json_object_get(facts, "story"), 0);
    const char *digest = text_of(json_object_get(first, "cause"), "mail");
    char short_one[64];
    (void)snprintf(short_one, sizeof short_one, "mail %.16s (whole below)", digest);
    const char *happened = strstr(text.p, "WHAT HAPPENED");
    const char *mail = strstr(text.p, digest);
    const char *head = strstr(text.p, short_one);
    ck_assert(happened && mail && head && head < happened && happened < mail);
    json_decref(facts);
    str_release(&text);
}
END_TEST

START_TEST(one_event_alone)
{
    struct err err = ERR_INIT;
    struct casefile file;
    int turn;
    size_t at;
    json_t *facts = turn_with(RECORDED "galaxy-command", "attack_won", &turn, &at);
    size_t events = json_array_size(json_object_get(facts, "story"));
    const json_t *die =
        json_array_get(json_object_get(json_array_get(json_object_get(facts, "story"), at), "dice"), 0);
    open_as(RECORDED "galaxy-command", &everybody, false, &file);
    const struct explain_point fight = {false, turn}, none = {false, 14};
    json_t *alone = explain_turn(&file, &(struct explain_for){&everybody, false}, &fight, (int)at + 1, &err);
    ck_assert_msg(alone != NULL, "%s", err.text);
    ck_assert_uint_eq(json_array_size(json_object_get(alone, "story")), 1);
    ck_assert_uint_eq(json_array_size(json_object_get(alone, "draws")), 1);
    ck_assert_str_eq(text_of(json_array_get(json_object_get(alone, "draws"), 0), "label"),
                     text_of(die, "label"));
    json_decref(alone);
    json_decref(facts);
    ck_assert_ptr_null(
        explain_turn(&file, &(struct explain_for){&everybody, false}, &fight, (int)events + 1, &err));
    ck_assert_int_eq(err.code, ERR_INPUT);
    err_clear(&err);
    ck_assert_ptr_null(explain_turn(&file, &(struct explain_for){&everybody, false}, &none, 0, &err));
    ck_assert_ptr_nonnull(strstr(err.text, "the last one is 13"));
    casefile_close(&file);
}
END_TEST

/* ---- what is sealed ---- */

/* Everything that is shown to a reader, as bytes. */
static void all_told(const struct reader *reader, int turn, struct str *out)
{
    struct err err = ERR_INIT;
    struct casefile file;
    struct chronicle chronicle;
    struct record record;
    struct explain_point from = {false, turn - 1}, to = {false, turn};
    int got;
    json_t *facts = explain(dir, reader, false, turn);
    json_write(out, facts);
    json_decref(facts);
    open_as(dir, reader, false, &file);
    facts = explain_difference(&file, &(struct explain_for){reader, false}, &from, &to, &err);
    ck_assert_ptr_null(facts);
    str_adds(out, err.text);
    err_clear(&err);
    chronicle_init(&chronicle, &file, reader);
    while ((got = casefile_next(&file, &record, NULL, &err)) > 0) {
        facts = chronicle_take(&chronicle, &record);
        json_write(out, facts);
        json_decref(facts);
        record_release(&record);
    }
    ck_assert_msg(got == 0, "%s", err.text);
    casefile_close(&file);
}

START_TEST(what_is_sealed_changes_nothing)
{
    struct casefile file;
    cut_game((size_t)_i);
    open_as(dir, &moderator, false, &file);
    int seats = file.seats;
    casefile_close(&file);
    json_t *facts = explain(dir, &moderator, false, EXPLAIN_LAST);
    int turn = (int)json_integer_value(json_object_get(facts, "turn"));
    ck_assert(!json_is_true(json_object_get(facts, "blind")));
    json_decref(facts);
    for (int seat = 0; seat <= seats; seat += FEW ? 2 : 1) {
        struct reader reader = {seat ? READER_SEAT : READER_PUBLIC, seat};
        struct str before = STR_INIT;
        cut_game((size_t)_i);
        all_told(&reader, turn, &before);
        struct str after = STR_INIT;
        cut_game_for((size_t)_i, seat);
        all_told(&reader, turn, &after);
        ck_assert_str_eq(before.p, after.p);
        str_release(&after);
        str_release(&before);
    }
}
END_TEST

/* Without a key the story cannot be told, and that is said. */
START_TEST(without_a_key_there_is_no_story)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    struct casefile file;
    cut_game(0);
    char *path = path_join(dir, OPENED_NAME);
    ck_ok(file_remove(path, &err), err);
    json_t *facts = explain(dir, &everybody, false, EXPLAIN_LAST);
    ck_assert(json_is_true(json_object_get(facts, "blind")));
    ck_assert_ptr_null(json_object_get(facts, "story"));
    render(facts, false, &text);
    ck_assert_ptr_nonnull(strstr(text.p, "it is sealed until the game"));
    ck_assert_ptr_nonnull(strstr(text.p, "carol (seat 3) sends orders for turn 7; they are sealed."));
    json_decref(facts);
    ck_ok(casefile_open(dir, NULL, &file, &err), err);
    ck_assert_int_ne(casefile_choose(&file, &moderator, false, &err), 0);
    ck_assert_int_eq(err.code, ERR_INPUT);
    err_clear(&err);
    ck_assert_int_ne(casefile_choose(&file, &everybody, true, &err), 0);
    casefile_close(&file);
    free(path);
    str_release(&text);
}
END_TEST

static bool is_fate(const char *type)
{
    return strcmp(type, "done") == 0 || strcmp(type, "failed") == 0 || strcmp(type, "refused") == 0 ||
           strcmp(type, "skipped") == 0;
}

/* The events of the last turn as the game has them. */
static json_t *events_of_cut(size_t g)
{
    struct err err = ERR_INIT;
    struct casefile file;
    struct game game;
    struct store *store = store_open(RECORDED);
    ck_ok(game_load_until(store, table[g].name, table[g].cut, &game, &err), err);
    json_t *events = json_deep_copy(game.told.events);
    /* A game of a league is opened by the same door. */
    ck_ok(casefile_open_game(store, table[g].name, &file, &err), err);
    ck_assert_int_eq(file.seats, game.seats);
    casefile_close(&file);
    game_release(&game);
    store_close(store);
    return events;
}

/* With --told: the events of the reader's report and no others; their dice and no others; their orders and no
 * others. */
static void check_told(const json_t *facts, const struct reader *reader, const json_t *events)
{
    size_t i, at = 0;
    json_t *event, *item;
    const json_t *story = json_object_get(facts, "story");
    json_array_foreach (events, i, event) {
        uint32_t visible = (uint32_t)json_integer_value(json_object_get(event, "visible"));
        if (is_fate(text_of(event, "type")) || !(visible & SEAT_BIT(reader->seat)))
            continue;
        item = json_array_get(story, at++);
        ck_assert_str_eq(text_of(item, "type"), text_of(event, "type"));
        const json_t *cause = json_object_get(item, "cause");
        ck_assert(!cause || json_integer_value(json_object_get(cause, "seat")) == reader->seat);
        const json_t *news = json_object_get(json_object_get(item, "news"), text_of(item, "type"));
        ck_assert(cause || !json_object_get(news, "line"));
        ck_assert_ptr_null(json_object_get(news, "visible"));
        ck_assert_ptr_null(json_object_get(item, "to"));
        ck_assert_ptr_null(json_object_get(item, "changes"));
    }
    ck_assert_uint_eq(at, json_array_size(story));
    ck_assert_ptr_null(json_object_get(facts, "rest"));
    json_array_foreach (json_object_get(facts, "draws"), i, item)
        ck_assert_int_gt(json_integer_value(json_object_get(item, "event")), 0);
    json_array_foreach (json_object_get(json_object_get(facts, "given"), "seats"), i, item) {
        if (json_integer_value(json_object_get(item, "seat")) == reader->seat)
            continue;
        ck_assert_ptr_null(json_object_get(item, "lines"));
        ck_assert_ptr_null(json_object_get(item, "standing"));
        ck_assert_str_eq(text_of(json_object_get(item, "sent"), "key"), "");
    }
}

START_TEST(told_is_what_the_report_told)
{
    cut_game((size_t)_i);
    json_t *events = events_of_cut((size_t)_i);
    json_t *all = explain(dir, &moderator, false, EXPLAIN_LAST);
    size_t seats = json_array_size(json_object_get(all, "seats"));
    for (int seat = 0; seat <= (int)seats; seat += FEW && seats > 1 ? 2 : 1) {
        struct reader reader = {seat ? READER_SEAT : READER_PUBLIC, seat};
        struct str text = STR_INIT;
        json_t *facts = explain(dir, &reader, true, EXPLAIN_LAST);
        check_told(facts, &reader, events);
        render(facts, false, &text);
        check_width(&text);
        json_decref(facts);
        str_release(&text);
    }
    json_decref(all);
    json_decref(events);
}
END_TEST

/* ---- differences ---- */

START_TEST(states_are_compared)
{
    struct err err = ERR_INIT;
    struct casefile file;
    struct explain_point turn8, turn9, record, none;
    ck_ok(explain_point_read("8", &turn8, &err), err);
    ck_ok(explain_point_read("9", &turn9, &err), err);
    ck_ok(explain_point_read("r29", &record, &err), err);
    ck_assert_int_ne(explain_point_read("r0", &none, &err), 0);
    err_clear(&err);
    ck_assert_int_ne(explain_point_read("next", &none, &err), 0);
    err_clear(&err);
    open_as(RECORDED "galactic-contract", &everybody, false, &file);
    json_t *facts = explain_difference(&file, &(struct explain_for){&everybody, false}, &turn8, &turn9, &err);
    json_t *same = explain_difference(&file, &(struct explain_for){&everybody, false}, &record, &turn9, &err);
    json_t *back = explain_difference(&file, &(struct explain_for){&everybody, false}, &turn9, &turn8, &err);
    ck_assert_msg(facts && same && back, "%s", err.text);
    const json_t *first = json_array_get(json_object_get(facts, "difference"), 0);
    ck_assert_str_eq(text_of(first, "path"), "active");
    ck_assert_int_eq(json_integer_value(json_object_get(first, "before")), 2);
    ck_assert_int_eq(json_integer_value(json_object_get(first, "after")), 3);
    ck_assert_uint_eq(json_array_size(json_object_get(same, "difference")), 0);
    ck_assert_uint_eq(json_array_size(json_object_get(back, "difference")),
                      json_array_size(json_object_get(facts, "difference")));
    json_decref(facts);
    json_decref(same);
    json_decref(back);
    casefile_close(&file);
}
END_TEST

START_TEST(a_broken_journal_is_refused)
{
    struct err err = ERR_INIT;
    struct casefile file;
    struct str journal = STR_INIT;
    cut_game(0);
    read_game(table[0].name, "journal", &journal);
    char *at = strstr(journal.p, "\"seq\":7");
    ck_assert_ptr_nonnull(at);
    char *mail = strstr(at, "\"mail\":\"");
    mail[8] = mail[8] == '0' ? '1' : '0';
    write_file("journal.jsonl", &journal);
    open_as(dir, &moderator, false, &file);
    const struct explain_point third = {false, 3};
    ck_assert_ptr_null(explain_turn(&file, &(struct explain_for){&moderator, false}, &third, 0, &err));
    ck_assert_int_eq(err.code, ERR_BROKEN);
    ck_assert_ptr_nonnull(strstr(err.text, "record 8"));
    casefile_close(&file);
    str_release(&journal);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_loop_test(tc, a_turn_in_words, 0, GAMES);
    tcase_add_loop_test(tc, turns_are_told, 0, GAMES);
    tcase_add_test(tc, secrets_are_told_when_the_seals_are_open);
    tcase_add_loop_test(tc, changes_stand_below_what_made_them, 0, sizeof below / sizeof *below);
    tcase_add_loop_test(tc, all_changes_are_told_once, 0, GAMES);
    tcase_add_loop_test(tc, places_are_those_of_players, 0, GAMES);
    tcase_add_test(tc, answers_come_from_their_own_lines);
    tcase_add_test(tc, long_digits_stand_at_the_end);
    tcase_add_test(tc, one_event_alone);
    tcase_add_loop_test(tc, what_is_sealed_changes_nothing, 0, GAMES);
    tcase_add_test(tc, without_a_key_there_is_no_story);
    tcase_add_loop_test(tc, told_is_what_the_report_told, 0, GAMES);
    tcase_add_test(tc, states_are_compared);
    tcase_add_test(tc, a_broken_journal_is_refused);
}
TEST_MAIN("history/explain", cases)
