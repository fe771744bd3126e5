/* BUY, SWAP, DISCARD, LOAD, STORE: what passes between ship, storage and bank. */
#include "rules/galactic_contract/verbs.h"

#include "rules/galactic_contract/names.h"

/* ---- upgrades ---- */

static bool read_upgrade(const struct gk_turn *turn, struct args *args, int *upgrade, struct refusal *why)
{
    struct str candidates = STR_INIT;
    struct args next = *args;
    if (args_keyword(&next, "storage", 7) && !args_end(&next)) /* BUY STORAGE SUADI */
        *args = next;
    enum name_found found = gk_read_upgrade(turn, args, upgrade, &candidates);
    if (found == NAME_MANY)
        refuse_many(why, args, &candidates);
    else if (found == NAME_NONE)
        no(why, args_end(args) ? "upgrade_missing words=%s" : "unknown_upgrade words=%s", args_words(args).p);
    str_release(&candidates);
    return found == NAME_ONE && args_finished(args, why);
}

enum order_result gk_run_buy(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gk_turn *turn = arg;
    const struct gk_player *player = turn->player;
    int upgrade;
    (void)rolled;
    if (!gk_ready(turn, why) || !read_upgrade(turn, args, &upgrade, why))
        return ORDER_REFUSED;
    const struct gk_upgrade_card *card = gk_upgrade_card(turn->cards, upgrade);
    int owner = gk_owner(turn->cards, turn->state, upgrade);
    int max = gk_ship_card(turn->cards, player->ship)->max_upgrades;
    if (owner)
        return no(why,
                  owner < 0             ? "upgrade_out_of_play upgrade=%s"
                  : owner == turn->seat ? "upgrade_owned upgrade=%s"
                                        : "upgrade_taken upgrade=%s",
                  card->name);
    if (player->owned_count >= max || player->owned_count >= GK_UPGRADES)
        return no(why, "upgrades_full ship=%s max=%d", gk_ship_card(turn->cards, player->ship)->name, max);
    if (!gk_covers(&player->cargo, &card->cost)) {
        struct gk_goods lacking = gk_missing(&player->cargo, &card->cost);
        return no(why, "upgrade_poor upgrade=%s cost=%s lacking=%s", card->name,
                  gk_goods_or_nothing(&card->cost).p, gk_goods_or_nothing(&lacking).p);
    }
    gk_buy(turn, upgrade);
    return ORDER_DONE;
}

/* ---- the swap ---- */

/* "3 metal fuel", "metal fuel", "3 metal 1 fuel". */
static bool read_swap(const struct gk_cards *cards, struct args *args, int *give, int *get,
                      struct refusal *why)
{
    int many = cards->swap_give;
    int one = 1;
    (void)args_number(args, &many);
    bool read = gk_read_kind(args, give);
    (void)args_number(args, &one);
    read = read && gk_read_kind(args, get);
    if (!read) {
        no(why, "swap_what give=%d", cards->swap_give);
        return false;
    }
    if (!args_finished(args, why))
        return false;
    if (many != cards->swap_give || one != 1 || *give == *get) {
        no(why, *give == *get ? "swap_same give=%d" : "swap_amount give=%d", cards->swap_give);
        return false;
    }
    return true;
}

enum order_result gk_run_swap(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gk_turn *turn = arg;
    int give, get;
    (void)rolled;
    if (!gk_ready(turn, why) || !read_swap(turn->cards, args, &give, &get, why))
        return ORDER_REFUSED;
    if (turn->state->swapped)
        return no(why, "swapped_already");
    if (turn->player->cargo.of[give] < turn->cards->swap_give)
        return no(why, "swap_poor give=%d kind=%s have=%d", turn->cards->swap_give, gk_kinds[give],
                  turn->player->cargo.of[give]);
    if (turn->state->bank.of[get] < 1)
        return no(why, "bank_empty kind=%s", gk_kinds[get]);
    gk_swap(turn, give, get);
    return ORDER_DONE;
}

/* ---- lists of cargo ---- */

/* "2 metal 1 fuel", "all metal", "all", "up to 2 metal". Where the order leaves the amount open it is cut to
 * what is there; then `open` is true for the kind. */
