/* KEEP and PLACE, which are standing lists, and COLLECT, which is carried out last. */
#include "rules/galactic_contract/verbs.h"

#include <string.h>

#include "rules/galactic_contract/names.h"

/* ---- KEEP ---- */

enum order_result gk_run_keep(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gk_turn *turn = arg;
    uint8_t keep[GK_KINDS] = {0};
    int count = 0;
    bool listed[GK_KINDS] = {false};
    (void)rolled;
    if (!gk_ready(turn, why))
        return ORDER_REFUSED;
    if (args_end(args))
        return no(why, "keep_what");
    if (args_keyword(args, "none", 4) && args_end(args)) {
        turn->player->keep_count = 0;
        memset(turn->player->keep, 0, sizeof(keep));
        return ORDER_DONE;
    }
    while (!args_end(args)) {
        int kind;
        if (!gk_read_kind(args, &kind))
            return no(why, "unknown_goods words=%s", args_words(args).p);
        if (!listed[kind])
            keep[count++] = (uint8_t)kind;
        listed[kind] = true;
    }
    memcpy(turn->player->keep, keep, sizeof(keep));
    turn->player->keep_count = count;
    return ORDER_DONE;
}

/* ---- PLACE ---- */

/* Constructions that can be attached, one entry a name. `mine[n]`: the construction n has the name read. */
static bool read_construction(const struct gk_turn *turn, struct args *args, bool mine[GK_CONSTRUCTIONS + 1])
{
    struct named named[GK_CONSTRUCTIONS + 1];
    size_t count = 0;
    int value;
    for (int n = 1; n <= GK_CONSTRUCTIONS; n++) {
        const struct gk_construction_card *card = gk_construction_card(turn->cards, n);
        int same = n;
        if (card->kind == GK_GIFT)
            continue;
        for (int before = n - 1; before >= 1; before--) {
            if (strcmp(gk_construction_card(turn->cards, before)->name, card->name) == 0)
                same = before;
        }
        named[count++] = (struct named){card->name, NULL, same};
    }
    if (args_keyword(args, "depot", 3) || args_keyword(args, "depots", 6)) {
        for (int n = 1; n <= GK_CONSTRUCTIONS; n++)
            mine[n] = gk_construction_card(turn->cards, n)->kind == GK_DEPOT;
        return true;
    }
    if (args_name(args, named, count, &value, NULL) != NAME_ONE)
        return false;
    for (int n = 1; n <= GK_CONSTRUCTIONS; n++)
        mine[n] = strcmp(gk_construction_card(turn->cards, n)->name,
                         gk_construction_card(turn->cards, value)->name) == 0;
    return true;
}

enum order_result gk_run_place(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gk_turn *turn = arg;
    uint8_t *put = turn->player->put;
    bool mine[GK_CONSTRUCTIONS + 1] = {false};
    int place = 0;
    (void)rolled;
    if (!gk_ready(turn, why))
        return ORDER_REFUSED;
    if (args_end(args))
        return no(why, "place_what");
    bool any = args_keyword(args, "any", 3);
    struct args next = *args;
    if (!any && args_keyword(&next, "none", 4) && args_end(&next)) {
        memset(put, 0, GK_CONSTRUCTIONS + 1);
        return ORDER_DONE;
    }
    bool named = !any && read_construction(turn, args, mine);
    if (!args_keyword(args, "none", 4) && !gk_need_place(turn, args, false, &place, why))
        return ORDER_REFUSED;
    if (!args_finished(args, why))
        return ORDER_REFUSED;
    if (!named)
        put[0] = (uint8_t)place;
    for (int n = 1; n <= GK_CONSTRUCTIONS && named; n++)
        put[n] = mine[n] ? (uint8_t)place : put[n];
    return ORDER_DONE;
}

/* ---- COLLECT ---- */

enum spoken { SAID_NOTHING, SAID_ALL, SAID_NONE, SAID_LIST };

/* "2 metal fuel", "up to 2 metal": as many as the order says; without a number as many as there are. */
static bool read_item(struct args *args, int *kind, int *amount)
{
    struct args next = *args;
    *amount = ARGS_ALL;
    (void)args_keyword(&next, "up", 2);
    (void)args_number(&next, amount);
    if (!gk_read_kind(&next, kind))
        return false;
    *args = next;
    return true;
}

static enum spoken read_wish(struct args *args, struct gk_wish *wish)
{
    int kind, amount;
    enum spoken spoken = SAID_NOTHING;
    *wish = (struct gk_wish){.mode = GK_UNSAID};
    while (read_item(args, &kind, &amount)) {
        int i = 0;
        while (i < wish->count && wish->item[i].kind != kind)
            i++;
        if (i < wish->count) {
            wish->item[i].amount =
                wish->item[i].amount + amount > ARGS_ALL ? ARGS_ALL : wish->item[i].amount + amount;
            continue;
        }
        wish->item[wish->count].kind = kind;
        wish->item[wish->count++].amount = amount;
        spoken = SAID_LIST;
    }
    if (spoken == SAID_NOTHING && args_keyword(args, "all", 3))
        spoken = SAID_ALL;
    if (spoken == SAID_NOTHING && (args_keyword(args, "none", 4) || args_keyword(args, "nothing", 4)))
        spoken = SAID_NONE;
    wish->mode = spoken == SAID_NOTHING ? GK_UNSAID : spoken == SAID_ALL ? GK_ALL : GK_LIST;
    return spoken;
}

