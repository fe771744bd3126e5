/* Reading names in orders and conditions. Refusing functions return ORDER_REFUSED and may be returned as they
 * are. */
#ifndef GALACTIC_CONTRACT_NAMES_H
#define GALACTIC_CONTRACT_NAMES_H

#include "rules/galactic_contract/turn.h"
#include "rules/refuse.h"

/* "GCC" or a planet of the circle, by name or code ("P3"); planets only when `gcc` is false. */
enum name_found gk_read_place(const struct gk_turn *turn, struct args *args, bool gcc, int *place,
                              struct str *candidates);
enum name_found gk_read_upgrade(const struct gk_turn *turn, struct args *args, int *upgrade,
                                struct str *candidates);
/* Cards that have codes only: "S4", "T14". */
bool gk_read_code(struct args *args, char letter, int last, int *number);
/* One kind of resource. */
bool gk_read_kind(struct args *args, int *kind);

/* Reads a place for an order, or refuses. */
bool gk_need_place(const struct gk_turn *turn, struct args *args, bool gcc, int *place, struct refusal *why);
/* May this seat act now at all? Not in a reaction, after PAUSE, or when the game is over. */
bool gk_ready(const struct gk_turn *turn, struct refusal *why);

/* struct language.counters and .have: HAVE 2 METAL 1 FUEL, HAVE CARGO POD. */
extern const struct counter gk_counters[];
bool gk_have(void *turn, struct args *args, bool *known);

#endif
