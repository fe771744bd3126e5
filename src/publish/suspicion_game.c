/* What the events and the missed turns of a game say. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "game/apply.h"
#include "game/game_seats.h"
#include "game/past.h"
#include "history/casefile.h"
#include "publish/suspicion_parts.h"

#define TYPES 32 /* of events that name another seat, in one game */

/* The counts of one game. */
struct table {
    char type[TYPES][24];
    int types;
    int named[TYPES][SEATS_MAX + 1][SEATS_MAX + 1]; /* by whom, whom */
};

struct suspicion_pair *suspicion_pair(struct suspicion *all, const char *one, const char *two, bool *flip)
{
    struct str key = STR_INIT;
    *flip = strcmp(one, two) > 0;
    str_addf(&key, "%s %s", *flip ? two : one, *flip ? one : two);
    const json_t *known = json_object_get(all->index, key.p);
    size_t at = known ? (size_t)json_integer_value(known) : all->count;
    if (!known) {
        json_object_set_new(all->index, key.p, json_integer((json_int_t)at));
        all->pair = mem_grow(all->pair, all->count, &all->cap, sizeof *all->pair);
        struct suspicion_pair *pair = &all->pair[all->count++];
        *pair = (struct suspicion_pair){.games = json_array()};
        (void)snprintf(pair->name[0], PLAYER_NAME, "%s", *flip ? two : one);
        (void)snprintf(pair->name[1], PLAYER_NAME, "%s", *flip ? one : two);
        for (int i = 0; i < 2; i++) {
            pair->named[i] = json_object();
            pair->gave[i] = json_object();
        }
    }
    str_release(&key);
    return &all->pair[at];
}

/* ---- missed turns ---- */

static void count_misses(struct suspicion *all, const struct game *game, const struct record *close)
{
    uint32_t awaited = game_awaited(game);
    uint32_t missed = 0;
    size_t i;
    json_t *item;
    json_array_foreach (json_object_get(close->json, "missed"), i, item)
        if (json_integer_value(item) >= 1 && json_integer_value(item) <= SEATS_MAX)
            missed |= SEAT_BIT(json_integer_value(item));
    for (int a = 1; a <= game->seats; a++) {
        for (int b = a + 1; b <= game->seats; b++) {
            bool flip;
            if (!(awaited & SEAT_BIT(a)) || !(awaited & SEAT_BIT(b)))
                continue;
            struct suspicion_pair *pair =
                suspicion_pair(all, game->seat[a].player, game->seat[b].player, &flip);
            pair->turns++;
            pair->missed[flip] += (missed & SEAT_BIT(a)) != 0;
            pair->missed[!flip] += (missed & SEAT_BIT(b)) != 0;
            pair->both += (missed & SEAT_BIT(a)) && (missed & SEAT_BIT(b));
        }
    }
}

/* ---- events ---- */

/* The seat that the event names besides its own; 0 = none. */
static int other_seat(const json_t *event, int seat)
{
    const char *name;
    json_t *value;
    json_object_foreach ((json_t *)(uintptr_t)event, name, value)
        if (str_ends(name, "_seat") && json_is_integer(value) && json_integer_value(value) >= 1 &&
            json_integer_value(value) <= SEATS_MAX && json_integer_value(value) != seat)
            return (int)json_integer_value(value);
    return 0;
}

static void add_to(json_t *object, const char *name, json_int_t number)
{
    json_object_set_new(object, name,
                        json_integer(json_integer_value(json_object_get(object, name)) + number));
}

static json_t *member(json_t *object, const char *name)
{
    if (!json_object_get(object, name))
        json_object_set_new(object, name, json_object());
    return json_object_get(object, name);
}

/* "give_credits": 12 and "get_cards": 2 of an event that is a trade carried out: it has both sides.
 */
static void count_trade(struct suspicion *all, const struct game *game, const json_t *event, int seat,
                        int other)
{
    const char *name;
    json_t *value;
    bool flip;
    struct suspicion_pair *pair =
        suspicion_pair(all, game->seat[seat].player, game->seat[other].player, &flip);
    json_object_foreach ((json_t *)(uintptr_t)event, name, value) {
        bool give = str_starts(name, "give_");
        if ((!give && !str_starts(name, "get_")) || !json_is_integer(value))
            continue;
        const char *what = name + (give ? 5 : 4);
        add_to(member(pair->gave[flip], what), give ? "gave" : "got", json_integer_value(value));
        add_to(member(pair->gave[!flip], what), give ? "got" : "gave", json_integer_value(value));
    }
}

