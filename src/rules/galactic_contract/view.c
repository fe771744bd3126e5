/* What a seat may know, as JSON. The decks' order and the covered shipments are hidden from everybody;
 * nothing else is. */
#include "rules/galactic_contract/view.h"

#include <string.h>

#include "base/json.h"

void gk_put_int(json_t *object, const char *key, int64_t n)
{
    json_object_set_new_nocheck(object, key, json_integer(n));
}

void gk_put_text(json_t *object, const char *key, const char *text)
{
    json_object_set_new_nocheck(object, key, json_text(slice_of(text)));
}

void gk_put_flag(json_t *object, const char *key, bool flag)
{
    json_object_set_new_nocheck(object, key, json_boolean(flag));
}

void gk_put_amount(json_t *object, const char *key, int amount)
{
    if (amount)
        gk_put_int(object, key, amount);
    else
        json_object_set_new_nocheck(object, key, json_false());
}

void gk_put_goods(json_t *object, const char *key, const struct gk_goods *goods)
{
    struct str text = STR_INIT;
    gk_goods_text(&text, goods);
    if (text.len)
        gk_put_text(object, key, text.p);
    else
        json_object_set_new_nocheck(object, key, json_false());
    str_release(&text);
}

void gk_put_code(json_t *object, const char *key, char letter, int number)
{
    char code[GK_CODE];
    gk_code(code, letter, number);
    gk_put_text(object, key, code);
}

void gk_mark_more(json_t *list)
{
    size_t count = json_array_size(list);
    for (size_t i = 0; i < count; i++)
        gk_put_flag(json_array_get(list, i), "more", i + 1 < count);
}

json_t *gk_numbers(const struct gk_goods *goods)
{
    json_t *object = json_object();
    for (int k = 0; k < GK_KINDS; k++)
        gk_put_int(object, gk_kinds[k], goods->of[k]);
    return object;
}

/* ---- the table ---- */

static void put_lacking(json_t *object, const struct gk_goods *purse, const struct gk_goods *cost)
{
    struct gk_goods lacking = gk_missing(purse, cost);
    gk_put_flag(object, "affordable", gk_covers(purse, cost));
    gk_put_goods(object, "lacking", &lacking);
    gk_put_int(object, "cards_lacking", gk_sum(&lacking));
}

static json_t *view_trade(const struct gk_cards *cards, const struct gk_state *state, int place, int seat)
{
    const struct gk_place *planet = gk_planet_const(state, place);
    const struct gk_trade_card *card = gk_trade_card(cards, planet->trade);
    json_t *object = json_object();
    struct gk_goods gain = card->gain;
    gain.of[card->bonus] += gk_depots(cards, planet);
    gk_put_code(object, "id", 'T', planet->trade);
    gk_put_goods(object, "cost", &card->cost);
    gk_put_goods(object, "gain", &gain);
    gk_put_int(object, "points", card->points);
    if (seat) {
        struct gk_goods purse = gk_purse(cards, state, gk_player_const(state, seat), place);
        put_lacking(object, &purse, &card->cost);
    }
    return object;
}

/* How many constructions of this one's name stand there, from the index `at` on. */
static int same_built(const struct gk_cards *cards, const struct gk_place *planet, int at)
{
    const char *name = gk_construction_card(cards, planet->built[at])->name;
    int count = 0;
    for (int i = at; i < planet->built_count; i++)
        count += strcmp(gk_construction_card(cards, planet->built[i])->name, name) == 0;
    return count;
}

/* One entry a name, with the number of cards if there are several. */
static json_t *view_built(const struct gk_cards *cards, const struct gk_place *planet)
{
    json_t *list = json_array();
    for (int i = 0; i < planet->built_count; i++) {
        const char *name = gk_construction_card(cards, planet->built[i])->name;
        bool told = false;
        for (int before = 0; before < i; before++)
            told = told || strcmp(gk_construction_card(cards, planet->built[before])->name, name) == 0;
        if (told)
            continue;
        json_t *object = json_object();
        int count = same_built(cards, planet, i);
        gk_put_code(object, "id", 'C', planet->built[i]);
        gk_put_text(object, "name", name);
        gk_put_amount(object, "count", count > 1 ? count : 0);
        json_array_append_new(list, object);
    }
    gk_mark_more(list);
    return list;
}

