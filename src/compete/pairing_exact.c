/* The best tables of a few players: every set of them is solved once, from the smaller ones. */
#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"
#include "compete/pairing_parts.h"

struct solution {
    unsigned tables; /* 0: the set cannot be seated, but for the empty one */
    unsigned first;  /* the set at the table of its smallest number */
    struct pairing_cost cost;
};

struct search {
    const struct pairing_round *round;
    const uint32_t *players;
    struct pairing_table *table; /* of each set with the size of a table, seated */
    struct pairing_cost *cost;   /* of each table */
    struct solution *best;       /* of each set */
};

static bool is_table(const struct search *search, unsigned set)
{
    const unsigned size = (unsigned)__builtin_popcount(set);
    return size <= search->round->in->seats && size >= search->round->in->least;
}

static void table_of(const struct search *search, unsigned set)
{
    struct pairing_table *table = &search->table[set];
    for (unsigned rest = set; rest; rest &= rest - 1)
        table->players[table->size++] = search->players[__builtin_ctz(rest)];
    search->cost[set].again = pairing_again(search->round, table);
    search->cost[set].spread = pairing_spread(search->round, table);
    search->cost[set].imbalance = pairing_seat(search->round, table);
}

static bool smaller_list(const struct pairing_table *a, const struct pairing_table *b)
{
    unsigned i = 0;
    while (i < a->size && i < b->size && a->players[i] == b->players[i])
        i++;
    return i == a->size || i == b->size ? a->size < b->size : a->players[i] < b->players[i];
}

/* Lists of different tables for one smallest number differ in the first table: the rest need not be compared. */
static bool is_better(const struct search *search, const struct solution *new, const struct solution *old)
{
    if (old->tables == 0 || new->tables != old->tables)
        return old->tables == 0 || new->tables < old->tables;
    int order = pairing_cost_order(new->cost, old->cost);
    return order < 0 || (order == 0 && smaller_list(&search->table[new->first], &search->table[old->first]));
}

static void solve(const struct search *search, unsigned set)
{
    const unsigned lowest = set & -set, others = set ^ lowest;
    struct solution *best = &search->best[set];
    for (unsigned part = others;; part = (part - 1) & others) {
        const unsigned first = part | lowest, rest = set ^ first;
        if (is_table(search, first) && (!rest || search->best[rest].tables)) {
            const struct solution new = {search->best[rest].tables + 1, first,
                                         pairing_cost_add(search->cost[first], search->best[rest].cost)};
            if (is_better(search, &new, best))
                *best = new;
        }
        if (!part)
            return;
    }
}

void pairing_exact(const struct pairing_round *round, const uint32_t *players, size_t count,
                   struct pairing *out)
{
    const size_t sets = (size_t)1 << count;
    struct search search = {.round = round, .players = players};
    assert(count <= PAIRING_EXACT);
    search.table = mem_array(sets, sizeof *search.table);
    search.cost = mem_array(sets, sizeof *search.cost);
    search.best = mem_array(sets, sizeof *search.best);
    for (unsigned set = 1; set < sets; set++)
        if (is_table(&search, set))
            table_of(&search, set);
    for (unsigned set = 1; set < sets; set++)
        solve(&search, set);
    unsigned rest = (unsigned)sets - 1;
    for (size_t i = 0; i < out->count; i++) {
        out->tables[i] = search.table[search.best[rest].first];
        rest ^= search.best[rest].first;
    }
    free(search.table);
    free(search.cost);
    free(search.best);
}
