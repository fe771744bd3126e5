/* What a seat may know, as JSON. The decks' order and the covered shipments are hidden from everybody;
 * nothing else is. */
#include "rules/galactic_contract/view.h"
#include "rules/put.h"

#include <string.h>

#define REACH 1 /* cards that may still be lacking for an upgrade that reports name */

void gk_put_goods(struct value *object, const char *key, const struct gk_goods *goods)
{
    if (gk_sum(goods))
        value_put_text(object, key, gk_goods_words(goods).p);
    else
        value_put_flag(object, key, false);
}

void gk_put_code(struct value *object, const char *key, char letter, int number)
{
    value_put_text(object, key, code_of(letter, number).p);
}

struct value *gk_numbers(struct arena *arena, const struct gk_goods *goods)
{
    struct value *object = value_object(arena);
    for (int k = 0; k < GK_KINDS; k++)
        value_put_int(object, gk_kinds[k], goods->of[k]);
    return object;
}

/* ---- the table ---- */

static void put_lacking(struct value *object, const struct gk_goods *purse, const struct gk_goods *cost)
{
    struct gk_goods lacking = gk_missing(purse, cost);
    value_put_flag(object, "affordable", gk_covers(purse, cost));
    gk_put_goods(object, "lacking", &lacking);
    value_put_int(object, "cards_lacking", gk_sum(&lacking));
}

static struct value *view_trade(struct arena *arena, const struct gk_cards *cards,
                                const struct gk_state *state, int place, int seat)
{
    const struct gk_place *planet = gk_planet_const(state, place);
    const struct gk_trade_card *card = gk_trade_card(cards, planet->trade);
    struct value *object = value_object(arena);
    struct gk_goods gain = card->gain;
    gain.of[card->bonus] += gk_depots(cards, planet);
    gk_put_code(object, "id", 'T', planet->trade);
    gk_put_goods(object, "cost", &card->cost);
    gk_put_goods(object, "gain", &gain);
    put(object, "points=%d one?=%d", card->points, card->points == 1);
    if (seat) {
        struct gk_goods purse = gk_purse(cards, state, gk_player_const(state, seat), place);
        put_lacking(object, &purse, &card->cost);
    }
    return object;
}

/* How many constructions of this one's name are there, from the index `at` on. */
static int same_built(const struct gk_cards *cards, const struct gk_place *planet, int at)
{
    const char *name = gk_construction_card(cards, planet->built[at])->name;
    int count = 0;
    for (int i = at; i < planet->built_count; i++)
        count += strcmp(gk_construction_card(cards, planet->built[i])->name, name) == 0;
    return count;
}

/* One entry a name, with the number of cards if there are several. */
static struct value *view_built(struct arena *arena, const struct gk_cards *cards,
                                const struct gk_place *planet)
{
    struct value *list = value_list(arena);
    for (int i = 0; i < planet->built_count; i++) {
        const char *name = gk_construction_card(cards, planet->built[i])->name;
        bool told = false;
        for (int before = 0; before < i; before++)
            told = told || strcmp(gk_construction_card(cards, planet->built[before])->name, name) == 0;
        if (told)
            continue;
        struct value *object = value_object(arena);
        int count = same_built(cards, planet, i);
        gk_put_code(object, "id", 'C', planet->built[i]);
        put(object, "name=%s count+=%d", name, count > 1 ? count : 0);
        value_add(list, object);
    }
    value_mark_more(list);
    return list;
}

static struct value *view_ships(struct arena *arena, const struct gk_state *state, int place)
{
    struct value *list = value_list(arena);
    for (int seat = 1; seat <= gk_seats(state); seat++) {
        if (gk_where(state, gk_player_const(state, seat)) != place)
            continue;
        struct value *object = value_object(arena);
        value_put_int(object, "seat", seat);
        value_add(list, object);
    }
    value_mark_more(list);
    return list;
}

/* How far it is from the viewer's ship, with the speed of this turn or the next. */
static void put_way(struct value *object, const struct gk_cards *cards, const struct gk_state *state,
                    int place, int seat)
{
    const struct gk_player *player = gk_player_const(state, seat);
    bool active = !state->over && seat == gk_active(state);
    int steps = gk_distance(state, gk_where(state, player), place);
    int speed = active ? gk_speed_left(cards, state) : gk_speed(cards, player);
    int lacking = steps - speed;
    bool closed = active && state->landed && steps > 0;
    put(object, "steps=%d one_step?=%d here?=%d fuel+=%d in_reach?=%d", steps, steps == 1, steps == 0,
        lacking > 0 ? lacking : 0, !closed && lacking <= player->cargo.of[GK_FUEL]);
}

