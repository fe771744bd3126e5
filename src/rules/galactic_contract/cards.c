#include "rules/galactic_contract/cards.h"

#include <string.h>

#include "base/str.h"
#include "rules/cards.h"

#define GOODS_MAX 9

/* ---- members ---- */

static int kind_named(const char *name)
{
    for (int k = 0; k < GK_KINDS; k++) {
        if (strcmp(gk_kinds[k], name) == 0)
            return k;
    }
    return -1;
}

/* {"metal": 2, "fuel": 1}; a card at least. */
static int need_goods(const struct card_reader *card, const char *key, struct gk_goods *out)
{
    struct card_reader goods;
    const char *kind;
    json_t *amount;
    if (card_object(card, key, &goods) < 0)
        return -1;
    json_object_foreach ((json_t *)(uintptr_t)goods.object, kind, amount) {
        int k = kind_named(kind);
        if (k < 0)
            return card_refuse(&goods, "\"%.20s\" is no resource", kind);
        if (card_int(&goods, kind, 0, GOODS_MAX, &out->of[k]) < 0)
            return -1;
    }
    return gk_sum(out) < 1 ? card_refuse(&goods, "must name 1 resource card at least") : 0;
}

static int need_points(const struct card_reader *card, int *points)
{
    return card_int(card, "points", 0, 99, points);
}

/* ---- cards ---- */

static int load_planet(const struct card_reader *from, int index, void *to)
{
    struct gk_cards *cards = to;
    struct gk_planet_card *card = &cards->planet[index + 1];
    if (card_name(from, "name", card->name, GK_NAME) < 0 || need_goods(from, "produces", &card->produces) < 0)
        return -1;
    for (int i = 1; i <= index; i++) {
        if (strcmp(cards->planet[i].name, card->name) == 0)
            return card_refuse(from, "\"name\" is that of planet %d", i);
    }
    return 0;
}

static int load_ship(const struct card_reader *from, int index, void *to)
{
    struct gk_ship_card *card = &((struct gk_cards *)to)->ship[index + 1];
    if (card_name(from, "name", card->name, GK_NAME) < 0 || card_int(from, "speed", 1, 9, &card->speed) < 0 ||
        card_int(from, "capacity", 1, 20, &card->capacity) < 0 ||
        card_int(from, "max_upgrades", 0, GK_UPGRADES, &card->max_upgrades) < 0)
        return -1;
    return 0;
}

static int load_storage(const struct card_reader *from, int number, struct gk_cards *cards)
{
    struct gk_upgrade_card *card = &cards->upgrade[number];
    const char *id;
    if (card_text(from, "planet", &id) < 0)
        return -1;
    for (int p = 1; p <= GK_PLANETS; p++) {
        if (strcmp(code_of('P', p).p, id) == 0)
            card->planet = p;
    }
    if (!card->planet)
        return card_refuse(from, "\"planet\" must be P1 to P%d", GK_PLANETS);
    for (int i = 1; i < number; i++) {
        if (cards->upgrade[i].planet == card->planet)
            return card_refuse(from, "\"planet\" is that of upgrade %d", i);
    }
    return card_int(from, "capacity", 1, GOODS_MAX, &card->capacity);
}

static int load_upgrade(const struct card_reader *from, int index, void *to)
{
    static const char *const kinds[] = {"storage", "ship", NULL};
    struct gk_cards *cards = to;
    struct gk_upgrade_card *card = &cards->upgrade[index + 1];
    int kind;
    if (card_name(from, "name", card->name, GK_NAME) < 0 || card_word(from, "kind", kinds, &kind) < 0 ||
        need_goods(from, "cost", &card->cost) < 0 || need_points(from, &card->points) < 0)
        return -1;
    if (kind == 0)
        return load_storage(from, index + 1, cards);
    return card_int(from, "speed", 0, 9, &card->speed) < 0 ||
                   card_int(from, "capacity", 0, 20, &card->capacity) < 0
               ? -1
               : 0;
}

static int load_trade(const struct card_reader *from, int index, void *to)
{
    struct gk_trade_card *card = &((struct gk_cards *)to)->trade[index + 1];
    if (need_goods(from, "cost", &card->cost) < 0 || need_goods(from, "gain", &card->gain) < 0 ||
        need_points(from, &card->points) < 0)
        return -1;
    for (int k = 1; k < GK_KINDS; k++) {
        if (card->gain.of[k] > card->gain.of[card->bonus])
            card->bonus = k;
    }
    return 0;
}

