/* The recorded games of games/: each replays from its files alone, record by record, to the states and draws
 * of old. */
#include "scratch.h"

#include <string.h>

#include "game/game.h"
#include "game/game_load.h"

#define RECORDED "games"

static struct store *store;
static struct file_names names;

static void begin(void)
{
    struct err err = ERR_INIT;
    store = store_open(RECORDED);
    ck_ok(store_games(store, &names, &err), err);
}

static void end(void)
{
    file_names_free(&names);
    store_close(store);
}

/* A recorded game for each ruleset. */
static void expect_all(const bool *rules)
{
    for (int i = 0; rulesets[i]; i++)
        ck_assert_msg(rules[i], "no game of %s", rulesets[i]->name);
}

/* Long games of a ruleset: `make test` leaves them to the audit (audit/audit.c), which plays all of them again. What they are of
 * counts as shown. */
static bool is_left_out(const char *name, bool *rules)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    struct slice rest, line;
    bool out = false;
    ck_ok(store_read(store, name, STORE_BEGIN, &lines, &err), err);
    rest = slice_str(&lines);
    if (FEW && lines.len > 150000 && slice_line(&rest, &line)) {
        json_t *create = json_read(line, name, &err);
        ck_assert_msg(create != NULL, "%s", err.text);
        const char *ruleset = json_string_value(json_object_get(create, "ruleset"));
        int version = (int)json_integer_value(json_object_get(create, "version"));
        for (int r = 0; rulesets[r]; r++)
            rules[r] |= rulesets[r] == ruleset_find(ruleset, version);
        json_decref(create);
        out = true;
    }
    str_release(&lines);
    return out;
}

START_TEST(they_replay)
{
    int played = 0;
    bool rules[64] = {false};
    for (size_t i = 0; i < names.count; i++) {
        struct err err = ERR_INIT;
        struct game game;
        if (!store_has(store, names.name[i]))
            continue;
        if (is_left_out(names.name[i], rules))
            continue;
        ck_ok(game_load(store, names.name[i], NULL, &game, &err), err);
        ck_assert_msg(game.over, "%s is not over", game.id);
        ck_assert_int_gt(game.turn, 1);
        played++;
        for (int r = 0; rulesets[r]; r++)
            rules[r] |= rulesets[r] == game.ruleset;
        game_release(&game);
    }
    ck_assert_int_gt(played, 0);
    expect_all(rules);
}
END_TEST

/* A changed byte anywhere in a record is found. */
START_TEST(a_changed_byte_is_found)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    char dir[SCRATCH_PATH];
    scratch_make(dir, "replay");
    struct store *copy = store_open(dir);
    ck_ok(store_read(store, "galaxy-command", STORE_BEGIN, &lines, &err), err);
    struct store_append part = {"galaxy-command", {0, 0}, slice_str(&lines)};
    ck_ok(store_append(copy, &part, &err), err);
    char *path = path_join(dir, "galaxy-command/journal.jsonl");
    for (size_t at = 5; at < lines.len; at += lines.len / (FEW ? 13 : 40)) {
        struct game game;
        char was = lines.p[at];
        if (was == '\n')
            continue;
        lines.p[at] = (char)(was == '7' ? '8' : was == 'a' ? 'b' : '7');
        ck_ok(file_write_soft(path, slice_str(&lines), 0600, &err), err);
        ck_assert_msg(game_load(copy, "galaxy-command", NULL, &game, &err) != 0, "byte %zu", at);
        ck_assert_int_ne(err.code, ERR_NONE);
        err_clear(&err);
        lines.p[at] = was;
    }
    scratch_remove(dir);
    free(path);
    str_release(&lines);
    store_close(copy);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, they_replay);
    tcase_add_test(tc, a_changed_byte_is_found);
}
TEST_MAIN("game/replay", cases)
