/* The table of a competition as its results give it (standing.h), and what of it stands in records. */
#ifndef COMPETE_RANKING_H
#define COMPETE_RANKING_H

#include "compete/competition.h"
#include "compete/division.h"
#include "compete/matchpoints.h"

#define RANKING_BEST 8 /* that `close` names */

struct ranking_row {
    char name[PLAYER_NAME];
    int place;         /* 1 = best; equal ones share it */
    int division;      /* 0 where there are none; places count within it */
    int64_t points;    /* halves; of duplicate deals thousandths of matchpoints */
    int64_t opponents; /* halves: the points of those they played */
    int games,
        firsts; /* of duplicate deals those that count, and those in which nobody ranked did better or as well */
    struct share share;      /* of the most that their deals could give; duplicate deals only */
    bool gone;               /* withdrew or was removed */
    enum division_move move; /* in the season after it, where compete_moves; else DIVISION_STAYS */
};
struct ranking {
    struct ranking_row *rows; /* by division, place, name */
    size_t count;
    bool duplicate; /* of duplicate deals */
};
/* Does its table say who goes up and down? That of divisions that are over. */
bool compete_moves(const struct competition *c);
/* Of everybody who has been in a round. */
void ranking_make(struct ranking *ranking, const struct competition *c);
/* The same by the results of the first rounds alone, 0 .. c->round. */
void ranking_until(struct ranking *ranking, const struct competition *c, int rounds);
/* The same for the next draw: with those who were removed too late for it. */
void ranking_draw(struct ranking *ranking, const struct competition *c);
void ranking_release(struct ranking *ranking);
const struct ranking_row *ranking_of(const struct ranking *ranking, const char *name);
/* BLAKE2b-256("turnpost/standing\0" || for each row le32 division || le32 place || le32 len || name || le32 points) */
void ranking_digest(unsigned char digest[32], const struct ranking *ranking);
/* [{"name","place","points"}]: the first rows. New reference. */
json_t *ranking_best(const struct ranking *ranking);
/* The divisions of a season that is closed, as the next one's `create` lists them. NULL = it has none. New reference. */
json_t *ranking_divisions(const struct competition *previous);

#endif
