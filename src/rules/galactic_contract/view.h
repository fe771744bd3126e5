/* The parts of the view (view.c, view_player.c), and how facts are put into it. */
#ifndef GALACTIC_CONTRACT_VIEW_H
#define GALACTIC_CONTRACT_VIEW_H

#include "base/value.h"
#include "rules/galactic_contract/turn.h"

/* "2 metal, 1 fuel"; false when there is nothing. */
void gk_put_goods(struct value *object, const char *key, const struct gk_goods *goods);
void gk_put_code(struct value *object, const char *key, char letter, int number);
/* {"metal": 2, ...} */
struct value *gk_numbers(struct arena *arena, const struct gk_goods *goods);

/* What everybody may know of a seat. */
struct value *gk_view_player(struct arena *arena, const struct gk_cards *cards, const struct gk_state *state,
                             int seat, const struct score *score);
/* Adds what concerns the seat alone: its lists, and its turn if it is to move. */
void gk_view_own(struct value *own, const struct gk_cards *cards, const struct gk_state *state, int seat);

#endif