static bool read_list(struct args *args, const struct gk_goods *have, struct gk_goods *amount,
                      bool open[GK_KINDS], struct refusal *why)
{
    struct args words = *args;
    bool at_most = args_keyword(args, "up", 2);
    struct args alone = *args;
    int all;
    if (args_number(&alone, &all) && all == ARGS_ALL && args_end(&alone)) {
        *args = alone;
        *amount = *have;
        for (int k = 0; k < GK_KINDS; k++)
            open[k] = true;
        return true;
    }
    if (!args_resources(args, gk_kinds, GK_KINDS, amount->of)) {
        no(why, args_end(&words) ? "list_missing words=%s" : "unknown_goods words=%s", args_words(&words).p);
        return false;
    }
    for (int k = 0; k < GK_KINDS; k++) {
        open[k] = at_most || amount->of[k] >= ARGS_ALL;
        if (open[k] && amount->of[k] > have->of[k])
            amount->of[k] = have->of[k];
    }
    return args_finished(args, why);
}

/* Reduces the open amounts until all fits, the kinds least wanted (or most, for what stays behind) first. */
static void cut_to_room(const struct gk_player *player, struct gk_goods *amount, const bool open[GK_KINDS],
                        int room, bool keep_wanted)
{
    while (gk_sum(amount) > room) {
        struct gk_goods choice = *amount;
        for (int k = 0; k < GK_KINDS; k++)
            choice.of[k] = open[k] ? amount->of[k] : 0;
        int kind = keep_wanted ? gk_least_wanted(player, &choice) : gk_most_wanted(player, &choice);
        if (kind < 0)
            return;
        amount->of[kind]--;
    }
}

enum order_result gk_run_discard(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gk_turn *turn = arg;
    struct gk_goods amount;
    bool open[GK_KINDS];
    (void)rolled;
    if (!gk_ready(turn, why) || !read_list(args, &turn->player->cargo, &amount, open, why))
        return ORDER_REFUSED;
    if (!gk_covers(&turn->player->cargo, &amount) || gk_sum(&amount) == 0)
        return no(why, "not_in_cargo cargo=%s", gk_goods_or_nothing(&turn->player->cargo).p);
    gk_discard(turn, &amount);
    return ORDER_DONE;
}

static struct gk_owned *storage_here(struct gk_turn *turn, struct refusal *why)
{
    int here = gk_where(turn->state, turn->player);
    struct gk_owned *storage = gk_storage_at(turn->cards, turn->state, turn->player, here);
    if (!storage)
        no(why, "no_storage_here place=%s", gk_place_words(turn->cards, turn->state, here));

    return storage;
}

enum order_result gk_run_load(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gk_turn *turn = arg;
    struct gk_goods amount;
    bool open[GK_KINDS];
    (void)rolled;
    struct gk_owned *storage = gk_ready(turn, why) ? storage_here(turn, why) : NULL;
    if (!storage || !read_list(args, &storage->held, &amount, open, why))
        return ORDER_REFUSED;
    int room = gk_room(turn->cards, turn->player);
    cut_to_room(turn->player, &amount, open, room, true);
    if (!gk_covers(&storage->held, &amount) || gk_sum(&storage->held) == 0)
        return no(why, "not_in_storage storage=%s held=%s", gk_upgrade_card(turn->cards, storage->card)->name,
                  gk_goods_or_nothing(&storage->held).p);
    if (gk_sum(&amount) > room || gk_sum(&amount) == 0)
        return no(why, "ship_full room=%d capacity=%d", room, gk_capacity(turn->cards, turn->player));
    gk_load(turn, storage, &amount);
    return ORDER_DONE;
}

enum order_result gk_run_store(void *arg, struct args *args, struct refusal *why, bool *rolled)
{
    struct gk_turn *turn = arg;
    struct gk_goods amount;
    bool open[GK_KINDS];
    (void)rolled;
    struct gk_owned *storage = gk_ready(turn, why) ? storage_here(turn, why) : NULL;
    if (!storage || !read_list(args, &turn->player->cargo, &amount, open, why))
        return ORDER_REFUSED;
    int room = gk_storage_room(turn->cards, storage);
    cut_to_room(turn->player, &amount, open, room, false);
    if (!gk_covers(&turn->player->cargo, &amount) || gk_sum(&turn->player->cargo) == 0)
        return no(why, "not_in_cargo cargo=%s", gk_goods_or_nothing(&turn->player->cargo).p);
    if (gk_sum(&amount) > room || gk_sum(&amount) == 0)
        return no(why, "storage_full storage=%s room=%d", gk_upgrade_card(turn->cards, storage->card)->name,
                  room);
    gk_store(turn, storage, &amount);
    return ORDER_DONE;
}
