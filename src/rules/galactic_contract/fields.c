/* The members of the state: what they are called in documents, and in words where players read them. */
#include "rules/galactic_contract/goods.h"
#include "rules/galactic_contract/turn.h"

static void place(struct str *out, const void *cards, const void *state, int64_t number)
{
    str_adds(out, gk_place_name(cards, state, number > 0 && number <= GK_PLANETS ? (int)number : GK_GCC));
}

/* The planet where a ship was last; KEEP and PLACE may be silent. */
static void planet(struct str *out, const void *cards, const void *state, int64_t number)
{
    if (number)
        place(out, cards, state, number);
    else
        str_adds(out, "none");
}

static void code(struct str *out, char letter, int64_t number)
{
    str_adds(out, number > 0 && number <= GK_TRADES ? code_of(letter, (int)number).p : "none");
}

static void trade(struct str *out, const void *cards, const void *state, int64_t number)
{
    (void)cards;
    (void)state;
    code(out, 'T', number);
}

static void shipment(struct str *out, const void *cards, const void *state, int64_t number)
{
    (void)cards;
    (void)state;
    code(out, 'S', number);
}

static void upgrade(struct str *out, const void *cards, const void *state, int64_t number)
{
    (void)state;
    str_adds(out, number > 0 && number <= GK_UPGRADES ? gk_upgrade_card(cards, (int)number)->name : "none");
}

static void planet_card(struct str *out, const void *cards, const void *state, int64_t number)
{
    (void)state;
    str_adds(out, number > 0 && number <= GK_PLANETS ? gk_planet_card(cards, (int)number)->name : "none");
}

static void construction(struct str *out, const void *cards, const void *state, int64_t number)
{
    (void)state;
    bool known = number > 0 && number <= GK_CONSTRUCTIONS;
    str_adds(out, known ? gk_construction_card(cards, (int)number)->name : "none");
}

static void ship(struct str *out, const void *cards, const void *state, int64_t number)
{
    (void)state;
    str_adds(out, number > 0 && number <= GK_SHIPS ? gk_ship_card(cards, (int)number)->name : "none");
}

static void kind(struct str *out, const void *cards, const void *state, int64_t number)
{
    (void)cards;
    (void)state;
    str_adds(out, number >= 0 && number < GK_KINDS ? gk_kinds[number] : "none");
}

static void ending(struct str *out, const void *cards, const void *state, int64_t number)
{
    (void)cards;
    (void)state;
    str_adds(out, number == GK_GOES_ON ? "none" : number == GK_BY_TRADES ? "trades" : "shipments");
}

#define GOODS_FIELD(id, kind) \
    .name = #id, .type = FIELD_I32, .offset = (kind) * sizeof(int), .size = sizeof(int)
static const struct field goods_fields[] = {
    {GOODS_FIELD(metal, GK_METAL)},
    {GOODS_FIELD(food, GK_FOOD)},
    {GOODS_FIELD(crystal, GK_CRYSTAL)},
    {GOODS_FIELD(fuel, GK_FUEL)},
    FIELD_END,
};

static const struct field place_fields[] = {
    {FIELD(struct gk_place, card), .words = "planet", .value = planet_card},
    {FIELD(struct gk_place, trade), .words = "open trade", .value = trade},
    {FIELD(struct gk_place, built_count)},
    {FIELD_LIST(struct gk_place, built, "built_count"), .words = "constructions", .value = construction},
    FIELD_END,
};

static const struct field pile_fields[] = {
    {FIELD(struct gk_pile, count)},
    {FIELD_LIST(struct gk_pile, card, "count"), .words = "shipments, the open one first", .value = shipment},
    FIELD_END,
};

static const struct field owned_fields[] = {
    {FIELD(struct gk_owned, card), .words = "", .value = upgrade},
    {FIELD_SUB(struct gk_owned, held, goods_fields)},
    FIELD_END,
};

static const struct field player_fields[] = {
    {FIELD(struct gk_player, ship), .words = "ship", .value = ship},
    {FIELD(struct gk_player, place), .words = "at", .value = place},
    {FIELD(struct gk_player, visited), .words = "last planet", .value = planet},
    {FIELD_SUB(struct gk_player, cargo, goods_fields), .words = "on board"},
    {FIELD(struct gk_player, owned_count)},
    {FIELD(struct gk_player, trade_count)},
    {FIELD(struct gk_player, shipment_count)},
    {FIELD_SUBS(struct gk_player, owned, "owned_count", owned_fields), .words = "upgrade #"},
    {FIELD_LIST(struct gk_player, trade, "trade_count"), .words = "trades fulfilled", .value = trade},
    {FIELD_LIST(struct gk_player, shipment, "shipment_count"), .words = "shipments fulfilled",
     .value = shipment},
    {FIELD(struct gk_player, keep_count)},
    {FIELD_LIST(struct gk_player, keep, "keep_count"), .words = "KEEP, place #", .value = kind},
    {FIELD_LIST(struct gk_player, put, NULL), .words = "PLACE #", .index = construction, .value = planet},
    FIELD_END,
};

const struct field gk_fields[] = {
    {FIELD(struct gk_state, seats)},
    {FIELD(struct gk_state, short_game)},
    {FIELD(struct gk_state, finish_round)},
    {FIELD_LIST(struct gk_state, wish, "seats")},
    {FIELD(struct gk_state, round)},
    {FIELD(struct gk_state, first), .words = "first to move", .value = spell_seat},
    {FIELD(struct gk_state, active), .words = "whose turn it is", .value = spell_seat},
    {FIELD(struct gk_state, over), .words = "game over"},
    {FIELD(struct gk_state, ending), .words = "the end comes by", .value = ending},
    {FIELD(struct gk_state, landed), .words = "movement is over"},
    {FIELD(struct gk_state, steps), .words = "speed used"},
    {FIELD(struct gk_state, boost), .words = "speed added by fuel"},
    {FIELD(struct gk_state, swapped), .words = "has swapped"},
    {FIELD(struct gk_state, interrupted), .words = "turn paused"},
    {FIELD(struct gk_state, pending_count)},
    {FIELD_LIST(struct gk_state, pending, "pending_count"),
     .words = "constructions that wait for their place", .value = construction},
    {FIELD(struct gk_state, planets)},
    {FIELD_SUBS(struct gk_state, ring, "planets", place_fields), .words = "#", .index = place},
    {FIELD(struct gk_state, deck_count)},
    {FIELD(struct gk_state, building_count)},
    {FIELD_LIST(struct gk_state, deck, "deck_count"), .words = "trades to come", .value = trade},
    {FIELD_LIST(struct gk_state, building, "building_count"), .words = "constructions to come",
     .value = construction},
    {FIELD_SUBS(struct gk_state, pile, NULL, pile_fields), .words = "pile #"},
    {FIELD_SUB(struct gk_state, bank, goods_fields)},
    {FIELD_SUBS(struct gk_state, player, "seats", player_fields), .words = "#", .index = spell_seat},
    FIELD_END,
};
