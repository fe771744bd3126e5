/* "Did you mean": the thing of a game that misspelt words of an order were meant for. */
#ifndef RULES_MEANT_H
#define RULES_MEANT_H

#include "orders/words.h"
#include "rules/ruleset.h"

/* Names of players, NULL ends them. */
typedef const char *const meant_players;

/* The name on the card, or of a player, that is nearest to the words, or to the first of them; NULL when none
 * is near. Borrowed from the cards or the players. */
const char *name_meant(const struct ruleset *ruleset, const void *cards, meant_players *players,
                       struct slice words);

#endif
