/* What the suites of Galactic Contract share: games to play with, and what must hold of their cards. */
#ifndef TESTS_RULES_CONTRACT_H
#define TESTS_RULES_CONTRACT_H

#include <string.h>

#include "base/json.h"
#include "rules/report.h"
#include "rules/galactic_contract/state.h"
#include "rules/galactic_contract/turn.h"
#include "rules/views.h"
#include "suite.h"

static inline const struct ruleset *rules(void)
{
    const struct ruleset *ruleset = ruleset_newest("galactic-contract");
    HOLDS(ruleset, "no ruleset");
    return ruleset;
}

static inline void load_cards(struct gk_cards *cards)
{
    struct err err = ERR_INIT;
    json_t *json = json_read(ruleset_cards(rules()), "cards.json", &err);
    memset(cards, 0, sizeof(*cards));
    ck_assert_msg(json && gk_cards_load(json, cards, &err) == 0, "%s", err.text);
    json_decref(json);
}

static inline void seed_chance(struct chance *chance, const char *name, int game, int turn)
{
    char seed[64];
    snprintf(seed, sizeof(seed), "%s/%d/%d", name, game, turn);
    chance_seeded(chance, seed, strlen(seed));
}

static inline void start_game(const struct gk_cards *cards, struct gk_state *state, int seats, bool brief,
                              bool whole_round, struct chance *chance)
{
    struct err err = ERR_INIT;
    struct events events;
    const int options[GAME_OPTIONS] = {brief, whole_round};
    memset(state, 0, sizeof(*state));
    HOLDS(gk_init(cards, seats, options, state, &err) == 0, "%s", err.text);
    events_init(&events);
    gk_deal(cards, state, NULL, chance, &events);
    events_release(&events);
}

static inline struct script *parse(const char *text)
{
    return script_parse(slice_of(text), rules()->language);
}

static inline bool same(const struct gk_state *state, const struct gk_state *other)
{
    unsigned char first[32], second[32];
    fields_digest(gk_fields, state, first);
    fields_digest(gk_fields, other, second);
    return memcmp(first, second, sizeof(first)) == 0;
}

/* The active seat's turn by these orders (NULL: none came), with the lists of WHEN lines in force (NULL:
 * none); the events are the caller's. */
static inline void play_events(const struct gk_cards *cards, struct gk_state *state,
                               const struct script *script, struct script *const standing[SEATS_MAX + 1],
                               int turn, struct events *events)
{
    struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
    struct chance chance;
    int seat = gk_active(state);
    orders[seat] = (struct seat_orders){.script = script, .missed = !script};
    for (int s = 1; standing && s <= state->seats; s++)
        orders[s].standing = standing[s];
    seed_chance(&chance, "play", 0, turn);
    events_init(events);
    gk_play(cards, state, &(struct resolution){orders, turn, &chance, events});
}

struct fates {
    int done, refused;
};

static inline struct fates play_text(const struct gk_cards *cards, struct gk_state *state, const char *text,
                                     int turn)
{
    struct script *script = text ? parse(text) : NULL;
    struct fates fates = {0, 0};
    struct events events;
    play_events(cards, state, script, NULL, turn, &events);
    for (size_t i = 0; i < events.count; i++) {
        fates.refused += slice_eq(events.list[i].type, "refused");
        fates.done += slice_eq(events.list[i].type, "done");
    }
    events_release(&events);
    script_free(script);
    return fates;
}

static inline void count_places(const uint8_t *numbers, int count, int *places)
{
    for (int i = 0; i < count; i++)
        places[numbers[i]]++;
}

static inline void check_once(const int *places, int last, int least, const char *what, int game)
{
    int found = 0;
    HOLDS(places[0] == 0, "game %d: a %s is no card", game, what);
    for (int n = 1; n <= last; n++) {
        HOLDS(places[n] <= 1, "game %d: %s %d lies in %d places", game, what, n, places[n]);
        found += places[n];
    }
    HOLDS(found >= least, "game %d: only %d %ss are left", game, found, what);
}

/* Every card in one place; gone are only gifts, and the shipments of a short game's box. */
static inline void check_cards(const struct gk_cards *cards, const struct gk_state *state, int game)
{
    int trades[256] = {0};
    int shipments[256] = {0};
    int constructions[256] = {0};
    int upgrades[256] = {0};
    int gifts = 0;
    count_places(state->deck, state->deck_count, trades);
    count_places(state->building, state->building_count, constructions);
    count_places(state->pending, state->pending_count, constructions);
    for (int i = 0; i < state->planets; i++) {
        if (state->ring[i].trade)
            trades[state->ring[i].trade]++;
        count_places(state->ring[i].built, state->ring[i].built_count, constructions);
    }
    for (int p = 0; p < GK_PILES; p++)
        count_places(state->pile[p].card, state->pile[p].count, shipments);
    for (int seat = 1; seat <= state->seats; seat++) {
        const struct gk_player *player = gk_player_const(state, seat);
        count_places(player->trade, player->trade_count, trades);
        count_places(player->shipment, player->shipment_count, shipments);
        for (int i = 0; i < player->owned_count; i++)
            upgrades[player->owned[i].card]++;
        HOLDS(player->place <= state->planets, "game %d: seat %d is nowhere", game, seat);
    }
    for (int n = 1; n <= GK_CONSTRUCTIONS; n++)
        gifts += gk_construction_card(cards, n)->kind == GK_GIFT;
    check_once(trades, GK_TRADES, GK_TRADES, "trade", game);
    check_once(shipments, GK_SHIPMENTS, GK_PILES * (state->short_game ? GK_SHORT_PILE : GK_PILE_SIZE),
               "shipment", game);
    check_once(constructions, GK_CONSTRUCTIONS, GK_CONSTRUCTIONS - gifts, "construction", game);
    check_once(upgrades, GK_UPGRADES, 0, "upgrade", game);
}

/* Every line of the form is carried out as it is. */
static inline void check_form(const struct gk_cards *cards, const struct gk_state *state, size_t least)
{
    json_t *view = view_as_json(rules(), cards, state, gk_active(state));
    const json_t *form = json_object_get(view, "form");
    size_t i;
    json_t *entry;
    HOLDS(json_array_size(form) >= least, "%d suggestions", (int)json_array_size(form));
    json_array_foreach (form, i, entry) {
        struct gk_state trial = *state;
        const char *line = json_string_value(json_object_get(entry, "line"));
        struct fates fates = play_text(cards, &trial, line, 1);
        HOLDS(fates.done > 0 && !fates.refused, "\"%s\" was refused", line);
    }
    json_decref(view);
}

#endif
