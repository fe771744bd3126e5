/* The pictures of chosen situations: before their words are drawn they are as in tests/golden/board (which is readable,
 * and depends on no font); drawn, they are well-formed, made of harmless elements alone, and no larger than
 * PICTURE_MOST. GOLDEN_WRITE=1 writes the files anew; GALLERY=FOLDER also writes the drawn pictures there (make
 * gallery). */
#include "base/file.h"
#include "base/json.h"
#include "board/board.h"
#include "board/drawn.h"
#include "board/panels.h"
#include "play/random_game.h"
#include "suite.h"

static const struct situation {
    const char *name, *ruleset;
    int seats, number, plays; /* of a random game; plays: -1 = to its end */
    int own;                  /* as a mail to this seat shows it; 0: as everybody sees it */
} situations[] = {
    {"start-1", "galaxy-command", 1, 1, 0, 0},       {"middle-1", "galaxy-command", 1, 1, 7, 0},
    {"middle-2", "galaxy-command", 2, 2, 6, 0},      {"middle-3", "galaxy-command", 3, 3, 9, 0},
    {"middle-4", "galaxy-command", 4, 4, 8, 0},      {"end-4", "galaxy-command", 4, 5, -1, 0},
    {"lost-4", "galaxy-command", 4, 2, 8, 0},        {"own-4", "galaxy-command", 4, 4, 8, 2},
    {"start-2", "galactic-supremacy", 2, 1, 0, 0},   {"middle-2", "galactic-supremacy", 2, 2, 16, 0},
    {"end-2", "galactic-supremacy", 2, 2, -1, 0},    {"middle-3", "galactic-supremacy", 3, 3, 30, 0},
    {"attack-4", "galactic-supremacy", 4, 4, 40, 0}, {"start-6", "galactic-supremacy", 6, 6, 0, 0},
    {"middle-6", "galactic-supremacy", 6, 6, 90, 0}, {"end-6", "galactic-supremacy", 6, 7, -1, 0},
    {"start-1", "galactic-contract", 1, 1, 0, 0},    {"middle-2", "galactic-contract", 2, 2, 15, 0},
    {"start-4", "galactic-contract", 4, 4, 0, 0},    {"trade-4", "galactic-contract", 4, 4, 30, 0},
    {"end-4", "galactic-contract", 4, 5, -1, 0},     {"start", "galaxy-farmer", 1, 1, 0, 0},
    {"middle", "galaxy-farmer", 1, 2, 6, 0},         {"enemy", "galaxy-farmer", 1, 3, 9, 0},
    {"end", "galaxy-farmer", 1, 4, -1, 0},
};
#define SITUATIONS ((int)(sizeof situations / sizeof *situations))
#define PLAYS_MOST 2000

static const char *const people[] = {"", "alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi"};

/* The game of a situation; *before, which the caller frees, is its state before the last turn. */
static void arrange(const struct situation *situation, struct game *game, void **before)
{
    const struct ruleset *ruleset = ruleset_newest(situation->ruleset);
    const int plays = situation->plays < 0 ? PLAYS_MOST : situation->plays;
    random_start(game, ruleset, situation->seats, situation->number);
    for (int seat = 1; seat <= situation->seats; seat++)
        (void)snprintf(game->seat[seat].player, PLAYER_NAME, "%s", people[seat]);
    *before = NULL;
    for (int i = 0; i < plays && !game->over; i++) {
        struct events events;
        events_init(&events);
        *before = *before ? *before : mem_alloc(ruleset->state_size);
        memcpy(*before, game->state, ruleset->state_size);
        random_play(game, situation->number, &events);
        json_decref(game->told.events);
        game->told.events = events_json(&events, -1);
        events_release(&events);
    }
}

static void write_file(const char *path, const struct str *text)
{
    struct err err = ERR_INIT;
    ck_ok(file_write_soft(path, slice_str(text), 0644, &err), err);
}

