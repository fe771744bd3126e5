#include "rating/ladder.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void ladder_release(struct ladder *ladder)
{
    for (size_t i = 0; i < ladder->count; i++) {
        free(ladder->players[i]->name);
        free(ladder->players[i]);
    }
    free(ladder->players);
    *ladder = (struct ladder){NULL, 0, 0};
}

/* Where the name is, or belongs. */
static size_t place_of(const struct ladder *ladder, const char *name, bool *found)
{
    size_t from = 0, to = ladder->count;
    *found = false;
    while (from < to && !*found) {
        size_t middle = from + (to - from) / 2;
        int order = strcmp(ladder->players[middle]->name, name);
        *found = order == 0;
        if (order < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return *found ? to : from;
}

static struct ladder_player *player_of(struct ladder *ladder, const char *name)
{
    bool found;
    size_t at = place_of(ladder, name, &found);
    if (found)
        return ladder->players[at];
    struct ladder_player *player = mem_alloc(sizeof *player);
    *player = (struct ladder_player){.name = mem_strdup(name), .rating = rating_new()};
    ladder->players = mem_grow(ladder->players, ladder->count, &ladder->cap, sizeof *ladder->players);
    memmove(ladder->players + at + 1, ladder->players + at, (ladder->count - at) * sizeof *ladder->players);
    ladder->players[at] = player;
    ladder->count++;
    return player;
}

static bool is_rated(const struct ladder_seat *seat)
{
    return seat->rank > 0 && (seat->player || seat->anchor);
}

static bool sits_before(const struct ladder_game *game, size_t seat)
{
    for (size_t i = 0; i < seat; i++)
        if (is_rated(&game->seats[i]) && game->seats[i].player &&
            strcmp(game->seats[i].player, game->seats[seat].player) == 0)
            return true;
    return false;
}

static bool can_be_rated(const struct ladder_game *game)
{
    size_t seats = 0, people = 0;
    for (size_t i = 0; i < game->count; i++) {
        if (!is_rated(&game->seats[i]))
            continue;
        seats++;
        if (!game->seats[i].player)
            continue;
        people++;
        if (sits_before(game, i))
            return false;
    }
    return people >= 2 && seats <= RATING_SEATS_MOST;
}

/* Their rating on the day of a game or list. Newcomers are as unsure as idleness makes anybody, so that their `last` of 0
 * does not matter. */
static struct rating rating_at(const struct ladder_player *player, int64_t time)
{
    struct rating rating = player->rating;
    rating_idle(&rating, time - player->last);
    return rating;
}

static void played(struct ladder_player *player, struct rating after, int64_t time)
{
    player->rating = after;
    if (time > player->last)
        player->last = time;
    player->games++;
}

bool ladder_add(struct ladder *ladder, const struct ladder_game *game)
{
    struct rating_seat table[RATING_SEATS_MOST];
    struct ladder_player *people[RATING_SEATS_MOST];
    size_t count = 0;
    if (!can_be_rated(game))
        return false;
    for (size_t i = 0; i < game->count; i++) {
        const struct ladder_seat *seat = &game->seats[i];
        if (!is_rated(seat))
            continue;
        struct ladder_player *player = seat->player ? player_of(ladder, seat->player) : NULL;
        struct rating before = player ? rating_at(player, game->time) : *seat->anchor;
        people[count] = player;
        table[count] = (struct rating_seat){before, seat->rank, !player};
        count++;
    }
    rating_game(table, count);
    for (size_t i = 0; i < count; i++)
        if (people[i])
            played(people[i], table[i].rating, game->time);
    return true;
}

const struct ladder_player *ladder_find(const struct ladder *ladder, const char *name)
{
    bool found;
    size_t at = place_of(ladder, name, &found);
    return found ? ladder->players[at] : NULL;
}

struct rating_figures ladder_figures(const struct ladder_player *player, int64_t now)
{
    return rating_published(rating_at(player, now));
}

static int by_figures(const void *a, const void *b)
{
    const struct ladder_row *x = a, *y = b;
    if (x->figures.shown != y->figures.shown)
        return x->figures.shown < y->figures.shown ? 1 : -1;
    return strcmp(x->name, y->name);
}

void ladder_list(const struct ladder *ladder, int64_t now, int provisional, struct ladder_row *rows)
{
    for (size_t i = 0; i < ladder->count; i++) {
        const struct ladder_player *player = ladder->players[i];
        rows[i] = (struct ladder_row){player->name, ladder_figures(player, now), player->games,
                                      player->games < provisional, player->last};
    }
    if (ladder->count)
        qsort(rows, ladder->count, sizeof *rows, by_figures);
}
