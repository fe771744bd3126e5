#include "game/told.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "rules/field.h"

uint32_t told_people(const struct game *game)
{
    uint32_t seats = 0;
    for (int seat = 1; seat <= game->seats; seat++)
        if (!game->seat[seat].robot)
            seats |= SEAT_BIT(seat);
    return seats;
}

uint32_t told_seats(const struct game *game, const json_t *record)
{
    const json_t *list = json_object_get(record, "told");
    uint32_t seats = ~told_people(game);
    size_t i;
    json_t *item;
    if (!list)
        return EVENT_PUBLIC;
    json_array_foreach (list, i, item) {
        json_int_t seat = json_integer_value(item);
        seats |= seat >= 1 && seat <= game->seats ? SEAT_BIT(seat) : 0;
    }
    return seats;
}

static int turn_of(const json_t *item)
{
    return (int)json_integer_value(json_object_get(item, "turn"));
}

static void append(json_t **list, json_t *item)
{
    if (!*list)
        *list = json_array();
    json_array_append_new(*list, item);
}

static json_t *last_turn(const struct game *game)
{
    return json_pack("{s:i,s:O,s:O*,s:O*}", "turn", game->turn - 1, "events", game->told.events, "press",
                     game->press.last, "vouched", game->told.vouched);
}

void told_keep(struct game *game)
{
    struct game_told *of = &game->told;
    if (game->turn == 0)
        return;
    if (!of->was) /* for pictures, which show what has changed */
        of->was = mem_alloc(game->ruleset->state_size);
    memcpy(of->was, game->state, game->ruleset->state_size);
    append(&of->earlier, last_turn(game));
}

static void tell_seat(const struct game *game, struct game_seat *seat)
{
    seat->told_before = seat->told;
    seat->told = game->turn;
}

/* The earliest turn that some report which may be asked for again tells of. */
static int first_needed(const struct game *game)
{
    int first = *game->observers.names.p ? game->told.watched_before : game->turn;
    for (int seat = 1; seat <= game->seats; seat++)
        if (!game->seat[seat].robot && game->seat[seat].told_before < first)
            first = game->seat[seat].told_before;
    return first;
}

static void forget(struct game *game)
{
    struct game_told *of = &game->told;
    int first = first_needed(game);
    while (json_array_size(of->earlier) && turn_of(json_array_get(of->earlier, 0)) < first)
        json_array_remove(of->earlier, 0);
    if (!json_array_size(of->earlier)) {
        json_decref(of->earlier);
        of->earlier = NULL;
    }
}

void told_mark(struct game *game, uint32_t told)
{
    struct game_told *of = &game->told;
    for (int seat = 1; seat <= game->seats; seat++)
        if ((told & SEAT_BIT(seat)) || game->seat[seat].robot)
            tell_seat(game, &game->seat[seat]);
    if (told == EVENT_PUBLIC || game->over || game_missing(game) || game->turn >= of->watched + TOLD_MOST) {
        of->watched_before = of->watched;
        of->watched = game->turn;
    }
    forget(game);
}

/* ---- seats that change hands ---- */

#define SEAT_DIGITS 4

static const char *seat_key(char key[SEAT_DIGITS], int seat)
{
    (void)snprintf(key, SEAT_DIGITS, "%d", seat % 100);
    return key;
}

/* The first name stays: whoever sat there later did not do it. */
static void name_player(json_t *event, const char *key, const char *player)
{
    json_t *then = json_object_get(event, "then");
    if (!then) {
        then = json_object();
        json_object_set_new(event, "then", then);
    }
    if (!json_object_get(then, key))
        json_object_set_new(then, key, json_string(player));
}

static void name_in_events(const json_t *events, const char *key, const char *player)
{
    size_t i;
    json_t *event;
    json_array_foreach (events, i, event)
        name_player(event, key, player);
}

void told_hands_over(const struct game *game, const struct game_seat *seat, const char *name)
{
    char key[SEAT_DIGITS];
    size_t i;
    json_t *item;
    if (!*seat->player || strcmp(seat->player, name) == 0)
        return;
    (void)seat_key(key, (int)(seat - game->seat));
    name_in_events(game->told.events, key, seat->player);
    name_in_events(game->told.instant, key, seat->player);
    name_in_events(game->press.wait, key, seat->player);
    name_in_events(game->press.last, key, seat->player);
    json_array_foreach (game->told.earlier, i, item) {
        name_in_events(json_object_get(item, "events"), key, seat->player);
        name_in_events(json_object_get(item, "press"), key, seat->player);
    }
    json_array_foreach (game->told.moments, i, item)
        name_player(json_object_get(item, "event"), key, seat->player);
}

void told_resigns(struct game *game, int seat)
{
    append(&game->told.instant,
           json_pack("{s:s,s:i,s:i,s:s,s:[],s:I}", "type", "seat_resigned", "seat", seat, "line", 0, "rule",
                     "", "dice", "visible", (json_int_t)EVENT_PUBLIC));
}

const char *told_player(const struct game *game, int seat, const json_t *event)
{
    char key[SEAT_DIGITS];
    const json_t *then = json_object_get(event, "then"); /* rare */
    const char *player = then ? json_string_value(json_object_get(then, seat_key(key, seat))) : NULL;
    return player ? player : game->seat[seat].player;
}

bool told_hides(const struct game *game, int seat, const json_t *words)
{
    return seat && strcmp(told_player(game, seat, words), game->seat[seat].player) != 0;
}

void told_sits(const struct game *game, struct game_seat *seat)
{
    seat->told = game->turn;
    seat->told_before = game->turn ? game->turn - 1 : 0;
}

void told_again(const struct game *game, struct game_seat *seat)
{
    if (seat->told < game->turn)
        tell_seat(game, seat);
}

json_t *told_since(const struct game *game, int turn)
{
    json_t *list = json_array();
    size_t i;
    json_t *item;
    json_array_foreach (game->told.earlier, i, item)
        if (turn_of(item) >= turn)
            json_array_append(list, item);
    if (game->turn)
        json_array_append_new(list, last_turn(game));
    return list;
}
