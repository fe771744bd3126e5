/* What the files of the pairing engine share. */
#ifndef COMPETE_PAIRING_PARTS_H
#define COMPETE_PAIRING_PARTS_H

#include <stdbool.h>

#include "compete/pairing.h"

#define PAIRING_EXACT 12 /* the most players for whom the best tables are searched */

/* What is to be made small, the first member first. Sums: costs of tables add up. */
struct pairing_cost {
    int64_t again, spread, imbalance;
};
struct pairing_cost pairing_cost_add(struct pairing_cost a, struct pairing_cost b);
int pairing_cost_order(struct pairing_cost a, struct pairing_cost b); /* as of strcmp */

/* Somebody whom a player has met. */
struct pairing_known {
    uint32_t player, times;
};

struct pairing_round {
    const struct pairing_input *in;
    struct pairing_known *known; /* of player p: from[p] up to from[p + 1], by number */
    size_t *from;
};
void pairing_round_open(struct pairing_round *round, const struct pairing_input *in);
void pairing_round_close(struct pairing_round *round);

/* How often two have met. */
uint32_t pairing_times(const struct pairing_round *round, uint32_t a, uint32_t b);
/* Of all pairs at a table; its players may be in any order. */
int64_t pairing_again(const struct pairing_round *round, const struct pairing_table *table);
int64_t pairing_spread(const struct pairing_round *round, const struct pairing_table *table);
/* Of the best seating. */
int64_t pairing_imbalance(const struct pairing_round *round, const struct pairing_table *table);
/* Puts a table's players into the best seating; its imbalance. */
int64_t pairing_seat(const struct pairing_round *round, struct pairing_table *table);

/* The ways to make tables for `players` (ascending), out->count of them, of which `small` have a seat less. */
void pairing_exact(const struct pairing_round *round, const uint32_t *players, size_t count,
                   struct pairing *out);
void pairing_greedy(const struct pairing_round *round, const uint32_t *players, size_t small,
                    struct pairing *out);
void pairing_exchange(const struct pairing_round *round, struct pairing *out);

#endif
