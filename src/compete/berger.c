#include "compete/berger.h"

#include <assert.h>

/* With an odd number of players there is one more, against whom nobody plays. */
static unsigned evened(unsigned players)
{
    assert(players >= 2 && players <= BERGER_MOST);
    return players + players % 2;
}

unsigned berger_rounds(unsigned players)
{
    return evened(players) - 1;
}

struct berger_round berger_round(unsigned players, unsigned round)
{
    const unsigned all = evened(players), circle = all - 1;
    const unsigned at = (round - 1) * (all / 2) % circle; /* from 0, of the one who meets the last number */
    struct berger_round out = {.count = 0, .bye = 0};
    assert(round >= 1 && round <= circle);
    if (all != players)
        out.bye = at + 1;
    else if (round % 2)
        out.games[out.count++] = (struct berger_game){at + 1, all};
    else
        out.games[out.count++] = (struct berger_game){all, at + 1};
    for (unsigned i = 1; i < all / 2; i++)
        out.games[out.count++] = (struct berger_game){(at + i) % circle + 1, (at + circle - i) % circle + 1};
    return out;
}
