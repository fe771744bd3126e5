/* The verbs of orders and the converter, both at HOME. */
#include "rules/galaxy_farmer/names.h"

#include <string.h>

#include "base/str.h"

static const char *resource_name(const struct gf_turn *turn, int resource)
{
    return turn->cards->planet[resource + 1].resource;
}

/* Nothing, "all", or a list of cubes from end to end. */
static bool is_list(const struct gf_turn *turn, struct args list)
{
    int amount[GF_PLANETS];
    if (!list.count || (list.count == 1 && strcmp(list.word->text, "all") == 0))
        return true;
    return gf_read_cubes(turn, &list, amount) && args_end(&list);
}

/* Splits "<cubes> <order>" after `front` words: names of orders and of resources may begin alike ("sunpod
 * sun cake"), so both parts must fit. */
static bool split_at(const struct gf_turn *turn, const struct args *args, size_t front, struct args *name)
{
    *name = (struct args){args->word + front, args->count - front};
    return is_list(turn, (struct args){args->word, front});
}

/* `front` is empty when an order stands alone. */
static bool split_order(const struct gf_turn *turn, const struct args *args, struct args *front, int *slot)
{
    for (size_t at = 0; at < args->count; at++) {
        struct args name;
        *front = (struct args){args->word, at};
        if (split_at(turn, args, at, &name) && gf_read_open(turn, &name, slot, NULL) == NAME_ONE &&
            args_end(&name))
            return true;
    }
    return false;
}

/* The words name no open order: says which part is wrong. */
static enum order_result refuse_split(const struct gf_turn *turn, const struct args *args, bool locks,
                                      struct refusal *why)
{
    struct args name = *args;
    int amount[GF_PLANETS];
    int card;
    for (size_t at = 0; at < args->count; at++) {
        if (split_at(turn, args, at, &name) && gf_read_order(turn, &name, &card) == NAME_ONE &&
            args_end(&name))
            return no(why, "order_not_open card=%s", turn->cards->order[card].name);
    }
    name = *args;
    if (!gf_read_cubes(turn, &name, amount))
        args_keyword(&name, "all", 3);
    if (!args_end(&name))
        return gf_refuse_order(turn, &name, why);
    return no(why, locks ? "lock_what" : "convert_what");
}

static void tell_locked(struct gf_turn *turn, int slot, const uint8_t cubes[GF_PLANETS])
{
    const struct gf_order *order = &turn->state->open[slot];
    say(turn->events, GF_SEAT, RULE_STORE, "locked what=%s card=%s missing+=%d",
        gf_cubes_words(turn->cards, turn->state, cubes).p, gf_order_card(turn->cards, order)->name,
        gf_missing(turn->cards, order));
}

/* All free cubes that the order takes as they are now. */
static bool lock_fitting(struct gf_turn *turn, int slot)
{
    const struct gf_order *order = &turn->state->open[slot];
    uint8_t cubes[GF_PLANETS] = {0};
    for (int i = 0; i < GF_PLANETS; i++) {
        int need = gf_need_for(turn->cards, order, i, gf_dark(turn->state, i));
        if (need < 0)
            continue;
        cubes[i] = (uint8_t)gf_min(gf_need_missing(turn->cards, order, need), gf_free(turn->state, i));
        gf_lock(turn->cards, turn->state, slot, need, cubes[i]);
    }
    if (gf_sum(cubes))
        tell_locked(turn, slot, cubes);
    return gf_sum(cubes) > 0;
}

#define CUBES " card=%s resource=%s state=%s count=%d"

