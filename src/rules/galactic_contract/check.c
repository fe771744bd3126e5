/* Is a state possible? For states that a moderator has corrected. */
#include "rules/check.h"
#include "rules/galactic_contract/state.h"
#include "rules/galactic_contract/turn.h"

static int check_goods(const struct gk_goods *goods, int most, const char *where, int seat, struct err *err)
{
    for (int kind = 0; kind < GK_KINDS; kind++)
        if (check_range(err, goods->of[kind], 0, most, "%s of player[%d], %s", where, seat - 1,
                        gk_kinds[kind]))
            return -1;
    return check_range(err, gk_sum(goods), 0, most, "The sum of %s of player[%d]", where, seat - 1);
}

/* What is on the table and in the ships must equal what the bank began with. */
static int check_bank(const struct gk_cards *cards, const struct gk_state *state, struct err *err)
{
    struct gk_goods all = state->bank;
    for (int seat = 1; seat <= state->seats; seat++) {
        const struct gk_player *player = gk_player_const(state, seat);
        gk_add(&all, &player->cargo);
        for (int i = 0; i < player->owned_count; i++)
            gk_add(&all, &player->owned[i].held);
    }
    for (int kind = 0; kind < GK_KINDS; kind++)
        if (check_range(err, state->bank.of[kind], 0, cards->bank.of[kind], "bank.%s", gk_kinds[kind]) ||
            check_range(err, all.of[kind], cards->bank.of[kind], cards->bank.of[kind],
                        "The sum of %s in the bank, the ships and the storages", gk_kinds[kind]))
            return -1;
    return 0;
}

static int check_table(const struct gk_state *state, struct err *err)
{
    struct check_cards planets = {.what = "The planet card"};
    struct check_cards trades = {.what = "The trade card"};
    struct check_cards shipments = {.what = "The shipment card"};
    struct check_cards constructions = {.what = "The construction card"};
    if (check_pile(&trades, state->deck, state->deck_count, err) ||
        check_pile(&constructions, state->building, state->building_count, err) ||
        check_pile(&constructions, state->pending, state->pending_count, err))
        return -1;
    for (int i = 0; i < state->planets; i++) {
        const struct gk_place *place = &state->ring[i];
        if (check_range(err, place->card, 1, GK_PLANETS, "ring[%d].card", i) ||
            check_range(err, place->trade, 0, GK_TRADES, "ring[%d].trade", i) ||
            check_card(&planets, place->card, err) ||
            (place->trade && check_card(&trades, place->trade, err)) ||
            check_pile(&constructions, place->built, place->built_count, err))
            return -1;
    }
    for (int p = 0; p < GK_PILES; p++)
        if (check_pile(&shipments, state->pile[p].card, state->pile[p].count, err))
            return -1;
    for (int seat = 1; seat <= state->seats; seat++) {
        const struct gk_player *player = gk_player_const(state, seat);
        if (check_pile(&trades, player->trade, player->trade_count, err) ||
            check_pile(&shipments, player->shipment, player->shipment_count, err))
            return -1;
    }
    for (int number = 0; number < CHECK_CARDS; number++)
        if ((number > GK_TRADES && trades.count[number]) ||
            (number > GK_SHIPMENTS && shipments.count[number]) ||
            (number > GK_CONSTRUCTIONS && constructions.count[number]))
            return err_set(err, ERR_INPUT, "There is no card %d of that kind.", number);
    return check_complete(&trades, 1, GK_TRADES, err);
}

/* What players own: ships and upgrades. */
struct owned {
    struct check_cards ships, upgrades;
};

static int check_player(const struct gk_cards *cards, const struct gk_state *state, int seat,
                        struct owned *all, struct err *err)
{
    const struct gk_player *player = gk_player_const(state, seat);
    if (check_range(err, player->ship, 1, GK_SHIPS, "player[%d].ship", seat - 1) ||
        check_card(&all->ships, player->ship, err) ||
        check_range(err, player->place, 0, state->planets, "player[%d].place", seat - 1) ||
        check_range(err, player->visited, 0, state->planets, "player[%d].visited", seat - 1) ||
        check_goods(&player->cargo, gk_capacity(cards, player), "cargo", seat, err))
        return -1;
    for (int i = 0; i < player->owned_count; i++) {
        const struct gk_owned *owned = &player->owned[i];
        const struct gk_upgrade_card *card = gk_upgrade_card(cards, owned->card);
        if (check_range(err, owned->card, 1, GK_UPGRADES, "player[%d].owned[%d].card", seat - 1, i) ||
            check_card(&all->upgrades, owned->card, err) ||
            check_goods(&owned->held, card->planet ? card->capacity : 0, "a storage", seat, err))
            return -1;
    }
    for (int i = 0; i < player->keep_count; i++)
        if (check_range(err, player->keep[i], 0, GK_KINDS - 1, "player[%d].keep[%d]", seat - 1, i))
            return -1;
    for (int i = 0; i <= GK_CONSTRUCTIONS; i++)
        if (check_range(err, player->put[i], 0, state->planets, "player[%d].put[%d]", seat - 1, i))
            return -1;
    return 0;
}

int gk_check(const void *data, const void *from, struct err *err)
{
    const struct gk_cards *cards = data;
    const struct gk_state *state = from;
    struct owned all = {.ships.what = "The ship", .upgrades.what = "The upgrade"};
    if (check_range(err, state->seats, 1, GK_SEATS, "seats") ||
        check_range(err, state->round, 1, 9999, "round") ||
        check_range(err, state->first, 1, state->seats, "first") ||
        check_range(err, state->active, 1, state->seats, "active") ||
        check_range(err, state->ending, GK_GOES_ON, GK_BY_TRADES, "ending") ||
        check_range(err, state->steps, 0, 99, "steps") || check_range(err, state->boost, 0, 99, "boost") ||
        check_range(err, state->planets, 1, GK_PLANETS, "planets") || check_bank(cards, state, err) ||
        check_table(state, err))
        return -1;
    for (int seat = 1; seat <= state->seats; seat++)
        if (check_player(cards, state, seat, &all, err))
            return -1;
    return 0;
}
