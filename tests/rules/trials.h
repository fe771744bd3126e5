/* What receipts rest on: a trial play that met no luck (struct chance.luck) goes as every other would. For
 * the suites of the rulesets. */
#ifndef TESTS_RULES_TRIALS_H
#define TESTS_RULES_TRIALS_H

#include "base/mem.h"
#include "rules/report.h"

/* Plays a seat's orders on a table that is concealed again; writes what happens to the lines. */
static inline bool trial_has_luck(const struct ruleset *ruleset, const void *cards, const void *state,
                                  int seat, const struct seat_orders *orders, int turn, int number,
                                  struct str *fates)
{
    void *copy = mem_alloc(ruleset->state_size);
    struct seat_orders own[SEATS_MAX + 1] = {{.script = NULL}};
    struct events events;
    struct chance chance;
    memcpy(copy, state, ruleset->state_size);
    chance_seeded(&chance, &number, sizeof number);
    ruleset->conceal(cards, copy, seat, &chance);
    own[seat] = orders[seat];
    events_init(&events);
    events.fates_only = true;
    chance.luck = 0;
    ruleset->play(cards, copy, &(struct resolution){own, turn, &chance, &events});
    events_write(fates, &events, seat);
    events_release(&events);
    free(copy);
    return chance.luck > 0;
}

/* False when the first trial met luck; else the next ones must be like it. */
static inline bool trials_check(const struct ruleset *ruleset, const void *cards, const void *state, int seat,
                                const struct seat_orders *orders, int turn, int game)
{
    struct str first = STR_INIT, other = STR_INIT;
    bool plain = !trial_has_luck(ruleset, cards, state, seat, orders, turn, 0, &first);
    for (int number = 1; plain && number < 6; number++) {
        str_clear(&other);
        (void)trial_has_luck(ruleset, cards, state, seat, orders, turn, number, &other);
        HOLDS(strcmp(first.p, other.p) == 0,
              "game %d, turn %d: a trial without luck went\n%s\nanother one went\n%s", game, turn, first.p,
              other.p);
    }
    str_release(&first);
    str_release(&other);
    return plain;
}

#endif
