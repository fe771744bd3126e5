/* What is kept of a game's best and worst. */
#include <string.h>

#include "game/game.h"
#include "game/moments.h"
#include "suite.h"

static void begin(struct game *game, int seats)
{
    game_init(game);
    game->ruleset = ruleset_newest("galactic-contract");
    game->seats = seats;
}

/* Something of that weight happens to the seat in that turn. */
static void shipped(struct game *game, int turn, int seat, int points, uint32_t visible)
{
    json_t *events = json_pack("[{s:s,s:i,s:i,s:I},{s:s,s:i,s:I}]", "type", "shipped", "seat", seat, "points",
                               points, "visible", (json_int_t)visible, "type", "no_moment", "seat", seat,
                               "visible", (json_int_t)visible);
    game->turn = turn;
    moments_note(game, events);
    json_decref(events);
}

static void overflowed(struct game *game, int turn, int seat)
{
    json_t *events = json_pack("[{s:s,s:i,s:I}]", "type", "overflow_lost", "seat", seat, "visible",
                               (json_int_t)EVENT_PUBLIC);
    game->turn = turn;
    moments_note(game, events);
    json_decref(events);
}

/* The turns of a seat's moments, as digits. */
static void expect_turns(const struct game *game, int seat, bool good, const char *turns)
{
    json_t *list = moments_of(game, seat, good);
    char text[32] = "";
    for (size_t i = 0; i < json_array_size(list); i++)
        text[i] = (char)('0' + json_integer_value(json_object_get(json_array_get(list, i), "turn")));
    ck_assert_str_eq(text, turns);
    json_decref(list);
}

START_TEST(the_greatest_are_kept)
{
    struct game game;
    begin(&game, 2);
    shipped(&game, 1, 1, 5, EVENT_PUBLIC);
    shipped(&game, 2, 1, 9, EVENT_PUBLIC);
    shipped(&game, 3, 1, 7, EVENT_PUBLIC);
    shipped(&game, 4, 1, 7, EVENT_PUBLIC); /* of equal ones the earlier stays */
    overflowed(&game, 5, 1);
    shipped(&game, 6, 2, 1, EVENT_PUBLIC);
    expect_turns(&game, 1, true, "23");
    expect_turns(&game, 1, false, ""); /* what there was no room for is nobody's worst moment */
    expect_turns(&game, 2, true, "6");
    expect_turns(&game, 2, false, "");
    expect_turns(&game, 0, true, "236");
    game_release(&game);
}
END_TEST

START_TEST(what_is_not_public_is_told_to_its_seat_alone)
{
    struct game game;
    begin(&game, 2);
    shipped(&game, 1, 1, 5, SEAT_BIT(1));
    expect_turns(&game, 1, true, "1");
    expect_turns(&game, 0, true, "");
    game_release(&game);
}
END_TEST

/* What happens to nobody in particular happens to the only player; in a game of several it is nobody's. */
START_TEST(solo_players_have_all)
{
    for (int seats = 1; seats <= 2; seats++) {
        struct game game;
        begin(&game, seats);
        shipped(&game, 1, 0, 5, EVENT_PUBLIC);
        expect_turns(&game, 1, true, seats == 1 ? "1" : "");
        game_release(&game);
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, the_greatest_are_kept);
    tcase_add_test(tc, what_is_not_public_is_told_to_its_seat_alone);
    tcase_add_test(tc, solo_players_have_all);
}
TEST_MAIN("game/moments", cases)
