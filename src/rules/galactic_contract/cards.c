#include "rules/galactic_contract/cards.h"

#include <string.h>

#include "base/json.h"
#include "base/str.h"
#include "base/utf8.h"

#define WHAT      64 /* "planet 3, produces": what an error names */
#define GOODS_MAX 9

/* ---- members ---- */

static int need_int(const json_t *object, const char *key, int min, int max, int *out, const char *what,
                    struct err *err)
{
    int64_t n;
    if (json_need_int(object, key, min, max, &n, what, err) < 0)
        return -1;
    *out = (int)n;
    return 0;
}

static int need_object(const json_t *object, const char *key, const json_t **out, const char *what,
                       struct err *err)
{
    *out = json_object_get(object, key);
    if (!json_is_object(*out))
        return err_set(err, ERR_BROKEN, "%s: \"%s\" must be an object", what, key);
    return 0;
}

static int need_name(const json_t *object, char out[GK_NAME], const char *what, struct err *err)
{
    const char *text;
    if (json_need_string(object, "name", &text, what, err) < 0)
        return -1;
    struct slice name = slice_of(text);
    struct str safe = STR_INIT;
    utf8_safe(&safe, name, false);
    bool fit = name.len > 0 && name.len < GK_NAME && strcmp(safe.p, text) == 0;
    str_release(&safe);
    if (!fit)
        return err_set(err, ERR_BROKEN, "%s: \"name\" must be a plain text of 1 to %d bytes", what,
                       GK_NAME - 1);
    memcpy(out, text, name.len + 1);
    return 0;
}

/* "P3" for the third planet: what orders and reports call the card. */
static int need_code(const json_t *object, char letter, int number, const char *what, struct err *err)
{
    char code[GK_CODE];
    const char *text;
    if (json_need_string(object, "id", &text, what, err) < 0)
        return -1;
    gk_code(code, letter, number);
    return strcmp(text, code) == 0 ? 0 : err_set(err, ERR_BROKEN, "%s: \"id\" must be %s", what, code);
}

static bool source_known(const json_t *source)
{
    const char *text = json_string_value(source);
    return text && (strcmp(text, "rulebook") == 0 || str_starts(text, "rulebook+") ||
                    strcmp(text, "house") == 0 || str_starts(text, "public:"));
}

/* One mark, or an object of marks by field. */
static int need_source(const json_t *object, const char *what, struct err *err)
{
    const json_t *source = json_object_get(object, "source");
    bool good = source_known(source) || json_object_size(source) > 0;
    const char *key;
    json_t *mark;
    json_object_foreach ((json_t *)(uintptr_t)source, key, mark) {
        good = good && source_known(mark);
    }
    if (!good)
        return err_set(err, ERR_BROKEN, "%s: \"source\" must say rulebook, public:<where> or house", what);
    return 0;
}

static int kind_named(const char *name)
{
    for (int k = 0; k < GK_KINDS; k++) {
        if (strcmp(gk_kinds[k], name) == 0)
            return k;
    }
    return -1;
}

/* {"metal": 2, "fuel": 1}; `least` cards together. */
static int need_goods(const json_t *object, const char *key, int least, struct gk_goods *out,
                      const char *what, struct err *err)
{
    const json_t *goods;
    const char *kind;
    json_t *amount;
    char where[WHAT + 16];
    snprintf(where, sizeof(where), "%s, %s", what, key);
    if (need_object(object, key, &goods, what, err) < 0)
        return -1;
    json_object_foreach ((json_t *)(uintptr_t)goods, kind, amount) {
        int k = kind_named(kind);
        if (k < 0)
            return err_set(err, ERR_BROKEN, "%s: \"%.20s\" is no resource", where, kind);
        if (need_int(goods, kind, 0, GOODS_MAX, &out->of[k], where, err) < 0)
            return -1;
    }
    if (gk_sum(out) < least)
        return err_set(err, ERR_BROKEN, "%s: must name %d resource card%s at least", where, least,
                       PLURAL(least));
    return 0;
}

