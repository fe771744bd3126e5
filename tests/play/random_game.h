/* Random games of any ruleset, without journals: robots play, who leave lines out now and then. All follows from the
 * game's number. */
#ifndef TESTS_RANDOM_GAME_H
#define TESTS_RANDOM_GAME_H

#include <stdio.h>

#include "base/mem.h"
#include "game/game.h"
#include "suite.h"

static uint32_t random_seed;

static uint32_t random_roll(uint32_t n)
{
    random_seed = random_seed * 1664525U + 1013904223U;
    return (random_seed >> 8) % n;
}

static void random_chance(struct chance *chance, const char *name, int game, int play)
{
    char text[64];
    (void)snprintf(text, sizeof text, "%s/%d/%d", name, game, play);
    chance_seeded(chance, text, strlen(text));
}

/* A game that is dealt. */
static void random_start(struct game *game, const struct ruleset *ruleset, int seats, int number)
{
    struct err err = ERR_INIT;
    struct chance chance;
    struct events events;
    int options[GAME_OPTIONS] = {0};
    random_seed = (uint32_t)number * 2654435761U + (uint32_t)seats;
    for (int i = 0; ruleset->options[i].name; i++)
        options[i] = ruleset->options[i].initial;
    game_init(game);
    (void)snprintf(game->id, sizeof game->id, "g-%d", number);
    game->ruleset = ruleset;
    game->seats = seats;
    ck_ok(game_set_cards(game, NULL, &err), err);
    game->state = mem_alloc(ruleset->state_size);
    ck_ok(ruleset->init(game->cards, seats, options, game->state, &err), err);
    random_chance(&chance, ruleset->name, number, 0);
    events_init(&events);
    ruleset->deal(game->cards, game->state, NULL, &chance, &events);
    events_release(&events);
    for (int seat = 1; seat <= seats; seat++)
        (void)snprintf(game->seat[seat].player, PLAYER_NAME, "player-%d", seat);
    game->turn = 1;
}

/* A robot's orders, now and then with lines left out or none at all. */
static struct script *random_orders(const struct game *game, int seat)
{
    struct str all = STR_INIT, some = STR_INIT;
    struct slice line;
    game->ruleset->robot(game->cards, game->state, seat, &all);
    struct slice rest = slice_str(&all);
    while (slice_line(&rest, &line)) {
        if (random_roll(8) == 0)
            continue;
        str_addslice(&some, line);
        str_addc(&some, '\n');
    }
    struct script *script = random_roll(12) ? script_parse(slice_str(&some), game->ruleset->language) : NULL;
    str_release(&all);
    str_release(&some);
    return script;
}

/* Plays its open turn. */
static void random_play(struct game *game, int number, struct events *events)
{
    struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
    struct script *scripts[SEATS_MAX + 1] = {NULL};
    struct chance chance;
    uint32_t awaits = game->ruleset->awaits(game->state);
    for (int seat = 1; seat <= game->seats; seat++) {
        if (awaits & SEAT_BIT(seat))
            scripts[seat] = random_orders(game, seat);
        orders[seat].script = scripts[seat];
        orders[seat].missed = !scripts[seat];
    }
    random_chance(&chance, game->ruleset->name, number, game->turn);
    game->ruleset->play(game->cards, game->state, &(struct resolution){orders, game->turn, &chance, events});
    for (int seat = 1; seat <= game->seats; seat++)
        script_free(scripts[seat]);
    game->turn++;
    game->over = game->ruleset->awaits(game->state) == 0;
}

#endif
