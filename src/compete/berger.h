/* Berger tables: who plays whom in a division where everybody meets everybody once (README.md, "Pairing"). */
#ifndef COMPETE_BERGER_H
#define COMPETE_BERGER_H

#include <stddef.h>

#define BERGER_MOST  16 /* players; the fewest are 2 */
#define BERGER_GAMES (BERGER_MOST / 2)

/* Players by their numbers in the published tables, from 1. */
struct berger_game {
    unsigned first, second;
};

struct berger_round {
    struct berger_game games[BERGER_GAMES];
    size_t count;
    unsigned bye; /* 0: nobody */
};

/* The number of rounds for 2..BERGER_MOST players. */
unsigned berger_rounds(unsigned players);
/* Round 1..berger_rounds(players). */
struct berger_round berger_round(unsigned players, unsigned round);

#endif
