/* What the suites of Galactic Supremacy share: cards, a dealt game, orders at random. */
#ifndef TESTS_RULES_SUPREMACY_H
#define TESTS_RULES_SUPREMACY_H

#include <string.h>

#include "base/json.h"
#include "rules/galactic_supremacy/attack.h"
#include "rules/views.h"
#include "suite.h"

#define GS_UNUSED __attribute__((unused))

/* As ck_assert_msg, for what is asked millions of times: check notes the place of every assertion in a file,
 * also of those that hold. */
#define HOLDS(condition, ...)          \
    do {                               \
        if (!(condition))              \
            ck_abort_msg(__VA_ARGS__); \
    } while (0)

static GS_UNUSED const struct ruleset *rules(void)
{
    const struct ruleset *ruleset = ruleset_newest("galactic-supremacy");
    HOLDS(ruleset, "no ruleset");
    return ruleset;
}

static GS_UNUSED void load_cards(struct gs_cards *cards)
{
    struct err err = ERR_INIT;
    json_t *json = json_read(ruleset_cards(rules()), "cards.json", &err);
    memset(cards, 0, sizeof(*cards));
    ck_assert_msg(json && gs_cards_load(json, cards, &err) == 0, "%s", err.text);
    json_decref(json);
}

static GS_UNUSED void seed_chance(struct chance *chance, const char *name, int game, int turn)
{
    char seed[64];
    snprintf(seed, sizeof(seed), "%s/%d/%d", name, game, turn);
    chance_seeded(chance, seed, strlen(seed));
}

static GS_UNUSED void start_game(const struct gs_cards *cards, struct gs_state *state, int seats, int decks,
                                 int advanced, struct chance *chance)
{
    struct err err = ERR_INIT;
    struct events events;
    const int options[GAME_OPTIONS] = {decks, advanced, 0};
    memset(state, 0, sizeof(*state));
    ck_ok(gs_init(cards, seats, options, state, &err), err);
    events_init(&events);
    gs_deal(cards, state, NULL, chance, &events);
    events_release(&events);
}

/* ---- orders at random, good ones and bad ones ---- */

static GS_UNUSED const char *const fragments[] = {
    "draw",
    "explore",
    "draft all",
    "intel 2",
    "rnd",
    "repeat explore",
    "discard fleet",
    "discard 2 research 1 command",
    "keep fleet sector",
    "keep command leader research",
    "play quotas",
    "play spy p2",
    "play spy p1",
    "play planning",
    "play steal p3",
    "play steal p1 or play steal p2",
    "play misinformation p2",
    "play misinformation p1",
    "play milsab p2 f1",
    "play milsab p1 f2",
    "play indsab p1",
    "play assassination p2 l1",
    "play initiative",
    "play surprise",
    "build sector",
    "repeat build sector",
    "repeat build fleet",
    "build fleet at s1",
    "build fleet at s2 or build fleet",
    "build leader",
    "build leader on f1",
    "build leader on s1 or build leader on home",
    "attack p2 s1 with all",
    "attack p1 s1 with all or attack p3 s1 with all",
    "attack p1 home with all",
    "attack p2 home with all using tactical",
    "attack p2 home with f1 f2 using surprise tactical f2 aim leaders",
    "attack p4 s2 with f1",
    "if ok attack p1 s1 with all using initiative",
    "if odds >= 40 attack p2 s1 with all",
    "if odds p1 home > 30 attack p1 home with all",
    "move all home",
    "move f1 s1",
    "move l1 f1",
    "move l1 f1 and l2 home",
    "research",
    "repeat research",
    "research pick energy",
    "research catchup jump or research catchup firepower",
    "research direct terraforming",
    "prefer industry energy terraforming",
    "if credits >= 20 and have fleet build fleet else pass",
    "if held research >= 2 research",
    "if level jump > 1 pass",
    "if cards > 4",
    "endif",
    "pause",
    "pass",
    "say all hello",
    "frobnicate",
    "vote draw; vote play",
    "offer p2 give 1 fleet get 3 credits",
    "offer p1 give 2 credits",
    "offer p3 give research get command until 90",
    "accept",
    "accept 3",
    "decline",
    "withdraw",
};

static GS_UNUSED const char *const answers[] = {
    "when attacked play peace",
    "when attacked at home play peace or defend all",
    "when attacked defend all aim leaders",
    "when attacked at s1 defend none retreat s2",
    "when attacked by p1 defend f1 f3",
    "when attacked play ambush",
    "when attacked if odds < 60 play tactical",
    "when attacked play tactical f1",
    "when played counter",
    "when played on me counter keep 1",
    "when played steal by p2 counter",
    "when played counter counter",
    "when ambushed play surprise",
    "when peace attack p1 home with all or attack p2 home with all or attack p3 home with all",
    "when countered play again",
    "when conquer leave",
    "when offered 1 credit for 1 fleet accept",
    "when offered nothing for 5 credits accept",
    "when offered fleet for 9 credits accept",
};

static GS_UNUSED uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

#define PICK(list, random) (list)[next_random(random) % (sizeof(list) / sizeof((list)[0]))]

static GS_UNUSED struct script *random_script(uint32_t *random, bool standing)
{
    struct str text = STR_INIT;
    uint32_t lines = next_random(random) % (standing ? 5 : 16);
    for (; lines > 0; lines--)
        str_addf(&text, "%s\n", standing ? PICK(answers, random) : PICK(fragments, random));
    struct script *script = script_parse(slice_str(&text), rules()->language);
    str_release(&text);
    return script;
}

static GS_UNUSED void check_same(const struct gs_state *state, const struct gs_state *other, int game)
{
    unsigned char first[32], second[32];
    if (memcmp(state, other, sizeof(*state)) == 0)
        return;
    fields_digest(gs_fields, state, first);
    fields_digest(gs_fields, other, second);
    HOLDS(memcmp(first, second, sizeof(first)) == 0, "game %d: two states differ that must not", game);
}

static GS_UNUSED void view_text(const struct gs_cards *cards, const struct gs_state *state, int seat,
                                struct str *out)
{
    json_t *view = view_as_json(rules(), cards, state, seat);
    json_write(out, view);
    json_decref(view);
    if (seat > 0)
        gs_robot(cards, state, seat, out);
}

#endif
