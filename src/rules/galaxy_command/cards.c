#include "rules/galaxy_command/cards.h"

#include <string.h>

#include "base/json.h"
#include "base/str.h"
#include "rules/galaxy_command/cards_read.h"
#include "rules/galaxy_command/state.h"

#define WHAT 48 /* "card 12", "technology 3": what an error names */

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

static int load_system(const json_t *json, struct gc_card *card, const char *what, struct err *err)
{
    if (gc_need_int(json, "resistance", 1, 15, &card->resistance, what, err) < 0 ||
        gc_need_int(json, "metal", 0, 3, &card->metal, what, err) < 0 ||
        gc_need_int(json, "wealth", 0, 3, &card->wealth, what, err) < 0 ||
        gc_need_int(json, "vp", 0, 9, &card->vp, what, err) < 0)
        return -1;
    return 0;
}

static int load_effect(const json_t *json, int year, struct gc_card *card, const char *what, struct err *err)
{
    const char *key = year == 0 ? "year1" : "year2";
    struct gc_effect *effect = &card->year[year];
    const json_t *object;
    char where[WHAT + 8];
    snprintf(where, sizeof(where), "%s, %s", what, key);
    if (gc_need_object(json, key, &object, what, err) < 0 ||
        gc_may_int(object, "metal", GC_STORE_MAX, &effect->metal, where, err) < 0 ||
        gc_may_int(object, "wealth", GC_STORE_MAX, &effect->wealth, where, err) < 0 ||
        gc_may_int(object, "force", 9, &effect->force, where, err) < 0)
        return -1;
    bool gains = effect->metal || effect->wealth;
    if (gains != (card->happening == GC_GAIN))
        return err_set(err, ERR_BROKEN,
                       "%s: \"metal\" and \"wealth\" belong to gain events, and to all of them", where);
    bool forces = json_object_get(object, "force") != NULL;
    if (forces != (card->happening == GC_REVOLT || card->happening == GC_INVASION))
        return err_set(err, ERR_BROKEN, "%s: \"force\" belongs to revolts and invasions, and to all of them",
                       where);
    return 0;
}

static int load_event(const json_t *json, struct gc_card *card, const char *what, struct err *err)
{
    static const char *const words[] = {"none", "gain", "strike", "revolt", "invasion"};
    const char *word;
    if (json_need_string(json, "event", &word, what, err) < 0)
        return -1;
    int found = -1;
    for (int i = 0; i <= (int)GC_INVASION; i++) {
        if (strcmp(words[i], word) == 0)
            found = i;
    }
    if (found < 0)
        return err_set(err, ERR_BROKEN, "%s: \"event\" must be none, gain, strike, revolt or invasion", what);
    card->happening = (enum gc_happening)found;
    return load_effect(json, 0, card, what, err) < 0 || load_effect(json, 1, card, what, err) < 0 ? -1 : 0;
}

static int load_concern(const json_t *json, struct gc_card *card, const char *what, struct err *err)
{
    const json_t *affects;
    char where[WHAT + 12];
    snprintf(where, sizeof(where), "%s, affects", what);
    if (gc_need_object(json, "affects", &affects, what, err) < 0)
        return -1;
    if (json_object_size(affects) != 1)
        return err_set(err, ERR_BROKEN, "%s: \"affects\" must have one test: military, wealth_min or tech",
                       what);
    if (json_object_get(affects, "military")) {
        card->concern = GC_IF_MILITARY;
        return gc_need_int(affects, "military", 0, GC_STORE_MAX, &card->concern_value, where, err);
    }
    if (json_object_get(affects, "wealth_min")) {
        card->concern = GC_IF_WEALTH;
        return gc_need_int(affects, "wealth_min", 0, GC_STORE_MAX, &card->concern_value, where, err);
    }
    const char *id;
    if (json_need_string(affects, "tech", &id, where, err) < 0)
        return -1;
    card->concern = GC_IF_TECH;
    card->concern_value = tech_by_id(id);
    if (card->concern_value == GC_NO_TECH)
        return err_set(err, ERR_BROKEN, "%s: \"tech\" names no technology", where);
    return 0;
}

