#include "rules/galactic_supremacy/cards.h"

#include <string.h>

#include "base/json.h"
#include "base/str.h"
#include "base/utf8.h"
#include "rules/galactic_supremacy/state.h"

#define WHAT 48 /* "card 12", "technology 3": what an error names */

const char *const gs_kind_names[GS_KINDS] = {"research", "command", "sector", "fleet", "leader"};

static const char *const tech_ids[GS_TECHS] = {"jump",         "firepower",   "range",
                                               "defenses",     "information", "sublight",
                                               "terraforming", "industry",    "energy"};
static const char *const exchange_ids[GS_EXCHANGES] = {"explore", "draft", "intel", "rnd"};
/* What a use does, and when, is in the program; the file may not say otherwise. */
static const struct {
    const char *id, *window, *effect;
} uses[GS_USES] = {
    [GS_MISINFORMATION] = {"misinformation", "command", "random_discard"},
    [GS_SPY] = {"spy", "command", "see_hand"},
    [GS_PLANNING] = {"planning", "command", "see_deck"},
    [GS_TACTICAL] = {"tactical", "attack_either_side", "extra_die"},
    [GS_SURPRISE] = {"surprise", "attack_attacker", "defender_only_local_fleets"},
    [GS_AMBUSH] = {"ambush", "attack_defender", "defender_any_fleets"},
    [GS_PEACE] = {"peace", "attack_defender", "no_attack_on_me_this_turn"},
    [GS_QUOTAS] = {"quotas", "command", "gain_credits"},
    [GS_STEAL] = {"steal", "command", "steal_random_card"},
    [GS_COUNTER] = {"counter", "any_command_use", "negate"},
    [GS_MILSAB] = {"milsab", "command", "fleet_to_hand"},
    [GS_INDSAB] = {"indsab", "command", "lose_credits"},
    [GS_ASSASSINATION] = {"assassination", "command", "kill_leader"},
    [GS_INITIATIVE] = {"initiative", "command_or_attack", "second_attack_phase"},
};

/* ---- reading members ---- */

static int need_int(const json_t *object, const char *key, int min, int max, int *out, const char *what,
                    struct err *err)
{
    int64_t n;
    if (json_need_int(object, key, min, max, &n, what, err) < 0)
        return -1;
    *out = (int)n;
    return 0;
}

static int need_name(const json_t *object, const char *key, char out[GS_NAME], const char *what,
                     struct err *err)
{
    const char *text;
    if (json_need_string(object, key, &text, what, err) < 0)
        return -1;
    struct slice name = slice_of(text);
    struct str safe = STR_INIT;
    utf8_safe(&safe, name, false);
    bool fit = name.len > 0 && name.len < GS_NAME && strcmp(safe.p, text) == 0;
    str_release(&safe);
    if (!fit)
        return err_set(err, ERR_BROKEN, "%s: \"%s\" must be a plain text of 1 to %d bytes", what, key,
                       GS_NAME - 1);
    memcpy(out, text, name.len + 1);
    return 0;
}

static int need_word(const json_t *object, const char *key, const char *word, const char *what,
                     struct err *err)
{
    const char *text;
    if (json_need_string(object, key, &text, what, err) < 0)
        return -1;
    return strcmp(text, word) == 0 ? 0 : err_set(err, ERR_BROKEN, "%s: \"%s\" must be %s", what, key, word);
}

static int need_kind(const json_t *object, const char *key, enum gs_kind *out, const char *what,
                     struct err *err)
{
    const char *text;
    if (json_need_string(object, key, &text, what, err) < 0)
        return -1;
    for (int kind = 0; kind < GS_KINDS; kind++) {
        if (strcmp(text, gs_kind_names[kind]) == 0) {
            *out = (enum gs_kind)kind;
            return 0;
        }
    }
    return err_set(err, ERR_BROKEN, "%s: \"%s\" must be research, command, sector, fleet or leader", what,
                   key);
}

static bool source_known(const json_t *source)
{
    const char *text = json_string_value(source);
    return text && (strcmp(text, "rulebook") == 0 || strcmp(text, "house") == 0);
}

