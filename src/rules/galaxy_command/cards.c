#include "rules/galaxy_command/cards.h"

#include <string.h>

#include "rules/cards.h"
#include "rules/galaxy_command/state.h"

static const char *const tech_ids[GC_TECHS] = {"capital",    "forward",   "robots",   "defenses",
                                               "television", "diplomacy", "commerce", "banking"};

static int tech_by_id(const char *id)
{
    for (int i = 0; i < GC_TECHS; i++) {
        if (id && strcmp(tech_ids[i], id) == 0)
            return i;
    }
    return GC_NO_TECH;
}

/* ---- cards ---- */

static int load_system(const struct card_reader *from, struct gc_card *card)
{
    if (card_int(from, "resistance", 1, 15, &card->resistance) < 0 ||
        card_int(from, "metal", 0, 3, &card->metal) < 0 ||
        card_int(from, "wealth", 0, 3, &card->wealth) < 0 || card_int(from, "vp", 0, 9, &card->vp) < 0)
        return -1;
    return 0;
}

static int load_effect(const struct card_reader *from, int year, struct gc_card *card)
{
    struct gc_effect *effect = &card->year[year];
    struct card_reader object;
    if (card_object(from, year == 0 ? "year1" : "year2", &object) < 0 ||
        card_amount(&object, "metal", GC_STORE_MAX, &effect->metal) < 0 ||
        card_amount(&object, "wealth", GC_STORE_MAX, &effect->wealth) < 0 ||
        card_amount(&object, "force", 9, &effect->force) < 0)
        return -1;
    bool gains = effect->metal || effect->wealth;
    if (gains != (card->happening == GC_GAIN))
        return card_refuse(&object, "\"metal\" and \"wealth\" belong to gain events, and to all of them");
    bool forces = json_object_get(object.object, "force") != NULL;
    if (forces != (card->happening == GC_REVOLT || card->happening == GC_INVASION))
        return card_refuse(&object, "\"force\" belongs to revolts and invasions, and to all of them");
    return 0;
}

static int load_event(const struct card_reader *from, struct gc_card *card)
{
    static const char *const words[] = {"none", "gain", "strike", "revolt", "invasion", NULL};
    int happening;
    if (card_word(from, "event", words, &happening) < 0)
        return -1;
    card->happening = (enum gc_happening)happening;
    return load_effect(from, 0, card) < 0 || load_effect(from, 1, card) < 0 ? -1 : 0;
}

static int load_concern(const struct card_reader *from, struct gc_card *card)
{
    struct card_reader affects;
    if (card_object(from, "affects", &affects) < 0)
        return -1;
    if (json_object_size(affects.object) != 1)
        return card_refuse(from, "\"affects\" must have one test: military, wealth_min or tech");
    if (json_object_get(affects.object, "military")) {
        card->concern = GC_IF_MILITARY;
        return card_int(&affects, "military", 0, GC_STORE_MAX, &card->concern_value);
    }
    if (json_object_get(affects.object, "wealth_min")) {
        card->concern = GC_IF_WEALTH;
        return card_int(&affects, "wealth_min", 0, GC_STORE_MAX, &card->concern_value);
    }
    const char *id;
    if (card_text(&affects, "tech", &id) < 0)
        return -1;
    card->concern = GC_IF_TECH;
    card->concern_value = tech_by_id(id);
    return card->concern_value == GC_NO_TECH ? card_refuse(&affects, "\"tech\" names no technology") : 0;
}

static int load_alert(const struct card_reader *from, struct gc_card *card)
{
    struct card_reader lose;
    if (load_concern(from, card) < 0 || card_object(from, "lose", &lose) < 0 ||
        card_amount(&lose, "metal", GC_STORE_MAX, &card->lose.metal) < 0 ||
        card_amount(&lose, "wealth", GC_STORE_MAX, &card->lose.wealth) < 0 ||
        card_amount(&lose, "military", GC_STORE_MAX, &card->lose_military) < 0)
        return -1;
    if (!card->lose.metal && !card->lose.wealth && !card->lose_military)
        return card_refuse(&lose, "must name metal, wealth or military");
    const json_t *roll = card_list(from, "roll", 0, SIZE_MAX);
    if (!roll)
        return -1;
    size_t i;
    json_t *die;
    json_array_foreach ((json_t *)(uintptr_t)roll, i, die) {
        json_int_t n = json_integer_value(die);
        if (n < 1 || n > 6)
            return card_refuse(from, "\"roll\" must list numbers of a die, 1 to 6");
        card->roll |= 1U << n;
    }
    return 0;
}