static struct value *view_planet(struct arena *arena, const struct gk_cards *cards,
                                 const struct gk_state *state, int place, int seat)
{
    const struct gk_place *planet = gk_planet_const(state, place);
    struct gk_goods production = gk_production(cards, planet);
    struct value *object = value_object(arena);
    struct value *ships = view_ships(arena, state, place);
    value_put_int(object, "number", place);
    gk_put_code(object, "id", 'P', planet->card);
    value_put_text(object, "name", gk_place_name(cards, state, place));
    gk_put_goods(object, "produces", &production);
    value_put_int(object, "depots", gk_depots(cards, planet));
    value_put_flag(object, "has_built", planet->built_count > 0);
    value_put(object, "built", view_built(arena, cards, planet));
    value_put_flag(object, "has_ships", value_count(ships) > 0);
    value_put(object, "ships", ships);
    value_put(object, "trade", planet->trade ? view_trade(arena, cards, state, place, seat) : &value_false);
    if (seat) {
        put_way(object, cards, state, place, seat);
        value_put_flag(object, "own_storage",
                       gk_storage_at_const(cards, state, gk_player_const(state, seat), place) != NULL);
    }
    return object;
}

static struct value *view_pile(struct arena *arena, const struct gk_cards *cards,
                               const struct gk_state *state, int pile, int seat)
{
    int number = gk_open_shipment(state, pile);
    const struct gk_shipment_card *card = gk_shipment_card(cards, number);
    struct value *object = value_object(arena);
    struct value *open = value_object(arena);
    put(object, "pile=%d left=%d covered=%d", pile + 1, state->pile[pile].count,
        number ? state->pile[pile].count - 1 : 0);
    if (!number) {
        value_put(object, "shipment", &value_false);
        return object;
    }
    gk_put_code(open, "id", 'S', number);
    gk_put_goods(open, "cost", &card->cost);
    value_put_int(open, "points", card->points);
    if (seat)
        put_lacking(open, &gk_player_const(state, seat)->cargo, &card->cost);
    value_put(object, "shipment", open);
    return object;
}

static struct value *view_upgrade(struct arena *arena, const struct gk_cards *cards,
                                  const struct gk_state *state, int number, int seat)
{
    int owner = gk_owner(cards, state, number);
    const struct gk_upgrade_card *card = gk_upgrade_card(cards, number);
    struct value *object = value_object(arena);
    gk_put_code(object, "id", 'U', number);
    value_put_text(object, "name", card->name);
    gk_put_goods(object, "cost", &card->cost);
    put(object, "points=%d one?=%d", card->points, card->points == 1);
    put(object, "speed+=%d capacity+=%d storage+=%d for_sale?=%d", card->speed,
        card->planet ? 0 : card->capacity, card->planet ? card->capacity : 0, owner == 0);
    if (owner > 0)
        value_put_int(object, "seat", owner);
    if (seat)
        put_lacking(object, &gk_player_const(state, seat)->cargo, &card->cost);
    return object;
}

/* Covered cards in the order of their numbers, which reveals nothing. */
static struct value *view_covered_shipments(struct arena *arena, const struct gk_cards *cards,
                                            const struct gk_state *state)
{
    uint8_t unseen[DECK_CARDS];
    const int count = decks_unseen(gk_decks, cards, state, GK_SHIPMENT_DECK, 0, unseen);
    struct value *list = value_list(arena);
    for (int i = 0; i < count; i++) {
        const struct gk_shipment_card *card = gk_shipment_card(cards, unseen[i]);
        struct value *entry = value_object(arena);
        gk_put_code(entry, "id", 'S', unseen[i]);
        gk_put_goods(entry, "cost", &card->cost);
        value_put_int(entry, "points", card->points);
        value_add(list, entry);
    }
    value_mark_more(list);
    return list;
}

/* One entry a name, with the number of cards if there are several. */
static struct value *view_covered_constructions(struct arena *arena, const struct gk_cards *cards,
                                                const struct gk_state *state)
{
    int count[GK_CONSTRUCTIONS + 1] = {0};
    struct value *list = value_list(arena);
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
        struct value *entry = value_object(arena);
        put(entry, "name=%s count+=%d", gk_construction_card(cards, n)->name, count[n] > 1 ? count[n] : 0);
        value_add(list, entry);
    }
    value_mark_more(list);
    return list;
}

static struct value *view_unseen(struct arena *arena, const struct gk_cards *cards,
                                 const struct gk_state *state)
{
    struct value *object = value_object(arena);
    struct value *shipments = view_covered_shipments(arena, cards, state);
    struct value *constructions = view_covered_constructions(arena, cards, state);
    put(object, "has_shipments?=%d has_constructions?=%d", value_count(shipments) > 0,
        value_count(constructions) > 0);
    value_put(object, "shipments", shipments);
    value_put(object, "constructions", constructions);
    return object;
}