/* "source" must be there: one mark, or an object of marks by field (its "note" is free text). */
static int need_source(const json_t *object, const char *what, struct err *err)
{
    const json_t *source = json_object_get(object, "source");
    bool good = source_known(source) || json_object_size(source) > 0;
    const char *key;
    json_t *mark;
    json_object_foreach ((json_t *)(uintptr_t)source, key, mark) {
        good = good && (strcmp(key, "note") == 0 ? json_is_string(mark) : source_known(mark));
    }
    return good ? 0 : err_set(err, ERR_BROKEN, "%s: \"source\" must say rulebook or house", what);
}

/* ---- cards ---- */

static int load_card(const json_t *json, size_t index, struct gs_cards *cards, struct err *err)
{
    char what[WHAT];
    int number;
    snprintf(what, sizeof(what), "the list's card no. %zu", index + 1);
    if (need_int(json, "number", 1, GS_CARDS, &number, what, err) < 0)
        return -1;
    struct gs_card *card = &cards->card[number];
    snprintf(what, sizeof(what), "card %d", number);
    if (number != (int)index + 1)
        return err_set(err, ERR_BROKEN, "%s: \"number\" must be %zu here, for the cards are in order", what,
                       index + 1);
    if (need_kind(json, "kind", &card->kind, what, err) < 0 || need_source(json, what, err) < 0)
        return -1;
    bool named = card->kind == GS_SECTOR || card->kind == GS_FLEET || card->kind == GS_LEADER;
    if (!named)
        return json_object_get(json, "name")
                   ? err_set(err, ERR_BROKEN, "%s: \"name\" belongs to sectors, fleets and leaders", what)
                   : 0;
    if (need_name(json, "name", card->name, what, err) < 0)
        return -1;
    for (int i = 1; i < number; i++) {
        if (strcmp(cards->card[i].name, card->name) == 0)
            return err_set(err, ERR_BROKEN, "%s: \"name\" is that of card %d", what, i);
    }
    return 0;
}

static int load_cards(const json_t *json, struct gs_cards *cards, struct err *err)
{
    static const int most[GS_KINDS] = {GS_CARDS, GS_CARDS, GS_DECK_SECTORS, GS_FLEETS, GS_LEADERS};
    int count[GS_KINDS] = {0};
    size_t i;
    json_t *card;
    json_t *list = json_need_array(json, "cards", "the cards", err);
    if (!list)
        return -1;
    if (json_array_size(list) != GS_CARDS)
        return err_set(err, ERR_BROKEN, "the cards: \"cards\" must be %d", GS_CARDS);
    json_array_foreach (list, i, card) {
        if (load_card(card, i, cards, err) < 0)
            return -1;
        count[cards->card[i + 1].kind]++;
    }
    for (int kind = 0; kind < GS_KINDS; kind++) {
        if (count[kind] < 1 || count[kind] > most[kind])
            return err_set(err, ERR_BROKEN, "the cards: there are %d of the kind %s but must be 1 to %d",
                           count[kind], gs_kind_names[kind], most[kind]);
    }
    return 0;
}

/* ---- words ---- */

static int load_tech(const json_t *json, int index, struct gs_cards *cards, const char *what, struct err *err)
{
    int roll; /* the order of the table is fixed */
    struct gs_word *tech = &cards->tech[index];
    if (need_word(json, "id", tech_ids[index], what, err) < 0 ||
        need_name(json, "id", tech->id, what, err) < 0 ||
        need_name(json, "name", tech->name, what, err) < 0 ||
        need_int(json, "roll", index + 1, index + 1, &roll, what, err) < 0)
        return -1;
    return 0;
}

static int load_exchange(const json_t *json, int index, struct gs_cards *cards, const char *what,
                         struct err *err)
{
    struct gs_word *exchange = &cards->exchange[index];
    if (need_word(json, "id", exchange_ids[index], what, err) < 0 ||
        need_name(json, "id", exchange->id, what, err) < 0 ||
        need_name(json, "name", exchange->name, what, err) < 0 ||
        need_kind(json, "discard", &cards->exchange_give[index], what, err) < 0 ||
        need_kind(json, "keep", &cards->exchange_keep[index], what, err) < 0)
        return -1;
    return 0;
}