static int load_kind(const struct card_reader *from, struct gc_card *card)
{
    static const char *const kinds[] = {"near", "distant", "event", "red_alert", NULL};
    int kind;
    if (card_word(from, "kind", kinds, &kind) < 0)
        return -1;
    card->kind = (enum gc_kind)kind;
    if (card->kind == GC_EVENT)
        return load_event(from, card);
    return card->kind == GC_ALERT ? load_alert(from, card) : load_system(from, card);
}

static int load_card(const struct card_reader *from, int number, struct gc_cards *cards)
{
    struct gc_card *card = &cards->card[number];
    if (card->name[0])
        return card_refuse(from, "\"number\" is given twice");
    if (card_name(from, "name", card->name, GC_NAME) < 0 || load_kind(from, card) < 0 ||
        card_source(from) < 0)
        return -1;
    const json_t *solo = json_object_get(from->object, "solo18");
    if (!json_is_boolean(solo))
        return card_refuse(from, "\"solo18\" must be true or false");
    card->solo18 = json_is_true(solo);
    for (int i = 1; i <= GC_CARDS; i++) {
        if (i != number && strcmp(cards->card[i].name, card->name) == 0)
            return card_refuse(from, "\"name\" is that of card %d", i);
    }
    return 0;
}

static int count_cards(const struct card_reader *file, const struct gc_cards *cards)
{
    static const struct {
        const char *words;
        enum gc_kind kind;
        bool solo18;
        int least;
    } need[] = {{"near systems", GC_NEAR, false, GC_SEATS * GC_NEAR_SLOTS},
                {"distant systems", GC_DISTANT, false, GC_SEATS * GC_FAR_SLOTS},
                {"events", GC_EVENT, false, 1},
                {"near systems with solo18", GC_NEAR, true, GC_NEAR_SLOTS},
                {"distant systems with solo18", GC_DISTANT, true, GC_FAR_SLOTS},
                {"events with solo18", GC_EVENT, true, 1}};
    for (size_t i = 0; i < sizeof(need) / sizeof(need[0]); i++) {
        int count = 0;
        int events = 0;
        for (int n = 1; n <= GC_CARDS; n++) {
            const struct gc_card *card = &cards->card[n];
            if (!card->name[0] || (need[i].solo18 && !card->solo18))
                continue;
            count += card->kind == need[i].kind;
            events += card->kind == GC_EVENT || card->kind == GC_ALERT;
        }
        if (count < need[i].least)
            return card_refuse(file, "there are %d %s but must be %d at least", count, need[i].words,
                               need[i].least);
        if (events < cards->rounds[0] || events < cards->rounds[1] || events > GC_EVENTS)
            return card_refuse(file, "there are %d events and red alerts but must be %d to %d", events,
                               cards->rounds[0], GC_EVENTS);
    }
    return 0;
}

/* Cards are in any order, so they are named by their number once it is known. */
static int load_cards(const struct card_reader *file, struct gc_cards *cards)
{
    const json_t *list = card_list(file, "cards", 0, SIZE_MAX);
    if (!list)
        return -1;
    size_t i;
    json_t *object;
    json_array_foreach ((json_t *)(uintptr_t)list, i, object) {
        struct card_reader card = card_inside(file, object, "the list's card no. %zu", i + 1);
        int number;
        if (card_int(&card, "number", 1, GC_CARDS, &number) < 0)
            return -1;
        card = card_inside(file, object, "card %d", number);
        if (load_card(&card, number, cards) < 0)
            return -1;
    }
    return count_cards(file, cards);
}

/* ---- technologies, ranks, numbers ---- */