static int need_points(const json_t *json, int *points, const char *what, struct err *err)
{
    return need_int(json, "points", 0, 99, points, what, err);
}

/* ---- cards ---- */

static int load_planet(const json_t *json, int number, struct gk_cards *cards, const char *what,
                       struct err *err)
{
    struct gk_planet_card *card = &cards->planet[number];
    if (need_name(json, card->name, what, err) < 0 ||
        need_goods(json, "produces", 1, &card->produces, what, err) < 0)
        return -1;
    for (int i = 1; i < number; i++) {
        if (strcmp(cards->planet[i].name, card->name) == 0)
            return err_set(err, ERR_BROKEN, "%s: \"name\" is that of planet %d", what, i);
    }
    return 0;
}

static int load_ship(const json_t *json, int number, struct gk_cards *cards, const char *what,
                     struct err *err)
{
    struct gk_ship_card *card = &cards->ship[number];
    if (need_name(json, card->name, what, err) < 0 ||
        need_int(json, "speed", 1, 9, &card->speed, what, err) < 0 ||
        need_int(json, "capacity", 1, 20, &card->capacity, what, err) < 0 ||
        need_int(json, "max_upgrades", 0, GK_UPGRADES, &card->max_upgrades, what, err) < 0)
        return -1;
    return 0;
}

static int load_storage(const json_t *json, int number, struct gk_cards *cards, const char *what,
                        struct err *err)
{
    struct gk_upgrade_card *card = &cards->upgrade[number];
    const char *id;
    if (json_need_string(json, "planet", &id, what, err) < 0)
        return -1;
    for (int p = 1; p <= GK_PLANETS; p++) {
        char code[GK_CODE];
        gk_code(code, 'P', p);
        if (strcmp(code, id) == 0)
            card->planet = p;
    }
    if (!card->planet)
        return err_set(err, ERR_BROKEN, "%s: \"planet\" must be P1 to P%d", what, GK_PLANETS);
    for (int i = 1; i < number; i++) {
        if (cards->upgrade[i].planet == card->planet)
            return err_set(err, ERR_BROKEN, "%s: \"planet\" is that of upgrade %d", what, i);
    }
    return need_int(json, "capacity", 1, GOODS_MAX, &card->capacity, what, err);
}

static int load_upgrade(const json_t *json, int number, struct gk_cards *cards, const char *what,
                        struct err *err)
{
    struct gk_upgrade_card *card = &cards->upgrade[number];
    const char *kind;
    if (need_name(json, card->name, what, err) < 0 || json_need_string(json, "kind", &kind, what, err) < 0 ||
        need_goods(json, "cost", 1, &card->cost, what, err) < 0 ||
        need_points(json, &card->points, what, err) < 0)
        return -1;
    if (strcmp(kind, "storage") == 0)
        return load_storage(json, number, cards, what, err);
    if (strcmp(kind, "ship") != 0)
        return err_set(err, ERR_BROKEN, "%s: \"kind\" must be storage or ship", what);
    return need_int(json, "speed", 0, 9, &card->speed, what, err) < 0 ||
                   need_int(json, "capacity", 0, 20, &card->capacity, what, err) < 0
               ? -1
               : 0;
}

static int load_trade(const json_t *json, int number, struct gk_cards *cards, const char *what,
                      struct err *err)
{
    struct gk_trade_card *card = &cards->trade[number];
    if (need_goods(json, "cost", 1, &card->cost, what, err) < 0 ||
        need_goods(json, "gain", 1, &card->gain, what, err) < 0 ||
        need_points(json, &card->points, what, err) < 0)
        return -1;
    for (int k = 1; k < GK_KINDS; k++) {
        if (card->gain.of[k] > card->gain.of[card->bonus])
            card->bonus = k;
    }
    return 0;
}