static json_t *view_ships(const struct gk_state *state, int place)
{
    json_t *list = json_array();
    for (int seat = 1; seat <= gk_seats(state); seat++) {
        if (gk_where(state, gk_player_const(state, seat)) != place)
            continue;
        json_t *object = json_object();
        gk_put_int(object, "seat", seat);
        json_array_append_new(list, object);
    }
    gk_mark_more(list);
    return list;
}

/* How far it is from the viewer's ship, with the speed of now or of the next turn. */
static void put_way(json_t *object, const struct gk_cards *cards, const struct gk_state *state, int place,
                    int seat)
{
    const struct gk_player *player = gk_player_const(state, seat);
    bool active = !state->over && seat == gk_active(state);
    int steps = gk_distance(state, gk_where(state, player), place);
    int speed = active ? gk_speed_left(cards, state) : gk_speed(cards, player);
    int lacking = steps - speed;
    bool closed = active && state->landed && steps > 0;
    gk_put_int(object, "steps", steps);
    gk_put_flag(object, "one_step", steps == 1);
    gk_put_flag(object, "here", steps == 0);
    gk_put_amount(object, "fuel", lacking > 0 ? lacking : 0);
    gk_put_flag(object, "in_reach", !closed && lacking <= player->cargo.of[GK_FUEL]);
}

static json_t *view_planet(const struct gk_cards *cards, const struct gk_state *state, int place, int seat)
{
    const struct gk_place *planet = gk_planet_const(state, place);
    struct gk_goods production = gk_production(cards, planet);
    json_t *object = json_object();
    json_t *ships = view_ships(state, place);
    gk_put_int(object, "number", place);
    gk_put_code(object, "id", 'P', planet->card);
    gk_put_text(object, "name", gk_place_name(cards, state, place));
    gk_put_goods(object, "produces", &production);
    gk_put_int(object, "depots", gk_depots(cards, planet));
    gk_put_flag(object, "has_built", planet->built_count > 0);
    json_object_set_new_nocheck(object, "built", view_built(cards, planet));
    gk_put_flag(object, "has_ships", json_array_size(ships) > 0);
    json_object_set_new_nocheck(object, "ships", ships);
    json_object_set_new_nocheck(object, "trade",
                                planet->trade ? view_trade(cards, state, place, seat) : json_false());
    if (seat) {
        put_way(object, cards, state, place, seat);
        gk_put_flag(object, "own_storage",
                    gk_storage_at_const(cards, state, gk_player_const(state, seat), place) != NULL);
    }
    return object;
}

static json_t *view_pile(const struct gk_cards *cards, const struct gk_state *state, int pile, int seat)
{
    int number = gk_open_shipment(state, pile);
    const struct gk_shipment_card *card = gk_shipment_card(cards, number);
    json_t *object = json_object();
    json_t *open = json_object();
    gk_put_int(object, "pile", pile + 1);
    gk_put_int(object, "left", state->pile[pile].count);
    gk_put_int(object, "covered", number ? state->pile[pile].count - 1 : 0);
    if (!number) {
        json_decref(open);
        json_object_set_new_nocheck(object, "shipment", json_false());
        return object;
    }
    gk_put_code(open, "id", 'S', number);
    gk_put_goods(open, "cost", &card->cost);
    gk_put_int(open, "points", card->points);
    if (seat)
        put_lacking(open, &gk_player_const(state, seat)->cargo, &card->cost);
    json_object_set_new_nocheck(object, "shipment", open);
    return object;
}

