/* 3. Collect: the ship's planet into the ship (or the own storage there), every other planet of an own
 * storage into that storage. */
#include "rules/galactic_contract/turn.h"

/* What is left on the planet, and where it may go. */
struct harvest {
    struct gk_goods left;
    struct gk_goods got;
};

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Fills a hold of `room` by an explicit wish; the wish's amounts are reduced by what was collected. */
static void take_wished(struct harvest *harvest, struct gk_wish *wish, int room)
{
    for (int i = 0; i < wish->count; i++) {
        int kind = wish->item[i].kind;
        int amount = smaller(smaller(wish->item[i].amount, harvest->left.of[kind]), room);
        if (amount <= 0)
            continue;
        wish->item[i].amount -= amount;
        harvest->left.of[kind] -= amount;
        harvest->got.of[kind] += amount;
        room -= amount;
    }
}

struct gk_goods gk_take_wanted(struct gk_player *aboard, struct gk_goods *left, int room)
{
    struct gk_goods got = {{0}};
    int kind;
    for (; room > 0 && (kind = gk_most_wanted(aboard, left)) >= 0; room--) {
        left->of[kind]--;
        got.of[kind]++;
        aboard->cargo.of[kind]++;
    }
    return got;
}

static void tell(struct gk_turn *turn, const struct gk_place *planet, const struct gk_goods *got,
                 const struct gk_goods *left, const struct gk_owned *storage)
{
    if (!gk_sum(got) && !gk_sum(left))
        return;
    const char *name = gk_planet_card(turn->cards, planet->card)->name;
    if (storage)
        say(turn->events, turn->seat, GK_RULE_COLLECT,
            "collected_stored planet=%s goods+=%s left+=%s storage=%s held+=%s", name, gk_goods_words(got).p,
            gk_goods_words(left).p, gk_upgrade_card(turn->cards, storage->card)->name,
            gk_goods_words(&storage->held).p);
    else
        say(turn->events, turn->seat, GK_RULE_COLLECT, "collected planet=%s goods+=%s left+=%s cargo+=%s",
            name, gk_goods_words(got).p, gk_goods_words(left).p, gk_goods_words(&turn->player->cargo).p);
}

static void into_ship(struct gk_turn *turn, struct harvest *harvest)
{
    struct gk_player *player = turn->player;
    int room = gk_room(turn->cards, player);
    harvest->got = (struct gk_goods){{0}};
    if (turn->ship.mode == GK_LIST) {
        take_wished(harvest, &turn->ship, room);
        gk_add(&player->cargo, &harvest->got);
    } else {
        harvest->got = gk_take_wanted(player, &harvest->left, room);
    }
    gk_take(&turn->state->bank, &harvest->got);
}

static void into_storage(struct gk_turn *turn, struct harvest *harvest, struct gk_owned *storage,
                         struct gk_wish *wish)
{
    int room = gk_storage_room(turn->cards, storage);
    harvest->got = (struct gk_goods){{0}};
    if (wish->mode == GK_LIST) {
        take_wished(harvest, wish, room);
    } else {
        struct gk_player aboard = *turn->player;
        gk_add(&aboard.cargo, &storage->held);
        harvest->got = gk_take_wanted(&aboard, &harvest->left, room);
    }
    gk_add(&storage->held, &harvest->got);
    gk_take(&turn->state->bank, &harvest->got);
}

/* No card is collected twice: one hold gets what the other leaves. A storage that has a list of its own comes
 * first when the ship has none; a storage that was not mentioned gets what the ship wished for but has no
 * room for. */
static void collect_here(struct gk_turn *turn, int place)
{
    const struct gk_place *planet = gk_planet_const(turn->state, place);
    struct gk_owned *storage = gk_storage_at(turn->cards, turn->state, turn->player, place);
    struct gk_goods production = gk_production(turn->cards, planet);
    struct gk_goods none = {{0}};
    struct gk_goods stored = none;
    struct harvest harvest = {.left = gk_common(&production, &turn->state->bank)};
    bool storage_first = storage && turn->here.mode == GK_LIST && turn->ship.mode != GK_LIST;
    if (storage_first) {
        into_storage(turn, &harvest, storage, &turn->here);
        stored = harvest.got;
    }
    into_ship(turn, &harvest);
    struct gk_goods shipped = harvest.got;
    if (storage && !storage_first) {
        into_storage(turn, &harvest, storage, turn->here.mode == GK_UNSAID ? &turn->ship : &turn->here);
        stored = harvest.got;
    }
    if (turn->ship.mode != GK_LIST && turn->here.mode != GK_LIST && gk_sum(&harvest.left)) {
        struct gk_goods got = shipped;
        gk_add(&got, &stored);
        event_unused(turn->events, "room planet=%s goods+=%s left=%s",
                     gk_planet_card(turn->cards, planet->card)->name, gk_goods_words(&got).p,
                     gk_goods_words(&harvest.left).p);
    }
    tell(turn, planet, &shipped, &harvest.left, NULL);
    if (storage)
        tell(turn, planet, &stored, &none, storage);
}

static void collect_elsewhere(struct gk_turn *turn, int index, int place)
{
    struct gk_owned *storage = &turn->player->owned[index];
    const struct gk_place *planet = gk_planet_const(turn->state, place);
    struct gk_goods production = gk_production(turn->cards, planet);
    struct harvest harvest = {.left = gk_common(&production, &turn->state->bank)};
    into_storage(turn, &harvest, storage, &turn->stored[index]);
    if (gk_sum(&harvest.got))
        tell(turn, planet, &harvest.got, &harvest.left, storage);
}

void gk_collect(struct gk_turn *turn)
{
    int here = gk_where(turn->state, turn->player);
    if (here != GK_GCC)
        collect_here(turn, here);
    for (int i = 0; i < turn->player->owned_count; i++) {
        int place =
            gk_place_of_card(turn->state, gk_upgrade_card(turn->cards, turn->player->owned[i].card)->planet);
        if (place != GK_GCC && place != here)
            collect_elsewhere(turn, i, place);
    }
}
