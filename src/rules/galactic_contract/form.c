/* The orders that make sense now, each ready to be sent, with a note on what it would do. */
#include "rules/galactic_contract/turn.h"

#include "base/str.h"
#include "rules/put.h"

struct form {
    struct value *list;
    const struct gk_cards *cards;
    const struct gk_state *state;
    const struct gk_player *player;
    int here;
};

static bool goes_on(const struct form *form)
{
    return form->state->ending == GK_GOES_ON;
}

/* Does it end the game at once, with another ahead? Whatever goes on is better. */
static bool loses(const struct form *form, const struct gk_end *end)
{
    return goes_on(form) && !end->played_out && !end->alone && !end->ahead && !end->level;
}

/* "move Suadi fuel auto; " with the fuel that is needed; false when it is out of reach. */
static bool way(const struct form *form, int place, struct str *line, int *fuel)
{
    int lacking = gk_distance(form->state, form->here, place) - gk_speed_left(form->cards, form->state);
    *fuel = lacking > 0 ? lacking : 0;
    if (place == form->here)
        return true;
    if (form->state->landed || *fuel > form->player->cargo.of[GK_FUEL])
        return false;
    str_addf(line, "move %s%s; ", gk_place_name(form->cards, form->state, place), *fuel ? " fuel auto" : "");
    return true;
}

static void suggest_shipments(const struct form *form)
{
    for (int p = 0; p < GK_PILES; p++) {
        struct str line = STR_INIT;
        int number = gk_open_shipment(form->state, p);
        const struct gk_shipment_card *card = gk_shipment_card(form->cards, number);
        int fuel = 0;
        struct gk_goods cargo = form->player->cargo;
        bool reached = number && way(form, GK_GCC, &line, &fuel);
        cargo.of[GK_FUEL] -= fuel;
        if (reached && gk_covers(&cargo, &card->cost)) {
            str_addf(&line, "ship S%d", number);
            const struct gk_end end =
                gk_end_with(form->cards, form->state, gk_active(form->state), card->points);
            suggest(form->list, line.p,
                    "ship points=%d cost=%s draws?=%d ends?=%d played_out?=%d alone?=%d ahead?=%d level?=%d "
                    "own=%d best=%d",
                    card->points, gk_goods_words(&card->cost).p, form->state->building_count > 0,
                    gk_pile_ends(form->cards, form->state, p) && goes_on(form), end.played_out, end.alone,
                    end.ahead, end.level, end.own, end.best);
            if (gk_pile_ends(form->cards, form->state, p) && loses(form, &end))
                suggest_mark(form->list, "poor");
        }
        str_release(&line);
    }
}

/* Is there a trade that can be paid when that much fuel is burnt? */
static bool can_trade(const struct form *form, int place, int fuel)
{
    const struct gk_place *planet = gk_planet_const(form->state, place);
    struct gk_goods purse = gk_purse(form->cards, form->state, form->player, place);
    purse.of[GK_FUEL] -= fuel;
    return planet->trade && gk_covers(&purse, &gk_trade_card(form->cards, planet->trade)->cost);
}

/* What the trade there would bring that has no room, after paying from the storage first, then from the cargo. */
static struct gk_goods overflow(const struct form *form, int place, int fuel, const struct gk_goods *gain)
{
    const struct gk_trade_card *card = gk_trade_card(form->cards, gk_planet_const(form->state, place)->trade);
    const struct gk_owned *storage = gk_storage_at_const(form->cards, form->state, form->player, place);
    struct gk_player then = *form->player;
    struct gk_goods lost = {{0}}, stored = {{0}}, paid = {{0}}, bank = form->state->bank;
    int room = 0;
    if (storage) {
        paid = gk_common(&storage->held, &card->cost);
        room = gk_storage_room(form->cards, storage) + gk_sum(&paid);
    }
    then.cargo.of[GK_FUEL] -= fuel;
    bank.of[GK_FUEL] += fuel;
    gk_add(&bank, &card->cost);
    gk_add(&then.cargo, &paid);
    gk_take(&then.cargo, &card->cost);
    const struct gk_goods got = gk_common(gain, &bank);
    gk_add(&then.cargo, &got);
    gk_unload(form->cards, &then, room, &stored, &lost);
    return lost;
}

static void suggest_trade(const struct form *form, int place)
{
    const struct gk_place *planet = gk_planet_const(form->state, place);
    const struct gk_trade_card *card = gk_trade_card(form->cards, planet->trade);
    struct gk_goods gain = card->gain;
    struct str line = STR_INIT;
    int fuel;
    if (planet->trade && way(form, place, &line, &fuel)) {
        gain.of[card->bonus] += gk_depots(form->cards, planet);
        str_adds(&line, "trade");
        if (can_trade(form, place, fuel)) {
            const struct gk_end end =
                gk_end_with(form->cards, form->state, gk_active(form->state), card->points);
            const struct gk_goods lost = overflow(form, place, fuel, &gain);
            suggest(form->list, line.p,
                    "trade number=%d cost=%s got=%s lost+=%s points=%d one?=%d ends?=%d played_out?=%d "
                    "alone?=%d ahead?=%d level?=%d own=%d best=%d",
                    planet->trade, gk_goods_words(&card->cost).p, gk_goods_words(&gain).p,
                    gk_goods_words(&lost).p, card->points, card->points == 1,
                    !form->state->deck_count && goes_on(form), end.played_out, end.alone, end.ahead,
                    end.level, end.own, end.best);
            if (!form->state->deck_count && loses(form, &end))
                suggest_mark(form->list, "poor");
        }
    }
    str_release(&line);
}