static int load_alert(const json_t *json, struct gc_card *card, const char *what, struct err *err)
{
    const json_t *lose;
    char where[WHAT + 8];
    snprintf(where, sizeof(where), "%s, lose", what);
    if (load_concern(json, card, what, err) < 0 || gc_need_object(json, "lose", &lose, what, err) < 0 ||
        gc_may_int(lose, "metal", GC_STORE_MAX, &card->lose.metal, where, err) < 0 ||
        gc_may_int(lose, "wealth", GC_STORE_MAX, &card->lose.wealth, where, err) < 0 ||
        gc_may_int(lose, "military", GC_STORE_MAX, &card->lose_military, where, err) < 0)
        return -1;
    if (!card->lose.metal && !card->lose.wealth && !card->lose_military)
        return err_set(err, ERR_BROKEN, "%s: must name metal, wealth or military", where);
    json_t *roll = json_need_array(json, "roll", what, err);
    if (!roll)
        return -1;
    size_t i;
    json_t *die;
    json_array_foreach (roll, i, die) {
        json_int_t n = json_integer_value(die);
        if (n < 1 || n > 6)
            return err_set(err, ERR_BROKEN, "%s: \"roll\" must list numbers of a die, 1 to 6", what);
        card->roll |= 1U << n;
    }
    return 0;
}

static int load_kind(const json_t *json, struct gc_card *card, const char *what, struct err *err)
{
    const char *kind;
    if (json_need_string(json, "kind", &kind, what, err) < 0)
        return -1;
    if (strcmp(kind, "near") == 0 || strcmp(kind, "distant") == 0) {
        card->kind = kind[0] == 'n' ? GC_NEAR : GC_DISTANT;
        return load_system(json, card, what, err);
    }
    if (strcmp(kind, "event") == 0) {
        card->kind = GC_EVENT;
        return load_event(json, card, what, err);
    }
    if (strcmp(kind, "red_alert") == 0) {
        card->kind = GC_ALERT;
        return load_alert(json, card, what, err);
    }
    return err_set(err, ERR_BROKEN, "%s: \"kind\" must be near, distant, event or red_alert", what);
}

static int load_card(const json_t *json, size_t index, struct gc_cards *cards, struct err *err)
{
    char what[WHAT];
    int number;
    snprintf(what, sizeof(what), "the list's card no. %zu", index + 1);
    if (gc_need_int(json, "number", 1, GC_CARDS, &number, what, err) < 0)
        return -1;
    snprintf(what, sizeof(what), "card %d", number);
    struct gc_card *card = &cards->card[number];
    if (card->name[0])
        return err_set(err, ERR_BROKEN, "%s: \"number\" is given twice", what);
    if (gc_need_name(json, "name", card->name, what, err) < 0 || load_kind(json, card, what, err) < 0 ||
        gc_need_source(json, what, err) < 0)
        return -1;
    const json_t *solo = json_object_get(json, "solo18");
    if (!json_is_boolean(solo))
        return err_set(err, ERR_BROKEN, "%s: \"solo18\" must be true or false", what);
    card->solo18 = json_is_true(solo);
    for (int i = 1; i <= GC_CARDS; i++) {
        if (i != number && strcmp(cards->card[i].name, card->name) == 0)
            return err_set(err, ERR_BROKEN, "%s: \"name\" is that of card %d", what, i);
    }
    return 0;
}

static int count_cards(const struct gc_cards *cards, struct err *err)
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
            return err_set(err, ERR_BROKEN, "the cards: there are %d %s but must be %d at least", count,
                           need[i].words, need[i].least);
        if (events < cards->rounds[0] || events < cards->rounds[1] || events > GC_EVENTS)
            return err_set(err, ERR_BROKEN,
                           "the cards: there are %d events and red alerts but must be %d to %d", events,
                           cards->rounds[0], GC_EVENTS);
    }
    return 0;
}

static int load_cards(const json_t *json, struct gc_cards *cards, struct err *err)
{
    json_t *list = json_need_array(json, "cards", "the cards", err);
    if (!list)
        return -1;
    size_t i;
    json_t *card;
    json_array_foreach (list, i, card) {
        if (load_card(card, i, cards, err) < 0)
            return -1;
    }
    return count_cards(cards, err);
}

/* ---- technologies, ranks, numbers ---- */

