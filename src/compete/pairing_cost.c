/* What tables cost: meetings again, spread of scores, imbalance of seats. */
#include "compete/pairing_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct pairing_cost pairing_cost_add(struct pairing_cost a, struct pairing_cost b)
{
    return (struct pairing_cost){a.again + b.again, a.spread + b.spread, a.imbalance + b.imbalance};
}

static int order(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

int pairing_cost_order(struct pairing_cost a, struct pairing_cost b)
{
    int first = order(a.again, b.again);
    if (first == 0)
        first = order(a.spread, b.spread);
    return first ? first : order(a.imbalance, b.imbalance);
}

static int by_number(const void *a, const void *b)
{
    const struct pairing_known *one = a, *other = b;
    return (one->player > other->player) - (one->player < other->player);
}

void pairing_round_open(struct pairing_round *round, const struct pairing_input *in)
{
    round->in = in;
    round->known = mem_array(2 * in->met_count + 1, sizeof *round->known);
    round->from = mem_array(in->count + 2, sizeof *round->from);
    for (size_t i = 0; i < in->met_count; i++) {
        round->from[in->met[i].a + 2]++;
        round->from[in->met[i].b + 2]++;
    }
    for (size_t p = 2; p < in->count + 2; p++)
        round->from[p] += round->from[p - 1];
    for (size_t i = 0; i < in->met_count; i++) { /* from[p + 1] runs through the list of p to its end */
        const struct pairing_met *met = &in->met[i];
        round->known[round->from[met->a + 1]++] = (struct pairing_known){met->b, met->times};
        round->known[round->from[met->b + 1]++] = (struct pairing_known){met->a, met->times};
    }
    for (size_t p = 0; p < in->count; p++)
        qsort(round->known + round->from[p], round->from[p + 1] - round->from[p], sizeof *round->known,
              by_number);
}

void pairing_round_close(struct pairing_round *round)
{
    free(round->known);
    free(round->from);
}

uint32_t pairing_times(const struct pairing_round *round, uint32_t a, uint32_t b)
{
    size_t low = round->from[a], high = round->from[a + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (round->known[middle].player == b)
            return round->known[middle].times;
        if (round->known[middle].player < b)
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}

int64_t pairing_again(const struct pairing_round *round, const struct pairing_table *table)
{
    int64_t sum = 0;
    for (unsigned i = 1; i < table->size; i++)
        for (unsigned j = 0; j < i; j++)
            sum += pairing_times(round, table->players[i], table->players[j]);
    return sum;
}

int64_t pairing_spread(const struct pairing_round *round, const struct pairing_table *table)
{
    const struct pairing_player *players = round->in->players;
    int64_t sum = 0;
    for (unsigned i = 1; i < table->size; i++)
        for (unsigned j = 0; j < i; j++) {
            int64_t apart = (int64_t)players[table->players[i]].score - players[table->players[j]].score;
            sum += apart * apart;
        }
    return sum;
}

static int64_t seat_cost(const struct pairing_round *round, uint32_t player, unsigned seat)
{
    int64_t times = (int64_t)round->in->players[player].seats[seat] + 1;
    return times * times;
}

/* least[set]: of the players in the set, by their places at the table, when they sit in the last seats. */
static void seat_sets(const struct pairing_round *round, const struct pairing_table *table,
                      int64_t least[1 << COMPETE_SEATS])
{
    least[0] = 0;
    for (unsigned set = 1; set < 1U << table->size; set++) {
        const unsigned seat = table->size - (unsigned)__builtin_popcount(set);
        least[set] = INT64_MAX;
        for (unsigned rest = set; rest; rest &= rest - 1) {
            const unsigned place = (unsigned)__builtin_ctz(rest);
            int64_t cost = least[set ^ 1U << place] + seat_cost(round, table->players[place], seat);
            if (cost < least[set])
                least[set] = cost;
        }
    }
}

int64_t pairing_imbalance(const struct pairing_round *round, const struct pairing_table *table)
{
    int64_t least[1 << COMPETE_SEATS];
    seat_sets(round, table, least);
    return least[(1U << table->size) - 1];
}

static int by_value(const void *a, const void *b)
{
    const uint32_t *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

int64_t pairing_seat(const struct pairing_round *round, struct pairing_table *table)
{
    int64_t least[1 << COMPETE_SEATS];
    struct pairing_table seated = {table->size, {0}};
    qsort(table->players, table->size, sizeof *table->players, by_value);
    seat_sets(round, table, least);
    unsigned set = (1U << table->size) - 1;
    for (unsigned seat = 0; seat < table->size; seat++) {
        unsigned place = 0;
        while (!(set >> place & 1) ||
               least[set] != least[set ^ 1U << place] + seat_cost(round, table->players[place], seat))
            place++;
        seated.players[seat] = table->players[place];
        set ^= 1U << place;
    }
    memcpy(table->players, seated.players, sizeof seated.players);
    return least[(1U << table->size) - 1];
}
