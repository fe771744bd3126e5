/* Tables of many players: filled one after another, then bettered by exchanges. */
#include <stdlib.h>

#include "base/mem.h"
#include "compete/pairing_parts.h"

/* REACH over the seats of a table: so far apart are tables that exchange players for scores or seats alone. */
#define PASSES 20
#define REACH  32

/* ---- greedy ---- */

struct in_row {
    int32_t score;
    uint32_t player;
};

static int by_score(const void *a, const void *b)
{
    const struct in_row *one = a, *other = b;
    if (one->score != other->score)
        return one->score > other->score ? -1 : 1;
    return (one->player > other->player) - (one->player < other->player);
}

struct filling {
    const struct pairing_round *round;
    struct in_row *row;
    size_t *next;   /* who is next in the row: next[0] is the first one's place from 1, 0 = the end */
    uint32_t *seen; /* how often each player has met those at the table */
};

static void see(const struct filling *filling, uint32_t player, bool sits)
{
    const struct pairing_round *round = filling->round;
    for (size_t i = round->from[player]; i < round->from[player + 1]; i++) {
        const struct pairing_known *known = &round->known[i];
        filling->seen[known->player] += sits ? known->times : -known->times;
    }
}

/* Whoever has met those at the table least leaves the row. */
static uint32_t take(const struct filling *filling)
{
    size_t before = 0;
    uint32_t least = UINT32_MAX;
    for (size_t at = 0; filling->next[at] && least > 0; at = filling->next[at]) {
        const uint32_t met = filling->seen[filling->row[filling->next[at] - 1].player];
        if (met < least) {
            least = met;
            before = at;
        }
    }
    const size_t taken = filling->next[before];
    filling->next[before] = filling->next[taken];
    return filling->row[taken - 1].player;
}

static void fill(const struct filling *filling, struct pairing_table *table, unsigned size)
{
    for (table->size = 0; table->size < size; table->size++) {
        table->players[table->size] = take(filling);
        see(filling, table->players[table->size], true);
    }
    for (unsigned i = 0; i < size; i++)
        see(filling, table->players[i], false);
}

void pairing_greedy(const struct pairing_round *round, const uint32_t *players, size_t small,
                    struct pairing *out)
{
    const size_t count = out->count * round->in->seats - small;
    struct filling filling = {.round = round};
    filling.row = mem_array(count, sizeof *filling.row);
    filling.next = mem_array(count + 1, sizeof *filling.next);
    filling.seen = mem_array(round->in->count, sizeof *filling.seen);
    for (size_t i = 0; i < count; i++) {
        filling.row[i] = (struct in_row){round->in->players[players[i]].score, players[i]};
        filling.next[i] = i + 1;
    }
    qsort(filling.row, count, sizeof *filling.row, by_score);
    for (size_t i = 0; i < out->count; i++)
        fill(&filling, &out->tables[i], round->in->seats - (i >= out->count - small));
    free(filling.row);
    free(filling.next);
    free(filling.seen);
}

/* ---- exchanges ---- */

/* How often a player has met those at the table, and how far their scores are apart, but for one place. */
static struct pairing_cost beside(const struct pairing_round *round, uint32_t player,
                                  const struct pairing_table *table, unsigned but)
{
    struct pairing_cost cost = {0, 0, 0};
    for (unsigned i = 0; i < table->size; i++) {
        if (i == but)
            continue;
        int64_t apart =
            (int64_t)round->in->players[player].score - round->in->players[table->players[i]].score;
        cost.again += pairing_times(round, player, table->players[i]);
        cost.spread += apart * apart;
    }
    return cost;
}

static void change_places(struct pairing_table *a, unsigned i, struct pairing_table *b, unsigned j)
{
    const uint32_t player = a->players[i];
    a->players[i] = b->players[j];
    b->players[j] = player;
}

static int64_t both_imbalances(const struct pairing_round *round, const struct pairing_table *a,
                               const struct pairing_table *b)
{
    return pairing_imbalance(round, a) + pairing_imbalance(round, b);
}

/* Exchanges two players if that is better; says whether it was. */
static bool exchanged(const struct pairing_round *round, struct pairing_table *a, unsigned i,
                      struct pairing_table *b, unsigned j)
{
    const uint32_t one = a->players[i], other = b->players[j];
    struct pairing_cost old = pairing_cost_add(beside(round, one, a, i), beside(round, other, b, j));
    struct pairing_cost new = pairing_cost_add(beside(round, other, a, i), beside(round, one, b, j));
    int order = pairing_cost_order(new, old);
    if (order > 0)
        return false;
    if (order == 0)
        old.imbalance = both_imbalances(round, a, b);
    change_places(a, i, b, j);
    if (order < 0)
        return true;
    new.imbalance = both_imbalances(round, a, b);
    if (new.imbalance < old.imbalance)
        return true;
    change_places(a, i, b, j);
    return false;
}

static bool tables_exchange(const struct pairing_round *round, struct pairing_table *a,
                            struct pairing_table *b)
{
    bool changed = false;
    for (unsigned i = 0; i < a->size; i++)
        for (unsigned j = 0; j < b->size; j++)
            changed |= exchanged(round, a, i, b, j);
    return changed;
}

/* again[t]: meetings at each table, kept as players change places. */
static bool pass(const struct pairing_round *round, struct pairing *out, int64_t *again)
{
    const size_t reach = REACH / round->in->seats;
    bool changed = false;
    for (size_t a = 0; a + 1 < out->count; a++)
        for (size_t b = a + 1; b < out->count; b++) {
            if (b - a > reach && !again[a] && !again[b])
                continue;
            if (!tables_exchange(round, &out->tables[a], &out->tables[b]))
                continue;
            again[a] = pairing_again(round, &out->tables[a]);
            again[b] = pairing_again(round, &out->tables[b]);
            changed = true;
        }
    return changed;
}

void pairing_exchange(const struct pairing_round *round, struct pairing *out)
{
    int64_t *again = mem_array(out->count, sizeof *again);
    for (size_t i = 0; i < out->count; i++)
        again[i] = pairing_again(round, &out->tables[i]);
    for (int passes = 0; passes < PASSES && pass(round, out, again);)
        passes++;
    free(again);
}