static json_t *view_upgrade(const struct gk_cards *cards, const struct gk_state *state, int number, int owner,
                            int seat)
{
    const struct gk_upgrade_card *card = gk_upgrade_card(cards, number);
    json_t *object = json_object();
    gk_put_code(object, "id", 'U', number);
    gk_put_text(object, "name", card->name);
    gk_put_goods(object, "cost", &card->cost);
    gk_put_int(object, "points", card->points);
    gk_put_amount(object, "speed", card->speed);
    gk_put_amount(object, "capacity", card->planet ? 0 : card->capacity);
    gk_put_amount(object, "storage", card->planet ? card->capacity : 0);
    gk_put_flag(object, "for_sale", owner == 0);
    if (owner > 0)
        gk_put_int(object, "seat", owner);
    if (seat)
        put_lacking(object, &gk_player_const(state, seat)->cargo, &card->cost);
    return object;
}

/* Covered cards in the order of their numbers: nothing is told by that. */
static json_t *view_covered_shipments(const struct gk_cards *cards, const struct gk_state *state)
{
    uint8_t unseen[GK_SHIPMENTS];
    size_t count = gk_unseen_shipments(state, unseen);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        const struct gk_shipment_card *card = gk_shipment_card(cards, unseen[i]);
        json_t *entry = json_object();
        gk_put_code(entry, "id", 'S', unseen[i]);
        gk_put_goods(entry, "cost", &card->cost);
        gk_put_int(entry, "points", card->points);
        json_array_append_new(list, entry);
    }
    gk_mark_more(list);
    return list;
}

/* One entry a name, with the number of cards if there are several. */
static json_t *view_covered_constructions(const struct gk_cards *cards, const struct gk_state *state)
{
    int count[GK_CONSTRUCTIONS + 1] = {0};
    json_t *list = json_array();
    for (int i = 0; i < state->building_count; i++) {
        const char *name = gk_construction_card(cards, state->building[i])->name;
        int first = 1;
        while (first < GK_CONSTRUCTIONS && strcmp(gk_construction_card(cards, first)->name, name) != 0)
            first++;
        count[first]++;
    }
    for (int n = 1; n <= GK_CONSTRUCTIONS; n++) {
        if (!count[n])
            continue;
        json_t *entry = json_object();
        gk_put_text(entry, "name", gk_construction_card(cards, n)->name);
        gk_put_amount(entry, "count", count[n] > 1 ? count[n] : 0);
        json_array_append_new(list, entry);
    }
    gk_mark_more(list);
    return list;
}

static json_t *view_unseen(const struct gk_cards *cards, const struct gk_state *state)
{
    json_t *object = json_object();
    json_t *shipments = view_covered_shipments(cards, state);
    json_t *constructions = view_covered_constructions(cards, state);
    gk_put_flag(object, "has_shipments", json_array_size(shipments) > 0);
    gk_put_flag(object, "has_constructions", json_array_size(constructions) > 0);
    json_object_set_new_nocheck(object, "shipments", shipments);
    json_object_set_new_nocheck(object, "constructions", constructions);
    return object;
}