static int load_shipment(const struct card_reader *from, int index, void *to)
{
    struct gk_shipment_card *card = &((struct gk_cards *)to)->shipment[index + 1];
    return need_goods(from, "cost", &card->cost) < 0 || need_points(from, &card->points) < 0 ? -1 : 0;
}

static int load_construction(const struct card_reader *from, int index, void *to)
{
    static const char *const kinds[] = {"depot", "production", "gift", NULL};
    struct gk_construction_card *card = &((struct gk_cards *)to)->construction[index + 1];
    int kind;
    if (card_name(from, "name", card->name, GK_NAME) < 0 || card_word(from, "kind", kinds, &kind) < 0)
        return -1;
    card->kind = (enum gk_construction_kind)kind;
    if (card->kind == GK_DEPOT)
        return 0;
    return need_goods(from, card->kind == GK_GIFT ? "gives" : "produces", &card->goods);
}

static const struct card_kind kinds_of_cards[] = {
    {"planets", "planet", GK_PLANETS, GK_PLANETS, 'P', load_planet},
    {"ships", "ship", GK_SHIPS, GK_SHIPS, 'H', load_ship},
    {"upgrades", "upgrade", GK_UPGRADES, GK_UPGRADES, 'U', load_upgrade},
    {"trades", "trade", GK_TRADES, GK_TRADES, 'T', load_trade},
    {"shipments", "shipment", GK_SHIPMENTS, GK_SHIPMENTS, 'S', load_shipment},
    {"constructions", "construction", GK_CONSTRUCTIONS, GK_CONSTRUCTIONS, 'C', load_construction},
};

/* ---- numbers ---- */

static int load_numbers(const struct card_reader *file, struct gk_cards *c)
{
    int piles, pile_size, swap_get; /* fixed; the file may not say otherwise */
    const struct card_number numbers[] = {
        {"bank", "metal", 1, 99, &c->bank.of[GK_METAL]},
        {"bank", "food", 1, 99, &c->bank.of[GK_FOOD]},
        {"bank", "crystal", 1, 99, &c->bank.of[GK_CRYSTAL]},
        {"bank", "fuel", 1, 99, &c->bank.of[GK_FUEL]},
        {"ring", "planets", 3, GK_PLANETS, &c->ring},
        {"ring", "extra_if_types", 0, GK_KINDS - 1, &c->ring_kinds},
        {"piles", "count", GK_PILES, GK_PILES, &piles},
        {"piles", "size", GK_PILE_SIZE, GK_PILE_SIZE, &pile_size},
        {"piles", "end_when_empty", 2, 2, &c->end_empty},
        {"swap", "give", 2, GOODS_MAX, &c->swap_give},
        {"swap", "get", 1, 1, &swap_get},
    };
    return cards_numbers(file, numbers, sizeof(numbers) / sizeof(numbers[0]));
}

int gk_cards_load(const json_t *json, void *to, struct err *err)
{
    struct card_reader file;
    if (cards_open(&file, json, "galactic-contract", err) < 0 || load_numbers(&file, to) < 0)
        return -1;
    for (size_t i = 0; i < sizeof(kinds_of_cards) / sizeof(kinds_of_cards[0]); i++) {
        if (cards_each(&file, &kinds_of_cards[i], to) < 0)
            return -1;
    }
    return 0;
}

/* ---- cards by number ---- */

static int within(int number, int last)
{
    return number >= 1 && number <= last ? number : 0;
}

const struct gk_planet_card *gk_planet_card(const struct gk_cards *cards, int number)
{
    return &cards->planet[within(number, GK_PLANETS)];
}

const struct gk_ship_card *gk_ship_card(const struct gk_cards *cards, int number)
{
    return &cards->ship[within(number, GK_SHIPS)];
}

const struct gk_upgrade_card *gk_upgrade_card(const struct gk_cards *cards, int number)
{
    return &cards->upgrade[within(number, GK_UPGRADES)];
}

const struct gk_trade_card *gk_trade_card(const struct gk_cards *cards, int number)
{
    return &cards->trade[within(number, GK_TRADES)];
}

const struct gk_shipment_card *gk_shipment_card(const struct gk_cards *cards, int number)
{
    return &cards->shipment[within(number, GK_SHIPMENTS)];
}

const struct gk_construction_card *gk_construction_card(const struct gk_cards *cards, int number)
{
    return &cards->construction[within(number, GK_CONSTRUCTIONS)];
}
