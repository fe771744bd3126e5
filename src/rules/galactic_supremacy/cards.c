#include "rules/galactic_supremacy/cards.h"

#include <string.h>

#include "rules/cards.h"
#include "rules/galactic_supremacy/state.h"

const char *const gs_kind_names[GS_KINDS + 1] = {"research", "command", "sector", "fleet", "leader", NULL};

static const char *const tech_ids[GS_TECHS] = {"jump",         "firepower",   "range",
                                               "defenses",     "information", "sublight",
                                               "terraforming", "industry",    "energy"};
static const char *const exchange_ids[GS_EXCHANGES] = {"explore", "draft", "intel", "rnd"};
/* What a use does, and when, is fixed in the program; the file must agree. */
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

/* ---- cards ---- */

static int need_kind(const struct card_reader *card, const char *key, enum gs_kind *out)
{
    int kind;
    if (card_word(card, key, gs_kind_names, &kind) < 0)
        return -1;
    *out = (enum gs_kind)kind;
    return 0;
}

static int load_card(const struct card_reader *from, int index, void *to)
{
    struct gs_cards *cards = to;
    int number; /* the cards are in order */
    if (card_int(from, "number", index + 1, index + 1, &number) < 0)
        return -1;
    struct gs_card *card = &cards->card[number];
    if (need_kind(from, "kind", &card->kind) < 0)
        return -1;
    bool named = card->kind == GS_SECTOR || card->kind == GS_FLEET || card->kind == GS_LEADER;
    if (!named)
        return json_object_get(from->object, "name")
                   ? card_refuse(from, "\"name\" belongs to sectors, fleets and leaders")
                   : 0;
    if (card_name(from, "name", card->name, GS_NAME) < 0)
        return -1;
    for (int i = 1; i < number; i++) {
        if (strcmp(cards->card[i].name, card->name) == 0)
            return card_refuse(from, "\"name\" is that of card %d", i);
    }
    return 0;
}

static int load_cards(const struct card_reader *file, struct gs_cards *cards)
{
    static const struct card_kind deck = {"cards", "card", GS_CARDS, GS_CARDS, '\0', load_card};
    static const int most[GS_KINDS] = {GS_CARDS, GS_CARDS, GS_DECK_SECTORS, GS_FLEETS, GS_LEADERS};
    int count[GS_KINDS] = {0};
    if (cards_each(file, &deck, cards) < 0)
        return -1;
    for (int number = 1; number <= GS_CARDS; number++)
        count[cards->card[number].kind]++;
    for (int kind = 0; kind < GS_KINDS; kind++) {
        if (count[kind] < 1 || count[kind] > most[kind])
            return card_refuse(file, "there are %d of the kind %s but must be 1 to %d", count[kind],
                               gs_kind_names[kind], most[kind]);
    }
    return 0;
}

/* ---- words ---- */

/* The id is fixed, the name is the operator's. */
static int load_word(const struct card_reader *from, const char *id, struct gs_word *word)
{
    if (card_exactly(from, "id", id) < 0 || card_name(from, "id", word->id, GS_NAME) < 0 ||
        card_name(from, "name", word->name, GS_NAME) < 0)
        return -1;
    return 0;
}

static int load_tech(const struct card_reader *from, int index, void *to)
{
    struct gs_cards *cards = to;
    int roll; /* the order of the table is fixed */
    if (load_word(from, tech_ids[index], &cards->tech[index]) < 0)
        return -1;
    return card_int(from, "roll", index + 1, index + 1, &roll);
}

static int load_exchange(const struct card_reader *from, int index, void *to)
{
    struct gs_cards *cards = to;
    if (load_word(from, exchange_ids[index], &cards->exchange[index]) < 0 ||
        need_kind(from, "discard", &cards->exchange_give[index]) < 0)
        return -1;
    return need_kind(from, "keep", &cards->exchange_keep[index]);
}

static int load_use(const struct card_reader *from, int index, void *to)
{
    struct gs_cards *cards = to;
    if (load_word(from, uses[index].id, &cards->use[index]) < 0 ||
        card_exactly(from, "window", uses[index].window) < 0 ||
        card_exactly(from, "effect", uses[index].effect) < 0)
        return -1;
    if (index == GS_TACTICAL)
        return card_int(from, "amount", 1, 9, &cards->dice.tactical);
    if (index == GS_QUOTAS || index == GS_INDSAB)
        return card_int(from, "minus", 0, 9, &cards->minus[index]);
    if (index == GS_STEAL || index == GS_COUNTER || index == GS_MILSAB || index == GS_ASSASSINATION)
        return card_int(from, "success_max", 1, 10, &cards->success[index]);
    return 0;
}

static const struct card_kind words[] = {
    {"technologies", "technology", GS_TECHS, GS_TECHS, '\0', load_tech},
    {"exchanges", "exchange", GS_EXCHANGES, GS_EXCHANGES, '\0', load_exchange},
    {"command_uses", "command use", GS_USES, GS_USES, '\0', load_use},
};

/* ---- numbers ---- */

static int load_numbers(const struct card_reader *file, struct gs_cards *c)
{
    const struct card_number numbers[] = {
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
        {"dice", "homeworld", 1, 20, &c->dice.home},
        {"dice", "sector", 1, 20, &c->dice.sector},
        {"dice", "fleet", 1, 20, &c->dice.fleet},
        {"dice", "leader", 0, 9, &c->dice.leader},
        {"dice", "advantage", 0, 9, &c->dice.advantage},
        {"dice", "sides", 10, 10, &c->sides}, /* the technology table needs them */
        {"table", "pick", GS_TECHS + 1, GS_TECHS + 1, &c->pick},
        {"advanced_setup", "random_advances", 1, 20, &c->advances},
    };
    return cards_numbers(file, numbers, sizeof(numbers) / sizeof(numbers[0]));
}

int gs_cards_load(const json_t *json, void *to, struct err *err)
{
    struct gs_cards *cards = to;
    struct card_reader file;
    if (cards_open(&file, json, "galactic-supremacy", err) < 0 || load_numbers(&file, cards) < 0)
        return -1;
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (cards_each(&file, &words[i], cards) < 0)
            return -1;
    }
    return load_cards(&file, cards);
}