struct collect_order {
    bool planet_named;
    int place;
    enum spoken said, said_storage;
    struct gk_wish wish, storage_wish;
};

static bool read_collect(const struct gk_turn *turn, struct args *args, struct collect_order *order,
                         struct refusal *why)
{
    order->place = gk_where(turn->state, turn->player);
    order->said = read_wish(args, &order->wish);
    if (order->said == SAID_NOTHING && !args_end(args)) {
        struct args next = *args;
        if (!args_keyword(&next, "storage", 4)) {
            if (!gk_need_place(turn, args, false, &order->place, why))
                return false;
            order->planet_named = true;
            order->said = read_wish(args, &order->wish);
        }
    }
    if (args_keyword(args, "storage", 4)) {
        /* COLLECT STORAGE SUADI METAL is COLLECT SUADI STORAGE METAL. */
        if (order->said == SAID_NOTHING && !order->planet_named &&
            gk_read_place(turn, args, false, &order->place, NULL) == NAME_ONE)
            order->planet_named = true;
        order->said_storage = read_wish(args, &order->storage_wish);
        if (order->said_storage == SAID_NOTHING) {
            order->said_storage = SAID_ALL;
            order->storage_wish.mode = GK_ALL;
        }
    }
    return args_finished(args, why);
}

/* Kinds that are asked for but not produced there: a mistake. */
static bool produced(const struct gk_turn *turn, int place, const struct gk_wish *wish, struct refusal *why)
{
    struct gk_goods production = gk_production(turn->cards, gk_planet_const(turn->state, place));
    for (int i = 0; i < wish->count; i++) {
        if (production.of[wish->item[i].kind])
            continue;
        no(why, "not_produced planet=%s kind=%s", gk_place_name(turn->cards, turn->state, place),
           gk_kinds[wish->item[i].kind]);
        return false;
    }
    return true;
}

/* The own storages whose planet is not the ship's place. */
static bool elsewhere(const struct gk_turn *turn, int index)
{
    int planet = gk_upgrade_card(turn->cards, turn->player->owned[index].card)->planet;
    int place = gk_place_of_card(turn->state, planet);
    return place != GK_GCC && place != gk_where(turn->state, turn->player);
}

static void set_elsewhere(struct gk_turn *turn, const struct gk_wish *wish)
{
    for (int i = 0; i < turn->player->owned_count; i++) {
        if (elsewhere(turn, i))
            turn->stored[i] = *wish;
    }
}

/* The storage of a planet where the ship is not. */
static enum order_result collect_far(struct gk_turn *turn, const struct collect_order *order,
                                     struct refusal *why)
{
    const struct gk_owned *storage = gk_storage_at(turn->cards, turn->state, turn->player, order->place);
    const struct gk_wish *wish = order->said_storage == SAID_NOTHING ? &order->wish : &order->storage_wish;
    if (!storage)
        return no(why, "no_storage_there planet=%s", gk_place_name(turn->cards, turn->state, order->place));
    if (!produced(turn, order->place, wish, why))
        return ORDER_REFUSED;
    turn->stored[storage - turn->player->owned] = *wish;
    return ORDER_DONE;
}

enum order_result gk_run_collect(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gk_turn *turn = arg;
    struct collect_order order = {false, 0, SAID_NOTHING, SAID_NOTHING, {0}, {0}};
    int here = gk_where(turn->state, turn->player);
    bool others = false;
    (void)rolled;
    if (!gk_ready(turn, why) || !read_collect(turn, args, &order, why))
        return ORDER_REFUSED;
    if (order.place != here)
        return collect_far(turn, &order, why);
    for (int i = 0; i < turn->player->owned_count; i++)
        others = others || elsewhere(turn, i);
    bool storage = gk_storage_at(turn->cards, turn->state, turn->player, here) != NULL;
    if (here == GK_GCC && (!others || order.said == SAID_LIST))
        return no(why, "nothing_to_collect");
    if (order.said_storage != SAID_NOTHING && !storage && !others)
        return no(why, "no_storage_here place=%s", gk_place_words(turn->cards, turn->state, here));
    if (here != GK_GCC && (!produced(turn, here, &order.wish, why) ||
                           (storage && !produced(turn, here, &order.storage_wish, why))))
        return ORDER_REFUSED;
    if (order.said != SAID_NOTHING)
        turn->ship = order.wish;
    if (order.said_storage != SAID_NOTHING && storage)
        turn->here = order.storage_wish;
    if (order.said_storage != SAID_NOTHING && !storage)
        set_elsewhere(turn, &order.storage_wish);
    else if (!order.planet_named && (order.said == SAID_NONE || order.said == SAID_ALL))
        set_elsewhere(turn, &order.wish);
    return ORDER_DONE;
}