static int load_tech(const struct card_reader *from, int index, void *to)
{
    struct gc_cards *cards = to;
    struct gc_technology *tech = &cards->tech[index];
    int gen;
    if (card_exactly(from, "id", tech_ids[index]) < 0 || card_name(from, "id", tech->id, GC_NAME) < 0 ||
        card_name(from, "name", tech->name, GC_NAME) < 0 ||
        card_int(from, "row", 1, GC_TECHS / 2, &tech->row) < 0 || card_int(from, "gen", 1, 2, &gen) < 0 ||
        card_int(from, "cost", 1, GC_STORE_MAX, &tech->cost) < 0)
        return -1;
    const json_t *requires = json_object_get(from->object, "requires");
    tech->requires = (enum gc_tech)tech_by_id(json_string_value(requires));
    if (tech->requires == GC_NO_TECH
            ? gen != 1 || !json_is_null(requires)
            : gen != 2 || (int)tech->requires >= index || cards->tech[tech->requires].row != tech->row)
        return card_refuse(from,
                           "\"requires\" must be null for gen 1, the left technology of the row for gen 2");
    return 0;
}

static int load_rank(const struct card_reader *from, int index, void *to)
{
    struct gc_cards *cards = to;
    struct gc_rank *rank = &cards->rank[index];
    int least = index ? cards->rank[index - 1].min + 1 : 0;
    if (card_int(from, "min", least, index ? 99 : 0, &rank->min) < 0)
        return -1;
    return card_name(from, "name", rank->name, GC_NAME);
}

static int load_ranks(const struct card_reader *file, struct gc_cards *cards)
{
    static const struct card_kind kind = {"ranks", "rank", 1, GC_RANKS, '\0', load_rank};
    struct card_reader lost;
    cards->ranks = cards_each(file, &kind, cards);
    if (cards->ranks < 0 || card_object(file, "lost_rank", &lost) < 0)
        return -1;
    return card_name(&lost, "name", cards->lost_rank, GC_NAME);
}

static int load_numbers(const struct card_reader *file, struct gc_cards *c)
{
    int near_slots, far_slots; /* the mats' places are fixed; the file must agree */
    const struct card_number numbers[] = {
        {"start", "metal", 0, 3, &c->start_metal},
        {"start", "wealth", 0, 3, &c->start_wealth},
        {"start", "military", 0, 3, &c->start_military},
        {"start", "prod_metal", 0, 3, &c->start_prod_metal},
        {"start", "prod_wealth", 0, 3, &c->start_prod_wealth},
        {"limits", "storage", 3, GC_STORE_MAX, &c->storage},
        {"limits", "storage_banking", 3, GC_STORE_MAX, &c->storage_banking},
        {"limits", "military", 3, GC_STORE_MAX, &c->military},
        {"limits", "military_capital", 3, GC_STORE_MAX, &c->military_capital},
        {"deal", "near", GC_NEAR_SLOTS, GC_NEAR_SLOTS, &near_slots},
        {"deal", "distant", GC_FAR_SLOTS, GC_FAR_SLOTS, &far_slots},
        {"deal", "events_year1", 1, GC_EVENTS, &c->rounds[0]},
        {"deal", "events_year2", 1, GC_EVENTS, &c->rounds[1]},
        {"commerce", "give", 1, 3, &c->swap_give},
        {"commerce", "get", 1, 3, &c->swap_get},
        {"build", "metal", 0, 3, &c->build_metal},
        {"build", "wealth", 0, 3, &c->build_wealth},
        {"bonuses", "exploration", 0, 9, &c->bonus_exploration},
        {"bonuses", "scientific", 0, 9, &c->bonus_scientific},
        {"bonuses", "warlord", 0, 9, &c->bonus_warlord},
    };
    return cards_numbers(file, numbers, sizeof(numbers) / sizeof(numbers[0]));
}

int gc_cards_load(const json_t *json, void *to, struct err *err)
{
    static const struct card_kind techs = {"technologies", "technology", GC_TECHS, GC_TECHS, '\0', load_tech};
    struct card_reader file;
    if (cards_open(&file, json, "galaxy-command", err) < 0 || load_numbers(&file, to) < 0 ||
        cards_each(&file, &techs, to) < 0 || load_ranks(&file, to) < 0)
        return -1;
    return load_cards(&file, to);
}

const struct gc_card *gc_card(const struct gc_cards *cards, int number)
{
    return &cards->card[number >= 1 && number <= GC_CARDS ? number : 0];
}