static void view_table(json_t *object, const struct gk_cards *cards, const struct gk_state *state, int seat)
{
    json_t *planets = json_array();
    json_t *piles = json_array();
    json_t *upgrades = json_array();
    json_t *for_sale = json_array();
    json_t *gcc = json_object();
    bool affordable = false;
    bool depots = false;
    for (int place = 1; place <= state->planets; place++) {
        json_array_append_new(planets, view_planet(cards, state, place, seat));
        depots = depots || gk_depots(cards, gk_planet_const(state, place)) > 0;
    }
    for (int pile = 0; pile < GK_PILES; pile++)
        json_array_append_new(piles, view_pile(cards, state, pile, seat));
    for (int n = 1; n <= GK_UPGRADES; n++) {
        int owner = gk_owner(cards, state, n);
        if (owner < 0)
            continue;
        json_t *upgrade = view_upgrade(cards, state, n, owner, seat);
        json_array_append_new(upgrades, upgrade);
        if (owner)
            continue;
        json_array_append(for_sale, upgrade);
        affordable = affordable || json_is_true(json_object_get(upgrade, "affordable"));
    }
    json_t *ships = view_ships(state, GK_GCC);
    gk_put_flag(gcc, "has_ships", json_array_size(ships) > 0);
    json_object_set_new_nocheck(gcc, "ships", ships);
    if (seat) {
        const struct gk_player *player = gk_player_const(state, seat);
        int max = gk_ship_card(cards, player->ship)->max_upgrades;
        put_way(gcc, cards, state, GK_GCC, seat);
        gk_put_flag(object, "upgrades_full", player->owned_count >= max);
    }
    json_object_set_new_nocheck(object, "gcc", gcc);
    json_object_set_new_nocheck(object, "planets", planets);
    gk_put_flag(object, "has_depots", depots);
    json_object_set_new_nocheck(object, "piles", piles);
    json_object_set_new_nocheck(object, "upgrades", upgrades);
    gk_put_flag(object, "has_sale", json_array_size(for_sale) > 0);
    gk_put_flag(object, "can_buy", affordable);
    json_object_set_new_nocheck(object, "for_sale", for_sale);
    json_object_set_new_nocheck(object, "bank", gk_numbers(&state->bank));
    gk_put_int(object, "trades_left", state->deck_count);
    gk_put_int(object, "constructions_left", state->building_count);
    json_object_set_new_nocheck(object, "unseen", view_unseen(cards, state));
}

static void view_game(json_t *object, const struct gk_state *state)
{
    const char *ending = gk_ending(state);
    json_t *order = json_array();
    json_t *mover = json_object();
    gk_put_text(object, "game", "galactic-contract");
    gk_put_int(object, "round", state->round);
    gk_put_flag(object, "solo", state->seats == 1);
    gk_put_flag(object, "has_others", state->seats > 1);
    gk_put_flag(object, "short_game", state->short_game);
    gk_put_flag(object, "finish_round", state->finish_round);
    gk_put_flag(object, "last_round", !state->over && state->ending != GK_GOES_ON);
    gk_put_flag(object, "over", state->over);
    gk_put_text(object, "ending", ending);
    gk_put_flag(object, "shipments_done", strcmp(ending, "shipments_done") == 0);
    gk_put_flag(object, "trades_done", strcmp(ending, "trades_done") == 0);
    gk_put_int(mover, "seat", gk_active(state));
    if (state->over) {
        json_decref(mover);
        mover = json_false();
    }
    json_object_set_new_nocheck(object, "mover", mover);
    for (int place = 0; place < gk_seats(state); place++)
        json_array_append_new(order, json_integer(gk_seat_at(state, place)));
    json_object_set_new_nocheck(object, "order", order);
}

json_t *gk_view(const void *data, const void *from, int seat)
{
    const struct gk_cards *cards = data;
    const struct gk_state *state = from;
    struct score score[GK_SEATS + 1];
    json_t *object = json_object();
    json_t *players = json_array();
    json_t *others = json_array();
    int viewer = seat >= 1 && seat <= gk_seats(state) ? seat : 0;
    gk_scores(cards, state, score);
    gk_put_int(object, "seat", seat);
    view_game(object, state);
    view_table(object, cards, state, viewer);
    for (int place = 0; place < gk_seats(state); place++) {
        int n = gk_seat_at(state, place);
        json_t *player = gk_view_player(cards, state, n, &score[n]);
        json_array_append_new(players, player);
        if (n == viewer) {
            json_t *own = json_copy(player);
            gk_view_own(own, cards, state, n);
            json_object_set_new_nocheck(object, "own", own);
        } else {
            json_array_append(others, player);
        }
    }
    json_object_set_new_nocheck(object, "players", players);
    json_object_set_new_nocheck(object, "others", others);
    json_object_set_new_nocheck(object, "form", gk_form(cards, state, viewer));
    return object;
}
