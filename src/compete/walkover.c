#include "compete/walkover.h"

#include <string.h>

#include "compete/berger.h"

const char *walkover_in(const struct compete_division *division, int round, const char *player)
{
    if ((unsigned)round > berger_rounds((unsigned)division->count))
        return NULL; /* larger divisions play on */
    const struct berger_round games = berger_round((unsigned)division->count, (unsigned)round);
    for (size_t i = 0; i < games.count; i++) {
        const char *one = division->names[games.games[i].first - 1];
        const char *other = division->names[games.games[i].second - 1];
        if (strcmp(one, player) == 0)
            return other;
        if (strcmp(other, player) == 0)
            return one;
    }
    return NULL;
}

static bool plays_in(const struct compete_division *division, const char *player)
{
    bool found = false;
    for (int i = 0; i < division->count && !found; i++)
        found = strcmp(division->names[i], player) == 0;
    return found;
}

const char *walkover_of(const struct competition *c, int round, const char *player)
{
    for (size_t i = 0; i < c->division_count; i++)
        if (plays_in(&c->divisions[i], player))
            return walkover_in(&c->divisions[i], round, player);
    return NULL;
}

int walkover_points(const struct competition *c, int round, const char *player)
{
    return walkover_of(c, round, player) ? c->terms.walkover : c->terms.bye;
}
