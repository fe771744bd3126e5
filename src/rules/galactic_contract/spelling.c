/* The state in words, as reports call things. */
#include "rules/spelling.h"

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

const struct spelling gk_spellings[] = {
    {"player[]", "#", spell_seat, NULL},
    {"ship", "ship", NULL, ship},
    {"place", "at", NULL, place},
    {"visited", "last planet", NULL, planet},
    {"cargo", "on board", NULL, NULL},
    {"owned[]", "upgrade #", NULL, NULL},
    {"owned[].card", "", NULL, upgrade},
    {"owned_count", NULL, NULL, NULL},
    {"trade[]", "trades fulfilled", NULL, trade},
    {"trade_count", NULL, NULL, NULL},
    {"shipment[]", "shipments fulfilled", NULL, shipment},
    {"shipment_count", NULL, NULL, NULL},
    {"keep[]", "KEEP, place #", NULL, kind},
    {"keep_count", NULL, NULL, NULL},
    {"put[]", "PLACE #", construction, planet},
    {"ring[]", "#", place, NULL},
    {"ring[].card", "planet", NULL, planet_card},
    {"built[]", "constructions", NULL, construction},
    {"built_count", NULL, NULL, NULL},
    {"trade", "open trade", NULL, trade},
    {"pending[]", "constructions that wait for their place", NULL, construction},
    {"pending_count", NULL, NULL, NULL},
    {"deck[]", "trades to come", NULL, trade},
    {"deck_count", NULL, NULL, NULL},
    {"building[]", "constructions to come", NULL, construction},
    {"building_count", NULL, NULL, NULL},
    {"pile[]", "pile #", NULL, NULL},
    {"count", NULL, NULL, NULL},
    {"card[]", "shipments, the open one first", NULL, shipment},
    {"active", "whose turn it is", NULL, spell_seat},
    {"first", "first to move", NULL, spell_seat},
    {"steps", "speed used", NULL, NULL},
    {"boost", "speed added by fuel", NULL, NULL},
    {"landed", "movement is over", NULL, NULL},
    {"swapped", "has swapped", NULL, NULL},
    {"interrupted", "turn paused", NULL, NULL},
    {"ending", "the end comes by", NULL, ending},
    {"over", "game over", NULL, NULL},
    {NULL, NULL, NULL, NULL},
};
