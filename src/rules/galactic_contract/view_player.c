/* What may be known of the players, and what concerns the viewer alone. */
#include "rules/galactic_contract/view.h"

#include <string.h>

/* ---- players ---- */

static json_t *view_points(struct gk_points points)
{
    json_t *object = json_object();
    gk_put_int(object, "shipments", points.shipments);
    gk_put_int(object, "trades", points.trades);
    gk_put_int(object, "upgrades", points.upgrades);
    gk_put_int(object, "total", points.total);
    return object;
}

static json_t *view_owned(const struct gk_cards *cards, const struct gk_player *player)
{
    json_t *list = json_array();
    for (int i = 0; i < player->owned_count; i++) {
        const struct gk_upgrade_card *card = gk_upgrade_card(cards, player->owned[i].card);
        json_t *object = json_object();
        gk_put_code(object, "id", 'U', player->owned[i].card);
        gk_put_text(object, "name", card->name);
        gk_put_flag(object, "storage", card->planet > 0);
        gk_put_goods(object, "held", &player->owned[i].held);
        if (card->planet)
            gk_put_int(object, "room", gk_storage_room(cards, &player->owned[i]));
        json_array_append_new(list, object);
    }
    gk_mark_more(list);
    return list;
}

static json_t *view_codes(char letter, const uint8_t *numbers_of, int count)
{
    json_t *list = json_array();
    for (int i = 0; i < count; i++) {
        json_t *object = json_object();
        gk_put_code(object, "id", letter, numbers_of[i]);
        json_array_append_new(list, object);
    }
    gk_mark_more(list);
    return list;
}

json_t *gk_view_player(const struct gk_cards *cards, const struct gk_state *state, int seat,
                       const struct score *score)
{
    const struct gk_player *player = gk_player_const(state, seat);
    json_t *object = json_object();
    json_t *owned = view_owned(cards, player);
    gk_put_int(object, "seat", seat);
    gk_put_text(object, "ship", gk_ship_card(cards, player->ship)->name);
    gk_put_text(object, "at", gk_place_words(cards, state, gk_where(state, player)));
    gk_put_int(object, "speed", gk_speed(cards, player));
    gk_put_int(object, "capacity", gk_capacity(cards, player));
    gk_put_int(object, "room", gk_room(cards, player));
    gk_put_int(object, "max_upgrades", gk_ship_card(cards, player->ship)->max_upgrades);
    gk_put_int(object, "upgrades_owned", player->owned_count);
    gk_put_goods(object, "cargo", &player->cargo);
    json_object_set_new_nocheck(object, "goods", gk_numbers(&player->cargo));
    gk_put_flag(object, "has_upgrades", player->owned_count > 0);
    json_object_set_new_nocheck(object, "upgrades", owned);
    json_object_set_new_nocheck(object, "trades", view_codes('T', player->trade, player->trade_count));
    json_object_set_new_nocheck(object, "shipments",
                                view_codes('S', player->shipment, player->shipment_count));
    gk_put_int(object, "trades_won", player->trade_count);
    gk_put_int(object, "shipments_won", player->shipment_count);
    json_object_set_new_nocheck(object, "points", view_points(gk_points(cards, player)));
    gk_put_int(object, "score", score->points);
    gk_put_int(object, "place", score->place);
    gk_put_flag(object, "won", score->won);
    gk_put_flag(object, "moves_now", !state->over && seat == gk_active(state));
    return object;
}

/* ---- what concerns the viewer alone ---- */

static json_t *view_keep(const struct gk_player *player)
{
    json_t *list = json_array();
    for (int i = 0; i < player->keep_count; i++) {
        json_t *object = json_object();
        gk_put_text(object, "kind", gk_kinds[player->keep[i] < GK_KINDS ? player->keep[i] : 0]);
        json_array_append_new(list, object);
    }
    gk_mark_more(list);
    return list;
}

/* The PLACE list, one entry a name of constructions. */
static json_t *view_put(const struct gk_cards *cards, const struct gk_state *state,
                        const struct gk_player *player)
{
    json_t *list = json_array();
    for (int n = 0; n <= GK_CONSTRUCTIONS; n++) {
        const char *name = gk_construction_card(cards, n)->name;
        bool told = false;
        for (int before = 1; before < n; before++)
            told = told || strcmp(gk_construction_card(cards, before)->name, name) == 0;
        if (told || player->put[n] < 1 || player->put[n] > state->planets)
            continue;
        json_t *object = json_object();
        gk_put_flag(object, "any", n == 0);
        gk_put_text(object, "name", name);
        gk_put_text(object, "planet", gk_place_name(cards, state, player->put[n]));
        json_array_append_new(list, object);
    }
    gk_mark_more(list);
    return list;
}

static json_t *view_pending(const struct gk_cards *cards, const struct gk_state *state)
{
    json_t *list = json_array();
    for (int i = 0; i < state->pending_count; i++) {
        json_t *object = json_object();
        gk_put_text(object, "name", gk_construction_card(cards, state->pending[i])->name);
        json_array_append_new(list, object);
    }
    gk_mark_more(list);
    return list;
}

void gk_view_own(json_t *own, const struct gk_cards *cards, const struct gk_state *state, int seat)
{
    const struct gk_player *player = gk_player_const(state, seat);
    bool active = !state->over && seat == gk_active(state);
    json_t *keep = view_keep(player);
    json_t *put = view_put(cards, state, player);
    gk_put_flag(own, "has_keep", json_array_size(keep) > 0);
    gk_put_flag(own, "has_put", json_array_size(put) > 0);
    json_object_set_new_nocheck(own, "keep", keep);
    json_object_set_new_nocheck(own, "put", put);
    gk_put_flag(own, "your_turn", active);
    gk_put_flag(own, "resumed", active && state->interrupted);
    if (!active)
        return;
    gk_put_flag(own, "landed", state->landed);
    gk_put_int(own, "speed_left", gk_speed_left(cards, state));
    gk_put_flag(own, "swapped", state->swapped);
    gk_put_flag(own, "has_pending", state->pending_count > 0);
    json_object_set_new_nocheck(own, "pending", view_pending(cards, state));
}