static void view_table(struct value *object, const struct gk_cards *cards, const struct gk_state *state,
                       int seat)
{
    struct arena *arena = value_arena(object);
    struct value *planets = value_list(arena);
    struct value *piles = value_list(arena);
    struct value *upgrades = value_list(arena);
    struct value *for_sale = value_list(arena), *reach = value_list(arena);
    struct value *gcc = value_object(arena);
    struct value *dear = value_list(arena);
    bool affordable = false, built = false;
    bool depots = false;
    for (int place = 1; place <= state->planets; place++) {
        struct value *planet = view_planet(arena, cards, state, place, seat);
        value_add(planets, planet);
        const struct value *fuel = value_get(planet, "fuel");
        if (fuel && fuel->kind == VALUE_INTEGER)
            value_add(dear, value_copy(arena, planet));
        built = built || gk_planet_const(state, place)->built_count > 0;
        depots = depots || gk_depots(cards, gk_planet_const(state, place)) > 0;
    }
    for (int pile = 0; pile < GK_PILES; pile++)
        value_add(piles, view_pile(arena, cards, state, pile, seat));
    for (int n = 1; n <= GK_UPGRADES; n++) {
        int owner = gk_owner(cards, state, n);
        if (owner < 0)
            continue;
        struct value *upgrade = view_upgrade(arena, cards, state, n, seat);
        value_add(upgrades, upgrade);
        if (owner)
            continue;
        value_add(for_sale, upgrade);
        const struct value *lacking = value_get(upgrade, "cards_lacking");
        if (lacking && lacking->number <= REACH)
            value_add(reach, value_copy(arena, upgrade));
        affordable = affordable || value_is_true(value_get(upgrade, "affordable"));
    }
    struct value *ships = view_ships(arena, state, GK_GCC);
    value_put_flag(gcc, "has_ships", value_count(ships) > 0);
    value_put(gcc, "ships", ships);
    if (seat) {
        const struct gk_player *player = gk_player_const(state, seat);
        int max = gk_ship_card(cards, player->ship)->max_upgrades;
        put_way(gcc, cards, state, GK_GCC, seat);
        value_put_flag(object, "upgrades_full", player->owned_count >= max);
    }
    value_put(object, "gcc", gcc);
    value_put(object, "planets", planets);
    struct value *words = value_put_object(object, "words");
    value_mark_more(dear);
    value_mark_more(for_sale);
    value_put_flag(words, "has_dear", value_count(dear) > 0);
    value_put(words, "dear", dear);
    value_mark_more(reach);
    value_put_flag(words, "has_reach", value_count(reach) > 0);
    value_put(words, "reach", reach);
    value_put_flag(words, "built", built);
    value_put_flag(object, "has_depots", depots);
    value_put(object, "piles", piles);
    value_put(object, "upgrades", upgrades);
    put(object, "has_sale?=%d can_buy?=%d", value_count(for_sale) > 0, affordable);
    value_put(object, "for_sale", for_sale);
    value_put(object, "bank", gk_numbers(arena, &state->bank));
    put(object, "trades_left=%d constructions_left=%d", state->deck_count, state->building_count);
    value_put(object, "unseen", view_unseen(arena, cards, state));
}

static void view_game(struct value *object, const struct gk_state *state)
{
    struct arena *arena = value_arena(object);
    const char *ending = gk_ending(state);
    struct value *order = value_list(arena);
    struct value *mover = value_object(arena);
    put(object, "game=%s round=%d solo?=%d has_others?=%d short_game?=%d finish_round?=%d",
        "galactic-contract", state->round, state->seats == 1, state->seats > 1, state->short_game,
        state->finish_round);
    put(object, "last_round?=%d over?=%d ending=%s shipments_done?=%d trades_done?=%d",
        !state->over && state->ending != GK_GOES_ON, state->over, ending,
        strcmp(ending, "shipments_done") == 0, strcmp(ending, "trades_done") == 0);
    value_put_int(mover, "seat", gk_active(state));
    value_put(object, "mover", state->over ? &value_false : mover);
    for (int place = 0; place < gk_seats(state); place++)
        value_add_int(order, gk_seat_at(state, place));
    value_put(object, "order", order);
}

struct value *gk_view(const void *data, const void *from, int seat, struct arena *arena)
{
    const struct gk_cards *cards = data;
    const struct gk_state *state = from;
    struct score score[GK_SEATS + 1];
    struct value *object = value_object(arena);
    struct value *players = value_list(arena);
    struct value *others = value_list(arena);
    int viewer = seat >= 1 && seat <= gk_seats(state) ? seat : 0;
    gk_scores(cards, state, score);
    value_put_int(object, "seat", seat);
    view_game(object, state);
    view_table(object, cards, state, viewer);
    for (int place = 0; place < gk_seats(state); place++) {
        int n = gk_seat_at(state, place);
        struct value *player = gk_view_player(arena, cards, state, n, &score[n]);
        value_add(players, player);
        if (n == viewer) {
            struct value *own = value_copy(arena, player);
            gk_view_own(own, cards, state, n);
            value_put(object, "own", own);
        } else {
            value_add(others, player);
        }
    }
    value_put(object, "players", players);
    value_put(object, "others", others);
    value_put(object, "form", gk_form(cards, state, viewer, arena));
    return object;
}
