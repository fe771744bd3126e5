#include "compete/standing.h"

#include <assert.h>
#include <stdlib.h>

/* rows: of each player by number, until they are sorted. */
struct count {
    const struct standing_input *in;
    struct standing_row *rows;
};

static bool is_player(const struct standing_seat *seat)
{
    return seat->player != STANDING_NOBODY;
}

/* The result of a seat: opponents beaten, tied, lost to. */
struct against {
    unsigned beaten, tied, lost;
};

static void compare(struct against *against, const struct standing_seat *me,
                    const struct standing_seat *other)
{
    if (me == other || other->rank == 0)
        return;
    against->beaten += me->rank < other->rank;
    against->tied += me->rank == other->rank;
    against->lost += me->rank > other->rank;
}

static void add_points(const struct count *count, const struct standing_table *table)
{
    for (const struct standing_seat *me = table->seats; me < table->seats + table->size; me++) {
        struct against against = {0, 0, 0};
        if (!is_player(me) || me->rank == 0)
            continue;
        for (unsigned i = 0; i < table->size; i++)
            compare(&against, me, &table->seats[i]);
        struct standing_row *row = &count->rows[me->player];
        row->points += 2 * (int64_t)against.beaten + against.tied;
        row->firsts += against.beaten > 0 && against.tied == 0 && against.lost == 0;
    }
}

/* Whoever is missing counts with the player's own points. */
static void add_opponents(const struct count *count, const struct standing_table *table)
{
    for (const struct standing_seat *me = table->seats; me < table->seats + table->size; me++) {
        if (!is_player(me) || (me->rank == 0 && !table->voided))
            continue;
        struct standing_row *row = &count->rows[me->player];
        int64_t missing = (int64_t)count->in->seats - 1;
        for (unsigned i = 0; i < table->size && !table->voided; i++) {
            const struct standing_seat *other = &table->seats[i];
            if (other == me || other->rank == 0 || !is_player(other) || !count->in->ranked[other->player])
                continue;
            row->buchholz += count->rows[other->player].points;
            missing--;
        }
        row->buchholz += missing * row->points;
    }
}

static bool are_level(const struct count *count, uint32_t a, uint32_t b)
{
    const struct standing_row *one = &count->rows[a], *other = &count->rows[b];
    return count->in->ranked[a] && count->in->ranked[b] && one->points == other->points &&
           one->buchholz == other->buchholz;
}

static void add_direct(const struct count *count, const struct standing_table *table)
{
    for (const struct standing_seat *me = table->seats; me < table->seats + table->size; me++) {
        struct against against = {0, 0, 0};
        if (!is_player(me) || me->rank == 0)
            continue;
        for (unsigned i = 0; i < table->size; i++)
            if (is_player(&table->seats[i]) && are_level(count, me->player, table->seats[i].player))
                compare(&against, me, &table->seats[i]);
        count->rows[me->player].direct += (int64_t)against.beaten - against.lost;
    }
}

static void add_results(const struct count *count)
{
    const struct standing_input *in = count->in;
    for (size_t i = 0; i < in->table_count; i++)
        if (!in->tables[i].voided)
            add_points(count, &in->tables[i]);
    for (size_t i = 0; i < in->bye_count; i++)
        count->rows[in->byes[i]].points += in->bye;
    for (size_t i = 0; i < in->bye_count; i++) {
        struct standing_row *row = &count->rows[in->byes[i]];
        row->buchholz += ((int64_t)in->seats - 1) * row->points;
    }
    for (size_t i = 0; i < in->table_count; i++)
        add_opponents(count, &in->tables[i]);
    for (size_t i = 0; i < in->table_count; i++)
        if (!in->tables[i].voided)
            add_direct(count, &in->tables[i]);
}

static int falling(int64_t a, int64_t b)
{
    return (a < b) - (a > b);
}

static int by_merit(const struct standing_row *one, const struct standing_row *other)
{
    int order = falling(one->points, other->points);
    if (order == 0)
        order = falling(one->buchholz, other->buchholz);
    if (order == 0)
        order = falling(one->direct, other->direct);
    return order ? order : falling(one->firsts, other->firsts);
}

static int by_place(const void *a, const void *b)
{
    const struct standing_row *one = a, *other = b;
    int order = by_merit(one, other);
    return order ? order : (one->player > other->player) - (one->player < other->player);
}

size_t standing_make(const struct standing_input *in, struct standing_row *rows)
{
    const struct count count = {in, rows};
    size_t listed = 0;
    assert(in->seats >= 2 && in->seats <= COMPETE_SEATS);
    for (size_t i = 0; i < in->players; i++)
        rows[i] = (struct standing_row){.player = (uint32_t)i, .points = in->adjust ? in->adjust[i] : 0};
    add_results(&count);
    for (size_t i = 0; i < in->players; i++)
        if (in->ranked[i])
            rows[listed++] = rows[i];
    qsort(rows, listed, sizeof *rows, by_place);
    for (size_t i = 0; i < listed; i++)
        rows[i].place = i > 0 && by_merit(&rows[i - 1], &rows[i]) == 0 ? rows[i - 1].place : (uint32_t)i + 1;
    return listed;
}
