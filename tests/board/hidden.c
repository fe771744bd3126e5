/* Pictures show nothing that the public may not know: in random games of every ruleset what is hidden is rearranged,
 * in the state and in the one before, and the picture stays the same to the byte. Names are hostile, and every picture
 * is well-formed (drawn.h). */
#include "board/board.h"
#include "board/drawn.h"
#include "play/random_game.h"
#include "suite.h"

#define RULESETS 16 /* all versions, or more */
#define GAMES    (FEW ? 2 : 12)
#define PLAYS    160
#define EVERY    (FEW ? 40 : 8)

/* As long as names may be; the last one ends in half a character. */
static const char *const names[] = {"",
                                    "<script>alert(1)</script>",
                                    "\"'><image href=\"http://a.test/\"/>",
                                    "\xe2\x80\xae\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d & ]]> &lt;",
                                    "\xf0\x9f\x9a\x80\xf0\x9f\x91\xbe\xf0\x9f\xaa\x90\xcc\x81\xcc\x81",
                                    "WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW",
                                    "{{picture}} ${x} url(#s1) -->\xe2\x82"};

static struct templates *templates;

static void draw(const struct board *board, struct str *svg)
{
    struct err err = ERR_INIT;
    str_clear(svg);
    ck_ok(board_svg(board, templates, svg, &err), err);
}

static void *copy(const struct game *game, const void *state)
{
    void *made = mem_alloc(game->ruleset->state_size);
    memcpy(made, state, game->ruleset->state_size);
    return made;
}

static void check(struct game *game, const void *before, int number)
{
    struct str seen = STR_INIT, again = STR_INIT;
    struct chance chance;
    void *state = game->state, *other = copy(game, before);
    draw(&(struct board){game, before, game->told.events, 0}, &seen);
    drawn_check(slice_str(&seen));
    game->state = copy(game, state);
    random_chance(&chance, "conceal", number, game->turn);
    if (game->ruleset->conceal) {
        game->ruleset->conceal(game->cards, game->state, 0, &chance);
        game->ruleset->conceal(game->cards, other, 0, &chance);
    }
    draw(&(struct board){game, other, game->told.events, 0}, &again);
    ck_assert_msg(seen.len == again.len && memcmp(seen.p, again.p, again.len) == 0,
                  "%s with %d seats, game %d, turn %d: the picture depends on what is hidden",
                  game->ruleset->name, game->seats, number, game->turn);
    free(game->state);
    free(other);
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
        void *before = copy(&game, game.state);
        events_init(&events);
        random_play(&game, number, &events);
        json_decref(game.told.events);
        game.told.events = events_json(&events, -1);
        events_release(&events);
        if (game.over || (i + number) % EVERY == 0) {
            check(&game, before, number);
            looks++;
        }
        free(before);
    }
    game_release(&game);
    return looks;
}

START_TEST(no_picture_shows_what_is_hidden)
{
    int count = 0, looks = 0;
    while (rulesets[count])
        count++;
    ck_assert_int_le(count, RULESETS);
    if (_i >= count)
        return;
    const struct ruleset *ruleset = rulesets[_i];
    if (!ruleset->shown.picture)
        return;
    const int kinds = ruleset->seats_max - ruleset->seats_min + 1;
    templates_open(NULL, &templates);
    for (int number = 0; number < GAMES; number++)
        looks += random_game(ruleset, ruleset->seats_min + number % kinds, number);
    templates_close(templates);
    ck_assert_int_ge(looks, GAMES);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_loop_test(tc, no_picture_shows_what_is_hidden, 0, RULESETS);
}
TEST_MAIN("board/hidden", cases)
