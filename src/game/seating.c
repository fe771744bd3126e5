#include "game/seating.h"

#include <stdio.h>
#include <string.h>

static const char kept_for[] = "for:";
static const char robot_of[] = "robot:";

int seating_named(struct slice value)
{
    if (value.len && (value.p[0] == 'p' || value.p[0] == 'P'))
        value = slice_sub(value, 1, value.len);
    while (value.len > 1 && value.p[0] == '0')
        value = slice_sub(value, 1, value.len);
    int seat = value.len == 1 ? value.p[0] - '0' : 0;
    return seat >= 1 && seat <= SEATS_MAX ? seat : 0;
}

const char *seating_keeps(const struct game *game, int seat)
{
    const char *entry = game->table.entry[seat];
    return str_starts(entry, kept_for) ? entry + sizeof kept_for - 1 : "";
}

bool seating_kept(const struct game *game, int seat, const char *player)
{
    return *player && strcmp(seating_keeps(game, seat), player) == 0;
}

uint32_t seating_unanswered(const struct game *game)
{
    uint32_t seats = 0;
    for (int seat = 1; seat <= game->seats && game->turn == 0 && !game->over; seat++)
        if (*seating_keeps(game, seat) && !*game->seat[seat].player)
            seats |= SEAT_BIT(seat);
    return seats;
}

void seating_awaited(struct str *names, const struct game *game, const char *but)
{
    const uint32_t seats = seating_unanswered(game);
    for (int seat = 1; seat <= game->seats; seat++)
        if ((seats & SEAT_BIT(seat)) && !seating_kept(game, seat, but))
            str_addf(names, "%s%s", names->len ? ", " : "", seating_keeps(game, seat));
}

int seating_kept_seat(const struct game *game, const char *player)
{
    for (int seat = 1; seat <= game->seats; seat++)
        if (seating_kept(game, seat, player))
            return seat;
    return 0;
}

int seating_next(const struct game *game)
{
    for (int seat = 1; seat <= game->seats && game->turn == 0; seat++)
        if (*game->table.entry[seat] && !str_starts(game->table.entry[seat], kept_for) &&
            !*game->seat[seat].player)
            return seat;
    return 0;
}

void seating_entry(char entry[GAME_TABLE], const char *name, bool robot, bool kept)
{
    (void)snprintf(entry, GAME_TABLE, "%s%s", robot ? robot_of : kept ? kept_for : "", name);
}

static bool is_open(const struct game *game, int seat)
{
    return !*game->table.entry[seat];
}

/* The lowest open seat that nobody has, 0 = none. */
static int lowest(const struct game *game)
{
    for (int seat = 1; seat <= game->seats; seat++)
        if (is_open(game, seat) && !*game->seat[seat].player)
            return seat;
    return 0;
}

int seating_place(const struct game *game, const char *player, int asked, bool *drawn)
{
    int kept = seating_kept_seat(game, player);
    int free = lowest(game);
    *drawn = false;
    if (kept)
        return (asked && asked != kept) || *game->seat[kept].player ? 0 : kept;
    if (!free)
        return 0;
    *drawn = !asked;
    if (!asked)
        return free;
    if (!is_open(game, asked))
        return 0;
    return !*game->seat[asked].player || game->seat[asked].drawn ? asked : 0;
}

bool seating_has_room(const struct game *game, const char *player)
{
    bool drawn;
    return game->turn == 0 && !game->closed && seating_place(game, player, 0, &drawn) > 0;
}

void seating_left(struct game *game, int seat)
{
    if (!str_starts(game->table.entry[seat], kept_for))
        game->table.entry[seat][0] = '\0';
}

bool seating_yield(struct game *game, int seat)
{
    int free = lowest(game);
    if (!free || !game->seat[seat].drawn)
        return false;
    struct game_seat moved = game->seat[seat];
    game->seat[seat] = game->seat[free];
    game->seat[free] = moved;
    return true;
}

/* The held seats in rising order; their number. */
static size_t held_seats(const struct game *game, int held[SEATS_MAX])
{
    size_t count = 0;
    for (int seat = 1; seat <= game->seats; seat++)
        if (game->seat[seat].drawn)
            held[count++] = seat;
    return count;
}

/* The same in the order of their marks. */
static void by_mark(const struct game *game, int held[SEATS_MAX], size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && memcmp(game->seat[held[k]].orders.seal,
                                           game->seat[held[k - 1]].orders.seal, SEAL_BYTES) < 0;
             k--) {
            int seat = held[k];
            held[k] = held[k - 1];
            held[k - 1] = seat;
        }
}

void seating_marks(const struct game *game, unsigned char marks[SEATS_MAX + 1][SEAL_BYTES])
{
    int held[SEATS_MAX] = {0}, sorted[SEATS_MAX];
    size_t count = held_seats(game, held);
    memset(marks, 0, (size_t)(SEATS_MAX + 1) * SEAL_BYTES);
    for (int seat = 1; seat <= game->seats; seat++)
        if (game->seat[seat].orders.in && !game->seat[seat].robot)
            memcpy(marks[seat], game->seat[seat].orders.seal, SEAL_BYTES);
    memcpy(sorted, held, sizeof held);
    by_mark(game, sorted, count);
    for (size_t i = 0; i < count; i++)
        memcpy(marks[held[i]], game->seat[sorted[i]].orders.seal, SEAL_BYTES);
}

void seating_draw(const struct game *game, struct chance *chance, int from[SEATS_MAX + 1])
{
    int held[SEATS_MAX] = {0}, sorted[SEATS_MAX];
    uint8_t order[SEATS_MAX];
    size_t count = held_seats(game, held);
    for (int seat = 0; seat <= SEATS_MAX; seat++)
        from[seat] = seat;
    if (count < 2)
        return;
    memcpy(sorted, held, sizeof held);
    by_mark(game, sorted, count);
    for (size_t i = 0; i < count; i++)
        order[i] = (uint8_t)i;
    chance_shuffle(chance, false, "seats", order, count);
    for (size_t i = 0; i < count; i++)
        from[held[i]] = sorted[order[i]];
}

void seating_take(struct game *game, const int from[SEATS_MAX + 1])
{
    struct game_seat now[SEATS_MAX + 1];
    memcpy(now, game->seat, sizeof now);
    for (int seat = 1; seat <= game->seats; seat++) {
        game->seat[seat] = now[from[seat]];
        game->seat[seat].drawn = false;
        game->seat[seat].wishes = (struct wish_list){{0}}; /* served */
    }
}

json_t *seating_json(const struct game *game, const int from[SEATS_MAX + 1])
{
    int held[SEATS_MAX] = {0};
    size_t count = held_seats(game, held);
    if (!count)
        return NULL;
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(
            list, json_pack("{s:i,s:s}", "seat", held[i], "player", game->seat[from[held[i]]].player));
    return list;
}
