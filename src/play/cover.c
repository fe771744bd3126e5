#include "play/cover.h"

#include <stdio.h>

#include "base/mem.h"

#define NAME  "An example" /* where boards show a game's name */
#define TURNS 8            /* of each seat, where they take turns */

static const char *const names[] = {"", "alice", "bob", "carol", "dan", "eve", "frank", "grace", "heidi"};
_Static_assert(sizeof names / sizeof *names == SEATS_MAX + 1, "a name for each seat");

static void seed(struct chance *chance, const struct game *game)
{
    char text[64];
    const int len =
        snprintf(text, sizeof text, "cover/%s/%d/%d", game->ruleset->name, game->seats, game->turn);
    chance_seeded(chance, text, (size_t)len);
}

static void play_turn(struct game *game)
{
    const struct ruleset *ruleset = game->ruleset;
    struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
    struct script *scripts[SEATS_MAX + 1] = {NULL};
    struct chance chance;
    struct events events;
    for (int seat = 1; seat <= game->seats; seat++) {
        struct str text = STR_INIT;
        if (ruleset->awaits(game->state) & SEAT_BIT(seat))
            ruleset->robot(game->cards, game->state, seat, &text);
        scripts[seat] = script_parse(slice_str(&text), ruleset->language);
        orders[seat] = (struct seat_orders){.script = scripts[seat], .robot = true};
        str_release(&text);
    }
    seed(&chance, game);
    events_init(&events);
    ruleset->play(game->cards, game->state, &(struct resolution){orders, game->turn, &chance, &events});
    events_release(&events);
    for (int seat = 1; seat <= game->seats; seat++)
        script_free(scripts[seat]);
    game->turn++;
}

int cover_play(struct game *game, const struct ruleset *ruleset, int seats, struct err *err)
{
    int options[GAME_OPTIONS] = {0};
    struct chance chance;
    struct events events;
    game_init(game);
    (void)snprintf(game->id, sizeof game->id, "%s", NAME);
    for (int i = 0; ruleset->options[i].name; i++)
        options[i] = ruleset->options[i].initial;
    for (int seat = 1; seat <= seats; seat++)
        (void)snprintf(game->seat[seat].player, PLAYER_NAME, "%s", names[seat]);
    game->ruleset = ruleset;
    game->seats = seats;
    game->state = mem_alloc(ruleset->state_size);
    if (game_set_cards(game, NULL, err) || ruleset->init(game->cards, seats, options, game->state, err))
        return -1;
    seed(&chance, game);
    events_init(&events);
    ruleset->deal(game->cards, game->state, NULL, &chance, &events);
    events_release(&events);
    const int turns = ruleset->early ? TURNS * seats : TURNS;
    for (game->turn = 1; game->turn <= turns && ruleset->awaits(game->state);)
        play_turn(game);
    return 0;
}
