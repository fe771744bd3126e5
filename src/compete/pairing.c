#include "compete/pairing.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"
#include "compete/pairing_parts.h"

/* How many tables there are, how many of them have a seat less, and how many players none. */
struct shape {
    size_t tables, small, byes;
};

static struct shape shape_of(const struct pairing_input *in)
{
    for (struct shape shape = {0, 0, 0};; shape.byes++) {
        const size_t players = in->count - shape.byes;
        shape.tables = (players + in->seats - 1) / in->seats;
        shape.small = shape.tables * in->seats - players;
        if (shape.small == 0 || (in->least < in->seats && shape.small <= shape.tables))
            return shape;
    }
}

struct candidate {
    uint32_t player;
    int32_t score;
    uint16_t byes;
};

static int by_claim(const void *a, const void *b)
{
    const struct candidate *one = a, *other = b;
    if (one->byes != other->byes)
        return one->byes < other->byes ? -1 : 1;
    if (one->score != other->score)
        return one->score < other->score ? -1 : 1;
    return (one->player < other->player) - (one->player > other->player);
}

static int by_number(const void *a, const void *b)
{
    const uint32_t *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

/* Those who have a bye into out->byes; the others, ascending, are returned: owned. */
static uint32_t *set_aside(const struct pairing_input *in, struct pairing *out)
{
    struct candidate *list = mem_array(in->count + 1, sizeof *list);
    uint32_t *rest = mem_array(in->count + 1, sizeof *rest);
    for (size_t i = 0; i < in->count; i++)
        list[i] = (struct candidate){(uint32_t)i, in->players[i].score, in->players[i].byes};
    if (out->bye_count)
        qsort(list, in->count, sizeof *list, by_claim);
    for (size_t i = 0; i < in->count; i++)
        *(i < out->bye_count ? &out->byes[i] : &rest[i - out->bye_count]) = list[i].player;
    qsort(out->byes, out->bye_count, sizeof *out->byes, by_number);
    qsort(rest, in->count - out->bye_count, sizeof *rest, by_number);
    free(list);
    return rest;
}

static uint32_t smallest(const struct pairing_table *table)
{
    uint32_t least = table->players[0];
    for (unsigned i = 1; i < table->size; i++)
        if (table->players[i] < least)
            least = table->players[i];
    return least;
}

static int by_smallest(const void *a, const void *b)
{
    const uint32_t one = smallest(a), other = smallest(b);
    return (one > other) - (one < other);
}

static void check(const struct pairing_input *in)
{
    assert(in->seats >= 2 && in->seats <= COMPETE_SEATS);
    assert(in->least == in->seats || (in->least + 1 == in->seats && in->least >= 2));
    for (size_t i = 0; i < in->count; i++)
        assert(in->players[i].score >= -PAIRING_SCORE && in->players[i].score <= PAIRING_SCORE);
    for (size_t i = 0; i < in->met_count; i++)
        assert(in->met[i].a != in->met[i].b && in->met[i].a < in->count && in->met[i].b < in->count);
}

void pairing_make(const struct pairing_input *in, struct pairing *out)
{
    const struct shape shape = shape_of(in);
    struct pairing_round round;
    check(in);
    *out = (struct pairing){.count = shape.tables, .bye_count = shape.byes};
    out->tables = mem_array(shape.tables + 1, sizeof *out->tables);
    out->byes = mem_array(shape.byes + 1, sizeof *out->byes);
    uint32_t *players = set_aside(in, out);
    pairing_round_open(&round, in);
    if (in->count - shape.byes <= PAIRING_EXACT) {
        pairing_exact(&round, players, in->count - shape.byes, out);
    } else {
        pairing_greedy(&round, players, shape.small, out);
        pairing_exchange(&round, out);
        for (size_t i = 0; i < out->count; i++)
            (void)pairing_seat(&round, &out->tables[i]);
        qsort(out->tables, out->count, sizeof *out->tables, by_smallest);
    }
    pairing_round_close(&round);
    free(players);
}

void pairing_release(struct pairing *pairing)
{
    free(pairing->tables);
    free(pairing->byes);
    *pairing = (struct pairing){NULL, 0, NULL, 0};
}
