/* Resource cards: how many of each kind. */
#ifndef GALACTIC_CONTRACT_GOODS_H
#define GALACTIC_CONTRACT_GOODS_H

#include <stdbool.h>

#include "rules/brief.h"

enum gk_kind { GK_METAL, GK_FOOD, GK_CRYSTAL, GK_FUEL, GK_KINDS };

struct gk_goods {
    int of[GK_KINDS];
};

extern const char *const gk_kinds[GK_KINDS]; /* "metal", "food", "crystal", "fuel" */

int gk_sum(const struct gk_goods *goods);
bool gk_covers(const struct gk_goods *have, const struct gk_goods *cost);
void gk_add(struct gk_goods *to, const struct gk_goods *more);
void gk_take(struct gk_goods *from, const struct gk_goods *less);
/* What of each kind both have. */
struct gk_goods gk_common(const struct gk_goods *a, const struct gk_goods *b);
/* What `cost` needs beyond `have`. */
struct gk_goods gk_missing(const struct gk_goods *have, const struct gk_goods *cost);
/* As orders write it: "2 metal, 1 fuel"; empty, or "nothing", for nothing. */
struct brief gk_goods_words(const struct gk_goods *goods);
struct brief gk_goods_or_nothing(const struct gk_goods *goods);

#endif
