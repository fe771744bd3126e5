/* Galactic Supremacy: the mails that a seat gets about a state, as its player reads them. */
#ifndef TESTS_RULES_SUPREMACY_REPORT_H
#define TESTS_RULES_SUPREMACY_REPORT_H

#include "play/facts.h"
#include "report/render.h"
#include "rules/supremacy.h"

/* The report of a turn, text and HTML one after the other. `events` as events_json(-1) gives them, borrowed.
 */
static inline void report_text(struct templates *templates, const struct gs_cards *cards,
                               const struct gs_state *state, int seat, int turn, json_t *events,
                               struct str *out)
{
    struct err err = ERR_INIT;
    struct game game;
    static const char *const names[] = {"", "ann", "bob", "cid", "dan", "eve", "fay"};
    game_init(&game);
    snprintf(game.id, sizeof(game.id), "gs-1");
    game.ruleset = rules();
    game.cards = cards;
    game.state = (void *)(uintptr_t)state; /* lent: taken back below */
    game.seats = state->seats;
    game.turn = turn + 1;
    game.over = gs_awaits(state) == 0;
    game.told.events = events;
    for (int i = 1; i <= state->seats; i++)
        snprintf(game.seat[i].player, sizeof(game.seat[i].player), "%s", names[i]);
    json_t *facts = facts_game(&game, seat);
    facts_events(facts, &game, seat);
    facts_view(facts, &game, seat);
    facts_standing(facts, &game, seat);
    ck_ok(templates_render(templates, &(struct template_name){"galactic_supremacy", "report.txt"}, facts, out,
                           &err),
          err);
    ck_ok(templates_render(templates, &(struct template_name){"galactic_supremacy", "report.html"}, facts,
                           out, &err),
          err);
    json_decref(facts);
    game.state = NULL;
    game.told.events = NULL;
    game_release(&game);
}

#endif
