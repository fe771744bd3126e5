/* 2. Interact: shipments with their constructions, trades. */
#include "rules/galactic_contract/turn.h"

#include <string.h>

/* ---- constructions ---- */

static int place_in_ring(const struct gk_state *state, int place)
{
    return place >= 1 && place <= state->planets ? place : GK_GCC;
}

/* The planet that the PLACE list names for a construction, or 0. */
static int listed_place(const struct gk_turn *turn, int construction)
{
    int place = place_in_ring(turn->state, turn->player->put[construction]);
    return place ? place : place_in_ring(turn->state, turn->player->put[0]);
}

/* Without a list: the planet of an own storage, else the one visited last, else the first of the circle. */
static int default_place(const struct gk_turn *turn)
{
    const struct gk_player *player = turn->player;
    for (int i = 0; i < player->owned_count; i++) {
        int place =
            gk_place_of_card(turn->state, gk_upgrade_card(turn->cards, player->owned[i].card)->planet);
        if (place)
            return place;
    }
    int visited = place_in_ring(turn->state, player->visited);
    return visited ? visited : 1;
}

static void attach(struct gk_turn *turn, int construction, int place, bool by_default)
{
    struct gk_place *planet = gk_planet(turn->state, place);
    const struct gk_construction_card *card = gk_construction_card(turn->cards, construction);
    if (planet->built_count < GK_CONSTRUCTIONS)
        planet->built[planet->built_count++] = (uint8_t)construction;
    const char *name = gk_place_name(turn->cards, turn->state, place);
    if (card->kind == GK_DEPOT)
        say(turn->events, turn->seat, GK_RULE_CONSTRUCTION,
            "attached construction=%s planet=%s depots=%d by_default+=%d", card->name, name,
            gk_depots(turn->cards, planet), by_default);
    else
        say(turn->events, turn->seat, GK_RULE_CONSTRUCTION,
            "attached construction=%s planet=%s produces+=%s by_default+=%d", card->name, name,
            gk_goods_words(&card->goods).p, by_default);
}

void gk_attach_pending(struct gk_turn *turn, bool by_default)
{
    struct gk_state *state = turn->state;
    int kept = 0;
    int count = state->pending_count;
    for (int i = 0; i < count; i++) {
        int construction = state->pending[i] <= GK_CONSTRUCTIONS ? state->pending[i] : 0;
        int place = listed_place(turn, construction);
        if (place || by_default)
            attach(turn, construction, place ? place : default_place(turn), !place);
        else
            state->pending[kept++] = (uint8_t)construction;
    }
    memset(state->pending + kept, 0, sizeof(state->pending) - (size_t)kept);
    state->pending_count = kept;
    if (kept < count)
        event_settled(turn->events);
}

/* ---- gifts ---- */

/* "WHEN GIFT", "WHEN GIFT FUEL": is this line about the gift? */
static bool concerns(const struct script *script, size_t index, const struct gk_goods *gift)
{
    struct args args = script_trigger_args(script, index);
    int amounts[GK_KINDS];
    if (args_end(&args))
        return true;
    if (!args_resources(&args, gk_kinds, GK_KINDS, amounts) || !args_end(&args))
        return false;
    for (int k = 0; k < GK_KINDS; k++) {
        if (amounts[k] && gift->of[k])
            return true;
    }
    return false;
}

static enum gk_answer ask(const struct gk_turn *turn, int seat, struct gk_gift *gift)
{
    const struct script *standing = turn->orders[seat].standing;
    struct gk_turn guest = *turn;
    guest.seat = seat;
    guest.player = gk_player(turn->state, seat);
    guest.gift = gift;
    for (size_t i = 0; standing && i < script_line_count(standing); i++) {
        const struct script_line *line = script_line(standing, i);
        struct refusal why;
        if (line->kind != LINE_WHEN || strcmp(line->trigger, "gift") != 0 ||
            !concerns(standing, i, &gift->fits))
            continue;
        if (script_react(standing, i, &gk_language, &guest, turn->number, &why) == ORDER_DONE)
            return gift->answer;
    }
    return GK_TAKEN;
}

/* What of the gift the bank has and the ship has room for, the most wanted first. */
static struct gk_goods fitting(const struct gk_turn *turn, const struct gk_player *player,
                               const struct gk_goods *gift)
{
    struct gk_goods left = gk_common(gift, &turn->state->bank);
    struct gk_goods fits = {{0}};
    for (int room = gk_room(turn->cards, player); room > 0; room--) {
        int kind = gk_most_wanted(player, &left);
        if (kind < 0)
            break;
        left.of[kind]--;
        fits.of[kind]++;
    }
    return fits;
}

