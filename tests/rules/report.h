/* The mails that a seat gets about a state, as its player reads them. For the suites of the rulesets. */
#ifndef TESTS_RULES_REPORT_H
#define TESTS_RULES_REPORT_H

#include "play/facts.h"
#include "report/render.h"
#include "rules/event.h"
#include "suite.h"

/* As ck_assert_msg, for what is asked millions of times: check notes the place of every assertion, also of
 * those that hold. */
#ifndef HOLDS
#define HOLDS(condition, ...)          \
    do {                               \
        if (!(condition))              \
            ck_abort_msg(__VA_ARGS__); \
    } while (0)
#endif

/* The report of a turn, text and HTML one after the other. `events` as events_json gives them, borrowed. */
static inline void report_write(struct templates *templates, const struct ruleset *ruleset, const void *cards,
                                const void *state, int seats, int seat, int turn, json_t *events,
                                struct str *out)
{
    static const char *const names[] = {"", "ann", "bob", "cid", "dan", "eve", "fay"};
    struct err err = ERR_INIT;
    struct game game;
    game_init(&game);
    snprintf(game.id, sizeof(game.id), "game-1");
    game.ruleset = ruleset;
    game.cards = cards;
    game.state = (void *)(uintptr_t)state; /* lent: taken back below */
    game.seats = seats;
    game.turn = turn + 1;
    game.over = ruleset->awaits(state) == 0;
    game.told.events = events;
    for (int i = 1; i <= seats; i++)
        snprintf(game.seat[i].player, sizeof(game.seat[i].player), "%s", names[i]);
    json_t *facts = facts_game(&game, seat);
    facts_events(facts, &game, seat);
    facts_view(facts, &game, seat);
    facts_standing(facts, &game, seat);
    if (templates_render(templates, &(struct template_name){ruleset->folder, "report.txt"}, facts, out,
                         &err) ||
        templates_render(templates, &(struct template_name){ruleset->folder, "report.html"}, facts, out,
                         &err))
        ck_abort_msg("%s", err.text);
    json_decref(facts);
    game.state = NULL;
    game.told.events = NULL;
    game_release(&game);
}

/* The report is the same when what the seat may not know is different: `other` is the state with that
 * changed, and only the events that the seat may know are told. The last one of a game tells what was
 * hidden. */
static inline void report_check(struct templates *templates, const struct ruleset *ruleset, const void *cards,
                                const void *state, const void *other, int seats, int seat, int turn,
                                const struct events *events, const char *game)
{
    struct str seen = STR_INIT;
    struct str again = STR_INIT;
    if (!ruleset->awaits(state))
        return;
    json_t *all = events_json(events, -1);
    json_t *own = json_array();
    json_t *event;
    size_t i;
    json_array_foreach (all, i, event) {
        if (json_integer_value(json_object_get(event, "visible")) & SEAT_BIT(seat))
            json_array_append(own, event);
    }
    report_write(templates, ruleset, cards, state, seats, seat, turn, all, &seen);
    report_write(templates, ruleset, cards, other, seats, seat, turn, own, &again);
    HOLDS(strcmp(seen.p, again.p) == 0, "%s, turn %d: the report of seat %d tells:\n%s\n%s", game, turn, seat,
          seen.p, again.p);
    json_decref(all);
    json_decref(own);
    str_release(&seen);
    str_release(&again);
}

/* PROPERTY_GAMES=10000 plays that many games, PROPERTY_FROM=123 begins with this one: a game's number is its
 * seed. */
struct property_games {
    int first, end;
};

static inline struct property_games property_games(int usual)
{
    const char *wish = getenv("PROPERTY_GAMES");
    const char *from = getenv("PROPERTY_FROM");
    int first = from ? (int)strtol(from, NULL, 10) : 0;
    int count = wish ? (int)strtol(wish, NULL, 10) : usual;
    return (struct property_games){first, first + (count > 0 ? count : usual)};
}

#endif