static enum order_result lock_listed(struct gf_turn *turn, struct args *args, int slot, struct refusal *why)
{
    const struct gf_order *order = &turn->state->open[slot];
    const char *card = gf_order_card(turn->cards, order)->name;
    int amount[GF_PLANETS];
    int need[GF_PLANETS] = {0};
    uint8_t cubes[GF_PLANETS] = {0};
    (void)gf_read_cubes(turn, args, amount);
    for (int i = 0; i < GF_PLANETS; i++) {
        bool dark = gf_dark(turn->state, i);
        int free = gf_free(turn->state, i);
        if (!amount[i])
            continue;
        need[i] = gf_need_for(turn->cards, order, i, dark);
        if (need[i] < 0)
            return no(why,
                      gf_need_for(turn->cards, order, i, !dark) < 0 ? "lock_unneeded" CUBES
                                                                    : "lock_state" CUBES,
                      card, resource_name(turn, i), gf_state_word(dark), 0);
        int missing = gf_need_missing(turn->cards, order, need[i]);
        int wanted = amount[i] == ARGS_ALL ? gf_min(free, missing) : amount[i];
        if (wanted > missing)
            return no(why, "lock_too_many" CUBES, card, resource_name(turn, i), gf_state_word(dark), missing);
        if (wanted > free || !free)
            return no(why, "too_few_home resource=%s have=%d", resource_name(turn, i), free);
        cubes[i] = (uint8_t)wanted;
    }
    for (int i = 0; i < GF_PLANETS; i++) {
        if (cubes[i])
            gf_lock(turn->cards, turn->state, slot, need[i], cubes[i]);
    }
    if (!gf_sum(cubes))
        return no(why, "how_many");
    tell_locked(turn, slot, cubes);
    return ORDER_DONE;
}

enum order_result gf_run_lock(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gf_turn *turn = arg;
    struct args front;
    int slot;
    int slots[GF_OPEN];
    bool any = false;
    (void)rolled;
    if (!gf_at_home(turn, why))
        return ORDER_REFUSED;
    if (args_end(args))
        return no(why, "lock_what");
    if (args->count == 1 && args_keyword(args, "all", 3)) {
        for (int count = gf_by_completion(turn->cards, turn->state, slots), i = 0; i < count; i++)
            any = lock_fitting(turn, slots[i]) || any;
        return any ? ORDER_DONE : no(why, "nothing_fits");
    }
    if (!split_order(turn, args, &front, &slot))
        return refuse_split(turn, args, true, why);
    if (front.count && !(front.count == 1 && args_keyword(&front, "all", 3)))
        return lock_listed(turn, &front, slot, why);
    if (lock_fitting(turn, slot))
        return ORDER_DONE;
    return no(why, "nothing_fits card=%s", gf_order_card(turn->cards, &turn->state->open[slot])->name);
}

/* One resource, with a number (0: none was given); -1 when it is none, or more than one. */
static int read_gift(const struct gf_turn *turn, struct args *args, int *count)
{
    int amount[GF_PLANETS];
    int kind = -1;
    bool counted = args->count && args->word->kind == WORD_NUMBER;
    if (!gf_read_cubes(turn, args, amount) || !args_end(args))
        return -1;
    for (int i = 0; i < GF_PLANETS; i++) {
        if (!amount[i])
            continue;
        if (kind >= 0)
            return -1;
        kind = i;
    }
    *count = counted && kind >= 0 ? amount[kind] : 0;
    return kind;
}

enum order_result gf_run_convert(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gf_turn *turn = arg;
    struct gf_state *state = turn->state;
    struct args front;
    int slot;
    int count;
    (void)rolled;
    if (!gf_at_home(turn, why))
        return ORDER_REFUSED;
    int price = gf_price(turn->cards, state, turn->converted);
    if (!split_order(turn, args, &front, &slot))
        return refuse_split(turn, args, false, why);
    int resource = read_gift(turn, &front, &count);
    if (resource < 0)
        return no(why, "convert_what");
    const char *card = gf_order_card(turn->cards, &state->open[slot])->name;
    bool dark = gf_dark(state, resource);
    if (count && count != price)
        return no(why, "convert_price price=%d", price);
    int need = gf_need_for(turn->cards, &state->open[slot], resource, !dark);
    if (need < 0)
        return no(why, "convert_unneeded" CUBES, card, resource_name(turn, resource), gf_state_word(!dark),
                  0);
    if (gf_free(state, resource) < price)
        return no(why, "convert_poor resource=%s have=%d price=%d", resource_name(turn, resource),
                  gf_free(state, resource), price);
    gf_convert(turn->cards, state, slot, need, price);
    turn->converted = true;
    say(turn->events, GF_SEAT, RULE_CONVERT, "converted gave=%s got=%s card=%s missing+=%d",
        gf_kind_words(turn->cards, resource, price, dark).p, gf_kind_words(turn->cards, resource, 1, !dark).p,
        card, gf_missing(turn->cards, &state->open[slot]));
    return ORDER_DONE;
}
