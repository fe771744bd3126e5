/* "Did you mean": the thing of a game, or the word of its language, that misspelt words of an order were meant for. */
#ifndef RULES_MEANT_H
#define RULES_MEANT_H

#include "orders/words.h"
#include "rules/ruleset.h"

/* Names of players, NULL ends them. */
typedef const char *const meant_players;

#define MEANT_SIZE 64

struct meant {
    char name[MEANT_SIZE];
    int words; /* so many of the misspelt ones are it, from the first */
};

/* The name on the card, or of a player, or the word of the language that is nearest to the words, or to the first of
 * them. False when none is near. */
bool name_meant(const struct ruleset *ruleset, const void *cards, meant_players *players, struct slice words,
                struct meant *meant);

#endif
