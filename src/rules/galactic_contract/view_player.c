/* What may be known of the players, and what concerns the viewer alone. */
#include "rules/galactic_contract/view.h"
#include "rules/put.h"

#include <string.h>

/* ---- players ---- */

static struct value *view_points(struct arena *arena, struct gk_points points)
{
    struct value *object = value_object(arena);
    put(object, "shipments=%d trades=%d upgrades=%d total=%d", points.shipments, points.trades,
        points.upgrades, points.total);
    return object;
}

static struct value *view_owned(struct arena *arena, const struct gk_cards *cards,
                                const struct gk_player *player)
{
    struct value *list = value_list(arena);
    for (int i = 0; i < player->owned_count; i++) {
        const struct gk_upgrade_card *card = gk_upgrade_card(cards, player->owned[i].card);
        struct value *object = value_object(arena);
        gk_put_code(object, "id", 'U', player->owned[i].card);
        put(object, "name=%s storage?=%d", card->name, card->planet > 0);
        gk_put_goods(object, "held", &player->owned[i].held);
        if (card->planet)
            value_put_int(object, "room", gk_storage_room(cards, &player->owned[i]));
        value_add(list, object);
    }
    value_mark_more(list);
    return list;
}

static struct value *view_codes(struct arena *arena, char letter, const uint8_t *numbers_of, int count)
{
    struct value *list = value_list(arena);
    for (int i = 0; i < count; i++) {
        struct value *object = value_object(arena);
        gk_put_code(object, "id", letter, numbers_of[i]);
        value_add(list, object);
    }
    value_mark_more(list);
    return list;
}

struct value *gk_view_player(struct arena *arena, const struct gk_cards *cards, const struct gk_state *state,
                             int seat, const struct score *score)
{
    const struct gk_player *player = gk_player_const(state, seat);
    struct value *object = value_object(arena);
    struct value *owned = view_owned(arena, cards, player);
    put(object, "seat=%d ship=%s at=%s speed=%d", seat, gk_ship_card(cards, player->ship)->name,
        gk_place_words(cards, state, gk_where(state, player)), gk_speed(cards, player));
    put(object, "capacity=%d room+=%d max_upgrades=%d upgrades_owned=%d", gk_capacity(cards, player),
        gk_room(cards, player), gk_ship_card(cards, player->ship)->max_upgrades, player->owned_count);
    gk_put_goods(object, "cargo", &player->cargo);
    value_put(object, "goods", gk_numbers(arena, &player->cargo));
    value_put_flag(object, "has_upgrades", player->owned_count > 0);
    value_put(object, "upgrades", owned);
    value_put(object, "trades", view_codes(arena, 'T', player->trade, player->trade_count));
    value_put(object, "shipments", view_codes(arena, 'S', player->shipment, player->shipment_count));
    put(object, "trades_won=%d shipments_won=%d", player->trade_count, player->shipment_count);
    value_put(object, "points", view_points(arena, gk_points(cards, player)));
    put(object, "score=%d place=%d won?=%d moves_now?=%d", score->points, score->place, score->won,
        !state->over && seat == gk_active(state));
    return object;
}

/* ---- what concerns the viewer alone ---- */

static struct value *view_keep(struct arena *arena, const struct gk_player *player)
{
    struct value *list = value_list(arena);
    for (int i = 0; i < player->keep_count; i++) {
        struct value *object = value_object(arena);
        value_put_text(object, "kind", gk_kinds[player->keep[i] < GK_KINDS ? player->keep[i] : 0]);
        value_add(list, object);
    }
    value_mark_more(list);
    return list;
}

/* The PLACE list, one entry a name of constructions. */
static struct value *view_put(struct arena *arena, const struct gk_cards *cards, const struct gk_state *state,
                              const struct gk_player *player)
{
    struct value *list = value_list(arena);
    for (int n = 0; n <= GK_CONSTRUCTIONS; n++) {
        const char *name = gk_construction_card(cards, n)->name;
        bool told = false;
        for (int before = 1; before < n; before++)
            told = told || strcmp(gk_construction_card(cards, before)->name, name) == 0;
        if (told || player->put[n] < 1 || player->put[n] > state->planets)
            continue;
        struct value *object = value_object(arena);
        put(object, "any?=%d name=%s planet=%s", n == 0, name, gk_place_name(cards, state, player->put[n]));
        value_add(list, object);
    }
    value_mark_more(list);
    return list;
}

static struct value *view_pending(struct arena *arena, const struct gk_cards *cards,
                                  const struct gk_state *state)
{
    struct value *list = value_list(arena);
    for (int i = 0; i < state->pending_count; i++) {
        struct value *object = value_object(arena);
        value_put_text(object, "name", gk_construction_card(cards, state->pending[i])->name);
        value_add(list, object);
    }
    value_mark_more(list);
    return list;
}

void gk_view_own(struct value *own, const struct gk_cards *cards, const struct gk_state *state, int seat)
{
    struct arena *arena = value_arena(own);
    const struct gk_player *player = gk_player_const(state, seat);
    bool active = !state->over && seat == gk_active(state);
    struct value *keep = view_keep(arena, player);
    struct value *places = view_put(arena, cards, state, player);
    put(own, "has_keep?=%d has_put?=%d", value_count(keep) > 0, value_count(places) > 0);
    value_put(own, "keep", keep);
    value_put(own, "put", places);
    put(own, "your_turn?=%d resumed?=%d", active, active && state->interrupted);
    if (!active)
        return;
    put(own, "landed?=%d speed_left=%d swapped?=%d has_pending?=%d", state->landed,
        gk_speed_left(cards, state), state->swapped, state->pending_count > 0);
    value_put(own, "pending", view_pending(arena, cards, state));
}