static int type_of(struct table *table, const char *name)
{
    int at = 0;
    while (at < table->types && strcmp(table->type[at], name) != 0)
        at++;
    if (at == TYPES || strlen(name) >= sizeof table->type[0])
        return -1;
    if (at == table->types)
        memcpy(table->type[table->types++], name, strlen(name) + 1);
    return at;
}

/* A trade has two events: one for those who made it, one for the others. The public one is counted. */
static void count_events(struct suspicion *all, const struct game *game, const json_t *events, bool over,
                         struct table *table)
{
    size_t i;
    json_t *event;
    json_array_foreach (events, i, event) {
        int seat = (int)json_integer_value(json_object_get(event, "seat"));
        uint32_t visible = (uint32_t)json_integer_value(json_object_get(event, "visible"));
        int other = seat >= 1 && seat <= game->seats ? other_seat(event, seat) : 0;
        bool public = (visible & SEAT_BIT(0)) != 0;
        if (!other || other > game->seats || !seat_has_person(game, seat) || !seat_has_person(game, other) ||
            (!public && !over))
            continue;
        const char *name = json_string_value(json_object_get(event, "type"));
        int type = name ? type_of(table, name) : -1;
        if (type >= 0)
            table->named[type][seat][other]++;
        if (public)
            count_trade(all, game, event, seat, other);
    }
}

/* An even share of what a seat's orders did to others. */
static void add_table(struct suspicion *all, const struct game *game, const struct table *table)
{
    for (int type = 0; type < table->types; type++) {
        for (int seat = 1; seat <= game->seats; seat++) {
            int sum = 0, people = 0;
            for (int other = 1; other <= game->seats; other++) {
                sum += table->named[type][seat][other];
                people += other != seat && seat_has_person(game, other);
            }
            for (int other = 1; sum && other <= game->seats; other++) {
                bool flip;
                if (other == seat || !seat_has_person(game, other) || !seat_has_person(game, seat))
                    continue;
                struct suspicion_pair *pair =
                    suspicion_pair(all, game->seat[seat].player, game->seat[other].player, &flip);
                json_t *row = member(pair->named[flip], table->type[type]);
                add_to(row, "count", table->named[type][seat][other]);
                add_to(row, "of", sum);
                add_to(row, "share", 10 * sum / people);
            }
        }
    }
}

/* ---- a game ---- */

static void add_game(struct suspicion *all, const struct game *game)
{
    for (int a = 1; a <= game->seats; a++) {
        for (int b = a + 1; b <= game->seats; b++) {
            bool flip;
            if (seat_has_person(game, a) && seat_has_person(game, b) &&
                strcmp(game->seat[a].player, game->seat[b].player) != 0)
                json_array_append_new(
                    suspicion_pair(all, game->seat[a].player, game->seat[b].player, &flip)->games,
                    json_string(game->id));
        }
    }
}

static int replay(struct suspicion *all, struct casefile *file, struct game *game, struct table *table,
                  struct err *err)
{
    struct record record;
    struct past past = {.wanted_count = 0};
    int got = 0;
    int rc = 0;
    (void)past_want(&past, slice_str(&file->lines));
    while (rc == 0 && (got = casefile_next(file, &record, NULL, err)) > 0) {
        bool turn = strcmp(record.type, "turn") == 0;
        if (strcmp(record.type, "close") == 0)
            count_misses(all, game, &record);
        struct apply_input input = {&record, (int64_t)file->at, &file->sealed, NULL, &past, false};
        rc = game_apply(game, &input, err);
        if (rc == 0)
            rc = past_keep(&past, game, err);
        if (rc == 0 && turn) /* with those of the deals since the last one */
            count_events(all, game, game->told.events, file->opened, table);
        record_release(&record);
    }
    past_release(&past);
    return rc || got < 0 ? -1 : 0;
}

int suspicion_game(struct suspicion *all, const char *id, struct err *err)
{
    struct casefile file;
    struct game game;
    struct err why = ERR_INIT;
    struct table *table = mem_alloc(sizeof *table);
    game_init(&game);
    int rc = casefile_open_game(all->store, id, &file, &why);
    if (rc == 0) {
        memcpy(game.id, id, strlen(id) + 1);
        rc = replay(all, &file, &game, table, &why);
        casefile_close(&file);
    }
    if (rc == 0) {
        add_table(all, &game, table);
        add_game(all, &game);
        all->games++;
        all->running += !game.over;
    } else if (why.code == ERR_MISSING) {
        err_pass(err, &why);
    } else {
        json_array_append_new(all->broken, json_string(id));
    }
    game_release(&game);
    free(table);
    return err->code ? -1 : 0;
}