static void give(struct gk_turn *turn, int seat, const struct gk_construction_card *card)
{
    struct gk_player *player = gk_player(turn->state, seat);
    struct gk_gift gift = {.fits = fitting(turn, player, &card->goods)};
    const struct brief goods = gk_goods_words(&card->goods);
    if (gk_sum(&gift.fits) == 0) {
        say(turn->events, seat, GK_RULE_CONSTRUCTION,
            gk_room(turn->cards, player) == 0 ? "gift_no_room construction=%s goods+=%s"
                                              : "gift_bank_empty construction=%s goods+=%s",
            card->name, goods.p);
    } else if (ask(turn, seat, &gift) == GK_REFUSED) {
        say(turn->events, seat, GK_RULE_CONSTRUCTION, "gift_refused construction=%s goods+=%s", card->name,
            goods.p);
    } else {
        gk_take(&turn->state->bank, &gift.fits);
        gk_add(&player->cargo, &gift.fits);
        say(turn->events, seat, GK_RULE_CONSTRUCTION, "gift_taken construction=%s goods=%s cargo=%s",
            card->name, gk_goods_words(&gift.fits).p, gk_goods_words(&player->cargo).p);
    }
}

/* ---- shipments ---- */

static void draw_construction(struct gk_turn *turn, int put)
{
    struct gk_state *state = turn->state;
    if (state->building_count == 0) {
        say(turn->events, turn->seat, GK_RULE_CONSTRUCTION, "no_construction");
        return;
    }
    int number = state->building[0] <= GK_CONSTRUCTIONS ? state->building[0] : 0;
    const struct gk_construction_card *card = gk_construction_card(turn->cards, number);
    state->building_count--;
    memmove(state->building, state->building + 1, (size_t)state->building_count);
    state->building[state->building_count] = 0;
    say(turn->events, turn->seat, GK_RULE_CONSTRUCTION, "construction_drawn construction=%s left=%d",
        card->name, state->building_count);
    if (card->kind == GK_GIFT) {
        for (int i = 0; i < gk_seats(state); i++)
            give(turn, (turn->seat - 1 + i) % gk_seats(state) + 1, card);
        return;
    }
    int place = put ? put : listed_place(turn, number);
    if (place)
        attach(turn, number, place, false);
    else if (state->pending_count < GK_CONSTRUCTIONS)
        state->pending[state->pending_count++] = (uint8_t)number;
    event_settled(turn->events);
}

static void open_next(struct gk_turn *turn, int pile)
{
    struct gk_pile *from = &turn->state->pile[pile];
    from->count--;
    memmove(from->card, from->card + 1, (size_t)from->count);
    from->card[from->count] = 0;
    int number = gk_open_shipment(turn->state, pile);
    const struct gk_shipment_card *card = gk_shipment_card(turn->cards, number);
    if (!number)
        say(turn->events, 0, GK_RULE_SHIPMENT, "pile_empty pile=%d", pile + 1);
    else
        say(turn->events, 0, GK_RULE_SHIPMENT,
            "shipment_opened pile=%d shipment=%s cost+=%s points=%d left=%d", pile + 1,
            code_of('S', number).p, gk_goods_words(&card->cost).p, card->points, from->count);
}

void gk_ship(struct gk_turn *turn, int pile, int put)
{
    struct gk_player *player = turn->player;
    int number = gk_open_shipment(turn->state, pile);
    const struct gk_shipment_card *card = gk_shipment_card(turn->cards, number);
    turn->state->landed = true;
    turn->revealed = true;
    gk_take(&player->cargo, &card->cost);
    gk_add(&turn->state->bank, &card->cost);
    if (player->shipment_count < GK_SHIPMENTS)
        player->shipment[player->shipment_count++] = (uint8_t)number;
    say(turn->events, turn->seat, GK_RULE_SHIPMENT, "shipped shipment=%s pile=%d cost+=%s points=%d total=%d",
        code_of('S', number).p, pile + 1, gk_goods_words(&card->cost).p, card->points,
        gk_points(turn->cards, player).total);
    open_next(turn, pile);
    if (gk_empty_piles(turn->state) >= turn->cards->end_empty)
        gk_end(turn, GK_BY_SHIPMENTS);
    if (!turn->state->over)
        draw_construction(turn, put);
}

/* ---- trades ---- */

