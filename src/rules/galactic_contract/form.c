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

static void suggest_trade(const struct form *form, int place)
{
    const struct gk_place *planet = gk_planet_const(form->state, place);
    const struct gk_trade_card *card = gk_trade_card(form->cards, planet->trade);
    struct gk_goods purse = gk_purse(form->cards, form->state, form->player, place);
    struct gk_goods gain = card->gain;
    struct str line = STR_INIT;
    int fuel;
    if (planet->trade && way(form, place, &line, &fuel)) {
        purse.of[GK_FUEL] -= fuel;
        gain.of[card->bonus] += gk_depots(form->cards, planet);
        str_adds(&line, "trade");
        if (gk_covers(&purse, &card->cost)) {
            const struct gk_end end =
                gk_end_with(form->cards, form->state, gk_active(form->state), card->points);
            suggest(form->list, line.p,
                    "trade number=%d cost=%s got=%s points=%d one?=%d ends?=%d played_out?=%d alone?=%d "
                    "ahead?=%d level?=%d own=%d best=%d",
                    planet->trade, gk_goods_words(&card->cost).p, gk_goods_words(&gain).p, card->points,
                    card->points == 1, !form->state->deck_count && goes_on(form), end.played_out, end.alone,
                    end.ahead, end.level, end.own, end.best);
            if (!form->state->deck_count && loses(form, &end))
                suggest_mark(form->list, "poor");
        }
    }
    str_release(&line);
}

/* How many resource cards there is room for when the ship has come to a place. */
static int room_at(const struct form *form, int place, int fuel)
{
    const struct gk_owned *storage = gk_storage_at_const(form->cards, form->state, form->player, place);
    return gk_room(form->cards, form->player) + fuel + (storage ? gk_storage_room(form->cards, storage) : 0);
}

static void suggest_collecting(const struct form *form, int place)
{
    const struct gk_place *planet = gk_planet_const(form->state, place);
    struct gk_goods production = gk_production(form->cards, planet);
    struct str line = STR_INIT;
    int fuel;
    if (place != form->here && way(form, place, &line, &fuel)) {
        const int room = room_at(form, place, fuel);
        str_cut(&line, line.len - 2); /* the "; " */
        if (room > 0)
            suggest(form->list, line.p, "collect goods=%s room=%d part?=%d burns?=%d fuel=%d",
                    gk_goods_words(&production).p, room, room < gk_sum(&production), fuel != 0, fuel);
    }
    str_release(&line);
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
    if (form->here == GK_GCC)
        suggest(form->list, "stay", "stay_idle");
    else if (room_at(form, form->here, 0))
        suggest(form->list, "stay", "stay_collect");
    else
        suggest(form->list, "stay", "stay_full");
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
    suggest_purchases(&form);
    suggest_swaps(&form);
    suggest_staying(&form);
    return list;
}
