/* Fuzz target: card data of every ruleset. What its loader takes can be dealt and played by robots, and
 * shown. */
#include "need.h"

#include <sodium.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "rules/ruleset.h"
#include "rules/views.h"

#define TURNS 3

static void play_turn(const struct ruleset *rules, const void *cards, void *state, int seats, int turn,
                      struct chance *chance)
{
    struct seat_orders orders[SEATS_MAX + 1] = {{.script = NULL}};
    struct script *scripts[SEATS_MAX + 1] = {NULL};
    struct events events;
    uint32_t awaited = rules->awaits(state);
    for (int seat = 1; seat <= seats; seat++) {
        if (!(awaited & SEAT_BIT(seat)))
            continue;
        struct str text = STR_INIT;
        rules->robot(cards, state, seat, &text);
        orders[seat].script = orders[seat].standing = scripts[seat] =
            script_parse(slice_str(&text), rules->language);
        str_release(&text);
    }
    events_init(&events);
    rules->play(cards, state, &(struct resolution){orders, turn, chance, &events});
    json_decref(events_json(&events, -1));
    events_release(&events);
    for (int seat = 1; seat <= seats; seat++)
        script_free(scripts[seat]);
}

static void play(const struct ruleset *rules, const void *cards, int seats)
{
    int options[GAME_OPTIONS] = {0};
    struct err err = ERR_INIT;
    struct chance chance;
    struct events events;
    struct score scores[SEATS_MAX + 1];
    void *state = mem_alloc(rules->state_size);
    for (int i = 0; i < GAME_OPTIONS && rules->options[i].name; i++)
        options[i] = rules->options[i].initial;
    chance_seeded(&chance, "cards", 5);
    if (rules->init(cards, seats, options, state, &err) == 0) {
        events_init(&events);
        rules->deal(cards, state, NULL, &chance, &events);
        events_release(&events);
        for (int turn = 1; turn <= TURNS && rules->awaits(state); turn++)
            play_turn(rules, cards, state, seats, turn, &chance);
        for (int seat = 0; seat <= seats; seat++)
            json_decref(view_as_json(rules, cards, state, seat));
        memset(scores, 0, sizeof scores);
        rules->end.scores(cards, state, scores);
        need(rules->end.ending(state) != NULL);
    }
    free(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct err err = ERR_INIT;
    json_t *json = json_read((struct slice){(const char *)data, size}, "cards", &err);
    if (!json)
        return 0;
    for (size_t i = 0; rulesets[i]; i++) {
        void *cards = mem_alloc(rulesets[i]->cards_size);
        err_clear(&err);
        if (rulesets[i]->cards_load(json, cards, &err)) {
            need(err.code != ERR_NONE && err.text[0] && utf8_valid(slice_of(err.text)));
        } else {
            play(rulesets[i], cards, rulesets[i]->seats_min);
            play(rulesets[i], cards, rulesets[i]->seats_max);
        }
        free(cards);
    }
    json_decref(json);
    return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    need(sodium_init() >= 0);
    return 0;
}