static int load_tech(const json_t *json, int index, struct gc_cards *cards, struct err *err)
{
    char what[WHAT];
    const char *id;
    int gen;
    struct gc_technology *tech = &cards->tech[index];
    snprintf(what, sizeof(what), "technology %d", index + 1);
    if (json_need_string(json, "id", &id, what, err) < 0)
        return -1;
    if (strcmp(id, tech_ids[index]) != 0)
        return err_set(err, ERR_BROKEN, "%s: \"id\" must be %s", what, tech_ids[index]);
    if (gc_need_name(json, "id", tech->id, what, err) < 0 ||
        gc_need_name(json, "name", tech->name, what, err) < 0 ||
        gc_need_int(json, "row", 1, GC_TECHS / 2, &tech->row, what, err) < 0 ||
        gc_need_int(json, "gen", 1, 2, &gen, what, err) < 0 ||
        gc_need_int(json, "cost", 1, GC_STORE_MAX, &tech->cost, what, err) < 0 ||
        gc_need_source(json, what, err) < 0)
        return -1;
    const json_t *requires = json_object_get(json, "requires");
    tech->requires = (enum gc_tech)tech_by_id(json_string_value(requires));
    if (tech->requires == GC_NO_TECH
            ? gen != 1 || !json_is_null(requires)
            : gen != 2 || (int)tech->requires >= index || cards->tech[tech->requires].row != tech->row)
        return err_set(err, ERR_BROKEN,
                       "%s: \"requires\" must be null for gen 1, the left technology of the row for gen 2",
                       what);
    return 0;
}

static int load_techs(const json_t *json, struct gc_cards *cards, struct err *err)
{
    json_t *list = json_need_array(json, "technologies", "the cards", err);
    if (!list)
        return -1;
    if (json_array_size(list) != GC_TECHS)
        return err_set(err, ERR_BROKEN, "the cards: \"technologies\" must be %d", GC_TECHS);
    for (int i = 0; i < GC_TECHS; i++) {
        if (load_tech(json_array_get(list, (size_t)i), i, cards, err) < 0)
            return -1;
    }
    return 0;
}

static int load_ranks(const json_t *json, struct gc_cards *cards, struct err *err)
{
    json_t *list = json_need_array(json, "ranks", "the cards", err);
    if (!list)
        return -1;
    size_t count = json_array_size(list);
    if (count < 1 || count > GC_RANKS)
        return err_set(err, ERR_BROKEN, "the cards: \"ranks\" must be 1 to %d", GC_RANKS);
    cards->ranks = (int)count;
    for (int i = 0; i < cards->ranks; i++) {
        const json_t *rank = json_array_get(list, (size_t)i);
        char what[WHAT];
        snprintf(what, sizeof(what), "rank %d", i + 1);
        int least = i ? cards->rank[i - 1].min + 1 : 0;
        if (gc_need_int(rank, "min", least, i ? 99 : 0, &cards->rank[i].min, what, err) < 0 ||
            gc_need_name(rank, "name", cards->rank[i].name, what, err) < 0 ||
            gc_need_source(rank, what, err) < 0)
            return -1;
    }
    const json_t *lost;
    if (gc_need_object(json, "lost_rank", &lost, "the cards", err) < 0)
        return -1;
    return gc_need_name(lost, "name", cards->lost_rank, "lost_rank", err);
}

static int load_numbers(const json_t *json, struct gc_cards *c, struct err *err)
{
    int near_slots, far_slots; /* the mats' places are fixed; the file may not say otherwise */
    const struct {
        const char *section, *key;
        int min, max;
        int *to;
    } number[] = {
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
    for (size_t i = 0; i < sizeof(number) / sizeof(number[0]); i++) {
        const json_t *section;
        if (gc_need_object(json, number[i].section, &section, "the cards", err) < 0 ||
            gc_need_int(section, number[i].key, number[i].min, number[i].max, number[i].to, number[i].section,
                        err) < 0 ||
            gc_need_source(section, number[i].section, err) < 0)
            return -1;
    }
    return 0;
}

int gc_cards_load(const json_t *json, int version, void *to, struct err *err)
{
    (void)version; /* there is one */
    struct gc_cards *cards = to;
    const char *game;
    if (json_need_string(json, "game", &game, "the cards", err) < 0)
        return -1;
    if (strcmp(game, "galaxy-command") != 0)
        return err_set(err, ERR_BROKEN, "the cards: \"game\" must be galaxy-command");
    if (load_numbers(json, cards, err) < 0 || load_techs(json, cards, err) < 0 ||
        load_ranks(json, cards, err) < 0)
        return -1;
    return load_cards(json, cards, err);
}

const struct gc_card *gc_card(const struct gc_cards *cards, int number)
{
    return &cards->card[number >= 1 && number <= GC_CARDS ? number : 0];
}
