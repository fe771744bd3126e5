/* The parts of the view (view.c, view_player.c), and how facts are put into it. */
#ifndef GALACTIC_CONTRACT_VIEW_H
#define GALACTIC_CONTRACT_VIEW_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "rules/galactic_contract/turn.h"

void gk_put_int(json_t *object, const char *key, int64_t n);
void gk_put_text(json_t *object, const char *key, const char *text);
void gk_put_flag(json_t *object, const char *key, bool flag);
/* false when 0, so that templates can ask for it without finding an outer one. */
void gk_put_amount(json_t *object, const char *key, int amount);
/* "2 metal, 1 fuel"; false when there is nothing. */
void gk_put_goods(json_t *object, const char *key, const struct gk_goods *goods);
void gk_put_code(json_t *object, const char *key, char letter, int number);
/* Marks all elements but the last with "more", for the commas between them. */
void gk_mark_more(json_t *list);
/* {"metal": 2, ...}. New reference, as all below. */
json_t *gk_numbers(const struct gk_goods *goods);

/* What everybody may know of a seat. */
json_t *gk_view_player(const struct gk_cards *cards, const struct gk_state *state, int seat,
                       const struct score *score);
/* Adds what concerns the seat alone: its lists, and its turn if it is to move. */
void gk_view_own(json_t *own, const struct gk_cards *cards, const struct gk_state *state, int seat);

#endif