static int load_use(const json_t *json, int index, struct gs_cards *cards, const char *what, struct err *err)
{
    struct gs_word *use = &cards->use[index];
    if (need_word(json, "id", uses[index].id, what, err) < 0 ||
        need_word(json, "window", uses[index].window, what, err) < 0 ||
        need_word(json, "effect", uses[index].effect, what, err) < 0 ||
        need_name(json, "id", use->id, what, err) < 0 || need_name(json, "name", use->name, what, err) < 0)
        return -1;
    if (index == GS_TACTICAL)
        return need_int(json, "amount", 1, 9, &cards->dice_tactical, what, err);
    if (index == GS_QUOTAS || index == GS_INDSAB)
        return need_int(json, "minus", 0, 9, &cards->minus[index], what, err);
    if (index == GS_STEAL || index == GS_COUNTER || index == GS_MILSAB || index == GS_ASSASSINATION)
        return need_int(json, "success_max", 1, 10, &cards->success[index], what, err);
    return 0;
}

static int load_list(const json_t *json, const char *key, int count, const char *one,
                     int (*load)(const json_t *json, int index, struct gs_cards *cards, const char *what,
                                 struct err *err),
                     struct gs_cards *cards, struct err *err)
{
    json_t *list = json_need_array(json, key, "the cards", err);
    if (!list)
        return -1;
    if (json_array_size(list) != (size_t)count)
        return err_set(err, ERR_BROKEN, "the cards: \"%s\" must be %d", key, count);
    for (int i = 0; i < count; i++) {
        char what[WHAT];
        const json_t *item = json_array_get(list, (size_t)i);
        snprintf(what, sizeof(what), "%s %d", one, i + 1);
        if (load(item, i, cards, what, err) < 0 || need_source(item, what, err) < 0)
            return -1;
    }
    return 0;
}

/* ---- numbers ---- */

static int load_numbers(const json_t *json, struct gs_cards *c, struct err *err)
{
    const struct {
        const char *section, *key;
        int min, max;
        int *to;
    } number[] = {
        {"start", "cards", 0, 5, &c->start_cards},
        {"start", "credits", 0, 100, &c->start_credits},
        {"start", "tech_level", 1, 9, &c->start_level},
        {"hand", "limit", 1, 20, &c->hand},
        {"costs", "extra_card", 0, 99, &c->cost_extra},
        {"costs", "sector", 0, 99, &c->cost_sector},
        {"costs", "fleet", 0, 99, &c->cost_fleet},
        {"costs", "leader", 0, 99, &c->cost_leader},
        {"costs", "research", 0, 99, &c->cost_research},
        {"costs", "catchup", 0, 99, &c->cost_catchup},
        {"costs", "directed", 0, 99, &c->cost_directed},
        {"production", "homeworld", 0, 99, &c->income_home},
        {"production", "sector", 0, 99, &c->income_sector},
        {"production", "leader_on_sector", 0, 99, &c->income_leader},
        {"production", "per_full_level", 0, 99, &c->income_level},
        {"dice", "homeworld", 1, 20, &c->dice_home},
        {"dice", "sector", 1, 20, &c->dice_sector},
        {"dice", "fleet", 1, 20, &c->dice_fleet},
        {"dice", "leader", 0, 9, &c->dice_leader},
        {"dice", "advantage", 0, 9, &c->dice_advantage},
        {"dice", "sides", 10, 10, &c->sides}, /* the technology table needs them */
        {"table", "pick", GS_TECHS + 1, GS_TECHS + 1, &c->pick},
        {"advanced_setup", "random_advances", 1, 20, &c->advances},
    };
    for (size_t i = 0; i < sizeof(number) / sizeof(number[0]); i++) {
        const json_t *section = json_object_get(json, number[i].section);
        if (!json_is_object(section))
            return err_set(err, ERR_BROKEN, "the cards: \"%s\" must be an object", number[i].section);
        if (need_int(section, number[i].key, number[i].min, number[i].max, number[i].to, number[i].section,
                     err) < 0 ||
            need_source(section, number[i].section, err) < 0)
            return -1;
    }
    return 0;
}

int gs_cards_load(const json_t *json, int version, void *to, struct err *err)
{
    struct gs_cards *cards = to;
    cards->version = version;
    if (need_word(json, "game", "galactic-supremacy", "the cards", err) < 0 ||
        load_numbers(json, cards, err) < 0 ||
        load_list(json, "technologies", GS_TECHS, "technology", load_tech, cards, err) < 0 ||
        load_list(json, "exchanges", GS_EXCHANGES, "exchange", load_exchange, cards, err) < 0 ||
        load_list(json, "command_uses", GS_USES, "command use", load_use, cards, err) < 0)
        return -1;
    return load_cards(json, cards, err);
}
