#include "compete/division.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"

/* Where somebody is in the row that is cut into divisions: those who come down into a division, stay, come up. */
enum group { COMES_DOWN, STAYS, COMES_UP };
struct in_row {
    size_t division;
    enum group group;
    size_t at; /* in the list of the division that they come from */
    uint32_t player;
};

static int by_place(const void *a, const void *b)
{
    const struct division_player *one = a, *other = b;
    if (one->place != other->place)
        return one->place < other->place ? -1 : 1;
    return (one->player > other->player) - (one->player < other->player);
}

static int by_row(const void *a, const void *b)
{
    const struct in_row *one = a, *other = b;
    if (one->division != other->division)
        return one->division < other->division ? -1 : 1;
    if (one->group != other->group)
        return one->group < other->group ? -1 : 1;
    return (one->at > other->at) - (one->at < other->at);
}

static enum division_move move_of(const struct division_input *in, size_t division, size_t at)
{
    if (division > 0 && at < in->promote)
        return DIVISION_UP;
    return division + 1 < in->count && at + in->promote >= in->sizes[division] ? DIVISION_DOWN
                                                                               : DIVISION_STAYS;
}

enum division_move division_move(const struct division_input *in, size_t division, size_t first, size_t last)
{
    enum division_move move = move_of(in, division, first);
    for (size_t at = first; at <= last; at++)
        if (move_of(in, division, at) != move)
            return DIVISION_LOT;
    return move;
}

static struct in_row moved(const struct division_input *in, size_t division, size_t at, uint32_t player)
{
    struct in_row row = {division, STAYS, at, player};
    enum division_move move = move_of(in, division, at);
    if (move == DIVISION_UP) {
        row.division--;
        row.group = COMES_UP;
    } else if (move == DIVISION_DOWN) {
        row.division++;
        row.group = COMES_DOWN;
    }
    return row;
}

/* Adds those of a division who play on. */
static size_t add_division(const struct division_input *in, size_t division,
                           const struct division_player *players, struct in_row *row)
{
    const size_t size = in->sizes[division];
    size_t count = 0;
    if (size == 0)
        return 0;
    struct division_player *list = mem_copy(players, size * sizeof *list);
    qsort(list, size, sizeof *list, by_place);
    for (size_t at = 0; at < size; at++)
        if (list[at].confirmed)
            row[count++] = moved(in, division, at, list[at].player);
    free(list);
    return count;
}

static size_t division_count(size_t players, size_t size)
{
    const size_t fewest = (players + DIVISION_MOST - 1) / DIVISION_MOST, most = players / DIVISION_LEAST;
    const size_t wanted = (2 * players + size) / (2 * size);
    return wanted > most ? most : wanted < fewest ? fewest : wanted;
}

static void cut(size_t players, size_t size, struct division_season *out)
{
    out->count = players < DIVISION_LEAST ? 0 : division_count(players, size);
    out->sizes = mem_array(out->count + 1, sizeof *out->sizes);
    for (size_t i = 0; i < out->count; i++)
        out->sizes[i] = players / out->count + (i < players % out->count);
}

void division_make(const struct division_input *in, struct division_season *out)
{
    size_t all = 0, count = 0;
    assert(in->size >= DIVISION_LEAST && in->size <= DIVISION_MOST);
    for (size_t i = 0; i < in->count; i++)
        all += in->sizes[i];
    struct in_row *row = mem_array(all + 1, sizeof *row);
    const struct division_player *players = in->players;
    for (size_t i = 0; i < in->count; players += in->sizes[i++])
        count += add_division(in, i, players, row + count);
    qsort(row, count, sizeof *row, by_row);

    out->players = mem_array(count + in->reserve_count + 1, sizeof *out->players);
    for (size_t i = 0; i < count; i++)
        out->players[i] = row[i].player;
    for (size_t i = 0; i < in->reserve_count; i++)
        out->players[count + i] = in->reserves[i];
    cut(count + in->reserve_count, in->size, out);
    free(row);
}

void division_release(struct division_season *season)
{
    free(season->players);
    free(season->sizes);
    *season = (struct division_season){NULL, NULL, 0};
}