/* What is collected there without a word of it, and what has no room: the ship takes first, then a storage there. */
static struct gk_goods collected(const struct form *form, int place, int fuel, struct gk_goods *left)
{
    const struct gk_owned *storage = gk_storage_at_const(form->cards, form->state, form->player, place);
    struct gk_goods there = gk_production(form->cards, gk_planet_const(form->state, place));
    struct gk_goods bank = form->state->bank;
    struct gk_player aboard = *form->player;
    aboard.cargo.of[GK_FUEL] -= fuel;
    bank.of[GK_FUEL] += fuel;
    *left = gk_common(&there, &bank);
    struct gk_goods got = gk_take_wanted(&aboard, left, gk_room(form->cards, &aboard));
    if (storage) {
        gk_add(&aboard.cargo, &storage->held);
        const struct gk_goods stored = gk_take_wanted(&aboard, left, gk_storage_room(form->cards, storage));
        gk_add(&got, &stored);
    }
    return got;
}

static void suggest_collecting(const struct form *form, int place)
{
    struct str line = STR_INIT;
    struct gk_goods left;
    int fuel;
    if (place != form->here && way(form, place, &line, &fuel)) {
        const struct gk_goods got = collected(form, place, fuel, &left);
        str_cut(&line, line.len - 2); /* the "; " */
        const bool some = gk_sum(&got) > 0, shown = some || !can_trade(form, place, fuel);
        if (shown)
            suggest(form->list, line.p, "collect goods+=%s left+=%s burns?=%d fuel=%d",
                    gk_goods_words(&got).p, gk_goods_words(&left).p, fuel != 0, fuel);
        if (shown && !some)
            suggest_mark(form->list, "poor");
    }
    str_release(&line);
}

/* In a full ship: what is wanted least gives way. */
static void suggest_room(const struct form *form)
{
    const struct gk_owned *storage = gk_storage_at_const(form->cards, form->state, form->player, form->here);
    const int kind = gk_least_wanted(form->player, &form->player->cargo);
    if (kind < 0 || gk_room(form->cards, form->player) > 0)
        return;
    const int have = form->player->cargo.of[kind];
    const int room = storage ? gk_storage_room(form->cards, storage) : 0;
    if (room)
        suggest(form->list, brief("store %d %s", room < have ? room : have, gk_kinds[kind]).p,
                "store room=%d", room);
    suggest(form->list, brief("discard %d %s", have < 2 ? have : 2, gk_kinds[kind]).p, "discard kind=%s",
            gk_kinds[kind]);
}

static void suggest_purchases(const struct form *form)
{
    if (form->player->owned_count >= gk_ship_card(form->cards, form->player->ship)->max_upgrades)
        return;
    for (int n = 1; n <= GK_UPGRADES; n++) {
        const struct gk_upgrade_card *card = gk_upgrade_card(form->cards, n);
        if (gk_owner(form->cards, form->state, n) != 0 || !gk_covers(&form->player->cargo, &card->cost))
            continue;
        suggest(form->list, brief("buy %s", card->name).p, "buy cost=%s points=%d one?=%d",
                gk_goods_words(&card->cost).p, card->points, card->points == 1);
    }
}

static void suggest_swaps(const struct form *form)
{
    for (int give = 0; give < GK_KINDS && !form->state->swapped; give++) {
        int get = give == GK_FUEL ? GK_METAL : GK_FUEL;
        if (form->player->cargo.of[give] < form->cards->swap_give || form->state->bank.of[get] < 1)
            continue;
        suggest(form->list, brief("swap %d %s %s", form->cards->swap_give, gk_kinds[give], gk_kinds[get]).p,
                "swap");
    }
}

static void suggest_storage(const struct form *form)
{
    const struct gk_owned *storage = gk_storage_at_const(form->cards, form->state, form->player, form->here);
    if (storage && gk_sum(&storage->held) > 0 && gk_room(form->cards, form->player) > 0)
        suggest(form->list, "load all", "load held=%s", gk_goods_words(&storage->held).p);
}

static void suggest_placing(const struct form *form)
{
    const char *planet =
        gk_place_name(form->cards, form->state, form->player->visited ? form->player->visited : 1);
    for (int i = 0; i < form->state->pending_count; i++) {
        char line[2 * GK_NAME + 16];
        const char *name = gk_construction_card(form->cards, form->state->pending[i])->name;
        snprintf(line, sizeof(line), "place %s %s", name, planet);
        suggest(form->list, line, "place construction=%s", name);
    }
}

static void suggest_staying(const struct form *form)
{
    struct gk_goods left, got = {{0}};
    if (form->here == GK_GCC) {
        suggest(form->list, "stay", "stay_idle");
        return;
    }
    got = collected(form, form->here, 0, &left);
    suggest(form->list, "stay", "stay_collect goods+=%s left+=%s", gk_goods_words(&got).p,
            gk_goods_words(&left).p);
}

struct value *gk_form(const void *data, const void *from, int seat, struct arena *arena)
{
    const struct gk_cards *cards = data;
    const struct gk_state *state = from;
    struct value *list = value_list(arena);
    if (seat < 1 || seat > gk_seats(state) || !(gk_awaits(state) & SEAT_BIT(seat)))
        return list;
    const struct gk_player *player = gk_player_const(state, seat);
    const struct form form = {list, cards, state, player, gk_where(state, player)};
    suggest_placing(&form);
    suggest_shipments(&form);
    for (int place = 1; place <= state->planets; place++)
        suggest_trade(&form, place);
    for (int place = 1; place <= state->planets; place++)
        suggest_collecting(&form, place);
    suggest_storage(&form);
    suggest_room(&form);
    suggest_purchases(&form);
    suggest_swaps(&form);
    suggest_staying(&form);
    return list;
}