/* The storage here pays first: there is no cheaper way for its contents to leave the planet. */
static struct gk_goods pay_trade(struct gk_turn *turn, struct gk_owned *storage, const struct gk_goods *cost)
{
    struct gk_goods nothing = {{0}};
    struct gk_goods stored = storage ? gk_common(&storage->held, cost) : nothing;
    struct gk_goods rest = *cost;
    gk_take(&rest, &stored);
    if (storage)
        gk_take(&storage->held, &stored);
    gk_take(&turn->player->cargo, &rest);
    gk_add(&turn->state->bank, cost);
    return stored;
}

void gk_unload(const struct gk_cards *cards, struct gk_player *player, int room, struct gk_goods *stored,
               struct gk_goods *lost)
{
    int over = gk_sum(&player->cargo) - gk_capacity(cards, player), kind;
    for (; over > 0 && (kind = gk_least_wanted(player, &player->cargo)) >= 0; over--) {
        player->cargo.of[kind]--;
        (over > room ? lost : stored)->of[kind]++;
    }
}

/* What is over capacity goes into the storage here while it has room, the rest back to the bank. */
static void heed_capacity(struct gk_turn *turn, struct gk_owned *storage)
{
    struct gk_player *player = turn->player;
    struct gk_goods lost = {{0}};
    struct gk_goods stored = {{0}};
    gk_unload(turn->cards, player, storage ? gk_storage_room(turn->cards, storage) : 0, &stored, &lost);
    gk_add(&turn->lost, &lost);
    if (gk_sum(&stored) && storage) {
        gk_add(&storage->held, &stored);
        say(turn->events, turn->seat, GK_RULE_TRADE, "overflow_stored goods+=%s storage=%s",
            gk_goods_words(&stored).p, gk_upgrade_card(turn->cards, storage->card)->name);
    }
    if (gk_sum(&lost)) {
        gk_add(&turn->state->bank, &lost);
        say(turn->events, turn->seat, GK_RULE_TRADE, "overflow_lost goods+=%s capacity=%d",
            gk_goods_words(&lost).p, gk_capacity(turn->cards, player));
    }
}

static void replace_trade(struct gk_turn *turn, struct gk_place *planet)
{
    struct gk_state *state = turn->state;
    const char *name = gk_planet_card(turn->cards, planet->card)->name;
    planet->trade = 0;
    if (state->deck_count == 0) {
        say(turn->events, 0, GK_RULE_TRADE, "no_trade_left planet=%s", name);
        gk_end(turn, GK_BY_TRADES);
        return;
    }
    planet->trade = state->deck[0];
    state->deck_count--;
    memmove(state->deck, state->deck + 1, (size_t)state->deck_count);
    state->deck[state->deck_count] = 0;
    const struct gk_trade_card *card = gk_trade_card(turn->cards, planet->trade);
    say(turn->events, 0, GK_RULE_TRADE, "trade_opened planet=%s trade=%s cost+=%s gain+=%s points=%d left=%d",
        name, code_of('T', planet->trade).p, gk_goods_words(&card->cost).p, gk_goods_words(&card->gain).p,
        card->points, state->deck_count);
}

void gk_trade(struct gk_turn *turn)
{
    struct gk_player *player = turn->player;
    int place = gk_where(turn->state, player);
    struct gk_place *planet = gk_planet(turn->state, place);
    struct gk_owned *storage = gk_storage_at(turn->cards, turn->state, player, place);
    int number = planet->trade;
    const struct gk_trade_card *card = gk_trade_card(turn->cards, number);
    int depots = gk_depots(turn->cards, planet);
    turn->state->landed = true;
    turn->revealed = true;
    struct gk_goods from_storage = pay_trade(turn, storage, &card->cost);
    struct gk_goods gain = card->gain;
    gain.of[card->bonus] += depots;
    struct gk_goods got = gk_common(&gain, &turn->state->bank);
    struct gk_goods lacking = gk_missing(&got, &gain);
    gk_take(&turn->state->bank, &got);
    gk_add(&player->cargo, &got);
    if (player->trade_count < GK_TRADES)
        player->trade[player->trade_count++] = (uint8_t)number;
    say(turn->events, turn->seat, GK_RULE_TRADE,
        "traded trade=%s planet=%s cost+=%s got+=%s points=%d depots+=%d from_storage+=%s lacking+=%s "
        "total=%d",
        code_of('T', number).p, gk_place_name(turn->cards, turn->state, place), gk_goods_words(&card->cost).p,
        gk_goods_words(&got).p, card->points, depots, gk_goods_words(&from_storage).p,
        gk_goods_words(&lacking).p, gk_points(turn->cards, player).total);
    heed_capacity(turn, storage);
    replace_trade(turn, planet);
}
