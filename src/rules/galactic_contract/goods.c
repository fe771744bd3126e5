#include "rules/galactic_contract/goods.h"

const char *const gk_kinds[GK_KINDS] = {"metal", "food", "crystal", "fuel"};

int gk_sum(const struct gk_goods *goods)
{
    int sum = 0;
    for (int k = 0; k < GK_KINDS; k++)
        sum += goods->of[k];
    return sum;
}

bool gk_covers(const struct gk_goods *have, const struct gk_goods *cost)
{
    for (int k = 0; k < GK_KINDS; k++) {
        if (have->of[k] < cost->of[k])
            return false;
    }
    return true;
}

void gk_add(struct gk_goods *to, const struct gk_goods *more)
{
    for (int k = 0; k < GK_KINDS; k++)
        to->of[k] += more->of[k];
}

void gk_take(struct gk_goods *from, const struct gk_goods *less)
{
    for (int k = 0; k < GK_KINDS; k++)
        from->of[k] -= less->of[k];
}

struct gk_goods gk_common(const struct gk_goods *a, const struct gk_goods *b)
{
    struct gk_goods least = {{0}};
    for (int k = 0; k < GK_KINDS; k++)
        least.of[k] = a->of[k] < b->of[k] ? a->of[k] : b->of[k];
    return least;
}

struct gk_goods gk_missing(const struct gk_goods *have, const struct gk_goods *cost)
{
    struct gk_goods lack = {{0}};
    for (int k = 0; k < GK_KINDS; k++)
        lack.of[k] = have->of[k] < cost->of[k] ? cost->of[k] - have->of[k] : 0;
    return lack;
}

struct brief gk_goods_words(const struct gk_goods *goods)
{
    struct str text = STR_INIT;
    for (int k = 0; k < GK_KINDS; k++) {
        if (!goods->of[k])
            continue;
        str_adds(&text, text.len ? ", " : "");
        str_addn(&text, goods->of[k]);
        str_addc(&text, ' ');
        str_adds(&text, gk_kinds[k]);
    }
    return brief_str(&text);
}

struct brief gk_goods_or_nothing(const struct gk_goods *goods)
{
    return gk_sum(goods) ? gk_goods_words(goods) : brief("nothing");
}