/* As the template gives it, with all in its place. */
static void check_golden(const json_t *facts, const char *path, struct templates *templates)
{
    struct str drawn = STR_INIT, now = STR_INIT, kept = STR_INIT;
    struct err err = ERR_INIT;
    const struct template_name name = {json_string_value(json_object_get(facts, "folder")), "board.svg"};
    json_t *all = json_copy((json_t *)(uintptr_t)facts);
    ck_ok(board_alt(facts, templates, &kept, &err), err);
    json_object_set_new(all, "words", json_string(kept.p));
    str_clear(&kept);
    ck_ok(templates_render(templates, &name, all, &drawn, &err), err);
    ck_ok(panels(&now, slice_str(&drawn), BOARD_UNITS, BOARD_WIDTH, &err), err);
    json_decref(all);
    if (getenv("GOLDEN_WRITE"))
        write_file(path, &now);
    ck_ok(file_read(path, (size_t)1 << 20, &kept, &err), err);
    ck_assert_msg(kept.len == now.len && memcmp(kept.p, now.p, now.len) == 0,
                  "%s is another picture now: make golden, and look at make gallery", path);
    str_release(&drawn);
    str_release(&now);
    str_release(&kept);
}

START_TEST(pictures_are_as_they_were)
{
    const struct situation *situation = &situations[_i];
    struct templates *templates;
    struct game game;
    struct err err = ERR_INIT;
    struct str svg = STR_INIT, path = STR_INIT;
    void *before;
    templates_open(NULL, &templates);
    arrange(situation, &game, &before);
    const struct board board = {&game, before, game.told.events, situation->own};
    json_t *facts = board_facts(&board);
    str_addf(&path, "tests/golden/board/%s-%s.svg", situation->ruleset, situation->name);
    check_golden(facts, path.p, templates);
    ck_ok(board_svg(&board, templates, &svg, &err), err);
    drawn_check(slice_str(&svg));
    if (getenv("GALLERY")) {
        str_clear(&path);
        str_addf(&path, "%s/%s-%s.svg", getenv("GALLERY"), situation->ruleset, situation->name);
        write_file(path.p, &svg);
    }
    str_release(&path);
    str_release(&svg);
    json_decref(facts);
    free(before);
    game_release(&game);
    templates_close(templates);
}
END_TEST

START_TEST(the_alt_text_says_how_it_stands)
{
    struct templates *templates;
    struct game game;
    struct err err = ERR_INIT;
    struct str alt = STR_INIT;
    void *before;
    templates_open(NULL, &templates);
    arrange(&situations[0], &game, &before);
    const struct board board = board_of(&game);
    json_t *facts = board_facts(&board);
    struct str shows = STR_INIT, kept = STR_INIT;
    ck_ok(board_alt(facts, templates, &alt, &err), err);
    ck_assert_str_eq(alt.p, "Galaxy Command, g-1, at the start. Year 1, round 1 of 7. alice: face\n"
                            "down N1 N2 N3 N4 N5 N6 F1 F2 F3. Metal 0 of 3, wealth 0 of 3, military 0\n"
                            "of 3. 0 points.");
    ck_ok(board_keep(&board, templates, &shows, &kept, &err), err);
    ck_assert_str_eq(kept.p, alt.p);
    str_clear(&alt);
    json_write(&alt, facts);
    ck_assert_str_eq(shows.p, alt.p);
    str_release(&shows);
    str_release(&kept);
    json_decref(facts);
    ck_assert(board_public(&game));
    game.observers.barred = true;
    ck_assert(!board_public(&game));
    game.over = true;
    ck_assert(board_public(&game));
    str_release(&alt);
    game_release(&game);
    templates_close(templates);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_loop_test(tc, pictures_are_as_they_were, 0, SITUATIONS);
    tcase_add_test(tc, the_alt_text_says_how_it_stands);
}
TEST_MAIN("board/golden", cases)
