/* How long games last: robots play some (simulate.c). */
#ifndef COMMANDS_SIMULATE_H
#define COMMANDS_SIMULATE_H

#include "rules/ruleset.h"

/* Turns, each of which may take its whole deadline. */
struct game_turns {
    int usual;     /* half of the games have at most so many */
    int long_ones; /* nine in ten */
};
/* ERR_INPUT: seats and options do not fit together. The ruleset has a robot. */
int simulate_turns(const struct ruleset *rules, int seats, const int options[GAME_OPTIONS],
                   struct game_turns *turns, struct err *err) __attribute__((warn_unused_result));

#endif