static int load_shipment(const json_t *json, int number, struct gk_cards *cards, const char *what,
                         struct err *err)
{
    struct gk_shipment_card *card = &cards->shipment[number];
    return need_goods(json, "cost", 1, &card->cost, what, err) < 0 ||
                   need_points(json, &card->points, what, err) < 0
               ? -1
               : 0;
}

static int load_construction(const json_t *json, int number, struct gk_cards *cards, const char *what,
                             struct err *err)
{
    struct gk_construction_card *card = &cards->construction[number];
    const char *kind;
    if (need_name(json, card->name, what, err) < 0 || json_need_string(json, "kind", &kind, what, err) < 0)
        return -1;
    if (strcmp(kind, "depot") == 0) {
        card->kind = GK_DEPOT;
        return 0;
    }
    if (strcmp(kind, "production") == 0) {
        card->kind = GK_PRODUCTION;
        return need_goods(json, "produces", 1, &card->goods, what, err);
    }
    if (strcmp(kind, "gift") != 0)
        return err_set(err, ERR_BROKEN, "%s: \"kind\" must be depot, production or gift", what);
    card->kind = GK_GIFT;
    return need_goods(json, "gives", 1, &card->goods, what, err);
}

static const struct {
    const char *section, *one;
    char letter;
    size_t count;
    int (*load)(const json_t *json, int number, struct gk_cards *cards, const char *what, struct err *err);
} lists[] = {
    {"planets", "planet", 'P', GK_PLANETS, load_planet},
    {"ships", "ship", 'H', GK_SHIPS, load_ship},
    {"upgrades", "upgrade", 'U', GK_UPGRADES, load_upgrade},
    {"trades", "trade", 'T', GK_TRADES, load_trade},
    {"shipments", "shipment", 'S', GK_SHIPMENTS, load_shipment},
    {"constructions", "construction", 'C', GK_CONSTRUCTIONS, load_construction},
};

static int load_list(const json_t *json, size_t which, struct gk_cards *cards, struct err *err)
{
    const json_t *list = json_need_array(json, lists[which].section, "the cards", err);
    if (!list)
        return -1;
    if (json_array_size(list) != lists[which].count)
        return err_set(err, ERR_BROKEN, "the cards: \"%s\" must be %zu", lists[which].section,
                       lists[which].count);
    for (size_t i = 0; i < lists[which].count; i++) {
        const json_t *card = json_array_get(list, i);
        int number = (int)i + 1;
        char what[WHAT];
        snprintf(what, sizeof(what), "%s %d", lists[which].one, number);
        if (need_code(card, lists[which].letter, number, what, err) < 0 ||
            lists[which].load(card, number, cards, what, err) < 0 || need_source(card, what, err) < 0)
            return -1;
    }
    return 0;
}

/* ---- numbers ---- */

static int load_numbers(const json_t *json, struct gk_cards *c, struct err *err)
{
    int piles, pile_size, swap_get; /* fixed; the file may not say otherwise */
    const struct {
        const char *section, *key;
        int min, max;
        int *to;
    } number[] = {
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
    for (size_t i = 0; i < sizeof(number) / sizeof(number[0]); i++) {
        const json_t *section;
        if (need_object(json, number[i].section, &section, "the cards", err) < 0 ||
            need_int(section, number[i].key, number[i].min, number[i].max, number[i].to, number[i].section,
                     err) < 0 ||
            need_source(section, number[i].section, err) < 0)
            return -1;
    }
    return 0;
}

int gk_cards_load(const json_t *json, int version, void *to, struct err *err)
{
    (void)version; /* there is one */
    struct gk_cards *cards = to;
    const char *game;
    if (json_need_string(json, "game", &game, "the cards", err) < 0)
        return -1;
    if (strcmp(game, "galactic-contract") != 0)
        return err_set(err, ERR_BROKEN, "the cards: \"game\" must be galactic-contract");
    if (load_numbers(json, cards, err) < 0)
        return -1;
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        if (load_list(json, i, cards, err) < 0)
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

void gk_code(char out[GK_CODE], char letter, int number)
{
    code_write(out, letter, number);
}
